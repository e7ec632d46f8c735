"""Records cut into tokens, line by line, so that a file of any length is read in little memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pyengine.notation.model import MAX_COMMENT

#: So many lines without a token are told by a `gap`, so that whoever reads can pause there.
LONGEST_GAP = 1000
#: Signs after a move and the numeric marks they stand for.
SIGNS = {"!": "1", "?": "2", "!!": "3", "??": "4", "!?": "5", "?!": "6"}

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<tag>\[\s*(?P<name>[A-Za-z][A-Za-z0-9_]{0,39})\s+"(?P<value>[^"\\]*+(?:\\.[^"\\]*+)*+)"\s*\])
    | (?P<brace>\{)
    | (?P<rest>;.*)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<mark>\$[0-9]{1,3}(?![0-9])|[!?]{1,2})
    | (?P<result>(?:1-0|0-1|1/2-1/2|½-½|\*)(?=[\s(){}\[\];]|$))
    | (?P<number>[0-9]{1,4}(?:\s*\.+|…)?)
    | (?P<word>[^\s(){}\[\];$!?0-9][^\s(){}\[\];$!?]*)
    | (?P<strange>\[.*|.)
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """`kind`: tag, comment, open, close, mark, result, number, word, strange, unclosed (a comment that never ends), gap
    (nothing for many lines) or end. `text`: what stands there, of a comment or a tag its content; `name`: of a tag.
    `line`, `column` from 1."""

    kind: str
    text: str
    line: int
    column: int
    name: str = ""


def tokens(lines: Iterable[str]) -> Iterator[Token]:
    """All tokens of a text given in lines; the last one is `end`."""
    comment: list[str] | None = None
    kept = 0
    opened = (0, 0)
    number = heard = 0
    for number, line in enumerate(lines, 1):
        if number - heard >= LONGEST_GAP:
            heard = number
            yield Token("gap", "", number, 1)
        text = line.removeprefix("\ufeff") if number == 1 else line
        if comment is None and text.startswith("%"):  # PGN's escape for other programs' lines
            continue
        place = 0
        while place < len(text):
            if comment is not None:
                end = text.find("}", place)
                if kept < MAX_COMMENT:
                    comment.append(text[place:] if end < 0 else text[place:end])
                    kept += len(comment[-1])
                if end < 0:
                    break
                yield Token("comment", " ".join(comment), *opened)
                comment = None
                heard = number
                place = end + 1
                continue
            match = _TOKEN.match(text, place)
            assert match is not None  # `strange` takes any character, `space` the line's end
            kind = match.lastgroup or ""
            if match["tag"] is not None:
                value = re.sub(r"\\(.)", r"\1", match["value"])
                yield Token("tag", value, number, place + 1, match["name"])
            elif kind == "brace":
                comment, kept, opened = [], 0, (number, place + 1)
            elif kind == "rest":
                yield Token("comment", match["rest"][1:], number, place + 1)
            elif kind == "mark":
                yield Token("mark", match["mark"], number, place + 1)
            elif kind != "space":
                yield Token(kind, match[0], number, place + 1)
            if kind not in ("space", "brace"):
                heard = number
            place = match.end()
    if comment is not None:
        yield Token("unclosed", " ".join(comment)[:40], *opened)
    yield Token("end", "", number + 1, 1)


def mark_number(text: str) -> int:
    """The numeric mark of `$3` or `!!`."""
    return int(SIGNS[text] if text in SIGNS else text[1:])
