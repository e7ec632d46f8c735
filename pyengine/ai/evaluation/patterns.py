"""Learned evaluation: small patterns of points, each looked up in a table of weights.

A pattern is a few points of the board, each empty, own or foe, read as a number in base three; its table says what
that arrangement is worth. Patterns that a symmetry of the game carries into each other share one table, and
arrangements that are mirror images within it share one weight, so that symmetric positions have equal values by
construction. `tools/train_evaluation.py` finds the weights by self-play.

Reading a number in base three is linear in the stones, so one sum of table entries, one for each dozen points of the
board, gives the numbers of all patterns at once, packed sixteen bits apart in one integer.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import Any

from pyengine.ai.evaluation.base import Evaluation, is_forced
from pyengine.ai.shipped import file_name, read
from pyengine.board import Board, set_of
from pyengine.rules import Rules, State

#: Bits a pattern's number takes in the packed sum; 3 ** 10 fits.
WIDTH = 16
#: Format of the files, raised with every change that older code cannot read.
FORMAT = 1

#: A way to move points about: `symmetry[point]` is where the point goes.
Symmetry = tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """Patterns that share their weights: the points of each in corresponding order, and the rearrangements of those
    points that change nothing."""

    placements: tuple[tuple[int, ...], ...]
    rearrangements: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """How many arrangements there are."""
        return int(3 ** len(self.placements[0]))

    def canonical(self) -> list[int]:
        """For every arrangement the smallest number among its rearrangements."""
        orders = [_rearranged(order) for order in self.rearrangements]
        return [min(numbers) for numbers in zip(*orders, strict=True)]


def _rearranged(order: Sequence[int]) -> list[int]:
    """For every arrangement its number after its points were put in another order."""
    numbers = [0]
    for place in order:
        numbers = [number + digit * 3**place for digit in range(3) for number in numbers]
    return numbers


# --- symmetries and shapes --------------------------------------------------------------------------------------------


def symmetries(board: Board, directed: bool) -> list[Symmetry]:
    """The symmetries of a board: where men have a direction only the mirror, else all turns and mirrors."""
    places = [(board.column(p), board.rank(p)) for p in range(board.size)]
    right, top = board.columns - 1, board.rows - 1
    maps: list[Callable[[int, int], tuple[int, int]]] = [
        lambda c, r: (c, r),
        lambda c, r: (right - c, r),
    ]
    if not directed:
        maps += [lambda c, r: (c, top - r), lambda c, r: (right - c, top - r)]
        if board.columns == board.rows:
            maps += [
                lambda c, r: (r, c),
                lambda c, r: (top - r, c),
                lambda c, r: (r, right - c),
                lambda c, r: (top - r, right - c),
            ]
    found = []
    for turn in maps:
        moved = [turn(column, rank) for column, rank in places]
        found.append(tuple(rank * board.columns + column for column, rank in moved))
    return found


def orbits(patterns: Iterable[tuple[int, ...]], group: Sequence[Symmetry]) -> list[Table]:
    """Tables for patterns, one for all that the group carries into each other."""
    tables = []
    seen: set[int] = set()
    for pattern in patterns:
        if set_of(pattern) in seen:
            continue
        images: dict[int, tuple[int, ...]] = {}
        orders = set()
        for symmetry in group:
            image = tuple(symmetry[point] for point in pattern)
            images.setdefault(set_of(image), image)
            if set_of(image) == set_of(pattern):
                orders.add(tuple(pattern.index(point) for point in image))
        seen |= set(images)
        tables.append(Table(tuple(images.values()), tuple(sorted(orders))))
    return tables


def windows(board: Board) -> list[tuple[int, ...]]:
    """Every 3×3 square: all jumps, approaches and withdrawals of one step lie within one."""
    return [
        tuple((rank + up) * board.columns + column + right for up in range(3) for right in range(3))
        for rank in range(board.rows - 2)
        for column in range(board.columns - 2)
    ]


def lines(board: Board) -> list[tuple[int, ...]]:
    """Every rank and every column."""
    ranks = [
        tuple(rank * board.columns + column for column in range(board.columns))
        for rank in range(board.rows)
    ]
    return ranks + [tuple(column) for column in zip(*ranks, strict=True)]


def corners(board: Board) -> list[tuple[int, ...]]:
    """Surakarta's loops: for each, the four points on the line towards it and the four on the line after it."""
    shapes = []
    for line in (1, 2):
        along = [board.columns * line + column for column in range(4)]
        down = [board.columns * rank + line for rank in range(4)]
        shapes.append(tuple(dict.fromkeys(along + down)))
    return shapes


def shapes(rules: Rules) -> tuple[list[Table], bool]:
    """The tables of a ruleset, and whether its men have a direction (then o's board is turned)."""
    board = rules.board
    options = {option["name"]: option["value"] for option in rules.options()}
    directed = "no-backward" in (options.get("move"), options.get("jump"))
    directed = directed or options.get("sultan", "none") != "none"
    directed = directed or options.get("lastrank", "normal") != "normal"
    group = symmetries(board, directed)
    if rules.game in ("alquerque", "fanorona"):
        return orbits(windows(board), group), directed
    if rules.game == "surakarta":
        return orbits(lines(board), group) + orbits(corners(board), group), directed
    return orbits(lines(board), group), directed


