"""Links and texts that carry games: all kept links open, long games stay short, broken ones lose nothing."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from conftest import Site
from playwright.sync_api import Browser, Page, expect
from table import READY, click, moves_of, open_table, plies, stands, status

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
LINKS: list[dict[str, Any]] = json.loads((DATA / "links.json").read_text("utf-8"))
GAME = "g=alquerque/table&side=both"


def pack(text: str) -> str:
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = engine.compress(text.encode()) + engine.flush()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def board_of(page: Page) -> str:
    """The rows as a position text writes them, from the pieces that are drawn."""
    drawn = page.evaluate(
        """() => {
          const flip = location.hash.includes("flip=1");
          const rows = [...document.querySelectorAll(".points [role=row]")].map(row =>
            [...row.querySelectorAll(".point")].map(point => {
              return point.getAttribute("aria-label").split(", ")[1];
            }));
          return flip ? rows.reverse().map(row => row.reverse()) : rows;
        }"""
    )
    empty = {"empty", "vide", "libre", "vacío"}
    return json.dumps([[said not in empty for said in row] for row in drawn])


def board_in(text: str) -> str:
    rows = []
    for row in text.split("/"):
        runs = re.findall(r"\d+|[a-zA-Z]", row)
        rows.append(
            [stone for run in runs for stone in ([False] * int(run) if run.isdigit() else [True])]
        )
    return json.dumps(rows)


def test_links_that_must_open_for_ever(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, GAME)
    for kept in LINKS:
        quiet.evaluate("link => { location.hash = link }", kept["link"])
        for _ in range(300):  # its name is written when the game is read
            if quiet.evaluate("history.state?.game"):
                break
            quiet.wait_for_timeout(50)
        ply = kept.get("ply")
        said = quiet.locator(".moves [data-ply]")
        expect(said, kept["link"]).to_have_count(kept["plies"], timeout=READY)
        if ply is None:
            assert board_of(quiet) == board_in(kept["board"]), kept["link"]
        else:
            expect(quiet.locator(f'.moves [data-ply="{ply}"]')).to_have_class(re.compile("is-here"))
        assert f"g={kept['ruleset']}" in quiet.url
        assert ("flip=1" in quiet.url) == bool(kept.get("flip"))
        if "lang" in kept:
            expect(quiet.locator("html")).to_have_attribute("lang", kept["lang"])
            assert f"lang={kept['lang']}" in quiet.url
        tone = quiet.locator(".status").get_attribute("data-tone")
        assert (tone in ("won", "lost", "even")) == bool(kept["outcome"]), kept["link"]
        assert tone != "alert", status(quiet)


def menu(page: Page, item: str) -> None:
    page.locator(".actions .button", has_text="More").click()
    page.locator(".menu-item", has_text=item).click()


@pytest.mark.parametrize("game", ["alquerque", "konane", "fanorona", "seega", "surakarta"])
def test_a_game_goes_to_another_machine_and_back(
    quiet: Page, site: Site, browser: Browser, game: str
) -> None:
    kept = max(
        (one for one in LINKS if one["ruleset"].startswith(game) and one["plies"] <= 200),
        key=lambda one: one["plies"],
    )
    open_table(quiet, site.url, kept["link"].split("?")[1])
    expect(quiet.locator(".moves [data-ply]")).to_have_count(kept["plies"], timeout=READY)
    moves = moves_of(quiet)
    menu(quiet, "Share")
    expect(quiet.locator(".qr")).to_be_visible()
    link = quiet.locator("#share-link").input_value()
    assert link.startswith(site.url) and len(link) < 1000
    other = browser.new_context(locale="en-GB").new_page()
    other.goto(link)
    expect(other.locator(".moves [data-ply]")).to_have_count(kept["plies"], timeout=READY)
    assert moves_of(other) == moves
    assert board_of(other) == board_in(kept["board"])
    other.context.close()


def test_a_link_to_what_is_shown(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, f"{GAME}&m=d2-c3_d4xd2_d1xd3")
    quiet.keyboard.press("f")
    quiet.keyboard.press("ArrowLeft")
    menu(quiet, "Share")
    field = quiet.locator("#share-link")
    expect(field).to_have_value(re.compile(r"m=d2-c3_d4xd2_d1xd3&side=both&flip=1&ply=2$"))
    quiet.locator("[name=share-what][value=position]").check(force=True)
    expect(field).to_have_value(re.compile(r"&p=[xo1-5/]+_x_\d+[^&]*&side=both&flip=1$"))
    quiet.get_by_text("Open it in: English").click()
    expect(field).to_have_value(re.compile(r"&flip=1&lang=en$"))
    quiet.goto(field.input_value())
    expect(quiet.locator(".moves [data-ply]")).to_have_count(0)
    stands(quiet, "d2", "light piece")


def test_the_devices_own_share_sheet_where_there_is_one(quiet: Page, site: Site) -> None:
    quiet.add_init_script(
        "navigator.share = (what) => { window.shared = what; return Promise.resolve() }"
    )
    open_table(quiet, site.url, f"{GAME}&m=d2-c3_d4xd2", ready=False)
    expect(quiet.locator(".moves [data-ply]")).to_have_count(2, timeout=READY)
    menu(quiet, "Share")
    expect(quiet.locator(".share-qr svg")).to_be_visible()
    quiet.get_by_role("button", name="Send…").click()
    assert quiet.evaluate("window.shared.url") == quiet.locator("#share-link").input_value()


def test_texts_go_out_and_come_in(quiet: Page, site: Site, tmp_path: Path) -> None:
    quiet.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_table(quiet, site.url, f"{GAME}&m=d2-c3_d4xd2_d1xd3")
    menu(quiet, "Share")
    quiet.get_by_role("button", name="Copy the record").click()
    expect(quiet.locator(".share-said")).to_have_text("The record is copied.")
    record = quiet.evaluate("navigator.clipboard.readText()")
    assert '[Ruleset "alquerque/table"]' in record and "1. d2-c3 d4xd2 2. d1xd3" in record
    quiet.get_by_role("button", name="Copy the position").click()
    expect(quiet.locator(".share-said")).to_have_text("The position is copied.")
    position = quiet.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"[xo1-5/]+ o \d+.*", position)
    quiet.get_by_role("button", name="Copy the link").click()
    expect(quiet.locator(".share-said")).to_have_text("The link is copied.")
    with quiet.expect_download() as download:
        quiet.get_by_role("button", name="Save as a file").click()
    assert re.fullmatch(r"qirkat-alquerque-\d{4}-\d\d-\d\d\.txt", download.value.suggested_filename)
    file = tmp_path / "game.txt"
    download.value.save_as(file)
    assert file.read_text("utf-8") == record
    quiet.keyboard.press("Escape")

    quiet.evaluate("location.hash = '#/play?g=konane/6x6&side=both'")
    expect(quiet.locator(".moves [data-ply]")).to_have_count(0)
    menu(quiet, "Open a game")
    quiet.locator("#load-file").set_input_files(file)
    expect(quiet.locator(".moves [data-ply]")).to_have_count(3, timeout=READY)
    assert moves_of(quiet) == ["d2-c3", "d4xd2", "d1xd3"]

    menu(quiet, "Open a game")
    quiet.locator("#load-text").fill(position.replace(" ", "\n"))
    quiet.locator(".load .primary").click()
    expect(quiet.locator(".moves [data-ply]")).to_have_count(0, timeout=READY)
    assert f"p={position.replace(' ', '_')}" in quiet.url


def test_a_record_with_a_fault_says_where_and_opens_as_far_as_it_goes(
    quiet: Page, site: Site
) -> None:
    open_table(quiet, site.url, f"{GAME}&m=d2-c3")
    menu(quiet, "Open a game")
    text, go = quiet.locator("#load-text"), quiet.locator(".load .primary")
    answer = quiet.locator(".load-answer")
    go.click()
    expect(answer).to_contain_text("nothing to open yet")
    text.fill("#/play?g=<script>")
    go.click()
    expect(answer).to_contain_text("cannot be read")
    text.fill("xxxxx/xxxxx/xx1oo/ooooo/oooooo x 0")
    go.click()
    expect(answer).to_contain_text("6 points instead of 5")
    text.fill('[Ruleset "chess/fide"]\n1. e4 e5')
    go.click()
    expect(answer).to_contain_text("chess")
    assert answer.locator("button").count() == 0
    text.fill(
        '[Game "alquerque"]\n[X "Ann"]\n[O "Bea"]\n\n1. c2 c3 c4:c2 2. c1xc4 hello\n\n'
        '[Ruleset "seega/5x5"]\n\n1. a1 a2 *\n'
    )
    go.click()
    games = answer.locator(".load-game")
    expect(games).to_have_count(2, timeout=READY)
    expect(games.first).to_contain_text("Ann – Bea")
    expect(games.first).to_contain_text(
        "Line 5, column 19: “c1xc4” is not possible at that point. Perhaps c1xc3?"
    )
    expect(games.last).not_to_contain_text("Line")
    assert moves_of(quiet) == ["d2-c3"]  # nothing is lost meanwhile
    games.first.get_by_role("button", name="Open the 2 moves that are good").click()
    expect(quiet.locator(".moves [data-ply]")).to_have_count(2, timeout=READY)
    assert moves_of(quiet) == ["c2-c3", "c4xc2"]


BOMB = pack("m=" + "a1-a2_" * 500_000)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("g=<img src=x onerror=alert(1)>", "cannot be read"),
        ("g=seega/5x5&z=%%%", "cannot be read"),
        ("g=seega/5x5&z=AAAA", "damaged"),
        (f"g=seega/5x5&z={pack('m=' + 'a1_a2_a3_' * 20)[:-3]}", "damaged"),
        (f"g=seega/5x5&z={pack('m=<b>')}", "cannot be read"),
        (f"g=seega/5x5&m=a1&z={pack('m=a2')}", "twice"),
        (f"g=seega/5x5&z={BOMB}", "too long"),
        ("g=seega/5x5&lang=xx", "cannot be read"),
        ("g=seega/5x5&ply=x", "cannot be read"),
    ],
    ids=[
        "script",
        "letters",
        "not packed",
        "cut off",
        "inside",
        "twice",
        "bomb",
        "language",
        "ply",
    ],
)
def test_a_broken_link_leaves_the_game_alone(
    quiet: Page, site: Site, query: str, says: str
) -> None:
    open_table(quiet, site.url, f"{GAME}&m=d2-c3_d4xd2", ready=False)
    expect(quiet.locator(".moves [data-ply]")).to_have_count(2, timeout=READY)
    quiet.evaluate("query => { location.hash = '#/play?' + query }", query)
    expect(quiet.locator(".status")).to_contain_text(says)
    assert plies(quiet) == 2
    assert moves_of(quiet) == ["d2-c3", "d4xd2"]  # the address says again what is played
    quiet.get_by_role("button", name="All right").click()
    expect(quiet.locator(".status")).to_contain_text("Dark to move")


def test_another_link_keeps_the_game_and_back_returns_to_it(quiet: Page, site: Site) -> None:
    open_table(quiet, site.url, GAME)
    click(quiet, "d2")
    click(quiet, "c3")
    expect(quiet.locator(".moves [data-ply]")).to_have_count(1)
    quiet.evaluate("location.hash = '#/play?g=seega/5x5&m=a1_a2_zz&side=both'")
    expect(quiet.locator(".status")).to_contain_text(
        "Move 3 of this game is not possible", timeout=READY
    )
    assert plies(quiet) == 2
    quiet.go_back()
    expect(quiet.locator(".moves")).to_contain_text("d2–c3")
    quiet.go_forward()
    expect(quiet.locator(".moves [data-ply]")).to_have_count(2, timeout=READY)
    quiet.evaluate("location.hash = '#/'")
    expect(quiet.locator(".waiting li")).to_have_count(1)  # what was only looked at is not kept
    quiet.go_back()
    expect(quiet.locator(".moves [data-ply]")).to_have_count(2, timeout=READY)


def test_the_address_of_a_very_long_game_is_packed(quiet: Page, site: Site) -> None:
    kept = max(LINKS, key=lambda one: one["plies"])
    open_table(quiet, site.url, kept["link"].split("?")[1])
    expect(quiet.locator(".moves [data-ply]")).to_have_count(kept["plies"], timeout=READY)
    expect(quiet).to_have_url(re.compile(r"[?&]z="))
    assert len(quiet.url) < 2048
    quiet.reload()
    expect(quiet.locator(".moves [data-ply]")).to_have_count(kept["plies"], timeout=READY)
    assert board_of(quiet) == board_in(kept["board"])
