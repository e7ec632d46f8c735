"""Alquerque on 5×5 points, every known set of rules as options (rules §2).

The options turn into tables of steps and jumps per side and point, built once, so that generating moves asks no
option that a table already answers. Two classes share them: `Alquerque` for plain men, whose states are bare
`(own, foe, side, clock)`, and `AlquerqueExtended` for rulesets whose positions hold more: Sultans, pieces that may be
huffed, points that may not be gone back to; its states are `(own, foe, side, clock, sultans, huff, prev)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

from pyengine.board import DIRECTIONS, Board, points_of, set_of
from pyengine.diagram import Diagram, parse_points
from pyengine.errors import EngineError
from pyengine.rules.base import Game, Hop, Move, Refusal, Rules, State
from pyengine.rules.tables import flips

GAME_NAME = "alquerque"
START = "ooooo/ooooo/oo1xx/xxxxx/xxxxx x 0"
MEN = 12
MAX_LIMIT = 9999

#: Every option with its values; the first is the one that presets differ from.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "bonus": ("no", "yes"),
    "choice": ("any", "maximum"),
    "finish": ("must", "may"),
    "jump": ("all", "no-backward"),
    "lastrank": ("normal", "captures-only", "sideways-only"),
    "move": ("all", "no-backward"),
    "noreturn": ("no", "yes"),
    "obligation": ("mandatory", "optional", "huff"),
    "onlimit": ("draw", "count"),
    "sultan": ("none", "short", "long"),
}

#: The order in which people are told of the options.
TOLD = (
    "move",
    "jump",
    "obligation",
    "choice",
    "finish",
    "lastrank",
    "sultan",
    "bonus",
    "noreturn",
    "limit",
    "onlimit",
)


@dataclass(frozen=True, slots=True)
class Options:
    """One value for each option of rules §2; `limit` in plies, 0 = off."""

    bonus: str = "no"
    choice: str = "any"
    finish: str = "must"
    jump: str = "all"
    lastrank: str = "normal"
    limit: int = 80
    move: str = "all"
    noreturn: str = "no"
    obligation: str = "mandatory"
    onlimit: str = "draw"
    sultan: str = "none"

    def values(self) -> dict[str, str | int]:
        """All options in alphabetical order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


_DOCE = {
    "move": "no-backward",
    "jump": "no-backward",
    "obligation": "optional",
    "finish": "may",
    "limit": 100,
}
PRESETS: Mapping[str, Options] = {
    "table": Options(),
    "bell": Options(move="no-backward", lastrank="captures-only", limit=50),
    "maximum": Options(choice="maximum"),
    "classic": Options(obligation="optional", finish="may", limit=100, onlimit="count"),
    "doce-short": Options(**_DOCE, sultan="short"),  # type: ignore[arg-type]
    "doce-long": Options(**_DOCE, sultan="long"),  # type: ignore[arg-type]
}
VARIANTS = (
    "alquerque/maximum;bonus=yes",
    "alquerque/maximum;choice=any;finish=may;obligation=huff",
    "alquerque/maximum;choice=any",
    "alquerque/maximum;lastrank=sideways-only;move=no-backward",
    "alquerque/maximum;noreturn=yes",
)

BOARD = Board(5, 5, "even")


class Chain(NamedTuple):
    """A capture: where it starts, every landing, every taken point, and whether it could go on from there."""

    start: int
    landings: tuple[int, ...]
    taken: tuple[int, ...]
    complete: bool


class Jump(NamedTuple):
    """A short jump from a point: the taken point as a set, the landing as point and as set."""

    over: int
    to: int
    landing: int


def _read_options(preset: str, given: Mapping[str, str]) -> Options:
    values = PRESETS[preset].values()
    for name, value in given.items():
        if name == "limit":
            if not re.fullmatch(r"0|[1-9][0-9]{0,3}", value):
                raise EngineError(
                    "ruleset.option",
                    f"limit must be a number of plies from 0 to {MAX_LIMIT}, not {value[:40]!r}",
                    found=f"limit={value[:40]}",
                )
            values[name] = int(value)
        elif value not in CHOICES.get(name, ()):
            known = ", ".join([*CHOICES, "limit"])
            hint = " or ".join(CHOICES[name]) if name in CHOICES else f"one of {known}"
            raise EngineError(
                "ruleset.option",
                f"unknown option {name[:40]}={value[:40]} (expected {hint})",
                found=f"{name[:40]}={value[:40]}",
            )
        else:
            values[name] = value
    options = Options(**values)  # type: ignore[arg-type]
    _refuse_impossible(options)
    return options


