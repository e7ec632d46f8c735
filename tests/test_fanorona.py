"""Fanorona (rules §4): approach, withdrawal, going on, paika, ends, and small boards counted and solved in full."""

from __future__ import annotations

import pytest

from pyengine import EngineError, Position, find_rules
from pyengine.rules import Outcome, State
from pyengine.rules.fanorona import Fanorona


def texts(position: Position) -> set[str]:
    return {move.text for move in position.legal_moves()}


def tsivy(board: str, side: str = "x", clock: int = 0) -> Position:
    return Position.parse("fanorona/tsivy", f"{board} {side} {clock}")


def why(position: Position, *path: str) -> tuple[str, list[str]] | None:
    """The refusal of a path given by names: its kind and points."""
    board = position.rules.board
    refusal = position.rules.explain(position.state, [board.index[name] for name in path])
    return refusal and (refusal.kind, board.text(refusal.points))


# --- start


@pytest.mark.parametrize(
    ("ruleset", "start"),
    [
        ("fanorona/tsivy", "ooooooooo/ooooooooo/oxox1oxox/xxxxxxxxx/xxxxxxxxx x 0"),
        ("fanorona/dimy", "ooooo/ooooo/ox1ox/xxxxx/xxxxx x 0"),
        ("fanorona/telo", "ooo/o1x/xxx x 0"),
    ],
)
def test_starts(ruleset: str, start: str) -> None:
    assert str(Position.start(ruleset)) == start


@pytest.mark.parametrize(
    ("columns", "rows", "start"),
    [
        (3, 5, "ooo/ooo/o1x/xxx/xxx x 0"),
        (5, 3, "ooooo/ox1ox/xxxxx x 0"),
        (7, 3, "ooooooo/oxo1xox/xxxxxxx x 0"),
    ],
)
def test_starts_of_other_sizes(columns: int, rows: int, start: str) -> None:
    rules = Fanorona("other", columns, rows)
    assert rules.format(rules.start()) == start


def test_first_moves() -> None:
    assert texts(Position.start("fanorona/tsivy")) == {"d2e3+", "d3e3+", "d3e3-", "e2e3+", "f2e3+"}


# --- one capture


def test_approach_takes_the_unbroken_row_ahead_nearest_first() -> None:
    position = tsivy("9/9/x1ooo1o2/9/9")
    move = position.find("a3b3+")
    assert position.rules.board.text(move.captures) == ["c3", "d3", "e3"]
    assert str(position.play(move)) == "9/9/1x4o2/9/9 o 0"


def test_withdrawal_takes_the_unbroken_row_behind_nearest_first() -> None:
    position = tsivy("9/9/o1oox4/9/9")
    move = position.find("e3f3-")
    assert position.rules.board.text(move.captures) == ["d3", "c3"]
    assert str(position.play(move)) == "9/9/o4x3/9/9 o 0"


def test_an_own_stone_ends_the_row() -> None:
    assert str(tsivy("9/9/x1oxo4/9/9").play("a3b3+")) == "9/9/1x1xo4/9/9 o 0"


def test_the_row_runs_to_the_edge_and_not_over_it() -> None:
    # i3 and a4 are neighbours only in the numbering of the points.
    assert str(tsivy("9/o8/6x1o/9/9").play("g3h3+")) == "9/o8/7x1/9/9 o 0"
    assert texts(tsivy("9/o8/7x1/9/9")) == {"h3" + to for to in ("h4", "h2", "g3", "i3")}, (
        "moving to i3 does not approach a4"
    )


def test_a_choice_of_approach_or_withdrawal_never_takes_both() -> None:
    position = tsivy("9/9/2ox1o3/9/9")
    assert {"d3e3+", "d3e3-"} <= texts(position)
    assert str(position.play("d3e3+")) == "9/9/2o1x4/9/9 o 0"
    assert str(position.play("d3e3-")) == "9/9/4xo3/9/9 o 0"


def test_diagonals_are_drawn_only_through_even_points() -> None:
    # b3 (2 + 3 is odd) has no diagonal, c3 has: the same picture, one column further.
    odd = tsivy("9/3o5/9/1x7/9")
    even = tsivy("4o4/9/2x6/9/9")
    assert "c3d4+" in texts(even)
    assert all(len(text) == 4 for text in texts(tsivy("3o5/9/1x7/9/9"))), "only paika"
    assert "b2c3+" in texts(odd)


def test_capturing_is_compulsory() -> None:
    position = tsivy("9/9/x1o5x/9/9")
    assert texts(position) == {"a3b3+"}


