"""The cost of making the pages whose addresses come on stdin, and of all pages they link to.

`bench/crowd.py` also runs this in other versions: it imports only what they all have.
"""

from __future__ import annotations

import json
import re
import sys
import time
from html import unescape
from statistics import median
from typing import NamedTuple

from app import create_app

LINK = re.compile(r' href="(/[^"#]*)')
REPEATS = 9  # measurements of each of the most expensive pages
EXPENSIVE_COUNT = 30  # how many pages those are


class Page(NamedTuple):
    """A page and its cost."""

    address: str
    milliseconds: float  # of processor time, with compression
    byte_count: int  # bytes, compressed


def vary_address(address: str, number: int) -> str:
    """Return an address of the same kind, with other numbers in its tree, or another seed.

    This way no page benefits from what was cached for another.

    >>> vary_address("/study/((3,-5),2)?view=search&step=4", 10)
    '/study/((13,5),12)?view=search&step=4'
    """

    def shift(match: re.Match[str]) -> str:
        return str((int(match[0]) + number + 99) % 199 - 99)

    path, mark, query = address.partition("?")
    if "(" in path:
        path = re.sub(r"-?\d+", shift, path)
    return path + mark + re.sub(r"(?<=\bseed=)\d+", str(number % 1000), query)


def main() -> None:
    """Print the pages as JSON, the most expensive first."""
    client = create_app({"SECRET_KEY": "pages" * 20}).test_client()
    addresses = dict.fromkeys(json.load(sys.stdin))
    for address in [*addresses]:
        page = client.get(address)
        if page.mimetype == "text/html":
            addresses |= dict.fromkeys(map(unescape, LINK.findall(page.text)))

    def measure(address: str, first: int, times: int) -> Page:
        milliseconds, byte_count = [], 0
        for number in range(first, first + times):
            url = vary_address(address, number)
            began = time.process_time()
            page = client.get(url, headers={"Accept-Encoding": "br"})
            milliseconds.append((time.process_time() - began) * 1000)
            byte_count = len(page.data)
        return Page(address, median(milliseconds), byte_count)

    for address in addresses:
        measure(address, 0, 1)  # so that everything cached forever is cached
    ranking = sorted((measure(address, 1, 2) for address in addresses), key=cost, reverse=True)
    remeasured = (measure(page.address, 3, REPEATS) for page in ranking[:EXPENSIVE_COUNT])
    expensive = sorted(remeasured, key=cost, reverse=True)
    print(json.dumps([*expensive, *ranking[EXPENSIVE_COUNT:]]))


def cost(page: Page) -> float:
    return page.milliseconds


if __name__ == "__main__":
    main()
