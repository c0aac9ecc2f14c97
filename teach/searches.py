"""Minimax and alpha-beta as a textbook prints them, and a record of every step they take.

The side to move at the root is MAX, so the levels an even distance below it are MAX's, the others
MIN's, and every value is MAX's, counted from the root. A node is named by its path: the squares
played since the root.

The two functions report what they do to `node.see`, which changes nothing: it counts, and for a
small position also records. What a learner is shown is their source without those reports.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from inspect import getsourcelines
from math import inf
from typing import Literal, NamedTuple

from engine.position import Position, Square
from engine.search import score, sign

Algorithm = Literal["minimax", "alpha-beta"]
Scoring = Literal["depth", "flat"]
Order = Literal["squares", "best", "worst"]
Bound = Literal["exact", "at most", "at least"]
Path = tuple[Square, ...]

ALGORITHMS: tuple[Algorithm, ...] = ("minimax", "alpha-beta")
SCORINGS: tuple[Scoring, ...] = ("depth", "flat")
ORDERS: tuple[Order, ...] = ("squares", "best", "worst")
MOST_EMPTY = 4  # a record is read step by step: from here it has at most 65 nodes


def is_small(position: Position) -> bool:
    """Say whether its tree is drawn whole and its search recorded: it has at most 24 leaves."""
    return 9 - position.ply <= MOST_EMPTY


# The two searches. Both return what `node` is worth to MAX. A report above a `return` or a `break`
# tells of that line, any other of the line above it.


def minimax(node: Node) -> float:
    if node.over:
        node.see.enter(node, node.value)
        return node.value
    best = -inf if node.is_max else inf
    node.see.enter(node, best)
    for child in node.children():
        value = minimax(child)
        best = max(best, value) if node.is_max else min(best, value)
        node.see.back(child, value, best)
    node.see.leave(node, best)
    return best


# The same and four lines more. It is the fail-soft form: outside its window from alpha to beta, the
# value returned is a bound as close as the search saw. Source: Knuth and Moore, An Analysis of
# Alpha-Beta Pruning, 1975.
def alpha_beta(node: Node, alpha: float, beta: float) -> float:
    if node.over:
        node.see.enter(node, node.value, alpha, beta)
        return node.value
    best = -inf if node.is_max else inf
    node.see.enter(node, best, alpha, beta)
    for child in node.children():
        value = alpha_beta(child, alpha, beta)
        alpha = max(alpha, value) if node.is_max else alpha
        beta = beta if node.is_max else min(beta, value)
        best = max(best, value) if node.is_max else min(best, value)
        node.see.back(child, value, best, alpha, beta)
        if alpha >= beta:
            node.see.cut(node, child)
            break
    node.see.leave(node, best)
    return best


# What they search


def value(position: Position, distance: int, scoring: Scoring) -> int:
    """Return what `position` is worth to MAX, who decides `distance` turns above it.

    A win on turn n of that decision is `10 - n`, a loss `n - 10`, a draw `0`; flat, they are 1,
    -1 and 0. So a node has the highest value of its children on MAX's levels, the lowest on MIN's.
    """
    own = score(position)
    counted = own - sign(own) * distance if scoring == "depth" else sign(own)
    return counted if distance % 2 == 0 else -counted


@cache  # the same position is come to by many ways: costs in 95 ms, not 120
def ordered(position: Position, scoring: Scoring, order: Order) -> Mapping[Square, Position]:
    """Return the position after each legal move, in the order they are searched; none once over.

    `best` and `worst` go by the exact value for the side to move, equal ones in square order.
    """
    children = position.children()
    if order == "squares":
        return children
    # What is worst for the opponent, who moves next, is best for the side to move.
    worth = {square: value(child, 0, scoring) for square, child in children.items()}
    squares = sorted(children, key=worth.__getitem__, reverse=order == "worst")
    return {square: children[square] for square in squares}


class Node(NamedTuple):
    """Hold one node of a search: its path, its position and what holds for the whole search."""

    path: Path
    position: Position
    scoring: Scoring
    order: Order
    see: Count

    @property
    def is_max(self) -> bool:
        """Say whether MAX is to move, who takes the highest value; else MIN is, the lowest."""
        return len(self.path) % 2 == 0

    @property
    def over(self) -> bool:
        """Say whether the game is over, which makes the node a leaf."""
        return self.position.outcome() is not None

    @property
    def value(self) -> int:
        """Return what a leaf is worth to MAX."""
        return value(self.position, len(self.path), self.scoring)

    def children(self) -> Iterator[Node]:
        """Yield the nodes below, in the order they are searched; none below a leaf."""
        path, _, scoring, order, see = self
        for square, position in ordered(self.position, scoring, order).items():
            yield Node((*path, square), position, scoring, order, see)


# What they report


class Counts(NamedTuple):
    """Count the nodes a search entered, how many were leaves, and how often it cut the rest off."""

    nodes: int
    leaves: int
    cuts: int


class Count:
    """Count what a search reports."""

    def __init__(self) -> None:
        self.nodes = self.leaves = self.cuts = 0

    def enter(self, node: Node, best: float, *window: float) -> None:
        """Note that `node` is entered. `best` is a leaf's value; no value yet is an infinity."""
        self.nodes += 1
        self.leaves += node.over

    def back(self, child: Node, value: float, best: float, *window: float) -> None:
        """Note that the value of `child` came back to its parent, which now has the rest."""

    def cut(self, node: Node, child: Node) -> None:
        """Note that no child of `node` after `child` is searched; none may be left."""
        self.cuts += bool(left_out(node, child))

    def leave(self, node: Node, best: float) -> None:
        """Note that `node` returns `best`."""


