"""What it costs to make the pages whose addresses come on stdin, and all pages they link to.

`bench/crowd.py` has other versions of this project run it: what is imported here, all have.
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
OFTEN, DEAR = 9, 30  # how often each of so many that are the dearest is measured


class Page(NamedTuple):
    """A page that can be asked for."""

    address: str
    milliseconds: float  # of the processor's, compressing included
    sent: int  # bytes, compressed


def another(address: str, number: int) -> str:
    """Return an address of the same kind, with other numbers in its tree, or another seed.

    So nothing that was kept for one page helps with the next.

    >>> another("/study/((3,-5),2)?view=search&step=4", 10)
    '/study/((13,5),12)?view=search&step=4'
    """

    def shifted(found: re.Match[str]) -> str:
        return str((int(found[0]) + number + 99) % 199 - 99)

    path, mark, query = address.partition("?")
    if "(" in path:
        path = re.sub(r"-?\d+", shifted, path)
    return path + mark + re.sub(r"(?<=\bseed=)\d+", str(number % 1000), query)


def main() -> None:
    """Print the pages as JSON, the dearest first."""
    client = create_app({"SECRET_KEY": "pages" * 20}).test_client()
    found = dict.fromkeys(json.load(sys.stdin))
    for address in [*found]:
        page = client.get(address)
        if page.mimetype == "text/html":
            found |= dict.fromkeys(map(unescape, LINK.findall(page.text)))

    def measured(address: str, first: int, times: int) -> Page:
        took, sent = [], 0
        for number in range(first, first + times):
            asked = another(address, number)
            began = time.process_time()
            page = client.get(asked, headers={"Accept-Encoding": "br"})
            took.append((time.process_time() - began) * 1000)
            sent = len(page.data)
        return Page(address, median(took), sent)

    for address in found:
        measured(address, 0, 1)  # what is kept for good after the first time
    once = sorted((measured(address, 1, 2) for address in found), key=cost, reverse=True)
    dear = (measured(page.address, 3, OFTEN) for page in once[:DEAR])
    print(json.dumps([*sorted(dear, key=cost, reverse=True), *once[DEAR:]]))


def cost(page: Page) -> float:
    return page.milliseconds


if __name__ == "__main__":
    main()
