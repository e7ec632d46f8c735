"""Rules, games and moves told as JSON values, in the shapes of docs/wire.md.

Everything is told with names of points, keys and numbers; sentences are the page's work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyengine.board import points_of
from pyengine.diagram import SIDES
from pyengine.record import Entry, Game
from pyengine.rules import Move, Outcome, Rules, State, find_rules, rulesets
from pyengine.rules.base import starts

Json = dict[str, Any]


def ruleset_infos() -> list[Json]:
    """Every ruleset on offer, `[RulesetInfo]`."""
    infos = []
    for ruleset, named in rulesets():
        rules = find_rules(ruleset)
        infos.append(
            {
                "ruleset": rules.ruleset,
                "game": rules.game,
                "preset": rules.preset,
                "options": {option["name"]: option["value"] for option in rules.options()},
                "named": named,
            }
        )
    return infos


def description(rules: Rules) -> Json:
    """Geometry, start and options of a ruleset, `Description`."""
    board = rules.board
    start = rules.start()
    return {
        "ruleset": rules.ruleset,
        "game": rules.game,
        "preset": rules.preset,
        "columns": board.columns,
        "rows": board.rows,
        "surface": rules.surface,
        "points": [
            {
                "name": name,
                "column": board.column(point) + 1,
                "rank": board.rank(point) + 1,
                "row": board.rows - board.rank(point),
            }
            for point, name in enumerate(board.names)
        ],
        "lines": _named_lines(rules, board.lines),
        "circuits": [
            {**circuit, "lines": _named_lines(rules, circuit["lines"])}
            for circuit in rules.circuits()
        ],
        "loops": [{**loop, "ends": board.text(loop["ends"])} for loop in rules.loops()],
        "marks": [{**mark, "point": board.names[mark["point"]]} for mark in rules.marks()],
        "colours": dict(zip(SIDES, rules.colours, strict=True)),
        "sets": dict(zip(SIDES, rules.set_sizes, strict=True)),
        "sultans": rules.sultans,
        "start": rules.format(start),
        "startPieces": pieces(rules, start),
        "options": rules.options(),
        "notes": rules.notes(),
        "limit": rules.limit,
        "onlimit": rules.onlimit,
        "agreements": list(rules.agreements),
        "clock": rules.clocked,
        "repetition": rules.repetition,
        "hand": rules.hand,
    }


def _named_lines(rules: Rules, lines: Iterable[tuple[int, int]]) -> list[list[str]]:
    return [rules.board.text(line) for line in lines]


def pieces(rules: Rules, state: State) -> dict[str, str]:
    """Point → `x`, `o`, `X` or `O`, for every piece on the board."""
    sultans = rules.sultan_set(state)
    found = {}
    for letter, stones in zip(SIDES, rules.sides(state), strict=True):
        for point in points_of(stones):
            sultan = sultans >> point & 1
            found[rules.board.names[point]] = letter.upper() if sultan else letter
    return found


def _counts(rules: Rules, state: State) -> dict[str, int]:
    return {
        letter: stones.bit_count() for letter, stones in zip(SIDES, rules.sides(state), strict=True)
    }


def snapshot(rules: Rules, state: State) -> Json:
    """A position on its own, `Snapshot`."""
    names = rules.board.names
    counts = _counts(rules, state)
    hands = rules.hands(state)
    hand = None if hands is None else dict(zip(SIDES, hands, strict=True))
    sets = dict(zip(SIDES, rules.set_sizes, strict=True))
    return {
        "position": rules.format(state),
        "side": SIDES[state[2]],
        "clock": state[3],
        "pieces": pieces(rules, state),
        "hand": hand,
        "huffable": rules.board.text(points_of(rules.huffable(state))),
        "forbidden": {names[a]: names[b] for a, b in rules.forbidden(state).items()},
        "counts": counts,
        "lost": {s: max(0, sets[s] - counts[s] - (hand[s] if hand else 0)) for s in SIDES},
    }


def game_state(game: Game) -> Json:
    """Where a game stands and what may happen next, `State`."""
    rules = game.rules
    legal = game.legal_moves
    last = next((i for i in reversed(range(len(game.entries))) if game.entries[i].move), None)
    return {
        **snapshot(rules, game.state),
        "ruleset": rules.ruleset,
        "outcome": outcome_data(game.outcome),
        "legal": [move_data(rules, move) for move in legal],
        "stage": rules.stage(game.state),
        "events": game.events,
        "offer": game.offer and {"kind": game.offer.kind, "by": SIDES[game.offer.by]},
        "repeated": game.repeated,
        "movable": rules.board.text(starts(legal)),
        "last": None if last is None else ply_data(rules, game.entries[last]),
    }


def outcome_data(outcome: Outcome | None) -> Json | None:
    """`{winner, reason}`, or None while the game goes on."""
    return outcome and {"winner": outcome.winner, "reason": outcome.reason}


def move_data(rules: Rules, move: Move) -> Json:
    """A move in full, `Move`."""
    text = rules.board.text
    captures = move.path if move.kind == "huff" else move.captures
    return {
        "text": move.text,
        "kind": move.kind,
        "path": text(move.path),
        "captures": text(captures),
        "hops": [
            {
                "to": rules.board.names[hop.to],
                "captures": text(hop.captures),
                "label": hop.label,
                "track": text(hop.track),
            }
            for hop in move.hops
        ],
        "promotes": move.promotes,
    }


_EVENT: Mapping[str, Any] = {
    "kind": "event",
    "path": [],
    "captures": [],
    "hops": [],
    "promotes": False,
}


def ply_data(rules: Rules, entry: Entry) -> Json:
    """A move or event as played and what stands after it, `Ply`."""
    told = move_data(rules, entry.move) if entry.move else {"text": entry.text, **_EVENT}
    return {
        **told,
        "side": SIDES[entry.side],
        "position": rules.format(entry.after),
        "pieces": pieces(rules, entry.after),
        "counts": _counts(rules, entry.after),
        "clock": entry.after[3],
    }
