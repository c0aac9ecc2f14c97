"""Minimax and alpha-beta as a textbook prints them, their steps, and the state after any step.

The two functions report to a recorder, which either counts nodes or keeps the steps, and does not
change what they do. Learners see the same lines without the reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from inspect import getsource
from math import inf, isinf
from re import sub
from typing import Any, Literal, NamedTuple, Protocol, get_args

from teach.trees import Node, Path

Algorithm = Literal["minimax", "alpha-beta"]
Bound = Literal["exact", "at most", "at least"]  # how the value of a node compares with a number
StepKind = Literal["enter", "leaf", "first", "better", "as good", "no better", "cut", "end"]
Stage = Literal[
    "waiting",  # not entered yet
    "searched",  # entered, whether or not it has returned
    "pruned",  # by a cutoff in its parent
    "below pruned",  # below a node with the stage "pruned"
]

ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)
# Kinds of steps, by what happened.
ENTERED: tuple[StepKind, ...] = ("enter", "leaf")  # a node was entered
IMPROVED: tuple[StepKind, ...] = ("first", "better")  # a returned value improved its parent's best
RETURNED: tuple[StepKind, ...] = (*IMPROVED, "as good", "no better")  # a value was returned


class SearchNode(Protocol):
    """What a search needs to know about a node."""

    @property
    def over(self) -> bool: ...
    @property
    def is_max(self) -> bool: ...
    @property
    def value(self) -> int: ...
    def children(self) -> Iterable[Any]: ...


# The two searches. Both return the value of `node` for MAX.


def minimax(node: SearchNode, recorder: Recorder) -> float:
    if node.over:
        recorder.enter(node, node.value)
        return node.value
    pick = max if node.is_max else min
    best = -inf if pick is max else inf
    recorder.enter(node, best)
    for child in node.children():
        value = minimax(child, recorder)
        best = pick(best, value)
        recorder.receive(child, value, best)
    return best


# Minimax plus six lines, in the fail-soft form: if the true value is outside the window from α to
# β, the function returns the tightest bound on it that the search found. Source: Fishburn, Another
# Optimization of Alpha-Beta Search, SIGART Bulletin 84, 1983.
def alpha_beta(node: SearchNode, α: float, β: float, recorder: Recorder) -> float:
    if node.over:
        recorder.enter(node, node.value, α, β)
        return node.value
    pick = max if node.is_max else min
    best = -inf if pick is max else inf
    recorder.enter(node, best, α, β)
    for child in node.children():
        value = alpha_beta(child, α, β, recorder)
        best = pick(best, value)
        if pick is max:
            α = max(α, best)
        else:
            β = min(β, best)
        recorder.receive(child, value, best, α, β)
        if α >= β:
            recorder.cut(node, child)
            break
    return best


FUNCTIONS: dict[Algorithm, Callable[..., float]] = {"minimax": minimax, "alpha-beta": alpha_beta}


def search(root: SearchNode, algorithm: Algorithm, recorder: Recorder) -> float:
    """Return the value of `root` for MAX; the search reports to `recorder`."""
    if algorithm == "minimax":
        return minimax(root, recorder)
    return alpha_beta(root, -inf, inf, recorder)


@cache
def code_lines(algorithm: Algorithm) -> tuple[str, ...]:
    """Return the lines of a search as learners see them: without types or calls to the recorder."""
    source = getsource(FUNCTIONS[algorithm])
    # The recorder is the last parameter, so its comma goes with it.
    code = sub(r", recorder\b|: (SearchNode|float|Recorder)\b| -> float", "", source)
    return tuple(line for line in code.splitlines() if "recorder" not in line)


# The recorders


class Recorder:
    """A recorder that only counts the nodes entered.

    A `window` is alpha and beta, or empty in minimax.
    """

    node_count = 0

    def enter(self, node: Any, best: float, *window: float) -> None:
        """Note that `node` was entered; `best` is the value of a leaf, otherwise an infinity."""
        self.node_count += 1

    def receive(self, child: Any, value: float, best: float, *window: float) -> None:
        """Note that the parent of `child` received `value`; `best` is the parent's best now."""

    def cut(self, node: Any, child: Any) -> None:
        """Note that the children of `node` after `child` are pruned; there may be none left."""


