"""Matches: fair openings, honest figures, going on after a break, other programs."""

from __future__ import annotations

import math
import pickle
import sys
from pathlib import Path

import pytest

from pyengine import EngineError, Position, find_rules
from pyengine.ai import programs
from pyengine.ai.match import (
    SPRT_END,
    Match,
    Played,
    Playing,
    elo,
    find_openings,
    log_likelihood_ratio,
    make_player,
    play_game,
    score,
)
from pyengine.ai.tables import Tables, Value
from pyengine.notation import read_text, write_record


def games(points: list[float]) -> list[Played]:
    return [Played(n // 2, n % 2 == 0, one, []) for n, one in enumerate(points)]


def test_both_games_of_a_pair_share_their_opening() -> None:
    match = Match("alquerque/table", "depth=1", "depth=1,blur=30", 8)
    for _ in match.run():
        pass
    assert [(game.pair, game.a_is_x) for game in match.played] == [
        (n // 2, n % 2 == 0) for n in range(8)
    ]
    for first, second in zip(match.played[::2], match.played[1::2], strict=True):
        assert first.moves[:8] == second.moves[:8]
    assert len({tuple(game.moves[:8]) for game in match.played}) == 4


def test_openings_may_be_given(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text('[Ruleset "alquerque/table"]\n\n1. d2-c3 b4xd2\n\n[Event "?"]\n\n1. b2-c3 *\n')
    openings = find_openings(str(path), "alquerque/table")
    assert openings == [["d2-c3", "b4xd2"], ["b2-c3"]]
    match = Match("alquerque/table", "depth=1", "depth=1,blur=30", 6, openings=openings)
    list(match.run())
    began = [game.moves[: len(openings[game.pair % 2])] for game in match.played]
    assert began == [openings[game.pair % 2] for game in match.played]
    records = [read for text in match.records() for read in read_text(write_record(text))]
    assert [record.record.line.moves for record in records] == [game.moves for game in match.played]
    assert {record.record.tags["X"] for record in records} == {"depth=1", "depth=1,blur=30"}
    assert not any(record.faults for record in records)

    start = Match("konane/6x6", "1", "2", 2, openings=find_openings("start", "konane/6x6"))
    list(start.run())
    assert len(start.played) == 2
    assert find_openings("random", "konane/6x6") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1. d2-c3 b4-c4",
        '[Ruleset "konane/6x6"]\n\n*',
        '[FEN "5/5/2x2/5/2o2_x_0"]\n\n1. c3-c4 *',
    ],
)
def test_what_is_no_opening_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(EngineError):
        find_openings(str(path), "alquerque/table")


def test_games_are_legal_and_end_as_the_rules_say() -> None:
    rules = find_rules("konane/6x6")
    player = make_player("depth=2")
    game = play_game(rules, player, player, 0, 1)
    position = Position.start("konane/6x6")
    for text in game.texts():
        position = position.play(text)
    outcome = position.outcome()
    assert outcome
    assert game.result() == (1 if outcome.winner == "x" else 0)


def test_a_third_repetition_comes_before_a_limit_that_counts() -> None:
    rules = find_rules("alquerque/classic")
    for times, points in ((1, 1), (2, 0.5)):
        game = Playing(rules, 1)
        game.state = rules.parse("4o/2x1x/5/5/5 x 99")
        game.moves = rules.successors(game.state)
        game._stood[rules.key(game.moves[0])] = times
        game.play(0)
        assert game.result() == points


def test_a_match_goes_on_after_a_break(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = Match("seega/5x5", "1", "depth=1", 6, tmp_path / "whole.jsonl")
    list(whole.run())
    broken = Match("seega/5x5", "1", "depth=1", 6, path)
    running = broken.run()
    next(running), next(running)
    running.close()
    with path.open("a") as file:
        file.write('3\n{}\n{"match": {"ruleset"')  # not ours, and cut in the middle of a line
    path.write_text(path.read_text() + "\n")
    again = Match("seega/5x5", "1", "depth=1", 6, path)
    assert len(again.open_games()) == 4
    list(again.run())
    assert again.score() == whole.score()
    other = Match("seega/5x5", "2", "depth=1", 6, path)
    assert len(other.open_games()) == 6


@pytest.mark.parametrize("index", ["", "[]", "{}", '{"files": 3}', '{"files": [3]}'])
def test_a_folder_without_tables_is_refused(tmp_path: Path, index: str) -> None:
    (tmp_path / "index.json").write_text(index)
    with pytest.raises(EngineError, match="tables"):
        list(Match("fanorona/dimy", f"depth=1,tables={tmp_path}", "1", 2).run())


def test_a_program_plays_over_the_wire() -> None:
    command = f"program:{sys.executable} -m pyengine rpc;depth=2"
    match = Match("fanorona/dimy", command, "depth=2", 2)
    list(match.run())
    alone = Match("fanorona/dimy", "depth=2", "depth=2", 2)
    list(alone.run())
    assert [game.moves for game in match.played] == [game.moves for game in alone.played]


UGI = """
import sys
from pyengine import Position
from pyengine.ai import Search
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("id name first\\nugiok")
    elif words[0] == "setoption" and words[2] == "Ruleset":
        ruleset = words[4]
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        position = Position.start(ruleset)
        keys = []
        for text in words[3:]:
            keys.append(position.rules.key(position.state))
            position = position.play(text)
    elif words[0] == "go":
        assert words[1:] == ["depth", "2"]
        search = Search(position.rules, position.state, keys, depth=2)
        search.run()
        print("info depth 2\\nbestmove", search.result()["move"])
    sys.stdout.flush()
"""


def test_a_program_plays_by_the_line_protocol(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(UGI)
    match = Match("fanorona/dimy", f"ugi:{sys.executable} {program};depth=2", "depth=2", 2)
    list(match.run())
    alone = Match("fanorona/dimy", "depth=2", "depth=2", 2)
    list(alone.run())
    assert [game.moves for game in match.played] == [game.moves for game in alone.played]


@pytest.mark.parametrize(
    "program",
    [
        "",
        "no-such-program",
        "true",
        "echo hi",
        "echo 3",
        "cat",
        "head -c 9 /dev/zero",
        "printf '\\377\\n'",
        "yes []",
        f"echo {'[' * 5_000}",
    ],
)
def test_a_program_that_does_not_play_is_told_of(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "PATIENCE", 0.5)
    with pytest.raises(EngineError, match="the program") as told:
        list(Match("fanorona/dimy", f"program:{program}", "1", 2).run())
    assert str(told.value).isprintable()
    assert len(str(told.value)) < 200


def script(path: Path, text: str) -> str:
    """The command of a program that speaks UGI."""
    path.write_text(text)
    return f"ugi:{sys.executable} {path};depth=2"


def test_a_program_that_plays_what_is_illegal_is_told_of(tmp_path: Path) -> None:
    player = script(tmp_path / "a.py", UGI.replace('search.result()["move"]', "'a1-a1'"))
    with pytest.raises(EngineError, match="'a1-a1', which is illegal"):
        list(Match("fanorona/dimy", player, "1", 2).run())


def test_a_program_that_hangs_or_never_ends_its_line_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    monkeypatch.setattr(programs, "PATIENCE", 1)
    monkeypatch.setattr(programs, "GRACE", 0.1)
    with pytest.raises(EngineError, match="has not moved for 1 seconds"):
        list(
            Match("fanorona/dimy", script(tmp_path / "a.py", deaf + "time.sleep(99)"), "1", 2).run()
        )
    monkeypatch.setattr(programs, "MOST_LINE", 1_000)
    endless = deaf + "while True: print(end='x' * 100, flush=True)"
    with pytest.raises(EngineError, match="more than 1,000"):
        list(Match("fanorona/dimy", script(tmp_path / "b.py", endless), "1", 2).run())


def test_no_program_is_left_when_the_other_player_cannot_be_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed = []
    close = programs.Program.close

    def noted(program: programs.Program) -> None:
        closed.append(program)
        close(program)

    monkeypatch.setattr(programs.Program, "close", noted)
    with pytest.raises(EngineError, match="cannot be begun"):
        list(Match("fanorona/dimy", "program:true", "program:no-such-program", 2).run())
    assert len(closed) == 1


def test_an_error_comes_whole_out_of_another_process() -> None:
    error = EngineError("params", "level is wrong", name="level")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.as_data()) == (str(error), error.as_data())


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "ugi:true",
        "ugi:true;luck=3",
        "strong",
        "nodes=",
        "colour=3",
        "0",
        "depth=two",
        "blur=-1",
        "depth=1,without=luck",
        f"depth=1,evaluation={__file__}",
    ],
)
def test_bad_players_are_refused(spec: str) -> None:
    with pytest.raises(EngineError):
        list(Match("fanorona/dimy", spec, "1", 2).run())


def test_a_cluster_plays_the_same_games() -> None:
    distributed = pytest.importorskip("dask.distributed")
    here = Match("fanorona/dimy", "depth=1", "depth=2", 12)
    list(here.run())
    there = Match("fanorona/dimy", "depth=1", "depth=2", 12)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        list(there.run(scheduler=cluster.scheduler_address))
    assert there.played == here.played


def test_players_may_know_the_tables_of_endings() -> None:
    folder = Path(__file__).parent.parent / "web" / "tables"
    rules = find_rules("alquerque/table")
    game = Playing(rules, 1)
    # Won, but the next capture is six plies away: too far for a look of one ply.
    game.state = rules.parse("x1x1x/4x/5/o4/2o2_x_0")
    game.moves = rules.successors(game.state)
    tables = Tables()
    for path in folder.glob("alquerque-table.*.bin"):
        tables.add(path.read_bytes())
    values = [tables.probe(rules, state) for state in game.moves]
    knowing = make_player(f"depth=1,tables={folder}").choose(game)
    unknowing = make_player("depth=1").choose(game)
    assert values[knowing] == Value(-1, 5)
    assert values[unknowing] != Value(-1, 5)


def test_scores() -> None:
    even = score(games([1, 0] * 50))
    assert even.mean == 0.5
    assert (even.wins, even.draws, even.losses) == (50, 0, 50)
    sweep = score(games([1] * 100))
    assert sweep.interval()[0] < 0.98 < 1 == sweep.interval()[1]
    assert elo(sweep.mean) == math.inf
    # Pairs that always split say more than single games that vary as much.
    mixed = score(games([1, 1, 0, 0] * 25))
    assert mixed.error > 2 * even.error


def test_the_sequential_test() -> None:
    strong = score(games([1, 1, 1, 0.5] * 25))
    assert log_likelihood_ratio(strong, 0, 50) > SPRT_END
    weak = score(games([0, 0.5, 1, 0, 0.5, 0] * 25))
    assert log_likelihood_ratio(weak, 0, 50) < -SPRT_END
