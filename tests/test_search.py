"""The search against plain minimax, on wins it must find, and on its limits."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pyengine import EngineError, Position, find_rules, rulesets
from pyengine.ai import LEVELS, Level, Search
from pyengine.ai.evaluation import Evaluation, material
from pyengine.ai.levels import LADDERS, find_level
from pyengine.ai.search import CHECK_EVERY, EXCHANGE_NODES, MATE, TECHNIQUES, chance, mate_plies
from pyengine.ai.tables import Tables, Value
from pyengine.ai.transpositions import Transpositions
from pyengine.board import set_of
from pyengine.rules import Rules, State
from tests.rulesets import OFFERED, positions, random_states

#: Everything that is not exact at a fixed depth.
EXACT = ("exchanges", "reductions")
PIECES = Evaluation(material, forced=False)
#: How many leaves a plain minimax of a test may cost.
MOST_LEAVES = 1_500


def minimax(rules: Rules, state: State, depth: int, ply: int, path: frozenset[Any]) -> int:
    """The value that the search must find, without any of its techniques."""
    if depth == 0:
        if state[3] >= rules.clock_end or rules.decided(state):
            return rules.result(state) * (MATE - ply)
        return material(state)
    key = rules.key(state)
    if key in path and ply:
        return 0
    path = path | {key} if rules.repetition else path
    children = rules.successors(state)
    if not children:
        return rules.result(state) * (MATE - ply)
    return max(
        minimax(rules, child, depth - 1, ply + 1, path) * (1 if child[2] == state[2] else -1)
        for child in children
    )


def deepest_affordable(rules: Rules, state: State, most: int) -> int:
    """The depth, at most `most`, whose plain minimax stays cheap."""
    layer, depth, cost = [state], 0, 0
    while depth < most:
        layer = [child for parent in layer for child in rules.successors(parent)]
        cost += len(layer)
        if cost > MOST_LEAVES:
            break
        depth += 1
    return depth


def finish(search: Search) -> dict[str, Any]:
    assert search.run()
    return search.result()


@given(positions(), st.integers(0, 2))
@settings(max_examples=150, deadline=None)
def test_equals_plain_minimax(position: tuple[Rules, State], less: int) -> None:
    rules, state = position
    assume(rules.successors(state))
    depth = deepest_affordable(rules, state, 4) - less
    assume(depth > 0)
    expected = minimax(rules, state, depth, 0, frozenset())
    assume(abs(expected) < MATE - 1000)  # forced ends stop the search early: the next test
    result = finish(Search(rules, state, depth=depth, evaluation=PIECES, without=EXACT))
    assert result["score"] == expected
    assert result["depth"] == depth
    after = rules.successors(state)[result["index"]]
    best = minimax(rules, after, depth - 1, 1, frozenset({rules.key(state)}))
    assert best * (1 if after[2] == state[2] else -1) == expected


#: Random games on 9×9 Seega end by the limit, far from any forced end.
ENDING = [ruleset for ruleset in OFFERED if ruleset != "seega/9x9"]


@pytest.mark.parametrize("ruleset", ENDING)
def test_forced_ends_have_their_exact_length(ruleset: str) -> None:
    """Late positions of random games, searched with everything on: the shortest win, the longest loss."""
    rules = find_rules(ruleset)
    found = 0
    for seed in range(12):
        for state in random_states(rules, seed, 400)[-2:-8:-1]:
            depth = deepest_affordable(rules, state, 5)
            if depth < 1 or found >= 6:
                continue
            expected = minimax(rules, state, depth, 0, frozenset())
            if mate_plies(expected) is None:
                continue
            found += 1
            result = finish(Search(rules, state, depth=depth))
            assert result["mate"] == mate_plies(expected)
            assert result["chance"] == (1.0 if expected > 0 else 0.0)
    assert found >= 3


@given(positions(), st.sampled_from(TECHNIQUES))
@settings(max_examples=60, deadline=None)
def test_each_technique_alone_keeps_the_value(
    position: tuple[Rules, State], technique: str
) -> None:
    """Leaving out an exact technique changes the cost of a search, never its value."""
    rules, state = position
    assume(rules.successors(state))
    depth = deepest_affordable(rules, state, 3)
    assume(depth > 0)
    whole = finish(Search(rules, state, depth=depth, evaluation=PIECES, without=EXACT))
    less = finish(Search(rules, state, depth=depth, evaluation=PIECES, without=(*EXACT, technique)))
    assert whole["score"] == less["score"]


@given(positions(), st.integers(1, 8), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_same_seed_same_answer_whatever_the_slices(
    position: tuple[Rules, State], level: int, seed: int
) -> None:
    rules, state = position
    assume(rules.successors(state))
    whole = Search(rules, state, level=level, nodes=400, seed=seed)
    sliced = Search(rules, state, level=level, nodes=400, seed=seed)
    assert whole.run()
    while not sliced.run(0):
        pass
    first, second = whole.result(), sliced.result()
    assert first | {"ms": 0} == second | {"ms": 0}


@pytest.mark.parametrize("ruleset", OFFERED)
def test_slices_are_short(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine: between two looks at the clock moves are generated a few dozen times at most."""
    rules = find_rules(ruleset)
    calls: list[int] = []
    for name in ("successors", "captures"):
        monkeypatch.setattr(rules, name, _counted(getattr(rules, name), calls))
    for state in random_states(rules, 3, 60)[::10]:
        if not rules.successors(state):
            continue
        search = Search(rules, state, nodes=600)
        finished = False
        while not finished:
            calls.clear()
            finished = search.run(0)
            assert len(calls) <= EXCHANGE_NODES + 2 * CHECK_EVERY


