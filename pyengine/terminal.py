"""A game in the terminal, against the computer or between two people."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pyengine.ai import Search
from pyengine.diagram import SIDES
from pyengine.drawing import draw
from pyengine.errors import EngineError
from pyengine.notation import Line, Record, write_record
from pyengine.record import Game

HELP = """\
  a move      as `moves` lists them, e.g. c2-c3, c2xc4xe4, d3e3+; spaces and capitals do not matter
  moves       list the legal moves
  undo        take back your last move and the computer's
  draw        offer a draw (the computer takes it when it sees itself no better)
  count       offer to count the pieces, where the rules have it
  resign      give up
  save FILE   write the game as a record
  help, quit"""


@dataclass
class Table:
    """One game at the terminal.

    `humans`: the sides (0, 1) that people play; `level`: of the computer, 1 to 9; `ask` prints a question and gives
    the line typed, raising `EOFError` at the end of input; `tell` prints.
    """

    game: Game
    humans: frozenset[int]
    level: int
    seed: int
    ask: Callable[[str], str] = input
    tell: Callable[[str], None] = print
    _commands: dict[str, Callable[[str], bool]] = field(init=False)

    def __post_init__(self) -> None:
        self._commands = {
            "moves": self._moves,
            "undo": self._undo,
            "draw": lambda _: self._offer("draw"),
            "count": lambda _: self._offer("count"),
            "resign": self._resign,
            "save": self._save,
            "help": self._help,
        }

    def play(self) -> None:
        """Play until the game is over or the player leaves."""
        self._show()
        while self.game.outcome is None:
            side = self.game.state[2]
            if side not in self.humans:
                self.game.play(self._think()["move"])
                self.tell(f"{SIDES[side]} plays {self.game.entries[-1].text}")
                self._show()
                continue
            try:
                text = self.ask(f"{SIDES[side]} to move> ").strip()
            except EOFError:
                return
            if text == "quit":
                return
            if text:
                self._obey(text)
        winner, reason = self.game.outcome
        self.tell(f"{winner} wins ({reason})" if winner else f"a draw ({reason})")

    def _obey(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        command = self._commands.get(word)
        try:
            if command is None:
                self.game.play(text)
            if command is None or command(rest.strip()):
                self._show()
        except EngineError as error:
            self.tell(f"{error}\n(`moves` lists the legal moves, `help` the commands)")
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            self.tell(f"not saved: {error}")

    def _show(self) -> None:
        self.tell("\n" + draw(self.game.rules, self.game.state) + "\n")

    def _think(self) -> dict[str, Any]:
        number = len(self.game.entries)
        search = Search(
            self.game.rules,
            self.game.state,
            self.game.keys[:-1],
            level=self.level,
            seed=self.seed + number,
        )
        while not search.run():
            pass
        return search.result()

    # Commands return whether the board should be shown again.

    def _help(self, _: str) -> bool:
        self.tell(HELP)
        return False

    def _moves(self, _: str) -> bool:
        self.tell("  ".join(move.text for move in self.game.legal_moves))
        return False

    def _undo(self, _: str) -> bool:
        """Back to the last position in which the person to move had a choice before this one."""
        side = self.game.state[2]
        own = [n for n, entry in enumerate(self.game.entries) if entry.move and entry.side == side]
        self.game = self.game.upto(own[-1] if own else 0)
        return True

    def _resign(self, _: str) -> bool:
        self.game.play(f"resign:{SIDES[self.game.state[2]]}")
        return False

    def _offer(self, kind: str) -> bool:
        side = self.game.state[2]
        receiver = SIDES[1 - side]
        self.game.play(f"offer-{kind}:{SIDES[side]}")
        if 1 - side in self.humans:
            answer = self.ask(f"{receiver}, do you accept (y/n)> ").strip().lower()
            accepted = answer.startswith("y")
        else:
            accepted = self._accepts(kind)
        self.game.play(f"{'accept' if accepted else 'decline'}:{receiver}")
        if not accepted:
            self.tell(f"{receiver} declines")
        return False

    def _accepts(self, kind: str) -> bool:
        """Whether the computer, which is not to move, does at least as well by the offer as it hopes to by playing."""
        if kind == "count":
            own, foe = self.game.state[:2]
            return bool(foe.bit_count() > own.bit_count())
        return bool(self._think()["score"] >= 0)

    def _save(self, name: str) -> bool:
        if not name:
            self.tell("save where? e.g. save game.txt")
            return False
        with open(name, "w", encoding="utf-8") as file:
            file.write(self._record())
        self.tell(f"written to {name}")
        return False

    def _record(self) -> str:
        players = {letter.upper(): side for side, letter in enumerate(SIDES)}
        tags = {"Date": time.strftime("%Y.%m.%d")}
        for tag, side in players.items():
            if side not in self.humans:
                tags[tag] = f"Qirkat, level {self.level}"
        start = self.game.rules.format(self.game.start)
        return write_record(Record(self.game.rules.ruleset, start, Line(self.game.texts), tags))
