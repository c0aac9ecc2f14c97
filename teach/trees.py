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

Scoring = Literal[
    "depth",  # a win is worth more the sooner it comes
    "flat",  # all wins are worth the same
]
Order = Literal[
    "squares",  # children are searched in square order, in a tree of numbers from left to right
    "best",  # the best child for the side to move is searched first
    "worst",  # the worst is searched first
]
Path = tuple[int, ...]

SCORINGS: tuple[Scoring, ...] = get_args(Scoring)
ORDERS: tuple[Order, ...] = get_args(Order)
MAX_EMPTY_COUNT = 4  # empty squares of a small board, whose tree has at most 65 nodes


def is_small(position: Position) -> bool:
    """Return whether at most four squares are empty, so that the tree has at most 24 leaves."""
    return 9 - position.ply <= MAX_EMPTY_COUNT


@dataclass(frozen=True, eq=False)
class Node:
    """A node of a game tree."""

    path: Path
    # A board, or the number of a leaf; None for a missing number or an inner node of numbers.
    content: Position | int | None
    value: int  # for MAX
    is_max: bool  # whether MAX is to move, or would be
    below: tuple[Node, ...] = ()
    mirrors: tuple[Square, ...] = ()  # the moves symmetric to the one that leads here
    hits_depth_limit: bool = False  # whether the limit ended the search here, or at a leaf below

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

    @cached_property
    def digits(self) -> str:
        """The path as digits, as addresses contain it."""
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
    position: Position,
    scoring: Scoring = "depth",
    order: Order = "squares",
    merges_symmetric: bool = False,
) -> Node:
    """Return the tree below a board: complete if the board is small, otherwise of one level."""
    max_height = MAX_EMPTY_COUNT if is_small(position) else 1

    def node_at(path: Path, squares: tuple[Square, ...], board: Position) -> Node:
        # `squares` are the last move of the path and those symmetric to it.
        groups = branches(board, merges_symmetric) if len(path) < max_height else {}
        return Node(
            path=path,
            content=board,
            value=value(board, len(path), scoring),
            is_max=board.turn == X,
            below=tuple(
                node_at((*path, group[0]), group, child) for group, child in groups.items()
            ),
            mirrors=squares[1:],
        )

    return sort_children(node_at((), (), position), order)


def sort_children(node: Node, order: Order) -> Node:
    """Return a tree with the children of each node in the order of a search.

    `best` and `worst` sort by value for the side to move; ties keep their order.
    """
    if order == "squares":
        return node
    has_highest_first = node.is_max == (order == "best")
    children = sorted(node.below, key=lambda child: child.value, reverse=has_highest_first)
    return replace(node, below=tuple(sort_children(child, order) for child in children))
