"""Sheets on paper: true to size, whole, two or three pages, for every ruleset."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from conftest import DIST, Site
from people import until
from playwright.sync_api import Browser, Page, expect

MM = 25.4 / 96  # a CSS pixel
POINT = 25.4 / 72
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SPARE = 2
EDGE = 10  # mm that many printers cannot reach; nothing may lie there

Json = Any


def rulesets() -> list[str]:
    index = next(DIST.glob("app-*/boards/index.json"), None)
    return [info["ruleset"] for info in json.loads(index.read_text())] if index else []


def open_sheets(page: Page, site: Site, ruleset: str, language: str = "en") -> None:
    page.emulate_media(media="screen")
    page.goto(f"{site.url}#/print?g={ruleset}&lang={language}")
    until(page, "ruleset => document.querySelector('#print-ruleset')?.value === ruleset", ruleset)
    page.emulate_media(media="print")


def description(site: Site, ruleset: str) -> Json:
    game = ruleset.split("/")[0]
    boards = json.loads((site.app / "guides" / f"{game}.boards.json").read_text("utf-8"))
    return boards["descriptions"][ruleset]


def box(page: Page, selector: str) -> dict[str, float]:
    """In millimetres."""
    got: dict[str, float] = page.evaluate(
        "selector => { const {x, y, width, height} = document.querySelector(selector)"
        ".getBoundingClientRect(); return {x, y, width, height}; }",
        selector,
    )
    return {name: value * MM for name, value in got.items()}


def spacing(page: Page) -> float:
    """What the sheet says its points are apart, in millimetres."""
    return float(page.locator("#print-spacing").input_value())


def measured_spacing(page: Page) -> tuple[float, float]:
    """What they are apart on the drawing: across the board and down it."""
    across, down = page.evaluate(
        """() => {
          const board = document.querySelector('.sheet-board .board');
          const matrix = board.getScreenCTM();
          return [100 * Math.hypot(matrix.a, matrix.b), 100 * Math.hypot(matrix.c, matrix.d)];
        }"""
    )
    return across * MM, down * MM


def pages_of(page: Page) -> list[tuple[float, float]]:
    """The sizes of a printout's pages, in millimetres."""
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    found = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", pdf)
    return [(float(width) * POINT, float(height) * POINT) for width, height in found]


@pytest.fixture
def page(page: Page) -> Page:
    """A visitor whose engine never comes: sheets must not need it."""
    page.route("**/runtime-*/**", lambda route: None)
    return page


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_sheets_are_true_to_size(page: Page, site: Site, paper: str) -> None:
    unit = "cm" if paper == "a4" else "in"
    page.add_init_script(
        f'localStorage.setItem(\'qirkat.print\', \'{{"paper": "{paper}", "unit": "{unit}"}}\')'
    )
    for ruleset in rulesets():
        open_sheets(page, site, ruleset)
        is_true_to_size(page, description(site, ruleset), paper, unit)


def is_true_to_size(page: Page, facts: Json, paper: str, unit: str) -> None:
    told = spacing(page)
    step = 2.5 if unit == "cm" else 25.4 / 8
    assert told / step == pytest.approx(round(told / step), abs=1e-6)
    assert measured_spacing(page) == pytest.approx((told, told), abs=0.05)
    assert box(page, ".ruler")["width"] == pytest.approx(100 if unit == "cm" else 101.6, abs=0.05)

    sheets = page.locator(".sheet")
    assert 2 <= sheets.count() <= 3
    short, long = PAPERS[paper]
    landscape = "landscape" in (sheets.first.get_attribute("class") or "")
    wanted = (long, short) if landscape else (short, long)
    pages = pages_of(page)
    assert len(pages) == sheets.count()
    for size in pages:
        assert size == pytest.approx(wanted, abs=0.4)

    # Nothing is cut off, neither by the sheet nor by the printer's rim.
    outside = page.evaluate(
        """([edge, width, height]) => [...document.querySelectorAll('.sheet')].flatMap((sheet) => {
          const frame = sheet.getBoundingClientRect();
          return [...sheet.querySelectorAll('h2, p, li, strong, span, figcaption, .slab, .ruler, .cut, .sheet-label')]
            .map((node) => [node, node.getBoundingClientRect()])
            .filter(([, box]) => box.left < frame.left + edge || box.right > frame.left + width - edge
              || box.top < frame.top + edge || box.bottom > frame.top + height - edge)
            .map(([node]) => `${node.tagName} ${node.textContent}`);
        })""",
        [EDGE / MM, wanted[0] / MM, wanted[1] / MM],
    )
    assert outside == []

    men = facts["sets"]["x"] + facts["sets"]["o"] + 2 * SPARE
    sultans = page.locator(".cutout .crowned").count()
    assert page.locator(".cutout").count() == men + sultans
    assert (sultans > 0) == facts["sultans"]
    piece = box(page, ".cut")["width"]
    assert 0.6 * told < piece < 0.85 * told


