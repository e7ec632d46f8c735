"""Matches between computer players: colours alternating, paired openings, Elo with its error, early stopping.

A player is told by a text:

- `5`: level 5;
- `nodes=2000,blur=10,evaluation=pieces,without=killers+history`: any limits (`depth`, `nodes`, `ms`, `blur`), another
  evaluation (`pieces` or the file name of learned tables), techniques left out, `tables=FOLDER` of endings,
  `proofs=yes` of openings from that folder too, `book=yes` or `no`;
- `program:COMMAND;level=3`: any program that answers docs/wire.md's `search` on its standard input and output;
- `ugi:COMMAND;nodes=2000`: any program that speaks UGI there (programs.py).

Games with limits by nodes are the same on every machine. A file of games lets an interrupted match go on where it was.
"""

from __future__ import annotations

import json
import math
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pyengine.ai.evaluation import Evaluation, find_evaluation, plain
from pyengine.ai.evaluation.patterns import judge
from pyengine.ai.programs import JsonRpcProgram, UgiProgram
from pyengine.ai.search import DRAW_RULES, TECHNIQUES, Search
from pyengine.ai.tables import Tables
from pyengine.cluster import Spread, cluster
from pyengine.errors import EngineError
from pyengine.foreign import read_json
from pyengine.notation import Line, Record, read_records
from pyengine.rules import REPETITIONS, Rules, State, find_rules

#: Random plies go on until so many different openings of that length are likely.
OPENINGS = 20_000
#: An opening is taken only when a search of so many nodes finds neither side better by more than `UNDECIDED`, in
#: hundredths of a piece: games that are decided before they begin tell nothing about their players.
LOOK, UNDECIDED = 1_000, 80
#: Other programs as players, by the first word of their text.
PROGRAMS = {"program": JsonRpcProgram, "ugi": UgiProgram}
#: A game longer than this is a draw; no ruleset's limits allow one that makes sense.
MOST_PLIES = 1_000


class Player(Protocol):
    """Whoever can choose a move."""

    def choose(self, game: Playing) -> int:
        """The chosen move's place among the legal ones."""

    def close(self) -> None:
        """The player is not needed any more."""


class Playing:
    """A game under way: what both players are told."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules = rules
        self.seed = seed
        self.state: State = rules.start()
        self.moves: list[State] = rules.successors(self.state)
        self.keys: list[Any] = [rules.key(self.state)]
        self.chosen: list[int] = []
        self._stood = Counter(self.keys)

    def play(self, index: int) -> None:
        """Play the move at a place among the legal ones."""
        self.chosen.append(index)
        self.state = self.moves[index]
        key = self.rules.key(self.state)
        self.keys.append(key)
        self._stood[key] += 1
        self.moves = self.rules.successors(self.state)

    def result(self) -> float | None:
        """Points for x: 1, ½ or 0; None while the game goes on."""
        if self.rules.repetition and self._stood[self.keys[-1]] >= REPETITIONS:
            return 0.5  # before the limit, which may count pieces
        if self.moves:
            return 0.5 if len(self.chosen) >= MOST_PLIES else None
        value = self.rules.result(self.state) * (-1 if self.state[2] else 1)
        return (value + 1) / 2

    def texts(self) -> list[str]:
        """The moves played, as texts."""
        state, texts = self.rules.start(), []
        for index in self.chosen:
            move = self.rules.legal_moves(state)[index]
            texts.append(move.text)
            state = move.after
        return texts


class Thinker:
    """The engine's own search with some limits."""

    def __init__(self, spec: str) -> None:
        if spec.isdigit():
            self._limits: dict[str, Any] = {"level": int(spec)}
            self._evaluation = self._tables = ""
            self._proofs = False
            return
        words = dict(_word(word) for word in spec.split(","))
        self._evaluation = words.pop("evaluation", "")
        self._limits = {}
        self._tables = words.pop("tables", "")
        self._proofs = _yes("proofs", words.pop("proofs", "no"))
        if book := words.pop("book", ""):
            self._limits["book"] = _yes("book", book)
        if without := words.pop("without", ""):
            self._limits["without"] = [_technique(name) for name in without.split("+")]
        for name, value in words.items():
            if name not in ("depth", "nodes", "ms", "level", "blur"):
                raise EngineError("params", f"{name!r} is no setting of a player", name=name)
            self._limits[name] = _whole(name, value)

    def choose(self, game: Playing) -> int:
        """See `Player.choose`."""
        evaluation = None
        if self._evaluation == "pieces":
            evaluation = plain(game.rules)
        elif self._evaluation == "simple":
            evaluation = find_evaluation(game.rules, learned=False)
        elif self._evaluation:
            evaluation = _learned(game.rules, self._evaluation)
        seed = game.seed + len(game.chosen)
        tables = _tables_for(game, self._tables, self._proofs) if self._tables else None
        search = Search(
            game.rules,
            game.state,
            game.keys[:-1],
            evaluation=evaluation,
            seed=seed,
            tables=tables,
            **self._limits,
        )
        search.run()
        return search.best

    def close(self) -> None:
        """Nothing to close."""


