"""The page on having a program judged: the words of docs/check.md, and two reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "judge/example.txt"
STEPS, OPEN = 3, 2  # sections that are steps, and those shown open after them


class Block(NamedTuple):
    """Hold a paragraph, a list, a table, code, or a board with text beside, and their parts."""

    kind: str
    parts: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """Hold a heading and what stands below."""

    title: str
    blocks: tuple[Block, ...]


@cache
def sections() -> tuple[Section, ...]:
    """Return the sections of docs/check.md, the first with the title of all."""
    text = (ROOT / "docs/check.md").read_text()
    found = re.split(r"^##? ", text, flags=re.MULTILINE)[1:]
    parted = (section.partition("\n") for section in found)
    return tuple(Section(title, tuple(_blocks(below))) for title, _, below in parted)


def _blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a section: whatever Markdown docs/check.md uses, and no more."""
    for place, part in enumerate(re.split(r"^```.*\n", text, flags=re.MULTILINE)):
        if place % 2:
            yield Block("code", ((part.rstrip(),),))
            continue
        for block in filter(None, map(str.strip, part.split("\n\n"))):
            lines = block.splitlines()
            if block.startswith("|"):
                cells = (tuple(map(str.strip, line.strip("| ").split(" | "))) for line in lines)
                yield Block("table", tuple(row for row in cells if "---" not in row[0]))
            elif block.startswith("- "):
                yield Block("list", tuple((line.removeprefix("- "),) for line in lines))
            else:
                yield Block("text", ((block,),))


@cache
def reports() -> tuple[tuple[Block, ...], ...]:
    """Return two reports that the checker wrote: of a wrong program, and of a right one."""
    found = EXAMPLE.read_text().split("\f\n")
    return tuple(tuple(map(_part, report.strip("\n").split("\n\n"))) for report in found)


def _part(text: str) -> Block:
    """Return a paragraph of a report: text, boards, or a board with text beside."""
    if re.match("  [XO-] [XO-] [XO-]", text):
        boards, beside = zip(*((row[2:7], row[10:]) for row in text.splitlines()), strict=True)
        return Block("beside", (("\n".join(boards),), (" ".join(filter(None, beside)),)))
    return Block("code" if text.startswith("  ") else "text", ((text,),))
