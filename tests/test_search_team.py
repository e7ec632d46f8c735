"""Several searches of one position that tell each other what they find."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyengine import EngineError, find_rules
from pyengine.ai import Search, search
from pyengine.ai.search import MATE
from pyengine.ai.tables import Tables
from pyengine.ai.transpositions import MOST_NEWS, SHARED_DEPTH
from pyengine.jobs import SearchJob
from pyengine.service import Service
from tests.rulesets import OFFERED

#: A clock that counts nodes, so that the searches of a test work equally long, and on every machine the same.
NODES_PER_MS = 12


class Clock:
    """Time as the running search's nodes."""

    def __init__(self) -> None:
        self.running: Search | None = None

    def __call__(self) -> float:
        return self.running.nodes / NODES_PER_MS / 1000 if self.running else 0.0

    def run(self, one: Search, ms: float) -> bool:
        self.running = one
        return one.run(ms)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(search, "perf_counter", made)
    return made


def over_the_wire(told: Any) -> Any:
    """What arrives of entries that were sent."""
    read = json.loads(json.dumps(told))

    def tuples(value: Any) -> Any:
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    return [tuples(entry) for entry in read]


def together(clock: Clock, team: list[Search]) -> Search:
    """Let a team search until place 0 has finished, news travelling once a slice."""
    while not clock.run(team[0], 10):
        for one in team[1:]:
            clock.run(one, 10)
        for one in team:
            news = over_the_wire(one.news())
            for other in team:
                if other is not one:
                    other.learn(news, one.endings)
    return team[0]


def alone(clock: Clock, **limits: Any) -> Search:
    one = Search(**limits)
    while not clock.run(one, 10):
        pass
    return one


def team_of(count: int, depth: int, **limits: Any) -> list[Search]:
    made = [Search(**limits, depth=depth, team=(0, count))]
    return made + [Search(**limits, team=(place, count)) for place in range(1, count)]


