"""What rooms are for, in one go: two play a rated game, a third watches, one loses the network and comes back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from conftest import Site
from people import (
    agree,
    carry_answer,
    come_back_beside,
    come_in,
    finished,
    link_of,
    more,
    play_out,
    record,
    seat,
)
from playwright.sync_api import Page, expect
from table import READY

MIX = "alquerque/table;noreturn=yes;sultan=long"


class Network:
    """Someone's network, which can be lost: nothing goes out or in then, WebRTC's packets included."""

    def __init__(self, page: Page) -> None:
        self.wire = page.context.new_cdp_session(page)
        self.wire.send("Network.enable")
        # Only connections that begin under some condition can be cut later on.
        self.put(latency=1)

    def put(self, *, lost: bool = False, latency: int = 0) -> None:
        flow = {"latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
        loss = {"offline": lost, "packetLoss": 100 if lost else 0, "packetQueueLength": 1000}
        self.wire.send("Network.emulateNetworkConditions", flow | loss)

    @contextmanager
    def lost(self) -> Iterator[None]:
        self.put(lost=True)
        yield
        self.put(latency=1)


def test_everything_is_still_there(host: Page, guest: Page, third: Page, site: Site) -> None:
    network = Network(guest)
    seat(host, guest, site, rules="fanorona/tsivy", rated=True)
    dice = random.Random(11)
    host.get_by_role("button", name="Invite to watch").click()
    come_in(third, link_of(host, "Invitation link"), "Wim")
    carry_answer(third, host)
    host.get_by_role("button", name="Close", exact=True).first.click()
    third.wait_for_selector(".in-room .points", timeout=2 * READY)  # its engine starts now
    play_out(host, guest, dice, most=4)
    before = agree(host, guest, third, least=4)

    with network.lost():
        for page in (host, guest):
            expect(page.locator(".talk-presence")).to_contain_text("not connected", timeout=READY)
            expect(page.locator(".status")).to_contain_text("kept", timeout=READY)
        assert record(host) == record(guest) == record(third) == before
    come_back_beside(guest, host)
    assert agree(host, guest, third) == before
    play_out(host, guest, dice, most=7)
    agree(host, guest, third, least=7)

    more(guest, "Resign", "Resign")
    expect(third.locator(".status")).to_contain_text("resigned", timeout=READY)
    for page, score in ((host, "won"), (guest, "lost")):
        page.goto(f"{site.url}#/profile")
        expect(page.locator(".profile-table tbody tr")).to_have_count(1, timeout=READY)
        expect(page.locator(".profile-table")).to_contain_text(score)
        expect(page.locator("[data-signed]")).to_have_text("by both", timeout=READY)


def test_konane_is_played_to_its_end(host: Page, guest: Page, site: Site) -> None:
    seat(host, guest, site, rules="konane/6x6")
    play_out(host, guest, random.Random(6))
    assert finished(host) and finished(guest)
    assert record(host) == record(guest)


def test_rules_of_ones_own_are_played(host: Page, guest: Page, site: Site) -> None:
    host.goto(f"{site.url}probe.html")
    host.evaluate(
        "r => localStorage.setItem('qirkat.rules', JSON.stringify([{name: 'Ours', ruleset: r}]))",
        MIX,
    )
    seat(host, guest, site, rules=MIX)
    play_out(host, guest, random.Random(6), most=16)
    agree(host, guest, least=16)
    more(host, "Resign", "Resign")
    expect(guest.locator(".status")).to_contain_text("You win", timeout=READY)
