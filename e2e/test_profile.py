"""The profile: rated games against levels, what is kept, taken along and erased."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import Site
from playwright.sync_api import Page, expect
from table import READY, wait_ready


def test_a_rated_game_against_a_level_counts_once(host: Page, site: Site) -> None:
    host.goto(f"{site.url}#/profile")
    expect(host.locator(".profile")).to_contain_text("No rated game yet")
    host.get_by_label("Rules", exact=True).select_option("konane/6x6")
    host.get_by_label("strength").select_option("1")
    expect(host.locator(".profile")).to_contain_text("700 ± 400")
    host.get_by_role("button", name="Start").click()
    host.wait_for_selector(".points", timeout=READY)
    wait_ready(host)
    expect(host.get_by_role("button", name="Undo")).to_be_disabled()
    expect(host.get_by_role("button", name="Hint")).to_be_disabled()
    assert host.get_by_role("button", name="New", exact=True).count() == 0

    mine = host.locator(".points [aria-label*='can be chosen']")
    expect(mine.first).to_be_visible(timeout=READY)
    mine.first.click(force=True)
    expect(mine.first).to_be_visible(timeout=READY)
    played = host.locator(".moves [data-ply]").count()
    assert played >= 2
    host.goto(f"{site.url}#/profile")
    host.get_by_role("link", name="Go on").click()  # it cannot be left and forgotten
    expect(host.locator(".moves [data-ply]")).to_have_count(played, timeout=READY)
    wait_ready(host)
    host.get_by_role("button", name="More").click()
    host.get_by_role("button", name="Resign", exact=True).click()
    host.locator("dialog.ask").get_by_role("button", name="Resign").click()
    expect(host.locator(".status")).to_contain_text("Your rating:", timeout=READY)
    host.get_by_role("button", name="See the profile").click()
    expect(host.locator(".profile-table tbody tr")).to_have_count(1)
    expect(host.locator(".profile-table")).to_contain_text("lost")
    expect(host.locator(".chart-point")).to_have_count(2)
    host.reload()
    expect(host.locator(".profile-table tbody tr")).to_have_count(1)
    assert host.get_by_role("link", name="Go on").count() == 0


def test_the_profile_is_taken_along_and_erased(
    host: Page, guest: Page, site: Site, tmp_path: Path
) -> None:
    host.goto(f"{site.url}#/profile")
    host.get_by_label("Your name").fill("Ana <b>")
    host.get_by_role("button", name="Save", exact=True).click()
    expect(host.get_by_role("status")).to_contain_text("Saved")
    with host.expect_download() as download:
        host.get_by_role("button", name="Save to a file").click()
    file = tmp_path / "profile.json"
    download.value.save_as(file)
    assert json.loads(file.read_text())["name"] == "Ana <b>"

    guest.goto(f"{site.url}#/profile")
    for text, sentence in (("{", "not JSON"), ('{"qirkat": "profile"}', "not a whole profile")):
        (tmp_path / "bad.json").write_text(text)
        guest.locator("#profile-file").set_input_files(tmp_path / "bad.json")
        expect(guest.locator(".profile")).to_contain_text(sentence)
    guest.locator("#profile-file").set_input_files(file)
    expect(guest.get_by_label("Your name")).to_have_value("Ana <b>")

    guest.goto(f"{site.url}#/privacy")
    guest.get_by_role("button", name="Erase everything").click()
    guest.locator("dialog.ask").get_by_role("button", name="Erase everything").click()
    expect(guest.get_by_role("status")).to_contain_text("Everything is erased")
    assert guest.evaluate("Object.keys(localStorage).filter(k => k.startsWith('qirkat.'))") == []
