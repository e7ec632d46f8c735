"""From what a search remembers to a proof: one reply to every defence, nothing else.

The search's word is enough here, verify.py judges the result. Where the table has forgotten a position, or knows it
only as reached by another path, the position is searched again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
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
        for number, child in enumerate(after):
            with suppress(Unsolved):
                if settle(question, child, nodes) == WON:
                    won.append(number)
                    break
    for number in won:
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


class _Node:
    """A position of a proof in the making: its successors' names, whether one of them is enough, and for the attacker
    the further moves that win by the search's word, best first."""

    __slots__ = ("any_of", "kids", "numbers", "others")

    def __init__(self, kids: list[State], any_of: bool) -> None:
        self.kids = kids
        self.any_of = any_of
        self.numbers: list[int] = []
        self.others: list[tuple[int, State]] = []


def extract_win(
    question: Question, pieces: int, nodes: int, tell: Callable[[int], None] = lambda count: None
) -> Proof:
    """The attacker's replies down to positions of `pieces` pieces; the start must be won.

    One winning move is followed in each of the attacker's positions. Then the win is spread backwards from the tables:
    a position that it does not reach lies on a circle, and its attacker is given the next best move too, until the
    start is reached. Each reply is the move by which the win came: so no line can run in a circle.
    """
    rules = question.rules
    graph: dict[State, _Node] = {}
    leaves: set[State] = set()
    waiting = [question.start]
    start = question.start[:3]
    while True:
        while waiting:
            state = waiting.pop()
            name = state[:3]
            if name in graph:
                continue
            if (state[0] | state[1]).bit_count() <= pieces:
                leaves.add(name)
                continue
            after = [(*child[:3], 0) for child in rules.generate(state)]
            if state[2] == question.attacker:
                ranked = _ranked(question, state, after, nodes)
                node = _Node([], True)
                node.others = [(number, after[number]) for number in reversed(ranked)]
                _follow(node, waiting)
            else:
                node = _Node([child[:3] for child in after], False)
                waiting += after
            graph[name] = node
            if len(graph) % 100_000 == 0:
                tell(len(graph))
        came = _spread(graph, leaves)
        if start in came or start in leaves:
            break
        circling = [node for name, node in graph.items() if node.others and name not in came]
        if not circling:
            raise Unsolved("every proof found runs in a circle")
        for node in circling:
            _follow(node, waiting)
    replies: dict[int, int] = {}
    walk, met = [start], {start}
    while walk:
        name = walk.pop()
        if name in leaves:
            continue
        node = graph[name]
        kids = node.kids
        if node.any_of:
            place = came[name]
            kids = [kids[place]]
            if len(rules.generate((*name, 0))) > 1:
                replies[key_of(rules.board, name)] = node.numbers[place]
        for kid in kids:
            if kid not in met:
                met.add(kid)
                walk.append(kid)
    return Proof(rules.ruleset, question.attacker, 1, pieces, replies)


def _follow(node: _Node, waiting: list[State]) -> None:
    """Take one more of the attacker's moves into the proof."""
    if node.others:
        number, child = node.others.pop()
        node.numbers.append(number)
        node.kids.append(child[:3])
        waiting.append(child)


def _spread(graph: dict[State, _Node], leaves: set[State]) -> dict[State, int]:
    """Where the win comes to when it is spread backwards from the leaves: name → the place of the successor by which it
    came (0 for the defender)."""
    before: dict[State, list[State]] = {}
    left: dict[State, int] = {}
    fresh = list(leaves)
    came: dict[State, int] = {}
    for name, node in graph.items():
        left[name] = 1 if node.any_of else len(node.kids)
        if not node.any_of and not node.kids:
            came[name] = 0
            fresh.append(name)
        for kid in node.kids:
            before.setdefault(kid, []).append(name)
    while fresh:
        kid = fresh.pop()
        for name in before.get(kid, ()):
            if name in came:
                continue
            left[name] -= 1
            if left[name] <= 0:
                node = graph[name]
                came[name] = node.kids.index(kid) if node.any_of else 0
                fresh.append(name)
    return came


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
