"""Learn a ruleset's evaluation by self-play and write it to pyengine/ai/data (needs NumPy).

    python tools/train_evaluation.py alquerque/table --minutes 4 --seed 1

The engine plays itself with few nodes and a little blur from random openings. Every quiet position is kept with
the game's result and the search's judgement; a logistic model over the patterns of
`pyengine.ai.evaluation.patterns` then learns to foretell a mix of both. Games are kept in .cache/training, so that a
second run adds to them. The file tells its seed, number of games and positions, and its learning curve.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pyengine.ai.evaluation import find_evaluation  # noqa: E402
from pyengine.ai.evaluation.patterns import Table, Weights, shapes  # noqa: E402
from pyengine.ai.match import Playing  # noqa: E402
from pyengine.ai.search import FORCED, Search  # noqa: E402
from pyengine.ai.shipped import file_name  # noqa: E402
from pyengine.rules import Rules, State, find_rules  # noqa: E402

DATA = ROOT / "pyengine" / "ai" / "data"
CACHE = ROOT / ".cache" / "training"

#: So many plies without a capture and the game is called a draw; nothing new is learned from shuffling.
PATIENCE = 30
#: Blur of the players, in hundredths of a piece, so that games differ.
BLUR = 12
#: Weight of the game's result in the target; the rest is the search's judgement.
RESULT_SHARE = 0.6
#: Strength of the pull towards nought, in positions.
SHRINK = 6.0
#: Multiples in which weights are kept, in hundredths of a piece.
STEP = 2

Sample = tuple[
    int, int, int, int, int, float, int
]  # own, foe, side, sultans, in hand, result, value


# --- games ------------------------------------------------------------------------------------------------------------


def play(rules: Rules, seed: int, nodes: int, patience: int = PATIENCE) -> list[Sample]:
    """The quiet positions of one game, each with its result and judgement from the mover's view; a draw after so many
    plies without a capture."""
    chance = random.Random(seed)
    game = Playing(rules, seed)
    evaluation = find_evaluation(rules)
    kept: list[tuple[State, int]] = []
    opening = chance.randrange(2, 13)
    while (points := game.result()) is None:
        state = game.state
        if rules.repetition and state[3] >= patience:
            points = 0.5
            break
        if len(game.chosen) < opening or chance.random() < 0.02:
            game.play(chance.randrange(len(game.moves)))
            continue
        search = Search(
            rules,
            state,
            game.keys[:-1],
            nodes=nodes,
            blur=BLUR,
            seed=chance.getrandbits(30),
            evaluation=evaluation,
        )
        search.run()
        if not rules.captures(state):
            kept.append((state, search.value))
        game.play(search.best)
    samples = []
    for state, value in kept:
        own, foe, side = state[:3]
        sultans = state[4] if rules.sultans else 0
        left = state[4] if rules.hand else 0
        samples.append((own, foe, side, sultans, left, 1 - points if side else points, value))
    return samples


def gather(rules: Rules, seed: int, nodes: int, seconds: float) -> Iterator[list[Sample]]:
    """Games until the time is over."""
    until = time.monotonic() + seconds
    number = 0
    while time.monotonic() < until:
        yield play(rules, seed * 1_000_003 + number, nodes)
        number += 1


# --- the model --------------------------------------------------------------------------------------------------------


class Model:
    """A logistic model whose inputs are the patterns' weights, and per phase pieces, Sultans and the move."""

    def __init__(self, rules: Rules, phases: tuple[int, ...]) -> None:
        self.rules, self.phases = rules, phases
        self.tables, self.directed = shapes(rules)
        self.canonical = [np.array(table.canonical()) for table in self.tables]
        self.compact = []
        sizes = []
        for numbers in self.canonical:
            representatives, compact = np.unique(numbers, return_inverse=True)
            self.compact.append(compact)
            sizes.append(len(representatives))
        self.sizes = sizes
        self.starts = np.cumsum([0, *sizes])
        self.width = int(self.starts[-1])
        self.linear = len(phases) * self.width
        self.weights = np.zeros(self.linear + 3 * len(phases))
        self.weights[self.linear :: 3] = 1.0  # a piece, before anything is learned

    def inputs(self, samples: list[Sample]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each sample: the places of its pattern weights, its phase, and (pieces, Sultans, 1)."""
        size = self.rules.board.size
        own = _bits([s[0] for s in samples], size)
        foe = _bits([s[1] for s in samples], size)
        crowned = _bits([s[3] for s in samples], size)
        if self.directed:
            turn = np.array([s[2] for s in samples], dtype=bool)
            own[turn], foe[turn] = own[turn, ::-1], foe[turn, ::-1]
            crowned[turn] = crowned[turn, ::-1]
        digits = own + 2 * foe
        stones = (digits > 0).sum(axis=1)
        bounds = self.phases[:-1] if self.rules.hand else self.phases
        phase = np.minimum(np.searchsorted(bounds, stones), len(bounds) - 1)
        if self.rules.hand:
            phase[np.array([s[4] for s in samples]) > 0] = len(self.phases) - 1
        columns = []
        for table, compact, start in zip(self.tables, self.compact, self.starts[:-1], strict=True):
            columns += [
                compact[digits[:, placement] @ _powers(table)] + start
                for placement in table.placements
            ]
        places = np.stack(columns, axis=1) + phase[:, None] * self.width
        pieces = own.sum(axis=1) - foe.sum(axis=1)
        kings = (own & crowned).sum(axis=1) - (foe & crowned).sum(axis=1)
        return places, phase, np.stack([pieces, kings, np.ones(len(samples))], axis=1)

    def logits(self, inputs: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
        """The model's judgement of samples."""
        places, phase, facts = inputs
        linear = self.weights[self.linear :].reshape(-1, 3)
        return self.weights[places].sum(axis=1) + (linear[phase] * facts).sum(axis=1)

    def fit(
        self,
        inputs: tuple[np.ndarray, np.ndarray, np.ndarray],
        targets: np.ndarray,
        rounds: int,
        patterns: bool = True,
    ) -> None:
        """Adam on the whole data; `patterns` off fits pieces, Sultans and the move alone."""
        places, phase, facts = inputs
        flat = places.ravel()
        seen = np.bincount(flat, minlength=self.linear)
        first = np.zeros_like(self.weights)
        second = np.zeros_like(self.weights)
        for number in range(1, rounds + 1):
            miss = 1 / (1 + np.exp(-self.logits(inputs))) - targets
            slope = np.zeros_like(self.weights)
            if patterns:
                slope[: self.linear] = np.bincount(
                    flat, weights=np.repeat(miss, places.shape[1]), minlength=self.linear
                )
                slope[: self.linear] += SHRINK * self.weights[: self.linear]
                slope[: self.linear] /= seen + SHRINK
            for part in range(3):
                np.add.at(slope, self.linear + 3 * phase + part, miss * facts[:, part] / len(miss))
            first += 0.1 * (slope - first)
            second += 0.01 * (slope**2 - second)
            rate = 0.03 * min(1.0, 2 * (1 - number / (rounds + 1)))
            self.weights -= (
                rate * (first / (1 - 0.9**number)) / (np.sqrt(second / (1 - 0.99**number)) + 1e-6)
            )

    def loss(self, inputs: tuple[np.ndarray, np.ndarray, np.ndarray], results: np.ndarray) -> float:
        """Mean logarithmic loss against results."""
        chance = 1 / (1 + np.exp(-self.logits(inputs)))
        return float(
            -np.mean(results * np.log(chance + 1e-9) + (1 - results) * np.log(1 - chance + 1e-9))
        )

    def export(self, story: dict[str, Any]) -> Weights:
        """The weights in hundredths of a piece."""
        linear = self.weights[self.linear :].reshape(-1, 3)
        piece = float(np.median(linear[: len(linear) - self.rules.hand, 0]))
        unit = 100 / max(piece, 0.2)
        scaled = np.rint(unit * self.weights).astype(int)
        values = []
        for number in range(len(self.phases)):
            base = number * self.width
            values.append(
                tuple(
                    tuple(int(v) for v in scaled[base + start : base + start + size])
                    for start, size in zip(self.starts, self.sizes, strict=False)
                )
            )
        facts = scaled[self.linear :].reshape(-1, 3)
        return Weights(
            self.rules.ruleset,
            self.phases,
            *(tuple(int(v) for v in facts[:, part]) for part in range(3)),
            round(unit, 1),
            tuple(values),
            story,
        )


def best_scale(judged: np.ndarray, results: np.ndarray) -> float:
    """The scale at which the search's judgement foretells results best."""

    def loss(scale: float) -> float:
        chance = 1 / (1 + np.exp(-(judged / scale).clip(-20, 20)))
        return float(np.mean((chance - results) ** 2))

    return min((20.0 * 1.05**step for step in range(71)), key=loss)


def _bits(sets: list[int], size: int) -> np.ndarray:
    raw = b"".join(bits.to_bytes(16, "little") for bits in sets)
    rows = np.frombuffer(raw, dtype=np.uint8).reshape(len(sets), 16)
    return np.unpackbits(rows, axis=1, bitorder="little")[:, :size].astype(np.int32)


def _powers(table: Table) -> np.ndarray:
    return 3 ** np.arange(len(table.placements[0]))


def phases_of(rules: Rules) -> tuple[int, ...]:
    """Thirds of the game by the stones on the board; where stones are placed, that is a phase of its own, the last."""
    most = sum(rules.set_sizes)
    bounds = (most * 2 // 5, most * 7 // 10, most)
    return (*bounds, most) if rules.hand else bounds


def learn(rules: Rules, samples: list[list[Sample]], rounds: int, story: dict[str, Any]) -> Weights:
    """Fit on nine tenths of the games, test on the rest."""
    test = [sample for game in samples[::10] for sample in game]
    train_games = [game for number, game in enumerate(samples) if number % 10]
    curve = []
    for share in (0.25, 0.5, 1.0):
        train = [s for game in train_games[: int(share * len(train_games))] for s in game]
        results = np.array([s[5] for s in train])
        judged = np.array([s[6] for s in train]).clip(-FORCED, FORCED)
        foretold = 1 / (1 + np.exp(-(judged / best_scale(judged, results)).clip(-20, 20)))
        targets = RESULT_SHARE * results + (1 - RESULT_SHARE) * foretold
        model = Model(rules, phases_of(rules))
        inputs, test_inputs = model.inputs(train), model.inputs(test)
        test_results = np.array([s[5] for s in test])
        model.fit(inputs, targets, rounds, patterns=False)
        pieces = model.loss(test_inputs, test_results)
        model.fit(inputs, targets, rounds)
        loss = model.loss(test_inputs, test_results)
        curve.append(
            {"positions": len(train), "pieces": round(pieces, 4), "patterns": round(loss, 4)}
        )
        print(
            f"  {len(train)} positions: loss {pieces:.4f} with pieces, {loss:.4f} with patterns",
            flush=True,
        )
    return model.export({**story, "curve": curve})


def main() -> None:
    """Run the whole: games, learning, file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ruleset")
    parser.add_argument("--minutes", type=float, default=2, help="of new games")
    parser.add_argument("--nodes", type=int, default=250, help="a move; default 250")
    parser.add_argument("--rounds", type=int, default=150, help="of learning; default 150")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, help="instead of pyengine/ai/data")
    args = parser.parse_args()
    rules = find_rules(args.ruleset)
    CACHE.mkdir(parents=True, exist_ok=True)
    cache = CACHE / f"{file_name(rules.ruleset, 'bin')}.{args.seed}.{args.nodes}.jsonl"
    with cache.open("a", encoding="utf-8") as file:
        done = sum(1 for _ in cache.open(encoding="utf-8"))
        for game in gather(rules, args.seed + 1000 * done, args.nodes, 60 * args.minutes):
            file.write(json.dumps(game) + "\n")
    samples = [[tuple(s) for s in json.loads(line)] for line in cache.open(encoding="utf-8")]
    count = sum(map(len, samples))
    print(f"{rules.ruleset}: {len(samples)} games, {count} quiet positions", flush=True)
    story = {"seed": args.seed, "nodes": args.nodes, "games": len(samples), "positions": count}
    weights = learn(rules, samples, args.rounds, story)
    data = weights.pack(STEP)
    output = args.output or DATA / file_name(rules.ruleset, "bin")
    output.write_bytes(data)
    print(
        f"  {output.name}: {len(data)} bytes, scale {weights.scale}, pieces {weights.pieces}",
        flush=True,
    )


if __name__ == "__main__":
    main()
