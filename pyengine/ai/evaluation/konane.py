"""Konane: who runs out of jumps loses, so jumps are what is counted."""

from __future__ import annotations

from pyengine.ai.evaluation.base import Evaluation
from pyengine.rules import Rules, State

#: One jump more than the other side, in hundredths.
JUMP = 25


def evaluation(rules: Rules) -> Evaluation:
    """The evaluation of one board of Konane."""
    count = rules.count

    def judge(state: State) -> int:
        own, foe, side = state[:3]
        return JUMP * (count(state) - count((foe, own, 1 - side, 0)))

    return Evaluation(judge, forced=True, noisy=False)
