"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

import pyengine
from pyengine.__main__ import main

README = Path(__file__).resolve().parent.parent / "README.md"
TEXT = README.read_text("utf-8")
SHELL = [
    line.split("#")[0].strip()
    for line in re.findall(r"^    qirkat (.+)$", TEXT, re.M)
    if not line.startswith(("play", "rpc"))
]


def test_python_examples() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted >= 3
    assert result.failed == 0


@pytest.mark.parametrize("line", SHELL)
def test_shell_examples(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(line)) == 0
    assert capsys.readouterr().out


def test_the_wheels_name_has_the_version() -> None:
    assert f"qirkat-{pyengine.__version__}-py3-none-any.whl" in TEXT


def test_every_place_it_names_is_there() -> None:
    places = re.findall(r"`((?:pyengine|web|tools|tests|e2e|docs)/[\w./-]*)`", TEXT)
    assert len(places) > 8
    assert [place for place in places if not (README.parent / place).exists()] == []
