"""Prove the value of a start position: who wins with best play, or that nobody can.

    python -m tools.solve prove RULESET [--side x|o] [--pieces 8] [--nodes N]   search, extract, verify, write
    python -m tools.solve verify [FILE …]                                        check written proofs by the rules

Needs the optional extra `solve` (numba) to prove, not to verify. Draw rules are set aside: a win
must not rest on repetition or on a clock, a draw may go on for ever; `verify` tells how long a win can take without a
capture, which says whether it survives the ruleset's own limit. docs/solved.md has the results.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from pathlib import Path

from pyengine.ai.proofs import Proof, write_proof
from pyengine.ai.tables import Tables
from pyengine.rules import find_rules
from tools.proofs.verify import Unproved, Verdict, verify
from tools.tables import FILE_BYTES, PROOF_ENDING, write_index

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "web" / "tables"
WORK = ROOT / ".cache" / "tables"


def shipped_tables() -> Tables:
    """All shipped tables."""
    tables = Tables()
    for file in json.loads((OUT / "index.json").read_text(encoding="utf-8"))["files"]:
        tables.add((OUT / file["name"]).read_bytes(), file["name"])
    return tables


def prove(args: argparse.Namespace) -> None:
    """Search, extract, verify, write."""
    from tools.proofs.dfpn import HELD, UNSOLVED, WON, find, memory
    from tools.proofs.extract import Question, extract_win, name_of, solve
    from tools.proofs.games import moves_of
    from tools.proofs.hold import extract_draw
    from tools.proofs.tables import tables_up_to

    rules = find_rules(args.ruleset)
    try:
        moves = moves_of(rules)
    except ValueError as unknown:
        raise SystemExit(unknown) from None
    began = time.monotonic()

    def say(text: str) -> None:
        print(
            f"{time.monotonic() - began:7.0f} s {time.process_time():6.0f} CPU s  {text}",
            flush=True,
        )

    shipped = shipped_tables().find(rules)
    if shipped is None:
        raise SystemExit("this ruleset has no shipped tables: python -m tools.tables make")
    tables = tables_up_to(rules, args.pieces, args.apart, shipped, Path(args.work), say)
    attacker = "xo".index(args.side)
    start, store = rules.start(), memory(args.memory)
    question = Question(rules, start, attacker, moves, tables, store)
    first = name_of(question, start)
    result = UNSOLVED
    while result == UNSOLVED and store.counts[0] < args.nodes:
        result = solve(question, 1_000_000)
        slot = find(store, first)
        say(
            f"{store.counts[0]:,} nodes, {store.counts[1]:,} positions kept, {store.counts[2]:,} forgotten,"
            f" proof {store.proof[slot]}, disproof {store.disproof[slot]}"
        )
    if result == UNSOLVED:
        raise SystemExit(f"not settled in {store.counts[0]:,} nodes")
    say(
        f"{args.side} {'wins' if result == WON else 'cannot force a win'}: {store.counts[0]:,} nodes"
    )
    extract = extract_win if result == WON else extract_draw
    assert result in (WON, HELD)
    pieces = min(args.pieces, shipped.most)
    replies = extract(question, pieces, say)
    side = attacker if result == WON else 1 - attacker
    proof = Proof(rules.ruleset, side, int(result == WON), pieces, replies)
    data = write_proof(proof, replies)
    say(f"{len(replies):,} replies, {len(data):,} bytes")
    proof = Proof.read(data)
    kept = Path(args.work, f"{name_in_files(proof)}{PROOF_ENDING}")
    kept.write_bytes(data)
    say(describe(proof, verify(proof, shipped, lambda count: say(f"verified {count:,}"))))
    if len(data) > FILE_BYTES:
        say(f"too big for the site, kept in {kept}")
        return
    out = Path(args.out)
    for old in out.glob(f"{name_in_files(proof)}.*{PROOF_ENDING}"):
        old.unlink()
    name = f"{name_in_files(proof)}.{hashlib.sha256(data).hexdigest()[:8]}{PROOF_ENDING}"
    (out / name).write_bytes(data)
    write_index(out)
    say(name)


def name_in_files(proof: Proof) -> str:
    """How the file of a proof begins."""
    return f"{proof.rules.game}-{proof.rules.preset}-{'xo'[proof.side]}"


def describe(proof: Proof, verdict: Verdict) -> str:
    """What was proved, in words and figures."""
    rules = proof.rules
    side = "xo"[proof.side]
    met = f"{verdict.opening:,} positions above the tables and {verdict.endings:,} in them were visited"
    if proof.value < 1:
        return f"{rules.ruleset}: {side} can always hold the draw; {met}"
    limit = rules.limit
    survives = "survives" if not limit or (verdict.quiet or 0) < limit else "does not survive"
    return (
        f"{rules.ruleset}: {side} wins in at most {verdict.longest} plies; {met}; at most {verdict.quiet} plies"
        f" without a capture, so the win {survives} the limit of {limit}; no position comes back in any line"
    )


def check(args: argparse.Namespace) -> None:
    """Verify written proofs."""
    tables = shipped_tables()
    for path in map(Path, args.files or sorted(OUT.glob(f"*{PROOF_ENDING}"))):
        proof = Proof.read(path.read_bytes())
        began = time.monotonic()
        try:
            verdict = verify(proof, tables.find(proof.rules))
        except Unproved as hole:
            sys.exit(f"{path.name}: {hole}")
        print(
            f"{path.name}: {describe(proof, verdict)} ({time.monotonic() - began:.0f} s)",
            flush=True,
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("prove")
    one.add_argument("ruleset")
    one.add_argument("--side", choices=["x", "o"], default="x", help="who is to force a win")
    one.add_argument("--pieces", type=int, default=8, help="tables up to so many pieces")
    one.add_argument(
        "--apart",
        type=int,
        default=8,
        help="of the biggest tables only those where a side has at most so many pieces more",
    )
    one.add_argument("--nodes", type=int, default=100_000_000)
    one.add_argument("--memory", type=int, default=26, help="two to this power positions are kept")
    one.add_argument("--work", default=str(WORK))
    one.add_argument("--out", default=str(OUT))
    other = commands.add_parser("verify")
    other.add_argument("files", nargs="*")
    args = parser.parse_args()
    {"prove": prove, "verify": check}[args.command](args)


if __name__ == "__main__":
    main()
