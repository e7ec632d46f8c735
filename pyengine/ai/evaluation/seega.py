"""Seega: pieces, and how freely each side's stones can slide."""

from __future__ import annotations

from pyengine.ai.evaluation.base import Evaluation, material
from pyengine.rules import Rules, State
from pyengine.rules.seega import Seega

#: One slide more than the other side, in hundredths.
SLIDE = 8


def evaluation(rules: Rules) -> Evaluation:
    """The evaluation of one board of Seega."""
    assert isinstance(rules, Seega)
    slides, full = rules.slides, rules.board.full

    def judge(state: State) -> int:
        own, foe, _, _, left = state
        empty = full ^ (own | foe)
        # While stones are placed, having more on the board means only that it is the other's turn to place.
        pieces = 0 if left else material(state)
        return pieces + SLIDE * (slides(own, empty) - slides(foe, empty))

    return Evaluation(judge, forced=False)
