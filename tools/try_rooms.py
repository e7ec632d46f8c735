"""Tries a room between three machines: a browser and a copy of the site on each, a wire between them.

sudo .venv/bin/python tools/try_rooms.py [--loses guest] [--delay 150 --loss 5] [--firefox guest] [--rules seega/5x5]

Needs root, for the machines are network namespaces (`lan.py`), and Chromium, `ip` and a built dist/.
Nothing is made easier for WebRTC: addresses stay hidden behind the browsers' mDNS names, no server helps.
A rated game is played to its end by chance moves while the third watches; on the way one loses its network.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "e2e"))

import people  # noqa: E402
from conftest import Site  # noqa: E402
from lan import Machine, Wire, joined  # noqa: E402
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright  # noqa: E402

PORT = 8000
NAMES = ("host", "guest", "watcher")
PATIENCE = 60_000  # ms; a lost connection is noticed after 20 s of silence
STILL = """try {
  if (!localStorage.getItem("qirkat.settings")) localStorage.setItem("qirkat.settings", '{"motion": false}');
} catch { /* about:blank has no storage */ }"""


@contextmanager
def served(machine: Machine, folder: Path) -> Iterator[None]:
    """The site on the machine's own localhost, where a browser allows all that it allows to https."""
    copy = shutil.copytree(ROOT / "dist", folder / machine.name)
    serve = [sys.executable, str(ROOT / "tools/serve.py"), "--no-watch", "--folder", str(copy)]
    command = machine.command(*serve, "--port", str(PORT))
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert server.stdout and server.stdout.readline(), f"no server on {machine.name}"
    try:
        yield
    finally:
        server.terminate()
        server.wait()


def launch(playwright: Playwright, machine: Machine, folder: Path, *, firefox: bool) -> Browser:
    """Chromium is spoken to over a pipe, which reaches anywhere; Firefox over the localhost where we are."""
    if firefox:
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        return playwright.firefox.launch(channel="moz-firefox", executable_path=program)
    start = folder / f"chromium-{machine.name}"
    start.write_text(f'#!/bin/sh\nexec {" ".join(machine.command("chromium"))} "$@"\n')
    start.chmod(0o755)
    flags = ["--no-sandbox", "--disable-dev-shm-usage"]
    return playwright.chromium.launch(executable_path=start, args=flags)


class Stopwatch:
    def __init__(self) -> None:
        self.begun = self.last = time.monotonic()

    def tell(self, what: str) -> None:
        now = time.monotonic()
        print(f"{now - self.begun:6.1f} s  (+{now - self.last:.1f})  {what}", flush=True)
        self.last = now


def invite_to_watch(host: Page, third: Page) -> None:
    host.get_by_role("button", name="Invite to watch").click()
    people.come_in(third, people.link_of(host, "Invitation link"), "Wim")
    people.carry_answer(third, host)
    third.wait_for_selector(".in-room .points", timeout=PATIENCE)
    host.get_by_role("button", name="Close", exact=True).first.click()


def kept(page: Page) -> dict[str, object]:
    """What the browser keeps of the rated game, once both have signed."""
    page.goto(f"http://localhost:{PORT}/#/profile")
    expect(page.locator("[data-signed]")).to_have_text("by both", timeout=PATIENCE)
    profile = json.loads(page.evaluate("localStorage.getItem('qirkat.profile')"))
    (result,) = profile["results"]
    return {**result, "rating": profile["ratings"][result["ruleset"]]}


def same_result(host: Page, guest: Page, moves: list[str]) -> str:
    """Both profiles tell of one and the same game, each from its own side."""
    ours, theirs = kept(host), kept(guest)
    assert ours["text"] == theirs["text"], (ours["text"], theirs["text"])
    assert len(json.loads(str(ours["text"]))[10]) == len(moves)
    assert ours["score"] + theirs["score"] == 1  # type: ignore[operator]
    for one, other in ((ours, theirs), (theirs, ours)):
        assert one["signatures"]["mine"] == other["signatures"]["theirs"]  # type: ignore[index]
        assert one["opponent"]["rating"] == other["before"]["rating"]  # type: ignore[index]
        assert one["rating"] == one["after"]
    ratings = [round(one["rating"]["rating"]) for one in (ours, theirs)]  # type: ignore[index]
    return f"scores {ours['score']} and {theirs['score']}, ratings {ratings[0]} and {ratings[1]}"


