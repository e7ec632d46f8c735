"""Position text, `BOARD SIDE CLOCK [key=value …]` (rules §1): the grammar, without the meaning of any game."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pyengine.board import Board
from pyengine.errors import EngineError

#: The longest position text read: far above any real one, so that foreign text cannot cost time.
MAX_TEXT = 4000
#: The largest clock read.
MAX_CLOCK = 9999
PIECES = "xoXO"
SIDES = "xo"
KEYS = ("hand", "huff", "prev")


@dataclass(frozen=True, slots=True)
class Diagram:
    """What a position text says: sets of points for both sides, side 0 (x) or 1 (o), clock in plies, raw keys."""

    x: int
    o: int
    sultans: int
    side: int
    clock: int
    keys: dict[str, str] = field(default_factory=dict)


def parse_diagram(board: Board, text: str) -> Diagram:
    """Read a position text for a board of this size.

    Spaces may be written `_`, as in a URL. Raises `EngineError` of a kind `position.…` that says what and where.
    """
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise EngineError("position.syntax", "the position text is not a text of sensible length")
    words = text.replace("_", " ").split()
    if len(words) < 3:
        missing = ("the board", "the side to move (x or o)", "the clock (a number)")[len(words)]
        kind = ("position.syntax", "position.side", "position.clock")[len(words)]
        raise EngineError(kind, f"the position text lacks {missing}", found="")
    x, o, sultans = _parse_board(board, words[0])
    if words[1] not in SIDES or len(words[1]) != 1:
        raise EngineError(
            "position.side",
            f"the side to move must be x or o, not {words[1]!r}",
            found=words[1][:20],
        )
    if not re.fullmatch(r"[0-9]{1,4}", words[2]):
        raise EngineError(
            "position.clock",
            f"the clock must be a number of plies from 0 to {MAX_CLOCK}, not {words[2][:20]!r}",
            found=words[2][:20],
        )
    return Diagram(x, o, sultans, SIDES.index(words[1]), int(words[2]), _parse_keys(words[3:]))


def _parse_board(board: Board, text: str) -> tuple[int, int, int]:
    rows = text.split("/")
    if len(rows) != board.rows:
        raise EngineError(
            "position.rows",
            f"the board has {board.rows} rows, the text has {len(rows)}",
            expected=board.rows,
            found=len(rows),
        )
    sets = dict.fromkeys(PIECES, 0)
    for number, row in enumerate(rows, 1):
        rank = board.rows - number
        column = 0
        for item in re.findall(r"[0-9]+|[^0-9]", row):
            if item.isdecimal() and item.isascii():
                if len(item) > 2 or item.startswith("0"):
                    raise EngineError(
                        "position.character",
                        f"row {number}: {item[:10]!r} is not a number of empty points",
                        row=number,
                        found=item[:10],
                    )
                column += int(item)
            elif item in sets:
                if column < board.columns:
                    sets[item] |= 1 << rank * board.columns + column
                column += 1
            else:
                raise EngineError(
                    "position.character",
                    f"row {number}: unknown character {item!r}; only x, o, X, O and numbers stand in a board",
                    row=number,
                    found=item,
                )
        if column != board.columns:
            raise EngineError(
                "position.row-length",
                f"row {number} has {column} points instead of {board.columns}",
                row=number,
                expected=board.columns,
                found=column,
            )
    return sets["x"] | sets["X"], sets["o"] | sets["O"], sets["X"] | sets["O"]


def _parse_keys(words: list[str]) -> dict[str, str]:
    keys: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if name not in KEYS or not equals or name in keys:
            raise EngineError(
                "position.key",
                f"{word[:40]!r} is not one of hand=…, huff=…, prev=…, each given once",
                found=word[:40],
            )
        keys[name] = value
    return keys


def format_diagram(board: Board, diagram: Diagram) -> str:
    """Write the canonical position text: keys in alphabetical order, empty keys left out."""
    rows = []
    for rank in reversed(range(board.rows)):
        row, gap = "", 0
        for point in range(rank * board.columns, (rank + 1) * board.columns):
            bit = 1 << point
            piece = "x" if diagram.x & bit else "o" if diagram.o & bit else ""
            if not piece:
                gap += 1
                continue
            row += (str(gap) if gap else "") + (piece.upper() if diagram.sultans & bit else piece)
            gap = 0
        rows.append(row + (str(gap) if gap else ""))
    keys = "".join(f" {name}={diagram.keys[name]}" for name in sorted(diagram.keys))
    return f"{'/'.join(rows)} {SIDES[diagram.side]} {diagram.clock}{keys}"


def parse_points(board: Board, text: str, kind: str) -> list[int]:
    """Read a list of points separated by commas; raises `EngineError(kind)` for a name not on the board."""
    points = []
    for name in text.split(","):
        if name not in board.index:
            raise EngineError(kind, f"{name[:10]!r} is not a point of this board", found=name[:10])
        points.append(board.index[name])
    return points
