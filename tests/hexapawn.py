"""A sixth game in one small module: hexapawn on 3×3, as docs/adding-a-game.md tells it.

Three men a side. A man steps one point up the board to an empty point, or takes one point diagonally forward by moving
onto it. Whoever reaches the far rank, takes everything or leaves the other without a move has won.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyengine.board import Board, points_of
from pyengine.diagram import SIDES
from pyengine.rules.base import Game, Hop, Move, Outcome, Rules, State, no_options

BOARD = Board(3, 3)


class Hexapawn(Rules):
    game = "hexapawn"
    surface = "cells"

    @property
    def set_sizes(self) -> tuple[int, int]:
        return (3, 3)

    def start(self) -> State:
        return self.parse("ooo/3/xxx x 0")

    def decided(self, state: State) -> Outcome | None:
        side = state[2]
        if state[1] & BOARD.rank_set(0 if side == 0 else 2):
            return Outcome(SIDES[1 - side], "arrived")
        return super().decided(state)

    def generate(self, state: State) -> list[State]:
        return [move.after for move in self.list_moves(state)]

    def list_moves(self, state: State) -> list[Move]:
        own, foe, side, clock = state
        if self.decided(state):
            return []
        moves = []
        for start in points_of(own):
            for right in (0, -1, 1):
                to = BOARD.point(BOARD.column(start) + right, BOARD.rank(start) + 1 - 2 * side)
                if to is None or own >> to & 1 or bool(foe >> to & 1) != bool(right):
                    continue
                taken = (to,) if right else ()
                after = (
                    foe & ~(1 << to),
                    own ^ (1 << start | 1 << to),
                    1 - side,
                    0 if right else clock + 1,
                )
                text = BOARD.names[start] + ("x" if right else "-") + BOARD.names[to]
                hop = Hop(to, taken, None, (start, to))
                moves.append(Move(text, "capture" if right else "step", (start, to), after, (hop,)))
        return moves


def make(preset: str, options: Mapping[str, str]) -> Rules:
    no_options(options, f"hexapawn/{preset}")
    return Hexapawn(preset, BOARD, limit=0)


GAME = Game("hexapawn", ("3x3",), make)
