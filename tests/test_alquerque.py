"""Alquerque against a second generator, over every mix of options, in played and in scattered positions."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pyengine import EngineError, Position, find_rules
from pyengine.rules import Rules
from pyengine.rules.alquerque import MEN, Alquerque
from tests.rulesets import OFFERED, option_mixes, random_states
from tests.slow_alquerque import Slow, read

ALQUERQUE = [ruleset for ruleset in OFFERED if ruleset.startswith("alquerque/")]
any_alquerque = st.one_of(st.sampled_from(ALQUERQUE), option_mixes())


def assert_same(rules: Rules, text: str) -> None:
    assert isinstance(rules, Alquerque)
    state = rules.parse(text)
    fast = {move.text: rules.format(move.after) for move in rules.legal_moves(state)}
    assert fast == Slow(rules.setting.values()).moves(read(text))


@given(any_alquerque, st.integers(0, 2**32 - 1), st.integers(0, 90))
def test_played_positions(ruleset: str, seed: int, plies: int) -> None:
    rules = find_rules(ruleset)
    for state in random_states(rules, seed, plies)[-6:]:
        assert_same(rules, rules.format(state))


def scattered(rules: Rules, seed: int) -> str:
    """A position text with few pieces anywhere, Sultans among them where there are any."""
    chance = random.Random(seed)
    share = chance.uniform(0.1, 0.5)
    rows = []
    for rank in range(5, 0, -1):
        row = ""
        for _ in range(5):
            sign = chance.choice("xo") if chance.random() < share else "."
            if (
                sign != "."
                and rules.sultans
                and (chance.random() < 0.4 or rank == {"x": 5, "o": 1}[sign])
            ):
                sign = sign.upper()
            row += sign
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
    return f"{'/'.join(rows)} {chance.choice('xo')} {chance.randrange(120)}"


@given(any_alquerque, st.integers(0, 2**32 - 1))
def test_scattered_positions(ruleset: str, seed: int) -> None:
    rules = find_rules(ruleset)
    text = scattered(rules, seed)
    assume(max(text.lower().count(side, 0, text.index(" ")) for side in "xo") <= MEN)
    state = rules.parse(text)
    assert_same(rules, rules.format(state))


@pytest.mark.parametrize(
    ("ruleset", "position", "kind"),
    [
        ("alquerque/table", "5/5/5/5/X4 x 0", "position.sultan"),
        ("alquerque/doce-short", "x4/5/5/5/4O x 0", "position.rank"),
        ("alquerque/doce-long", "X4/5/5/5/4o x 0", "position.rank"),
        ("alquerque/table", "xxxxx/xxxxx/xxx2/5/o4 x 0", "position.too-many"),
        ("alquerque/table", "5/5/5/5/xo3 x 0 huff=b1", "position.key"),
        ("alquerque/table;obligation=huff", "5/5/5/5/xo3 x 0 huff=a1", "position.huff"),
        ("alquerque/table;obligation=huff", "5/5/5/5/xo3 x 0 huff=b1,b1", "position.huff"),
        ("alquerque/table;obligation=huff", "5/5/5/5/xo3 x 0 huff=f1", "position.huff"),
        ("alquerque/table;noreturn=yes", "5/5/5/5/xo3 x 0 prev=c1c2", "position.prev"),
        ("alquerque/table;noreturn=yes", "5/5/5/5/xo3 x 0 prev=a1a1", "position.prev"),
        ("alquerque/table;noreturn=yes", "5/5/5/5/xo3 x 0 prev=a1", "position.prev"),
        ("alquerque/table;noreturn=yes", "5/5/5/5/xo3 x 0 prev=a1a2,a1b2", "position.prev"),
    ],
)
def test_impossible_positions(ruleset: str, position: str, kind: str) -> None:
    with pytest.raises(EngineError) as caught:
        Position.parse(ruleset, position)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("ruleset", "position", "text", "kind"),
    [
        ("alquerque/table", "5/5/5/1o3/x3x x 0", "e1-e2", "must-capture"),
        ("alquerque/table", "5/5/5/1o3/x3x x 0", "a1-a2", "must-capture"),
        ("alquerque/maximum", "5/2o2/5/1o2o/x3x x 0", "e1xe3", "must-take-most"),
        ("alquerque/table", "xo1o1/5/5/5/4o x 0", "a5xc5", "must-go-on"),
        ("alquerque/bell", "5/5/x4/5/4o x 0", "a3-a2", "backward"),
        ("alquerque/bell", "x4/5/5/x4/4o x 0", "a5-b5", "last-rank"),
        ("alquerque/table;noreturn=yes", "5/5/x4/5/4o x 1 prev=a3a2", "a3-a2", "no-return"),
        ("alquerque/table", "5/5/x4/5/4o x 0", "a3-e5", "no-line"),
        ("alquerque/table", "5/5/x4/5/4o x 0", "a3-a5", "nothing-to-take"),
        ("alquerque/table", "5/5/x4/5/4o x 0", "a3-d3", "too-far"),
        ("alquerque/table", "5/5/xx3/5/4o x 0", "a3-b3", "occupied"),
        ("alquerque/table", "5/5/x4/5/4o x 0", "e1-e2", "not-your-piece"),
        ("alquerque/table", "5/5/x4/5/4o x 0", "b1-b2", "empty"),
        ("alquerque/table", "5/5/x4/5/4o x 0", "pass", "no-pass"),
        ("alquerque/table", "5/5/x4/5/4o x 0", "huff:e1", "no-huff"),
        ("alquerque/table", "5/5/x4/5/4o x 0", "hello", "not-a-move"),
        ("alquerque/table", "5/5/x4/5/5 x 0", "a3-a2", "over"),
    ],
)
def test_refusals(ruleset: str, position: str, text: str, kind: str) -> None:
    with pytest.raises(EngineError) as caught:
        Position.parse(ruleset, position).play(text)
    assert caught.value.kind == "move.illegal"
    assert caught.value.data["refusal"]["kind"] == kind  # type: ignore[index]


@pytest.mark.parametrize(
    ("ruleset", "position", "texts", "canonical"),
    [
        (
            "alquerque/table",
            "5/5/5/1o3/x4 x 0",
            ["a1:c3", "A1*C3", " a1 x c3 ", "a1c3", "a1-c3"],
            "a1xc3",
        ),
        ("alquerque/table", "xo1o1/5/5/5/4o x 0", ["a5xe5", "a5:c5:e5", "a5-e5"], "a5xc5xe5"),
        (
            "fanorona/tsivy",
            "9/9/3ox1oo1/9/9 x 0",
            ["e3-f3A", "e3f3a", "E3F3+", "e3 - f3 +"],
            "e3f3+",
        ),
        ("fanorona/tsivy", "9/9/3ox1oo1/9/9 x 0", ["e3-f3W", "e3f3-", "e3f3w"], "e3f3-"),
    ],
)
def test_kind_input(ruleset: str, position: str, texts: list[str], canonical: str) -> None:
    for text in texts:
        assert Position.parse(ruleset, position).find(text).text == canonical


def test_ambiguous_input_names_its_candidates() -> None:
    with pytest.raises(EngineError) as caught:
        Position.parse("fanorona/tsivy", "9/9/3ox1oo1/9/9 x 0").find("e3-f3")
    assert caught.value.kind == "move.ambiguous"
    assert caught.value.data["candidates"] == ["e3f3+", "e3f3-"]
    with pytest.raises(EngineError) as caught:
        Position.parse("alquerque/table", "5/5/1o3/o1o2/xo3 x 0").find("a1xa1")
    assert len(caught.value.data["candidates"]) == 2  # type: ignore[arg-type]
