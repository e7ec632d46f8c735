"""Alquerque with Sultans for compiled code: a side's pieces are its men and, shifted by `SHIFT`, its Sultans.

tests/test_solve.py holds moves and numbers against the rules and the plain numbering on random positions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pyengine.rules.alquerque import Alquerque
from tools.proofs.kernel import (
    ACTS,
    I64,
    MOST_POINTS,
    Numbers,
    add,
    foe_of,
    halves_of,
    joined,
    key_of,
    mapped,
    numbers_of,
    own_of,
    popcount,
    probe,
    rank_of,
    successors,
    version,
)

SHIFT = MOST_POINTS
_SET = (1 << SHIFT) - 1
_HALF = MOST_POINTS // 2
_LOW = (1 << _HALF) - 1


class SultanMoves(NamedTuple):
    """See `Moves`. `steps[p]`, and by kind (0 man, 1 short Sultan) `overs[kind, p]` and `tos[kind, p]`: where a man on
    p steps, what a piece jumps over and where it then lands, -1 behind the last; `rays[p, direction]`: the points
    along a line, nearest first, -1 behind the last; `far`: where a man becomes a Sultan; `long`: whether Sultans fly;
    `powers[half, bits]`: what a half of a set adds to a position's number in base five."""

    steps: I64
    overs: I64
    tos: I64
    rays: I64
    far: int
    long: bool
    turn: I64
    powers: I64


def sultan_moves(rules: Alquerque) -> SultanMoves:
    """The arrays of a ruleset in which nobody must capture and a chain may stop."""
    setting = rules.setting
    told = (setting.obligation, setting.finish, setting.noreturn)
    if not rules.sultans or told != ("optional", "may", "no"):
        raise ValueError(f"{rules.ruleset}: with Sultans only rulesets of free captures")
    board = rules.board
    steps = np.full((board.size, 9), -1, np.int64)
    overs = np.full((2, board.size, 9), -1, np.int64)
    tos = overs.copy()
    rays = np.full((board.size, 8, 5), -1, np.int64)
    powers = np.zeros((2, 1 << _HALF), np.int64)
    for point in range(board.size):
        steps[point, : len(rules._steps[0][point])] = rules._steps[0][point]
        for kind in (0, 1):
            for number, jump in enumerate(rules._man_jumps(kind, 0)[point]):
                overs[kind, point, number] = jump.over.bit_length() - 1
                tos[kind, point, number] = jump.to
        for direction, ray in enumerate(board.rays[point]):
            rays[point, direction, : len(ray)] = ray
        half, bit = divmod(point, _HALF)
        powers[half] += (np.arange(1 << _HALF) >> bit & 1) * 5**point
    return SultanMoves(
        steps,
        overs,
        tos,
        rays,
        rules.far[0],
        setting.sultan == "long",
        halves_of([board.turned(point) for point in range(board.size)]),
        powers,
    )


@njit(cache=True, nogil=True)
def _turned(pieces: int, turn: I64) -> int:
    return mapped(pieces & _SET, turn) | mapped(pieces >> SHIFT, turn) << SHIFT


@njit(cache=True, nogil=True)
def _long_jump(number: int, point: int, own: int, foe: int, gone: int, rays: I64) -> int:
    """What a long Sultan takes and where it lands, as one number, on its jump of a number: so many points away in so
    manieth direction; -1 where there is no such jump. `gone`: taken, but still on the board."""
    direction, away = number // 4, number % 4
    over = -1
    for place in range(away + 1):
        at = rays[point, direction, place]
        if at < 0:
            return -1
        if not (own | foe) >> at & 1:
            continue
        if over >= 0 or not (foe & ~gone) >> at & 1:
            return -1
        over = at
    to = rays[point, direction, away]
    return -1 if over < 0 or over == to else over << 8 | to


@njit(cache=True, nogil=True)
def _jump(
    number: int, kind: int, point: int, own: int, foe: int, gone: int, moves: SultanMoves
) -> int:
    """The same for any piece; -2 behind the last number. A long Sultan is of kind 2."""
    if kind == 2:
        return -2 if number == 32 else _long_jump(number, point, own, foe, gone, moves.rays)
    if number == 9 or moves.overs[kind, point, number] < 0:
        return -2
    over, to = moves.overs[kind, point, number], moves.tos[kind, point, number]
    left = foe & ~gone
    closed = own | (foe if moves.long else left)
    return over << 8 | to if left >> over & 1 and not closed >> to & 1 else -1


