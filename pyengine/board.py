"""Geometry only: points, their names, the lines that join them. No piece, no rule.

Points are numbered from `a1` = 0 along each rank, then up: point = (rank - 1) * columns + (column - 1).
A set of points is an `int` whose bit `1 << point` is set.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

#: The eight directions as (columns to the right, ranks up); the first four are across and down.
DIRECTIONS: tuple[tuple[int, int], ...] = (
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (1, 1),
    (1, -1),
    (-1, -1),
    (-1, 1),
)
ORTHOGONAL = range(4)
OPPOSITE = (2, 3, 0, 1, 6, 7, 4, 5)

_CHUNK = 12
_CHUNK_MASK = (1 << _CHUNK) - 1
_CHUNK_POINTS: tuple[tuple[int, ...], ...] = tuple(
    tuple(bit for bit in range(_CHUNK) if chunk >> bit & 1) for chunk in range(1 << _CHUNK)
)


def points_of(bits: int) -> list[int]:
    """The points of a set, in ascending order.

    >>> points_of(0b10011)
    [0, 1, 4]
    """
    points: list[int] = []
    offset = 0
    while bits:
        points += [offset + point for point in _CHUNK_POINTS[bits & _CHUNK_MASK]]
        bits >>= _CHUNK
        offset += _CHUNK
    return points


def set_of(points: Iterable[int]) -> int:
    """The set holding exactly these points.

    >>> bin(set_of([0, 4]))
    '0b10001'
    """
    bits = 0
    for point in points:
        bits |= 1 << point
    return bits


class Board:
    """A grid of points with the lines that join them.

    Args:
        columns: 1 to 26, named `a` … `z`.
        rows: 1 to 99, ranks counted from the bottom.
        diagonals: `"none"`; `"even"`: drawn only through points whose column number + rank is even (alquerque,
            fanorona); `"all"`: through every point (steps of Surakarta).
    """

    def __init__(self, columns: int, rows: int, diagonals: str = "none") -> None:
        self.columns = columns
        self.rows = rows
        self.diagonals = diagonals
        self.size = columns * rows
        self.full = (1 << self.size) - 1
        self.names = tuple(
            f"{chr(97 + column)}{rank + 1}" for rank in range(rows) for column in range(columns)
        )
        self.index = {name: point for point, name in enumerate(self.names)}

    def column(self, point: int) -> int:
        """Column from the left, 0 first."""
        return point % self.columns

    def rank(self, point: int) -> int:
        """Rank from the bottom, 0 first."""
        return point // self.columns

    def point(self, column: int, rank: int) -> int | None:
        """The point at a place counted from 0, or None beside the board."""
        if 0 <= column < self.columns and 0 <= rank < self.rows:
            return rank * self.columns + column
        return None

    def _has_diagonal(self, point: int) -> bool:
        if self.diagonals == "even":
            return (self.column(point) + self.rank(point)) % 2 == 0
        return self.diagonals == "all"

    @cached_property
    def neighbours(self) -> tuple[tuple[int | None, ...], ...]:
        """`neighbours[point][direction]`: the next point along a drawn line, or None."""
        table = []
        for point in range(self.size):
            row: list[int | None] = []
            for direction, (right, up) in enumerate(DIRECTIONS):
                joined = direction in ORTHOGONAL or self._has_diagonal(point)
                place = (self.column(point) + right, self.rank(point) + up)
                row.append(self.point(*place) if joined else None)
            table.append(tuple(row))
        return tuple(table)

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """`rays[point][direction]`: all points along the drawn line that way, nearest first."""
        table = []
        for point in range(self.size):
            row = []
            for direction in range(8):
                ray: list[int] = []
                step = self.neighbours[point][direction]
                while step is not None:
                    ray.append(step)
                    step = self.neighbours[step][direction]
                row.append(tuple(ray))
            table.append(tuple(row))
        return tuple(table)

    @cached_property
    def adjacent(self) -> tuple[int, ...]:
        """`adjacent[point]`: the set of points one step away along a drawn line."""
        return tuple(set_of(q for q in row if q is not None) for row in self.neighbours)

    @cached_property
    def lines(self) -> tuple[tuple[int, int], ...]:
        """The straight lines to draw, each from end to end, as (first point, last point)."""
        lines = []
        for point in range(self.size):
            for direction in (0, 1, 4, 5):
                ray = self.rays[point][direction]
                if ray and self.neighbours[point][OPPOSITE[direction]] is None:
                    lines.append((point, ray[-1]))
        return tuple(lines)

    def direction(self, start: int, end: int) -> int | None:
        """The direction of the drawn line from start to end (at any distance), or None."""
        for direction in range(8):
            if end in self.rays[start][direction]:
                return direction
        return None

    def rank_set(self, rank: int) -> int:
        """The set of all points of one rank, counted from 0 at the bottom."""
        return ((1 << self.columns) - 1) << rank * self.columns

    def text(self, points: Iterable[int]) -> list[str]:
        """Names of points, in the given order."""
        return [self.names[point] for point in points]

    def mirror(self, point: int) -> int:
        """The point at the same rank with left and right exchanged."""
        return self.rank(point) * self.columns + self.columns - 1 - self.column(point)

    def turned(self, point: int) -> int:
        """The point after turning the board by 180°."""
        return self.size - 1 - point

    def passes(self, path: Iterable[int]) -> bool:
        """Whether each point of a path is joined to the next by a drawn line."""
        return all(self.direction(a, b) is not None for a, b in pairwise(path))
