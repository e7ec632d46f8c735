"""Konane (rules §3): the two removals, jumps straight on, the end, hand-made positions, and two solved boards."""

from __future__ import annotations

import pytest

from pyengine import EngineError, Position, find_rules
from pyengine.rules import Outcome, Rules, State
from pyengine.rules.konane import Konane

FULL = "xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox"


def texts(position: Position) -> set[str]:
    return {move.text for move in position.legal_moves()}


def why(position: Position, *path: str) -> tuple[str, list[str]] | None:
    """The refusal of a path given by names: its kind and points."""
    board = position.rules.board
    refusal = position.rules.explain(position.state, [board.index[name] for name in path])
    return refusal and (refusal.kind, board.text(refusal.points))


# --- start and the two removals


def test_start_is_full_with_black_in_the_top_left_corner() -> None:
    assert str(Position.start("konane/8x8")) == f"{FULL} x 0"


@pytest.mark.parametrize(
    ("ruleset", "first"),
    [
        ("konane/6x6", {"a6", "f1", "c4", "d3"}),
        ("konane/8x8", {"a8", "h1", "d5", "e4"}),
        ("konane/10x10", {"a10", "j1", "e6", "f5"}),
    ],
)
def test_black_removes_a_corner_or_centre_stone(ruleset: str, first: set[str]) -> None:
    position = Position.start(ruleset)
    assert position.rules.stage(position.state) == "remove"
    assert texts(position) == first
    assert {move.kind for move in position.legal_moves()} == {"remove"}


def test_white_removes_a_stone_next_to_the_hole_then_play_begins() -> None:
    position = Position.start("konane/8x8").play("d5")
    assert position.rules.stage(position.state) == "remove"
    assert texts(position) == {"c5", "e5", "d4", "d6"}
    position = position.play("d4")
    assert position.rules.stage(position.state) == "play"
    assert texts(position) == {"b5xd5", "d7xd5", "f5xd5"}
    corner = Position.start("konane/8x8").play("a8")
    assert texts(corner) == {"b8", "a7"}


def test_the_holes_tell_the_stage() -> None:
    full = Position.parse("konane/8x8", f"{FULL} o 0")
    assert texts(full) == {"a1", "h8", "d4", "e5"}, "no hole is the first removal, whoever acts"
    one_hole = FULL.replace("xoxoxoxo", "1oxoxoxo", 1)
    second = Position.parse("konane/8x8", f"{one_hole} o 0")
    assert texts(second) == {"b8", "a7"}
    play = Position.parse("konane/8x8", f"{one_hole} x 0")
    assert play.rules.stage(play.state) == "play"
    assert texts(play) == {"c8xa8", "a6xa8"}


def test_no_stone_to_remove_is_no_move() -> None:
    # All of x's stones stand away from the corners and the centre.
    rows = "oxxxxo/xxxxxx/xxooxx/xxooxx/oooooo/oooooo"
    position = Position.parse("konane/6x6", f"{rows} x 0")
    assert texts(position) == set()
    assert position.outcome() == Outcome("o", "blocked")


# --- jumps


def test_a_jump_goes_on_straight_and_may_stop_anywhere() -> None:
    position = Position.parse("konane/8x8", "xo1o1o2/2o5/8/8/8/8/8/8 x 0")
    assert texts(position) == {"a8xc8", "a8xc8xe8", "a8xc8xe8xg8"}
    last = position.find("a8xc8xe8xg8")
    assert position.rules.board.text(last.captures) == ["b8", "d8", "f8"]
    assert str(position.play(last)) == "6x1/2o5/8/8/8/8/8/8 o 0"


def test_jumps_go_all_four_ways_and_never_diagonally() -> None:
    position = Position.parse("konane/6x6", "6/1ooo2/1oxo2/1ooo2/6/6 x 0")
    assert texts(position) == {"c4xa4", "c4xe4", "c4xc6", "c4xc2"}


def test_jumps_do_not_run_over_the_edge() -> None:
    # f3 and a4 are next to each other only in the numbering of the points; so are f1, a2 and b2.
    position = Position.parse("konane/6x6", "6/6/o5/5x/o5/4xo x 0")
    assert texts(position) == set()


def test_own_stones_and_pairs_stop_a_jump() -> None:
    assert texts(Position.parse("konane/6x6", "xx1xoo/o5/x5/6/6/6 x 0")) == set()


