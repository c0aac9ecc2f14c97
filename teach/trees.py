"""A tree to draw and to search: nodes, what stands there, and what is below.

A node is named by its path: the squares played since the root. The root is the position being
decided. Every value is MAX's, counted from the root; MAX is the side to move at the root, unless a
tree begins with MIN.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, get_args

from engine.notation import to_digits
from engine.position import Mark, Position, Square
from engine.search import score, sign
from engine.symmetry import branches

Scoring = Literal["depth", "flat"]
Order = Literal["squares", "best", "worst"]
Path = tuple[int, ...]

SCORINGS: tuple[Scoring, ...] = get_args(Scoring)
ORDERS: tuple[Order, ...] = get_args(Order)
MAX_EMPTY = 4  # a record is read step by step: from here it has at most 65 nodes


def is_small(position: Position) -> bool:
    """Say whether at most four squares are empty, so that the tree has at most 24 leaves."""
    return 9 - position.ply <= MAX_EMPTY


@dataclass(frozen=True, eq=False)
class Node:
    """Hold a node: its path, the board or number that stands there, and what is below.

    Nothing stands at a fork of a tree of numbers. The `value` is that of MAX, who is to move, or
    would be, if `is_max`. A node stands for the `mirrors` of its move, too.
    """

    path: Path
    stands: Position | int | None
    value: int
    is_max: bool
    below: tuple[Node, ...] = ()
    mirrors: tuple[Square, ...] = ()
    is_cut_off: bool = False  # at a depth limit, here or at a leaf below

    @property
    def over(self) -> bool:
        """Say whether nothing is below, which makes the node a leaf."""
        return not self.below

    def children(self) -> Iterator[Node]:
        """Yield the nodes below, in the order they are searched; none below a leaf."""
        return iter(self.below)

    @property
    def position(self) -> Position:
        """Return the board that stands here. Raises TypeError where none does."""
        if isinstance(self.stands, Position):
            return self.stands
        raise TypeError(f"no board stands at {self.path}")

    @property
    def who(self) -> Mark | None:
        """Name the side that chooses among the boards below; None where none are."""
        return self.position.turn if self.below else None

    @property
    def digits(self) -> str:
        """Return the path as digits, as an address has it."""
        return to_digits(self.path)

    @property
    def squares(self) -> tuple[Square, ...]:
        """Return the squares that lead here: of the last move, and of its mirror images."""
        return (*self.path[-1:], *self.mirrors)

    def at(self, path: Path) -> Node:
        """Return the node at `path`. Raises KeyError where the tree has none."""
        node = self
        for number in path[len(self.path) :]:
            node = {child.path[-1]: child for child in node.below}[number]
        return node

    def walk(self) -> Iterator[Node]:
        """Yield the node and all below, as a search in their order would enter them."""
        yield self
        for child in self.below:
            yield from child.walk()

    @cached_property
    def leaves(self) -> tuple[Node, ...]:
        """Return the nodes where the tree ends, from left to right."""
        return tuple(node for node in self.walk() if node.over)

    @cached_property
    def levels(self) -> int:
        """Count the turns below to the latest leaf."""
        return max((1 + child.levels for child in self.below), default=0)


def value(position: Position, distance: int, scoring: Scoring) -> int:
    """Return the value of `position` to MAX, who decides `distance` turns above.

    A win on turn n of the decision is `10 - n`, a loss `n - 10`, a draw `0`; flat: 1, -1 and 0. So
    on MAX's levels a node has the highest value of its children, on MIN's levels the lowest.
    """
    own = score(position)
    counted = own - sign(own) * distance if scoring == "depth" else sign(own)
    return counted if distance % 2 == 0 else -counted


@lru_cache(maxsize=256)
def tree(
    root: Position,
    scoring: Scoring = "depth",
    order: Order = "squares",
    merged: bool = False,
    is_max: bool = True,
) -> Node:
    """Return the tree below `root`, whole if small, else its moves, in the order of a search.

    The side to move at the root is MAX if `is_max`.
    """
    levels = MAX_EMPTY if is_small(root) else 1

    def node(path: Path, squares: tuple[Square, ...], position: Position) -> Node:
        below = branches(position, merged) if len(path) < levels else {}
        worth = value(position, len(path), scoring)
        return Node(
            path=path,
            stands=position,
            value=worth if is_max else -worth,
            is_max=is_max == (len(path) % 2 == 0),
            below=tuple(node((*path, first[0]), first, child) for first, child in below.items()),
            mirrors=squares[1:],
        )

    return in_order(node((), (), root), order)


def in_order(node: Node, order: Order) -> Node:
    """Return a tree with the children of each node as a search takes them.

    `best` and `worst` go by the value to whoever chooses; equal ones stay in their order.
    """
    if order == "squares":
        return node
    high_first = node.is_max == (order == "best")
    below = sorted(node.below, key=lambda child: child.value, reverse=high_first)
    return replace(node, below=tuple(in_order(child, order) for child in below))
