"""Measure speed and strength, and write docs/measurements.md: python -m bench [SECTION ...]."""

from __future__ import annotations

import signal
from argparse import ArgumentParser
from collections.abc import Callable

from bench import effort, rows
from bench.clicks import measure_clicks
from bench.crowd import measure_crowd
from bench.engine import measure_engines
from bench.page import measure_page
from bench.rows import Figures
from bench.web import measure_memory, measure_web

# What measures each section, given the revision on the command line.
SECTIONS: dict[str, Callable[[str], Figures]] = {
    "click": measure_clicks,
    "engine": lambda _: measure_engines(),
    "web": lambda _: measure_web(),
    "memory": lambda _: measure_memory(),
    "crowd": measure_crowd,
    "page": lambda _: measure_page(),
}


def main() -> None:
    """Print each section as it is measured; after a full run, write docs/measurements.md."""
    if hasattr(signal, "SIGPIPE"):
        # With `| head`, the process ends without a traceback.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    parser = ArgumentParser(prog="python -m bench")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument(
        "--against",
        default="",
        metavar="REVISION",
        help=f"compare click with this revision (default: {rows.EARLIER_REVISION}),"
        " and measure crowd at it too",
    )
    parser.add_argument("--short", action="store_true", help="only check that every section runs")
    args = parser.parse_args()
    if unknown := {*args.sections} - {*SECTIONS}:
        parser.error(f"{min(unknown)} is not one of {', '.join(SECTIONS)}")
    effort.is_short = args.short
    machine, figures = rows.describe_machine(), Figures()
    print(machine, flush=True)
    for section in args.sections or SECTIONS:
        print(f"\n{section}", flush=True)
        section_figures = SECTIONS[section](args.against)
        print("\n".join(rows.report_lines(section_figures)), flush=True)
        figures |= section_figures
    if not args.sections and not args.short:
        path = rows.MEASUREMENTS_PATH
        path.write_text(rows.render_measurements(figures, machine))
        print(f"\nWritten to {path.relative_to(path.parents[1])}")


if __name__ == "__main__":
    main()
