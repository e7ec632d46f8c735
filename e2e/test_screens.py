"""Every screen in every language and size: it fits, nothing is cut off, axe finds nothing.

One visit walks through all screens without a reload, so the engine starts once a language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from conftest import ROOT, Site
from playwright.sync_api import Browser, Page
from screens import AXE, FIND, settle, visit
from table import wait_ready

SIZES = [(360, 640), (820, 1180), (1440, 900)]
GAME = "g=fanorona/tsivy&m=d3e3+_f4f3+&side=both"


@dataclass
class Screen:
    """Where a screen is, and what stands on it when it is there."""

    address: str
    there: str
    reach: Callable[[Page], None] = lambda page: None


def press(*selectors: str) -> Callable[[Page], None]:
    def reach(page: Page) -> None:
        for selector in selectors:
            page.locator(selector).first.click()

    return reach


MORE = ".actions .button:last-child"
SCREENS = {
    "home": Screen("", ".card:nth-child(5) .board"),
    "play": Screen(f"play?{GAME}", '[data-ply="2"]'),
    "placing": Screen("play?g=seega/5x5&side=x", ".strip .tray-stones"),
    "more": Screen(f"play?{GAME}", ".dialog.more", press(MORE)),
    "share": Screen(
        f"play?{GAME}", ".share-qr svg", press(MORE, '.menu-item:has([class*="icon-share"])')
    ),
    "load": Screen(f"play?{GAME}", ".dialog textarea", press(MORE, ".menu-item:has(.icon-list)")),
    "resign": Screen(f"play?{GAME}", ".dialog.ask", press(MORE, ".menu-item.grave")),
    "setup": Screen(f"play?{GAME}", ".dialog.setup", press(".actions .icon-restart")),
    "look": Screen("", ".dialog.look", press("#bar .icon-look")),
    "keys": Screen(f"play?{GAME}", ".dialog.keys", lambda page: page.keyboard.press("?")),
    "learn": Screen("learn", ".learn-card:nth-child(5) .board"),
    "guide": Screen("learn/surakarta", ".guide .board"),
    "print": Screen("print?g=alquerque/table", ".sheet svg"),
    "room": Screen("room", ".room h1"),
    "letters": Screen("letters", ".room h1"),
    "profile": Screen("profile", ".profile h1"),
    "privacy": Screen("privacy", ".privacy h1"),
    "rules": Screen("rules?g=alquerque/table", ".builder .option"),
    "edit": Screen("edit?g=surakarta/6x6", ".editor .board"),
    "games": Screen("games", ".games h1"),
    "settings": Screen("settings", ".settings h1"),
    "about": Screen("about", ".about h1"),
    "analyse": Screen("analyse?g=alquerque/table&m=d2-c3_d4xd2", ".board"),
}

#: Texts that are a key without its words, or have a place that nothing filled.
BARE = """() => {
  const top = document.querySelector("dialog[open]") ?? document.body;
  const said = [document.title];
  const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    if (!node.parentElement.closest("pre, code, script, style")) said.push(node.data.trim());
  for (const node of top.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"])
      if (node.hasAttribute(name)) said.push(node.getAttribute(name).trim());
  return said.filter(text => /^[a-z][a-z-]*([.][a-z0-9-]+)+(#[a-z]+)?$/.test(text)
    || /[{]\\w+[}]|undefined|NaN|[[]object/.test(text));
}"""
MISFITS = (ROOT / "e2e" / "misfits.js").read_text("utf-8")
SETTLE = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 60))"


@pytest.mark.parametrize(
    ("locale", "scheme", "looked"),
    [("fr-FR", "dark", True), ("es-MX", "light", True), ("en-GB", "light", False)],
)
def test_every_screen(browser: Browser, site: Site, locale: str, scheme: str, looked: bool) -> None:
    wrong: list[str] = []

    def look(name: str) -> None:
        wrong.extend(f"{name}: not in words: {text}" for text in page.evaluate(BARE))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLE)
            wrong.extend(f"{name} {width}: {what}" for what in page.evaluate(MISFITS))
        if looked:
            wrong.extend(f"{name}: {what}" for what in page.evaluate(FIND))

    with visit(browser, site, locale=locale, color_scheme=scheme, bypass_csp=True) as context:
        page = context.new_page()
        page.goto(site.url)
        page.evaluate(AXE)
        for name, screen in SCREENS.items():
            page.evaluate("(address) => { location.hash = '#/' + address }", screen.address)
            route = screen.address.split("?")[0].split("/")[0] or "home"
            settle(page, f'#screen[data-route="{route}"] > *')
            screen.reach(page)
            settle(page, screen.there)
            look(name)
            page.keyboard.press("Escape")
            page.wait_for_selector("dialog", state="detached")
            if name == "play":
                wait_ready(page)
        assert page.evaluate("document.documentElement.lang") == locale[:2]
        for address, there in (
            ("embed.html#/play?g=konane/6x6", ".points"),
            ("examples/", "iframe"),
        ):
            page.goto(site.url + address)
            settle(page, there)
            page.evaluate(AXE)
            look(address)
    assert not wrong, "\n".join(wrong)
