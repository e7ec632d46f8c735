"""The engine in the browser finds what the engine on this machine finds: same code, same data files, same numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Site
from playwright.sync_api import Page

from pyengine.service import Service

#: One ruleset of each kind of board and evaluation, and a few plies into each game.
GAMES = {
    "alquerque/classic": ["c2-c3", "c4xc2"],
    "alquerque/bell": [],
    "konane/6x6": [],
    "fanorona/tsivy": [],
    "seega/5x5": [],
    "seega/7x7": [],
    "surakarta/6x6": [],
}
#: No limit of time: where the clock decides, machines differ. And levels, since a search without one asks for the proof
#: of `bell`, which the browser may have fetched before it ends.
LIMITS: list[dict[str, int]] = [{"level": 8, "nodes": 500, "seed": 5}, {"level": 3, "seed": 5}]

IN_BROWSER = """async ([module, way, questions]) => {
  const { Engine } = await import(module);
  const engine = new Engine({ ways: [way] });
  const answers = [];
  for (const question of questions) answers.push(await engine.request("search", question));
  return answers;
}"""


def questions() -> list[dict[str, Any]]:
    """What is asked of both: the search of each game's position under each set of limits."""
    return [
        {"ruleset": ruleset, "moves": moves, **limits}
        for ruleset, moves in GAMES.items()
        for limits in LIMITS
    ]


def natively(question: dict[str, Any]) -> dict[str, Any]:
    service = Service()
    request = {"jsonrpc": "2.0", "id": 1, "method": "search", "params": question}
    heard = service.handle(json.dumps(request))
    while service.busy:
        heard = service.pump(1000) or heard
    result: dict[str, Any] = json.loads(heard)[-1]["result"]
    return result


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "ms"}


@pytest.mark.parametrize("way", ["zip", "snapshot", "plain"])
def test_every_way_to_start_gives_the_same_answers(probe: Page, site: Site, way: str) -> None:
    asked = questions()
    found = probe.evaluate(IN_BROWSER, [site.module("engine.js"), way, asked])
    assert [timeless(answer) for answer in found] == [timeless(natively(q)) for q in asked]
