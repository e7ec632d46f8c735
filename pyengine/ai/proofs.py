"""Openings that are proved: for a side, a reply to every defence from the start down to the tables of endings.

A file holds, for every position of the proof in which the side has a choice, the number of its reply among
`rules.successors`. tools/solve.py makes such files and verifies them; docs/solved.md says what they prove.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from pyengine.board import points_of, set_of
from pyengine.errors import EngineError
from pyengine.foreign import split_header, with_header
from pyengine.rules import Rules, State, find_rules

if TYPE_CHECKING:
    from pyengine.ai.tables import Endings

MAGIC = b"QIRKPRF2"
#: The most bytes of replies that a file may hold.
MAX_BODY = 4_000_000
#: Bits of a cell that tell a position of the proof from others.
CHECK_BITS = 8
#: So many positions in a row that pass their check are no accident: one chance in 2 ** 24.
SURE = 3
#: The most positions looked at to be sure.
LOOKS = 200


def key_of(rules: Rules, state: State) -> int:
    """A position as one number, seen by the side to act: for the second side the board is turned by 180°."""
    board = rules.board
    key = 0
    for place, bits in enumerate((state[0], state[1], rules.sultan_set(state))):
        if state[2]:
            bits = set_of(board.turned(point) for point in points_of(bits))
        key |= bits << place * board.size
    return key


class Known(Protocol):
    """Where replies are looked up: a dictionary, or `Replies`."""

    def get(self, key: int, /) -> int | None:
        """The number of the reply to a position (`key_of`), None where there is none."""


class Proof:
    """A proved way to play for one side of one ruleset.

    `side`: 0 or 1, whose moves these are. `value`: 1 when they force a win, 0 when they hold a draw. `pieces`: with so
    few pieces or fewer the tables take over.
    """

    def __init__(self, ruleset: str, side: int, value: int, pieces: int, replies: Known) -> None:
        self.rules = find_rules(ruleset)
        self.side = side
        self.value = value
        self.pieces = pieces
        self.replies = replies

    @classmethod
    def read(cls, data: bytes) -> Proof:
        """Read a file; raises `EngineError` (`params`) for anything but a whole file of `write_proof`."""
        try:
            header, body = split_header(data, MAGIC)
            if len(body) > MAX_BODY or zlib.crc32(body) != header["crc32"]:
                raise ValueError("checksum")
            sizes = [int(header[name]) for name in ("seed", "part", "bits")]
            return cls(
                header["ruleset"],
                int(header["side"]),
                int(header["value"]),
                int(header["pieces"]),
                Replies(body, *sizes),
            )
        except (ValueError, KeyError, TypeError) as fault:
            raise EngineError(
                "params", "this is not a whole proof of an opening", name="data"
            ) from fault

    def reply(self, rules: Rules, state: State) -> int | None:
        """The number of the proved move among `rules.successors(state)`; None when it is not this side's turn, when the
        tables have taken over, or when the game has left the proof. One position in 2 ** `CHECK_BITS` outside the proof
        is taken for one of it: a game that began with the proof never meets one, others ask `belongs`."""
        if state[2] != self.side or (state[0] | state[1]).bit_count() <= self.pieces:
            return None
        after = rules.successors(state)
        found = self.replies.get(key_of(rules, state)) if _choice(after) else 0
        return None if found is None or found >= len(after) else found

    def followed(self, rules: Rules, states: Iterable[State]) -> bool:
        """Whether the side has played by the proof from each of these states to the next, clocks left out."""
        for before, after in pairwise(states):
            if before[2] == self.side:
                number = self.reply(rules, before)
                if number is None:
                    return False
                if rules.key(rules.successors(before)[number]) != rules.key(after):
                    return False
        return True

    def holds(self, rules: Rules, state: State, endings: Endings | None) -> bool:
        """Whether the side surely has its `value` in a state, draw rules set aside: because the state is one of the
        proof, because all its successors are, or by the tables."""
        told: dict[State, bool] = {}

        def held(state: State) -> bool:
            if state not in told:
                told[state] = False  # a line that comes back, or too many of them, tell nothing
                known = self._known(rules, state, endings) if len(told) < LOOKS else False
                if known is None:
                    after = rules.successors(state)
                    if state[2] == self.side and _choice(after):
                        known = self.belongs(rules, state, endings)
                    else:
                        known = all(map(held, after))
                told[state] = known
            return told[state]

        return held(state)

    def belongs(self, rules: Rules, state: State, endings: Endings | None) -> bool:
        """Whether a state in which the side acts and has a choice is one of the proof: the proof goes on to the tables
        from there, or at least farther than by accident."""
        waiting = [state]
        checks = 0
        for place, state in enumerate(waiting):
            known = self._known(rules, state, endings)
            if known is False or place == LOOKS:
                return False
            if known:
                continue
            after = rules.successors(state)
            if state[2] != self.side:
                waiting += after
                continue
            number = self.reply(rules, state)
            if number is None:
                return False
            waiting.append(after[number])
            checks += _choice(after)
            if checks == SURE:
                break
        return True

    def _known(self, rules: Rules, state: State, endings: Endings | None) -> bool | None:
        """Whether an ended game or the tables say that the side has its value; None where the proof must say it."""
        if not rules.successors(state):
            worth = rules.result(state)
        elif (state[0] | state[1]).bit_count() > self.pieces:
            return None
        else:
            value = endings.probe(state) if endings else None
            if value is None:
                return False
            worth = value.wdl
        return (worth if state[2] == self.side else -worth) >= self.value


def _choice(after: Sequence[State]) -> bool:
    """Whether moves lead to different positions: a file holds replies for no others."""
    return any(child != after[0] for child in after)


class Replies:
    """Replies to the positions of a proof, in little more room than they need.

    A position has three cells, one in each third of all. The exclusive or of what they hold is the check and the
    reply, for all positions of the proof at once; for others it is anything, and seldom the right check.
    """

    def __init__(self, body: bytes, seed: int, part: int, bits: int) -> None:
        if part < 1 or not CHECK_BITS < bits <= 16 or len(body) != -(-3 * part * bits // 8):
            raise ValueError("length")
        self._body = body
        self._seed = seed
        self._part = part
        self._bits = bits

    def get(self, key: int, /) -> int | None:
        """The number of the reply to a position (`key_of`), None where the check says that there is none."""
        cells, check = _cells(key, self._seed, self._part)
        bits = self._bits
        found = 0
        for cell in cells:
            at = cell * bits
            found ^= int.from_bytes(self._body[at >> 3 : (at >> 3) + 3], "little") >> (at & 7)
        found &= (1 << bits) - 1
        return found >> CHECK_BITS if found & (1 << CHECK_BITS) - 1 == check else None


def _cells(key: int, seed: int, part: int) -> tuple[Sequence[int], int]:
    """The three cells of a position, and its check."""
    value = key + seed * 0x9E3779B97F4A7C15
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        value = (value ^ value >> 30) * factor & 0xFFFFFFFFFFFFFFFF
    value ^= value >> 31
    other = value * 0xD6E8FEB86659FD93 & 0xFFFFFFFFFFFFFFFF
    first = (value >> 32) * part >> 32
    second = part + ((value & 0xFFFFFFFF) * part >> 32)
    third = 2 * part + ((other >> 32) * part >> 32)
    return (first, second, third), other >> 8 & (1 << CHECK_BITS) - 1


def write_proof(proof: Proof, replies: Mapping[int, int]) -> bytes:
    """The bytes of a file with these replies."""
    part = int(1.23 * len(replies)) // 3 + 12
    bits = CHECK_BITS + max(1, max(replies.values(), default=0).bit_length())
    for seed in range(1, 100):
        if body := _lay(replies, seed, part, bits):
            break
    else:
        raise ValueError("no seed lays the replies out")
    header = {
        "ruleset": proof.rules.ruleset,
        "side": proof.side,
        "value": proof.value,
        "pieces": proof.pieces,
        "count": len(replies),
        "seed": seed,
        "part": part,
        "bits": bits,
        "crc32": zlib.crc32(body),
    }
    return with_header(MAGIC, header, body)


def _lay(replies: Mapping[int, int], seed: int, part: int, bits: int) -> bytes | None:
    """The cells for these replies, or None when this seed does not do: from the positions that have a cell for
    themselves on, each position is laid when all that share its last free cell are."""
    users = [0] * (3 * part)
    mixed = [0] * (3 * part)
    for key in replies:
        for cell in _cells(key, seed, part)[0]:
            users[cell] += 1
            mixed[cell] ^= key
    lone = [cell for cell, count in enumerate(users) if count == 1]
    order = []
    while lone:
        cell = lone.pop()
        if users[cell] != 1:
            continue
        key = mixed[cell]
        order.append((key, cell))
        for one in _cells(key, seed, part)[0]:
            users[one] -= 1
            mixed[one] ^= key
            if users[one] == 1:
                lone.append(one)
    if len(order) < len(replies):
        return None
    values = [0] * (3 * part)
    for key, cell in reversed(order):
        cells, check = _cells(key, seed, part)
        value = replies[key] << CHECK_BITS | check
        for one in cells:
            if one != cell:
                value ^= values[one]
        values[cell] = value
    packed = 0
    chunks = []
    # Eight cells at a time fill whole bytes.
    for begin in range(0, len(values), 8):
        packed = sum(value << place * bits for place, value in enumerate(values[begin : begin + 8]))
        chunks.append(packed.to_bytes(bits, "little"))
    return b"".join(chunks)[: -(-3 * part * bits // 8)]
