"""How long the engine keeps a message waiting while it thinks: every preset, in the Pyodide of the built site.

    python3 dev.py bench stop [--slices 300] [RULESET …]

A message is read between two slices of a search, so it waits for the longest slice at most; a `cancel` then takes its
own answer's time. Positions: the start and two from random games; stopped after the first slice and after the last.
Times are milliseconds of processor time (on Linux; elsewhere wall clock, so measure on an idle machine).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from pyengine import rulesets

ROOT = Path(__file__).resolve().parent.parent
#: What a stop may take in all, in ms.
GOAL = 50


def main() -> int:
    """Measure what is asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", help="default: every preset")
    parser.add_argument("--slices", type=int, default=300, help="slices of a search (default 300)")
    options = parser.parse_args()
    chosen = options.rulesets or [ruleset for ruleset, variant in rulesets() if not variant]
    (runtime,) = ROOT.glob("dist/runtime-*")
    command = ["node", str(ROOT / "tools/bench_stop.mjs"), str(runtime), str(options.slices)]
    print(f"{'ms':22}{'longest slice':>14}{'longest stop':>14}", flush=True)
    late = []
    with subprocess.Popen([*command, *chosen], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        for line in running.stdout:
            print(line, end="", flush=True)
            ruleset, slice_, stop = line.split()
            if float(slice_) + float(stop) > GOAL:
                late.append(ruleset)
    if running.returncode:
        return running.returncode
    print(f"\nstopped later than after {GOAL} ms: {', '.join(late) or 'none'}")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
