"""JSON-RPC 2.0 methods over the engine (docs/wire.md): the one thing that the worker and `rpc` call.

A message goes in by `Service.handle` and its answers come out as a JSON array of messages. Long work (search, perft)
runs in slices: while `Service.busy`, the host calls `Service.pump` between reading messages, so that no request waits
for a search and a `cancel` is heard at once. No fault of a message ever leaves `handle` or `pump` as an exception.
"""

from __future__ import annotations

import json
import math
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from pyengine import __version__
from pyengine.ai import Search
from pyengine.describe import (
    Json,
    description,
    game_state,
    move_data,
    ply_data,
    ruleset_infos,
    snapshot,
)
from pyengine.diagram import MAX_TEXT
from pyengine.errors import EngineError
from pyengine.movetext import MAX_MOVE, find_move, refusal_data
from pyengine.notation import Line, ReadGame, Record, read_text, write_record
from pyengine.notation.model import read_result
from pyengine.position import perft
from pyengine.record import MAX_ENTRIES, Game, shared_prefix
from pyengine.rules import MAX_RULESET, Refusal, Rules, State, find_rules

#: The longest message read, in characters; a record of many games is the longest there is.
MAX_MESSAGE = 4_000_000
#: The most leaves and inner positions that one perft may visit before it is refused as too long.
MAX_PERFT = 50_000_000
#: The most searches and perfts that may wait at a time.
MAX_JOBS = 8
#: The least time between two progress notifications, in seconds.
PROGRESS_GAP = 0.1
#: What a search cancelled before it has looked at every move may still take, in milliseconds.
FIRST_LOOK_MS = 15
#: How many games are kept for a request that goes on from them.
KEPT_GAMES = 6

NOT_JSON, NOT_A_REQUEST, NO_METHOD, BAD_PARAMS, UNEXPECTED = -32700, -32600, -32601, -32602, -32603

Id = str | int | float | None


class _Fault(Exception):
    """A message that cannot be answered, with the code of its error object."""

    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class _Job(Protocol):
    """Long work behind one request, done in slices.

    `told` is when progress was last told, by `time.monotonic`.
    """

    id: Id
    told: float

    def run(self, seconds: float) -> bool:
        """Work for about so long; True when finished. Raises `EngineError` when it cannot be finished."""

    def result(self) -> Json:
        """The result."""

    def cancel(self) -> Json:
        """The best result so far, the work being given up. Raises `EngineError` when half a result is none."""

    def progress(self) -> Json | None:
        """What to tell meanwhile, when there is something new."""


# --- parameters -----------------------------------------------------------------------------------


def _bad(name: str, need: str) -> EngineError:
    return EngineError("params", f"{name} must be {need}", name=name)


