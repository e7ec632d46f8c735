"""Records as text: what is written reads back the same; what others write is understood; faults have a place."""

from __future__ import annotations

import random
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyengine import EngineError, find_rules
from pyengine.notation import Line, ReadGame, Record, read_records, read_text, write_record
from pyengine.notation.model import (
    DERIVED_TAGS,
    MAX_COMMENT,
    MAX_MARKS,
    MAX_MOVES,
    TAG_NAME,
    tidy_comment,
    tidy_tags,
)
from pyengine.notation.reader import as_stream, read_in_steps
from pyengine.record import Game
from pyengine.rules import Move, State
from tests.rulesets import any_ruleset, positions
from tests.test_record import random_game


def read_one(text: str, ruleset: str | None = None) -> ReadGame:
    [game] = read_text(text, ruleset)
    return game


def moves_of(text: str, ruleset: str) -> list[str]:
    game = read_one(text, ruleset)
    assert game.faults == []
    return game.record.line.moves


# --- round trip -----------------------------------------------------------------------------------

comments = st.text(max_size=60).map(tidy_comment)
tag_names = st.from_regex(TAG_NAME, fullmatch=True).filter(lambda name: name not in DERIVED_TAGS)
tags = st.dictionaries(tag_names, st.text(max_size=40), max_size=4).map(tidy_tags)


def annotated(draw: st.DrawFn, game: Game, first: int = 0, nesting: int = 0) -> Line:
    """The line of a game from some entry on, with things said about it and, up to a depth, other lines."""
    line = Line(game.texts[first:])
    last = len(line.moves)
    said = draw(st.dictionaries(st.integers(0, last), comments, max_size=3))
    line.comments = {place: text for place, text in sorted(said.items()) if text}
    if not last:
        return line
    places = st.integers(1, last)
    marks = st.lists(st.integers(0, 255), min_size=1, max_size=3).map(tuple)
    line.marks = dict(sorted(draw(st.dictionaries(places, marks, max_size=3)).items()))
    for place in sorted(draw(st.sets(places, max_size=2))) if nesting < 2 else ():
        before = first + place - 1
        other = random_moves(game.upto(before), draw(st.integers(0, 2**32)), 6)
        if len(other.entries) > before:
            line.variations[place] = [annotated(draw, other, before, nesting + 1)]
    return line


def random_moves(game: Game, seed: int, most: int) -> Game:
    """The same game, grown by some random moves."""
    chance = random.Random(seed)
    for _ in range(chance.randint(0, most)):
        if game.legal_moves:
            game.play(chance.choice(game.legal_moves).text)
    return game


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A game of random play, set-up or not, with comments, marks, variations, tags and a claimed result."""
    if draw(st.booleans()):
        rules, start = draw(positions())
        game = Game(rules, start)
    else:
        seed, plies = draw(st.integers(0, 2**32)), draw(st.integers(0, 40))
        game = random_game(draw(any_ruleset), seed, plies)
    rules = game.rules
    random_moves(game, draw(st.integers(0, 2**32)), 12)
    record = Record(rules.ruleset, None, annotated(draw, game), draw(tags))
    if game.start != rules.start():
        record.position = rules.format(game.start)
    if game.outcome is not None:
        record.result, record.reason = game.outcome.winner or "draw", game.outcome.reason
    elif draw(st.booleans()):
        record.result = draw(st.sampled_from(["x", "o", "draw"]))
        record.reason = draw(st.sampled_from([None, "resignation", "agreement"]))
    return record


@given(st.lists(records(), min_size=1, max_size=3))
def test_what_is_written_reads_back_the_same(written: list[Record]) -> None:
    text = "\n".join(map(write_record, written))
    games = list(read_text(text))
    assert [fault for game in games for fault in game.faults] == []
    assert [game.record for game in games] == written
    assert "\n".join(write_record(game.record) for game in games) == text


@given(records())
def test_data_reads_back_the_same(record: Record) -> None:
    data = record.as_data()
    assert Line.from_data({name: data[name] for name in Line().as_data()}) == record.line


def test_canonical_text() -> None:
    line = Line(
        ["c2-c3", "c4xc2", "c1xc3", "b4-c4"],
        {0: "A quiet start.", 2: "forced"},
        {3: (1,)},
        {4: [Line(["a3xc1"], {1: "better"})]},
    )
    tags = {"O": "Ann", "Date": "2026.01.31", "X": 'Jean "le sûr"', "Event": "Club\nnight"}
    record = Record("alquerque/classic", None, line, tags, "x", "resignation")
    assert write_record(record) == (
        """\
