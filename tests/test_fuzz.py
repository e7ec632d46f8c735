"""Foreign text of any kind: it is understood or refused in words, and never does harm."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pyengine import EngineError, find_rules
from pyengine.movetext import find_move
from pyengine.notation import read_text, write_record
from pyengine.record import Game
from pyengine.rules import Rules, State
from pyengine.service import Service
from tests.rulesets import OFFERED, positions

# Pieces of what is meant to stand there, so that foreign texts come near to real ones.
SCRAPS = [
    *'xoXO/_ ;:=,+-*()[]{}$%!?"\\\n\t0123459',
    *("a1", "c3", "e5", "j10", "z99", "a0", "c2-c3", "c4xc2", "d3e3+", "f4-", "pass", "huff:c3"),
    *("5/", "5/5/5/5/5", "ooooo", "x 0", "o 7", "hand=12,12", "huff=c3", "prev=a1b2", "hand="),
    *("resign:x", "offer-draw:x", "accept:o", "decline:o", "offer-count:o", "1.", "1...", "1-0"),
    *('[Game "seega"]', '[Ruleset "alquerque/table"]', '[FEN "', '"]', "[Result ", "1/2-1/2", "*"),
    *("alquerque/", "maximum", "choice=any", "sultan=long", "limit=0", "onlimit=count", "\ufeff"),
]
scraps = st.lists(st.sampled_from(SCRAPS), max_size=14).map("".join)
texts = st.one_of(scraps, st.text(max_size=60), st.lists(scraps, max_size=8).map(" ".join))
rulesets = st.sampled_from(OFFERED)


@given(texts)
def test_any_ruleset_text(text: str) -> None:
    with suppress(EngineError):
        rules = find_rules(text)
        assert find_rules(rules.ruleset).ruleset == rules.ruleset


@given(rulesets, texts)
def test_any_position_text(ruleset: str, text: str) -> None:
    rules = find_rules(ruleset)
    with suppress(EngineError):
        state = rules.parse(text)
        assert rules.parse(rules.format(state)) == state


@given(positions(), st.data())
def test_a_position_text_with_a_slip(position: tuple[Rules, State], data: st.DataObject) -> None:
    rules, state = position
    text = rules.format(state)
    place = data.draw(st.integers(0, len(text)))
    scrap = data.draw(st.sampled_from([*SCRAPS, ""]))
    slipped = text[:place] + scrap + text[place + data.draw(st.integers(0, 3)) :]
    with suppress(EngineError):
        read = rules.parse(slipped)
        assert rules.parse(rules.format(read)) == read
        # What is accepted can be played: no position may break the rules that follow it.
        for move in rules.legal_moves(read):
            rules.parse(rules.format(move.after))


@given(positions(), texts)
def test_any_move_text(position: tuple[Rules, State], text: str) -> None:
    rules, state = position
    fault = None
    try:
        assert find_move(rules, state, text) in rules.legal_moves(state)
    except EngineError as error:
        fault = error.as_data()
    assert fault is None or fault["kind"] in ("move.illegal", "move.ambiguous")
    json.dumps(fault)


@given(positions(), st.lists(st.integers(-1, 100), max_size=5))
def test_any_path_is_explained(position: tuple[Rules, State], path: list[int]) -> None:
    rules, state = position
    points = [point % rules.board.size for point in path]
    refusal = rules.explain(state, points)
    fits = any(move.path[: len(points)] == tuple(points) for move in rules.legal_moves(state))
    over = not rules.legal_moves(state)
    assert (refusal is None) == (fits and not over)


@given(rulesets, st.lists(texts, max_size=5))
def test_any_list_of_moves(ruleset: str, moves: list[str]) -> None:
    game = Game(find_rules(ruleset))
    place = None
    try:
        game.extend(moves)
    except EngineError as error:
        place = error.data["ply"]
    assert place in (None, len(game.entries) + 1)


@given(texts, st.one_of(st.none(), rulesets))
def test_any_record(text: str, ruleset: str | None) -> None:
    for game in read_text(text, ruleset):
        for fault in game.faults:
            assert fault.line >= 1
            assert fault.column >= 1
            json.dumps(fault.as_data())
        json.dumps(game.record.as_data())
        if not any(fault.kind.startswith(("ruleset", "position")) for fault in game.faults):
            with suppress(EngineError):  # a game that names no ruleset
                written = write_record(game.record)
                [again] = read_text(written)
                assert again.record.line == game.record.line


# --- the service ----------------------------------------------------------------------------------

METHODS = sorted({*Service()._methods, *Service()._long, "nonsense"})
NAMES = [
    *("ruleset", "position", "moves", "move", "path", "depth", "nodes", "ms", "level", "lines"),
    *("seed", "id", "text", "tags", "comments", "marks", "variations", "result", "reason", "other"),
]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
# Mostly of the right kind, so that they get past the first door.
plausible: dict[str, st.SearchStrategy[Any]] = {
    "ruleset": rulesets,
    "position": texts,
    "moves": st.lists(texts | st.sampled_from(["c2-c3", "c4xc2", "d5", "d4"]), max_size=4),
    "move": texts,
    "path": st.lists(st.sampled_from(["a1", "c2", "c3", "z9"]), max_size=4),
    "depth": st.integers(0, 2),
    "nodes": st.integers(1, 50),
    "ms": st.integers(1, 20),
    "level": st.integers(0, 10),
    "lines": st.integers(1, 5),
    "seed": st.integers(0, 99),
    "text": texts,
    "id": st.integers(0, 3),
    "tags": st.dictionaries(texts, texts, max_size=2),
    "result": st.sampled_from(["x", "1-0", "*", "won"]),
}


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """A request that may be right, nearly right or nonsense."""
    method = draw(st.sampled_from(METHODS))
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4))
    known = {**Service()._methods, **Service()._long}.get(method)
    if known and draw(st.booleans()):
        names = [*known.needs, *(name for name in names if name in known.may)]
    params = {name: draw(plausible.get(name, json_values)) for name in names}
    if params and draw(st.integers(0, 4)) == 0:
        params[draw(st.sampled_from(sorted(params)))] = draw(json_values)
    request = {"jsonrpc": "2.0", "id": draw(st.integers(0, 3)), "method": method, "params": params}
    if method == "search":
        request["params"].setdefault("depth", 2)
    if draw(st.integers(0, 9)) == 0:
        request[draw(st.sampled_from(["jsonrpc", "id", "method", "params"]))] = draw(json_values)
    return request


def answers(service: Service, text: str) -> list[dict[str, Any]]:
    """Everything that a message brings about, the work it begins included."""
    out = service.handle(text)
    found: list[dict[str, Any]] = json.loads(out) if out else []
    while service.busy:
        out = service.pump(50)
        found += json.loads(out) if out else []
    return found


@given(st.lists(requests(), max_size=4))
def test_any_requests(conversation: list[dict[str, Any]]) -> None:
    service = Service()
    for request in conversation:
        found = answers(service, json.dumps(request))
        for message in found:
            if "error" in message:
                assert message["error"]["code"] in (-32700, -32600, -32601, -32602), message
    assert answers(service, '{"jsonrpc": "2.0", "id": 1, "method": "version"}')


@given(st.one_of(texts, json_values.map(json.dumps)))
def test_any_message(text: str) -> None:
    service = Service()
    for message in answers(service, text):
        assert message["jsonrpc"] == "2.0"
        assert message["error"]["code"] != -32603
