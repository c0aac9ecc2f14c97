"""Measure what docs/measurements.md tells: python -m bench [SECTION ...]."""

import os
import platform
import sys
from collections.abc import Callable

from bench import engine, web
from bench.check import judging
from bench.page import page

SECTIONS: dict[str, list[Callable[[], None]]] = {
    "engine": [engine.speed, engine.strength],
    "check": [judging],
    "web": [web.start, web.kinds, web.speed, web.scaling],
    "memory": [web.memory],
    "page": [page],
}


def main() -> None:
    print(f"{platform.python_implementation()} {platform.python_version()}", end=" on ")
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    for section in sys.argv[1:] or SECTIONS:
        for measure in SECTIONS[section]:
            measure()


if __name__ == "__main__":
    main()
