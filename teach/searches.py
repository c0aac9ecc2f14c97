"""Minimax and alpha-beta as a textbook prints them, and a record of every step they take.

The side to move at the root is MAX, so the levels an even distance below the root are MAX's, the
levels between are MIN's, and every value is MAX's, counted from the root. A node is named by its
path: the squares played since the root.

The two functions report to `node.recorder`, which changes nothing: a recorder counts nodes, or for
a small position keeps the steps. A learner is shown the same lines without the reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from inspect import getsource
from math import inf, isinf
from re import sub
from typing import Literal, NamedTuple, get_args

from engine.position import Position, Square
from engine.search import score, sign

Algorithm = Literal["minimax", "alpha-beta"]
Scoring = Literal["depth", "flat"]
Order = Literal["squares", "best", "worst"]
Bound = Literal["exact", "at most", "at least"]
Kind = Literal["enter", "leaf", "first", "better", "as good", "no better", "cut", "end"]
Stage = Literal["waiting", "searched", "cut", "below a cut"]
Path = tuple[Square, ...]

ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)
SCORINGS: tuple[Scoring, ...] = get_args(Scoring)
ORDERS: tuple[Order, ...] = get_args(Order)
ENTERED: tuple[Kind, ...] = ("enter", "leaf")
IMPROVED: tuple[Kind, ...] = ("first", "better")
BACK: tuple[Kind, ...] = (*IMPROVED, "as good", "no better")  # a value came back to the parent
LINES: dict[Kind, int] = {"leaf": 3, "enter": 5, **dict.fromkeys(BACK, 8), "cut": 14}
MOST_EMPTY = 4  # a record is read step by step: from here it has at most 65 nodes


def is_small(position: Position) -> bool:
    """Say whether at most four squares are empty, so that the tree has at most 24 leaves."""
    return 9 - position.ply <= MOST_EMPTY


# The two searches. Both return the value of `node` to MAX.


def minimax(node: Node) -> float:
    if node.over:
        node.recorder.enter(node, node.value)
        return node.value
    pick = max if node.is_max else min
    best = -inf if pick is max else inf
    node.recorder.enter(node, best)
    for child in node.children():
        value = minimax(child)
        best = pick(best, value)
        node.recorder.back(child, value, best)
    return best


# The same and six lines more. This is the fail-soft form: outside the window from α to β, the value
# returned is a bound as close as the search saw. Source: Knuth and Moore, An Analysis of Alpha-Beta
# Pruning, 1975.
def alpha_beta(node: Node, α: float, β: float) -> float:
    if node.over:
        node.recorder.enter(node, node.value, α, β)
        return node.value
    pick = max if node.is_max else min
    best = -inf if pick is max else inf
    node.recorder.enter(node, best, α, β)
    for child in node.children():
        value = alpha_beta(child, α, β)
        best = pick(best, value)
        if pick is max:
            α = max(α, best)
        else:
            β = min(β, best)
        node.recorder.back(child, value, best, α, β)
        if α >= β:
            node.recorder.cut(node, child)
            break
    return best


FUNCTIONS: dict[Algorithm, Callable[..., float]] = {"minimax": minimax, "alpha-beta": alpha_beta}


@cache
def code(algorithm: Algorithm) -> tuple[str, ...]:
    """Return the lines of the function that runs, without types and without its reports."""
    source = sub(r": (Node|float)\b| -> float", "", getsource(FUNCTIONS[algorithm]))
    return tuple(line for line in source.splitlines() if "recorder" not in line)


# What they search


def value(position: Position, distance: int, scoring: Scoring) -> int:
    """Return the value of `position` to MAX, who decides `distance` turns above.

    A win on turn n of the decision is `10 - n`, a loss `n - 10`, a draw `0`; flat: 1, -1 and 0. So
    on MAX's levels a node has the highest value of its children, on MIN's levels the lowest.
    """
    own = score(position)
    counted = own - sign(own) * distance if scoring == "depth" else sign(own)
    return counted if distance % 2 == 0 else -counted


@cache  # many ways lead to the same position: costs in 95 ms, not 120
def ordered(position: Position, scoring: Scoring, order: Order) -> Mapping[Square, Position]:
    """Return the position after each legal move, in the order they are searched; none once over.

    `best` and `worst` go by the exact value for the side to move, equal ones in square order.
    """
    children = position.children()
    if order == "squares":
        return children
    # The opponent moves next, so the opponent's lowest value is best for the side to move.
    worth = {square: value(child, 0, scoring) for square, child in children.items()}
    squares = sorted(children, key=worth.__getitem__, reverse=order == "worst")
    return {square: children[square] for square in squares}


class Node(NamedTuple):
    """Hold one node of a search: its path and position, and the settings of the whole search."""

    path: Path
    position: Position
    scoring: Scoring
    order: Order
    recorder: Recorder

    @property
    def is_max(self) -> bool:
        """Say whether MAX is to move and picks the highest value; else MIN picks the lowest."""
        return len(self.path) % 2 == 0

    @property
    def over(self) -> bool:
        """Say whether the game is over, which makes the node a leaf."""
        return self.position.outcome() is not None

    @property
    def value(self) -> int:
        """Return the value of a leaf to MAX."""
        return value(self.position, len(self.path), self.scoring)

    def children(self) -> Iterator[Node]:
        """Yield the nodes below, in the order they are searched; none below a leaf."""
        path, _, scoring, order, recorder = self
        for square, position in ordered(self.position, scoring, order).items():
            yield Node((*path, square), position, scoring, order, recorder)


# What they report


class Recorder:
    """Count the nodes that a search enters."""

    nodes = 0

    def enter(self, node: Node, best: float, *window: float) -> None:
        """Note that `node` is entered. `best` is a leaf's value; no value yet is an infinity."""
        self.nodes += 1

    def back(self, child: Node, value: float, best: float, *window: float) -> None:
        """Note that the value of `child` came back, and the best and window of its parent now."""

    def cut(self, node: Node, child: Node) -> None:
        """Note that no child of `node` after `child` is searched; none may be left."""


