"""Work spread over a Dask cluster: needs the optional extra `cluster`, and workers that have this project."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pyengine.errors import EngineError

#: `map` over a sequence of tasks, wherever they are done; results come in the order of the tasks.
Spread = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]


@contextmanager
def cluster(address: str) -> Iterator[Spread]:
    """The workers of the scheduler at an address; raises `EngineError` (`cluster`) when there are none to be had."""
    try:
        from dask import distributed
    except ImportError as fault:
        message = "a scheduler needs the package distributed: pip install 'qirkat[cluster]'"
        raise EngineError("cluster", message) from fault
    try:
        client: Any = distributed.Client(address, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as fault:
        raise EngineError("cluster", f"no scheduler answers at {address!r}: {fault}") from fault

    def spread(job: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[Any]:
        # A window of tasks at a time, so that results do not pile up in memory.
        width = 4 * max(1, sum(client.nthreads().values()))
        waiting = [client.submit(job, task, pure=False) for task in tasks[:width]]
        for number in range(len(tasks)):
            yield waiting.pop(0).result()
            if number + width < len(tasks):
                waiting.append(client.submit(job, tasks[number + width], pure=False))

    with client:
        yield spread
