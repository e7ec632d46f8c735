"""Find for every ruleset how surely a value wins, and write it to pyengine/ai/data/scales.json (needs NumPy).

    python tools/fit_scales.py                         every preset
    python tools/fit_scales.py alquerque/table --games 100

The engine plays itself from random openings, by the ruleset's own limits. The scale is the one at which the logistic
function of the search's values foretells the results best (mean square error).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pyengine.ai.search import FORCED  # noqa: E402
from pyengine.rules import find_rules, rulesets  # noqa: E402
from tools.train_evaluation import best_scale, play  # noqa: E402

FILE = ROOT / "pyengine" / "ai" / "data" / "scales.json"


def fit(ruleset: str, games: int, nodes: int, seed: int) -> tuple[float, int]:
    """The scale of a ruleset in hundredths of a piece, and the number of positions that it was found from."""
    rules = find_rules(ruleset)
    samples = [
        sample
        for number in range(games)
        for sample in play(rules, seed * 1_000_003 + number, nodes, patience=rules.clock_end)
    ]
    values = np.array([sample[6] for sample in samples], dtype=float)
    results = np.array([sample[5] for sample in samples])
    judged = abs(values) < FORCED  # a forced end needs no chance
    return best_scale(values[judged], results[judged]), int(judged.sum())


def main() -> None:
    """Play, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", help="default: every preset")
    parser.add_argument("--games", type=int, default=60, help="of each ruleset; default 60")
    parser.add_argument("--nodes", type=int, default=100, help="a move; default 100")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for ruleset in args.rulesets or [name for name, variant in rulesets() if not variant]:
        scale, positions = fit(ruleset, args.games, args.nodes, args.seed)
        known[ruleset] = {
            "scale": round(scale),
            "games": args.games,
            "positions": positions,
            "nodes": args.nodes,
            "seed": args.seed,
        }
        print(f"{ruleset}: scale {scale:.0f} from {positions} positions", flush=True)
        lines = (f"{json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known))
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