def _refuse_impossible(options: Options) -> None:
    """Mixes whose options contradict each other; `mix` names the sentence that explains it."""
    if options.obligation == "mandatory":
        return
    for name, off in (("choice", "any"), ("bonus", "no")):
        if getattr(options, name) != off:
            mix = f"{name}-needs-mandatory"
            raise EngineError(
                "ruleset.mix",
                f"{name}={getattr(options, name)} has a meaning only with obligation=mandatory",
                mix=mix,
                options=[name, "obligation"],
            )


def _pointless(options: Options) -> list[str]:
    """Options that others leave without any effect, each with the sentence that says so."""
    free = (options.move, options.jump, options.lastrank) == ("all", "all", "normal")
    found = {
        "finish-needs-any": options.choice == "maximum" and options.finish == "may",
        "lastrank-needs-no-sultan": options.sultan != "none" and options.lastrank != "normal",
        "short-sultan-needs-no-backward": options.sultan == "short" and free,
        "count-needs-limit": options.onlimit == "count" and options.limit == 0,
    }
    return [f"mix.{name}" for name, true in found.items() if true]


def make(preset: str, given: Mapping[str, str]) -> Rules:
    """The rules of a preset with some options changed; raises `EngineError` (`ruleset.option`, `ruleset.mix`)."""
    options = _read_options(preset, given)
    extended = options.sultan != "none" or options.obligation == "huff" or options.noreturn == "yes"
    return (AlquerqueExtended if extended else Alquerque)(preset, options)


