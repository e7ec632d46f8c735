"""Counts leaves of the move tree against the clock; the same code natively and in a browser (see bench_engine.py).

A leaf is one move text of the last ply; the last ply is counted without being built, all plies before it are built.
"""

from __future__ import annotations

import random
import time

from pyengine import find_rules
from pyengine.position import perft
from pyengine.rules import Rules, State

#: Ruleset, depth from the start, depth from middle games: about half a second each natively.
WORK = (
    ("alquerque/table", 9, 5),
    ("alquerque/bell", 9, 5),
    ("alquerque/maximum", 9, 5),
    ("alquerque/classic", 5, 4),
    ("alquerque/doce-short", 5, 4),
    ("alquerque/doce-long", 5, 4),
    ("konane/8x8", 6, 3),
    ("fanorona/tsivy", 4, 3),
    ("fanorona/dimy", 5, 4),
    ("seega/5x5", 4, 4),
    ("surakarta/6x6", 3, 3),
)
MIDDLE_GAMES = 4


def middle_games(rules: Rules) -> list[State]:
    """Positions after some plies of random play (after placing, where stones are placed), the same on every run."""
    chance = random.Random(1)
    found: list[State] = []
    while len(found) < MIDDLE_GAMES:
        state = rules.start()
        for _ in range(rules.set_sizes[0] * 2 * rules.hand + chance.randrange(8, 20)):
            children = rules.successors(state)
            if not children:
                break
            state = chance.choice(children)
        if rules.successors(state):
            found.append(state)
    return found


def speed(ruleset: str, start_depth: int, middle_depth: int) -> tuple[float, float]:
    """Leaves per second of processor time, from the start and from middle games."""
    rules = find_rules(ruleset)
    speeds = []
    for states, depth in (([rules.start()], start_depth), (middle_games(rules), middle_depth)):
        perft(rules, states[0], 2)
        begun = time.process_time()
        leaves = sum(perft(rules, state, depth) for state in states)
        speeds.append(leaves / max(time.process_time() - begun, 1e-9))
    return speeds[0], speeds[1]


def measure() -> dict[str, tuple[float, float]]:
    """The speeds of every ruleset of `WORK`."""
    return {ruleset: speed(ruleset, start, middle) for ruleset, start, middle in WORK}
