"""What an evaluation is, and the one that every game starts with: count the pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pyengine.rules import Rules, State

#: Judges a state: hundredths of a piece, from the view of the side to act.
Judge = Callable[[State], int]


#: The scale of a ruleset that no games were played of yet.
DEFAULT_SCALE = 150.0


class Evaluation(NamedTuple):
    """How positions of one ruleset are judged.

    `value`: the judgement of a state that is not over. `forced`: a side that can capture must. `noisy`: captures upset
    the judgement, so they are followed before it is asked. `scale`: the value in hundredths at which the better side
    wins e to 1.
    """

    value: Judge
    forced: bool
    noisy: bool = True
    scale: float = DEFAULT_SCALE


def material(state: State) -> int:
    """The difference in pieces, in hundredths."""
    own: int = state[0]
    foe: int = state[1]
    return 100 * (own.bit_count() - foe.bit_count())


def plain(rules: Rules) -> Evaluation:
    """Pieces alone, for any game."""
    return Evaluation(material, forced=is_forced(rules))


def is_forced(rules: Rules) -> bool:
    """Whether a side that can capture must: the obligation where it is an option, else Fanorona's and Konane's rule."""
    for option in rules.options():
        if option["name"] == "obligation":
            return bool(option["value"] == "mandatory")
    return rules.game in ("fanorona", "konane")
