"""What the page needs of memory after long play, in Chromium on Linux.

    python3 dev.py bench memory [RULESET …]

The built page is opened, and Master thinks in every preset about positions from the beginning, the middle and the end
of a game, so that all tables of endings are fetched and used. Then a second worker joins. Figures are MB of the page's
process: the browser's own part of it (an empty page's) included, of what processes have in common a proportional
share, rubbish cleared away. The goal is 250 MB with one worker.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from typing import ClassVar

import serve
from in_chromium import DIST, page_in_chromium, processes
from playwright.sync_api import Page

from pyengine import find_rules, rulesets
from pyengine.rules import Rules

GOAL = 250
#: The browser answers at once, not when it happens to clear up.
FLAGS = ["--enable-blink-features=ForceEagerMeasureMemory"]
#: Master's level, and what the analysis asks for.
MASTER, LONG = {"level": 9}, {"ms": 5000, "lines": 3}
#: With tables of up to so many pieces, a game this near to them uses them.
NEAR = 1
#: Random games that are looked through for endings.
GAMES, MOST_PLIES = 40, 1_000

SEARCHES = """async ([module, questions]) => {
  const { engine } = await import(module);
  for (const question of questions) await engine.request("search", question);
}"""
HELPED = """async ([app, question]) => {
  const { engine } = await import(`${app}start.js`);
  const { Helpers } = await import(`${app}helpers.js`);
  engine.helpers = new Helpers(engine, { most: 1 });
  await engine.request("search", question);  // the helper starts
  for (let turn = 0; turn < 600 && !engine.helpers.ready; turn += 1) {
    await new Promise((later) => setTimeout(later, 100));
  }
  if (!engine.helpers.ready) throw new Error("no helper came");
  for (let turn = 0; turn < 3; turn += 1) await engine.request("search", question);
}"""
READY = "async (module) => { await (await import(module)).engine.request('version'); }"


class Isolated(serve.Handler):
    """Serves the site as a page must be served that may ask the browser for its memory; notes the tables fetched."""

    tables: ClassVar[set[str]] = set()

    def do_GET(self) -> None:
        if "/tables/" in self.path and self.path.endswith(".bin"):
            self.tables.add(self.path)
        super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Files that a page can do without are no news."""


def megabytes(page: Page) -> float:
    """MB of the page's process, the biggest of the browser's renderers, once it has thrown away what nobody needs."""
    # The browser clears up to answer.
    page.evaluate("performance.measureUserAgentSpecificMemory()")
    found = []
    for process in processes():
        try:
            if "--type=renderer" in (process / "cmdline").read_text():
                rollup = (process / "smaps_rollup").read_text()
                found.append(int(rollup.split("Pss:")[1].split()[0]) * 1024)
        except OSError:  # it has ended
            continue
    return max(found) / 1e6


def questions(rules: Rules, most: int) -> list[dict[str, object]]:
    """Master's searches in one ruleset: beginning, middles, and endings that the tables know or will soon."""
    chance = random.Random(1)
    middles, endings = [rules.start()], []
    for _ in range(GAMES):
        state = rules.start()
        for ply in range(MOST_PLIES):
            children = rules.successors(state)
            if not children or len(endings) == 3:
                break
            if ply == 15 and len(middles) < 4:
                middles.append(state)
            if rules.stage(state) == "play" and (state[0] | state[1]).bit_count() <= most + NEAR:
                endings.append(state)
                break
            state = chance.choice(children)
    moments = [{"position": rules.format(state)} for state in middles + endings]
    asked: list[dict[str, object]] = [
        {"ruleset": rules.ruleset, **one, **MASTER} for one in moments
    ]
    # The first search of an ending makes its tables come; the later ones use them.
    return [*asked, *asked[-2:], {**asked[-1], **LONG, "level": None}]


def measure(page: Page, base: str, chosen: list[str]) -> float:
    """Prints a line for each ruleset; the most that there was with one worker."""
    (app,) = DIST.glob("app-*")
    known = json.loads((app / "tables" / "index.json").read_text("utf-8"))["files"]
    module = f"{base}{app.name}/start.js"

    def tell(what: str) -> float:
        now = megabytes(page)
        print(f"{what:24}{now:6.0f}", flush=True)
        return now

    page.goto(f"{base}probe.html")
    tell("an empty page")
    page.goto(base)
    page.evaluate(READY, module)
    highest = tell("the engine is ready")
    for ruleset in chosen:
        most = max([file["pieces"] for file in known if file["ruleset"] == ruleset], default=4)
        asked = questions(find_rules(ruleset), most)
        page.evaluate(SEARCHES, [module, asked])
        highest = max(highest, tell(ruleset))
    page.evaluate(HELPED, [f"{base}{app.name}/", {**asked[1], **LONG, "level": None}])
    tell("with a second worker")
    return highest


def main() -> int:
    """Measure what is asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", help="default: every preset")
    args = parser.parse_args()
    chosen = args.rulesets or [ruleset for ruleset, variant in rulesets() if not variant]
    with page_in_chromium(DIST, Isolated, FLAGS) as (page, base):
        highest = measure(page, base, chosen)
    print(f"\n{len(Isolated.tables)} files of tables were used")
    print(f"most with one worker: {highest:.0f} MB, goal {GOAL}")
    return 0 if highest < GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