[Game "alquerque"]
[Ruleset "alquerque/classic"]
[Date "2026.01.31"]
[X "Jean \\"le sûr\\""]
[O "Ann"]
[Result "1-0"]
[Reason "resignation"]
[Event "Club night"]

{A quiet start.} 1. c2-c3 c4xc2 {forced} 2. c1xc3 $1 b4-c4 (2... a3xc1 {better})
1-0
"""
    )


def test_numbers_count_turns_not_plies() -> None:
    game = Game(find_rules("seega/5x5"))
    game.extend(["a1", "b1", "a5", "b5", "c1", "d1"])
    text = write_record(Record("seega/5x5", None, Line(game.texts)))
    assert text.endswith("\n1. a1 b1 a5 b5 2. c1 d1 *\n")
    after = write_record(Record("alquerque/table", "5/5/1o3/o1o2/xo3 o 0", Line(["c2-c1"])))
    assert after.endswith("\n1... c2-c1 *\n")


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (Record("alquerque/none"), "ruleset.unknown"),
        (Record("alquerque/table", "5/5 x 0"), "position.rows"),
        (Record("alquerque/table", None, Line(["a1-a2"])), "move.illegal"),
        (Record("alquerque/table", None, Line(), {"no good": ""}), "record.tag"),
        (Record("alquerque/table", None, Line(), {}, "white"), "record.result"),
    ],
)
def test_what_cannot_stand_is_not_written(record: Record, kind: str) -> None:
    with pytest.raises(EngineError) as fault:
        write_record(record)
    assert fault.value.kind == kind


# --- kind reading ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "1. c2-c3 c4xc2 2. c1xc3",
        "1.c2-c3 c4*c2 2.c1:c3 *",
        "C2C3 c4c2 C1XC3",
        "c2 - c3  c4 x c2\tc1 : c3",
        "c2- c3 c4 xc2 c1* c3",
        "1. c2 c3 1... c4 c2 2. c1 * c3 *",
        "1) c2-c3".replace(")", ".") + "\r\n\r\nc4xc2!?\r\n  2. c1xc3 $14 ; good",
        "\ufeff% other programs' line\n1 c2–c3 c4×c2 2 c1xc3 1/2-1/2",
    ],
)
def test_alquerque_spellings(text: str) -> None:
    assert moves_of(text, "alquerque/table") == ["c2-c3", "c4xc2", "c1xc3"]


def test_missing_middle_points() -> None:
    text = '[Ruleset "alquerque/table"]\n[FEN "5/2o2/5/1o3/x4 x 0"]\n1. a1xc5'
    assert read_one(text).record.line.moves == ["a1xc3xc5"]


@pytest.mark.parametrize(
    "text",
    [
        "1. d2e3+ g4g5-,f4+,g3+",
        "1. D2-E3A g4-g5W,f4A,g3A",
        "d2 e3 + g4 g5 - , f4 + , g3+",
        "d2 e3 A g4g5-, f4+, g3+",
        "d2xe3a g4xg5wxf4axg3a",
        "d2-e3+ g4-g3",
    ],
)
def test_fanorona_spellings(text: str) -> None:
    assert moves_of(text, "fanorona/tsivy") == ["d2e3+", "g4g5-,f4+,g3+"]


def test_konane_and_seega_keep_points_apart() -> None:
    assert moves_of("1. d5 d4", "konane/8x8") == ["d5", "d4"]
    assert moves_of("1. a1 b1 c1 d1", "seega/5x5") == ["a1", "b1", "c1", "d1"]


def test_events_and_huffs() -> None:
    ruleset = "alquerque/maximum;choice=any;finish=may;obligation=huff"
    start = "5/1o3/2x2/5/x3o o 0"
    huff = read_one(f'[Ruleset "{ruleset}"][FEN "{start}"] 1... e1-d1 2. huff: b4 c3-c4')
    assert huff.faults == []
    assert huff.record.line.moves == ["e1-d1", "huff:b4", "c3-c4"]
    draw = read_one("c2-c3 Offer-Draw:x accept:o", "alquerque/table")
    assert draw.record.line.moves == ["c2-c3", "offer-draw:x", "accept:o"]
    assert (draw.record.result, draw.record.reason) == ("draw", "agreement")


def test_ruleset_by_name_of_the_game() -> None:
    assert read_one('[Game "Konane"] d5').record.ruleset == "konane/8x8"
    assert read_one('[Game "Konane"] c3', "konane/6x6").record.ruleset == "konane/6x6"
    assert read_one('[Game "Konane/6x6"] c3', "seega/5x5").record.ruleset == "konane/6x6"
    assert read_one('[Game "chess"] e4', "konane/6x6").faults[0].kind == "ruleset.unknown"
    assert read_one("d5", "konane/8x8").record.ruleset == "konane/8x8"


def test_result_as_claimed_and_as_played() -> None:
    text = '[Ruleset "alquerque/table"][Result "0-1"][Reason "resignation"] c2-c3'
    record = read_one(text).record
    assert (record.result, record.reason) == ("o", "resignation")
    game = read_one('[Ruleset "alquerque/table"][FEN "5/5/5/1o3/x4 x 0"][Result "0-1"] a1xc3 0-1')
    assert (game.record.result, game.record.reason) == ("x", "eliminated")
    assert [fault.kind for fault in game.faults] == ["record.result"]


def test_variations_and_comments_are_kept() -> None:
    game = read_one(
        "{first} 1. c2-c3 {one} {two} (1. b2-c3 (1. d2-c3 {deep}) 1... d4xb2 $3) ({odd}) c4xc2?",
        "alquerque/table",
    )
    assert game.faults == []
    line = game.record.line
    assert line.comments == {0: "first", 1: "one two odd"}
    assert line.marks == {2: (2,)}
    deep = Line(["d2-c3"], {1: "deep"})
    assert line.variations == {1: [Line(["b2-c3", "d4xb2"], {}, {2: (3,)}, {1: [deep]})]}


# --- faults ---------------------------------------------------------------------------------------


def test_a_fault_has_its_place_and_keeps_what_is_legal() -> None:
    text = """\
