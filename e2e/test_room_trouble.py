"""Rooms in trouble: lost connections, closed tabs, wrong codes, answers that take their time."""

from __future__ import annotations

import random

import pytest
from conftest import Site
from people import (
    agree,
    carry_answer,
    come_back,
    come_in,
    link_of,
    my_turn,
    open_room,
    play_out,
    record,
    seat,
    sit_down,
)
from playwright.sync_api import Page, expect
from table import READY


def test_cut_off_in_mid_game_both_come_back(host: Page, guest: Page, site: Site) -> None:
    seat(host, guest, site, rules="seega/5x5")
    dice = random.Random(2)
    play_out(host, guest, dice, most=5)
    before = agree(host, guest, least=5)

    guest.goto("about:blank")  # the guest's tab is closed
    expect(host.locator(".status")).to_contain_text("game is kept", timeout=READY)
    if my_turn(host):
        pytest.fail("a side that is apart must not be told to move")
    come_back(host, guest)
    assert agree(host, guest) == before
    play_out(host, guest, dice, most=8)
    before = agree(host, guest, least=8)

    host.reload()  # now the host's, and the guest invites
    host.wait_for_selector(".in-room .points", timeout=READY)
    assert record(host) == before
    expect(host.locator(".status")).to_contain_text("No connection", timeout=READY)
    come_back(guest, host)
    assert agree(host, guest) == before
    play_out(host, guest, dice, most=10)
    agree(host, guest, least=10)


def test_who_can_come_in_is_told_beforehand(host: Page, site: Site) -> None:
    host.goto(f"{site.url}#/room")
    expect(host.locator(".room")).to_contain_text("must be on one network", timeout=READY)
    host.get_by_label("Your name").fill("Hana")
    host.context.set_offline(True)
    host.get_by_role("button", name="Open the room").click()
    lost = host.get_by_text("finds no network now")
    expect(lost).to_be_visible(timeout=READY)
    host.context.set_offline(False)
    host.get_by_role("button", name="A fresh invitation").click()
    expect(lost).to_have_count(0, timeout=READY)


def test_two_tabs_of_one_browser_come_back(host: Page, site: Site) -> None:
    """Both seats are kept in one browser, and neither tab takes the other's."""
    guest = host.context.new_page()
    come_in(guest, open_room(host, site))
    sit_down(host, guest, guest=guest)
    play_out(host, guest, random.Random(2), most=4)
    before = agree(host, guest, least=4)
    for lost, other in ((host, guest), (guest, host)):
        lost.reload()
        lost.wait_for_selector(".in-room .points", timeout=READY)
        other.get_by_role("button", name="Invite again").click(timeout=READY)
        lost.goto(link_of(other, "Invitation link"))
        lost.get_by_role("button", name="Come in").click()
        for page in (host, guest):
            here = page.locator(".talk-presence")
            expect(here).to_have_attribute("data-here", "true", timeout=READY)
        assert agree(host, guest) == before
    for page in (host, guest):  # told that the other side is this very browser
        page.get_by_role("button", name="All right").click()
    play_out(host, guest, random.Random(3), most=6)
    agree(host, guest, least=6)


def test_wrong_codes_second_guests_and_refusals_are_told(
    host: Page, guest: Page, third: Page, site: Site
) -> None:
    link = open_room(host, site)
    answer = host.get_by_label("The answer you got")
    take = host.get_by_role("button", name="Let them in")
    told = host.locator(".room-answer .room-told")
    for text, sentence in (
        ("", "Paste the link"),
        ("hello there", "incomplete or damaged"),
        (link, "your own invitation"),
        (link[:-4], "incomplete or damaged"),
    ):
        answer.fill(text)
        take.click()
        expect(told).to_contain_text(sentence)

    come_in(guest, link)
    first = link_of(guest, "Answer link")
    come_in(third, link, "Trudy")
    second = link_of(third, "Answer link")
    answer.fill(first)
    take.click()
    guest.get_by_role("button", name="No, thank you").click(timeout=READY)
    expect(host.get_by_role("alert")).to_contain_text("did not want", timeout=READY)
    expect(guest.locator(".room")).to_contain_text("did not sit down", timeout=READY)

    fresh = link_of(host, "Invitation link")
    assert fresh != link
    answer.fill(second)
    take.click()
    expect(told).to_contain_text("older invitation")
    come_in(guest, fresh)
    carry_answer(guest, host)
    sit_down(host, guest, guest=guest)
    guest.goto(f"{site.url}#/room?i={'A' * 60}")
    expect(guest.get_by_role("alert")).to_contain_text("incomplete or damaged")
    guest.get_by_role("link", name="Back to the table").click()
    guest.wait_for_selector(".in-room .points", timeout=READY)
    expect(host.locator(".talk-presence")).to_have_attribute("data-here", "true")


def test_an_answer_that_waits_a_while_still_opens_the_table(
    host: Page, guest: Page, site: Site
) -> None:
    """People need time to carry a code: half a minute must not end it."""
    come_in(guest, open_room(host, site))
    answer = link_of(guest, "Answer link")
    host.wait_for_timeout(35_000)
    tab = host.context.new_page()  # the answer's link is opened beside the waiting room
    tab.goto(answer)
    expect(tab.locator(".room")).to_contain_text("You can close this one", timeout=READY)
    sit_down(host, guest, guest=guest)
    expect(host.locator(".status")).to_contain_text("Your turn", timeout=READY)
