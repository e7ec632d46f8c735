"""Options that a mix leaves without effect: what the notes claim is played out."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from pyengine.describe import description
from pyengine.rules import find_rules, rulesets

ROOT = Path(__file__).resolve().parent.parent

#: Note → a mix with the pointless option and the same without it.
POINTLESS = {
    "mix.finish-needs-any": ("alquerque/maximum;finish=may", "alquerque/maximum"),
    "mix.lastrank-needs-no-sultan": (
        "alquerque/doce-long;lastrank=captures-only",
        "alquerque/doce-long",
    ),
    "mix.short-sultan-needs-no-backward": ("alquerque/table;sultan=short", "alquerque/table"),
    "mix.count-needs-limit": (
        "alquerque/table;limit=0;onlimit=count",
        "alquerque/table;limit=0",
    ),
}


@pytest.mark.parametrize("note", POINTLESS)
def test_a_note_tells_of_an_option_without_effect(note: str) -> None:
    with_it, without = (find_rules(ruleset) for ruleset in POINTLESS[note])
    assert description(with_it)["notes"] == [note]
    assert description(without)["notes"] == []
    dice = random.Random(11)
    for _ in range(15):
        one, other = with_it.start(), without.start()
        for _ in range(120):
            moves = {move.text: move.after for move in with_it.legal_moves(one)}
            others = {move.text: move.after for move in without.legal_moves(other)}
            assert set(moves) == set(others)
            assert with_it.outcome(one) == without.outcome(other)
            if not moves:
                break
            text = dice.choice(sorted(moves))
            one, other = moves[text], others[text]


def test_the_rulesets_on_offer_have_no_pointless_option() -> None:
    assert {ruleset for ruleset, _ in rulesets() if find_rules(ruleset).notes()} == set()


@pytest.mark.parametrize("language", ["fr", "es", "en"])
def test_every_note_has_its_sentence(language: str) -> None:
    texts = json.loads((ROOT / "web" / "texts" / f"rules.{language}.json").read_text("utf-8"))
    assert set(POINTLESS) - set(texts) == set()