class Alquerque(Rules):
    """Alquerque with plain men: states are `(own, foe, side, clock)`."""

    game: ClassVar[str] = GAME_NAME

    def __init__(self, preset: str, options: Options) -> None:
        super().__init__(preset, BOARD, options.limit, options.onlimit)
        self.setting = options
        changed = {
            name: value
            for name, value in options.values().items()
            if value != PRESETS[preset].values()[name]
        }
        self.ruleset = ";".join(
            [f"{GAME_NAME}/{preset}", *(f"{name}={value}" for name, value in changed.items())]
        )
        self.sultans = options.sultan != "none"
        if preset in ("classic", "doce-short", "doce-long"):
            self.agreements = ("draw", "count")
        self._may_stop = options.finish == "may"
        self._mandatory = options.obligation == "mandatory"
        self._maximum = options.choice == "maximum"
        self._bonus = options.bonus == "yes"
        self.far = (BOARD.rank_set(4), BOARD.rank_set(0))
        self._steps = tuple(
            tuple(tuple(self._man_steps(side, point)) for point in range(BOARD.size))
            for side in (0, 1)
        )
        self._jumps = tuple(
            tuple(tuple(_jumps(side, point, options.jump)) for point in range(BOARD.size))
            for side in (0, 1)
        )
        self._prey = tuple(
            tuple(_union(jump.over for jump in jumps) for jumps in row) for row in self._jumps
        )
        self._reach = tuple(tuple(set_of(targets) for targets in row) for row in self._steps)
        self._flips = tuple(
            tuple(flips(point, targets) for point, targets in enumerate(row)) for row in self._steps
        )

    def _man_steps(self, side: int, point: int) -> list[int]:
        """Where a man may step to, were every point empty."""
        on_last = self.far[side] >> point & 1
        lastrank = self.setting.lastrank if on_last else "normal"
        if lastrank == "captures-only":
            return []
        targets = []
        for direction, (_, up) in enumerate(DIRECTIONS):
            target = BOARD.neighbours[point][direction]
            if target is None or (lastrank == "sideways-only" and up):
                continue
            if self.setting.move == "all" or not _backward(side, up):
                targets.append(target)
        return targets

    @property
    def set_sizes(self) -> tuple[int, int]:
        """Twelve men a side."""
        return (MEN, MEN)

    def start(self) -> State:
        """Dark's two rows and the two points right of the empty centre, and Light's likewise."""
        return self.parse(START)

    # --- search

    def generate(self, state: State) -> list[State]:
        """See `Rules.generate`."""
        own, foe, side, clock = state
        if not foe:
            return []
        other = 1 - side
        mine = points_of(own)
        found: list[tuple[int, int, int]] = []
        prey = self._prey[side]
        for point in mine:
            if prey[point] & foe:
                self._extend(self._jumps[side], own ^ 1 << point, foe, point, 0, found)
        if found and self._maximum:
            most = max(found)[0]
            found = [chain for chain in found if chain[0] == most]
        out: list[State] = [(foe_after, own_after, other, 0) for _, own_after, foe_after in found]
        if self._bonus:
            out = [self._after_bonus(after) for after in out]
        if out and self._mandatory:
            return out
        clock += 1
        empty = BOARD.full ^ (own | foe)
        reach = self._reach[side]
        flips = self._flips[side]
        for point in mine:
            open_points = reach[point] & empty
            if open_points:
                for flip in flips[point][open_points]:
                    out.append((foe, own ^ flip, other, clock))
        return out

    def _extend(
        self,
        jumps: Sequence[Sequence[Jump]],
        own: int,
        foe: int,
        point: int,
        taken: int,
        found: list[tuple[int, int, int]],
    ) -> None:
        """Add every chain that goes on from a point as (number taken, own, foe); `own` is without the jumping man."""
        closed = own | foe
        further = False
        for over, to, landing in jumps[point]:
            if foe & over and not closed & landing:
                further = True
                self._extend(jumps, own, foe ^ over, to, taken + 1, found)
        if taken and (self._may_stop or not further):
            found.append((taken, own | 1 << point, foe))

    def _after_bonus(self, after: State) -> State:
        """With the bonus, the same side goes on while any of its pieces can capture."""
        foe, own, other = after[:3]
        if foe and self._capturers(own, foe, self._sultans_of(after), 1 - other):
            return (own, foe, 1 - other, *after[3:])
        return after

    def captures(self, state: State) -> list[State]:
        """The successors that capture."""
        own, foe, side, clock = state[:4]
        if clock >= self.clock_end or not self._capturers(own, foe, 0, side):
            return []
        return [after for after in self.generate(state) if not after[3]]

    # --- people

    def list_moves(self, state: State) -> list[Move]:
        """See `Rules.list_moves`; the same order as `generate`."""
        own, foe, side = state[:3]
        if not foe:
            return []
        chains = self.chains(own, foe, self._sultans_of(state), side)
        moves = [self._capture_move(state, chain) for chain in self._chosen(chains)]
        if not moves or not self._mandatory:
            moves += [self._step_move(state, a, b) for a, b in self.steps(state)]
        return moves

    def _chosen(self, chains: list[Chain]) -> list[Chain]:
        if not self._maximum or not chains:
            return chains
        most = max(len(chain.taken) for chain in chains)
        return [chain for chain in chains if len(chain.taken) == most]

    def _sultans_of(self, state: State) -> int:
        return 0

    def chains(self, own: int, foe: int, sultans: int, side: int) -> list[Chain]:
        """Every capture that may be played, obligation and choice left aside."""
        out: list[Chain] = []
        for point in points_of(own):
            self._grow(out, own ^ 1 << point, foe, sultans >> point & 1, side, point, (), ())
        return out

    def _grow(
        self,
        out: list[Chain],
        own: int,
        foe: int,
        sultan: int,
        side: int,
        start: int,
        landings: tuple[int, ...],
        taken: tuple[int, ...],
    ) -> None:
        point = landings[-1] if landings else start
        further = self._next_jumps(own, foe, sultan, side, point, taken)
        for over, to in further:
            self._grow(out, own, foe, sultan, side, start, (*landings, to), (*taken, over))
        if landings and (self._may_stop or not further):
            out.append(Chain(start, landings, taken, not further))

    def _next_jumps(
        self, own: int, foe: int, sultan: int, side: int, point: int, taken: tuple[int, ...]
    ) -> list[tuple[int, int]]:
        """(taken point, landing) of every jump from a point; men that were taken have left the board."""
        left = foe & ~set_of(taken)
        closed = own | left
        return [
            (jump.over.bit_length() - 1, jump.to)
            for jump in self._man_jumps(sultan, side)[point]
            if left & jump.over and not closed & jump.landing
        ]

    def _man_jumps(self, sultan: int, side: int) -> Sequence[Sequence[Jump]]:
        return self._jumps[side]

    def _capturers(self, own: int, foe: int, sultans: int, side: int) -> int:
        """The set of own pieces that can capture."""
        closed = own | foe
        found = 0
        prey, jumps = self._prey[side], self._jumps[side]
        for point in points_of(own):
            if prey[point] & foe:
                for over, _, landing in jumps[point]:
                    if foe & over and not closed & landing:
                        found |= 1 << point
                        break
        return found

    def steps(self, state: State) -> list[tuple[int, int]]:
        """Every step as (from, to), obligation left aside."""
        own, foe, side = state[:3]
        closed = own | foe
        return [
            (point, target)
            for point in points_of(own)
            for target in self._steps[side][point]
            if not closed >> target & 1
        ]

    def _capture_move(self, state: State, chain: Chain) -> Move:
        path = (chain.start, *chain.landings)
        hops = tuple(
            Hop(to, (over,), None, (start, to))
            for start, to, over in zip(path, chain.landings, chain.taken, strict=False)
        )
        text = "x".join(BOARD.text(path))
        after = self._play_chain(state, chain)
        return Move(text, "capture", path, after, hops, self._promotes(state, path[0], path[-1]))

    def _step_move(self, state: State, start: int, to: int) -> Move:
        text = f"{BOARD.names[start]}-{BOARD.names[to]}"
        after = self._play_step(state, start, to)
        hop = Hop(to, (), None, (start, to))
        return Move(text, "step", (start, to), after, (hop,), self._promotes(state, start, to))

    def _promotes(self, state: State, start: int, to: int) -> bool:
        return False

    def _play_chain(self, state: State, chain: Chain) -> State:
        own, foe, side = state[:3]
        own = own & ~(1 << chain.start) | 1 << chain.landings[-1]
        after = (foe & ~set_of(chain.taken), own, 1 - side, 0)
        return self._after_bonus(after) if self._bonus else after

    def _play_step(self, state: State, start: int, to: int) -> State:
        own, foe, side, clock = state[:4]
        return (foe, own ^ (1 << start | 1 << to), 1 - side, clock + 1)

    # --- the page

    def options(self) -> list[dict[str, Any]]:
        """All options with this ruleset's values and the preset's, in the order of rules §2."""
        default = PRESETS[self.preset].values()
        value = self.setting.values()
        return [
            {
                "name": name,
                "value": value[name],
                "default": default[name],
                "choices": list(CHOICES.get(name, ())),
            }
            for name in TOLD
        ]

    def notes(self) -> list[str]:
        """Options of this mix that change nothing."""
        return _pointless(self.setting)

    def refuse(self, state: State, path: Sequence[int], moves: list[Move]) -> Refusal:
        """The reason of rules §2 why the path is not legal."""
        own, foe, side = state[:3]
        sultans = self._sultans_of(state)
        start = path[0]
        chains = self.chains(own, foe, sultans, side)
        begun = [c for c in chains if (c.start, *c.landings)[: len(path)] == tuple(path)]
        capturers = tuple(sorted({chain.start for chain in chains}))
        if begun and len(begun[0].landings) and self._maximum:
            most = max(len(chain.taken) for chain in chains)
            return Refusal("must-take-most", tuple(sorted({m.path[0] for m in moves})), most)
        mine = [move for move in moves if move.path and move.path[0] == start]
        if capturers and self._mandatory and (not mine or self._is_step(state, path)):
            return Refusal("must-capture", tuple(sorted({m.path[0] for m in moves})))
        if len(path) == 1:
            return Refusal("blocked-piece", (start,))
        if len(path) > 2:
            on = [m for m in mine if m.path[: len(path) - 1] == tuple(path[:-1])]
            further = {m.path[len(path) - 1] for m in on if len(m.path) >= len(path)}
            if further:
                return Refusal("must-go-on", tuple(sorted(further)))
        return self._refuse_target(state, path[-2], path[-1])

    def _is_step(self, state: State, path: Sequence[int]) -> bool:
        return len(path) == 2 and (path[0], path[1]) in self.steps(state)

    def _refuse_target(self, state: State, start: int, target: int) -> Refusal:
        own, foe, side = state[:3]
        sultan = self._sultans_of(state) >> start & 1
        if (own | foe) >> target & 1:
            return Refusal("occupied", (target,))
        direction = BOARD.direction(start, target)
        if direction is None:
            return Refusal("no-line", (start, target))
        if self.forbidden(state).get(start) == target:
            return Refusal("no-return", (start, target))
        steps = BOARD.rays[start][direction].index(target) + 1
        if not sultan and steps <= 2:
            jumping = steps == 2 and bool(foe >> BOARD.rays[start][direction][0] & 1)
            rule = self.setting.jump if jumping else self.setting.move
            if (
                (steps == 1 or jumping)
                and rule != "all"
                and _backward(side, DIRECTIONS[direction][1])
            ):
                return Refusal("backward", (start, target))
            if steps == 1 and self.far[side] >> start & 1:
                return Refusal("last-rank", (start,))
            if steps == 2:
                return Refusal("nothing-to-take", (start, target))
        return Refusal("too-far", (start, target))


