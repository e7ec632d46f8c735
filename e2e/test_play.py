"""A whole visit: playing, breaking off, coming back, sending and breaking links."""

from __future__ import annotations

import random

import pytest
from conftest import ROOT, Site
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from table import (
    READY,
    click,
    keys,
    middle,
    moves_of,
    open_table,
    over,
    pieces,
    play_turn,
    plies,
    stands,
    status,
    touch,
    wait_ready,
    wait_turn,
)

GAME = "g=alquerque/table"
#: Rules that no book of openings is for: the highest level thinks over its first move.
THOUGHT_OVER = "g=alquerque/table;noreturn=yes"
FEW = f"{GAME}&p=2o1o/5/1o3/3x1/x1x2_x_0&side=x&level=1"  # soon over, either way


def play_to_the_end(page: Page, tap: object, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(120):
        wait_turn(page)
        if over(page):
            return
        play_turn(page, tap, dice)  # type: ignore[arg-type]
    pytest.fail("the game did not end")


def test_a_whole_game_by_mouse(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, FEW)
    play_to_the_end(quiet, click, 3)
    assert "Play again" in status(quiet)
    assert plies(quiet) == len(moves_of(quiet)) > 2


def test_a_whole_game_by_keyboard(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, FEW)
    play_to_the_end(quiet, keys, 4)
    assert over(quiet)


def test_a_whole_game_by_finger(browser: Browser, site: Site) -> None:
    context = browser.new_context(
        locale="en-GB", viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    open_table(page, site.url, FEW)
    play_to_the_end(page, touch, 5)
    assert over(page)
    context.close()


def test_a_piece_can_be_dragged(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=both", still=False)
    quiet.mouse.move(*middle(quiet, "d2"))
    quiet.mouse.down()
    quiet.mouse.move(*middle(quiet, "d3"))
    quiet.mouse.move(*middle(quiet, "c3"), steps=4)
    quiet.mouse.up()
    expect(quiet.locator(".moves")).to_contain_text("d2–c3")
    assert pieces(quiet)["c3"] == "dark piece"


def test_a_dropped_piece_returns_when_the_point_is_no_target(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=both", still=False)
    where = quiet.locator(".piece.is-selected")
    quiet.mouse.move(*middle(quiet, "d2"))
    quiet.mouse.down()
    quiet.mouse.move(*middle(quiet, "d5"), steps=4)
    quiet.mouse.up()
    expect(quiet.locator(".status")).to_have_attribute("data-tone", "alert")
    x, y = middle(quiet, "d2")
    box = where.bounding_box()
    assert (
        box
        and abs(box["x"] + box["width"] / 2 - x) < 8
        and abs(box["y"] + box["height"] / 2 - y) < 12
    )


def test_escape_takes_the_unfinished_turn_back(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&p=5/1o1o1/5/1o3/x4_x_0&side=both")
    click(quiet, "a1")
    click(quiet, "c3")
    expect(quiet.locator(".status")).to_contain_text("must go on")
    assert moves_of(quiet) == []
    quiet.keyboard.press("Escape")
    assert pieces(quiet)["a1"] == "dark piece"
    assert pieces(quiet)["b2"] == "light piece"


def test_a_later_landing_point_goes_there_at_once(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&p=5/1o3/5/1o3/x4_x_0&side=both")
    click(quiet, "a1")
    click(quiet, "a5")
    expect(quiet.locator(".moves")).to_contain_text("a1×c3×a5")


def test_two_ways_to_a_point_are_asked_for(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&p=5/1o1o1/5/1o1o1/2x2_x_0&side=both")
    click(quiet, "c1")
    click(quiet, "c5")
    expect(quiet.locator(".status")).to_contain_text("more than one way")
    expect(quiet.locator(".mark-ghost")).to_have_count(2)
    click(quiet, "e3")
    expect(quiet.locator(".mark-ghost")).to_have_count(0)
    click(quiet, "c5")
    stands(quiet, "c5", "dark piece")


def test_a_refusal_says_why(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&m=d2-c3_d4xd2&side=both")
    click(quiet, "a1")
    quiet.wait_for_selector(".pulse", state="attached")
    expect(quiet.locator(".status")).to_have_attribute("data-tone", "alert")
    expect(quiet.locator(".status")).to_contain_text("You must capture")
    expect(quiet.locator("#announcer")).to_contain_text("You must capture")


def test_undo_takes_back_both_moves(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=x&level=1")
    play_turn(quiet, click, random.Random(1))
    wait_turn(quiet)
    assert plies(quiet) >= 2
    quiet.get_by_role("button", name="Undo").click()
    expect(quiet.locator(".moves [data-ply]")).to_have_count(0)
    expect(quiet.locator(".status")).to_contain_text("Your turn")
    assert moves_of(quiet) == []


def test_undo_while_the_computer_thinks(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{THOUGHT_OVER}&side=x&level=9")
    click(quiet, "d2")
    click(quiet, "c3")
    expect(quiet.locator(".status")).to_contain_text("thinking")
    quiet.keyboard.press("z")
    expect(quiet.locator(".status")).to_contain_text("Your turn")
    quiet.wait_for_timeout(1500)  # an answer that was under way must not come after all
    assert plies(quiet) == 0
    click(quiet, "b2")
    click(quiet, "c3")
    expect(quiet.locator(".moves")).to_contain_text("b2–c3")


def test_the_computer_can_be_hurried(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{THOUGHT_OVER}&side=x&level=9")
    click(quiet, "d2")
    click(quiet, "c3")
    quiet.get_by_role("button", name="Move now").click()
    expect(quiet.locator('.moves [data-ply="2"]')).to_be_visible(timeout=3000)


def test_reload_resumes_and_home_offers_the_game(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=x&level=1")
    play_turn(quiet, click, random.Random(1))
    wait_turn(quiet)
    before = moves_of(quiet)
    quiet.reload()
    expect(quiet.locator(".moves [data-ply]")).to_have_count(len(before), timeout=READY)
    assert moves_of(quiet) == before
    quiet.goto(f"{site.url}#/")
    waiting = quiet.locator(".waiting li a")
    expect(waiting).to_have_count(1)
    waiting.click()
    expect(quiet.locator(".moves [data-ply]")).to_have_count(len(before), timeout=READY)
    assert (
        quiet.evaluate("Object.keys(localStorage).filter(k => k.startsWith('qirkat.game')).length")
        == 1
    )


def test_a_link_opens_on_another_machine(quiet: Page, site: Site, browser: Browser) -> None:
    open_table(quiet, site.url, f"{GAME}&side=both")
    click(quiet, "d2")
    click(quiet, "c3")
    expect(quiet.locator(".moves [data-ply]")).to_have_count(1)
    other = browser.new_context(locale="en-GB").new_page()
    other.goto(quiet.url)
    expect(other.locator(".moves")).to_contain_text("d2–c3", timeout=READY)
    assert pieces(other) == pieces(quiet)
    other.context.close()


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("g=<img src=x onerror=alert(1)>", "cannot be read"),
        ("g=alquerque/table&g=konane/8x8", "twice"),
        ("g=alquerque/table&m=%", "cannot be read"),
        ("g=alquerque/table&level=12", "cannot be read"),
        ("g=chess/fischer", "chess/fischer” are unknown"),
        ("g=alquerque/table&p=xxxxx/5_x_0", "2 rows, this board has 5"),
        (
            "g=alquerque/table&p=ooooo/ooooo/oo1xx/xxxxx/xxxxxx_x_0",
            "Row 5 of the position has 6 points",
        ),
        ("g=alquerque/table&m=" + "d2-c3_" * 4000, "too long"),
    ],
)
def test_a_broken_link_gets_a_message_and_a_fresh_board(
    quiet: Page, site: Site, query: str, says: str
) -> None:
    open_table(quiet, site.url, query)
    expect(quiet.locator(".status, .notice").first).to_contain_text(says, timeout=READY)
    quiet.get_by_role("button", name="All right").click()
    expect(quiet.locator(".status")).to_contain_text("Your turn")
    assert list(pieces(quiet).values()).count("dark piece") == 12


def test_a_link_with_a_bad_move_keeps_the_good_ones(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&m=d2-c3_d4xd2_a1-a1&side=both")
    expect(quiet.locator(".status")).to_contain_text("Move 3 of this game is not possible")
    assert plies(quiet) == 2


def test_an_unknown_page_leads_home(quiet: Page, site: Site) -> None:
    quiet.goto(f"{site.url}#/nowhere/at/all")
    expect(quiet.locator(".notice")).to_contain_text("leads nowhere")
    expect(quiet.locator(".card")).to_have_count(5)


def test_flip(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=both")
    before = middle(quiet, "a1")
    quiet.keyboard.press("f")
    after = middle(quiet, "a1")
    assert after[0] > before[0] and after[1] < before[1]
    assert "flip=1" in quiet.url
    assert pieces(quiet)["a1"] == "dark piece"


def test_stepping_through_the_moves(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&m=d2-c3_d4xd2_d1xd3&side=both")
    now = pieces(quiet)
    quiet.keyboard.press("Home")
    expect(quiet.locator(".status")).to_contain_text("move 0 of 3")
    assert list(pieces(quiet).values()).count("empty") == 1
    quiet.keyboard.press("ArrowRight")
    expect(quiet.locator(".status")).to_contain_text("move 1 of 3")
    assert pieces(quiet)["c3"] == "dark piece"
    quiet.get_by_role("button", name="Back one move").click()
    expect(quiet.locator(".status")).to_contain_text("move 0 of 3")
    assert pieces(quiet)["c3"] == "empty"
    quiet.locator('[data-ply="2"]').click()
    expect(quiet.locator(".status")).to_contain_text("move 2 of 3")
    assert pieces(quiet)["d2"] == "light piece"
    quiet.keyboard.press("End")
    expect(quiet.locator(".status")).not_to_contain_text("of 3")
    assert pieces(quiet) == now
    assert moves_of(quiet) == ["d2-c3", "d4xd2", "d1xd3"]


def test_typed_moves(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=both")
    field = quiet.get_by_label("Type a move")
    field.fill("D2 - c3")
    field.press("Enter")
    expect(quiet.locator(".moves")).to_contain_text("d2–c3")
    expect(field).to_have_value("")
    field.fill("a5-a4")
    field.press("Enter")
    expect(quiet.locator(".status")).to_have_attribute("data-tone", "alert")
    field.fill("what?")
    field.press("Enter")
    expect(quiet.locator(".status")).to_contain_text("does not read as a move")


def test_hint_in_two_steps(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=x&level=1")
    quiet.keyboard.press("h")
    expect(quiet.locator(".mark-hint")).to_have_count(1, timeout=8000)
    quiet.get_by_role("button", name="Show the move").click()
    expect(quiet.locator(".mark-hint")).to_have_count(2)


def test_resigning_needs_a_second_word(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=x&level=1")
    quiet.get_by_role("button", name="More").click()
    quiet.locator(".menu-item.grave").click()
    quiet.get_by_role("button", name="Keep playing").last.click()
    assert not over(quiet)
    quiet.get_by_role("button", name="More").click()
    quiet.locator(".menu-item.grave").click()
    quiet.locator(".dialog .button.danger").click()
    expect(quiet.locator(".status")).to_contain_text("The computer wins")
    expect(quiet.locator(".status")).to_contain_text("Dark resigned")


def test_a_new_game_from_the_dialog(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=x&level=1")
    quiet.get_by_role("button", name="New").click()
    quiet.locator('.dialog input[value="o"]').check(force=True)
    quiet.locator("#setup-level").fill("2")
    quiet.get_by_role("button", name="Start", exact=True).click()
    wait_turn(quiet)
    assert plies(quiet) == 1
    assert "level=2" in quiet.url and "side=o" in quiet.url and "flip=1" in quiet.url


def test_the_first_move_waits_for_no_engine(
    page: Page, site: Site, context: BrowserContext
) -> None:
    held: list[Route] = []
    context.route("**/app.bin", lambda route: held.append(route))
    open_table(page, site.url, f"{GAME}&side=x&level=1", ready=False)
    expect(page.locator(".boot")).to_be_visible()
    click(page, "d2")
    click(page, "c3")
    expect(page.locator(".moves")).to_contain_text("d2–c3")
    assert pieces(page)["c3"] == "dark piece"
    expect(page.locator(".status")).to_contain_text("computer", ignore_case=True)
    while not held:
        page.wait_for_timeout(50)
    for route in held:
        route.continue_()
    context.unroute("**/app.bin")
    wait_turn(page)
    assert plies(page) == 2


def test_a_failed_start_says_so_and_can_be_tried_again(page: Page, site: Site) -> None:
    wasm = site.runtime / "pyodide.asm.wasm"
    data = wasm.read_bytes()
    wasm.unlink()
    open_table(page, site.url, f"{GAME}&side=x&level=1", ready=False)
    failed = page.locator(".boot.is-failed")
    expect(failed).to_contain_text("could not be fetched", timeout=READY)
    site.write(wasm, data)
    page.get_by_role("button", name="Try again").click()
    wait_ready(page)
    play_turn(page, click, random.Random(2))
    wait_turn(page)


def test_a_part_that_cannot_be_fetched_says_so(page: Page, site: Site) -> None:
    page.route("**/screens/share.js", lambda route: route.abort())
    open_table(page, site.url, f"{GAME}&m=d2-c3&side=both")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".status")).to_contain_text("could not be fetched")
    page.unroute("**/screens/share.js")
    page.get_by_role("button", name="All right").click()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".share-qr svg")).to_be_visible(timeout=READY)
    assert plies(page) == 1


def test_blocked_storage_is_no_obstacle(page: Page, site: Site) -> None:
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    open_table(page, site.url, f"{GAME}&side=both")
    click(page, "d2")
    click(page, "c3")
    expect(page.locator(".moves")).to_contain_text("d2–c3")


def test_two_tabs_keep_both_games(page: Page, site: Site, context: BrowserContext) -> None:
    open_table(page, site.url, f"{GAME}&side=both")
    click(page, "d2")
    click(page, "c3")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)
    other = context.new_page()
    other.goto(page.url)
    expect(other.locator(".moves [data-ply]")).to_have_count(1, timeout=READY)
    wait_ready(other)
    for tab, (start, end) in ((other, ("d4", "d2")), (page, ("b4", "d2"))):
        click(tab, start)
        click(tab, end)
        expect(tab.locator(".moves [data-ply]")).to_have_count(2)
    saved = page.evaluate(
        "Object.keys(localStorage).filter(k => k.startsWith('qirkat.game'))"
        ".map(k => JSON.parse(localStorage[k]).moves.join(' ')).sort()"
    )
    assert len(saved) == 2 and saved[0] != saved[1]


@pytest.mark.parametrize(
    ("locale", "lang", "says"), [("fr-FR", "fr", "À vous de jouer"), ("es-MX", "es", "Te toca")]
)
def test_the_browsers_language(
    browser: Browser, site: Site, locale: str, lang: str, says: str
) -> None:
    page = browser.new_context(locale=locale).new_page()
    open_table(page, site.url, f"{GAME}&side=x&level=1", ready=False)
    expect(page.locator(".status")).to_contain_text(says)
    assert page.evaluate("document.documentElement.lang") == lang
    page.locator("#bar select").select_option("en")
    expect(page.locator(".status")).to_contain_text("Your turn")
    page.reload()
    expect(page.locator(".status")).to_contain_text("Your turn", timeout=READY)
    page.context.close()


def test_lamplight(browser: Browser, site: Site) -> None:
    def brightness(scheme: str) -> float:
        page = browser.new_context(color_scheme=scheme, locale="en-GB").new_page()  # type: ignore[arg-type]
        open_table(page, site.url, GAME, ready=False)
        colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        page.context.close()
        return sum(float(part) for part in colour.strip("rgb()").split(",")[:3])

    assert brightness("dark") < 200 < brightness("light")


@pytest.mark.parametrize(
    "ruleset", ["alquerque/table", "fanorona/tsivy", "surakarta/6x6", "konane/8x8"]
)
def test_the_board_fits_the_screen(browser: Browser, site: Site, ruleset: str) -> None:
    context = browser.new_context(locale="fr-FR")
    page = context.new_page()
    open_table(page, site.url, f"g={ruleset}&side=x", ready=False)
    for width, height in [(320, 640), (360, 640), (640, 360), (820, 1180), (1440, 900)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(
            "() => new Promise(done => setTimeout(() => requestAnimationFrame(done), 150))"
        )
        box = page.locator(".board-box .board").bounding_box()
        assert box, (width, height)
        assert box["x"] >= 0 and box["x"] + box["width"] <= width + 0.5, (width, height)
        assert box["y"] >= 0 and box["y"] + box["height"] <= height + 0.5, (width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, height)
        if (width, height) == (360, 640):
            row = page.locator(".points [role=row]").first.locator(".point").all()
            first, second = (cell.bounding_box() for cell in row[:2])
            assert first and second
            assert second["x"] - first["x"] >= 39.5
            for button in page.locator(
                ".actions button:visible, #bar :is(button, select):visible"
            ).all():
                size = button.bounding_box()
                assert size and size["height"] >= 40
    context.close()


def test_moves_can_be_confirmed_first(quiet: Page, site: Site) -> None:
    quiet.add_init_script(
        "localStorage.setItem('qirkat.settings', JSON.stringify({confirm: true}))"
    )
    open_table(quiet, site.url, f"{GAME}&side=both")
    for answer, count in (("Take back", 0), ("Play", 1)):
        click(quiet, "d2")
        click(quiet, "c3")
        expect(quiet.locator(".status")).to_contain_text("Play this move?")
        assert moves_of(quiet) == [] and pieces(quiet)["c3"] == "dark piece"
        quiet.locator(".status").get_by_role("button", name=answer, exact=True).click()
        expect(quiet.locator(".moves [data-ply]")).to_have_count(count)
        assert pieces(quiet)["c3"] == ("dark piece" if count else "empty")


def test_the_address_leads_to_another_game_without_a_reload(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&side=both")
    quiet.evaluate("location.hash = '#/play?g=seega/5x5&side=both'")
    expect(quiet.locator(".play-title")).to_have_text("Seega 5 × 5")
    quiet.go_back()
    expect(quiet.locator(".play-title")).to_have_text("Alquerque")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("look", ["wood", "stone", "plain"])
def test_nothing_for_axe_to_find(browser: Browser, site: Site, scheme: str, look: str) -> None:
    context = browser.new_context(locale="en-GB", color_scheme=scheme, bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(
        f"localStorage.setItem('qirkat.settings', JSON.stringify({{board: '{look}', motion: false}}))"
    )
    axe = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")

    def found() -> list[str]:
        page.evaluate(axe)
        return page.evaluate(
            "axe.run().then(all => all.violations.map(v => `${v.id}: ${v.nodes[0].html}`))"
        )

    page.goto(f"{site.url}#/")
    page.wait_for_selector(".card:nth-child(5) .board")
    assert found() == []
    page.goto(f"{site.url}#/play?{GAME}&m=d2-c3_d4xd2_d1xd3&side=both")
    page.wait_for_selector('[data-ply="3"]', timeout=READY)
    wait_ready(page)
    assert found() == []
    page.get_by_role("button", name="New").click()
    page.wait_for_selector("dialog[open]")
    assert found() == []
    context.close()
