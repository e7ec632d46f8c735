"""How fast the search is, and what each of its techniques saves.

    python3 dev.py bench search                        nodes per second and time to depth, every preset
    python3 dev.py bench search --techniques           nodes to a fixed depth without each technique
    python3 dev.py bench search alquerque/table        some rulesets only

Positions come from short games of level 3 against itself, the same on every run. The last lines compare the speed with
the previous commit in the same run (`--against REVISION`), so that the machine's own speed falls out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(Path(sys.argv[1]) if sys.argv[1:2] and Path(sys.argv[1]).is_dir() else ROOT))

from pyengine import find_rules, rulesets  # noqa: E402
from pyengine.ai.search import TECHNIQUES, Search  # noqa: E402
from pyengine.rules import Rules, State  # noqa: E402

#: Positions of each ruleset, taken from so many games.
GAMES = 6
#: Nodes that a fixed-depth search of all positions may cost, about.
BUDGET = 60_000
#: A slower speed than this share of the other revision's is told as a regression.
REGRESSION = 0.85


def positions(rules: Rules) -> list[State]:
    """Openings and middle games of weak play."""
    found = []
    for seed in range(GAMES):
        state = rules.start()
        for ply in range(8 + 6 * seed):
            children = rules.successors(state)
            if not children:
                break
            search = Search(rules, state, nodes=60, blur=40, seed=1000 * seed + ply)
            search.run()
            state = children[search.best]
        if rules.successors(state):
            found.append(state)
    return found


def fixed_depth(rules: Rules, states: list[State], depth: int, *without: str) -> tuple[int, float]:
    """Nodes and seconds of processor time to search all states to a depth."""
    nodes = 0
    start = time.process_time()
    for state in states:
        search = Search(rules, state, depth=depth, without=without)
        search.run()
        nodes += search.nodes
    return nodes, time.process_time() - start


def fitting_depth(rules: Rules, states: list[State]) -> int:
    """The deepest search of all states that stays within the budget."""
    depth = 1
    while depth < 20 and fixed_depth(rules, states, depth)[0] < BUDGET / 4:
        depth += 1
    return depth


def techniques(chosen: list[str]) -> None:
    """A table: how many times the nodes it takes without each technique (and the time)."""
    print("| ruleset | depth | nodes | " + " | ".join(TECHNIQUES) + " |")
    print("|---|--:|--:|" + "--:|" * len(TECHNIQUES))
    for ruleset in chosen:
        rules = find_rules(ruleset)
        states = positions(rules)
        depth = fitting_depth(rules, states)
        nodes, seconds = fixed_depth(rules, states, depth)
        cells = []
        for technique in TECHNIQUES:
            more, longer = fixed_depth(rules, states, depth, technique)
            cells.append(f"{more / nodes:.2f} ({longer / seconds:.2f})")
        print(f"| {ruleset} | {depth} | {nodes} | " + " | ".join(cells) + " |", flush=True)


def speeds(chosen: list[str]) -> dict[str, tuple[int, int, float]]:
    """For each ruleset: depth, nodes and seconds of a search to that depth."""
    found = {}
    for ruleset in chosen:
        rules = find_rules(ruleset)
        states = positions(rules)
        depth = fitting_depth(rules, states)
        nodes, seconds = fixed_depth(rules, states, depth)
        found[ruleset] = (depth, nodes, seconds)
    return found


def compare(chosen: list[str], revision: str) -> int:
    """Speeds here and at another revision, alternating; the number of regressions."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "archive", revision, "pyengine"], cwd=ROOT, check=True, capture_output=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        slower = 0
        for ruleset in chosen:
            rates = {"here": 0.0, "there": 0.0}
            for _ in range(3):
                for name, place in (("here", ROOT), ("there", Path(folder))):
                    answer = subprocess.run(
                        [sys.executable, __file__, str(place), "--json", ruleset],
                        check=True,
                        capture_output=True,
                        text=True,
                    )
                    _, nodes, seconds = json.loads(answer.stdout)[ruleset]
                    rates[name] = max(rates[name], nodes / seconds)
            ratio = rates["here"] / rates["there"]
            slower += ratio < REGRESSION
            word = "  REGRESSION" if ratio < REGRESSION else ""
            print(f"{ruleset:60} {ratio:.2f} of {revision}{word}", flush=True)
    return slower


def main() -> int:
    """Measure what is asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", help="default: every preset")
    parser.add_argument("--techniques", action="store_true")
    parser.add_argument("--against", metavar="REVISION", help="compare the speed with a commit")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args([word for word in sys.argv[1:] if not Path(word).is_dir()])
    chosen = args.rulesets or [ruleset for ruleset, variant in rulesets() if not variant]
    if args.techniques:
        techniques(chosen)
    elif args.against:
        return 1 if compare(chosen, args.against) else 0
    elif args.json:
        print(json.dumps(speeds(chosen)))
    else:
        print("| ruleset | depth | nodes | seconds | nodes per second |\n|---|--:|--:|--:|--:|")
        for ruleset in chosen:
            depth, nodes, seconds = speeds([ruleset])[ruleset]
            rate = round(nodes / seconds, -3)
            print(f"| {ruleset} | {depth} | {nodes} | {seconds:.2f} | {rate:.0f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
