"""My games, the first page, settings and analysis: what is kept, found again and looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Site
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from screens import found_by_axe, keep_games, overflow, settle, visit
from table import READY, click, moves_of, wait_ready

LINE = ["c2-c3", "c4xc2", "c1xc3", "a3xc1", "c3xa3"]
GAMES = (
    {"id": "a1", "ruleset": "alquerque/table", "moves": LINE},
    {"id": "b2", "ruleset": "konane/6x6", "moves": ["c4", "d4", "a4xc4"]},
    {"id": "c3", "ruleset": "fanorona/tsivy", "moves": ["d2e3+"], "over": True},
)


@pytest.fixture
def context_(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    with visit(browser, site, accept_downloads=True) as made:
        yield made


@pytest.fixture
def games(context_: BrowserContext, site: Site) -> Page:
    page = context_.new_page()
    page.goto(f"{site.url}probe.html")
    keep_games(page, *GAMES)
    page.goto(f"{site.url}#/games")
    settle(page, ".games-game .piece")
    return page


def test_a_game_goes_on_where_it_stood(games: Page) -> None:
    expect(games.locator(".games-game")).to_have_count(3)
    games.locator(".games-door").first.click()
    games.wait_for_selector(".play .points", timeout=READY)
    expect(games.locator(".moves [data-ply]")).to_have_count(5)
    wait_ready(games)
    click(games, "b4")
    click(games, "c4")
    expect(games.locator(".moves [data-ply]")).to_have_count(6)
    kept = games.evaluate("JSON.parse(localStorage.getItem('qirkat.game.a1')).moves.length")
    assert kept == 6
    games.go_back()
    expect(games.locator(".games-game")).to_have_count(3)


def test_a_game_gets_a_name_and_leaves_and_comes_back(games: Page) -> None:
    games.get_by_role("button", name="Rename").first.click()
    games.get_by_label("The game’s name").fill("With Hana")
    games.keyboard.press("Enter")
    expect(games.locator(".games-words strong").first).to_have_text("With Hana")
    games.get_by_role("button", name="Forget this game: With Hana").click()
    expect(games.locator(".games-game")).to_have_count(2)
    assert games.evaluate("localStorage.getItem('qirkat.game.a1')") is None
    games.keyboard.press("Enter")  # the focus stands on what brings it back
    expect(games.locator(".games-game")).to_have_count(3)
    expect(games.locator(".games-words strong").first).to_have_text("With Hana")


def test_everything_goes_out_and_into_another_browser(
    games: Page, browser: Browser, site: Site, tmp_path: Path
) -> None:
    rated = {"v": 1, "id": "0123456789abcdef", "ruleset": "konane/6x6", "level": 2, "side": "x"}
    beside = {"qirkat.rated": {**rated, "moves": []}, "qirkat.print": {"paper": "letter"}}
    games.evaluate(
        "all => { for (const k in all) localStorage.setItem(k, JSON.stringify(all[k])) }", beside
    )
    with games.expect_download() as waiting:
        games.get_by_role("button", name="Save everything").click()
    file = tmp_path / "all.json"
    waiting.value.save_as(file)
    assert len(json.loads(file.read_text("utf-8"))["games"]) == 3
    with visit(browser, site) as other:
        page = other.new_page()
        page.goto(f"{site.url}#/games")
        page.locator("#games-file").set_input_files(file)
        expect(page.locator("dialog")).to_contain_text("3 games, a rated game under way")
        page.get_by_role("button", name="Take it in").click()
        expect(page.locator(".games-game")).to_have_count(3)
        kept = page.evaluate(
            "['qirkat.rated', 'qirkat.print'].map(k => JSON.parse(localStorage.getItem(k)))"
        )
        assert kept[0] == beside["qirkat.rated"]
        assert kept[1]["paper"] == "letter"
        broken = tmp_path / "broken.json"
        for text, words in (("{", "cannot be read"), ("[]", "not one that")):
            broken.write_text(text)
            page.locator("#games-file").set_input_files(broken)
            expect(page.locator(".games-notice .notice")).to_contain_text(words)
        expect(page.locator(".games-game")).to_have_count(3)


def test_games_by_letter_and_in_rooms_are_found_and_taken_along(
    games: Page, browser: Browser, site: Site, tmp_path: Path
) -> None:
    games.goto(f"{site.url}#/letters")
    games.get_by_role("button", name="Begin").click()
    games.wait_for_selector(".in-letter .points", timeout=READY)
    games.evaluate("location.hash = '#/games'")
    games.get_by_role("link", name="1 game by letter").click()
    expect(games.locator(".room-list li")).to_have_count(1)
    games.evaluate("location.hash = '#/games'")
    with games.expect_download() as waiting:
        games.get_by_role("button", name="Save everything").click()
    file = tmp_path / "all.json"
    waiting.value.save_as(file)
    with visit(browser, site) as other:
        page = other.new_page()
        page.goto(f"{site.url}#/games")
        page.locator("#games-file").set_input_files(file)
        expect(page.locator("dialog")).to_contain_text("3 games, 1 game by letter")
        page.get_by_role("button", name="Take it in").click()
        expect(page.locator(".games-notice")).to_contain_text("4 games")
        page.get_by_role("link", name="1 game by letter").click()
        page.locator(".room-list a").click()
        expect(page.locator(".in-letter .points")).to_be_visible(timeout=READY)


def test_two_tabs_do_not_destroy_each_others_games(games: Page, site: Site) -> None:
    other = games.context.new_page()
    address = f"{site.url}#/play?g=alquerque/table&m={'_'.join(LINE)}&side=both"
    games.goto(address)
    other.goto(address)
    for page, start in ((games, "b4"), (other, "d4")):
        page.wait_for_selector(".play .points", timeout=READY)
        wait_ready(page)
        page.bring_to_front()
        click(page, start)
        click(page, "c4")
        expect(page.locator(".moves [data-ply]")).to_have_count(6)
    other.goto(f"{site.url}#/games")
    expect(other.locator(".games-game")).to_have_count(4)
    kept = other.evaluate(
        "Object.keys(localStorage).filter(key => key.startsWith('qirkat.game.'))"
        ".map(key => JSON.parse(localStorage[key]).moves[5]).filter(Boolean).sort()"
    )
    assert kept == ["b4-c4", "d4-c4"]


@pytest.mark.parametrize("trouble", ["blocked", "full"])
def test_storage_that_fails_is_told_and_survived(
    browser: Browser, site: Site, trouble: str
) -> None:
    with visit(browser, site) as context:
        page = context.new_page()
        page.add_init_script(
            "Storage.prototype.setItem = () => { throw new DOMException('', 'Quota') }"
            if trouble == "blocked"
            else "const put = Storage.prototype.setItem; Storage.prototype.setItem = function (key, text) "
            "{ if (key.includes('.game.')) throw new DOMException('', 'QuotaExceededError');"
            " return put.call(this, key, text) }"
        )
        page.goto(f"{site.url}#/play?g=alquerque/table&side=both")
        page.wait_for_selector(".play .points", timeout=READY)
        wait_ready(page)
        click(page, "d2")
        click(page, "c3")
        expect(page.locator(".moves [data-ply]")).to_have_count(1)
        page.evaluate("location.hash = '#/games'")
        expect(page.locator(".games-game")).to_have_count(1)
        words = "does not let the page keep" if trouble == "blocked" else "storage is full"
        expect(page.locator(".games-storage")).to_contain_text(words)
        page.locator(".games-door").click()
        expect(page.locator(".moves [data-ply]")).to_have_count(1)


def test_the_first_page_leads_everywhere(games: Page, site: Site) -> None:
    games.goto(f"{site.url}#/")
    settle(games, ".card:nth-child(5) .board")
    expect(games.locator(".waiting li")).to_have_count(2)
    card = games.locator(".card").first
    for name, route in (
        ("Play the computer", "#/play?g=alquerque/table&side=x&level=3"),
        ("With a friend", "#/room?g=alquerque/table"),
        ("Learn to play", "#/learn/alquerque?g=alquerque/table"),
        ("Mix your own rules", "#/rules?g=alquerque/table"),
        ("Set up a position", "#/edit?g=alquerque/table"),
    ):
        expect(card.get_by_role("link", name=name)).to_have_attribute("href", route)
    games.get_by_role("button", name="Forget this game").first.click()
    games.get_by_role("button", name="Bring it back").click()
    expect(games.locator(".waiting li")).to_have_count(2)
    ways = games.locator(".home-more a").evaluate_all("all => all.map(a => a.hash.slice(2))")
    assert {"games", "letters", "profile", "settings", "about", "privacy", "room"} <= set(ways)
    games.set_viewport_size({"width": 360, "height": 640})
    games.locator('.home-more a[href="#/privacy"]').click()  # far down the page
    expect(games.get_by_role("heading", level=1)).to_be_in_viewport()


def test_cards_keep_their_ways_at_one_height(games: Page, site: Site) -> None:
    games.set_viewport_size({"width": 1440, "height": 900})
    games.goto(f"{site.url}#/")
    settle(games, ".card:nth-child(5) .board")
    tops = games.locator(".card-doors").evaluate_all(
        "all => all.map(doors => Math.round(doors.getBoundingClientRect().top))"
    )
    assert tops[0] == tops[1] == tops[2] and tops[3] == tops[4], tops


def test_who_goes_elsewhere_before_the_first_screen_arrives_there(
    context_: BrowserContext, site: Site
) -> None:
    page = context_.new_page()
    held: list[Route] = []
    page.route("**/screens/about.js", lambda route: held.append(route))
    page.goto(f"{site.url}#/about", wait_until="commit")
    page.wait_for_selector("#bar .brand", timeout=READY)
    for _ in range(100):
        if held:
            break
        page.wait_for_timeout(50)
    assert held
    page.goto(f"{site.url}#/settings")
    held[0].continue_()
    expect(page.locator(".settings h1")).to_be_visible(timeout=READY)
    page.wait_for_timeout(300)
    expect(page.locator(".about")).to_have_count(0)


def stay_the_same(page: Page, selector: str, quiet: int) -> None:
    """What is under way may end and what is out of sight may come; then nothing moves for `quiet` ms."""
    shown = page.locator(selector)
    before, still, waited = shown.inner_html(), 0, 0
    while still < quiet:
        page.wait_for_timeout(100)
        now = shown.inner_html()
        still = still + 100 if now == before else 0
        before, waited = now, waited + 100
        assert waited < 4 * quiet, "something moves on and on"


def test_boards_live_only_where_motion_is_wanted(browser: Browser, site: Site) -> None:
    for motion, lively in (("no-preference", True), ("reduce", False)):
        context = browser.new_context(
            locale="en-GB", reduced_motion=motion, viewport={"width": 1440, "height": 1800}
        )
        page = context.new_page()
        page.goto(f"{site.url}#/")
        settle(page, ".card:nth-child(5) .board")
        if lively:
            # An upright line has no width: to the driver it is not visible.
            page.wait_for_selector(".card:first-child .trail-line", state="attached", timeout=READY)
            rest = page.get_by_role("button", name="Still boards")
            rest.click()
            expect(page.get_by_role("button", name="Let the boards play")).to_be_visible()
            stay_the_same(page, ".shelf", 2500)
        else:
            settle(page, ".card:nth-child(4) .piece")  # Seega does not show its empty board
            stay_the_same(page, ".shelf", 4000)
            assert page.get_by_role("button", name="Still boards").count() == 0
        context.close()


def test_settings_take_effect_and_go_back(games: Page, site: Site) -> None:
    games.goto(f"{site.url}#/settings")
    games.get_by_role("radio", name="Lamplight").check(force=True)
    games.get_by_role("radio", name="Wood on wood").check(force=True)
    assert games.evaluate("document.documentElement.dataset.theme") == "dark"
    games.get_by_role("radio", name="Español").check(force=True)
    expect(games.locator("h1")).to_have_text("Ajustes")
    games.get_by_role("button", name="Volver a los valores iniciales").click()
    games.get_by_role("button", name="Volver", exact=True).click()
    expect(games.locator("h1")).to_have_text("Settings")
    assert games.evaluate("document.documentElement.dataset.theme") == "auto"


def test_sounds_are_heard_only_when_wanted(games: Page, site: Site) -> None:
    games.add_init_script(
        "window.knocks = 0; const start = OscillatorNode.prototype.start;"
        "OscillatorNode.prototype.start = function (...when) { window.knocks++; return start.apply(this, when) }"
    )
    for wanted in (False, True):
        games.evaluate(
            f"localStorage.setItem('qirkat.settings', '{{\"motion\": false, \"sound\": {str(wanted).lower()}}}')"
        )
        games.goto(f"{site.url}probe.html")
        games.goto(f"{site.url}#/play?g=alquerque/table&side=both")
        games.wait_for_selector(".play .points", timeout=READY)
        wait_ready(games)
        click(games, "d2")
        click(games, "c3")
        expect(games.locator(".moves [data-ply]")).to_have_count(1)
        assert bool(games.evaluate("window.knocks")) == wanted


def test_analysis_tries_and_tells(games: Page, site: Site) -> None:
    games.goto(f"{site.url}#/analyse?g=alquerque/table&m={'_'.join(LINE)}")
    games.wait_for_selector(".play .points", timeout=READY)
    wait_ready(games)
    assert games.locator(".analysis-lines li").count() == 0  # off until wanted
    games.get_by_role("button", name="The computer’s view").click()
    expect(games.locator(".analysis-lines li")).to_have_count(3, timeout=READY)
    expect(games.locator(".analysis-words")).to_contain_text("Proved: Dark win", timeout=READY)
    games.locator("body").press("Home")
    best = games.locator(".analysis-lines li").first
    expect(best).to_contain_text("in the opening book", timeout=READY)
    expect(best).to_contain_text("keeps the win", timeout=READY)
    click(games, "d2")  # another first move: another game begins here
    click(games, "c3")
    expect(games.locator(".moves [data-ply]")).to_have_count(1)
    expect(games.locator(".analysis-words")).to_contain_text("better", timeout=READY)
    assert moves_of(games) == ["d2-c3"]
    assert "#/analyse" in games.url
    games.get_by_role("button", name="Back to the game").click()
    expect(games.locator(".moves [data-ply]")).to_have_count(5)
    games.get_by_role("button", name="Where did it turn?").click()
    expect(games.locator(".analysis-moments")).to_contain_text("move", timeout=READY)
    count = games.evaluate(
        "Object.keys(localStorage).filter(key => key.startsWith('qirkat.game.')).length"
    )
    assert count == 3  # what is tried is no game


def test_analysis_tells_a_proved_draw(games: Page, site: Site) -> None:
    games.goto(f"{site.url}#/analyse?g=fanorona/dimy")
    games.wait_for_selector(".play .points", timeout=READY)
    wait_ready(games)
    games.get_by_role("button", name="The computer’s view").click()
    expect(games.locator(".analysis-words")).to_contain_text("Proved: a draw", timeout=READY)
    only = games.locator(".analysis-lines li", has_text="a proved draw")
    expect(only).to_have_count(1)
    expect(only).to_contain_text("b2c3")


def test_analysis_tells_what_the_tables_know(games: Page, site: Site) -> None:
    position = "x4/x2o1/5/5/5_x_0"  # too far for the search to see
    games.goto(f"{site.url}#/analyse?g=alquerque/table&p={position}")
    games.wait_for_selector(".play .points", timeout=READY)
    wait_ready(games)
    games.get_by_role("button", name="The computer’s view").click()
    best = games.locator(".analysis-lines li").first
    expect(best).to_contain_text(
        "Dark win for certain; next capture within 13 moves", timeout=READY
    )
    expect(games.locator(".analysis-words")).to_contain_text("winning. That is certain.")


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("fr", "dark"), ("es", "light")])
def test_axe_is_content(browser: Browser, site: Site, lang: str, scheme: str) -> None:
    with visit(browser, site, color_scheme=scheme, bypass_csp=True) as context:
        page = context.new_page()
        page.goto(f"{site.url}probe.html")
        keep_games(page, *GAMES)
        for route, ready in (
            ("", ".card:nth-child(5) .board"),
            ("games", ".games-game .piece"),
            ("settings", ".settings-group"),
            ("analyse", ".play .points"),
        ):
            page.goto(f"{site.url}#/{route}?lang={lang}")
            settle(page, ready)
            assert found_by_axe(page) == [], route
            for width in (360, 820, 1440):
                page.set_viewport_size({"width": width, "height": 900})
                assert overflow(page) <= 0, (route, width)
