"""Turns that are not one side after the other, offers to count, and ways drawn as they are gone."""

from __future__ import annotations

import re

from conftest import Site
from playwright.sync_api import Page, expect
from table import READY, click, middle, moves_of, open_table, pieces, plies, status
from test_play_everyone import wish


def test_a_plain_step_between_two_ends_of_a_loop_is_straight(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=surakarta/6x6&p=o5/x5/6/6/6/5o_x_0&side=both", still=False)
    click(page, "a5")
    page.mouse.move(*middle(page, "b6"))
    preview = page.locator(".preview-line")
    expect(preview).to_have_count(1)
    assert re.fullmatch(r"M [\d.]+ [\d.]+ L [\d.]+ [\d.]+", preview.get_attribute("d") or "")
    click(page, "b6")
    expect(page.locator(".moves")).to_contain_text("a5–b6")
    trail = page.locator(".trail-line")
    expect(trail).to_have_count(1)
    assert "A" not in (trail.get_attribute("d") or "")


def test_a_capture_between_the_same_two_points_runs_round_the_loop(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=surakarta/6x6&p=1o4/x5/6/6/6/5o_x_0&side=both")
    click(page, "a5")
    page.mouse.move(*middle(page, "b6"))
    assert "A" in (page.locator(".preview-line").get_attribute("d") or "")
    click(page, "b6")
    expect(page.locator(".trail-line")).to_have_count(1)
    assert "A" in (page.locator(".trail-line").get_attribute("d") or "")


def test_with_a_bonus_the_same_side_goes_on(page: Page, site: Site) -> None:
    ruleset = "alquerque/maximum;bonus=yes"
    open_table(page, site.url, f"g={ruleset}&p=5/1o3/x3x/4o/o4_x_0&side=both")
    click(page, "a3")
    click(page, "c5")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)
    expect(page.locator(".status")).to_contain_text("Dark to move")
    expect(page.locator(".status")).to_contain_text("same side goes on")
    expect(page.locator("#announcer")).to_contain_text("same side goes on")
    expect(page.locator(".mark-movable")).to_have_count(1)
    click(page, "e3")
    click(page, "e1")
    expect(page.locator(".status")).to_contain_text("Light to move")
    assert moves_of(page) == ["a3xc5", "e3xe1"]


def test_forced_moves_go_on_through_a_bonus(page: Page, site: Site) -> None:
    wish(page, "{forced: true, motion: false}")
    ruleset = "alquerque/maximum;bonus=yes"
    open_table(page, site.url, f"g={ruleset}&p=5/1o3/x3x/4o/o4_x_0&side=both", still=False)
    click(page, "a3")
    # What is left of the turn has no choice in it, and the answer has several.
    expect(page.locator(".moves [data-ply]")).to_have_count(2, timeout=5000)
    expect(page.locator(".status")).to_contain_text("Light to move")
    assert moves_of(page) == ["a3xc5", "e3xe1"]


def test_what_a_turn_asks_for_is_said_too(page: Page, site: Site) -> None:
    ruleset = "alquerque/maximum;choice=any;finish=may;obligation=huff"
    open_table(page, site.url, f"g={ruleset}&p=5/5/2o2/2x2/x4_x_0&side=both")
    heard = page.locator("#announcer")
    click(page, "a1")
    click(page, "a2")
    expect(heard).to_contain_text("capture was missed")
    page.evaluate("location.hash = '#/play?g=seega/5x5&side=both&p=5/5/4o/o4/xo1ox_o_0'")
    expect(page.locator(".moves [data-ply]")).to_have_count(0)
    click(page, "e3")
    click(page, "e2")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)
    expect(page.locator(".status")).to_contain_text("you pass")
    expect(heard).to_contain_text("you pass")


def test_the_second_removal_lies_beside_the_first(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=konane/8x8&side=both")
    click(page, "d5")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)
    expect(page.locator(".status")).to_contain_text("White to move")
    expect(page.locator(".mark-movable")).to_have_count(4)
    click(page, "a7")
    expect(page.locator(".status")).to_contain_text("beside")
    click(page, "d6")
    expect(page.locator(".moves [data-ply]")).to_have_count(2)
    assert pieces(page)["d6"] == "empty"
    expect(page.locator(".status")).to_contain_text("Black to move")


def offer_count(page: Page) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Offer to count").click()
    expect(page.locator("dialog")).to_contain_text("the side with more pieces wins")
    page.locator("dialog .button.primary").click()


