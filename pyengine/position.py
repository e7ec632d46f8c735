"""A position as a value: read, written, asked for its moves, played on."""

from __future__ import annotations

from dataclasses import dataclass

from pyengine.diagram import SIDES
from pyengine.movetext import find_move
from pyengine.rules import Move, Outcome, Rules, State, find_rules


@dataclass(frozen=True, slots=True)
class Position:
    """A position of one ruleset. Equal positions compare equal; `str` gives the canonical text (rules §1).

    >>> position = Position.parse("alquerque/table", "5/5/5/1o3/x4 x 0")
    >>> str(position.play("a1xc3"))
    '5/5/2x2/5/5 o 0'
    """

    rules: Rules
    state: State

    @classmethod
    def start(cls, ruleset: str) -> Position:
        """The start of a ruleset; raises `EngineError` (`ruleset.…`) for an unknown one."""
        rules = find_rules(ruleset)
        return cls(rules, rules.start())

    @classmethod
    def parse(cls, ruleset: str, text: str) -> Position:
        """Read a position text; raises `EngineError` (`ruleset.…`, `position.…`) that says what is wrong."""
        rules = find_rules(ruleset)
        return cls(rules, rules.parse(text))

    def __str__(self) -> str:
        return self.rules.format(self.state)

    @property
    def side(self) -> str:
        """Who acts now, `"x"` or `"o"`."""
        return SIDES[self.state[2]]

    @property
    def clock(self) -> int:
        """Plies since the last capture."""
        return int(self.state[3])

    def legal_moves(self) -> list[Move]:
        """All legal moves; empty exactly when the game is over."""
        return self.rules.legal_moves(self.state)

    def find(self, text: str) -> Move:
        """The legal move that a text means; raises `EngineError` (`move.illegal`, `move.ambiguous`)."""
        return find_move(self.rules, self.state, text)

    def play(self, move: Move | str) -> Position:
        """The position after a legal move, given as a value or a text (see `find`)."""
        found = self.find(move) if isinstance(move, str) else move
        return Position(self.rules, found.after)

    def outcome(self) -> Outcome | None:
        """The end by the position alone, or None while the game goes on; repetition needs `pyengine.record`."""
        return self.rules.outcome(self.state)


def perft(rules: Rules, state: State, depth: int) -> int:
    """How many sequences of `depth` move texts there are; a finished game has no continuation.

    >>> rules = find_rules("alquerque/table")
    >>> [perft(rules, rules.start(), depth) for depth in range(1, 6)]
    [4, 5, 6, 12, 29]
    """
    if depth < 1:
        return 1
    if depth == 1:
        return rules.count(state)
    return sum(perft(rules, after, depth - 1) for after in rules.successors(state))
