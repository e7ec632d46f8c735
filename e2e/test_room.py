"""Rooms over real WebRTC between separate browser profiles, the codes carried by hand; loopback only."""

from __future__ import annotations

import random
import re

from conftest import Site
from people import (
    act,
    carry_answer,
    come_in,
    link_of,
    more,
    play_out,
    record,
    same_plies,
    seat,
)
from playwright.sync_api import Page, expect
from table import READY


def test_a_rated_game_with_a_watcher_who_sees_it_from_the_start(
    host: Page, guest: Page, third: Page, site: Site
) -> None:
    seat(host, guest, site, rules="surakarta/6x6", rated=True, clock="10 min + 5 s a move")
    dice = random.Random(3)
    play_out(host, guest, dice, most=4)
    same_plies(host, guest, count=4)

    host.get_by_role("button", name="Invite to watch").click()
    expect(host.locator("dialog")).to_contain_text("At most 8 people")
    come_in(third, link_of(host, "Invitation link"), "Wim")
    carry_answer(third, host)
    third.wait_for_selector(".in-room .points", timeout=READY)
    same_plies(third, count=4)
    host.get_by_role("button", name="Close", exact=True).first.click()
    expect(guest.locator(".talk-crowd")).to_contain_text("1 watches")
    assert record(third) == record(host)
    assert "Hana" in third.locator(".strip-name").all_inner_texts()
    clocks = third.locator(".strip-note")
    expect(clocks.nth(0)).to_contain_text(re.compile(r"^(9|10):\d\d · "))
    running = third.locator(".strip.is-active .strip-note")
    shown = running.inner_text()
    expect(running).not_to_have_text(shown)  # it goes on by itself

    play_out(host, guest, dice, most=8)
    same_plies(host, guest, third, count=8)
    assert third.locator(".points [aria-label*='can be chosen']").count() == 0

    expect(host.get_by_role("button", name="Undo")).to_be_disabled()
    expect(host.get_by_role("button", name="Hint")).to_be_disabled()
    more(guest, "Resign", "Resign")
    expect(host.locator(".status")).to_contain_text("You win", timeout=READY)
    expect(third.locator(".status")).to_contain_text("resigned", timeout=READY)

    for page, score in ((host, "won"), (guest, "lost")):
        page.goto(f"{site.url}#/profile")
        expect(page.locator(".profile-table")).to_contain_text(score, timeout=READY)
        expect(page.locator("[data-signed]")).to_have_text("by both", timeout=READY)


def test_a_whole_game_then_a_rematch_with_colours_changed(
    host: Page, guest: Page, site: Site
) -> None:
    seat(host, guest, site)
    dice = random.Random(1)
    play_out(host, guest, dice)
    for page in (host, guest):
        over = re.compile("won|lost|even")
        expect(page.locator(".status")).to_have_attribute("data-tone", over, timeout=READY)
    assert record(host) == record(guest)
    first = host.locator(".seat.lower .strip").inner_text()
    guest.get_by_role("button", name="Rematch").click()
    host.get_by_role("button", name="Accept").click()
    for page in (host, guest):
        expect(page.locator(".moves [data-ply]")).to_have_count(0, timeout=READY)
    expect(host.locator(".seat.lower .strip-note")).to_have_text("Light")
    assert "Dark" in first
    act(guest, dice)
    same_plies(host, guest, count=1)


def test_draw_undo_talk_and_mute(host: Page, guest: Page, site: Site) -> None:
    seat(host, guest, site, clock="5 min + 5 s a move")
    dice = random.Random(5)
    play_out(host, guest, dice, most=2)
    same_plies(host, guest, count=2)
    expect(host.locator(".seat.lower .strip-note")).to_contain_text(":")

    guest.get_by_role("button", name="Undo").click()
    host.get_by_role("button", name="Decline").click()
    expect(guest.locator(".status")).to_contain_text("declined", timeout=READY)
    guest.get_by_role("button", name="All right").click()
    guest.get_by_role("button", name="Undo").click()
    host.get_by_role("button", name="Accept").click()
    same_plies(host, guest, count=1)
    act(guest, dice)
    same_plies(host, guest, count=2)

    guest.get_by_label("A word to the other side").fill("<img src=x onerror=alert(1)>")
    guest.get_by_role("button", name="Say").click()
    expect(host.locator(".talk-log")).to_contain_text("<img src=x onerror=alert(1)>")
    assert host.locator(".talk-log img").count() == 0
    host.get_by_role("button", name="Mute").click()
    guest.get_by_label("A word to the other side").fill("unheard")
    guest.get_by_role("button", name="Say").click()

    more(host, "Offer a draw", "Offer it")
    guest.get_by_role("button", name="Accept").click(timeout=READY)
    for page in (host, guest):
        expect(page.locator(".status")).to_contain_text("Both sides agreed", timeout=READY)
    host.get_by_role("button", name="Mute").click()
    expect(host.locator(".talk-log")).not_to_contain_text("unheard")
