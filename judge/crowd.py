"""A class of programs: each judged by a judge of its own, some at a time, within a time.

A row is believed only if it begins with a secret that its judge was given, and no program sees: a
program can cost its own row, and no other.
"""

from __future__ import annotations

import csv
import json
import os
import re
import secrets
import sys
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import Any

from judge.fence import EndedError, Process
from judge.lines import one_line
from judge.report import first_thing
from judge.words import Report, said

ROOT = Path(__file__).parent.parent
LOOK = 0.05  # seconds for each running judge by turns
JUDGES_MEMORY = 64.0  # GB: more than a judge ever takes; its programs have limits of their own
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
            if one.is_dir() or "__pycache__" in below:
                continue
            is_program = (one.suffix == ".py" and one.name != "__init__.py") or not below
            is_shown = not any(part.startswith(".") for part in below)
            (found if is_program and is_shown else left_out).append(str(one))
    return found, left_out


def judged(
    paths: Sequence[str], options: Sequence[str], jobs: int, total: float
) -> Iterator[dict[str, Any]]:
    """Yield the report on each program, as soon as it is there; why not, for those not judged."""
    end, waiting = monotonic() + total, [*paths]
    running: dict[str, Process] = {}
    try:
        while (waiting or running) and monotonic() < end:
            while waiting and len(running) < jobs:
                path = waiting.pop(0)
                running[path] = _start(path, options)
            for path, process in [*running.items()]:
                if report := _report(path, process):
                    running.pop(path).close(1)
                    yield report
    finally:
        for process in running.values():
            process.stop()
    for path in [*running, *waiting]:
        yield {"program": path, "cannot": said(("total over", total))}


def _start(path: str, options: Sequence[str]) -> Process:
    """Start a judge for one program, and tell it the secret that its row is to begin with."""
    secret = secrets.token_hex(16)
    before = filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
    process = Process(
        [sys.executable, "-m", "judge", "--row", *options, "--", path],
        re.compile(f"{secret} .*"),
        JUDGES_MEMORY,
        {"PYTHONPATH": os.pathsep.join(before)},
    )
    process.send(secret, last=True)
    return process


def _report(path: str, process: Process) -> dict[str, Any] | None:
    """Return the report of a judge; why none will come, if so; None while it is at work."""
    try:
        line = process.answer(monotonic() + LOOK)
    except EndedError as ended:
        return {"program": path, "cannot": said(("judge ended", ended.fact))}
    report: dict[str, Any] | None = json.loads(line.partition(" ")[2]) if line else None
    return report


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
