"""How a room bears many games: two browsers joined by WebRTC play game after game; memory is told.

    python3 dev.py bench room            200 games
    python3 dev.py bench room 20         so many

Both sides are driven through their sessions, with random legal moves that each side's own engine
checks, as at the table; each game ends by the rules or is given up after 60 moves, and a rematch
follows. The heap is measured after a forced collection every tenth of the way.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "e2e"))

from conftest import CHROMIUM_FLAGS, Site  # noqa: E402
from people import seat  # noqa: E402
from playwright.sync_api import CDPSession, Page, sync_playwright  # noqa: E402

FLAGS = [
    *CHROMIUM_FLAGS,
    "--disable-features=WebRtcHideLocalIpsWithMdns",
    "--allow-loopback-in-peer-connection",
]
# Plays this page's side by random legal moves until `games` games are over.
PLAYER = """
async ([module, games, seed]) => {
  const { openRoom } = await import(module);
  const { session } = openRoom();
  let dice = seed;
  const random = (below) => (dice = (dice * 1103515245 + 12345) % 2147483648) % below;
  window.soak = { over: 0, moves: 0, faults: [] };
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  let last = "";
  while (window.soak.over < games) {
    const { phase, stand, now, rematch, note } = session.state;
    if (note) { window.soak.faults.push(note.kind); session.change({ note: null }); }
    if (phase === "over") {
      if (stand.game !== last) { last = stand.game; window.soak.over += 1; }
      if (window.soak.over >= games) break;
      if (rematch && rematch.by !== session.role) session.answerRematch(true);
      else if (session.role === "host" && !rematch) session.askRematch();
      await pause(20);
    } else if (phase === "playing" && now.side === session.mySide()) {
      const text = stand.moves.length >= 60 ? `resign:${session.mySide()}`
        : now.legal[random(now.legal.length)].text;
      await session.move(text).then(() => { window.soak.moves += 1; }, () => {});
      await pause(5);
    } else await pause(5);
  }
  await pause(500);
}
"""


def heap(cdp: CDPSession) -> float:
    """Megabytes in use on the page after a collection."""
    cdp.send("HeapProfiler.collectGarbage")
    return cdp.send("Runtime.getHeapUsage")["usedSize"] / 1e6


def nodes(page: Page) -> int:
    return page.evaluate("document.querySelectorAll('*').length")


def main(games: int) -> None:
    program = os.environ.get("QIRKAT_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        site = Site(Path(folder))
        pages = [browser.new_context(locale="en-GB").new_page() for _ in range(2)]
        errors: list[str] = []
        for page in pages:
            page.on("pageerror", lambda error: errors.append(str(error)))
        seat(*pages, site)
        tools = [page.context.new_cdp_session(page) for page in pages]
        started = time.monotonic()
        for page, seed in zip(pages, (1, 2), strict=True):
            page.evaluate(
                f"(given) => {{ window.running = ({PLAYER})(given); }}",
                [site.module("screens/room.js"), games, seed],
            )
        step = max(1, games // 10)
        print("games  moves  host MB  guest MB  nodes  s", flush=True)
        for mark in range(step, games + 1, step):
            for page in pages:
                page.wait_for_function("n => soak.over >= n", arg=mark, timeout=1_200_000)
            used = " ".join(f"{heap(cdp):8.1f}" for cdp in tools)
            moves = sum(page.evaluate("soak.moves") for page in pages)
            spent = time.monotonic() - started
            print(f"{mark:5}  {moves:5}  {used}  {nodes(pages[0]):5}  {spent:.0f}", flush=True)
        faults = [page.evaluate("soak.faults") for page in pages]
        scores = [page.evaluate("soak.over") for page in pages]
        print(f"over {scores}; notes {faults}; errors {errors}")
        browser.close()
        site.stop()
        if errors or any(faults) or scores != [games, games]:
            sys.exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
