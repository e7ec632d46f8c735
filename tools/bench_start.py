"""How fast the engine is ready in a browser: plain Pyodide + micropip against our start.

    python3 dev.py bench start [--runs 5]

Each figure is the median over fresh browser profiles, in ms from the beginning of the navigation to
the engine's readiness, everything served from this machine; ours is the real page. "First" is a
first visit, with nothing cached; "later" is a visit in a new browser process with the profile of a
visit before. Plain and ours take turns, so that a busy moment of the machine hits both.

The browser runs as it does for a visitor: no test tool listens to it, which would cost a page of
many small files more than one of few big ones. It has come to rest before the page is opened, in a
frame of a page that looks on and sends the figure to the server here.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

import serve

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
#: (ms until ready, way), as the page that looks on sends it.
RESULTS: queue.Queue[tuple[float, str]] = queue.Queue()
GOAL_FIRST, GOAL_LATER, GOAL_BYTES = 0.4, 0.2, 6_200_000

PLAIN_PAGE = """<!doctype html><script type="module">
const worker = new Worker("plain.js", {type: "module"});
worker.onmessage = ({data}) => { globalThis.ready = performance.now(); globalThis.way = data; };
</script>"""

PLAIN_WORKER = """import { loadPyodide } from "RUNTIME/pyodide.mjs";
const pyodide = await loadPyodide({ packageBaseUrl: new URL("RUNTIME/", location).href });
await pyodide.loadPackage("micropip");
await pyodide.pyimport("micropip").install(new URL("RUNTIME/WHEEL", location).href);
const service = pyodide.pyimport("pyengine.service").Service();
service.handle('{"jsonrpc": "2.0", "id": 1, "method": "version"}');
postMessage("plain");
"""

# The page itself marks when its engine is ready; the one around it looks, and has it kept after.
OUTER_PAGE = """<!doctype html><iframe width="1200" height="800"></iframe>
<script type="module">
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const frame = document.querySelector("iframe");
const { page, kept } = Object.fromEntries(new URLSearchParams(location.search));
await pause(1000);
frame.src = page;
let found;
while (!found) {
  await pause(100);
  const { performance, ready, way } = frame.contentWindow;
  const [mark] = performance.getEntriesByName("qirkat-engine-ready");
  found = mark ? [mark.startTime, mark.detail.way] : ready && [ready, way];
}
while (kept && !(await caches.match(kept))) await pause(100);
await pause(1500); // caches are written behind the page's back
await fetch("result", { method: "POST", body: JSON.stringify(found) });
</script>"""

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


def site(folder: Path) -> None:
    """dist/ with two more pages: one that starts the engine as anybody would, one that looks on."""
    root = folder / "site"
    shutil.copytree(DIST, root, copy_function=os.link)
    (runtime,) = root.glob("runtime-*")
    (wheel,) = runtime.glob("qirkat-*.whl")
    worker = PLAIN_WORKER.replace("RUNTIME", f"./{runtime.name}").replace("WHEEL", wheel.name)
    (root / "plain.html").write_text(PLAIN_PAGE)
    (root / "plain.js").write_text(worker)
    # Outside the service worker's scope: it has to start as at any visit.
    (folder / "outer.html").write_text(OUTER_PAGE)


def visit(profile: Path, base: str, page: str, keep: bool) -> tuple[float, str]:
    """Open the page in a new browser process; ms until ready, and the way it started."""
    (runtime,) = DIST.glob("runtime-*")
    wanted = {"page": page} | ({"kept": f"site/{runtime.name}/snapshot.bin"} if keep else {})
    browser = subprocess.Popen(
        [
            os.environ["QIRKAT_CHROMIUM"],
            *FLAGS,
            f"--user-data-dir={profile}",
            f"{base}outer.html?{urlencode(wanted)}",
        ],
        stderr=subprocess.DEVNULL,
    )
    try:
        ready, way = RESULTS.get(timeout=120)
        return ready, way
    except queue.Empty:
        raise SystemExit(f"bench start: nothing was heard of {page}") from None
    finally:
        browser.terminate()
        browser.wait()


def first_play_bytes() -> list[tuple[str, int]]:
    """Gzipped bytes of all that is fetched before a first game can be played in full."""
    facts = (next(DIST.glob("app-*")) / "build.js").read_text("utf-8")
    build = json.loads(facts.removeprefix("export const BUILD = ").rstrip(";\n"))
    runtime = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "app.bin")
    rows = [(name, build["files"][name]["wire"]) for name in runtime]
    (app,) = DIST.glob("app-*")
    from build import wire_size

    late = ("guides", "lean-qr", "boards", "tables")
    page = [path for path in app.rglob("*") if path.is_file() and path.parts[-2] not in late]
    page += [app / "boards" / "index.json", app / "boards" / "alquerque-table.json"]
    page += [DIST / "index.html", DIST / "service-worker.js", DIST / "manifest.webmanifest"]
    rows.append(("the page, all of its modules and texts", sum(map(wire_size, page))))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="fresh profiles for each (default 5)")
    runs = parser.parse_args().runs
    times: dict[str, list[float]] = {
        name: [] for name in ("plain first", "plain later", "our first", "our later")
    }
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        serve.serving(Path(folder), CachedHandler) as base,
    ):
        site(Path(folder))
        for run in range(runs):
            for name, page, ways in (
                ("plain", "site/plain.html", ("plain", "plain")),
                ("our", "site/", ("zip", "snapshot")),
            ):
                profile = Path(folder) / f"{name}-{run}"
                for which, way in zip(("first", "later"), ways, strict=True):
                    keep = name == "our" and which == "first"
                    ms, taken = visit(profile, base, page, keep)
                    if taken != way:
                        print(f"bench start: {name} {which} went by {taken}, not {way}")
                        return 1
                    times[f"{name} {which}"].append(ms)
                    print(f"  run {run + 1}: {name} {which} {ms:.0f} ms", flush=True)
                shutil.rmtree(profile, ignore_errors=True)
    return report(times)


class CachedHandler(serve.Handler):
    """Caching as project pages have it: ten minutes without asking. A POST brings a figure."""

    def do_POST(self) -> None:
        RESULTS.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def send_header(self, keyword: str, value: str) -> None:
        super().send_header(keyword, "max-age=600" if keyword == "Cache-Control" else value)

    def log_message(self, format: str, *args: object) -> None:
        """The browser's own wishes, such as favicon.ico, are not of interest here."""


