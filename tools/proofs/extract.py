"""From what a search remembers to a proof: one reply to every defence, nothing else.

The search's word is enough here, verify.py judges the result. Where the table has forgotten a position, or knows it
only as reached by another path, the position is searched again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

from pyengine.ai.proofs import Proof, key_of
from pyengine.rules import Rules, State
from tools.proofs.dfpn import HELD, UNSOLVED, WON, Memory, find, known, search
from tools.proofs.dfpn import key_of as memory_key
from tools.proofs.kernel import Moves, Probing, popcount, probe


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


def seen(question: Question, state: State) -> tuple[int, int, int]:
    """(own, foe, attacker to act) as the compiled search sees a state."""
    key = key_of(question.rules.board, state)
    size = question.rules.board.size
    return key & ((1 << size) - 1), key >> size, int(state[2] == question.attacker)


def remembered(question: Question, state: State) -> int:
    """`WON` or `HELD` from tables or memory, else `UNSOLVED`."""
    own, foe, acts = seen(question, state)
    result = known(own, foe, acts, question.tables)
    if result == UNSOLVED:
        slot = find(question.store, memory_key(own, foe, acts))
        if slot >= 0 and question.store.proof[slot] == 0:
            return WON
        if slot >= 0 and question.store.disproof[slot] == 0:
            return HELD
    return int(result)


def settle(question: Question, state: State, nodes: int) -> int:
    """`WON` or `HELD`, from tables, memory or a new search; raises `Unsolved`."""
    result = remembered(question, state)
    if result == UNSOLVED:
        own, foe, acts = seen(question, state)
        result = search(own, foe, acts, question.moves, question.tables, question.store, nodes)
    if result == UNSOLVED:
        raise Unsolved(question.rules.format(state))
    return int(result)


def _stored(question: Question, state: State) -> tuple[int, int]:
    """When a position was solved and the work behind it; zeros where memory has forgotten it."""
    slot = find(question.store, memory_key(*seen(question, state)))
    if slot < 0:
        return 0, 0
    return int(question.store.when[slot]), int(question.store.work[slot])


def _ranked(question: Question, state: State, after: list[State], nodes: int) -> list[int]:
    """The numbers of the winning moves, best first: into the tables where that is possible, by the shortest way; then
    those solved before this position, the least work first."""
    pieces = (state[0] | state[1]).bit_count()
    solved = _stored(question, state)
    ranked = []
    won = [number for number, child in enumerate(after) if remembered(question, child) == WON]
    if not won:
        # Forgotten meanwhile: searched again, until one is found.
        won = [
            next(
                (n for n, child in enumerate(after) if settle(question, child, nodes) == WON), None
            )
        ]
    for number in won:
        if number is None:
            continue
        child = after[number]
        own, foe, _ = seen(question, child)
        left = popcount(own | foe)
        if left <= question.tables.most:
            code = probe(own, foe, popcount(own), popcount(foe), question.tables)
            ranked.append((0, 0 if left < pieces or code < 0 else code >> 1, number))
        else:
            # Solved at the same count of nodes: then the child was searched within this position, with less work.
            stored = _stored(question, child)
            ranked.append((1 if stored < solved else 2, stored[1], number))
    return [number for *_, number in sorted(ranked)]


def extract_win(
    question: Question, pieces: int, nodes: int, tell: Callable[[int], None] = lambda count: None
) -> Proof:
    """The attacker's replies down to positions of `pieces` pieces; the start must be won.

    The proof is walked depth first, and a move that leads back to a position above it is not taken: so no line of the
    finished proof can run in a circle.
    """
    rules = question.rules
    chosen: dict[State, int | None] = {}
    above: set[State] = set()

    def proved(state: State) -> bool:
        """Whether a proof below this position was found that does not touch the positions above it."""
        name = state[:3]
        if name in chosen or (state[0] | state[1]).bit_count() <= pieces:
            return True
        if name in above:
            return False
        after = [(*child[:3], 0) for child in rules.generate(state)]
        above.add(name)
        # Plain loops: calls through built-ins would use up the machine's stack on long lines.
        number: int | None = None
        good = True
        if state[2] == question.attacker and after:
            good = False
            for place in _ranked(question, state, after, nodes):
                if proved(after[place]):
                    number, good = place, True
                    break
        else:
            for child in after:
                if not proved(child):
                    good = False
                    break
        above.discard(name)
        if good:
            chosen[name] = number if len(after) > 1 else None
            if len(chosen) % 100_000 == 0:
                tell(len(chosen))
        return good

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    if not proved(question.start):
        raise Unsolved("every proof found runs in a circle")
    replies = {
        key_of(rules.board, state): number for state, number in chosen.items() if number is not None
    }
    return Proof(rules.ruleset, question.attacker, 1, pieces, replies)


def extract_draw(
    question: Question, pieces: int, nodes: int, tell: Callable[[int], None] = lambda count: None
) -> Proof:
    """The defender's replies that never let the attacker win, down to positions of `pieces` pieces.

    Every position that turns out to be won for the attacker is struck out and its predecessors choose again; what
    remains is closed: the attacker can never leave it.
    """
    rules = question.rules
    defender = 1 - question.attacker
    lost: set[State] = set()
    while True:
        replies: dict[int, int] = {}
        met: set[State] = set()
        waiting = [question.start]
        struck = len(lost)
        while waiting:
            state = waiting.pop()
            name = state[:3]
            if name in met or (state[0] | state[1]).bit_count() <= pieces:
                continue
            met.add(name)
            if len(met) % 100_000 == 0:
                tell(len(met))
            after = rules.generate(state)
            if state[2] == defender and after:
                # A position already in the set costs nothing more.
                order = sorted(range(len(after)), key=lambda n: after[n][:3] not in met)
                number = next((n for n in order if _held(question, after[n], nodes, lost)), None)
                if number is None:
                    lost.add(name)
                    continue
                if len(after) > 1:
                    replies[key_of(rules.board, state)] = number
                after = [after[number]]
            elif any(not _held(question, child, nodes, lost) for child in after):
                lost.add(name)
                continue
            waiting += [(*child[:3], 0) for child in after]
        if question.start[:3] in lost:
            raise Unsolved("the start is lost for the defender")
        if len(lost) == struck:
            return Proof(rules.ruleset, defender, 0, pieces, replies)


def _held(question: Question, state: State, nodes: int, lost: set[State]) -> bool:
    if state[:3] in lost:
        return False
    if settle(question, state, nodes) == WON:
        lost.add(state[:3])
        return False
    return True