class Frame(NamedTuple):
    """Hold a node while it is searched: its best so far and its window.

    An infinity stands for nothing yet. A leaf's best is its value. Minimax has no window.
    """

    best: float
    alpha: float = -inf
    beta: float = inf


class Step(NamedTuple):
    """Tell what happened to the node at `path`.

    kind        the node                         value                   before, after
    enter       is entered, and play goes on     an infinity: none yet   its frame, twice
    leaf        is entered, and play is over     its value               its frame, twice
    first,
    better,     has a value, which comes back    its value               its parent's frames
    as good,    to its parent and is so much
    no better   better than the best before
    cut         searches no further square       its best so far         its frame, twice
    end         is the root, and returns         its value               its frame, twice

    The `bound` is for values that come back: "exact" unless a cut below has left the value open;
    then the true value is "at most" or "at least" the value that came back.

    The squares not searched after a cut are the `rest`. On MAX's level the best is at least beta,
    on MIN's at most alpha, a value that the parent was brought earlier by the node at `by`. So the
    parent's side will not let the game come here, whatever the value of the rest.
    """

    kind: Kind
    path: Path
    value: float
    before: Frame
    after: Frame
    bound: Bound = "exact"
    rest: tuple[Square, ...] = ()
    by: Path = ()

    @property
    def here(self) -> Path:
        """Return the last node on the stack after the step; at the end, the root."""
        return self.path[:-1] if self.kind in BACK else self.path

    @property
    def against(self) -> float:
        """Return the bound that a cut is held against: beta on MAX's level, alpha on MIN's."""
        return self.after.alpha if len(self.path) % 2 else self.after.beta

    @property
    def left_out(self) -> list[Path]:
        """Return the nodes that a cut leaves out, by their paths."""
        return [(*self.path, square) for square in self.rest]


