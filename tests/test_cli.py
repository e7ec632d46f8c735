"""The command line as people and scripts use it: output, exit codes, faults on stderr."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pyengine import __version__, find_rules
from pyengine.__main__ import main
from pyengine.record import Game
from pyengine.terminal import Table
from tests.rulesets import OFFERED

RECORD = """\
[Ruleset "alquerque/table"]
1. c2-c3 c4*c2 {so}

[Ruleset "alquerque/table"]
1. b2-c3 d4-d3
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    path.write_bytes(RECORD.encode() + b"; caf\xe9\n")
    return path


def run(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pyengine", *args]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60)


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert capsys.readouterr().out.split() == OFFERED
    assert main(["games", "-v"]) == 0
    assert "sultan=short" in capsys.readouterr().out


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "alquerque/table", "--moves", "c2-c3 c4xc2"]) == 0
    out = capsys.readouterr().out
    assert " 4  o---o---.---o---o\n    | / | \\ | / | \\ |\n 3  o---o---.---x---x\n" in out
    assert "x to move, 1 legal move\n" in out
    assert main(["show", "alquerque/table", "5/5/5/5/4x_x_0"]) == 0
    assert capsys.readouterr().out.endswith("over: x wins (eliminated)\n")
    assert main(["show", "seega/5x5"]) == 0
    assert " 3  . . * . .\n" in capsys.readouterr().out


