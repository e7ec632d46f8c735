"""What the search remembers about positions it has met before, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

#: Entries in each of the two halves; about 0.3 KB an entry on 64 bits, half of that in a browser.
CAPACITY = 100_000

#: What was looked at less deep is found again sooner than told.
SHARED_DEPTH = 2
#: The most entries told at once: telling and hearing one costs about as much as searching a node or two.
MOST_NEWS = 32

EXACT, LOWER, UPPER = 0, 1, 2


#: What a search found: plies looked ahead, the kind of bound, the value seen from this position (forced wins counted
#: from here), and the index of the best successor. A bare tuple, since Python's collector need not visit those again.
Entry = tuple[int, int, int, int]
#: An entry as it is told to others, its position's key first.
Told = tuple[Any, int, int, int, int]


class Transpositions:
    """A map from position keys to entries that forgets what was not used lately.

    Two dictionaries: when the young one is full it becomes the old one and the old one is dropped, so an entry lives
    as long as it is asked for. That is replacement by age without a slot to compute or a clock to keep.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._young: dict[Any, Entry] = {}
        self._old: dict[Any, Entry] = {}

    def get(self, key: Any) -> Entry | None:
        """The entry of a position, or None."""
        entry = self._young.get(key)
        if entry is None:
            entry = self._old.get(key)
            if entry is not None:
                self.put(key, entry)
        return entry

    def put(self, key: Any, entry: Entry) -> None:
        """Remember an entry in place of what was known of this position."""
        if len(self._young) >= self._capacity:
            self._old = self._young
            self._young = {}
        self._young[key] = entry

    def clear(self) -> None:
        """Forget everything."""
        self._young.clear()
        self._old.clear()


class SharedTranspositions(Transpositions):
    """A table that several searches of one position fill together, each in a process of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._news: dict[Any, Entry] = {}
        self._least = SHARED_DEPTH

    def put(self, key: Any, entry: Entry) -> None:
        super().put(key, entry)
        if entry[0] >= self._least:
            self._news[key] = entry

    def news(self) -> list[Told]:
        """What was found since the last call and is worth telling the others, at most `MOST_NEWS` entries. Where more
        comes together, only what was looked at deeper is told from then on, for that cost most to find."""
        found, self._news = self._news, {}
        if len(found) > MOST_NEWS:
            self._least += 1
        elif len(found) < MOST_NEWS // 4:
            self._least = max(SHARED_DEPTH, self._least - 1)
        return [(key, *entry) for key, entry in islice(found.items(), MOST_NEWS)]

    def learn(self, told: Iterable[Told]) -> None:
        """Take what others found where they looked deeper than this one has."""
        for key, depth, bound, value, move in told:
            known = self.get(key)
            if known is None or known[0] < depth or (known[0] == depth and known[1] != EXACT):
                super().put(key, (depth, bound, value, move))  # not as news: the others told it

    def clear(self) -> None:
        super().clear()
        self._news = {}
