"""The numbering of `pyengine.ai.tables.Layout` on whole arrays of positions.

A position is a row of point sets (one `int64` bit set for each set of its material); boards of up to 63 points.
"""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from pyengine.ai.tables import TURN, Layout, symmetries

Sets = NDArray[np.int64]


def points(sets: Sets, count: int) -> NDArray[np.int64]:
    """The points of sets that all have `count` stones, one row a set, in ascending order."""
    out = np.empty((len(sets), count), np.int64)
    rest = sets.copy()
    for column in range(count):
        low = rest & -rest
        out[:, column] = np.bitwise_count(low - 1)
        rest ^= low
    return out


def mapped(sets: Sets, table: tuple[int, ...]) -> Sets:
    """The images of sets under a map of points."""
    out = np.zeros_like(sets)
    for point, image in enumerate(table):
        out |= (sets >> point & 1) << image
    return out


@cache
def _combinations(free: int, count: int) -> NDArray[np.int8]:
    """All combinations of `count` out of `free` points, one row each, in the order of their rank."""
    if not count:
        return np.zeros((1, 0), np.int8)
    parts = []
    for top in range(count - 1, free):
        below = _combinations(top, count - 1)
        parts.append(np.column_stack([below, np.full(len(below), top, np.int8)]))
    return np.concatenate(parts)


class Numbering:
    """`Layout.index` and its inverse for arrays."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.size = layout.size
        self._maps = np.array(layout.maps, np.int64)
        leads = np.array(sorted(layout.numbered), np.int64)
        self._leads = leads
        self._leader = np.array([layout.numbered[int(lead)][0] for lead in leads], np.int64)
        self._map = np.array([layout.numbered[int(lead)][1] for lead in leads], np.int64)
        self._leaders = np.array(layout.leaders, np.int64)
        self._turn = symmetries(layout.board)[TURN]

    def index(self, sets: list[Sets], side: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """The number of each position; `side` is 0 everywhere where it is not given."""
        layout = self.layout
        if side is not None and side.any():
            sets = [np.where(side == 1, mapped(one, self._turn), one) for one in sets]
        lead = sets[layout.lead]
        found = np.searchsorted(self._leads, lead)
        index = self._leader[found]
        which = self._map[found][:, None]
        used = mapped_rows(self._maps, which, points(lead, layout.material[layout.lead]))
        for place, block in zip(layout.others, layout.blocks, strict=True):
            count = layout.material[place]
            own = np.sort(mapped_rows(self._maps, which, points(sets[place], count)), axis=1)
            rank = np.zeros(len(lead), np.int64)
            for column in range(count):
                free = own[:, column] - (used < own[:, column, None]).sum(axis=1)
                rank += _binomials(layout.board.size, column + 1)[free]
            index = index * block + rank
            used = np.concatenate([used, own], axis=1)
        return index

    def sets(self, start: int, stop: int) -> list[Sets]:
        """The positions numbered from `start` to `stop`, side 0 to act, as sets in the order of the material."""
        layout = self.layout
        rest = np.arange(start, stop, dtype=np.int64)
        ranks = []
        for block in reversed(layout.blocks):
            rest, rank = np.divmod(rest, block)
            ranks.append(rank)
        lead = self._leaders[rest]
        out = [np.zeros(stop - start, np.int64) for _ in layout.material]
        out[layout.lead] = lead
        used = points(lead, layout.material[layout.lead])
        free = layout.board.size - layout.material[layout.lead]
        for place, rank in zip(layout.others, reversed(ranks), strict=True):
            count = layout.material[place]
            chosen = _combinations(free, count)[rank].astype(np.int64)
            for column in range(used.shape[1]):
                chosen += chosen >= used[:, column, None]
            out[place] = np.bitwise_or.reduce(np.left_shift(1, chosen), axis=1)
            used = np.sort(np.concatenate([used, chosen], axis=1), axis=1)
            free -= count
        return out


def mapped_rows(
    maps: NDArray[np.int64], which: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The images of points, each row under its own map."""
    return maps[which, rows]


@cache
def _binomials(size: int, count: int) -> NDArray[np.int64]:
    return np.array([comb(point, count) for point in range(size + 1)], np.int64)
