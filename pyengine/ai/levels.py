"""The nine levels as data: how far each one looks and how surely it judges.

A low level is short-sighted, not careless: it plays the best move it can see, but it sees few plies and judges what it
sees with a blur. Levels 1 to 8 count nodes, so that a level is the same on every device; 9 thinks by the clock.
"""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """One level.

    `nodes`: positions looked at before it moves, None for no limit. `depth`: the farthest it looks, in plies.
    `blur`: half the width of the error of its judgement, in hundredths of a piece. `exchanges`: how many captures in
    a row it follows beyond that depth. `ms`: thinking time, None for no limit. `endings`: whether it knows the tables
    of endings. `book`: whether it plays openings from the book.
    """

    nodes: int | None
    depth: int
    blur: int
    exchanges: int
    ms: int | None = None
    endings: bool = True
    book: bool = False


#: Level → its strength.
LEVELS: dict[int, Level] = {
    1: Level(nodes=30, depth=1, blur=80, exchanges=0, endings=False),
    2: Level(nodes=90, depth=2, blur=80, exchanges=2, endings=False),
    3: Level(nodes=300, depth=3, blur=20, exchanges=12, endings=False),
    4: Level(nodes=1_000, depth=5, blur=10, exchanges=12, endings=False),
    5: Level(nodes=3_000, depth=8, blur=5, exchanges=12, endings=False),
    6: Level(nodes=8_000, depth=12, blur=3, exchanges=12),
    7: Level(nodes=20_000, depth=99, blur=2, exchanges=12),
    8: Level(nodes=50_000, depth=99, blur=2, exchanges=12, book=True),
    9: Level(nodes=None, depth=99, blur=2, exchanges=12, ms=1_000, book=True),
}
