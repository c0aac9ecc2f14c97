"""Prune: uncover the leaves of a tree of numbers, except those that can't change the root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from math import inf, isinf
from typing import Literal, NamedTuple, get_args

from teach.puzzles.moves import ASTRAY
from teach.puzzles.random_trees import PuzzleTree
from teach.searches import RETURNED, Frame, NodeState, Step, node_states, run
from teach.trees import Node, Path

BoundSign = Literal["", "≤", "≥"]  # before a value that is certain, or a bound
WindowEnd = Literal["α", "β"]
Verdict = Literal[
    "looked",  # there was no choice
    "went on",  # as alpha-beta does
    "in vain",  # alpha-beta prunes here; everything left was looked at
    "cut",  # as alpha-beta does
    "not yet",  # alpha-beta continues
    "set",  # a number was put under the cover
]
WINDOW_ENDS: tuple[WindowEnd, ...] = get_args(WindowEnd)
DIGITS = "0123456789"  # the presses that answer a question about a window


class CutRemark(NamedTuple):
    """A remark on the last press."""

    verdict: Verdict
    node: Node  # the inner node at which it was made
    best: int  # of that node so far
    bound: int | None  # the alpha or beta it is compared with
    bound_node: Node | None  # the node whose best that is
    leaves: tuple[Node, ...] = ()  # left below the node
    shown: bool = False  # whether the answer was asked for
    set_to: int | None = None  # the number put under the cover


class WindowRemark(NamedTuple):
    """A remark on the last answer to a question about a window."""

    end: WindowEnd
    node: Node
    given: float
    right: float
    source: Node  # whose best is the right answer, as both ends are finite at a choice
    shown: bool = False  # whether the answer was asked for


class WindowQuestion(NamedTuple):
    """The question for an end of the window of a node."""

    end: WindowEnd
    node: Node
    choices: Mapping[str, float]  # by press
    tried: str = ""  # the wrong presses


class Comparison(NamedTuple):
    """The best of an inner node, compared with the best of the other side above it."""

    node: Node
    best: int
    bound: int
    bound_node: Node
    is_cut: bool


class CutPuzzle(NamedTuple):
    """The state of a puzzle."""

    root: Node
    needed: int  # the leaves that alpha-beta looks at
    looked: tuple[Node, ...]  # leaves
    pruned: tuple[Node, ...]
    values: Mapping[Path, int]  # the best so far of each node entered
    certain: Mapping[
        Path, tuple[BoundSign, int]
    ]  # what is certain of its true value, if anything is
    windows: Mapping[Path, Frame]  # of each node entered: as it is, or was last
    next: Node | None  # the leaf to look at next
    node_to_decide: Node | None  # the inner node to go on with or to prune, if there is a choice
    wrong: bool  # whether a choice was not alpha-beta's
    last: CutRemark | WindowRemark | None
    in_vain: tuple[Node, ...]  # leaves looked at that alpha-beta leaves out
    to_set: Mapping[str, int]  # numbers to put under the cover before a cutoff
    set_presses: str
    question: WindowQuestion | None  # asked before anything else

    @property
    def offered(self) -> str:
        """The presses offered: `u` looks, `c` prunes, `s` shows, `m` and `l` set the cover.

        A digit answers a question about a window. After a wrong `c` at a node, `c` is not offered
        again, as a second try would not teach more. With a cover to set, it is offered once the
        cover was set to each number.
        """
        if self.question:
            return "".join(p for p in self.question.choices if p not in self.question.tried) + "s"
        if not self.node_to_decide:
            return "u" if self.next else ""
        if self.to_set:
            return "".join(self.to_set) + ("c" if {*self.to_set} <= {*self.set_presses} else "")
        last = self.last if isinstance(self.last, CutRemark) else None
        is_refused = last and last.verdict == "not yet" and last.node == self.node_to_decide
        return "us" if is_refused else "ucs"


@dataclass
class _Search:
    """A recorded search that follows the presses, and what was looked at in vain."""

    root: Node
    asks_to_set: bool = False  # whether numbers are put under the cover of a deep cut
    asks_window: bool = False  # whether α and β are asked at the first choice
    done: int = 0  # steps of the record
    wrong: bool = False
    last: CutRemark | WindowRemark | None = None
    in_vain: list[Node] = field(default_factory=list)
    set_presses: str = ""
    answered: list[WindowEnd] = field(default_factory=list)
    tried: str = ""

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of alpha-beta."""
        return run(self.root, "alpha-beta").steps

    @property
    def states(self) -> Mapping[Path, NodeState]:
        """How far the recorded search is with each node."""
        return node_states(run(self.root, "alpha-beta"), self.done)

    @property
    def looked(self) -> set[Path]:
        """The leaves looked at."""
        states = self.states
        seen = {leaf.path for leaf in self.root.leaves if states[leaf.path].stage == "searched"}
        return seen | {leaf.path for leaf in self.in_vain}

    @property
    def values(self) -> Mapping[Path, int]:
        """The best so far of each node of which something has come back."""
        return _values(self.root, self.looked, self.states)

    @property
    def next(self) -> Node | None:
        """The leaf to look at next, or to prune; None at the end."""
        for step in self.steps[self.done :]:
            if step.kind == "cut":
                return self.root.at(step.pruned[0]).leaves[0]
            if step.kind == "leaf":
                return self.root.at(step.path)
        return None

    @property
    def open_node(self) -> Node | None:
        """The inner node to go on with, if it has a value and something is left below."""
        step = self.steps[self.done]
        if step.kind == "end" or not self.done:
            return None
        return self.root.at(step.path if step.kind == "cut" else step.path[:-1])

    @property
    def comparison(self) -> Comparison | None:
        """The comparison at the open node, or None if there is none to make."""
        node, states = self.open_node, self.states
        if not node:
            return None
        frame = states[node.path].frame
        assert frame, "an open node is on the stack"
        bound = frame.beta if node.is_max else frame.alpha
        if isinf(bound):
            return None
        source = self._source("β" if node.is_max else "α", node)
        # What was looked at in vain may show that a value is worse than the search has it.
        best, is_cut = self.values[node.path], self.steps[self.done].kind == "cut"
        return Comparison(node, best, int(bound), source, is_cut)

    def _source(self, end: WindowEnd, node: Node) -> Node:
        """Return the first node on the way to `node` whose best is that end of its window."""
        states = self.states
        frame = states[node.path].frame
        assert frame, "the node is on the stack"
        value = frame.alpha if end == "α" else frame.beta
        way = (self.root.at(node.path[:length]) for length in range(len(node.path) + 1))
        of_side = (
            (above, states[above.path].frame) for above in way if above.is_max == (end == "α")
        )
        return next(above for above, it in of_side if it and it.best == value)

    @property
    def question(self) -> WindowQuestion | None:
        """The question for α or β that is open."""
        left = [end for end in WINDOW_ENDS if end not in self.answered]
        comparison = self.comparison
        if not (self.asks_window and left and comparison):
            return None
        node, states = comparison.node, self.states
        way = [states[node.path[:length]].frame for length in range(len(node.path) + 1)]
        ends = sorted({-inf, inf, *(frame.best for frame in way if frame)})
        return WindowQuestion(left[0], node, dict(zip(DIGITS, ends, strict=False)), self.tried)

    @property
    def to_set(self) -> Mapping[str, int]:
        """The numbers to put under the cover, a higher and a lower one; empty if not to be set."""
        it = self.comparison
        if not (self.asks_to_set and it and it.is_cut) or it.bound_node.path == it.node.path[:-1]:
            return {}
        return {"m": it.best + 4, "l": it.best - 4}

    def press(self, press: str) -> None:
        """Apply a press: look, prune, show what is right, set the cover, or answer a question."""
        if question := self.question:
            self._answer(question, press)
            return
        it, leaf = self.comparison, self.next
        assert leaf, "a press is offered while a leaf is left"
        if not it:
            self.last = CutRemark("looked", self.root.at(leaf.path[:-1]), leaf.value, None, None)
            self._go_on()
            return
        states = self.states
        left = tuple(
            leaf
            for child in it.node.below
            if states[child.path].stage == "waiting"
            for leaf in child.leaves
        )
        if press in self.to_set:
            self.set_presses += press
            self.last = CutRemark("set", *it[:4], left, set_to=self.to_set[press])
            return
        prunes = press == "c" or (press == "s" and it.is_cut)
        verdict: Verdict = (
            ("cut" if prunes else "in vain") if it.is_cut else "not yet" if prunes else "went on"
        )
        self.wrong |= verdict in ("in vain", "not yet")
        self.last = CutRemark(verdict, *it[:4], left, press == "s")
        if verdict == "in vain":
            self.in_vain += left
        if verdict != "not yet":
            self._go_on()

    def _answer(self, question: WindowQuestion, press: str) -> None:
        frame = self.states[question.node.path].frame
        assert frame, "the node is on the stack"
        right = frame.alpha if question.end == "α" else frame.beta
        given = question.choices.get(press, right)
        source = self._source(question.end, question.node)
        self.last = WindowRemark(
            question.end, question.node, given, right, source, shown=press == "s"
        )
        if given == right:
            self.answered.append(question.end)
            self.tried = ""
        else:
            self.wrong = True
            self.tried += press

    def _go_on(self) -> None:
        """Do the steps up to the next leaf or cutoff and, of a leaf or cutoff, what it returns."""
        while self.steps[self.done].kind == "enter":
            self.done += 1
        self.done += 1
        rest = takewhile(lambda step: step.kind in RETURNED, self.steps[self.done :])
        self.done += sum(1 for _ in rest)


