"""Make the books of openings that the engine ships, and try them.

    python -m tools.books make [RULESET …]    search, and write pyengine/ai/data/books/ (every named ruleset by default)
    python -m tools.books report              positions, moves and bytes of the written books
    python -m tools.books match [RULESET …]   games from the start, with the book against without it

A book grows by self-play: in every game each side plays a move of the book or, now and then, what a weaker player
would; the first position that the book does not know is searched deeply and ends the game. What was searched stays in
the folder given by --work, so a run that was stopped goes on where it was, and a later run with more --entries begins
with what is there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pyengine.ai.book import Book, Entry, normal, views
from pyengine.ai.match import Played, Playing, make_player, score
from pyengine.ai.search import FORCED, INFINITE, Search, _Line
from pyengine.ai.shipped import file_name
from pyengine.ai.tables import signature, symmetries
from pyengine.errors import EngineError
from pyengine.rules import Rules, State, find_rules, rulesets

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "pyengine" / "ai" / "data" / "books"
WORK = ROOT / ".cache" / "books"

#: Moves whose value is so near to the best, in hundredths of a piece, are as good.
MARGIN = 10
#: Moves so near to the best get a value of their own: a look further on may show that they are better.
NEAR = 30
#: A book ends so many plies after the start; plies without a choice do not count.
PLIES = 12
#: How often a side leaves the book in self-play, and what it plays then: limits of a search.
ASTRAY = 0.35
WEAKER = ({"nodes": 200, "blur": 60}, {"nodes": 1_000, "blur": 30}, {"nodes": 5_000, "blur": 10})
#: So many games of self-play without a new position end the growth: where few can be reached the book stays small.
GAMES = 30


class Line(NamedTuple):
    """A move of a searched position: the normal text of the position after it, and its value for the side to act."""

    after: str
    value: int


Looked = list[Line]


def kept_symmetries(rules: Rules, seed: int = 1) -> list[int]:
    """Which of the board's symmetries the rules keep, found by trying them on positions of random games."""
    kept = set(range(len(symmetries(rules.board))))
    chance = random.Random(seed)
    for _ in range(12):
        state = rules.start()
        for _ in range(chance.randrange(1, 40)):
            children = rules.successors(state)
            if not children:
                break
            for number in tuple(kept):
                (view,) = views(rules, (number,))
                with suppress(EngineError):
                    there = {rules.key(after) for after in rules.successors(view.to(state))}
                    if there == {rules.key(view.to(after)) for after in children}:
                        continue
                kept.discard(number)
            state = chance.choice(children)
    return sorted(kept)


class WideSearch(Search):
    """A search that gives every root move near the best a value of its own, at little more than the cost of the best.

    `iterations`: for every finished depth the values by move.
    """

    def __init__(self, rules: Rules, state: State, moves: list[int], nodes: int) -> None:
        super().__init__(rules, state, nodes=nodes, without=("aspiration",))
        self._order = moves
        self.iterations: list[dict[int, int]] = []

    def _root(
        self, depth: int, skip: set[int], alpha: int, beta: int
    ) -> Generator[None, None, _Line]:
        found: dict[int, int] = {}
        best = _Line(self._order[0], -INFINITE)
        for index in tuple(self._order):
            child = self._moves[index]
            same = child[2] == self.state[2]
            low = max(alpha, best.value - NEAR - 1)
            value = low + 1
            if found:
                value = yield from self._below(child, same, depth - 1, low, low + 1, 1)
            if value > low:
                value = yield from self._below(child, same, depth - 1, low, beta, 1)
                found[index] = value
            if value > best.value:
                best = _Line(index, value)
                self._order.remove(index)
                self._order.insert(0, index)
        self.iterations.append(found)
        return best


