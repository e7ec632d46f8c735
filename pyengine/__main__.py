"""The command line: `python -m pyengine`, installed as `qirkat` (docs/cli.md).

Results go to standard output, faults to standard error. Exit code 0: done; 1: something given was refused; 2: wrong
use of the command line; 130: interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from pyengine import __version__
from pyengine.ai import LEVELS
from pyengine.diagram import SIDES
from pyengine.drawing import draw
from pyengine.errors import EngineError
from pyengine.notation import ReadGame, read_records, write_record
from pyengine.position import perft
from pyengine.record import Game
from pyengine.rpc import serve
from pyengine.rules import find_rules, rulesets
from pyengine.terminal import Table

REFUSED, INTERRUPTED = 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    args = _parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):  # no letter that a terminal lacks ends a command
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except (EngineError, OSError, UnicodeError) as error:
        if isinstance(error, BrokenPipeError):  # the reader, `head` say, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        print(f"qirkat: {error}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="qirkat", description="Rules, records and a computer player for old capture games."
    )
    parser.add_argument("--version", action="version", version=f"qirkat {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    command = commands.add_parser("games", help="list all rulesets")
    command.add_argument("-v", "--verbose", action="store_true", help="with every option's value")
    command.set_defaults(run=_games)

    command = commands.add_parser("show", help="draw a position and tell how it stands")
    _add_position(command)
    command.set_defaults(run=_show)

    command = commands.add_parser("moves", help="list the legal moves of a position")
    _add_position(command)
    command.set_defaults(run=_moves)

    command = commands.add_parser("perft", help="count the move sequences of a length")
    command.add_argument("ruleset", metavar="RULESET")
    command.add_argument("depth", metavar="DEPTH", type=_natural, help="length in plies")
    _add_position(command, ruleset=False)
    command.add_argument("--divide", action="store_true", help="count for each first move")
    command.add_argument("--time", action="store_true", help="tell the time taken, on stderr")
    command.set_defaults(run=_perft)

    command = commands.add_parser("play", help="play in the terminal")
    _add_position(command)
    command.add_argument(
        "--level", type=int, choices=sorted(LEVELS), default=4, help="of the computer; default 4"
    )
    command.add_argument("--side", choices=SIDES, default="x", help="that you play; default x")
    command.add_argument("--two", action="store_true", help="two people, no computer")
    command.add_argument("--seed", type=_natural, help="repeat the computer's choices")
    command.set_defaults(run=_play)

    command = commands.add_parser("check", help="check files of game records")
    _add_files(command)
    command.set_defaults(run=_check)

    command = commands.add_parser("convert", help="write game records in another form")
    _add_files(command)
    command.add_argument(
        "--to",
        choices=("text", "json", "positions"),
        default="text",
        help="canonical records; one JSON object a line; the position after every move",
    )
    command.add_argument("-o", "--output", metavar="FILE", help="instead of standard output")
    command.set_defaults(run=_convert)

    command = commands.add_parser("match", help="let two computer players play a match")
    command.add_argument("a", metavar="A", help="a level, settings or a program (docs/levels.md)")
    command.add_argument("b", metavar="B")
    command.add_argument("--ruleset", default="alquerque/table")
    command.add_argument("--games", type=_even, default=100, help="an even number; default 100")
    command.add_argument(
        "--jobs",
        type=_positive,
        default=os.cpu_count() or 1,
        help="games at a time; default: one for each processor",
    )
    command.add_argument("--scheduler", help="address of a Dask scheduler to play the games on")
    command.add_argument("--seed", type=_natural, default=1, help="of the openings; default 1")
    command.add_argument(
        "--openings",
        metavar="WHICH",
        default="random",
        help="random (default), start, or a file of records whose games are the openings, one a pair",
    )
    command.add_argument("--file", metavar="FILE", help="games, to go on from after a break")
    command.add_argument("--records", metavar="FILE", help="write all games there as records")
    command.add_argument(
        "--sprt", nargs=2, type=_elo, metavar=("ELO0", "ELO1"), help="stop when one is unlikely"
    )
    command.set_defaults(run=_match)

    command = commands.add_parser(
        "rpc", help="serve JSON-RPC 2.0, one message a line (docs/wire.md)"
    )
    command.set_defaults(run=_rpc)
    return parser


def _add_position(command: argparse.ArgumentParser, ruleset: bool = True) -> None:
    if ruleset:
        command.add_argument("ruleset", metavar="RULESET", help="e.g. alquerque/table")
    command.add_argument(
        "position",
        metavar="POSITION",
        nargs="?",
        help="position text, spaces may be _; default: the ruleset's start",
    )
    command.add_argument(
        "--moves", default="", help="moves played from there, with spaces or _ between"
    )


def _add_files(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", metavar="FILE", nargs="+", help="- is standard input")
    command.add_argument("--ruleset", help="for games that do not name theirs")


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 up")
    return int(text)


def _positive(text: str) -> int:
    if not (number := _natural(text)):
        raise argparse.ArgumentTypeError("0 is too few")
    return number


def _even(text: str) -> int:
    number = _positive(text)
    if number % 2:
        message = f"{number} is odd: each opening is played twice, with colours exchanged"
        raise argparse.ArgumentTypeError(message)
    return number


def _elo(text: str) -> float:
    with suppress(ValueError):
        if abs(number := float(text)) <= 1000:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of Elo from -1000 to 1000")


def _game(args: argparse.Namespace) -> Game:
    rules = find_rules(args.ruleset)
    game = Game(rules, None if args.position is None else rules.parse(args.position))
    game.extend(args.moves.replace("_", " ").split())
    return game


def _games(args: argparse.Namespace) -> int:
    for ruleset, _ in rulesets():
        print(ruleset)
        if args.verbose:
            for option in find_rules(ruleset).options():
                choices = " ".join(map(str, option["choices"]))
                print(
                    f"    {option['name']}={option['value']}   {choices and f'of {choices}'}".rstrip()
                )
    return 0


def _show(args: argparse.Namespace) -> int:
    game = _game(args)
    print(draw(game.rules, game.state))
    print()
    print(game.rules.format(game.state))
    outcome = game.outcome
    if outcome is None:
        moves = _counted(len(game.legal_moves), "legal move")
        print(f"{SIDES[game.state[2]]} to move, {moves}")
    else:
        print(f"over: {f'{outcome.winner} wins' if outcome.winner else 'draw'} ({outcome.reason})")
    return 0


def _moves(args: argparse.Namespace) -> int:
    for move in _game(args).legal_moves:
        print(move)
    return 0


def _perft(args: argparse.Namespace) -> int:
    game = _game(args)
    rules, state = game.rules, game.state
    began = time.process_time()
    if args.divide and args.depth:
        total = 0
        for move in game.legal_moves:
            leaves = perft(rules, move.after, args.depth - 1)
            total += leaves
            print(f"{move}: {leaves}", flush=True)
        print(f"total: {total}")
    else:
        total = perft(rules, state, args.depth)
        print(total)
    if args.time:
        took = time.process_time() - began
        print(f"{took:.3f} s, {total / max(took, 1e-9):,.0f} leaves/s", file=sys.stderr)
    return 0


def _play(args: argparse.Namespace) -> int:
    humans = frozenset((0, 1)) if args.two else frozenset((SIDES.index(args.side),))
    seed = random.randrange(1 << 30) if args.seed is None else args.seed
    Table(_game(args), humans, args.level, seed).play()
    return 0


def _check(args: argparse.Namespace) -> int:
    code = 0
    for name in args.files:
        for number, game in enumerate(_read(name, args.ruleset), 1):
            faults, moves = len(game.faults), len(game.record.line.moves)
            told = _counted(faults, "fault") if faults else "ok"
            ended = game.record.result or "open"
            reason = f" ({game.record.reason})" if game.record.reason else ""
            print(
                f"{name}: game {number}: {told}: {game.record.ruleset},"
                f" {_counted(moves, 'move')}, {ended}{reason}"
            )
            if _complain(name, number, game):
                code = REFUSED
    return code


def _convert(args: argparse.Namespace) -> int:
    code = 0
    with _output(args.output) as sink:
        for name in args.files:
            for number, game in enumerate(_read(name, args.ruleset), 1):
                if _complain(name, number, game):
                    code = REFUSED
                sink.write(_converted(game, args.to))
    return code


def _converted(game: ReadGame, form: str) -> str:
    if form == "json":
        return json.dumps(game.record.as_data(), separators=(",", ":")) + "\n"
    try:
        if form == "text":
            return write_record(game.record) + "\n"
        rules = find_rules(game.record.ruleset)
        start = game.record.position
        played = Game(rules, None if start is None else rules.parse(start))
    except EngineError:
        return ""  # its ruleset or start was refused, and that is told already
    lines = [rules.format(played.start)]
    for text in game.record.line.moves:
        entry = played.play(text)
        lines.append(f"{rules.format(entry.after)}\t{entry.text}")
    return "\n".join(lines) + "\n\n"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _complain(name: str, number: int, game: ReadGame) -> bool:
    """Tell the faults of a game; returns whether it has any."""
    for fault in game.faults:
        meant = f" (perhaps {', '.join(fault.candidates)})" if fault.candidates else ""
        place = f"{name}:{fault.line}:{fault.column}"
        print(f"{place}: game {number}: {fault.message}{meant}", file=sys.stderr)
    return bool(game.faults)


def _read(name: str, ruleset: str | None) -> Iterator[ReadGame]:
    if ruleset is not None:
        find_rules(ruleset)  # a wrong one is a fault of the command, not of every game
    source = sys.stdin.fileno() if name == "-" else name
    # A comment in some other encoding must not keep a game from being read.
    with open(source, encoding="utf-8", errors="replace", closefd=name != "-") as file:
        yield from read_records(file, ruleset)


@contextmanager
def _output(name: str | None) -> Iterator[TextIO]:
    """Where to write: a file takes its place when it is whole, so that it may be one of those that are read."""
    if name is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # as the files are read
        yield sys.stdout
        return
    path = Path(name).resolve()
    aside = path if path.exists() and not path.is_file() else path.with_name(f"{path.name}.part")
    try:
        with aside.open("w", encoding="utf-8") as file:
            yield file
        if aside != path:
            aside.replace(path)
    except BaseException:
        if aside != path:
            aside.unlink(missing_ok=True)
        raise


def _match(args: argparse.Namespace) -> int:
    # Not needed by any other command, nor in a browser.
    from pyengine.ai.match import Match, find_openings

    if args.sprt and args.sprt[0] >= args.sprt[1]:
        message = "--sprt takes two Elo differences, the smaller one first, such as 0 20"
        raise EngineError("params", message)
    path = Path(args.file) if args.file else None
    openings = find_openings(args.openings, args.ruleset)
    match = Match(args.ruleset, args.a, args.b, args.games, path, args.seed, openings)
    found = match.score()
    try:
        for found, ratio in match.run(args.jobs, args.sprt, args.scheduler):
            test = "" if ratio is None else f"  log likelihood ratio {ratio:+.2f}"
            told = f"\r{found.games}/{args.games}  {found}{test} "
            print(told, end="", file=sys.stderr, flush=True)
    finally:
        print(file=sys.stderr)
    print(f"{match.ruleset}  {args.a} against {args.b}: {found}")
    if args.records:
        with _output(args.records) as file:
            file.writelines(f"{write_record(record)}\n" for record in match.records())
    return 0


def _rpc(args: argparse.Namespace) -> int:
    serve(sys.stdin.buffer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
