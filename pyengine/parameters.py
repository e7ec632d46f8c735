"""What methods take: each parameter means the same in every method that has it, and is checked in one way."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any, NamedTuple

from pyengine.ai.search import INFINITE, MAX_DEPTH
from pyengine.ai.transpositions import MOST_NEWS, UPPER, Told
from pyengine.diagram import MAX_TEXT
from pyengine.errors import EngineError
from pyengine.foreign import read_json
from pyengine.jobs import Team
from pyengine.jsonrpc import Id, Json
from pyengine.movetext import MAX_MOVE
from pyengine.record import MAX_ENTRIES
from pyengine.rules import MAX_RULESET

#: The longest text of records read in one request, about a thousand games: files of any length are read from the shell.
MAX_RECORDS = 1_000_000

#: The most workers on one search.
MOST_WORKERS = 8
#: The longest text of what one search tells another.
MAX_ENTRIES_TEXT = 20_000
#: No position has more moves.
MOST_MOVES = 10_000

#: The longest table file, in bytes; a little more than tools/tables.py makes.
MAX_TABLE = 1_100_000


def _bad(name: str, need: str) -> EngineError:
    return EngineError("params", f"{name} must be {need}", name=name)


def _text(longest: int) -> Callable[[str, Any], str]:
    def read(name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise _bad(name, "a text")
        if len(value) > longest:
            message = f"{name} is longer than {longest} characters"
            raise EngineError("too-long", message, name=name, most=longest)
        return value

    return read


def _texts(longest: int, most: int) -> Callable[[str, Any], list[str]]:
    def read(name: str, value: Any) -> list[str]:
        if not isinstance(value, list):
            raise _bad(name, "a list of texts")
        if len(value) > most:
            raise EngineError(
                "too-long", f"{name} has more than {most} items", name=name, most=most
            )
        item = _text(longest)
        return [item(f"{name}[{place}]", text) for place, text in enumerate(value)]

    return read


def _whole(least: int, most: int) -> Callable[[str, Any], int]:
    def read(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise _bad(name, f"a whole number from {least} to {most}")
        return value

    return read


def _tags(name: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
        raise _bad(name, "an object of texts")
    return value


def _object(name: str, value: Any) -> Json:
    if not isinstance(value, dict):
        raise _bad(name, "an object")
    return value


def _bytes(longest: int) -> Callable[[str, Any], bytes]:
    text = _text(-(-longest // 3) * 4)

    def read(name: str, value: Any) -> bytes:
        try:
            return base64.b64decode(text(name, value), validate=True)
        except (binascii.Error, ValueError):
            raise _bad(name, "bytes written as base64") from None

    return read


def _id(name: str, value: Any) -> Id:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _bad(name, "the id of a request: a text or a number")
    return value


def _team(name: str, value: Any) -> Team:
    if not isinstance(value, dict) or value.keys() != {"name", "place", "of"}:
        raise _bad(name, "an object with name, place and of")
    of = _whole(2, MOST_WORKERS)(f"{name}.of", value["of"])
    place = _whole(0, of - 1)(f"{name}.place", value["place"])
    return Team(_text(40)(f"{name}.name", value["name"]), place, of)


def _entries(name: str, value: Any) -> list[Told]:
    try:
        entries = read_json(_text(MAX_ENTRIES_TEXT)(name, value))
    except ValueError:
        raise _bad(name, "JSON in a text") from None
    if not isinstance(entries, list) or len(entries) > MOST_NEWS:
        raise _bad(name, f"a list of at most {MOST_NEWS} entries")
    read: list[Told] = []
    for entry in entries:  # hundreds come in a second, while a search runs
        if not isinstance(entry, list) or [type(part) for part in entry[1:]] != [int] * 4:
            raise _bad(name, "a list of entries [key, depth, bound, value, move]")
        key, depth, bound, value, move = entry
        within = 0 <= depth <= MAX_DEPTH and 0 <= bound <= UPPER and -1 <= move <= MOST_MOVES
        if not within or abs(value) > INFINITE:
            raise _bad(name, "entries with numbers in their bounds")
        read.append((_key(name, key), depth, bound, value, move))
    return read


def _key(name: str, value: Any) -> Any:
    """A position's key as Python has it: JSON knows no tuples."""
    if isinstance(value, list):
        return tuple([_key(name, part) for part in value])
    if type(value) is not int:
        raise _bad(name, "entries whose keys are lists of whole numbers")
    return value


#: A parameter means the same in every method that has it.
READERS: dict[str, Callable[[str, Any], Any]] = {
    "ruleset": _text(MAX_RULESET),
    "position": _text(MAX_TEXT),
    "moves": _texts(MAX_MOVE, MAX_ENTRIES),
    "move": _text(MAX_MOVE),
    "path": _texts(4, 400),
    "depth": _whole(0, 99),
    "nodes": _whole(1, 10**9),
    "ms": _whole(1, 3_600_000),
    "level": _whole(0, 99),
    "lines": _whole(1, 500),
    "seed": _whole(0, 2**53),
    "id": _id,
    "text": _text(MAX_RECORDS),
    "tags": _tags,
    "comments": _object,
    "marks": _object,
    "variations": _object,
    "result": _text(20),
    "reason": _text(40),
    "index": _text(100_000),
    "name": _text(200),
    "data": _bytes(MAX_TABLE),
    "team": _team,
    "entries": _entries,
    "endings": _whole(0, 1_000),
}


class Method(NamedTuple):
    call: Callable[..., Any]
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()

    def read(self, params: Any) -> dict[str, Any]:
        """The checked parameters; raises `EngineError` (`params`, `too-long`) naming the first bad one."""
        if not isinstance(params, dict):
            raise EngineError("params", "params must be an object of named values", name="params")
        known = self.needs + self.may
        for name in params:
            if name not in known:
                message = (
                    f"there is no parameter {name[:40]!r}; known: {', '.join(known) or 'none'}"
                )
                raise EngineError("params", message, name=name[:40])
        given = {name: value for name, value in params.items() if value is not None}
        for name in self.needs:
            if name not in given:
                raise EngineError("params", f"the parameter {name} is missing", name=name)
        return {name: READERS[name](name, value) for name, value in given.items()}
