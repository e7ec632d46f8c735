"""Does the computer win every won ending before the draw rules rob it? Games from random positions that a table calls
won for one side, against two defenders: one knows the tables and delays, one fights on without them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pyengine.ai.search import Search
from pyengine.ai.tables import Tables
from pyengine.rules import REPETITIONS, Outcome, Rules, State
from tools.endgames.checks import Known

#: The level that must win: the lowest that knows the tables.
LEVEL = 7
#: Nodes a move of the defender that fights.
FIGHT = 400


@dataclass
class Conversion:
    """How many won endings were played, the longest stretch without a capture in plies, and which were not won."""

    games: int = 0
    longest: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.games - len(self.faults)} of {self.games} won endings converted, "
            f"at most {self.longest} plies without a capture"
        )


def convert(ruleset: str, files: list[bytes], samples: int, seed: int) -> Conversion:
    """Play out random won positions of one ruleset, half of them against each defender."""
    known = Known(ruleset, files)
    rules = known.rules
    result = Conversion()
    for state, value in known.positions(seed):
        if result.games >= samples:
            break
        if not value.wdl or not rules.successors(state):
            continue
        winner = state[2] if value.wdl > 0 else 1 - state[2]
        outcome, longest = _play(rules, known.tables, state, winner, delays=result.games % 2 == 0)
        result.longest = max(result.longest, longest)
        if outcome.winner != "xo"[winner]:
            result.faults.append(f"{rules.format(state)}: {outcome}")
        result.games += 1
    return result


def _play(
    rules: Rules, tables: Tables, state: State, winner: int, delays: bool
) -> tuple[Outcome, int]:
    """The end of a game under all draw rules, and its longest stretch without a capture."""
    longest = 0
    keys = [rules.key(state)]
    stood = Counter(keys)
    while moves := rules.successors(state):
        if state[2] == winner:
            search = Search(rules, state, keys[:-1], level=LEVEL, tables=tables)
        elif delays:
            search = Search(rules, state, keys[:-1], nodes=FIGHT, tables=tables)
        else:
            search = Search(rules, state, keys[:-1], nodes=FIGHT)
        search.run()
        state = moves[search.best]
        longest = max(longest, state[3])
        keys.append(rules.key(state))
        stood[keys[-1]] += 1
        if stood[keys[-1]] >= REPETITIONS:
            return Outcome(None, "repetition"), longest
    outcome = rules.outcome(state)
    assert outcome is not None
    return outcome, longest
