"""The report on the page about having a program judged, as the judge wrote it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

EXAMPLE = Path(__file__).parents[2] / "judge/example.txt"


class Block(NamedTuple):
    """A paragraph of a report: words, boards, or a board with words beside it."""

    text: str
    boards: str = ""  # in lines


@cache
def example_report() -> tuple[Block, ...]:
    """Return the paragraphs of the example's first report, which finds a mistake."""
    first, _, _ = EXAMPLE.read_text().partition("\f")
    return tuple(map(_block, first.strip("\n").split("\n\n")))


def _block(text: str) -> Block:
    """Parse a paragraph.

    >>> _block("  X - -   The first:\\n  - - -   X has won.")
    Block(text='The first: X has won.', boards='X - -\\n- - -')
    """
    rows = text.splitlines()
    if all(re.match(r"  [XO-] [XO-] [XO-](   \w|$)", row) for row in rows):
        words = " ".join(row[10:] for row in rows).strip()
        return Block(words, "\n".join(row[2:7] for row in rows))
    return Block("", text) if text.startswith("  ") else Block(text)