def cut_puzzle(
    tree: PuzzleTree, presses: str, asks_to_set: bool = False, asks_window: bool = False
) -> CutPuzzle:
    """Return the puzzle after some presses: `u` uncovers a leaf, `c` prunes, `s` shows the answer.

    If `asks_to_set`, numbers are put under the cover before a deep cutoff; if `asks_window`, digits
    answer what α and β are. Raises ValueError, with the reason, if no page offers the presses.
    """
    search = _Search(tree.root, asks_to_set, asks_window)
    for press in presses:
        if press not in _snapshot(search).offered:
            raise ValueError(ASTRAY)
        search.press(press)
    return _snapshot(search)


def _snapshot(search: _Search) -> CutPuzzle:
    states, root, vain = search.states, search.root, search.in_vain
    looked, values, it = search.looked, search.values, search.comparison
    pruned = [
        node
        for node in root.walk()
        if states[node.path].stage == "cut" and not {*node.leaves} & {*vain}
    ]
    return CutPuzzle(
        root=root,
        needed=sum(step.kind == "leaf" for step in search.steps),
        looked=tuple(leaf for leaf in root.leaves if leaf.path in looked),
        pruned=tuple(pruned),
        values=values,
        certain=_certain(root, values, looked, states),
        windows={path: state.last_frame for path, state in states.items() if state.last_frame},
        next=search.next,
        node_to_decide=it.node if it else None,
        wrong=search.wrong,
        last=search.last,
        in_vain=tuple(vain),
        to_set=search.to_set,
        set_presses=search.set_presses,
        question=search.question,
    )


