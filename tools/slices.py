"""Searches in slices and takes the time of each; the same code natively and in Pyodide (see bench_stop.py)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from pyengine import find_rules
from pyengine.service import Service

#: A slice as the worker asks for it, in ms.
SLICE_MS = 8
#: How far into a random game the searched positions are.
PLIES = (0, 12, 40)


def opening(ruleset: str, plies: int) -> list[str]:
    """The moves of a random game that is not over after them, the same on every run."""
    rules = find_rules(ruleset)
    chance = random.Random(1)
    state, moves = rules.start(), []
    for _ in range(plies):
        move = chance.choice(rules.legal_moves(state))
        if not rules.successors(move.after):
            break
        state = move.after
        moves.append(move.text)
    return moves


def measure(ruleset: str, slices: int, clock: Callable[[], float]) -> tuple[float, float]:
    """The longest slice, and the longest answer to a `cancel`, early or late, in milliseconds of `clock`."""

    def timed(work: Callable[..., str], *words: object) -> float:
        begun = clock()
        work(*words)
        return clock() - begun

    longest = stop = 0.0
    for plies in PLIES:
        for count in (1, slices):
            service = Service()
            params = {"ruleset": ruleset, "moves": opening(ruleset, plies), "depth": 99}
            service.handle(_request("search", params))
            for _ in range(count):
                longest = max(longest, timed(service.pump, SLICE_MS))
            stop = max(stop, timed(service.handle, _request("cancel", {"id": "search"})))
            service.pump(SLICE_MS)
    return longest, stop


def _request(method: str, params: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params})
