"""What must hold in every ruleset of every game, on positions reached by random play."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyengine import EngineError, find_rules
from pyengine.board import points_of
from pyengine.diagram import SIDES, Diagram
from pyengine.movetext import find_move
from pyengine.position import perft
from pyengine.rules import Rules, State
from tests.rulesets import OFFERED, any_ruleset, positions, random_states


@given(positions())
def test_both_faces_agree(position: tuple[Rules, State]) -> None:
    rules, state = position
    moves = rules.legal_moves(state)
    assert [move.after for move in moves] == rules.successors(state)
    assert rules.count(state) == len(moves) == perft(rules, state, 1)
    assert len({move.text for move in moves}) == len(moves)
    captures = [move.after for move in moves if move.captures]
    found = rules.captures(state)
    assert Counter(found) <= Counter(captures)
    if rules.game != "konane":  # every move of play captures there: no quiet position to look for
        assert Counter(found) == Counter(captures)


@given(positions())
def test_a_move_changes_what_it_says(position: tuple[Rules, State]) -> None:
    rules, state = position
    before = dict(zip(SIDES, rules.sides(state), strict=True))
    me = SIDES[state[2]]
    foe = SIDES[1 - state[2]]
    for move in rules.legal_moves(state):
        after = dict(zip(SIDES, rules.sides(move.after), strict=True))
        taken = set(move.captures)
        if move.kind == "huff":
            assert after == {me: before[me], foe: before[foe] & ~(1 << move.path[0])}
        elif move.kind == "remove":
            assert after == {me: before[me] & ~(1 << move.path[0]), foe: before[foe]}
        elif move.kind == "place":
            assert after == {me: before[me] | 1 << move.path[0], foe: before[foe]}
        elif move.kind == "pass":
            assert after == before
        else:
            start, end = move.path[0], move.path[-1]
            assert before[me] >> start & 1
            assert after[me] == before[me] & ~(1 << start) | 1 << end
            assert set(points_of(before[foe] & ~after[foe])) == taken
            assert len(taken) == len(move.captures)
            assert tuple(hop.to for hop in move.hops) == move.path[1:]
            assert all(hop.track[-1] == hop.to for hop in move.hops)
        assert not after["x"] & after["o"]
        if rules.clocked and move.kind in ("step", "pass"):
            assert move.after[3] == state[3] + 1
        else:
            assert move.after[3] == 0
        goes_on = rules.hand or move.kind in ("huff", "capture")
        assert move.after[2] == 1 - state[2] or goes_on


@given(positions())
def test_texts_round_trip(position: tuple[Rules, State]) -> None:
    rules, state = position
    text = rules.format(state)
    assert rules.parse(text) == state
    assert rules.parse(text.replace(" ", "_")) == state
    for move in rules.legal_moves(state):
        assert find_move(rules, state, move.text) == move
        assert find_move(rules, state, f" {move.text.upper()} ") == move


@given(positions())
def test_the_end_and_no_move_are_one(position: tuple[Rules, State]) -> None:
    rules, state = position
    outcome = rules.outcome(state)
    assert (outcome is not None) == (not rules.legal_moves(state))
    if outcome:
        expected = 0 if outcome.winner is None else 1 if outcome.winner == SIDES[state[2]] else -1
        assert rules.result(state) == expected


def mirrored_name(rules: Rules, name: str) -> str:
    """The name of the point in the mirror."""
    return rules.board.names[rules.board.mirror(rules.board.index[name])]


def mirrored(rules: Rules, state: State) -> State:
    """The state with left and right exchanged."""

    def turn(points: int) -> int:
        return sum(1 << rules.board.mirror(point) for point in points_of(points))

    diagram = rules.diagram(state)
    keys = {}
    for key, value in diagram.keys.items():
        keys[key] = re.sub(r"[a-z][0-9]+", lambda name: mirrored_name(rules, name[0]), value)
    turned = Diagram(
        turn(diagram.x), turn(diagram.o), turn(diagram.sultans), diagram.side, diagram.clock, keys
    )
    return rules.build(turned)


@given(positions())
def test_mirror(position: tuple[Rules, State]) -> None:
    rules, state = position
    if rules.mirrors:
        there = Counter(rules.key(mirrored(rules, after)) for after in rules.successors(state))
        here = Counter(rules.key(after) for after in rules.successors(mirrored(rules, state)))
        assert here == there


@pytest.mark.parametrize("ruleset", OFFERED)
def test_every_game_ends_within_its_limit(ruleset: str) -> None:
    rules = find_rules(ruleset)
    stones = sum(rules.set_sizes)
    longest = stones + (rules.limit + 1) * (stones + 1)
    for seed in range(2):
        states = random_states(rules, seed, longest)
        assert rules.outcome(states[-1]) is not None


@given(any_ruleset)
def test_ruleset_text_is_canonical(ruleset: str) -> None:
    assert find_rules(ruleset).ruleset == ruleset
    name, *options = ruleset.split(";")
    assert find_rules(";".join([name, *reversed(options)])).ruleset == ruleset


@given(positions(), st.lists(st.integers(0, 99), min_size=1, max_size=4))
def test_every_path_is_legal_or_explained(
    position: tuple[Rules, State], numbers: list[int]
) -> None:
    rules, state = position
    path = [number % rules.board.size for number in numbers]
    refusal = rules.explain(state, path)
    begins = any(move.path[: len(path)] == tuple(path) for move in rules.legal_moves(state))
    assert (refusal is None) == begins


@pytest.mark.parametrize(
    ("ruleset", "kind"),
    [
        ("chess/standard", "ruleset.unknown"),
        ("alquerque", "ruleset.unknown"),
        ("alquerque/table;", "ruleset.option"),
        ("alquerque/table;limit=-1", "ruleset.option"),
        ("alquerque/table;limit=007", "ruleset.option"),
        ("alquerque/table;move=up", "ruleset.option"),
        ("alquerque/table;move=all;move=all", "ruleset.option"),
        ("alquerque/classic;choice=maximum", "ruleset.mix"),
        ("alquerque/table;bonus=yes;obligation=huff", "ruleset.mix"),
    ],
)
def test_bad_rulesets(ruleset: str, kind: str) -> None:
    with pytest.raises(EngineError) as caught:
        find_rules(ruleset)
    assert caught.value.kind == kind
