"""Seega, sentence by sentence, and against a second generator that knows nothing of the engine's tables."""

from __future__ import annotations

import random

import pytest

from pyengine import EngineError, Position, find_rules
from pyengine.ai.evaluation import find_evaluation
from pyengine.ai.evaluation.seega import SLIDE
from pyengine.rules import Outcome, Refusal, Rules, State
from tests.rulesets import random_states

SIZES = ("5x5", "7x7", "9x9")


def seega(text: str, size: str = "5x5") -> Position:
    return Position.parse(f"seega/{size}", text)


def texts(position: Position) -> set[str]:
    return {move.text for move in position.legal_moves()}


def refusal(position: Position, *names: str) -> Refusal | None:
    board = position.rules.board
    return position.rules.explain(position.state, [board.index[name] for name in names])


def names(position: Position, points: tuple[int, ...]) -> list[str]:
    return position.rules.board.text(points)


# --- placing


def test_the_board_starts_empty_with_all_stones_in_hand() -> None:
    for size, start in (
        ("5x5", "5/5/5/5/5 x 0 hand=12,12"),
        ("7x7", "7/7/7/7/7/7/7 x 0 hand=24,24"),
        ("9x9", "9/9/9/9/9/9/9/9/9 x 0 hand=40,40"),
    ):
        position = Position.start(f"seega/{size}")
        assert str(position) == start
        assert position.rules.stage(position.state) == "place"


def test_two_stones_a_turn_on_any_empty_point_but_the_centre() -> None:
    position = Position.start("seega/5x5")
    sides = []
    for point in ("a1", "b1", "c1", "d1", "e1"):
        sides.append(position.side)
        open_points = texts(position)
        assert "c3" not in open_points
        assert len(open_points) == 24 - len(sides) + 1
        position = position.play(point)
        assert position.clock == 0
    assert sides == ["x", "x", "o", "o", "x"]
    assert str(position) == "5/5/5/5/xxoox x 0 hand=9,10"
    assert position.rules.hands(position.state) == (9, 10)


def test_placing_takes_nothing() -> None:
    position = seega("5/5/5/5/xoxo1 x 0 hand=10,10").play("a2")
    after = position.play("e1")
    assert str(after) == "5/5/5/x4/xoxox o 0 hand=8,10"
    assert position.find("e1").captures == ()
    assert position.rules.captures(position.state) == []


def test_x_slides_first_once_all_are_placed() -> None:
    position = seega("xxxxx/xxxxx/xo1ox/ooooo/oooo1 o 0 hand=0,1")
    after = position.play("e1")
    assert str(after) == "xxxxx/xxxxx/xo1ox/ooooo/ooooo x 0"
    assert after.rules.stage(after.state) == "play"
    assert after.rules.hands(after.state) is None
    assert texts(after) == {"c4-c3"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("5/5/5/5/5 x 0", "position.hand"),
        ("5/5/5/5/5 x 0 hand=12", "position.hand"),
        ("5/5/5/5/5 x 0 hand=012,12", "position.hand"),
        ("5/5/5/5/5 x 0 hand=13,12", "position.hand"),
        ("5/5/5/5/5 o 0 hand=12,12", "position.hand"),
        ("5/5/5/5/x4 x 0 hand=12,12", "position.hand"),
        ("5/5/5/5/xx3 x 0 hand=10,12", "position.hand"),
        ("5/5/5/5/xxx2 x 0 hand=9,12", "position.hand"),
        ("5/5/5/5/xo3 o 0 hand=11,11", "position.hand"),
        ("5/5/2x2/5/5 x 0 hand=11,12", "position.centre"),
        ("5/5/5/5/x4 x 1 hand=11,12", "position.clock"),
        ("xxxxx/xxxxx/xo1ox/ooooo/ooooo x 0 hand=0,0", "position.hand"),
        ("xxxxx/xxxxx/xxx2/5/5 x 0", "position.too-many"),
        ("X4/5/5/5/oo3 x 0", "position.sultan"),
        ("xx3/5/5/5/oo3 x 0 prev=a1b1", "position.key"),
    ],
)
def test_positions_that_cannot_be(text: str, kind: str) -> None:
    with pytest.raises(EngineError) as caught:
        seega(text)
    assert caught.value.kind == kind


def test_a_hand_of_its_own_for_every_number_of_stones() -> None:
    rules = find_rules("seega/5x5")
    states = random_states(rules, 1, 24)
    assert [state[4] for state in states] == list(range(24, -1, -1))
    for state in states:
        assert rules.parse(rules.format(state)) == state


def test_no_options() -> None:
    with pytest.raises(EngineError) as caught:
        find_rules("seega/5x5;limit=50")
    assert caught.value.kind == "ruleset.option"


