"""A visit in Firefox: start, a move and its answer, stopping a search, hint, links, off the network."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from conftest import Site
from playwright.sync_api import Browser, Page, Playwright, expect
from table import READY, click, moves_of, plies, stands, wait_ready, wait_turn

GAME = "g=alquerque/table&side=x"
#: Rules that no book of openings is for: the highest level thinks over its first move.
THOUGHT_OVER = "g=alquerque/table;noreturn=yes&side=x"


@pytest.fixture(scope="module")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    program = os.environ.get("QIRKAT_FIREFOX")
    if not program:
        pytest.skip("no Firefox here and none could be had: this browser was not tested")
    running = playwright.firefox.launch(channel="moz-firefox", executable_path=program)
    yield running
    running.close()


@pytest.fixture
def page(firefox: Browser) -> Iterator[Page]:
    made = firefox.new_page(viewport={"width": 1280, "height": 800})
    yield made
    made.close()


def sit_down(page: Page, site: Site, query: str) -> None:
    page.goto(f"{site.url}#/play?{query}")
    page.wait_for_selector(".points", timeout=2 * READY)
    wait_ready(page)


def test_a_move_its_answer_and_taking_back(page: Page, site: Site) -> None:
    sit_down(page, site, f"{GAME}&level=1")
    click(page, "d2")
    click(page, "c3")
    expect(page.locator('.moves [data-ply="2"]')).to_be_visible(timeout=READY)
    wait_turn(page)
    assert len(moves_of(page)) == plies(page) >= 2
    page.keyboard.press("z")
    expect(page.locator(".moves [data-ply]")).to_have_count(0)
    stands(page, "d2", "dark piece")
    page.keyboard.press("h")
    expect(page.locator(".mark-hint")).to_have_count(1, timeout=READY)


def test_a_long_search_can_be_stopped(page: Page, site: Site) -> None:
    sit_down(page, site, f"{THOUGHT_OVER}&level=9")
    click(page, "d2")
    click(page, "c3")
    page.get_by_role("button", name="Move now").click()
    expect(page.locator('.moves [data-ply="2"]')).to_be_visible(timeout=5000)


def test_a_loop_is_shown_and_run(page: Page, site: Site) -> None:
    sit_down(page, site, "g=surakarta/6x6&p=o5/6/1o4/6/1x4/6_x_0&side=both")
    click(page, "b2")
    page.locator('[data-point="b4"]').hover()
    expect(page.locator(".preview-line")).to_have_count(1)
    click(page, "b4")
    expect(page.locator(".moves")).to_contain_text("b2×b4")


def test_it_comes_back_off_the_network(page: Page, site: Site) -> None:
    sit_down(page, site, f"{GAME}&level=1")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    site.stop()
    try:
        page.reload()
        page.wait_for_selector(".points", timeout=2 * READY)
        click(page, "d2")
        click(page, "c3")
        expect(page.locator('.moves [data-ply="2"]')).to_be_visible(timeout=2 * READY)
    finally:
        site.start()
