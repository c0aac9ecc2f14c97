"""What the page on testing a program shows and sends: a report as the judge wrote it, its file."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from runpy import run_path
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "judge"


class Block(NamedTuple):
    """Hold a paragraph of a report; `boards`, "" without, keep their lines."""

    text: str
    boards: str = ""


def judge() -> bytes:
    """Return the judge as one file. The site reads the judge's files and imports none of them."""
    content: bytes = run_path(str(FOLDER / "pack.py"))["packed"]()
    return content


def manual() -> str:
    """Return the manual of the judge."""
    return (FOLDER / "manual.md").read_text()


@cache
def report() -> tuple[Block, ...]:
    """Return the first report of the example, which finds a mistake, by its paragraphs."""
    first, _, _ = (FOLDER / "example.txt").read_text().partition("\f")
    return tuple(map(_block, first.strip("\n").split("\n\n")))


def _block(text: str) -> Block:
    """Return a paragraph: words, boards, or a board with words beside.

    >>> _block("  X - -   The first:\\n  - - -   X has won.")
    Block(text='The first: X has won.', boards='X - -\\n- - -')
    """
    rows = text.splitlines()
    if all(re.match(r"  [XO-] [XO-] [XO-](   \w|$)", row) for row in rows):
        words = " ".join(row[10:] for row in rows).strip()
        return Block(words, "\n".join(row[2:7] for row in rows))
    return Block("", text) if text.startswith("  ") else Block(text)
