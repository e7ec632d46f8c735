"""Alquerque for compiled code: the rules' own step and jump tables as arrays, and how a chain of jumps grows.

tests/test_solve.py holds this against `Rules.generate` on random positions, and the verifier of proofs (verify.py) does
not use it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pyengine.rules.alquerque import Alquerque
from tools.proofs.kernel import I64, add, first, halves_of, mapped, successors, version


class AlquerqueMoves(NamedTuple):
    """See `Moves`. `steps[p]`, `overs[p]`, `tos[p]`: where a man on p steps, what it jumps over and where it then
    lands, -1 behind the last; three flags."""

    steps: I64
    overs: I64
    tos: I64
    mandatory: bool
    maximum: bool
    may_stop: bool
    turn: I64


def alquerque_moves(rules: Alquerque) -> AlquerqueMoves:
    """The arrays of a ruleset with plain men and without bonus."""
    setting = rules.setting
    if rules.sultans or setting.bonus != "no" or setting.noreturn != "no":
        raise ValueError(f"{rules.ruleset}: only rulesets with plain men")
    points = rules.board.size
    steps = np.full((points, 9), -1, np.int64)
    overs, tos = steps.copy(), steps.copy()
    for point in range(points):
        for number, target in enumerate(rules._steps[0][point]):
            steps[point, number] = target
        for number, jump in enumerate(rules._jumps[0][point]):
            overs[point, number] = jump.over.bit_length() - 1
            tos[point, number] = jump.to
    return AlquerqueMoves(
        steps,
        overs,
        tos,
        setting.obligation == "mandatory",
        setting.choice == "maximum",
        setting.finish == "may",
        halves_of(range(points - 1, -1, -1)),
    )


@version(successors, AlquerqueMoves)
def _successors(own: int, foe: int, moves: AlquerqueMoves, out: I64, stack: I64) -> tuple[int, int]:
    """See `kernel.successors`."""
    found = 0
    most = 0
    waiting = own
    while waiting:
        start = first(waiting)
        waiting &= waiting - 1
        # A depth-first walk over the chains of this man: point, own without the man, foe, next jump to try, went on.
        depth = 0
        stack[0, 0] = start
        stack[0, 1] = own ^ (1 << start)
        stack[0, 2] = foe
        stack[0, 3] = 0
        stack[0, 4] = 0
        while depth >= 0:
            point, others, left = stack[depth, 0], stack[depth, 1], stack[depth, 2]
            number = stack[depth, 3]
            if number < 9 and moves.overs[point, number] >= 0:
                stack[depth, 3] = number + 1
                over, to = moves.overs[point, number], moves.tos[point, number]
                if left >> over & 1 and not (others | left) >> to & 1:
                    stack[depth, 4] = 1
                    depth += 1
                    stack[depth, 0] = to
                    stack[depth, 1] = others
                    stack[depth, 2] = left ^ (1 << over)
                    stack[depth, 3] = 0
                    stack[depth, 4] = 0
                continue
            if depth and (moves.may_stop or not stack[depth, 4]):
                if moves.maximum and depth > most:
                    most = depth
                    found = 0
                if not moves.maximum or depth == most:
                    here = mapped(others | (1 << point), moves.turn)
                    found = add(out, found, mapped(left, moves.turn), here)
            depth -= 1
    captures = found
    if captures and moves.mandatory:
        return found, captures
    empty = ~(own | foe)
    turned = mapped(foe, moves.turn)
    waiting = own
    while waiting:
        start = first(waiting)
        waiting &= waiting - 1
        for number in range(9):
            target = moves.steps[start, number]
            if target < 0:
                break
            if empty >> target & 1:
                step = own ^ (1 << start) ^ (1 << target)
                out[found, 0] = turned
                out[found, 1] = mapped(step, moves.turn)
                found += 1
    return found, captures
