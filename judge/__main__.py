"""The command line of the judge: `python -m judge my_player.py`."""

from __future__ import annotations

import sys

if __name__ == "__main__":  # `python -m` searches the current folder first: it may have a csv.py
    sys.path.append(sys.path.pop(0))

import ast
import json
import os
import shlex
import signal
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
from judge import classroom
from judge.functions import Findings, compare
from judge.hearing import Hearing
from judge.lines import one_line
from judge.players import ROOT, Command, Player, PythonFile, Settings
from judge.process import UntestableError
from judge.report import format_report
from judge.verdict import judge
from judge.words import TROUBLES, Report, missing_limits_sentence, untestable_lines

PROGRESS_DELAY = 3.0  # seconds until a slow run shows its progress
PROGRESS_INTERVAL = 0.2  # seconds between updates

INVOCATION = "python -m judge" if Path(ROOT).is_dir() else f"python {Path(ROOT).name}"
DESCRIPTION = f"""\
Play tic-tac-toe programs against every possible reply, and say how many games each
loses, what is wrong, and where to look.

  {INVOCATION} my_player.py          a Python file, unchanged
  {INVOCATION} --run "node my.js"    a program in any language
  {INVOCATION} players/              a class

A Python file defines choose(board) or the seven functions of CS50, or you say how
to call it, such as --call "best_move(board, mark)". A board is nine characters, X, O
and -, row by row from the top left; a square is a number from 0 to 8. With --run, a
program reads one board per line and prints the square, alone on its line. --manual
has the details.

Programs run with your permissions. Don't test one that you would not run yourself.
"""
EPILOG = """\
exit code: 0 if it loses no game and every answer is legal, 1 if not, 2 if it
cannot be tested; for several programs, the highest
"""


def main(arguments: Sequence[str]) -> int:
    """Print the report on one or more programs and return the exit code.

    Raises SystemExit with code 2 if the arguments are invalid or the report cannot be written.
    """
    parser = _build_parser()
    options = parser.parse_args(arguments)
    if options.manual:
        _print(parser, (get_data("judge", "manual.md") or b"").decode().rstrip())
        return 0
    _check_options(parser, options)
    if len(options.files) > 1 or any(Path(path).is_dir() for path in options.files):
        return _report_on_several(parser, options)
    with progress(sys.stderr) as show_progress:
        report = report_on(options, show_progress)
    if options.csv:
        _save_csv(parser, options.csv, [report])
    if options.json:
        text = json.dumps(report)
    else:
        text = report["cannot"] if "cannot" in report else format_report(report, options.site)
    _print(parser, text)
    return classroom.exit_code(report)


def _check_options(parser: ArgumentParser, options: Namespace) -> None:
    """Refuse arguments that contradict each other or have no meaning. Raises SystemExit."""
    if bool(options.files) == bool(options.run):
        parser.error("give files or folders, or --run with a command, but not both")
    if "" in options.files:  # Path("") is the current folder
        parser.error("a file name cannot be empty")
    if not 0 < options.timeout <= 3600 or not options.memory > 0 or not options.limit > 0:
        parser.error("--timeout must be above 0 and at most 3600; --limit and --memory above 0")
    for expression in filter(None, (options.call, options.marks)):
        try:
            body = ast.parse(expression, mode="eval").body
        except (SyntaxError, ValueError) as error:
            parser.error(f"{expression}: {error}")
        if expression == options.marks and len(getattr(body, "elts", ())) != len("XO-"):
            parser.error("--marks takes three values, for X, O and empty, such as 1,-1,0")


def report_on(
    options: Namespace, show_progress: Callable[[int], None], content: bytes | None = None
) -> dict[str, Any]:
    """Return the report on a program, with its exit code, or why it cannot be tested.

    `show_progress` is called with the number of boards tested so far. The file of a Python program
    is read unless its content is given.
    """
    name = options.files[0] if options.files else shlex.join(options.run)
    try:
        with closing(_make_player(options, content)) as player:
            findings = compare(player) if isinstance(player, PythonFile) else Findings()
            marks = () if player.unwritten_functions else player.sides
            report = judge(Hearing(player, marks, show_progress), findings)
    except UntestableError as error:
        return {"program": name, "cannot": "\n".join(untestable_lines(name, error))}
    is_right = not any(report[key] for key in ("lost", "unwritten", "given_up", *TROUBLES))
    return {"program": name, "code": int(not is_right), **report}


def _make_player(options: Namespace, content: bytes | None) -> Player:
    settings = Settings(*(getattr(options, name) for name in Settings._fields))
    if options.run:
        return Command(options.run, settings)
    return PythonFile(options.files[0], settings, content)


