"""Teams of searches without a clock: every search looks at equally many nodes in a millisecond (see bench_team.py).

So what a team gains by what its searches tell each other is the same number on every machine; what telling costs is
left out.
"""

from __future__ import annotations

from typing import Any

from pyengine.ai import search as search_module
from pyengine.ai.search import MAX_DEPTH, Search

#: About what a browser does.
NODES_PER_MS = 100
#: What is told after so many ms is known to the others so many ms later.
SLICE_MS = 15


class Clock:
    """Time as the nodes of the search that runs, in place of the machine's."""

    def __init__(self) -> None:
        self._running: Search | None = None
        search_module.perf_counter = self  # type: ignore[attr-defined]

    def __call__(self) -> float:
        return self._running.nodes / NODES_PER_MS / 1000 if self._running else 0.0

    def run(self, search: Search, ms: float) -> bool:
        """A slice of a search."""
        self._running = search
        return search.run(ms)


def think(clock: Clock, workers: int, limits: dict[str, Any]) -> tuple[Search, int]:
    """The search of place 0, finished, and how many entries travelled. `limits`: all of a search's but its team."""
    if workers == 1:
        alone = Search(**limits)
        clock.run(alone, 3_600_000)
        return alone, 0
    helper = {**limits, "depth": MAX_DEPTH}
    team = [
        Search(**(helper if place else limits), team=(place, workers)) for place in range(workers)
    ]
    told = 0
    late: list[Any] = []
    while not clock.run(team[0], SLICE_MS):
        for one in team[1:]:
            clock.run(one, SLICE_MS)
        heard, late = late, [(one, one.news()) for one in team]
        for teller, news in heard:
            told += len(news)
            for one in team:
                if one is not teller:
                    one.learn(news, teller.endings)
    return team[0], told
