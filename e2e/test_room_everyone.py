"""Every view of rooms, letters and rated games for everyone: axe in light and dark, on a phone too, and clocks."""

from __future__ import annotations

import random

import pytest
from conftest import Site
from people import agree, come_in, open_room, play_out, sit_down
from playwright.sync_api import Browser, Page, expect
from screens import AXE, FIND, overflow, visit
from table import READY
from test_room_hostile import invitation

PHONE = {"width": 360, "height": 640}


def look(name: str, page: Page) -> list[str]:
    page.set_viewport_size(PHONE)
    page.locator("h1").first.wait_for(state="attached", timeout=READY)
    page.evaluate(AXE)
    wrong = [f"{name}: {what}" for what in page.evaluate(FIND)]
    return wrong + ([f"{name} is too wide"] if overflow(page) > 0 else [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view(browser: Browser, site: Site, scheme: str) -> None:
    with visit(browser, site, color_scheme=scheme, bypass_csp=True) as context:
        host, guest = context.new_page(), context.new_page()
        link = open_room(host, site, clock="5 min + 5 s a move", rated=False)
        wrong = look("invitation", host)
        guest.goto(f"{site.url}probe.html")
        lone = invitation(guest, site, "play", "00112233445566ff")
        come_in(guest, f"{site.url}#/room?i={lone}")
        expect(guest.get_by_label("Answer link", exact=True)).to_be_visible(timeout=READY)
        wrong += look("answer", guest)
        guest.goto("about:blank")
        guest.goto(link)
        wrong += look("invited", guest)
        come_in(guest, link)
        guest.get_by_role("button", name="Sit down").wait_for(timeout=READY)
        wrong += look("offer", guest)
        sit_down(host, guest, guest=guest)
        wrong += look("table", host)

        guest.close()
        again = host.get_by_role("button", name="Invite again")
        again.wait_for(timeout=READY)
        box = again.bounding_box()
        assert box and box["y"] + box["height"] <= PHONE["height"], "below the fold"
        wrong += look("cut off", host)
        again.click()
        host.get_by_label("Invitation link", exact=True).wait_for(timeout=READY)
        wrong += look("invite again", host)

        host.goto(f"{site.url}#/letters?g=alquerque/table&m=d2-c3&k=0123456789abcdef&x=Hana")
        host.reload()
        host.get_by_role("button", name="Sit down").wait_for(timeout=READY)
        wrong += look("letter", host)
        host.get_by_role("button", name="Sit down").click()
        host.wait_for_selector(".in-letter .points", timeout=READY)
        wrong += look("letter's table", host)
        host.goto(f"{site.url}#/profile")
        host.get_by_role("button", name="Start").click()
        host.wait_for_selector(".points", timeout=READY)
        wrong += look("rated", host)
    assert not wrong, "\n".join(wrong)


def test_a_flag_falls_on_both_sides(host: Page, site: Site) -> None:
    guest = host.context.new_page()
    for page in (host, guest):
        page.clock.install()
    come_in(guest, open_room(host, site, minutes=1))
    sit_down(host, guest, guest=guest)
    play_out(host, guest, random.Random(1), most=2)
    agree(host, guest, least=2)
    expect(host.locator(".seat.lower .strip-note")).to_contain_text(":")
    for _ in range(13):  # in steps, so that each still hears the other's signs of life
        for page in (host, guest):
            page.clock.fast_forward(5_000)
            page.wait_for_timeout(200)
    expect(host.locator(".status")).to_contain_text("ran out of time", timeout=READY)
    expect(guest.locator(".status")).to_contain_text("You win", timeout=READY)
    for page in (host, guest):
        expect(page.locator(".talk-presence")).to_have_attribute("data-here", "true")
        assert page.locator(".points [aria-label*='can be chosen']").count() == 0