def _report_on_several(parser: ArgumentParser, options: Namespace) -> int:
    """Test several programs, print the results and return the highest exit code."""
    paths, left_out_paths = classroom.find_files(options.files)
    contents = classroom.read_all(paths)
    width = max(len(one_line(path)) for path in (*paths, classroom.COLUMNS[0]))

    def test(path: str, content: bytes) -> Report:
        return report_on(Namespace(**vars(options) | {"files": [path]}), lambda _: None, content)

    reports: list[Report] = []
    prints_table = not options.json and options.csv != "-"
    if prints_table:
        _print(parser, classroom.format_row(classroom.COLUMNS, width))
    for report in classroom.run_tests(contents, test, options.jobs):
        reports.append(report)
        if options.json:
            _print(parser, json.dumps(report))
        elif prints_table:
            _print(parser, classroom.format_row(classroom.row_cells(report), width))
    if options.csv:
        _save_csv(parser, options.csv, reports)
    for path in left_out_paths:
        print(f"left out, as it is not a Python program: {one_line(path)}", file=sys.stderr)
    missing_limits = {limit for report in reports for limit in report.get("lacks", ())}
    if missing_limits:
        print(missing_limits_sentence(sorted(missing_limits)), file=sys.stderr)
    if not reports:
        print("nothing was tested: no Python file was found", file=sys.stderr)
    return max(map(classroom.exit_code, reports), default=2)


def _save_csv(parser: ArgumentParser, path: str, reports: Sequence[Report]) -> None:
    """Save the table as CSV, or print it if the path is "-".

    Raises SystemExit if it cannot be written.
    """
    if path == "-":
        _print(parser, classroom.format_csv(reports).rstrip())
        return
    try:
        classroom.save_csv(path, reports)
    except OSError as error:
        parser.exit(2, f"{path} cannot be written: {error.strerror}\n")


def _print(parser: ArgumentParser, text: str) -> None:
    """Print a text. Raises SystemExit if it cannot be written, except to a closed pipe."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the encoding may lack −
    try:
        print(text, flush=True)
    except OSError as error:  # otherwise flushing the rest at exit would also fail
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # a reader such as head may leave early
            parser.exit(2, f"the report cannot be written: {error.strerror}\n")


@contextmanager
def progress(terminal: TextIO | None) -> Iterator[Callable[[int], None]]:
    """Yield a function that shows the progress of a slow run; clear the line at the end."""
    due_time = monotonic() + PROGRESS_DELAY if terminal and terminal.isatty() else inf

    def show(board_count: int) -> None:
        nonlocal due_time
        if monotonic() >= due_time:
            print(f"\r\x1b[K{board_count} boards tested", end="", file=terminal, flush=True)
            due_time = monotonic() + PROGRESS_INTERVAL

    try:
        yield show
    finally:
        if due_time < inf:
            print("\r\x1b[K", end="", file=terminal, flush=True)


def _build_parser() -> ArgumentParser:
    """Return the parser of the command line, with the help text of each option."""
    parser = ArgumentParser(
        prog=INVOCATION,
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="Python files, and folders of Python files")
    add("--call", default="", metavar="EXPRESSION", help="how to call it for a move")
    add("--marks", default="", metavar="X,O,EMPTY", help="its X, O and empty: --marks 1,-1,0")
    add("--run", type=split_command, metavar="COMMAND", help="a command to test, in any language")
    add("--restart", action="store_true", help="with --run: restart the command for each board")
    help_text = "a container to run it in"
    add("--within", type=split_command, default=(), metavar="COMMAND", help=help_text)
    add("--as", dest="mark", choices=(X, O), help="test it as one mark only")
    help_text = "the address of the site, for links to boards"
    add("--site", type=_parse_site, default="", metavar="URL", help=help_text)
    add("--csv", metavar="FILE", help="also write a table for a spreadsheet; - prints it")
    add("--json", action="store_true", help="print JSON; times are in seconds")
    add("--manual", action="store_true", help="print the manual")
    help_text = "for a move; the test stops after three timeouts (default: %(default)g)"
    add("--timeout", type=float, default=60.0, metavar="SECONDS", help=help_text)
    help_text = "for all moves of a program (default: %(default)g)"
    add("--limit", type=float, default=1800.0, metavar="SECONDS", help=help_text)
    help_text = "memory of each process of a program (default: %(default)g)"
    add("--memory", type=float, default=2.0, metavar="GB", help=help_text)
    add("--seed", type=int, default=1, help="the seed of Python's random")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="programs tested at a time")
    return parser


def _parse_site(address: str) -> str:
    return address.rstrip("/")


def split_command(command: str) -> list[str]:
    """Return the parts of a command; on Windows a backslash is not an escape character."""
    return shlex.split(command.replace("\\", "\\\\") if os.name == "nt" else command)


class StopSignal(BaseException):
    """A signal to stop, raised so that the tested program is closed on the way out."""


def raise_stop_signal(number: int, _: object) -> None:
    """Raise StopSignal with the number of the signal."""
    raise StopSignal(number)


def run(arguments: Sequence[str]) -> None:
    """Run the judge and exit with its code, or by the signal that stopped it."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"):
        number = getattr(signal, name, None)  # Windows lacks two of them
        if number and signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, raise_stop_signal)
    try:
        sys.exit(main(arguments))
    except StopSignal as stop:
        [number] = stop.args
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # so that a shell loop around the judge also ends


if __name__ == "__main__":
    run(sys.argv[1:])
