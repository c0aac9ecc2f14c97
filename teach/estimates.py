"""Search to a depth limit: boards at the limit get an estimate, from the lines still open."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from engine.position import LINES, OTHER, Mark, O, Position, Square, X
from engine.symmetry import branches
from teach.trees import Node, Order, Path, in_order, is_small

WIN_VALUE = 100  # of a win, before 1 per turn is subtracted
MIN_WIN_VALUE = WIN_VALUE - 9  # a game has nine turns; every estimate is lower
MAX_LEAVES, MAX_NODES = 40, 90  # of a tree that is small enough to draw


class OpenLines(NamedTuple):
    """Counts of the lines that have marks of one side and none of the other."""

    with_two: int  # lines with two marks of that side
    with_one: int

    @property
    def worth(self) -> int:
        """The points that these lines count in an estimate."""
        return 3 * self.with_two + self.with_one


def open_lines(position: Position, mark: Mark) -> OpenLines:
    """Return the number of open lines of a side.

    >>> open_lines(Position.parse("O---X----"), "X")
    OpenLines(with_two=0, with_one=3)
    """
    counts = [
        sum(position.mark_at(square) == mark for square in line)
        for line in LINES
        if all(position.mark_at(square) != OTHER[mark] for square in line)
    ]
    return OpenLines(counts.count(2), counts.count(1))


def estimate(position: Position) -> int:
    """Return the estimate of a board: the points of X's open lines minus those of O's."""
    return open_lines(position, X).worth - open_lines(position, O).worth


@cache
def _size(position: Position, depth: int, merges_symmetric: bool) -> tuple[int, int]:
    """Return the number of nodes and of leaves of the tree to a depth limit."""
    below = branches(position, merges_symmetric).values() if depth else ()
    sizes = [_size(child, depth - 1, merges_symmetric) for child in below]
    if not sizes:
        return 1, 1
    return 1 + sum(nodes for nodes, _ in sizes), sum(leaves for _, leaves in sizes)


@cache
def drawable_depths(position: Position, merges_symmetric: bool) -> range:
    """Return the depth limits, from 1, for which the tree below a board is small enough to draw."""
    max_depth = 1
    while max_depth < 9 - position.ply:
        nodes, leaves = _size(position, max_depth + 1, merges_symmetric)
        if nodes > MAX_NODES or leaves > MAX_LEAVES:
            break
        max_depth += 1
    return range(1, max_depth + 1)


def reaches_ends(position: Position) -> bool:
    """Return whether the tree below a board is small enough to draw to the ends of its games."""
    plies = 9 - position.ply
    return is_small(position) or drawable_depths(position, merges_symmetric=True)[-1] == plies


def drawable_replies(position: Position) -> tuple[Square, ...]:
    """Return the moves after which the rest of the tree can be drawn, or the game is over."""
    return tuple(square for square, child in position.children().items() if reaches_ends(child))


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

    def node(path: Path, squares: tuple[Square, ...], board: Position) -> Node:
        children = branches(board, merges_symmetric) if len(path) < depth else {}
        below = tuple(node((*path, group[0]), group, child) for group, child in children.items())
        pick = max if board.turn == X else min
        value = pick(child.value for child in below) if below else leaf(board, len(path))
        if below:
            hits_depth_limit = any(child.hits_depth_limit for child in below)
        else:
            hits_depth_limit = board.outcome() is None
        return Node(path, board, value, pick is max, below, squares[1:], hits_depth_limit)

    def leaf(board: Position, turns: int) -> int:
        outcome = board.outcome()
        if not outcome:
            return estimate(board)
        sign = {X: 1, O: -1, None: 0}[outcome.winner]
        return sign * (WIN_VALUE - turns)

    return in_order(node((), (), position), order)
