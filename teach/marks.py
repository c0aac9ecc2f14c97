"""How the nodes of a tree are marked: what is known of each, and what a press on it leads to."""

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
    """Hold a result or a number, and the side that gains: X, O, D for a draw."""

    text: str
    look: str

    @property
    def is_word(self) -> bool:
        """Say whether the text is a result, such as "X wins", rather than a number."""
        return self.text[-1].isalpha()


RESULT = {1: Chip("X wins", "X"), 0: Chip("draw", "D"), -1: Chip("O wins", "O")}
UNKNOWN = Chip("?", "unknown")


def number(value: int) -> Chip:
    """Return the chip of a number, plus being good for X."""
    return Chip(signed(value), RESULT[sign(value)].look)


def figure(value: int) -> Chip:
    """Return the chip of a number that is good for nobody in particular."""
    return Chip(signed(value).removeprefix("+"), "nobody")


class Marking(TypedDict, total=False):
    """Say how a node of a tree is drawn, where not plainly.

    `edge` draws the line up to the parent, `plate` stands on a covered board, `said` is what is
    known in words. `press` names the page that a press leads to. The last press made a node `new`
    or gave it a `pulse`. Of a search: the `frame` of a node on the stack, and the `sign` in place
    of a picture that has no room.
    """

    chip: Chip
    look: str
    edge: str
    plate: str
    pulse: str
    new: bool
    press: Any
    frame: Frame | None
    sign: str
    said: str


@dataclass(frozen=True)
class Tree:
    """Hold a tree and how its nodes are drawn, by their paths as digits.

    The nodes in `open` alone are drawn as pictures, the others as signs; all if None. Nothing is
    drawn more than `deep` levels down. Where `pointed`, ▲ or ▼ stands beside who chooses.
    """

    root: Node
    marks: Mapping[str, Marking]
    open: Container[Path] | None = None
    deep: int = 9
    in_search: bool = False
    pointed: bool = False

    @property
    def kind(self) -> str:
        """Say what stands at the leaves: boards or numbers."""
        return "boards" if isinstance(self.root.stands, Position) else "numbers"

    def is_first(self, node: Node) -> bool:
        """Say whether a node is a child of the root."""
        return len(node.path) == len(self.root.path) + 1

    def below(self, node: Node) -> tuple[Node, ...]:
        """Return what is drawn below a node."""
        return node.below if len(node.path) < len(self.root.path) + self.deep else ()

    def is_open(self, node: Node) -> bool:
        """Say whether a node is drawn as a picture."""
        return self.open is None or node.path in self.open

    def is_risen(self, node: Node) -> bool:
        """Say whether the last press brought a node its value from below."""
        marks = (self.marks.get(child.digits, {}) for child in node.below)
        return any(mark.get("new") and mark.get("edge", "").startswith("up") for mark in marks)
