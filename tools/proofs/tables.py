"""Tables for a proof: those that tools/tables.py makes, and bigger ones, kept in the same work folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from pyengine.rules.alquerque import Alquerque
from tools.proofs.bigger import Codes, solve_unit
from tools.proofs.kernel import Probing, probing_of
from tools.tables import Solver, mapper

#: Up to so many pieces the exact tables serve.
EXACT = 6


def tables_up_to(rules: Alquerque, most: int, work: Path, say: Callable[[str], None]) -> Probing:
    """All positions with up to `most` pieces, solved where the folder does not have them."""
    solver = Solver(rules.ruleset, min(most, EXACT), 0, work)
    with mapper(1, None) as spread:
        known: dict[tuple[int, ...], Codes] = {
            material: codes.astype(np.uint8) for material, codes in solver.run(spread).items()
        }
    for total in range(EXACT + 1, most + 1):
        smaller = probing_of(rules, solver.kept, known)
        for few in range(total // 2, 0, -1):
            unit = (total - few, few)
            files = {
                one: solver.folder / f"big-{one[0]}-{one[1]}.npy" for one in (unit, unit[::-1])
            }
            if not all(path.exists() for path in files.values()):
                began = time.monotonic()

                def tell(sweep: int, decided: int, size: int, unit: tuple[int, int] = unit) -> None:
                    say(f"{unit}: sweep {sweep} decides {decided:,} of {size:,}")

                solved = solve_unit(rules, solver.kept, unit, smaller, tell)
                for material, codes in solved.items():
                    part = solver.folder / "big.part.npy"
                    np.save(part, codes)
                    part.replace(files[material])
                say(f"{unit}: {time.monotonic() - began:.0f} s")
            for material, path in files.items():
                known[material] = np.load(path)
    return probing_of(rules, solver.kept, known)
