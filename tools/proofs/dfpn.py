"""Depth-first proof-number search for one question: can the first player force a win?

A node's proof number says how many open ends must still be won to prove the win, its disproof number how many must
be held to refute it; the search always works on the most promising open end and keeps both numbers of every position
met in one table. Within an AND node (the defender moves) the proof number is the largest child's plus the number of
other open children, not the sum: positions are reached by many ways, and a sum counts them many times.

Coming back to a position of the path counts against the first player, so a proof of a win never rests on repetition. A
refutation may rest on the path that led to it (the history problem) and is only a hint: extract.py keeps those that
hold by themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.proofs.kernel import WIDTH, Moves, Probing, key_of, popcount, probe, successors

INFINITE = 1_000_000_000
#: The longest path; deeper positions count as not yet won.
DEPTH = 600
#: Slots of the table looked at for one position.
WAYS = 24

#: Numbers of a new position with equal pieces, and what a piece more changes.
BALANCE, SLOPE = 6, 4

UNSOLVED, WON, HELD = 0, 1, 2


class Memory(NamedTuple):
    """The table: `keys` (-1 is empty), proof numbers, disproof numbers, nodes spent below, and the place in the order
    in which positions were settled; `counts`: nodes so far, stored positions, positions lost to others, settled ones.

    A position is found to be won after the positions that its win rests on, so the order leads every line down."""

    keys: NDArray[np.int64]
    proof: NDArray[np.int32]
    disproof: NDArray[np.int32]
    work: NDArray[np.int32]
    order: NDArray[np.int32]
    counts: NDArray[np.int64]


def memory(bits: int) -> Memory:
    """An empty table of 2**bits slots (24 bytes each)."""
    slots = 1 << bits
    return Memory(
        np.full(slots, -1, np.int64),
        np.zeros(slots, np.int32),
        np.zeros(slots, np.int32),
        np.zeros(slots, np.int32),
        np.zeros(slots, np.int32),
        np.zeros(4, np.int64),
    )


@njit(cache=True, nogil=True)
def mixed(key: int) -> int:
    """A number that looks random, 62 bits."""
    value = key * 0x9E3779B97F4A7C1
    value ^= value >> 29
    value *= 0x3F58476D1CE4E5B
    value ^= value >> 32
    return value & 0x3FFFFFFFFFFFFFFF


@njit(cache=True, nogil=True)
def _hash(key: int, slots: int) -> int:
    return mixed(key) & (slots - 1)


@njit(cache=True, nogil=True)
def find(store: Memory, key: int) -> int:
    """The slot of a position, or -1."""
    slots = len(store.keys)
    slot = _hash(key, slots)
    for way in range(WAYS):
        at = (slot + way) & (slots - 1)
        if store.keys[at] == key:
            return at
        if store.keys[at] == -1:
            return -1
    return -1


@njit(cache=True, nogil=True)
def put(store: Memory, key: int, proof: int, disproof: int, work: int) -> None:
    """Remember a position; where all slots are taken the one with the least work behind it goes."""
    slots = len(store.keys)
    slot = _hash(key, slots)
    least = -1
    for way in range(WAYS):
        at = (slot + way) & (slots - 1)
        if store.keys[at] == key or store.keys[at] == -1:
            if store.keys[at] == -1:
                store.counts[1] += 1
            least = at
            break
        if least < 0 or store.work[at] < store.work[least]:
            least = at
    if store.keys[least] != key and store.keys[least] != -1:
        store.counts[2] += 1
    store.keys[least] = key
    store.proof[least] = proof
    store.disproof[least] = disproof
    store.work[least] = min(work, 2_000_000_000)
    if proof == 0 or disproof == 0:
        store.counts[3] += 1
        store.order[least] = store.counts[3]


@njit(cache=True, nogil=True)
def known(own: int, foe: int, attacker: int, tables: Probing) -> int:
    """`WON` or `HELD` for what needs no search: nothing left to take or a table; `UNSOLVED` otherwise."""
    own_count, foe_count = popcount(own), popcount(foe)
    if not own_count:
        return HELD if attacker else WON
    if own_count + foe_count > tables.most:
        return UNSOLVED
    code = probe(own, foe, own_count, foe_count, tables)
    if code < 0:
        return UNSOLVED
    won = code & 1 if attacker else code != 0 and not code & 1
    return WON if won else HELD


@njit(cache=True, nogil=True)
def guess(own: int, foe: int, attacker: int) -> tuple[int, int]:
    """First proof and disproof numbers of a new position: the side with fewer pieces has more to show."""
    ahead = popcount(own) - popcount(foe)
    if not attacker:
        ahead = -ahead
    return max(1, BALANCE - SLOPE * ahead), max(1, BALANCE + SLOPE * ahead)


@njit(nogil=True)
def search(
    own: int, foe: int, attacker: int, moves: Moves, tables: Probing, store: Memory, nodes: int
) -> int:
    """Search until the position is solved or so many nodes are spent; returns `WON`, `HELD` or `UNSOLVED`."""
    result = known(own, foe, attacker, tables)
    if result != UNSOLVED:
        return result
    kids = np.zeros((DEPTH, WIDTH, 2), np.int64)
    chains = np.zeros((32, 5), np.int64)
    #: own, foe, attacker to act, number of children, captures among them, pieces
    frame = np.zeros((DEPTH, 6), np.int64)
    path = np.zeros(DEPTH, np.int64)
    limits = np.zeros((DEPTH, 2), np.int64)
    began = np.zeros(DEPTH, np.int64)
    depth = 0
    frame[0, 0], frame[0, 1], frame[0, 2] = own, foe, attacker
    limits[0, 0] = limits[0, 1] = INFINITE
    entering = True
    last = store.counts[0] + nodes
    while depth >= 0:
        own, foe, attacker = frame[depth, 0], frame[depth, 1], frame[depth, 2]
        if entering:
            store.counts[0] += 1
            began[depth] = store.counts[0]
            count, captures = successors(own, foe, moves, kids[depth], chains)
            frame[depth, 3], frame[depth, 4] = count, captures
            frame[depth, 5] = popcount(own | foe)
            path[depth] = key_of(own, foe, attacker, moves)
            entering = False
        count = frame[depth, 3]
        # What the children say: the smallest of one number, the largest plus the others of the other number.
        best = -1
        least = second = INFINITE
        largest = 0
        others = 0
        for number in range(count):
            a, b = kids[depth, number, 0], kids[depth, number, 1]
            here = known(a, b, 1 - attacker, tables)
            if here == WON:
                proof, disproof = 0, INFINITE
            elif here == HELD:
                proof, disproof = INFINITE, 0
            else:
                key = key_of(a, b, 1 - attacker, moves)
                seen = False
                above = depth
                while (
                    above >= 0 and frame[above, 5] == frame[depth, 5] and number >= frame[depth, 4]
                ):
                    if path[above] == key:
                        seen = True
                        break
                    above -= 1
                if seen:
                    proof, disproof = INFINITE, 0
                else:
                    slot = find(store, key)
                    if slot < 0:
                        proof, disproof = guess(a, b, 1 - attacker)
                    else:
                        proof, disproof = store.proof[slot], store.disproof[slot]
            first, other = (proof, disproof) if attacker else (disproof, proof)
            if first < least:
                second = least
                least = first
                best = number
            elif first < second:
                second = first
            if other > 0:
                others += 1
                if other > largest:
                    largest = other
        if count == 0:
            # The side to act is blocked and has lost.
            proof, disproof = (INFINITE, 0) if attacker else (0, INFINITE)
        else:
            if least == 0:
                total = INFINITE
            elif others == 0:
                total = 0
            else:
                total = min(INFINITE, largest + others - 1)
            proof, disproof = (least, total) if attacker else (total, least)
            if least >= INFINITE:
                proof, disproof = (INFINITE, 0) if attacker else (0, INFINITE)
        key = path[depth]
        if (
            proof >= limits[depth, 0]
            or disproof >= limits[depth, 1]
            or store.counts[0] >= last
            or depth + 2 >= DEPTH
        ):
            put(store, key, proof, disproof, store.counts[0] - began[depth] + 1)
            depth -= 1
            continue
        margin = min(INFINITE, second + second // 4 + 1)
        if attacker:
            limit_proof = min(limits[depth, 0], margin)
            limit_disproof = min(INFINITE, limits[depth, 1] - others + 1)
        else:
            limit_disproof = min(limits[depth, 1], margin)
            limit_proof = min(INFINITE, limits[depth, 0] - others + 1)
        a, b = kids[depth, best, 0], kids[depth, best, 1]
        depth += 1
        frame[depth, 0], frame[depth, 1], frame[depth, 2] = a, b, 1 - attacker
        limits[depth, 0], limits[depth, 1] = limit_proof, limit_disproof
        entering = True
    slot = find(store, path[0])
    if slot >= 0:
        if store.proof[slot] == 0:
            return WON
        if store.disproof[slot] == 0:
            return HELD
    return UNSOLVED
