"""The service on two streams, one JSON message a line: `python -m pyengine rpc`."""

from __future__ import annotations

import json
import queue
import threading
from typing import BinaryIO, TextIO

from pyengine.jsonrpc import MAX_MESSAGE
from pyengine.service import Service

#: How long a search works between two looks at the input, in milliseconds.
SLICE_MS = 8.0


def serve(source: BinaryIO, sink: TextIO) -> None:
    """Answer every line of `source` on `sink` until the source ends and all work asked for is done."""
    inbox: queue.Queue[str | None] = queue.Queue(maxsize=100)
    # A thread reads, so that a `cancel` is seen while a search is running.
    threading.Thread(target=_read, args=(source, inbox), daemon=True).start()
    service = Service()
    ended = False
    while service.busy or not ended:
        try:
            line = None if ended else inbox.get(block=not service.busy)
            ended = ended or line is None
        except queue.Empty:
            line = None
        if line is not None:
            _write(service.handle(line), sink)
        else:
            _write(service.pump(SLICE_MS), sink)


def _read(source: BinaryIO, inbox: queue.Queue[str | None]) -> None:
    while line := source.readline(MAX_MESSAGE + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := source.readline(MAX_MESSAGE)):
            pass  # the rest of a message that is too long: it is refused by its length
        text = line.decode("utf-8", "replace").strip()
        if text:
            inbox.put(text)
    inbox.put(None)


def _write(messages: str, sink: TextIO) -> None:
    if messages:
        for message in json.loads(messages):
            sink.write(json.dumps(message, separators=(",", ":")) + "\n")
        sink.flush()
