"""Make the tables of exact endings that the site ships, and check them.

    python -m tools.tables make [RULESET …]     solve and write web/tables/ (all shipped rulesets by default)
    python -m tools.tables check [RULESET …]    read web/tables/ back and compare with the rules and plain search
    python -m tools.tables convert [RULESET …]  let the computer play won endings out under all draw rules
    python -m tools.tables report               how many positions are won, drawn, lost, and the longest ways

What is solved stays in the folder given by --work, so a run that was stopped goes on where it was. With
`--scheduler ADDRESS` the successors are asked for on a Dask cluster (optional extra `cluster`); its workers need this
project and nothing else.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pyengine.ai.proofs import Proof
from pyengine.ai.tables import Material, read_header, signature, write_file
from pyengine.cluster import cluster
from pyengine.rules import find_rules
from tools.endgames.bulk import Expander, expand_job, kept_symmetries
from tools.endgames.checks import check_file
from tools.endgames.conversion import convert
from tools.endgames.retrograde import Codes, Mapper, Metric, solve_unit, units

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "web" / "tables"
WORK = ROOT / ".cache" / "tables"

#: What is shipped: ruleset → the most pieces.
SHIPPED = {
    "alquerque/table": 6,
    "alquerque/bell": 6,
    "alquerque/maximum": 6,
    "alquerque/classic": 6,
    "alquerque/doce-short": 4,
    "alquerque/doce-long": 4,
    "fanorona/tsivy": 4,
    "fanorona/dimy": 6,
    "fanorona/telo": 8,
    "seega/5x5": 6,
    "seega/7x7": 5,
    "surakarta/6x6": 6,
}
#: No file is bigger, packed; all together stay below `ALL_BYTES`.
FILE_BYTES = 1_000_000
#: Files of tools/solve.py end so; the rest of the folder is tables.
PROOF_ENDING = ".proof.bin"
ALL_BYTES = 6_000_000


class Solver:
    """The tables of one ruleset, solved unit by unit and kept in a folder.

    `sultans_only`: units without men are solved up to so many pieces.
    """

    def __init__(
        self, ruleset: str, most: int, sultans_only: int, work: Path, metric: Metric = "capture"
    ) -> None:
        self.rules = find_rules(ruleset)
        self.kept = kept_symmetries(self.rules)
        self.expander = Expander(ruleset, self.kept)
        self.units = [
            unit
            for unit in units(self.rules, most, sultans_only)
            if all(self.expander.decided(material) is None for material in unit)
        ]
        self.metric = metric
        name = signature(self.rules).replace("/", "-").replace(";", "_").replace("=", "-")
        self.folder = work / f"{name}_{metric}"
        self.known: dict[Material, Codes] = {}

    def _file(self, material: Material) -> Path:
        return self.folder / f"{'-'.join(map(str, material))}.npy"

    def run(self, mapper: Mapper, quiet: bool = False) -> dict[Material, Codes]:
        """Solve what is not yet in the folder; returns everything."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for unit in self.units:
            if all(self._file(material).exists() for material in unit):
                for material in unit:
                    self.known[material] = np.load(self._file(material))
                continue
            began = time.monotonic()

            def tell(
                done: int, size: int, unit: list[Material] = unit, began: float = began
            ) -> None:
                if not quiet and (done == size or sys.stdout.isatty()):
                    took = time.monotonic() - began
                    print(f"{self.rules.ruleset} {unit[0]} {done}/{size} {took:.0f} s", flush=True)

            solved = solve_unit(self.expander, unit, self.known, mapper, self.metric, tell)
            for material, codes in solved.items():
                # Under another name first: a file that is there is whole.
                part = self._file(material).with_suffix(".part.npy")
                np.save(part, codes)
                part.replace(self._file(material))
            self.known.update(solved)
        return self.known


@contextmanager
def mapper(jobs: int, scheduler: str | None) -> Iterator[Mapper]:
    """Where the successors are asked for: here, in several processes, or on a Dask cluster."""
    if scheduler:
        with cluster(scheduler) as spread:
            yield lambda tasks: spread(expand_job, tasks)
    elif jobs > 1:
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            yield lambda tasks: pool.imap(expand_job, tasks)
    else:
        yield lambda tasks: map(expand_job, tasks)


def packed_files(solver: Solver) -> Iterator[tuple[bytes, int, int]]:
    """The files of one ruleset, each with the fewest and the most pieces in it, small materials first."""
    group: list[tuple[Material, bytes]] = []
    ready = b""
    for material, codes in solver.known.items():
        if codes.max(initial=0) > 255:
            raise SystemExit(
                f"{solver.rules.ruleset} {material}: a distance does not fit in a byte"
            )
        one = (material, codes.astype(np.uint8).tobytes())
        data = write_file(solver.rules.ruleset, solver.kept, [*group, one])
        if len(data) > FILE_BYTES and group:
            yield ready, sum(group[0][0]), sum(group[-1][0])
            group = []
            data = write_file(solver.rules.ruleset, solver.kept, [one])
        if len(data) > FILE_BYTES:
            raise SystemExit(f"{solver.rules.ruleset} {material}: {len(data)} bytes are too many")
        group, ready = [*group, one], data
    if group:
        yield ready, sum(group[0][0]), sum(group[-1][0])


