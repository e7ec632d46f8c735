"""Python inside a browser, for measurements: a worker of the built site's Pyodide with the engine's wheel."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import serve
from playwright.sync_api import Page, sync_playwright

DIST = Path(__file__).resolve().parent.parent / "dist"
FLAGS = ("--no-sandbox", "--disable-background-networking")

WORKER = """import { loadPyodide } from "RUNTIME/pyodide.mjs";
const pyodide = await loadPyodide({ packageBaseUrl: new URL("RUNTIME/", location).href });
await pyodide.loadPackage("micropip");
await pyodide.pyimport("micropip").install(new URL("RUNTIME/WHEEL", location).href);
pyodide.FS.writeFile("MODULE.py", await (await fetch("MODULE.py")).text());
pyodide.runPython("import json, MODULE");
onmessage = ({ data }) => postMessage(pyodide.runPython(`json.dumps(${data})`));
postMessage("ready");
"""
PAGE = """<!doctype html><script type="module">
const worker = new Worker("MODULE.js", { type: "module" });
const answer = () => new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
globalThis.ready = answer();
globalThis.ask = async (expression) => {
  await ready;
  const got = answer();
  worker.postMessage(expression);
  return got;
};
</script>"""


def processes() -> Iterator[Path]:
    """The folders in /proc of all processes that this one has started, directly or not."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int(
                (folder / "stat").read_text().rpartition(")")[2].split()[1]
            )
    for process in parents:
        ancestor = process
        while ancestor in parents and ancestor != os.getpid():
            ancestor = parents[ancestor]
        if ancestor == os.getpid() != process:
            yield Path("/proc") / str(process)


def worker_seconds() -> list[float]:
    """Processor time of each worker of the browsers that this process has started, the oldest first; the wall clock
    where that cannot be told. On a machine that others use too only the former is a measure."""
    threads = sorted(
        (
            thread
            for process in processes()
            for thread in process.glob("task/*")
            if (thread / "comm").read_text().startswith("DedicatedWorker")
        ),
        key=lambda thread: int(thread.name),
    )
    times = [int((thread / "schedstat").read_text().split()[0]) / 1e9 for thread in threads]
    return times or [time.perf_counter()]


@contextlib.contextmanager
def page_in_chromium(
    folder: Path, handler: type[serve.Handler] = serve.Handler, flags: Sequence[str] = ()
) -> Iterator[tuple[Page, str]]:
    """An empty page that waits for ten minutes before it gives up, and the address where the folder is served."""
    with serve.serving(folder, handler) as base, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("QIRKAT_CHROMIUM"), args=[*FLAGS, *flags]
        )
        page = chromium.new_page()
        page.set_default_timeout(600_000)
        yield page, base
        chromium.close()


@contextlib.contextmanager
def python_in_chromium(module: Path) -> Iterator[Callable[[str], Any]]:
    """A function that gives the value of a Python expression in the browser, where `module` is imported.

    The value comes back as JSON. An answer that takes longer than ten minutes is a fault.
    """
    name = module.stem
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "site"
        shutil.copytree(DIST, root, copy_function=os.link)
        (runtime,) = root.glob("runtime-*")
        (wheel,) = runtime.glob("qirkat-*.whl")
        worker = WORKER.replace("RUNTIME", f"./{runtime.name}").replace("WHEEL", wheel.name)
        (root / f"{name}.html").write_text(PAGE.replace("MODULE", name))
        (root / f"{name}.js").write_text(worker.replace("MODULE", name))
        (root / f"{name}.py").write_bytes(module.read_bytes())
        with page_in_chromium(root) as (page, base):
            page.goto(f"{base}{name}.html")
            yield lambda expression: json.loads(page.evaluate("ask", expression))
