"""What is known about each node of a tree, and where a click on it leads.

How that looks is decided in web/view/trees.py.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypedDict

from engine.notation import signed
from engine.search import sign
from teach.searches import Frame
from teach.trees import Node, Path


class Chip(NamedTuple):
    """A result or a number beside a node."""

    text: str
    favored: str  # "X", "O", "D" for a draw, "nobody", "unknown", or "box" for a box to fill in

    @property
    def is_word(self) -> bool:
        """Whether the text is a result, such as "X wins", rather than a number."""
        return self.text[-1].isalpha()


RESULT_CHIPS = {1: Chip("X wins", "X"), 0: Chip("draw", "D"), -1: Chip("O wins", "O")}
UNKNOWN = Chip("?", "unknown")


def score_chip(value: int) -> Chip:
    """Return the chip of a score; a positive score favors X, a negative one O."""
    return Chip(signed(value), RESULT_CHIPS[sign(value)].favored)


def number_chip(value: int) -> Chip:
    """Return the chip of a value in a tree of numbers, which favors neither side."""
    return Chip(signed(value).removeprefix("+"), "nobody")


class Edge(NamedTuple):
    """What the edge from a node up to its parent shows."""

    kind: Literal["backed up", "rejected", "on the stack", "cut off", "not searched"]
    favored: str = ""  # if a value is backed up or rejected: the side it favors, as in Chip.favored


CUT_OFF = Edge("cut off")
NOT_SEARCHED = Edge("not searched")
ON_THE_STACK = Edge("on the stack")
NUMBER_BACKED_UP = Edge("backed up", "nobody")


def backed_up(chip: Chip) -> Edge:
    """Return the edge of a node whose parent took its value, which `chip` shows."""
    return Edge("backed up", chip.favored)


def rejected(chip: Chip) -> Edge:
    """Return the edge of a node whose value was no better for its parent than another."""
    return Edge("rejected", chip.favored)


Role = Literal[
    "in view",  # the step or the question is about this node
    "on the stack",  # a node above the one in view
    "candidate",  # one of the nodes to choose from
    "chosen",
    "highlighted",
    "not searched",
    "pruned",
    "irrelevant",  # its value makes no difference
]


class Marking(TypedDict, total=False):
    """What is known about a node of a tree. All keys are optional; a plain node has none."""

    chip: Chip
    role: Role
    edge: Edge
    is_covered: bool  # whether the board or the number is hidden
    cover_text: str  # what is written on the cover
    pulsing_part: Literal["node", "chip", "badge"]  # the badge shows the side to move
    is_new: bool  # whether the last click made the node or its edge
    is_cutoff_source: bool  # in a search: whether its bound justifies the cutoff
    target: Any  # the state or the address that a click leads to
    frame: Frame | None  # in a search: the current frame of the node, or its last one
    proven_winner: str  # in a search: "X", "O", "D" for a draw, or "unknown"
    description: str  # what is known, in words


@dataclass(frozen=True)
class DrawnTree:
    """A tree, and what is known about its nodes."""

    root: Node
    markings: Mapping[str, Marking]  # by the path as digits
    # The nodes drawn as pictures, not as shapes; None means all.
    pictured_paths: Container[Path] | None = None
    drawn_level_count: int = 9  # below the root
    shows_search: bool = False  # whether the markings are the state of a search
    shows_triangles: bool = False  # ▲ or ▼ beside the side that chooses
    has_full_width: bool = False

    @property
    def kind(self) -> str:
        """What the nodes show: boards, or numbers at the leaves."""
        return "boards" if self.root.has_board else "numbers"

    def marking(self, node: Node) -> Marking:
        """Return what is known about a node."""
        return self.markings.get(node.digits, {})

    def is_child_of_root(self, node: Node) -> bool:
        """Return whether a node is a child of the root."""
        return len(node.path) == len(self.root.path) + 1

    def drawn_children(self, node: Node) -> tuple[Node, ...]:
        """Return the children of a node that are drawn."""
        return node.below if len(node.path) < len(self.root.path) + self.drawn_level_count else ()

    def is_pictured(self, node: Node) -> bool:
        """Return whether a node is drawn as a picture."""
        return self.pictured_paths is None or node.path in self.pictured_paths

    def has_new_value(self, node: Node) -> bool:
        """Return whether the last click moved a value up to a node from a child."""
        markings = map(self.marking, node.below)
        return any(
            marking.get("is_new") and "edge" in marking and marking["edge"].kind == "backed up"
            for marking in markings
        )
