"""Exact endings: numbering, bulk successors, working backwards, the shipped files and what reads them."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from pyengine import EngineError, find_rules
from pyengine.ai.tables import (
    TURN,
    Endings,
    Layout,
    Tables,
    Value,
    decode,
    encode,
    sets_of,
    symmetries,
    write_file,
)
from pyengine.board import Board, points_of, set_of
from pyengine.rules import Rules, State

np = pytest.importorskip("numpy")
from tools import tables as command  # noqa: E402
from tools.endgames.arrays import Numbering  # noqa: E402
from tools.endgames.bulk import (  # noqa: E402
    Expander,
    StateMaker,
    expand_job,
    kept_symmetries,
    random_sets,
)
from tools.endgames.checks import check_file, other_side, plain_search  # noqa: E402
from tools.endgames.retrograde import Codes, solve_unit, units  # noqa: E402

FILES = Path(__file__).resolve().parent.parent / "web" / "tables"
INDEX = json.loads((FILES / "index.json").read_text(encoding="utf-8"))
LISTED = [*INDEX["files"], *INDEX["proofs"]]
SHIPPED = sorted({file["ruleset"] for file in INDEX["files"]})

LAYOUTS = [
    (Board(5, 5, "even"), (0, 1, 2, 3, 4, 5, 6, 7), (2, 2)),
    (Board(5, 5, "even"), (0, 2), (1, 1, 2, 0)),
    (Board(9, 5, "even"), (0, 1, 2, 3), (1, 3)),
    (Board(5, 5, "even"), (0, 2), (4, 1)),
    (Board(3, 3, "even"), (0, 1, 2, 3, 4, 5, 6, 7), (4, 4)),
]


def solved(
    ruleset: str, most: int, metric: str = "capture"
) -> tuple[Expander, dict[tuple[int, ...], Codes]]:
    """Tables solved on the spot."""
    rules = find_rules(ruleset)
    expander = Expander(ruleset, kept_symmetries(rules))
    known: dict[tuple[int, ...], Codes] = {}
    for unit in units(rules, most):
        if all(expander.decided(material) is None for material in unit):
            jobs = lambda tasks: map(expand_job, tasks)  # noqa: E731
            known.update(solve_unit(expander, unit, known, jobs, metric))  # type: ignore[arg-type]
    return expander, known


def endings_of(ruleset: str) -> Endings:
    """The shipped tables of a ruleset."""
    tables = Tables()
    for file in INDEX["files"]:
        if file["ruleset"] == ruleset:
            tables.add((FILES / file["name"]).read_bytes(), file["name"])
    endings = tables.find(find_rules(ruleset))
    assert endings is not None
    return endings


def random_state(rules: Rules, chance: random.Random, most: int) -> State:
    state = StateMaker(rules).state(random_sets(rules, chance, most))
    return other_side(rules, state) if chance.random() < 0.5 else state


# --- numbering -------------------------------------------------------------------------------------------------------


def test_every_value_fits_its_byte() -> None:
    assert decode(0) == Value(0, None)
    codes = [encode(wdl, distance) for wdl in (1, -1) for distance in range(127)]
    assert len(set(codes)) == 254
    assert all(0 < code < 256 for code in codes)
    assert [decode(code) for code in codes] == [
        Value(wdl, distance) for wdl in (1, -1) for distance in range(127)
    ]


@pytest.mark.parametrize(("board", "kept", "material"), LAYOUTS)
def test_numbers_and_positions_belong_together(
    board: Board, kept: tuple[int, ...], material: tuple[int, ...]
) -> None:
    layout = Layout(board, kept, material)
    numbering = Numbering(layout)
    sets = numbering.sets(0, layout.size)
    assert (numbering.index(sets) == np.arange(layout.size)).all()
    maps = symmetries(board)
    turn = maps[TURN]
    for number in random.Random(3).sample(range(layout.size), min(100, layout.size)):
        position = [int(one[number]) for one in sets]
        assert [bits.bit_count() for bits in position] == list(material)
        assert layout.index(position, 0) == number
        turned = [set_of(turn[point] for point in points_of(bits)) for bits in position]
        # The second side's view is the board turned; where that changes nothing, it need not be.
        seen = turned if TURN in kept else position
        assert layout.index(turned, 1) == layout.index(seen, 0)
        for kind in kept:
            image = [set_of(maps[kind][point] for point in points_of(bits)) for bits in position]
            index = layout.index(image, 0)
            # Positions whose leading set has a symmetry of its own may have two numbers, never two lines of play.
            same = [int(one[index]) for one in sets]
            assert any(
                same == [set_of(maps[k][p] for p in points_of(bits)) for bits in position]
                for k in kept
            )


# --- successors in bulk ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", [*command.SHIPPED, "alquerque/maximum;bonus=yes"])
def test_bulk_successors_are_those_of_the_rules(ruleset: str) -> None:
    rules = find_rules(ruleset)
    kept = kept_symmetries(rules, samples=60)
    expander = Expander(ruleset, kept)
    chance = random.Random(ruleset)
    for _ in range(150):
        state = random_state(rules, chance, min(6, rules.board.size - 2))
        material = tuple(bits.bit_count() for bits in sets_of(rules, state))
        number = expander.numbering(material).layout.index(sets_of(rules, state), state[2])
        batch = expander.expand(material, number, number + 1)
        found = Counter(
            (batch.materials[kind], int(index), bool(same))
            for kind, index, same in zip(batch.to_material, batch.to_index, batch.same, strict=True)
        )
        expected: Counter[tuple[tuple[int, ...], int, bool]] = Counter()
        for after in rules.generate(state):
            sets = sets_of(rules, after)
            kind = tuple(bits.bit_count() for bits in sets)
            index = 0
            if expander.decided(kind) is None:
                index = expander.numbering(kind).layout.index(sets, after[2])
            expected[kind, index, after[2] == state[2]] += 1
        # Equal up to a symmetry of the leading set: compare what the numbers stand for.
        assert _lines(expander, found) == _lines(expander, expected), rules.format(state)
        if not expected:
            assert batch.ends[0] == rules.result(state)


def _lines(
    expander: Expander, found: Counter[tuple[tuple[int, ...], int, bool]]
) -> Counter[object]:
    maps = [symmetries(expander.rules.board)[number] for number in expander.kept]
    named: Counter[object] = Counter()
    for (material, index, same), count in found.items():
        if expander.decided(material) is None:
            sets = [int(one[0]) for one in expander.numbering(material).sets(index, index + 1)]
            images = [
                tuple(set_of(table[point] for point in points_of(bits)) for bits in sets)
                for table in maps
            ]
            named[material, min(images), same] += count
        else:
            named[material, None, same] += count
    return named


def test_symmetries_are_found_by_trying() -> None:
    assert kept_symmetries(find_rules("alquerque/table")) == tuple(range(8))
    assert kept_symmetries(find_rules("alquerque/bell")) == (0, 2)
    assert kept_symmetries(find_rules("alquerque/doce-long"), samples=100) == (0, 2)
    assert kept_symmetries(find_rules("fanorona/tsivy")) == (0, 1, 2, 3)
    with pytest.raises(ValueError, match="more than pieces"):
        kept_symmetries(find_rules("alquerque/maximum;noreturn=yes"))


# --- working backwards -----------------------------------------------------------------------------------------------


def test_known_figures_of_fanorona() -> None:
    """Published counts: win/loss/draw for the side to act on all 45 points, longest win/loss in turns to the end."""
    expander, known = solved("fanorona/tsivy", 3, "win")
    figures = {}
    for material, codes in known.items():
        everywhere = Numbering(Layout(expander.rules.board, (0,), material))
        number = expander.numbering(material).index(everywhere.sets(0, everywhere.size))
        figures[material] = tuple(command.statistics(codes[number]).values())
    assert figures == {
        (1, 1): (592, 100, 1288, 7, 6),
        (1, 2): (2822, 26982, 12766, 9, 30),
        (2, 1): (40996, 24, 1550, 29, 8),
    }


@pytest.mark.parametrize(
    ("ruleset", "most"),
    [
        ("alquerque/table", 4),
        ("alquerque/bell", 3),
        ("alquerque/doce-short", 2),
        ("fanorona/telo", 6),
    ],
)
def test_tables_and_plain_search_find_the_same(ruleset: str, most: int) -> None:
    """With distances to the end: a search of n plies finds exactly the wins and losses that are so near."""
    expander, known = solved(ruleset, most, "win")
    rules = expander.rules
    chance = random.Random(5)
    decisive = 0
    for _ in range(400):
        state = random_state(rules, chance, most)
        sets = sets_of(rules, state)
        material = tuple(bits.bit_count() for bits in sets)
        if material not in known:
            continue
        index = expander.numbering(material).layout.index(sets, state[2])
        wdl, distance = decode(int(known[material][index]))
        plies = chance.randint(1, 3)
        near = distance is not None and distance <= plies
        assert plain_search(rules, state, plies) == (wdl if near else 0), rules.format(state)
        decisive += near
    assert decisive > 30


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    def failing(tasks: list[object]) -> object:
        if tasks[0][2] == (3, 1):  # type: ignore[index]
            raise KeyboardInterrupt
        return map(expand_job, tasks)  # type: ignore[arg-type]

    def make() -> command.Solver:
        return command.Solver("alquerque/table", 4, 0, tmp_path, "capture")

    with pytest.raises(KeyboardInterrupt):
        make().run(failing, quiet=True)  # type: ignore[arg-type]
    asked = []

    def counting(tasks: list[object]) -> object:
        asked.append(tasks[0][2])  # type: ignore[index]
        return map(expand_job, tasks)  # type: ignore[arg-type]

    resumed = make().run(counting, quiet=True)  # type: ignore[arg-type]
    assert asked == [(3, 1)]
    _, known = solved("alquerque/table", 4)
    assert {material: codes.tolist() for material, codes in resumed.items()} == {
        material: codes.tolist() for material, codes in known.items()
    }


def test_a_cluster_finds_the_same(tmp_path: Path) -> None:
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        command.mapper(1, cluster.scheduler_address) as spread,
    ):
        found = command.Solver("alquerque/bell", 3, 0, tmp_path, "capture").run(spread, quiet=True)
    _, known = solved("alquerque/bell", 3)
    assert {m: c.tolist() for m, c in found.items()} == {m: c.tolist() for m, c in known.items()}


# --- what is shipped -------------------------------------------------------------------------------------------------


def test_shipped_files_are_those_of_the_index() -> None:
    assert sorted(path.name for path in FILES.glob("*.bin")) == sorted(
        file["name"] for file in LISTED
    )
    for file in LISTED:
        data = (FILES / file["name"]).read_bytes()
        assert len(data) == file["bytes"] <= command.FILE_BYTES
        assert hashlib.sha256(data).hexdigest() == file["sha256"]
    assert sum(file["bytes"] for file in LISTED) <= command.ALL_BYTES


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_shipped_values_follow_from_successors_and_agree_with_search(ruleset: str) -> None:
    files = [
        (FILES / file["name"]).read_bytes() for file in INDEX["files"] if file["ruleset"] == ruleset
    ]
    result = check_file(ruleset, files, samples=120, seed=11, plies=3)
    assert result.faults == []
    assert result.consistent >= 120


@pytest.mark.parametrize("ruleset", ["alquerque/table", "alquerque/bell"])
def test_every_won_ending_is_converted_within_the_limit(ruleset: str) -> None:
    """The winner follows the distances, the defender delays as long as it can."""
    rules = find_rules(ruleset)
    endings = endings_of(ruleset)
    chance = random.Random(9)
    converted = 0
    while converted < 120:
        state = random_state(rules, chance, 6)
        value = endings.probe(state)
        if value is None or value.wdl < 1:
            continue
        while not rules.decided(state) and rules.successors(state):
            state = min(
                rules.successors(state), key=lambda after: _for_loser(rules, endings, after)
            )
            if not rules.decided(state) and rules.successors(state):
                state = max(
                    rules.successors(state), key=lambda after: _delay(rules, endings, after)
                )
        outcome = rules.outcome(state)
        assert outcome is not None
        assert outcome.reason in ("eliminated", "blocked")
        converted += 1


def _for_loser(rules: Rules, endings: Endings, state: State) -> tuple[int, int, int]:
    """How much the side to act would like to be here: least when it has lost and soon."""
    if not rules.generate(state):
        return (rules.result(state), 0, 0)
    value = endings.probe(state)
    assert value is not None
    return (value.wdl, (state[0] | state[1]).bit_count(), value.distance or 0)


def _delay(rules: Rules, endings: Endings, state: State) -> int:
    if not rules.generate(state):
        return -1
    value = endings.probe(state)
    assert value is not None
    assert value.wdl == 1
    return 0 if state[3] == 0 else value.distance or 0


def test_absent_and_damaged_files() -> None:
    tables = Tables()
    rules = find_rules("alquerque/table")
    state = rules.parse("5/5/2o2/5/x4 x 0")
    assert tables.probe(rules, state) is None
    assert tables.wanted(rules, state) == []
    name, data = next(
        (file["name"], (FILES / file["name"]).read_bytes())
        for file in INDEX["files"]
        if file["ruleset"] == "alquerque/table"
    )
    for bad in (b"", b"QIRKTAB1", data[:-1], data[:5000] + b"\0" + data[5001:], b"x" * 100):
        with pytest.raises(EngineError):
            tables.add(bad, name)
    for bad_index in ("", "[]", '{"files": [{"name": 3}]}', '{"files": 3}'):
        with pytest.raises(EngineError):
            tables.offer(bad_index)
    assert tables.add(data, name) == "alquerque/table"
    assert tables.probe(rules, state) is not None
    assert tables.probe(rules, rules.start()) is None
    assert tables.probe(rules, rules.parse("5/5/2o2/5/5 x 0")) is None


def test_files_are_wanted_when_a_game_comes_near() -> None:
    tables = Tables()
    tables.offer(json.dumps(INDEX))
    rules = find_rules("alquerque/table")
    assert tables.wanted(rules, rules.start(), level=1) == []
    near = rules.parse("ooooo/5/5/5/xxx2 x 0")
    names = tables.wanted(rules, near, level=1)
    assert names
    for name in names:
        tables.add((FILES / name).read_bytes(), name)
    assert tables.wanted(rules, near, level=1) == []
    # The same moves share the tables unless their limit is shorter, which makes draws of wins; other moves do not.
    for limit, shared in ((30, False), (79, False), (81, True), (0, True)):
        other = find_rules(f"alquerque/table;limit={limit}")
        assert (tables.find(other) is not None) == shared
        fresh = Tables()
        fresh.offer(json.dumps(INDEX))
        assert fresh.wanted(other, near, level=1) == (names if shared else [])
    assert tables.find(find_rules("alquerque/maximum")) is None
    seega = find_rules("seega/5x5")
    assert tables.wanted(seega, seega.start()) == []


def test_only_the_game_at_hand_stays_unpacked() -> None:
    tables = Tables()
    table, bell = find_rules("alquerque/table"), find_rules("alquerque/bell")
    for rules in (table, bell):
        codes = bytes(Layout(rules.board, range(2), (1, 1)).size)
        tables.add(write_file(rules.ruleset, range(2), [((1, 1), codes)]))
    state = table.parse("5/5/2o2/5/x4 x 0")
    value = tables.probe(table, state)
    endings = tables.find(table)
    assert endings is not None
    assert endings._open
    assert tables.probe(bell, state) is not None
    assert not endings._open
    # A search that was under way goes on all the same, and what it unpacked goes with the next game.
    assert endings.probe(state) == value
    assert endings._open
    assert tables.find(find_rules("konane/6x6")) is None
    assert not endings._open


def test_a_written_file_is_read_back() -> None:
    codes = bytes(range(144))
    data = write_file("alquerque/table", range(8), [((1, 1), codes)])
    endings = Tables()
    endings.add(data)
    rules = find_rules("alquerque/table")
    state = rules.parse("5/5/2o2/5/x4 x 0")
    layout = Layout(rules.board, range(8), (1, 1))
    assert endings.probe(rules, state) == decode(codes[layout.index(state[:2], 0)])
