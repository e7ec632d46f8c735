"""The books of openings: what is shipped, how it is read and chosen from, how it is grown."""

from __future__ import annotations

import json
import random
import zlib
from functools import cache
from pathlib import Path

import pytest

from pyengine import EngineError, find_rules
from pyengine.ai import book as books
from pyengine.ai.book import Book, Entry, normal, shipped, views
from pyengine.ai.search import FORCED, Search
from pyengine.ai.shipped import file_name
from pyengine.rules import State
from tests.hexapawn import GAME
from tools import books as command

FOLDER = Path(books.__file__).parent / "data" / "books"
NAMED = command.named()


@cache
def book_of(ruleset: str) -> Book:
    found = shipped(find_rules(ruleset))
    assert found
    return found


def some_entries(book: Book, most: int = 8) -> list[str]:
    return random.Random(1).sample(sorted(book.entries), min(most, len(book.entries)))


def chosen(book: Book, state: State, **limits: int) -> dict[int, bool]:
    """The moves that twenty seeds choose, and whether each says that it is from the book."""
    found = {}
    for seed in range(20):
        search = Search(book.rules, state, seed=seed, **limits)
        search.run()
        result = search.result()
        found[result["index"]] = result["book"]
    return found


# --- what is shipped --------------------------------------------------------------------------------------------------


def test_every_named_ruleset_has_a_book_and_all_are_small() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(
        file_name(ruleset, "json") for ruleset in NAMED
    )
    packed = [len(zlib.compress(path.read_bytes(), 9)) for path in FOLDER.iterdir()]
    assert max(packed) <= 6_000
    assert sum(packed) <= 60_000


@pytest.mark.parametrize("ruleset", NAMED)
def test_every_move_of_a_book_is_legal(ruleset: str) -> None:
    book = book_of(ruleset)
    rules = book.rules
    assert rules.ruleset == ruleset
    assert book.find(rules.start())
    for text, entry in book.entries.items():
        state = rules.parse(text)
        legal = [move.text for move in rules.legal_moves(state)]
        assert set(entry.moves) <= set(legal)
        assert len(legal) > 1
        assert normal(rules, views(rules, book.kept), state)[0] == text


@pytest.mark.parametrize("ruleset", NAMED)
def test_mirrored_positions_get_mirrored_moves(ruleset: str) -> None:
    book = book_of(ruleset)
    rules = book.rules
    for text in some_entries(book):
        state = rules.parse(text)
        here = book.find(state)
        assert here
        after = rules.successors(state)
        for view in views(rules, book.kept):
            seen = view.to(state)
            there = book.find(seen)
            assert there
            assert there.value == here.value
            children = rules.successors(seen)
            assert {rules.key(children[move]) for move in there.moves} == {
                rules.key(view.to(after[move])) for move in here.moves
            }


def test_rulesets_with_the_same_moves_share_a_book() -> None:
    assert book_of("alquerque/table;limit=60").rules.ruleset == "alquerque/table"
    assert shipped(find_rules("alquerque/table;noreturn=yes")) is None


# --- choosing ---------------------------------------------------------------------------------------------------------


def test_seeds_choose_among_equals_and_only_among_them() -> None:
    for ruleset in ("konane/8x8", "surakarta/6x6", "alquerque/table"):
        book = book_of(ruleset)
        text = max(some_entries(book), key=lambda text: len(book.entries[text].moves))
        state = book.rules.parse(text)
        advice = book.find(state)
        assert advice
        assert len(advice.moves) > 1
        found = chosen(book, state, level=9)
        assert len(found) > 1
        assert set(found) <= set(advice.moves)
        assert set(found.values()) == {True}
        again = Search(book.rules, state, level=9, seed=5)
        again.run()
        same = Search(book.rules, state, level=9, seed=5)
        same.run()
        assert again.best == same.best


