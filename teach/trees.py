"""The tree below a position, with all values or as a search has come to know it.

A tree hangs from its root, the position being decided, and a node is named by its path: the squares
played since. The side to move at the root is MAX, so the levels an even distance below the root are
MAX's, the levels between are MIN's, and every value is MAX's, counted from the root.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf
from typing import Literal, NamedTuple

from engine.position import OTHER, Position, Square
from engine.search import best_moves
from engine.symmetry import Branch, branches
from teach.searches import (
    IMPROVED,
    MOST_EMPTY,
    Bound,
    Frame,
    Path,
    Run,
    Scoring,
    Stage,
    Standing,
    is_small,
    met_after,
    ordered,
    value,
)

Sign = Literal["X", "O", "D", "w"]


class Worth(NamedTuple):
    """Hold the value of a node, or its best so far while it is on the stack.

    `bound` is not "exact" where a cut has left the value open; `name` is α or β where the best so
    far is that bound of the window, `winner` the side that a value is good for, D a draw.
    """

    value: int
    bound: Bound
    name: Literal["", "α", "β"]
    winner: Sign


class TreeNode(NamedTuple):
    """Hold one node as it is drawn, with the nodes below and the `mirrors` of its move.

    A value is None before a search knows it, and open on one side unless its bound is "exact". The
    line of play from the last node on the stack, or from the place in view, is `chosen`. A node on
    the stack has a frame.
    """

    path: Path
    position: Position
    value: float | None
    chosen: bool
    below: tuple[TreeNode, ...]
    mirrors: tuple[Square, ...] = ()
    stage: Stage = "searched"
    bound: Bound = "exact"
    frame: Frame | None = None

    @property
    def worth(self) -> Worth | None:
        """Return the value, or the best so far; None while neither is known."""
        name: Literal["", "α", "β"] = ""
        known = self.value
        if known is None and self.frame:
            known, alpha, beta = self.frame
            if known == (alpha if self.is_max else beta):
                name = "α" if self.is_max else "β"
        if known is None or isinf(known):
            return None
        return Worth(int(known), self.bound, name, self.winner(known))

    def winner(self, value: float) -> Sign:
        """Return the side that a value here is good for, D where it is a draw."""
        side = self.position.turn if self.is_max else OTHER[self.position.turn]
        return side if value > 0 else OTHER[side] if value < 0 else "D"

    @property
    def sign(self) -> Sign:
        """Return who wins from here, D for a draw, and w where that is open."""
        if self.value is None:
            return "w"
        sure = {"exact": True, "at most": self.value < 0, "at least": self.value > 0}
        return self.winner(self.value) if sure[self.bound] else "w"

    @property
    def squares(self) -> tuple[Square, ...]:
        """Return the squares that lead here: of the last move, and of its mirror images."""
        return (*self.path[-1:], *self.mirrors)

    def at(self, path: Path) -> TreeNode:
        """Return the node at `path`. Raises KeyError where the tree has no such node."""
        return {node.path: node for node in self.walk()}[path]

    @property
    def is_max(self) -> bool:
        """Say whether MAX is to move here, or would be if the game went on."""
        return len(self.path) % 2 == 0

    @property
    def is_left_out(self) -> bool:
        """Say whether a search cut this node off, or one above."""
        return self.stage in ("cut", "below a cut")

    @property
    def ends(self) -> int:
        """Count the ends of the game below, or 1 at an end."""
        return sum(child.ends for child in self.below) or 1

    @property
    def levels(self) -> int:
        """Count the turns below to the latest end."""
        return max((1 + child.levels for child in self.below), default=0)

    def walk(self) -> Iterator[TreeNode]:
        """Yield the node and all below, as a search in their order would enter them."""
        yield self
        for child in self.below:
            yield from child.walk()


class Told(NamedTuple):
    """Say what a tree shows at a node: what its mover can have there, and by which squares.

    `score` is the value to the mover, or at an end to whoever would move. Nothing is `better` where
    the move to the node is the best its side had, or is the root. `siblings` counts the children of
    the parent, the node included; 0 at the root.
    """

    score: int
    best: tuple[Square, ...]
    moves: int
    better: tuple[Square, ...]
    siblings: int


def told(root: TreeNode, path: Path) -> Told:
    """Return what there is to say of the node at `path`, all values being known."""
    node, above = root.at(path), root.at(path[:-1])
    value = int(node.value or 0)
    return Told(
        score=value if node.is_max else -value,
        best=sum((child.squares for child in node.below if child.value == value), ()),
        moves=sum(len(child.squares) for child in node.below),
        better=sum((c.squares for c in above.below if above.value == c.value != value), ()),
        siblings=len(above.below) if path else 0,
    )


def tree(root: Position, merged: bool, scoring: Scoring, here: Path | None = ()) -> TreeNode:
    """Return the tree below `root`, whole if small, else its moves.

    Play goes on from `here`; None leaves the line of play out.
    """
    levels = MOST_EMPTY if is_small(root) else 1

    def node(path: Path, branch: Branch, follows: bool) -> TreeNode:
        position, chosen = branch.position, follows or path == here
        below = branches(position, merged) if len(path) < levels else []
        # Flat, nothing tells one move with the best result from another.
        best = best_moves(position) if scoring == "depth" else first_of_highest(position, scoring)
        first = next((b.square for b in below if b.square in best), None)
        return TreeNode(
            path=path,
            position=position,
            value=value(position, len(path), scoring),
            chosen=chosen,
            below=tuple(node((*path, b.square), b, chosen and b.square == first) for b in below),
            mirrors=branch.mirrors,
        )

    return node((), Branch(0, (), root), follows=False)


def first_of_highest(position: Position, scoring: Scoring) -> tuple[Square, ...]:
    """Return the first of the moves with the highest value, in a tuple; none once over."""
    return tuple(ordered(position, scoring, "best"))[:1]


def run_tree(run: Run, step: int) -> TreeNode:
    """Return the tree as a search has come to know it after so many steps, in its order.

    The line of play is the one that brought the current node its best so far.
    """
    met, line = met_after(run, step), line_of_play(run, step)

    def node(path: Path, position: Position, above: Stage) -> TreeNode:
        unmet: Stage = "below a cut" if above in ("cut", "below a cut") else "waiting"
        stage, worth, bound, frame = met.get(path, Standing(unmet))
        below = ordered(position, run.scoring, run.order).items()
        return TreeNode(
            path=path,
            position=position,
            value=worth,
            chosen=path in line,
            below=tuple(node((*path, square), child, stage) for square, child in below),
            stage=stage,
            bound=bound,
            frame=frame,
        )

    return node((), run.position, "waiting")


def line_of_play(run: Run, step: int) -> list[Path]:
    """Return the last node on the stack, then from each the child that last improved its best."""
    done = run.steps[:step]
    improving = {back.here: back.path for back in done if back.kind in IMPROVED}
    line = [done[-1].here if done else ()]
    while line[-1] in improving:
        line.append(improving[line[-1]])
    return line