class Frame(NamedTuple):
    """A node while it is on the stack."""

    best: float  # the best value so far, an infinity at first; for a leaf, its value
    alpha: float = -inf  # the window; minimax has none
    beta: float = inf


class Step(NamedTuple):
    """One step of a search: what happened to the node at `path`.

    For each kind, the columns say what the node does and what the fields hold.

    kind        the node                         value                   before, after
    enter       is entered, and play goes on     an infinity: none yet   its frame, unchanged
    leaf        is entered, and play is over     its value               its frame, unchanged
    first,
    better,     returns its value to its         its value               its parent's frames
    as good,    parent; the kind compares it
    no better   with the best before
    cut         prunes its later children        its best so far         its frame, unchanged
    end         is the root, and returns         its value               its frame, unchanged

    At a cutoff the best is at least beta for MAX, or at most alpha for MIN. So the other side will
    avoid this node, whatever the remaining children are worth.
    """

    kind: StepKind
    path: Path
    value: float
    before: Frame
    after: Frame
    bound: Bound = "exact"  # of a returned value; not exact if a cutoff below left it open
    pruned_moves: tuple[int, ...] = ()  # to the children that a cutoff prunes
    bound_source: Path = ()  # the node whose value became the alpha or beta that causes a cutoff
    bound_value: float = 0  # that alpha or beta

    @property
    def stack_top(self) -> Path:
        """The last node on the stack after the step; at the end, the root."""
        return self.path[:-1] if self.kind in RETURNED else self.path

    @property
    def pruned_paths(self) -> list[Path]:
        """The paths of the children that a cutoff prunes."""
        return [(*self.path, number) for number in self.pruned_moves]


