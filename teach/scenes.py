"""What is known about each node of a tree after some steps of a search, and the node in view."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isinf
from typing import Literal, NamedTuple

from engine.notation import signed
from engine.position import SQUARE_NAMES, O, Square, X
from teach.estimates import MIN_WIN_VALUE
from teach.numbers import node_names
from teach.searches import Bound, NodeState, Run, Stage, line_of_play, node_states
from teach.trees import Node, Path

Winner = Literal["X", "O", "D", "unknown"]  # D is a draw; unknown until the search has proved it


class KnownValue(NamedTuple):
    """What is known about the value of a node."""

    value: int
    bound: Bound
    winner: Winner  # the side that the value favors; D in a tree of numbers
    in_number_tree: bool = False
    is_estimate: bool = False  # whether the value comes from boards at a depth limit

    @property
    def text(self) -> str:
        """The value as a tree shows it: `+3`, `≤ −1` for a bound, `~+3` for an estimate.

        A tree of numbers shows no plus.
        """
        bound_sign = {"exact": "", "at most": "≤ ", "at least": "≥ "}[self.bound]
        return bound_sign + format_value(self.value, self.in_number_tree, self.is_estimate)


def format_value(value: float, in_number_tree: bool, is_estimate: bool = False) -> str:
    """Return a value as a tree or a sentence shows it.

    >>> format_value(3, False, is_estimate=True), format_value(3, in_number_tree=True)
    ('~+3', '3')
    """
    number = signed(value)
    if in_number_tree and not isinf(value):
        number = number.removeprefix("+")
    return f"~{number}" if is_estimate else number


class Scene(NamedTuple):
    """A tree during a search, and the node in view."""

    root: Node
    path_in_view: Path  # of the node in view
    states: Mapping[Path, NodeState]
    best_line: tuple[Path, ...] = ()  # the best play found so far, from the node in view
    rejected: Path | None = None  # the node that returned last, if that did not improve the best

    def stage(self, node: Node) -> Stage:
        """Return how far the search of a node has got."""
        return self.states[node.path].stage

    def known_value(self, node: Node) -> KnownValue | None:
        """Return what is known about the value of a node, or None if nothing is known yet."""
        state = self.states[node.path]
        value, bound = state.value, state.bound
        if value is None and state.frame:
            value, bound = as_bound(*self._range(node))
        if value is None or isinf(value):
            return None
        is_estimate = self.is_estimate(node, value)
        is_settled = not is_estimate and (self.is_number_tree or is_sure(value, bound))
        return KnownValue(
            int(value),
            bound,
            winner=self.winner(value) if is_settled else "unknown",
            in_number_tree=self.is_number_tree,
            is_estimate=is_estimate,
        )

    def is_estimate(self, node: Node, value: float) -> bool:
        """Return whether a value of a node comes from boards at a depth limit, not from a win."""
        return node.hits_depth_limit and abs(value) < MIN_WIN_VALUE

    def _range(self, node: Node) -> tuple[float, float]:
        """Return the least and the most a node on the stack can be worth, given its children."""
        pick = max if node.is_max else min
        ranges = [_range_of(self.states[child.path]) for child in node.below]
        return pick(low for low, _ in ranges), pick(high for _, high in ranges)

    @property
    def is_number_tree(self) -> bool:
        """Whether the tree is one of numbers, without boards."""
        return not self.root.has_board

    def name(self, path: Path) -> str:
        """Return the name of a node: its last move, or in a tree of numbers its letter or value."""
        return node_names(self.root)[path] if self.is_number_tree else SQUARE_NAMES[path[-1]]

    def winner(self, value: float) -> Winner:
        """Return the side that a value favors; always D in a tree of numbers."""
        if self.is_number_tree or value == 0:
            return "D"
        return X if value > 0 else O

    def proven_winner(self, node: Node) -> Winner:
        """Return who wins from a node, as far as the search has proved it."""
        state = self.states[node.path]
        value = state.value
        if value is None or not is_sure(value, state.bound) or self.is_estimate(node, value):
            return "unknown"
        return self.winner(value)

    def is_pruned(self, node: Node) -> bool:
        """Return whether the search pruned a node, or one above it."""
        return self.stage(node) in ("pruned", "below pruned")


def is_sure(value: float, bound: Bound) -> bool:
    """Return whether a value or a bound leaves no doubt who wins."""
    return {"exact": True, "at most": value < 0, "at least": value > 0}[bound]


def as_bound(low: float, high: float) -> tuple[float | None, Bound]:
    """Return the number and the bound that describe a range of values.

    The number is None if any value is possible.

    >>> as_bound(3, 3), as_bound(3, inf), as_bound(-inf, inf)
    ((3, 'exact'), (3, 'at least'), (None, 'exact'))
    """
    if low == high:
        return low, "exact"
    if not isinf(low):
        return low, "at least"
    return (None, "exact") if isinf(high) else (high, "at most")


def _range_of(state: NodeState) -> tuple[float, float]:
    """Return the least and the most that a node can be worth, given the state of its search."""
    value = state.value
    if value is None or state.frame:  # not returned yet
        return -inf, inf
    ranges = {"exact": (value, value), "at most": (-inf, value), "at least": (value, inf)}
    return ranges[state.bound]


def scene_after(run: Run, step_count: int) -> Scene:
    """Return the tree after a number of steps of a search."""
    last_step = run.steps[step_count - 1] if step_count else None
    rejected = None
    if last_step and last_step.kind in ("as good", "no better"):
        rejected = last_step.path
    return Scene(
        root=run.root,
        path_in_view=last_step.stack_top if last_step else (),
        states=node_states(run, step_count),
        best_line=line_of_play(run, step_count),
        rejected=rejected,
    )


class NodeSummary(NamedTuple):
    """What a solved tree says about a node."""

    score: int  # for the side to move; at a leaf, for the side that would be to move
    best_moves: tuple[Square, ...]  # the moves with that score
    decisive_moves: tuple[Square, ...]  # the moves that keep a win; all if every move loses
    move_count: int
    better_moves: tuple[Square, ...]  # moves that would have been better than the one that led here
    sibling_count: int  # the children of the parent, this node included; 0 at the root


def summarize(root: Node, path: Path) -> NodeSummary:
    """Return what a solved tree says about the node at `path`."""
    node, parent = root.at(path), root.at(path[:-1])
    value = node.value
    better_nodes = [sibling for sibling in parent.below if parent.value == sibling.value != value]
    return NodeSummary(
        score=value if node.is_max else -value,
        best_moves=sum((child.squares for child in node.below if child.value == value), ()),
        decisive_moves=sum((child.squares for child in node.below if child.value * value > 0), ()),
        move_count=sum(len(child.squares) for child in node.below),
        better_moves=sum((sibling.squares for sibling in better_nodes), ()),
        sibling_count=len(parent.below) if path else 0,
    )