def test_paika_when_nothing_can_be_taken() -> None:
    position = tsivy("9/9/x3o4/9/9", clock=7)
    assert texts(position) == {"a3a2", "a3a4", "a3b2", "a3b3", "a3b4"}
    assert str(position.play("a3b3")) == "9/9/1x2o4/9/9 o 8"
    assert {move.kind for move in position.legal_moves()} == {"step"}


def test_a_capture_resets_the_clock() -> None:
    assert tsivy("9/9/x1o5o/9/9", clock=50).play("a3b3+").clock == 0


# --- going on


def test_stopping_after_any_capture() -> None:
    position = tsivy("9/9/ox2o4/2o6/9")
    assert texts(position) == {"b3c3-", "b3c3-,c4-"}


def test_the_direction_of_the_last_step_is_closed_already_at_the_second() -> None:
    # Straight on to d3 would approach e3.
    assert texts(tsivy("9/9/ox2o4/9/9")) == {"b3c3-"}


def test_the_direction_of_the_last_step_is_closed_later_too() -> None:
    # b3 to b2 would go down a second time, towards b1.
    position = Position.parse("fanorona/dimy", "1o3/5/2x2/3o1/1o3 x 0")
    assert "c3b4-,b3-" in texts(position)
    assert "c3b4-,b3-,b2+" not in texts(position)


def test_only_the_last_step_counts() -> None:
    # Down, right, down.
    assert "b4b3-,c3+,c2-" in texts(Position.parse("fanorona/dimy", "1o3/1xo2/3o1/5/5 x 0"))


def test_no_way_back_to_the_start() -> None:
    # Back on b4 the stone would withdraw from b2 once more.
    position = Position.parse("fanorona/dimy", "1o3/1x3/5/1o3/5 x 0")
    assert texts(position) == {"b4b3+", "b4b3-"}


def test_no_way_back_to_a_point_of_the_turn() -> None:
    position = Position.parse("fanorona/dimy", "1o2o/1x3/o4/5/5 x 0")
    assert "b4c5-,d5+" in texts(position)
    assert not any(text.startswith("b4c5-,d5+,") for text in texts(position))


def test_a_turn_may_come_to_a_point_emptied_in_it() -> None:
    # The first hop takes b3, the last one ends there.
    position = Position.parse("fanorona/dimy", "1x3/5/oo3/3o1/5 x 0")
    move = position.find("b5b4+,c3+,b3+")
    assert position.rules.board.text(move.captures) == ["b3", "d2", "a3"]
    after = position.play(move)
    assert str(after) == "5/5/1x3/5/5 o 0"
    assert after.outcome() == Outcome("x", "eliminated")


def test_hops_tell_how_they_take() -> None:
    position = tsivy("9/9/ox2o4/2o6/9")
    hops = position.find("b3c3-,c4-").hops
    board = position.rules.board
    told = [(board.names[h.to], h.label, board.text(h.captures), board.text(h.track)) for h in hops]
    assert told == [
        ("c3", "withdrawal", ["a3"], ["b3", "c3"]),
        ("c4", "withdrawal", ["c2"], ["c3", "c4"]),
    ]


def test_spellings_of_other_programs() -> None:
    position = tsivy("9/9/2ox1o3/9/9")
    assert position.find("d3-e3A").text == "d3e3+"
    assert position.find("D3 E3 W").text == "d3e3-"
    with pytest.raises(EngineError) as caught:
        position.find("d3e3")
    assert caught.value.kind == "move.ambiguous"
    assert caught.value.data["candidates"] == ["d3e3+", "d3e3-"]


# --- ends


def test_a_side_without_stones_has_lost() -> None:
    assert tsivy("9/9/x8/9/9", "o").outcome() == Outcome("x", "eliminated")
    assert tsivy("9/9/x8/9/9", "x").outcome() == Outcome("x", "eliminated")
    assert not texts(tsivy("9/9/x8/9/9", "x"))


def test_a_side_without_a_move_has_lost() -> None:
    position = Position.parse("fanorona/telo", "3/oo1/xo1 x 0")
    assert position.outcome() == Outcome("o", "blocked")


def test_draw_at_120_plies_without_a_capture() -> None:
    assert tsivy("9/9/x3o4/9/9", clock=119).outcome() is None
    end = tsivy("9/9/x3o4/9/9", clock=120)
    assert end.outcome() == Outcome(None, "limit")
    assert not texts(end)
    assert not end.rules.successors(end.state)
    assert not end.rules.captures(end.state)
    assert end.rules.count(end.state) == 0


