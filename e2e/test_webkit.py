"""The start, a move and its answer in WebKit, where the machine has WebKitGTK's driver and Xvfb.

Spoken to by the WebDriver protocol itself: a handful of calls needs no library.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import Site

DRIVER = shutil.which("WebKitWebDriver")
DISPLAY = shutil.which("xvfb-run")
PATIENCE = 60  # s
AGENT = "return navigator.userAgent"
HURRY = "document.querySelector('.status-answers button').click()"


@pytest.fixture
def webkit() -> Iterator[Callable[..., Any]]:
    """Sends one command of the session: `webkit("POST", "/url", url=…)`."""
    if not (DRIVER and DISPLAY):
        pytest.skip("no WebKitWebDriver or no xvfb-run here: this browser was not tested")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [DISPLAY, "-a", DRIVER, f"--port={port}"]
    # A session of its own: with the display, the driver and the browser end together.
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )

    def send(method: str, path: str, **body: Any) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}{path}",
            method=method,
            data=json.dumps(body).encode() if method == "POST" else None,
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    try:
        session = begin(send)
        yield lambda method, path, **body: send(method, f"/session/{session}{path}", **body)
        send("DELETE", f"/session/{session}")
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)


def begin(send: Callable[..., Any]) -> str:
    for _ in range(50):
        try:
            made = send("POST", "/session", capabilities={"alwaysMatch": {}})
            return str(made["sessionId"])
        except (ConnectionError, urllib.error.URLError):
            time.sleep(0.2)
    pytest.fail("WebKitWebDriver does not answer")


def wait_for(webkit: Callable[..., Any], expression: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if webkit("POST", "/execute/sync", script=f"return Boolean({expression})", args=[]):
            return
        time.sleep(0.1)
    pytest.fail(f"never came true: {expression}")


def choose(webkit: Callable[..., Any], name: str) -> None:
    found = webkit("POST", "/element", using="css selector", value=f'[data-point="{name}"]')
    (reference,) = found.values()
    webkit("POST", f"/element/{reference}/click")


def test_a_move_and_its_answer(webkit: Callable[..., Any], site: Site) -> None:
    webkit("POST", "/url", url=f"{site.url}#/play?g=alquerque/table&side=x&level=1&lang=en")
    wait_for(webkit, "document.querySelector('.boot')?.hidden")
    assert "AppleWebKit/605" in webkit("POST", "/execute/sync", script=AGENT, args=[])
    choose(webkit, "d2")
    choose(webkit, "c3")
    wait_for(webkit, """document.querySelector('.moves [data-ply="2"]')""")
    wait_for(webkit, "document.querySelector('.status').innerText.includes('Your turn')")


def test_a_long_search_can_be_stopped(webkit: Callable[..., Any], site: Site) -> None:
    # Rules that no book of openings is for.
    game = "g=alquerque/table;noreturn=yes&side=x"
    webkit("POST", "/url", url=f"{site.url}#/play?{game}&level=9&lang=en")
    wait_for(webkit, "document.querySelector('.boot')?.hidden")
    choose(webkit, "d2")
    choose(webkit, "c3")
    wait_for(webkit, "document.querySelector('.status-answers button')")
    webkit("POST", "/execute/sync", script=HURRY, args=[])
    wait_for(webkit, """document.querySelector('.moves [data-ply="2"]')""")
