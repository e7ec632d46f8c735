"""How fast the rules make moves: perft leaves per second of processor time, natively and inside Chromium.

    python3 dev.py bench engine [--runs 3]

The best of a few runs stands, natively and in the browser in turns. In the browser a worker loads the built Pyodide
and the wheel; its processor time is the wall clock of its own thread, so measure on an idle machine. The last column
is what the best-known general game program does natively (applied moves per CPU second, on this kind of machine).
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
import tempfile
import threading
from pathlib import Path

import leaves
import serve
from bench_start import site
from playwright.sync_api import Page, sync_playwright

GENERAL_PROGRAM = {
    "alquerque": 207_000,
    "konane": 134_000,
    "fanorona": 106_000,
    "seega": 498_000,
    "surakarta": 547_000,
}

WORKER = """import { loadPyodide } from "RUNTIME/pyodide.mjs";
const pyodide = await loadPyodide({ packageBaseUrl: new URL("RUNTIME/", location).href });
await pyodide.loadPackage("micropip");
await pyodide.pyimport("micropip").install(new URL("RUNTIME/WHEEL", location).href);
pyodide.FS.writeFile("leaves.py", await (await fetch("leaves.py")).text());
onmessage = () => postMessage(pyodide.runPython("import json, leaves; json.dumps(leaves.measure())"));
postMessage("ready");
"""
PAGE = """<!doctype html><script type="module">
const worker = new Worker("leaves.js", { type: "module" });
const answer = () => new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
globalThis.ready = answer();
globalThis.measure = async () => { await ready; const got = answer(); worker.postMessage(0); return got; };
</script>"""

Speeds = dict[str, tuple[float, float]]


def prepare(folder: Path) -> Path:
    root = site(folder)
    (runtime,) = root.glob("runtime-*")
    (wheel,) = runtime.glob("qirkat-*.whl")
    worker = WORKER.replace("RUNTIME", f"./{runtime.name}").replace("WHEEL", wheel.name)
    (root / "leaves.html").write_text(PAGE)
    (root / "leaves.js").write_text(worker)
    (root / "leaves.py").write_bytes(Path(leaves.__file__).read_bytes())
    return root


def best(runs: list[Speeds]) -> Speeds:
    return {
        name: (max(run[name][0] for run in runs), max(run[name][1] for run in runs))
        for name in runs[0]
    }


def in_browser(page: Page) -> Speeds:
    return json.loads(page.evaluate("measure()"))


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
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        handler = functools.partial(serve.Handler, directory=str(prepare(Path(folder))))
        server = serve.Server(("localhost", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("QIRKAT_CHROMIUM"),
            args=["--no-sandbox", "--disable-background-networking"],
        )
        page = chromium.new_page()
        page.set_default_timeout(600_000)
        page.goto(f"http://localhost:{server.server_port}/leaves.html")
        native, browser = [], []
        for run in range(runs):
            print(f"  run {run + 1} of {runs}", flush=True)
            native.append(leaves.measure())
            browser.append(in_browser(page))
        chromium.close()
        server.shutdown()
    return report(best(native), best(browser))


if __name__ == "__main__":
    sys.exit(main())
