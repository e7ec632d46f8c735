"""Openings that are proved: for a side, a reply to every defence from the start down to the tables of endings.

A file holds, for every position of the proof in which the side has a choice, the number of its reply among
`rules.successors`. tools/solve.py makes such files and verifies them; docs/solved.md says what they prove.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from pyengine.board import Board, points_of, set_of
from pyengine.errors import EngineError
from pyengine.foreign import inflate, split_header, with_header
from pyengine.rules import Rules, State, find_rules

MAGIC = b"QIRKPRF1"
#: The most bytes of replies that a file may hold.
MAX_BODY = 64_000_000


def key_of(board: Board, state: State) -> int:
    """A position as one number, seen by the side to act: for the second side the board is turned by 180°."""
    own, foe, side = state[:3]
    if side:
        own = set_of(board.turned(point) for point in points_of(own))
        foe = set_of(board.turned(point) for point in points_of(foe))
    return int(own | foe << board.size)


class Proof:
    """A proved way to play for one side of one ruleset.

    `side`: 0 or 1, whose moves these are. `value`: 1 when they force a win, 0 when they hold a draw. `pieces`: with so
    few pieces or fewer the tables take over.
    """

    def __init__(
        self, ruleset: str, side: int, value: int, pieces: int, replies: Mapping[int, int]
    ) -> None:
        self.rules = find_rules(ruleset)
        self.side = side
        self.value = value
        self.pieces = pieces
        self.replies = replies

    @classmethod
    def read(cls, data: bytes) -> Proof:
        """Read a file; raises `EngineError` (`params`) for anything but a whole file of `write`."""
        try:
            header, packed = split_header(data, MAGIC)
            body = inflate(packed, MAX_BODY)
            if zlib.crc32(body) != header["crc32"]:
                raise ValueError("checksum")
            return cls(
                header["ruleset"],
                int(header["side"]),
                int(header["value"]),
                int(header["pieces"]),
                _unpack(body, int(header["count"])),
            )
        except (ValueError, KeyError, TypeError, IndexError, zlib.error) as fault:
            raise EngineError(
                "params", "this is not a whole proof of an opening", name="data"
            ) from fault

    def write(self) -> bytes:
        """The bytes of a file."""
        body = _pack(self.replies)
        header = {
            "ruleset": self.rules.ruleset,
            "side": self.side,
            "value": self.value,
            "pieces": self.pieces,
            "count": len(self.replies),
            "crc32": zlib.crc32(body),
        }
        return with_header(MAGIC, header, zlib.compress(body, 9))

    def reply(self, rules: Rules, state: State) -> int | None:
        """The number of the proved move among `rules.successors(state)`; None when it is not this side's turn or the
        game has left the proof."""
        if state[2] != self.side:
            return None
        found = self.replies.get(key_of(rules.board, state))
        if found is not None:
            return found
        return 0 if len(rules.successors(state)) == 1 else None


def _pack(replies: Mapping[int, int]) -> bytes:
    """All numbers of replies, then the keys in ascending order as differences, seven bits a byte, low ones first."""
    keys = sorted(replies)
    out = bytearray(replies[key] for key in keys)
    last = 0
    for key in keys:
        step = key - last
        last = key
        while step >= 128:
            out.append(step & 127 | 128)
            step >>= 7
        out.append(step)
    return bytes(out)


def _unpack(body: bytes, count: int) -> dict[int, int]:
    replies: dict[int, int] = {}
    at = count
    key = 0
    for reply in body[:count]:
        shift = 0
        while body[at] & 128:
            key += (body[at] & 127) << shift
            shift += 7
            at += 1
        key += body[at] << shift
        at += 1
        replies[key] = reply
    if at != len(body):
        raise ValueError("length")
    return replies
