"""What every game's rules module provides, and the part of the rules that all games share (rules §1).

A `State` is the bare tuple that the search works on: `(own, foe, side, clock, *extra)` with the sets of stones of the
side to act and of the other, `side` 0 for x and 1 for o, the clock in plies since the last capture, and whatever one
game needs beyond. A `Move` is the same step told to people: text, path, captures, and the state after it.

A game's module subclasses `Rules` and fills in `start`, `generate` and `list_moves`; everything else has a default.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from pyengine.board import Board, points_of
from pyengine.diagram import SIDES, Diagram, format_diagram, parse_diagram
from pyengine.errors import EngineError

#: `(own, foe, side, clock, *extra)`; see the module's text.
State = tuple[Any, ...]

#: Stands for "no limit": no clock ever reaches it.
NO_LIMIT = 1 << 60
#: So often must a position stand in one game for a draw, where `Rules.repetition` says so (rules §1).
REPETITIONS = 3


class Outcome(NamedTuple):
    """How a game ended: `winner` is `"x"`, `"o"` or None for a draw; `reason` is one of rules §1's words."""

    winner: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Hop:
    """One leg of a move: where it lands, what it takes, and for Fanorona whether by approach or withdrawal.

    `track` is the line that the piece visibly runs along, start and end included.
    """

    to: int
    captures: tuple[int, ...] = ()
    label: str | None = None
    track: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move in full. `path`: the points a player shows (start and every landing; one point to place, remove or
    huff; none to pass). `captures`: every taken point in order. `after`: the state it leads to."""

    text: str
    kind: str
    path: tuple[int, ...]
    after: State
    hops: tuple[Hop, ...] = ()
    promotes: bool = False

    @property
    def captures(self) -> tuple[int, ...]:
        """The points emptied of enemy stones, in order."""
        return tuple(point for hop in self.hops for point in hop.captures)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not a legal move: a kind of docs/wire.md, the points that show it, numbers it needs."""

    kind: str
    points: tuple[int, ...] = ()
    most: int | None = None


