"""Seega on 5×5, 7×7 and 9×9 points (rules §5).

States are `(own, foe, side, clock, left)`; `left` is the number of stones that both sides still have to place, 0 once
the sliding has begun. Both sets together fill the board but for its centre, so while stones are being placed `left` is
also the number of points open to them, and it tells whose turn it is: two stones each, x first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pyengine.board import ORTHOGONAL, Board, points_of
from pyengine.diagram import SIDES, Diagram
from pyengine.errors import EngineError
from pyengine.rules.base import Game, Hop, Move, Outcome, Refusal, Rules, State, no_options
from pyengine.rules.tables import CHUNK, CHUNK_MASK, flips, pair_factors, rows_by_set

SIZES: Mapping[str, int] = {"5x5": 5, "7x7": 7, "9x9": 9}
LIMIT = 120
#: A side with fewer stones has lost.
FEWEST = 2


class Seega(Rules):
    """The rules on a square board with an odd number of points a side."""

    game: ClassVar[str] = "seega"
    surface: ClassVar[str] = "cells"
    colours: ClassVar[tuple[str, str]] = ("white", "black")
    hand: ClassVar[bool] = True

    def __init__(self, preset: str) -> None:
        size = SIZES[preset]
        board = Board(size, size)
        super().__init__(preset, board, LIMIT)
        self.centre = board.size // 2
        self.stones = board.size // 2
        neighbours = [
            [q for q in board.neighbours[point] if q is not None] for point in range(board.size)
        ]
        self._rows = rows_by_set(
            [self._row(point, neighbours[point]) for point in range(board.size)]
        )
        self._spread, self._repeat, self._mask = pair_factors(board.size, neighbours)

    def _row(
        self, point: int, neighbours: Sequence[int]
    ) -> tuple[int, int, int, int, dict[int, tuple[int, ...]], dict[int, int]]:
        """All that generating asks about an empty point, as sets of points:

        itself; its neighbours; those neighbours that can be taken between it and another stone; where those other
        stones stand; the slides that come here by the stones that can make them; what arriving here takes by the
        enemies and own stones on the third and fourth set.
        """
        rays = [self.board.rays[point][direction] for direction in ORTHOGONAL]
        nips = [(1 << r[0], 1 << r[1]) for r in rays if len(r) > 1 and r[0] != self.centre]
        takes = {0: 0}
        for prey, hammer in nips:
            takes |= {
                key | some: taken | (prey if some == prey | hammer else 0)
                for key, taken in takes.items()
                for some in (prey, hammer, prey | hammer)
            }
        near = self.board.adjacent[point]
        preys = sum(prey for prey, _ in nips)
        hammers = sum(hammer for _, hammer in nips)
        return 1 << point, near, preys, hammers, flips(point, neighbours), takes

    @property
    def set_sizes(self) -> tuple[int, int]:
        """Half of the board without its centre for each side."""
        return (self.stones, self.stones)

    def start(self) -> State:
        """An empty board."""
        return (0, 0, 0, 0, 2 * self.stones)

    # --- search

    def generate(self, state: State) -> list[State]:
        """See `Rules.generate`."""
        own, foe, side, clock, left = state
        empty = self.board.full ^ (own | foe)
        if left:
            return self._place(own, foe, side, left, empty)
        if not own & (own - 1) or not foe & (foe - 1):
            return []
        other = 1 - side
        later = clock + 1
        out: list[State] = []
        rest = empty
        for table in self._rows:
            for _, near, preys, hammers, slides, takes in table[rest & CHUNK_MASK]:
                movers = own & near
                if movers:
                    taken = takes[foe & preys | own & hammers]
                    if taken:
                        for flip in slides[movers]:
                            out.append((foe ^ taken, own ^ flip, other, 0, 0))
                    else:
                        for flip in slides[movers]:
                            out.append((foe, own ^ flip, other, later, 0))
            rest >>= CHUNK
        if not out and self.slides(foe, empty):
            out.append((foe, own, other, later, 0))
        return out

    def _place(self, own: int, foe: int, side: int, left: int, empty: int) -> list[State]:
        rest = empty & ~(1 << self.centre)
        bits = []
        for table in self._rows:
            bits += [row[0] for row in table[rest & CHUNK_MASK]]
            rest >>= CHUNK
        if left & 1:  # the second stone of the turn
            return [(foe, own | bit, 1 - side, 0, left - 1) for bit in bits]
        return [(own | bit, foe, side, 0, left - 1) for bit in bits]

    def slides(self, stones: int, empty: int) -> int:
        """In how many ways these stones can slide to these empty points."""
        return (stones * self._spread & empty * self._repeat & self._mask).bit_count()

    def captures(self, state: State) -> list[State]:
        """The slides that take something; none while stones are being placed."""
        own, foe, side, clock, left = state
        if left or clock >= self.clock_end or not own & (own - 1) or not foe & (foe - 1):
            return []
        other = 1 - side
        out: list[State] = []
        rest = self.board.full ^ (own | foe)
        for table in self._rows:
            for _, near, preys, hammers, slides, takes in table[rest & CHUNK_MASK]:
                taken = takes[foe & preys | own & hammers]
                if taken:
                    for flip in slides[own & near]:
                        out.append((foe ^ taken, own ^ flip, other, 0, 0))
            rest >>= CHUNK
        return out

    def count(self, state: State) -> int:
        """How many legal moves there are, without building them."""
        own, foe, _, clock, left = state
        if left:
            return int(left)
        if clock >= self.clock_end or not own & (own - 1) or not foe & (foe - 1):
            return 0
        empty = self.board.full ^ (own | foe)
        return self.slides(own, empty) or int(self.slides(foe, empty) > 0)

    # --- ends

    def decided(self, state: State) -> Outcome | None:
        """Fewer than two stones, once all are placed; a hand-made position where both have fewer is a draw."""
        own, foe, side, _, left = state
        short = own.bit_count() < FEWEST, foe.bit_count() < FEWEST
        if left or not any(short):
            return None
        return Outcome(None if all(short) else SIDES[1 - side if short[0] else side], "few")

    def blocked(self, state: State) -> Outcome:
        """Neither side can slide: more stones win."""
        return self.counted(state, "count")

    # --- people

    def list_moves(self, state: State) -> list[Move]:
        """See `Rules.list_moves`; each move is read off the change that `generate` makes."""
        return [self._move(state, after) for after in self.generate(state)]

    def _move(self, state: State, after: State) -> Move:
        own, foe, side = state[:3]
        names = self.board.names
        x, o = self.sides(after)
        own_after, foe_after = (o, x) if side else (x, o)
        if own == own_after:
            return Move("pass", "pass", (), after)
        end = (own_after & ~own).bit_length() - 1
        if state[4]:
            return Move(names[end], "place", (end,), after)
        start = (own & ~own_after).bit_length() - 1
        taken = tuple(points_of(foe & ~foe_after))
        kind = "capture" if taken else "step"
        hop = Hop(end, taken, None, (start, end))
        return Move(f"{names[start]}-{names[end]}", kind, (start, end), after, (hop,))

    def stage(self, state: State) -> str:
        """`"place"` while there are stones to place, then `"play"`."""
        return "place" if state[4] else "play"

    def hands(self, state: State) -> tuple[int, int] | None:
        """Stones still to place by x and o, or None once all are placed."""
        if not state[4]:
            return None
        x, o = self.sides(state)
        return self.stones - x.bit_count(), self.stones - o.bit_count()

    def marks(self) -> list[dict[str, Any]]:
        """The centre, where no stone can be taken."""
        return [{"point": self.centre, "kind": "shelter"}]

    def refuse(self, state: State, path: Sequence[int], moves: list[Move]) -> Refusal:
        """See `Rules.refuse`."""
        point = path[-1]
        closed = state[0] | state[1]
        if moves[0].kind == "pass":
            return Refusal("must-pass")
        if state[4]:
            if path[0] == self.centre:
                return Refusal("centre-closed", (self.centre,))
            if closed >> path[0] & 1:
                return Refusal("occupied", (path[0],))
            return Refusal("unreachable", tuple(path))
        if len(path) == 1:
            return Refusal("blocked-piece", (point,))
        if len(path) > 2:
            return Refusal("unreachable", tuple(path))
        if closed >> point & 1:
            return Refusal("occupied", (point,))
        if self.board.direction(path[0], point) is None:
            return Refusal("no-line", tuple(path))
        return Refusal("too-far", tuple(path))

    # --- position text

    def build(self, diagram: Diagram) -> State:
        """The state of a diagram; raises `EngineError` of the kinds `position.hand` and `position.centre` too."""
        self.check_sets(diagram)
        self.check_keys(diagram, ("hand",))
        left = self._check_hand(diagram)
        own, foe = (diagram.o, diagram.x) if diagram.side else (diagram.x, diagram.o)
        return (own, foe, diagram.side, diagram.clock, left)

    def _check_hand(self, diagram: Diagram) -> int:
        """How many stones are still to be placed; refuses a hand that no game can have come to."""
        placed = diagram.x.bit_count() + diagram.o.bit_count()
        found = diagram.keys.get("hand")
        if found is None:
            if placed:
                return 0
            raise _hand_error(
                f"an empty board needs the stones still to place: hand={self.stones},{self.stones}",
                found="",
                expected=f"{self.stones},{self.stones}",
            )
        if not re.fullmatch(r"(0|[1-9][0-9]?),(0|[1-9][0-9]?)", found):
            raise _hand_error(
                f"hand must be two numbers, x's stones still to place, then o's, not {found[:20]!r}",
                found=found[:20],
            )
        if found == "0,0":
            raise _hand_error("leave hand out once all stones are placed", found=found, expected="")
        hands = [int(number) for number in found.split(",")]
        for letter, hand, stones in zip(SIDES, hands, (diagram.x, diagram.o), strict=True):
            if hand + stones.bit_count() != self.stones:
                raise _hand_error(
                    f"{letter} has {stones.bit_count()} stones on the board and {hand} in hand;"
                    f" together they must be {self.stones}",
                    found=found,
                    side=letter,
                    expected=f"{self.stones - diagram.x.bit_count()},{self.stones - diagram.o.bit_count()}",
                )
        self._check_turn(diagram, placed, found)
        return 2 * self.stones - placed

    def _check_turn(self, diagram: Diagram, placed: int, found: str) -> None:
        rounds, turn = divmod(placed, 4)
        by_x = 2 * rounds + min(turn, 2)
        expected = f"{self.stones - by_x},{self.stones - placed + by_x}"
        side = turn // 2
        if diagram.x.bit_count() != by_x or diagram.side != side:
            raise _hand_error(
                f"each side places two stones a turn, x first: with {placed} on the board"
                f" {SIDES[side]} acts and the hands are {expected}",
                found=found,
                expected=expected,
                side=SIDES[side],
            )
        if (diagram.x | diagram.o) >> self.centre & 1:
            name = self.board.names[self.centre]
            raise EngineError(
                "position.centre",
                f"the centre {name} must be empty while stones are being placed",
                point=name,
            )
        if diagram.clock:
            raise EngineError(
                "position.clock",
                "the clock is 0 while stones are being placed",
                found=str(diagram.clock),
            )

    def diagram(self, state: State) -> Diagram:
        """The diagram of a state, with `hand` while stones are being placed."""
        x, o = self.sides(state)
        hands = self.hands(state)
        keys = {"hand": f"{hands[0]},{hands[1]}"} if hands else {}
        return Diagram(x, o, 0, state[2], state[3], keys)


def _hand_error(message: str, **data: object) -> EngineError:
    return EngineError("position.hand", message, **data)


def make(preset: str, options: Mapping[str, str]) -> Rules:
    """The rules of a board size; raises `EngineError` (`ruleset.option`) for any option."""
    no_options(options, f"seega/{preset}")
    return Seega(preset)


GAME = Game("seega", tuple(SIZES), make)
