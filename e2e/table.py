"""Playing at the table as a visitor does: what the tests of the play screen share."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from urllib.parse import unquote

from playwright.sync_api import Locator, Page, expect

Tap = Callable[[Page, str], None]

READY = 30_000  # ms that a start of the engine may take on a slow machine


def open_table(page: Page, url: str, query: str, *, ready: bool = True, still: bool = True) -> None:
    """Open the play screen; `still` switches motion off to save time."""
    if still:
        page.add_init_script(
            "try { const all = JSON.parse(localStorage.getItem('qirkat.settings') ?? '{}');"
            "localStorage.setItem('qirkat.settings', JSON.stringify({...all, motion: false})) }"
            "catch { /* storage is blocked in some tests */ }"
        )
    page.goto(f"{url}#/play?{query}")
    page.wait_for_selector(".points", timeout=READY)
    if ready:
        wait_ready(page)


def wait_ready(page: Page) -> None:
    """Wait until the engine is there, the game is laid, and the board keeps its place."""
    page.wait_for_selector(".boot", state="hidden", timeout=READY)
    page.wait_for_selector('.board-box[aria-busy="true"]', state="hidden", timeout=READY)
    be_still(page)


def be_still(page: Page) -> None:
    """Wait until the board keeps its place: a click goes to where a point was measured."""
    before = None
    for _ in range(READY // 50):
        now = page.locator(".points").first.bounding_box()
        if now == before:
            return
        before = now
        page.wait_for_timeout(50)


def point(page: Page, name: str) -> Locator:
    return page.locator(f'[data-point="{name}"]')


def middle(page: Page, name: str) -> tuple[float, float]:
    box = point(page, name).bounding_box()
    assert box, name
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page: Page, name: str) -> None:
    page.mouse.click(*middle(page, name))


def touch(page: Page, name: str) -> None:
    page.touchscreen.tap(*middle(page, name))


def keys(page: Page, name: str) -> None:
    """Walk to the point with the arrow keys and press Enter."""
    focused = page.locator('.point[tabindex="0"]')
    focused.focus()
    for _ in range(30):
        here = page.evaluate("document.activeElement.dataset.point")
        if here == name:
            page.keyboard.press("Enter")
            return
        (x, y), (x2, y2) = middle(page, here), middle(page, name)
        if abs(x - x2) > 4:
            page.keyboard.press("ArrowRight" if x2 > x else "ArrowLeft")
        else:
            page.keyboard.press("ArrowDown" if y2 > y else "ArrowUp")
    raise AssertionError(f"{name} cannot be reached with the arrow keys")


def pieces(page: Page) -> dict[str, str]:
    """What the points' spoken names say stands there."""
    names = page.eval_on_selector_all(
        ".point", "all => all.map(p => [p.dataset.point, p.getAttribute('aria-label')])"
    )
    return {name: said.split(", ")[1] for name, said in names}


def stands(page: Page, name: str, what: str) -> None:
    """Wait until this stands on the point: the list of moves can be empty before the board is laid."""
    said = re.compile(rf"^[^,]+, {what}(,|$)")
    expect(point(page, name)).to_have_attribute("aria-label", said, timeout=READY)


def can_go(page: Page, words: str = "you can go here") -> list[str]:
    return page.eval_on_selector_all(
        ".point",
        "(all, words) => all.filter(p => p.getAttribute('aria-label').includes(words))"
        ".map(p => p.dataset.point)",
        words,
    )


def moves_of(page: Page) -> list[str]:
    """The moves as the address holds them."""
    found = re.search(r"[?&]m=([^&]*)", unquote(page.url))
    return found[1].split("_") if found else []


def plies(page: Page) -> int:
    return page.locator(".moves [data-ply]").count()


def status(page: Page) -> str:
    return page.locator(".status").inner_text()


def over(page: Page) -> bool:
    tone = page.locator(".status").get_attribute("data-tone")
    return tone in ("won", "lost", "even")


def wait_turn(page: Page) -> None:
    """Wait until the visitor can act or the game is over."""
    expect(page.locator(".status")).to_contain_text(
        re.compile(r"Your turn|You win|computer wins|draw|pass", re.I), timeout=READY
    )


def turn_answers(page: Page) -> Locator:
    """The buttons that go on with a turn: not those that a game's end brings, such as a rematch."""
    words = re.compile(r"^(Pass|End turn|Approach|Withdrawal)")
    return page.locator(".status-answers .button", has_text=words)


def play_turn(page: Page, tap: Tap, dice: random.Random) -> None:
    """Play one random legal turn by pointing."""
    before = plies(page)
    button = turn_answers(page)
    if "you pass" in status(page):
        button.click()
        return
    tap(page, dice.choice(can_go(page, "can be chosen")))
    for _ in range(12):
        page.wait_for_timeout(30)
        if plies(page) > before or "thinking" in status(page) or over(page):
            return
        if button.count():
            button.first.click()
            continue
        targets = can_go(page)
        if targets:
            tap(page, dice.choice(targets))
    expect(page.locator(f'.moves [data-ply="{before + 1}"]')).to_be_visible(timeout=5000)
