"""The games that the compiled search knows."""

from __future__ import annotations

from pyengine.rules import Rules
from pyengine.rules.alquerque import Alquerque
from pyengine.rules.fanorona import Fanorona
from tools.proofs.alquerque import alquerque_moves
from tools.proofs.fanorona import fanorona_moves
from tools.proofs.kernel import Moves


def moves_of(rules: Rules) -> Moves:
    """A ruleset for compiled code; raises `ValueError` where there is none for it."""
    if isinstance(rules, Alquerque):
        return alquerque_moves(rules)
    if isinstance(rules, Fanorona):
        return fanorona_moves(rules)
    raise ValueError(f"{rules.ruleset}: the compiled search does not know this game")
