"""What is special about a game reaches the page as data: forks, loops, removals, placing, passing, huffing, Sultans."""

from __future__ import annotations

import random

import pytest
from conftest import Site
from playwright.sync_api import Page, expect
from table import (
    can_go,
    click,
    middle,
    moves_of,
    open_table,
    over,
    pieces,
    play_turn,
    plies,
    wait_turn,
)


def test_approach_or_withdrawal_is_asked_by_shape_and_word(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=fanorona/tsivy&side=both")
    click(page, "d3")
    click(page, "e3")
    expect(page.locator(".fork-word")).to_have_text(["approach", "withdrawal"])
    expect(page.locator(".mark-fork")).to_have_count(2)
    page.get_by_role("button", name="Withdrawal: 1").click()
    assert pieces(page)["c3"] == "empty" and pieces(page)["f3"] == "black stone"


def test_a_chain_that_may_stop_is_ended_by_button_or_enter(page: Page, site: Site) -> None:
    position = "p=xo1o4/2o5/8/8/8/8/8/7o_x_0"
    open_table(page, site.url, f"g=konane/8x8&{position}&side=both")
    click(page, "a8")
    click(page, "c8")
    expect(page.locator(".status")).to_contain_text("or stop here")
    assert plies(page) == 0
    page.get_by_role("button", name="End turn").click()
    expect(page.locator(".moves [data-ply]")).to_have_count(1)
    assert moves_of(page) == ["a8xc8"]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".moves [data-ply]")).to_have_count(0)
    point = page.locator('[data-point="a8"]')
    point.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)
    assert moves_of(page) == ["a8xc8"]


def test_a_jump_to_the_end_of_a_chain(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=konane/8x8&p=xo1o4/2o5/8/8/8/8/8/7o_x_0&side=both")
    click(page, "a8")
    click(page, "e8")
    expect(page.locator(".moves")).to_contain_text("a8×c8×e8")


def test_the_first_removal(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=konane/8x8&side=both")
    expect(page.locator(".mark-movable")).to_have_count(4)
    click(page, "b7")
    expect(page.locator(".status")).to_contain_text("comes off a corner or the centre")
    click(page, "d5")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)
    assert pieces(page)["d5"] == "empty"


def test_a_loop_is_shown_before_and_run_along(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=surakarta/6x6&p=o5/6/1o4/6/1x4/6_x_0&side=both", still=False)
    click(page, "b2")
    page.mouse.move(*middle(page, "b4"))
    expect(page.locator(".preview-line")).to_have_count(1)
    assert "A" in (page.locator(".preview-line").get_attribute("d") or "")
    page.evaluate(
        """() => {
          // the stone leaves the grid of points while it runs round the corner
          const border = Math.min(...[...document.querySelectorAll('.point')].map(p => +p.getAttribute('x') + 48));
          window.outside = 0;
          const look = () => {
            for (const piece of document.querySelectorAll('.layer.pieces .piece')) {
              const x = +piece.getAttribute('transform').match(/translate\\(([-\\d.]+)/)[1];
              window.outside = Math.max(window.outside, border - x);
            }
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    click(page, "b4")
    expect(page.locator(".moves")).to_contain_text("b2×b4")
    expect(page.locator(".trail-line")).to_have_count(1)
    for _ in range(8):  # a busy machine may show too few frames to catch it there
        if page.evaluate("window.outside") > 20:
            break
        page.get_by_role("button", name="Replay this move").click()
        expect(page.locator(".trail-line")).to_have_count(0)
        expect(page.locator(".trail-line")).to_have_count(1)
    assert page.evaluate("window.outside") > 20


def test_placing_and_the_closed_centre(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=seega/5x5&side=both")
    expect(page.locator(".status")).to_contain_text("Place a stone")
    click(page, "c3")
    expect(page.locator(".status")).to_contain_text("centre stays empty")
    for name in ("a1", "b1"):
        click(page, name)
        expect(page.locator(f'.moves [data-ply="{1 if name == "a1" else 2}"]')).to_be_visible()
    expect(page.locator(".status")).to_contain_text("Black to move")
    assert page.locator(".lower .tray").get_attribute("aria-label") == "10 stones still to place"


def test_sultans_are_named_and_crowned(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=alquerque/doce-long&p=4o/1o3/5/5/X4_x_0&side=both")
    assert pieces(page)["a1"] == "dark Sultan"
    expect(page.locator(".stone.crowned")).to_have_count(1)
    click(page, "a1")
    assert "a4" in can_go(page)


def test_huffing(page: Page, site: Site) -> None:
    ruleset = "alquerque/maximum;choice=any;finish=may;obligation=huff"
    open_table(page, site.url, f"g={ruleset}&p=5/5/2o2/2x2/x4_x_0&side=both")
    click(page, "a1")
    click(page, "a2")
    expect(page.locator(".mark-huff")).to_have_count(1)
    expect(page.locator(".status")).to_contain_text("capture was missed")
    click(page, "c2")
    expect(page.locator(".moves [data-ply]")).to_have_count(2)
    assert moves_of(page) == ["a1-a2", "huff:c2"]
    assert pieces(page)["c2"] == "empty"


def test_offers_are_answered_by_the_other_side(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=alquerque/classic&side=both")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Offer a draw").click()
    page.locator(".dialog .button.primary").click()
    expect(page.locator(".status")).to_contain_text("Dark offer a draw")
    page.get_by_role("button", name="Accept").click()
    expect(page.locator(".status")).to_contain_text("A draw.")
    expect(page.locator(".status")).to_contain_text("Both sides agreed")


@pytest.mark.parametrize(
    "ruleset",
    [
        "alquerque/bell",
        "konane/6x6",
        "fanorona/telo",
        "fanorona/dimy",
        "seega/5x5",
        "surakarta/6x6",
    ],
)
def test_a_few_turns_of_every_game(page: Page, site: Site, ruleset: str) -> None:
    open_table(page, site.url, f"g={ruleset}&side=x&level=1")
    dice = random.Random(7)
    for _ in range(3):
        wait_turn(page)
        if over(page):
            break
        before = plies(page)
        if page.locator(".hand").count() == 0 and "Place" in page.locator(".status").inner_text():
            empty = [
                name for name, what in pieces(page).items() if what == "empty" and name != "c3"
            ]
            click(page, dice.choice(empty))
        else:
            play_turn(page, click, dice)
        expect(page.locator(f'.moves [data-ply="{before + 1}"]')).to_be_visible()
    wait_turn(page)
    assert plies(page) >= 3
