"""Fanorona for compiled code: captures by approach and by withdrawal, and how the same stone goes on.

tests/test_solve.py holds this against `Rules.generate` on random positions, and the verifier of proofs (verify.py) does
not use it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from pyengine.board import DIRECTIONS, OPPOSITE
from pyengine.rules.fanorona import Fanorona
from tools.proofs.kernel import I64, MOST_POINTS, add, halves_of, mapped, successors, version


class FanoronaMoves(NamedTuple):
    """See `Moves`. `steps[p, direction]`: the next point that way along a line, -1 beside the board or without one;
    `opposite[direction]`."""

    steps: I64
    opposite: I64
    turn: I64


def fanorona_moves(rules: Fanorona) -> FanoronaMoves:
    """The arrays of a board of a size that sets of points have room for."""
    board = rules.board
    if board.size > MOST_POINTS:
        raise ValueError(f"{rules.ruleset}: the board has more than {MOST_POINTS} points")
    steps = [[-1 if to is None else to for to in row] for row in board.neighbours]
    turn = halves_of([board.turned(point) for point in range(board.size)])
    return FanoronaMoves(np.array(steps, np.int64), np.array(OPPOSITE, np.int64), turn)


@njit(cache=True, nogil=True)
def _row(foe: int, point: int, direction: int, steps: I64) -> int:
    """The unbroken row of enemies that begins next to a point in a direction."""
    taken = 0
    at = steps[point, direction]
    while at >= 0 and foe >> at & 1:
        taken |= 1 << at
        at = steps[at, direction]
    return taken


#: A hop is tried in each direction, by approach and by withdrawal.
_TRIES = 2 * len(DIRECTIONS)


@version(successors, FanoronaMoves)
def _successors(own: int, foe: int, moves: FanoronaMoves, out: I64, stack: I64) -> tuple[int, int]:
    """See `kernel.successors`."""
    steps = moves.steps
    found = 0
    for start in range(len(steps)):
        if not own >> start & 1:
            continue
        others = own ^ (1 << start)
        # A depth-first walk over the captures of this stone: point, foe, points it has been to, direction of its last
        # step, next hop to try.
        depth = 0
        stack[0, 0] = start
        stack[0, 1] = foe
        stack[0, 2] = 1 << start
        stack[0, 3] = -1
        stack[0, 4] = 0
        while depth >= 0:
            hop = stack[depth, 4]
            if hop == _TRIES:
                # It may stop after any capture.
                if depth:
                    here = mapped(others | 1 << stack[depth, 0], moves.turn)
                    found = add(out, found, mapped(stack[depth, 1], moves.turn), here)
                depth -= 1
                continue
            stack[depth, 4] = hop + 1
            point, left, visited = stack[depth, 0], stack[depth, 1], stack[depth, 2]
            direction = hop >> 1
            to = steps[point, direction]
            if to < 0 or direction == stack[depth, 3] or (others | left | visited) >> to & 1:
                continue
            if hop & 1:
                taken = _row(left, point, moves.opposite[direction], steps)
            else:
                taken = _row(left, to, direction, steps)
            if taken:
                depth += 1
                stack[depth, 0] = to
                stack[depth, 1] = left ^ taken
                stack[depth, 2] = visited | 1 << to
                stack[depth, 3] = direction
                stack[depth, 4] = 0
    if found:
        return found, found
    free = ~(own | foe)
    for start in range(len(steps)):
        if own >> start & 1:
            for direction in range(len(steps[start])):
                to = steps[start, direction]
                if to >= 0 and free >> to & 1:
                    out[found, 0] = mapped(foe, moves.turn)
                    out[found, 1] = mapped(own ^ (1 << start) ^ (1 << to), moves.turn)
                    found += 1
    return found, 0
