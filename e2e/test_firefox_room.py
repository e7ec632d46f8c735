"""A room between two kinds of browser: Chromium invites, Firefox comes; real WebRTC over the loopback."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from conftest import Site
from people import agree, more, play_out, seat
from playwright.sync_api import Page, Playwright, expect
from table import READY

#: As for Chromium: addresses are not hidden behind names, and the loopback is an address like others.
ADDRESSES = {
    "media.peerconnection.ice.obfuscate_host_addresses": False,
    "media.peerconnection.ice.loopback": True,
}


@pytest.fixture
def fox(playwright: Playwright) -> Iterator[Page]:
    program = os.environ.get("QIRKAT_FIREFOX")
    if not program:
        pytest.skip("no Firefox here and none could be had: this browser was not tested")
    running = playwright.firefox.launch(
        channel="moz-firefox", executable_path=program, firefox_user_prefs=ADDRESSES
    )
    yield running.new_page(viewport={"width": 1280, "height": 800})
    running.close()


def test_chromium_and_firefox_play_a_rated_game(host: Page, fox: Page, site: Site) -> None:
    seat(host, fox, site, rules="seega/5x5", rated=True)
    play_out(host, fox, random.Random(8), most=4)
    agree(host, fox, least=4)
    more(fox, "Resign", "Resign")
    expect(host.locator(".status")).to_contain_text("You win", timeout=READY)
    host.goto(f"{site.url}#/profile")
    expect(host.locator("[data-signed]")).to_have_text("by both", timeout=READY)
