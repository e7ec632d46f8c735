"""Let each level play the one below and write the table of docs/levels.md.

    python3 tools/calibrate_levels.py                     everything still missing, then the table
    python3 tools/calibrate_levels.py --minutes 10 --games 40 --upto 6 alquerque/table
    python3 tools/calibrate_levels.py --minutes 0         only the table, from the games there are

Games stand in .cache/levels, one file for each pairing and for each setting of the levels in it, so that the
command can be interrupted, goes on where it was, and plays again only what a change of pyengine/ai/levels.py made
stale. A change of search or evaluation does not show in the file names: empty the folder after one.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pyengine.ai.levels import LEVELS, find_level  # noqa: E402
from pyengine.ai.match import Match, Score  # noqa: E402

CACHE = ROOT / ".cache" / "levels"
PAGE = ROOT / "docs" / "levels.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
RULESETS = (
    "alquerque/table",
    "alquerque/bell",
    "konane/8x8",
    "fanorona/tsivy",
    "seega/5x5",
    "surakarta/6x6",
)
#: What a level should score against the one below.
GOAL = 0.7
#: What a player has besides its level: the page's tables of endings, and no book, for games begin at random.
WITH = "tables=web/tables,book=no"
#: Where the start is proved a win (docs/solved.md) Master is met as it is: from the bare start, with proof and book,
#: as the page's level 8 meets it. Without them it would be another player.
SOLVED = ("alquerque/table", "alquerque/bell")
WHOLE = "tables=web/tables,proofs=yes,book=yes"
#: The last level thinks by the clock. It is played with about as many nodes as a device half as fast as that of
#: docs/levels.md looks at in that time in the slowest game, so that the games are the same on every machine.
MASTER_NODES = 30_000


def match_of(ruleset: str, level: int, games: int) -> Match:
    """The match of a level against the one below, with the games played so far."""
    whole = ruleset in SOLVED and level == max(LEVELS)
    knowledge, openings = (WHOLE, [[]]) if whole else (WITH, None)
    settings = [player(ruleset, level, knowledge), player(ruleset, level - 1, WITH)]
    setting = f"{ruleset} {find_level(ruleset, level)} {find_level(ruleset, level - 1)} {settings} {openings}"
    name = (
        f"{ruleset.replace('/', '-')}.{level}.{hashlib.sha256(setting.encode()).hexdigest()[:10]}"
    )
    return Match(ruleset, *settings, games, CACHE / f"{name}.jsonl", openings=openings)


def player(ruleset: str, level: int, knowledge: str) -> str:
    """A level as a player of a match."""
    strength = find_level(ruleset, level)
    if strength.ms is None:
        return f"level={level},{knowledge}"
    return f"nodes={MASTER_NODES},blur={strength.blur},{knowledge}"


def play(rulesets: list[str], games: int, levels: range, jobs: int, minutes: float) -> None:
    """Play what is missing, the quick pairings of all rulesets first."""
    until = time.monotonic() + 60 * minutes
    for level in levels:
        for ruleset in rulesets:
            match = match_of(ruleset, level, games)
            if time.monotonic() >= until:
                return
            if not match.open_games():
                continue
            for _ in match.run(jobs):
                if time.monotonic() > until:
                    return
            print(f"{ruleset} {level} against {level - 1}: {match.score()}", flush=True)


def cell(score: Score) -> str:
    """One match as a cell: share of the points, its 95 % interval, and the number of games."""
    low, high = score.interval()
    text = f"{100 * score.mean:.0f} % [{100 * low:.0f}, {100 * high:.0f}] ({score.games})"
    return f"**{text}**" if score.mean < GOAL else text


def table(rulesets: list[str], games: int) -> str:
    """The table in Markdown."""
    lines = ["| level | " + " | ".join(rulesets) + " |", "|--:|" + "---|" * len(rulesets)]
    for level in range(2, max(LEVELS) + 1):
        scores = [match_of(ruleset, level, games).score() for ruleset in rulesets]
        cells = [cell(score) if score.games else "not played" for score in scores]
        lines.append(f"| {level} against {level - 1} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--games", type=int, default=100, help="of each pairing; default 100")
    parser.add_argument("--from", type=int, default=2, dest="lowest", help="lowest level to play")
    parser.add_argument("--upto", type=int, default=max(LEVELS), help="highest level to play")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time; default 1")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop playing after so long")
    args = parser.parse_args()
    levels = range(args.lowest, args.upto + 1)
    CACHE.mkdir(parents=True, exist_ok=True)
    play(args.rulesets or list(RULESETS), args.games, levels, args.jobs, args.minutes)
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    measured = table(list(RULESETS), args.games)
    PAGE.write_text(f"{before}{BEGIN}\n{measured}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
