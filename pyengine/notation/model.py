"""What a game record holds, and what may be wrong with one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyengine.errors import EngineError
from pyengine.record import MAX_ENTRIES

#: The longest comment and tag value kept, in characters.
MAX_COMMENT = 20_000
#: How deep variations may stand in variations, and how many one game may have.
MAX_NESTING = 20
MAX_VARIATIONS = 1000
#: How many moves and events one game may have, those of its variations included.
MAX_MOVES = 10_000
#: How many faults are told of one game.
MAX_FAULTS = 100
#: Numeric marks of moves ("numeric annotation glyphs"): 1 is good, 2 a mistake …
MAX_MARK = 255
#: How many marks one move may have.
MAX_MARKS = 50

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
#: Tags that the rest of a record says already.
DERIVED_TAGS = ("Game", "Ruleset", "Result", "Reason", "FEN")
#: Result → how it is written.
RESULTS = {"x": "1-0", "o": "0-1", "draw": "1/2-1/2", None: "*"}


@dataclass(slots=True)
class Line:
    """Moves and events in a row, with what is said about them.

    `comments`: number of an entry, from 1 → the comment after it; 0: the comment before the first. `marks`: number →
    numeric marks. `variations`: number → lines that could have been played instead of that entry.
    """

    moves: list[str] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    marks: dict[int, tuple[int, ...]] = field(default_factory=dict)
    variations: dict[int, list[Line]] = field(default_factory=dict)

    def all_lines(self) -> Iterator[Line]:
        """The line itself and everything that stands in its variations."""
        yield self
        for lines in self.variations.values():
            for line in lines:
                yield from line.all_lines()

    def as_data(self) -> dict[str, Any]:
        """The line as a JSON object; numbers of entries become texts."""
        return {
            "moves": self.moves,
            "comments": {str(n): text for n, text in self.comments.items()},
            "marks": {str(n): list(marks) for n, marks in self.marks.items()},
            "variations": {
                str(n): [line.as_data() for line in lines] for n, lines in self.variations.items()
            },
        }

    @classmethod
    def from_data(cls, data: Any, nesting: int = 0) -> Line:
        """The line of a JSON object; raises `EngineError` (`params`, `too-long`) for anything out of shape."""
        if nesting > MAX_NESTING:
            message = f"variations stand at most {MAX_NESTING} deep"
            raise EngineError("too-long", message, most=MAX_NESTING)
        data = _checked(data, dict, "a line")
        moves = _checked(data.get("moves", []), list, "moves")
        if len(moves) > MAX_ENTRIES:
            message = f"a game has at most {MAX_ENTRIES} moves and events"
            raise EngineError("too-long", message, most=MAX_ENTRIES)
        last = len(moves)
        line = cls([_checked(text, str, "a move") for text in moves])
        for number, text in _numbered(data, "comments", 0, last):
            tidied = tidy_comment(_checked(text, str, "a comment"))
            if tidied:
                line.comments[number] = tidied
        for number, marks in _numbered(data, "marks", 1, last):
            marks = _checked(marks, list, "marks")
            if len(marks) > MAX_MARKS:
                raise EngineError(
                    "too-long", f"a move has at most {MAX_MARKS} marks", most=MAX_MARKS
                )
            line.marks[number] = tuple(map(_mark, marks))
        for number, lines in _numbered(data, "variations", 1, last):
            lines = _checked(lines, list, "variations")
            line.variations[number] = [cls.from_data(item, nesting + 1) for item in lines]
            if not all(other.moves for other in line.variations[number]):
                raise EngineError("params", "a variation has a move at least", name="variations")
        return line


@dataclass(slots=True)
class Record:
    """One game.

    `position`: the start as text, None for the ruleset's own. `result`: `"x"`, `"o"`, `"draw"` or None, as played or,
    where the moves leave the game open, as claimed; `reason`: why, in the words of rules §1, None when not told.
    `tags`: all other tags, such as `Date`, `X` and `O` (the players).
    """

    ruleset: str
    position: str | None = None
    line: Line = field(default_factory=Line)
    tags: dict[str, str] = field(default_factory=dict)
    result: str | None = None
    reason: str | None = None

    def as_data(self) -> dict[str, Any]:
        """The record as `GameText` of docs/wire.md."""
        return {
            "tags": self.tags,
            "ruleset": self.ruleset,
            "position": self.position,
            **self.line.as_data(),
            "result": self.result,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a record and where: `line` and `column` from 1, `found` the text there, `candidates` what may
    have been meant, `game` the number of the game in the text, from 0, `legal` the moves up to the fault."""

    kind: str
    message: str
    line: int
    column: int
    found: str = ""
    candidates: tuple[str, ...] = ()
    game: int = 0
    legal: tuple[str, ...] = ()

    def __str__(self) -> str:
        meant = f" (perhaps {', '.join(self.candidates)})" if self.candidates else ""
        return f"line {self.line}, column {self.column}: {self.message}{meant}"

    def as_data(self) -> dict[str, Any]:
        """The fault as `Fault` of docs/wire.md."""
        return {
            "kind": self.kind,
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "found": self.found,
            "candidates": list(self.candidates),
            "game": self.game,
            "legal": list(self.legal),
        }


def tidy_comment(text: str) -> str:
    """A comment as it can be written: single spaces, no braces (they would end it), not too long."""
    return " ".join(text.replace("{", "(").replace("}", ")").split())[:MAX_COMMENT].rstrip()


def tidy_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """Tags as they can be written, those left out that the record says itself.

    Raises `EngineError` (`record.tag`) for a name that is not made of letters, digits and `_`.
    """
    tidied = {}
    for name, value in tags.items():
        if not TAG_NAME.fullmatch(name):
            message = f"{name[:40]!r} is not the name of a tag: letters, digits and _ only"
            raise EngineError("record.tag", message, found=name[:40])
        if name not in DERIVED_TAGS:
            tidied[name] = " ".join(value.split())[:MAX_COMMENT].rstrip()
    return tidied


def read_result(text: str | None) -> str | None:
    """`"x"`, `"o"`, `"draw"` or None for any usual way to write a result; raises `EngineError`."""
    folded = "".join((text or "*").lower().split())
    known = {
        "1-0": "x",
        "0-1": "o",
        "1/2-1/2": "draw",
        "½-½": "draw",
        "x": "x",
        "o": "o",
        "draw": "draw",
        "*": None,
        "?": None,
    }
    if folded not in known:
        message = f"{folded[:20]!r} is not a result: 1-0, 0-1, 1/2-1/2 or *"
        raise EngineError(
            "record.result", message, found=folded[:20], candidates=["1-0", "0-1", "1/2-1/2", "*"]
        )
    return known[folded]


def _checked(value: Any, kind: type, name: str) -> Any:
    if not isinstance(value, kind):
        raise EngineError("params", f"{name} must be a {kind.__name__}", name=name)
    return value


def _numbered(
    data: Mapping[str, Any], name: str, least: int, most: int
) -> Iterable[tuple[int, Any]]:
    """The items of an object whose names are numbers of entries, in order."""
    items = _checked(data.get(name, {}), dict, name)
    for text in items:
        if not re.fullmatch(r"[0-9]{1,4}", text) or not least <= int(text) <= most:
            message = f"{name}: {text[:20]!r} is not a number from {least} to {most}"
            raise EngineError("params", message, name=name)
    return sorted((int(text), value) for text, value in items.items())


def _mark(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_MARK:
        message = f"a mark is a whole number from 0 to {MAX_MARK}"
        raise EngineError("params", message, name="marks")
    return value
