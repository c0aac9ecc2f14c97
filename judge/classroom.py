"""A class of programs, tested in parallel: each has its own process, and a row of the table."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from io import StringIO
from pathlib import Path
from tempfile import NamedTemporaryFile

from judge import process
from judge.lines import describe_error, one_line
from judge.players import read_file
from judge.process import POLL, UntestableError
from judge.report import first_line
from judge.source import COURSE
from judge.words import GAME_RESULTS, Report, fact_text

COLUMNS = ("program", "result", "games", "lost", "stopped", "first line of the report")
FUNCTION_COLUMNS = COURSE[:-1]  # columns of the CSV file; minimax has none, as games test it
NUMBER_WIDTH = 7  # characters of each column with a number
FORMULA_STARTS = ("=", "+", "-", "@")  # starts of cells that a spreadsheet would calculate
IGNORED_SUFFIXES = {".pyz", ".pyc"}
SKIPPED_FOLDERS = {"__pycache__", "site-packages", "node_modules", "__MACOSX"}

Contents = Mapping[str, bytes | UntestableError]  # by path; an error if it cannot be read


def find_files(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the programs among these files and in these folders, and the files left out; sorted.

    A file given by its own path is always a program. A packed judge and compiled files are ignored.
    """
    programs: list[str] = []
    left_out: list[str] = []
    for path in map(Path, paths):
        if not path.is_dir():
            programs.append(str(path))
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not _is_skipped(Path(folder, name)))
            for name in names:
                file = Path(folder, name)
                if file.suffix == ".py" and name != "__init__.py" and name[0] != ".":
                    programs.append(str(file))
                elif file.suffix not in IGNORED_SUFFIXES:
                    left_out.append(str(file))
    return sorted(programs), sorted(left_out)


def _is_skipped(folder: Path) -> bool:
    """Return whether a folder holds other people's code, or is hidden."""
    is_environment = (folder / "pyvenv.cfg").exists()
    return folder.name in SKIPPED_FOLDERS or folder.name.startswith(".") or is_environment


def read_all(paths: Sequence[str]) -> Contents:
    """Return the content of each file or the error; all are read before any of them runs."""
    contents: dict[str, bytes | UntestableError] = {}
    for path in paths:
        try:
            contents[path] = read_file(path)
        except UntestableError as error:
            contents[path] = error
    return contents


def run_tests(
    contents: Contents, test: Callable[[str, bytes], Report], jobs: int
) -> Iterator[Report]:
    """Yield the report on each program, in order, while up to `jobs` are tested at a time."""

    def test_or_excuse(path: str) -> Report:
        content = contents[path]
        if isinstance(content, UntestableError):
            return {"program": path, "cannot": f"Cannot be tested: {fact_text(content.fact)}."}
        try:
            return test(path, content)
        except Exception as error:  # an error of the judge costs only this row
            return {"program": path, "cannot": fact_text(("judge failed", describe_error(error)))}

    pool = ThreadPoolExecutor(jobs)
    try:
        for future in [pool.submit(test_or_excuse, path) for path in contents]:
            while not wait([future], POLL).done:  # in steps, so that Ctrl-C works on Windows
                pass
            yield future.result()
    finally:  # also on a signal
        process.end_all()
        pool.shutdown(cancel_futures=True)
        process.STOPPED.clear()


def row_cells(report: Report) -> tuple[str, ...]:
    """Return the cells of a program's row, in the order of COLUMNS."""
    if "cannot" in report:
        return report["program"], "fail", "", "", "", report["cannot"].splitlines()[0]
    games = sum(report[result] for result in GAME_RESULTS)
    numbers = (str(games), str(report["lost"]), str(report["stopped"]))
    return report["program"], pass_or_fail(report), *numbers, first_line(report)


def pass_or_fail(report: Report) -> str:
    """Return "pass" if the exit code of a program is 0, otherwise "fail"."""
    return "fail" if exit_code(report) else "pass"


def format_row(cells: Sequence[str], width: int) -> str:
    """Return a row as columns of text, the first of them `width` characters wide."""
    program, result, *numbers, report_line = map(one_line, cells)
    columns = "  ".join(f"{number:>{NUMBER_WIDTH}}" for number in numbers)
    return f"{program:{width}}  {result:6}  {columns}  {report_line}"


def format_csv(reports: Sequence[Report]) -> str:
    """Return the CSV table, sorted by program, with a column for each function of the course."""
    output = StringIO()
    table = csv.writer(output, lineterminator="\n")
    table.writerow((*COLUMNS[:-1], "lost as X", "lost as O", *FUNCTION_COLUMNS, COLUMNS[-1]))
    for report in sorted(reports, key=lambda report: str(report["program"])):
        *cells, report_line = row_cells(report)
        sides = report.get("sides", {})
        cells += [str(sides[mark]["lost"]) if mark in sides else "" for mark in "XO"]
        cells += [_function_result(name, report) for name in FUNCTION_COLUMNS]
        cells.append(report_line)
        table.writerow(map(_spreadsheet_text, cells))
    return output.getvalue()


def _function_result(name: str, report: Report) -> str:
    """Return "pass" or "fail" for a function of the course, or "" if it was not compared."""
    failing = [*report.get("unwritten", ())]
    for function in report.get("wrong", ()):
        failing += [function["name"], *function["affected"]]
    if name in failing:
        return "fail"
    return "pass" if name in report.get("right", ()) else ""


def _spreadsheet_text(cell: str) -> str:
    """Return a cell as one line that a spreadsheet does not take for a formula.

    >>> _spreadsheet_text("=1+1.py")
    "'=1+1.py"
    """
    line = one_line(cell)
    return f"'{line}" if line.startswith(FORMULA_STARTS) else line


def save_csv(path: str, reports: Sequence[Report]) -> None:
    """Save the table as CSV, replacing the file atomically. Raises OSError if that fails."""
    target = Path(path).resolve()
    with NamedTemporaryFile(
        "w", encoding="utf-8-sig", newline="", dir=target.parent, delete=False
    ) as file:
        file.write(format_csv(reports))
    os.replace(file.name, target)  # replaces whatever has appeared there in the meantime


def exit_code(report: Report) -> int:
    """Return the exit code of a program."""
    return 2 if "cannot" in report else int(report["code"])
