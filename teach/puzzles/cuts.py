"""The puzzle "Prune": uncover the leaves of a tree, except those that can't change the root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import takewhile
from math import inf, isinf
from typing import Literal, NamedTuple, get_args

from teach.puzzles.moves import UNREACHABLE
from teach.puzzles.random_trees import PuzzleTree
from teach.searches import RETURNED, Frame, NodeState, Step, node_states, run
from teach.trees import Node, Path

BoundSign = Literal["", "≤", "≥"]  # in front of a number: a value has none, a bound has one
WindowEnd = Literal["α", "β"]
Verdict = Literal[
    "looked",  # the learner looked at a leaf, where there was no choice
    "went on",  # the learner looked, and was right: alpha-beta looks, too
    "in vain",  # the learner looked, and was wrong: alpha-beta prunes
    "cut",  # the learner pruned, and was right: alpha-beta prunes, too
    "not yet",  # the learner pruned, and was wrong: alpha-beta looks
    "set",  # the learner put a number under the cover
]
WINDOW_ENDS: tuple[WindowEnd, ...] = get_args(WindowEnd)
DIGITS = "0123456789"  # the presses that answer a question about a window


class CutRemark(NamedTuple):
    """A remark on the last press."""

    verdict: Verdict
    node: Node  # the inner node that the press was about
    best: int  # the node's best value before the press; if it was "looked", the leaf's value
    bound: int | None  # the alpha or beta that it is compared with, if there is one
    bound_node: Node | None  # the node whose best value that bound is
    leaves_left: tuple[Node, ...] = ()  # below the node, not looked at yet
    is_shown: bool = False  # whether the learner pressed Show me
    set_to: int | None = None  # the number put under the cover


class WindowRemark(NamedTuple):
    """A remark on the last answer to a question about a window."""

    end: WindowEnd
    node: Node
    answer: float
    right_answer: float
    source: Node  # the node whose best value is the right answer
    is_shown: bool = False  # whether the learner pressed Show me


class WindowQuestion(NamedTuple):
    """The question about an end of the window of a node."""

    end: WindowEnd
    node: Node
    choices: Mapping[str, float]  # by press
    wrong_presses: str = ""


class Comparison(NamedTuple):
    """The best value of an inner node, and the other side's value to compare it with."""

    node: Node
    best: int
    bound: int  # beta for MAX, alpha for MIN
    bound_node: Node  # the node whose best value that bound is
    is_cut: bool  # whether alpha-beta prunes here


class CutPuzzle(NamedTuple):
    """The state of a puzzle."""

    root: Node
    needed_leaf_count: int  # leaves that alpha-beta looks at
    seen_leaves: tuple[Node, ...]
    pruned_nodes: tuple[Node, ...]
    best_values: Mapping[Path, int]  # so far, of each node with a value
    certain_values: Mapping[Path, tuple[BoundSign, int]]  # what is certain of the true values
    windows: Mapping[Path, Frame]  # of each node entered: its current frame, or its last one
    next_leaf: Node | None  # the leaf to look at next
    node_to_decide: Node | None  # the inner node at which to look or prune, if there is a choice
    has_mistake: bool  # whether a choice differed from alpha-beta's
    last_remark: CutRemark | WindowRemark | None
    wasted_leaves: tuple[Node, ...]  # those looked at although alpha-beta prunes them
    cover_numbers: Mapping[str, int]  # by press: numbers for under the cover before a deep cutoff
    cover_presses: str  # the presses that have put a number there
    question: WindowQuestion | None  # to answer before anything else

    @property
    def offered_presses(self) -> str:
        """The presses offered: `u` looks, `c` prunes, `s` shows what is right.

        `m` and `l` put a number under the cover; if they are offered, `c` is offered once both have
        been pressed. A digit answers a question about a window. After a wrong `c` at a node, `c` is
        not offered again, because a second try would not teach more.
        """
        if question := self.question:
            return "".join(p for p in question.choices if p not in question.wrong_presses) + "s"
        if not self.node_to_decide:
            return "u" if self.next_leaf else ""
        if self.cover_numbers:
            has_set_all = {*self.cover_numbers} <= {*self.cover_presses}
            return "".join(self.cover_numbers) + ("c" if has_set_all else "")
        remark = self.last_remark if isinstance(self.last_remark, CutRemark) else None
        is_refused = remark and remark.verdict == "not yet" and remark.node == self.node_to_decide
        return "us" if is_refused else "ucs"


