"""Tables for a proof: the shipped ones, and bigger ones made here and kept in a work folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from pyengine.ai.tables import Endings, signature
from pyengine.rules import Rules
from tools.proofs.bigger import Codes, solve_unit
from tools.proofs.games import tables_of
from tools.proofs.kernel import Probing
from tools.proofs.sultans import SultanProbing


def tables_up_to(
    rules: Rules,
    most: int,
    apart: int,
    shipped: Endings,
    work: Path,
    say: Callable[[str], None],
) -> Probing | SultanProbing:
    """All positions with up to `most` pieces, solved where neither the shipped tables nor the folder have them; of
    those with just so many only where one side has at most `apart` pieces more: the others are won soon and cost
    the most. With Sultans only the shipped ones."""
    known: dict[tuple[int, ...], Codes] = {}
    for material, symmetries, codes in shipped.unpacked():
        kept = tuple(symmetries)
        if sum(material) <= most:
            known[material] = np.frombuffer(codes, np.uint8)
    folder = work / (
        signature(rules).replace("/", "-").replace(";", "_").replace("=", "-") + "_big"
    )
    folder.mkdir(parents=True, exist_ok=True)
    for total in range(shipped.most + 1, 0 if rules.sultans else most + 1):
        smaller = tables_of(rules, kept, known)
        for few in range(total // 2, 0, -1):
            unit = (total - few, few)
            if total == most and unit[0] - unit[1] > apart:
                continue
            files = {one: folder / f"{one[0]}-{one[1]}.npy" for one in (unit, unit[::-1])}
            if not all(path.exists() for path in files.values()):
                began = time.monotonic()
                solved = solve_unit(rules, kept, unit, smaller)
                for material, made in solved.items():
                    # Under another name first: a file that is there is whole.
                    part = folder / "part.npy"
                    np.save(part, made)
                    part.replace(files[material])
                size = sum(map(len, solved.values()))
                say(f"{unit}: {size:,} positions in {time.monotonic() - began:.0f} s")
            for material, path in files.items():
                known[material] = np.load(path)
    return tables_of(rules, kept, known)
