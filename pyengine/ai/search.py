"""The search: which move is best, for any ruleset, from successors alone.

Every technique stands with its reason in one sentence; docs/search.md has what each was measured to gain.

The search runs in slices. Nodes with something below them are generators, so that `run` can leave the search in the
middle and come back; the leaves and their exchanges of captures are plain functions, which are cheaper. Where a slice
ends never changes what is found: only `ms` depends on the clock.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Container, Generator, Iterable
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from pyengine.ai.evaluation import Evaluation, blurred, find_evaluation
from pyengine.ai.levels import Level, find_level, hasty
from pyengine.ai.proofs import Proof
from pyengine.ai.tables import DRAW, Tables, Value
from pyengine.ai.transpositions import (
    EXACT,
    LOWER,
    UPPER,
    SharedTranspositions,
    Told,
    Transpositions,
)
from pyengine.errors import EngineError
from pyengine.rules import REPETITIONS, Rules, State

if TYPE_CHECKING:
    from pyengine.ai.book import Advice

#: A win on the spot; a win in n plies is worth n less, so that the shortest win and the longest loss are best.
MATE = 100_000
#: Beyond this a value is a forced end, not a judgement.
FORCED = MATE - 1_000
#: A win known from a table of endings, whose length to the end is not known; less the plies to its next capture.
TABLE_WIN = 50_000
#: A win that a proof of the opening promises; how far it is nobody knows.
PROVED_WIN = 45_000
#: Beyond this a value is exact and counts plies.
COUNTED = 40_000
INFINITE = MATE + 1

#: Nodes between two looks at the clock: a look costs as much as a leaf in a browser.
CHECK_EVERY = 8
#: Half the first window around the last iteration's value, in hundredths of a piece.
ASPIRATION = 40
#: From which depth and move on quiet moves are looked at one ply less.
REDUCE_DEPTH = 3
REDUCE_AFTER = 3
#: A lone exchange may not cost more nodes than this, lest one leaf outlast a slice.
EXCHANGE_NODES = 40
#: No search goes deeper; keeps recursion far from Python's limit.
MAX_DEPTH = 99
#: This near to the limit without captures the same position with another clock is another position.
CLOCK_MATTERS = 40

#: What can be left out of a search by name.
TECHNIQUES = (
    "deepening",
    "table",
    "killers",
    "history",
    "captures-first",
    "exchanges",
    "aspiration",
    "null-window",
    "reductions",
    "mate-distance",
)
#: Which draw rules can be: a search without them takes some draws for something else.
DRAW_RULES = ("repetition", "limit")

Work = Generator[None, None, int]


class _Nowhere(set[Any]):
    """The path of a search that knows no repetition."""

    def __contains__(self, key: object) -> bool:
        return False


class _Stop(Exception):
    """A limit is reached or the search was cancelled."""


class _Line(NamedTuple):
    """A root move, as its place among the successors, and its value."""

    move: int
    value: int


class Search:
    """One search of one position.

    Args:
        rules, state: the position; it must not be over.
        history: keys (`rules.key`) of the earlier positions of the game, in their order, each as often as it stood.
        wary: whether coming back to one of them counts as a draw at once, so that a player who is ahead always goes
            on; otherwise only where it ends the game, which is what a judge of moves should say.
        level: 1 to 9; or any of `depth` (plies), `nodes`, `ms` (milliseconds from the first `run`), which may also
            narrow a level. With none of them the search goes on until it is stopped.
        lines: how many best moves to find, each with a value of its own.
        seed: chooses among the errors of judgement of a level. The same seed and the same limits other than `ms` give
            the same answer everywhere.
        blur: the error of judgement in hundredths of a piece, if not the level's (without a level none).
        evaluation: another judgement than the ruleset's own.
        without: names of techniques (`TECHNIQUES`) and draw rules (`DRAW_RULES`) to leave out, for measuring and for
            proofs; "deepening" needs a `depth`.
        tables: exact endings, probed inside the tree by levels that know them.
        book: whether to play from the book of openings while it lasts, a move among equals chosen by `seed`; by
            default levels that have it do when nothing but the level is given.
        team: (place, of): this is one of `of` searches of the position that tell each other what they find (`news`,
            `learn`). Place 0 searches as if it were alone and has the answer; the others, helpers, look ahead of it.
            What is found then depends on the clock, so only a search limited by `ms`, and not by nodes, has a team.

    Raises `EngineError` (`params`) for a game that is over, an unknown level, or a team where none may be.
    """

    def __init__(
        self,
        rules: Rules,
        state: State,
        history: Iterable[Any] = (),
        *,
        level: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        ms: float | None = None,
        lines: int = 1,
        seed: int = 0,
        blur: int | None = None,
        evaluation: Evaluation | None = None,
        without: Container[str] = (),
        tables: Tables | None = None,
        book: bool | None = None,
        team: tuple[int, int] | None = None,
        wary: bool = True,
    ) -> None:
        self.rules = rules
        self.state = state
        chosen = None if level is None else find_level(f"{rules.game}/{rules.preset}", level)
        strength = _strength(chosen, depth, nodes, ms)
        if strength.lapses and random.Random(seed).randrange(100) < strength.lapses:
            strength = hasty(strength)
        if team and (strength.ms is None or strength.nodes is not None):
            message = "only a search limited by time, and not by nodes, has a team"
            raise EngineError("params", message, name="team")
        self._quick = level is not None
        self._max_depth = min(strength.depth, MAX_DEPTH)
        self._first_depth = self._max_depth if depth and "deepening" in without else 1
        self._max_nodes = math.inf if strength.nodes is None else max(1, strength.nodes)
        self._max_ms = strength.ms
        error = strength.blur if blur is None else blur
        self._evaluation = blurred(evaluation or find_evaluation(rules), error, seed)
        self._without = without
        self._captures_first = self._evaluation.noisy and "captures-first" not in without
        self._use_table = "table" not in without
        self._null_window = "null-window" not in without
        self._mate_distance = "mate-distance" not in without
        self._clock_matters = 0 if "limit" in without else CLOCK_MATTERS
        calm = not self._evaluation.noisy or "exchanges" in without
        self._exchanges = 0 if calm else strength.exchanges
        self._successors = rules.successors
        self._captures = rules.captures
        self._key = rules.key
        self._evaluate = self._evaluation.value
        self._moves = rules.successors(state)
        if not self._moves:
            raise EngineError(
                "params", "the game is over: there is no move to search", name="position"
            )
        self._order = list(range(len(self._moves)))
        self._lines = [_Line(self._order[0], 0)]
        self._wanted = max(1, min(lines, len(self._moves)))
        self._endings = tables.find(rules) if tables and strength.endings else None
        self._most = self._endings.most if self._endings else 0
        self._tables = tables if strength.proofs else None
        self._told_proved: dict[tuple[int, int], int | None] = {}
        self._seed = seed
        alone = depth is None and nodes is None and ms is None and lines == 1
        self._by_book = strength.book and alone if book is None else book
        self._place, self._of = team or (0, 1)
        self._shared = SharedTranspositions() if team else None
        self._table = self._shared or Transpositions()
        self._killers: list[list[int]] = [[0, 0] for _ in range(MAX_DEPTH + 2)]
        self._successes: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._game = [*history, rules.key(state)]
        stood = Counter(self._game if rules.repetition else ())
        # Positions that end the game when they stand once more.
        self._last_time = {key for key, times in stood.items() if times >= REPETITIONS - 1}
        self._path = set(stood) if wary else {rules.key(state), *self._last_time}
        if "repetition" in without:
            self._path = _Nowhere()
        self._all_quiet = not self._evaluation.noisy
        self._reducing = "reductions" not in without
        self.depth = 0
        self.nodes = 0
        self._started: float | None = None
        self._elapsed = 0.0
        self._slice_end = 0.0
        self._hard_end = math.inf
        self._next_check: float = 0
        self._exchange_end = 0
        self._stopped = False
        self._finished = False
        self._work = self._deepen()

    # --- for the caller ---------------------------------------------------------------------------------------

    def run(self, ms: float = math.inf) -> bool:
        """Search on for about `ms` milliseconds; True when the search has finished."""
        if self._finished:
            return True
        now = perf_counter()
        if self._started is None:
            self._started = now
            if self._max_ms is not None:
                self._hard_end = now + self._max_ms / 1000
        self._slice_end = now + ms / 1000
        self._next_check = self.nodes
        try:
            next(self._work)
        except StopIteration:
            self._finished = True
        self._elapsed = perf_counter() - self._started
        return self._finished

    def stop(self) -> None:
        """Finish at once, with the best found so far."""
        self._stopped = True
        self._finished = True
        self._work.close()  # an unfinished generator and the search would keep each other, and the table, alive

    @property
    def endings(self) -> int:
        """Up to how many pieces the search knows tables of endings."""
        return self._most

    def news(self) -> list[Told]:
        """What the others of the team do not know yet; nothing without a team."""
        return self._shared.news() if self._shared and self._reducing else []

    def learn(self, told: Iterable[Told], endings: int) -> None:
        """Use the `news` of another search of the same position, with the same seed and limits, that knows tables of
        so many `endings`: judgements of one that knows fewer are not taken for exact values."""
        # Once reductions are off, only what was found without them counts.
        if self._shared and self._reducing and endings >= self._most:
            self._shared.learn(told)

    @property
    def best(self) -> int:
        """The best move so far, as its place in `rules.legal_moves(state)`."""
        return self._lines[0].move

    @property
    def value(self) -> int:
        """The value of the best move so far, in hundredths of a piece; see `mate_plies`."""
        return self._lines[0].value

    def progress(self) -> dict[str, Any]:
        """`{"depth", "score", "mate", "pv": [text], "nodes"}` of what is known so far (docs/wire.md)."""
        line = self._tell(self._lines[0])
        return {
            "depth": self.depth,
            "score": line["score"],
            "mate": line["mate"],
            "pv": line["pv"],
            "nodes": self.nodes,
        }

    def result(self) -> dict[str, Any]:
        """docs/wire.md's SearchResult, but that `move` is the text of the best move, and `index` its place in
        `rules.legal_moves(state)`."""
        # A proof counts more than what the search found, and may have arrived while it went on.
        proved = self._proved_line()
        if proved and not proved[0].value:
            others = [line for line in self._lines if line.move != proved[0].move]
            proved += [line._replace(value=min(line.value, 0)) for line in others]
        if proved and (self._wanted == 1 or not proved[0].value):
            self._lines = proved
        lines = [self._tell(line) for line in self._lines[: self._wanted]]
        best = lines[0]
        return {
            "move": best["move"],
            "index": self.best,
            "score": best["score"],
            "mate": best["mate"],
            "chance": best["chance"],
            "pv": best["pv"],
            "depth": self.depth,
            "nodes": self.nodes,
            "ms": round(self._elapsed * 1000),
            "book": best["book"],
            "lines": lines,
        }

    def _tell(self, line: _Line) -> dict[str, Any]:
        mate = mate_plies(line.value)
        pv, taken = self._variation(line.move)
        exact = self._known_of_move(self.state, self._moves[line.move])
        return {
            "move": pv[0],
            "score": line.value,
            "mate": mate,
            "chance": chance(line.value, self._evaluation.scale),
            "pv": pv,
            "captures": taken,
            "table": exact and {"wdl": exact.wdl, "distance": exact.distance},
            "book": line.move in self._book_moves,
            "proved": self._proved(line.move),
        }

    def _variation(self, index: int) -> tuple[list[str], int]:
        """The texts of the best line that begins with a root move, and how many stones its player takes in it."""
        texts: list[str] = []
        taken = 0
        state, seen = self.state, set()
        while index >= 0 and len(texts) <= max(1, self.depth):
            moves = self.rules.legal_moves(state)
            if index >= len(moves):
                break
            texts.append(moves[index].text)
            if state[2] == self.state[2]:
                taken += len(moves[index].captures)
            state = moves[index].after
            key = self._table_key(state)
            entry = None if key in seen else self._table.get(key)
            ranked = None if entry or key in seen else self._rank_by_tables(state)
            seen.add(key)
            index = entry[3] if entry else ranked[0].move if ranked else -1
        return texts, taken

    # --- iterations -------------------------------------------------------------------------------------------

    def _deepen(self) -> Generator[None, None, None]:
        """Iterative deepening: a shallow search costs little, orders the next one, and always has an answer."""
        ranked = (
            self._rank_by_tables(self.state)
            or (self._wanted == 1 and self._proved_line())
            or self._choose_by_book()
        )
        if ranked:
            self._lines = ranked
            self.depth = 1
            return
        try:
            for depth in range(self._first_depth, self._max_depth + 1):
                yield from self._iterate(depth)
                self.depth = depth
                if self._enough(depth):
                    break
        except _Stop:
            pass

    def _iterate(self, depth: int) -> Generator[None, None, None]:
        """Find the best root moves one after the other, each without those already found."""
        if self._place and depth > 1:
            yield from self._look_ahead(depth)
        done = self._proved_line()
        for rank in range(len(done), self._wanted):
            taken = {line.move for line in done}
            guess = self._lines[rank].value if rank < len(self._lines) else None
            line = yield from self._aspire(depth, taken, guess)
            done.append(line)
            self._lines = done + [old for old in self._lines if old.move not in taken | {line.move}]
        best = [line.move for line in done]
        self._order = best + [index for index in self._order if index not in best]

    def _look_ahead(self, depth: int) -> Generator[None, None, None]:
        """What a helper does before it searches as usual: look at what place 0 comes to last. First whether any other
        move is better than the worst line wanted, by null windows and from the helper's own share of the moves on;
        then at the lines, the last one first."""
        lines = self._lines[: self._wanted]
        if any(abs(line.value) > COUNTED for line in lines):
            return
        least = lines[-1].value
        known = {line.move for line in lines}
        others = [index for index in self._order if index not in known]
        own = len(others) * self._place // self._of
        windows = [(index, least, least + 1) for index in others[own:] + others[:own]]
        for move, value in lines[:0:-1]:
            windows.append((move, value - ASPIRATION, value + ASPIRATION))
        for index, alpha, beta in windows:
            child = self._moves[index]
            yield from self._below(child, child[2] == self.state[2], depth - 1, alpha, beta, 1)

    def _aspire(
        self, depth: int, skip: set[int], guess: int | None
    ) -> Generator[None, None, _Line]:
        """Aspiration: the value seldom moves much between iterations, and a narrow window cuts more."""
        alpha, beta = -INFINITE, INFINITE
        narrow = depth > 2 and "aspiration" not in self._without
        if guess is not None and narrow and abs(guess) < FORCED:
            alpha, beta = guess - ASPIRATION, guess + ASPIRATION
        while True:
            line = yield from self._root(depth, skip, alpha, beta)
            if line.value <= alpha:
                alpha = -INFINITE
            elif line.value >= beta:
                beta = INFINITE
            else:
                return line

    def _root(
        self, depth: int, skip: set[int], alpha: int, beta: int
    ) -> Generator[None, None, _Line]:
        side = self.state[2]
        best = _Line(-1, -INFINITE)
        for index in tuple(self._order):  # a better move goes to the front meanwhile
            if index in skip:
                continue
            child = self._moves[index]
            same = child[2] == side
            if best.move < 0:
                value = yield from self._below(child, same, depth - 1, alpha, beta, 1)
            else:
                edge = alpha + 1 if self._null_window else beta
                value = yield from self._below(child, same, depth - 1, alpha, edge, 1)
                if alpha < value < beta and edge < beta:
                    value = yield from self._below(child, same, depth - 1, alpha, beta, 1)
            if value > best.value:
                best = _Line(index, value)
                if value > alpha:
                    alpha = value
                    if not skip:
                        # A move that beats the best so far may be played even if the iteration is cut short.
                        self._lines = [best] + [o for o in self._lines if o.move != index]
                    self._order.remove(index)
                    self._order.insert(0, index)
                    if value >= beta:
                        return best
        return best

    def _enough(self, depth: int) -> bool:
        """Whether a deeper iteration could not change the answer, or would not finish in time."""
        if self._stopped or self.nodes >= self._max_nodes:
            return True
        if self._quick and len(self._moves) == 1:
            return True
        values = [line.value for line in self._lines[: self._wanted]]
        if all(abs(value) > FORCED for value in values):
            if self._reducing:
                # Reductions may have hidden a shorter win: look again without them.
                self._reducing = False
                self._table.clear()
            return depth >= max(MATE - abs(value) for value in values)
        if self._max_ms is not None and self._started is not None and not self._place:
            # The next iteration costs a few times this one: begin it only with time to use it.
            return perf_counter() - self._started > 0.6 * self._max_ms / 1000
        return False

    # --- nodes ------------------------------------------------------------------------------------------------

    def _below(self, child: State, same: bool, depth: int, alpha: int, beta: int, ply: int) -> Work:
        """The value of a child for its parent; where the same side goes on there is nothing to negate."""
        if depth <= 0:
            if self.nodes >= self._next_check:
                yield from self._check()
            return self._leaf(child, same, alpha, beta, ply)
        if same:
            return (yield from self._node(child, depth, alpha, beta, ply))
        return -(yield from self._node(child, depth, -beta, -alpha, ply))

    def _leaf(self, child: State, same: bool, alpha: int, beta: int, ply: int) -> int:
        self._exchange_end = self.nodes + EXCHANGE_NODES
        if same:
            return self._exchange(child, alpha, beta, ply, self._exchanges)
        return -self._exchange(child, -beta, -alpha, ply, self._exchanges)

    def _node(self, state: State, depth: int, alpha: int, beta: int, ply: int) -> Work:
        """Principal-variation alpha-beta, fail-soft: the value of a state for its side to act."""
        self.nodes += 1
        if self.nodes >= self._next_check:
            yield from self._check()

        # Repetition: a position that came before on this path is as good as a draw, since whoever could do better than
        # to come back will; one that came before in the game is taken for one (`wary`).
        # At the limit the game is over, and only a third time comes before that.
        key = self._key(state)
        if key in self._path and state[3] < self.rules.clock_end:
            return 0

        # Tables of endings: nothing below could tell more.
        if self._most and (state[0] | state[1]).bit_count() <= self._most:
            known = self._table_value(state, ply)
            if known is not None:
                return known

        # Distance to mate: no line below can beat a shorter win already found.
        if self._mate_distance:
            alpha = max(alpha, ply - MATE)
            beta = min(beta, MATE - ply)
            if alpha >= beta:
                return alpha

        # Transposition table: the same position reached by another order of moves is searched once.
        table_key = self._table_key(state)
        entry = self._table.get(table_key)
        best_index = -1
        if entry is not None and self._use_table:
            known_depth, bound, known, best_index = entry
            if known_depth >= depth:
                known = _from_table(known, ply)
                if bound == EXACT or (known >= beta if bound == LOWER else known <= alpha):
                    return known

        moves = self._successors(state)
        if not moves:
            return self._ended(state, ply)

        order, steps = self._ordered(state, moves, best_index, ply)
        side = state[2]
        self._path.add(key)
        floor = alpha
        best = -INFINITE
        for number, index in enumerate(order):
            child = moves[index]
            same = child[2] == side
            if depth == 1:
                if self.nodes >= self._next_check:
                    yield from self._check()
                value = self._leaf(child, same, alpha, beta, ply + 1)
            elif number == 0:
                value = yield from self._below(child, same, depth - 1, alpha, beta, ply + 1)
            else:
                # Late-move reduction: with good ordering a late quiet move is seldom best, a look one ply shorter
                # shows most of that.
                less = 1
                if number > REDUCE_AFTER and depth >= REDUCE_DEPTH and self._reducing:
                    less = 2 if child[3] or self._all_quiet else 1
                # Null window: to know that a move is no better is cheaper than to know how good it is.
                edge = alpha + 1 if self._null_window else beta
                value = yield from self._below(child, same, depth - less, alpha, edge, ply + 1)
                if value > alpha and less > 1:
                    value = yield from self._below(child, same, depth - 1, alpha, edge, ply + 1)
                if alpha < value < beta and edge < beta:
                    value = yield from self._below(child, same, depth - 1, alpha, beta, ply + 1)
            if value > best:
                best, best_index = value, index
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        self._remember(steps[index], side, depth, ply)
                        break
        self._path.discard(key)
        bound = LOWER if best >= beta else UPPER if best <= floor else EXACT
        self._table.put(table_key, (depth, bound, _to_table(best, ply), best_index))
        return best

    def _exchange(self, state: State, alpha: int, beta: int, ply: int, left: int) -> int:
        """Quiescence: captures are followed to their end, since a count in the middle of an exchange is wrong."""
        self.nodes += 1
        rules = self.rules
        if state[3] >= rules.clock_end or rules.decided(state):
            return self._ended(state, ply)
        if self._most and (state[0] | state[1]).bit_count() <= self._most:
            known = self._table_value(state, ply)
            if known is not None:
                return known
        captures = self._captures(state) if left and self.nodes < self._exchange_end else ()
        if not captures:
            return self._evaluate(state)
        best = -INFINITE
        if not self._evaluation.forced:
            # Standing pat: who need not capture has at least what stands on the board.
            best = self._evaluate(state)
            if best >= beta:
                return best
            alpha = max(alpha, best)
        side = state[2]
        for child in captures:
            if child[2] == side:
                value = self._exchange(child, alpha, beta, ply + 1, left - 1)
            else:
                value = -self._exchange(child, -beta, -alpha, ply + 1, left - 1)
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        return best

    def _ended(self, state: State, ply: int) -> int:
        """The value of a state without successors for its side to act: a third repetition counts before the limit."""
        if self._key(state) in self._last_time:
            return 0
        return self.rules.result(state) * (MATE - ply)

    # --- tables of endings ------------------------------------------------------------------------------------

    def _probe(self, state: State) -> Value | None:
        if self._endings and (state[0] | state[1]).bit_count() <= self._most:
            return self._endings.probe(state)
        return None

    def _known(self, state: State) -> Value | None:
        """What the tables say of a state, as far as the limit lets it be so: a win whose next capture comes after it is
        a draw; where the limit counts pieces, it decides what the tables call a draw."""
        found = self._probe(state)
        if found is None:
            return None
        if found.distance is not None and state[3] + found.distance <= self.rules.clock_end:
            return found
        return DRAW if self.rules.onlimit == "draw" else None

    def _table_value(self, state: State, ply: int) -> int | None:
        """What the tables make of a state met in the search, for its side to act."""
        found = self._known(state)
        return None if found is None else _worth(found, ply)

    def _rank_by_tables(self, state: State) -> list[_Line] | None:
        """All moves of a state that the tables know, best first: of wins the one that captures soonest, of losses the
        one that suffers it last, of draws what the judgement likes best. A win whose distance shrinks with every move
        never comes back to a position and never meets the limit; one that came back before keeps clear of the
        positions that may not stand again."""
        known = self._known(state)
        if known is None:
            return None
        pieces = (state[0] | state[1]).bit_count()
        ranked = []
        for move, child in enumerate(self._successors(state)):
            sign = 1 if child[2] == state[2] else -1
            found = self._known_of_move(state, child)
            over = found is None or found.distance == 0  # or may be so
            if over and not self._successors(child):
                ranked.append((_Line(move, sign * self._ended(child, 1)), 0))
                continue
            if found is None:
                if known.wdl < 1:
                    return None
                found = DRAW  # there is better
            liked = sign * self._evaluate(child)
            if found.wdl and (child[0] | child[1]).bit_count() < pieces:
                # The next capture is this one: how far the one after it is only breaks ties.
                liked = -found.wdl * (found.distance or 0)
                found = found._replace(distance=0)
            ranked.append((_Line(move, _worth(found, 1)), liked))
        ranked.sort(key=lambda pair: (-pair[0].value, -pair[1], pair[0].move))
        return [line for line, _ in ranked]

    def _known_of_move(self, state: State, child: State) -> Value | None:
        """What the tables say of a move, for its player: a draw where it ends the game as a third repetition, or would
        win but for the other side's doing so."""
        found = self._known(child)
        if found is None:
            return None
        if child[2] != state[2]:
            found = Value(-found.wdl, found.distance)
        if self._last_time:
            after = [child, *(self._successors(child) if found.wdl > 0 else ())]
            if any(self._key(state) in self._last_time for state in after):
                return DRAW
        return found

    # --- proofs of the opening --------------------------------------------------------------------------------

    @property
    def _proofs(self) -> list[Proof]:
        return self._tables.proofs(self.rules) if self._tables else []

    def _proved_line(self) -> list[_Line]:
        """The move that keeps what is proved for the side to act, if there is one: a win, or a draw where the other
        side is proved to hold it as well, so that there is nothing to play for."""
        for proof in self._proofs:
            move = proof.reply(self.rules, self.state)
            if move is None or len(self._moves) == 1:
                continue
            if (
                self._speaks(proof, self._moves[move])
                and proof.belongs(self.rules, self.state, self._endings)
                and (proof.value > 0 or self._held_against(proof.side))
            ):
                self._told_proved[move, len(self._proofs)] = proof.value
                return [_Line(move, PROVED_WIN if proof.value else 0)]
        return []

    def _speaks(self, proof: Proof, child: State) -> bool:
        """Whether a proof holds for the game that a root move leads to, under limit and repetition too. A win was
        checked with the clocks of its own lines, so its side must have played by it since the last capture; a draw
        fears neither."""
        if not proof.value:
            return True
        since = child[3] + 1
        stretch = [*self._game, self._key(child)][-since:]
        return (
            len(stretch) == since
            and stretch[-1] not in self._last_time
            and proof.followed(self.rules, map(self.rules.standing, stretch))
        )

    def _held_against(self, side: int) -> bool:
        """Whether the other side is proved to hold the root."""
        others = (proof for proof in self._proofs if proof.side != side)
        return any(proof.holds(self.rules, self.state, self._endings) for proof in others)

    def _proved(self, move: int) -> int | None:
        """What a root move surely comes to for its player, 1, 0 or -1, by a proof of the opening; None: not proved."""
        proofs = self._proofs
        if (move, len(proofs)) not in self._told_proved:
            child, side = self._moves[move], self.state[2]
            held = [
                proof
                for proof in proofs
                if self._speaks(proof, child) and proof.holds(self.rules, child, self._endings)
            ]
            wins = [1 if proof.side == side else -1 for proof in held if proof.value > 0]
            told = wins[0] if wins else 0 if len(held) == 2 else None
            self._told_proved[move, len(proofs)] = told
        return self._told_proved[move, len(proofs)]

    # --- the book of openings ---------------------------------------------------------------------------------

    @cached_property
    def _advice(self) -> Advice | None:
        """What the ruleset's book says of the root."""
        from pyengine.ai.book import shipped  # here, since a start waits for no book

        book = shipped(self.rules)
        return book.find(self.state) if book else None

    @property
    def _book_moves(self) -> tuple[int, ...]:
        return self._advice.moves if self._advice else ()

    def _choose_by_book(self) -> list[_Line]:
        """A move of the book, if it is to be used and knows the root: one of those that it holds equally good, none
        that goes back to a position of the game."""
        if not self._by_book or not self._advice:
            return []
        if self._tables and self._tables.expects_proof(self.rules):
            return []  # think meanwhile: the proof may know better
        moves = [m for m in self._advice.moves if self._key(self._moves[m]) not in self._path]
        if not moves:
            return []
        return [_Line(random.Random(self._seed).choice(moves), self._advice.value)]

    # --- ordering ---------------------------------------------------------------------------------------------

    def _ordered(
        self, state: State, moves: list[State], first: int, ply: int
    ) -> tuple[list[int], list[int]]:
        """Indices of the moves, most promising first, and each move's step: the points its stone left and reached.

        First the table's move, which was best before; then captures, the biggest first; then killers, which refuted a
        sister position; then by how often the same step cut elsewhere (history).
        """
        own, foe, side = state[:3]
        killers = self._killers[ply]
        successes = self._successes[side]
        captures_first = self._captures_first
        ranks: list[int] = []
        steps: list[int] = []
        for child in moves:
            if child[2] == side:
                step, left = own ^ child[0], child[1]
            else:
                step, left = own ^ child[1], child[0]
            steps.append(step)
            if captures_first and left != foe:
                ranks.append(-(1 << 40) - (foe ^ left).bit_count())
            elif step in killers:
                ranks.append(-(1 << 39))
            else:
                ranks.append(-successes.get(step, 0))
        if 0 <= first < len(ranks):  # what others told may be anything
            ranks[first] = -(1 << 50)
        return sorted(range(len(moves)), key=ranks.__getitem__), steps

    def _remember(self, step: int, side: int, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if killers[0] != step and "killers" not in self._without:
            killers[1] = killers[0]
            killers[0] = step
        if "history" in self._without:
            return
        successes = self._successes[side]
        successes[step] = successes.get(step, 0) + depth * depth

    # --- limits -----------------------------------------------------------------------------------------------

    def _check(self) -> Generator[None, None, None]:
        """End the search at its limits, or leave it until the next slice."""
        # The first iteration always finishes: without it there is no move to choose by.
        if self.depth and self.nodes >= self._max_nodes:
            raise _Stop
        now = perf_counter()
        if self.depth and now >= self._hard_end:
            raise _Stop
        if now >= self._slice_end:
            yield
        limit = self._max_nodes if self.depth else math.inf
        self._next_check = min(limit, self.nodes + CHECK_EVERY)

    def _table_key(self, state: State) -> Any:
        """The position's key, with the clock where the limit is near enough to decide."""
        key = self._key(state)
        if state[3] + self._clock_matters >= self.rules.clock_end:
            return (key, state[3])
        return key


def _strength(level: Level | None, depth: int | None, nodes: int | None, ms: float | None) -> Level:
    """The limits of a search: a level, narrowed by whatever else is given."""
    base = Level(None, MAX_DEPTH, 0, 12) if level is None else level
    return base._replace(
        depth=base.depth if depth is None else max(1, min(depth, base.depth)),
        nodes=base.nodes
        if nodes is None
        else nodes
        if base.nodes is None
        else min(nodes, base.nodes),
        ms=base.ms if ms is None else int(ms) if base.ms is None else min(int(ms), base.ms),
    )


def _worth(known: Value, ply: int) -> int:
    """The value, for its side to act, of a state that the tables know."""
    return known.wdl * (TABLE_WIN - ply - (known.distance or 0))


def _to_table(value: int, ply: int) -> int:
    """Forced wins are kept by their distance from the position, not from the root."""
    if value > COUNTED:
        return value + ply
    if value < -COUNTED:
        return value - ply
    return value


def _from_table(value: int, ply: int) -> int:
    if value > COUNTED:
        return value - ply
    if value < -COUNTED:
        return value + ply
    return value


def mate_plies(value: int) -> int | None:
    """Plies to the forced win (> 0) or loss (< 0) that a value stands for, or None.

    >>> mate_plies(MATE - 3), mate_plies(4 - MATE), mate_plies(120)
    (3, -4, None)
    """
    if value > FORCED:
        return MATE - value
    if value < -FORCED:
        return -MATE - value
    return None


def chance(value: int, scale: float) -> float:
    """The share of points to expect, 0 to 1, from a value in hundredths of a piece.

    `scale`: the value at which it is e to 1 for the better side.

    >>> chance(0, 150)
    0.5
    """
    if abs(value) > COUNTED:
        return 1.0 if value > 0 else 0.0
    return round(1 / (1 + math.exp(-value / scale)), 4)