@version(successors, SultanMoves)
def _successors(own: int, foe: int, moves: SultanMoves, out: I64, stack: I64) -> tuple[int, int]:
    sultans = own >> SHIFT
    mine, theirs = own & _SET | sultans, foe & _SET | foe >> SHIFT
    found = 0
    for start in range(len(moves.steps)):
        if not mine >> start & 1:
            continue
        sultan = sultans >> start & 1
        kind = sultan * (1 + moves.long)
        others = mine ^ (1 << start)
        rest = own & ~(1 << start | 1 << start + SHIFT)
        # A depth-first walk over the chains of this piece: point, taken so far, next jump to try.
        depth = 0
        stack[0, 0] = start
        stack[0, 1] = 0
        stack[0, 2] = 0
        while depth >= 0:
            point, gone, number = stack[depth, 0], stack[depth, 1], stack[depth, 2]
            jump = _jump(number, kind, point, others, theirs, gone, moves)
            stack[depth, 2] = number + 1
            if jump >= 0:
                depth += 1
                stack[depth, 0] = jump & 255
                stack[depth, 1] = gone | 1 << (jump >> 8)
                stack[depth, 2] = 0
            elif jump == -2:
                # It may stop after any jump.
                if depth:
                    crowned = sultan or moves.far >> point & 1
                    here = rest | 1 << (point + SHIFT * crowned)
                    left = foe & ~(gone | gone << SHIFT)
                    found = add(out, found, _turned(left, moves.turn), _turned(here, moves.turn))
                depth -= 1
    captures = found
    free = ~(mine | theirs)
    waiting = _turned(foe, moves.turn)
    for start in range(len(moves.steps)):
        if not mine >> start & 1:
            continue
        sultan = sultans >> start & 1
        rest = own & ~(1 << start | 1 << start + SHIFT)
        for number in range(40 if sultan else 9):
            if sultan:
                to = moves.rays[start, number // 5, number % 5]
                if to >= 0 and number % 5:
                    # Behind the nearest point: only a long Sultan, and over empty points.
                    for before in range(number % 5):
                        if not moves.long or not free >> moves.rays[start, number // 5, before] & 1:
                            to = -1
                            break
            else:
                to = moves.steps[start, number]
            if to >= 0 and free >> to & 1:
                crowned = sultan or moves.far >> to & 1
                out[found, 0] = waiting
                out[found, 1] = _turned(rest | 1 << (to + SHIFT * crowned), moves.turn)
                found += 1
    return found, captures


@njit(cache=True, nogil=True)
def _five(points: int, powers: I64) -> int:
    return powers[0, points & _LOW] + powers[1, points >> _HALF]


@version(key_of, SultanMoves)
def _key_of(own: int, foe: int, acts: int, moves: SultanMoves) -> int:
    """A digit to the base of five for each point: empty, own man, own Sultan, foe's man, foe's Sultan."""
    key = _five(own & _SET, moves.powers) + 2 * _five(own >> SHIFT, moves.powers)
    key += 3 * _five(foe & _SET, moves.powers) + 4 * _five(foe >> SHIFT, moves.powers)
    return key | acts << ACTS


@njit(cache=True, nogil=True)
def _pieces_of(key: int, man: int) -> int:
    """The men, and shifted the Sultans, whose digits are `man` and the next."""
    left = key & (1 << ACTS) - 1
    pieces = 0
    point = 0
    while left:
        digit = left % 5 - man
        if digit == 0 or digit == 1:
            pieces |= 1 << point + SHIFT * digit
        left //= 5
        point += 1
    return pieces


@version(own_of, SultanMoves)
def _own_of(key: int, moves: SultanMoves) -> int:
    return _pieces_of(key, 1)


@version(foe_of, SultanMoves)
def _foe_of(key: int, moves: SultanMoves) -> int:
    return _pieces_of(key, 3)


class SultanProbing(NamedTuple):
    """See `Probing`. `begin[own men, own Sultans, foe's men, foe's Sultans]`."""

    most: int
    begin: I64
    codes: NDArray[np.uint8]
    numbers: Numbers


def sultan_probing(
    rules: Alquerque, kept: tuple[int, ...], known: dict[tuple[int, ...], NDArray[Any]]
) -> SultanProbing:
    """Solved tables for compiled code."""
    most, begin, codes = joined(known)
    return SultanProbing(most, begin, codes, numbers_of(rules, kept, most))


@njit(cache=True, nogil=True)
def number(own: int, foe: int, numbers: Numbers) -> int:
    """The number of a position among those of its material (`Layout` in pyengine/ai/tables.py)."""
    sets = (own & _SET, own >> SHIFT, foe & _SET, foe >> SHIFT)
    leading = -1
    least = MOST_POINTS
    for place in range(4):
        count = popcount(sets[place])
        if 0 < count < least:
            least = count
            leading = place
    rank = rank_of(sets[leading], numbers)
    images = numbers.maps[numbers.which[least, rank]]
    index = numbers.leader[least, rank]
    used = mapped(sets[leading], images)
    for place in range(4):
        if place == leading or not sets[place]:
            continue
        rest = mapped(sets[place], images)
        index *= numbers.choose[numbers.points - popcount(used), popcount(rest)]
        taken = used | rest
        before = 0
        while rest:
            lowest = rest & -rest
            before += 1
            index += numbers.choose[popcount(lowest - 1 & ~used), before]
            rest ^= lowest
        used = taken
    return index


@version(probe, SultanProbing)
def _probe(own: int, foe: int, own_count: int, foe_count: int, tables: SultanProbing) -> int:
    men, other_men = popcount(own & _SET), popcount(foe & _SET)
    begin = tables.begin[men, own_count - men, other_men, foe_count - other_men]
    return -1 if begin < 0 else int(tables.codes[begin + number(own, foe, tables.numbers)])
