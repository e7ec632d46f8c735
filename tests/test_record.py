"""A game's history: repetition, offers and answers, and ends in their order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyengine import EngineError, find_rules
from pyengine.record import MAX_ENTRIES, Game, read_event, shared_prefix
from pyengine.rules import Outcome
from tests.rulesets import any_ruleset

TWO_MEN = "x4/5/5/5/4o x"
ROUND = ["a5-a4", "e1-e2", "a4-a5", "e2-e1"]


def game_from(ruleset: str, position: str | None = None, moves: str = "") -> Game:
    rules = find_rules(ruleset)
    game = Game(rules, None if position is None else rules.parse(position))
    game.extend(moves.split())
    return game


def random_game(ruleset: str, seed: int, plies: int) -> Game:
    """A game of random moves, with an offer now and then."""
    chance = random.Random(seed)
    game = Game(find_rules(ruleset))
    for _ in range(plies):
        if game.outcome is not None:
            break
        offers = [event for event in game.events if not event.startswith(("resign", "accept"))]
        if offers and chance.random() < 0.05:
            game.play(chance.choice(offers))
        else:
            game.play(chance.choice(game.legal_moves).text)
    return game


def test_third_standing_is_a_draw() -> None:
    game = game_from("alquerque/table", TWO_MEN + " 0")
    assert game.repeated == 1
    game.extend(ROUND)
    assert game.repeated == 2
    assert game.outcome is None
    game.extend(ROUND)
    assert game.repeated == 3
    assert game.outcome == Outcome(None, "repetition")
    assert game.legal_moves == []
    assert game.events == []
    with pytest.raises(EngineError) as fault:
        game.play("a5-a4")
    assert fault.value.kind == "move.illegal"
    assert fault.value.data["refusal"] == {"kind": "over", "points": []}
    assert fault.value.data["ply"] == 9


def test_repetition_needs_the_same_side() -> None:
    # A triangle for x, there and back for o: the same stones stand again after 3 plies of x with o to act.
    game = game_from("alquerque/table", "5/5/5/x4/4o x 0", "a2-a1 e1-e2 a1-b1 e2-e1 b1-b2 e1-d1")
    assert game.repeated == 1


def test_repetition_comes_before_the_limit_and_after_the_pieces() -> None:
    both = game_from("alquerque/table", TWO_MEN + " 72", " ".join(ROUND * 2))
    assert both.state[3] == both.rules.limit
    assert both.outcome == Outcome(None, "repetition")
    limit = game_from("alquerque/table", TWO_MEN + " 76", " ".join(ROUND))
    assert limit.outcome == Outcome(None, "limit")
    counted = game_from("alquerque/classic", "x3x/5/5/5/4o x 96", " ".join(ROUND))
    assert counted.outcome == Outcome("x", "limit")
    taken = game_from("alquerque/table", "5/5/5/1o3/x4 x 79", "a1xc3")
    assert taken.outcome == Outcome("x", "eliminated")


def test_resignation() -> None:
    game = game_from("surakarta/6x6", None, "a2-a3 resign:x")
    assert game.outcome == Outcome("o", "resignation")
    assert game.texts == ["a2-a3", "resign:x"]
    with pytest.raises(EngineError, match="it is over"):
        game.play("resign:o")


def test_offers_stand_until_answered_or_the_receiver_moves() -> None:
    game = game_from("fanorona/tsivy", None, "offer-draw:x")
    assert game.offer is not None
    assert (game.offer.kind, game.offer.by) == ("draw", 0)
    assert "accept:o" in game.events
    assert "accept:x" not in game.events
    assert not any(event.startswith("offer") for event in game.events)
    game.play(game.legal_moves[0].text)  # the one who offered moves: it still stands
    assert game.offer is not None
    game.play(game.legal_moves[0].text)
    assert game.offer is None
    game.extend(["offer-draw:o", "decline:x"])
    assert game.offer is None
    assert game.outcome is None
    game.extend(["offer-draw:o", "accept:x"])
    assert game.outcome == Outcome(None, "agreement")


def test_count_is_for_the_side_with_more_pieces() -> None:
    game = game_from("alquerque/classic", "x3x/5/5/5/4o o 3", "offer-count:o accept:x")
    assert game.outcome == Outcome("x", "count")
    even = game_from("alquerque/doce-long", "5/x4/5/4o/5 x 0", "offer-count:x accept:o")
    assert even.outcome == Outcome(None, "count")
    with pytest.raises(EngineError) as fault:
        game_from("alquerque/table", None, "offer-count:x")
    assert fault.value.kind == "move.event"
    assert "offer-draw:x" in fault.value.data["candidates"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "events", ["accept:o", "decline:x", "offer-draw:x accept:x", "offer-draw:x offer-draw:o"]
)
def test_events_out_of_place(events: str) -> None:
    with pytest.raises(EngineError) as fault:
        game_from("alquerque/table", None, events)
    assert fault.value.kind == "move.event"


def test_events_are_read_kindly() -> None:
    assert read_event(" Resign: X ") == "resign:x"
    for text in ("resign", "resign:z", "accept:xx", "c2-c3", "huff:c3", ""):
        assert read_event(text) is None


def test_a_fault_leaves_the_game_as_it_was() -> None:
    game = game_from("alquerque/table", None, "c2-c3")
    with pytest.raises(EngineError) as fault:
        game.extend(["c4xc2", "a1-a2", "d2xb2"])
    assert game.texts == ["c2-c3", "c4xc2"]
    assert fault.value.data["ply"] == 3


def test_a_game_cannot_grow_for_ever() -> None:
    game = game_from("alquerque/table")
    for _ in range(MAX_ENTRIES // 2):
        game.extend(["offer-draw:x", "decline:o"])
    with pytest.raises(EngineError) as fault:
        game.play("c2-c3")
    assert fault.value.kind == "too-long"


@given(any_ruleset, st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 60))
def test_an_earlier_stage_is_the_game_played_so_far(
    ruleset: str, seed: int, plies: int, count: int
) -> None:
    game = random_game(ruleset, seed, plies)
    stage = game.upto(count)
    again = Game(game.rules, game.start)
    again.extend(game.texts[:count])
    for one in (stage, again):
        assert one.texts == game.texts[:count]
        assert one.keys == again.keys
        assert one.offer == again.offer
        assert one.repeated == again.repeated
        assert one.outcome == again.outcome
        assert one.legal_moves == again.legal_moves
    assert shared_prefix(game, stage.texts) == len(stage.entries)


@given(any_ruleset, st.integers(0, 2**32))
def test_over_exactly_when_nothing_can_happen(ruleset: str, seed: int) -> None:
    game = random_game(ruleset, seed, 150)
    over = game.outcome is not None
    assert over == (not game.legal_moves) == (not game.events)