# One page asks for the same states 50 to 150 times. 256 entries are the steps of several puzzles.
@lru_cache(maxsize=256)
def _states_after(root: Node, step_count: int) -> Mapping[Path, NodeState]:
    """Return how far alpha-beta has got with each node after its first `step_count` steps."""
    return node_states(run(root, "alpha-beta"), step_count)


@dataclass
class _Search:
    """The record of alpha-beta, how far the presses have followed it, and what else they did."""

    root: Node
    asks_for_numbers: bool = False  # whether numbers go under the cover before a deep cutoff
    asks_for_window: bool = False  # whether α and β are asked for at the first choice
    step_count: int = 0  # steps of alpha-beta that are done
    has_mistake: bool = False
    last_remark: CutRemark | WindowRemark | None = None
    wasted_leaves: list[Node] = field(default_factory=list)
    cover_presses: str = ""
    answered_ends: list[WindowEnd] = field(default_factory=list)
    wrong_presses: str = ""  # the wrong answers to the open question about a window

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of alpha-beta."""
        return run(self.root, "alpha-beta").steps

    @property
    def states(self) -> Mapping[Path, NodeState]:
        """How far the search of each node has got."""
        return _states_after(self.root, self.step_count)

    @property
    def seen_paths(self) -> set[Path]:
        """The paths of the leaves looked at."""
        states = self.states
        needed = {leaf.path for leaf in self.root.leaves if states[leaf.path].stage == "searched"}
        return needed | {leaf.path for leaf in self.wasted_leaves}

    @property
    def best_values(self) -> Mapping[Path, int]:
        """The best value so far of each node that has one."""
        return _best_values(self.root, self.seen_paths, self.states)

    @property
    def next_leaf(self) -> Node | None:
        """The leaf to look at or to prune next, or None at the end."""
        for step in self.steps[self.step_count :]:
            if step.kind == "cut":
                return self.root.at(step.pruned_paths[0]).leaves[0]
            if step.kind == "leaf":
                return self.root.at(step.path)
        return None

    @property
    def open_node(self) -> Node | None:
        """The inner node to go on with, or None before the first leaf and at the end."""
        step = self.steps[self.step_count]
        if step.kind == "end" or not self.step_count:
            return None
        return self.root.at(step.path if step.kind == "cut" else step.path[:-1])

    @property
    def comparison(self) -> Comparison | None:
        """The comparison at the open node, or None if there is none to make."""
        node = self.open_node
        if not node:
            return None
        end: WindowEnd = "β" if node.is_max else "α"
        bound = self._end_value(end, node)
        if isinf(bound):
            return None
        # The search may have only a bound on a node whose value the learner has seen, in vain. So
        # the best value is that of the leaves seen, not that of the search.
        return Comparison(
            node=node,
            best=self.best_values[node.path],
            bound=int(bound),
            bound_node=self._source(end, node),
            is_cut=self.steps[self.step_count].kind == "cut",
        )

    def _end_value(self, end: WindowEnd, node: Node) -> float:
        """Return the α or the β of a node on the stack."""
        frame = self.states[node.path].frame
        assert frame, "the node must be on the stack"
        return frame.alpha if end == "α" else frame.beta

    def _source(self, end: WindowEnd, node: Node) -> Node:
        """Return the node whose best value is the α or the β of a node on the stack.

        It is on the stack, too: the topmost node that chooses for that side and has that value.
        """
        states, end_value = self.states, self._end_value(end, node)

        def is_source(other: Node) -> bool:
            frame = states[other.path].frame
            return other.is_max == (end == "α") and frame is not None and frame.best == end_value

        stack = (self.root.at(node.path[:length]) for length in range(len(node.path) + 1))
        return next(filter(is_source, stack))

    @property
    def question(self) -> WindowQuestion | None:
        """The open question about α or β, or None if there is none."""
        open_ends = [end for end in WINDOW_ENDS if end not in self.answered_ends]
        comparison = self.comparison
        if not (self.asks_for_window and open_ends and comparison):
            return None
        node, states = comparison.node, self.states
        stack = [states[node.path[:length]].frame for length in range(len(node.path) + 1)]
        values = sorted({-inf, inf, *(frame.best for frame in stack if frame)})
        choices = dict(zip(DIGITS, values, strict=False))
        return WindowQuestion(open_ends[0], node, choices, self.wrong_presses)

    @property
    def cover_numbers(self) -> Mapping[str, int]:
        """The numbers to put under the cover, by press; empty unless a deep cutoff is next.

        One is higher than the best value so far (`m`, for more), the other lower (`l`, for less).
        """
        comparison = self.comparison
        if not (self.asks_for_numbers and comparison and comparison.is_cut):
            return {}
        is_deep = comparison.bound_node.path != comparison.node.path[:-1]
        return {"m": comparison.best + 4, "l": comparison.best - 4} if is_deep else {}

    def press(self, press: str) -> None:
        """Apply a press: look, prune, show what is right, set the cover, or answer a question."""
        if question := self.question:
            self._answer(question, press)
        elif comparison := self.comparison:
            self._decide(comparison, press)
        else:
            leaf = self.next_leaf
            assert leaf, "a press must have a leaf to look at"
            parent = self.root.at(leaf.path[:-1])
            self.last_remark = CutRemark("looked", parent, leaf.value, None, None)
            self._advance()

    def _decide(self, comparison: Comparison, press: str) -> None:
        """Apply a press at a node where there is a choice: look, prune, or first set the cover."""
        node, states = comparison.node, self.states
        waiting = (child for child in node.below if states[child.path].stage == "waiting")
        remark = CutRemark(
            verdict="set",
            node=node,
            best=comparison.best,
            bound=comparison.bound,
            bound_node=comparison.bound_node,
            leaves_left=tuple(leaf for child in waiting for leaf in child.leaves),
        )
        if press in self.cover_numbers:
            self.cover_presses += press
            self.last_remark = remark._replace(set_to=self.cover_numbers[press])
            return
        prunes = press == "c" or (press == "s" and comparison.is_cut)
        verdict: Verdict
        if comparison.is_cut:
            verdict = "cut" if prunes else "in vain"
        else:
            verdict = "not yet" if prunes else "went on"
        self.has_mistake |= verdict in ("in vain", "not yet")
        self.last_remark = remark._replace(verdict=verdict, is_shown=press == "s")
        if verdict == "in vain":
            self.wasted_leaves += remark.leaves_left
        if verdict != "not yet":
            self._advance()

    def _answer(self, question: WindowQuestion, press: str) -> None:
        """Apply a press that answers a question about a window, or that shows the answer."""
        right_answer = self._end_value(question.end, question.node)
        answer = question.choices.get(press, right_answer)
        self.last_remark = WindowRemark(
            end=question.end,
            node=question.node,
            answer=answer,
            right_answer=right_answer,
            source=self._source(question.end, question.node),
            is_shown=press == "s",
        )
        if answer == right_answer:
            self.answered_ends.append(question.end)
            self.wrong_presses = ""
        else:
            self.has_mistake = True
            self.wrong_presses += press

    def _advance(self) -> None:
        """Do the steps up to the next leaf or cutoff, and those that then return values."""
        while self.steps[self.step_count].kind == "enter":
            self.step_count += 1
        self.step_count += 1
        returns = takewhile(lambda step: step.kind in RETURNED, self.steps[self.step_count :])
        self.step_count += sum(1 for _ in returns)


def cut_puzzle(
    tree: PuzzleTree, presses: str, asks_for_numbers: bool = False, asks_for_window: bool = False
) -> CutPuzzle:
    """Return the puzzle after some presses, which `offered_presses` explains.

    `asks_for_numbers` is whether numbers are to be put under the cover before a deep cutoff, and
    `asks_for_window` whether α and β are asked for. Raises ValueError, with the reason, if a press
    is not offered at that point.
    """
    search = _Search(tree.root, asks_for_numbers, asks_for_window)
    for press in presses:
        if press not in _snapshot(search).offered_presses:
            raise ValueError(UNREACHABLE)
        search.press(press)
    return _snapshot(search)


def _snapshot(search: _Search) -> CutPuzzle:
    """Return the state of the puzzle at this point of the search."""
    states, root, wasted_leaves = search.states, search.root, search.wasted_leaves
    seen_paths, best_values = search.seen_paths, search.best_values
    comparison = search.comparison
    # What alpha-beta prunes does not look pruned if the learner looked at it.
    pruned_nodes = [
        node
        for node in root.walk()
        if states[node.path].stage == "pruned" and not {*node.leaves} & {*wasted_leaves}
    ]
    return CutPuzzle(
        root=root,
        needed_leaf_count=sum(step.kind == "leaf" for step in search.steps),
        seen_leaves=tuple(leaf for leaf in root.leaves if leaf.path in seen_paths),
        pruned_nodes=tuple(pruned_nodes),
        best_values=best_values,
        certain_values=_certain_values(root, best_values, seen_paths, states),
        windows={path: state.last_frame for path, state in states.items() if state.last_frame},
        next_leaf=search.next_leaf,
        node_to_decide=comparison.node if comparison else None,
        has_mistake=search.has_mistake,
        last_remark=search.last_remark,
        wasted_leaves=tuple(wasted_leaves),
        cover_numbers=search.cover_numbers,
        cover_presses=search.cover_presses,
        question=search.question,
    )


def _best_values(
    root: Node, seen_paths: set[Path], states: Mapping[Path, NodeState]
) -> dict[Path, int]:
    """Return the best value so far of each node that has one."""
    best_values: dict[Path, int] = {}

    def best_value(node: Node) -> int | None:
        """Store the best value of a node and of all nodes below, and return that of the node."""
        values: list[int] = []
        if not node.below and node.path in seen_paths:
            values = [node.value]
        for child in node.below:
            value = best_value(child)
            is_on_stack = states[child.path].frame is not None  # it has returned nothing yet
            if value is not None and not is_on_stack:
                values.append(value)
        if not values:
            return None
        best_values[node.path] = max(values) if node.is_max else min(values)
        return best_values[node.path]

    best_value(root)
    return best_values


def _certain_values(
    root: Node,
    best_values: Mapping[Path, int],
    seen_paths: set[Path],
    states: Mapping[Path, NodeState],
) -> dict[Path, tuple[BoundSign, int]]:
    """Return what is certain of each node's true value: the value itself, or a bound.

    Both follow from the leaves seen so far. If there are two bounds, the upper one is returned if
    it is the best value so far, otherwise the lower one.
    """
    certain_values: dict[Path, tuple[BoundSign, int]] = {}

    def value_range(node: Node) -> tuple[float, float]:
        """Store what is certain of a node and of all nodes below; return the range for its parent.

        The range is from the least to the most that the node can be worth.
        """
        low, high = -inf, inf
        if node.below:
            ranges = [value_range(child) for child in node.below]
            pick = max if node.is_max else min
            low, high = pick(low for low, _ in ranges), pick(high for _, high in ranges)
        elif node.path in seen_paths:
            low, high = node.value, node.value
        if low == high:
            certain_values[node.path] = "", int(low)
        elif not isinf(high) and (isinf(low) or best_values.get(node.path) == high):
            certain_values[node.path] = "≤", int(high)
        elif not isinf(low):
            certain_values[node.path] = "≥", int(low)
        is_on_stack = states[node.path].frame is not None  # it has returned nothing yet
        return (-inf, inf) if is_on_stack else (low, high)

    value_range(root)
    return certain_values