def play(pages: dict[str, Page], loser: Machine, options: argparse.Namespace) -> None:
    host, guest, third = (pages[name] for name in NAMES)
    watch, dice = Stopwatch(), random.Random(options.seed)
    clock = "10 min + 5 s a move"
    link = people.open_room(host, Home(), rules=options.rules, rated=True, clock=clock)
    people.come_in(guest, link)
    people.carry_answer(guest, host)
    watch.tell(f"invitation {len(link)} letters, answer carried back")
    if options.no_multicast:
        expect(host.get_by_text("did not find each other")).to_be_visible(timeout=PATIENCE)
        watch.tell("the two cannot find each other, and the host is told")
        return
    people.sit_down(host, guest, guest=guest)
    watch.tell("host and guest sit at the table")
    invite_to_watch(host, third)
    watch.tell("the third watches")
    people.play_out(host, guest, dice, most=6)
    before = people.agree(host, guest, third, least=6)
    watch.tell(f"{len(before)} plies, the same on the three")

    loser.unplug()
    broken = (third,) if loser.name == "watcher" else (host, guest)
    for page in broken:
        what, words = (".status", "kept") if page is third else (".talk-presence", "not connected")
        expect(page.locator(what)).to_contain_text(words, timeout=PATIENCE)
    watch.tell(f"the {loser.name}'s network is down, and noticed")
    host.wait_for_timeout(options.apart * 1000)
    assert [people.record(page) for page in pages.values()] == [before] * 3
    loser.plug()
    watch.tell("it is up again, every record as before")
    if third not in broken:
        people.come_back_beside(guest, host)
        watch.tell("host and guest are back by a fresh invitation")
    if loser.name != "guest":
        invite_to_watch(host, third)
        watch.tell("the third watches again")

    people.play_out(host, guest, dice)
    moves = people.agree(host, guest, third, least=len(before) + 1)
    assert people.finished(host) and people.finished(guest)
    watch.tell(f"{len(moves)} plies, over, the same on the three")
    watch.tell(same_result(host, guest, moves))


class Home(Site):
    """Where every machine finds the site: at home."""

    def __init__(self) -> None:
        self.port = PORT

    @property
    def url(self) -> str:
        return f"{self.origin}/"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--rules", default="konane/6x6", help="a ruleset")
    parser.add_argument("--loses", default="guest", choices=NAMES, help="whose network goes down")
    parser.add_argument("--apart", type=int, default=10, help="seconds without it, once noticed")
    parser.add_argument("--delay", type=int, default=0, help="ms that a packet takes")
    parser.add_argument("--loss", type=int, default=0, help="per cent of packets that are lost")
    parser.add_argument("--no-multicast", action="store_true", help="as on many guest networks")
    parser.add_argument("--firefox", choices=NAMES, help="who has Firefox instead of Chromium")
    parser.add_argument("--seed", type=int, default=6)
    options = parser.parse_args()
    if os.geteuid() != 0:
        parser.error("this needs root: it makes network namespaces and a network between them")
    machines = [Machine(name, f"10.77.0.{i}") for i, name in enumerate(NAMES, 1)]
    by_name = {machine.name: machine for machine in machines}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        wire = Wire(options.delay / 1000, options.loss / 100, not options.no_multicast)
        stack.enter_context(joined(machines, wire))
        for machine in machines:
            stack.enter_context(served(machine, folder))
        by_name[options.firefox or "host"].enter()
        playwright = stack.enter_context(sync_playwright())
        pages: dict[str, Page] = {}
        for machine in machines:
            browser = launch(playwright, machine, folder, firefox=machine.name == options.firefox)
            stack.callback(browser.close)
            context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
            context.add_init_script(STILL)
            pages[machine.name] = context.new_page()
        play(pages, by_name[options.loses], options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
