"""JSON-RPC 2.0 methods over the engine (docs/wire.md): the one thing that the worker and `rpc` call.

A message goes in by `Service.handle` and its answers come out as a JSON array of messages. Long work (search, perft)
runs in slices: while `Service.busy`, the host calls `Service.pump` between reading messages, so that no request waits
for a search and a `cancel` is heard at once. No fault of a message ever leaves `handle` or `pump` as an exception.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from pyengine import __version__
from pyengine.ai.tables import Tables
from pyengine.ai.transpositions import Told
from pyengine.describe import description, game_state, ply_data, ruleset_infos, snapshot
from pyengine.errors import EngineError
from pyengine.jobs import AnalyseJob, Job, PerftJob, ReadJob, SearchJob, Team
from pyengine.jsonrpc import (
    NO_METHOD,
    Id,
    Json,
    RpcFault,
    answer,
    check_request,
    dump,
    failure,
    notification,
    parse,
    request_id,
)
from pyengine.movetext import find_move, refusal_data
from pyengine.parameters import Method
from pyengine.position import perft
from pyengine.record import Game, shared_prefix
from pyengine.rules import Refusal, Rules, find_rules

#: The most long requests that may run at a time.
MAX_JOBS = 8
#: The least time between two progress notifications, in seconds.
PROGRESS_GAP = 0.1
#: How many games are kept for a request that goes on from them.
KEPT_GAMES = 6


class Service:
    """One client's conversation with the engine.

    >>> service = Service()
    >>> service.handle('{"jsonrpc": "2.0", "id": 1, "method": "perft", '
    ...                '"params": {"ruleset": "alquerque/table", "depth": 4}}')
    ''
    >>> while service.busy:
    ...     print(service.pump(1000), end="")
    [{"jsonrpc":"2.0","id":1,"result":{"leaves":12}}]
    """

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._ended: list[Job] = []
        self._games: list[Game] = []
        self._tables = Tables()
        self._outbox: list[str] = []
        self._methods = {
            "rulesets": Method(ruleset_infos),
            "describe": Method(self._describe, ("ruleset",)),
            "state": Method(self._state, ("ruleset",), ("position", "moves")),
            "play": Method(self._play, ("ruleset", "move"), ("position", "moves")),
            "game": Method(self._game_data, ("ruleset",), ("position", "moves")),
            "explain": Method(self._explain, ("ruleset",), ("position", "moves", "path", "move")),
            "check": Method(self._check, ("ruleset", "position")),
            "record.write": Method(
                self._write_record,
                ("ruleset", "moves"),
                ("position", "tags", "comments", "marks", "variations", "result", "reason"),
            ),
            "tables.offer": Method(self._offer_tables, ("index",)),
            "tables.add": Method(self._add_table, ("name", "data")),
            "version": Method(self._version),
            "teach": Method(self._teach, ("name", "endings", "entries")),
            "cancel": Method(self._cancel, ("id",)),
        }
        # Methods whose answer comes later: the call returns the job.
        self._long: dict[str, Method] = {
            "perft": Method(self._perft, ("ruleset", "depth"), ("position",)),
            "search": Method(
                self._search,
                ("ruleset",),
                ("position", "moves", "level", "depth", "nodes", "ms", "lines", "seed", "team"),
            ),
            "analyse": Method(self._analyse, ("ruleset",), ("position", "moves", "nodes")),
            "record.read": Method(self._read_records, ("text",), ("ruleset",)),
        }

    # --- messages in and out ----------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether `pump` has work to do."""
        return bool(self._jobs or self._ended)

    def handle(self, text: str) -> str:
        """Take one message; returns the messages to send now as a JSON array, or `""` for none."""
        request: Id = None
        wanted = True
        try:
            message = parse(text)
            request = request_id(message)
            check_request(message)
            wanted = "id" in message  # without an id it is a notification
            self._dispatch(message, request, wanted)
        except Exception as error:  # the worker must live on whatever happened
            if wanted:
                self._send(failure(request, error))
        return self._flush()

    def pump(self, ms: float) -> str:
        """Work about `ms` milliseconds on one of the waiting jobs, each in its turn; returns messages as
        `handle` does."""
        if self._ended:
            self._let_go()
        elif self._jobs:
            job = self._jobs[0]
            self._jobs.rotate(-1)
            try:
                if job.run(ms / 1000):
                    self._answer(job, job.result)
                else:
                    self._tell_progress(job)
                    self._tell_team(job)
            except Exception as error:  # a broken job must not stop the others
                self._end(job)
                self._send(failure(job.id, error))
        return self._flush()

    def _dispatch(self, message: Json, request: Id, wanted: bool) -> None:
        name = message["method"]
        method = self._methods.get(name) or self._long.get(name)
        if method is None:
            known = sorted({*self._methods, *self._long})
            text = f"there is no method {name[:40]!r}; known: {', '.join(known)}"
            raise RpcFault(NO_METHOD, text, {"kind": "method", "found": name[:40]})
        params = method.read(message.get("params", {}))
        if name in self._long:
            if wanted:  # nobody would hear the answer of a long notification
                self._start(method.call, request, params)
            return
        result = method.call(**params)
        if wanted:
            self._send(answer(request, result))

    def _send(self, message: Json) -> None:
        self._outbox.append(dump(message))

    def _flush(self) -> str:
        messages, self._outbox = self._outbox, []
        return f"[{','.join(messages)}]" if messages else ""

    # --- jobs -------------------------------------------------------------------------------------

    def _start(self, make: Callable[..., Job], request: Id, params: dict[str, Any]) -> None:
        if len(self._jobs) >= MAX_JOBS:
            message = f"{MAX_JOBS} searches are running already; cancel one first"
            raise EngineError("busy", message, most=MAX_JOBS)
        self._jobs.append(make(request, **params))
        # Python 3.14 follows all that a new object leads to at once, so a collection that meets a search's table holds
        # everything up for 40 ms and more. Long work makes no cycles: nothing is lost by waiting for its end.
        gc.disable()

    def _end(self, job: Job) -> None:
        self._jobs.remove(job)
        self._ended.append(job)

    def _let_go(self) -> None:
        """Free the memory of jobs that ended: tens of milliseconds, so never before their answer is out."""
        self._ended.clear()
        if not self._jobs:
            gc.enable()

    def _answer(self, job: Job, result: Callable[[], Json]) -> None:
        """Take a job off the list and send what `result` gives, or why it gives nothing."""
        self._end(job)
        try:
            self._send(answer(job.id, result()))
        except Exception as error:  # its client still waits for an answer
            self._send(failure(job.id, error))

    def _tell_progress(self, job: Job) -> None:
        now = time.monotonic()
        if now - job.told < PROGRESS_GAP:
            return
        news = job.progress()
        if news is not None:
            job.told = now
            self._send(notification("progress", {"id": job.id, **news}))

    def _tell_team(self, job: Job) -> None:
        news = job.news() if isinstance(job, SearchJob) else None
        if news is not None:
            self._send(notification("learned", news))

    def _teach(self, name: str, endings: int, entries: list[Told]) -> Json:
        """Hand what another worker learned to the searches of its team here."""
        pupils = [job for job in self._jobs if isinstance(job, SearchJob) and job.team == name]
        for job in pupils:
            job.learn(entries, endings)
        return {"taught": len(pupils)}

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
        # Imported when needed, as in jobs.py: a start waits for no record.
        from pyengine.notation import Line, Record, write_record
        from pyengine.notation.model import read_result

        record = Record(
            ruleset, position, Line.from_data(line), tags or {}, read_result(result), reason
        )
        return {"text": write_record(record)}

    def _version(self) -> Json:
        return {"engine": __version__, "python": sys.version.split()[0]}

    def _perft(self, request: Id, ruleset: str, depth: int, position: str | None = None) -> Job:
        rules = find_rules(ruleset)
        start = rules.start() if position is None else rules.parse(position)
        return PerftJob(request, rules, start, depth)

    def _read_records(self, request: Id, text: str, ruleset: str | None = None) -> Job:
        return ReadJob(request, text, ruleset)

    def _search(
        self,
        request: Id,
        ruleset: str,
        position: str | None = None,
        moves: list[str] | None = None,
        seed: int | None = None,
        team: Team | None = None,
        **limits: Any,
    ) -> Job:
        if not limits.keys() & {"level", "depth", "nodes", "ms"}:
            message = "a search needs a level, or a limit: depth, nodes or ms"
            raise EngineError("params", message, name="level")
        game = self._game(ruleset, position, moves)
        if not game.legal_moves:
            raise EngineError("over", "the game is over: there is no move to search")
        wanted = self._tables.wanted(game.rules, game.state, limits.get("level"))
        if wanted:  # this search does without; the next ones will have them
            self._send(notification("wanted", {"files": wanted}))
        chosen = random.randrange(1 << 30) if seed is None else seed
        return SearchJob(request, game, chosen, self._tables, limits, team)

    def _analyse(
        self,
        request: Id,
        ruleset: str,
        position: str | None = None,
        moves: list[str] | None = None,
        **limits: Any,
    ) -> Job:
        return AnalyseJob(request, self._game(ruleset, position, moves), self._tables, limits)

    # --- tables of endings ------------------------------------------------------------------------

    def _offer_tables(self, index: str) -> Json:
        self._tables.offer(index)
        return {}

    def _add_table(self, name: str, data: bytes) -> Json:
        return {"ruleset": self._tables.add(data, name)}


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
