"""Exact values of positions with few pieces, read from files that tools/tables.py made.

A table says for every position of some material whether the side to act wins, draws or loses with best play, and how
many plies pass until the next capture or the end. Draw rules that look back or count (repetition, the clock) are not
part of it: a won position is won if the winner keeps making progress, which the distance makes easy.

Positions are numbered so that equal ones under the symmetries of the rules share a number (`Layout`); the number is
the place of one byte. Nothing here fetches a file: whoever owns the engine hands bytes to `Tables.add`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from pyengine.ai.levels import LEVELS
from pyengine.ai.proofs import MAGIC as PROOF_MAGIC
from pyengine.ai.proofs import Proof
from pyengine.board import Board, points_of
from pyengine.errors import EngineError
from pyengine.foreign import inflate, read_json, split_header, with_header
from pyengine.rules import Rules, State, find_rules

MAGIC = b"QIRKTAB1"

#: A file is wanted when the game has this many pieces more than it: it should be there when a search looks ahead.
NEAR = 4
ALL_PIECES = 1000

#: The number of pieces in each set of a position: (own, other's), or with Sultans (own men, own Sultans, other's men,
#: other's Sultans), "own" being the side to act.
Material = tuple[int, ...]


class Value(NamedTuple):
    """What a table knows: `wdl` 1, 0 or -1 for the side to act; `distance` in plies to the next capture or the end
    (the winner hurries, the loser delays), None for a draw."""

    wdl: int
    distance: int | None


DRAW = Value(0, None)


def encode(wdl: int, distance: int) -> int:
    """The byte of a value: 0 a draw, odd a win, even a loss.

    >>> [decode(encode(*value)) for value in ((1, 1), (-1, 0), (-1, 7))]
    [Value(wdl=1, distance=1), Value(wdl=-1, distance=0), Value(wdl=-1, distance=7)]
    """
    return 0 if not wdl else 2 * distance + (1 if wdl > 0 else 2)


def decode(code: int) -> Value:
    """The value of a byte; see `encode`."""
    if not code:
        return DRAW
    return Value(1, code >> 1) if code & 1 else Value(-1, (code >> 1) - 1)


def symmetries(board: Board) -> list[tuple[int, ...]]:
    """The ways to lay a board on itself, as tables point → point: as it is, turned by 180°, left and right exchanged,
    top and bottom exchanged; on a square board four more with columns and ranks exchanged."""
    columns, rows = board.columns, board.rows
    maps = []
    for swap in (False, True) if columns == rows else (False,):
        for flip_column, flip_rank in ((0, 0), (1, 1), (1, 0), (0, 1)):
            table = []
            for point in range(board.size):
                column, rank = board.column(point), board.rank(point)
                if flip_column:
                    column = columns - 1 - column
                if flip_rank:
                    rank = rows - 1 - rank
                table.append(column * columns + rank if swap else rank * columns + column)
            maps.append(tuple(table))
    return maps


#: Which of `symmetries` turns the board by 180°; with the colours exchanged it maps every game here on itself.
TURN = 1


class Layout:
    """The numbering of all positions of one material.

    The smallest set leads: of all its images under the symmetries only one is kept, the others are mapped to it. The
    remaining sets follow in order, each numbered among the combinations of the points still free.

    Args:
        board: the board.
        kept: which of `symmetries(board)` the rules keep; 0 (as it is) among them.
        material: pieces in each set.
    """

    def __init__(self, board: Board, kept: Sequence[int], material: Material) -> None:
        maps = symmetries(board)
        self.board = board
        self.maps = [maps[number] for number in kept]
        self.material = material
        self.lead = min(
            (place for place, count in enumerate(material) if count),
            key=lambda place: material[place],
        )
        self.others = [
            place for place, count in enumerate(material) if count and place != self.lead
        ]
        free = board.size - material[self.lead]
        self.blocks: list[int] = []
        for place in self.others:
            self.blocks.append(comb(free, material[place]))
            free -= material[place]
        self.leaders: list[int] = []
        #: Each set that can lead, with its leader's number and the place among `maps` of one that brings it there.
        self.numbered: dict[int, tuple[int, int]] = {}
        numbered, lead_size = self.numbered, material[self.lead]
        images = [[1 << point for point in _inverse(table)] for table in self.maps]
        points = combinations(range(board.size), lead_size)
        # A search waits while a material is opened, so here every step is a cheap one.
        for chosen, lead in zip(points, _sets(range(board.size), lead_size), strict=True):
            if lead in numbered:
                continue
            leader = len(self.leaders)
            self.leaders.append(lead)
            # Two maps may bring another set onto this one: any of them serves, the first found stays.
            for number, bits in enumerate(images):
                numbered.setdefault(sum([bits[point] for point in chosen]), (leader, number))
        self.size = len(self.leaders)
        for block in self.blocks:
            self.size *= block
        # A set of each side, as it lies on the board, and the maps for it: for the second side the board is turned.
        # Where the rules keep that turn, it changes no value and can be left out.
        first = second = (numbered, self.maps)
        if TURN not in kept:
            turn = maps[TURN]
            turned = zip(_sets(turn, lead_size), _sets(range(board.size), lead_size), strict=True)
            second = (
                {lies: numbered[lead] for lies, lead in turned},
                [tuple(table[point] for point in turn) for table in self.maps],
            )
        self._by_side = (first, second)
        self._choose = [
            [comb(point, count) for count in range(max(material) + 1)]
            for point in range(board.size + 1)
        ]

    def index(self, sets: Sequence[int], side: int) -> int:
        """The number of a position given by its sets, in the order of `material`."""
        lead = sets[self.lead]
        numbered, maps = self._by_side[side]
        index, number = numbered[lead]
        table = maps[number]
        choose = self._choose
        used = [table[point] for point in points_of(lead)]
        for place, block in zip(self.others, self.blocks, strict=True):
            found = sorted([table[point] for point in points_of(sets[place])])
            rank = 0
            for count, point in enumerate(found, 1):
                rank += choose[point - sum([earlier < point for earlier in used])][count]
            index = index * block + rank
            used += found
        return index


def _sets(points: Iterable[int], count: int) -> Iterator[int]:
    """All sets of so many of these points, in the order of `combinations`."""
    return map(sum, combinations([1 << point for point in points], count))


def _inverse(table: Sequence[int]) -> list[int]:
    back = [0] * len(table)
    for point, image in enumerate(table):
        back[image] = point
    return back


def sets_of(rules: Rules, state: State) -> tuple[int, ...]:
    """The sets of a state in the order of `Material`."""
    own, foe = state[0], state[1]
    if not rules.sultans:
        return (own, foe)
    sultans = rules.sultan_set(state)
    return (own & ~sultans, own & sultans, foe & ~sultans, foe & sultans)


def signature(rules: Rules) -> str:
    """A name shared by all rulesets whose moves are the same: limits on the length of a game are left out.

    >>> signature(find_rules("alquerque/table")) == signature(find_rules("alquerque/maximum;choice=any;limit=60"))
    True
    """
    options = sorted(
        f"{option['name']}={option['value']}"
        for option in rules.options()
        if option["name"] not in ("limit", "onlimit")
    )
    return f"{rules.game};{';'.join(options)}" if options else rules.ruleset


class Endings:
    """The tables of one ruleset. `most`: no position with more pieces is in them; look at it before probing. `limit`:
    the plies without a capture that end a game of it; with fewer some of these wins would be draws."""

    def __init__(self, rules: Rules) -> None:
        self.most = 0
        self.limit = rules.clock_end
        self._rules = rules
        self._packed: dict[Material, tuple[Sequence[int], bytes]] = {}
        self._open: dict[Material, tuple[Layout, bytes]] = {}

    def add(self, material: Material, kept: Sequence[int], packed: bytes) -> None:
        """Take in the packed bytes of one material, numbered under the symmetries `kept`."""
        self._packed[material] = (kept, packed)
        self._open.pop(material, None)
        self.most = max(self.most, sum(material))

    def close(self) -> None:
        """Forget what was unpacked: it is unpacked again when it is met again."""
        self._open.clear()

    def unpacked(self) -> Iterator[tuple[Material, Sequence[int], bytes]]:
        """Each material with its symmetries and its codes (`decode`), one byte for each number of its `Layout`."""
        for material, (kept, packed) in self._packed.items():
            yield material, kept, inflate(packed, Layout(self._rules.board, kept, material).size)

    def probe(self, state: State) -> Value | None:
        """The value of a state, or None where the tables have nothing: too many pieces, stones still in hand, or a
        game that the pieces have decided."""
        rules = self._rules
        if rules.hand and rules.stage(state) != "play":
            return None
        sets = sets_of(rules, state)
        material = tuple([pieces.bit_count() for pieces in sets])
        entry = self._open.get(material)
        if entry is None:
            if material not in self._packed:
                return None
            # Unpacked only when met: a game visits few of the materials.
            kept, packed = self._packed[material]
            layout = Layout(rules.board, kept, material)
            entry = self._open[material] = (layout, inflate(packed, layout.size))
        layout, codes = entry
        return decode(codes[layout.index(sets, state[2])])


class _Offer(NamedTuple):
    """A file that can be had: the limit of its ruleset, the most pieces of a position in a table of endings, the fewest
    above which a proof of the opening speaks."""

    name: str
    limit: int
    most: int
    least: int = 0


class Tables:
    """All tables handed over so far. A game without its files simply has no `Endings`.

    >>> Tables().find(find_rules("alquerque/table")) is None
    True
    """

    def __init__(self) -> None:
        self._endings: dict[str, Endings] = {}
        self._offered: dict[str, list[_Offer]] = {}
        self._added: set[str] = set()
        self._proofs: dict[tuple[str, int], Proof] = {}

    def offer(self, index: str) -> None:
        """Read index.json, which lists the files that can be had. Raises `EngineError` (`params`)."""
        try:
            listed = read_json(index)
            offers = [(file, int(file["pieces"]), 0) for file in listed["files"]]
            for file in listed.get("proofs", ()):
                offers.append((file, ALL_PIECES, int(file["pieces"])))
            for file, most, least in offers:
                rules = find_rules(file["ruleset"])
                offer = _Offer(str(file["name"]), rules.clock_end, most, least)
                self._offered.setdefault(signature(rules), []).append(offer)
        except (ValueError, KeyError, TypeError, OverflowError) as fault:
            raise EngineError("params", "this is not a list of tables", name="index") from fault

    def wanted(self, rules: Rules, state: State, level: int | None = None) -> list[str]:
        """The names of offered files that a game in this state will soon need and that are not here yet; proofs only
        for a search without a level, or of one that keeps to them."""
        pieces = (state[0] | state[1]).bit_count()
        proofs = level is None or (level in LEVELS and LEVELS[level].proofs)
        if rules.hand and rules.stage(state) != "play":
            return []
        return [
            offer.name
            for offer in self._open_offers(rules)
            if offer.least < pieces <= offer.most + NEAR and (proofs or not offer.least)
        ]

    def _open_offers(self, rules: Rules) -> list[_Offer]:
        """The offered files that would hold for a ruleset and are not here yet."""
        return [
            offer
            for offer in self._offered.get(signature(rules), ())
            if offer.limit <= rules.clock_end and offer.name not in self._added
        ]

    def add(self, data: bytes, name: str = "") -> str:
        """Take in one file, under its name in the index; returns the ruleset that it is for. Raises `EngineError`
        (`params`) for anything but a whole file that tools/tables.py or tools/solve.py made."""
        if data.startswith(PROOF_MAGIC):
            proof = Proof.read(data)
            self._proofs[signature(proof.rules), proof.side] = proof
            self._added.add(name)
            return proof.rules.ruleset
        header, body = read_header(data)
        self._added.add(name)
        rules = find_rules(header["ruleset"])
        endings = self._endings.setdefault(signature(rules), Endings(rules))
        offset = 0
        for entry in header["classes"]:
            packed = body[offset : offset + entry["length"]]
            offset += entry["length"]
            endings.add(tuple(entry["material"]), header["symmetries"], packed)
        return rules.ruleset

    def find(self, rules: Rules) -> Endings | None:
        """The tables that hold for a ruleset, or None: those of the same moves and no longer limit. All others are
        closed: a page plays one game after the other, and what is unpacked for all of them would fill its memory."""
        endings = self._endings.get(signature(rules))
        if endings and endings.limit > rules.clock_end:
            endings = None
        for others in self._endings.values():
            if others is not endings:
                others.close()
        return endings

    def expects_proof(self, rules: Rules) -> bool:
        """Whether a proof is offered that is not here yet."""
        return any(offer.least for offer in self._open_offers(rules))

    def proofs(self, rules: Rules) -> list[Proof]:
        """The proved ways to play from the start that hold for a ruleset, at most one for each side: of the same moves
        and no longer limit, and draws only where the limit is one."""
        name = signature(rules)
        known = [self._proofs[name, side] for side in (0, 1) if (name, side) in self._proofs]
        return [
            proof
            for proof in known
            if proof.rules.clock_end <= rules.clock_end and (proof.value or rules.onlimit == "draw")
        ]

    def probe(self, rules: Rules, state: State) -> Value | None:
        """The value of a state, or None where no table has it."""
        endings = self.find(rules)
        return endings.probe(state) if endings else None


def read_header(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header of a table file and the bytes after it; raises `EngineError` (`params`)."""
    try:
        header, body = split_header(data, MAGIC)
        expected = sum(entry["length"] for entry in header["classes"])
        if len(body) != expected or zlib.crc32(body) != header["crc32"]:
            raise ValueError("checksum")
    except (ValueError, KeyError, TypeError) as fault:
        raise EngineError("params", "this is not a whole table of endings", name="data") from fault
    return header, body


def write_file(
    ruleset: str, kept: Sequence[int], classes: Iterable[tuple[Material, bytes]]
) -> bytes:
    """The bytes of a table file from (material, one byte for each position)."""
    packed = [(material, zlib.compress(codes, 9)) for material, codes in classes]
    body = b"".join(data for _, data in packed)
    header = {
        "ruleset": ruleset,
        "symmetries": list(kept),
        "crc32": zlib.crc32(body),
        "classes": [{"material": list(material), "length": len(data)} for material, data in packed],
    }
    return with_header(MAGIC, header, body)