def _counted(
    generate: Callable[[State], list[State]], calls: list[int]
) -> Callable[[State], list[State]]:
    def counted(state: State) -> list[State]:
        calls.append(1)
        return generate(state)

    return counted


@pytest.mark.parametrize("ruleset", OFFERED)
def test_lines_are_different_and_in_order(ruleset: str) -> None:
    rules = find_rules(ruleset)
    states = [s for s in random_states(rules, 7, 30) if len(rules.successors(s)) > 3]
    result = finish(Search(rules, states[-1], depth=2, lines=3))
    moves = [line["move"] for line in result["lines"]]
    scores = [line["score"] for line in result["lines"]]
    assert len(set(moves)) == 3
    assert scores == sorted(scores, reverse=True)
    assert result["move"] == moves[0]
    single = finish(Search(rules, states[-1], depth=2))
    assert single["score"] == scores[0]


@given(positions())
@settings(max_examples=60, deadline=None)
def test_the_line_is_playable(position: tuple[Rules, State]) -> None:
    rules, state = position
    assume(rules.successors(state))
    search = Search(rules, state, nodes=300)
    result = finish(search)
    now = Position(rules, state)
    for text in result["pv"]:
        now = now.play(text)
    assert rules.legal_moves(state)[result["index"]].text == result["pv"][0] == result["move"]
    assert 0 <= result["chance"] <= 1
    assert search.progress()["pv"] == result["pv"]


def test_repetition_saves_the_losing_side() -> None:
    """A man chased for ever is lost on the board alone, and a draw where the position stood before."""
    start = Position.parse("alquerque/table", "o4/5/5/5/x3x x 0")
    rules, state = start.rules, start.state
    children = rules.successors(state)
    value = finish(Search(rules, state, depth=6))["score"]
    history = [rules.key(child) for child in children]
    assert finish(Search(rules, state, history, depth=6))["score"] == 0 != value
    # Who judges and does not play counts the third time only.
    assert finish(Search(rules, state, history, depth=6, wary=False))["score"] == value
    assert finish(Search(rules, state, history * 2, depth=6, wary=False))["score"] == 0


def test_the_limit_is_seen() -> None:
    ahead = Position.parse("alquerque/table", "o4/5/5/5/x1x1x x 78")
    assert finish(Search(ahead.rules, ahead.state, depth=4))["score"] == 0
    counted = Position.parse("alquerque/classic", "o4/5/5/5/x1x1x x 98")
    assert finish(Search(counted.rules, counted.state, depth=4))["mate"] == 2


def test_stop_answers_with_the_best_so_far() -> None:
    position = Position.start("alquerque/table")
    search = Search(position.rules, position.state)
    assert search.result()["move"] == "b2-c3"
    while search.depth < 4:
        assert not search.run(1)
    search.stop()
    nodes = search.nodes
    assert search.run(1000)
    assert search.nodes == nodes
    assert search.result()["depth"] >= 4


def test_time_is_kept() -> None:
    position = Position.start("alquerque/classic")
    search = Search(position.rules, position.state, ms=50)
    assert search.run()
    assert search.result()["ms"] < 500


def test_nodes_are_kept() -> None:
    position = Position.start("alquerque/classic")
    search = Search(position.rules, position.state, nodes=500)
    assert search.run()
    assert 500 <= search.nodes < 560


