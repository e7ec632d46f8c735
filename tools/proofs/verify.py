"""A small verifier of proofs. It knows the rules and nothing else: search and tables are only listened to.

It plays the proof out against every defence. Above the tables the proof names one reply; below, the reply is the one
that the tables say is best. Every position met is looked at once, its moves come from the rules, and then two facts
are checked on the finite set of positions that was met:

- *Win*: no line of play comes back to a position (the set has an order in which every move goes down), and every line
  ends by the rules with the side's win. So the tables are not trusted: had one lied, a line would end badly, run in a
  circle, or have no reply.
- *Draw*: no line ends by the rules with the other side's win. Lines may go on for ever; that is a draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyengine.ai.proofs import Proof, key_of
from pyengine.ai.tables import Endings, Value
from pyengine.rules import Rules, State


class Unproved(Exception):
    """The proof has a hole; the text says where."""


@dataclass
class Verdict:
    """What was seen: positions above the tables, below them, the longest line of play in plies and the longest stretch
    of plies without a capture in any line (both None for a draw)."""

    opening: int
    endings: int
    longest: int | None
    quiet: int | None


def verify(
    proof: Proof,
    endings: Endings | None,
    tell: Callable[[int], None] = lambda positions: None,
    start: State | None = None,
) -> Verdict:
    """Check a proof from the start (or another position); raises `Unproved`."""
    rules, side = proof.rules, proof.side
    first = rules.start() if start is None else start
    graph: dict[int, list[tuple[int, bool]]] = {}
    waiting = [first]
    opening = 0
    while waiting:
        state = waiting.pop()
        key = _name(rules, state)
        if key in graph:
            continue
        if len(graph) % 100_000 == 0:
            tell(len(graph))
        pieces = (state[0] | state[1]).bit_count()
        opening += pieces > proof.pieces
        after = [] if rules.decided(state) else rules.generate(state)
        if not after:
            result = rules.result(state) if state[2] == side else -rules.result(state)
            if result < proof.value:
                raise Unproved(f"a line ends badly: {rules.format(state)}")
        elif state[2] == side:
            after = [_reply(proof, endings, state, after)]
        # A draw asks only for the set of positions, a win for the lines in it.
        graph[key] = [
            (_name(rules, child), (child[0] | child[1]).bit_count() < pieces)
            for child in (after if proof.value > 0 else ())
        ]
        waiting += [(*child[:3], 0, *child[4:]) for child in after]
    longest = quiet = None
    if proof.value > 0:
        longest, quiet = _measure(graph, _name(rules, first))
    return Verdict(opening, len(graph) - opening, longest, quiet)


def _name(rules: Rules, state: State) -> int:
    return key_of(rules, state) << 1 | int(state[2])


def _reply(proof: Proof, endings: Endings | None, state: State, after: list[State]) -> State:
    rules = proof.rules
    if (state[0] | state[1]).bit_count() > proof.pieces:
        number = proof.reply(rules, state)
        if number is None or number >= len(after):
            raise Unproved(f"there is no reply in {rules.format(state)}")
        return after[number]
    pieces = (state[0] | state[1]).bit_count()

    def worth(child: State) -> tuple[int, int]:
        """Best first: the value for the one who moved, then a capture, then the shortest way."""
        value = endings.probe(child) if endings else None
        if rules.decided(child):
            value = Value(rules.result(child), 0)
        if value is None:
            raise Unproved(f"no table knows {rules.format(child)}")
        wdl = value.wdl if child[2] == state[2] else -value.wdl
        captured = (child[0] | child[1]).bit_count() < pieces
        return (-wdl, 0 if captured else 1 + (value.distance or 0))

    return min(after, key=worth)


def _measure(graph: dict[int, list[tuple[int, bool]]], first: int) -> tuple[int, int]:
    """The longest line and the longest stretch without a capture; raises `Unproved` where play can run in a circle."""
    order: list[int] = []
    state: dict[int, int] = {}
    stack = [(first, 0)]
    while stack:
        key, place = stack.pop()
        if place == 0:
            if state.get(key) == 2:
                continue
            state[key] = 1
        kids = graph[key]
        if place < len(kids):
            stack.append((key, place + 1))
            child = kids[place][0]
            mark = state.get(child)
            if mark == 1:
                raise Unproved("play can come back to a position")
            if mark is None:
                stack.append((child, 0))
        else:
            state[key] = 2
            order.append(key)
    length: dict[int, int] = {}
    #: The plies without a capture that can still follow before the next capture or the end.
    calm: dict[int, int] = {}
    longest_calm = 0
    for key in order:
        length[key] = max((1 + length[child] for child, _ in graph[key]), default=0)
        calm[key] = max((0 if taken else 1 + calm[child] for child, taken in graph[key]), default=0)
        longest_calm = max(longest_calm, calm[key])
    return length[first], longest_calm
