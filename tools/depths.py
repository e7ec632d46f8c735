"""Searches to a fixed depth against the clock; the same code natively, at another revision, and in a browser (see
bench_search.py)."""

from __future__ import annotations

import time
from typing import NamedTuple

from pyengine import find_rules
from pyengine.ai.search import Search
from pyengine.rules import Rules, State

#: Positions of each ruleset, taken from so many games.
GAMES = 6
#: Nodes that a fixed-depth search of all positions may cost, about.
BUDGET = 60_000


class Task(NamedTuple):
    """Positions of a ruleset, as texts, and how deep to search each."""

    ruleset: str
    positions: list[str]
    depth: int


def positions(rules: Rules) -> list[State]:
    """Openings and middle games of weak play, the same on every run."""
    found = []
    for seed in range(GAMES):
        state = rules.start()
        for ply in range(8 + 6 * seed):
            children = rules.successors(state)
            if not children:
                break
            search = Search(rules, state, nodes=60, blur=40, seed=1000 * seed + ply)
            search.run()
            state = children[search.best]
        if rules.successors(state):
            found.append(state)
    return found


def task(ruleset: str) -> Task:
    """The deepest search of a ruleset's positions that stays within the budget."""
    rules = find_rules(ruleset)
    states = positions(rules)
    depth = 1
    while depth < 20 and fixed_depth(rules, states, depth)[0] < BUDGET / 4:
        depth += 1
    return Task(ruleset, [rules.format(state) for state in states], depth)


def measure(ruleset: str, texts: list[str], depth: int) -> tuple[int, float]:
    """Nodes and seconds of a task."""
    rules = find_rules(ruleset)
    return fixed_depth(rules, [rules.parse(text) for text in texts], depth)


def fixed_depth(rules: Rules, states: list[State], depth: int, *without: str) -> tuple[int, float]:
    """Nodes and seconds of processor time to search all states to a depth."""
    nodes = 0
    start = time.process_time()
    for state in states:
        search = Search(rules, state, depth=depth, without=without)
        search.run()
        nodes += search.nodes
    return nodes, time.process_time() - start
