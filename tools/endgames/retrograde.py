"""Working backwards from the ends: which positions are won, lost or drawn, and how far the next capture is.

A *unit* is a material and the same with the sides exchanged: their positions reach each other by quiet moves. All
other successors lie in units with fewer pieces (or fewer men, after a promotion), which are solved before. So each
unit needs two steps: ask the rules for all successors, then go backwards from what is known, one ply at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyengine.ai.tables import Material
from pyengine.rules import Rules
from tools.endgames.bulk import GOES_ON, IMPOSSIBLE, Batch, Expander

#: What the distance counts down to: the next capture (or the end), or the end of the game.
Metric = Literal["capture", "win"]
#: A value for each position of a material, as `pyengine.ai.tables.encode` writes it, but 16 bits wide.
Codes = NDArray[np.uint16]
#: Turns tasks (ruleset, symmetries, material, start, stop) into batches, in order.
Mapper = Callable[[list[tuple[str, tuple[int, ...], Material, int, int]]], Iterable[Batch]]

#: Positions asked for in one task.
CHUNK = 20_000
NEVER = np.iinfo(np.int32).max


def swapped(material: Material) -> Material:
    """The material seen by the other side."""
    half = len(material) // 2
    return material[half:] + material[:half]


def units(rules: Rules, most: int, sultans_only: int = 0) -> list[list[Material]]:
    """All units of 2 to `most` pieces in the order in which they can be solved; with Sultans, up to `sultans_only`
    pieces of units without men too."""
    kinds = 2 if rules.sultans else 1
    found = []
    for total in range(2, max(most, sultans_only) + 1):
        for material in _compositions(total, 2 * kinds):
            own, foe = sum(material[:kinds]), sum(material[kinds:])
            if not own or not foe or own > rules.set_sizes[0] or foe > rules.set_sizes[1]:
                continue
            if total > most and any(material[::kinds]):
                continue
            if material >= swapped(material):
                found.append(material)
    found.sort(key=lambda one: (sum(one), sum(one[::kinds]) if kinds > 1 else 0, one))
    return [list(dict.fromkeys((one, swapped(one)))) for one in found]


def _compositions(total: int, parts: int) -> Iterator[Material]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


@dataclass
class _Unit:
    """The positions of one unit as one row, and what is known of each from outside it."""

    offsets: dict[Material, int]
    size: int
    #: The ply at which a move out of the unit wins, or NEVER; the ply at which the last move out of it has lost.
    win_at: NDArray[np.int32] = field(init=False)
    lost_at: NDArray[np.int32] = field(init=False)
    #: A move out of the unit that does not lose: such a position is never lost.
    safe: NDArray[np.bool_] = field(init=False)
    ended: NDArray[np.int8] = field(init=False)
    sources: list[NDArray[np.int32]] = field(default_factory=list)
    targets: list[NDArray[np.int32]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.win_at = np.full(self.size, NEVER, np.int32)
        self.lost_at = np.zeros(self.size, np.int32)
        self.safe = np.zeros(self.size, np.bool_)
        self.ended = np.full(self.size, GOES_ON, np.int8)


def solve_unit(
    expander: Expander,
    unit: list[Material],
    known: dict[Material, Codes],
    mapper: Mapper,
    metric: Metric = "capture",
    progress: Callable[[int, int], None] = lambda done, size: None,
) -> dict[Material, Codes]:
    """The codes of all positions of a unit; `known` holds every unit that its moves can lead to."""
    sizes = [expander.numbering(material).size for material in unit]
    starts = np.cumsum([0, *sizes]).tolist()
    rows = _Unit(dict(zip(unit, starts, strict=False)), starts[-1])
    jobs = [
        (expander.rules.ruleset, expander.kept, material, start, min(start + CHUNK, size))
        for material, size in zip(unit, sizes, strict=True)
        for start in range(0, size, CHUNK)
    ]
    for job, batch in zip(jobs, mapper(jobs), strict=True):
        material, start = job[2], job[3]
        _take_in(
            rows, rows.offsets[material] + start, batch, sum(material), known, expander, metric
        )
        progress(rows.offsets[material] + job[4], rows.size)
    codes = _backwards(rows)
    return {
        material: codes[rows.offsets[material] : rows.offsets[material] + size]
        for material, size in zip(unit, sizes, strict=True)
    }


def _take_in(
    rows: _Unit,
    first: int,
    batch: Batch,
    pieces: int,
    known: dict[Material, Codes],
    expander: Expander,
    metric: Metric,
) -> None:
    """Sort the successors of a batch into moves inside the unit and moves out of it, whose values are known."""
    rows.ended[first : first + len(batch.ends)] = batch.ends
    source = np.repeat(np.arange(first, first + len(batch.counts)), batch.counts)
    for number, material in enumerate(batch.materials):
        at = np.flatnonzero(batch.to_material == number)
        here, same = source[at], batch.same[at]
        if material in rows.offsets:
            if same.any():
                raise ValueError("the same side goes on after a quiet move: not for these tables")
            rows.sources.append(here.astype(np.int32))
            rows.targets.append((batch.to_index[at] + rows.offsets[material]).astype(np.int32))
            continue
        end = expander.decided(material)
        if end is None:
            codes = known[material][batch.to_index[at]].astype(np.int32)
        else:
            codes = np.full(len(at), 0 if not end else 1 if end > 0 else 2, np.int32)
        wins = np.where(same, codes & 1 == 1, (codes & 1 == 0) & (codes > 0))
        loses = np.where(same, (codes & 1 == 0) & (codes > 0), codes & 1 == 1)
        distance = np.where(codes & 1 == 1, codes >> 1, (codes >> 1) - 1) + 1
        if metric == "capture" and sum(material) < pieces:
            distance[:] = 1
        np.minimum.at(rows.win_at, here[wins], distance[wins])
        np.maximum.at(rows.lost_at, here[loses], distance[loses])
        rows.safe[here[~loses]] = True


def _backwards(rows: _Unit) -> Codes:
    """Codes of all positions of a unit, one more ply at a time."""
    sources = np.concatenate(rows.sources) if rows.sources else np.zeros(0, np.int32)
    targets = np.concatenate(rows.targets) if rows.targets else np.zeros(0, np.int32)
    rows.sources, rows.targets = [], []
    left = np.bincount(sources, minlength=rows.size).astype(np.int32)
    order = np.argsort(targets, kind="stable")
    before = sources[order]
    begin = np.concatenate([[0], np.cumsum(np.bincount(targets, minlength=rows.size))])
    del sources, targets, order

    codes = np.zeros(rows.size, np.uint16)
    losing: dict[int, list[NDArray[np.int64]]] = defaultdict(list)
    winning: dict[int, list[NDArray[np.int64]]] = defaultdict(list)
    losing[0].append(np.flatnonzero(rows.ended == -1))
    winning[0].append(np.flatnonzero(rows.ended == 1))
    open_rows = rows.ended == GOES_ON
    for ply in np.unique(rows.win_at[open_rows & (rows.win_at < NEVER)]).tolist():
        winning[ply].append(np.flatnonzero(open_rows & (rows.win_at == ply)))
    stuck = open_rows & (left == 0) & ~rows.safe
    for ply in np.unique(rows.lost_at[stuck]).tolist():
        losing[ply].append(np.flatnonzero(stuck & (rows.lost_at == ply)))

    ply = 0
    while winning or losing:
        won = _undecided(codes, winning.pop(ply, []))
        codes[won] = 2 * ply + 1
        lost = _undecided(codes, losing.pop(ply, []))
        codes[lost] = 2 * ply + 2
        ply += 1
        if len(lost):
            winning[ply].append(_before(lost, before, begin))
        if len(won):
            touched, times = np.unique(_before(won, before, begin), return_counts=True)
            left[touched] -= times.astype(np.int32)
            done = touched[(left[touched] == 0) & ~rows.safe[touched]]
            at = np.maximum(rows.lost_at[done], ply)
            for later in np.unique(at).tolist():
                losing[later].append(done[at == later])
    codes[rows.ended == IMPOSSIBLE] = 0
    return codes


def _undecided(codes: Codes, found: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    if not found:
        return np.zeros(0, np.int64)
    rows = np.unique(np.concatenate(found))
    return rows[codes[rows] == 0]


def _before(
    rows: NDArray[np.int64], before: NDArray[np.int32], begin: NDArray[np.int64]
) -> NDArray[np.int64]:
    """All positions with a move to one of these, once for each move."""
    starts, counts = begin[rows], begin[rows + 1] - begin[rows]
    offsets = np.repeat(starts - np.cumsum(counts) + counts, counts)
    return before[offsets + np.arange(len(offsets))].astype(np.int64)
