"""What the tests of the screens beside the table share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from conftest import ROOT, Site, watch
from playwright.sync_api import Browser, BrowserContext, Page, expect
from table import READY

# What waits for the engine's answer waits for its start.
expect.set_options(timeout=READY)

AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
FIND = "axe.run().then(all => all.violations.map(v => `${v.id}: ${v.nodes[0].html}`))"


@contextmanager
def visit(browser: Browser, site: Site, **more: object) -> Iterator[BrowserContext]:
    """A fresh profile without motion; its console must stay free of errors."""
    options = {"locale": "en-GB", "viewport": {"width": 1280, "height": 900}, **more}
    made = browser.new_context(**options)  # type: ignore[arg-type]
    made.add_init_script(
        "try { localStorage.getItem('qirkat.settings') ?? "
        "localStorage.setItem('qirkat.settings', '{\"motion\": false}') } catch { /* blocked */ }"
    )
    errors: list[str] = []
    made.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    faults = watch(made)
    try:
        yield made
    finally:
        made.close()
    assert errors + faults(site.origin) == []


def found_by_axe(page: Page) -> list[str]:
    page.evaluate(AXE)
    return page.evaluate(FIND)  # type: ignore[no-any-return]


def overflow(page: Page) -> int:
    """CSS pixels by which the page is wider than the screen."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")  # type: ignore[no-any-return]


def settle(page: Page, selector: str) -> None:
    page.wait_for_selector(selector, timeout=READY)


def keep_games(page: Page, *games: dict[str, object]) -> None:
    """Put games into the storage as earlier visits would have left them."""
    page.evaluate(
        """games => games.forEach((game, i) => localStorage.setItem(`qirkat.game.${game.id}`,
        JSON.stringify({v: 1, start: null, seats: {x: 'human', o: 'human'}, level: 3, flip: false,
        hints: 0, over: false, updated: Date.now() - i * 60000, writer: 'before', ...game})))""",
        list(games),
    )
