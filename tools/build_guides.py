"""Sets up the guides' boards ahead of time: `guides/<game>.boards.json`.

The page reads a guide before Python runs in the browser, and no rule is written in JavaScript. So
the engine plays all examples through here, and answers every mistake: what stands where, which
moves are legal there, and why the wrong one is refused.

    Boards = {descriptions: {ruleset: Description},
              diagrams: {"RULESET POSITION": Snapshot},
              examples: {id: {ruleset, start: Snapshot, plies: [Ply]}},
              mistakes: {id: {ruleset, state: State, path: [point], stop: bool,
                              refusals: {"c3 c4": Refusal}}}}

The types are those of docs/wire.md. `refusals` knows each beginning of `path` that is refused;
`stop`: the mistake is to end the turn where `path` ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Ask = Callable[..., Any]


def build_guides(guides: Path, out: Path, ask: Ask) -> None:
    """Write the boards of every guide in a folder; `ask(method, **params)` is the engine."""
    for path in sorted(guides.glob("*.examples.json")):
        game = path.name.removesuffix(".examples.json")
        examples = json.loads(path.read_text("utf-8"))
        texts = [
            json.loads(one.read_text("utf-8")) for one in sorted(guides.glob(f"{game}.??.json"))
        ]
        text = json.dumps(
            boards_of(examples, texts, ask), ensure_ascii=False, separators=(",", ":")
        )
        (out / f"{game}.boards.json").write_text(text, "utf-8")


def boards_of(examples: Json, texts: list[Json], ask: Ask) -> Json:
    """All boards of one game's guide."""
    diagrams = {
        f"{block['ruleset']} {block['diagram']}": block
        for text in texts
        for block in blocks(text)
        if "diagram" in block
    }
    used = [*diagrams.values(), *examples["examples"].values(), *examples["mistakes"].values()]
    own = [entry["ruleset"] for text in texts for entry in text["rulesets"]]
    rulesets = dict.fromkeys([*own, *(one["ruleset"] for one in used)])
    return {
        "descriptions": {ruleset: ask("describe", ruleset=ruleset) for ruleset in rulesets},
        "diagrams": {
            key: ask("game", ruleset=block["ruleset"], position=block["diagram"])["start"]
            for key, block in diagrams.items()
        },
        "examples": {key: example(entry, ask) for key, entry in examples["examples"].items()},
        "mistakes": {key: mistake(entry, ask) for key, entry in examples["mistakes"].items()},
    }


def blocks(text: Json) -> Iterator[Json]:
    for part in [text, *text["rulesets"]]:
        for section in part["sections"]:
            yield from section["blocks"]


def example(entry: Json, ask: Ask) -> Json:
    game = ask("game", ruleset=entry["ruleset"], position=entry["position"], moves=entry["moves"])
    return {"ruleset": entry["ruleset"], "start": game["start"], "plies": game["plies"]}


def mistake(entry: Json, ask: Ask) -> Json:
    where = {"ruleset": entry["ruleset"], "position": entry["position"]}
    # A typed mistake is pointed at as far as it goes: a chain stopped early, a huffed piece.
    path = entry["path"] or re.findall(r"[a-z]\d+", entry["move"])
    refusals = {}
    for end in range(1, len(path) + 1):
        typed = {"move": entry["move"]} if end == len(path) and "move" in entry else {}
        points = entry["path"] if typed else path[:end]
        refusal = ask("explain", **where, path=points, **typed)
        if refusal:
            refusals[" ".join(path[:end])] = refusal
    return {
        "ruleset": entry["ruleset"],
        "state": ask("state", **where),
        "path": path,
        "stop": "move" in entry and len(path) > 1,
        "refusals": refusals,
    }
