"""Openings looked up: for positions near the start, the moves that a deep search found as good as its best.

A book is a JSON file in `pyengine/ai/data/books`, made by tools/books.py. Positions that are equal under the symmetries
of the rules share an entry: the one whose text comes first stands for all of them. docs/books.md says how it is made.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pyengine.ai.shipped import file_name, read
from pyengine.ai.tables import signature, symmetries
from pyengine.board import points_of, set_of
from pyengine.diagram import Diagram
from pyengine.errors import EngineError
from pyengine.foreign import read_json
from pyengine.rules import Rules, State, find_rules, rulesets

#: No value in a book is further from 0: that of a win on the spot.
MOST_VALUE = 100_000

_POINT = re.compile(r"[a-z][0-9]+")


class Entry(NamedTuple):
    """What a book says of a position: its value in hundredths of a piece for the side to act (docs/search.md), and the
    texts of the moves that are as good as the best."""

    value: int
    moves: tuple[str, ...]


class Advice(NamedTuple):
    """An entry told for a given position: `moves` are places in `rules.successors(state)`."""

    value: int
    moves: tuple[int, ...]


class View:
    """One symmetry of a ruleset: `to` moves a state's points by it, `back` undoes that.

    `table`: point → point.
    """

    def __init__(self, rules: Rules, table: Sequence[int]) -> None:
        self._rules = rules
        self._there = tuple(table)
        self._back = tuple(sorted(range(len(table)), key=table.__getitem__))

    def to(self, state: State) -> State:
        """The state seen this way, its clock at 0. Raises `EngineError` where it cannot stand so."""
        return _moved(self._rules, state, self._there)

    def back(self, state: State) -> State:
        """The state that looks so when seen this way, its clock at 0."""
        return _moved(self._rules, state, self._back)


def _moved(rules: Rules, state: State, table: Sequence[int]) -> State:
    found = rules.diagram(state)
    board = rules.board

    def image(points: int) -> int:
        return set_of(table[point] for point in points_of(points))

    def name(match: re.Match[str]) -> str:
        return board.names[table[board.index[match[0]]]]

    keys = {key: _POINT.sub(name, value) for key, value in found.keys.items()}
    return rules.build(
        Diagram(image(found.x), image(found.o), image(found.sultans), found.side, 0, keys)
    )


def views(rules: Rules, kept: Iterable[int]) -> list[View]:
    """The symmetries of a ruleset, from their places in `symmetries(board)`."""
    maps = symmetries(rules.board)
    return [View(rules, maps[number]) for number in kept]


def normal(rules: Rules, seen: Iterable[View], state: State) -> tuple[str, View]:
    """The text that stands for a state and all its images, and the view from which it is read.

    >>> rules = find_rules("alquerque/table")
    >>> both = views(rules, (0, 2))
    >>> left, right = (rules.parse(f"ooooo/ooooo/5/5/{row} x 7") for row in ("xx3", "3xx"))
    >>> normal(rules, both, left)[0] == normal(rules, both, right)[0]
    True
    """
    texts = [(rules.format(view.to(state)), view) for view in seen]
    return min(texts, key=lambda pair: pair[0])


class Book:
    """The openings of one ruleset.

    `kept`: which of `symmetries(board)` the rules keep; 0 (as it is) among them. `entries`: by the texts of `normal`.
    `story`: how it was made.
    """

    def __init__(
        self,
        rules: Rules,
        kept: Sequence[int],
        entries: Mapping[str, Entry],
        story: Mapping[str, int],
    ) -> None:
        self.rules = rules
        self.kept = tuple(kept)
        self.entries = entries
        self.story = story
        self._views = views(rules, kept)

    @classmethod
    def read(cls, data: bytes) -> Book:
        """Read a file; raises `EngineError` (`params`) for anything but a whole file of `write`."""
        try:
            found = read_json(data)
            positions = found["positions"]
            if _check(positions) != found["check"]:
                raise ValueError("checksum")
            rules = find_rules(found["ruleset"])
            kept = [_whole(number, 7) for number in found["symmetries"]]
            if 0 not in kept or not set(kept) <= set(range(len(symmetries(rules.board)))):
                raise ValueError("symmetries")
            entries = {text: _entry(*said) for text, said in positions.items()}
            story = {str(name): int(number) for name, number in found["story"].items()}
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            raise EngineError(
                "params", "this is not a whole book of openings", name="data"
            ) from fault
        return cls(rules, kept, entries, story)

    def write(self) -> bytes:
        """The bytes of a file: one line a position, so that a change can be read."""
        positions = {text: [entry.value, *entry.moves] for text, entry in self.entries.items()}
        head = {
            "ruleset": self.rules.ruleset,
            "symmetries": list(self.kept),
            "story": dict(self.story),
            "check": _check(positions),
        }
        lines = [f"{json.dumps(text)}:{_dump(positions[text])}" for text in sorted(positions)]
        body = ",\n".join(lines)
        return f'{_dump(head)[:-1]},\n"positions":{{\n{body}\n}}}}\n'.encode()

    def find(self, state: State) -> Advice | None:
        """What the book says of a state; None when it says nothing."""
        text, view = normal(self.rules, self._views, state)
        entry = self.entries.get(text)
        if entry is None:
            return None
        legal = {move.text: move.after for move in self.rules.legal_moves(self.rules.parse(text))}
        key = self.rules.key
        wanted = {key(view.back(legal[move])) for move in entry.moves if move in legal}
        moves = [
            place
            for place, after in enumerate(self.rules.successors(state))
            if key(after) in wanted
        ]
        return Advice(entry.value, tuple(moves)) if moves else None


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _check(positions: Any) -> int:
    return zlib.crc32(json.dumps(positions, separators=(",", ":"), sort_keys=True).encode())


def _whole(value: Any, most: int) -> int:
    if type(value) is not int or abs(value) > most:
        raise ValueError(f"{value!r} is no whole number up to {most}")
    return value


def _entry(value: Any, *moves: Any) -> Entry:
    if not moves or not all(isinstance(move, str) for move in moves):
        raise ValueError("moves")
    return Entry(_whole(value, MOST_VALUE), moves)


@lru_cache(maxsize=4)
def shipped(rules: Rules) -> Book | None:
    """The book of a ruleset, or of a named one with the same moves, read when first asked for; None where the package
    has none."""
    for ruleset in (rules.ruleset, *_alike(rules)):
        data = read(f"books/{file_name(ruleset, 'json')}")
        if data is not None:
            return Book.read(data) if data else None
    return None


def _alike(rules: Rules) -> Iterator[str]:
    """The named rulesets that have the same moves."""
    for ruleset, _ in rulesets():
        alike = ruleset.startswith(f"{rules.game}/")
        if alike and signature(find_rules(ruleset)) == signature(rules):
            yield ruleset
