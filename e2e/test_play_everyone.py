"""For everyone: lists of pieces, marked hints, forced moves, an engine that dies, zoom, fingers."""

from __future__ import annotations

import json

import pytest
from conftest import Site
from playwright.sync_api import Browser, Page, expect
from table import (
    READY,
    click,
    keys,
    moves_of,
    open_table,
    pieces,
    point,
    touch,
    wait_ready,
    wait_turn,
)

GAME = "g=alquerque/table"
ID = "0123456789abcdef"


def wish(page: Page, settings: str) -> None:
    page.add_init_script(f"localStorage.setItem('qirkat.settings', JSON.stringify({settings}))")


def test_a_hinted_move_is_counted_and_marked(page: Page, site: Site) -> None:
    open_table(page, site.url, f"{GAME}&side=x&level=1")
    page.keyboard.press("h")
    expect(page.locator(".mark-hint")).to_have_count(1, timeout=READY)
    page.keyboard.press("h")
    expect(page.locator(".mark-hint")).to_have_count(2)
    path = page.eval_on_selector_all(
        ".mark-hint", "all => all.map(ring => [+ring.getAttribute('cx'), +ring.getAttribute('cy')])"
    )
    names = page.evaluate(
        """spots => spots.map(([x, y]) => [...document.querySelectorAll(".point")]
        .find(p => +p.getAttribute("x") + 48 === x && +p.getAttribute("y") + 48 === y)
        .dataset.point)""",
        path,
    )
    for name in names:
        click(page, name)
    marked = page.locator('.moves [data-ply="1"]')
    expect(marked).to_contain_text("(after a hint)")
    expect(page.locator(".lower .strip-note")).to_contain_text("1 hint")
    wait_turn(page)
    page.reload()
    expect(marked).to_contain_text("(after a hint)", timeout=READY)
    expect(page.locator('.moves [data-ply="2"]')).not_to_contain_text("hint")


def test_a_dying_engine_does_not_end_the_game(page: Page, site: Site) -> None:
    # Dark to move with many moves, far from the book of openings: a search that needs no thought would end before it
    # is seen.
    position = "ooo3/ooo3/6/6/3xxx/3xxx_x_0"
    open_table(page, site.url, f"g=surakarta/6x6&p={position}&side=o&level=9", ready=False)
    left = page.evaluate(
        """async (module) => {
          const { engine } = await import(module);
          let left = 4; // as many deaths refuse a request: it must be made again
          for (const end = performance.now() + 120_000; left > 0 && performance.now() < end;) {
            const asked = [...engine.requests.values()].map(({method}) => method);
            if (engine.state === "ready" && asked.includes("search")) {
              left -= 1;
              engine.worker.onerror(new ErrorEvent("error", {message: "gone", cancelable: true}));
            }
            await new Promise((done) => setTimeout(done, 20));
          }
          return left;
        }""",
        site.module("start.js"),
    )
    assert left == 0
    expect(page.locator('.moves [data-ply="1"]')).to_be_visible(timeout=2 * READY)
    assert page.locator(".status").get_attribute("data-tone") != "alert"


def test_forced_moves_are_played_where_that_is_wished(page: Page, site: Site) -> None:
    wish(page, "{forced: true, motion: false}")
    open_table(page, site.url, f"{GAME}&m=d2-c3&side=both", still=False)
    click(page, "d4")  # the piece has one move: it goes
    # The answer is the only one there is: it comes by itself, and soon.
    expect(page.locator('.moves [data-ply="3"]')).to_be_visible(timeout=5000)
    assert moves_of(page)[:3] == ["d2-c3", "d4xd2", "d1xd3"]


@pytest.mark.parametrize("table", ["rated", "letter"])
def test_forced_moves_are_played_at_every_table(page: Page, site: Site, table: str) -> None:
    wish(page, "{forced: true, motion: false}")
    game = {"v": 1, "ruleset": "alquerque/table", "side": "x", "moves": ["d2-c3", "d4xd2"]}
    letter = {"k": ID, "start": None, "names": {"x": "", "o": "Gil"}, "sent": 2, "over": False}
    kept = {"id": ID, "level": 1} if table == "rated" else {**letter, "updated": 1}
    slot, route = ("rated", "rated") if table == "rated" else (f"letter.{ID}", f"letters/{ID}")
    page.goto(site.url)
    stored = [f"qirkat.{slot}", json.dumps({**game, **kept})]
    page.evaluate("stored => localStorage.setItem(...stored)", stored)
    page.goto(f"{site.url}#/{route}")
    expect(page.locator('.moves [data-ply="3"]')).to_have_text("d1×d3", timeout=READY)


def test_the_board_is_one_tab_stop_and_keeps_the_focus(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=fanorona/tsivy&side=both")
    focused = "document.activeElement.dataset.point ?? document.activeElement.className"
    page.locator("#bar .keys-button").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "a1"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "moves"
    keys(page, "d3")
    keys(page, "e3")
    page.get_by_role("button", name="Withdrawal: 1").press("Enter")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)
    assert page.evaluate(focused) == "e3"  # what was pressed is gone


