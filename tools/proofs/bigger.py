"""Bigger tables than those that are shipped, for proofs only: compiled, in place, without storing any move.

Every position is looked at once, and an undecided one again whenever a successor was decided, until nothing changes. A
value found is exact; its distance is one that the winner can keep to, not always the shortest. What matters for a
proof: it always falls by at least one a ply.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pyengine.rules import Rules
from tools.proofs.games import moves_of
from tools.proofs.kernel import (
    I64,
    WIDTH,
    Moves,
    Numbers,
    Probing,
    mapped,
    number,
    number_led,
    numbers_of,
    popcount,
    probe,
    rank_of,
    successors,
)

Codes = NDArray[np.uint8]
#: Bigger distances are cut to this.
LONGEST = 126


def solve_unit(
    rules: Rules,
    kept: tuple[int, ...],
    unit: tuple[int, int],
    tables: Probing,
    tell: Callable[[int, int, int], None] = lambda sweep, decided, size: None,
) -> dict[tuple[int, ...], Codes]:
    """The codes of a material and of the same with sides exchanged; `tables` holds all with fewer pieces."""
    one, other = max(unit), min(unit)
    numbers = numbers_of(rules, kept, one + other)
    moves = moves_of(rules)
    leaders = int((numbers.leaders[other] >= 0).sum())
    size = leaders * int(numbers.choose[numbers.points - other, one])
    first, second = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    ask_first, ask_second = np.ones(size, np.bool_), np.ones(size, np.bool_)
    if one == other:
        second, ask_second = first, ask_first
    back = _steps_back(moves)
    fixed = (leaders, moves, back, numbers, tables)
    sweep = 0
    while True:
        sweep += 1
        counts = (one, other) if one != other else (other, one)
        changed = _sweep(first, second, ask_first, ask_second, counts, *fixed)
        if one != other:
            changed += _sweep(second, first, ask_second, ask_first, (other, one), *fixed)
        tell(sweep, changed, size)
        if not changed:
            break
    return {(one, other): first, (other, one): second}


def _steps_back(moves: Moves) -> I64:
    """`[p]`: the points from which a piece can step to p, -1 behind the last."""
    points = len(moves.steps)
    back = np.full((points, 9), -1, np.int64)
    for point in range(points):
        sources = [start for start in range(points) if point in moves.steps[start]]
        back[point, : len(sources)] = sources
    return back


@njit(cache=True, nogil=True)
def _sweep(
    codes: Codes,
    others: Codes,
    ask: NDArray[np.bool_],
    ask_others: NDArray[np.bool_],
    counts: tuple[int, int],
    leaders: int,
    moves: Moves,
    back: I64,
    numbers: Numbers,
    tables: Probing,
) -> int:
    """Look at the positions of one material that are to be asked about; returns how many are decided now.

    `counts`: pieces of the side to act and of the other. `others` and `ask_others` belong to the material of the
    successors.
    """
    own_count, foe_count = counts
    many_acts = own_count > foe_count
    few, many = min(own_count, foe_count), max(own_count, foe_count)
    out = np.zeros((WIDTH, 2), np.int64)
    chains = np.zeros((32, 5), np.int64)
    free = np.zeros(numbers.points, np.int64)
    changed = 0
    index = -1
    for leader in range(leaders):
        lead = numbers.leaders[few, leader]
        count = 0
        for point in range(numbers.points):
            if not lead >> point & 1:
                free[count] = point
                count += 1
        squeezed = (1 << many) - 1
        while squeezed < 1 << count:
            index += 1
            if ask[index] and codes[index] == 0:
                ask[index] = False
                rest = 0
                left = squeezed
                while left:
                    lowest = left & -left
                    rest |= 1 << free[popcount(lowest - 1)]
                    left ^= lowest
                own, foe = (rest, lead) if many_acts else (lead, rest)
                found, captures = successors(own, foe, moves, out, chains)
                best = 1000
                worst = 0
                lost = True
                for kid in range(found):
                    a, b = out[kid, 0], out[kid, 1]
                    if kid < captures:
                        a_count = popcount(a)
                        if a_count == 0:
                            code = 2
                        else:
                            code = probe(a, b, a_count, popcount(b), tables)
                        distance = 1
                    else:
                        code = others[number(a, b, foe_count, own_count, numbers)]
                        distance = 1 + (code >> 1 if code & 1 else (code >> 1) - 1)
                    if code == 0:
                        lost = False
                    elif code & 1:
                        worst = max(worst, distance)
                    else:
                        lost = False
                        best = min(best, distance)
                if best < 1000:
                    codes[index] = 2 * min(best, LONGEST) + 1
                elif lost:
                    codes[index] = 2 * min(worst, LONGEST) + 2
                if codes[index]:
                    changed += 1
                    _ask_before(own, foe, ask_others, counts, moves, back, numbers)
            # The next set of as many bits (ascending order is the order of ranks).
            low = squeezed & -squeezed
            ripple = squeezed + low
            squeezed = ripple | ((squeezed ^ ripple) // low >> 2)
    return changed


@njit(cache=True, nogil=True)
def _ask_before(
    own: int,
    foe: int,
    ask: NDArray[np.bool_],
    counts: tuple[int, int],
    moves: Moves,
    back: I64,
    numbers: Numbers,
) -> None:
    """Mark all positions from which a step may have led here; whether it was allowed there, looking again will tell."""
    mover, waiter = mapped(foe, moves.turn), mapped(own, moves.turn)
    for target in range(numbers.points):
        if mover >> target & 1:
            for place in range(9):
                start = back[target, place]
                if start < 0:
                    break
                if not (mover | waiter) >> start & 1:
                    before = mover ^ (1 << target) ^ (1 << start)
                    _ask(before, waiter, counts[1], counts[0], ask, numbers)


@njit(cache=True, nogil=True)
def _ask(
    own: int, foe: int, own_count: int, foe_count: int, ask: NDArray[np.bool_], numbers: Numbers
) -> None:
    """Mark a position under all its numbers: one for each map that keeps its leading set."""
    index = number(own, foe, own_count, foe_count, numbers)
    ask[index] = True
    lead, rest, count, others = own, foe, own_count, foe_count
    if foe_count < own_count:
        lead, rest, count, others = foe, own, foe_count, own_count
    leader = index // numbers.choose[numbers.points - count, others]
    if numbers.twins[count, leader, 0] < 0:
        return
    first = numbers.maps[numbers.which[count, rank_of(lead, numbers)]]
    lead, rest = mapped(lead, first), mapped(rest, first)
    for twin in numbers.twins[count, leader]:
        if twin < 0:
            break
        halves = numbers.maps[twin]
        ask[number_led(leader, lead, mapped(rest, halves), count, others, numbers)] = True