class StepRecorder(Recorder):
    """A recorder that keeps each report as a step."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._nodes: dict[Path, Node] = {}
        self._frames: dict[Path, Frame] = {}
        self._best_children: dict[Path, Path] = {}
        # The least and the most that each node can be worth, by the children seen so far.
        self._ranges: dict[Path, tuple[float, float]] = {}

    def enter(self, node: Node, best: float, *window: float) -> None:
        self._nodes[node.path] = node
        frame = self._frames[node.path] = Frame(best, *window)
        self._ranges[node.path] = best, best
        self.steps.append(Step("leaf" if node.over else "enter", node.path, best, frame, frame))

    def receive(self, child: Node, value: float, best: float, *window: float) -> None:
        path, parent_path = child.path, child.path[:-1]
        before, after = self._frames[parent_path], Frame(best, *window)
        self._frames[parent_path] = after
        if best != before.best:
            kind: StepKind = "first" if isinf(before.best) else "better"
            self._best_children[parent_path] = path
        else:
            kind = "as good" if value == before.best else "no better"
        self.steps.append(Step(kind, path, value, before, after, self._bound(path, value)))
        pick = max if self._nodes[parent_path].is_max else min
        (low, high), (child_low, child_high) = self._ranges[parent_path], self._ranges[path]
        self._ranges[parent_path] = pick(low, child_low), pick(high, child_high)

    def _bound(self, path: Path, value: float) -> Bound:
        """Return whether the value that a node returns is exact or a bound."""
        low, high = self._ranges[path]
        if low == high:
            return "exact"
        return "at most" if value == high else "at least"

    def cut(self, node: Node, child: Node) -> None:
        pruned = node.below[node.below.index(child) + 1 :]
        if not pruned:
            return
        frame, (low, high) = self._frames[node.path], self._ranges[node.path]
        self._ranges[node.path] = (low, inf) if node.is_max else (-inf, high)
        bound_value = frame.beta if node.is_max else frame.alpha
        self.steps.append(
            Step(
                kind="cut",
                path=node.path,
                value=frame.best,
                before=frame,
                after=frame,
                pruned_moves=tuple(sibling.path[-1] for sibling in pruned),
                bound_source=self._bound_source(node, bound_value),
                bound_value=bound_value,
            )
        )

    def _bound_source(self, node: Node, bound_value: float) -> Path:
        """Return the node whose value became the alpha or beta that causes a cutoff in `node`.

        It is a child of the nearest node above that chooses for the other side and has
        `bound_value` as its best.
        """
        stack = [node.path[:depth] for depth in range(len(node.path))]
        bound_path = next(
            path
            for path in reversed(stack)
            if self._nodes[path].is_max != node.is_max and self._frames[path].best == bound_value
        )
        return self._best_children[bound_path]


# The record of a search


class Run(NamedTuple):
    """The record of a search."""

    root: Node
    algorithm: Algorithm
    steps: tuple[Step, ...]
    value: float
    best_move: int  # of equally good moves, the first that was searched


@lru_cache(maxsize=256)
def run(root: Node, algorithm: Algorithm) -> Run:
    """Return the record of a search of a tree that is more than a leaf."""
    recorder = StepRecorder()
    value = search(root, algorithm, recorder)
    last_frame = recorder.steps[-1].after  # after the last value was returned to the root
    improving_moves = [
        step.path[0] for step in recorder.steps if step.kind in IMPROVED and step.stack_top == ()
    ]
    steps = (*recorder.steps, Step("end", (), value, last_frame, last_frame))
    return Run(root, algorithm, steps, value, best_move=improving_moves[-1])


# The start of the line of code that carries out each kind of step. For a returned value, that is
# the line that updates `best`.
LINE_STARTS: dict[StepKind, str] = {
    "leaf": "return node.value",
    "enter": "best = -inf",
    **dict.fromkeys(RETURNED, "best = pick"),
    "cut": "break",
    "end": "return best",
}


def lines_of_step(run: Run, step: Step) -> tuple[int, ...]:
    """Return the numbers, from 1, of the lines of code that carried out a step, the main one first.

    There may be a second: the line that updates α or β, or the test `α >= β` before a cutoff.
    """
    starts = [LINE_STARTS[step.kind]]
    if step.kind == "cut":
        starts.append("if α >= β")
    if step.kind in RETURNED and run.algorithm == "alpha-beta":
        starts.append("α = max" if run.root.at(step.stack_top).is_max else "β = min")
    texts = [text.lstrip() for text in code_lines(run.algorithm)]
    return tuple(
        next(n for n, text in enumerate(texts, 1) if text.startswith(start)) for start in starts
    )


# The state of a search


class NodeState(NamedTuple):
    """How far the search of a node has got."""

    stage: Stage
    value: float | None = None  # once it is returned
    bound: Bound = "exact"
    frame: Frame | None = None  # while the node is on the stack
    last_frame: Frame | None = None  # the current frame, or the last one; None before it is entered


def node_states(run: Run, step_count: int) -> Mapping[Path, NodeState]:
    """Return the state of each node after the first `step_count` steps, by path."""
    states: dict[Path, NodeState] = {}
    for step in run.steps[:step_count]:
        match step.kind:
            case "enter":
                states[step.path] = NodeState("searched", frame=step.after, last_frame=step.after)
            case "leaf":
                state = NodeState("searched", step.value, frame=step.after, last_frame=step.after)
                states[step.path] = state
            case "cut":
                states |= dict.fromkeys(step.pruned_paths, NodeState("pruned"))
            case _:  # its value was returned, or it is the root at the end
                states[step.path] = states[step.path]._replace(
                    stage="searched", value=step.value, bound=step.bound, frame=None
                )
        if step.kind in RETURNED:
            states[step.stack_top] = states[step.stack_top]._replace(
                frame=step.after, last_frame=step.after
            )
    for node in run.root.walk():  # each parent before its children
        parent_stage = states.get(node.path[:-1], NodeState("waiting")).stage
        is_below_pruned = parent_stage in ("pruned", "below pruned")
        states.setdefault(node.path, NodeState("below pruned" if is_below_pruned else "waiting"))
    return states


def line_of_play(run: Run, step_count: int) -> tuple[Path, ...]:
    """Return the last node on the stack, then each time the child that last improved its best."""
    steps = run.steps[:step_count]
    best_children = {step.stack_top: step.path for step in steps if step.kind in IMPROVED}
    line = [steps[-1].stack_top if steps else ()]
    while line[-1] in best_children:
        line.append(best_children[line[-1]])
    return tuple(line)
