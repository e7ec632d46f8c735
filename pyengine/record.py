"""A game as it was played: start, plies, events between players, repetition and every end (rules §1).

A game is a list of texts. Most are moves; the others are events, which change no position: `resign:x`,
`offer-draw:x`, `offer-count:x`, `accept:o`, `decline:o`. An offer stands until it is answered or its
receiver moves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pyengine.diagram import SIDES
from pyengine.errors import EngineError
from pyengine.movetext import find_move, illegal
from pyengine.rules import REPETITIONS, Move, Outcome, Refusal, Rules, State

#: The most moves and events read in one game. Every ruleset's limits end a game far earlier.
MAX_ENTRIES = 2000

_EVENT = re.compile(r"(resign|offer-draw|offer-count|accept|decline):([xo])")


@dataclass(frozen=True, slots=True)
class Entry:
    """One ply or event of a game: canonical text, who (0 for x, 1 for o), the move (None for an event),
    and the state after it."""

    text: str
    side: int
    move: Move | None
    after: State


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer that stands: `kind` is `"draw"` or `"count"`, `by` the side (0 or 1) that made it."""

    kind: str
    by: int


class Game:
    """A game that grows ply by ply; nothing in it is ever taken back (see `upto` for an earlier stage).

    >>> from pyengine.rules import find_rules
    >>> game = Game(find_rules("alquerque/table"))
    >>> game.extend(["c2-c3", "c4xc2", "resign:x"])
    >>> game.outcome
    Outcome(winner='o', reason='resignation')
    """

    def __init__(self, rules: Rules, start: State | None = None) -> None:
        self.rules = rules
        self.start: State = rules.start() if start is None else start
        self.entries: list[Entry] = []
        self.offer: Offer | None = None
        self.keys: list[Any] = [rules.key(self.start)]  # of every position that stood, in order
        self._stood = Counter(self.keys)
        self._agreed: Outcome | None = None
        self._legal: list[Move] | None = None
        self._legal_before: list[Move] | None = None  # the last entry

    # --- where the game stands --------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The state after the last entry."""
        return self.entries[-1].after if self.entries else self.start

    @property
    def texts(self) -> list[str]:
        """The canonical texts of all entries."""
        return [entry.text for entry in self.entries]

    @property
    def repeated(self) -> int:
        """How often the present position has stood in this game; 1 is the first time."""
        return self._stood[self.keys[-1]]

    @property
    def legal_moves(self) -> list[Move]:
        """All legal moves; empty exactly when the game is over."""
        if self._legal is None:
            over = self._agreed is not None or self._repetition()
            self._legal = [] if over else self.rules.legal_moves(self.state)
        return self._legal

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None. Ends are tested in the order of rules §1: by the pieces,
        blocked, repetition, limit; a resignation or an agreement ends a game that still goes on."""
        if self._agreed is not None:
            return self._agreed
        if self.legal_moves:
            return None
        by_position = self.rules.outcome(self.state)
        if self._repetition() and (by_position is None or by_position.reason == "limit"):
            return Outcome(None, "repetition")
        return by_position

    @property
    def events(self) -> list[str]:
        """The events that may happen now."""
        if self.outcome is not None:
            return []
        allowed = [f"resign:{side}" for side in SIDES]
        if self.offer is None:
            return allowed + [f"offer-{kind}:{s}" for kind in self.rules.agreements for s in SIDES]
        receiver = SIDES[1 - self.offer.by]
        return [*allowed, f"accept:{receiver}", f"decline:{receiver}"]

    def _repetition(self) -> bool:
        return self.rules.repetition and self.repeated >= REPETITIONS

    # --- playing on -------------------------------------------------------------------------------

    def play(self, text: str) -> Entry:
        """Add a move or an event, given as text; kind spellings of moves are accepted.

        Raises `EngineError` (`move.illegal`, `move.ambiguous`, `move.event`, `too-long`) with `ply`,
        the number that the entry would have had, from 1; the game is then as it was before.
        """
        ply = len(self.entries) + 1
        if ply > MAX_ENTRIES:
            message = f"a game has at most {MAX_ENTRIES} moves and events"
            raise EngineError("too-long", message, most=MAX_ENTRIES, ply=ply)
        try:
            event = read_event(text)
            return self._happen(event) if event else self._move(self.find(text))
        except EngineError as error:
            raise EngineError(error.kind, str(error), **{**error.data, "ply": ply}) from None

    def extend(self, texts: Iterable[str]) -> None:
        """Add several entries; raises as `play` does, keeping those before the fault."""
        for text in texts:
            self.play(text)

    def find(self, text: str) -> Move:
        """The legal move that a text means; raises `EngineError` (`move.illegal`, `move.ambiguous`)."""
        for move in self.legal_moves:
            if move.text == text:
                return move
        if not self.legal_moves:
            shown = text[:40] if isinstance(text, str) else ""
            raise illegal(self.rules, shown, Refusal("over"))
        return find_move(self.rules, self.state, text)

    def _move(self, move: Move) -> Entry:
        side = self.state[2]
        entry = Entry(move.text, side, move, move.after)
        self.entries.append(entry)
        key = self.rules.key(move.after)
        self.keys.append(key)
        self._stood[key] += 1
        self._legal_before, self._legal = self._legal, None
        if self.offer and self.offer.by != side:
            self.offer = None
        return entry

    def _happen(self, event: str) -> Entry:
        allowed = self.events
        if event not in allowed:
            raise EngineError(
                "move.event",
                f"{event} cannot happen now; possible: {', '.join(allowed) or 'nothing, it is over'}",
                found=event,
                candidates=allowed,
            )
        return self._note(event)

    def _note(self, event: str) -> Entry:
        """Add an event that is known to be allowed."""
        action, _, letter = event.partition(":")
        side = SIDES.index(letter)
        if action == "resign":
            self._agreed = Outcome(SIDES[1 - side], "resignation")
        elif action == "accept" and self.offer:
            self._agreed = self._agreement(self.offer.kind)
        self.offer = Offer(action[6:], side) if action.startswith("offer-") else None
        self._legal_before = self._legal
        if self._agreed:
            self._legal = None
        entry = Entry(event, side, None, self.state)
        self.entries.append(entry)
        return entry

    def _agreement(self, kind: str) -> Outcome:
        if kind == "count":
            return self.rules.counted(self.state, "count")
        return Outcome(None, "agreement")

    # --- earlier stages and other lines -----------------------------------------------------------

    def upto(self, count: int) -> Game:
        """A new game of the first `count` entries, ready to be played on by itself."""
        game = Game(self.rules, self.start)
        for entry in self.entries[:count]:
            if entry.move is None:
                game._note(entry.text)
            else:
                game._move(entry.move)
        if len(game.entries) == len(self.entries):
            game._legal = self._legal
        elif len(game.entries) == len(self.entries) - 1:
            game._legal = self._legal_before
        return game


def read_event(text: str) -> str | None:
    """The canonical text of an event, or None when the text is none."""
    if not isinstance(text, str) or len(text) > 40:
        return None
    match = _EVENT.fullmatch("".join(text.split()).lower())
    return match[0] if match else None


def shared_prefix(game: Game, texts: Sequence[str]) -> int:
    """How many of these texts the game has already played, from its first entry on."""
    count = 0
    for entry, text in zip(game.entries, texts, strict=False):
        if entry.text != text:
            break
        count += 1
    return count
