"""The cost of making the pages whose addresses are read from stdin, and of all pages they link to.

`bench/web.py` also runs this file in other versions of the project, so it imports only modules that
they all have.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterable
from html import unescape
from statistics import median
from typing import NamedTuple

from flask.testing import FlaskClient

from app import create_app

LINK = re.compile(r' href="(/[^"#]*)')
EXPENSIVE_COUNT = 30  # how many of the most expensive pages are measured again, with more repeats
EXPENSIVE_REPEATS = 9


class PageCost(NamedTuple):
    """What it costs to make a page."""

    address: str
    milliseconds: float  # of processor time, with compression
    byte_count: int  # of the compressed body


def vary_address(address: str, number: int) -> str:
    """Return an address of the same kind, with other numbers in its tree, or another seed.

    This way no page benefits from what was cached for another.

    >>> vary_address("/study/((3,-5),2)?view=search&step=4", 10)
    '/study/((13,5),12)?view=search&step=4'
    """

    def shift(match: re.Match[str]) -> str:
        return str((int(match[0]) + number + 99) % 199 - 99)

    path, question_mark, query = address.partition("?")
    if "(" in path:
        path = re.sub(r"-?\d+", shift, path)
    return path + question_mark + re.sub(r"(?<=\bseed=)\d+", str(number % 1000), query)


def main() -> None:
    """Print the cost of each page as JSON, the most expensive first."""
    client = create_app({"SECRET_KEY": "pages" * 20}).test_client()
    addresses = with_links(client, json.load(sys.stdin))
    for address in addresses:
        measure(client, address, range(1))  # to fill the caches that are never emptied
    ranking = rank(measure(client, address, range(1, 3)) for address in addresses)
    repeats = range(3, 3 + EXPENSIVE_REPEATS)
    expensive = rank(measure(client, page.address, repeats) for page in ranking[:EXPENSIVE_COUNT])
    print(json.dumps([*expensive, *ranking[EXPENSIVE_COUNT:]]))


def with_links(client: FlaskClient, addresses: list[str]) -> list[str]:
    """Return the addresses and those that their pages link to, each once."""
    linked = dict.fromkeys(addresses)
    for address in addresses:
        page = client.get(address)
        if page.mimetype == "text/html":
            linked |= dict.fromkeys(map(unescape, LINK.findall(page.text)))
    return [*linked]


def measure(client: FlaskClient, address: str, numbers: range) -> PageCost:
    """Return the median cost of the variations of an address that have these numbers."""
    milliseconds, byte_count = [], 0
    for number in numbers:
        variation = vary_address(address, number)
        start_time = time.process_time()
        page = client.get(variation, headers={"Accept-Encoding": "br"})
        milliseconds.append((time.process_time() - start_time) * 1000)
        byte_count = len(page.data)
    return PageCost(address, median(milliseconds), byte_count)


def rank(costs: Iterable[PageCost]) -> list[PageCost]:
    """Return the costs of pages, the most expensive first."""
    return sorted(costs, key=lambda cost: cost.milliseconds, reverse=True)


if __name__ == "__main__":
    main()
