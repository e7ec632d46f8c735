"""Fanorona: capture by approach or by withdrawal, then go on with the same stone or stop (rules §4).

States are `(own, foe, side, clock)`. A first capture is found for all stones at once by shifting whole sets of points;
how the stone may go on comes out of tables, one entry for each set of points that are open around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from pyengine.board import DIRECTIONS, OPPOSITE, Board, points_of, set_of
from pyengine.rules.base import Game, Hop, Move, Refusal, Rules, State, no_options, starts

#: Preset → columns and rows, in the order they are offered.
SIZES: Mapping[str, tuple[int, int]] = {"tsivy": (9, 5), "dimy": (5, 5), "telo": (3, 3)}
LIMIT = 120

#: What the unbroken row of enemies from one point on takes: enemies on that line → the taken ones.
Runs = dict[int, int]
#: A way to go on: landing, then for approach and for withdrawal the first point of the row, the row's whole line and
#: its `Runs`, then the next `Onward` pair. The two ends of each are sets of points.
Way = tuple[int, int, int, Runs, int, int, Runs, int, Any]
#: Where a stone may go on to from its point: set of open neighbours → its ways, in the order of `DIRECTIONS`.
Fan = dict[int, tuple[Way, ...]]
#: A capture being played: enemies left, own stones but the capturing one, its point as a set, points it may still come
#: to, and where it can go from here: the neighbours not straight on, and its `Fan`.
Chain = tuple[int, int, int, int, int, Fan]


class _Heading(NamedTuple):
    """One direction, for all stones at once. `shift`: how far the next point is, upwards or (`up` false) downwards.
    `movers`, `approachers`, `withdrawers`: where a stone has a next point; an enemy's place beyond it; one behind.
    `ways[bits.bit_length()]`: the highest stone of a set, and its way."""

    up: bool
    shift: int
    movers: int
    approachers: int
    withdrawers: int
    ways: list[Any]


class Fanorona(Rules):
    """Fanorona on any board of odd sides, from 3×3."""

    game: ClassVar[str] = "fanorona"
    colours: ClassVar[tuple[str, str]] = ("white", "black")

    def __init__(self, preset: str, columns: int, rows: int, limit: int = LIMIT) -> None:
        board = Board(columns, rows, "even")
        super().__init__(preset, board, limit)
        self._full = board.full
        self._headings = _tables(board)

    @property
    def set_sizes(self) -> tuple[int, int]:
        """Every point but the centre is taken at the start, half by each side."""
        return (self.board.size // 2, self.board.size // 2)

    def start(self) -> State:
        """Full outer rows, the middle row alternating from `o` on the left to the empty centre; the other half is this
        one turned by 180° with colours swapped."""
        board = self.board
        centre = board.size // 2
        middle_row = centre - board.columns // 2
        x = set_of(range(middle_row)) | set_of(range(middle_row + 1, centre, 2))
        o = set_of(range(middle_row, centre, 2))
        x |= set_of(board.turned(p) for p in points_of(o))
        return (x, board.full ^ x ^ 1 << centre, 0, 0)

    # --- search

    def _chains(self, own: int, foe: int) -> list[Chain]:
        """Every capture, those of one hop first, then those that go on from one before in the list."""
        empty = self._full ^ (own | foe)
        chains: list[Chain] = []
        append = chains.append
        for up, shift, _, approachers, withdrawers, ways in self._headings:
            if up:
                movers = own & empty >> shift
                if not movers:
                    continue
                approach = movers & approachers & foe >> shift + shift
                withdrawal = movers & withdrawers & foe << shift
            else:
                movers = own & empty << shift
                if not movers:
                    continue
                approach = movers & approachers & foe << shift + shift
                withdrawal = movers & withdrawers & foe >> shift
            while approach:
                stone, (land, _, line, runs, _, _, _, open_to, fan) = ways[approach.bit_length()]
                approach ^= stone
                taken = runs[foe & line]
                append((foe ^ taken, own ^ stone, land, empty ^ land | taken, open_to, fan))
            while withdrawal:
                stone, (land, _, _, _, _, line, runs, open_to, fan) = ways[withdrawal.bit_length()]
                withdrawal ^= stone
                taken = runs[foe & line]
                append((foe ^ taken, own ^ stone, land, empty ^ land | taken, open_to, fan))
        for left, rest, _, free, open_to, fan in chains:
            near = free & open_to
            if near:
                for land, ahead, line, runs, behind, back, back_runs, then_to, then in fan[near]:
                    if left & ahead:
                        taken = runs[left & line]
                        append((left ^ taken, rest, land, free ^ land | taken, then_to, then))
                    if left & behind:
                        taken = back_runs[left & back]
                        append((left ^ taken, rest, land, free ^ land | taken, then_to, then))
        return chains

    def generate(self, state: State) -> list[State]:
        """See `Rules.generate`."""
        own, foe, side, clock = state
        if not foe:
            return []
        other = 1 - side
        chains = self._chains(own, foe)
        if chains:
            return [(left, rest | end, other, 0) for left, rest, end, _, _, _ in chains]
        clock += 1
        empty = self._full ^ (own | foe)
        out: list[State] = []
        for up, shift, has_next, _, _, ways in self._headings:
            movers = own & has_next & (empty >> shift if up else empty << shift)
            while movers:
                stone, way = ways[movers.bit_length()]
                movers ^= stone
                out.append((foe, own ^ stone | way[0], other, clock))
        return out

    def count(self, state: State) -> int:
        """How many legal moves there are, without building one that goes no further."""
        own, foe, _, clock = state
        if not foe or clock >= self.clock_end:
            return 0
        captures = len(self._chains(own, foe))
        if captures:
            return captures
        empty = self._full ^ (own | foe)
        moves = 0
        for up, shift, has_next, _, _, _ in self._headings:
            moves += (own & has_next & (empty >> shift if up else empty << shift)).bit_count()
        return moves

    def captures(self, state: State) -> list[State]:
        """The successors that capture: all of them, or none."""
        own, foe, side, clock = state
        if not foe or clock >= self.clock_end:
            return []
        other = 1 - side
        return [(left, rest | end, other, 0) for left, rest, end, _, _, _ in self._chains(own, foe)]

    # --- people

    def list_moves(self, state: State) -> list[Move]:
        """See `Rules.list_moves`; the same order as `generate`."""
        own, foe, _, _ = state
        if not foe:
            return []
        return self._capture_moves(state) or [
            self._paika(state, start, to)
            for direction in _ORDER
            for start in reversed(points_of(own))
            if (to := self.board.neighbours[start][direction]) is not None
            and not (own | foe) >> to & 1
        ]

    def _capture_moves(self, state: State) -> list[Move]:
        own, foe, _, _ = state
        moves = [
            self._capture(state, start, (hop,))
            for direction in _ORDER
            for label in ("approach", "withdrawal")
            for start in reversed(points_of(own))
            for hop in self._hops(own, foe, start, direction)
            if hop.label == label
        ]
        for move in moves:
            stones, left = move.after[1], move.after[0]
            point = move.path[-1]
            last = self.board.direction(move.path[-2], point)
            for direction in range(len(DIRECTIONS)):
                if direction == last:
                    continue
                for hop in self._hops(stones, left, point, direction):
                    if hop.to not in move.path:
                        moves.append(self._capture(state, move.path[0], (*move.hops, hop)))
        return moves

    def _hops(self, own: int, foe: int, point: int, direction: int) -> list[Hop]:
        """The captures of a stone by one step in a direction: none, or by approach, or by withdrawal, or both."""
        to = self.board.neighbours[point][direction]
        if to is None or (own | foe) >> to & 1:
            return []
        ahead = self._run(foe, to, direction)
        behind = self._run(foe, point, OPPOSITE[direction])
        both = (("approach", ahead), ("withdrawal", behind))
        return [Hop(to, taken, label, (point, to)) for label, taken in both if taken]

    def _run(self, foe: int, point: int, direction: int) -> tuple[int, ...]:
        """The unbroken row of enemies next to a point in a direction, nearest first."""
        taken = []
        for target in self.board.rays[point][direction]:
            if not foe >> target & 1:
                break
            taken.append(target)
        return tuple(taken)

    def _capture(self, state: State, start: int, hops: tuple[Hop, ...]) -> Move:
        own, foe, side, _ = state
        names = self.board.names
        signs = {"approach": "+", "withdrawal": "-"}
        text = names[start] + ",".join(names[hop.to] + signs[str(hop.label)] for hop in hops)
        path = (start, *(hop.to for hop in hops))
        taken = set_of(point for hop in hops for point in hop.captures)
        # Not an exclusive or: a stone may end where it started or on a point it emptied.
        after = (foe & ~taken, own & ~(1 << start) | 1 << path[-1], 1 - side, 0)
        return Move(text, "capture", path, after, hops)

    def _paika(self, state: State, start: int, to: int) -> Move:
        own, foe, side, clock = state
        after = (foe, own ^ (1 << start | 1 << to), 1 - side, clock + 1)
        hop = Hop(to, (), None, (start, to))
        return Move(
            self.board.names[start] + self.board.names[to], "step", hop.track, after, (hop,)
        )

    # --- refusals

    def refuse(self, state: State, path: Sequence[int], moves: list[Move]) -> Refusal:
        """Why a path is no legal move."""
        must_capture = Refusal("must-capture", starts(moves))
        capturing = moves[0].kind == "capture"
        if path[0] not in must_capture.points:
            return must_capture if capturing else Refusal("blocked-piece", (path[0],))
        # A turn may stop after any capture, so its legal part is a legal move whose `after` shows the board there.
        played = [m for m in moves if m.path == tuple(path[: len(m.path)])]
        good = max((len(m.path) for m in played), default=1)
        boards = [m.after for m in played if len(m.path) == good] or [state]
        start, to = path[good - 1], path[good]
        if good > 1 and not capturing:
            return Refusal("nothing-to-take", (start, to))
        if all((board[0] | board[1]) >> to & 1 for board in boards):
            return Refusal("occupied", (to,))
        direction = self.board.direction(start, to)
        if direction is None:
            return Refusal("no-line", (start, to))
        if self.board.neighbours[start][direction] != to:
            return Refusal("too-far", (start, to))
        if good == 1:
            return must_capture
        if to in path[:good]:
            return Refusal("visited", (to,))
        if direction == self.board.direction(path[good - 2], start):
            return Refusal("same-direction", (start, to))
        return Refusal("nothing-to-take", (start, to))


#: Directions in the order that `generate` looks at them: along each axis one way, then back.
_ORDER = (1, 3, 0, 2, 4, 6, 7, 5)


def _tables(board: Board) -> tuple[_Heading, ...]:
    """What `Fanorona` needs to know about a board, one heading for each direction of `_ORDER`."""
    runs: dict[tuple[int, int], tuple[int, int, Runs]] = {}
    for point in range(board.size):
        for direction in range(len(DIRECTIONS)):
            runs[point, direction] = _runs(board.rays[point][direction])
    fans: list[Fan] = [{} for _ in range(board.size)]
    ways: dict[tuple[int, int], Way] = {}
    for point in range(board.size):
        for direction, to in enumerate(board.neighbours[point]):
            if to is not None:
                straight_on = board.neighbours[to][direction]
                open_to = board.adjacent[to]
                if straight_on is not None:
                    open_to ^= 1 << straight_on
                approach = runs[to, direction]
                withdrawal = runs[point, OPPOSITE[direction]]
                ways[point, direction] = (1 << to, *approach, *withdrawal, open_to, fans[to])
    for point, fan in enumerate(fans):
        mine = [ways[point, d] for d in range(len(DIRECTIONS)) if (point, d) in ways]
        for chosen in range(1, 1 << len(mine)):
            picked = tuple(way for place, way in enumerate(mine) if chosen >> place & 1)
            fan[sum(way[0] for way in picked)] = picked
    return tuple(_heading(board, direction, ways) for direction in _ORDER)


def _runs(ray: Sequence[int]) -> tuple[int, int, Runs]:
    """For the points along a line: the first as a set, all as a set, and what each set of enemies there loses."""
    runs: Runs = {}
    for enemies in _subsets(ray):
        taken = 0
        for point in ray:
            if not enemies >> point & 1:
                break
            taken |= 1 << point
        runs[enemies] = taken
    line = set_of(ray)
    return (1 << ray[0] if ray else 0, line, runs)


def _subsets(points: Sequence[int]) -> list[int]:
    """Every set of some of these points."""
    subsets = [0]
    for point in points:
        subsets += [bits | 1 << point for bits in subsets]
    return subsets


def _heading(board: Board, direction: int, ways: Mapping[tuple[int, int], Way]) -> _Heading:
    right, up = DIRECTIONS[direction]
    shift = up * board.columns + right
    table: list[Any] = [None] * (board.size + 1)
    movers = approachers = withdrawers = 0
    for point in range(board.size):
        way = ways.get((point, direction))
        if way is None:
            continue
        stone = 1 << point
        table[point + 1] = (stone, way)
        movers |= stone
        approachers |= stone if way[1] else 0
        withdrawers |= stone if way[4] else 0
    return _Heading(shift > 0, abs(shift), movers, approachers, withdrawers, table)


def make(preset: str, options: Mapping[str, str]) -> Rules:
    """The rules of a preset; raises `EngineError` (`ruleset.option`): Fanorona has no options."""
    no_options(options, f"fanorona/{preset}")
    return Fanorona(preset, *SIZES[preset])


GAME = Game("fanorona", tuple(SIZES), make)
