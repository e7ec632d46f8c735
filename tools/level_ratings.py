"""Writes web/profile/levels.json, the levels' ratings, from the matches in docs/levels.md.

    python3 tools/level_ratings.py

Matches between neighbouring levels give the distances: 400 · log10(p / (1 - p)) for a share p of
the points, half a point added on each side so that a clean sweep stays finite. Where level 1
stands among people is not measured: it is set to ANCHOR with a wide deviation, and so is every
level above the last match that was played, STEP above the one below. Such entries say so.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "levels.md"
RATINGS = ROOT / "web" / "profile" / "levels.json"
LEVELS = range(1, 10)
ANCHOR = 700
ANCHOR_DEVIATION = 200
STEP = 150
STEP_DEVIATION = 100
MOST_DEVIATION = 340
CELL = re.compile(r"(\d+) % \[\d+, \d+\] \((\d+)\)")


def matches(text: str) -> dict[str, dict[int, tuple[float, int]]]:
    """Share of the points of a level against the one below, and games, by ruleset and level."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    names = [cell.strip() for cell in rows[0][1:] if cell.strip()]
    found: dict[str, dict[int, tuple[float, int]]] = {name: {} for name in names}
    for row in rows[2:]:
        level = int(row[0].split()[0])
        for name, cell in zip(names, row[1:], strict=False):
            if match := CELL.search(cell):
                found[name][level] = int(match[1]) / 100, int(match[2])
    return found


def ratings(played: dict[int, tuple[float, int]]) -> dict[str, dict[str, object]]:
    """Every level's rating, from the bottom up."""
    rating, variance, measured = float(ANCHOR), float(ANCHOR_DEVIATION**2), True
    found: dict[str, dict[str, object]] = {}
    for level in LEVELS:
        if level > 1:
            measured = measured and level in played
            if measured:
                share, games = played[level]
                p = (share * games + 0.5) / (games + 1)
                rating += 400 * math.log10(p / (1 - p))
                variance += (400 / math.log(10)) ** 2 / (games * p * (1 - p))
            else:
                rating += STEP
                variance += STEP_DEVIATION**2
        deviation = min(MOST_DEVIATION, math.sqrt(variance))
        entry = {"rating": round(rating), "deviation": round(deviation), "measured": measured}
        found[str(level)] = entry
    return found


def main() -> None:
    text = TABLE.read_text("utf-8").split("<!-- measured: begin -->")[1].split("<!-- measured")[0]
    table = {
        "source": "tools/level_ratings.py from the matches in docs/levels.md; "
        "where level 1 stands among people is assumed",
        "levels": ratings({}),
        "rulesets": {name: ratings(played) for name, played in matches(text).items()},
    }
    for entry in table["levels"].values():  # type: ignore[attr-defined]
        entry["measured"] = False
    RATINGS.write_text(json.dumps(table, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
