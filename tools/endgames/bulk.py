"""All successors of many positions at once, asked from the rules: no rule is written down here.

Positions are those of one material with side 0 to act; `Expander.expand` tells for each its successors as (material,
number), which is all that working backwards needs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pyengine.ai.tables import TURN, Layout, Material, sets_of, symmetries
from pyengine.board import points_of, set_of
from pyengine.diagram import Diagram
from pyengine.errors import EngineError
from pyengine.rules import Rules, State, find_rules
from tools.endgames.arrays import Numbering, Sets

#: In `Batch.ends`: the position has successors; it cannot stand on the board.
GOES_ON, IMPOSSIBLE = 2, 3


@dataclass
class Batch:
    """Successors of a run of positions.

    `counts[i]`: how many position i has; the following three arrays hold all of them in order. `materials[to_material]`
    and `to_index` name a successor; `same`: the same side goes on. `ends[i]`: the result for the side to act where
    there is no successor, or `GOES_ON`, or `IMPOSSIBLE`.
    """

    counts: NDArray[np.int64]
    materials: list[Material]
    to_material: NDArray[np.int64]
    to_index: NDArray[np.int64]
    same: NDArray[np.bool_]
    ends: NDArray[np.int8]


class StateMaker:
    """States of one ruleset from sets of points, side 0 to act, clock 0, without asking the parser each time."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        board = rules.board
        self.men = [0, 0]
        template: State | None = None
        for side, point in product((0, 1), range(board.size)):
            other = 1 << (point + 1) % board.size
            man = 1 << point
            x, o = (man, other) if side == 0 else (other, man)
            sultans = other if rules.sultans else 0
            with suppress(EngineError):  # a man that cannot stand there
                template = rules.build(Diagram(x, o, sultans, 0, 0))
                self.men[side] |= man
        if template is None or any(template[5 if rules.sultans else 4 :]):
            raise ValueError(f"{rules.ruleset}: positions hold more than pieces")
        self._tail = template[5 if rules.sultans else 4 :]

    def possible(self, sets: list[Sets]) -> NDArray[np.bool_]:
        """Which positions can stand on the board."""
        foe_men = sets[2] if self.rules.sultans else sets[1]
        return np.asarray((sets[0] & ~self.men[0] | foe_men & ~self.men[1]) == 0)

    def states(self, sets: list[Sets]) -> Iterator[State]:
        """The states, one by one."""
        tail = self._tail
        if self.rules.sultans:
            own, foe = (sets[0] | sets[1]).tolist(), (sets[2] | sets[3]).tolist()
            for mine, other, sultans in zip(own, foe, (sets[1] | sets[3]).tolist(), strict=True):
                yield (mine, other, 0, 0, sultans, *tail)
        else:
            for mine, other in zip(sets[0].tolist(), sets[1].tolist(), strict=True):
                yield (mine, other, 0, 0, *tail)

    def state(self, sets: list[int]) -> State:
        """One state."""
        return next(self.states([np.array([one], np.int64) for one in sets]))


class Expander:
    """Bulk successors under one ruleset and the symmetries that number its positions."""

    def __init__(self, ruleset: str, kept: tuple[int, ...]) -> None:
        self.rules = find_rules(ruleset)
        self.kept = kept
        self.maker = StateMaker(self.rules)
        self._numberings: dict[Material, Numbering] = {}

    def numbering(self, material: Material) -> Numbering:
        """The numbering of a material, made once."""
        found = self._numberings.get(material)
        if found is None:
            layout = Layout(self.rules.board, self.kept, material)
            found = self._numberings[material] = Numbering(layout)
        return found

    def decided(self, material: Material) -> int | None:
        """The result for the side to act where the numbers of pieces alone decide the game."""
        free = iter(range(self.rules.board.size))
        sets = [
            np.array([set_of(next(free) for _ in range(count))], np.int64) for count in material
        ]
        state = next(self.maker.states(sets))
        if not self.rules.decided(state):
            return None
        return self.rules.result(state)

    def expand(self, material: Material, start: int, stop: int) -> Batch:
        """The successors of the positions numbered `start` to `stop`."""
        sets = self.numbering(material).sets(start, stop)
        generate, result = self.rules.generate, self.rules.result
        counts = np.zeros(stop - start, np.int64)
        ends = np.full(stop - start, GOES_ON, np.int8)
        found: list[State] = []
        possible = self.maker.possible(sets).tolist()
        for number, state in enumerate(self.maker.states(sets)):
            if not possible[number]:
                ends[number] = IMPOSSIBLE
                continue
            after = generate(state)
            if after:
                counts[number] = len(after)
                found += after
            else:
                ends[number] = result(state)
        return self._numbered(found, counts, ends)

    def _numbered(
        self, found: list[State], counts: NDArray[np.int64], ends: NDArray[np.int8]
    ) -> Batch:
        columns = [np.array(column, np.int64) for column in list(zip(*found, strict=True))[:3]]
        own, foe, side = columns or [np.zeros(0, np.int64)] * 3
        if self.rules.sultans:
            sultans = np.array([state[4] for state in found], np.int64)
            sets = [own & ~sultans, own & sultans, foe & ~sultans, foe & sultans]
        else:
            sets = [own, foe]
        sizes = np.stack([np.bitwise_count(one).astype(np.int64) for one in sets], axis=1)
        code = sizes @ (64 ** np.arange(len(sets), dtype=np.int64))
        _, first, to_material = np.unique(code, return_index=True, return_inverse=True)
        materials: list[Material] = [tuple(sizes[place].tolist()) for place in first]
        to_index = np.zeros(len(own), np.int64)
        for number, material in enumerate(materials):
            if self.decided(material) is None:
                at = np.flatnonzero(to_material == number)
                to_index[at] = self.numbering(material).index([one[at] for one in sets], side[at])
        return Batch(counts, materials, to_material, to_index, side == 0, ends)


