"""Surakarta, sentence by sentence, and against a second generator that walks the lines and turns at the corners."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from pyengine import EngineError, Position, find_rules
from pyengine.rules import Outcome, Refusal, Rules, State
from tests.rulesets import random_states

RULES = find_rules("surakarta/6x6")
BOARD = RULES.board


def surakarta(text: str) -> Position:
    return Position.parse("surakarta/6x6", text)


def captures(position: Position) -> set[str]:
    return {move.text for move in position.legal_moves() if move.captures}


def track(position: Position, text: str) -> str:
    return " ".join(BOARD.text(position.find(text).hops[0].track))


def refusal(position: Position, *names: str) -> Refusal | None:
    return RULES.explain(position.state, [BOARD.index[name] for name in names])


# --- the board


def test_start() -> None:
    position = Position.start("surakarta/6x6")
    assert str(position) == "oooooo/oooooo/6/6/xxxxxx/xxxxxx x 0"
    assert captures(position) == set()
    assert len(position.legal_moves()) == 16


def test_two_circuits_of_four_lines_drawn_straight() -> None:
    found = {
        circuit["name"]: {"-".join(BOARD.text(line)) for line in circuit["lines"]}
        for circuit in RULES.circuits()
    }
    assert found == {
        "second": {"b1-b6", "e1-e6", "a2-f2", "a5-f5"},
        "third": {"c1-c6", "d1-d6", "a3-f3", "a4-f4"},
    }
    for circuit in RULES.circuits():
        assert all(line in BOARD.lines for line in circuit["lines"])
    assert all(a // 6 == b // 6 or a % 6 == b % 6 for a, b in BOARD.lines)


def test_eight_loops_join_second_to_second_and_third_to_third() -> None:
    found = {
        (loop["corner"], loop["circuit"], frozenset(BOARD.text(loop["ends"])))
        for loop in RULES.loops()
    }
    assert found == {
        ("bottom-left", "second", frozenset({"a2", "b1"})),
        ("bottom-right", "second", frozenset({"f2", "e1"})),
        ("top-right", "second", frozenset({"f5", "e6"})),
        ("top-left", "second", frozenset({"a5", "b6"})),
        ("bottom-left", "third", frozenset({"a3", "c1"})),
        ("bottom-right", "third", frozenset({"f3", "d1"})),
        ("top-right", "third", frozenset({"f4", "d6"})),
        ("top-left", "third", frozenset({"a4", "c6"})),
    }


# --- steps


def test_a_step_goes_to_any_of_eight_neighbours() -> None:
    position = surakarta("5o/6/2x3/6/6/6 x 4")
    assert [str(move) for move in position.legal_moves()] == [
        f"c4-{end}" for end in ("c5", "d4", "c3", "b4", "d5", "d3", "b3", "b5")
    ]
    assert str(position.play("c4-d5")) == "5o/3x2/6/6/6/6 o 5"


def test_steps_never_use_loops() -> None:
    assert {move.path[1] for move in surakarta("6/6/x5/6/6/5o x 0").legal_moves()} == {
        BOARD.index[name] for name in ("a5", "b5", "b4", "b3", "a3")
    }


# --- captures


def test_round_one_loop() -> None:
    position = surakarta("1o4/1x4/6/6/6/5o x 8")
    assert captures(position) == {"b5xb6"}
    assert track(position, "b5xb6") == "b5 a5 b6"
    move = position.find("b5xb6")
    assert (move.kind, BOARD.text(move.captures)) == ("capture", ["b6"])
    assert str(position.play(move)) == "1x4/6/6/6/6/5o o 0"


def test_a_neighbour_is_not_taken_without_a_loop() -> None:
    assert captures(surakarta("6/6/6/2xo2/6/6 x 0")) == {"c3xd3"}  # round, never straight
    blocked = surakarta("6/6/2x3/x1xo1x/2x3/6 x 0")
    assert "c3xd3" not in captures(blocked)


@pytest.mark.parametrize(
    ("text", "move", "way"),
    [
        ("6/6/6/6/6/x2o2 x 0", None, None),
        ("o5/x5/6/6/6/6 x 0", None, None),
        ("6/x1o3/6/6/6/6 x 0", "a5xc5", None),
        ("6/6/6/6/1x4/o4o x 0", None, None),
    ],
)
def test_edges_have_no_loop(text: str, move: str | None, way: str | None) -> None:
    assert captures(surakarta(text)) == ({move} if move else set())


def test_a_corner_neither_takes_nor_is_taken() -> None:
    for corner in ("x4o/6/6/6/6/6", "o4x/6/6/6/6/6", "x5/6/6/6/6/o5"):
        assert captures(surakarta(f"{corner} x 0")) == set()


def test_round_all_four_loops() -> None:
    """From a5 through every corner of the circuit to c5, two points beside its start."""
    position = surakarta("6/x1o3/6/6/6/6 x 0")
    assert captures(position) == {"a5xc5"}
    ring = "a5 b6 b5 b4 b3 b2 b1 a2 b2 c2 d2 e2 f2 e1 e2 e3 e4 e5 e6 f5 e5 d5 c5"
    assert track(position, "a5xc5") == ring


def test_every_number_of_loops_in_both_directions() -> None:
    """A lone stone on a4 runs round the third circuit; the enemy waits on each of its points in turn."""
    start = 1 << BOARD.index["a4"]
    ring = "c6 c5 c4 c3 c2 c1 a3 b3 c3 d3 e3 f3 d1 d2 d3 d4 d5 d6 f4 e4 d4 c4 b4"
    for name in ring.split():
        position = Position(RULES, (start, 1 << BOARD.index[name], 0, 0))
        assert captures(position) == {f"a4x{name}"}
        assert len(RULES.captures(position.state)) == 1
    shortest = {"c6": 2, "b4": 24, "d4": 17, "c4": 4, "d1": 12}
    for name, points in shortest.items():
        position = Position(RULES, (start, 1 << BOARD.index[name], 0, 0))
        assert len(position.find(f"a4x{name}").hops[0].track) == points


def test_an_own_stone_blocks_the_way() -> None:
    assert captures(surakarta("1o4/1xx3/6/6/6/6 x 0")) == {"b5xb6"}
    assert captures(surakarta("1o4/xxx3/6/6/6/6 x 0")) == {"a5xb6"}


def test_the_first_enemy_ends_the_run() -> None:
    position = surakarta("1o4/1x4/1o4/6/6/6 x 0")
    assert "b5xb6" in captures(position)
    assert str(position.play("b5xb6")) == "1x4/6/1o4/6/6/6 o 0"


def test_the_start_counts_as_empty_while_the_stone_runs() -> None:
    """b5 stands on a crossing: leaving to the left it comes down column b over its own point."""
    position = surakarta("6/1x4/1o4/6/6/6 x 0")
    assert captures(position) == {"b5xb4"}
    assert track(position, "b5xb4") == "b5 a5 b6 b5 b4"


def test_no_stone_takes_itself() -> None:
    position = surakarta("6/1x4/6/6/6/5o x 0")
    assert captures(position) == set()
    assert len(position.legal_moves()) == 8


def test_two_routes_to_one_enemy_are_one_move_by_the_shorter() -> None:
    position = surakarta("6/6/6/6/1x4/1o4 x 0")
    assert [move.text for move in position.legal_moves()].count("b2xb1") == 1
    assert captures(position) == {"b2xb1"}
    assert track(position, "b2xb1") == "b2 a2 b1"


def test_both_circuits_are_used_from_a_crossing_of_both() -> None:
    """b4 stands on the second column and on the fourth rank: one stone, enemies on both circuits."""
    position = surakarta("2o3/o5/1x4/6/6/6 x 0")
    assert captures(position) == {"b4xa5", "b4xc6"}
    assert track(position, "b4xa5") == "b4 b5 b6 a5"
    assert track(position, "b4xc6") == "b4 a4 c6"


def test_tracks_are_joined() -> None:
    """Every two neighbours of a track are one straight step or one loop apart, and a loop is among them."""
    ends = {frozenset(loop["ends"]) for loop in RULES.loops()}
    seen = 0
    for seed in range(4):
        for state in random_states(RULES, seed, 200):
            for move in RULES.legal_moves(state):
                way = move.hops[0].track
                assert (way[0], way[-1]) == move.path
                if not move.captures:
                    assert way == move.path
                    continue
                pairs = list(pairwise(way))
                assert any(frozenset(pair) in ends for pair in pairs)
                for a, b in pairs:
                    assert frozenset((a, b)) in ends or b in BOARD.neighbours[a]
                closed = (state[0] | state[1]) & ~(1 << way[0])
                assert not any(closed >> point & 1 for point in way[:-1])
                seen += 1
    assert seen > 200


# --- ends


def test_eliminated() -> None:
    after = surakarta("1o4/1x4/6/6/6/6 x 0").play("b5xb6")
    assert after.outcome() == Outcome("x", "eliminated")
    assert after.legal_moves() == []
    assert after.rules.count(after.state) == 0


def test_blocked() -> None:
    position = surakarta("4oo/4ox/4oo/6/6/6 x 0")
    assert position.outcome() is None  # f5 takes e6 and e5 round the loop
    blocked = surakarta("4ox/4oo/6/6/6/6 x 0")
    assert blocked.outcome() == Outcome("o", "blocked")
    assert blocked.legal_moves() == []
    assert RULES.result(blocked.state) == -1


def test_draw_after_120_plies_without_a_capture() -> None:
    assert surakarta("1o4/1x4/6/6/6/6 x 119").outcome() is None
    position = surakarta("1o4/1x4/6/6/6/6 x 120")
    assert position.outcome() == Outcome(None, "limit")
    assert position.legal_moves() == []
    assert RULES.captures(position.state) == []
    assert RULES.count(position.state) == 0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("xxxxxx/xxxxxx/x5/6/6/5o x 0", "position.too-many"),
        ("x5/6/6/6/6/5o x 0 hand=1,1", "position.key"),
        ("X5/6/6/6/6/5o x 0", "position.sultan"),
        ("x4/6/6/6/6/5o x 0", "position.row-length"),
    ],
)
def test_positions_that_cannot_be(text: str, kind: str) -> None:
    with pytest.raises(EngineError) as caught:
        surakarta(text)
    assert caught.value.kind == kind


# --- refusals


@pytest.mark.parametrize(
    ("text", "path", "kind", "points"),
    [
        ("6/6/6/2xo2/6/6 x 0", ("d3",), "not-your-piece", ("d3",)),
        ("6/6/6/2xo2/6/6 x 0", ("a1",), "empty", ("a1",)),
        ("6/6/6/2xo2/6/xx4 x 0", ("a1", "b1"), "own-piece", ("b1",)),
        ("xx4/xx4/6/6/6/5o x 0", ("a6",), "blocked-piece", ("a6",)),
        ("x4o/6/6/6/6/6 x 0", ("a6", "f6"), "needs-loop", ("a6", "f6")),
        ("6/6/2x3/x1xo1x/2x3/6 x 0", ("c3", "d3"), "needs-loop", ("c3", "d3")),
        ("1o4/6/1x4/1o4/6/6 x 0", ("b4", "b6"), "needs-loop", ("b4", "b6")),
        ("1o4/xxx3/6/6/6/6 x 0", ("b5", "b6"), "needs-loop", ("b5", "b6")),
        ("2o3/6/xxx3/6/6/6 x 0", ("b4", "c6"), "path-blocked", ("a4",)),
        ("6/6/6/2xo2/6/6 x 0", ("c3", "c5"), "too-far", ("c3", "c5")),
        ("6/6/6/2xo2/6/6 x 0", ("c3", "e5"), "too-far", ("c3", "e5")),
        ("6/6/6/2xo2/6/6 x 0", ("c3", "d5"), "no-line", ("c3", "d5")),
    ],
)
def test_refusals(text: str, path: tuple[str, ...], kind: str, points: tuple[str, ...]) -> None:
    found = refusal(surakarta(text), *path)
    assert found is not None
    assert (found.kind, tuple(BOARD.text(found.points))) == (kind, points)


# --- a second generator


def through_corner(c: int, r: int, right: int, up: int) -> tuple[int, int, int, int] | None:
    """Where and in which direction a run goes on that leaves the board at (c, r); None on an edge line."""
    if right:
        far = 5 - r if r > 2 else r
        if far == 0:
            return None
        column = far if right < 0 else 5 - far
        return (column, 5, 0, -1) if r > 2 else (column, 0, 0, 1)
    far = 5 - c if c > 2 else c
    if far == 0:
        return None
    rank = far if up < 0 else 5 - far
    return (5, rank, -1, 0) if c > 2 else (0, rank, 1, 0)


def plain_moves(rules: Rules, state: State) -> set[str]:
    """All move texts, by walking over coordinates."""
    x, o = rules.sides(state)
    board = {(p % 6, p // 6): "x" for p in range(36) if x >> p & 1}
    board |= {(p % 6, p // 6): "o" for p in range(36) if o >> p & 1}
    me = "xo"[state[2]]
    texts = set()
    for start in [place for place, stone in board.items() if stone == me]:
        others = {place: stone for place, stone in board.items() if place != start}
        name = "abcdef"[start[0]] + str(start[1] + 1)
        for right in (-1, 0, 1):
            for up in (-1, 0, 1):
                c, r = start[0] + right, start[1] + up
                if 0 <= c < 6 and 0 <= r < 6 and (c, r) not in board:
                    texts.add(f"{name}-{'abcdef'[c]}{r + 1}")
                if (right == 0) == (up == 0):
                    continue
                at, heading, loops = start, (right, up), 0
                while loops < 9:
                    c, r = at[0] + heading[0], at[1] + heading[1]
                    if not (0 <= c < 6 and 0 <= r < 6):
                        turn = through_corner(*at, *heading)
                        if turn is None:
                            break
                        c, r, *heading_list = turn
                        heading = (heading_list[0], heading_list[1])
                        loops += 1
                    at = (c, r)
                    if at in others:
                        if others[at] != me and loops:
                            texts.add(f"{name}x{'abcdef'[c]}{r + 1}")
                        break
    return texts


def test_against_a_second_generator() -> None:
    compared = 0
    for seed in range(30):
        states = random_states(RULES, seed, 400)
        for state in random.Random(seed).sample(states, min(60, len(states))):
            moves = RULES.legal_moves(state)
            if moves:
                assert {move.text for move in moves} == plain_moves(RULES, state)
                compared += sum(bool(move.captures) for move in moves)
    assert compared > 2000


def test_against_a_second_generator_on_scattered_stones() -> None:
    """Few stones anywhere: long runs, crossings, starts that are passed again."""
    chance = random.Random(6)
    for _ in range(1500):
        places = chance.sample(range(36), chance.randint(2, 9))
        own = sum(1 << place for place in places[: len(places) // 2])
        foe = sum(1 << place for place in places[len(places) // 2 :])
        state = (own, foe, chance.randint(0, 1), 0)
        moves = RULES.legal_moves(state)
        assert {move.text for move in moves} == plain_moves(RULES, state)
        for move in moves:
            x, o = RULES.sides(move.after)
            assert (x | o).bit_count() == len(places) - len(move.captures)
