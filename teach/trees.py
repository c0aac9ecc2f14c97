"""Game trees, to be searched and drawn.

A node is named by its path: the moves from the root. On boards X is MAX, so positive values favor
X. Turns are counted from the root.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, get_args

from engine.notation import to_digits
from engine.position import Mark, Position, Square, X
from engine.search import score, sign
from engine.symmetry import branches

Scoring = Literal["depth", "flat"]
Order = Literal["squares", "best", "worst"]
Path = tuple[int, ...]

SCORINGS: tuple[Scoring, ...] = get_args(Scoring)
ORDERS: tuple[Order, ...] = get_args(Order)
MAX_EMPTY = 4  # empty squares of a small board: at most 65 nodes, few enough to step through


def is_small(position: Position) -> bool:
    """Return whether at most four squares are empty, so that the tree has at most 24 leaves."""
    return 9 - position.ply <= MAX_EMPTY


@dataclass(frozen=True, eq=False)
class Node:
    """A node of a game tree."""

    path: Path
    content: Position | int | None  # a board, a leaf's number, or None at an inner node of numbers
    value: int  # for MAX
    is_max: bool  # whether MAX is to move, or would be
    below: tuple[Node, ...] = ()
    mirrors: tuple[Square, ...] = ()  # moves symmetric to the one that leads here
    hits_depth_limit: bool = False  # here, or at a leaf below

    @property
    def over(self) -> bool:
        """Whether the node is a leaf."""
        return not self.below

    def children(self) -> Iterator[Node]:
        """Yield the children, in the order of a search; the code that learners see calls this."""
        return iter(self.below)

    @property
    def has_board(self) -> bool:
        """Whether the node is in a tree of boards, not of numbers."""
        return isinstance(self.content, Position)

    @property
    def position(self) -> Position:
        """The board of the node. Raises TypeError in a tree of numbers."""
        if isinstance(self.content, Position):
            return self.content
        raise TypeError(f"there is no board at {self.path}")

    @property
    def mover(self) -> Mark | None:
        """The side that chooses among the children, or None for a leaf."""
        return self.position.turn if self.below else None

    @property
    def digits(self) -> str:
        """The path as digits, as an address has it."""
        return to_digits(self.path)

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares that lead here: the last move and those symmetric to it."""
        return (*self.path[-1:], *self.mirrors)

    def at(self, path: Path) -> Node:
        """Return the node at `path`. Raises KeyError if the tree has none."""
        node = self
        for number in path[len(self.path) :]:
            node = {child.path[-1]: child for child in node.below}[number]
        return node

    def walk(self) -> Iterator[Node]:
        """Yield the node and all nodes below it, in the order of a search."""
        yield self
        for child in self.below:
            yield from child.walk()

    @cached_property
    def leaves(self) -> tuple[Node, ...]:
        """The leaves, from left to right."""
        return tuple(node for node in self.walk() if node.over)

    @cached_property
    def height(self) -> int:
        """The number of plies to the deepest leaf."""
        return max((1 + child.height for child in self.below), default=0)


def value(position: Position, distance: int, scoring: Scoring) -> int:
    """Return the value of `position` for X, in a tree whose root is `distance` plies above.

    A win for X on turn n is worth `10 - n`, a win for O `n - 10`, a draw `0`; with flat scoring,
    1, -1 and 0.
    """
    mover_score = score(position)
    result = sign(mover_score)
    mover_value = mover_score - result * distance if scoring == "depth" else result
    return mover_value if position.turn == X else -mover_value


@lru_cache(maxsize=256)
def tree(
    root: Position,
    scoring: Scoring = "depth",
    order: Order = "squares",
    merges_symmetric: bool = False,
) -> Node:
    """Return the tree of `root`: complete if the position is small, otherwise one level."""
    max_height = MAX_EMPTY if is_small(root) else 1

    def node(path: Path, squares: tuple[Square, ...], position: Position) -> Node:
        below = branches(position, merges_symmetric) if len(path) < max_height else {}
        return Node(
            path=path,
            content=position,
            value=value(position, len(path), scoring),
            is_max=position.turn == X,
            below=tuple(node((*path, group[0]), group, child) for group, child in below.items()),
            mirrors=squares[1:],
        )

    return in_order(node((), (), root), order)


def in_order(node: Node, order: Order) -> Node:
    """Return a tree with the children of each node in the order of a search.

    `best` and `worst` sort by value for the side to move; ties keep their order.
    """
    if order == "squares":
        return node
    high_first = node.is_max == (order == "best")
    below = sorted(node.below, key=lambda child: child.value, reverse=high_first)
    return replace(node, below=tuple(in_order(child, order) for child in below))
