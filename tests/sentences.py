"""Pages as text, and the comparison of texts and sentences with the snapshots.

To rewrite the snapshots, run `SNAPSHOT=new pytest`; then review the difference.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import cast

from flask import Flask

from engine.position import SQUARE_NAMES
from tests.html import Tag

NUMBER_WORDS = "no one two three four five six seven eight nine".split()
SNAPSHOTS = Path(__file__).parent / "snapshots"


def load_macros(app: Flask, template: str) -> ModuleType:
    """Return the macros of a template."""
    with app.app_context():
        return cast(ModuleType, app.jinja_env.get_template(template).module)


def assert_sentences_match(
    name: str, sentences: Iterable[tuple[str, str]], kind_of: Callable[[str], str] | None = None
) -> None:
    """Compare the kinds of sentences with a snapshot: an example of each, its place, and the count.

    `sentences` has pairs of place and sentence; `kind_of` returns the kind of a sentence.
    """
    kind_of = kind_of or sentence_kind
    examples: dict[str, str] = {}
    counts = Counter[str]()
    for place, sentence in sorted(sentences):
        text = plain_text(sentence)
        kind = kind_of(text)
        examples.setdefault(kind, f"{text} [{place}")
        counts[kind] += 1
    lines = [f"{example}, {counts[kind]:,} times]\n" for kind, example in examples.items()]
    assert_matches_snapshot(name, "".join(sorted(lines)))


def assert_matches_snapshot(name: str, text: str, folder: Path = SNAPSHOTS) -> None:
    """Compare a text with the snapshot of that name, which `SNAPSHOT=new` writes."""
    assert "<b" not in text, "no tag may be left in the text"
    file = folder / f"{name}.txt"
    if os.environ.get("SNAPSHOT") == "new":
        file.write_text(text)
    assert text == file.read_text()


def page_text(page: Tag) -> str:
    """Return the main part of a page as text, with an indented line for each paragraph."""
    closing_tags = "</(?:p|h[1-6]|li|div|section|form|ul|ol|nav|tr)>"
    lines = map(part_text, re.split(closing_tags, str(page.select("main")[0])))
    return "".join(f"    {line}\n" for line in lines if line)


def part_text(part: Tag | str) -> str:
    """Return a part of a page as text: its words, its controls, and what each control sends."""
    html = re.sub(r"<svg(.*?)>.*?</svg>", _picture_text, str(part), flags=re.DOTALL)
    html = re.sub(r"<(?:a|button|input)\b(.*?)>", _control_text, html)
    html = re.sub("</(?:a|button)>", "]", html)
    # An opening tag separates words; bold and closing tags join theirs to what is beside them.
    html = re.sub(r"<(?![b/]\b|/)[^>]*>", " ", html)
    return plain_text(html).replace(" ]", "]")


def _picture_text(picture: re.Match[str]) -> str:
    """Return the label of a picture; empty if it has none."""
    label = re.search('aria-label="(.*?)"', picture[1])
    return f" {label[1]} " if label else ""


def _control_text(control: re.Match[str]) -> str:
    """Return a control as text: its id, look and state, what it sends, and where it leads."""
    attributes = dict(re.findall(r'([\w-]+)="(.*?)"', control[1]))
    name, value = attributes.get("name"), attributes.get("value", "")
    sent_value = f"{name}={value}" if name is not None else ""
    prime = "prime" if "prime" in attributes.get("class", "").split() else ""
    states = map(attributes.get, ("aria-pressed", "aria-checked", "aria-current"))
    is_on = {*states} & {"true", "page"}
    state = "on" if is_on or "checked" in control[1] else ""
    links = map(attributes.get, ("href", "formaction"))
    parts = (attributes.get("id"), prime, state, sent_value, *links)
    words = " ".join(filter(None, parts))
    # An input has no text; the text of a link or a button follows.
    return f"[{words}]" if control[0].startswith("<input") else f"[{words}: "


def board_text(page: Tag) -> str:
    """Return the large board of a page as text, square by square."""
    return " | ".join(map(cell_text, page.select(".board .cell")))


def cell_text(cell: Tag) -> str:
    """Return a square of a large board as text: its classes, its label and its words."""
    label_parts = (cell.get("aria-label") or "").split(", ")[2:]  # after its name and its mark
    return " ".join([*cell.classes[1:], *label_parts, *cell.get_text(" ").split()])


def tree_text(page: Tag) -> str:
    """Return a tree of boards as text: for each node its chips, looks, edges and link."""
    return " | ".join(map(_node_text, page.select(".tree .node")))


def _node_text(node: Tag) -> str:
    """Return a node of a tree as text: its chips, classes that change its look, and its link."""
    chips = node.select_children(".chip")
    edges = [edge for group in node.select_children(".edges") for edge in group.select(".edge")]
    return " ".join([
        *(chip.get_text() for chip in chips),
        *(look for chip in chips for look in chip.classes[1:] if look not in ("number", "chip")),
        *(look for look in node.classes if not re.fullmatch(r"node|[Lw]\d+", look)),
        *(look for edge in edges for look in edge.classes[1:]),
        *(link["href"].partition("?")[2] for link in node.select_children("a.shape")),
    ])  # fmt: skip


def plain_text(html: str) -> str:
    """Return HTML as text: without tags, and with one space between words."""
    return " ".join(unescape(re.sub("<.*?>", "", html)).split())


@cache
def sentence_kind(text: str) -> str:
    """Return a sentence with placeholders for its squares, lines, sides and numbers."""
    names = "|".join(sorted(SQUARE_NAMES, key=len, reverse=True))
    name_list = rf"(?:{names})(?:(?:, | and | or )(?:{names}))*"
    text = re.sub(name_list, "SQUARE", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(?:no|one|two|three|four|five|six|seven|eight|nine)\b", "N", text, flags=re.I)
    line = "(?:SQUARE|top|middle|bottom|left|center|right) (?:row|column)|diagonal"
    text = re.sub(rf"(?:{line})(?: and (?:the )?(?:{line}))?|both diagonals", "LINE", text)
    text = re.sub(r"Moves? \d(?:, \d)*(?: and \d)?", "MOVES", re.sub("twice|N times", "N", text))
    return re.sub(r"\b[XO]\b", "SIDE", re.sub(r"[+−]?\d+(\.\d)?", "N", text))