@lru_cache(maxsize=8)
def _learned(rules: Rules, path: str) -> Evaluation:
    try:
        return judge(rules, Path(path).read_bytes())
    except (ValueError, KeyError, zlib.error) as fault:
        message = f"{path} holds no learned tables for {rules.ruleset}"
        raise EngineError("params", message, name="evaluation") from fault


@lru_cache(maxsize=8)
def _tables_in(folder: str, proofs: bool) -> Tables:
    """The tables of endings that a folder offers; without its `proofs` a match measures the search."""
    try:
        listed = read_json(Path(folder, "index.json").read_bytes())
        offered = listed if proofs else {"files": listed["files"]}
    except (ValueError, KeyError, TypeError) as fault:
        message = f"{folder}/index.json lists no tables of endings"
        raise EngineError("params", message, name="tables") from fault
    tables = Tables()
    tables.offer(json.dumps(offered))
    return tables


def _tables_for(game: Playing, folder: str, proofs: bool) -> Tables:
    """The folder's tables, with those that a game will soon need read in: the page does the same."""
    tables = _tables_in(folder, proofs)
    for name in tables.wanted(game.rules, game.state):
        tables.add(Path(folder, name).read_bytes(), name)
    return tables


def make_player(spec: str) -> Player:
    """The player that a text tells; raises `EngineError` for a text that tells none."""
    kind, colon, rest = spec.partition(":")
    if not colon or kind not in PROGRAMS:
        return Thinker(spec)
    command, *words = rest.split(";")
    return PROGRAMS[kind](command, {name: _whole(name, value) for name, value in map(_word, words)})


