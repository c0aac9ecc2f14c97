"""What the page about testing a program offers: the judge, its manual and an example report."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from runpy import run_path
from typing import NamedTuple

JUDGE_FOLDER = Path(__file__).parents[2] / "judge"


class Block(NamedTuple):
    """A paragraph of a report: words, boards, or a board with words beside it."""

    text: str  # empty if there are only boards
    boards: str = ""  # as printed, one row of squares per line


def pack_judge() -> bytes:
    """Return the judge as one file; the site runs its packer and imports none of its modules."""
    content: bytes = run_path(str(JUDGE_FOLDER / "pack.py"))["pyz_bytes"]()
    return content


def manual() -> str:
    """Return the manual of the judge."""
    return (JUDGE_FOLDER / "manual.md").read_text()


@cache
def example_report() -> tuple[Block, ...]:
    """Return the paragraphs of the first example report, which finds a mistake."""
    first_report, _, _ = (JUDGE_FOLDER / "example.txt").read_text().partition("\f")
    return tuple(map(_parse_block, first_report.strip("\n").split("\n\n")))


def _parse_block(text: str) -> Block:
    """Parse a paragraph, which has words beside its board if each line starts with three squares.

    >>> _parse_block("  X - -   The first:\\n  - - -   X has won.")
    Block(text='The first: X has won.', boards='X - -\\n- - -')
    """
    rows = text.splitlines()
    if all(re.match(r"  [XO-] [XO-] [XO-](   \w|$)", row) for row in rows):
        words = " ".join(row[10:] for row in rows).strip()
        return Block(words, "\n".join(row[2:7] for row in rows))
    return Block("", text) if text.startswith("  ") else Block(text)
