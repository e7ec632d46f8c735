"""From a typed move to a legal one: canonical text first, then every kind spelling that fits exactly one move."""

from __future__ import annotations

import re

from pyengine.errors import EngineError
from pyengine.rules.base import Move, Refusal, Rules, State

#: The longest move text read.
MAX_MOVE = 300
_LABELS = {"+": "approach", "a": "approach", "-": "withdrawal", "w": "withdrawal"}
# A sign or letter stands for approach or withdrawal when no further point hangs on it: `d3e3+`, `d3-e3A,f4W`.
_TOKEN = re.compile(r"([a-z][0-9]{1,2})((?:[+-](?![a-z][0-9]))|(?:[aw](?![0-9])))?")
_SEPARATORS = re.compile(r"[x*:,\-–—×]*")


def find_move(rules: Rules, state: State, text: str) -> Move:
    """The one legal move that a text means.

    Canonical text is matched first; otherwise `*` or `:` for `x`, upper case, spaces, missing middle points, and
    `e2-e3A`/`W` are accepted when exactly one legal move fits.

    Raises `EngineError`: `move.illegal` with `refusal` (a `Refusal`), or `move.ambiguous` with `candidates`.
    """
    moves = rules.legal_moves(state)
    shown = text[:40] if isinstance(text, str) else ""
    if not isinstance(text, str) or len(text) > MAX_MOVE:
        raise illegal(rules, shown, Refusal("not-a-move"))
    plain = "".join(text.split())
    folded = plain.lower()
    for move in moves:
        if move.text in (plain, folded):
            return move
    if not moves:
        raise illegal(rules, shown, Refusal("over"))
    if re.fullmatch(r"huff:[a-z][0-9]{1,2}", folded):
        point = rules.board.index.get(folded[5:])
        raise illegal(rules, shown, Refusal("no-huff", () if point is None else (point,)))
    if folded == "pass":
        raise illegal(rules, shown, Refusal("no-pass"))
    return _find_by_points(rules, state, moves, shown, folded)


def _find_by_points(rules: Rules, state: State, moves: list[Move], shown: str, folded: str) -> Move:
    read = _read_points(rules, folded)
    if read is None:
        raise illegal(rules, shown, Refusal("not-a-move"))
    path, labels = read
    exact = [m for m in moves if m.path == path and _labels_fit(m, path, labels)]
    fitting = exact or [m for m in moves if _joins(m.path, path) and _labels_fit(m, path, labels)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        candidates = [move.text for move in fitting]
        raise EngineError(
            "move.ambiguous",
            f"{shown!r} may mean {', '.join(candidates)}",
            found=shown,
            candidates=candidates,
        )
    raise illegal(rules, shown, _why(rules, state, moves, path))


def _why(rules: Rules, state: State, moves: list[Move], path: tuple[int, ...]) -> Refusal:
    refusal = rules.explain(state, path)
    if refusal:
        return refusal
    further = sorted({m.path[len(path)] for m in moves if m.path[: len(path)] == path < m.path})
    return Refusal("must-go-on", tuple(further)) if further else Refusal("unreachable", path)


def _read_points(rules: Rules, text: str) -> tuple[tuple[int, ...], dict[int, str]] | None:
    """The points of a move text and the labels written after them (by place in the list), or None."""
    path: list[int] = []
    labels: dict[int, str] = {}
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None or token[1] not in rules.board.index:
            return None
        if token[2]:
            labels[len(path)] = _LABELS[token[2]]
        path.append(rules.board.index[token[1]])
        separators = _SEPARATORS.match(text, token.end())
        place = separators.end() if separators else token.end()
    return (tuple(path), labels) if path else None


def _joins(path: tuple[int, ...], shown: tuple[int, ...]) -> bool:
    """Whether `shown` is the path with middle points left out."""
    if len(shown) < 2 or len(path) < 2 or shown[0] != path[0] or shown[-1] != path[-1]:
        return False
    middle = iter(path[1:-1])
    return all(point in middle for point in shown[1:-1])


def _labels_fit(move: Move, path: tuple[int, ...], labels: dict[int, str]) -> bool:
    if not labels:
        return True
    if 0 in labels:
        return False
    if len(path) != len(move.path):
        return all(
            any(h.to == path[i] and h.label == word for h in move.hops)
            for i, word in labels.items()
        )
    return all(move.hops[place - 1].label == word for place, word in labels.items() if move.hops)


def illegal(rules: Rules, shown: str, refusal: Refusal) -> EngineError:
    """The error of a move text that is not legal, with the refusal as JSON data."""
    why = refusal.kind.replace("-", " ")
    return EngineError(
        "move.illegal",
        f"{shown!r} is not a legal move: {why}"
        + (f" ({', '.join(rules.board.text(refusal.points))})" if refusal.points else ""),
        found=shown,
        refusal=refusal_data(rules, refusal),
    )


def refusal_data(rules: Rules, refusal: Refusal) -> dict[str, object]:
    """A refusal as a JSON object: kind, points by name, and the numbers it needs."""
    data: dict[str, object] = {"kind": refusal.kind, "points": rules.board.text(refusal.points)}
    if refusal.most is not None:
        data["most"] = refusal.most
    return data
