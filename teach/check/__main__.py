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
    try:
        print(report, flush=True)
    except BrokenPipeError:  # the reader has left; what is still kept would fail at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return int(any(told[key] for key in ("lost", *TROUBLES)))


@contextmanager
def progress(terminal: TextIO) -> Iterator[Callable[[int], None]]:
    """Show in a slow run how many positions have been asked, if somebody sees it; then clear it."""
    due = monotonic() + SLOW if terminal.isatty() else inf

    def tell(asked: int) -> None:
        nonlocal due
        if monotonic() >= due:
            print(f"\r{asked} positions asked …", end="", file=terminal, flush=True)
            due = monotonic() + OFTEN

    yield tell
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


def end(number: int, _: object) -> None:
    """End on a signal as at the end of the report: with the program."""
    sys.exit(128 + number)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    sys.exit(main(sys.argv[1:]))
