"""Measure speed and strength, and write docs/measurements.md: python -m bench [SECTION ...]."""

from __future__ import annotations

import signal
from argparse import ArgumentParser
from collections.abc import Callable

from bench import effort, engine, rows, web
from bench.clicks import click
from bench.crowd import crowd
from bench.page import page
from bench.rows import Figures

SECTIONS: dict[str, Callable[[str], Figures]] = {
    "click": click,
    "engine": lambda _: engine.measure(),
    "web": lambda _: web.measure(),
    "memory": lambda _: web.memory(),
    "crowd": crowd,
    "page": lambda _: page(),
}


def main() -> None:
    """Print each section as it is measured; where all are, write docs/measurements.md."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it
    parser = ArgumentParser(prog="python -m bench")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument(
        "--against",
        default="",
        metavar="REVISION",
        help=f"measure click and crowd at a revision, too (click: {rows.EARLIER})",
    )
    parser.add_argument("--short", action="store_true", help="only see whether all of it runs")
    given = parser.parse_args()
    if strange := {*given.sections} - {*SECTIONS}:
        parser.error(f"{min(strange)} is not one of {', '.join(SECTIONS)}")
    effort.is_short = given.short
    machine, figures = rows.machine(), Figures()
    print(machine, flush=True)
    for section in given.sections or SECTIONS:
        print(f"\n{section}", flush=True)
        measured = SECTIONS[section](given.against)
        print("\n".join(rows.lines(measured)), flush=True)
        figures |= measured
    if not given.sections and not given.short:
        rows.PAGE.write_text(rows.page(figures, machine))
        print(f"\nWritten to {rows.PAGE.relative_to(rows.PAGE.parents[1])}")


if __name__ == "__main__":
    main()
