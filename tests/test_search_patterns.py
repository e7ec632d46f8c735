"""Learned evaluation: symmetric positions have equal values, files are what they say, lookup equals a plain sum."""

from __future__ import annotations

import random
import zlib
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyengine import find_rules, rulesets
from pyengine.ai.evaluation import Evaluation, find_evaluation, material
from pyengine.ai.evaluation.base import DEFAULT_SCALE
from pyengine.ai.evaluation.patterns import Table, Weights, judge, shapes, shipped, symmetries
from pyengine.board import points_of, set_of
from pyengine.rules import Rules, State
from tests.rulesets import OFFERED, random_states

LEARNED = [ruleset for ruleset in OFFERED if shipped(find_rules(ruleset))]


@cache
def made_up(ruleset: str) -> tuple[Weights, list[list[int]], Evaluation]:
    """Random weights for a ruleset, the same in all phases; the arrangements they stand for; what they judge."""
    rules = find_rules(ruleset)
    chance = random.Random(rules.ruleset)
    tables, _ = shapes(rules)
    canonicals = [sorted(set(table.canonical())) for table in tables]
    values = tuple(tuple(chance.randint(-60, 60) for _ in numbers) for numbers in canonicals)
    phases = 2 if rules.hand else 1
    most = (sum(rules.set_sizes),) * phases
    same = ((100,) * phases, (50,) * phases, (7,) * phases)
    weights = Weights(ruleset, most, *same, 150.0, (values,) * phases, {})
    return weights, canonicals, judge(rules, weights.pack(1))


table_canonical = cache(Table.canonical)


def carried(rules: Rules, state: State, symmetry: tuple[int, ...]) -> State:
    own, foe = (set_of(symmetry[p] for p in points_of(bits)) for bits in state[:2])
    rest = list(state[4:])
    if rules.sultans:
        rest[0] = set_of(symmetry[p] for p in points_of(rest[0]))
    return (own, foe, *state[2:4], *rest)


@pytest.mark.parametrize("ruleset", OFFERED)
def test_symmetric_positions_have_equal_values(ruleset: str) -> None:
    """Of patterns, whatever was learned, and of the judgement that the ruleset has."""
    rules = find_rules(ruleset)
    _, directed = shapes(rules)
    group = symmetries(rules.board, directed)
    assert len(group) == (2 if directed else 8 if rules.board.columns == rules.board.rows else 4)
    for evaluation in (made_up(ruleset)[2], find_evaluation(rules)):
        for state in random_states(rules, 3, 50)[::7]:
            values = {evaluation.value(carried(rules, state, symmetry)) for symmetry in group}
            assert len(values) == 1
            # The board turned and the colours exchanged is the same to the mover.
            turn = tuple(rules.board.turned(point) for point in range(rules.board.size))
            other = carried(rules, state, turn)
            assert evaluation.value((*other[:2], 1 - state[2], *other[3:])) in values


@given(st.sampled_from(OFFERED), st.integers(0, 999))
@settings(max_examples=20, deadline=None)
def test_lookup_is_the_sum_over_patterns(ruleset: str, seed: int) -> None:
    rules = find_rules(ruleset)
    weights, canonicals, evaluation = made_up(ruleset)
    tables, directed = shapes(rules)
    state = random_states(rules, seed, 40)[-1]
    own, foe = state[:2]
    total = 7 + 100 * (own.bit_count() - foe.bit_count())
    for table, numbers, values in zip(tables, canonicals, weights.values[0], strict=True):
        canonical = table_canonical(table)
        known = dict(zip(numbers, values, strict=True))
        for placement in table.placements:
            number = 0
            for place, point in enumerate(placement):
                seen = rules.board.turned(point) if directed and state[2] else point
                number += 3**place * ((own >> seen & 1) + 2 * (foe >> seen & 1))
            total += known[canonical[number]]
    if rules.sultans:
        total += 50 * ((own & state[4]).bit_count() - (foe & state[4]).bit_count())
    assert evaluation.value(state) == total


def test_a_file_of_another_format_is_refused() -> None:
    rules = find_rules("konane/6x6")
    weights, _, _ = made_up("konane/6x6")
    data = zlib.compress(zlib.decompress(weights.pack(1)).replace(b'"format": 1', b'"format": 9'))
    with pytest.raises(ValueError, match="format 9"):
        judge(rules, data)


def test_something_is_learned() -> None:
    assert LEARNED


def test_every_preset_has_a_scale_found_from_games() -> None:
    presets = [ruleset for ruleset, variant in rulesets() if not variant]
    scales = {ruleset: find_evaluation(find_rules(ruleset)).scale for ruleset in presets}
    assert not [ruleset for ruleset, scale in scales.items() if scale == DEFAULT_SCALE]
    # Other limits do not change what a piece is worth.
    other = find_rules("alquerque/bell;limit=60")
    assert find_evaluation(other).scale == scales["alquerque/bell"]


@pytest.mark.parametrize("ruleset", LEARNED)
def test_shipped_tables_agree_with_the_pieces_in_the_large(ruleset: str) -> None:
    """A piece more is a piece more: far-off judgements would be a fault of the file."""
    rules = find_rules(ruleset)
    evaluation = find_evaluation(rules)
    assert 40 < evaluation.scale < 600
    for seed in range(5):
        for state in random_states(rules, seed, 80)[::9]:
            assert abs(evaluation.value(state) - 1.2 * material(state)) < 600