# --- sliding and taking


def test_a_stone_slides_across_or_down_the_centre_included() -> None:
    assert texts(seega("5/2x2/5/5/x2oo x 0")) == {
        "a1-a2",
        "a1-b1",
        "c4-b4",
        "c4-c3",
        "c4-c5",
        "c4-d4",
    }


def test_the_stone_that_waits_may_stand_on_the_centre() -> None:
    position = seega("5/1x3/2xo1/4x/o4 x 0")
    move = position.find("e2-e3")
    assert names(position, move.captures) == ["d3"]
    assert move.kind == "capture"
    assert str(position.play(move)) == "5/1x3/2x1x/5/o4 o 0"


def test_an_enemy_on_the_centre_is_safe() -> None:
    position = seega("5/2x2/2o2/5/o1x1o x 3")
    move = position.find("c1-c2")
    assert move.captures == ()
    assert str(position.play(move)) == "5/2x2/2o2/2x2/o3o o 4"


def test_a_stone_at_the_border_is_taken_only_along_it() -> None:
    position = seega("5/5/x4/o4/1x2o x 0")
    assert names(position, position.find("b1-a1").captures) == ["a2"]
    corner = seega("5/5/5/xx3/o1x1o x 0")
    assert all(move.captures == () for move in corner.legal_moves())


def test_the_stone_that_moved_is_no_partner_from_where_it_came() -> None:
    position = seega("5/5/5/1x1o1/xo2o x 0")
    assert all(not move.captures for move in position.legal_moves())


def test_enemies_between_standing_stones_are_not_taken_by_a_move_elsewhere() -> None:
    position = seega("5/5/5/xox2/x3o x 0")
    assert str(position.play("a1-b1")) == "5/5/5/xox2/1x2o o 1"


def test_three_at_once_listed_in_order() -> None:
    position = seega("2x2/2o2/xo1ox/2x2/o3o x 9")
    move = position.find("c2-c3")
    assert names(position, move.captures) == ["b3", "d3", "c4"]
    assert position.play(move).clock == 0


def test_no_second_capture() -> None:
    """After taking b3 the stone could take b1 by sliding on; but the turn has passed."""
    position = seega("5/5/xo3/o1x2/x1o2 x 0")
    after = position.play("c2-c3")
    assert names(position, position.find("c2-c3").captures) == ["b3"]
    assert after.side == "o"


# --- passing and ends


def test_who_cannot_slide_must_pass_and_the_clock_counts_it() -> None:
    position = seega("5/5/5/oo3/xxo2 x 7")
    assert texts(position) == {"pass"}
    move = position.find("pass")
    assert (move.kind, move.path, move.hops) == ("pass", (), ())
    assert str(position.play(move)) == "5/5/5/oo3/xxo2 o 8"
    assert position.outcome() is None
    assert position.rules.count(position.state) == 1


def test_no_pass_while_a_stone_can_slide() -> None:
    position = seega("5/5/5/5/xx1oo x 0")
    with pytest.raises(EngineError) as caught:
        position.find("pass")
    assert caught.value.kind == "move.illegal"


def test_more_stones_win_when_neither_side_can_slide() -> None:
    """No set fills its board, so no position text can say this; the rule stands all the same."""
    rules = find_rules("seega/5x5")
    full = rules.board.full
    for x, winner in ((0b1111, "o"), (full ^ 0b1111, "x")):
        state = (x, full ^ x, 0, 0, 0)
        assert rules.successors(state) == []
        assert rules.count(state) == 0
        assert rules.outcome(state) == Outcome(winner, "count")


def test_few() -> None:
    assert seega("5/5/5/5/x2oo x 0").outcome() == Outcome("o", "few")
    assert seega("5/5/5/5/x2oo o 0").outcome() == Outcome("o", "few")
    assert seega("5/5/5/5/3oo x 0").outcome() == Outcome("o", "few")
    assert seega("5/5/5/5/xx2o x 0").outcome() == Outcome("x", "few")
    assert seega("5/5/5/5/x3o x 0").outcome() == Outcome(None, "few")
    assert texts(seega("5/5/5/5/xx2o x 0")) == set()


def test_few_comes_with_the_capture() -> None:
    after = seega("5/5/5/2x2/xo2o x 0").play("c2-c1")
    assert str(after) == "5/5/5/5/x1x1o o 0"
    assert after.outcome() == Outcome("x", "few")
    assert after.rules.result(after.state) == -1


def test_draw_after_120_plies_without_a_capture() -> None:
    assert seega("5/5/5/5/xx1oo x 119").outcome() is None
    position = seega("5/5/5/5/xx1oo x 120")
    assert position.outcome() == Outcome(None, "limit")
    assert texts(position) == set()
    assert position.rules.captures(position.state) == []
    assert position.rules.count(position.state) == 0