def make(args: argparse.Namespace) -> None:
    """Solve and write."""
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    with mapper(args.jobs, args.scheduler) as spread:
        for ruleset in args.rulesets or SHIPPED:
            most = args.pieces or SHIPPED.get(ruleset, 4)
            solver = Solver(ruleset, most, args.sultans_only, Path(args.work), args.metric)
            solver.run(spread)
            if args.solve_only:
                continue
            stem = ruleset.replace("/", "-")
            for old in out.glob(f"{stem}.*.bin"):
                if not old.name.endswith(PROOF_ENDING):
                    old.unlink()
            for number, (data, _, _) in enumerate(packed_files(solver), 1):
                digest = hashlib.sha256(data).hexdigest()
                name = f"{stem}.{number}.{digest[:8]}.bin"
                (out / name).write_bytes(data)
                print(f"{name} {len(data):,} bytes", flush=True)
    if not args.solve_only:
        write_index(out)


def write_index(out: Path) -> None:
    """Write index.json, which tells the engine what there is and the page where it is."""
    files = []
    proofs = []
    for path in sorted(out.glob("*.bin")):
        data = path.read_bytes()
        if path.name.endswith(PROOF_ENDING):
            proof = Proof.read(data)
            proofs.append(
                {
                    "name": path.name,
                    "ruleset": proof.rules.ruleset,
                    "side": "xo"[proof.side],
                    "value": proof.value,
                    "pieces": proof.pieces,
                    "bytes": len(data),
                    "sha256": hashlib.sha256(data).hexdigest(),
                }
            )
            continue
        header, _ = read_header(data)
        totals = [sum(entry["material"]) for entry in header["classes"]]
        files.append(
            {
                "name": path.name,
                "ruleset": header["ruleset"],
                "pieces": max(totals),
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
        )
    listed: list[dict[str, Any]] = [*files, *proofs]
    size = sum(file["bytes"] for file in listed)
    if size > ALL_BYTES:
        raise SystemExit(f"all tables together have {size:,} bytes, more than {ALL_BYTES:,}")
    version = hashlib.sha256("".join(file["sha256"] for file in listed).encode()).hexdigest()[:16]
    text = json.dumps({"version": version, "files": files, "proofs": proofs}, indent=1)
    (out / "index.json").write_text(text + "\n", encoding="utf-8")
    print(f"{len(listed)} files, {size:,} bytes, version {version}")


def statistics(codes: Codes) -> dict[str, int]:
    """Won, lost and drawn positions and the longest distances; positions equal by symmetry count once."""
    win = (codes & 1) == 1
    loss = (codes > 0) & ~win
    return {
        "win": int(win.sum()),
        "loss": int(loss.sum()),
        "draw": int((codes == 0).sum()),
        "longest_win": int((codes[win] >> 1).max(initial=0)),
        "longest_loss": int((codes[loss] >> 1).max(initial=1)) - 1,
    }


def report(args: argparse.Namespace) -> None:
    """Print what is in the work folder as the table of docs/tables.md."""
    index = json.loads((Path(args.out) / "index.json").read_text(encoding="utf-8"))
    print(
        "| ruleset | pieces | positions | won | drawn | lost | longest win, loss | limit | bytes |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for ruleset in args.rulesets or SHIPPED:
        most = args.pieces or SHIPPED.get(ruleset, 4)
        solver = Solver(ruleset, most, args.sultans_only, Path(args.work), args.metric)
        with mapper(args.jobs, args.scheduler) as spread:
            known = solver.run(spread, quiet=True)
        parts = []
        for material, codes in known.items():
            sets = solver.expander.numbering(material).sets(0, len(codes))
            parts.append(codes[solver.expander.maker.possible(sets)])
        told = statistics(np.concatenate(parts))
        size = sum(file["bytes"] for file in index["files"] if file["ruleset"] == ruleset)
        total = told["win"] + told["draw"] + told["loss"]
        shares = " | ".join(f"{100 * told[end] / total:.1f} %" for end in ("win", "draw", "loss"))
        print(
            f"| `{ruleset}` | {most} | {total:,} | {shares} |"
            f" {told['longest_win']}, {told['longest_loss']} | {solver.rules.limit} | {size:,} |",
            flush=True,
        )


def written(args: argparse.Namespace) -> Iterator[tuple[str, list[bytes]]]:
    """The files of each ruleset asked for, or of all."""
    out = Path(args.out)
    index = json.loads((out / "index.json").read_text(encoding="utf-8"))
    for ruleset in args.rulesets or sorted({file["ruleset"] for file in index["files"]}):
        parts = []
        for file in index["files"]:
            if file["ruleset"] == ruleset:
                data = (out / file["name"]).read_bytes()
                if hashlib.sha256(data).hexdigest() != file["sha256"]:
                    raise SystemExit(f"{file['name']} is not the file that index.json names")
                parts.append(data)
        yield ruleset, parts


def judge(args: argparse.Namespace) -> None:
    """Check the written files, or what the computer makes of them."""
    faults = 0
    for ruleset, parts in written(args):
        attempt = convert if args.command == "convert" else check_file
        result = attempt(ruleset, parts, args.samples, args.seed)
        faults += len(result.faults)
        print(f"{ruleset}: {result}", flush=True)
        for fault in result.faults[:10]:
            print("  ", fault)
    if faults:
        raise SystemExit(f"{faults} faults")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("command", choices=["make", "check", "convert", "report"])
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--pieces", type=int, help="the most pieces (default: what is shipped)")
    parser.add_argument(
        "--sultans-only", type=int, default=0, help="more pieces for positions without men"
    )
    parser.add_argument("--metric", choices=["capture", "win"], default="capture")
    parser.add_argument("--work", default=str(WORK), help="folder for what is solved")
    parser.add_argument("--out", default=str(OUT), help="folder for the files")
    parser.add_argument("--solve-only", action="store_true", help="write no files")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--scheduler", help="address of a Dask scheduler")
    parser.add_argument("--samples", type=int, default=2000, help="positions of a ruleset to try")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    {"make": make, "check": judge, "convert": judge, "report": report}[args.command](args)


if __name__ == "__main__":
    main()
