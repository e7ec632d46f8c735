"""What the browser tests share: a private copy of dist/ on a server of its own, and browsers.

`site` serves the copy under a sub-path, as project pages are, and can be damaged at will. Every
page is watched: a request to another origin or an uncaught error fails its test.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import serve  # noqa: E402

DIST = ROOT / "dist"
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
)
PROBE = f"""<!doctype html><meta charset="utf-8"><title>Probe</title>
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<link rel="icon" href="icons/icon.svg"><p>Probe</p>
"""
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"]


class Handler(serve.Handler):
    """Sends the page's policy with every file: so the worker, too, runs under it."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        super().do_GET()

    def guess_type(self, path: Any) -> str:
        if self.server.mistype and str(path).endswith(self.server.mistype):  # type: ignore[attr-defined]
            return "text/plain"
        return super().guess_type(path)

    def log_message(self, format: str, *args: object) -> None:
        """Missing files are part of the tests."""


class Site:
    """A copy of dist/ at http://localhost:PORT/repo/, and a blank probe.html beside it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repo"
        # Links instead of copies: files are only ever replaced here, never written into.
        shutil.copytree(DIST, self.root, copy_function=os.link)
        (self.root / "probe.html").write_text(PROBE)
        self.port = 0
        self.start()

    def start(self) -> None:
        handler = functools.partial(Handler, directory=str(self.root.parent))
        self.server = serve.Server(("localhost", self.port), handler)
        self.server.asked = []  # type: ignore[attr-defined]
        self.server.mistype = ""  # type: ignore[attr-defined]
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Go off the network, for the service worker as well."""
        self.server.shutdown()
        self.server.server_close()

    @property
    def asked(self) -> list[str]:
        return self.server.asked  # type: ignore[attr-defined,no-any-return]

    def mistype(self, suffix: str) -> None:
        """From now on send files with this ending as plain text."""
        self.server.mistype = suffix  # type: ignore[attr-defined]

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/repo/"

    @property
    def app(self) -> Path:
        (folder,) = self.root.glob("app-*")
        return folder

    @property
    def runtime(self) -> Path:
        (folder,) = self.root.glob("runtime-*")
        return folder

    def module(self, name: str) -> str:
        """Address of one of the page's modules, for an import in a page."""
        return f"{self.url}{self.app.name}/{name}"

    def write(self, path: Path, data: bytes | str) -> None:
        """Replace a file of the copy, leaving dist/'s own alone."""
        path.unlink(missing_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)

    def deploy(self) -> str:
        """Put a new version in the old one's place, as an upload does; returns its name."""
        worker = self.root / "service-worker.js"
        text = worker.read_text()
        manifest = json.loads(text.split("const MANIFEST = ")[1].split(";\n")[0])
        old = manifest["version"]
        new = f"{old[:-4]}next"
        for path in [*self.root.glob("*.html"), self.app / "build.js"]:
            self.write(path, path.read_text().replace(old, new))
        self.app.rename(self.root / f"app-{new}")
        files = {}
        for name, entry in manifest["files"].items():
            moved = name.replace(old, new)
            data = (self.root / moved).read_bytes()
            files[moved] = {**entry, "hash": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
        listed = json.dumps({"version": new, "files": files})
        before, rest = text.split("const MANIFEST = ")
        after = rest.split(";\n", 1)[1]
        self.write(worker, f"{before}const MANIFEST = {listed};\n{after}")
        return new


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    if not (DIST / "index.html").exists():
        pytest.fail("dist/ is not built: run python3 dev.py e2e")
    made = Site(tmp_path)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    program = os.environ.get("QIRKAT_CHROMIUM") or shutil.which("chromium")
    if not program:
        pytest.fail("no Chromium: run python3 dev.py e2e, which finds or fetches one")
    running = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
    yield running
    running.close()


def watch(context: BrowserContext) -> Callable[[str], list[str]]:
    """Notes what must not happen on the context's pages; tells it for an origin."""
    requests: list[str] = []
    errors: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    context.on("weberror", lambda error: errors.append(str(error.error)))

    def faults(origin: str) -> list[str]:
        own = (origin, "data:", "blob:", "about:")
        return [f"asked {url}" for url in requests if not url.startswith(own)] + errors

    return faults


@pytest.fixture
def context(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """A fresh profile in English, 1440 × 900; nothing may leave the site's origin."""
    made = browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    faults = watch(made)
    yield made
    made.close()
    assert faults(site.origin) == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def quiet(page: Page) -> Iterator[Page]:
    """A page whose console must stay free of errors."""
    errors: list[str] = []
    page.on(
        "console", lambda message: errors.append(message.text) if message.type == "error" else None
    )
    yield page
    assert errors == []


@pytest.fixture
def probe(page: Page, site: Site) -> Page:
    """A blank page of the site, to try single modules on."""
    page.goto(f"{site.url}probe.html")
    return page


@pytest.fixture(scope="session")
def peers(playwright: Playwright) -> Iterator[Browser]:
    """A browser in which separate profiles can reach each other over the loopback."""
    program = os.environ.get("QIRKAT_CHROMIUM") or shutil.which("chromium")
    if not program:
        pytest.fail("no Chromium: run python3 dev.py e2e, which finds or fetches one")
    flags = [
        *CHROMIUM_FLAGS,
        # Addresses are not hidden behind names that a machine without mDNS cannot resolve.
        "--disable-features=WebRtcHideLocalIpsWithMdns",
        "--allow-loopback-in-peer-connection",
    ]
    running = playwright.chromium.launch(executable_path=program, args=flags)
    yield running
    running.close()


def person(peers: Browser, site: Site) -> Iterator[Page]:
    """Someone with a profile of their own; motion is off."""
    made = peers.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    made.add_init_script(
        "try { localStorage.getItem('qirkat.settings') ?? "
        "localStorage.setItem('qirkat.settings', JSON.stringify({motion: false})) } "
        "catch { /* about:blank has no storage */ }"
    )
    faults = watch(made)
    yield made.new_page()
    made.close()
    assert faults(site.origin) == []


host = pytest.fixture(person, name="host")
guest = pytest.fixture(person, name="guest")
third = pytest.fixture(person, name="third")
