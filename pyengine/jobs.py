"""Long work behind one request, done in slices, so that the host can hear other messages in between."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pyengine.ai import Search
from pyengine.ai.analysis import Analysis
from pyengine.ai.tables import Tables
from pyengine.ai.transpositions import Told
from pyengine.describe import move_data
from pyengine.errors import EngineError
from pyengine.jsonrpc import Id, Json
from pyengine.record import Game
from pyengine.rules import Rules, State

if TYPE_CHECKING:
    from pyengine.notation import ReadGame

#: The most leaves and inner positions that one perft may visit before it is refused as too long.
MAX_PERFT = 50_000_000
#: What a search cancelled before it has looked at every move may still take, in milliseconds.
FIRST_LOOK_MS = 15


#: The least time between two messages to the others of a team, in seconds.
NEWS_GAP = 0.015


class Team(NamedTuple):
    """Which one of `of` workers on the same search this is; `place` 0 has the answer."""

    name: str
    place: int
    of: int


class Job(Protocol):
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


class PerftJob:
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


class ReadJob:
    """Reads a text of many games, pausing between them and inside them."""

    def __init__(self, request: Id, text: str, ruleset: str | None) -> None:
        self.id = request
        self.told = 0.0
        from pyengine.notation.reader import as_stream, read_in_steps

        self._steps = read_in_steps(as_stream(text), ruleset)
        self._read: list[ReadGame] = []

    def run(self, seconds: float) -> bool:
        end = time.perf_counter() + seconds
        for game in self._steps:
            if game is not None:
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


class SearchJob:
    """The computer player thinking about the last position of a game, alone or in a team of workers."""

    def __init__(
        self,
        request: Id,
        game: Game,
        seed: int,
        tables: Tables,
        limits: Json,
        team: Team | None = None,
    ) -> None:
        self.id = request
        self.told = time.monotonic()
        self.team = team.name if team else None
        self._shared = self.told
        self._rules = game.rules
        self._legal = game.legal_moves
        self._search = Search(
            game.rules,
            game.state,
            game.keys[:-1],
            seed=seed,
            tables=tables,
            team=team and (team.place, team.of),
            wary=limits.get("lines", 1) == 1,  # several lines are there to be compared, not played
            **limits,
        )

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

    def news(self) -> Json | None:
        """What the others of the team should hear now (docs/wire.md, `learned`), if anything."""
        now = time.monotonic()
        if self.team is None or now - self._shared < NEWS_GAP:
            return None
        self._shared = now
        news = self._search.news()
        if not news:
            return None
        # As a text, since JavaScript, through whose hands it goes, has no whole numbers beyond 53 bits.
        entries = json.dumps(news, separators=(",", ":"))
        return {"name": self.team, "endings": self._search.endings, "entries": entries}

    def learn(self, entries: Iterable[Told], endings: int) -> None:
        """Take what another one of the team told."""
        self._search.learn(entries, endings)


class AnalyseJob:
    """A whole game looked over, position by position."""

    def __init__(self, request: Id, game: Game, tables: Tables, limits: Json) -> None:
        self.id = request
        self.told = time.monotonic()
        played = [
            (place, entry.move)
            for place, entry in enumerate(game.entries)
            if entry.move is not None
        ]
        self._places = [place for place, _ in played]
        moves = [move for _, move in played]
        self._analysis = Analysis(game.rules, game.start, moves, tables=tables, **limits)

    def run(self, seconds: float) -> bool:
        return self._analysis.run(seconds * 1000)

    def result(self) -> Json:
        found = self._analysis.result()
        plies = [{**entry, "ply": self._places[entry["ply"]]} for entry in found["plies"]]
        return {"plies": plies, "moments": [self._places[ply] for ply in found["moments"]]}

    def cancel(self) -> Json:
        self._analysis.stop()
        return self.result()

    def progress(self) -> Json | None:
        return dict(self._analysis.progress())