# --- refusals


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (["d2"], ("not-your-piece", ["d2"])),
        (["a2"], ("empty", ["a2"])),
        (["e1"], ("must-capture", ["c3"])),
        (["c3", "d4"], ("must-capture", ["c3"])),
        (["c3", "d2"], ("occupied", ["d2"])),
        (["c3", "e3"], ("too-far", ["c3", "e3"])),
        (["c3", "d5"], ("no-line", ["c3", "d5"])),
        (["c3", "b4", "b3", "b2"], ("same-direction", ["b3", "b2"])),
        (["c3", "b4", "c3"], ("visited", ["c3"])),
        (["c3", "b4", "c4"], ("nothing-to-take", ["b4", "c4"])),
        (["c3", "b4", "b5"], ("occupied", ["b5"])),
        (["c3", "b4", "b3"], None),
    ],
)
def test_refusals(path: list[str], expected: tuple[str, list[str]] | None) -> None:
    position = Position.parse("fanorona/dimy", "1o3/5/2x2/3o1/1o2x x 0")
    assert why(position, *path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (["a1"], ("blocked-piece", ["a1"])),
        (["b1", "b3"], ("too-far", ["b1", "b3"])),
        (["b1", "c2"], ("no-line", ["b1", "c2"])),
        (["b1", "c1", "c2"], ("nothing-to-take", ["c1", "c2"])),
        (["b1", "c1"], None),
    ],
)
def test_refusals_of_paika(path: list[str], expected: tuple[str, list[str]] | None) -> None:
    position = Position.parse("fanorona/dimy", "4o/5/5/xx3/xx3 x 0")
    assert why(position, *path) == expected


# --- hand-made positions


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("xxxxx/xxx2/5/5/xxxxx x 0", "position.too-many"),
        ("O4/5/5/5/x4 x 0", "position.sultan"),
        ("5/5/5/5/x4 x 0 prev=a1b1", "position.key"),
        ("5/5/5/5 x 0", "position.rows"),
    ],
)
def test_bad_positions(text: str, kind: str) -> None:
    with pytest.raises(EngineError) as caught:
        Position.parse("fanorona/dimy", text)
    assert caught.value.kind == kind


def test_fanorona_has_no_options() -> None:
    with pytest.raises(EngineError) as caught:
        find_rules("fanorona/tsivy;limit=10")
    assert caught.value.kind == "ruleset.option"


# --- small boards in full


def reachable(columns: int, rows: int) -> dict[State, list[State]]:
    """Every position reached from the start (clock and limit left out) → the positions after one ply."""
    rules = Fanorona("small", columns, rows, limit=0)
    tree: dict[State, list[State]] = {}
    todo = [rules.key(rules.start())]
    while todo:
        position = todo.pop()
        if position not in tree:
            tree[position] = [after[:3] for after in rules.generate((*position, 0))]
            todo += tree[position]
    return tree


@pytest.mark.parametrize(
    ("columns", "rows", "positions"), [(3, 3, 1_012), (3, 5, 185_204), (5, 3, 444_908)]
)
def test_number_of_reachable_positions(columns: int, rows: int, positions: int) -> None:
    assert len(reachable(columns, rows)) == positions


def test_the_first_player_wins_3x3_in_11_plies() -> None:
    tree = reachable(3, 3)
    # Backwards from the ends: won in the shortest way for the winner, lost in the longest for the loser.
    plies = {position: 0 for position, after in tree.items() if not after}
    distance = 0
    while distance in plies.values():
        distance += 1
        for position, after in tree.items():
            if position in plies:
                continue
            if distance % 2:
                solved = any(plies.get(state) == distance - 1 for state in after)
            else:
                solved = all(
                    plies.get(state, distance) < distance and plies[state] % 2 for state in after
                )
            if solved:
                plies[position] = distance
    rules = find_rules("fanorona/telo")
    assert plies[rules.key(rules.start())] == 11


@pytest.mark.parametrize(("columns", "rows"), [(3, 5), (7, 3), (3, 9), (7, 7), (11, 5)])
def test_any_size_plays_by_the_same_code(columns: int, rows: int) -> None:
    rules = Fanorona("other", columns, rows)
    states = [rules.start()]
    for _ in range(4):
        for state in states:
            moves = rules.legal_moves(state)
            assert [move.after for move in moves] == rules.successors(state)
            assert len(moves) == rules.count(state)
        states = [after for state in states for after in rules.successors(state)][:200]
