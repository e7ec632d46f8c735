"""Games by letter, between two browsers that never meet: links only."""

from __future__ import annotations

import re

from conftest import Site
from people import until
from playwright.sync_api import Page, expect
from screens import found_by_axe
from table import READY, can_go, click, status, wait_ready


def begin(page: Page, site: Site, rules: str = "alquerque/table") -> None:
    page.goto(f"{site.url}#/letters")
    page.get_by_label("Your name").fill("Hana")
    page.get_by_label("Rules", exact=True).select_option(rules)
    page.get_by_role("button", name="Begin").click()
    ready(page)


def ready(page: Page) -> None:
    page.wait_for_selector(".in-letter .points", timeout=READY)
    wait_ready(page)


def visit(page: Page, link: str) -> None:
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".in-letter .points, .letter-fork, .letter-welcome", timeout=READY)
    if page.locator(".letter-welcome").count():
        page.get_by_role("button", name="Sit down").click()
        page.wait_for_selector(".in-letter .points", timeout=READY)
    if page.locator(".points").count():
        wait_ready(page)
    until(  # the replay of what came since has reached the last move
        page,
        "() => { const all = [...document.querySelectorAll('.moves [data-ply]')];"
        "return all.length === 0 || all.at(-1).classList.contains('is-here') }",
    )


def typed(page: Page, move: str) -> None:
    page.get_by_label("Type a move").fill(move)
    page.get_by_role("button", name="Play", exact=True).click()


def link_after(page: Page, plies: int) -> str:
    expect(page.locator(".moves [data-ply]")).to_have_count(plies, timeout=READY)
    field = page.get_by_label("The next link", exact=True)
    expect(field).to_be_visible(timeout=READY)
    return field.input_value()


def test_a_game_goes_back_and_forth(host: Page, guest: Page, site: Site) -> None:
    begin(host, site)
    expect(host.locator(".letter-corner")).to_be_hidden()
    typed(host, "b2-c3")
    first = link_after(host, 1)
    assert re.search(r"m=b2-c3", first)
    host.get_by_role("button", name="Undo").click()
    expect(host.locator(".moves [data-ply]")).to_have_count(0)
    typed(host, "d2-c3")
    first = link_after(host, 1)
    host.get_by_role("button", name="Copy the link").click()
    expect(host.get_by_role("button", name="Undo")).to_be_disabled()
    assert can_go(host, "can be chosen") == []
    click(host, "a1")
    expect(host.locator(".status")).to_contain_text("send them the link")

    visit(guest, first)
    expect(guest.locator(".status")).to_contain_text("A game from Hana")
    expect(guest.locator(".seat.upper .strip-name")).to_have_text("Hana")
    click(guest, "b4")
    click(guest, "d2")
    second = link_after(guest, 2)

    visit(host, second)
    expect(host.locator(".status")).to_contain_text("Since your last visit: 1 move")
    expect(host.locator(".moves .is-here")).to_have_attribute("data-ply", "2", timeout=READY)
    visit(host, first)
    expect(host.locator(".status")).to_contain_text("already 1 move further")
    expect(host.locator(".moves [data-ply]")).to_have_count(2)
    visit(host, second)
    expect(host.locator(".status")).to_contain_text("Nothing new")

    host.goto("about:blank")
    host.goto(f"{site.url}#/letters")
    expect(host.locator(".room-list li")).to_have_count(1)
    host.locator(".room-list a").click()
    ready(host)
    expect(host.locator(".moves [data-ply]")).to_have_count(2)


def test_two_tabs_hold_one_game(host: Page, guest: Page, site: Site) -> None:
    begin(host, site)
    typed(host, "d2-c3")
    first = link_after(host, 1)
    host.get_by_role("button", name="Copy the link").click()
    visit(guest, first)
    typed(guest, "b4xd2")
    second = link_after(guest, 2)

    other = host.context.new_page()
    visit(other, second)
    expect(host.locator(".moves [data-ply]")).to_have_count(2, timeout=READY)
    typed(other, "e1xc3")
    link_after(other, 3)
    expect(host.locator(".moves [data-ply]")).to_have_count(3, timeout=READY)
    expect(host.locator(".moves .is-here")).to_have_attribute("data-ply", "3", timeout=READY)
    host.reload()
    ready(host)
    expect(host.locator(".moves [data-ply]")).to_have_count(3)


def test_forks_and_moves_in_my_name_are_shown(host: Page, guest: Page, site: Site) -> None:
    begin(host, site)
    typed(host, "d2-c3")
    first = link_after(host, 1)
    visit(guest, first)
    typed(guest, "b4xd2")
    second = link_after(guest, 2)
    visit(host, second)

    visit(host, first.replace("d2-c3", "b2-c3"))
    expect(host.get_by_role("heading", level=1)).to_have_text("Two ways of one game")
    host.get_by_role("button", name="Keep mine").click()
    ready(host)
    expect(host.locator(".moves [data-ply]")).to_have_count(2)
    visit(host, first.replace("d2-c3", "b2-c3"))
    host.get_by_role("button", name="Take the link’s").click()
    ready(host)
    expect(host.locator(".moves [data-ply]")).to_have_text(["b2–c3"])
    host.goto("about:blank")
    host.goto(f"{site.url}#/letters")
    expect(host.locator(".room-list li")).to_have_count(2)

    visit(guest, second.replace("d2-c3_b4xd2", "d2-c3_b4xd2_e1xc3_d4xd2xb4"))
    expect(guest.get_by_role("alert")).to_contain_text("a move in your name")
    guest.get_by_role("button", name="Keep mine").click()
    ready(guest)
    expect(guest.locator(".moves [data-ply]")).to_have_count(2)


def test_who_only_looks_keeps_nothing_and_takes_no_seat(host: Page, site: Site) -> None:
    host.goto(f"{site.url}#/letters?g=alquerque/table&m=d2-c3&k=0123456789abcdef&x=Hana")
    expect(host.get_by_role("heading", level=1)).to_have_text("A game from Hana", timeout=READY)
    assert found_by_axe(host) == []
    host.get_by_role("button", name="Only look").click()
    host.wait_for_selector(".analysis", timeout=READY)
    expect(host.locator(".moves [data-ply]")).to_have_count(1, timeout=READY)
    assert host.evaluate("Object.keys(localStorage).filter(k => k.includes('letter'))") == []


def test_links_that_hold_no_game(host: Page, site: Site) -> None:
    key = "k=0123456789abcdef"
    for query, sentence in (
        (f"g=alquerque/table&m=a1-e5&{key}", "does not hold a possible game"),
        (f"g=alquerque/none&{key}", "does not hold a possible game"),
        (f"g=alquerque/table&{key}&x=a%0Ab", "cannot be read"),
        ("k=zz", "cannot be read"),
    ):
        host.goto("about:blank")
        host.goto(f"{site.url}#/letters?{query}")
        expect(host.get_by_role("alert")).to_contain_text(sentence, timeout=READY)


def test_names_with_markup_stay_text(host: Page, site: Site) -> None:
    name = "%3Cimg%20src=x%3E"
    visit(host, f"{site.url}#/letters?g=alquerque/table&m=d2-c3&k=0123456789abcdef&x={name}")
    expect(host.locator(".seat.upper .strip-name")).to_have_text("<img src=x>")
    assert host.locator("main img").count() == 0
    assert "<img" in status(host)
