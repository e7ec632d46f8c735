"""Foreign bytes: what is nested too deep or swells too much is refused, wherever it comes in."""

from __future__ import annotations

import zlib

import pytest

from pyengine import EngineError
from pyengine.ai.proofs import MAGIC as PROOF
from pyengine.ai.tables import MAGIC, Tables
from pyengine.foreign import MAX_NESTING, inflate, read_json


def test_json_is_read_to_a_depth() -> None:
    fine = "[" * MAX_NESTING + "]" * MAX_NESTING
    assert read_json(fine) is not None
    assert read_json('"' + "[" * 500 + '"') == "[" * 500
    for bad in (f"[{fine}]", '{"a":' * 200 + "1" + "}" * 200, "NaN", "[-Infinity]", "", b"\xff"):
        with pytest.raises(ValueError, match=r"."):
            read_json(bad)


def test_packed_data_is_opened_to_a_length() -> None:
    packed = zlib.compress(bytes(1000))
    assert inflate(packed, 1000) == bytes(1000)
    for bad, most in ((packed, 999), (packed[:-1], 1000), (b"none", 1000)):
        with pytest.raises(ValueError, match=r"."):
            inflate(bad, most)


DEEP = "[" * 90_000


@pytest.mark.parametrize(
    "index",
    [
        DEEP,
        '{"files":' + DEEP,
        '{"files":[{"ruleset":"alquerque/table","name":"a","pieces":1e999}]}',
        '{"files":[{"ruleset":"alquerque/table","name":"a","pieces":NaN}]}',
        '{"files":[[]]}',
        "[]",
        '{"files":7}',
    ],
)
def test_a_list_of_tables_that_is_none(index: str) -> None:
    with pytest.raises(EngineError, match="tables"):
        Tables().offer(index)


@pytest.mark.parametrize("magic", [MAGIC, PROOF])
def test_a_table_whose_header_is_none(magic: bytes) -> None:
    for header in (DEEP.encode(), b"{}", b"\xff", b"7", b"[]"):
        with pytest.raises(EngineError, match="not a whole"):
            Tables().add(magic + len(header).to_bytes(4, "little") + header)