class Rules(ABC):
    """One ruleset of one game: geometry, start, moves and ends."""

    game: ClassVar[str]
    #: How the board is drawn: `"lines"`, `"hollows"` or `"cells"`.
    surface: ClassVar[str] = "lines"
    #: Colour names of x and o.
    colours: ClassVar[tuple[str, str]] = ("dark", "light")
    #: Whether a position can stand three times (rules §1, repetition).
    repetition: ClassVar[bool] = True
    #: Whether the clock has a meaning.
    clocked: ClassVar[bool] = True
    #: Whether a mirrored position (left and right exchanged) has mirrored moves.
    mirrors: ClassVar[bool] = True
    #: Whether stones come from the hand first.
    hand: ClassVar[bool] = False
    #: Which agreements players can make.
    agreements: Sequence[str] = ("draw",)
    #: Whether the set has Sultans.
    sultans: bool = False

    def __init__(self, preset: str, board: Board, limit: int, onlimit: str = "draw") -> None:
        self.preset = preset
        self.board = board
        self.limit = limit
        self.onlimit = onlimit
        self.clock_end = limit or NO_LIMIT
        self.ruleset = f"{self.game}/{preset}"
        self._listed: tuple[State, list[Move]] = ((), [])

    # --- what each game tells

    @abstractmethod
    def start(self) -> State:
        """The state before the first ply."""

    @abstractmethod
    def generate(self, state: State) -> list[State]:
        """All states after one ply, one for each move text, the clock's limit left aside; empty when the game was
        decided by the pieces or the side to act has no move."""

    @abstractmethod
    def list_moves(self, state: State) -> list[Move]:
        """The moves behind `generate`, told in full, in the same order."""

    @property
    @abstractmethod
    def set_sizes(self) -> tuple[int, int]:
        """The most stones that x and o can have."""

    # --- the two faces

    def successors(self, state: State) -> list[State]:
        """All states after one ply, for the search; empty exactly when the game is over."""
        return [] if state[3] >= self.clock_end else self.generate(state)

    def legal_moves(self, state: State) -> list[Move]:
        """All legal moves, for people; empty exactly when the game is over."""
        if state[3] >= self.clock_end:
            return []
        # A typed move is looked up and explained: several questions about one state.
        if self._listed[0] != state:
            self._listed = (state, self.list_moves(state))
        return self._listed[1]

    def captures(self, state: State) -> list[State]:
        """The successors that take something, for quiescence."""
        return [after for after in self.successors(state) if after[3] == 0]

    def count(self, state: State) -> int:
        """How many legal moves there are; a game may count faster than it builds."""
        return len(self.successors(state))

    def key(self, state: State) -> Any:
        """A hashable name of the position, clock left out: equal for equal positions (rules §1, repetition)."""
        return state[:3] + state[4:]

    def standing(self, key: Any) -> State:
        """The state that a `key` names, its clock at 0."""
        return (*key[:3], 0, *key[3:])

    # --- ends

    def decided(self, state: State) -> Outcome | None:
        """The end that the pieces alone decide, tested before any other."""
        own, foe, side = state[:3]
        if not foe:
            return Outcome(SIDES[side], "eliminated")
        if not own:
            return Outcome(SIDES[1 - side], "eliminated")
        return None

    def blocked(self, state: State) -> Outcome:
        """The end when the side to act has no move."""
        return Outcome(SIDES[1 - state[2]], "blocked")

    def at_limit(self, state: State) -> Outcome:
        """The end when the clock reaches the limit."""
        if self.onlimit == "count":
            return self.counted(state, "limit")
        return Outcome(None, "limit")

    def counted(self, state: State, reason: str) -> Outcome:
        """The end for the side with more pieces."""
        own, foe, side = state[0].bit_count(), state[1].bit_count(), state[2]
        if own == foe:
            return Outcome(None, reason)
        return Outcome(SIDES[side if own > foe else 1 - side], reason)

    def outcome(self, state: State) -> Outcome | None:
        """The end of the game by the position alone (repetition needs the game: see `pyengine.record`), or None."""
        decided = self.decided(state)
        if decided:
            return decided
        if not self.generate(state):
            return self.blocked(state)
        return self.at_limit(state) if state[3] >= self.clock_end else None

    def result(self, state: State) -> int:
        """For a state without successors: 1, 0 or -1 for the side to act."""
        outcome = self.outcome(state)
        if outcome is None or outcome.winner is None:
            return 0
        return 1 if outcome.winner == SIDES[state[2]] else -1

    # --- position text

    def parse(self, text: str) -> State:
        """Read a position text; raises `EngineError` (`position.…`) that says what is wrong and where."""
        return self.build(parse_diagram(self.board, text))

    def format(self, state: State) -> str:
        """The canonical position text of a state."""
        return format_diagram(self.board, self.diagram(state))

    def build(self, diagram: Diagram) -> State:
        """The state of a diagram, after every check; a game with keys of its own overrides it."""
        self.check_sets(diagram)
        self.check_keys(diagram, ())
        own, foe = (diagram.x, diagram.o) if diagram.side == 0 else (diagram.o, diagram.x)
        return (own, foe, diagram.side, diagram.clock)

    def diagram(self, state: State) -> Diagram:
        """The diagram of a state; a game with keys of its own overrides it."""
        x, o = self.sides(state)
        return Diagram(x, o, 0, state[2], state[3])

    def sides(self, state: State) -> tuple[int, int]:
        """The sets of stones of x and of o."""
        own, foe, side = state[:3]
        return (foe, own) if side else (own, foe)

    def check_sets(self, diagram: Diagram) -> None:
        """Refuse more stones than the set has, Sultans where there are none, a clock where it is always 0."""
        for letter, stones, most in zip(SIDES, (diagram.x, diagram.o), self.set_sizes, strict=True):
            if stones.bit_count() > most:
                raise EngineError(
                    "position.too-many",
                    f"{letter} has {stones.bit_count()} stones, the set has {most}",
                    side=letter,
                    found=stones.bit_count(),
                    most=most,
                )
        if diagram.sultans and not self.sultans:
            point = self.board.names[points_of(diagram.sultans)[0]]
            raise EngineError(
                "position.sultan",
                f"there are no Sultans in {self.ruleset} (found on {point})",
                point=point,
            )
        if not self.clocked and diagram.clock:
            raise EngineError(
                "position.clock", "the clock of this game is always 0", found=str(diagram.clock)
            )

    def check_keys(self, diagram: Diagram, allowed: Iterable[str]) -> None:
        """Refuse a key that this ruleset does not have."""
        for key in diagram.keys:
            if key not in allowed:
                raise EngineError(
                    "position.key", f"{self.ruleset} has no {key}= in its positions", found=key
                )

    # --- for the page

    def sultan_set(self, state: State) -> int:
        """The set of Sultans of both sides."""
        return self.diagram(state).sultans if self.sultans else 0

    def stage(self, state: State) -> str:
        """What the side to act does now: `"play"`, `"remove"` or `"place"`."""
        return "play"

    def huffable(self, state: State) -> int:
        """The set of enemy pieces that may be huffed now."""
        return 0

    def forbidden(self, state: State) -> Mapping[int, int]:
        """For pieces that may not step back: the piece's point → the point it may not go to."""
        return {}

    def hands(self, state: State) -> tuple[int, int] | None:
        """Stones still to place by x and o, or None when the game has no placing or it is over."""
        return None

    def circuits(self) -> list[dict[str, Any]]:
        """Named sets of lines that are drawn in a style of their own: `[{"name", "lines": [(from, to)]}]`."""
        return []

    def loops(self) -> list[dict[str, Any]]:
        """Arcs round corners: `[{"corner", "circuit", "ends": (p, q)}]`."""
        return []

    def marks(self) -> list[dict[str, Any]]:
        """Points drawn with a mark: `[{"point": p, "kind": "shelter"}]`."""
        return []

    def options(self) -> list[dict[str, Any]]:
        """The options a user may set: `[{"name", "value", "default", "choices"}]`."""
        return []

    def notes(self) -> list[str]:
        """What is allowed but pointless in this mix of options: keys of sentences, `"mix.…"`."""
        return []

    # --- refusals

    def explain(self, state: State, path: Sequence[int]) -> Refusal | None:
        """Why the points chosen so far are not the beginning of a legal move; None when they are."""
        moves = self.legal_moves(state)
        chosen = tuple(path)
        if not moves:
            return Refusal("over")
        if any(move.path[: len(chosen)] == chosen for move in moves):
            return None
        if self.stage(state) == "play" and moves[0].kind != "pass":
            refusal = self._refuse_start(state, chosen, moves)
            if refusal:
                return refusal
        return self.refuse(state, chosen, moves)

    def _refuse_start(self, state: State, path: Sequence[int], moves: list[Move]) -> Refusal | None:
        start = path[0]
        if state[1] >> start & 1:
            return Refusal("not-your-piece", (start,))
        if not state[0] >> start & 1:
            return Refusal("empty", (start,))
        return None

    def refuse(self, state: State, path: Sequence[int], moves: list[Move]) -> Refusal:
        """The game's own reason why this path is no legal move; `moves` are the legal ones, never empty."""
        return Refusal("unreachable", tuple(path))


def starts(moves: Iterable[Move]) -> tuple[int, ...]:
    """The points from which these moves start, in ascending order."""
    return tuple(sorted({move.path[0] for move in moves if move.path}))


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the registry knows it.

    `presets`: names in the order they are offered. `make(preset, options)`: the rules; raises `EngineError` for an
    option it does not have (`ruleset.option`) or a mix that cannot be (`ruleset.mix`). `variants`: ruleset texts with
    options that are offered by name beside the presets.
    """

    name: str
    presets: tuple[str, ...]
    make: Callable[[str, Mapping[str, str]], Rules]
    variants: tuple[str, ...] = ()


def no_options(options: Mapping[str, str], ruleset: str) -> None:
    """Refuse any option, for games that have none."""
    for option in options:
        raise EngineError(
            "ruleset.option", f"{ruleset} has no option {option[:40]!r}", found=option[:40]
        )
