"""A part of the page that cannot be fetched is told, in words that need no part of the page."""

from __future__ import annotations

from conftest import Site
from playwright.sync_api import Page, expect


def test_a_screen_that_is_gone(page: Page, site: Site) -> None:
    screen = site.app / "screens" / "settings.js"
    kept = screen.read_bytes()
    screen.unlink()
    page.goto(f"{site.url}#/games")
    expect(page.locator("h1")).to_be_visible()
    page.goto(f"{site.url}#/settings")
    expect(page.get_by_role("alert")).to_contain_text("could not be fetched")
    site.write(screen, kept)
    page.get_by_role("button", name="Open again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("h1")).to_be_visible()


def test_the_texts_are_gone(page: Page, site: Site) -> None:
    texts = site.app / "texts" / "en.json"
    kept = texts.read_bytes()
    texts.unlink()
    page.goto(site.url)
    for sentence in ("n’a pas pu", "No se pudo", "could not be fetched"):
        expect(page.get_by_role("alert")).to_contain_text(sentence)
    site.write(texts, kept)
    page.get_by_role("button", name="Recharger la page").click()
    expect(page.locator(".card").first).to_be_visible()


def test_another_language_that_is_gone(page: Page, site: Site) -> None:
    (site.app / "texts" / "es.json").unlink()
    page.goto(site.url)
    expect(page.locator(".card").first).to_be_visible()
    page.goto(f"{site.url}#/settings?lang=es")
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
