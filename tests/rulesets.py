"""Rulesets and random games that the property tests of every game share."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import product

from hypothesis import strategies as st

from pyengine import EngineError, find_rules, rulesets
from pyengine.rules import Rules, State
from pyengine.rules.alquerque import CHOICES

OFFERED = [ruleset for ruleset, _ in rulesets()]


def option_mixes() -> list[str]:
    """Every mix of the Alquerque options that is no contradiction, in canonical text."""
    mixes = set()
    for values in product(*CHOICES.values()):
        options = ";".join(f"{name}={value}" for name, value in zip(CHOICES, values, strict=True))
        with suppress(EngineError):  # the contradictions; test_bad_rulesets names them
            mixes.add(find_rules(f"alquerque/table;{options}").ruleset)
    return sorted(mixes)


MIXES = option_mixes()

#: Any ruleset: those offered, and any mix of options.
any_ruleset = st.one_of(st.sampled_from(OFFERED), st.sampled_from(MIXES))


def random_states(rules: Rules, seed: int, plies: int) -> list[State]:
    """The states of a random game, start included, up to some plies or its end; captures a little preferred."""
    chance = random.Random(seed)
    states = [rules.start()]
    for _ in range(plies):
        after = rules.successors(states[-1])
        if not after:
            break
        captures = [state for state in after if state[3] == 0]
        states.append(chance.choice(captures if captures and chance.random() < 0.3 else after))
    return states


@st.composite
def positions(draw: st.DrawFn) -> tuple[Rules, State]:
    """A position reached by random play in any ruleset."""
    rules = find_rules(draw(any_ruleset))
    seed = draw(st.integers(0, 2**32 - 1))
    plies = draw(st.integers(0, 120))
    return rules, random_states(rules, seed, plies)[-1]
