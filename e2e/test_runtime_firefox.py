"""The same start in Firefox (Debian's firefox-esr answers Playwright by BiDi)."""

from __future__ import annotations

import os

import pytest
from conftest import Site
from playwright.sync_api import Playwright

ASK = """async (module) => {
  const { Engine } = await import(module);
  const engine = new Engine({ways: WAYS});
  const {legal} = await engine.request("state", {ruleset: "alquerque/table"});
  const stop = new AbortController();
  const began = performance.now();
  const search = engine.request("search", {ruleset: "surakarta/6x6", ms: 20000},
    {signal: stop.signal});
  setTimeout(() => stop.abort(), 300);
  const {move} = await search;
  return {way: engine.stage.way, legal: legal.length, move: move.text,
          ms: performance.now() - began};
}"""


@pytest.mark.parametrize("way", ["zip", "snapshot"])
def test_firefox_starts_and_stops_a_search(playwright: Playwright, site: Site, way: str) -> None:
    program = os.environ.get("QIRKAT_FIREFOX")
    if not program:
        pytest.skip("no Firefox here and none could be had: this browser was not tested")
    browser = playwright.firefox.launch(channel="moz-firefox", executable_path=program)
    try:
        page = browser.new_page()
        page.goto(f"{site.url}probe.html")
        answer = page.evaluate(ASK.replace("WAYS", f'["{way}"]'), site.module("engine.js"))
    finally:
        browser.close()
    assert answer["way"] == way
    assert answer["legal"] == 4
    assert answer["move"]
    assert answer["ms"] < 3000
