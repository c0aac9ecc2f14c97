"""Any program judged at the prompt: `python -m teach.check my_player.py`."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from io import TextIOWrapper
from math import inf
from time import monotonic
from typing import TextIO

from engine.position import O, X
from teach.check.ask import NoStart, Player
from teach.check.judge import TROUBLES, Exam, judge
from teach.check.report import in_one_line, in_words

SLOW, OFTEN = 2.0, 0.2  # seconds until a run counts its positions, and from count to count

DESCRIPTION = """\
Judge a tic-tac-toe program: play it against every reply, and say what it loses,
which moves could be better, and which mistake it plays as.

  python -m teach.check my_player.py          a function choose(board) -> square
  python -m teach.check --run "node my.js"    any language, by lines

A board is nine of X, O and -, row by row from the top left: X moves first, and
the side to move is the program's. A square is a number from 0 to 8. With --run
each board is a line in and the square a line out, with nothing else on it; other
lines are passed over. docs/check.md has adapters of five lines.

The program runs with your rights: judge none that you would not run yourself.
"""
EPILOG = """\
exit code: 0 where it loses no game and every answer is legal, 1 where not, 2
where it cannot be started
"""


def main(arguments: Sequence[str]) -> int:
    """Print the report on a program, and return the exit code.

    Raises SystemExit, with code 2, if no program can be started.
    """
    parser = _parser()
    settings = parser.parse_args(arguments)
    name = settings.file or shlex.join(settings.run or ())
    if not name or not 0 < settings.timeout <= 3600:
        parser.error("it takes a program, and a time-out above 0 and of at most 3600 seconds")
    try:
        with (
            closing(Player(settings.file or settings.run, settings.timeout)) as player,
            progress(sys.stderr) as tell,
        ):
            told = judge(Exam(player, settings.marks or (X, O), tell))
    except NoStart as error:
        parser.exit(2, f"{name} cannot be started: {error}\n")
    if settings.json:
        report = json.dumps({"program": name, **told})
    else:
        report = (in_one_line if settings.brief else in_words)(name, told)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # rather than fail at a −
    try:
        print(report, flush=True)
    except OSError as error:  # what is still kept would fail at the end, too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # which says that the reader has left
            parser.exit(2, f"the report cannot be written: {error.strerror}\n")
    return int(any(told[key] for key in ("lost", *TROUBLES)))


@contextmanager
def progress(terminal: TextIO | None) -> Iterator[Callable[[int], None]]:
    """Show in a slow run how many positions have been asked, if somebody sees it; then clear it."""
    due = monotonic() + SLOW if terminal and terminal.isatty() else inf

    def tell(asked: int) -> None:
        nonlocal due
        if monotonic() >= due:
            print(f"\r{asked} positions asked …", end="", file=terminal, flush=True)
            due = monotonic() + OFTEN

    try:
        yield tell
    finally:
        if due < inf:
            print("\r\x1b[K", end="", file=terminal, flush=True)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m teach.check",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    program = parser.add_mutually_exclusive_group(required=True)
    program.add_argument("file", nargs="?", help="a Python file with a function choose(board)")
    program.add_argument("--run", type=shlex.split, metavar="COMMAND", help="a command to run")
    parser.add_argument("--as", dest="marks", choices=[X, O], help="judge it as one mark only")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--brief", action="store_true", help="print one line")
    form.add_argument("--json", action="store_true", help="print JSON; times are in seconds")
    most = "for a move; after three time-outs the program is given up (default: %(default)g)"
    parser.add_argument("--timeout", type=float, default=20.0, metavar="SECONDS", help=most)
    return parser


class Ended(BaseException):
    """Tell of a signal, on the way to the end of the program that is judged."""


def on_signal(number: int, _: object) -> None:
    """Leave whatever is done. Raises Ended."""
    raise Ended(number)


def run(arguments: Sequence[str]) -> None:
    """Exit with the code of the report, or by a signal that comes: then with the program."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, on_signal)
    try:
        sys.exit(main(arguments))
    except Ended as ended:
        [number] = ended.args
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # so that a loop around it ends, too


if __name__ == "__main__":
    run(sys.argv[1:])
