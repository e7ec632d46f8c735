"""Konane: jump, always over one stone at a time and always straight on, until somebody cannot (rules §3).

States are `(own, foe, side, 0)`. Which part of the game a state belongs to is read off its holes: none before the first
removal, one before the second. Jumps are found for all stones at once by shifting whole sets of points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, NamedTuple

from pyengine.board import DIRECTIONS, Board, points_of, set_of
from pyengine.rules.base import Game, Hop, Move, Outcome, Refusal, Rules, State, no_options, starts

#: Preset → columns and rows, in the order they are offered.
SIZES: Mapping[str, tuple[int, int]] = {"8x8": (8, 8), "6x6": (6, 6), "10x10": (10, 10)}

#: `table[bits.bit_length()]` for a set of jumped stones: its highest stone as a set, what that jump flips in the
#: jumper's own stones (start and landing), and what it flips in the other's (every stone taken since the start).
LeapTable = list[tuple[int, int, int]]


class _Axis(NamedTuple):
    """Across or down: the shift from a point to the next, the points that can be jumped over, and for both ways along
    it the tables of first jumps, second jumps of a chain, and so on."""

    shift: int
    inner: int
    onward: list[LeapTable]
    backward: list[LeapTable]


class Konane(Rules):
    """Konane on any board from 3×3; the first stone removed is `x` in the top left corner's colour."""

    game: ClassVar[str] = "konane"
    surface: ClassVar[str] = "hollows"
    colours: ClassVar[tuple[str, str]] = ("black", "white")
    repetition: ClassVar[bool] = False
    clocked: ClassVar[bool] = False
    agreements: Sequence[str] = ()

    def __init__(self, preset: str, columns: int, rows: int) -> None:
        board = Board(columns, rows)
        super().__init__(preset, board, limit=0)
        self._full = board.full
        self._axes = tuple(
            _Axis(
                shift,
                set_of(p for p in range(board.size) if len(_around(board, p, forward)) == 2),
                _leap_tables(board, forward),
                _leap_tables(board, (forward + 2) % 4),
            )
            for shift, forward in ((1, 1), (columns, 0))
        )
        corners = [(0, 0), (0, rows - 1), (columns - 1, 0), (columns - 1, rows - 1)]
        centre = [
            (column, rank)
            for column in {(columns - 1) // 2, columns // 2}
            for rank in {(rows - 1) // 2, rows // 2}
        ]
        self.opening = set_of(rank * columns + column for column, rank in corners + centre)

    @property
    def set_sizes(self) -> tuple[int, int]:
        """Half of the board each; with an odd number of points `x` has one more."""
        return ((self.board.size + 1) // 2, self.board.size // 2)

    def start(self) -> State:
        """The full board, colours alternating, `x` in the top left corner."""
        board = self.board
        x = set_of(
            p
            for p in range(board.size)
            if (board.column(p) + board.rows - 1 - board.rank(p)) % 2 == 0
        )
        return (x, board.full ^ x, 0, 0)

    # --- stages and ends

    def stage(self, state: State) -> str:
        """`"remove"` while the first two stones leave the board, then `"play"`."""
        holes = self._full ^ (state[0] | state[1])
        return "remove" if not holes or (state[2] and not holes & (holes - 1)) else "play"

    def removable(self, state: State) -> int:
        """In a state of the stage `"remove"`: the own stones that may leave the board."""
        own, foe = state[:2]
        holes = self._full ^ (own | foe)
        return int(own & (self.board.adjacent[holes.bit_length() - 1] if holes else self.opening))

    def decided(self, state: State) -> Outcome | None:
        """Never: only a side that cannot jump has lost, and a side without stones is one of those."""
        return None

    # --- search

    def generate(self, state: State) -> list[State]:
        """See `Rules.generate`."""
        own, foe, side, _ = state
        other = 1 - side
        empty = self._full ^ (own | foe)
        if not empty & (empty - 1) and self.stage(state) == "remove":
            return [(foe, own ^ 1 << p, other, 0) for p in points_of(self.removable(state))]
        out: list[State] = []
        append = out.append
        for shift, inner, onward, backward in self._axes:
            prey = foe & inner
            taking = prey & empty >> shift
            over = taking & own << shift
            if over:
                for table in onward:
                    rest = over
                    while rest:
                        stone, own_flip, foe_flip = table[rest.bit_length()]
                        rest ^= stone
                        append((foe ^ foe_flip, own ^ own_flip, other, 0))
                    over = taking & over << shift + shift
                    if not over:
                        break
            taking = prey & empty << shift
            over = taking & own >> shift
            if over:
                for table in backward:
                    rest = over
                    while rest:
                        stone, own_flip, foe_flip = table[rest.bit_length()]
                        rest ^= stone
                        append((foe ^ foe_flip, own ^ own_flip, other, 0))
                    over = taking & over >> shift + shift
                    if not over:
                        break
        return out

    def count(self, state: State) -> int:
        """How many legal moves there are, without building one."""
        own, foe, _, _ = state
        empty = self._full ^ (own | foe)
        if not empty & (empty - 1) and self.stage(state) == "remove":
            return self.removable(state).bit_count()
        moves = 0
        for shift, inner, _, _ in self._axes:
            prey = foe & inner
            taking = prey & empty >> shift
            over = taking & own << shift
            while over:
                moves += over.bit_count()
                over = taking & over << shift + shift
            taking = prey & empty << shift
            over = taking & own >> shift
            while over:
                moves += over.bit_count()
                over = taking & over >> shift + shift
        return moves

    def captures(self, state: State) -> list[State]:
        """None: every move takes something, so a search that followed captures to their end would play out the whole
        game; the number of moves left to each side, not of stones, tells who stands better."""
        return []

    # --- people

    def list_moves(self, state: State) -> list[Move]:
        """See `Rules.list_moves`; the same order as `generate`."""
        own, foe, side, _ = state
        if self.stage(state) == "remove":
            return [
                Move(self.board.names[p], "remove", (p,), (foe, own ^ 1 << p, 1 - side, 0))
                for p in points_of(self.removable(state))
            ]
        return [
            self._jump_move(state, path)
            for direction in (1, 3, 0, 2)
            for path in sorted(
                self._paths(own, foe, direction), key=lambda path: (len(path), -path[-1])
            )
        ]

    def _paths(self, own: int, foe: int, direction: int) -> list[tuple[int, ...]]:
        """Start and landings of every jump one way."""
        paths: list[tuple[int, ...]] = []
        for start in points_of(own):
            ray = self.board.rays[start][direction]
            path: tuple[int, ...] = (start,)
            for over, to in zip(ray[::2], ray[1::2], strict=False):
                if not foe >> over & 1 or (own | foe) >> to & 1:
                    break
                path = (*path, to)
                paths.append(path)
        return paths

    def _jump_move(self, state: State, path: tuple[int, ...]) -> Move:
        own, foe, side, _ = state
        hops = tuple(
            Hop(to, ((start + to) // 2,), None, (start, to)) for start, to in pairwise(path)
        )
        taken = set_of((start + to) // 2 for start, to in pairwise(path))
        after = (foe ^ taken, own ^ (1 << path[0] | 1 << path[-1]), 1 - side, 0)
        return Move("x".join(self.board.text(path)), "capture", path, after, hops)

    # --- refusals

    def refuse(self, state: State, path: Sequence[int], moves: list[Move]) -> Refusal:
        """Why a path is no legal move."""
        if self.stage(state) == "remove":
            first = self._full == state[0] | state[1]
            points = tuple(points_of(self.removable(state)))
            return Refusal("first-removal" if first else "second-removal", points)
        if path[0] not in starts(moves):
            return Refusal("blocked-piece", (path[0],))
        good = max((len(m.path) for m in moves if m.path == tuple(path[: len(m.path)])), default=1)
        return self._refuse_jump(state, path[: good + 1])

    def _refuse_jump(self, state: State, path: Sequence[int]) -> Refusal:
        """Why the last jump of a path cannot be made, all before it being legal."""
        own, foe = state[:2]
        start, to = path[-2:]
        direction = self.board.direction(start, to)
        if len(path) > 2 and direction != self.board.direction(path[0], path[1]):
            return Refusal("straight-only", (start, to))
        if direction is None:
            return Refusal("no-line", (start, to))
        if (own | foe) >> to & 1:
            return Refusal("occupied", (to,))
        ray = self.board.rays[start][direction]
        if ray.index(to) > 1:
            return Refusal("too-far", (start, to))
        if own >> ray[0] & 1:
            return Refusal("own-piece", (ray[0],))
        return Refusal("nothing-to-take", (start, to))


def _around(board: Board, point: int, direction: int) -> list[int]:
    """The neighbours of a point on both sides along one axis."""
    both = (board.neighbours[point][direction], board.neighbours[point][(direction + 2) % 4])
    return [neighbour for neighbour in both if neighbour is not None]


def _leap_tables(board: Board, direction: int) -> list[LeapTable]:
    """The tables of chains of 1, 2, … jumps one way, each entry under the last stone jumped over."""
    length = (board.columns if DIRECTIONS[direction][0] else board.rows) - 1
    tables: list[LeapTable] = [[(0, 0, 0)] * (board.size + 1) for _ in range(length // 2)]
    for start in range(board.size):
        ray = board.rays[start][direction]
        taken = 0
        for table, over, to in zip(tables, ray[::2], ray[1::2], strict=False):
            taken |= 1 << over
            table[over + 1] = (1 << over, 1 << start | 1 << to, taken)
    return tables


def make(preset: str, options: Mapping[str, str]) -> Rules:
    """The rules of a preset; raises `EngineError` (`ruleset.option`): Konane has no options."""
    no_options(options, f"konane/{preset}")
    return Konane(preset, *SIZES[preset])


GAME = Game("konane", tuple(SIZES), make)
