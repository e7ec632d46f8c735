"""From what a search remembers to the proof of a win: one reply to every defence, and few of them.

Every position that is known to be won has a rank: in the tables its pieces and its distance, above them its place in
the order in which the search found wins. A reply always goes to a lower rank and every defence leads to one, so no line
can run in a circle. The search's word is enough here, verify.py judges the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pyengine.ai.proofs import key_of
from pyengine.rules import Rules, State
from tools.proofs.dfpn import (
    HELD,
    UNSOLVED,
    WON,
    Memory,
    find,
    known,
    memory,
    put,
    search,
)
from tools.proofs.games import position_of, state_with
from tools.proofs.kernel import (
    ACTS,
    I64,
    WIDTH,
    Moves,
    Probing,
    foe_of,
    own_of,
    popcount,
    probe,
    successors,
)
from tools.proofs.kernel import key_of as memory_key

#: Ranks of positions in the tables lie below.
ABOVE = 1 << 12
#: What a position of seven, of eight pieces counts in an estimate; what lies in the shipped tables costs nothing.
LEAF = 2.0
NEVER = 1e30
#: In the tables only moves are looked at that come nearly as near to the end as the nearest: so many plies farther.
NEAR = 3
TOO_MANY = 1 << 30
#: A defender's successors share positions, so their estimates are summed as powers: 1 would be the plain sum.
POWER = 1.5
#: A proof has at most a sixteenth as many positions of the side that chooses as memory holds.
SHARE = 16


class Question(NamedTuple):
    """Can `attacker` (0 or 1) force a win from `start` under these rules? What answers it: compiled moves, tables,
    memory."""

    rules: Rules
    start: State
    attacker: int
    moves: Moves
    tables: Probing
    store: Memory


class Unsolved(Exception):
    """The search did not settle a position in the nodes it was given."""


def name_of(question: Question, state: State) -> int:
    """A state as the compiled search names it."""
    acts = int(state[2] == question.attacker)
    return int(memory_key(*position_of(question.rules, state), acts, question.moves))


def solve(question: Question, nodes: int) -> int:
    """Search the start with so many nodes more: `WON`, `HELD` (a hint, see dfpn.py) or `UNSOLVED`."""
    name = name_of(question, question.start)
    moves = question.moves
    own, foe = own_of(name, moves), foe_of(name, moves)
    return int(search(own, foe, name >> ACTS, moves, question.tables, question.store, nodes))


def state_of(question: Question, name: int) -> State:
    """The state with a name."""
    own, foe = own_of(name, question.moves), foe_of(name, question.moves)
    side = question.attacker if name >> ACTS else 1 - question.attacker
    return state_with(question.rules, own, foe, side)


@njit(cache=True, nogil=True)
def look(name: int, moves: Moves, tables: Probing, store: Memory, kids: I64, room: I64) -> int:
    """Write a position's successors to `kids`: name, verdict, rank, and slot in memory or -1; returns how many."""
    acts = name >> ACTS
    count, _ = successors(own_of(name, moves), foe_of(name, moves), moves, kids, room)
    for number in range(count):
        own, foe = kids[number, 0], kids[number, 1]
        verdict = known(own, foe, 1 - acts, tables)
        rank = 0
        slot = -1
        own_count, foe_count = popcount(own), popcount(foe)
        kids[number, 0] = memory_key(own, foe, 1 - acts, moves)
        if verdict == UNSOLVED:
            slot = find(store, kids[number, 0])
            if slot >= 0:
                if store.proof[slot] == 0:
                    verdict = WON
                elif store.disproof[slot] == 0:
                    verdict = HELD
                rank = ABOVE + store.order[slot]
        elif own_count:
            code = probe(own, foe, own_count, foe_count, tables)
            rank = (own_count + foe_count) * 128 + (code + 1 >> 1)
        kids[number, 1] = verdict
        kids[number, 2] = rank
        kids[number, 3] = slot
    return count


