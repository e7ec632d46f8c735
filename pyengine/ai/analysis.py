"""A whole game looked over: the best move of every position, what each played move lost, the moments that decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pyengine.ai.evaluation import find_evaluation
from pyengine.ai.search import COUNTED, Search, chance
from pyengine.ai.tables import Tables
from pyengine.rules import REPETITIONS, Move, Rules, State

#: Positions looked at for each position of the game, where nothing else is asked.
NODES = 4_000
#: A move that gives away so much of the expected points is a moment that decided.
MOMENT = 0.15
#: A loss, in hundredths of a piece, is never told as more than this: beyond, only the end counts.
MOST_LOST = 1_000


class Analysis:
    """The analysis of one game, in slices like a `Search`.

    Args:
        rules, start: where the game began.
        moves: the moves played, in order, each with the state `after` it.
        nodes: spent on each position.
        tables: exact endings.
    """

    def __init__(
        self,
        rules: Rules,
        start: State,
        moves: Sequence[Move],
        *,
        nodes: int = NODES,
        tables: Tables | None = None,
    ) -> None:
        self._rules = rules
        self._moves = moves
        self._states = [start, *(move.after for move in moves)]
        self._nodes = nodes
        self._keys = [rules.key(state) for state in self._states]
        self._scale = find_evaluation(rules).scale
        self._tables = tables
        self._found: list[dict[str, Any]] = []
        self._searches = self._next_searches()
        self._search = next(self._searches, None)

    def _next_searches(self) -> Iterator[Search]:
        rules = self._rules
        for ply, state in enumerate(self._states):
            if rules.successors(state) and not self._repeated(ply):
                history = self._keys[:ply]
                yield Search(
                    rules, state, history, nodes=self._nodes, tables=self._tables, wary=False
                )

    def _repeated(self, ply: int) -> bool:
        """Whether the position before a ply ended the game, as it stood once more."""
        stood = self._keys[: ply + 1].count(self._keys[ply])
        return self._rules.repetition and stood >= REPETITIONS

    def run(self, ms: float) -> bool:
        """Work for about `ms` milliseconds; True when the whole game has been looked at."""
        if self._search and self._search.run(ms):
            self._found.append(self._search.result())
            self._search = next(self._searches, None)
        return self._search is None

    def stop(self) -> None:
        """Give up; `result` holds what was found."""
        if self._search:
            self._search.stop()
        self._search = None

    def progress(self) -> dict[str, int]:
        """`{"done", "of"}`: positions looked at, of how many."""
        return {"done": len(self._found), "of": len(self._states)}

    def result(self) -> dict[str, Any]:
        """`{"plies": [{"ply", "move", "best", "score", "mate", "chance", "pv", "loss", "chanceLost"}],
        "moments": [ply]}`.

        One entry for each move whose positions before and after were looked at, `ply` counted from 0. `score`, `mate`,
        `chance` and `pv` belong to the best move, from the mover's view; `loss` is what the played move gave away, in
        hundredths of a piece, and `chanceLost` in expected points (0 to 1). `moments`: the plies that lost the most,
        in the order of the game.
        """
        plies = []
        for ply, move in enumerate(self._moves):
            value = self._value_after(ply)
            if value is None or ply >= len(self._found):
                break
            best = self._found[ply]
            played = best["score"] if best["move"] == move.text else min(value, best["score"])
            plies.append(
                {
                    "ply": ply,
                    "move": move.text,
                    "best": best["move"],
                    "score": best["score"],
                    "mate": best["mate"],
                    "chance": best["chance"],
                    "pv": best["pv"],
                    "loss": min(MOST_LOST, best["score"] - played),
                    "chanceLost": round(max(0.0, best["chance"] - chance(played, self._scale)), 4),
                }
            )
        return {
            "plies": plies,
            "moments": [entry["ply"] for entry in plies if entry["chanceLost"] >= MOMENT],
        }

    def _value_after(self, ply: int) -> int | None:
        """What the move of a ply came to, from its player's view; None while that is not known."""
        before, after = self._states[ply], self._states[ply + 1]
        sign = 1 if before[2] == after[2] else -1
        if self._repeated(ply + 1):
            return 0
        if not self._rules.successors(after):
            return sign * self._rules.result(after) * 2 * COUNTED
        if ply + 1 >= len(self._found):
            return None
        return int(sign * self._found[ply + 1]["score"])
