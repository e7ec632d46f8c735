"""Records read from text, kindly: other servers' spellings, missing tags and stray spaces are understood, and what is
not understood is told with its place, while everything legal before it is kept (docs/records.md)."""

from __future__ import annotations

import io
import re
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TextIO

from pyengine.errors import EngineError
from pyengine.movetext import MAX_MOVE
from pyengine.notation.lexer import Token, mark_number, tokens
from pyengine.notation.model import (
    DERIVED_TAGS,
    MAX_COMMENT,
    MAX_FAULTS,
    MAX_MARK,
    MAX_MARKS,
    MAX_MOVES,
    MAX_NESTING,
    MAX_VARIATIONS,
    Fault,
    Line,
    Record,
    read_result,
    tidy_comment,
)
from pyengine.record import Game
from pyengine.rules import GAMES, find_rules

#: Longer lines are read in pieces of this many characters.
MAX_LINE = 1_000_000
#: The most candidates told for one fault.
MAX_CANDIDATES = 12
#: How many words a move with spaces inside may be spread over.
MAX_PIECES = 60

# A word that cannot begin a move: it goes on from the word before (`c2 xc4`, `d3e3+ ,f4-`, `d3 e3 A`).
_GOES_ON = re.compile(r"(?:[x*:,+\-–—×].*|[aw])", re.IGNORECASE)
# A word that surely goes on in the next one, and one that may: `d3e3-` is a withdrawal, `c2-` half a step.
_CUT_OFF = re.compile(r"(?:[a-z][0-9].*|huff)[x*:,–—×]", re.IGNORECASE)
_MAY_GO_ON = re.compile(r".*-", re.IGNORECASE)
# Points alone may be the points of one move: `c2 c3`, `a1 c3 c5`.
_POINTS = re.compile(r"(?:[a-z][0-9]{1,2})+", re.IGNORECASE)
_POINT = re.compile(r"[a-z][0-9]{1,2}[+\-]?", re.IGNORECASE)


@dataclass(slots=True)
class ReadGame:
    """One game as read: the record holds everything legal up to the first fault of its main line."""

    record: Record
    faults: list[Fault] = field(default_factory=list)


def read_records(stream: TextIO, ruleset: str | None = None) -> Iterator[ReadGame]:
    """Read the games of a stream one by one, in the memory of one game.

    `ruleset` serves games whose tags name none. Nothing is raised for bad content: each game tells its faults.
    """
    return (game for game in read_in_steps(stream, ruleset) if game is not None)


def read_in_steps(stream: TextIO, ruleset: str | None = None) -> Iterator[ReadGame | None]:
    """Read as `read_records` does, with None after every small step of the work: whoever reads can pause there."""
    lines = iter(lambda: stream.readline(MAX_LINE), "")
    return _Reader(lines, ruleset).games()


def read_text(text: str, ruleset: str | None = None) -> Iterator[ReadGame]:
    """Read the games of a text; see `read_records`.

    >>> [game] = read_text('[Ruleset "alquerque/table"] 1. C2 - C3 c4:c2 2.d9', None)
    >>> game.record.line.moves, str(game.faults[0])[:60]
    (['c2-c3', 'c4xc2'], "line 1, column 48: 'd9' is not a legal move: not a move (per")
    """
    return read_records(as_stream(text), ruleset)


def as_stream(text: str) -> TextIO:
    """A text as a stream whose lines end as any computer ends them."""
    return io.StringIO(text, newline=None)


class _Stop(Exception):
    """The line being read cannot go on after a fault."""