def _values(root: Node, looked: set[Path], states: Mapping[Path, NodeState]) -> dict[Path, int]:
    """Return the best so far of each node of which something has come back."""
    found: dict[Path, int] = {}

    def best(node: Node) -> int | None:
        if not node.below:
            value = node.value if node.path in looked else None
        else:
            # What is still on the stack has given its parent nothing yet.
            given = [(best(child), states[child.path].frame) for child in node.below]
            back = [value for value, frame in given if value is not None and not frame]
            value = (max if node.is_max else min)(back) if back else None
        if value is not None:
            found[node.path] = value
        return value

    best(root)
    return found


def _certain(
    root: Node, values: Mapping[Path, int], looked: set[Path], states: Mapping[Path, NodeState]
) -> dict[Path, tuple[BoundSign, int]]:
    """Return what the leaves looked at make certain of each node's true value."""
    found: dict[Path, tuple[BoundSign, int]] = {}

    def range_of(node: Node) -> tuple[float, float]:
        if not node.below:
            low, high = (node.value, node.value) if node.path in looked else (-inf, inf)
        else:
            pick, ranges = max if node.is_max else min, [*map(range_of, node.below)]
            low, high = pick(low for low, _ in ranges), pick(high for _, high in ranges)
        if low == high:
            found[node.path] = "", int(low)
        elif not isinf(high) and (isinf(low) or values.get(node.path) == high):
            found[node.path] = "≤", int(high)
        elif not isinf(low):
            found[node.path] = "≥", int(low)
        return (-inf, inf) if states[node.path].frame else (low, high)  # it is still searched

    range_of(root)
    return found
