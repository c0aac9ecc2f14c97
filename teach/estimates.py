"""Trees to a depth limit: estimates of the boards at the limit, and which trees can be drawn."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from engine.position import LINES, OTHER, Mark, O, Position, Square, X
from engine.symmetry import branches
from teach.trees import Node, Order, Path, is_small, sort_children

WIN_VALUE = 100  # of a win, before 1 is subtracted for each turn until it
MIN_WIN_VALUE = WIN_VALUE - 9  # of a win on the last of nine turns; every estimate is lower
MAX_LEAVES, MAX_NODES = 40, 90  # of a tree that is small enough to draw


class OpenLines(NamedTuple):
    """Counts of the lines that have marks of one side and none of the other."""

    with_two: int  # lines with two marks of that side
    with_one: int

    @property
    def points(self) -> int:
        """The points that these lines are worth in an estimate."""
        return 3 * self.with_two + self.with_one


def open_lines(position: Position, mark: Mark) -> OpenLines:
    """Count the open lines of a side.

    >>> open_lines(Position.parse("O---X----"), "X")
    OpenLines(with_two=0, with_one=3)
    """
    marks_by_line = [[position.mark_at(square) for square in line] for line in LINES]
    own_counts = [marks.count(mark) for marks in marks_by_line if OTHER[mark] not in marks]
    return OpenLines(with_two=own_counts.count(2), with_one=own_counts.count(1))


def estimate(position: Position) -> int:
    """Return the estimate of a board: the points of X's open lines minus those of O's."""
    return open_lines(position, X).points - open_lines(position, O).points


class TreeSize(NamedTuple):
    """The size of a tree."""

    node_count: int
    leaf_count: int


@cache
def _tree_size(position: Position, depth: int, merges_symmetric: bool) -> TreeSize:
    """Return the size of the tree below a board to a depth limit."""
    children = branches(position, merges_symmetric).values() if depth else ()
    sizes = [_tree_size(child, depth - 1, merges_symmetric) for child in children]
    if not sizes:
        return TreeSize(node_count=1, leaf_count=1)
    return TreeSize(
        node_count=1 + sum(size.node_count for size in sizes),
        leaf_count=sum(size.leaf_count for size in sizes),
    )


@cache
def drawable_depths(position: Position, merges_symmetric: bool) -> range:
    """Return the depth limits, from 1, for which the tree below a board is small enough to draw."""
    max_depth = 1
    while max_depth < 9 - position.ply:
        size = _tree_size(position, max_depth + 1, merges_symmetric)
        if size.node_count > MAX_NODES or size.leaf_count > MAX_LEAVES:
            break
        max_depth += 1
    return range(1, max_depth + 1)


def is_drawable_to_the_end(position: Position) -> bool:
    """Return whether the tree below a board is small enough to draw to the ends of its games."""
    if is_small(position):
        return True
    max_depth = drawable_depths(position, merges_symmetric=True)[-1]
    return max_depth == 9 - position.ply


def drawable_replies(position: Position) -> tuple[Square, ...]:
    """Return the moves after which the tree can be drawn to the ends of its games."""
    children = position.children().items()
    return tuple(square for square, child in children if is_drawable_to_the_end(child))


@lru_cache(maxsize=256)
def limited_tree(
    position: Position,
    depth: int,
    order: Order = "squares",
    merges_symmetric: bool = True,
) -> Node:
    """Return the tree below a board to a depth limit, with estimates at the limit.

    A win for X on turn n is worth 100 - n, a win for O n - 100, a draw 0.
    """

    def node_at(path: Path, squares: tuple[Square, ...], board: Position) -> Node:
        # `squares` are the last move of the path and those symmetric to it.
        groups = branches(board, merges_symmetric) if len(path) < depth else {}
        children = tuple(
            node_at((*path, group[0]), group, child) for group, child in groups.items()
        )
        pick = max if board.turn == X else min
        if children:
            value = pick(child.value for child in children)
            hits_depth_limit = any(child.hits_depth_limit for child in children)
        else:
            value = leaf_value(board, len(path))
            hits_depth_limit = board.outcome() is None
        return Node(path, board, value, pick is max, children, squares[1:], hits_depth_limit)

    def leaf_value(board: Position, turn_count: int) -> int:
        outcome = board.outcome()
        if not outcome:
            return estimate(board)
        sign = {X: 1, O: -1, None: 0}[outcome.winner]
        return sign * (WIN_VALUE - turn_count)

    return sort_children(node_at((), (), position), order)
