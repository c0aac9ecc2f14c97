"""How the nodes of a tree are marked: what is known about each, and where a press leads."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

from engine.notation import signed
from engine.position import Position
from engine.search import sign
from teach.searches import Frame
from teach.trees import Node, Path


class Chip(NamedTuple):
    """A result or a number beside a node."""

    text: str
    look: str  # the side that gains, D for a draw, `unknown` or `nobody`

    @property
    def is_word(self) -> bool:
        """Whether the text is a result, such as "X wins", rather than a number."""
        return self.text[-1].isalpha()


RESULT = {1: Chip("X wins", "X"), 0: Chip("draw", "D"), -1: Chip("O wins", "O")}
UNKNOWN = Chip("?", "unknown")


def number(value: int) -> Chip:
    """Return the chip of a score; plus is good for X."""
    return Chip(signed(value), RESULT[sign(value)].look)


def figure(value: int) -> Chip:
    """Return the chip of a number of one's own, which is good for neither side."""
    return Chip(signed(value).removeprefix("+"), "nobody")


class Marking(TypedDict, total=False):
    """How a node of a tree is drawn, if not plainly."""

    chip: Chip
    look: str
    edge: str  # of the line up to the parent
    plate: str  # the text on a covered board
    pulse: str  # the part that the last press makes pulse
    new: bool  # whether the last press made it
    press: Any  # where a press leads
    frame: Frame | None  # of a search, as it is now, or was last
    sign: str  # of a search, in place of a picture that has no room
    said: str  # what is known, in words


@dataclass(frozen=True)
class Tree:
    """A tree and how its nodes are drawn."""

    root: Node
    marks: Mapping[str, Marking]  # by the path as digits
    open: Container[Path] | None = None  # drawn as pictures, the others as signs; None for all
    deep: int = 9  # levels drawn
    in_search: bool = False
    pointed: bool = False  # whether ▲ or ▼ is beside the side that picks
    is_alone: bool = False  # whether it has the whole width

    @property
    def kind(self) -> str:
        """What is at the leaves: boards or numbers."""
        return "boards" if isinstance(self.root.stands, Position) else "numbers"

    def is_first(self, node: Node) -> bool:
        """Return whether a node is a child of the root."""
        return len(node.path) == len(self.root.path) + 1

    def below(self, node: Node) -> tuple[Node, ...]:
        """Return what is drawn below a node."""
        return node.below if len(node.path) < len(self.root.path) + self.deep else ()

    def is_open(self, node: Node) -> bool:
        """Return whether a node is drawn as a picture."""
        return self.open is None or node.path in self.open

    def is_risen(self, node: Node) -> bool:
        """Return whether the last press brought a node its value from below."""
        marks = (self.marks.get(child.digits, {}) for child in node.below)
        return any(mark.get("new") and mark.get("edge", "").startswith("up") for mark in marks)