class _Reader:
    """Its methods that are generators yield None between two steps, as often as there are tokens."""

    def __init__(self, lines: Iterable[str], ruleset: str | None) -> None:
        self._tokens = tokens(lines)
        self._ahead: deque[Token] = deque()
        self._ruleset = ruleset
        self._number = 0
        self._variations = 0
        self._moves = 0
        self._told = 0
        self._faults: list[Fault] = []

    # --- tokens -----------------------------------------------------------------------------------

    def _peek(self, place: int = 0) -> Token:
        while len(self._ahead) <= place:
            last = self._ahead[-1] if self._ahead else None
            if last is not None and last.kind == "end":
                return last
            self._ahead.append(next(self._tokens))
        return self._ahead[place]

    def _next(self) -> Token:
        token = self._peek()
        if token.kind != "end":
            self._ahead.popleft()
        return token

    def _blame(self, token: Token, kind: str, message: str, **more: Any) -> None:
        found = more.pop("found", token.text)[:40]
        place = (token.line, token.column)
        self._told += len(more.get("legal", ()))
        if self._told > MAX_MOVES:
            more.pop("legal", None)
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(Fault(kind, message, *place, found, game=self._number, **more))

    # --- games ------------------------------------------------------------------------------------

    def games(self) -> Iterator[ReadGame | None]:
        while True:
            tags, preface = yield from self._head()
            if self._peek().kind == "end" and not tags:
                return
            self._faults, self._variations, self._moves, self._told = [], 0, 0, 0
            record = yield from self._game(tags, preface)
            yield ReadGame(record, self._faults)
            self._number += 1

    def _head(self) -> Generator[None, None, tuple[dict[str, Token], list[str]]]:
        """The tags of a game by name, and the comments among them."""
        tags: dict[str, Token] = {}
        preface: list[str] = []
        while self._peek().kind in ("tag", "comment", "gap"):
            token = self._next()
            if token.kind == "tag":
                tags.setdefault(token.name, token)
            elif token.kind == "comment":
                preface.append(token.text)
            yield
        return tags, preface

    def _game(self, tags: dict[str, Token], preface: list[str]) -> Generator[None, None, Record]:
        others = {
            name: " ".join(token.text.split())
            for name, token in tags.items()
            if name not in DERIVED_TAGS
        }
        try:
            game = self._start(tags)
        except _Stop:
            ruleset = tags["Ruleset"].text if "Ruleset" in tags else self._ruleset or ""
            yield from self._skip_game()
            return Record(ruleset, tags=others)
        position = None if game.start == game.rules.start() else game.rules.format(game.start)
        record = Record(game.rules.ruleset, position, Line(), others)
        for text in preface:
            _add_comment(record.line, 0, text)
            yield
        try:
            yield from self._line(game, record.line, 0)
        except _Stop:
            yield from self._skip_game()
        else:
            self._result(record, game, tags)
        return record

    def _start(self, tags: dict[str, Token]) -> Game:
        token = tags.get("Ruleset") or tags.get("Game") or self._peek()
        try:
            rules = find_rules(self._name_ruleset(tags))
            if "FEN" not in tags:
                return Game(rules)
            token = tags["FEN"]
            return Game(rules, rules.parse(token.text))
        except EngineError as error:
            self._blame(token, error.kind, str(error))
            raise _Stop from None

    def _name_ruleset(self, tags: dict[str, Token]) -> str:
        if "Ruleset" in tags:
            return "".join(tags["Ruleset"].text.split())
        if "Game" in tags:
            named = "".join(tags["Game"].text.split()).lower()
            game = GAMES.get(named)
            if game is None:  # a ruleset in full, or a game that is not known here
                return named
            if not (self._ruleset or "").startswith(game.name + "/"):
                return f"{game.name}/{game.presets[0]}"
        if self._ruleset is not None:
            return self._ruleset
        raise EngineError(
            "record.ruleset", 'the game does not say its rules: [Ruleset "…"] is missing'
        )

    def _skip_game(self) -> Iterator[None]:
        """Go on to the next game after a fault: the next tag."""
        while self._peek().kind not in ("tag", "end"):
            self._next()
            yield

    def _result(self, record: Record, game: Game, tags: dict[str, Token]) -> None:
        token = self._peek()
        claims = [tags["Result"]] if "Result" in tags else []
        if token.kind == "result":
            claims.append(self._next())
        claimed = None
        for claim in claims:
            try:
                claimed = read_result(claim.text) or claimed
            except EngineError as error:
                self._blame(claim, error.kind, str(error), candidates=_texts(error, "candidates"))
        outcome = game.outcome
        if outcome is None:
            record.result = claimed
            if claimed and "Reason" in tags:
                record.reason = tidy_comment(tags["Reason"].text)[:40] or None
            return
        record.result, record.reason = outcome.winner or "draw", outcome.reason
        if claimed and claimed != record.result:
            message = f"the moves end the game otherwise: {record.result} ({record.reason})"
            self._blame(claims[-1], "record.result", message, candidates=(record.result,))

    # --- lines of play ----------------------------------------------------------------------------

    def _line(self, game: Game, line: Line, nesting: int) -> Iterator[None]:
        """Read moves until the line ends; raises `_Stop` at a fault that it cannot go on after."""
        while True:
            token = self._peek()
            if token.kind in ("tag", "end"):
                if nesting:
                    self._blame(token, "record.variation", "a variation is not closed by )")
                return
            if token.kind == "result" and not nesting:
                return
            self._next()
            if token.kind == "close" and nesting:
                return
            yield from self._read(token, game, line, nesting)

    def _read(self, token: Token, game: Game, line: Line, nesting: int) -> Iterator[None]:
        yield
        count = len(line.moves)
        match token.kind:
            case "comment":
                _add_comment(line, count, token.text)
            case "mark":
                number = mark_number(token.text)
                marks = line.marks.get(count, ())
                if count and number <= MAX_MARK and len(marks) < MAX_MARKS:
                    line.marks[count] = (*marks, number)
                elif len(marks) == MAX_MARKS:
                    message = f"a move has at most {MAX_MARKS} marks"
                    self._blame(token, "record.mark", message)
                else:
                    self._blame(token, "record.mark", "this mark belongs to no move or is unknown")
            case "open":
                yield from self._variation(token, game, line, nesting)
            case "close":
                self._blame(token, "record.variation", ") without a variation that it closes")
            case "word":
                line.moves.append((yield from self._move(token, game)))
            case "unclosed":
                self._blame(token, "record.comment", "a comment is not closed by }")
            case "strange":
                message = f"{token.text[:20]!r} has no meaning here"
                kind = "record.tag" if token.text.startswith("[") else "record.character"
                self._blame(token, kind, message, legal=tuple(game.texts))
                raise _Stop

    def _variation(self, token: Token, game: Game, line: Line, nesting: int) -> Iterator[None]:
        number = len(line.moves)
        self._variations += 1
        fault = None
        if not number:
            fault = "a variation stands after the move that it replaces"
        elif nesting >= MAX_NESTING:
            fault = f"variations stand at most {MAX_NESTING} deep"
        elif self._variations > MAX_VARIATIONS:
            fault = f"a game has at most {MAX_VARIATIONS} variations"
        if fault:
            self._blame(token, "record.variation", fault)
            yield from self._skip_variation()
            return
        variation = Line()
        try:
            yield from self._line(game.upto(len(game.entries) - 1), variation, nesting + 1)
        except _Stop:
            yield from self._skip_variation()
        if variation.moves:
            line.variations.setdefault(number, []).append(variation)
        else:
            for text in variation.comments.values():
                _add_comment(line, number, text)

    def _skip_variation(self) -> Iterator[None]:
        """Go on behind the `)` of the variation being read."""
        depth = 1
        while depth and self._peek().kind not in ("tag", "end"):
            kind = self._next().kind
            depth += (kind == "open") - (kind == "close")
            yield

    # --- moves ------------------------------------------------------------------------------------

    def _move(self, token: Token, game: Game) -> Generator[None, None, str]:
        """Play the move that begins with this word, and give its canonical text."""
        self._moves += 1
        if self._moves > MAX_MOVES:
            message = f"a game has at most {MAX_MOVES} moves, its variations included"
            self._blame(token, "too-long", message, legal=tuple(game.texts))
            raise _Stop
        text = first = self._glue(token.text)
        fault: EngineError | None = None
        for _ in range(MAX_PIECES):
            try:
                return game.play(text).text
            except EngineError as error:
                if fault is None or error.kind == "move.ambiguous":
                    fault, first = error, text
            if fault.kind != "move.illegal" or not self._may_go_on(text):
                break
            text = self._glue(text + self._next().text)
            yield
        assert fault is not None
        self._blame(
            token,
            fault.kind,
            str(fault),
            found=first,
            candidates=_texts(fault, "candidates") or _near(game, token.text),
            legal=tuple(game.texts),
        )
        raise _Stop

    def _glue(self, text: str) -> str:
        """Add the words that cannot begin a move of their own."""
        while len(text) < MAX_MOVE:
            following = self._peek()
            goes_on = _CUT_OFF.fullmatch(text) or _GOES_ON.fullmatch(following.text)
            if following.kind != "word" or not goes_on:
                break
            text += self._next().text
        return text

    def _may_go_on(self, text: str) -> bool:
        """Whether this text, no legal move by itself, may be the first part of one with spaces inside."""
        following = self._peek()
        if following.text == "*":  # a sign of capture here, not of an open result
            return self._peek(1).kind == "word"
        if following.kind != "word":
            return False
        if _POINTS.fullmatch(text):
            return _POINT.fullmatch(following.text) is not None
        return _MAY_GO_ON.fullmatch(text) is not None


def _add_comment(line: Line, number: int, text: str) -> None:
    tidied, before = tidy_comment(text), line.comments.get(number, "")
    if tidied:  # only the new part is tidied: there may be thousands
        line.comments[number] = f"{before} {tidied}".strip()[:MAX_COMMENT].rstrip()


def _texts(error: EngineError, name: str) -> tuple[str, ...]:
    value = error.data.get(name)
    return tuple(map(str, value[:MAX_CANDIDATES])) if isinstance(value, list) else ()


def _near(game: Game, found: str) -> tuple[str, ...]:
    """Legal moves that the writer may have meant: from the same point, or to it, or else any."""
    legal = [move.text for move in game.legal_moves]
    points = re.findall(r"[a-z][0-9]{1,2}", found.lower())
    if points:
        pattern = rf"{points[0]}(?![0-9])"
        same = [text for text in legal if re.match(pattern, text)]
        ending = [text for text in legal if text.rstrip("+-").endswith(points[-1])]
        legal = same or ending or legal
    return tuple(legal[:MAX_CANDIDATES])