@pytest.mark.parametrize("level", [0, 10, -1])
def test_unknown_levels_are_refused(level: int) -> None:
    position = Position.start("alquerque/table")
    with pytest.raises(EngineError, match="levels go from 1 to 9"):
        Search(position.rules, position.state, level=level)


def test_a_game_that_is_over_is_refused() -> None:
    position = Position.parse("alquerque/table", "5/5/5/5/x4 o 0")
    with pytest.raises(EngineError, match="over"):
        Search(position.rules, position.state)


@pytest.mark.parametrize("ladder", [LEVELS, *LADDERS.values()])
def test_levels_are_a_ladder(ladder: dict[int, Level]) -> None:
    assert list(ladder) == list(range(1, 10))
    counted = [ladder[level] for level in range(1, 9)]
    # Each step is in what is looked at, then in how far, then in how surely.
    sight = [(c.nodes, c.depth, c.exchanges, -c.lapses, -c.blur) for c in counted]
    assert all(lower < higher for lower, higher in pairwise(sight))
    assert all(level.ms is None for level in counted)
    assert ladder[9].ms
    # A phone looks at more positions than that in Master's second, so that 9 is above 8 everywhere.
    assert counted[-1].nodes
    assert counted[-1].nodes <= 8_000
    # From 6 on nothing is overlooked by chance.
    assert not any(level.lapses for level in counted[5:])
    assert ladder[1].exchanges == 0


def test_ladders_are_found_by_preset_then_by_game() -> None:
    assert find_level("alquerque/table", 3) == LADDERS["alquerque/table"][3]
    assert find_level("alquerque/bell", 3) == LADDERS["alquerque"][3]
    assert find_level("hexapawn/plain", 3) == LEVELS[3]
    games = {ruleset.partition("/")[0] for ruleset, _ in rulesets()}
    assert {name.partition("/")[0] for name in LADDERS} <= games