class StepRecorder(Recorder):
    """Keep the reports of a search, step by step."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._frames: dict[Path, Frame] = {}
        self._best_child: dict[Path, Path] = {}
        self._range: dict[Path, tuple[float, float]] = {}  # where the true value can still lie

    def enter(self, node: Node, best: float, *window: float) -> None:
        frame = self._frames[node.path] = Frame(best, *window)
        self._range[node.path] = best, best
        self.steps.append(Step("leaf" if node.over else "enter", node.path, best, frame, frame))

    def back(self, child: Node, value: float, best: float, *window: float) -> None:
        path, parent = child.path, child.path[:-1]
        before, after = self._frames[parent], Frame(best, *window)
        (low, high), (lowest, highest) = self._range[path], self._range[parent]
        bound: Bound = "exact" if low == high else "at most" if value == high else "at least"
        pick = min if child.is_max else max
        self._range[parent] = pick(lowest, low), pick(highest, high)
        self._frames[parent] = after
        kind: Kind = "as good" if value == before.best else "no better"
        if best != before.best:
            kind = "first" if isinf(before.best) else "better"
            self._best_child[parent] = path
        self.steps.append(Step(kind, path, value, before, after, bound))

    def cut(self, node: Node, child: Node) -> None:
        path, squares = node.path, tuple(ordered(node.position, node.scoring, node.order))
        rest = squares[squares.index(child.path[-1]) + 1 :]
        if not rest:
            return
        frame, (low, high) = self._frames[path], self._range[path]
        self._range[path] = (low, inf) if node.is_max else (-inf, high)
        # Two turns down, two squares are left; below that nothing is left out. So the bound that a
        # cut is held against is always the best of the parent, never of a node further above.
        by = self._best_child[path[:-1]]
        self.steps.append(Step("cut", path, frame.best, frame, frame, rest=rest, by=by))


def line(algorithm: Algorithm, step: Step) -> int:
    """Return the line of the listing, counted from 1, that did a step; the last ends it."""
    return LINES.get(step.kind, len(code(algorithm)))


# Asking for them


class Run(NamedTuple):
    """Hold a recorded search: its settings, every step, and the value found.

    `move` is the move settled on: the first whose value no later move was seen to improve on.
    """

    position: Position
    algorithm: Algorithm
    scoring: Scoring
    order: Order
    steps: tuple[Step, ...]
    value: float
    move: Square


@lru_cache(maxsize=256)
def run(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Run:
    """Run a search from a small position, the game not over, and return its record."""
    recorder = StepRecorder()
    found = search(position, algorithm, scoring, order, recorder)
    root = recorder.steps[-1].after  # the last value came back to the root
    improved = [step.path[0] for step in recorder.steps if step.kind in IMPROVED and not step.here]
    return Run(
        position=position,
        algorithm=algorithm,
        scoring=scoring,
        order=order,
        steps=(*recorder.steps, Step("end", (), found, root, root)),
        value=found,
        move=improved[-1],
    )


def search(
    position: Position, algorithm: Algorithm, scoring: Scoring, order: Order, recorder: Recorder
) -> float:
    """Return the value of `position` to the side to move; the search reports to `recorder`."""
    root = Node((), position, scoring, order, recorder)
    return minimax(root) if algorithm == "minimax" else alpha_beta(root, -inf, inf)


# Where a run stands


class Standing(NamedTuple):
    """Say how far a search is with a node: its value once known, and what bound that is.

    A node is `waiting`, `searched` once it is entered, or left out: `cut`, or `below a cut`. On the
    stack it has a frame.
    """

    stage: Stage
    value: float | None = None
    bound: Bound = "exact"
    frame: Frame | None = None


def met_after(run: Run, step: int) -> dict[Path, Standing]:
    """Return how far the first `step` steps are with each node that they entered or cut."""
    met: dict[Path, Standing] = {}
    for done in run.steps[:step]:
        match done.kind:
            case "enter":
                met[done.path] = Standing("searched", frame=done.after)
            case "leaf":
                met[done.path] = Standing("searched", done.value, frame=done.after)
            case "cut":
                met |= dict.fromkeys(done.left_out, Standing("cut"))
            case _:  # its value is back, or it is the root at the end
                met[done.path] = Standing("searched", done.value, done.bound)
        if done.kind in BACK:
            met[done.here] = met[done.here]._replace(frame=done.after)
    return met
