"""Tables that keep the hot loops of move generation free of shifts, searches and calls.

A set of points is one `int`; running over its points one by one is what costs most in plain Python, so the tables are
made for whole sets: the rows of all points of a set at once, the steps into every possible set of open points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

#: Points per table of `rows_by_set`: 512 entries each, built in a fraction of a millisecond.
CHUNK = 9
CHUNK_MASK = (1 << CHUNK) - 1


def rows_by_set(rows: Sequence[T]) -> tuple[tuple[tuple[T, ...], ...], ...]:
    """Tables that turn a set of points into the rows of its points, in ascending order.

    The rows of the first `CHUNK` points are `tables[0][points & CHUNK_MASK]`, those of the next ones
    `tables[1][points >> CHUNK & CHUNK_MASK]`, and so on.

    >>> rows_by_set(["a1", "b1", "c1"])[0][0b101]
    ('a1', 'c1')
    """
    tables = []
    for first in range(0, len(rows), CHUNK):
        table: list[tuple[T, ...]] = [()]
        for row in rows[first : first + CHUNK]:
            table += [(*smaller, row) for smaller in table]
        tables.append(tuple(table))
    return tuple(tables)


def flips(point: int, others: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """For every set of other points: the pairs of this point with each of them, in the given order.

    A pair is what to exclusive-or the set of a side's stones with to move one from either point to the other.

    >>> flips(0, [1, 2])[0b110]
    (3, 5)
    """
    table: dict[int, tuple[int, ...]] = {0: ()}
    for other in others:
        bit = 1 << other
        pair = 1 << point | bit
        table |= {some | bit: (*pairs, pair) for some, pairs in table.items()}
    return table


def pair_factors(size: int, neighbours: Sequence[Sequence[int]]) -> tuple[int, int, int]:
    """Three numbers that count neighbouring pairs at once: `(a * spread & b * repeat & mask).bit_count()`.

    The count is of pairs (p in a, q in b) with q in `neighbours[p]`, for boards whose neighbours lie at a few fixed
    distances. Multiplying writes copies of a set side by side, one for each distance, `a` already shifted by it, so
    that one `&` compares all of them; `mask` strikes out what shifting wrapped around a border.
    """
    distances = sorted({q - p for p, row in enumerate(neighbours) for q in row})
    reach = max(map(abs, distances))
    width = size + 2 * reach
    spread = repeat = mask = 0
    for place, distance in enumerate(distances):
        offset = place * width + reach
        spread |= 1 << offset + distance
        repeat |= 1 << offset
        for p, row in enumerate(neighbours):
            if p + distance in row:
                mask |= 1 << offset + p + distance
    return spread, repeat, mask
