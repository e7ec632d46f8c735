"""Records written as text: one canonical form, which reads back as the same record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyengine.errors import EngineError
from pyengine.notation.model import (
    MAX_MOVES,
    MAX_VARIATIONS,
    RESULTS,
    Line,
    Record,
    tidy_comment,
    tidy_tags,
)
from pyengine.record import Game
from pyengine.rules import find_rules

#: Lines of moves are broken before they are longer than this.
WIDTH = 80
#: These tags come first, in this order; others follow in alphabetical order.
FIRST_TAGS = ("Game", "Ruleset", "Date", "X", "O", "Result", "Reason", "FEN")


def write_record(record: Record) -> str:
    """The canonical text of a record, with a newline at its end.

    Where the moves end the game, result and reason are those of the rules; otherwise those claimed. Raises
    `EngineError` for a ruleset, position, move or tag that cannot stand.
    """
    lines = [*record.line.all_lines()]
    if len(lines) - 1 > MAX_VARIATIONS or sum(len(line.moves) for line in lines) > MAX_MOVES:
        message = f"a game has at most {MAX_VARIATIONS} variations and {MAX_MOVES} moves in all"
        raise EngineError("too-long", message, most=MAX_MOVES)
    rules = find_rules(record.ruleset)
    start = rules.start() if record.position is None else rules.parse(record.position)
    game = Game(rules, start)
    words = [*_words(game, record.line, (1, None))]
    outcome = game.outcome
    result, reason = record.result, record.reason
    if outcome is not None:
        result, reason = outcome.winner or "draw", outcome.reason
    if result not in RESULTS:
        raise EngineError("record.result", f"{result!r} is not a result: x, o or draw")
    tags = {
        **tidy_tags(record.tags),
        "Game": rules.game,
        "Ruleset": rules.ruleset,
        "Result": RESULTS[result],
    }
    if result and reason:
        tags["Reason"] = tidy_comment(reason)[:40]
    if start != rules.start():
        tags["FEN"] = rules.format(start)
    names = [name for name in FIRST_TAGS if name in tags]
    names += sorted(name for name in tags if name not in FIRST_TAGS)
    head = "".join(f'[{name} "{_escaped(tags[name])}"]\n' for name in names)
    return f"{head}\n{_wrapped([*words, RESULTS[result]])}\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _words(game: Game, line: Line, turn: tuple[int, int | None]) -> Iterator[str]:
    """The words of a line. `turn`: the number that a turn of x would have, and the side that moved last.

    A number counts a turn of x and the turn of o after it, however many plies a turn has.
    """
    number, last = turn
    yield from _comment(line, 0)
    show_number = True
    for place, text in enumerate(line.moves, 1):
        before = (number, last)
        entry = game.play(text)
        if entry.move is not None:
            if entry.side == 0 and last == 1:
                number += 1
                show_number = True
            if show_number:
                yield f"{number}." if entry.side == 0 else f"{number}..."
            show_number = False
            last = entry.side
        yield entry.text
        yield from (f"${mark}" for mark in line.marks.get(place, ()))
        yield from _comment(line, place)
        for variation in line.variations.get(place, ()):
            inner = [*_words(game.upto(len(game.entries) - 1), variation, before)] or [""]
            inner[0] = "(" + inner[0]
            inner[-1] += ")"
            yield from inner
        show_number = show_number or place in line.comments or place in line.variations


def _comment(line: Line, place: int) -> Iterator[str]:
    text = tidy_comment(line.comments.get(place, ""))
    if text:
        yield from f"{{{text}}}".split(" ")


def _wrapped(words: Iterable[str]) -> str:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(word)
        else:
            lines[-1] += " " + word if lines[-1] else word
    return "\n".join(lines)
