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


#: The eighth level, where a ladder has no other.
TOUGH = Level(8_000, depth=99, blur=2, exchanges=12)
#: The ninth.
MASTER = Level(None, depth=99, blur=2, exchanges=12, ms=1_000, book=True)


def _ladder(*lower: Level, tough: Level = TOUGH) -> dict[int, Level]:
    """Levels 1 to 7, `tough` and the Master: those below 7 without tables of endings, all below 9 without proofs."""
    levels = [
        level._replace(endings=number >= 7, proofs=False)
        for number, level in enumerate([*lower, tough], 1)
    ]
    return dict(enumerate([*levels, MASTER], 1))


#: Level → its strength, where a game has no ladder of its own.
LEVELS: dict[int, Level] = _ladder(
    Level(30, depth=1, blur=50, exchanges=0),
    Level(30, depth=1, blur=50, exchanges=1, lapses=66),
    Level(30, depth=1, blur=50, exchanges=1, lapses=36),
    Level(30, depth=1, blur=50, exchanges=1, lapses=14),
    Level(80, depth=2, blur=50, exchanges=2, lapses=8),
    Level(120, depth=3, blur=50, exchanges=12),
    Level(300, depth=3, blur=20, exchanges=12),
    tough=Level(1_300, depth=6, blur=5, exchanges=12),
)

#: Ladders of games, or of single presets: the same step is worth more in one than in another. Each was laid by matches
#: so that its steps are about even (docs/levels.md).
LADDERS: dict[str, dict[int, Level]] = {
    "alquerque": _ladder(
        Level(30, depth=1, blur=50, exchanges=0),
        Level(30, depth=1, blur=50, exchanges=1, lapses=54),
        Level(30, depth=1, blur=50, exchanges=1, lapses=22),
        Level(60, depth=1, blur=50, exchanges=2, lapses=12),
        Level(100, depth=2, blur=50, exchanges=12),
        Level(165, depth=3, blur=48, exchanges=12),
        Level(275, depth=4, blur=42, exchanges=12),
        tough=Level(1_900, depth=8, blur=4, exchanges=12),
    ),
    # Who begins here wins, and four plies are mostly enough for it: only levels below that leave the Master a step.
    "alquerque/table": _ladder(
        Level(30, depth=1, blur=50, exchanges=0),
        Level(30, depth=1, blur=50, exchanges=1, lapses=60),
        Level(30, depth=1, blur=50, exchanges=1, lapses=34),
        Level(30, depth=1, blur=50, exchanges=1, lapses=15),
        Level(60, depth=1, blur=50, exchanges=2, lapses=15),
        Level(60, depth=1, blur=25, exchanges=4),
        Level(100, depth=2, blur=50, exchanges=2),
        tough=Level(600, depth=4, blur=12, exchanges=12),
    ),
    "konane": _ladder(
        Level(30, depth=1, blur=140, exchanges=0),
        Level(30, depth=1, blur=18, exchanges=0),
        Level(100, depth=2, blur=44, exchanges=0),
        Level(300, depth=3, blur=30, exchanges=0, lapses=33),
        Level(430, depth=4, blur=16, exchanges=0),
        Level(1_080, depth=7, blur=7, exchanges=0),
        Level(3_000, depth=9, blur=3, exchanges=0),
    ),
    "fanorona": _ladder(
        Level(30, depth=1, blur=50, exchanges=0),
        Level(30, depth=1, blur=50, exchanges=1, lapses=54),
        Level(30, depth=1, blur=50, exchanges=1, lapses=24),
        Level(60, depth=1, blur=50, exchanges=2, lapses=8),
        Level(150, depth=3, blur=30, exchanges=4),
        Level(700, depth=5, blur=12, exchanges=12),
        Level(2_400, depth=8, blur=5, exchanges=12),
    ),
    "surakarta": _ladder(
        Level(30, depth=1, blur=50, exchanges=0),
        Level(30, depth=1, blur=50, exchanges=1, lapses=40),
        Level(60, depth=1, blur=40, exchanges=1),
        Level(100, depth=2, blur=50, exchanges=2),
        Level(130, depth=2, blur=30, exchanges=8),
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
