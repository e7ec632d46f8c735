"""Two workers on one search: they help each other, stop together, and the first one never needs the other."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Site
from people import until
from playwright.sync_api import Page, expect
from table import READY

#: A search that cannot come to an end, and time for it that no test waits for.
QUESTION = {"ruleset": "alquerque/doce-short"}
MS = 60_000

#: Two engines, the second as a helper of the first. `told` counts the entries that each found for the other.
CREW = """async (app) => {
  const { Engine } = await import(app + "engine.js");
  const { Helpers } = await import(app + "helpers.js");
  const first = new Engine();
  globalThis.engine = first;
  first.helpers = new Helpers(first, { most: 1 });
  globalThis.told = [0, 0];
  const count = (engine, place) => {
    const pass = engine.onlearned;
    engine.onlearned = (news) => { told[place] += news.entries.length; pass(news); };
  };
  count(first, 0);
  await first.request("search", { ruleset: "alquerque/doce-short", ms: 500 });  // the helper starts
  count(first.helpers.helpers[0], 1);
}"""
BEGIN = """(params) => {
  globalThis.stop = new AbortController();
  globalThis.progress = [];
  globalThis.answer = null;
  engine.request("search", params, { signal: stop.signal, onProgress: (news) => progress.push(news) })
    .then((found) => { answer = found; }, (error) => { answer = { error: String(error) }; });
}"""


@pytest.fixture
def crew(probe: Page, site: Site) -> Page:
    """A page with a first engine and a helper that is ready."""
    probe.evaluate(CREW, f"{site.url}{site.app.name}/")
    until(probe, "engine.helpers.ready === 1")
    return probe


def search(page: Page, **more: Any) -> None:
    """Begin a search and wait until each worker has told the other something."""
    page.evaluate("told.fill(0)")
    page.evaluate(BEGIN, {**QUESTION, "ms": MS, **more})
    until(page, "told.every((count) => count > 0)")


def answered(page: Page) -> Any:
    until(page, "answer !== null")
    return page.evaluate("answer")


def test_two_workers_answer_together_and_stop_together(crew: Page) -> None:
    search(crew, lines=3)
    until(crew, "progress.some(({ depth }) => depth > 2)")
    crew.evaluate("stop.abort()")
    found = answered(crew)
    assert found["depth"] > 2
    assert len(found["lines"]) == 3
    assert found["move"]["text"] == found["lines"][0]["move"]
    assert found["ms"] < 50_000
    # Both have stopped.
    until(crew, "engine.requests.size === 0 && engine.helpers.helpers[0].requests.size === 0")


def test_a_dead_helper_leaves_a_right_answer(crew: Page) -> None:
    search(crew)
    crew.evaluate("engine.helpers.helpers[0].worker.terminate(); progress.length = 0")
    until(crew, "progress.some(({ depth }) => depth > 2)")
    crew.evaluate("stop.abort()")
    found = answered(crew)
    assert found["depth"] > 2
    legal = crew.evaluate("(what) => engine.request('state', what)", QUESTION)["legal"]
    assert found["move"]["text"] in [move["text"] for move in legal]


@pytest.mark.parametrize(("cores", "most"), [(4, 1), (2, 0)])
def test_the_page_has_helpers_where_there_is_room(
    page: Page, site: Site, cores: int, most: int
) -> None:
    page.add_init_script(
        f"Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', {{ value: {cores} }})"
    )
    page.goto(f"{site.url}#/about")
    start = f"{site.url}{site.app.name}/start.js"
    page.evaluate("async (start) => { globalThis.engine = (await import(start)).engine; }", start)
    until(page, "engine.helpers !== null")
    assert page.evaluate("engine.helpers.most") == most
    expect(page.locator(".about")).to_contain_text(f"at most {1 + most}.", timeout=READY)
