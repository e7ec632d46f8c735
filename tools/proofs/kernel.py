"""What every game's compiled code shares: sets of points, how a game's moves are chosen, numbered positions, tables.

Proof-number search looks at millions of positions, too many for plain Python. A game that it knows has a file here
with its moves as arrays (`Moves`) and a compiled `successors`; the type of the arrays chooses the function while the
search is compiled, so search, extraction and solver name no game. games.py knows them all.

Positions are seen by the side to act: when a turn passes, the board is turned by 180° and the colours exchanged. A
position is `(own, foe)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, NamedTuple, Protocol

import numpy as np
from numba import int64, njit
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from pyengine.ai.tables import TURN, Layout, symmetries
from pyengine.board import points_of, set_of
from pyengine.rules import Rules

#: The most successors of a position that there is room for.
WIDTH = 512
_HALF = 13
_MASK = (1 << _HALF) - 1
#: No board has more points.
MOST_POINTS = 2 * _HALF

I64 = NDArray[np.int64]


class Moves(Protocol):
    """A ruleset for compiled code: a named tuple of a type that a game's file declares. `steps[p]`: where a piece on p
    steps without a capture, -1 for nowhere; `turn`: the map of sets that turns the board by 180°."""

    @property
    def steps(self) -> I64: ...
    @property
    def turn(self) -> I64: ...


def varied(function: Callable[..., Any]) -> Any:
    """Decorates a compiled function of which a game may have another version (`version`)."""

    def choose(*arguments: Any) -> Any:
        kinds = (getattr(argument, "instance_class", None) for argument in arguments)
        return next((versions[kind] for kind in kinds if kind in versions), function)

    def general(*arguments: Any) -> Any:
        return function(*arguments)

    versions: dict[Any, Callable[..., Any]] = {}
    overload(general, strict=False)(choose)
    compiled = njit(nogil=True)(lambda *arguments: general(*arguments))
    _VERSIONS[compiled] = versions
    return compiled


_VERSIONS: dict[Any, dict[Any, Callable[..., Any]]] = {}


def version(general: Any, kind: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates what is compiled in place of a `varied` function where one of the arguments is a `kind`."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        _VERSIONS[general][kind] = function
        return function

    return decorate


@varied
def successors(own: int, foe: int, moves: Moves, out: I64, stack: I64) -> tuple[int, int]:
    """Write the different successors, seen by the side then to act, to `out[:, :2]`; returns how many there are and
    how many of them (the first ones) are captures. `stack`: room for 32 rows of 5. Each game has its own version."""
    raise NotImplementedError


#: The bit of a position's key that says whether the side that must win acts.
ACTS = 59


@varied
def key_of(own: int, foe: int, acts: int, moves: Moves) -> int:
    """A position and whether the side that must win acts, as one number."""
    return own | foe << MOST_POINTS | acts << ACTS


@varied
def own_of(key: int, moves: Moves) -> int:
    """The pieces of the side to act in a position."""
    return key & (1 << MOST_POINTS) - 1


@varied
def foe_of(key: int, moves: Moves) -> int:
    """The pieces of the side that waits in a position."""
    return key >> MOST_POINTS & (1 << MOST_POINTS) - 1


def halves_of(images: Sequence[int]) -> I64:
    """A map of the points as a map of sets: what becomes of each low half and of each high half of one."""
    halves = np.zeros((2, 1 << _HALF), np.int64)
    for half, first in enumerate((0, _HALF)):
        for point in range(first, min(first + _HALF, len(images))):
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
def add(out: I64, found: int, own: int, foe: int) -> int:
    """Write a position to `out` unless it is there; returns how many are there now."""
    for number in range(found):
        if out[number, 0] == own and out[number, 1] == foe:
            return found
    if found == len(out):
        raise OverflowError("a position has more successors than there is room for")
    out[found, 0] = own
    out[found, 1] = foe
    return found + 1


class Numbers(NamedTuple):
    """The numbering of `pyengine.ai.tables.Layout` for compiled code, for all materials up to some pieces.

    `leaders[count]`: the leading sets in order; `leader[count, rank]` and `which[count, rank]`: the number and the map
    of any set that may lead, by its rank among all sets of its size; `twins[count, number]`: further maps that keep
    that leading set, -1 behind the last; `maps`: the symmetries as maps of sets; `choose`: binomials; `low[half]` and
    `high[points in the low half, half]`: what the halves of a set add to its rank; `points`: the board's.
    """

    leaders: I64
    leader: I64
    which: I64
    twins: I64
    maps: I64
    choose: I64
    low: I64
    high: I64
    points: int


def numbers_of(rules: Rules, kept: tuple[int, ...], most: int) -> Numbers:
    """The numbering of all positions of two sets with up to `most` pieces."""
    points = rules.board.size
    biggest = most // 2
    leader = np.zeros((biggest + 1, comb(points, biggest)), np.int64)
    which = leader.copy()
    leaders = np.full_like(leader, -1)
    twins = np.full((*leader.shape, len(kept)), -1, np.int64)
    for count in range(1, biggest + 1):
        layout = Layout(rules.board, kept, (count, count))
        leaders[count, : len(layout.leaders)] = layout.leaders
        for place, lead in enumerate(layout.leaders):
            keeping = [
                table
                for table, images in enumerate(layout.maps)
                if table and set_of(images[point] for point in points_of(lead)) == lead
            ]
            twins[count, place, : len(keeping)] = keeping
        for lead, (number, table) in layout.numbered.items():
            rank = sum(comb(point, place) for place, point in enumerate(points_of(lead), 1))
            leader[count, rank], which[count, rank] = number, table
    choose = np.array(
        [[comb(point, count) for count in range(13)] for point in range(points + 1)], np.int64
    )
    maps = np.array([halves_of(symmetries(rules.board)[number]) for number in kept], np.int64)
    assert symmetries(rules.board)[TURN] == tuple(reversed(range(points)))
    low = np.zeros(1 << _HALF, np.int64)
    high = np.zeros((_HALF + 1, 1 << _HALF), np.int64)
    for half in range(1 << _HALF):
        chosen = points_of(half)
        low[half] = sum(comb(point, place) for place, point in enumerate(chosen, 1))
        for before in range(_HALF + 1):
            high[before, half] = sum(
                comb(point + _HALF, place) for place, point in enumerate(chosen, before + 1)
            )
    return Numbers(leaders, leader, which, twins, maps, choose, low, high, points)


class Probing(NamedTuple):
    """Tables for compiled code: `begin[own count, foe count]`: where a material's bytes begin in `codes`, -1 where
    there is none; no material has more than `most` pieces."""

    most: int
    begin: I64
    codes: NDArray[np.uint8]
    numbers: Numbers


def probing_of(
    rules: Rules, kept: tuple[int, ...], known: dict[tuple[int, ...], NDArray[Any]]
) -> Probing:
    """Solved tables for compiled code."""
    most, begin, codes = joined(known)
    return Probing(most, begin, codes, numbers_of(rules, kept, most))


def joined(
    known: dict[tuple[int, ...], NDArray[Any]],
) -> tuple[int, I64, NDArray[np.uint8]]:
    """All solved tables one behind the other: the most pieces, where each material begins or -1, the codes."""
    most = max(map(sum, known))
    begin = np.full((most + 1,) * len(next(iter(known))), -1, np.int64)
    offset = 0
    for material, codes in known.items():
        begin[material] = offset
        offset += len(codes)
    return most, begin, np.concatenate([codes.astype(np.uint8) for codes in known.values()])


@intrinsic
def popcount(typing: Any, bits: int) -> Any:
    """How many points a set has: the processor's own instruction."""

    def count(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return int64(int64), count


@njit(cache=True, nogil=True)
def first(bits: int) -> int:
    """The lowest point of a set that has one."""
    return popcount((bits & -bits) - 1)


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
    index = leader * numbers.choose[numbers.points - count, others]
    place = 0
    while rest:
        lowest = rest & -rest
        place += 1
        index += numbers.choose[popcount(lowest - 1 & ~lead), place]
        rest ^= lowest
    return int(index)


@varied
def probe(own: int, foe: int, own_count: int, foe_count: int, tables: Probing) -> int:
    """The code of a position with few pieces, or -1 where no table has it."""
    begin = tables.begin[own_count, foe_count]
    if begin < 0:
        return -1
    return int(tables.codes[begin + number(own, foe, own_count, foe_count, tables.numbers)])
