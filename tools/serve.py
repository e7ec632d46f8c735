"""Serves dist/ for development, and builds it anew when a source changes.

python tools/serve.py [--port 8000] [--host localhost] [--no-watch] [--folder dist]
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import http.server
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
WATCHED = ("web", "pyengine", "tools", "pyproject.toml")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Static files as a plain host serves them: right types, nothing cached without asking."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 - the base class's own form
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".svg": "image/svg+xml",
        ".bin": "application/octet-stream",
        ".whl": "application/octet-stream",
        ".zip": "application/zip",
    }

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Only what went wrong is worth a line."""
        if len(args) > 1 and str(args[1]) >= "400":
            super().log_message(format, *args)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of a file is no error."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextlib.contextmanager
def serving(folder: Path, handler: type[Handler] = Handler) -> Iterator[str]:
    """A folder served from a free port of this machine; its address, ending in "/"."""
    server = Server(("localhost", 0), functools.partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()


def newest_change() -> float:
    newest = 0.0
    for name in WATCHED:
        path = ROOT / name
        for file in [path] if path.is_file() else path.rglob("*"):
            with contextlib.suppress(FileNotFoundError):
                if "__pycache__" not in file.parts:
                    newest = max(newest, file.stat().st_mtime)
    return newest


def watch() -> None:
    seen = newest_change()
    while True:
        time.sleep(1)
        newest = newest_change()
        if newest != seen:
            seen = newest
            subprocess.run([sys.executable, ROOT / "dev.py", "build"], cwd=ROOT, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(description="Serve dist/ for development.")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="localhost")
    parser.add_argument("--no-watch", action="store_true", help="do not build on changes")
    parser.add_argument("--folder", default=str(DIST), help="what to serve instead of dist/")
    options = parser.parse_args()
    handler = functools.partial(Handler, directory=options.folder)
    try:
        server = Server((options.host, options.port), handler)
    except OSError as error:
        print(f"serve: port {options.port} cannot be used ({error}); try --port", file=sys.stderr)
        return 1
    if not options.no_watch:
        threading.Thread(target=watch, daemon=True).start()
    address = f"http://{options.host}:{options.port}"
    print(f"Qirkat is at {address} (Ctrl+C ends it)", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
