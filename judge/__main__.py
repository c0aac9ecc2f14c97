"""Any program judged at the prompt: `python -m judge my_player.py`."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from io import TextIOWrapper
from math import inf
from pathlib import Path
from pkgutil import get_data
from time import monotonic
from typing import Any, TextIO

from engine.position import O, X
from judge import crowd
from judge.functions import Findings, compare
from judge.hearing import Hearing
from judge.lines import one_line
from judge.players import ROOT, Command, NoCall, Player, PythonFile, Settings
from judge.process import NoStart
from judge.report import in_one_line, in_words
from judge.verdict import judge
from judge.words import TROUBLES, Report, not_asked, said

SLOW, OFTEN = 3.0, 0.2  # seconds until a slow run shows how far it is, and from look to look

ME = "python -m judge" if Path(ROOT).is_dir() else f"python3 {Path(ROOT).name}"
DESCRIPTION = f"""\
Judge tic-tac-toe programs: play each against every reply, and say which function
is wrong, what it loses, and which mistake it plays as.

  {ME} my_player.py          Python, as it stands
  {ME} --run "node my.js"    any language, by lines
  {ME} players/ --csv        a class

It finds out how to ask a Python file: choose(board); the seven functions of the
course; a function such as best_move, with a board or a board and a mark. Where
that is not enough: --call "best_move(board, 9, True)". By lines, a board is nine
of X, O and -, row by row from the top left, and the answer a square from 0 to 8,
alone on its line. --manual tells more.

Programs run with your rights: judge none that you would not run yourself.
"""
EPILOG = """\
exit code: 0 where it loses no game and every answer is legal, 1 where not, 2
where it cannot be asked; of several programs, the highest
"""


def main(arguments: Sequence[str]) -> int:
    """Print the report on one program or more, and return the exit code.

    Raises SystemExit, with code 2, if the arguments make no sense or the report is not written.
    """
    parser = _parser()
    settings = parser.parse_args(arguments)
    if settings.manual:
        _write(parser, (get_data("judge", "manual.md") or b"").decode().rstrip())
        return 0
    if bool(settings.files) == bool(settings.run):
        parser.error("it takes files and folders, or --run with a command")
    if "" in settings.files:  # a path to the current folder
        parser.error("a file has a name")
    if not 0 < settings.timeout <= 3600 or not settings.memory > 0 or not settings.total > 0:
        parser.error("a time-out is above 0 and at most 3600 seconds; limits are above 0")
    if len(settings.files) > 1 or any(Path(path).is_dir() for path in settings.files):
        return _several(parser, settings)
    with progress(sys.stderr) as show:
        report = one(settings, show)
    if settings.json:
        text = json.dumps(report)
    elif settings.csv:
        text = crowd.as_csv(crowd.row(report))
    elif "cannot" in report:
        print(f"{report['program']} cannot be asked: {report['cannot']}", file=sys.stderr)
        return _adapted(parser, settings, report)
    else:
        text = (in_one_line if settings.brief else in_words)(report["program"], report)
    _write(parser, text)
    return crowd.code(report)


def _adapted(parser: ArgumentParser, settings: Namespace, report: Report) -> int:
    """Write the adapter of a file that cannot be asked beside it, if wanted; return 2."""
    if settings.adapter and report["adapter"]:
        path = Path(report["program"])
        beside = path.with_name(f"{path.stem}_adapter.py")
        try:
            with beside.open("x") as file:
                file.write(report["adapter"])
        except OSError as error:
            parser.error(f"{beside}: {error.strerror}")
        print(f"Complete {beside}, and judge that.", file=sys.stderr)
    return 2


def one(settings: Namespace, show: Callable[[int], None]) -> dict[str, Any]:
    """Return the report on a program, with the exit code; the reason, if nothing can be asked."""
    name = settings.files[0] if settings.files else shlex.join(settings.run)
    try:
        with closing(_player(settings)) as player:
            marks = [mark for mark in player.sides if mark in (settings.mark or (X, O))]
            findings = compare(player) if isinstance(player, PythonFile) else Findings()
            report = judge(Hearing(player, marks or player.sides, show), findings)
    except NoCall as error:
        why = not_asked(name, error.why)
        return {"program": name, "cannot": why, "adapter": error.why.get("adapter", "")}
    except NoStart as error:
        return {"program": name, "cannot": said(error.fact), "adapter": ""}
    return {"program": name, "code": int(any(report[key] for key in ("lost", *TROUBLES))), **report}


def _player(settings: Namespace) -> Player:
    asked = Settings(*(getattr(settings, name) for name in Settings._fields))
    return Command(settings.run, asked) if settings.run else PythonFile(settings.files[0], asked)


def _several(parser: ArgumentParser, settings: Namespace) -> int:
    """Print a row for each program, in order, once it is judged; return the highest exit code."""
    paths, left_out = crowd.files(settings.files)
    wide = max(len(one_line(path)) for path in (*paths, crowd.COLUMNS[0]))

    def judge_one(path: str) -> Report:
        return one(Namespace(**vars(settings) | {"files": [path]}), lambda _: None)

    def show(cells: Sequence[str]) -> None:
        _write(parser, crowd.as_csv(cells) if settings.csv else crowd.in_columns(cells, wide))

    codes = []
    if not settings.json:
        show(crowd.COLUMNS)
    for report in crowd.judged(paths, judge_one, settings.jobs, settings.total):
        codes.append(crowd.code(report))
        if settings.json:
            _write(parser, json.dumps(report))
        else:
            show(crowd.row(report))
    for path in left_out:
        print(f"left out, as it is no Python file of a class: {one_line(path)}", file=sys.stderr)
    if not codes:
        print("nothing was judged: no Python file was found", file=sys.stderr)
    return max(codes, default=2)


def _write(parser: ArgumentParser, text: str) -> None:
    """Print a report. Raises SystemExit if it cannot be written."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # rather than fail at a −
    try:
        print(text, flush=True)
    except OSError as error:  # what is still kept would fail at the end, too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # the reader has left
            parser.exit(2, f"the report cannot be written: {error.strerror}\n")


