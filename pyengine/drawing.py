"""A position drawn in plain characters, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from pyengine.board import Board
from pyengine.describe import pieces
from pyengine.rules import Rules, State

UP, RIGHT, UP_RIGHT, UP_LEFT = 0, 1, 4, 7
EMPTY = "."
MARKED = "*"


def draw(rules: Rules, state: State) -> str:
    """The board with its lines, ranks at the left and columns below; an empty point with a mark is a `*`.

    >>> from pyengine.rules import find_rules
    >>> rules = find_rules("fanorona/telo")
    >>> print(draw(rules, rules.start()))
     3  o---o---o
        | \\ | / |
     2  o---.---x
        | / | \\ |
     1  x---x---x
    <BLANKLINE>
        a   b   c
    """
    board = rules.board
    signs = pieces(rules, state)
    for mark in rules.marks():
        signs.setdefault(board.names[mark["point"]], MARKED)
    lines = []
    for rank in reversed(range(board.rows)):
        lines.append(f"{rank + 1:2}  " + _rank(board, signs, rank, rules.surface == "lines"))
        if rank and rules.surface == "lines":
            lines.append("    " + _between(board, rank - 1))
    gap = " " * (3 if rules.surface == "lines" else 1)
    lines += ["", "    " + gap.join(chr(97 + column) for column in range(board.columns))]
    return "\n".join(line.rstrip() for line in lines)


def _rank(board: Board, signs: dict[str, str], rank: int, lined: bool) -> str:
    text = ""
    for column in range(board.columns):
        point = rank * board.columns + column
        joined = board.neighbours[point][RIGHT] is not None
        text += signs.get(board.names[point], EMPTY)
        text += ("---" if joined else "   ") if lined else " "
    return text.rstrip("- ") if not lined else text[: 4 * board.columns - 3]


def _between(board: Board, rank: int) -> str:
    """The lines drawn from a rank up to the next one."""
    return "".join(_strokes(board, rank))


def _strokes(board: Board, rank: int) -> Iterator[str]:
    for column in range(board.columns):
        point = rank * board.columns + column
        ways = board.neighbours[point]
        yield "|" if ways[UP] is not None else " "
        if column + 1 < board.columns:
            rising = ways[UP_RIGHT] is not None
            falling = board.neighbours[point + 1][UP_LEFT] is not None
            yield f" {'X' if rising and falling else '/' if rising else chr(92) if falling else ' '} "