@njit(cache=True, nogil=True)
def rank_of_known(name: int, moves: Moves, tables: Probing) -> int:
    """The rank of a position in the tables."""
    own, foe = own_of(name, moves), foe_of(name, moves)
    code = probe(own, foe, popcount(own), popcount(foe), tables)
    return popcount(own | foe) * 128 + (code + 1 >> 1)


@njit(cache=True, nogil=True)
def costs(
    slots: I64, moves: Moves, tables: Probing, store: Memory, pieces: int
) -> NDArray[np.float64]:
    """An estimate for each slot of memory of how many replies a proof of its win needs; `slots`: those of the wins, in
    their order."""
    cost = np.full(len(store.keys), NEVER)
    kids = np.zeros((WIDTH, 4), np.int64)
    room = np.zeros((32, 5), np.int64)
    for slot in slots:
        name = store.keys[slot]
        acts = name >> ACTS
        count = look(name, moves, tables, store, kids, room)
        least = NEVER
        total = 0.0
        for number in range(count):
            if kids[number, 1] != WON:
                one = NEVER
            elif kids[number, 3] < 0:
                one = LEAF * max(0, (kids[number, 2] >> 7) - pieces)
            else:
                one = cost[kids[number, 3]]
            least = min(least, one)
            total += one**POWER if one < NEVER else NEVER
        if acts:
            cost[slot] = least + (count > 1)
        else:
            cost[slot] = total ** (1 / POWER) if total < NEVER else NEVER
    return cost


@njit(cache=True, nogil=True)
def fathom(
    name: int, moves: Moves, tables: Probing, store: Memory, pieces: int, memo: Memory
) -> None:
    """Put into `memo` (as work, in eighths) how many replies a won position of the tables needs down to `pieces`
    pieces, positions that lines share counted in each; and the same for all positions looked at on the way."""
    waiting = np.zeros(100_000, np.int64)
    waiting[0] = name
    left = 1
    kids = np.zeros((WIDTH, 4), np.int64)
    room = np.zeros((32, 5), np.int64)
    while left:
        name = waiting[left - 1]
        if find(memo, name) >= 0:
            left -= 1
            continue
        acts = name >> ACTS
        rank = rank_of_known(name, moves, tables)
        count = look(name, moves, tables, store, kids, room)
        least = total = 0
        # The most forcing moves: those that come nearest to the end.
        near = 1 << 62
        if acts:
            least = TOO_MANY
            for number in range(count):
                if kids[number, 1] == WON:
                    near = min(near, kids[number, 2])
        before = left
        for number in range(count):
            if acts and (kids[number, 1] != WON or kids[number, 2] >= min(rank, near + NEAR)):
                continue
            one = 0
            if kids[number, 2] >= (pieces + 1) * 128:
                slot = find(memo, kids[number, 0])
                if slot < 0:
                    waiting[left] = kids[number, 0]
                    left += 1
                    continue
                one = memo.work[slot]
            least = min(least, one)
            total += one
        if left == before:
            left -= 1
            put(memo, name, 1, 1, least + 8 * (count > 1) + 1 if acts else min(total, TOO_MANY))


@njit(cache=True, nogil=True)
def go_on(kids: I64, pieces: int, seen: Memory, waiting: I64, left: int) -> int:
    """Put the successors (`look`) with more than `pieces` pieces that were not `seen` yet behind the `left` positions
    that wait, each with its rank; returns how many wait then."""
    for number in range(len(kids)):
        name, rank = kids[number, 0], kids[number, 2]
        if rank >= (pieces + 1) * 128 and find(seen, name) < 0:
            put(seen, name, 1, 1, 1)
            waiting[left, 0], waiting[left, 1] = name, rank
            left += 1
    return left


