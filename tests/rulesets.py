"""Rulesets and random games that the property tests of every game share."""

from __future__ import annotations

import random

from hypothesis import reject
from hypothesis import strategies as st

from pyengine import EngineError, find_rules, rulesets
from pyengine.rules import Rules, State
from pyengine.rules.alquerque import CHOICES

OFFERED = [ruleset for ruleset, _ in rulesets()]


@st.composite
def option_mixes(draw: st.DrawFn) -> str:
    """Any mix of the Alquerque options that is no contradiction, in canonical text."""
    options = [f"{name}={draw(st.sampled_from(values))}" for name, values in CHOICES.items()]
    try:
        return find_rules(";".join(["alquerque/table", *options])).ruleset
    except EngineError:
        reject()


#: Any ruleset: those offered, and any mix of options.
any_ruleset = st.one_of(st.sampled_from(OFFERED), option_mixes())


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