def values_near_best(rules: Rules, state: State, moves: list[int], nodes: int) -> dict[int, int]:
    """The best of some moves and those near it, with their values for the side to act.

    Whoever moves last often looks better, so all values are moved by half of what the best one changed with the last
    ply: values of positions at odd and even plies become comparable.
    """
    search = WideSearch(rules, state, moves, nodes)
    search.run()
    last = search.iterations[-1]
    best = max(last.values())
    before = max(search.iterations[-2].values()) if len(search.iterations) > 1 else best
    shift = 0 if max(abs(best), abs(before)) > FORCED else (before - best) // 2
    return {
        move: value if abs(value) > FORCED else value + shift
        for move, value in sorted(last.items(), key=lambda pair: -pair[1])
        if value >= best - NEAR
    }


class Grower:
    """The book of one ruleset while it is made."""

    def __init__(self, ruleset: str, nodes: int, seed: int, work: Path) -> None:
        self.rules = find_rules(ruleset)
        self.nodes = nodes
        self.seed = seed
        self.kept = kept_symmetries(self.rules)
        self.views = views(self.rules, self.kept)
        self.looked: dict[str, Looked] = {}
        self._file = work / file_name(ruleset, "jsonl")
        if self._file.exists():
            for line in self._file.read_text(encoding="utf-8").splitlines():
                with suppress(json.JSONDecodeError):  # the line that an interruption cut
                    found = json.loads(line)
                    if found["nodes"] >= nodes:
                        self.looked[found["at"]] = [Line(*pair) for pair in found["lines"]]

    def text(self, state: State) -> str:
        """The text that stands for a state and its images."""
        return normal(self.rules, self.views, state)[0]

    def grow(self, entries: int) -> None:
        """Play until so many positions are in the book, or no new ones are met any more."""
        began = time.monotonic()
        for number in range(len(self.looked), entries):
            # A game depends on how much is known alone, so a run that goes on plays what it would have played.
            games = (random.Random(f"{self.seed} {number} {attempt}") for attempt in range(GAMES))
            if not any(map(self._play, games)):
                return
            if sys.stdout.isatty() or not len(self.looked) % 8:
                took = time.monotonic() - began
                told = f"{self.rules.ruleset} {len(self.looked)}/{entries} positions {took:.0f} s"
                print(told, flush=True)

    def _play(self, chance: random.Random) -> bool:
        """One game, until it meets a position that is not in the book and puts it in; False when it meets none."""
        state, plies = self.rules.start(), 0
        while plies < PLIES:
            children = self.rules.successors(state)
            if len(children) > 1:
                plies += 1
                text = self.text(state)
                if text not in self.looked:
                    self.looked[text] = self._look(text)
                    return True
                children = self._choices(state, children, text, chance)
            if not children:
                break
            state = chance.choice(children)
        return False

    def _choices(
        self, state: State, children: list[State], text: str, chance: random.Random
    ) -> list[State]:
        if chance.random() < ASTRAY:
            limits = chance.choice(WEAKER)
            search = Search(self.rules, state, seed=chance.getrandbits(30), **limits)
            search.run()
            return [children[search.best]]
        equals = self._equals(text)
        return [child for child in children if self.text(child) in equals]

    # --- looking ahead ----------------------------------------------------------------------------

    def _look(self, text: str) -> Looked:
        """Search a position and keep what was found in the file."""
        state = self.rules.parse(text)
        # Moves that are images of each other lead to one text: one of them is searched.
        after: dict[str, int] = {}
        for place, child in enumerate(self.rules.successors(state)):
            after.setdefault(self.text(child), place)
        found = values_near_best(self.rules, state, list(after.values()), self.nodes)
        texts = {place: text for text, place in after.items()}
        lines = [Line(texts[place], value) for place, value in found.items()]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"at": text, "nodes": self.nodes, "lines": lines}) + "\n")
        return lines

    def _worth(self, text: str, path: frozenset[str], known: dict[str, int]) -> int:
        """The value of a position for its side to act, as the deepest looks below it have it."""
        if text not in known:
            known[text] = max(line.value for line in self._lines(text, path, known))
        return known[text]

    def _lines(self, text: str, path: frozenset[str], known: dict[str, int]) -> Looked:
        below = path | {text}
        lines = []
        for after, value in self.looked[text]:
            if after in self.looked and after not in below:
                found = self._worth(after, below, known)
                value = found if _side(after) == _side(text) else -found
                if abs(value) > FORCED:  # one ply farther
                    value -= 1 if value > 0 else -1
            lines.append(Line(after, value))
        return lines

    def _equals(self, text: str) -> set[str]:
        """The normal texts of the positions after the moves that are as good as the best."""
        lines = self._lines(text, frozenset(), {})
        best = max(line.value for line in lines)
        return {line.after for line in lines if line.value >= best - MARGIN}

    # --- the result -------------------------------------------------------------------------------

    def book(self) -> Book:
        """The book as it stands."""
        entries = {}
        for text in self.looked:
            equals = self._equals(text)
            moves = tuple(
                move.text
                for move in self.rules.legal_moves(self.rules.parse(text))
                if self.text(move.after) in equals
            )
            entries[text] = Entry(self._worth(text, frozenset(), {}), moves)
        story = {"seed": self.seed, "nodes": self.nodes, "margin": MARGIN}
        return Book(self.rules, self.kept, entries, story)


