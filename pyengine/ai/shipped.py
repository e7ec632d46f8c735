"""What the package brings along for single rulesets: learned tables, books of openings."""

from __future__ import annotations

import pkgutil
from contextlib import suppress


def file_name(ruleset: str, ending: str) -> str:
    """The name of a ruleset's file.

    >>> file_name("alquerque/maximum;bonus=yes", "bin")
    'alquerque-maximum-bonus-yes.bin'
    """
    stem = ruleset.replace("/", "-").replace(";", "-").replace("=", "-")
    return f"{stem}.{ending}"


def read(name: str) -> bytes | None:
    """A file of `pyengine/ai/data`, or None where the package has none of this name."""
    with suppress(OSError):
        return pkgutil.get_data("pyengine.ai", f"data/{name}")
    return None
