"""The rules builder: options, what they exclude, links, names of one's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import Site
from playwright.sync_api import Browser, Page, expect
from screens import found_by_axe, overflow, settle, visit
from table import READY


@pytest.fixture
def builder(browser: Browser, site: Site) -> Iterator[Page]:
    with visit(browser, site) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/rules")
        settle(page, ".builder-summary li")
        yield page


def choose(page: Page, option: str, value: str) -> None:
    page.locator(f'input[name="option-{option}"][value="{value}"]').check()


def ruleset(page: Page) -> str:
    address = page.get_by_role("link", name="Two at this screen").get_attribute("href") or ""
    return address.split("g=")[1].split("&")[0]


def test_every_option_has_its_sentences(builder: Page) -> None:
    expect(builder.locator(".option")).to_have_count(11)
    expect(builder.locator(".option-choice")).to_have_count(2 * 7 + 3 * 3 + 2)
    for said in builder.locator(".option").all_inner_texts():
        assert "option." not in said


def test_a_mix_becomes_a_ruleset(builder: Page) -> None:
    choose(builder, "sultan", "long")
    choose(builder, "move", "no-backward")
    expect(builder.locator(".builder-summary .is-changed")).to_have_count(2)
    assert ruleset(builder) == "alquerque/table;move=no-backward;sultan=long"
    assert "move=no-backward" in builder.url
    builder.get_by_role("link", name="Two at this screen").click()
    builder.wait_for_selector(".play .points", timeout=READY)
    expect(builder.locator(".play-rules")).to_contain_text("your own mix")


def test_a_mix_with_a_name_is_called_by_it(builder: Page) -> None:
    choose(builder, "choice", "maximum")
    settle(builder, ".builder-summary li.is-changed")
    builder.locator("#builder-start").select_option("alquerque/maximum")
    expect(builder.locator(".builder-card h2")).to_have_text("Largest capture")
    choose(builder, "bonus", "yes")
    expect(builder.locator(".builder-card h2")).to_have_text("Bonus captures")
    assert ruleset(builder) == "alquerque/maximum;bonus=yes"


def test_what_contradicts_itself_is_explained(builder: Page) -> None:
    choose(builder, "choice", "maximum")
    choose(builder, "obligation", "huff")
    expect(builder.locator(".builder-card")).to_contain_text("only be demanded where capturing")
    expect(builder.locator(".option.is-at-odds")).to_have_count(2)
    expect(builder.get_by_role("button", name="Copy the link")).to_be_hidden()
    builder.set_viewport_size({"width": 360, "height": 640})
    expect(builder.locator(".option-wrong")).to_be_visible()  # where the eye is
    choose(builder, "choice", "any")
    expect(builder.locator(".is-at-odds, .option-wrong")).to_have_count(0)


def test_what_is_pointless_is_told(builder: Page) -> None:
    choose(builder, "sultan", "short")
    expect(builder.locator(".builder-note")).to_contain_text("would gain nothing")
    assert ruleset(builder) == "alquerque/table;sultan=short"


def test_a_link_with_an_impossible_mix_shows_what_is_wrong(browser: Browser, site: Site) -> None:
    with visit(browser, site) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/rules?g=alquerque/classic;choice=maximum")
        expect(page.locator(".builder-trouble")).to_contain_text("demanded", timeout=READY)
        assert page.locator('input[name="option-choice"][value="maximum"]').is_checked()


def test_the_limit_is_a_number(builder: Page) -> None:
    field = builder.locator(".option-count input")
    field.fill("33")
    field.press("Tab")
    expect(builder.locator(".builder-summary")).to_contain_text("After 33 turns")
    assert ruleset(builder) == "alquerque/table;limit=33"
    choose(builder, "limit", "0")
    expect(builder.locator(".builder-summary")).to_contain_text("never ended")
    field.fill("no")
    field.press("Tab")
    assert ruleset(builder) == "alquerque/table;limit=0"


def test_rules_of_ones_own_have_a_name_everywhere(builder: Page, site: Site) -> None:
    choose(builder, "noreturn", "yes")
    settle(builder, ".builder-summary .is-changed")
    builder.locator("#builder-name").fill("  Grandma’s‮ rules ")
    builder.get_by_role("button", name="Keep").click()
    expect(builder.locator(".share-said")).to_contain_text("Grandma’s rules")
    builder.goto(f"{site.url}#/")
    choice = builder.get_by_label("Rules of Alquerque")
    choice.select_option(label="Grandma’s rules")
    builder.locator(".card").first.get_by_role("link", name="Two at this screen").click()
    expect(builder.locator(".play-rules")).to_have_text("Grandma’s rules", timeout=READY)
    builder.goto(f"{site.url}#/rules")
    builder.get_by_role("button", name="Forget the rules Grandma’s rules").click()
    expect(builder.locator(".builder-mine li")).to_have_count(0)


def test_by_keyboard(builder: Page) -> None:
    builder.locator('input[name="option-sultan"]:checked').focus()
    builder.keyboard.press("ArrowDown")
    builder.keyboard.press("ArrowDown")
    expect(builder.locator(".builder-summary")).to_contain_text("captures from afar")


@pytest.mark.parametrize(("lang", "scheme"), [("en", "dark"), ("fr", "light"), ("es", "dark")])
def test_axe_is_content(browser: Browser, site: Site, lang: str, scheme: str) -> None:
    with visit(browser, site, color_scheme=scheme, bypass_csp=True) as context:
        page = context.new_page()
        page.goto(f"{site.url}#/rules?lang={lang}")
        settle(page, ".builder-summary li")
        choose(page, "sultan", "short")
        settle(page, ".builder-note")
        assert found_by_axe(page) == []
        for width in (360, 820, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert overflow(page) <= 0
        choose(page, "bonus", "yes")
        choose(page, "obligation", "optional")
        settle(page, ".is-at-odds")
        assert found_by_axe(page) == []