def left_out(node: Node, child: Node) -> Path:
    """Return the squares of `node` that come after `child`, in the order of the search."""
    squares = tuple(ordered(node.position, node.scoring, node.order))
    return squares[squares.index(child.path[-1]) + 1 :]


class Held(NamedTuple):
    """Hold what a node has while it is searched: its best so far and its window.

    An infinity stands for nothing yet. A leaf's best is its value. Minimax has no window.
    """

    best: float
    alpha: float = -inf
    beta: float = inf


class Enter(NamedTuple):
    """Tell that the node at `path` was entered, with its `value` if it is a leaf."""

    path: Path
    line: int
    value: float | None
    held: Held


class Back(NamedTuple):
    """Tell that the value of the node at `path` came back, and what its parent made of it.

    The bound is "exact" unless a cut below has left the value open: then it is "at most" or "at
    least" what came back.
    """

    path: Path
    line: int
    value: float
    bound: Bound
    before: Held
    after: Held

    @property
    def improves(self) -> bool:
        """Say whether the value is better for the parent than every one before it."""
        return self.before.best != self.after.best


class Cut(NamedTuple):
    """Tell that the node at `path`, with its best so far, searches none of the squares `rest`.

    `child` is the square it searched last. Its best is at least beta, on MAX's level, or at most
    alpha, on MIN's: `against` is that bound, which the other side has since the node at `by`
    came back, before. So that side will not let the game come here, whatever the rest is worth.
    """

    path: Path
    line: int
    child: Square
    rest: tuple[Square, ...]
    best: float
    against: float
    by: Path


class Return(NamedTuple):
    """Tell that the root, whose path is empty, returned its exact value. It is the last step."""

    path: Path
    line: int
    value: float


Step = Enter | Back | Cut | Return


class Record(Count):
    """Count what a search reports and record it, step by step."""

    def __init__(self, algorithm: Algorithm) -> None:
        super().__init__()
        self.steps: list[Step] = []
        self._shown_line = _source(algorithm).told
        self._held: dict[Path, Held] = {}
        self._best_child: dict[Path, Path] = {}
        self._range: dict[Path, tuple[float, float]] = {}  # where the true value can still lie

    def enter(self, node: Node, best: float, *window: float) -> None:
        """Note that `node` is entered. `best` is a leaf's value; no value yet is an infinity."""
        super().enter(node, best, *window)
        held = self._held[node.path] = Held(best, *window)
        self._range[node.path] = best, best
        self.steps.append(Enter(node.path, self._line(), best if node.over else None, held))

    def back(self, child: Node, value: float, best: float, *window: float) -> None:
        """Note that the value of `child` came back to its parent, which now has the rest."""
        path, parent = child.path, child.path[:-1]
        before, after = self._held[parent], Held(best, *window)
        (low, high), (lowest, highest) = self._range[path], self._range[parent]
        bound: Bound = "exact" if low == high else "at most" if value == high else "at least"
        pick = min if child.is_max else max
        self._range[parent] = pick(lowest, low), pick(highest, high)
        self._held[parent] = after
        if best != before.best:
            self._best_child[parent] = path
        self.steps.append(Back(path, self._line(), value, bound, before, after))

    def cut(self, node: Node, child: Node) -> None:
        """Note that no child of `node` after `child` is searched; none may be left."""
        super().cut(node, child)
        path, rest = node.path, left_out(node, child)
        if not rest:
            return
        best, alpha, beta = self._held[path]
        low, high = self._range[path]
        self._range[path] = (low, inf) if node.is_max else (-inf, high)
        against = beta if node.is_max else alpha
        # Two turns down, two squares are left; below that nothing is left out. So the bound that a
        # cut is held against is always its parent's best, never that of a node further above.
        by = self._best_child[path[:-1]]
        self.steps.append(Cut(path, self._line(), child.path[-1], rest, best, against, by))

    def leave(self, node: Node, best: float) -> None:
        """Note that `node` returns `best`, which is a step of its own only at the root."""
        if not node.path:
            self.steps.append(Return(node.path, self._line(), best))

    def _line(self) -> int:
        """Return which shown line the search's own frame, two calls above, tells of."""
        return self._shown_line[sys._getframe(2).f_lineno]


