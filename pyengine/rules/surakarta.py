"""Surakarta on 6×6 points with two circuits and eight loops (rules §6).

A circuit is a ring: four lines, each left through a loop at its end into the next one. A capture runs along a ring from
the stone's place, through one loop at least, to the first stone it meets. Seen from a loop, the only stones that can
capture through it first are the last one on the line before it and the first one on the line after it, so looking at
the two sides of each of the eight loops finds every capture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from pyengine.board import Board, set_of
from pyengine.rules.base import Game, Hop, Move, Refusal, Rules, State, no_options
from pyengine.rules.tables import CHUNK, CHUNK_MASK, flips, pair_factors, rows_by_set

SIZE = 6
LAST = SIZE - 1
STONES = 12
LIMIT = 120
START = "oooooo/oooooo/6/6/xxxxxx/xxxxxx x 0"

#: Points and drawn lines: across and down only.
BOARD = Board(SIZE, SIZE)
#: Steps also go diagonally, where no line is drawn.
STEPS = Board(SIZE, SIZE, "all")

#: The circuits by the distance of their lines from the border: the second lines and the third.
CIRCUITS: Mapping[str, int] = {"second": 1, "third": 2}
#: The corners in the order in which a ring, begun down its left line, passes them.
CORNERS = ("bottom-left", "bottom-right", "top-right", "top-left")


def _ring(distance: int) -> tuple[tuple[int, ...], ...]:
    """The four lines of a circuit, each in the direction of the ring: down, right, up, left."""
    far = LAST - distance
    walk = range(SIZE)
    return (
        tuple((LAST - i) * SIZE + distance for i in walk),
        tuple(distance * SIZE + i for i in walk),
        tuple(i * SIZE + far for i in walk),
        tuple(far * SIZE + LAST - i for i in walk),
    )


#: For each circuit its lines; the loop at the corner of the same number joins a line to the next one.
RINGS = tuple(_ring(distance) for distance in CIRCUITS.values())

#: A line seen from one of its ends: its set of points, and for every set of stones on it the first one (a set; 0 when
#: there is none).
Sight = tuple[int, dict[int, int]]


def _sight(line: Sequence[int]) -> Sight:
    first = {0: 0}
    for chosen in range(1, 1 << SIZE):
        stones = [point for place, point in enumerate(line) if chosen >> place & 1]
        first[set_of(stones)] = 1 << stones[0]
    return set_of(line), first


class LineTable(NamedTuple):
    """A line of a ring as generating asks about it: its set of points; for every set of stones on it the first and
    the last one in the ring's direction; and the lines, in order, that a run comes to which passes the loop before
    this line, forward into it or backward out of it."""

    line: int
    ends: dict[int, tuple[int, int]]
    forward: tuple[Sight, ...]
    backward: tuple[Sight, ...]


def _line_tables(ring: Sequence[Sequence[int]]) -> tuple[LineTable, ...]:
    ahead = [_sight(line) for line in ring]
    back = [_sight(line[::-1]) for line in ring]
    tables = []
    for i, ((line, first), (_, last)) in enumerate(zip(ahead, back, strict=True)):
        ends = {stones: (first[stones], last[stones]) for stones in first}
        forward = tuple(ahead[(i + n) % 4] for n in range(4))
        backward = tuple(back[(i - 1 - n) % 4] for n in range(4))
        tables.append(LineTable(line, ends, forward, backward))
    return tuple(tables)


def _first_met(stones: int, way: Sequence[Sight]) -> int:
    """The first stone that a run along these lines meets, as a set; 0 when they are all empty."""
    for line, first in way:
        hit = first[stones & line]
        if hit:
            return hit
    return 0


class Run(NamedTuple):
    """A way along a ring through at least one loop from one point to another; `track` holds every point passed, both
    ends included, and `met` the points with stones between them, in order."""

    track: tuple[int, ...]
    met: tuple[int, ...]


def runs(start: int, end: int, stones: int) -> Iterator[Run]:
    """Every run from one point to another, whether stones stand in its way or not; the start counts as empty."""
    for lines in RINGS:
        ring = [point for line in lines for point in line]
        for place in (i for i, point in enumerate(ring) if point == start):
            for step in (1, -1):
                run = _run(ring, place, step, end, stones & ~(1 << start))
                if run:
                    yield run


def _run(ring: Sequence[int], place: int, step: int, end: int, stones: int) -> Run | None:
    track = [ring[place]]
    met: list[int] = []
    line = place // SIZE
    for way in range(1, len(ring)):
        here = (place + step * way) % len(ring)
        point = ring[here]
        track.append(point)
        looped = way >= SIZE or here // SIZE != line
        if point == end and looped:
            return Run(tuple(track), tuple(met))
        if stones >> point & 1:
            met.append(point)
    return None


class Surakarta(Rules):
    """The rules of the one board size there is."""

    game: ClassVar[str] = "surakarta"
    surface: ClassVar[str] = "lines"
    colours: ClassVar[tuple[str, str]] = ("black", "white")

    def __init__(self, preset: str) -> None:
        super().__init__(preset, BOARD, LIMIT)
        neighbours = [
            [q for q in STEPS.neighbours[point] if q is not None] for point in range(BOARD.size)
        ]
        self._rows = rows_by_set(
            [(STEPS.adjacent[point], flips(point, near)) for point, near in enumerate(neighbours)]
        )
        self._spread, self._repeat, self._mask = pair_factors(BOARD.size, neighbours)
        self._rings = tuple(_line_tables(ring) for ring in RINGS)

    @property
    def set_sizes(self) -> tuple[int, int]:
        """Twelve stones a side."""
        return (STONES, STONES)

    def start(self) -> State:
        """Each side's two ranks full."""
        return self.parse(START)

    # --- search

    def generate(self, state: State) -> list[State]:
        """See `Rules.generate`: the captures, then the steps."""
        own, foe, side, clock = state
        if not own or not foe:
            return []
        other = 1 - side
        out: list[State] = [
            (foe & ~pair, own ^ pair, other, 0) for pair in self._captures(own, foe)
        ]
        later = clock + 1
        empty = BOARD.full ^ (own | foe)
        rest = own
        for table in self._rows:
            for near, steps in table[rest & CHUNK_MASK]:
                for flip in steps[near & empty]:
                    out.append((foe, own ^ flip, other, later))
            rest >>= CHUNK
        return out

    def _captures(self, own: int, foe: int) -> list[int]:
        """Each capture as the pair of points of its two stones."""
        stones = own | foe
        pairs: list[int] = []
        for ring in self._rings:
            line, ends, _, _ = ring[-1]
            before = ends[stones & line][1]
            for line, ends, forward, backward in ring:
                first, last = ends[stones & line]
                pair = before | first  # the stones on the two sides of a loop
                if pair & own:
                    if pair & foe:  # one of each: who moves takes the other
                        if pair not in pairs:
                            pairs.append(pair)
                    elif not before or not first or before == first:
                        # An empty line leads on; a stone that meets itself at a crossing runs over its own start.
                        for runner, way in ((before, forward), (first, backward)):
                            if runner:
                                hit = _first_met(stones ^ runner, way)
                                if hit & foe and runner | hit not in pairs:
                                    pairs.append(runner | hit)
                before = last
        return pairs

    def captures(self, state: State) -> list[State]:
        """The successors that capture."""
        own, foe, side, clock = state
        if clock >= self.clock_end:
            return []
        other = 1 - side
        return [(foe & ~pair, own ^ pair, other, 0) for pair in self._captures(own, foe)]

    def count(self, state: State) -> int:
        """How many legal moves there are; the steps without building them."""
        own, foe, _, clock = state
        if clock >= self.clock_end or not own or not foe:
            return 0
        empty = BOARD.full ^ (own | foe)
        steps: int = (own * self._spread & empty * self._repeat & self._mask).bit_count()
        return steps + len(self._captures(own, foe))

    # --- people

    def list_moves(self, state: State) -> list[Move]:
        """See `Rules.list_moves`; each move is read off the change that `generate` makes."""
        return [self._move(state, after) for after in self.generate(state)]

    def _move(self, state: State, after: State) -> Move:
        own, foe = state[:2]
        foe_after, own_after = after[:2]
        start = (own & ~own_after).bit_length() - 1
        end = (own_after & ~own).bit_length() - 1
        path = (start, end)
        if foe == foe_after:
            text = "-".join(BOARD.text(path))
            return Move(text, "step", path, after, (Hop(end, (), None, path),))
        tracks = [run.track for run in runs(start, end, own | foe) if not run.met]
        track = min(tracks, key=lambda track: (len(track), track))
        text = "x".join(BOARD.text(path))
        return Move(text, "capture", path, after, (Hop(end, (end,), None, track),))

    def circuits(self) -> list[dict[str, Any]]:
        """The two circuits, each with its four lines."""
        return [
            {"name": name, "lines": [line for line in BOARD.lines if _on_ring(line, ring)]}
            for name, ring in zip(CIRCUITS, RINGS, strict=True)
        ]

    def loops(self) -> list[dict[str, Any]]:
        """The eight loops: at each corner one of each circuit."""
        return [
            {"corner": corner, "circuit": name, "ends": (ring[i][-1], ring[(i + 1) % 4][0])}
            for name, ring in zip(CIRCUITS, RINGS, strict=True)
            for i, corner in enumerate(CORNERS)
        ]

    def refuse(self, state: State, path: Sequence[int], moves: list[Move]) -> Refusal:
        """See `Rules.refuse`."""
        own, foe = state[:2]
        start, end = path[0], path[-1]
        if len(path) == 1:
            return Refusal("blocked-piece", (start,))
        if len(path) > 2:
            return Refusal("unreachable", tuple(path))
        if own >> end & 1:
            return Refusal("own-piece", (end,))
        if foe >> end & 1:
            return _refuse_capture(start, end, own | foe)
        if STEPS.direction(start, end) is None:
            return Refusal("no-line", (start, end))
        return Refusal("too-far", (start, end))


def _on_ring(line: tuple[int, int], ring: Sequence[Sequence[int]]) -> bool:
    return any(set(line) == {points[0], points[-1]} for points in ring)


def _refuse_capture(start: int, end: int, stones: int) -> Refusal:
    """Why a stone cannot take another: the way is blocked (`points`: by what), or it passes no loop."""
    direction = STEPS.direction(start, end)
    if direction is not None:
        ray = STEPS.rays[start][direction]
        between = ray[: ray.index(end)]
        if not stones & set_of(between):  # the way that passes no loop is free, so it was meant
            return Refusal("needs-loop", (start, end))
    ways = sorted(runs(start, end, stones), key=lambda run: (len(run.track), run.track))
    if not ways:
        return Refusal("needs-loop", (start, end))
    return Refusal("path-blocked", (ways[0].met[0],))


def make(preset: str, options: Mapping[str, str]) -> Rules:
    """The rules of the one preset; raises `EngineError` (`ruleset.option`) for any option."""
    no_options(options, f"surakarta/{preset}")
    return Surakarta(preset)


GAME = Game("surakarta", ("6x6",), make)