def test_who_cannot_jump_loses_even_without_stones() -> None:
    assert Position.parse("konane/6x6", "6/6/6/3o2/6/6 x 0").outcome() == Outcome("o", "blocked")
    assert Position.parse("konane/6x6", "6/6/6/3o2/6/6 o 0").outcome() == Outcome("x", "blocked")
    last = Position.parse("konane/6x6", "xo4/6/6/6/6/6 x 0").play("a6xc6")
    assert last.outcome() == Outcome("x", "blocked")


def test_nobody_agrees_on_a_draw_and_nothing_repeats() -> None:
    rules = find_rules("konane/8x8")
    assert not rules.agreements
    assert not rules.repetition
    assert not rules.clocked


# --- refusals


def test_refusals_while_removing() -> None:
    position = Position.start("konane/6x6")
    assert why(position, "b2") == ("first-removal", ["f1", "d3", "c4", "a6"])
    assert why(position, "a6") is None
    assert why(position.play("a6"), "b5") == ("second-removal", ["a5", "b6"])


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (["b6"], ("not-your-piece", ["b6"])),
        (["a1"], ("empty", ["a1"])),
        (["f1"], ("blocked-piece", ["f1"])),
        (["a6", "c6", "c4"], ("straight-only", ["c6", "c4"])),
        (["a6", "c6", "a6"], ("straight-only", ["c6", "a6"])),
        (["a6", "b5"], ("no-line", ["a6", "b5"])),
        (["a6", "b6"], ("occupied", ["b6"])),
        (["a6", "e6"], ("too-far", ["a6", "e6"])),
        (["a6", "c6", "e6", "f6"], ("nothing-to-take", ["e6", "f6"])),
        (["c4", "e4"], ("nothing-to-take", ["c4", "e4"])),
        (["c4", "a4"], ("own-piece", ["b4"])),
        (["a6", "c6", "e6"], None),
    ],
)
def test_refusals_in_play(path: list[str], expected: tuple[str, list[str]] | None) -> None:
    position = Position.parse("konane/6x6", "xo1o2/2o3/1xx3/2o3/6/5x x 0")
    assert why(position, *path) == expected


# --- hand-made positions


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("6/6/6/6/6/6 x 3", "position.clock"),
        ("xxxxxx/xxxxxx/xxxxxx/x5/6/6 x 0", "position.too-many"),
        ("oooooo/oooooo/oooooo/o5/6/6 x 0", "position.too-many"),
        ("X5/6/6/6/6/6 x 0", "position.sultan"),
        ("6/6/6/6/6/6 x 0 hand=1,1", "position.key"),
        ("6/6/6/6/6 x 0", "position.rows"),
        ("6/6/6/6/6/7 x 0", "position.row-length"),
    ],
)
def test_bad_positions(text: str, kind: str) -> None:
    with pytest.raises(EngineError) as caught:
        Position.parse("konane/6x6", text)
    assert caught.value.kind == kind


def test_stones_of_either_side_on_any_point() -> None:
    assert str(Position.parse("konane/6x6", "xxxxxx/xxxxxx/xxxxxx/oooooo/oooooo/oooooo o 0"))


def test_konane_has_no_options() -> None:
    with pytest.raises(EngineError) as caught:
        find_rules("konane/8x8;limit=10")
    assert caught.value.kind == "ruleset.option"


# --- solved boards


def wins(rules: Rules, state: State, known: dict[State, bool]) -> bool:
    """Whether the side to act wins with best play."""
    found = known.get(state)
    if found is None:
        found = any(not wins(rules, after, known) for after in rules.successors(state))
        known[state] = found
    return found


def test_5x5_offers_corners_and_the_one_centre_stone() -> None:
    rules = Konane("5x5", 5, 5)
    assert rules.format(rules.start()) == "xoxox/oxoxo/xoxox/oxoxo/xoxox x 0"
    assert {move.text for move in rules.legal_moves(rules.start())} == {
        "a1",
        "a5",
        "c3",
        "e1",
        "e5",
    }


@pytest.mark.parametrize(("side", "first_player_wins"), [(4, False), (5, True)])
def test_solved_squares(side: int, first_player_wins: bool) -> None:
    rules = Konane(f"{side}x{side}", side, side)
    assert wins(rules, rules.start(), {}) is first_player_wins


@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (4, 4), (4, 7), (5, 8), (9, 9), (10, 10)])
def test_any_size_plays_by_the_same_code(columns: int, rows: int) -> None:
    rules = Konane(f"{columns}x{rows}", columns, rows)
    states = [rules.start()]
    for _ in range(4):
        for state in states:
            moves = rules.legal_moves(state)
            assert [move.after for move in moves] == rules.successors(state)
            assert len(moves) == rules.count(state)
        states = [after for state in states for after in rules.successors(state)]
