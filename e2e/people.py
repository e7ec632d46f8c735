"""Two and three people in rooms: what the tests of rooms share."""

from __future__ import annotations

import random
import re

from conftest import Site
from playwright.sync_api import Page, expect
from table import READY, can_go, click, plies, status, turn_answers, wait_ready


def open_room(
    page: Page,
    site: Site,
    *,
    name: str = "Hana",
    rules: str = "alquerque/table",
    colour: str = "I begin",
    clock: str = "No clock",
    minutes: int = 0,
    rated: bool = False,
) -> str:
    """Open a room and return the invitation's link."""
    page.goto(f"{site.url}#/room")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Rules", exact=True).select_option(rules)
    page.get_by_label(colour, exact=True).check()
    page.get_by_label("Clock").select_option(label="Other…" if minutes else clock)
    if minutes:
        page.get_by_label("Minutes").fill(str(minutes))
        page.get_by_label("Seconds a move").fill("0")
    if rated:
        page.get_by_label("Rated game").check()
    page.get_by_role("button", name="Open the room").click()
    return link_of(page, "Invitation link")


def until(page: Page, expression: str, arg: object = None) -> None:
    """Ask again and again until it holds: under the site's policy a page cannot be left to ask itself."""
    for _ in range(READY // 100):
        if page.evaluate(expression, arg):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"in vain: {expression}")


def link_of(page: Page, label: str) -> str:
    field = page.get_by_label(label, exact=True)
    expect(field).to_be_visible(timeout=READY)
    return field.input_value()


def come_in(page: Page, link: str, name: str = "Gil") -> None:
    page.goto("about:blank")
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Come in").click()


def carry_answer(guest: Page, host: Page) -> None:
    """The guest's answer goes back as pasted text."""
    answer = link_of(guest, "Answer link")
    host.get_by_label("The answer you got").fill(answer)
    host.get_by_role("button", name="Let them in").click()


def sit_down(*pages: Page, guest: Page) -> None:
    guest.get_by_role("button", name="Sit down").click(timeout=READY)
    for page in pages:
        page.wait_for_selector(".in-room .points", timeout=READY)
        wait_ready(page)


def seat(host: Page, guest: Page, site: Site, **terms: object) -> None:
    """Both at the table, joined by WebRTC."""
    link = open_room(host, site, **terms)  # type: ignore[arg-type]
    come_in(guest, link)
    carry_answer(guest, host)
    sit_down(host, guest, guest=guest)


def come_back(inviter: Page, other: Page, name: str = "Gil") -> None:
    """A fresh invitation from either side joins the two again."""
    inviter.get_by_role("button", name="Invite again").click(timeout=READY)
    come_in(other, link_of(inviter, "Invitation link"), name)
    carry_answer(other, inviter)
    for page in (inviter, other):
        page.wait_for_selector(".in-room .points", timeout=READY)
        expect(page.locator(".talk-presence")).to_have_attribute("data-here", "true", timeout=READY)


def come_back_beside(inviter: Page, other: Page) -> None:
    """As after a tap in a messenger: the invitation opens in a tab beside the one with the game."""
    inviter.get_by_role("button", name="Invite again").click(timeout=READY)
    tab = other.context.new_page()
    tab.goto(link_of(inviter, "Invitation link"))
    carry_answer(tab, inviter)
    expect(tab.locator(".room")).to_contain_text("in another tab")
    tab.close()
    for page in (inviter, other):
        expect(page.locator(".talk-presence")).to_have_attribute("data-here", "true", timeout=READY)


def more(page: Page, what: str, sure: str) -> None:
    """One of the table's rarer commands, and the answer to whether it is meant."""
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name=what, exact=True).click()
    page.locator("dialog.ask").get_by_role("button", name=sure).click()


def my_turn(page: Page) -> bool:
    text = status(page)
    return bool(
        re.search(r"Your turn|Place a stone|Take one of|you pass|stop here|must go on", text)
    )


def finished(page: Page) -> bool:
    return page.locator(".status").get_attribute("data-tone") in ("won", "lost", "even")


def act(page: Page, dice: random.Random) -> None:
    """One random legal turn of the one whose turn it is, by pointing."""
    before = plies(page)
    answers = turn_answers(page)
    if "you pass" in status(page):
        answers.first.click()
        return
    starts = can_go(page, "can be chosen")
    click(page, dice.choice(starts))
    for _ in range(16):
        page.wait_for_timeout(40)
        if plies(page) > before or finished(page) or (not my_turn(page) and not answers.count()):
            return
        if answers.count():
            answers.first.click()
            continue
        targets = can_go(page)
        if targets:
            click(page, dice.choice(targets))


def same_plies(*pages: Page, count: int) -> None:
    for page in pages:
        expect(page.locator(".moves [data-ply]")).to_have_count(count, timeout=READY)


def record(page: Page) -> list[str]:
    return page.locator(".moves [data-ply]").all_inner_texts()


def play_out(host: Page, guest: Page, dice: random.Random, most: int = 400) -> None:
    """Random turns of both until the game is over or `most` plies stand."""
    for _ in range(most):
        for page in (host, guest):
            if finished(host) and finished(guest):
                return
            # The one who has just moved shows it first: the other may hear of it later.
            if max(plies(host), plies(guest)) >= most:
                return
            if my_turn(page):
                act(page, dice)
        await_turn(host, guest)


def await_turn(*pages: Page) -> None:
    """A move may be long under way: wait until someone has something to do."""
    for _ in range(READY // 50):
        if any(my_turn(page) for page in pages) or all(finished(page) for page in pages):
            return
        pages[0].wait_for_timeout(50)


def agree(*pages: Page, least: int = 0) -> list[str]:
    """Wait until all show the same record of at least so many entries; returns it."""
    for _ in range(150):
        records = [record(page) for page in pages]
        if len(records[0]) >= least and all(one == records[0] for one in records):
            return records[0]
        pages[0].wait_for_timeout(200)
    raise AssertionError(f"the records differ: {records}")