def _text(longest: int) -> Callable[[str, Any], str]:
    def read(name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise _bad(name, "a text")
        if len(value) > longest:
            message = f"{name} is longer than {longest} characters"
            raise EngineError("too-long", message, name=name, most=longest)
        return value

    return read


def _texts(longest: int, most: int) -> Callable[[str, Any], list[str]]:
    def read(name: str, value: Any) -> list[str]:
        if not isinstance(value, list):
            raise _bad(name, "a list of texts")
        if len(value) > most:
            raise EngineError(
                "too-long", f"{name} has more than {most} items", name=name, most=most
            )
        item = _text(longest)
        return [item(f"{name}[{place}]", text) for place, text in enumerate(value)]

    return read


def _whole(least: int, most: int) -> Callable[[str, Any], int]:
    def read(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise _bad(name, f"a whole number from {least} to {most}")
        return value

    return read


def _tags(name: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
        raise _bad(name, "an object of texts")
    return value


def _object(name: str, value: Any) -> Json:
    if not isinstance(value, dict):
        raise _bad(name, "an object")
    return value


def _id(name: str, value: Any) -> Id:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _bad(name, "the id of a request: a text or a number")
    return value


#: A parameter means the same in every method that has it.
_READERS: dict[str, Callable[[str, Any], Any]] = {
    "ruleset": _text(MAX_RULESET),
    "position": _text(MAX_TEXT),
    "moves": _texts(MAX_MOVE, MAX_ENTRIES),
    "move": _text(MAX_MOVE),
    "path": _texts(4, 400),
    "depth": _whole(0, 99),
    "nodes": _whole(1, 10**9),
    "ms": _whole(1, 3_600_000),
    "level": _whole(0, 99),
    "lines": _whole(1, 500),
    "seed": _whole(0, 2**53),
    "id": _id,
    "text": _text(MAX_MESSAGE),
    "tags": _tags,
    "comments": _object,
    "marks": _object,
    "variations": _object,
    "result": _text(20),
    "reason": _text(40),
}


class _Method(NamedTuple):
    call: Callable[..., Any]
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()

    def read(self, params: Any) -> dict[str, Any]:
        """The checked parameters; raises `EngineError` (`params`, `too-long`) naming the first bad one."""
        if not isinstance(params, dict):
            raise EngineError("params", "params must be an object of named values", name="params")
        known = self.needs + self.may
        for name in params:
            if name not in known:
                message = (
                    f"there is no parameter {name[:40]!r}; known: {', '.join(known) or 'none'}"
                )
                raise EngineError("params", message, name=name[:40])
        given = {name: value for name, value in params.items() if value is not None}
        for name in self.needs:
            if name not in given:
                raise EngineError("params", f"the parameter {name} is missing", name=name)
        return {name: _READERS[name](name, value) for name, value in given.items()}


# --- long work ------------------------------------------------------------------------------------


class _PerftJob:
    """Counts leaves with a stack of its own, so that it can pause between any two positions."""

    def __init__(self, request: Id, rules: Rules, state: State, depth: int) -> None:
        self.id = request
        self.told = 0.0
        self._leaves = 0
        self._visited = 0
        self._steps = self._walk(rules, state, depth)

    def _walk(self, rules: Rules, state: State, depth: int) -> Iterator[None]:
        if depth == 0:
            self._leaves = 1
            return
        stack = [(state, depth)]
        while stack:
            state, depth = stack.pop()
            if depth == 1:
                self._leaves += rules.count(state)
            else:
                stack += [(after, depth - 1) for after in rules.successors(state)]
            self._visited += 1
            yield

    def run(self, seconds: float) -> bool:
        end = time.perf_counter() + seconds
        for _ in self._steps:
            if self._leaves + self._visited > MAX_PERFT:
                message = f"this perft visits more than {MAX_PERFT} positions; take a lower depth"
                raise EngineError("too-long", message, name="depth", most=MAX_PERFT)
            if time.perf_counter() >= end:
                return False
        return True

    def result(self) -> Json:
        return {"leaves": self._leaves}

    def cancel(self) -> Json:
        raise EngineError("cancelled", "the count was cancelled")

    def progress(self) -> Json | None:
        return None


class _ReadJob:
    """Reads a text of many games, pausing between them."""

    def __init__(self, request: Id, text: str, ruleset: str | None) -> None:
        self.id = request
        self.told = 0.0
        self._games = read_text(text, ruleset)
        self._read: list[ReadGame] = []

    def run(self, seconds: float) -> bool:
        end = time.perf_counter() + seconds
        for game in self._games:
            self._read.append(game)
            if time.perf_counter() >= end:
                return False
        return True

    def result(self) -> Json:
        faults = [fault.as_data() for game in self._read for fault in game.faults]
        return {"games": [game.record.as_data() for game in self._read], "faults": faults}

    def cancel(self) -> Json:
        return self.result()

    def progress(self) -> Json | None:
        return {"games": len(self._read)}


class _SearchJob:
    """The computer player thinking about the last position of a game."""

    def __init__(self, request: Id, game: Game, seed: int, limits: Json) -> None:
        self.id = request
        self.told = time.monotonic()
        self._rules = game.rules
        self._legal = game.legal_moves
        self._search = Search(game.rules, game.state, game.keys[:-1], seed=seed, **limits)

    def run(self, seconds: float) -> bool:
        return self._search.run(seconds * 1000)

    def result(self) -> Json:
        found = self._search.result()
        best = self._legal[found.pop("index")]
        return {**found, "move": move_data(self._rules, best)}

    def cancel(self) -> Json:
        if not self._search.depth:  # so that the answer is never a move picked blindly
            self._search.run(FIRST_LOOK_MS)
        self._search.stop()
        return self.result()

    def progress(self) -> Json | None:
        return self._search.progress()


# --- the service ----------------------------------------------------------------------------------


class Service:
    """One client's conversation with the engine.

    >>> service = Service()
    >>> service.handle('{"jsonrpc": "2.0", "id": 1, "method": "perft", '
    ...                '"params": {"ruleset": "alquerque/table", "depth": 4}}')
    ''
    >>> while service.busy:
    ...     print(service.pump(8))
    [{"jsonrpc":"2.0","id":1,"result":{"leaves":12}}]
    """

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._games: list[Game] = []
        self._outbox: list[Json] = []
        self._methods = {
            "rulesets": _Method(ruleset_infos),
            "describe": _Method(self._describe, ("ruleset",)),
            "state": _Method(self._state, ("ruleset",), ("position", "moves")),
            "play": _Method(self._play, ("ruleset", "move"), ("position", "moves")),
            "game": _Method(self._game_data, ("ruleset",), ("position", "moves")),
            "explain": _Method(self._explain, ("ruleset",), ("position", "moves", "path", "move")),
            "check": _Method(self._check, ("ruleset", "position")),
            "record.write": _Method(
                self._write_record,
                ("ruleset", "moves"),
                ("position", "tags", "comments", "marks", "variations", "result", "reason"),
            ),
            "version": _Method(self._version),
            "cancel": _Method(self._cancel, ("id",)),
        }
        # Methods whose answer comes later: the call returns the job.
        self._long: dict[str, _Method] = {
            "perft": _Method(self._perft, ("ruleset", "depth"), ("position",)),
            "search": _Method(
                self._search,
                ("ruleset",),
                ("position", "moves", "level", "depth", "nodes", "ms", "lines", "seed"),
            ),
            "record.read": _Method(self._read_records, ("text",), ("ruleset",)),
        }

    # --- messages in and out ----------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether `pump` has work to do."""
        return bool(self._jobs)

    def handle(self, text: str) -> str:
        """Take one message; returns the messages to send now as a JSON array, or `""` for none."""
        request: Id = None
        wanted = True
        try:
            message = _parse(text)
            request = _request_id(message)
            _check_request(message)
            wanted = "id" in message  # without an id it is a notification
            self._dispatch(message, request, wanted)
        except Exception as error:  # the worker must live on whatever happened
            if wanted:
                self._send(_failure(request, error))
        return self._flush()

    def pump(self, ms: float) -> str:
        """Work about `ms` milliseconds on one of the waiting jobs, each in its turn; returns messages as
        `handle` does."""
        if self._jobs:
            job = self._jobs[0]
            self._jobs.rotate(-1)
            try:
                if job.run(ms / 1000):
                    self._answer(job, job.result)
                else:
                    self._tell_progress(job)
            except Exception as error:  # a broken job must not stop the others
                self._jobs.remove(job)
                self._send(_failure(job.id, error))
        return self._flush()

    def _dispatch(self, message: Json, request: Id, wanted: bool) -> None:
        name = message["method"]
        method = self._methods.get(name) or self._long.get(name)
        if method is None:
            known = sorted({*self._methods, *self._long})
            text = f"there is no method {name[:40]!r}; known: {', '.join(known)}"
            raise _Fault(NO_METHOD, text, {"kind": "method", "found": name[:40]})
        params = method.read(message.get("params", {}))
        if name in self._long:
            if wanted:  # nobody would hear the answer of a long notification
                self._start(method.call, request, params)
            return
        result = method.call(**params)
        if wanted:
            self._send({"jsonrpc": "2.0", "id": request, "result": result})

    def _send(self, message: Json) -> None:
        self._outbox.append(message)

    def _flush(self) -> str:
        messages, self._outbox = self._outbox, []
        return _dump(messages) if messages else ""

    # --- jobs -------------------------------------------------------------------------------------

    def _start(self, make: Callable[..., _Job], request: Id, params: dict[str, Any]) -> None:
        if len(self._jobs) >= MAX_JOBS:
            message = f"{MAX_JOBS} searches are running already; cancel one first"
            raise EngineError("busy", message, most=MAX_JOBS)
        self._jobs.append(make(request, **params))

    def _answer(self, job: _Job, result: Callable[[], Json]) -> None:
        """Take a job off the list and send what `result` gives, or why it gives nothing."""
        self._jobs.remove(job)
        try:
            self._send({"jsonrpc": "2.0", "id": job.id, "result": result()})
        except Exception as error:  # its client still waits for an answer
            self._send(_failure(job.id, error))

    def _tell_progress(self, job: _Job) -> None:
        now = time.monotonic()
        if now - job.told < PROGRESS_GAP:
            return
        news = job.progress()
        if news is not None:
            job.told = now
            params = {"id": job.id, **news}
            self._send({"jsonrpc": "2.0", "method": "progress", "params": params})

    def _cancel(self, id: Id) -> Json:
        job = next((job for job in self._jobs if job.id == id), None)
        if job is None:
            return {"cancelled": False}
        self._answer(job, job.cancel)
        return {"cancelled": True}

    # --- games ------------------------------------------------------------------------------------

    def _game(self, ruleset: str, position: str | None, moves: list[str] | None) -> Game:
        """The game after these moves; games asked for lately are kept, so that a further ply costs a ply."""
        rules = find_rules(ruleset)
        start = rules.start() if position is None else rules.parse(position)
        texts = moves or []
        game, shared = None, 0
        for kept in self._games:
            if kept.rules is rules and kept.start == start:
                common = shared_prefix(kept, texts)
                if game is None or common > shared:
                    game, shared = kept, common
        if game is None:
            game = Game(rules, start)
        elif shared < len(game.entries):
            game = game.upto(shared)
        game.extend(texts[shared:])
        others = [kept for kept in self._games if kept is not game]
        self._games = [*others[1 - KEPT_GAMES :], game]
        return game

    def _describe(self, ruleset: str) -> Json:
        return description(find_rules(ruleset))

    def _state(
        self, ruleset: str, position: str | None = None, moves: list[str] | None = None
    ) -> Json:
        return game_state(self._game(ruleset, position, moves))

    def _play(
        self,
        ruleset: str,
        move: str,
        position: str | None = None,
        moves: list[str] | None = None,
    ) -> Json:
        return game_state(self._game(ruleset, position, [*(moves or []), move]))

    def _game_data(
        self, ruleset: str, position: str | None = None, moves: list[str] | None = None
    ) -> Json:
        game = self._game(ruleset, position, moves)
        return {
            "state": game_state(game),
            "start": snapshot(game.rules, game.start),
            "plies": [ply_data(game.rules, entry) for entry in game.entries],
        }

    def _explain(
        self,
        ruleset: str,
        position: str | None = None,
        moves: list[str] | None = None,
        path: list[str] | None = None,
        move: str | None = None,
    ) -> Json | None:
        game = self._game(ruleset, position, moves)
        if path is None and move is None:
            raise EngineError("params", "either path or move is needed", name="path")
        if not game.legal_moves:
            return refusal_data(game.rules, Refusal("over"))
        if move is not None:
            return _explain_text(game, move)
        points = [_point(game.rules, name) for name in path or []]
        refusal = game.rules.explain(game.state, points)
        return None if refusal is None else refusal_data(game.rules, refusal)

    def _check(self, ruleset: str, position: str) -> Json:
        rules = find_rules(ruleset)
        return {"position": rules.format(rules.parse(position))}

    def _write_record(
        self,
        ruleset: str,
        position: str | None = None,
        tags: dict[str, str] | None = None,
        result: str | None = None,
        reason: str | None = None,
        **line: Any,
    ) -> Json:
        record = Record(
            ruleset, position, Line.from_data(line), tags or {}, read_result(result), reason
        )
        return {"text": write_record(record)}

    def _version(self) -> Json:
        return {"engine": __version__, "python": sys.version.split()[0]}

    def _perft(self, request: Id, ruleset: str, depth: int, position: str | None = None) -> _Job:
        rules = find_rules(ruleset)
        start = rules.start() if position is None else rules.parse(position)
        return _PerftJob(request, rules, start, depth)

    def _read_records(self, request: Id, text: str, ruleset: str | None = None) -> _Job:
        return _ReadJob(request, text, ruleset)

    def _search(
        self,
        request: Id,
        ruleset: str,
        position: str | None = None,
        moves: list[str] | None = None,
        seed: int | None = None,
        **limits: Any,
    ) -> _Job:
        if not limits.keys() & {"level", "depth", "nodes", "ms"}:
            message = "a search needs a level, or a limit: depth, nodes or ms"
            raise EngineError("params", message, name="level")
        game = self._game(ruleset, position, moves)
        if not game.legal_moves:
            raise EngineError("over", "the game is over: there is no move to search")
        chosen = random.randrange(1 << 30) if seed is None else seed
        return _SearchJob(request, game, chosen, limits)


def _explain_text(game: Game, text: str) -> Json | None:
    try:
        find_move(game.rules, game.state, text)
    except EngineError as error:
        if error.kind == "move.ambiguous":
            return {"kind": "fork", "points": [], "candidates": error.data["candidates"]}
        refusal: Any = error.data["refusal"]
        return dict(refusal)
    return None


def _point(rules: Rules, name: str) -> int:
    if name not in rules.board.index:
        raise EngineError(
            "params", f"{name!r} is not a point of this board", name="path", found=name
        )
    return rules.board.index[name]


# --- JSON-RPC objects -----------------------------------------------------------------------------


def _parse(text: str) -> Json:
    """The request object in a text; raises `_Fault`."""
    if not isinstance(text, str) or len(text) > MAX_MESSAGE:
        raise _Fault(NOT_A_REQUEST, f"a message is a text of at most {MAX_MESSAGE} characters")
    try:
        message = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _Fault(NOT_JSON, f"the message is not JSON: {error}") from None
    if isinstance(message, list):
        raise _Fault(NOT_A_REQUEST, "batches are not served; send one request a message")
    if not isinstance(message, dict):
        raise _Fault(NOT_A_REQUEST, "a request is a JSON object")
    return message


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _request_id(message: Json) -> Id:
    """The id of a request, None when it has none; raises `_Fault`."""
    request = message.get("id")
    strange = isinstance(request, bool | list | dict)
    if strange or (isinstance(request, float) and not math.isfinite(request)):
        raise _Fault(NOT_A_REQUEST, "an id is a text, a number or null")
    return request


def _check_request(message: Json) -> None:
    if message.get("jsonrpc") != "2.0":
        raise _Fault(NOT_A_REQUEST, 'a request has "jsonrpc": "2.0"')
    if not isinstance(message.get("method"), str):
        raise _Fault(NOT_A_REQUEST, "a request names its method by a text")


def _failure(request: Id, error: Exception) -> Json:
    """The error answer for anything that was raised."""
    fault: Json
    if isinstance(error, _Fault):
        fault = {"code": error.code, "message": str(error)}
        if error.data is not None:
            fault["data"] = error.data
    elif isinstance(error, EngineError):
        fault = {"code": BAD_PARAMS, "message": str(error), "data": error.as_data()}
    else:
        message = f"unexpected {type(error).__name__}: {error}"
        fault = {"code": UNEXPECTED, "message": message[:500], "data": {"kind": "unexpected"}}
    return {"jsonrpc": "2.0", "id": request, "error": fault}


def _dump(messages: list[Json]) -> str:
    # ASCII only, so that half a surrogate pair from a client cannot break the channel.
    return json.dumps(messages, separators=(",", ":"), allow_nan=False)


# --- for the host ---------------------------------------------------------------------------------


def self_test() -> bool:
    """Whether the engine still counts right, for use after a restored memory snapshot; takes a few ms."""
    rules = find_rules("alquerque/table")
    try:
        return [perft(rules, rules.start(), depth) for depth in (3, 5)] == [6, 29]
    except Exception:  # whatever a broken restore brings up means the same: do not use it
        return False


def reseed(seed: int) -> None:
    """Set the random numbers anew: a memory snapshot has them frozen at build time."""
    random.seed(seed)
