"""Alquerque: pieces, Sultans, and where men may only go forward how far they have come."""

from __future__ import annotations

from pyengine.ai.evaluation.base import Evaluation, Judge, is_forced
from pyengine.rules import Rules, State

#: What a Sultan is worth more than a man, in hundredths.
SULTANS = {"none": 0, "short": 60, "long": 150}
#: A rank come forward, in hundredths.
FORWARD = 3


def evaluation(rules: Rules) -> Evaluation:
    """The evaluation of one ruleset of Alquerque."""
    options = {option["name"]: option["value"] for option in rules.options()}
    sultan = SULTANS[options["sultan"]]
    return Evaluation(_with_sultans(sultan) if sultan else _men, is_forced(rules))


def _men(state: State) -> int:
    own: int = state[0]
    foe: int = state[1]
    # More pieces count for more when few are left: the stronger side should exchange.
    mine, theirs = own.bit_count(), foe.bit_count()
    return 100 * (mine - theirs) + 60 * (mine - theirs) // (mine + theirs)


def _with_sultans(bonus: int) -> Judge:
    ranks = [31 << 5 * rank for rank in range(5)]

    def judge(state: State) -> int:
        own, foe, side, _, sultans = state[:5]
        mine, theirs = own.bit_count(), foe.bit_count()
        value = 100 * (mine - theirs) + 60 * (mine - theirs) // (mine + theirs)
        if sultans:
            value += bonus * ((own & sultans).bit_count() - (foe & sultans).bit_count())
            own &= ~sultans
            foe &= ~sultans
        upward = 0
        for rank, row in enumerate(ranks):
            upward += rank * (own & row).bit_count() - (4 - rank) * (foe & row).bit_count()
        if side:
            upward = 4 * (own.bit_count() - foe.bit_count()) - upward
        return int(value + FORWARD * upward)

    return judge
