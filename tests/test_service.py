"""The service's side of docs/wire.md: every method, every fault, and long work that never keeps anyone waiting."""

from __future__ import annotations

import gc
import json
import random
import re
import time
from pathlib import Path
from typing import Any

import pytest

from pyengine import EngineError, __version__, find_rules, jobs
from pyengine import service as service_module
from pyengine.ai import Search
from pyengine.jobs import SearchJob
from pyengine.record import Game
from pyengine.service import Service, reseed, self_test
from tests.rulesets import OFFERED

PERFT: dict[str, list[int]] = json.loads((Path(__file__).parent / "data/perft.json").read_text())
TABLE = "alquerque/table"
Message = dict[str, Any]


class Client:
    """Speaks to a service as the worker does, and keeps every message that comes back."""

    def __init__(self) -> None:
        self.service = Service()
        self.heard: list[Message] = []

    def send(self, method: str, params: Message, id: Any = 1) -> list[Message]:
        text = json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        return self.raw(text)

    def cancel(self, id: Any) -> list[Message]:
        return self.send("cancel", {"id": id}, "c")

    def raw(self, text: str) -> list[Message]:
        return self._hear(self.service.handle(text))

    def pump(self) -> list[Message]:
        return self._hear(self.service.pump(8))

    def wait(self) -> None:
        while self.service.busy:
            self.pump()

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request, waited for."""
        self.heard.clear()
        self.send(method, params)
        self.wait()
        [answer] = [message for message in self.heard if "id" in message]
        assert answer["jsonrpc"] == "2.0"
        assert answer["id"] == 1
        return answer["result"] if "result" in answer else answer["error"]

    def _hear(self, text: str) -> list[Message]:
        assert text == "" or text.isascii()
        messages: list[Message] = json.loads(text) if text else []
        self.heard += messages
        return messages


@pytest.fixture
def client() -> Client:
    return Client()


def fields(name: str) -> set[str]:
    """The names of a type in docs/wire.md."""
    text = (Path(__file__).parent.parent / "docs/wire.md").read_text(encoding="utf-8")
    told = re.search(rf"^{name} += (.*?)(?=^[A-Z][A-Za-z]+ += |^```)", text, re.M | re.S)
    assert told, name
    plain = re.sub(r"//[^\n]*", "", told[1])
    plain = plain[plain.index("{") + 1 : plain.rindex("}")]
    while (shorter := re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "", plain)) != plain:
        plain = shorter
    names = (re.match(r"\s*([A-Za-z]+)", item) for item in plain.split(","))
    return {found[1] for found in names if found}


# --- every ruleset --------------------------------------------------------------------------------


def test_rulesets(client: Client) -> None:
    infos = client.ask("rulesets")
    assert [info["ruleset"] for info in infos] == OFFERED
    assert all(info.keys() == {"ruleset", "game", "preset", "options", "named"} for info in infos)
    assert [info["ruleset"] for info in infos if info["named"]] == [r for r in OFFERED if ";" in r]


@pytest.mark.parametrize("ruleset", OFFERED)
def test_description(client: Client, ruleset: str) -> None:
    told = client.ask("describe", ruleset=ruleset)
    rules = find_rules(ruleset)
    assert told["ruleset"] == ruleset
    assert len(told["points"]) == told["columns"] * told["rows"]
    by_name = {point["name"]: point for point in told["points"]}
    assert by_name["a1"] == {"name": "a1", "column": 1, "rank": 1, "row": told["rows"]}
    ends = [point for line in told["lines"] for point in line]
    ends += [point for loop in told["loops"] for point in loop["ends"]]
    ends += [point for circuit in told["circuits"] for line in circuit["lines"] for point in line]
    ends += [mark["point"] for mark in told["marks"]]
    assert set(ends) <= set(by_name)
    assert told["startPieces"].keys() <= set(by_name)
    assert rules.format(rules.parse(told["start"])) == told["start"]
    assert told["hand"] == (ruleset.startswith("seega"))
    assert len(told["loops"]) == (8 if ruleset.startswith("surakarta") else 0)
    assert set(told["agreements"]) <= {"draw", "count"}


@pytest.mark.parametrize("ruleset", OFFERED)
def test_a_game_told_ply_by_ply(client: Client, ruleset: str) -> None:
    chance = random.Random(ruleset)
    texts: list[str] = []
    state = client.ask("state", ruleset=ruleset)
    kinds = set()
    for _ in range(60):
        if not state["legal"]:
            break
        move = chance.choice(state["legal"])
        assert set(move) == {"text", "kind", "path", "captures", "hops", "promotes"}
        kinds.add(move["kind"])
        assert client.ask("explain", ruleset=ruleset, moves=texts, path=move["path"]) is None
        before = state
        state = client.ask("play", ruleset=ruleset, moves=texts, move=move["text"])
        texts.append(move["text"])
        assert state == client.ask("state", ruleset=ruleset, moves=texts)
        side, foe = before["side"], "o" if before["side"] == "x" else "x"
        assert before["counts"][foe] - state["counts"][foe] == len(move["captures"])
        assert before["counts"][side] - state["counts"][side] == {"place": -1, "remove": 1}.get(
            move["kind"], 0
        )
        assert state["last"]["text"] == move["text"]
        assert state["last"]["pieces"] == state["pieces"]
    whole = client.ask("game", ruleset=ruleset, moves=texts)
    assert whole["state"] == state
    assert [ply["text"] for ply in whole["plies"]] == texts
    assert whole["plies"][-1]["position"] == state["position"]
    hand = state["hand"] or {"x": 0, "o": 0}
    sizes = dict(zip("xo", find_rules(ruleset).set_sizes, strict=True))
    for side in "xo":
        assert state["counts"][side] + state["lost"][side] + hand[side] == sizes[side]
    assert kinds


@pytest.mark.parametrize("ruleset", PERFT)
def test_perft(client: Client, ruleset: str) -> None:
    for depth, leaves in enumerate(PERFT[ruleset][:4], 1):
        if leaves < 10_000:
            assert client.ask("perft", ruleset=ruleset, depth=depth) == {"leaves": leaves}
    assert client.ask("perft", ruleset=ruleset, depth=0) == {"leaves": 1}


@pytest.mark.parametrize("ruleset", OFFERED)
def test_search(client: Client, ruleset: str) -> None:
    found = client.ask("search", ruleset=ruleset, level=2, seed=1)
    legal = client.ask("state", ruleset=ruleset)["legal"]
    assert found["move"] in legal
    assert found["pv"][0] == found["move"]["text"] == found["lines"][0]["move"]
    assert 0 <= found["chance"] <= 1
    assert found.keys() >= {"score", "mate", "depth", "nodes", "ms"}
    again = client.ask("search", ruleset=ruleset, level=2, seed=1)
    assert {**again, "ms": 0} == {**found, "ms": 0}


def test_the_wire_says_what_is_sent(client: Client) -> None:
    state = client.ask("state", ruleset=TABLE, moves=["c2-c3"])
    assert set(state) == fields("Snapshot") | fields("State")
    assert set(state["legal"][0]) == fields("Move")
    assert set(state["last"]) == fields("Move") | fields("Ply")
    assert set(client.ask("describe", ruleset=TABLE)) == fields("Description")
    read = client.ask("record.read", text='[Game "alquerque"] c2-c3 d9')
    assert set(read["faults"][0]) == fields("Fault")
    assert set(read["games"][0]) == fields("GameText") | fields("Line")
    assert set(client.ask("search", ruleset=TABLE, depth=1)) == fields("SearchResult")


# --- games ----------------------------------------------------------------------------------------


def test_events_and_offers(client: Client) -> None:
    state = client.ask("state", ruleset=TABLE, moves=["c2-c3", "offer-draw:x"])
    assert state["offer"] == {"kind": "draw", "by": "x"}
    assert set(state["events"]) == {"resign:x", "resign:o", "accept:o", "decline:o"}
    assert state["last"]["text"] == "c2-c3"
    over = client.ask("game", ruleset=TABLE, moves=["c2-c3", "offer-draw:x", "accept:o"])
    assert over["state"]["outcome"] == {"winner": None, "reason": "agreement"}
    assert over["state"]["legal"] == over["state"]["movable"] == over["state"]["events"] == []
    event = over["plies"][1]
    assert (event["text"], event["kind"], event["side"]) == ("offer-draw:x", "event", "x")
    assert event["position"] == over["plies"][0]["position"]


def test_kind_spellings_come_back_canonical(client: Client) -> None:
    state = client.ask("play", ruleset=TABLE, moves=["C2 C3"], move="c4*c2")
    assert state["last"]["text"] == "c4xc2"


def test_repetition_counts(client: Client) -> None:
    asked = {"ruleset": TABLE, "position": "x4/5/5/5/4o_x_0"}
    circle = ["a5-a4", "e1-e2", "a4-a5", "e2-e1"]
    assert client.ask("state", **asked, moves=circle)["repeated"] == 2
    state = client.ask("state", **asked, moves=circle * 2)
    assert state["outcome"] == {"winner": None, "reason": "repetition"}
    assert client.ask("explain", **asked, moves=circle * 2, path=["a5"])["kind"] == "over"
    assert client.ask("search", **asked, moves=circle * 2, level=1)["data"]["kind"] == "over"


def test_one_more_ply_costs_one_ply(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []
    play = Game.play
    monkeypatch.setattr(Game, "play", lambda game, text: played.append(text) or play(game, text))
    texts: list[str] = []
    for _ in range(30):
        state = client.ask("state", ruleset="fanorona/tsivy", moves=texts)
        texts.append(state["legal"][0]["text"])
    assert played == texts[:-1]
    client.ask("state", ruleset="fanorona/tsivy", moves=texts[:10])  # a step back costs none
    assert played == texts[:-1]


def test_other_lines_do_not_disturb_each_other(client: Client) -> None:
    first = client.ask("state", ruleset=TABLE, moves=["c2-c3", "c4xc2"])
    client.ask("state", ruleset=TABLE, moves=["b2-c3"])
    client.ask("play", ruleset=TABLE, moves=["c2-c3", "c4xc2"], move="c1xc3")
    client.ask("play", ruleset=TABLE, moves=["c2-c3"], move="c4xc9")
    assert client.ask("state", ruleset=TABLE, moves=["c2-c3", "c4xc2"]) == first
    for number in range(20):
        client.ask("state", ruleset=TABLE, position=f"x4/5/5/5/4o x {number}")
    assert client.ask("state", ruleset=TABLE, moves=["c2-c3", "c4xc2"]) == first


def test_explanations(client: Client) -> None:
    def why(**asked: Any) -> Any:
        return client.ask("explain", ruleset=TABLE, **asked)

    assert why(path=[]) is None
    assert why(path=["c2"]) is None
    assert why(path=["c2", "c3"]) is None
    assert why(path=["a5"]) == {"kind": "not-your-piece", "points": ["a5"]}
    assert why(path=["c3"]) == {"kind": "empty", "points": ["c3"]}
    assert why(moves=["c2-c3"], path=["b4", "b3"])["kind"] == "must-capture"
    assert why(move="c2c3") is None
    assert why(move="castle")["kind"] == "not-a-move"
    assert why(path=["z9"])["data"] == {"kind": "params", "name": "path", "found": "z9"}
    fork = client.ask(
        "explain", ruleset="fanorona/tsivy", position="9/9/3ox1oo1/9/9 x 0", move="e3f3"
    )
    assert fork == {"kind": "fork", "points": [], "candidates": ["e3f3+", "e3f3-"]}


def test_check(client: Client) -> None:
    told = client.ask("check", ruleset=TABLE, position="5/5/5/5/4o_x_0")
    assert told == {"position": "5/5/5/5/4o x 0"}


def test_records(client: Client) -> None:
    text = client.ask(
        "record.write",
        ruleset="alquerque/classic",
        moves=["c2c3", "c4*c2"],
        tags={"X": "Ann"},
        comments={"1": "so"},
        variations={"2": [{"moves": ["c4xc2"], "comments": {"0": "or"}}]},
        result="0-1",
        reason="resignation",
    )["text"]
    assert text.endswith("1. c2-c3 {so} 1... c4xc2 ({or} 1... c4xc2) 0-1\n")
    read = client.ask("record.read", text=text + text + "c2-c3")
    assert [game["ruleset"] for game in read["games"]] == ["alquerque/classic"] * 2 + [""]
    game = read["games"][0]
    assert game["moves"] == ["c2-c3", "c4xc2"]
    assert game["comments"] == {"1": "so"}
    assert (game["result"], game["reason"]) == ("o", "resignation")
    assert [fault["kind"] for fault in read["faults"]] == ["record.ruleset"]
    bare = client.ask("record.read", text="c2-c3", ruleset=TABLE)
    assert bare["games"][0]["moves"] == ["c2-c3"]


def test_version(client: Client) -> None:
    assert client.ask("version")["engine"] == __version__


# --- faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "params", "kind"),
    [
        ("state", {}, "params"),
        ("state", {"ruleset": 5}, "params"),
        ("state", {"ruleset": TABLE, "moves": "c2-c3"}, "params"),
        ("state", {"ruleset": TABLE, "moves": [1]}, "params"),
        ("state", {"ruleset": TABLE, "mvoes": []}, "params"),
        ("state", {"ruleset": "x" * 999}, "too-long"),
        ("state", {"ruleset": TABLE, "position": "x" * 9999}, "too-long"),
        ("state", {"ruleset": TABLE, "moves": ["c2-c3"] * 2001}, "too-long"),
        ("state", {"ruleset": "draughts/table"}, "ruleset.unknown"),
        ("state", {"ruleset": "alquerque/table;sultan=huge"}, "ruleset.option"),
        ("state", {"ruleset": TABLE, "position": ""}, "position.syntax"),
        ("state", {"ruleset": TABLE, "position": "5/5/5/5/4z x 0"}, "position.character"),
        ("play", {"ruleset": TABLE, "move": "c2-c9"}, "move.illegal"),
        ("play", {"ruleset": TABLE, "move": "accept:x"}, "move.event"),
        ("perft", {"ruleset": TABLE, "depth": -1}, "params"),
        ("perft", {"ruleset": TABLE, "depth": 1.5}, "params"),
        ("perft", {"ruleset": TABLE, "depth": True}, "params"),
        ("search", {"ruleset": TABLE}, "params"),
        ("search", {"ruleset": TABLE, "level": 99}, "params"),
        ("search", {"ruleset": TABLE, "ms": 0}, "params"),
        ("cancel", {"id": [1]}, "params"),
        ("explain", {"ruleset": TABLE}, "params"),
        ("record.write", {"ruleset": TABLE, "moves": [], "tags": {"a": 1}}, "params"),
        ("record.write", {"ruleset": TABLE, "moves": [], "marks": {"1": [1]}}, "params"),
        ("record.write", {"ruleset": TABLE, "moves": [], "comments": []}, "params"),
        ("record.write", {"ruleset": TABLE, "moves": [], "result": "won"}, "record.result"),
    ],
)
def test_bad_parameters(client: Client, method: str, params: Message, kind: str) -> None:
    error = client.ask(method, **params)
    assert error["code"] == -32602
    assert error["data"]["kind"] == kind
    assert error["message"]


def test_an_illegal_move_says_which_and_why(client: Client) -> None:
    error = client.ask("state", ruleset=TABLE, moves=["c2-c3", "a4-a3"])
    assert error["data"]["ply"] == 2
    assert error["data"]["refusal"] == {"kind": "must-capture", "points": ["c4"]}


@pytest.mark.parametrize(
    ("text", "code", "id"),
    [
        ("", -32700, None),
        ("{", -32700, None),
        ("[" * 100_000, -32600, None),
        ('{"a":' * 101 + "1" + "}" * 101, -32600, None),
        ("[" * 50 + '"' + "[" * 1000 + '\\"' + "[" * 1000 + '"' + "]" * 50, -32600, None),
        ('{"jsonrpc": "2.0", "id": 1, "method": "version", "params": {"a": NaN}}', -32700, None),
        ("[]", -32600, None),
        ("[1, 2]", -32600, None),
        ('"version"', -32600, None),
        ('{"id": 7, "method": "version"}', -32600, 7),
        ('{"jsonrpc": "1.0", "id": 7, "method": "version"}', -32600, 7),
        ('{"jsonrpc": "2.0", "id": 7}', -32600, 7),
        ('{"jsonrpc": "2.0", "id": 7, "method": 5}', -32600, 7),
        ('{"jsonrpc": "2.0", "id": true, "method": "version"}', -32600, None),
        ('{"jsonrpc": "2.0", "id": {}, "method": "version"}', -32600, None),
        ('{"jsonrpc": "2.0", "id": 1e999, "method": "version"}', -32600, None),
        ('{"jsonrpc": "2.0", "method": 5}', -32600, None),
        ('{"jsonrpc": "2.0", "id": 7, "method": "__init__"}', -32601, 7),
        ('{"jsonrpc": "2.0", "id": 7, "method": "version", "params": [1]}', -32602, 7),
        ("x" * 4_000_001, -32600, None),
    ],
)
def test_bad_messages(client: Client, text: str, code: int, id: object) -> None:
    [answer] = client.raw(text)
    assert answer["error"]["code"] == code
    assert answer["id"] == id
    assert client.ask("version")["engine"] == __version__


@pytest.mark.parametrize("id", ["a", "", 0, -1, 1.5, None, "\ud800"])
def test_ids_come_back(client: Client, id: object) -> None:
    [answer] = client.send("version", {}, id)
    assert answer["id"] == id


def test_notifications_are_not_answered(client: Client) -> None:
    for method in ("version", "nonsense", "state", "perft", "search"):
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": {"ruleset": TABLE}})
        assert client.raw(text) == []
    client.pump()  # lets go of what ended
    assert not client.service.busy


def test_an_unexpected_fault_is_told_and_survived(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(service_module, "game_state", broken)
    monkeypatch.setattr(SearchJob, "run", broken)
    error = client.ask("state", ruleset=TABLE)
    assert (error["code"], error["data"]["kind"]) == (-32603, "unexpected")
    assert client.ask("search", ruleset=TABLE, level=1)["code"] == -32603
    assert client.ask("version")["engine"] == __version__


# --- long work ------------------------------------------------------------------------------------


def test_others_are_served_while_a_search_runs(client: Client) -> None:
    assert client.send("search", {"ruleset": "surakarta/6x6", "depth": 99}, "s") == []
    assert client.service.busy
    for _ in range(5):
        client.pump()
        [answer] = client.send("state", {"ruleset": TABLE}, "q")
        assert answer["id"] == "q"
    client.cancel("s")
    client.pump()  # lets go of what ended
    assert not client.service.busy


def test_cancel_answers_at_once_with_the_best_so_far(client: Client) -> None:
    for ruleset in ("fanorona/tsivy", "surakarta/6x6", "seega/9x9", "konane/10x10"):
        client.send("search", {"ruleset": ruleset, "depth": 99}, 5)
        for _ in range(10):
            client.pump()
        began = time.process_time()
        search, answer = client.cancel(5)
        assert time.process_time() - began < 0.05
        assert answer == {"jsonrpc": "2.0", "id": "c", "result": {"cancelled": True}}
        assert search["id"] == 5
        assert search["result"]["move"]["text"]
        client.pump()  # lets go of what ended
        assert not client.service.busy


@pytest.mark.parametrize("ruleset", ["alquerque/classic", "seega/5x5", "fanorona/tsivy"])
def test_a_search_is_never_held_up_by_a_collection(client: Client, ruleset: str) -> None:
    collections = []
    client.send("search", {"ruleset": ruleset, "depth": 99}, 5)
    gc.callbacks.append(lambda phase, _: collections.append(phase))
    try:
        for _ in range(20):
            client.pump()
        client.cancel(5)
    finally:
        gc.callbacks.pop()
    assert collections == []


def searches() -> int:
    return sum(isinstance(thing, Search) for thing in gc.get_objects())


@pytest.mark.parametrize("work", [("search", {"depth": 99}), ("analyse", {"nodes": 100_000})])
def test_cancelled_work_leaves_nothing_to_collect(
    client: Client, work: tuple[str, Message]
) -> None:
    method, limits = work
    gc.collect()
    before = searches()
    client.send(method, {"ruleset": TABLE, "moves": ["c2-c3"], **limits}, 5)
    client.pump()
    client.cancel(5)
    client.wait()
    assert gc.isenabled()
    gc.disable()
    left = searches()
    gc.enable()
    assert left == before


def test_cancel_before_the_first_slice_still_gives_a_move(client: Client) -> None:
    client.send("search", {"ruleset": TABLE, "position": "5/5/5/1o3/x3x x 0", "depth": 99}, 5)
    search, _ = client.cancel(5)
    assert search["result"]["move"]["text"] == "a1xc3"


def test_cancel_of_nothing(client: Client) -> None:
    [answer] = client.cancel(5)
    assert answer["result"] == {"cancelled": False}


def test_cancelled_perft(client: Client) -> None:
    client.send("perft", {"ruleset": "seega/9x9", "depth": 50}, 5)
    began = time.process_time()
    client.pump()
    assert time.process_time() - began < 0.1
    perft, _ = client.cancel(5)
    assert perft["error"]["data"]["kind"] == "cancelled"


def test_an_endless_perft_ends(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_PERFT", 10_000)
    error = client.ask("perft", ruleset="seega/5x5", depth=20)
    assert error["data"]["kind"] == "too-long"


def test_several_take_turns(client: Client) -> None:
    client.send("search", {"ruleset": TABLE, "depth": 99}, 1)
    client.send("search", {"ruleset": TABLE, "nodes": 300, "seed": 1}, 2)
    client.send("perft", {"ruleset": TABLE, "depth": 6}, 3)
    while not {m.get("id") for m in client.heard} >= {2, 3}:
        client.pump()
    assert client.service.busy
    client.cancel(1)
    client.pump()  # lets go of what ended
    assert not client.service.busy


def test_not_more_than_so_many(client: Client) -> None:
    for number in range(service_module.MAX_JOBS):
        assert client.send("search", {"ruleset": TABLE, "depth": 99}, number) == []
    [answer] = client.send("search", {"ruleset": TABLE, "depth": 99}, "more")
    assert answer["error"]["data"]["kind"] == "busy"
    for number in range(service_module.MAX_JOBS):
        client.cancel(number)
    client.pump()  # lets go of what ended
    assert not client.service.busy


def test_progress_is_told_in_moderation(client: Client) -> None:
    began = time.monotonic()
    client.send("search", {"ruleset": "fanorona/tsivy", "ms": 700}, "s")
    client.wait()
    took = time.monotonic() - began
    news = [message for message in client.heard if message.get("method") == "progress"]
    assert 1 <= len(news) <= took / service_module.PROGRESS_GAP + 1
    assert "id" not in news[0]
    assert news[0]["params"]["id"] == "s"
    assert news[0]["params"].keys() >= {"id", "depth", "score", "pv", "nodes"}


# --- for the host ---------------------------------------------------------------------------------


def test_self_test(monkeypatch: pytest.MonkeyPatch) -> None:
    assert self_test() is True
    monkeypatch.setattr(service_module, "perft", lambda *_: 1)
    assert self_test() is False

    def broken(*_: Any) -> int:
        raise EngineError("unexpected", "broken")

    monkeypatch.setattr(service_module, "perft", broken)
    assert self_test() is False


def test_reseed() -> None:
    reseed(5)
    first = random.random()
    reseed(5)
    assert random.random() == first
