"""Alquerque's moves and tables for compiled code: the rules' own step and jump tables as arrays.

Proof-number search looks at millions of positions, too many for plain Python, so this is the one place that says again
how a chain of jumps grows. tests/test_solve.py holds it against `Rules.generate` on random positions, and the verifier
of proofs (verify.py) does not use it.

Positions are seen by the side to act: when a turn passes, the board is turned by 180° and the colours exchanged, so
that the side to act always moves up. A position is `(own, foe)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pyengine.ai.tables import TURN, Layout, symmetries
from pyengine.board import points_of, set_of
from pyengine.rules.alquerque import Alquerque

POINTS = 25
#: The most successors of a position that there is room for.
WIDTH = 512
_HALF = 13
_MASK = (1 << _HALF) - 1

I64 = NDArray[np.int64]


class Moves(NamedTuple):
    """A ruleset for compiled code. `steps[p]`, `overs[p]`, `tos[p]`: where a man on p steps, what it jumps over and
    where it then lands, -1 behind the last; three flags; `turn`: two tables that turn a set by 180°."""

    steps: I64
    overs: I64
    tos: I64
    mandatory: bool
    maximum: bool
    may_stop: bool
    turn: I64


def moves_of(rules: Alquerque) -> Moves:
    """The arrays of a ruleset with plain men and without bonus."""
    setting = rules.setting
    if rules.sultans or setting.bonus != "no" or setting.noreturn != "no":
        raise ValueError(f"{rules.ruleset}: only rulesets with plain men")
    steps = np.full((POINTS, 9), -1, np.int64)
    overs, tos = steps.copy(), steps.copy()
    for point in range(POINTS):
        for number, target in enumerate(rules._steps[0][point]):
            steps[point, number] = target
        for number, jump in enumerate(rules._jumps[0][point]):
            overs[point, number] = jump.over.bit_length() - 1
            tos[point, number] = jump.to
    return Moves(
        steps,
        overs,
        tos,
        setting.obligation == "mandatory",
        setting.choice == "maximum",
        setting.finish == "may",
        halves_of(range(POINTS - 1, -1, -1)),
    )


def halves_of(images: Sequence[int]) -> I64:
    """A map of the points as a map of sets: what becomes of each low half and of each high half of one."""
    halves = np.zeros((2, 1 << _HALF), np.int64)
    for half, first in enumerate((0, _HALF)):
        for point in range(first, min(first + _HALF, POINTS)):
            low = 1 << (point - first)
            halves[half, low : 2 * low] = halves[half, :low] | 1 << images[point]
            for begin in range(2 * low, 1 << _HALF, 2 * low):
                halves[half, begin + low : begin + 2 * low] |= 1 << images[point]
    return halves


@njit(cache=True, nogil=True)
def mapped(bits: int, halves: I64) -> int:
    """What becomes of a set under a map (`halves_of`)."""
    return halves[0, bits & _MASK] | halves[1, bits >> _HALF]


@njit(cache=True, nogil=True)
def successors(own: int, foe: int, moves: Moves, out: I64, stack: I64) -> tuple[int, int]:
    """Write the different successors, seen by the side then to act, to `out[:, :2]`; returns how many there are and
    how many of them (the first ones) are captures. `stack`: room for 32 rows of 5."""
    found = 0
    most = 0
    for start in range(POINTS):
        if not own >> start & 1:
            continue
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
                    found = _put(out, found, left, others | (1 << point), moves.turn)
            depth -= 1
    captures = found
    if captures and moves.mandatory:
        return found, captures
    empty = ~(own | foe)
    for start in range(POINTS):
        if own >> start & 1:
            for number in range(9):
                target = moves.steps[start, number]
                if target < 0:
                    break
                if empty >> target & 1:
                    step = own ^ (1 << start) ^ (1 << target)
                    out[found, 0] = mapped(foe, moves.turn)
                    out[found, 1] = mapped(step, moves.turn)
                    found += 1
    return found, captures


@njit(cache=True, nogil=True)
def _put(out: I64, found: int, foe: int, own: int, turn: I64) -> int:
    first, second = mapped(foe, turn), mapped(own, turn)
    for number in range(found):
        if out[number, 0] == first and out[number, 1] == second:
            return found
    out[found, 0] = first
    out[found, 1] = second
    return found + 1


class Numbers(NamedTuple):
    """The numbering of `pyengine.ai.tables.Layout` for compiled code, for all materials up to some pieces.

    `leaders[count]`: the leading sets in order; `leader[count, rank]` and `which[count, rank]`: the number and the map
    of any set that may lead, by its rank among all sets of its size; `twins[count, number]`: further maps that keep
    that leading set, -1 behind the last; `maps`: the symmetries as maps of sets; `choose`: binomials; `low[half]` and
    `high[points in the low half, half]`: what the halves of a set add to its rank.
    """

    leaders: I64
    leader: I64
    which: I64
    twins: I64
    maps: I64
    choose: I64
    low: I64
    high: I64


def numbers_of(rules: Alquerque, kept: tuple[int, ...], most: int) -> Numbers:
    """The numbering of all positions of two sets with up to `most` pieces."""
    biggest = most // 2
    leader = np.zeros((biggest + 1, comb(POINTS, biggest)), np.int64)
    which = leader.copy()
    leaders = np.full_like(leader, -1)
    twins = np.full((*leader.shape, len(kept)), -1, np.int64)
    for count in range(1, biggest + 1):
        layout = Layout(rules.board, kept, (count, count))
        leaders[count, : len(layout.leaders)] = layout.leaders
        for place, lead in enumerate(layout.leaders):
            keeping = [
                table
                for table, points in enumerate(layout.maps)
                if table and set_of(points[point] for point in points_of(lead)) == lead
            ]
            twins[count, place, : len(keeping)] = keeping
        for lead, (number, table) in layout.numbered.items():
            points = [point for point in range(POINTS) if lead >> point & 1]
            rank = sum(comb(point, place) for place, point in enumerate(points, 1))
            leader[count, rank], which[count, rank] = number, table
    choose = np.array(
        [[comb(point, count) for count in range(13)] for point in range(POINTS + 1)], np.int64
    )
    maps = np.array([halves_of(symmetries(rules.board)[number]) for number in kept], np.int64)
    assert symmetries(rules.board)[TURN] == tuple(reversed(range(POINTS)))
    low = np.zeros(1 << _HALF, np.int64)
    high = np.zeros((_HALF + 1, 1 << _HALF), np.int64)
    for half in range(1 << _HALF):
        points = [point for point in range(_HALF) if half >> point & 1]
        low[half] = sum(comb(point, place) for place, point in enumerate(points, 1))
        for before in range(_HALF + 1):
            high[before, half] = sum(
                comb(point + _HALF, place) for place, point in enumerate(points, before + 1)
            )
    return Numbers(leaders, leader, which, twins, maps, choose, low, high)


class Probing(NamedTuple):
    """Tables for compiled code: `begin[own count, foe count]`: where a material's bytes begin in `codes`, -1 where
    there is none; no material has more than `most` pieces."""

    most: int
    begin: I64
    codes: NDArray[np.uint8]
    numbers: Numbers


def probing_of(
    rules: Alquerque, kept: tuple[int, ...], known: dict[tuple[int, ...], NDArray[Any]]
) -> Probing:
    """Solved tables for compiled code."""
    most = max(map(sum, known))
    begin = np.full((most + 1, most + 1), -1, np.int64)
    offset = 0
    for (own, foe), codes in known.items():
        begin[own, foe] = offset
        offset += len(codes)
    codes = np.concatenate([codes.astype(np.uint8) for codes in known.values()])
    return Probing(most, begin, codes, numbers_of(rules, kept, most))


@njit(cache=True, nogil=True)
def popcount(bits: int) -> int:
    """How many of 25 points a set has."""
    bits = bits - (bits >> 1 & 0x55555555)
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F
    bits = bits + (bits >> 8)
    return bits + (bits >> 16) & 63


@njit(cache=True, nogil=True)
def rank_of(bits: int, numbers: Numbers) -> int:
    """The rank of a set among all sets of its size."""
    low = bits & _MASK
    return int(numbers.low[low] + numbers.high[popcount(low), bits >> _HALF])


@njit(cache=True, nogil=True)
def number(own: int, foe: int, own_count: int, foe_count: int, numbers: Numbers) -> int:
    """The number of a position among those of its material."""
    lead, rest, count, others = own, foe, own_count, foe_count
    if foe_count < own_count:
        lead, rest, count, others = foe, own, foe_count, own_count
    rank = rank_of(lead, numbers)
    first = numbers.maps[numbers.which[count, rank]]
    leader = numbers.leader[count, rank]
    return number_led(leader, mapped(lead, first), mapped(rest, first), count, others, numbers)


@njit(cache=True, nogil=True)
def number_led(leader: int, lead: int, rest: int, count: int, others: int, numbers: Numbers) -> int:
    """The number of a position whose leading set is the one with this number."""
    index = leader * numbers.choose[POINTS - count, others]
    place = 0
    while rest:
        lowest = rest & -rest
        place += 1
        index += numbers.choose[popcount(lowest - 1 & ~lead), place]
        rest ^= lowest
    return int(index)


@njit(cache=True, nogil=True)
def probe(own: int, foe: int, own_count: int, foe_count: int, tables: Probing) -> int:
    """The code of a position with few pieces, or -1 where no table has it."""
    begin = tables.begin[own_count, foe_count]
    if begin < 0:
        return -1
    return int(tables.codes[begin + number(own, foe, own_count, foe_count, tables.numbers)])