# --- judging ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Weights:
    """What training found: for each phase and table the value of every canonical arrangement in ascending order, the
    value of a piece, of a Sultan's rank and of the move, all in hundredths of a piece; `phases`: the largest number of
    stones on the board of each phase; `scale`: see `Evaluation`."""

    ruleset: str
    phases: tuple[int, ...]
    pieces: tuple[int, ...]
    sultans: tuple[int, ...]
    moves: tuple[int, ...]
    scale: float
    values: tuple[tuple[tuple[int, ...], ...], ...]
    story: dict[str, Any]

    def pack(self, step: int) -> bytes:
        """The file's bytes; values are kept in multiples of `step`, at most 127 of them."""
        head = {
            "format": FORMAT,
            "ruleset": self.ruleset,
            "phases": self.phases,
            "pieces": self.pieces,
            "sultans": self.sultans,
            "moves": self.moves,
            "scale": self.scale,
            "step": step,
            "story": self.story,
        }
        body = bytearray(json.dumps(head).encode() + b"\n")
        for phase in self.values:
            for table in phase:
                body += bytes(max(-127, min(127, round(value / step))) & 255 for value in table)
        return zlib.compress(bytes(body), 9)


def judge(rules: Rules, data: bytes) -> Evaluation:
    """The evaluation that a file's bytes hold; raises `ValueError` for bytes of another ruleset or format."""
    head, _, body = zlib.decompress(data).partition(b"\n")
    facts = json.loads(head)
    if facts["format"] != FORMAT:
        raise ValueError(f"evaluation file of format {facts['format']}, not {FORMAT}")
    tables, directed = shapes(rules)
    weights = _expand(tables, body, len(facts["phases"]), facts["step"])
    phase_of = _phase_of(rules, facts["phases"])
    placements = [placement for table in tables for placement in table.placements]
    turned = [tuple(rules.board.turned(p) for p in placement) for placement in placements]
    chunks = _packers(rules.board, placements)
    both = (chunks, _packers(rules.board, turned)) if directed else (chunks, chunks)
    length = 2 * len(placements)
    unpack = Struct(f"<{len(placements)}H").unpack
    mask = both[0][1] - 1
    pieces, moves = facts["pieces"], facts["moves"]
    sultans = facts["sultans"] if rules.sultans else None
    placing = len(facts["phases"]) - 1
    hand = rules.hand

    def value(state: State) -> int:
        own: int = state[0]
        foe: int = state[1]
        packed = 0
        for shift, table in both[state[2]][0]:
            packed += table[own >> shift & mask] + 2 * table[foe >> shift & mask]
        phase = phase_of[(own | foe).bit_count()]
        if hand and state[4]:
            phase = placing
        numbers = unpack(packed.to_bytes(length, "little"))
        total: int = sum(map(list.__getitem__, weights[phase], numbers))
        total += moves[phase] + pieces[phase] * (own.bit_count() - foe.bit_count())
        if sultans and state[4]:
            crowned: int = state[4]
            total += sultans[phase] * ((own & crowned).bit_count() - (foe & crowned).bit_count())
        return int(total)

    return Evaluation(value, is_forced(rules), noisy=rules.game != "konane", scale=facts["scale"])


def _expand(tables: Sequence[Table], body: bytes, phases: int, step: int) -> list[list[list[int]]]:
    """For each phase, one list of weights for every placement, shared by those of one table."""
    canonicals = [table.canonical() for table in tables]
    weights: list[list[list[int]]] = []
    start = 0
    for _ in range(phases):
        row: list[list[int]] = []
        for table, canonical in zip(tables, canonicals, strict=True):
            representatives = sorted(set(canonical))
            values = body[start : start + len(representatives)]
            start += len(representatives)
            known = dict(
                zip(
                    representatives,
                    [step * (v - 256 if v > 127 else v) for v in values],
                    strict=True,
                )
            )
            row += [[known[number] for number in canonical]] * len(table.placements)
        weights.append(row)
    return weights


def _packers(
    board: Board, placements: Sequence[tuple[int, ...]]
) -> tuple[list[tuple[int, list[int]]], int]:
    """For each chunk of the board (its shift), for every set of stones in it their packed share of all numbers; and
    the number of sets in a chunk."""
    units = [0] * board.size
    for number, placement in enumerate(placements):
        for place, point in enumerate(placement):
            units[point] += 3**place << WIDTH * number
    count = -(-board.size // 13)
    width = -(-board.size // count)
    chunks = []
    for shift in range(0, board.size, width):
        table = [0]
        for unit in (units[shift : shift + width] + [0] * width)[:width]:
            table += [share + unit for share in table]
        chunks.append((shift, table))
    return chunks, 1 << width


def _phase_of(rules: Rules, phases: Sequence[int]) -> list[int]:
    """For every number of stones on the board its phase; the placing phase, if any, comes last and by itself."""
    by_stones = phases[:-1] if rules.hand else phases
    return [
        next((n for n, most in enumerate(by_stones) if stones <= most), len(by_stones) - 1)
        for stones in range(rules.board.size + 1)
    ]


# --- files ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def shipped(rules: Rules) -> Evaluation | None:
    """The ruleset's learned evaluation, or None where the package has none."""
    data = read(file_name(rules.ruleset, "bin"))
    return judge(rules, data) if data else None
