"""Measure what docs/measurements.md tells: python -m bench [SECTION ...] [--against REVISION]."""

import os
import platform
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial

from bench import crowd, engine, web
from bench.clicks import EARLIER, click
from bench.judge import judging
from bench.page import page

SECTIONS: dict[str, list[Callable[[], None]]] = {
    "click": [click],
    "engine": [engine.speed, engine.strength],
    "judge": [judging],
    "web": [web.start, web.kinds, web.speed, web.scaling],
    "memory": [web.memory],
    "crowd": [crowd.presses],
    "page": [page],
}


def main() -> None:
    parser = ArgumentParser(prog="python -m bench")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--against", metavar="REVISION", help=f"of a click; else {EARLIER}")
    given = parser.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}", end=" on ")
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    if given.against:
        SECTIONS["click"] = [partial(click, given.against)]
    for section in given.sections or (["click"] if given.against else SECTIONS):
        for measure in SECTIONS[section]:
            measure()


if __name__ == "__main__":
    main()
