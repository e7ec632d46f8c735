"""Looking over a whole game."""

from __future__ import annotations

import json

import pytest

from pyengine import Position
from pyengine.ai.analysis import Analysis
from pyengine.rules import Move
from pyengine.service import Service


def played(position: Position, texts: list[str]) -> list[Move]:
    moves = []
    for text in texts:
        moves.append(position.find(text))
        position = position.play(moves[-1])
    return moves


def looked_over(position: Position, texts: list[str], ms: float = 1e9) -> Analysis:
    analysis = Analysis(position.rules, position.state, played(position, texts), nodes=500)
    while not analysis.run(ms):
        pass
    return analysis


def test_a_gift_is_found_and_its_price_told() -> None:
    start = Position.parse("alquerque/classic", "2o2/5/5/5/xx2x x 0")
    texts = ["a1-a2", "c5-c4", "e1-e2", "c4-c3", "b1-b2", "c3xa1"]
    found = looked_over(start, texts).result()
    losses = [entry["loss"] for entry in found["plies"]]
    assert [entry["ply"] for entry in found["plies"]] == list(range(len(losses)))
    assert losses[4] >= 100
    assert 4 in found["moments"]
    assert found["plies"][4]["best"] != "b1-b2"
    assert all(entry["loss"] >= 0 <= entry["chanceLost"] <= 1 for entry in found["plies"])


def test_a_finished_game_is_looked_over_to_its_end() -> None:
    start = Position.parse("alquerque/table", "5/5/5/1o3/x4 x 0")
    analysis = looked_over(start, ["a1xc3"])
    found = analysis.result()
    assert [entry["loss"] for entry in found["plies"]] == [0]
    assert found["plies"][0]["mate"] == 1
    assert found["moments"] == []


def test_only_the_third_time_gives_a_win_away() -> None:
    there_and_back = ["a3-a4", "e1-e2", "a4-a3", "e2-e1"] * 2
    start = Position.parse("alquerque/table", "5/5/xx3/xx3/4o x 0")
    losses = [entry["loss"] for entry in looked_over(start, there_and_back).result()["plies"]]
    # After the seventh ply the other side can bring the draw about.
    assert losses == [0] * 6 + [336, 0]
    # Here the eighth is the draw; missed wins in five plies lose as well.
    start = Position.parse("alquerque/table", "5/5/xx3/xx3/4o o 0")
    texts = ["e1-e2", "a3-a4", "e2-e1", "a4-a3"] * 2
    analysis = looked_over(start, texts)
    losses = [entry["loss"] for entry in analysis.result()["plies"]]
    assert losses == [0, 1000, 0, 0, 0, 1000, 0, 336]
    assert analysis.progress() == {"done": 8, "of": 9}


def test_slices_do_not_matter_and_stopping_keeps_what_was_found() -> None:
    start = Position.start("fanorona/dimy")
    texts = [start.legal_moves()[0].text]
    texts.append(start.play(texts[0]).legal_moves()[0].text)
    whole = looked_over(start, texts)
    assert whole.result() == looked_over(start, texts, 0).result()
    part = Analysis(start.rules, start.state, played(start, texts), nodes=500)
    while part.progress()["done"] < 2:
        part.run(1)
    part.stop()
    assert part.run(1)
    assert part.result()["plies"] == whole.result()["plies"][:1]
    assert part.progress() == {"done": 2, "of": 3}


def test_a_game_without_moves() -> None:
    start = Position.start("seega/5x5")
    assert looked_over(start, []).result() == {"plies": [], "moments": []}


@pytest.mark.parametrize("ruleset", ["konane/6x6", "surakarta/6x6"])
def test_the_best_move_costs_nothing(ruleset: str) -> None:
    position = Position.start(ruleset)
    for _ in range(4):
        move = position.legal_moves()[0]
        found = looked_over(position, [move.text]).result()["plies"][0]
        again = looked_over(position, [found["best"]]).result()["plies"][0]
        assert again["loss"] == 0
        position = position.play(found["best"])


def test_the_service_analyses_a_game_with_events() -> None:
    service = Service()
    texts = ["c2-c3", "offer-draw:x", "decline:o", "c4xc2"]
    params = {"ruleset": "alquerque/table", "moves": texts, "nodes": 100}
    request = {"jsonrpc": "2.0", "id": 4, "method": "analyse", "params": params}
    assert service.handle(json.dumps(request)) == ""
    messages = []
    while service.busy:
        messages += json.loads(service.pump(50) or "[]")
    found = messages[-1]["result"]
    assert [entry["ply"] for entry in found["plies"]] == [0, 3]
    assert [entry["move"] for entry in found["plies"]] == ["c2-c3", "c4xc2"]
    assert found["moments"] == []
