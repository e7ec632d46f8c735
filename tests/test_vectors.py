"""Agreed figures: leaves of the move tree, and hand-made positions with every legal move and what it leads to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyengine import Position, find_rules
from pyengine.position import perft

DATA = Path(__file__).parent / "data"
PERFT: dict[str, list[int]] = json.loads((DATA / "perft.json").read_text())
CASES: list[dict[str, Any]] = json.loads((DATA / "cases.json").read_text())


@pytest.mark.parametrize("ruleset", PERFT)
def test_perft(ruleset: str) -> None:
    rules = find_rules(ruleset)
    depths = range(1, len(PERFT[ruleset]) + 1)
    assert [perft(rules, rules.start(), depth) for depth in depths] == PERFT[ruleset]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['ruleset']}: {case['note']}")
def test_case(case: dict[str, Any]) -> None:
    position = Position.parse(case["ruleset"], case["position"])
    assert str(position) == case["position"]
    moves = {move.text: str(position.play(move)) for move in position.legal_moves()}
    assert moves == case["moves"]
    outcome = position.outcome()
    assert (outcome and (outcome.winner or "draw")) == case["outcome"]
