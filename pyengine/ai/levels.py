"""The nine levels as data: how far each one looks and how surely it judges.

A low level is short-sighted, not careless: it plays the best move it can see, but it sees few plies, at first not even
what is taken back, and judges what it sees with a blur. Levels 1 to 8 count nodes, so that a level is the same on every
device; 9 thinks by the clock.
"""

from __future__ import annotations

from typing import NamedTuple

from pyengine.errors import EngineError


class Level(NamedTuple):
    """One level.

    `nodes`: positions looked at before it moves, None for no limit. `depth`: the farthest it looks, in plies.
    `blur`: half the width of the error of its judgement, in hundredths of a piece. `exchanges`: how many captures in
    a row it follows beyond that depth. `lapses`: in how many of a hundred turns it looks one ply less far, and at no
    captures beyond. `ms`: thinking time, None for no limit. `endings`: whether it knows the tables of endings. `book`:
    whether it plays openings from the book. `proofs`: whether it keeps to a proved win (docs/solved.md).
    """

    nodes: int | None
    depth: int
    blur: int
    exchanges: int
    lapses: int = 0
    ms: int | None = None
    endings: bool = True
    book: bool = False
    proofs: bool = True


def _ladder(*lower: Level) -> dict[int, Level]:
    """The levels below 8, those below 7 without tables of endings, and the two that all ladders end with."""
    levels = [
        level._replace(endings=number >= 7, proofs=False) for number, level in enumerate(lower, 1)
    ]
    tough = Level(6_000, depth=99, blur=2, exchanges=12, book=True, proofs=False)
    return dict(enumerate([*levels, tough, tough._replace(nodes=None, ms=1_000, proofs=True)], 1))


#: Level → its strength, where a game has no ladder of its own.
LEVELS: dict[int, Level] = _ladder(
    Level(30, depth=1, blur=50, exchanges=0),
    Level(30, depth=1, blur=50, exchanges=1, lapses=62),
    Level(30, depth=1, blur=50, exchanges=1, lapses=17),
    Level(60, depth=1, blur=40, exchanges=2),
    Level(200, depth=2, blur=20, exchanges=12),
    Level(500, depth=4, blur=15, exchanges=12),
    Level(1_600, depth=7, blur=5, exchanges=12),
)

#: Ladders of games, or of single presets: the same step is worth more in one than in another. Each was laid by matches
#: so that its steps are about even (docs/levels.md).
LADDERS: dict[str, dict[int, Level]] = {
    "alquerque": _ladder(
        Level(30, depth=1, blur=50, exchanges=0),
        Level(30, depth=1, blur=50, exchanges=1, lapses=50),
        Level(30, depth=1, blur=50, exchanges=1, lapses=15),
        Level(60, depth=1, blur=50, exchanges=2, lapses=12),
        Level(150, depth=2, blur=30, exchanges=12),
        Level(400, depth=3, blur=20, exchanges=12),
        Level(1_500, depth=6, blur=5, exchanges=12),
    ),
    # Who looks two plies ahead here hardly ever loses: the steps lie below that, and the last ones gain little.
    "alquerque/table": _ladder(
        Level(30, depth=1, blur=50, exchanges=0),
        Level(30, depth=1, blur=50, exchanges=1, lapses=60),
        Level(30, depth=1, blur=50, exchanges=1, lapses=28),
        Level(30, depth=1, blur=50, exchanges=1, lapses=12),
        Level(60, depth=1, blur=50, exchanges=2, lapses=8),
        Level(100, depth=2, blur=50, exchanges=2),
        Level(400, depth=3, blur=20, exchanges=12),
    ),
    "konane": _ladder(
        Level(30, depth=1, blur=120, exchanges=0),
        Level(30, depth=1, blur=40, exchanges=0),
        Level(100, depth=2, blur=50, exchanges=0),
        Level(300, depth=3, blur=30, exchanges=0, lapses=33),
        Level(600, depth=4, blur=8, exchanges=0),
        Level(1_400, depth=7, blur=5, exchanges=0),
        Level(3_000, depth=9, blur=3, exchanges=0),
    ),
    "fanorona": _ladder(
        Level(30, depth=1, blur=50, exchanges=0),
        Level(30, depth=1, blur=50, exchanges=1, lapses=50),
        Level(30, depth=1, blur=50, exchanges=1, lapses=15),
        Level(60, depth=1, blur=50, exchanges=2, lapses=3),
        Level(400, depth=4, blur=15, exchanges=12),
        Level(1_000, depth=5, blur=10, exchanges=12),
        Level(2_200, depth=8, blur=5, exchanges=12),
    ),
    "surakarta": _ladder(
        Level(30, depth=1, blur=50, exchanges=0),
        Level(30, depth=1, blur=50, exchanges=1, lapses=40),
        Level(60, depth=1, blur=40, exchanges=1),
        Level(100, depth=2, blur=50, exchanges=2),
        Level(200, depth=2, blur=20, exchanges=12),
        Level(400, depth=3, blur=20, exchanges=12),
        Level(1_500, depth=6, blur=5, exchanges=12),
    ),
}


def find_level(ruleset: str, level: int) -> Level:
    """A level of a preset such as `alquerque/table`; raises `EngineError` (`params`) where there is none."""
    if level not in LEVELS:
        raise EngineError("params", f"levels go from 1 to {max(LEVELS)}", name="level")
    game, _, _ = ruleset.partition("/")
    return (LADDERS.get(ruleset) or LADDERS.get(game) or LEVELS)[level]


def hasty(level: Level) -> Level:
    """The level in a turn in which it looks one ply less far, and at no captures beyond."""
    return level._replace(depth=max(1, level.depth - 1), exchanges=0)
