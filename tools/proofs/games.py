"""The games that the compiled search knows."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from pyengine.ai.tables import sets_of
from pyengine.rules import Rules, State
from pyengine.rules.alquerque import Alquerque
from pyengine.rules.fanorona import Fanorona
from tools.proofs.alquerque import alquerque_moves
from tools.proofs.fanorona import fanorona_moves
from tools.proofs.kernel import Moves, Probing, probing_of
from tools.proofs.sultans import SHIFT, SultanProbing, sultan_moves, sultan_probing


def moves_of(rules: Rules) -> Moves:
    """A ruleset for compiled code; raises `ValueError` where there is none for it."""
    if isinstance(rules, Alquerque):
        return sultan_moves(rules) if rules.sultans else alquerque_moves(rules)
    if isinstance(rules, Fanorona):
        return fanorona_moves(rules)
    raise ValueError(f"{rules.ruleset}: the compiled search does not know this game")


def tables_of(
    rules: Rules, kept: tuple[int, ...], known: dict[tuple[int, ...], NDArray[Any]]
) -> Probing | SultanProbing:
    """Solved tables for compiled code, numbered under the symmetries `kept`."""
    if isinstance(rules, Alquerque) and rules.sultans:
        return sultan_probing(rules, kept, known)
    return probing_of(rules, kept, known)


def position_of(rules: Rules, state: State) -> tuple[int, int]:
    """What a state is for compiled code: the pieces of the side to act and of the other, seen by the side to act."""
    sets = [_turned(rules, bits) if state[2] else bits for bits in sets_of(rules, state)]
    if rules.sultans:
        return sets[0] | sets[1] << SHIFT, sets[2] | sets[3] << SHIFT
    return sets[0], sets[1]


def state_with(rules: Rules, own: int, foe: int, side: int) -> State:
    """The state that a position is for a side that acts."""
    sultans = (own | foe) >> SHIFT
    own, foe = (pieces & rules.board.full | pieces >> SHIFT for pieces in (own, foe))
    if side:
        own, foe, sultans = (_turned(rules, bits) for bits in (own, foe, sultans))
    return (own, foe, side, 0, sultans, 0, ()) if rules.sultans else (own, foe, side, 0)


def _turned(rules: Rules, bits: int) -> int:
    return int(f"{bits:0{rules.board.size}b}"[::-1], 2)
