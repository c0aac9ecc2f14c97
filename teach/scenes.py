"""What is known about each node of a tree after some steps of a search, and the node in view."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isinf
from typing import Literal, NamedTuple

from engine.notation import signed
from engine.position import SQUARE_NAMES, O, Position, Square, X
from teach.estimates import LEAST_WIN
from teach.numbers import node_names
from teach.searches import Bound, NodeState, Run, Stage, line_of_play, node_states
from teach.trees import Node, Path

Sign = Literal["X", "O", "D", "unknown"]


class KnownValue(NamedTuple):
    """What is known about the value of a node."""

    value: int
    bound: Bound
    winner: Sign  # whom the value is good for; D for a draw, unknown as long as that is open
    is_own: bool = False  # a number of one's own, which is good for neither side
    is_estimate: bool = False  # from boards at a depth limit

    @property
    def text(self) -> str:
        """The value as a tree shows it: `+3`, `≤ −1` for a bound, `~+3` for an estimate.

        Only boards have a plus.
        """
        sign = {"exact": "", "at most": "≤ ", "at least": "≥ "}[self.bound]
        return sign + format_value(self.value, self.is_own, self.is_estimate)


def format_value(value: float, is_own: bool, is_estimate: bool = False) -> str:
    """Return a value as a tree or a sentence shows it.

    >>> format_value(3, is_own=False, is_estimate=True), format_value(3, is_own=True)
    ('~+3', '3')
    """
    number = signed(value)
    if is_own and not isinf(value):
        number = number.removeprefix("+")
    return f"~{number}" if is_estimate else number


class Scene(NamedTuple):
    """A tree during a search, and the node in view."""

    root: Node
    here: Path  # of the node in view
    standing: Mapping[Path, NodeState]
    line: tuple[Path, ...] = ()  # the best play found so far, from the node in view
    tried: Path | None = None  # the node whose value was returned last and did not improve the best

    def stage(self, node: Node) -> Stage:
        """Return how far the search is with a node."""
        return self.standing[node.path].stage

    def worth(self, node: Node) -> KnownValue | None:
        """Return what is known about the value of a node, or None if nothing is known yet."""
        _, known, bound, frame, _ = self.standing[node.path]
        if known is None and frame:
            low, high = self._range(node)
            known, bound = as_bound(low, high)
        if known is None or isinf(known):
            return None
        is_estimate = self.is_estimate(node, known)
        winner = self.winner(known) if is_sure(known, bound) or self.is_own else "unknown"
        return KnownValue(
            int(known), bound, "unknown" if is_estimate else winner, self.is_own, is_estimate
        )

    def is_estimate(self, node: Node, value: float) -> bool:
        """Return whether a value of a node came from boards at a depth limit; a win is a result."""
        return node.is_cut_off and abs(value) < LEAST_WIN

    def _range(self, node: Node) -> tuple[float, float]:
        """Return the least and the most that a node on the stack can be worth, by its children."""
        pick = max if node.is_max else min
        ranges = [_range_of(self.standing[child.path]) for child in node.below]
        return pick(low for low, _ in ranges), pick(high for _, high in ranges)

    @property
    def is_own(self) -> bool:
        """Whether the tree is one of one's own values, without boards."""
        return not isinstance(self.root.stands, Position)

    def name(self, path: Path) -> str:
        """Return the name of a node: its last move or its letter, of a numbered leaf its value."""
        return node_names(self.root)[path] if self.is_own else SQUARE_NAMES[path[-1]]

    def winner(self, value: float) -> Sign:
        """Return the side that a value is good for; D for a draw, and for numbers of one's own."""
        if self.is_own or not value:
            return "D"
        return X if value > 0 else O

    def sign(self, node: Node) -> Sign:
        """Return who wins from a node; D for a draw, unknown if that is open."""
        _, value, bound, *_ = self.standing[node.path]
        if value is None or not is_sure(value, bound) or self.is_estimate(node, value):
            return "unknown"
        return self.winner(value)

    def is_pruned(self, node: Node) -> bool:
        """Return whether the search pruned a node, or one above it."""
        return self.stage(node) in ("cut", "below a cut")


def is_sure(value: float, bound: Bound) -> bool:
    """Return whether a value, if it is a bound, leaves no doubt who wins."""
    return {"exact": True, "at most": value < 0, "at least": value > 0}[bound]


def as_bound(low: float, high: float) -> tuple[float | None, Bound]:
    """Return the value or the bound that a range of values comes to, or None if all are possible.

    >>> as_bound(3, 3), as_bound(3, inf), as_bound(-inf, inf)
    ((3, 'exact'), (3, 'at least'), (None, 'exact'))
    """
    if low == high:
        return low, "exact"
    if not isinf(low):
        return low, "at least"
    return (None, "exact") if isinf(high) else (high, "at most")


def _range_of(standing: NodeState) -> tuple[float, float]:
    """Return the least and the most that a node can be worth, given the state of its search."""
    value = standing.value
    if value is None or standing.frame:  # which has not come back yet
        return -inf, inf
    return {"exact": (value, value), "at most": (-inf, value), "at least": (value, inf)}[
        standing.bound
    ]


def scene_after(run: Run, step: int) -> Scene:
    """Return the tree after a number of steps of a search."""
    last = run.steps[step - 1] if step else None
    refused = last.path if last and last.kind in ("as good", "no better") else None
    line = line_of_play(run, step)
    return Scene(run.root, last.here if last else (), node_states(run, step), line, refused)


class NodeSummary(NamedTuple):
    """What a solved tree says about a node."""

    score: int  # for the side to move; in a leaf, the side that would move
    best: tuple[Square, ...]  # the moves with that score
    holding: tuple[Square, ...]  # all moves that win, if it wins
    moves: int
    better: tuple[Square, ...]  # moves that would have been better than the one that led here
    siblings: int  # the children of the parent, this node included; 0 at the root


def summarize(root: Node, path: Path) -> NodeSummary:
    """Return what a solved tree says about the node at `path`."""
    node, above = root.at(path), root.at(path[:-1])
    value = node.value
    return NodeSummary(
        score=value if node.is_max else -value,
        best=sum((child.squares for child in node.below if child.value == value), ()),
        holding=sum((child.squares for child in node.below if child.value * value > 0), ()),
        moves=sum(len(child.squares) for child in node.below),
        better=sum((c.squares for c in above.below if above.value == c.value != value), ()),
        siblings=len(above.below) if path else 0,
    )