class AlquerqueExtended(Alquerque):
    """Alquerque whose positions hold more than men: `(own, foe, side, clock, sultans, huff, prev)`.

    `sultans`: the Sultans of both sides. `huff`: pieces of the side that just moved which may be huffed. `prev`: pairs
    (point of a piece, point it may not step back to), sorted, only with `noreturn=yes`.
    """

    def __init__(self, preset: str, options: Options) -> None:
        super().__init__(preset, options)
        self._long = options.sultan == "long"
        self._huff = options.obligation == "huff"
        self._noreturn = options.noreturn == "yes"
        self._all_jumps = tuple(tuple(_jumps(0, point, "all")) for point in range(BOARD.size))

    def generate(self, state: State) -> list[State]:
        """See `Rules.generate`."""
        if self._huff or self._noreturn:
            return [move.after for move in self.list_moves(state)]
        own, foe, sultans, side = state[0], state[1], state[4], state[2]
        if not foe:
            return []
        chains = self._chosen(self.chains(own, foe, sultans, side))
        out = [self._play_chain(state, chain) for chain in chains]
        if out and self._mandatory:
            return out
        return out + [self._play_step(state, a, b) for a, b in self.steps(state)]

    def list_moves(self, state: State) -> list[Move]:
        """See `Rules.list_moves`; huffs come last."""
        moves = super().list_moves(state)
        if state[1]:
            moves += [self._huff_move(state, point) for point in self._name_order(state[5])]
        return moves

    def captures(self, state: State) -> list[State]:
        """The successors that capture; a huff is not one."""
        own, foe, side, clock, sultans = state[:5]
        if clock >= self.clock_end or not foe or not self._capturers(own, foe, sultans, side):
            return []
        if self._huff or self._noreturn:
            return [move.after for move in self.list_moves(state) if move.kind == "capture"]
        chains = self._chosen(self.chains(own, foe, sultans, side))
        return [self._play_chain(state, chain) for chain in chains]

    # --- Sultans

    def _sultans_of(self, state: State) -> int:
        return int(state[4])

    def sultan_set(self, state: State) -> int:
        """The set of Sultans of both sides."""
        return int(state[4])

    def _man_jumps(self, sultan: int, side: int) -> Sequence[Sequence[Jump]]:
        return self._all_jumps if sultan else self._jumps[side]

    def _capturers(self, own: int, foe: int, sultans: int, side: int) -> int:
        found = super()._capturers(own & ~sultans, foe, 0, side) if not own & sultans else 0
        if own & sultans:
            for point in points_of(own):
                if self._next_jumps(own ^ 1 << point, foe, sultans >> point & 1, side, point, ()):
                    found |= 1 << point
        return found

    def _next_jumps(
        self, own: int, foe: int, sultan: int, side: int, point: int, taken: tuple[int, ...]
    ) -> list[tuple[int, int]]:
        if not self._long:
            return super()._next_jumps(own, foe, sultan, side, point, taken)
        # With long Sultans the taken stay on the board until the move ends and may not be jumped twice.
        if not sultan:
            gone = set_of(taken)
            return [
                (jump.over.bit_length() - 1, jump.to)
                for jump in self._jumps[side][point]
                if foe & jump.over & ~gone and not (own | foe) & jump.landing
            ]
        return _long_jumps(own, foe, point, set_of(taken))

    def _promotes(self, state: State, start: int, to: int) -> bool:
        return bool(self.sultans and not state[4] >> start & 1 and self.far[state[2]] >> to & 1)

    def steps(self, state: State) -> list[tuple[int, int]]:
        """Every step as (from, to): men by their table, Sultans short or long, no step back where that is a rule."""
        own, foe, side = state[:3]
        sultans = state[4]
        closed = own | foe
        back = dict(state[6])
        out = []
        for point in points_of(own):
            targets: Iterable[int]
            if sultans >> point & 1:
                targets = (
                    _long_steps(closed, point) if self._long else points_of(BOARD.adjacent[point])
                )
            else:
                targets = self._steps[side][point]
            out += [
                (point, target)
                for target in targets
                if not closed >> target & 1 and back.get(point) != target
            ]
        return out

    # --- what a move leaves behind

    def _play_chain(self, state: State, chain: Chain) -> State:
        own, foe, side, _, sultans, _, prev = state
        end = chain.landings[-1]
        taken = set_of(chain.taken)
        before = (chain.start, *chain.landings)[-2]
        own = own & ~(1 << chain.start) | 1 << end
        sultans = self._move_sultan(sultans & ~taken, side, chain.start, end)
        huff = 1 << end if self._huff and not chain.complete else 0
        if self._noreturn:
            prev = _moved(prev, chain.start, end, before, taken)
        after = (foe & ~taken, own, 1 - side, 0, sultans, huff, prev)
        return self._after_bonus(after) if self._bonus else after

    def _play_step(self, state: State, start: int, to: int) -> State:
        own, foe, side, clock, sultans, _, prev = state
        huff = 0
        if self._huff:
            huff = self._capturers(own, foe, sultans, side)
            if huff >> start & 1:
                huff ^= 1 << start | 1 << to
        own ^= 1 << start | 1 << to
        sultans = self._move_sultan(sultans, side, start, to)
        if self._noreturn:
            prev = _moved(prev, start, to, start, 0)
        return (foe, own, 1 - side, clock + 1, sultans, huff, prev)

    def _move_sultan(self, sultans: int, side: int, start: int, to: int) -> int:
        if not self.sultans:
            return 0
        if sultans >> start & 1:
            return sultans & ~(1 << start) | 1 << to
        return sultans | self.far[side] & 1 << to

    def _huff_move(self, state: State, point: int) -> Move:
        own, foe, side, _, sultans, _, prev = state
        gone = 1 << point
        prev = tuple(pair for pair in prev if pair[0] != point)
        after = (own, foe ^ gone, side, 0, sultans & ~gone, 0, prev)
        return Move(f"huff:{BOARD.names[point]}", "huff", (point,), after)

    # --- position text

    def build(self, diagram: Diagram) -> State:
        """The state of a diagram; refuses men that would be Sultans, and keys that do not fit the pieces."""
        self.check_sets(diagram)
        allowed = [*(("huff",) if self._huff else ()), *(("prev",) if self._noreturn else ())]
        self.check_keys(diagram, allowed)
        if self.sultans:
            for men, far in zip((diagram.x, diagram.o), self.far, strict=True):
                stray = men & far & ~diagram.sultans
                if stray:
                    point = BOARD.names[points_of(stray)[0]]
                    raise EngineError(
                        "position.rank",
                        f"a man on its last row would be a Sultan ({point})",
                        point=point,
                    )
        own, foe = (diagram.x, diagram.o) if diagram.side == 0 else (diagram.o, diagram.x)
        huff = self._read_huff(diagram, foe)
        prev = self._read_prev(diagram, own | foe)
        return (own, foe, diagram.side, diagram.clock, diagram.sultans, huff, prev)

    def _read_huff(self, diagram: Diagram, foe: int) -> int:
        if "huff" not in diagram.keys:
            return 0
        points = parse_points(BOARD, diagram.keys["huff"], "position.huff")
        for point in points:
            if not foe >> point & 1 or points.count(point) > 1:
                name = BOARD.names[point]
                raise EngineError(
                    "position.huff",
                    f"huff= must name pieces of the side that just moved, each once ({name})",
                    found=name,
                )
        return set_of(points)

    def _read_prev(self, diagram: Diagram, stones: int) -> tuple[tuple[int, int], ...]:
        if "prev" not in diagram.keys:
            return ()
        pairs: dict[int, int] = {}
        for text in diagram.keys["prev"].split(","):
            pair = re.fullmatch(r"([a-z][0-9])([a-z][0-9])", text)
            if not pair or not all(name in BOARD.index for name in pair.groups()):
                raise EngineError(
                    "position.prev",
                    f"prev= must be pairs of points such as a1b2, not {text[:10]!r}",
                    found=text[:10],
                )
            point, back = (BOARD.index[name] for name in pair.groups())
            if not stones >> point & 1 or point in pairs or point == back:
                raise EngineError(
                    "position.prev",
                    f"prev= must give one other point for a piece that is on the board ({text})",
                    found=text,
                )
            pairs[point] = back
        return tuple(sorted(pairs.items()))

    def diagram(self, state: State) -> Diagram:
        """The diagram of a state, with `huff` and `prev` where there are any."""
        x, o = self.sides(state)
        keys = {}
        if state[5]:
            keys["huff"] = ",".join(BOARD.text(self._name_order(state[5])))
        if state[6]:
            pairs = sorted(f"{BOARD.names[point]}{BOARD.names[back]}" for point, back in state[6])
            keys["prev"] = ",".join(pairs)
        return Diagram(x, o, state[4], state[2], state[3], keys)

    def _name_order(self, points: int) -> list[int]:
        return sorted(points_of(points), key=lambda point: BOARD.names[point])

    def huffable(self, state: State) -> int:
        """The set of enemy pieces that may be huffed now."""
        return int(state[5])

    def forbidden(self, state: State) -> Mapping[int, int]:
        """The points that pieces may not step back to."""
        return dict(state[6])


