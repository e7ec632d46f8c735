"""The position editor: setting up, refusing what cannot be, going on from there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import Site
from people import until
from playwright.sync_api import Browser, Page, expect
from screens import found_by_axe, overflow, settle, visit
from table import READY, click, pieces, touch

GOOD = '.editor-verdict[data-tone="good"]'
BAD = '.editor-verdict[data-tone="bad"]'


@pytest.fixture
def editor(browser: Browser, site: Site) -> Iterator[Page]:
    with visit(browser, site) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/edit?g=alquerque/doce-long")
        settle(page, GOOD)
        yield page


def text(page: Page) -> str:
    return page.locator("#editor-text").input_value()


def empty(page: Page) -> None:
    page.get_by_role("button", name="Empty the board").click()


def brush(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).check(force=True)


def test_pieces_are_put_and_taken(editor: Page) -> None:
    empty(editor)
    expect(editor.locator(".editor-verdict")).to_contain_text("the game is over")
    brush(editor, "Dark Sultan")
    click(editor, "c3")
    brush(editor, "Light piece")
    click(editor, "c4")
    click(editor, "b4")
    click(editor, "b4")  # once more takes it off
    assert text(editor) == "5/2o2/2X2/5/5 x 0"
    assert pieces(editor)["c3"] == "dark Sultan"
    settle(editor, GOOD)
    editor.get_by_role("button", name="Undo").click()
    assert text(editor) == "5/1oo2/2X2/5/5 x 0"


def test_by_keyboard_alone(editor: Page) -> None:
    empty(editor)
    editor.locator('.point[tabindex="0"]').focus()
    editor.keyboard.press("3")
    expect(editor.locator("#announcer")).to_contain_text("dark Sultan")
    editor.keyboard.press("Enter")
    editor.keyboard.press("ArrowUp")
    editor.keyboard.press("2")
    editor.keyboard.press("Space")
    assert text(editor) == "5/5/5/o4/X4 x 0"
    editor.keyboard.press("Delete")
    assert text(editor) == "5/5/5/5/X4 x 0"
    editor.keyboard.press("z")
    assert text(editor) == "5/5/5/o4/X4 x 0"


def test_by_finger(browser: Browser, site: Site) -> None:
    phone = {"width": 360, "height": 640}
    with visit(browser, site, viewport=phone, has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/edit?g=surakarta/6x6")
        settle(page, GOOD)
        touch(page, "c3")
        assert text(page) == "oooooo/oooooo/6/2x3/xxxxxx/xxxxxx x 0"
        expect(page.locator("#editor-wrong-board")).to_contain_text("13 pieces")
        assert overflow(page) <= 0


REFUSED = [
    ("x4/5/5/5/4o x 0", "board", "Sultan there"),
    ("ooooo/ooooo/ooo2/xx3/5 x 0", "board", "13 pieces"),
    ("5/5/5/5/x4 x 0 hand=1,1", "text", "hand"),
    ("5/5/2q2/5/x4 x 0", "text", "q"),
    ("5/5/5/x4 x 0", "text", "4 rows"),
]


def test_what_cannot_be_is_refused_where_it_belongs(editor: Page) -> None:
    play = editor.get_by_role("link", name="Play from here")
    for position, where, words in REFUSED:
        editor.locator("#editor-text").fill(position)
        editor.locator("#editor-text").press("Enter")
        expect(editor.locator(f"#editor-wrong-{where}")).to_contain_text(words)
        expect(editor.locator(".editor-wrong:visible")).to_have_count(1)
        settle(editor, BAD)
        expect(play).to_have_attribute("aria-disabled", "true")


def test_a_named_point_is_marked(editor: Page) -> None:
    empty(editor)
    click(editor, "d5")  # a dark man on the far rank
    settle(editor, BAD)
    expect(editor.locator(".mark-selected")).to_have_count(1)
    expect(editor.locator("#editor-wrong-board")).to_contain_text("d5")


def test_seegas_hands_are_set_right(browser: Browser, site: Site) -> None:
    with visit(browser, site) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/edit?g=seega/5x5")
        settle(page, GOOD)
        click(page, "a1")
        settle(page, BAD)
        expect(page.locator("#editor-wrong-hand")).to_be_visible()
        page.get_by_role("button", name="Set to 11 · 12").click()
        settle(page, GOOD)
        assert text(page) == "5/5/5/5/x4 x 0 hand=11,12"
        click(page, "c3")
        settle(page, BAD)


def test_the_position_goes_on(editor: Page) -> None:
    empty(editor)
    brush(editor, "Dark Sultan")
    click(editor, "a1")
    brush(editor, "Light piece")
    click(editor, "c3")
    editor.get_by_role("radio", name="Light", exact=True).check(force=True)
    settle(editor, GOOD)
    address = editor.url
    editor.get_by_role("link", name="Two at this screen").click()
    editor.wait_for_selector(".play .points", timeout=READY)
    expect(editor.locator(".status")).to_contain_text("Light to move")
    assert pieces(editor)["a1"] == "dark Sultan"
    editor.go_back()
    settle(editor, GOOD)
    assert editor.url == address and text(editor) == "5/5/2o2/5/X4 o 0"


def test_a_link_that_cannot_be_is_shown_for_mending(browser: Browser, site: Site) -> None:
    with visit(browser, site) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/edit?g=konane/6x6&p=xx/5_x_0")
        settle(page, BAD)
        assert text(page) == "xx/5 x 0"
        expect(page.locator("#editor-wrong-text")).to_contain_text("rows")


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("fr", "dark"), ("es", "light")])
def test_every_board_fits_and_axe_is_content(
    browser: Browser, site: Site, lang: str, scheme: str
) -> None:
    with visit(browser, site, color_scheme=scheme, bypass_csp=True) as context:
        page = context.new_page()
        for ruleset in ("alquerque/doce-short", "konane/10x10", "fanorona/tsivy", "seega/9x9"):
            page.goto(f"{site.url}#/edit?g={ruleset}&lang={lang}")
            until(
                page,
                "name => location.hash.includes(name) && location.hash.includes('p=')",
                ruleset,
            )
            settle(page, GOOD)
            for width, height in ((360, 640), (640, 360), (820, 1180), (1280, 900)):
                page.set_viewport_size({"width": width, "height": height})
                assert overflow(page) <= 0, (ruleset, width)
        assert found_by_axe(page) == []