def report(times: dict[str, list[float]]) -> int:
    print(f"\n{'':14}{'median':>8}{'least':>8}{'most':>8}   ms until the engine is ready")
    middle = {name: statistics.median(values) for name, values in times.items()}
    for name, values in times.items():
        print(f"{name:14}{middle[name]:8.0f}{min(values):8.0f}{max(values):8.0f}")
    first = middle["our first"] / middle["plain first"]
    later = middle["our later"] / middle["plain first"]
    like = middle["our later"] / middle["plain later"]
    print(f"\nfirst visit / plain first visit   {first:.2f}   goal ≤ {GOAL_FIRST}")
    print(f"later visit / plain first visit   {later:.2f}   goal ≤ {GOAL_LATER}")
    print(f"later visit / plain later visit   {like:.2f}")
    print("\ngzipped bytes before the first game can be played in full")
    rows = first_play_bytes()
    total = sum(size for _, size in rows)
    for name, size in [*rows, ("together", total)]:
        print(f"{size / 1e6:8.2f} MB  {name}")
    met = first <= GOAL_FIRST and later <= GOAL_LATER and total <= GOAL_BYTES
    print(f"\ngoals {'met' if met else 'MISSED'} (≤ {GOAL_BYTES / 1e6:.1f} MB)")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
