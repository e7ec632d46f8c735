"""What the documentation shows is what the engine does."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import re
import sys
from pathlib import Path

import pytest

import pyengine
from pyengine.__main__ import main
from pyengine.notation import read_text, write_record

DOCS = Path(__file__).parent.parent / "docs"
MODULES = [m.name for m in pkgutil.walk_packages(pyengine.__path__, "pyengine.")]


@pytest.mark.parametrize("name", ["pyengine", *MODULES])
def test_docstrings(name: str) -> None:
    if not name.endswith("__main__"):
        assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_where_a_copy_has_its_source_from() -> None:
    sys.path.insert(0, str(DOCS.parent / "tools"))
    assert doctest.testmod(importlib.import_module("licences")).failed == 0


def test_records() -> None:
    path = DOCS / "records.md"
    assert doctest.testfile(str(path), module_relative=False).failed == 0
    [example] = re.findall(r"```\n(.*?)```", path.read_text(encoding="utf-8"), re.S)
    [game] = read_text(example)
    assert game.faults == []
    assert write_record(game.record) == example


def test_what_guides_and_docs_say_of_sultans() -> None:
    """Figures of docs/sultans.json, which tools/sultans.py writes."""
    won = {
        (row["sultan"], row["pieces"], row["majority"], row["minority"]): row[
            "won_otherwise_percent"
        ]
        for row in json.loads((DOCS / "sultans.json").read_text(encoding="utf-8"))
    }
    told = re.findall(
        r"^\| (\d) (Sultans|men) against (\d) \| ([\d.]+) % \| ([\d.]+) % \|",
        (DOCS / "tables.md").read_text(encoding="utf-8"),
        re.M,
    )
    assert len(told) == 6
    for majority, pieces, minority, *figures in told:
        for sultan, figure in zip(("short", "long"), figures, strict=True):
            key = (sultan, pieces.lower(), int(majority), int(minority))
            assert float(figure) == won[key]
    order = [("short", 3), ("long", 3), ("short", 2), ("long", 2)]
    rounded = [round(won[sultan, "sultans", most, 1]) for sultan, most in order]
    for language in ("fr", "es", "en"):
        guide = (DOCS.parent / "web" / "guides" / f"alquerque.{language}.json").read_text("utf-8")
        [answer] = re.findall(r'"answer": "([^"]*van der Stoep[^"]*)"', guide)
        assert [int(found) for found in re.findall(r"(\d+)[ \u00a0\u202f]%", answer)] == rounded


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    shown = re.search(
        r'alquerque/table --moves "c2-c3 c4xc2"\n(.*?)\$ qirkat moves[^\n]*\n(.*?)```', text, re.S
    )
    assert shown
    assert main(["show", "alquerque/table", "--moves", "c2-c3 c4xc2"]) == 0
    assert capsys.readouterr().out == shown[1]
    assert main(["moves", "alquerque/table"]) == 0
    assert capsys.readouterr().out == shown[2]
