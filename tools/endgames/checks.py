"""Do the written tables say the truth? Two questions that trust nothing but the rules.

*Consistent*: a value follows from the values of the successors. *Searched*: a plain search, which knows no table, finds
the same end; wins are looked for as far as the distance says, and a drawn or lost position must hold no short win.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from pyengine.ai.tables import Endings, Tables, Value
from pyengine.rules import Rules, State, find_rules
from tools.endgames.bulk import StateMaker, random_sets


@dataclass
class Result:
    """How many positions were looked at, and what is wrong."""

    consistent: int = 0
    searched: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.consistent} positions follow from their successors, "
            f"{self.searched} agree with plain search, {len(self.faults)} faults"
        )


def expected(rules: Rules, endings: Endings, state: State) -> Value | None:
    """What the successors say about a state; None where one of them is in no table."""
    after = rules.generate(state)
    if not after:
        return Value(rules.result(state), 0 if rules.result(state) else None)
    pieces = (state[0] | state[1]).bit_count()
    wins, losses, draws = [], [], 0
    for child in after:
        if rules.decided(child):
            value: Value | None = Value(rules.result(child), 0)
        else:
            value = endings.probe(child)
        if value is None:
            return None
        captured = (child[0] | child[1]).bit_count() < pieces
        distance = 1 if captured else 1 + (value.distance or 0)
        wdl = value.wdl if child[2] == state[2] else -value.wdl
        if wdl > 0:
            wins.append(distance)
        elif wdl < 0:
            losses.append(distance)
        else:
            draws += 1
    if wins:
        return Value(1, min(wins))
    return Value(0, None) if draws else Value(-1, max(losses))


def plain_search(rules: Rules, state: State, plies: int) -> int:
    """1 or -1 when the side to act can force or cannot escape an end within some plies, else 0."""
    if rules.decided(state):
        return rules.result(state)
    after = rules.generate(state)
    if not after:
        return rules.result(state)
    if not plies:
        return 0
    best = -1
    for child in after:
        value = plain_search(rules, child, plies - 1)
        best = max(best, value if child[2] == state[2] else -value)
        if best > 0:
            break
    return best


class Known:
    """The tables of one ruleset, and random positions of both sides that they know."""

    def __init__(self, ruleset: str, files: list[bytes]) -> None:
        self.tables = Tables()
        for data in files:
            self.tables.add(data)
        self.rules = find_rules(ruleset)
        endings = self.tables.find(self.rules)
        if endings is None:
            raise ValueError(f"no table for {ruleset}")
        self.endings = endings

    def positions(self, seed: int) -> Iterator[tuple[State, Value]]:
        """Without end."""
        chance = random.Random(seed)
        maker = StateMaker(self.rules)
        while True:
            state = maker.state(random_sets(self.rules, chance, self.endings.most))
            if chance.random() < 0.5:
                state = other_side(self.rules, state)
            value = self.endings.probe(state)
            if value is not None:
                yield state, value


def check_file(ruleset: str, files: list[bytes], samples: int, seed: int, plies: int = 5) -> Result:
    """Check the tables of one ruleset on random positions of both sides."""
    known = Known(ruleset, files)
    rules, endings = known.rules, known.endings
    result = Result()
    for state, value in known.positions(seed):
        if result.consistent >= samples:
            break
        if rules.decided(state):
            continue
        follows = expected(rules, endings, state)
        if follows is not None and follows != value:
            result.faults.append(f"{rules.format(state)}: {value}, successors say {follows}")
        result.consistent += follows is not None
        found = plain_search(rules, state, min(plies, 3 + 2 * (rules.count(state) < 5)))
        if found and found != value.wdl:
            result.faults.append(f"{rules.format(state)}: {value}, search says {found}")
        result.searched += bool(found)
    return result


def other_side(rules: Rules, state: State) -> State:
    """The same diagram turned by 180° with the colours exchanged: the other side acts in the same situation."""
    size = rules.board.size

    def turn(bits: int) -> int:
        return int(f"{bits:0{size}b}"[::-1], 2)

    own, foe, _, clock, *rest = state
    if rules.sultans:
        rest[0] = turn(rest[0])
    return (turn(own), turn(foe), 1, clock, *rest)