@contextmanager
def progress(terminal: TextIO | None) -> Iterator[Callable[[int], None]]:
    """Show in a slow run how many boards were asked; then clear the line."""
    due = monotonic() + SLOW if terminal and terminal.isatty() else inf

    def show(asked: int) -> None:
        nonlocal due
        if monotonic() >= due:
            print(f"\r\x1b[K{asked} boards asked", end="", file=terminal, flush=True)
            due = monotonic() + OFTEN

    try:
        yield show
    finally:
        if due < inf:
            print("\r\x1b[K", end="", file=terminal, flush=True)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog=ME,
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="Python files, and folders of Python files")
    add("--run", type=split, metavar="COMMAND", help="a command to ask by lines")
    add("--anew", action="store_true", help="with --run: start the command for each board")
    add("--as", dest="mark", choices=(X, O), help="judge it as one mark only")
    add("--call", default="", metavar="CALL", help="the function, Class.method, or whole call")
    add("--adapter", action="store_true", help="write an adapter beside a file it cannot ask")
    add(
        "--from",
        dest="first",
        type=int,
        choices=(0, 1),
        default=0,
        help="the number of its first square",
    )
    add("--manual", action="store_true", help="print all there is to know, and leave")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--brief", action="store_true", help="print one line")
    form.add_argument("--json", action="store_true", help="print JSON; times are in seconds")
    form.add_argument("--csv", action="store_true", help="print a table for a spreadsheet")
    most = "for a move; after three time-outs the program is given up (default: %(default)g)"
    add("--timeout", type=float, default=60.0, metavar="SECONDS", help=most)
    most = "of memory, for a program (default: %(default)g)"
    add("--memory", type=float, default=2.0, metavar="GB", help=most)
    add("--seed", type=int, default=1, help="of Python's random, before the file is loaded")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="programs judged at a time")
    all_of_them = "for all programs; what is left is not judged (default: no limit)"
    add("--total", type=float, default=inf, metavar="SECONDS", help=all_of_them)
    return parser


def split(command: str) -> list[str]:
    """Return the parts of a command; on Windows a backslash is no more than that."""
    return shlex.split(command.replace("\\", "\\\\") if os.name == "nt" else command)


class Ended(BaseException):
    """Tell of a signal, on the way to the end of the program that is judged."""


def on_signal(number: int, _: object) -> None:
    """Leave whatever is done. Raises Ended."""
    raise Ended(number)


def run_to_the_end(arguments: Sequence[str]) -> None:
    """Exit with the code of the report, or by a signal that comes: then with the program."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"):
        number = getattr(signal, name, None)  # Windows has two of them
        if number and signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, on_signal)
    try:
        sys.exit(main(arguments))
    except Ended as ended:
        [number] = ended.args
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # a loop around the judge ends, too


if __name__ == "__main__":
    run_to_the_end(sys.argv[1:])
