"""From what a search remembers to the proof of a draw: a closed set of positions, in each one reply of the defender.

The attacker cannot leave the set, the defender need not, and nothing in it is won. That needs no history: going round
in it for ever is a draw. Where the tables begin the defender hurries down to the shipped ones, since a set in which
pieces only go to and fro is huge. The search's word is enough here, verify.py judges the result.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.proofs.dfpn import HELD, Memory, find, put
from tools.proofs.extract import (
    ABOVE,
    NEVER,
    Question,
    Unsolved,
    go_on,
    in_order,
    look,
    name_of,
    replies_of,
    room_for,
    solve,
    told,
)
from tools.proofs.kernel import ACTS, I64, WIDTH, Moves, Probing

#: How often the search is sent on, and how far.
ROUNDS, MORE_NODES = 40, 50_000_000
#: In the tables ways down to the shipped ones are looked for so many plies long; what has none counts `FAR`.
HURRY, FAR = 20, 100


@njit(cache=True, nogil=True)
def sift(
    slots: I64,
    moves: Moves,
    tables: Probing,
    store: Memory,
    cost: NDArray[np.float64],
) -> int:
    """One pass over the positions said to be held: strike out (`NEVER`) where the attacker can leave those that remain,
    or the defender must; returns how many were struck out."""
    kids = np.zeros((WIDTH, 4), np.int64)
    room = np.zeros((32, 5), np.int64)
    struck = 0
    for slot in slots:
        if cost[slot] >= NEVER:
            continue
        name = store.keys[slot]
        count = look(name, moves, tables, store, kids, room)
        held = 0
        for number in range(count):
            at = kids[number, 3]
            held += kids[number, 1] == HELD and (at < 0 or cost[at] < NEVER)
        if held < (count if name >> ACTS else 1):
            cost[slot] = NEVER
            struck += 1
    return struck


@njit(cache=True, nogil=True)
def forces(
    name: int,
    plies: int,
    pieces: int,
    moves: Moves,
    tables: Probing,
    store: Memory,
    memo: Memory,
    kids: I64,
    room: I64,
) -> bool:
    """Whether the defender can hold a position of the tables and bring it down to `pieces` pieces in so many plies.

    `memo` keeps of each position as its proof number the fewest plies that were enough, as its disproof number the
    most that were not. `kids`: room for the successors of one position a ply."""
    enough, wanting = FAR, 0
    slot = find(memo, name)
    if slot >= 0:
        enough, wanting = memo.proof[slot], memo.disproof[slot]
        if enough <= plies:
            return True
        if wanting >= plies:
            return False
    acts = name >> ACTS == 1
    count = look(name, moves, tables, store, kids[plies], room)
    result = acts
    for number in range(count):
        if kids[plies, number, 1] != HELD:
            continue
        down = kids[plies, number, 2] < (pieces + 1) * 128
        if not down and plies > 1:
            child = kids[plies, number, 0]
            down = forces(child, plies - 1, pieces, moves, tables, store, memo, kids, room)
        if down != acts:
            result = down
            break
    if result:
        put(memo, name, plies, wanting, 1)
    else:
        put(memo, name, enough, plies, 1)
    return result


@njit(cache=True, nogil=True)
def distance(
    name: int,
    pieces: int,
    moves: Moves,
    tables: Probing,
    store: Memory,
    memo: Memory,
    kids: I64,
    room: I64,
) -> int:
    """The fewest plies in which the defender `forces`, or `FAR`."""
    for plies in range(1, HURRY + 1):
        if forces(name, plies, pieces, moves, tables, store, memo, kids, room):
            return plies
    return FAR


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
    """Follow one move of the defender that stays in the closed set in every position that the attacker can reach, down
    to `pieces` pieces. Writes (name, name after the move, number of moves, above the tables) to `chosen`; returns
    how many, or -1 - the name of a position without a reply."""
    waiting = np.zeros((len(seen.keys), 2), np.int64)
    waiting[0, 0], waiting[0, 1] = first, ABOVE
    left = 1
    found = 0
    kids = np.zeros((WIDTH, 4), np.int64)
    deeper = np.zeros((HURRY + 1, WIDTH, 4), np.int64)
    room = np.zeros((32, 5), np.int64)
    put(seen, first, 1, 1, 1)
    while left:
        left -= 1
        name, above = waiting[left, 0], waiting[left, 1] >= ABOVE
        count = look(name, moves, tables, store, kids, room)
        low, high = 0, count
        if count and not name >> ACTS:
            far = 0
            if not above:
                far = distance(name, pieces, moves, tables, store, memo, deeper, room)
            best = NEVER
            low = -1
            for number in range(count):
                child = kids[number, 0]
                if kids[number, 1] != HELD:
                    continue
                one = 0.0
                if kids[number, 2] < (pieces + 1) * 128:
                    one = -1.0
                elif kids[number, 3] >= 0:
                    one = cost[kids[number, 3]]
                elif above:
                    one = distance(child, pieces, moves, tables, store, memo, deeper, room)
                elif far < FAR and (
                    far == 1
                    or not forces(child, far - 1, pieces, moves, tables, store, memo, deeper, room)
                ):
                    one = NEVER
                if one < NEVER and find(seen, child) >= 0:
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


def extract_draw(
    question: Question,
    pieces: int,
    say: Callable[[str], None] = lambda text: None,
    nodes: int = MORE_NODES,
) -> dict[int, int]:
    """The defender's replies (`Proof`) that never let the attacker win, down to positions of `pieces` pieces.

    What the search says is held may rest on the path by which it came there. Such positions are struck out until the
    rest is closed: the attacker cannot leave it, the defender need not. Where the start goes too, what was struck out
    is forgotten, and the search goes on with the rest, which is true, for so many `nodes` each time.
    """
    store = question.store
    first = name_of(question, question.start)
    compiled = (question.moves, question.tables, store)
    for _ in range(ROUNDS):
        slots = in_order(store, store.disproof)
        cost = np.full(len(store.keys), NEVER)
        cost[slots] = store.work[slots]
        struck = 0
        while more := sift(slots, *compiled, cost):
            struck += more
        say(f"{len(slots) - struck:,} positions held, {struck:,} only by their path")
        if cost[find(store, first)] < NEVER:
            seen, memo, chosen = room_for(store, 0)
            found = walk(first, *compiled, cost, pieces, seen, memo, chosen)
            return replies_of(question, told(found, chosen, question, say))
        forgotten = slots[cost[slots] >= NEVER]
        store.proof[forgotten] = store.disproof[forgotten] = 1
        result = solve(question, nodes)
        say(f"{store.counts[0]:,} nodes: {('open', 'won', 'held')[result]}")
        if result != HELD:
            break
    raise Unsolved(question.rules.format(question.start))