@lru_cache(maxsize=8)
def expander(ruleset: str, kept: tuple[int, ...]) -> Expander:
    """The `Expander` of this process for a ruleset."""
    return Expander(ruleset, kept)


def expand_job(job: tuple[str, tuple[int, ...], Material, int, int]) -> Batch:
    """`Expander.expand` as a task that can be sent to another process or machine."""
    ruleset, kept, material, start, stop = job
    return expander(ruleset, kept).expand(material, start, stop)


def random_sets(rules: Rules, chance: random.Random, most: int) -> list[int]:
    """Sets of a random position that can stand on the board, with 2 to `most` pieces."""
    men = StateMaker(rules).men
    while True:
        chosen = chance.sample(range(rules.board.size), chance.randint(2, most))
        cut = chance.randint(1, len(chosen) - 1)
        own, foe = set_of(chosen[:cut]), set_of(chosen[cut:])
        if not rules.sultans:
            return [own, foe]
        sultans = set_of(point for point in chosen if chance.random() < 0.5)
        sultans |= own & ~men[0] | foe & ~men[1]
        return [own & ~sultans, own & sultans, foe & ~sultans, foe & sultans]


def kept_symmetries(rules: Rules, samples: int = 400, seed: int = 1) -> tuple[int, ...]:
    """Which of the board's symmetries the rules keep, found by trying them on random positions.

    Raises `ValueError` where turning the board and exchanging the colours changes the moves: positions of both sides
    could then not share a number.
    """
    chance = random.Random(seed)
    maker = StateMaker(rules)
    maps = symmetries(rules.board)
    kept = set(range(len(maps)))
    most = min(8, rules.board.size - 1)
    for _ in range(samples):
        sets = random_sets(rules, chance, most)
        state = maker.state(sets)
        after = sorted(_images(rules, state, maps[0]))
        turned = [_map(bits, maps[TURN]) for bits in sets]
        other = maker.state(turned)
        reply = (other[0], other[1], 1, *other[3:])
        if sorted(_images(rules, reply, maps[TURN])) != sorted(
            (1 - side, *found) for side, *found in after
        ):
            raise ValueError(f"{rules.ruleset}: the sides do not play alike")
        for number in tuple(kept):
            moved = [_map(bits, maps[number]) for bits in sets]
            possible = maker.possible([np.array([one]) for one in moved]).all()
            back = _inverse(maps[number])
            if not possible or sorted(_images(rules, maker.state(moved), back)) != after:
                kept.discard(number)
    return tuple(sorted(kept))


def _images(rules: Rules, state: State, table: tuple[int, ...]) -> list[tuple[int, ...]]:
    """(side, sets) of all successors under a map of points."""
    found = rules.generate(state)
    if any(any(after[5 if rules.sultans else 4 :]) for after in found):
        raise ValueError(f"{rules.ruleset}: positions hold more than pieces")
    return [(after[2], *(_map(bits, table) for bits in sets_of(rules, after))) for after in found]


def _map(bits: int, table: tuple[int, ...]) -> int:
    return set_of(table[point] for point in points_of(bits))


def _inverse(table: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(point) for point in np.argsort(table))
