"""How a tree is drawn: what is known about each node, and where a click on it leads."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

from engine.notation import signed
from engine.search import sign
from teach.searches import Frame
from teach.trees import Node, Path


class Chip(NamedTuple):
    """A result or a number beside a node."""

    text: str
    look: str  # the side it favors, "D" for a draw, "unknown", or "nobody" if it favors neither

    @property
    def is_word(self) -> bool:
        """Whether the text is a result, such as "X wins", rather than a number."""
        return self.text[-1].isalpha()


RESULT_CHIPS = {1: Chip("X wins", "X"), 0: Chip("draw", "D"), -1: Chip("O wins", "O")}
UNKNOWN = Chip("?", "unknown")


def score_chip(value: int) -> Chip:
    """Return the chip of a score, which favors X if it is positive."""
    return Chip(signed(value), RESULT_CHIPS[sign(value)].look)


def number_chip(value: int) -> Chip:
    """Return the chip of a value in a tree of numbers, which favors neither side."""
    return Chip(signed(value).removeprefix("+"), "nobody")


class Marking(TypedDict, total=False):
    """How a node of a tree is drawn. All keys are optional; without any, it is drawn plainly."""

    chip: Chip
    classes: str  # CSS classes of the node, such as `is-here`, `covered` or `dimmed`
    edge: str  # CSS classes of the line up to the parent
    plate: str  # the text on a covered board
    pulse: str  # the part that pulses: `chip`, or `badge` for the side to move
    is_new: bool  # whether the last click made the node or its line
    press: Any  # the state or the address that a click leads to
    frame: Frame | None  # in a search: the current frame of the node, or its last one
    shape: str  # the small colored shape drawn when a picture does not fit
    description: str  # what is known, in words


@dataclass(frozen=True)
class DrawnTree:
    """A tree and how its nodes are drawn."""

    root: Node
    markings: Mapping[str, Marking]  # by the path as digits
    pictured: Container[Path] | None = None  # the nodes drawn as pictures, not shapes; None is all
    drawn_levels: int = 9  # levels drawn below the root
    in_search: bool = False
    shows_triangles: bool = False  # ▲ or ▼ beside the side that chooses
    has_full_width: bool = False

    @property
    def kind(self) -> str:
        """What the nodes show: boards, or numbers at the leaves."""
        return "boards" if self.root.has_board else "numbers"

    def is_child_of_root(self, node: Node) -> bool:
        """Return whether a node is a child of the root."""
        return len(node.path) == len(self.root.path) + 1

    def drawn_children(self, node: Node) -> tuple[Node, ...]:
        """Return the children of a node that are drawn."""
        return node.below if len(node.path) < len(self.root.path) + self.drawn_levels else ()

    def is_pictured(self, node: Node) -> bool:
        """Return whether a node is drawn as a picture."""
        return self.pictured is None or node.path in self.pictured

    def has_new_value(self, node: Node) -> bool:
        """Return whether the last click moved a value up to a node from a child."""
        markings = (self.markings.get(child.digits, {}) for child in node.below)
        return any(
            marking.get("is_new") and marking.get("edge", "").startswith("up")
            for marking in markings
        )