def _side(text: str) -> str:
    return text.split()[1]


def named() -> list[str]:
    """Every named ruleset, but of those with the same moves only the first: they share a book."""
    by_moves: dict[str, str] = {}
    for ruleset, _ in rulesets():
        by_moves.setdefault(signature(find_rules(ruleset)), ruleset)
    return list(by_moves.values())


def make(args: argparse.Namespace) -> None:
    """Grow and write the books."""
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    for ruleset in args.rulesets or named():
        grower = Grower(ruleset, args.nodes, args.seed, Path(args.work))
        grower.grow(args.entries)
        data = grower.book().write()
        (out / file_name(ruleset, "json")).write_bytes(data)
        print(f"{ruleset}: {len(grower.looked)} positions, {len(data):,} bytes", flush=True)


def report(args: argparse.Namespace) -> None:
    """Print the table of docs/books.md."""
    print("| ruleset | symmetries | positions | with a choice | value of the start | bytes |")
    print("|---|--:|--:|--:|--:|--:|")
    for ruleset in args.rulesets or named():
        path = Path(args.out) / file_name(ruleset, "json")
        if not path.exists():
            continue
        data = path.read_bytes()
        book = Book.read(data)
        choices = sum(len(entry.moves) > 1 for entry in book.entries.values())
        start = book.find(book.rules.start())
        print(
            f"| `{ruleset}` | {len(book.kept)} | {len(book.entries)} | {choices} |"
            f" {start.value if start else '–'} | {len(data):,} |"
        )


def match(args: argparse.Namespace) -> None:
    """Games from the start, with the book against without it; both think alike and the seeds differ."""
    for ruleset in args.rulesets or named():
        limits = f"nodes={args.nodes},blur={args.blur}"
        with_book, without = make_player(f"{limits},book=yes"), make_player(f"{limits},book=no")
        played = []
        for number in range(args.games):
            game = Playing(find_rules(ruleset), seed=args.seed * 1_000_000 + number // 2 * 1_000)
            book_is_x = number % 2 == 0
            x, o = (with_book, without) if book_is_x else (without, with_book)
            while game.result() is None:
                game.play((o if game.state[2] else x).choose(game))
            points = game.result() or 0.0
            played.append(
                Played(number // 2, book_is_x, points if book_is_x else 1 - points, game.texts())
            )
        print(f"{ruleset}: {score(played)}", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("command", choices=["make", "report", "match"])
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--entries", type=int, default=32, help="positions in a book")
    parser.add_argument(
        "--nodes", type=int, help="for each position (150000), or for each move of a match (3000)"
    )
    parser.add_argument("--games", type=int, default=40, help="games of a match")
    parser.add_argument("--blur", type=int, default=5, help="error of judgement in a match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", default=str(WORK), help="folder for what was searched")
    parser.add_argument("--out", default=str(OUT), help="folder for the books")
    args = parser.parse_args()
    if args.nodes is None:
        args.nodes = 3_000 if args.command == "match" else 150_000
    {"make": make, "report": report, "match": match}[args.command](args)


if __name__ == "__main__":
    main()