def test_an_offer_to_count_can_be_declined_and_accepted(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=alquerque/classic&p=ooo2/5/5/5/xx3_x_0&side=both")
    offer_count(page)
    expect(page.locator(".status")).to_contain_text("Dark offer to stop and count")
    page.get_by_role("button", name="Decline").click()
    expect(page.locator(".status")).to_contain_text("Dark to move")
    offer_count(page)
    page.get_by_role("button", name="Accept").click()
    expect(page.locator(".status")).to_contain_text("Light win")
    expect(page.locator(".status")).to_contain_text("3")
    expect(page.locator(".moves")).to_contain_text("count")


def test_the_computer_counts_only_when_it_does_not_lose_by_it(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=alquerque/doce-long&p=oo3/5/5/5/xxx2_x_0&side=x&level=1")
    offer_count(page)
    expect(page.locator(".status")).to_contain_text("Your turn", timeout=READY)
    assert moves_of(page) == ["offer-count:x", "decline:o"]
    page.evaluate("location.hash = '#/play?g=alquerque/doce-long&p=ooo2/5/5/5/xx3_x_0&side=x'")
    expect(page.locator(".moves [data-ply]")).to_have_count(0)
    offer_count(page)
    expect(page.locator(".status")).to_contain_text("The computer wins", timeout=READY)
    assert moves_of(page) == ["offer-count:x", "accept:o"]


def test_the_board_turns_after_each_move_where_that_is_wished(page: Page, site: Site) -> None:
    wish(page, "{turn: true, motion: false}")
    open_table(page, site.url, "g=alquerque/table&side=both", still=False)
    assert middle(page, "a1")[1] > middle(page, "a5")[1]
    click(page, "d2")
    click(page, "c3")
    expect(page).to_have_url(re.compile("flip=1"))
    assert middle(page, "a1")[1] < middle(page, "a5")[1]
    click(page, "d4")
    click(page, "d2")
    expect(page).not_to_have_url(re.compile("flip=1"))
    assert plies(page) == 2


def test_every_kind_of_move_can_be_typed(page: Page, site: Site) -> None:
    open_table(page, site.url, "g=konane/8x8&side=both")
    for address, typed in (
        ("g=konane/8x8&side=both", ["d5", "d6"]),
        ("g=fanorona/tsivy&side=both", ["d3e3-"]),
        ("g=seega/5x5&side=both", ["a1", "b1"]),
        ("g=surakarta/6x6&p=1o4/x5/6/6/6/5o_x_0&side=both", ["a5xb6"]),
        (
            "g=alquerque/maximum;choice=any;finish=may;obligation=huff&p=5/5/2o2/2x2/x4_x_0&side=both",
            ["a1-a2", "huff:c2"],
        ),
    ):
        page.evaluate("(address) => { location.hash = '#/play?' + address }", address)
        expect(page.locator(".moves [data-ply]")).to_have_count(0)
        for count, text in enumerate(typed, 1):
            page.fill("#typed-move", text)
            page.press("#typed-move", "Enter")
            expect(page.locator(".moves [data-ply]")).to_have_count(count)
        assert len(moves_of(page)) == len(typed), status(page)


def test_a_link_in_another_language_builds_its_screen_once(page: Page, site: Site) -> None:
    page.goto(f"{site.url}#/about")
    page.wait_for_selector(".about")
    page.evaluate(
        """() => { window.built = []; new MutationObserver((changes) => changes.forEach((change) =>
        change.addedNodes.forEach((node) => window.built.push(node.className))))
        .observe(document.getElementById("screen"), {childList: true}) }"""
    )
    page.evaluate("location.hash = '#/settings?lang=fr'")
    expect(page.locator(".settings h1")).to_have_text("Réglages")
    page.wait_for_timeout(300)
    assert page.evaluate("window.built") == ["settings"]
    page.locator("#bar select").select_option("en")
    expect(page.locator(".settings h1")).to_have_text("Settings")
    assert page.evaluate("location.hash") == "#/settings"


def test_the_keys_are_told_on_every_screen(page: Page, site: Site) -> None:
    for address in ("", "learn/konane", "games", "settings"):
        page.goto(f"{site.url}#/{address}")
        page.wait_for_selector("#screen h1")
        page.keyboard.press("?")
        expect(page.locator(".dialog.keys")).to_have_count(1)
        page.keyboard.press("?")  # once is enough
        expect(page.locator(".dialog.keys")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
    open_table(page, site.url, "g=alquerque/table&side=both", ready=False)
    page.keyboard.press("?")
    expect(page.locator(".dialog.keys")).to_have_count(1)
    page.keyboard.press("Escape")
    page.fill("#typed-move", "")
    page.press("#typed-move", "?")
    expect(page.locator("dialog")).to_have_count(0)
