"""How fast the search is, and what each of its techniques saves.

    python3 dev.py bench search                        nodes per second and time to depth, natively and in Chromium,
                                                       then natively as a ratio to the commit before
    python3 dev.py bench search --against REVISION     that ratio alone, to any revision
    python3 dev.py bench search --techniques           nodes to a fixed depth without each technique
    python3 dev.py bench search alquerque/table        some rulesets only; otherwise every preset

Positions come from short games of weak play, the same on every run, and a ruleset's positions are searched as deep as
fits a budget of nodes. Times are processor time, the best of a few runs. For a ratio both revisions search the same
positions to the same depth in turns, so that the machine's own speed falls out; more than 15 % slower is a regression
and makes the command fail. What looks like one is measured again first.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import depths
from depths import Task
from in_chromium import python_in_chromium, worker_seconds

from pyengine import find_rules, rulesets
from pyengine.ai.search import TECHNIQUES

ROOT = Path(__file__).resolve().parent.parent
#: A slower speed than this share of the other revision's is told as a regression.
REGRESSION = 0.85
#: Runs of each, and further ones before a regression is believed.
RUNS, MORE_RUNS = 3, 6

#: Runs tasks from standard input with the engine of a folder, a line each.
ELSEWHERE = """import json, sys
sys.path[:0] = sys.argv[1:]
import depths
for line in sys.stdin:
    print(json.dumps(depths.measure(*json.loads(line))), flush=True)
"""


def techniques(chosen: list[str]) -> None:
    """A table: how many times the nodes it takes without each technique (and the time)."""
    print("| ruleset | depth | nodes | " + " | ".join(TECHNIQUES) + " |")
    print("|---|--:|--:|" + "--:|" * len(TECHNIQUES))
    for ruleset in chosen:
        rules = find_rules(ruleset)
        states, depth = depths.positions(rules), depths.task(ruleset).depth
        nodes, seconds = depths.fixed_depth(rules, states, depth)
        cells = []
        for technique in TECHNIQUES:
            more, longer = depths.fixed_depth(rules, states, depth, technique)
            cells.append(f"{more / nodes:.2f} ({longer / seconds:.2f})")
        print(f"| {ruleset} | {depth} | {nodes} | " + " | ".join(cells) + " |", flush=True)


def speeds(chosen: list[str]) -> None:
    """A table: for each ruleset the nodes to a depth, and natively and in Chromium the time to it and the nodes a
    second."""
    print(f"{'':24}{'':>6}{'':>9}{'native':>18}{'Chromium':>18}")
    print(f"{'':24}{'depth':>6}{'nodes':>9}{'s':>9}{'nodes/s':>9}{'s':>9}{'nodes/s':>9}")
    with python_in_chromium(Path(depths.__file__)) as ask:
        for ruleset in chosen:
            task = depths.task(ruleset)
            question = f"depths.measure(*{list(task)!r})"
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(RUNS):
                nodes, seconds = depths.measure(*task)
                times[0].append(seconds)
                before = sum(worker_seconds())
                again, _ = ask(question)
                times[1].append(sum(worker_seconds()) - before)
                if again != nodes:
                    raise SystemExit(f"{ruleset}: {nodes} nodes here, {again} in the browser")
            figures = "".join(f"{min(one):9.2f}{nodes / min(one):9.0f}" for one in times)
            print(f"{ruleset:24}{task.depth:6}{nodes:9}{figures}", flush=True)


class Elsewhere:
    """The engine of a folder, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-c", ELSEWHERE, str(folder), str(ROOT / "tools")]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def measure(self, task: Task) -> tuple[int, float]:
        """Nodes and seconds of a task."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(task) + "\n")
        self._process.stdin.flush()
        nodes, seconds = json.loads(self._process.stdout.readline())
        return nodes, seconds

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(60)


def ratios(task: Task, here: Elsewhere, there: Elsewhere) -> Iterator[tuple[float, float]]:
    """After each run: how many times the other's speed to that depth, and nodes a second, this revision has."""
    best: dict[Elsewhere, float] = {}
    nodes: dict[Elsewhere, int] = {}
    while True:
        for one in (here, there):
            nodes[one], seconds = one.measure(task)
            best[one] = min(seconds, best.get(one, seconds))
        faster = best[there] / best[here]
        yield faster, faster * nodes[here] / nodes[there]


def compare(chosen: list[str], revision: str) -> int:
    """Speeds here and at another revision, in turns; the number of regressions."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "archive", revision, "pyengine"], cwd=ROOT, check=False, capture_output=True
        )
        if archive.returncode:
            raise SystemExit(f"no revision {revision} to compare with: {archive.stderr.decode()}")
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        here, there = Elsewhere(ROOT), Elsewhere(Path(folder))
        slower = 0
        print(f"times the speed of {revision}\n{'':24}{'depth':>6}{'to depth':>10}{'nodes/s':>10}")
        for ruleset in chosen:
            task = depths.task(ruleset)
            for run, (to_depth, rate) in enumerate(ratios(task, here, there), 1):
                regression = min(to_depth, rate) < REGRESSION
                if run >= MORE_RUNS or (run >= RUNS and not regression):
                    break
            slower += regression
            word = "  REGRESSION" if regression else ""
            print(f"{ruleset:24}{task.depth:6}{to_depth:10.2f}{rate:10.2f}{word}", flush=True)
        here.close()
        there.close()
    return slower


def main() -> int:
    """Measure what is asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", help="default: every preset")
    parser.add_argument("--techniques", action="store_true")
    parser.add_argument("--against", metavar="REVISION", help="compare the speed with a commit")
    args = parser.parse_args()
    chosen = args.rulesets or [ruleset for ruleset, variant in rulesets() if not variant]
    if args.techniques:
        techniques(chosen)
        return 0
    if not args.against:
        speeds(chosen)
        print()
    slower = compare(chosen, args.against or "HEAD~1")
    print(f"\nmore than 15 % slower: {slower or 'none'}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
