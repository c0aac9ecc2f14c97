"""A class of programs, judged each by a checker of its own, some at a time, within a time."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import Any

from judge.fence import ANYTHING, EndedError, Process
from judge.report import first_thing

ROOT = Path(__file__).parent.parent
LOOK = 0.05  # seconds for each running checker by turns
CHECKER_MEMORY = 64.0  # GB: more than a checker ever takes; its programs have limits of their own
COLUMNS = ("program", "lost as X", "lost as O", "first thing wrong")


def files(paths: Sequence[str]) -> list[str]:
    """Return the Python files in these files and folders, in order."""
    found: list[str] = []
    for path in map(Path, paths):
        inside = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        shown = (one for one in inside if not any(p.startswith(".") for p in one.parts[:-1]))
        found += [str(one) for one in shown if one.name != "__init__.py"]
    return found


def judged(
    paths: Sequence[str],
    options: Sequence[str],
    jobs: int,
    total: float,
    tell: Callable[[int, int], None],
) -> list[dict[str, Any]]:
    """Return what --json tells of each program, in order; why not, for those not judged."""
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    end, waiting = monotonic() + total, [*paths]
    running: dict[str, Process] = {}
    told: dict[str, dict[str, Any]] = {}
    command = [sys.executable, "-m", "judge", "--json", *options]
    try:
        while len(told) < len(paths) and monotonic() < end:
            while waiting and len(running) < jobs:
                path = waiting.pop(0)
                running[path] = Process([*command, path], ANYTHING, CHECKER_MEMORY)
            for path, process in [*running.items()]:
                try:
                    line = process.answer(monotonic() + LOOK)
                except EndedError as ended:
                    line = json.dumps({"program": path, "cannot": str(ended)})
                if line:
                    told[path] = json.loads(line)
                    running.pop(path).close(1)
            tell(len(told), len(paths))
    finally:
        for process in running.values():
            process.stop()
    late = {"cannot": f"not judged: --total {total:g} s were over"}
    return [told.get(path, {"program": path} | late) for path in paths]


def rows(told: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row for each program, the worst first; games that stop are no games survived."""

    def bad(one: Mapping[str, Any]) -> tuple[bool, float]:
        return "cannot" not in one, -(one["lost"] + one["stopped"]) if "lost" in one else 0

    for one in sorted(told, key=bad):
        if "cannot" in one:
            yield one["program"], "", "", one["cannot"].splitlines()[0]
            continue
        lost = {}
        for mark in "XO":
            side = one["sides"].get(mark)
            if side:
                games = sum(side[end] for end in ("won", "drawn", "lost"))
                stops = f", {side['stopped']} stopped" if side["stopped"] else ""
                lost[mark] = f"{side['lost']} of {games}{stops}"
        yield one["program"], lost.get("X", ""), lost.get("O", ""), first_thing(one)


def as_table(told: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows as columns of text."""
    lines = [COLUMNS, *rows(told)]
    wide = [max(len(line[n]) for line in lines) for n in range(3)]
    return "\n".join(
        "  ".join([*(line[n].ljust(wide[n]) for n in range(3)), line[3]]) for line in lines
    )


def as_csv(told: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows as CSV."""
    written = StringIO()
    csv.writer(written, lineterminator="\n").writerows([COLUMNS, *rows(told)])
    return written.getvalue().rstrip("\n")


def code(told: Sequence[Mapping[str, Any]]) -> int:
    """Return the exit code of all: the highest."""
    codes = [2 if "cannot" in one else one["code"] for one in told]
    return max(codes, default=0)