@njit(cache=True, nogil=True)
def walk(
    first: int,
    moves: Moves,
    tables: Probing,
    store: Memory,
    cost: NDArray[np.float64],
    pieces: int,
    seen: Memory,
    memo: Memory,
    chosen: I64,
) -> int:
    """Follow one winning move of the attacker in every position that the defender can reach, down to `pieces` pieces.
    Writes (name, name after the move, number of moves, above the tables) to `chosen`; returns how many, or -1 - the
    name of a position without a reply."""
    waiting = np.zeros((len(seen.keys), 2), np.int64)
    waiting[0, 0], waiting[0, 1] = first, 1 << 62
    left = 1
    found = 0
    kids = np.zeros((WIDTH, 4), np.int64)
    room = np.zeros((32, 5), np.int64)
    put(seen, first, 1, 1, 1)
    while left:
        left -= 1
        name, rank = waiting[left, 0], waiting[left, 1]
        above = rank >= ABOVE
        if not above:
            fathom(name, moves, tables, store, pieces, memo)
        count = look(name, moves, tables, store, kids, room)
        low, high = 0, count
        if count and name >> ACTS:
            best = NEVER
            low = -1
            for number in range(count):
                if kids[number, 1] != WON or kids[number, 2] >= rank:
                    continue
                if kids[number, 3] >= 0:
                    one = cost[kids[number, 3]]
                elif kids[number, 2] < (pieces + 1) * 128:
                    one = LEAF * ((kids[number, 2] >> 7) - pieces)
                else:
                    if above:
                        fathom(kids[number, 0], moves, tables, store, pieces, memo)
                    slot = find(memo, kids[number, 0])
                    one = memo.work[slot] / 8 if slot >= 0 else NEVER
                if one < NEVER and (
                    kids[number, 2] < (pieces + 1) * 128 or find(seen, kids[number, 0]) >= 0
                ):
                    one = -1.0
                if one < best:
                    best = one
                    low = number
            if low < 0 or found == len(chosen):
                return -1 - name
            high = low + 1
            chosen[found, 0], chosen[found, 1] = name, kids[low, 0]
            chosen[found, 2], chosen[found, 3] = count, above
            found += 1
        left = go_on(kids[low:high], pieces, seen, waiting, left)
    return found


def told(found: int, chosen: I64, question: Question, say: Callable[[str], None]) -> I64:
    """What a walk chose; raises `Unsolved` where it says that it found no reply."""
    if found < 0:
        raise Unsolved(question.rules.format(state_of(question, -1 - found)))
    chosen = chosen[:found]
    choice = chosen[chosen[:, 2] > 1]
    below = len(choice) - int(choice[:, 3].sum())
    say(f"{found:,} positions, {len(choice):,} with a choice, {below:,} of them in the tables")
    return chosen


def replies_of(question: Question, chosen: I64) -> dict[int, int]:
    """What a walk chose, as `Proof` wants it."""
    replies = {}
    for name, after, count, _ in chosen.tolist():
        if count > 1:
            state = state_of(question, name)
            goal = (own_of(after, question.moves), foe_of(after, question.moves))
            kids = [position_of(question.rules, child) for child in question.rules.generate(state)]
            replies[key_of(question.rules, state)] = kids.index(goal)
    return replies


def in_order(store: Memory, numbers: NDArray[np.int32]) -> I64:
    """The slots of settled positions (their number is 0), in the order in which they were settled."""
    slots = np.flatnonzero((numbers == 0) & (store.keys >= 0))
    return slots[np.argsort(store.order[slots], kind="stable")]


def room_for(store: Memory, share: int) -> tuple[Memory, Memory, I64]:
    """For a walk: the positions it has seen, those it has looked at in the tables (as many as memory holds, divided by
    two to the power of `share`), and what it chooses."""
    bits = len(store.keys).bit_length() - 1
    return memory(bits - 3), memory(bits - share), np.zeros((len(store.keys) // SHARE, 4), np.int64)


def extract_win(
    question: Question, pieces: int, say: Callable[[str], None] = lambda text: None
) -> dict[int, int]:
    """The attacker's replies (`Proof`) down to positions of `pieces` pieces; the start must be won by the search's
    word. Raises `Unsolved` where memory has forgotten too much."""
    store = question.store
    compiled = (question.moves, question.tables, store)
    cost = costs(in_order(store, store.proof), *compiled, pieces)
    seen, memo, chosen = room_for(store, 2)
    found = walk(name_of(question, question.start), *compiled, cost, pieces, seen, memo, chosen)
    return replies_of(question, told(found, chosen, question, say))
