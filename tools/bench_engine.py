"""How fast the rules make moves: perft leaves per second of processor time, natively and inside Chromium.

    python3 dev.py bench engine [--runs 3]

The best of a few runs stands, natively and in the browser in turns. In the browser a worker loads the built Pyodide
and the wheel; its processor time is the wall clock of its own thread, so measure on an idle machine. The last column
is what the best-known general game program does natively (applied moves per CPU second, on this kind of machine).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import leaves
from in_chromium import python_in_chromium

GENERAL_PROGRAM = {
    "alquerque": 207_000,
    "konane": 134_000,
    "fanorona": 106_000,
    "seega": 498_000,
    "surakarta": 547_000,
}

Speeds = dict[str, tuple[float, float]]


def best(runs: list[Speeds]) -> Speeds:
    return {
        name: (max(run[name][0] for run in runs), max(run[name][1] for run in runs))
        for name in runs[0]
    }


def report(native: Speeds, browser: Speeds) -> int:
    print(
        "\nthousand leaves per CPU second     native            Chromium          general program"
    )
    print(f"{'':24}{'start':>9}{'middle':>9}{'start':>9}{'middle':>9}")
    slower = []
    for name, speeds in native.items():
        rival = GENERAL_PROGRAM[name.partition("/")[0]]
        figures = "".join(f"{value / 1000:9.0f}" for value in (*speeds, *browser[name]))
        print(f"{name:24}{figures}{rival / 1000:12.0f}")
        if min(browser[name]) < rival:
            slower.append(name)
    print(f"\nslower than the general program in the browser: {', '.join(slower) or 'none'}")
    return 1 if slower else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="runs each (default 3)")
    runs = parser.parse_args().runs
    native: list[Speeds] = []
    browser: list[Speeds] = []
    with python_in_chromium(Path(leaves.__file__)) as ask:
        for run in range(runs):
            print(f"  run {run + 1} of {runs}", flush=True)
            native.append(leaves.measure())
            browser.append(ask("leaves.measure()"))
    return report(best(native), best(browser))


if __name__ == "__main__":
    sys.exit(main())
