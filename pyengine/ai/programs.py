"""Other programs as players of a match, each asked over its standard input and output, one message a line.

Two ways of asking, a class each: docs/wire.md's JSON-RPC, and UGI, the line protocol that programs for other board
games share with chess (`position`, `go`, `bestmove`). Another protocol is another class here.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING, Any, ClassVar

from pyengine.errors import EngineError
from pyengine.foreign import read_json

if TYPE_CHECKING:
    from pyengine.ai.match import Playing

#: How much of a line that was not understood is told.
SHOWN = 80
#: The longest line that is read: a search's answer with a long best line is far shorter.
MOST_LINE = 1_000_000
#: A program that has not moved after so many seconds hangs.
PATIENCE = 600
#: So many seconds it has to end in when it is not needed any more.
GRACE = 2


class Program(ABC):
    """A program that plays one game.

    `command` is split as a shell would; `limits`: what each move may cost, by the names of docs/wire.md's `search`.
    Raises `EngineError` (`match.program`) whenever the program cannot be begun, ends, hangs (`PATIENCE`), or answers
    what is no legal move.
    """

    _hangs = False

    def __init__(self, command: str, limits: Mapping[str, int]) -> None:
        self._limits = limits
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("no program is named")
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, ValueError) as fault:
            raise _trouble(f"{command!r} cannot be begun: {fault}") from fault

    def choose(self, game: Playing) -> int:
        """See `Player.choose`."""
        impatience = Timer(PATIENCE, self._give_up)
        impatience.daemon = True
        impatience.start()
        try:
            text = self.ask(game)
        except EngineError as fault:
            if self._hangs:
                raise _trouble(f"has not moved for {PATIENCE} seconds") from fault
            raise
        finally:
            impatience.cancel()
        legal = [known.text for known in game.rules.legal_moves(game.state)]
        if text not in legal:
            raise _trouble(f"played {_shown(text)}, which is illegal")
        return legal.index(text)

    def _give_up(self) -> None:
        """Whatever the program waits for: ended, it writes no more, and nothing waits for it."""
        self._hangs = True
        self._process.kill()

    @abstractmethod
    def ask(self, game: Playing) -> str:
        """The text of the move that the program wants to play."""

    def send(self, line: str) -> None:
        """Give the program a line to read."""
        assert self._process.stdin
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as fault:
            raise _trouble("has ended") from fault

    def lines(self) -> Iterator[str]:
        """The lines that the program writes; raises when there are no more, or one has no end."""
        assert self._process.stdout
        while line := self._process.stdout.readline(MOST_LINE):
            if len(line) == MOST_LINE:
                raise _trouble(f"wrote a line of more than {MOST_LINE:,} characters")
            yield line
        raise _trouble("ended without an answer")

    def close(self) -> None:
        """End the program, whether it wants to or not."""
        process = self._process
        assert process.stdin
        assert process.stdout
        with suppress(OSError):
            process.stdin.close()
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _trouble(what: str) -> EngineError:
    return EngineError("match.program", f"the program {what}")


def _shown(what: object) -> str:
    """The beginning of what a program told, without signs that a terminal would obey."""
    return repr(what)[:SHOWN]


class JsonRpcProgram(Program):
    """A program that answers docs/wire.md's `search`."""

    _id = 0

    def ask(self, game: Playing) -> str:
        """One request a move."""
        self._id += 1
        params = {"ruleset": game.rules.ruleset, "moves": game.texts(), **self._limits}
        request = {"jsonrpc": "2.0", "id": self._id, "method": "search", "params": params}
        self.send(json.dumps(request))
        for line in self.lines():
            if (answer := self._answer(line)) is not None:
                if "error" in answer:
                    raise _trouble(f"refused: {_shown(answer['error'])}")
                try:
                    move = answer["result"]["move"]
                    return str(move["text"] if isinstance(move, dict) else move)
                except (KeyError, TypeError) as fault:
                    raise _trouble(f"answered {_shown(line.strip())}") from fault
        raise AssertionError("lines() never ends")

    def _answer(self, line: str) -> dict[str, Any] | None:
        """The answer to the last request, if the line has it."""
        try:
            told = read_json(line)
        except ValueError as fault:
            raise _trouble(f"wrote {_shown(line.strip())}, which is no JSON") from fault
        for message in told if isinstance(told, list) else [told]:
            if isinstance(message, dict) and message.get("id") == self._id:
                return message
        return None


class UgiProgram(Program):
    """A program that speaks UGI. It is told the ruleset as the option `Ruleset`, a level as the option `Level`, and
    positions as the moves from the start, all in our texts; whatever else it writes is passed over."""

    _GO: ClassVar = {"nodes": "nodes", "ms": "movetime", "depth": "depth"}
    _begun = False

    def __init__(self, command: str, limits: Mapping[str, int]) -> None:
        for name in limits:
            if name not in (*self._GO, "level"):
                raise EngineError("params", f"{name!r} is no limit of a UGI program", name=name)
        super().__init__(command, limits)

    def ask(self, game: Playing) -> str:
        """A `position` and a `go` a move, after a greeting."""
        if not self._begun:
            self._begin(game)
        moves = game.texts()
        self.send("position startpos" + (f" moves {' '.join(moves)}" if moves else ""))
        limits = [f"{self._GO[n]} {value}" for n, value in self._limits.items() if n in self._GO]
        self.send(" ".join(["go", *limits]))
        words = self._wait("bestmove")
        if len(words) < 2:
            raise _trouble("told no best move")
        return words[1]

    def _begin(self, game: Playing) -> None:
        self.send("ugi")
        self._wait("ugiok")
        self.send(f"setoption name Ruleset value {game.rules.ruleset}")
        if "level" in self._limits:
            self.send(f"setoption name Level value {self._limits['level']}")
        self.send("uginewgame")
        self.send("isready")
        self._wait("readyok")
        self._begun = True

    def _wait(self, word: str) -> list[str]:
        """The words of the next line that begins with this one."""
        return next(words for line in self.lines() if (words := line.split())[:1] == [word])