# The code that ran


class Source(NamedTuple):
    """Hold the lines shown, and by its place in the file which of them each report tells of."""

    shown: tuple[str, ...]
    told: dict[int, int]


def code(algorithm: Algorithm) -> tuple[str, ...]:
    """Return the lines of the function that runs, without those that only report."""
    return _source(algorithm).shown


@cache
def _source(algorithm: Algorithm) -> Source:
    function: Callable[..., float] = minimax if algorithm == "minimax" else alpha_beta
    lines, first = getsourcelines(function)
    shown: list[str] = []
    told: dict[int, int] = {}
    for number, line in enumerate(lines):
        if not line.lstrip().startswith("node.see."):
            shown.append(line.rstrip())
        elif lines[number + 1].split()[0] in ("return", "break"):
            told[first + number] = len(shown)
        else:
            told[first + number] = len(shown) - 1
    return Source(tuple(shown), told)


# Asking for them


class Run(NamedTuple):
    """Hold a recorded search: what was asked, every step, and what came out.

    `move` is the move settled on: the first whose value no other move was seen to improve on.
    """

    position: Position
    algorithm: Algorithm
    scoring: Scoring
    order: Order
    steps: tuple[Step, ...]
    counts: Counts
    value: float
    move: Square


@lru_cache(maxsize=256)
def run(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Run:
    """Run a search and return its record.

    Raises ValueError, with the reason, once the game is over and where the record would be too
    long to read, which is with more than four empty squares.
    """
    if position.outcome():
        raise ValueError("the game is over, so there is nothing to search")
    if not is_small(position):
        raise ValueError(
            f"a search is recorded from at most {MOST_EMPTY} empty squares,"
            f" and here are {9 - position.ply}"
        )
    record = Record(algorithm)
    found = search(position, algorithm, scoring, order, record)
    improved = [step for step in record.steps if isinstance(step, Back) and step.improves]
    *_, settled = (step.path[0] for step in improved if len(step.path) == 1)
    return Run(
        position=position,
        algorithm=algorithm,
        scoring=scoring,
        order=order,
        steps=tuple(record.steps),
        counts=Counts(record.nodes, record.leaves, record.cuts),
        value=found,
        move=settled,
    )


def search(
    position: Position, algorithm: Algorithm, scoring: Scoring, order: Order, see: Count
) -> float:
    root = Node((), position, scoring, order, see)
    return minimax(root) if algorithm == "minimax" else alpha_beta(root, -inf, inf)


# Where a run stands


class Standing(NamedTuple):
    """Say how far a search is with a node: its value and bound, once it has them."""

    stage: Literal["on the stack", "returned", "cut"]
    value: float | None = None
    bound: Bound | None = None


class State(NamedTuple):
    """Hold what a search has done after so many steps.

    `nodes` holds only those met so far. `stack` holds the nodes being searched, the root first.
    """

    nodes: dict[Path, Standing]
    stack: dict[Path, Held]
    counts: Counts


def state_after(run: Run, step: int) -> State:
    """Return how the search stands after its first `step` steps; all of them are the end."""
    nodes: dict[Path, Standing] = {}
    stack: dict[Path, Held] = {}
    leaves = cuts = 0
    for done in run.steps[:step]:
        match done:
            case Enter(path, _, value, held):
                bound: Bound | None = None if value is None else "exact"
                nodes[path] = Standing("on the stack", value, bound)
                stack[path] = held
                leaves += value is not None
            case Back(path, _, value, bound):
                nodes[path] = Standing("returned", value, bound)
                del stack[path]
                stack[path[:-1]] = done.after
            case Cut():
                nodes |= {(*done.path, square): Standing("cut") for square in done.rest}
                cuts += 1
            case _:  # the root returns
                nodes[()] = Standing("returned", done.value, "exact")
                stack.clear()
    entered = sum(standing.stage != "cut" for standing in nodes.values())
    return State(nodes, stack, Counts(entered, leaves, cuts))
