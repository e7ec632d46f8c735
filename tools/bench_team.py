"""What further workers on one search gain.

    python3 dev.py bench team                         how much sooner a team reaches a depth, every preset
    python3 dev.py bench team --lines 3               the same with three lines, as the analysis asks
    python3 dev.py bench team --chromium              with real workers in Chromium, in ms
    python3 dev.py bench team konane/8x8              some rulesets only

Natively without a clock (teams.py): a millisecond is so many nodes, and what telling costs is left out. In Chromium
with all that it costs: processor time of the worker that answers. Positions are those of `bench search`, searched as
deep as one worker takes about a third of a second for. "Times sooner": the sum over all positions for a search alone,
by that for the one that answers in a team.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import depths
from in_chromium import DIST, page_in_chromium, worker_seconds
from teams import NODES_PER_MS, Clock, think

from pyengine import find_rules, rulesets
from pyengine.ai.search import COUNTED
from pyengine.rules import Rules, State

#: Nodes that one worker spends on a position at least, unless its end is found before.
NODES = 300 * NODES_PER_MS
#: Every second one of the positions of `bench search`.
STEP = 2
FOREVER = 3_600_000
#: With so few pieces a page may fetch tables of endings, and the next search is another one.
ENDING = 10

PAGE = """<!doctype html><script type="module">
import { Engine } from "APPengine.js";
import { Helpers } from "APPhelpers.js";
const engine = new Engine();
const helpers = new Helpers(engine, { most: 1, rest: 1e9 });
const question = { ruleset: "konane/6x6", ms: 600 };
globalThis.ready = (async () => {
  await engine.request("search", question);
  await helpers.search(question);  // the helper starts
  while (!helpers.ready) await new Promise((later) => setTimeout(later, 100));
})();
// The nodes of the one that answers, without its helper's.
let own = 0;
const ask = engine.ask.bind(engine);
engine.ask = async (...words) => {
  const found = await ask(...words);
  own = found.nodes;
  return found;
};
globalThis.search = async (params, workers) => {
  await ready;
  await (workers === 2 ? helpers.search(params) : engine.request("search", params));
  return own;
};
</script>"""


def work(clock: Clock, rules: Rules, lines: int) -> Iterator[tuple[State, int, int]]:
    """Positions, how deep to search each, and the nodes that one worker needs for it."""
    for state in depths.positions(rules)[::STEP]:
        if (state[0] | state[1]).bit_count() <= ENDING and not rules.hand:
            continue
        for depth in range(1, 40):
            alone, _ = think(clock, 1, limits(rules, state, depth, lines))
            if alone.nodes >= NODES or abs(alone.value) > COUNTED:
                break
        if alone.nodes >= NODES / 4:
            yield state, depth, alone.nodes


def limits(rules: Rules, state: State, depth: int, lines: int) -> dict[str, Any]:
    """A search as the page asks for it, but to a depth."""
    return {
        "rules": rules,
        "state": state,
        "depth": depth,
        "lines": lines,
        "ms": FOREVER,
        "seed": 1,
        "blur": 2,
    }


def sooner(chosen: list[str], lines: int) -> None:
    """A table of how many times sooner teams of two and three reach a depth."""
    clock = Clock()
    print(
        "| ruleset | depths | two workers | three | entries told a second (two) |\n|---|---|--:|--:|--:|"
    )
    for ruleset in chosen:
        rules = find_rules(ruleset)
        tasks = list(work(clock, rules, lines))
        if not tasks:
            continue
        alone = sum(nodes for _, _, nodes in tasks)
        cells = []
        for workers in (2, 3):
            found = [
                think(clock, workers, limits(rules, state, depth, lines))
                for state, depth, _ in tasks
            ]
            spent = sum(search.nodes for search, _ in found)
            cells.append(f"{alone / spent:.2f}")
            if workers == 2:
                told = sum(entries for _, entries in found) / spent * NODES_PER_MS * 1000
        deep = ", ".join(str(depth) for _, depth, _ in tasks)
        print(f"| {ruleset} | {deep} | {' | '.join(cells)} | {told:.0f} |", flush=True)


@contextlib.contextmanager
def workers_in_chromium() -> Iterator[Callable[[dict[str, Any], int], tuple[float, int]]]:
    """A function that gives the ms and the nodes which a search of one or two workers cost the one that answers."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "site"
        shutil.copytree(DIST, root, copy_function=os.link)
        (app,) = root.glob("app-*")
        (root / "team.html").write_text(PAGE.replace("APP", f"./{app.name}/"))
        with page_in_chromium(root) as (page, base):
            page.goto(f"{base}team.html")
            page.evaluate("ready")

            def took(params: dict[str, Any], workers: int) -> tuple[float, int]:
                before = worker_seconds()[0]
                nodes = page.evaluate(
                    "([params, workers]) => search(params, workers)", [params, workers]
                )
                return 1000 * (worker_seconds()[0] - before), nodes

            yield took


def in_browser(chosen: list[str], lines: int, runs: int) -> None:
    """A table of ms to a depth with one and with two workers, each the median of some runs in turns."""
    clock = Clock()
    print("| ruleset | one worker, ms | two, ms | times sooner | by nodes |\n|---|--:|--:|--:|--:|")
    with workers_in_chromium() as took:
        for ruleset in chosen:
            rules = find_rules(ruleset)
            spent, visited = {1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0}
            for state, depth, _ in work(clock, rules, lines):
                position = rules.format(state)
                params = {"ruleset": ruleset, "position": position, "depth": depth, "lines": lines}
                costs: dict[int, list[tuple[float, int]]] = {1: [], 2: []}
                for _ in range(runs):
                    for workers in (1, 2):
                        costs[workers].append(took({**params, "ms": FOREVER, "seed": 1}, workers))
                for workers in (1, 2):
                    times, nodes = zip(*costs[workers], strict=True)
                    spent[workers] += statistics.median(times)
                    visited[workers] += statistics.median(nodes)
            if not visited[2]:
                print(
                    f"| {ruleset} | nothing was searched: a proof or a table knows it |", flush=True
                )
            else:
                took_ms = f"{spent[1]:.0f} | {spent[2]:.0f} | {spent[1] / spent[2]:.2f}"
                print(f"| {ruleset} | {took_ms} | {visited[1] / visited[2]:.2f} |", flush=True)


def main() -> int:
    """Measure what is asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", help="default: every preset")
    parser.add_argument("--lines", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3, help="of each, in Chromium (default 3)")
    parser.add_argument("--chromium", action="store_true")
    args = parser.parse_args()
    chosen = args.rulesets or [ruleset for ruleset, variant in rulesets() if not variant]
    if args.chromium:
        in_browser(chosen, args.lines, args.runs)
    else:
        sooner(chosen, args.lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