@pytest.mark.parametrize("language", ["fr", "es"])
def test_rules_are_whole_and_legible_in_every_language(
    page: Page, site: Site, language: str
) -> None:
    for ruleset in rulesets():
        open_sheets(page, site, ruleset, language)
        rules = page.locator(".sheet-rules")
        expect(rules).to_be_attached()
        room = rules.evaluate(
            "node => [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight]"
        )
        assert max(room) <= 1, ruleset
        size = rules.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") * 72 / 96
        assert size >= 9.5, ruleset
        assert page.locator(".rules-sheet h2").count() >= 4
        assert page.evaluate("document.documentElement.lang") == language


def test_paper_is_white_and_bare_whatever_the_theme(browser: Browser, site: Site) -> None:
    context = browser.new_context(color_scheme="dark", locale="en-US")
    page = context.new_page()
    open_sheets(page, site, "surakarta/6x6")
    expect(page.locator(".print-controls")).to_be_hidden()
    expect(page.locator(".bar")).to_be_hidden()
    colours = page.evaluate(
        """() => {
          const of = (selector, what) => getComputedStyle(document.querySelector(`.board-sheet ${selector}`))[what];
          const ground = (selector) => getComputedStyle(document.querySelector(selector)).backgroundColor;
          return [ground('body'), ground('.sheet'),
            of('.slab', 'fill'), of('.circuit-1:not(.under)', 'stroke'), of('.circuit-2:not(.under)', 'stroke')];
        }"""
    )
    white, black = "rgb(255, 255, 255)", "rgb(0, 0, 0)"
    assert colours == [white, white, white, black, black]
    # The circuits differ without colour, and an American sees American paper and inches.
    dashes = [
        page.evaluate(
            f"getComputedStyle(document.querySelector('.board-sheet .circuit-{n}:not(.under)')).strokeDasharray"
        )
        for n in (1, 2)
    ]
    assert dashes[0] == "none" and dashes[1] != "none"
    assert page.locator(".sheet.letter").count() == page.locator(".sheet").count()
    assert box(page, ".ruler")["width"] == pytest.approx(101.6, abs=0.05)
    context.close()


def test_choices_are_kept_and_change_the_sheets(page: Page, site: Site) -> None:
    open_sheets(page, site, "alquerque/table")
    page.emulate_media(media="screen")
    page.get_by_label("Letter").check(force=True)
    page.get_by_label("Inches").check(force=True)
    expect(page.get_by_label("Inches")).to_be_focused()
    page.get_by_label("Distance from point to point").select_option(index=2)
    chosen = spacing(page)
    page.emulate_media(media="print")
    assert measured_spacing(page)[0] == pytest.approx(chosen, abs=0.05)
    page.emulate_media(media="screen")
    page.get_by_label("Game and rules").select_option("konane/8x8")
    expect(page.locator("h1")).to_have_text("Print: Konane")
    expect(page.get_by_label("Letter")).to_be_checked()
    page.reload()
    page.wait_for_selector(".pieces-sheet")
    expect(page.get_by_label("Inches")).to_be_checked()


def test_a_mix_of_ones_own_is_printed_by_the_engine(page: Page, site: Site) -> None:
    page.unroute("**/runtime-*/**")
    page.goto(f"{site.url}#/print?g=alquerque/table;sultan=long&lang=en")
    page.wait_for_selector(".pieces-sheet", timeout=30_000)
    assert page.locator(".cutout .crowned").count() > 0
