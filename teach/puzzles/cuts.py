"""The puzzle "Prune": uncover the leaves of a tree, except those that can't change the root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from math import inf, isinf
from typing import Literal, NamedTuple, get_args

from teach.puzzles.moves import UNREACHABLE
from teach.puzzles.random_trees import PuzzleTree
from teach.searches import RETURNED, Frame, NodeState, Step, node_states, run
from teach.trees import Node, Path

BoundSign = Literal["", "≤", "≥"]  # before a value that is certain, or a bound
WindowEnd = Literal["α", "β"]
Verdict = Literal[
    "looked",  # looked at a leaf, where there was no choice
    "went on",  # looked, and was right: alpha-beta looks, too
    "in vain",  # looked, and was wrong: alpha-beta prunes, so looking was in vain
    "cut",  # pruned, and was right: alpha-beta prunes, too
    "not yet",  # pruned, and was wrong: alpha-beta looks
    "set",  # a number was put under the cover
]
WINDOW_ENDS: tuple[WindowEnd, ...] = get_args(WindowEnd)
DIGITS = "0123456789"  # the presses that answer a question about a window


class CutRemark(NamedTuple):
    """A remark on the last press."""

    verdict: Verdict
    node: Node  # the inner node that the press was about
    best: int  # the best value of that node so far
    bound: int | None  # the alpha or beta that it is compared with
    bound_node: Node | None  # the node whose best value that is
    leaves_left: tuple[Node, ...] = ()  # below the node, not looked at yet
    is_shown: bool = False  # whether the learner pressed Show me
    set_to: int | None = None  # the number put under the cover


class WindowRemark(NamedTuple):
    """A remark on the last answer to a question about a window."""

    end: WindowEnd
    node: Node
    answer: float
    right_answer: float
    source: Node  # the node whose best value is the right answer, which at a choice is finite
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
    bound: int
    bound_node: Node
    is_cut: bool


class CutPuzzle(NamedTuple):
    """The state of a puzzle."""

    root: Node
    needed_count: int  # leaves that alpha-beta looks at
    seen_leaves: tuple[Node, ...]
    pruned_nodes: tuple[Node, ...]
    best_values: Mapping[Path, int]  # so far, of each node with a value
    certain_values: Mapping[Path, tuple[BoundSign, int]]  # bounds of the true values, if known
    windows: Mapping[Path, Frame]  # of each node entered: its current frame, or its last one
    next_leaf: Node | None  # the leaf to look at next
    node_to_decide: Node | None  # the inner node to look below or to prune, if there is a choice
    has_mistake: bool  # whether a choice differed from alpha-beta's
    last_remark: CutRemark | WindowRemark | None
    wasted_leaves: tuple[Node, ...]  # those looked at, although alpha-beta prunes them
    cover_numbers: Mapping[str, int]  # by press: numbers to put under the cover before a cutoff
    cover_presses: str  # those that put a number under the cover
    question: WindowQuestion | None  # to answer before anything else

    @property
    def offered_presses(self) -> str:
        """The presses offered: `u` looks, `c` prunes, `s` shows, `m` and `l` set the cover.

        A digit answers a question about a window. After a wrong `c` at a node, `c` is not offered
        again, because a second try would not teach more. If the cover is to be set, `c` is offered
        once it has been set to each number.
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


