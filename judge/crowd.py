"""A class of programs: some judged at a time, each in a process of its own, a row for each."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from io import StringIO
from pathlib import Path
from threading import TIMEOUT_MAX, Timer

from judge import process
from judge.lines import one_line, reason
from judge.process import LOOK
from judge.report import first_thing
from judge.words import Report, said

COLUMNS = ("program", "lost as X", "lost as O", "first thing wrong")
WIDTH = 12  # characters of the columns in the middle
FORMULA = ("=", "+", "-", "@")  # how a cell begins that a spreadsheet would work out


def files(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the Python files in these files and folders, in order, and the files left out."""
    found: list[str] = []
    left_out: list[str] = []
    for path in map(Path, paths):
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for one in inside:
            below = one.relative_to(path).parts if path.is_dir() else ()
            if one.is_dir() or "__pycache__" in below or one.suffix == ".pyz":  # the judge's own
                continue
            is_program = (one.suffix == ".py" and one.name != "__init__.py") or not below
            is_shown = not any(part.startswith(".") for part in below)
            (found if is_program and is_shown else left_out).append(str(one))
    return found, left_out


def judged(
    paths: Sequence[str], judge: Callable[[str], Report], jobs: int, total: float
) -> Iterator[Report]:
    """Yield the report on each program, in order; why there is none, for those not judged."""

    def report(path: str) -> Report:
        try:
            told = judge(path)
        except Exception as error:  # it costs its own row alone
            told = {"program": path, "cannot": said(("judge failed", reason(error)))}
        is_over = process.OVER.is_set()
        return {"program": path, "cannot": said(("total over", total))} if is_over else told

    timer = Timer(min(total, TIMEOUT_MAX), process.end_all)
    timer.daemon = True
    timer.start()
    pool = ThreadPoolExecutor(jobs)
    try:
        for one in [pool.submit(report, path) for path in paths]:
            while not wait([one], LOOK).done:
                pass
            yield one.result()
    finally:  # whatever signal comes meanwhile
        timer.cancel()
        process.end_all()
        pool.shutdown(cancel_futures=True)
        process.OVER.clear()


def row(report: Report) -> tuple[str, str, str, str]:
    """Return a program's row; games that stop are no games survived."""
    if "cannot" in report:
        return report["program"], "", "", report["cannot"].splitlines()[0]
    lost = {}
    for mark, side in report["sides"].items():
        games = sum(side[end] for end in ("won", "drawn", "lost"))
        stops = f", {side['stopped']} stopped" if side["stopped"] else ""
        lost[mark] = f"{side['lost']} of {games}{stops}"
    return report["program"], lost.get("X", ""), lost.get("O", ""), first_thing(report)


def in_columns(cells: Sequence[str], wide: int) -> str:
    """Return a row as columns of text, whatever the names of files hold."""
    program, x, o, first = map(one_line, cells)
    return f"{program:{wide}}  {x:{WIDTH}}  {o:{WIDTH}}  {first}"


def as_csv(cells: Sequence[str]) -> str:
    """Return a row as CSV, of which a spreadsheet takes no cell for a formula.

    >>> as_csv(["=1+1.py", "", "", "it, too"])
    '\\'=1+1.py,,,"it, too"'
    """
    written = StringIO()
    clean = [f"'{one}" if one.startswith(FORMULA) else one for one in map(one_line, cells)]
    csv.writer(written, lineterminator="").writerow(clean)
    return written.getvalue()


def code(report: Report) -> int:
    """Return the exit code of a program."""
    return 2 if "cannot" in report else int(report["code"])
