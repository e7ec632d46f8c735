"""Foreign bytes opened without harm: JSON that is nested too deep and packed data that swells are refused; and the
form of the engine's own files: a mark, a JSON header with its length before it, a body."""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

#: The deepest that arrays and objects may stand in each other.
MAX_NESTING = 100

# Texts are matched whole, so that brackets in them do not count.
_BRACKETS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)


def too_deep(text: str) -> bool:
    """Whether the JSON in a text is nested deeper than any message is.

    The JSON parser recurses, and where the engine runs in a browser a recursion too deep ends the whole interpreter.
    """
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return False
    depth = 0
    for match in _BRACKETS.finditer(text):
        sign = match[0][0]
        depth += (sign in "[{") - (sign in "]}")
        if depth > MAX_NESTING:
            return True
    return False


def read_json(text: str | bytes) -> Any:
    """The value in a JSON text; raises `ValueError` for anything else, numbers that are none among it."""
    text = text if isinstance(text, str) else text.decode()
    if too_deep(text):
        raise ValueError(f"nested more than {MAX_NESTING} deep")
    return json.loads(text, parse_constant=_no_constant)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def inflate(packed: bytes, most: int) -> bytes:
    """What zlib packed; raises `ValueError` when it is damaged or longer than `most` bytes."""
    opener = zlib.decompressobj()
    try:
        data = opener.decompress(packed, most + 1)
    except zlib.error as fault:
        raise ValueError("damaged") from fault
    if len(data) > most or not opener.eof:
        raise ValueError(f"not whole, or more than {most} bytes")
    return data


def with_header(mark: bytes, header: dict[str, Any], body: bytes) -> bytes:
    """The bytes of a file that `split_header` takes apart."""
    text = json.dumps(header, separators=(",", ":")).encode()
    return mark + len(text).to_bytes(4, "little") + text + body


def split_header(data: bytes, mark: bytes) -> tuple[Any, bytes]:
    """The header of a file, whatever JSON it is, and its body; raises `ValueError` for another kind of file.

    >>> split_header(with_header(b"MARK", {"a": 1}, b"body"), b"MARK")
    ({'a': 1}, b'body')
    """
    if data[: len(mark)] != mark:
        raise ValueError("mark")
    start = len(mark) + 4
    end = start + int.from_bytes(data[len(mark) : start], "little")
    return read_json(data[start:end]), data[end:]