@dataclass
class _Search:
    """A recorded search that follows the presses, and the leaves looked at in vain."""

    root: Node
    asks_for_numbers: bool = False  # to be put under the cover before a deep cut
    asks_for_window: bool = False  # for α and β at the first choice
    step_count: int = 0  # steps done
    has_mistake: bool = False
    last_remark: CutRemark | WindowRemark | None = None
    wasted_leaves: list[Node] = field(default_factory=list)
    cover_presses: str = ""
    answered_ends: list[WindowEnd] = field(default_factory=list)
    wrong_presses: str = ""

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of alpha-beta."""
        return run(self.root, "alpha-beta").steps

    @property
    def states(self) -> Mapping[Path, NodeState]:
        """How far the recorded search of each node has got."""
        return node_states(run(self.root, "alpha-beta"), self.step_count)

    @property
    def seen_leaves(self) -> set[Path]:
        """The leaves looked at."""
        states = self.states
        seen = {leaf.path for leaf in self.root.leaves if states[leaf.path].stage == "searched"}
        return seen | {leaf.path for leaf in self.wasted_leaves}

    @property
    def best_values(self) -> Mapping[Path, int]:
        """The best value so far of each node that has one."""
        return _best_values(self.root, self.seen_leaves, self.states)

    @property
    def next_leaf(self) -> Node | None:
        """The leaf to look at next, or to prune; None at the end."""
        for step in self.steps[self.step_count :]:
            if step.kind == "cut":
                return self.root.at(step.pruned_paths[0]).leaves[0]
            if step.kind == "leaf":
                return self.root.at(step.path)
        return None

    @property
    def open_node(self) -> Node | None:
        """The inner node to go on with, if it has a value and something is left below."""
        step = self.steps[self.step_count]
        if step.kind == "end" or not self.step_count:
            return None
        return self.root.at(step.path if step.kind == "cut" else step.path[:-1])

    @property
    def comparison(self) -> Comparison | None:
        """The comparison at the open node, or None if there is none to make."""
        node, states = self.open_node, self.states
        if not node:
            return None
        frame = states[node.path].frame
        assert frame, "an open node must be on the stack"
        bound = frame.beta if node.is_max else frame.alpha
        if isinf(bound):
            return None
        source = self._source("β" if node.is_max else "α", node)
        # What was looked at in vain may show that a value is worse than the search has it.
        best, is_cut = self.best_values[node.path], self.steps[self.step_count].kind == "cut"
        return Comparison(node, best, int(bound), source, is_cut)

    def _source(self, end: WindowEnd, node: Node) -> Node:
        """Return the first node on the stack up to `node` whose best is that end of its window."""
        states = self.states
        frame = states[node.path].frame
        assert frame, "the node must be on the stack"
        value = frame.alpha if end == "α" else frame.beta
        stack = (self.root.at(node.path[:length]) for length in range(len(node.path) + 1))
        same_side = (above for above in stack if above.is_max == (end == "α"))
        frames = ((above, states[above.path].frame) for above in same_side)
        return next(above for above, frame in frames if frame and frame.best == value)

    @property
    def question(self) -> WindowQuestion | None:
        """The open question for α or β, or None if there is none."""
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
        """The numbers to put under the cover, a higher and a lower one; empty if it stays empty."""
        comparison = self.comparison
        if not (self.asks_for_numbers and comparison and comparison.is_cut):
            return {}
        if comparison.bound_node.path == comparison.node.path[:-1]:
            return {}
        return {"m": comparison.best + 4, "l": comparison.best - 4}

    def press(self, press: str) -> None:
        """Apply a press: look, prune, show what is right, set the cover, or answer a question."""
        if question := self.question:
            self._answer(question, press)
            return
        comparison, next_leaf = self.comparison, self.next_leaf
        assert next_leaf, "a press must have a leaf to look at or prune"
        if not comparison:
            parent = self.root.at(next_leaf.path[:-1])
            self.last_remark = CutRemark("looked", parent, next_leaf.value, None, None)
            self._advance()
            return
        node, is_cut, states = comparison.node, comparison.is_cut, self.states
        waiting = (child for child in node.below if states[child.path].stage == "waiting")
        leaves_left = tuple(leaf for child in waiting for leaf in child.leaves)
        if press in self.cover_numbers:
            self.cover_presses += press
            self.last_remark = CutRemark(
                "set", *comparison[:4], leaves_left, set_to=self.cover_numbers[press]
            )
            return
        prunes = press == "c" or (press == "s" and is_cut)
        verdict: Verdict = (
            ("cut" if prunes else "in vain") if is_cut else "not yet" if prunes else "went on"
        )
        self.has_mistake |= verdict in ("in vain", "not yet")
        self.last_remark = CutRemark(verdict, *comparison[:4], leaves_left, press == "s")
        if verdict == "in vain":
            self.wasted_leaves += leaves_left
        if verdict != "not yet":
            self._advance()

    def _answer(self, question: WindowQuestion, press: str) -> None:
        frame = self.states[question.node.path].frame
        assert frame, "the node must be on the stack"
        right_answer = frame.alpha if question.end == "α" else frame.beta
        answer = question.choices.get(press, right_answer)
        source = self._source(question.end, question.node)
        self.last_remark = WindowRemark(
            question.end, question.node, answer, right_answer, source, is_shown=press == "s"
        )
        if answer == right_answer:
            self.answered_ends.append(question.end)
            self.wrong_presses = ""
        else:
            self.has_mistake = True
            self.wrong_presses += press

    def _advance(self) -> None:
        """Do the steps up to the next leaf or cutoff, and return its value as far up as it goes."""
        while self.steps[self.step_count].kind == "enter":
            self.step_count += 1
        self.step_count += 1
        returns = takewhile(lambda step: step.kind in RETURNED, self.steps[self.step_count :])
        self.step_count += sum(1 for _ in returns)


def cut_puzzle(
    tree: PuzzleTree, presses: str, asks_for_numbers: bool = False, asks_for_window: bool = False
) -> CutPuzzle:
    """Return the puzzle after some presses: `u` uncovers a leaf, `c` prunes, `s` shows the answer.

    If `asks_for_numbers`, presses put numbers under the cover before a deep cutoff; if
    `asks_for_window`, digits answer what α and β are. Raises ValueError, with the reason, if a
    press is not possible there.
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
    seen_leaves, best_values = search.seen_leaves, search.best_values
    comparison = search.comparison
    pruned = [
        node
        for node in root.walk()
        if states[node.path].stage == "pruned" and not {*node.leaves} & {*wasted_leaves}
    ]
    return CutPuzzle(
        root=root,
        needed_count=sum(step.kind == "leaf" for step in search.steps),
        seen_leaves=tuple(leaf for leaf in root.leaves if leaf.path in seen_leaves),
        pruned_nodes=tuple(pruned),
        best_values=best_values,
        certain_values=_certain_values(root, best_values, seen_leaves, states),
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
    root: Node, seen_leaves: set[Path], states: Mapping[Path, NodeState]
) -> dict[Path, int]:
    """Return the best value so far of each node that has one."""
    best_values: dict[Path, int] = {}

    def best(node: Node) -> int | None:
        if not node.below:
            value = node.value if node.path in seen_leaves else None
        else:
            # A child that is still on the stack has returned nothing yet.
            children = [(best(child), states[child.path].frame) for child in node.below]
            returned = [value for value, frame in children if value is not None and not frame]
            value = (max if node.is_max else min)(returned) if returned else None
        if value is not None:
            best_values[node.path] = value
        return value

    best(root)
    return best_values


def _certain_values(
    root: Node,
    best_values: Mapping[Path, int],
    seen_leaves: set[Path],
    states: Mapping[Path, NodeState],
) -> dict[Path, tuple[BoundSign, int]]:
    """Return what is certain of each node's true value after the leaves seen so far."""
    certain_values: dict[Path, tuple[BoundSign, int]] = {}

    def range_of(node: Node) -> tuple[float, float]:
        if not node.below:
            low, high = (node.value, node.value) if node.path in seen_leaves else (-inf, inf)
        else:
            pick, ranges = max if node.is_max else min, [*map(range_of, node.below)]
            low, high = pick(low for low, _ in ranges), pick(high for _, high in ranges)
        if low == high:
            certain_values[node.path] = "", int(low)
        elif not isinf(high) and (isinf(low) or best_values.get(node.path) == high):
            certain_values[node.path] = "≤", int(high)
        elif not isinf(low):
            certain_values[node.path] = "≥", int(low)
        return (-inf, inf) if states[node.path].frame else (low, high)  # nothing is returned yet

    range_of(root)
    return certain_values
