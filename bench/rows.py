"""What the bench measures: each figure with its unit and its bound, which stand nowhere else."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

PAGE = Path(__file__).parents[1] / "docs/measurements.md"
EARLIER = "b7b4fa4"  # of 22 November 2026: what a click may cost is measured by it
# Who asks: a class at once, a few from one address, a crowd; how far away from nginx the class is.
CLASS, FEW, CROWD, LINE = 40, 20, 200, 20  # the last in ms, there and back
NAMES = 64  # by how many names all pages are asked for


class Row(NamedTuple):
    """A figure of docs/measurements.md. Its key begins with the section that measures it."""

    what: str
    unit: str = ""
    at_most: float | None = None


ROWS: Mapping[str, Row] = {
    "click.beside": Row(f"a click, beside the version {EARLIER}, by turns", "times", 0.95),
    "click.served": Row(f"the same over HTTP, beside {EARLIER}, by turns", "times", 0.95),
    "click.calls": Row("functions that a click calls"),
    "click.bytes": Row("what a click brings, compressed", "bytes"),
    "engine.solve": Row("solving the whole game, in a fresh process", "ms", 25),
    "engine.beside": Row("the first reply, beside OpenSpiel's alpha-beta, by turns", "times", 0.7),
    "web.start": Row("a server of two workers, from its start until it answers", "ms", 1500),
    "web.first": Row("its first page, more than a later one", "ms", 30),
    "web.eight": Row("the last of its first eight pages at once, more than later", "ms", 30),
    "web.one": Row("clicks a second of a worker on a core of its own, one client"),
    "web.many": Row("the same, eight clients"),
    "web.bare": Row("the same, beside a route that only counts in the session", "times"),
    "web.workers": Row("two workers beside one, on two cores shared with the client", "times"),
    "web.players": Row("players at once on a core, ten seconds between clicks"),
    "web.largest": Row("making the largest search", "ms", 15),
    "web.largest_bytes": Row("its page, compressed", "bytes", 7168),
    "web.picture": Row("making the picture of a board", "ms"),
    "web.dearest": Row("making the dearest page to be found", "ms", 15),
    "web.dearest_address": Row("its address; numbers in it may be any"),
    "memory.first": Row("memory of two workers, what they share counted once", "MB"),
    "memory.after": Row(f"the same after all pages and pictures by {NAMES} names", "MB", 250),
    "crowd.one": Row(f"`/` behind nginx, {LINE} ms away, opened by one: 95 of 100 within", "ms"),
    "crowd.class": Row(f"the same, by {CLASS} at once: 95 of 100 within", "ms"),
    "crowd.class_times": Row("the second beside the first", "times", 10),
    "crowd.alone": Row("a press behind nginx, nobody else there: 95 of 100 within", "ms"),
    "crowd.twenty": Row(f"beside {FEW} of the dearest page a second, of one address", "times", 10),
    "crowd.crowd": Row(f"beside {CROWD} connections that ask for it, of one address", "times", 10),
    "crowd.many": Row(f"beside {CROWD} connections, each from an address of its own", "times"),
    "crowd.failed": Row("presses without an answer, of all these", "", 0),
    "page.kilobytes": Row("what the first page brings, compressed", "KB", 21),
    "page.requests": Row("requests for it", "", 6),
    "page.scripts": Row("our scripts, compressed by gzip", "bytes", 3072),
    "page.paint": Row("its largest paint on a slow phone and line", "ms", 600),
    "page.click": Row("the slowest click of a game there", "ms", 64),
    "page.shift": Row("how far anything moves by itself there", "", 0),
}
COLUMNS = (
    *("engine", "first reply, fresh process", "later reply", "lines lost"),
    *("wins against random, first", "second", "fastest win taken"),
)

# By the key of a row: what each round measured, or words. By the name of an engine: its cells.
Figures = dict[str, Sequence[float] | str]

HEAD = """\
# Measurements

`make bench` wrote this page, on {machine}.
Each figure is the median of its rounds, the lowest and the highest in brackets; in bold if it is
more than it may be. One part alone is printed by `python -m bench click`,
`python -m bench engine`, `python -m bench web`, `python -m bench memory`, `python -m bench crowd`
or `python -m bench page`.
"""


def machine() -> str:
    """Return what a figure depends on: Python, the system, the processor."""
    models = [line for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    model = models[0].partition(":")[2].strip() if models else platform.machine()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {platform.system()}, {os.cpu_count()} cores of {model}"


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def shown(measured: Sequence[float] | str | None, unit: str = "") -> str:
    """Return the median of what was measured, and between what it was.

    >>> shown([2, 1, 3.5], "ms"), shown([1389.0], "bytes"), shown([0.0, 0.0])
    ('2 ms (1 to 3.50)', '1,389 bytes', '0')
    """
    if measured is None:
        return "not measured"
    if isinstance(measured, str):
        return measured
    low, middle, high = min(measured), median(measured), max(measured)
    text = f"{_number(middle)} {unit}".rstrip()
    return text if low == high else f"{text} ({_number(low)} to {_number(high)})"


def _number(value: float) -> str:
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def bound(row: Row) -> str:
    """Return what a row may be at most, "" if anything."""
    return "" if row.at_most is None else f"{row.at_most:,g} {row.unit}".rstrip()


def judged(row: Row, measured: Sequence[float] | str | None) -> str:
    """Return what was measured, in bold if it is more than it may be."""
    text = shown(measured, row.unit)
    is_more = measured and row.at_most is not None and median(map(float, measured)) > row.at_most
    return f"**{text}**" if is_more else text


def lines(figures: Figures) -> list[str]:
    """Return a line for each figure, as it is printed."""
    found = []
    for key, measured in figures.items():
        if key in ROWS:
            row = ROWS[key]
            most = f", at most {bound(row)}" if row.at_most is not None else ""
            found.append(f"{row.what}: {shown(measured, row.unit)}{most}")
        else:
            found.append(f"{key}: {measured}")
    return found


def page(figures: Figures, machine: str) -> str:
    """Return docs/measurements.md."""
    engines = [(name, str(cells)) for name, cells in figures.items() if name not in ROWS]
    rows = [
        (row.what, judged(row, figures.get(key)), bound(row), f"`{key.partition('.')[0]}`")
        for key, row in ROWS.items()
    ]
    tables = (_table(COLUMNS, engines), _table(("what", "measured", "at most", "part"), rows))
    return "\n".join((HEAD.format(machine=machine), *tables))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    ruled = (head, ["---"] * len(head), *rows)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in ruled)