def test_a_hasty_turn_looks_less_far(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = find_rules("alquerque/table")
    state = rules.start()
    ladder = {9: Level(400, depth=3, blur=0, exchanges=12, lapses=50)}
    monkeypatch.setitem(LADDERS, "alquerque/table", ladder)
    depths = []
    for seed in range(20):
        search = Search(rules, state, level=9, seed=seed)
        search.run()
        depths.append(search.depth)
    assert set(depths) == {2, 3}
    assert 5 <= depths.count(2) <= 15


def test_the_table_is_bounded_and_keeps_what_is_used() -> None:
    table = Transpositions(capacity=10)
    for number in range(1000):
        table.put(number, (1, 0, number, 0))
        assert table.get(0) == (1, 0, 0, 0)
    known = [number for number in range(1000) if table.get(number)]
    assert len(known) <= 20
    assert 999 in known


def test_chances() -> None:
    assert chance(0, 100) == 0.5
    assert chance(MATE - 3, 100) == 1
    assert chance(3 - MATE, 100) == 0
    assert chance(100, 100) + chance(-100, 100) == pytest.approx(1)


def endings(ruleset: str) -> Tables:
    """The shipped tables of endings of a ruleset."""
    tables = Tables()
    for file in (Path(__file__).parent.parent / "web" / "tables").glob(
        f"{ruleset.replace('/', '-')}.*.bin"
    ):
        if not file.name.endswith(".proof.bin"):
            tables.add(file.read_bytes())
    return tables


@pytest.mark.parametrize("wary", [True, False])
def test_a_third_repetition_comes_before_a_limit_that_counts(wary: bool) -> None:
    """Every move ends the game, won by the count: but for the one that leads where the game has stood twice."""
    rules = find_rules("alquerque/classic")
    state = rules.parse("4o/2x1x/5/5/5 x 99")
    third, second, *others = rules.successors(state)
    history = [rules.key(third), rules.key(third), rules.key(second)]
    search = Search(rules, state, history, depth=3, lines=len(others) + 2, wary=wary)
    mates = {line["move"]: line["mate"] for line in finish(search)["lines"]}
    texts = [move.text for move in rules.legal_moves(state)]
    assert [mates[text] for text in texts] == [None, 1, *[1] * len(others)]
    best = Search(rules, state, history, level=1)
    assert finish(best)["mate"] == 1


def test_a_win_of_the_tables_that_the_limit_forestalls_is_a_draw() -> None:
    """Five plies to the next capture: with four left it comes too late, with five just in time."""
    tables = endings("alquerque/table")
    for clock, score, told in ((76, 0, Value(0, None)), (75, 49_995, Value(1, 4))):
        late = Position.parse("alquerque/table", f"5/4x/3o1/1x3/o4 x {clock}")
        found = finish(Search(late.rules, late.state, nodes=100, tables=tables))
        line = found["lines"][0]
        assert (found["score"], line["table"]) == (score, {**told._asdict()})
        lost = late.rules.successors(late.state)[found["index"]]
        reply = finish(Search(late.rules, lost, nodes=100, tables=tables))
        assert (reply["score"] == 0) == (score == 0)


def test_where_the_limit_counts_pieces_a_draw_of_the_tables_is_none() -> None:
    rules = find_rules("alquerque/classic")
    state = rules.parse("o4/x1x2/2x2/5/4o x 98")
    tables = endings("alquerque/classic")
    assert tables.probe(rules, state) == Value(0, None)
    found = finish(Search(rules, state, depth=4, tables=tables))
    assert found["mate"] == 2
    assert found["lines"][0]["table"] is None


def test_a_win_of_the_tables_keeps_clear_of_the_third_repetition() -> None:
    """The quickest way on has stood twice, or lets the other side go where the game has stood twice."""
    rules = find_rules("alquerque/table")
    tables = endings("alquerque/table")
    state = rules.parse("5/x1o2/5/3x1/5 x 4")

    def distance(history: list[State]) -> int | None:
        keys = [rules.key(stood) for stood in history]
        search = Search(rules, state, keys, nodes=100, tables=tables)
        line = finish(search)["lines"][0]
        assert line["table"]["wdl"] == 1
        return int(line["table"]["distance"])

    search = Search(rules, state, nodes=100, tables=tables)
    search.run()
    quickest = rules.successors(state)[search.best]
    reply = rules.successors(quickest)[0]
    assert distance([quickest, reply]) == 9  # a second time does no harm
    assert distance([quickest] * 2) == 17
    assert distance([reply] * 2) == 17
    # What is told of each line is what it is worth.
    moves = rules.successors(state)
    every = Search(rules, state, [rules.key(reply)] * 2, nodes=100, lines=len(moves), tables=tables)
    told = {line["move"]: line for line in finish(every)["lines"]}
    for move, after in zip(rules.legal_moves(state), moves, strict=True):
        line = told[move.text]
        assert line["table"]["wdl"] == (line["score"] > 0) - (line["score"] < 0)
        assert after != quickest or line["score"] == 0
    # And whoever has lost takes the draw.
    saved = Search(rules, quickest, [rules.key(reply)] * 2, nodes=100, tables=tables)
    assert finish(saved)["score"] == 0
    assert rules.successors(quickest)[saved.best] == reply


@pytest.mark.parametrize("ruleset", ["alquerque/table", "alquerque/bell"])
def test_won_endings_are_won_within_the_limit(ruleset: str) -> None:
    """A thousand won positions of the tables, against the longest resistance and with the draw rules of the game."""
    rules = find_rules(ruleset)
    tables = endings(ruleset)
    chance = random.Random(5)
    won = 0
    while won < 1000:
        stones = chance.sample(range(25), chance.randint(2, 6))
        own = chance.randint(1, len(stones) - 1)
        state: State = (set_of(stones[:own]), set_of(stones[own:]), 0, 0)
        value = tables.probe(rules, state)
        if value is None or value.wdl < 1 or not rules.successors(state):
            continue
        won += 1
        winner, seen = state[2], [rules.key(state)]
        while rules.successors(state):
            search = Search(rules, state, seen[:-1], nodes=50, tables=tables)
            assert search.run()
            if state[2] == winner:
                assert search.value > 40_000
            state = rules.successors(state)[search.best]
            assert seen.count(rules.key(state)) < 2
            seen.append(rules.key(state))
        assert rules.result(state) * (1 if state[2] == winner else -1) == 1


def test_tables_are_seen_from_afar() -> None:
    """One exchange before the tables begin, the search already knows what they say."""
    rules = find_rules("alquerque/table")
    tables = endings("alquerque/table")
    state = rules.parse("o3o/5/x1o2/2x2/x3x x 0")
    blind = finish(Search(rules, state, depth=3))
    knowing = finish(Search(rules, state, depth=3, tables=tables))
    assert abs(blind["score"]) < 40_000
    assert abs(knowing["score"]) > 40_000 or knowing["score"] == 0
    assert knowing["chance"] in (0.0, 0.5, 1.0)