def _backward(side: int, up: int) -> bool:
    """Whether a move by so many ranks goes back, seen from a side."""
    return up < 0 if side == 0 else up > 0


def _jumps(side: int, point: int, rule: str) -> list[Jump]:
    """The short jumps of a man from a point along the drawn lines."""
    jumps = []
    for direction, (_, up) in enumerate(DIRECTIONS):
        ray = BOARD.rays[point][direction]
        if len(ray) >= 2 and (rule == "all" or not _backward(side, up)):
            jumps.append(Jump(1 << ray[0], ray[1], 1 << ray[1]))
    return jumps


def _union(sets: Iterable[int]) -> int:
    union = 0
    for bits in sets:
        union |= bits
    return union


def _moved(
    prev: tuple[tuple[int, int], ...], start: int, to: int, back: int, taken: int
) -> tuple[tuple[int, int], ...]:
    """The no-return pairs after a piece moved: its own is replaced, those of taken pieces go."""
    kept = [pair for pair in prev if pair[0] != start and not taken >> pair[0] & 1]
    return tuple(sorted([*kept, (to, back)]))


def _long_steps(closed: int, point: int) -> list[int]:
    targets = []
    for ray in BOARD.rays[point]:
        for target in ray:
            if closed >> target & 1:
                break
            targets.append(target)
    return targets


def _long_jumps(own: int, foe: int, point: int, gone: int) -> list[tuple[int, int]]:
    """(taken point, landing) of every jump of a long Sultan; pieces in `gone` were taken but still stand."""
    out = []
    for ray in BOARD.rays[point]:
        over = None
        for target in ray:
            bit = 1 << target
            if not (own | foe) & bit:
                if over is not None:
                    out.append((over, target))
            elif over is None and foe & bit & ~gone:
                over = target
            else:
                break
    return out


GAME = Game(GAME_NAME, tuple(PRESETS), make, VARIANTS)
