"""Seega: pieces, and while stones are placed the points next to the centre, where the first moves start."""

from __future__ import annotations

from pyengine.ai.evaluation.base import Evaluation
from pyengine.board import set_of
from pyengine.rules import Rules, State


def evaluation(rules: Rules) -> Evaluation:
    """The evaluation of one board of Seega."""
    board = rules.board
    middle = board.size // 2
    near = board.adjacent[middle]
    border = set_of(
        point
        for point in range(board.size)
        if board.column(point) in (0, board.columns - 1) or board.rank(point) in (0, board.rows - 1)
    )

    def judge(state: State) -> int:
        own: int = state[0]
        foe: int = state[1]
        # While stones are placed, having more on the board means only that it is the other's turn to place.
        pieces = 0 if state[4] else 100 * (own.bit_count() - foe.bit_count())
        # Stones on the border can be taken along one line only.
        return int(
            pieces
            + 8 * ((own & near).bit_count() - (foe & near).bit_count())
            + 4 * ((own & border).bit_count() - (foe & border).bit_count())
        )

    return Evaluation(judge, forced=False)