def _word(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not value:
        raise EngineError("params", f"{text!r} is not a setting=value of a player", name="player")
    return name, value


def _yes(name: str, value: str) -> bool:
    if value not in ("yes", "no"):
        raise EngineError("params", f"{name} is yes or no, not {value!r}", name=name)
    return value == "yes"


def _whole(name: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise EngineError("params", f"{name}={value} is not a whole number from 0 up", name=name)
    return int(value)


def _technique(name: str) -> str:
    if name not in TECHNIQUES + DRAW_RULES:
        known = ", ".join(TECHNIQUES + DRAW_RULES)
        raise EngineError("params", f"{name!r} is no technique; there are {known}", name="without")
    return name


class Played(NamedTuple):
    """One finished game of a match: its opening's number, whether A played x, and A's points."""

    pair: int
    a_is_x: bool
    points: float
    moves: list[str]


@dataclass(frozen=True)
class Score:
    """What the finished pairs of a match say about A against B."""

    wins: int
    draws: int
    losses: int
    mean: float
    error: float  # half the 95 % interval of the mean

    @property
    def games(self) -> int:
        """Finished games."""
        return self.wins + self.draws + self.losses

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of A's share of the points."""
        return (max(0.0, self.mean - self.error), min(1.0, self.mean + self.error))

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"+{self.wins} ={self.draws} -{self.losses}  {100 * self.mean:.1f} % "
            f"[{100 * low:.1f}, {100 * high:.1f}]  Elo {_signed(self.mean)} "
            f"[{_signed(low)}, {_signed(high)}]"
        )


def score(games: Iterable[Played]) -> Score:
    """The score of games; both games of an opening count as one draw of the lot, since they are alike."""
    games = list(games)
    pairs: dict[int, list[float]] = {}
    for game in games:
        pairs.setdefault(game.pair, []).append(game.points)
    means = [sum(points) / len(points) for points in pairs.values()]
    mean = sum(game.points for game in games) / len(games) if games else 0.5
    pairs_played = len(means)
    # One more imaginary pair, won or lost with equal chance, keeps the error of a clean sweep from being nought.
    spread = sum((one - mean) ** 2 for one in means) + (1 - mean) ** 2 / 2 + mean**2 / 2
    error = 1.96 * math.sqrt(spread / (pairs_played + 1)) / math.sqrt(max(1, pairs_played))
    wins = sum(game.points == 1 for game in games)
    losses = sum(game.points == 0 for game in games)
    return Score(wins, len(games) - wins - losses, losses, mean, error)


def elo(mean: float) -> float:
    """The Elo difference that a share of the points means.

    >>> round(elo(0.75)), elo(0.5)
    (191, 0.0)
    """
    if mean <= 0 or mean >= 1:
        return math.inf if mean >= 1 else -math.inf
    return 400 * math.log10(mean / (1 - mean)) + 0.0


def _signed(mean: float) -> str:
    value = elo(mean)
    return f"{value:+.0f}" if math.isfinite(value) else ("+∞" if value > 0 else "-∞")


def log_likelihood_ratio(found: Score, elo0: float, elo1: float) -> float:
    """How much likelier the score is at `elo1` than at `elo0` (natural logarithm, normal approximation).

    A sequential test (SPRT) with 5 % errors of both kinds ends beyond ±2.94.
    """
    variance = (found.error / 1.96) ** 2
    low, high = (1 / (1 + 10 ** (-limit / 400)) for limit in (elo0, elo1))
    return (high - low) * (found.mean - (low + high) / 2) / variance if variance else 0.0


#: |log likelihood ratio| at which a sequential test with 5 % errors ends.
SPRT_END = math.log(0.95 / 0.05)


def find_openings(which: str, ruleset: str) -> list[list[str]] | None:
    """What a match's `openings` are to be: `random`, `start`, or the name of a file for `read_openings`."""
    if which == "random":
        return None
    return [[]] if which == "start" else read_openings(Path(which), ruleset)


def read_openings(path: Path, ruleset: str) -> list[list[str]]:
    """The games of a file of records as openings: the moves of each. Raises `EngineError` (`params`) for a file with
    a fault, with other rules, with a game that begins at a position of its own, or without any game."""
    openings, ruleset = [], find_rules(ruleset).ruleset
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, read in enumerate(read_records(file, ruleset), 1):
            told = str(read.faults[0]) if read.faults else None
            if told is None and read.record.ruleset != ruleset:
                told = f"its rules are {read.record.ruleset}"
            if told is None and read.record.position is not None:
                told = "it does not begin at the start"
            if told is not None:
                message = f"opening {number} of {path} cannot be played: {told}"
                raise EngineError("params", message, name="openings")
            openings.append(read.record.line.moves)
    if not openings:
        raise EngineError("params", f"{path} holds no game", name="openings")
    return openings


def play_game(
    rules: Rules, x: Player, o: Player, pair: int, seed: int, opening: Sequence[str] | None = None
) -> Playing:
    """One game from an opening, or from a random one that depends on `pair` and `seed` alone. Raises `EngineError`
    (`params`) for an opening that is no way to a game under way."""
    chance = random.Random(f"{seed} {pair}")
    game = _at_random(rules, chance) if opening is None else _given(rules, chance, opening)
    while game.result() is None:
        game.play((o if game.state[2] else x).choose(game))
    return game


def _at_random(rules: Rules, chance: random.Random) -> Playing:
    """A game after random plies, not over and, if such can be found, not decided."""
    for tries in count():
        game = Playing(rules, seed=chance.getrandbits(30))
        openings = 1
        while openings < OPENINGS and game.result() is None:
            openings *= len(game.moves)
            game.play(chance.randrange(len(game.moves)))
        if game.result() is None:
            search = Search(rules, game.state, game.keys[:-1], nodes=LOOK)
            search.run()
            if abs(search.value) <= UNDECIDED << tries // 10:
                return game
    raise AssertionError("count() never ends")


def _given(rules: Rules, chance: random.Random, opening: Sequence[str]) -> Playing:
    """A game after these moves, not over."""
    game = Playing(rules, seed=chance.getrandbits(30))
    for text in opening:
        legal = [move.text for move in rules.legal_moves(game.state)]
        if text not in legal:
            raise EngineError("params", f"{text!r} cannot be played in an opening", name="openings")
        game.play(legal.index(text))
    if game.result() is not None:
        message = f"the opening {' '.join(opening)} ends the game"
        raise EngineError("params", message, name="openings")
    return game


class Match:
    """A match that can be interrupted: every finished game is a line of its file.

    `openings`: the moves of each, taken in turn by the pairs of games; None: random ones. `[[]]` is the bare start.
    """

    def __init__(
        self,
        ruleset: str,
        a: str,
        b: str,
        games: int,
        path: Path | None = None,
        seed: int = 1,
        openings: Sequence[Sequence[str]] | None = None,
    ) -> None:
        self.ruleset, self.a, self.b, self.seed = find_rules(ruleset).ruleset, a, b, seed
        self.wanted = [(n // 2, n % 2 == 0) for n in range(games)]
        self.path = path
        self.played: list[Played] = []
        self.openings = openings
        self._heading: dict[str, Any] = {"ruleset": self.ruleset, "a": a, "b": b, "seed": seed}
        if openings is not None:
            self._heading["openings"] = [list(opening) for opening in openings]
        if path and path.exists():
            self._resume(path)

    def _resume(self, path: Path) -> None:
        for line in path.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError):  # the line that an interruption cut
                data = read_json(line)
                if isinstance(data, dict) and data.get("match") == self._heading:
                    self.played.append(
                        Played(data["pair"], data["a_is_x"], data["points"], data["moves"])
                    )

    def open_games(self) -> list[tuple[int, bool]]:
        """Games still to play, as (pair, whether A is x)."""
        done = {(game.pair, game.a_is_x) for game in self.played}
        return [game for game in self.wanted if game not in done]

    def score(self) -> Score:
        """The score so far."""
        return score(self.played)

    def records(self) -> Iterator[Record]:
        """The finished games in order, as records with the players' names."""
        for game in sorted(self.played, key=lambda game: (game.pair, not game.a_is_x)):
            x, o = (self.a, self.b) if game.a_is_x else (self.b, self.a)
            points = game.points if game.a_is_x else 1 - game.points
            result = "draw" if points == 0.5 else "x" if points else "o"
            yield Record(self.ruleset, line=Line(game.moves), tags={"X": x, "O": o}, result=result)

    def run(
        self,
        jobs: int = 1,
        sprt: tuple[float, float] | None = None,
        scheduler: str | None = None,
    ) -> Iterator[tuple[Score, float | None]]:
        """Play on, in `jobs` processes or on the Dask cluster of a scheduler's address; yields the score, and the
        test's log likelihood ratio, after every game."""
        tasks = [
            (self.ruleset, self.a, self.b, self.seed, pair, a_is_x, self._opening(pair))
            for pair, a_is_x in self.open_games()
        ]
        with cluster(scheduler) if scheduler else _processes(min(jobs, len(tasks))) as mapped:
            for game in mapped(_play_task, tasks):
                self._keep(game)
                found = self.score()
                ratio = log_likelihood_ratio(found, *sprt) if sprt else None
                yield found, ratio
                if ratio is not None and abs(ratio) >= SPRT_END and game.pair >= 9:
                    return

    def _opening(self, pair: int) -> Sequence[str] | None:
        return None if self.openings is None else self.openings[pair % len(self.openings)]

    def _keep(self, game: Played) -> None:
        self.played.append(game)
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                line = {"match": self._heading, **game._asdict()}
                file.write(json.dumps(line) + "\n")


_Task = tuple[str, str, str, int, int, bool, Sequence[str] | None]


def _play_task(task: _Task) -> Played:
    ruleset, a, b, seed, pair, a_is_x, opening = task
    with closing(make_player(a)) as player_a, closing(make_player(b)) as player_b:
        x, o = (player_a, player_b) if a_is_x else (player_b, player_a)
        game = play_game(find_rules(ruleset), x, o, pair, seed, opening)
    points = game.result()
    assert points is not None
    return Played(pair, a_is_x, points if a_is_x else 1 - points, game.texts())


@contextmanager
def _processes(jobs: int) -> Iterator[Spread]:
    """`map` here, or spread over processes with the results in order."""
    if jobs <= 1:
        yield map
        return
    # A browser has no processes: imported only where they are asked for.
    import signal
    from multiprocessing import get_context

    # An interruption is this process's to handle: the others are ended by it.
    deaf = (signal.SIGINT, signal.SIG_IGN)
    with get_context("spawn").Pool(jobs, signal.signal, deaf) as pool:
        yield pool.imap
