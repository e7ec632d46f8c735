"""The promise of docs/adding-a-game.md: one module and one registration make a sixth game playable everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from pyengine import Position, rules, rulesets
from pyengine.position import perft
from pyengine.service import Service
from tests import hexapawn


@pytest.fixture(autouse=True)
def sixth_game() -> Iterator[None]:
    rules.register(hexapawn.GAME)
    yield
    del rules.GAMES["hexapawn"]
    rules.find_rules.cache_clear()


def ask(method: str, **params: object) -> dict[str, object]:
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    service = Service()
    answer = service.handle(json.dumps(request))
    while service.busy:
        answer = service.pump(50) or answer
    return json.loads(answer)[-1]["result"]


def test_it_is_offered_and_has_moves() -> None:
    assert ("hexapawn/3x3", False) in rulesets()
    start = Position.start("hexapawn/3x3")
    assert [move.text for move in start.legal_moves()] == ["a1-a2", "b1-b2", "c1-c2"]
    assert [perft(start.rules, start.state, depth) for depth in (1, 2, 3)] == [3, 10, 28]


def test_the_second_player_wins() -> None:
    def wins(position: Position) -> bool:
        return any(not wins(position.play(move)) for move in position.legal_moves())

    assert not wins(Position.start("hexapawn/3x3"))


def test_the_service_and_the_search_know_it() -> None:
    start = ask("state", ruleset="hexapawn/3x3")
    assert start["pieces"] == {"a1": "x", "b1": "x", "c1": "x", "a3": "o", "b3": "o", "c3": "o"}
    found = ask("search", ruleset="hexapawn/3x3", position="ooo/1x1/x1x o 1", depth=8)
    assert found["mate"] > 0