def test_only_the_top_level_asked_for_nothing_else_plays_by_the_book() -> None:
    rules = find_rules("konane/6x6")
    start = rules.start()
    for limits, by_book in (
        ({"level": 9}, True),
        ({"level": 8}, False),
        ({"level": 9, "depth": 3}, False),
        ({"level": 9, "depth": 2, "lines": 3}, False),
        ({"nodes": 300}, False),
        ({"nodes": 300, "book": True}, True),
    ):
        search = Search(rules, start, **limits)  # type: ignore[arg-type]
        search.run()
        assert (search.nodes == 0) is by_book, limits
    # A move found by thinking says so too when the book has it.
    search = Search(rules, start, depth=2, lines=4)
    search.run()
    lines = search.result()["lines"]
    advice = book_of("konane/6x6").find(start)
    assert advice
    texts = [rules.legal_moves(start)[move].text for move in advice.moves]
    assert [line["book"] for line in lines] == [line["move"] in texts for line in lines]


def test_the_book_does_not_go_back_to_a_position_of_the_game() -> None:
    rules = find_rules("surakarta/6x6")
    start = rules.start()
    advice = book_of("surakarta/6x6").find(start)
    assert advice
    children = rules.successors(start)
    before, *_ = advice.moves
    for seed in range(10):
        search = Search(rules, start, [rules.key(children[before])], level=9, seed=seed)
        search.run()
        assert search.best != before


def test_a_game_without_a_book_is_played_as_before() -> None:
    rules = GAME.make("3x3", {})
    assert shipped(rules) is None
    search = Search(rules, rules.start(), level=8)
    search.run()
    assert search.nodes > 0
    assert search.result()["book"] is False


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_written_book_is_read_back_and_a_damaged_one_refused() -> None:
    rules = find_rules("alquerque/table")
    text = rules.format(rules.start())
    book = Book(rules, (0, 2), {text: Entry(12, ("c2-c3", "b2-c3"))}, {"seed": 1})
    data = book.write()
    again = Book.read(data)
    assert again.entries == book.entries
    assert again.kept == book.kept
    assert again.write() == data
    found = json.loads(data)
    for change in (
        {"ruleset": "chess/standard"},
        {"symmetries": [2]},
        {"symmetries": [0, 8]},
        {"symmetries": [0, "2"]},
        {"positions": {text: [12, "c2-c3"]}},
        {"positions": [text]},
        {"story": 3},
        {"check": None},
    ):
        with pytest.raises(EngineError):
            Book.read(json.dumps(found | change).encode())
    for bad in (b"", b"[]", b"{}", data[:-20], b"\xff" + data):
        with pytest.raises(EngineError):
            Book.read(bad)
    for entry in ([12], ["12", "c2-c3"], [True, "c2-c3"], [200_000, "c2-c3"], [12, 3], 5):
        positions = {text: entry}
        check = zlib.crc32(json.dumps(positions, separators=(",", ":")).encode())
        with pytest.raises(EngineError):
            Book.read(json.dumps(found | {"positions": positions, "check": check}).encode())


# --- growing ----------------------------------------------------------------------------------------------------------


def test_moves_near_the_best_get_their_values() -> None:
    rules = find_rules("fanorona/telo")
    start = rules.start()
    found = command.values_near_best(rules, start, [0, 1, 2, 3], 20_000)
    texts = [rules.legal_moves(start)[move].text for move in found]
    assert texts == ["c1b2+", "c2b2+"]  # published: the first player wins in 11 plies
    assert all(value > FORCED for value in found.values())


def test_a_stopped_book_goes_on_and_comes_out_the_same(tmp_path: Path) -> None:
    def grown(folder: str, entries: int) -> bytes:
        grower = command.Grower("konane/6x6", 100, 3, tmp_path / folder)
        grower.grow(entries)
        assert len(grower.looked) == entries
        return grower.book().write()

    grown("stopped", 3)
    assert grown("stopped", 6) == grown("whole", 6)
