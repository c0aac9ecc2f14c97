"""A tree as it stands: after so many steps of a search, or with all values; and a place in view."""

from __future__ import annotations

from collections.abc import Mapping
from math import isinf
from typing import Literal, NamedTuple

from engine.notation import signed
from engine.position import OTHER, SQUARE_NAMES, Mark, Position, Square
from teach.numbers import names
from teach.searches import Bound, Run, Stage, Standing, line_of_play, met_after
from teach.trees import Node, Path

Sign = Literal["X", "O", "D", "unknown"]


class Worth(NamedTuple):
    """Hold the value of a node, or its best so far while it is on the stack.

    `bound` is not "exact" where a cut has left the value open; `winner` is the side that a value is
    good for, D a draw, or no side where `is_own`, a value of one's own.
    """

    value: int
    bound: Bound
    winner: Sign
    is_own: bool = False

    @property
    def text(self) -> str:
        """Write the value; ≤ where a cut left at most that. A plus stands at boards alone."""
        number = signed(self.value)
        sign = {"exact": "", "at most": "≤ ", "at least": "≥ "}[self.bound]
        return sign + (number.removeprefix("+") if self.is_own else number)


class Scene(NamedTuple):
    """Hold a tree, the place in view, and how a search stands with each node, by path.

    The `line` of play goes on from the place in view. `tried` is the node whose value came back
    last and was refused.
    """

    root: Node
    here: Path
    standing: Mapping[Path, Standing]
    line: tuple[Path, ...] = ()
    tried: Path | None = None

    def stage(self, node: Node) -> Stage:
        """Say how far the search is with a node."""
        return self.standing[node.path].stage

    def worth(self, node: Node) -> Worth | None:
        """Return the value of a node, or its best so far; None while neither is known."""
        _, known, bound, frame = self.standing[node.path]
        if known is None and frame:
            known = frame.best
            if any(self.stage(child) == "cut" for child in node.below):
                bound = "at least" if node.is_max else "at most"
        if known is None or isinf(known):
            return None
        return Worth(int(known), bound, self.winner(known), self.is_own)

    @property
    def is_own(self) -> bool:
        """Say whether the tree is one of one's own values, without boards."""
        return not isinstance(self.root.stands, Position)

    @property
    def of_max(self) -> Mark:
        """Return the side that is MAX on boards: who decides at the root, unless MIN does."""
        turn = self.root.position.turn
        return turn if self.root.is_max else OTHER[turn]

    def name(self, path: Path) -> str:
        """Name a node: by the square of the last move; by its letter, or a leaf by its value."""
        return names(self.root)[path] if self.is_own else SQUARE_NAMES[path[-1]]

    def winner(self, value: float) -> Sign:
        """Return the side that a value is good for, D where it is a draw, or one's own."""
        if self.is_own or not value:
            return "D"
        return self.of_max if value > 0 else OTHER[self.of_max]

    def sign(self, node: Node) -> Sign:
        """Return who wins from a node, D for a draw, and unknown where that is open."""
        _, value, bound, _ = self.standing[node.path]
        if value is None:
            return "unknown"
        sure = {"exact": True, "at most": value < 0, "at least": value > 0}
        return self.winner(value) if sure[bound] else "unknown"

    def is_left_out(self, node: Node) -> bool:
        """Say whether the search cut a node off, or one above."""
        return self.stage(node) in ("cut", "below a cut")


def scene_after(run: Run, step: int) -> Scene:
    """Return a tree as a search has come to know it after so many steps.

    The line of play is the one that brought the current node its best so far.
    """
    last = run.steps[step - 1] if step else None
    refused = last.path if last and last.kind in ("as good", "no better") else None
    line = line_of_play(run, step)
    return Scene(run.root, last.here if last else (), met_after(run, step), line, refused)


class Told(NamedTuple):
    """Say what a tree shows at a node: what its mover can have there, and by which squares.

    `score` is the value to the mover, or at an end to whoever would move. The `best` are the moves
    with that value, `holding` all that win if it wins. Nothing is `better` where the move to the
    node is the best its side had, or is the root. `siblings` counts the children of the parent, the
    node included; 0 at the root.
    """

    score: int
    best: tuple[Square, ...]
    holding: tuple[Square, ...]
    moves: int
    better: tuple[Square, ...]
    siblings: int


def told(root: Node, path: Path) -> Told:
    """Return what there is to say of the node at `path`, all values being known."""
    node, above = root.at(path), root.at(path[:-1])
    value = node.value
    return Told(
        score=value if node.is_max else -value,
        best=sum((child.squares for child in node.below if child.value == value), ()),
        holding=sum((child.squares for child in node.below if child.value * value > 0), ()),
        moves=sum(len(child.squares) for child in node.below),
        better=sum((c.squares for c in above.below if above.value == c.value != value), ()),
        siblings=len(above.below) if path else 0,
    )
