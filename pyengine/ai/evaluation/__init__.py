"""Who stands better: one module a game, and the blur that makes a level err."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache

from pyengine.ai.evaluation import alquerque, konane, seega
from pyengine.ai.evaluation.base import DEFAULT_SCALE, Evaluation, Judge, material, plain
from pyengine.ai.evaluation.patterns import shipped
from pyengine.ai.shipped import read
from pyengine.rules import Rules, State

__all__ = ["Evaluation", "Judge", "blurred", "find_evaluation", "material", "plain"]

_GAMES: dict[str, Callable[[Rules], Evaluation]] = {
    "alquerque": alquerque.evaluation,
    "konane": konane.evaluation,
    "seega": seega.evaluation,
}


def find_evaluation(rules: Rules, learned: bool = True) -> Evaluation:
    """The evaluation of a ruleset: what it learned, else its game's simple one, else the count of pieces."""
    known = shipped(rules) if learned else None
    evaluation = known or _GAMES.get(rules.game, plain)(rules)
    return evaluation._replace(scale=_scales().get(f"{rules.game}/{rules.preset}", DEFAULT_SCALE))


@lru_cache(maxsize=1)
def _scales() -> dict[str, float]:
    """What tools/fit_scales.py found for every preset; one with other options has the scale of the preset."""
    data = read("scales.json") or b"{}"
    return {ruleset: float(facts["scale"]) for ruleset, facts in json.loads(data).items()}


def blurred(evaluation: Evaluation, blur: int, seed: int) -> Evaluation:
    """The same judgement with an error of at most `blur` hundredths, fixed for each position and seed.

    The error belongs to the position, so a player who errs believes in it consistently, as people do. It is computed
    from the stones alone, without Python's own hashes, whose width differs between machines.
    """
    if not blur:
        return evaluation
    judge = evaluation.value
    width = 2 * blur + 1
    start = (seed * 0x9E3779B1 + 0x7F4A7C15) % _PRIME

    def judged(state: State) -> int:
        mixed = (state[0] * 0x5851F42D + state[1] * 0x14057B7E + start) % _PRIME
        return int(judge(state) + mixed * mixed % _PRIME % width - blur)

    return evaluation._replace(value=judged)


_PRIME = 2_147_483_647