def test_the_latest_move_is_in_view(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 1000, "height": 560})
    line = "d3_c3_d1xd3_b2xd2_b1xd1_a3xc3_e2xc2_a1xa3_d3xb3_c5xc3xc1_e4xc4_b4xd4_f3xd3_a3xc3xe3"
    open_table(page, site.url, f"g=konane/6x6&m={line}&side=both")
    seen = """() => [".moves", ".moves [aria-current]"].map(one => {
        const { top, bottom } = document.querySelector(one).getBoundingClientRect();
        return [top, bottom];
    })"""
    for key, ply in (("End", 14), ("Home", 0), ("End", 14), ("ArrowLeft", 13)):
        page.keyboard.press(key)
        if ply:
            expect(page.locator(".moves [aria-current]")).to_have_attribute("data-ply", str(ply))
            (top, bottom), (first, last) = page.evaluate(seen)
            assert top - 1 <= first < last <= bottom + 1


def test_what_stands_where_is_told_in_words(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=alquerque/doce-long&p=4o/1o3/5/5/X4_x_0&side=both")
    region = page.get_by_role("region", name="Pieces on the board")
    expect(region).to_contain_text("Dark: a1 (Sultan).")
    expect(region).to_contain_text("Light: b4 and e5.")


def test_the_board_is_a_grid_with_every_point_named(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=surakarta/6x6&side=both", ready=False)
    grid = page.get_by_role("grid", name="Surakarta board")
    expect(grid.get_by_role("row")).to_have_count(6)
    cells = grid.get_by_role("gridcell")
    expect(cells).to_have_count(36)
    assert all(", " in said for said in cells.evaluate_all("all => all.map(c => c.ariaLabel)"))
    assert grid.locator('[tabindex="0"]').count() == 1


def test_moves_and_refusals_are_said(page: Page, site: Site) -> None:
    open_table(page, site.url, f"{GAME}&side=both")
    heard = page.locator("#announcer")
    click(page, "d2")
    click(page, "c3")
    expect(heard).to_contain_text("d2")
    click(page, "a5")
    expect(heard).to_contain_text("You must capture")


def test_a_loop_shows_to_the_keyboard_too(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=surakarta/6x6&p=o5/6/1o4/6/1x4/6_x_0&side=both")
    point(page, "b2").focus()
    page.keyboard.press("Enter")
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    line = page.locator(".preview-line")
    expect(line).to_have_count(1)
    assert "A" in (line.get_attribute("d") or "")
    page.keyboard.press("ArrowDown")
    expect(line).to_have_count(1)  # a plain step there is straight
    assert "A" not in (line.get_attribute("d") or "")


def test_the_pass_is_offered(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=seega/5x5&side=both&p=5/5/5/o3o/xo1ox_x_0")
    expect(page.locator(".status")).to_contain_text("you pass")
    page.get_by_role("button", name="Pass").click()
    expect(page.locator(".moves")).to_contain_text("pass")


def test_the_other_sides_capture_can_be_seen_again(page: Page, site: Site) -> None:
    open_table(page, site.url, f"{GAME}&m=d2-c3_d4xd2&side=both", still=False)
    page.get_by_role("button", name="Replay this move").click()
    expect(page.locator(".status")).to_contain_text("move 1 of 2")
    expect(page.locator(".status")).not_to_contain_text("Looking back", timeout=3000)
    expect(page.locator(".trail-taken")).to_have_count(1)
    assert pieces(page)["d3"] == "empty"


@pytest.mark.parametrize("size", [(640, 400), (720, 450)])
def test_at_200_percent_all_is_reachable(
    browser: Browser, site: Site, size: tuple[int, int]
) -> None:
    """A window of 1280 or 1440 pixels at double size; the lower part may scroll, nothing is lost."""
    context = browser.new_context(
        locale="es-ES", viewport={"width": size[0], "height": size[1]}, device_scale_factor=2
    )
    page = context.new_page()
    open_table(page, site.url, f"{GAME}&side=both")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for node in (".board", "#typed-move", ".steps button", ".actions button:last-child"):
        page.locator(node).first.scroll_into_view_if_needed()
        expect(page.locator(node).first).to_be_in_viewport(ratio=0.9)
    context.close()


def test_fingers_find_every_button(browser: Browser, site: Site) -> None:
    context = browser.new_context(
        locale="en-GB", viewport={"width": 640, "height": 360}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    open_table(page, site.url, f"{GAME}&m=d2-c3_d4xd2&side=both")
    wait_ready(page)
    small = page.eval_on_selector_all(
        "button, select, input",
        """all => all.filter(node => node.checkVisibility() && (node.offsetHeight < 40
        || node.offsetWidth < 40)).map(node => node.outerHTML.slice(0, 90))""",
    )
    assert small == []
    touch(page, "d1")
    touch(page, "d3")
    expect(page.locator('.moves [data-ply="3"]')).to_be_visible()
    context.close()