@pytest.mark.parametrize(("ruleset", "depth"), [("konane/8x8", 7), ("seega/5x5", 6)])
def test_a_helper_saves_work(clock: Clock, ruleset: str, depth: int) -> None:
    rules = find_rules(ruleset)
    spent = {1: 0, 2: 0}
    state = rules.start()
    for _ in range(3):
        for _ in range(5):
            children = rules.successors(state)
            state = children[len(children) // 2]
        limits: dict[str, Any] = {"rules": rules, "state": state, "ms": 1_000_000}
        spent[1] += alone(clock, depth=depth, **limits).nodes
        spent[2] += together(clock, team_of(2, depth, **limits)).nodes
    assert spent[2] < 0.95 * spent[1]


@pytest.mark.parametrize("ruleset", OFFERED)
def test_what_is_told_is_understood(ruleset: str) -> None:
    """A position's key comes over the wire as it was."""
    rules = find_rules(ruleset)
    one = Search(rules, rules.start(), ms=1000, depth=3, team=(0, 2))
    one.run()
    told = one.news()
    assert told and len(told) <= MOST_NEWS
    assert over_the_wire(told) == told
    assert min(depth for _, depth, *_ in told) >= SHARED_DEPTH
    assert one.news() == []
    other = Search(rules, rules.start(), ms=1000, depth=3, team=(0, 2))
    other.learn(told, 0)
    assert other.news() == []  # nothing is told back
    met = [other._table.get(key) for key, *_ in told]
    assert met == [tuple(entry) for _, *entry in told]


def test_a_win_has_its_exact_length_in_a_team(clock: Clock) -> None:
    rules = find_rules("alquerque/table")
    state = rules.parse("3oo/1o3/5/5/4x o 1")
    limits: dict[str, Any] = {"rules": rules, "state": state, "ms": 1_000_000}
    value = alone(clock, depth=12, **limits).value
    assert together(clock, team_of(3, 12, **limits)).value == value == MATE - 7


def test_nonsense_misleads_but_does_not_harm(clock: Clock) -> None:
    rules = find_rules("seega/5x5")
    limits: dict[str, Any] = {"rules": rules, "state": rules.start(), "ms": 1_000_000}
    teller = Search(**limits, depth=4, team=(1, 2))
    teller.run()
    listener = Search(**limits, depth=4, team=(0, 2), lines=3)
    nonsense = [(key, depth, 1, -7, 9_999) for key, depth, *_ in teller.news()]
    listener.learn([*nonsense, (None, 99, 0, 5, 1), ((), 99, 0, 5, 1)], 0)
    clock.run(listener, 1_000_000)
    assert listener.result()["move"] in {move.text for move in rules.legal_moves(rules.start())}


def test_judgements_are_not_taken_for_exact_values() -> None:
    """Who knows fewer tables of endings has nothing to teach."""
    rules = find_rules("alquerque/table")
    one = Search(rules, rules.start(), ms=1000, team=(0, 2), tables=Tables())
    one._most = 6
    one.learn([(rules.key(rules.start()), 9, 0, 50, 0)], 5)
    assert one._table.get(rules.key(rules.start())) is None
    one.learn([(rules.key(rules.start()), 9, 0, 50, 0)], 6)
    assert one._table.get(rules.key(rules.start())) == (9, 0, 50, 0)


@pytest.mark.parametrize(
    "limits", [{"depth": 5}, {"nodes": 500}, {"level": 8}, {"level": 3, "ms": 900}]
)
def test_what_must_be_the_same_everywhere_has_no_team(limits: dict[str, int]) -> None:
    rules = find_rules("alquerque/table")
    with pytest.raises(EngineError) as refused:
        Search(rules, rules.start(), team=(0, 2), **limits)
    assert (refused.value.kind, refused.value.data["name"]) == ("params", "team")


# --- the wire -------------------------------------------------------------------------------------

TEAM = {"name": "t", "place": 0, "of": 2}
ENTRY = [[1, 2, 0], 3, 0, 40, 1]


def ask(service: Service, method: str, **params: Any) -> list[dict[str, Any]]:
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    heard = service.handle(text)
    return json.loads(heard) if heard else []


def test_services_teach_each_other() -> None:
    services = [Service(), Service()]
    question = {"ruleset": "konane/8x8", "ms": 20_000}
    for place, service in enumerate(services):
        assert ask(service, "search", **question, seed=1, team={**TEAM, "place": place}) == []
    for _ in range(200):
        for one, other in (services, services[::-1]):
            for message in json.loads(one.pump(8) or "[]"):
                if message["method"] == "learned":
                    assert set(message["params"]) == {"name", "endings", "entries"}
                    [answer] = ask(other, "teach", **message["params"])
                    assert answer["result"] == {"taught": 1}
                    return
    raise AssertionError("nothing was told")


def test_teaching_nobody() -> None:
    [answer] = ask(Service(), "teach", name="t", endings=0, entries=json.dumps([ENTRY]))
    assert answer["result"] == {"taught": 0}


def test_what_is_told_goes_through_javascript() -> None:
    """A page has no whole numbers beyond 53 bits, and the squares of a big board are more."""

    def as_javascript(text: str) -> Any:
        return json.loads(text, parse_int=lambda digits: int(float(digits)))

    rules = find_rules("konane/10x10")
    start = {"ruleset": rules.ruleset, "ms": 60_000, "seed": 1}
    one, other = Service(), Service()
    ask(one, "search", **start, team=TEAM)
    ask(other, "search", **start, team={**TEAM, "place": 1})
    news = None
    while news is None:
        for message in as_javascript(one.pump(8) or "[]"):
            news = message["params"] if message["method"] == "learned" else news
    ask(other, "teach", **news)
    pupil = other._jobs[0]
    assert isinstance(pupil, SearchJob)
    for (side, *more), depth, *_ in json.loads(news["entries"]):
        assert pupil._search._table.get((side, *more))[0] >= depth  # type: ignore[index]


@pytest.mark.parametrize(
    "entries",
    [
        "x",
        [ENTRY] * (MOST_NEWS + 1),
        [[]],
        [5],
        [[[1], 3, 0, 40]],
        [[[1], 3, 0, 40, 1, 1]],
        [[[1], 100, 0, 40, 1]],
        [[[1], 3, 3, 40, 1]],
        [[[1], 3, 0, 10**9, 1]],
        [[[1], 3, 0, 4.5, 1]],
        [[[1], 3, True, 4, 1]],
        [[[1, "x"], 3, 0, 40, 1]],
        [[[1, None], 3, 0, 40, 1]],
        [[{}, 3, 0, 40, 1]],
    ],
)
def test_bad_entries_are_refused(entries: Any) -> None:
    for told in (entries, json.dumps(entries)):
        [answer] = ask(Service(), "teach", name="t", endings=0, entries=told)
        assert answer["error"]["code"] == -32602
        assert answer["error"]["data"] == {"kind": "params", "name": "entries"}


@pytest.mark.parametrize(
    "team",
    [
        "t",
        {"name": "t", "place": 0},
        {**TEAM, "more": 1},
        {**TEAM, "place": 2},
        {**TEAM, "place": -1},
        {**TEAM, "of": 1},
        {**TEAM, "of": 9},
        {**TEAM, "of": True},
        {**TEAM, "name": 7},
    ],
)
def test_bad_teams_are_refused(team: Any) -> None:
    [answer] = ask(Service(), "search", ruleset="konane/6x6", ms=900, team=team)
    assert answer["error"]["code"] == -32602
    assert answer["error"]["data"]["kind"] == "params"
