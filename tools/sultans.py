"""Does a majority of two suffice to win with Sultans, and is it needed? The tables answer for both Sultans.

    python -m tools.sultans [--pieces N]   print the answer as JSON (docs/sultans.json); solves what is missing

A. van der Stoep's rule sheet says that a majority of at least two is needed. Counted are positions of Sultans alone
and of men alone, and how many of them the majority wins; those won by a capture at once are told apart, for any
material has such positions. Draw rules are set aside.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from tools.tables import WORK, Solver, mapper


def answer(most: int, work: Path) -> list[dict[str, object]]:
    """One row a ruleset and material: who acts, and of how many positions how many the majority wins."""
    rows: list[dict[str, object]] = []
    for kind in ("short", "long"):
        solver = Solver(f"alquerque/doce-{kind}", 4, most, work)
        with mapper(1, None) as spread:
            known = solver.run(spread, quiet=True)
        for material, codes in known.items():
            men = material[0] + material[2]
            own, foe = sum(material[:2]), sum(material[2:])
            if own <= foe or men not in (0, own + foe):
                continue
            sets = solver.expander.numbering(material).sets(0, len(codes))
            codes = codes[solver.expander.maker.possible(sets)]
            won, distance = codes & 1 == 1, codes >> 1
            at_once = won & (distance == 1)
            rows.append(
                {
                    "sultan": kind,
                    "pieces": "sultans" if not men else "men",
                    "majority": own,
                    "minority": foe,
                    "positions": len(codes),
                    "won": int(won.sum()),
                    "won_by_a_capture_at_once": int(at_once.sum()),
                    "won_otherwise_percent": round(
                        100 * float((won & ~at_once).sum()) / max(1, int((~at_once).sum())), 1
                    ),
                    "lost": int(((codes > 0) & ~won).sum()),
                    "longest_win_to_a_capture_plies": int(np.max(distance[won], initial=0)),
                }
            )
    return rows


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--pieces", type=int, default=5, help="the most pieces where all are Sultans"
    )
    parser.add_argument("--work", default=str(WORK))
    args = parser.parse_args()
    print(json.dumps(answer(args.pieces, Path(args.work)), indent=1))


if __name__ == "__main__":
    main()