[Ruleset "alquerque/table"]
[X "A"]

1. c2-c3 c4xc2
2. c1-c9 a3xc1

[Ruleset "alquerque/table"]
1. b2-c3 *
"""
    first, second = read_text(text)
    [fault] = first.faults
    assert (fault.kind, fault.line, fault.column) == ("move.illegal", 5, 4)
    assert fault.found == "c1-c9"
    assert fault.candidates == ("c1xc3",)
    assert fault.legal == ("c2-c3", "c4xc2")
    assert first.record.line.moves == ["c2-c3", "c4xc2"]
    assert first.record.tags == {"X": "A"}
    assert str(fault).startswith("line 5, column 4: 'c1-c9' is not a legal move")
    assert second.faults == []
    assert second.record.line.moves == ["b2-c3"]


def test_an_ambiguous_move_names_its_candidates() -> None:
    game = read_one('[Ruleset "fanorona/tsivy"][FEN "9/9/3ox1oo1/9/9 x 0"] e3f3')
    assert game.faults[0].kind == "move.ambiguous"
    assert game.faults[0].candidates == ("e3f3+", "e3f3-")


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ("c2-c3", "record.ruleset", (1, 1)),
        ('[Ruleset "chess/fide"]\ne2-e4', "ruleset.unknown", (1, 1)),
        ('[Game "alquerque"]\n [FEN "5/5 x 0"]', "position.rows", (2, 2)),
        ('[Game "alquerque"]\n[Result "won"]', "record.result", (2, 1)),
        ('[Game "alquerque"]\n[Result won]', "record.tag", (2, 1)),
        ('[Game "alquerque"] c2-c3 {to be', "record.comment", (1, 26)),
        ('[Game "alquerque"] c2-c3 )', "record.variation", (1, 26)),
        ('[Game "alquerque"] (b2-c3)', "record.variation", (1, 20)),
        ('[Game "alquerque"] c2-c3 (b2-c3', "record.variation", (2, 1)),
        ('[Game "alquerque"] c2-c3 $256', "record.mark", (1, 26)),
        ('[Game "alquerque"] c2-c3 ]', "record.character", (1, 26)),
        ('[Game "alquerque"] accept:o', "move.event", (1, 20)),
    ],
)
def test_faults(text: str, kind: str, place: tuple[int, int]) -> None:
    game = read_one(text)
    assert [(fault.kind, (fault.line, fault.column)) for fault in game.faults] == [(kind, place)]


def test_a_fault_in_a_variation_spares_the_game() -> None:
    game = read_one("c2-c3 (b2-c3 b9 (x) d4) c4xc2 (zz) c1xc3", "alquerque/table")
    assert [fault.kind for fault in game.faults] == ["move.illegal"] * 2
    assert game.record.line.moves == ["c2-c3", "c4xc2", "c1xc3"]
    assert game.record.line.variations == {1: [Line(["b2-c3"])]}


def test_deep_nesting_is_refused_not_followed() -> None:
    game = read_one("c2-c3 " + "(b2-c3 " * 3000 + ")" * 3000 + " c4xc2", "alquerque/table")
    assert game.record.line.moves == ["c2-c3", "c4xc2"]
    assert {fault.kind for fault in game.faults} == {"record.variation"}


def test_a_game_too_big_is_refused_not_followed() -> None:
    game = read_one("c2-c3 " + "(b2-c3) " * 1100 + "$999 " * 500 + "c4xc2", "alquerque/table")
    assert len(game.record.line.variations[1]) == 1000
    assert game.record.line.moves == ["c2-c3", "c4xc2"]
    assert len(game.faults) == 100
    long = Line(["c2-c3"], {}, {}, {1: [Line(["b2-c3"])] * 1001})
    with pytest.raises(EngineError, match="at most 1000 variations"):
        write_record(Record("alquerque/table", None, long))


def test_moves_of_all_variations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyengine.notation.reader.MAX_MOVES", 4)
    game = read_one("c2-c3 (b2-c3 d4xb2) c4xc2 c1xc3", "alquerque/table")
    assert [fault.kind for fault in game.faults] == ["too-long"]
    assert game.record.line.moves == ["c2-c3", "c4xc2"]


class Endless(StringIO):
    """A stream of games without end, that counts what was taken from it."""

    taken = 0

    def readline(self, size: int | None = -1, /) -> str:
        self.taken += 1
        return '[Ruleset "alquerque/table"]\n' if self.taken % 2 else "1. c2-c3 *\n"


def test_games_are_streamed() -> None:
    stream = Endless()
    games = read_records(stream)
    for _ in range(5):
        assert next(games).record.line.moves == ["c2-c3"]
    assert stream.taken < 20


# --- hostile texts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("c2-c3 " + "{a} " * 3000, 3000),
        ("c2-c3 " + "$1 " * 3000, 3000),
        ("c2-c3 " + "() " * 3000, 3000),
        ("c2-c3 " + "(" * 3000, 3000),
        ("zzz " + "b1b2 " * 3000, 2900),
        ('[FEN "none"] ' + "a " * 3000, 3000),
        (";a\n" * 3000, 3000),
        ("{" + "\n" * 20_000 + "}", 15),
        ("\n" * 20_000, 15),
        ("%\n" * 20_000, 15),
    ],
)
def test_reading_can_pause_inside_a_game(text: str, work: int) -> None:
    steps = list(read_in_steps(as_stream(text), "alquerque/table"))
    assert sum(step is None for step in steps) >= work


def test_many_comments_at_one_place_are_not_joined_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def tidy(text: str) -> str:
        read.append(len(text))
        return tidy_comment(text)

    monkeypatch.setattr("pyengine.notation.reader.tidy_comment", tidy)
    game = read_one("c2-c3 " + "{ab  c} " * 8000, "alquerque/table")
    assert game.record.line.comments == {1: " ".join(["ab c"] * 8000)[:MAX_COMMENT].rstrip()}
    assert max(read) < 20


def test_a_move_may_have_so_many_marks() -> None:
    game = read_one("c2-c3 " + "!" * 2 * MAX_MARKS + " $2", "alquerque/table")
    assert len(game.record.line.marks[1]) == MAX_MARKS
    assert game.faults
    with pytest.raises(EngineError, match="marks"):
        Line.from_data({"moves": ["c2-c3"], "marks": {"1": [1] * (MAX_MARKS + 1)}})


def test_a_variation_without_a_move_is_none() -> None:
    data = {"moves": ["c2-c3"], "variations": {"1": [{"moves": [], "comments": {"0": "why"}}]}}
    with pytest.raises(EngineError, match="a move at least"):
        Line.from_data(data)


def test_faults_do_not_repeat_a_long_game_for_ever() -> None:
    events = "offer-draw:x decline:o " * 900
    game = read_one(events + "c2-c3 " + "(a1) " * 100, "alquerque/table")
    assert len(game.faults) == 100
    assert sum(len(fault.legal) for fault in game.faults) <= MAX_MOVES


def test_other_moves_at_one_place_are_looked_up_in_one_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = find_rules("fanorona/tsivy")
    calls: list[object] = []
    list_moves = rules.list_moves

    def counted(state: State) -> list[Move]:
        calls.append(state)
        return list_moves(state)

    monkeypatch.setattr(rules, "list_moves", counted)
    first, *others = [move.text for move in Game(rules).legal_moves]
    before = len(calls)
    game = read_one(f"{first} " + " ".join(f"({text})" for text in others * 5), rules.ruleset)
    assert len(game.record.line.variations[1]) == len(others) * 5
    assert calls.count(rules.start()) <= before + 2
    assert not game.faults
