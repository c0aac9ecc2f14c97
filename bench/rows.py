"""What the bench measures: each figure with its unit and its limit, and docs/measurements.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

MEASUREMENTS_PATH = Path(__file__).parents[1] / "docs/measurements.md"
EARLIER_REVISION = "b7b4fa4"  # of 22 November 2026; clicks are compared with its clicks
CLASS_SIZE = 40  # visitors who open the game at once
LINE_DELAY = 20  # milliseconds of a visitor's round trip to nginx
FEW_CONNECTIONS = 20  # each requests the most expensive page once per second
MANY_CONNECTIONS = 200
HOST_COUNT = 64  # host names among which the requests for all pages are divided


class Row(NamedTuple):
    """A row of docs/measurements.md, which has one figure."""

    label: str
    unit: str = ""
    limit: float | None = None  # the figure should not be higher


# The part of a key before the dot is the section that measures the figure.
ROWS: Mapping[str, Row] = {
    "click.beside": Row(
        f"processor time of a click, relative to version {EARLIER_REVISION}", "times", 0.8
    ),
    "click.served": Row(f"the same over HTTP, relative to {EARLIER_REVISION}", "times", 0.95),
    "click.calls": Row("functions called in a click"),
    "click.bytes": Row("response to a click, compressed", "bytes"),
    "engine.solve": Row("solving the whole game in a new process", "ms", 25),
    "engine.beside": Row("first reply, relative to OpenSpiel's alpha-beta", "times", 0.7),
    "web.start": Row("from the start of a server with two workers to its first answer", "ms", 1500),
    "web.first": Row("extra time for its first page", "ms", 30),
    "web.eight": Row("extra time for the last of its first eight pages at once", "ms", 30),
    "web.one": Row("clicks per second, one worker on its own core, one client"),
    "web.many": Row("the same with eight clients"),
    "web.bare": Row("one client, relative to a route that only counts in the session", "times"),
    "web.workers": Row("two workers relative to one, the client on the same cores", "times"),
    "web.players": Row("players per core, each clicking every ten seconds"),
    "web.largest": Row("making the largest search page", "ms", 15),
    "web.largest_bytes": Row("that page, compressed", "bytes", 7168),
    "web.picture": Row("drawing the picture of a board", "ms"),
    "web.most_expensive": Row("making the most expensive page of all kinds", "ms", 15),
    "web.most_expensive_address": Row("its address"),
    "memory.first": Row("memory of two workers at first, shared memory counted once", "MB"),
    "memory.after": Row(f"after every page and picture by {HOST_COUNT} names", "MB", 250),
    "crowd.one": Row(
        f"opening `/` behind nginx, {LINE_DELAY} ms away: 95th percentile, alone", "ms"
    ),
    "crowd.class": Row(f"the same when {CLASS_SIZE} visitors open it at once", "ms"),
    "crowd.class_ratio": Row("the second relative to the first", "times", 10),
    "crowd.alone": Row("a player's click behind nginx: 95th percentile, alone", "ms"),
    "crowd.few": Row(
        f"beside {FEW_CONNECTIONS} requests per second for the most expensive page,"
        " from one address",
        "times",
        10,
    ),
    "crowd.one_address": Row(
        f"beside {MANY_CONNECTIONS} connections that request it once per second, from one address",
        "times",
        10,
    ),
    "crowd.own_addresses": Row(
        f"beside {MANY_CONNECTIONS} such connections, each from its own address", "times"
    ),
    "crowd.failed": Row("clicks without an answer, of all these", "", 0),
    "page.kilobytes": Row("first load of the game, compressed", "KB", 22),
    "page.requests": Row("requests in the first load", "", 6),
    "page.scripts": Row("our scripts, compressed by gzip", "bytes", 3072),
    "page.paint": Row("largest contentful paint, slow phone and line", "ms", 600),
    "page.click": Row("slowest click in a game there", "ms", 64),
    "page.shift": Row("cumulative layout shift there", "", 0),
}
# The columns of the table of engines.
COLUMNS = (
    "engine",
    "first reply, new process",
    "later reply",
    "games lost",
    "wins against random, moving first",
    "moving second",
    "fastest win taken",
)

# For each key of ROWS, the measurements of all rounds, or a text. For the name of each engine, its
# other cells in the table of engines.
Figures = dict[str, Sequence[float] | str]

HEAD = """\
# Measurements

`make bench` wrote this page, on {machine}.
Each figure is the median of its rounds, with the lowest and the highest in brackets; a figure above
its limit is bold. To measure only one part, run `python -m bench click`, `python -m bench engine`,
`python -m bench web`, `python -m bench memory`, `python -m bench crowd` or
`python -m bench page`.
"""


def describe_machine() -> str:
    """Return the Python, the system and the processor of this machine."""
    models = [line for line in _read_lines("/proc/cpuinfo") if line.startswith("model name")]
    model = models[0].partition(":")[2].strip() if models else platform.machine()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {platform.system()}, {os.cpu_count()} cores of {model}"


def _read_lines(path: str) -> list[str]:
    """Return the lines of a file, or none if it cannot be read."""
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def format_figure(figure: Sequence[float] | str | None, unit: str = "") -> str:
    """Return the median with its unit, then the lowest and the highest.

    >>> format_figure([2, 1, 3.5], "ms"), format_figure([1389.0], "bytes")
    ('2 ms (1 to 3.50)', '1,389 bytes')
    """
    if figure is None:
        return "not measured"
    if isinstance(figure, str):
        return figure
    low, middle, high = min(figure), median(figure), max(figure)
    text = f"{_format_number(middle)} {unit}".rstrip()
    return text if low == high else f"{text} ({_format_number(low)} to {_format_number(high)})"


def _format_number(value: float) -> str:
    """Return a number as text; unless it is whole, the smaller it is, the more decimals it has."""
    if value == int(value) or value >= 100:
        return f"{value:,.0f}"
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.1g}"


def format_limit(row: Row) -> str:
    """Return the limit of a row with its unit, or "" if it has none."""
    return "" if row.limit is None else f"{row.limit:,g} {row.unit}".rstrip()


def format_cell(row: Row, figure: Sequence[float] | str | None) -> str:
    """Return the figure of a row, in bold if it is above its limit."""
    text = format_figure(figure, row.unit)
    exceeds_limit = figure and row.limit is not None and median(map(float, figure)) > row.limit
    return f"**{text}**" if exceeds_limit else text


def report_lines(figures: Figures) -> list[str]:
    """Return a line of text for each figure, to be printed."""
    lines = []
    for key, figure in figures.items():
        if key in ROWS:
            row = ROWS[key]
            limit = f", at most {format_limit(row)}" if row.limit is not None else ""
            lines.append(f"{row.label}: {format_figure(figure, row.unit)}{limit}")
        else:
            lines.append(f"{key}: {figure}")
    return lines


def render_measurements(figures: Figures, machine: str) -> str:
    """Return the text of docs/measurements.md, given the figures and the machine they are from."""
    engines = [(name, str(cells)) for name, cells in figures.items() if name not in ROWS]
    rows = [
        (
            row.label,
            format_cell(row, figures.get(key)),
            format_limit(row),
            f"`{key.partition('.')[0]}`",
        )
        for key, row in ROWS.items()
    ]
    engine_table = _format_table(COLUMNS, engines)
    row_table = _format_table(("what", "measured", "at most", "part"), rows)
    return "\n".join((HEAD.format(machine=machine), engine_table, row_table))


def _format_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
