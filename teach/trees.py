"""The tree below a position as the pages draw it, and what four ways to score it would choose.

A tree hangs from its root, the position being decided, and a node of it is named by its path:
the squares played since. The side to move at the root is MAX, so the levels an even distance
below it are MAX's, the others MIN's, and every value is MAX's, counted from the root.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from engine.position import Position, Square
from engine.search import best_moves
from engine.symmetry import Branch, branches
from teach.searches import (
    MOST_EMPTY,
    Back,
    Bound,
    Path,
    Run,
    Scoring,
    is_small,
    ordered,
    state_after,
    value,
)

Stage = Literal["waiting", "on the stack", "current", "returned", "cut", "below a cut"]


class TreeNode(NamedTuple):
    """Hold one node as it is drawn, with the `mirrors` of its move and the nodes below.

    Its value is None before a search knows it, and open on one side unless its bound is "exact".
    Of the nodes on the stack the last is `current`. Those `chosen` are the line of best play;
    the moves of the root that are `starred` are those that perfect play chooses among.
    """

    path: Path
    mirrors: tuple[Square, ...]
    position: Position
    stage: Stage
    value: float | None
    bound: Bound | None
    chosen: bool
    starred: bool
    below: tuple[TreeNode, ...]

    def walk(self) -> Iterator[TreeNode]:
        """Yield it and all nodes below, as a search in their order would enter them."""
        yield self
        for child in self.below:
            yield from child.walk()


def tree(root: Position, merged: bool, scoring: Scoring) -> TreeNode:
    """Return the tree below `root`, whole if it is small, else two levels of it."""
    levels = MOST_EMPTY if is_small(root) else 2

    def node(path: Path, branch: Branch, chosen: bool) -> TreeNode:
        below = branches(branch.position, merged) if len(path) < levels else []
        best = best_moves(branch.position)
        if scoring == "flat":  # nothing tells one move with the best result from another
            best = first_of_highest(branch.position, "flat")
        next_best = next((b for b in below if _any(b, best)), None)
        return TreeNode(
            path=path,
            mirrors=branch.mirrors,
            position=branch.position,
            stage="returned",
            value=value(branch.position, len(path), scoring),
            bound="exact",
            chosen=chosen,
            starred=len(path) == 1 and _any(branch, best_moves(root)),
            below=tuple(node((*path, b.square), b, chosen and b is next_best) for b in below),
        )

    return node((), Branch(0, (), root), True)


def _any(branch: Branch, squares: tuple[Square, ...]) -> bool:
    """Say whether a branch stands for one of these squares."""
    return not {branch.square, *branch.mirrors}.isdisjoint(squares)


def first_of_highest(position: Position, scoring: Scoring) -> tuple[Square, ...]:
    """Return the first of the moves with the highest value, in a tuple; none once over."""
    return tuple(ordered(position, scoring, "best"))[:1]


def run_tree(run: Run, step: int) -> TreeNode:
    """Return the tree as a search has come to know it after so many steps, in its order.

    The line it has settled on is chosen once it is through.
    """
    state = state_after(run, step)
    current = next(reversed(state.stack), None)
    line = _settled(run) if step == len(run.steps) else set()

    def node(path: Path, position: Position, above: Stage) -> TreeNode:
        stage: Stage = "below a cut" if above in ("cut", "below a cut") else "waiting"
        worth: float | None = None
        bound: Bound | None = None
        if path in state.nodes:
            stage, worth, bound = state.nodes[path]
        if path == current:
            stage = "current"
        below = ordered(position, run.scoring, run.order).items()
        return TreeNode(
            path=path,
            mirrors=(),
            position=position,
            stage=stage,
            value=worth,
            bound=bound,
            chosen=path in line,
            starred=False,
            below=tuple(node((*path, square), child, stage) for square, child in below),
        )

    return node((), run.position, "waiting")


def _settled(run: Run) -> set[Path]:
    """Return the nodes of the line a search settles on, each the last that improved on another."""
    improving = {b.path[:-1]: b.path for b in run.steps if isinstance(b, Back) and b.improves}
    path: Path | None = ()
    line = set()
    while path is not None:
        line.add(path)
        path = improving.get(path)
    return line


# Four ways to score the same ends
