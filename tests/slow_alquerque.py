"""Alquerque a second time: slowly, over coordinates and dictionaries, straight from the sentences of rules §2.

It shares nothing with `pyengine.rules.alquerque` but the meaning of the options and of the texts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

Point = tuple[int, int]  # column 1-5, rank 1-5
WAYS = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]


@dataclass(frozen=True)
class Table:
    """A position: pieces by point, who acts, clock, who may be huffed, where pieces may not go back to."""

    pieces: dict[Point, str]
    side: str
    clock: int
    huff: frozenset[Point] = frozenset()
    prev: dict[Point, Point] = field(default_factory=dict)


def name(point: Point) -> str:
    return "abcde"[point[0] - 1] + str(point[1])


def read(text: str) -> Table:
    board, side, clock, *keys = text.split()
    pieces = {}
    for number, row in enumerate(board.split("/")):
        column = 1
        for sign in row:
            if sign.isdigit():
                column += int(sign)
            else:
                pieces[column, 5 - number] = sign
                column += 1
    values = dict(key.split("=") for key in keys)
    points = {
        name((column, rank)): (column, rank) for column in range(1, 6) for rank in range(1, 6)
    }
    huff = frozenset(points[word] for word in values.get("huff", "").split(",") if word)
    prev = {
        points[word[:2]]: points[word[2:]] for word in values.get("prev", "").split(",") if word
    }
    return Table(pieces, side, int(clock), huff, prev)


def write(table: Table) -> str:
    rows = []
    for rank in range(5, 0, -1):
        row = "".join(table.pieces.get((column, rank), ".") for column in range(1, 6))
        for gap in range(5, 0, -1):
            row = row.replace("." * gap, str(gap))
        rows.append(row)
    text = f"{'/'.join(rows)} {table.side} {table.clock}"
    if table.huff:
        text += " huff=" + ",".join(sorted(map(name, table.huff)))
    if table.prev:
        text += " prev=" + ",".join(sorted(name(a) + name(b) for a, b in table.prev.items()))
    return text


def onward(point: Point, way: Point) -> Point | None:
    """The next point along a drawn line."""
    if way[0] and way[1] and (point[0] + point[1]) % 2:
        return None
    to = (point[0] + way[0], point[1] + way[1])
    return to if 1 <= to[0] <= 5 and 1 <= to[1] <= 5 else None


class Slow:
    def __init__(self, options: dict[str, object]) -> None:
        self.options = options

    def is_(self, option: str, value: str) -> bool:
        return self.options[option] == value

    def backward(self, side: str, way: Point) -> bool:
        return way[1] * (1 if side == "x" else -1) < 0

    def ways(self, piece: str, option: str) -> list[Point]:
        free = piece.isupper() or self.is_(option, "all")
        return [way for way in WAYS if free or not self.backward(piece.lower(), way)]

    def jumps(
        self, pieces: dict[Point, str], at: Point, piece: str, gone: frozenset[Point]
    ) -> list[tuple[Point, Point]]:
        """(taken, landing); `pieces` is without the jumping piece and, unless Sultans are long, without the taken."""
        found = []
        for way in self.ways(piece, "jump"):
            over = onward(at, way)
            if piece.isupper() and self.is_("sultan", "long"):
                while over and over not in pieces:
                    over = onward(over, way)
            if not over or pieces.get(over, piece).lower() == piece.lower() or over in gone:
                continue
            to = onward(over, way)
            while to and to not in pieces:
                found.append((over, to))
                if not (piece.isupper() and self.is_("sultan", "long")):
                    break
                to = onward(to, way)
        return found

    def chains(self, table: Table, start: Point) -> list[tuple[list[Point], list[Point], bool]]:
        """Every chain of a piece as (path, taken, whether it could go on)."""
        piece = table.pieces[start]
        found = []

        def go(pieces: dict[Point, str], path: list[Point], taken: list[Point]) -> None:
            gone = frozenset(taken)
            standing = (
                pieces
                if self.is_("sultan", "long")
                else {p: s for p, s in pieces.items() if p not in gone}
            )
            further = self.jumps(standing, path[-1], piece, gone)
            if taken and (not further or self.is_("finish", "may")):
                found.append((path, taken, bool(further)))
            for over, to in further:
                go(pieces, [*path, to], [*taken, over])

        go({point: sign for point, sign in table.pieces.items() if point != start}, [start], [])
        return found

    def can_capture(self, table: Table, start: Point) -> bool:
        return bool(self.chains(table, start))

    def steps(self, table: Table, start: Point) -> list[Point]:
        piece = table.pieces[start]
        last = 5 if piece == "x" else 1
        found = []
        for way in self.ways(piece, "move"):
            frozen = piece.islower() and start[1] == last
            if frozen and self.is_("lastrank", "captures-only"):
                continue
            if frozen and self.is_("lastrank", "sideways-only") and way[1]:
                continue
            to = onward(start, way)
            while to and to not in table.pieces:
                if table.prev.get(start) != to:
                    found.append(to)
                if not (piece.isupper() and self.is_("sultan", "long")):
                    break
                to = onward(to, way)
        return found

    def moved(
        self, table: Table, start: Point, before: Point, end: Point, taken: list[Point]
    ) -> Table:
        """The board after a move, side and clock not yet changed."""
        piece = table.pieces[start]
        pieces = {p: s for p, s in table.pieces.items() if p != start and p not in taken}
        if not self.is_("sultan", "none") and end[1] == (5 if piece.lower() == "x" else 1):
            piece = piece.upper()
        pieces[end] = piece
        prev = {}
        if self.is_("noreturn", "yes"):
            prev = {p: back for p, back in table.prev.items() if p != start and p not in taken}
            prev[end] = before
        return replace(table, pieces=pieces, prev=prev, huff=frozenset())

    def moves(self, table: Table) -> dict[str, str]:
        """Every legal move text and the position text after it."""
        mine = [point for point, sign in table.pieces.items() if sign.lower() == table.side]
        other = "o" if table.side == "x" else "x"
        theirs = [point for point in table.pieces if point not in mine]
        limit = self.options["limit"]
        if not mine or not theirs or (limit and table.clock >= limit):
            return {}
        out: dict[str, str] = {}
        captures = [chain for point in mine for chain in self.chains(table, point)]
        if captures and self.is_("choice", "maximum"):
            most = max(len(taken) for _, taken, _ in captures)
            captures = [chain for chain in captures if len(chain[1]) == most]
        for path, taken, further in captures:
            after = self.moved(table, path[0], path[-2], path[-1], taken)
            after = replace(after, clock=0, side=other)
            if self.is_("obligation", "huff") and further:
                after = replace(after, huff=frozenset([path[-1]]))
            if self.is_("bonus", "yes") and any(
                self.can_capture(after, p)
                for p, s in after.pieces.items()
                if s.lower() == table.side
            ):
                after = replace(after, side=table.side)
            out["x".join(map(name, path))] = write(after)
        if captures and self.is_("obligation", "mandatory"):
            return out
        able = {point for point in mine if self.can_capture(table, point)}
        for point in mine:
            for to in self.steps(table, point):
                after = self.moved(table, point, point, to, [])
                after = replace(after, clock=table.clock + 1, side=other)
                if self.is_("obligation", "huff"):
                    after = replace(after, huff=frozenset(to if p == point else p for p in able))
                out[f"{name(point)}-{name(to)}"] = write(after)
        for point in table.huff:
            pieces = {p: s for p, s in table.pieces.items() if p != point}
            prev = {p: back for p, back in table.prev.items() if p != point}
            after = replace(table, pieces=pieces, prev=prev, huff=frozenset(), clock=0)
            out[f"huff:{name(point)}"] = write(after)
        return out
