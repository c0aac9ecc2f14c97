"""Prune: uncover the leaves of a tree of numbers, except those that can't change the root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, isinf
from typing import Literal, NamedTuple

from teach.puzzles.moves import ASTRAY
from teach.puzzles.random_trees import PuzzleTree
from teach.searches import run
from teach.trees import Node, Path

Sign = Literal["", "≤", "≥"]  # before a value that is certain, or a bound
Verdict = Literal[
    "looked",  # there was no choice
    "went on",  # as alpha-beta does
    "in vain",  # alpha-beta prunes here; everything left was looked at
    "cut",  # as alpha-beta does
    "not yet",  # alpha-beta goes on
    "set",  # a number was put under the cover
]


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
    pruned: tuple[Node, ...]  # nodes pruned
    values: Mapping[Path, int]  # the best so far of each node entered
    certain: Mapping[Path, tuple[Sign, int]]  # what is certain of its true value, if anything is
    next: Node | None  # the leaf to look at next
    node_to_decide: Node | None  # the inner node to go on with or to prune, if there is a choice
    wrong: bool  # whether a choice was not alpha-beta's
    last: CutRemark | None
    in_vain: tuple[Node, ...]  # leaves looked at that alpha-beta leaves out
    to_set: Mapping[str, int]  # numbers to put under the cover before a cutoff
    set_presses: str

    @property
    def offered(self) -> str:
        """The presses offered: `u` looks, `c` prunes, `s` shows, `m` and `l` set the cover.

        After a wrong `c` at a node, `c` is not offered again, as a second try would not teach more.
        With a cover to set, it is offered once the cover was set to each number.
        """
        if not self.node_to_decide:
            return "u" if self.next else ""
        if self.to_set:
            return "".join(self.to_set) + ("c" if {*self.to_set} <= {*self.set_presses} else "")
        refused = (
            self.last and self.last.verdict == "not yet" and self.last.node == self.node_to_decide
        )
        return "us" if refused else "ucs"


@dataclass
class _Search:
    """A search that follows the presses."""

    root: Node
    stack: list[Node] = field(default_factory=list)
    looked: list[Node] = field(default_factory=list)
    pruned: list[Node] = field(default_factory=list)
    values: dict[Path, int] = field(default_factory=dict)
    ranges: dict[Path, tuple[float, float]] = field(default_factory=dict)  # of the true values
    open_node: Node | None = None
    wrong: bool = False
    last: CutRemark | None = None
    in_vain: list[Node] = field(default_factory=list)
    asks_to_set: bool = False  # whether numbers are put under the cover of a deep cut
    set_presses: str = ""

    @property
    def next(self) -> Node | None:
        """The leaf to look at next, or None at the end."""
        if self.root.path in self.values and not self.open_node:
            return None
        node = self._rest(self.open_node)[0] if self.open_node else self.root
        return node.leaves[0]

    @property
    def comparison(self) -> Comparison | None:
        """The comparison at the node that goes on, or None if there is none to make."""
        node = self.open_node
        above = [
            other
            for other in self.stack
            if node and other.is_max != node.is_max and other.path in self.values
        ]
        if not node or not above:
            return None
        pick = min if node.is_max else max
        bound_node = pick(above, key=lambda other: self.values[other.path])
        best, bound = self.values[node.path], self.values[bound_node.path]
        is_cut = best >= bound if node.is_max else best <= bound
        return Comparison(node, best, bound, bound_node, is_cut)

    @property
    def to_set(self) -> Mapping[str, int]:
        """The numbers to put under the cover, a higher and a lower one; empty if not to be set."""
        comparison = self.comparison
        if (
            not (self.asks_to_set and comparison and comparison.is_cut)
            or comparison.bound_node.path == comparison.node.path[:-1]
        ):
            return {}
        return {"m": comparison.best + 4, "l": comparison.best - 4}

    def certain(self, path: Path) -> tuple[Sign, int] | None:
        """Return what is certain of a node's true value, or None if nothing is."""
        node, (low, high) = self.root.at(path), self.ranges[path]
        if node in self.stack:  # something below is still to come
            low, high = (low, inf) if node.is_max else (-inf, high)
        if isinf(low) and isinf(high):
            return None
        if low == high:
            return "", int(low)
        return ("≤", int(high)) if isinf(low) or self.values[path] == high else ("≥", int(low))

    def press(self, press: str) -> None:
        """Apply a press: look, prune, show what is right, or set the cover."""
        comparison, leaf = self.comparison, self.next
        assert leaf, "a press is offered while a leaf is left"
        if not comparison:
            self._look(leaf)
            self.last = CutRemark("looked", self.root.at(leaf.path[:-1]), leaf.value, None, None)
            return
        left = tuple(leaf for child in self._rest(comparison.node) for leaf in child.leaves)
        if press in self.to_set:
            self.set_presses += press
            number = self.to_set[press]
            self.last = CutRemark("set", *comparison[:4], left, set_to=number)
            return
        cuts = press == "c" or (press == "s" and comparison.is_cut)
        verdict: Verdict = (
            ("cut" if cuts else "in vain")
            if comparison.is_cut
            else "not yet"
            if cuts
            else "went on"
        )
        self.wrong |= verdict in ("in vain", "not yet")
        self.last = CutRemark(
            verdict,
            comparison.node,
            comparison.best,
            comparison.bound,
            comparison.bound_node,
            left,
            press == "s",
        )
        if verdict == "cut":
            self.pruned += self._rest(comparison.node)
            low, high = self.ranges[comparison.node.path]
            self.ranges[comparison.node.path] = (
                (low, inf) if comparison.node.is_max else (-inf, high)
            )
            self._back(comparison.node)
        elif verdict == "in vain":
            self._look_on(comparison.node)
        elif verdict == "went on":
            self._look(leaf)

    def _look_on(self, node: Node) -> None:
        """Look in vain at everything that is left of a node."""
        for child in self._rest(node):
            self.looked += child.leaves
            self.in_vain += child.leaves
            self.values |= {node.path: node.value for node in child.walk()}
            self.ranges |= {node.path: (node.value, node.value) for node in child.walk()}
            self._update_best(node, child)
        self._back(node)

    def _look(self, leaf: Node) -> None:
        entered = [node.path for node in self.stack]
        inner_nodes = [self.root.at(leaf.path[:length]) for length in range(len(leaf.path))]
        self.stack += [node for node in inner_nodes if node.path not in entered]
        self.looked.append(leaf)
        self.values[leaf.path] = leaf.value
        self.ranges[leaf.path] = leaf.value, leaf.value
        self._back(leaf)

    def _back(self, child: Node) -> None:
        """Return a value to the nodes above, up to one with children left."""
        self.open_node = None
        while child.path:
            if self.stack[-1].path == child.path:
                self.stack.pop()
            parent = self.stack[-1]
            self._update_best(parent, child)
            if self._rest(parent):
                self.open_node = parent
                return
            child = parent
        self.stack.clear()

    def _update_best(self, node: Node, child: Node) -> None:
        """Update the best of an inner node with the value of a child."""
        pick = max if node.is_max else min
        value, (low, high) = self.values[child.path], self.ranges[child.path]
        best, (lowest, highest) = (
            self.values.get(node.path, value),
            self.ranges.get(node.path, (low, high)),
        )
        self.values[node.path] = pick(best, value)
        self.ranges[node.path] = pick(lowest, low), pick(highest, high)

    def _rest(self, node: Node) -> list[Node]:
        """Return the children of an inner node that were neither entered nor pruned."""
        met = {*self.values, *(node.path for node in self.pruned)}
        return [child for child in node.below if child.path not in met]


def cut_puzzle(tree: PuzzleTree, presses: str, asks_to_set: bool = False) -> CutPuzzle:
    """Return the puzzle after some presses: `u` uncovers a leaf, `c` prunes, `s` shows the answer.

    If `asks_to_set`, numbers are put under the cover before a deep cutoff. Raises ValueError, with
    the reason, if no page offers the presses.
    """
    root = tree.root
    needed = sum(step.kind == "leaf" for step in run(root, "alpha-beta").steps)
    search = _Search(root, asks_to_set=asks_to_set)
    for press in presses:
        if press not in _snapshot(search, needed).offered:
            raise ValueError(ASTRAY)
        search.press(press)
    return _snapshot(search, needed)


def _snapshot(search: _Search, needed: int) -> CutPuzzle:
    return CutPuzzle(
        root=search.root,
        needed=needed,
        looked=tuple(search.looked),
        pruned=tuple(search.pruned),
        values=dict(search.values),
        certain={path: known for path in search.values if (known := search.certain(path))},
        next=search.next,
        node_to_decide=search.comparison.node if search.comparison else None,
        wrong=search.wrong,
        last=search.last,
        in_vain=tuple(search.in_vain),
        to_set=search.to_set,
        set_presses=search.set_presses,
    )