def test_few_is_tested_before_the_limit() -> None:
    assert seega("5/5/5/5/xx2o x 120").outcome() == Outcome("x", "few")


# --- for the page


def test_the_centre_is_marked() -> None:
    rules = find_rules("seega/7x7")
    assert rules.marks() == [{"point": rules.board.index["d4"], "kind": "shelter"}]


def test_refusals_while_placing() -> None:
    position = seega("5/5/5/5/xx3 o 0 hand=10,12")
    board = position.rules.board
    assert refusal(position, "c3") == Refusal("centre-closed", (board.index["c3"],))
    assert refusal(position, "a1") == Refusal("occupied", (board.index["a1"],))
    assert refusal(position, "e5") is None
    unreachable = refusal(position, "e5", "e4")
    assert unreachable is not None
    assert unreachable.kind == "unreachable"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (("d1",), "not-your-piece"),
        (("c5",), "empty"),
        (("a1",), "blocked-piece"),
        (("a2", "a1"), "occupied"),
        (("a2", "b2"), "occupied"),
        (("a2", "b3"), "no-line"),
        (("a2", "a4"), "too-far"),
        (("a2", "a3", "a4"), "unreachable"),
    ],
)
def test_refusals_while_sliding(path: tuple[str, ...], kind: str) -> None:
    found = refusal(seega("5/5/5/xo3/xxoo1 x 0"), *path)
    assert found is not None
    assert found.kind == kind


def test_a_click_where_one_must_pass() -> None:
    found = refusal(seega("5/5/5/oo3/xxo2 x 7"), "a1")
    assert found is not None
    assert found.kind == "must-pass"


# --- a second generator


def plain_moves(rules: Rules, state: State) -> dict[str, tuple[set[str], set[str]]]:
    """Move text → stones of x and o after it, by walking over coordinates."""
    size = rules.board.columns
    sides = rules.sides(state)
    stones = [
        {(p % size, p // size) for p in range(size * size) if points >> p & 1} for points in sides
    ]
    own, foe = stones[state[2]], stones[1 - state[2]]
    centre = (size // 2, size // 2)
    empty = {(c, r) for c in range(size) for r in range(size)} - own - foe

    def name(place: tuple[int, int]) -> str:
        return "abcdefghi"[place[0]] + str(place[1] + 1)

    def told(mine: set[tuple[int, int]], theirs: set[tuple[int, int]]) -> tuple[set[str], set[str]]:
        pair = ({name(p) for p in mine}, {name(p) for p in theirs})
        return pair if state[2] == 0 else (pair[1], pair[0])

    if state[4]:
        return {name(p): told(own | {p}, foe) for p in empty - {centre}}
    moves = {}
    for c, r in own:
        for right, up in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            end = (c + right, r + up)
            if end not in empty:
                continue
            mine = own - {(c, r)} | {end}
            taken = {
                (end[0] + i, end[1] + j)
                for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if (end[0] + i, end[1] + j) in foe - {centre}
                and (end[0] + 2 * i, end[1] + 2 * j) in mine
            }
            moves[f"{name((c, r))}-{name(end)}"] = told(mine, foe - taken)
    if not moves:
        moves["pass"] = told(own, foe)
    return moves


@pytest.mark.parametrize("size", SIZES)
def test_against_a_second_generator(size: str) -> None:
    rules = find_rules(f"seega/{size}")
    compared = 0
    for seed in range(6):
        states = random_states(rules, seed, 400)
        for state in random.Random(seed).sample(states, min(60, len(states))):
            moves = rules.legal_moves(state)
            if not moves:
                continue
            expected = plain_moves(rules, state)
            found = {}
            for move in moves:
                x, o = rules.sides(move.after)
                found[move.text] = tuple(
                    {n for p, n in enumerate(rules.board.names) if points >> p & 1}
                    for points in (x, o)
                )
            assert found == expected
            compared += len(moves)
    assert compared > 3000


# --- the judgement


def test_the_judgement_counts_pieces_and_slides_and_slides_alone_while_placing() -> None:
    rules = find_rules("seega/5x5")
    judge = find_evaluation(rules).value
    for state in random_states(rules, 20, 60):
        own, foe, side, _, left = state
        here, there = (
            sum(move.kind in ("step", "capture") for move in rules.legal_moves(position))
            for position in ((own, foe, side, 0, 0), (foe, own, 1 - side, 0, 0))
        )
        if rules.decided((own, foe, side, 0, 0)) is None:
            pieces = 0 if left else own.bit_count() - foe.bit_count()
            assert judge(state) == 100 * pieces + SLIDE * (here - there)
