"""Measure what docs/measurements.md tells: python -m bench [SECTION ...] [--against REVISION]."""

import os
import platform
from argparse import ArgumentParser
from collections.abc import Callable

from bench import engine, web
from bench.check import judging
from bench.click import click
from bench.page import page

SECTIONS: dict[str, list[Callable[[], None]]] = {
    "engine": [engine.speed, engine.strength],
    "check": [judging],
    "web": [web.start, web.kinds, web.speed, web.scaling],
    "memory": [web.memory],
    "page": [page],
}


def main() -> None:
    parser = ArgumentParser(prog="python -m bench")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--against", metavar="REVISION", help="compare what a click costs")
    given = parser.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}", end=" on ")
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    for section in given.sections or ([] if given.against else SECTIONS):
        for measure in SECTIONS[section]:
            measure()
    if given.against:
        click(given.against)


if __name__ == "__main__":
    main()