@pytest.mark.parametrize("ruleset", OFFERED)
def test_every_board_is_drawn_in_step(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", ruleset]) == 0
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    board = find_rules(ruleset).board
    ranks = [line for line in lines if line[:2].strip()]
    assert len(ranks) == board.rows
    assert all(len(line[4:].replace("-", " ").split()) == board.columns for line in ranks)
    assert max(map(len, lines)) == len(ranks[0])


def test_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["moves", "alquerque/table"]) == 0
    assert capsys.readouterr().out.split() == ["b2-c3", "c2-c3", "d2-c3", "d3-c3"]
    assert main(["moves", "alquerque/table", "--moves", "c2-c3_resign:o"]) == 0
    assert capsys.readouterr().out == ""


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "alquerque/table", "5", "--time"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "29\n"
    assert "leaves/s" in captured.err
    assert main(["perft", "fanorona/tsivy", "2", "--divide"]) == 0
    *moves, total = capsys.readouterr().out.splitlines()
    assert total == "total: 39"
    assert sum(int(line.split(": ")[1]) for line in moves) == 39
    assert main(["perft", "alquerque/table", "0", "--divide"]) == 0
    assert capsys.readouterr().out == "1\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["moves", "chess/fide"], "there is no ruleset 'chess/fide'"),
        (["moves", "alquerque/table", "5/5 x 0"], "the board has 5 rows"),
        (["show", "alquerque/table", "--moves", "c2-c9"], "not a legal move"),
        (["show", "konane/6x6", "--moves", "hello"], "is not a legal move: not a move"),
        (["check", "no/such/file"], "No such file"),
    ],
)
def test_refusals(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(args) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("qirkat: ")
    assert said in captured.err


@pytest.mark.parametrize("args", [[], ["nonsense"], ["perft", "alquerque/table", "-1"], ["moves"]])
def test_wrong_use(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(args)
    assert end.value.code == 2
    assert "usage: qirkat" in capsys.readouterr().err


def test_help_and_version() -> None:
    done = run("--help")
    assert done.returncode == 0
    for command in ("games", "show", "moves", "perft", "play", "check", "convert", "rpc"):
        assert f"\n    {command}" in done.stdout
    assert run("--version").stdout == f"qirkat {__version__}\n"


def test_check(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(record)]) == 1
    captured = capsys.readouterr()
    first, second = captured.out.splitlines()
    assert first.endswith("game 1: ok: alquerque/table, 2 moves, open")
    assert second.endswith("game 2: 1 fault: alquerque/table, 1 move, open")
    assert f"{record}:5:10: game 2: 'd4-d3' is not a legal move" in captured.err
    assert "(perhaps d4xb2)" in captured.err


def test_convert(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.txt"
    assert main(["convert", str(record), "-o", str(out)]) == 1
    text = out.read_text(encoding="utf-8")
    assert "\n1. c2-c3 c4xc2 {so} *\n" in text
    assert "\n1. b2-c3 *\n" in text
    capsys.readouterr()
    assert main(["convert", str(out)]) == 0
    assert capsys.readouterr().out == text
    assert main(["convert", "--to", "json", str(out)]) == 0
    games = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [game["moves"] for game in games] == [["c2-c3", "c4xc2"], ["b2-c3"]]
    assert main(["convert", "--to", "positions", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "ooooo/ooooo/oo1xx/xxxxx/xxxxx x 0",
        "ooooo/ooooo/ooxxx/xx1xx/xxxxx o 1\tc2-c3",
    ]


def test_convert_reads_standard_input_and_a_default_ruleset() -> None:
    done = run("convert", "--ruleset", "konane/8x8", "-", stdin="d5 d4")
    assert done.returncode == 0
    assert done.stdout.endswith("1. d5 d4 *\n\n")
    latin = [sys.executable, "-m", "pyengine", "check", "--ruleset", "konane/8x8", "-"]
    assert subprocess.run(latin, input=b"d5 {caf\xe9} d4", timeout=60).returncode == 0
    assert run("convert", "--ruleset", "konane/1x1", "-").returncode == 1


def test_a_reader_that_stops_early_is_no_fault() -> None:
    script = f"{sys.executable} -m pyengine perft seega/5x5 3 --divide | head -1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("a1: 506\n", "")


# --- play -----------------------------------------------------------------------------------------


def at_table(typed: str, ruleset: str = "alquerque/classic", **more: Any) -> tuple[Table, str]:
    """A table at which these lines were typed, and all that it told."""
    lines = iter(typed.splitlines())
    told: list[str] = []

    def ask(question: str) -> str:
        told.append(question)
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    humans = more.pop("humans", frozenset((0,)))
    game = Game(find_rules(ruleset))
    table = Table(game, humans, level=1, seed=3, ask=ask, tell=told.append, **more)
    table.play()
    return table, "\n".join(told)


def test_play_against_the_computer() -> None:
    table, told = at_table("c2 c3\nmoves\nnonsense\nhelp")
    assert len(table.game.entries) == 2
    assert "o plays" in told
    assert "'nonsense' is not a legal move" in told
    assert "take back" in told


def test_play_as_the_second_side() -> None:
    table, told = at_table("resign", humans=frozenset((1,)))
    assert [entry.side for entry in table.game.entries] == [0, 1]
    assert told.endswith("x wins (resignation)")


def test_undo_takes_back_the_reply_too() -> None:
    table, _ = at_table("undo\nc2c3\nundo")
    assert table.game.entries == []


def test_offers_at_the_table() -> None:
    both = frozenset((0, 1))
    table, told = at_table("draw\nn\nc2-c3\ncount\ny", humans=both)
    assert table.game.texts == [
        *("offer-draw:x", "decline:o", "c2-c3", "offer-count:o", "accept:x"),
    ]
    assert told.endswith("a draw (count)")
    _, told = at_table("count")
    assert "o declines" in told


def test_save(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    _, told = at_table(f"c2c3\nsave {path}\nsave {tmp_path}\nsave")
    assert "[X " not in path.read_text(encoding="utf-8")
    assert '[O "Qirkat, level 1"]' in path.read_text(encoding="utf-8")
    assert "not saved" in told
    assert main(["check", str(path)]) == 0


def test_play_ends_with_its_input() -> None:
    done = run("play", "alquerque/table", "--two", "--moves", "c2-c3", stdin="moves\nquit\n")
    assert done.returncode == 0
    assert "c4xc2" in done.stdout


# --- rpc ------------------------------------------------------------------------------------------


def request(number: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"


def test_rpc_answers_every_line_and_ends() -> None:
    lines = [
        request(1, "state", ruleset="alquerque/table"),
        "\n",
        "not json\n",
        request(2, "perft", ruleset="alquerque/table", depth=5),
        request(3, "search", ruleset="konane/6x6", level=3),
        "\udcff\n",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pyengine", "rpc"],
        input="".join(lines).encode("utf-8", "surrogateescape"),
        capture_output=True,
        timeout=60,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert done.stderr == b""
    assert sorted(str(answer["id"]) for answer in answers) == ["1", "2", "3", "None", "None"]
    assert next(answer for answer in answers if answer["id"] == 2)["result"] == {"leaves": 29}


def test_rpc_hears_a_cancel_while_it_searches() -> None:
    command = [sys.executable, "-m", "pyengine", "rpc"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(request(1, "search", ruleset="surakarta/6x6", depth=99))
        told = json.loads(process.stdout.readline())
        assert told["method"] == "progress"
        process.stdin.write(request(2, "state", ruleset="alquerque/table"))
        process.stdin.write(request(3, "cancel", id=1))
        process.stdin.close()
        answers = [json.loads(line) for line in process.stdout]
    assert {answer["id"] for answer in answers if "id" in answer} == {1, 2, 3}
    assert process.returncode == 0


def test_rpc_refuses_a_message_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyengine import jsonrpc, rpc

    monkeypatch.setattr(rpc, "MAX_MESSAGE", 100)
    monkeypatch.setattr(jsonrpc, "MAX_MESSAGE", 100)
    sink = io.StringIO()
    rpc.serve(io.BytesIO(b"x" * 1000 + b"\n" + request(1, "version").encode()), sink)
    refused, answer = map(json.loads, sink.getvalue().splitlines())
    assert refused["error"]["code"] == -32600
    assert answer["id"] == 1


# --- foreign files and narrow terminals -----------------------------------------------------------


def test_convert_into_the_file_that_it_reads(record: Path) -> None:
    assert main(["convert", str(record), "-o", str(record)]) == 1
    assert "c2-c3 c4xc2" in record.read_text(encoding="utf-8")
    assert [path.name for path in record.parent.iterdir()] == [record.name]


def test_a_failed_convert_leaves_what_was_there(record: Path) -> None:
    before = record.read_bytes()
    assert main(["convert", str(record.parent / "none"), "-o", str(record)]) == 1
    assert record.read_bytes() == before
    assert [path.name for path in record.parent.iterdir()] == [record.name]
    assert main(["convert", str(record), "-o", os.devnull]) == 1
    assert Path(os.devnull).is_char_device()


def test_a_terminal_without_the_letters(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text('[Ruleset "alquerque/table"]\n[X "Ñusta 日"]\n*\n', encoding="utf-8")
    narrow = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "pyengine"]
    done = subprocess.run([*command, "convert", path], capture_output=True, env=narrow, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Ñusta 日" in done.stdout.decode()
    strange = os.fsencode(tmp_path) + b"/\xff\xc3\xb1.txt"
    Path(os.fsdecode(strange)).write_bytes(path.read_bytes())
    done = subprocess.run([*command, "check", strange], capture_output=True, env=narrow, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b": game 1: ok: alquerque/table" in done.stdout


@pytest.mark.parametrize("name", ["a\0b", "n" * 5000])
def test_save_under_a_name_that_no_file_can_have(name: str) -> None:
    _, told = at_table(f"c2c3\nsave {name}")
    assert "not saved" in told


def test_a_match_file_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match"
    path.write_bytes(b"\xff\xfe\x94")
    assert main(["match", "level=1", "level=1", "--games", "2", "--file", str(path)]) == 1
    assert capsys.readouterr().err.startswith("qirkat: ")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("--games 0", 2, "0 is too few"),
        ("--games 7", 2, "7 is odd"),
        ("--jobs 0", 2, "0 is too few"),
        ("--sprt nan 20", 2, "'nan' is not a number of Elo"),
        ("--sprt 0 inf", 2, "'inf' is not a number of Elo"),
        ("--sprt 20 0", 1, "the smaller one first"),
    ],
)
def test_matches_that_cannot_be(
    words: str, code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        found = main(["match", "1", "1", *words.split()])
    except SystemExit as fault:
        found = int(str(fault.code))
    assert found == code
    assert told in capsys.readouterr().err
