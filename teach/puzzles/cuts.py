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
    fork: Node  # the inner node at which it was made
    best: int  # of that node so far
    against: int | None  # the alpha or beta it is compared with
    by: Node | None  # the node whose best that is
    leaves: tuple[Node, ...] = ()  # left below the fork
    shown: bool = False  # whether the answer was asked for
    set_to: int | None = None  # the number put under the cover


class Comparison(NamedTuple):
    """The best of an inner node, compared with the best of the other side above it."""

    fork: Node
    best: int
    against: int
    by: Node
    is_cut: bool


class CutPuzzle(NamedTuple):
    """The state of a puzzle."""

    root: Node
    needed: int  # the leaves that alpha-beta looks at
    looked: tuple[Node, ...]  # leaves
    gone: tuple[Node, ...]  # nodes pruned
    values: Mapping[Path, int]  # the best so far of each node entered
    certain: Mapping[Path, tuple[Sign, int]]  # what is certain of its true value, if anything is
    next: Node | None  # the leaf to look at next
    asks: Node | None  # the inner node to go on with or to prune, if there is a choice
    wrong: bool  # whether a choice was not alpha-beta's
    last: CutRemark | None
    in_vain: tuple[Node, ...]  # leaves looked at that alpha-beta leaves out
    to_set: Mapping[str, int]  # numbers to put under the cover before a cutoff
    was_set: str

    @property
    def offered(self) -> str:
        """The presses offered: `u` looks, `c` prunes, `s` shows, `m` and `l` set the cover.

        After a wrong `c` at a fork, `c` is not offered again, as a second try would not teach more.
        With a cover to set, it is offered once the cover was set to each number.
        """
        if not self.asks:
            return "u" if self.next else ""
        if self.to_set:
            return "".join(self.to_set) + ("c" if {*self.to_set} <= {*self.was_set} else "")
        refused = self.last and self.last.verdict == "not yet" and self.last.fork == self.asks
        return "us" if refused else "ucs"


@dataclass
class _Search:
    """A search that follows the presses."""

    root: Node
    stack: list[Node] = field(default_factory=list)
    looked: list[Node] = field(default_factory=list)
    gone: list[Node] = field(default_factory=list)
    values: dict[Path, int] = field(default_factory=dict)
    ranges: dict[Path, tuple[float, float]] = field(default_factory=dict)  # of the true values
    goes_on: Node | None = None
    wrong: bool = False
    last: CutRemark | None = None
    in_vain: list[Node] = field(default_factory=list)
    sets: bool = False  # whether numbers are put under the cover of a deep cut
    was_set: str = ""

    @property
    def next(self) -> Node | None:
        """The leaf to look at next, or None at the end."""
        if self.root.path in self.values and not self.goes_on:
            return None
        node = self._rest(self.goes_on)[0] if self.goes_on else self.root
        return node.leaves[0]

    @property
    def held(self) -> Comparison | None:
        """The comparison at the fork that goes on, or None if there is none to make."""
        fork = self.goes_on
        above = [
            node
            for node in self.stack
            if fork and node.is_max != fork.is_max and node.path in self.values
        ]
        if not fork or not above:
            return None
        by = (min if fork.is_max else max)(above, key=lambda node: self.values[node.path])
        best, against = self.values[fork.path], self.values[by.path]
        return Comparison(
            fork, best, against, by, best >= against if fork.is_max else best <= against
        )

    @property
    def to_set(self) -> Mapping[str, int]:
        """The numbers to put under the cover, a higher and a lower one; empty if not to be set."""
        held = self.held
        if not (self.sets and held and held.is_cut) or held.by.path == held.fork.path[:-1]:
            return {}
        return {"m": held.best + 4, "l": held.best - 4}

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
        held, leaf = self.held, self.next
        assert leaf, "a press is offered while a leaf is left"
        if not held:
            self._look(leaf)
            self.last = CutRemark("looked", self.root.at(leaf.path[:-1]), leaf.value, None, None)
            return
        left = tuple(leaf for child in self._rest(held.fork) for leaf in child.leaves)
        if press in self.to_set:
            self.was_set += press
            number = self.to_set[press]
            self.last = CutRemark("set", *held[:4], left, set_to=number)
            return
        cuts = press == "c" or (press == "s" and held.is_cut)
        verdict: Verdict = (
            ("cut" if cuts else "in vain") if held.is_cut else "not yet" if cuts else "went on"
        )
        self.wrong |= verdict in ("in vain", "not yet")
        self.last = CutRemark(
            verdict, held.fork, held.best, held.against, held.by, left, press == "s"
        )
        if verdict == "cut":
            self.gone += self._rest(held.fork)
            low, high = self.ranges[held.fork.path]
            self.ranges[held.fork.path] = (low, inf) if held.fork.is_max else (-inf, high)
            self._back(held.fork)
        elif verdict == "in vain":
            self._look_on(held.fork)
        elif verdict == "went on":
            self._look(leaf)

    def _look_on(self, fork: Node) -> None:
        """Look in vain at everything that is left of a fork."""
        for child in self._rest(fork):
            self.looked += child.leaves
            self.in_vain += child.leaves
            self.values |= {node.path: node.value for node in child.walk()}
            self.ranges |= {node.path: (node.value, node.value) for node in child.walk()}
            self._take(fork, child)
        self._back(fork)

    def _look(self, leaf: Node) -> None:
        entered = [node.path for node in self.stack]
        forks = [self.root.at(leaf.path[:length]) for length in range(len(leaf.path))]
        self.stack += [fork for fork in forks if fork.path not in entered]
        self.looked.append(leaf)
        self.values[leaf.path] = leaf.value
        self.ranges[leaf.path] = leaf.value, leaf.value
        self._back(leaf)

    def _back(self, child: Node) -> None:
        """Return a value to the nodes above, up to one with children left."""
        self.goes_on = None
        while child.path:
            if self.stack[-1].path == child.path:
                self.stack.pop()
            parent = self.stack[-1]
            self._take(parent, child)
            if self._rest(parent):
                self.goes_on = parent
                return
            child = parent
        self.stack.clear()

    def _take(self, fork: Node, child: Node) -> None:
        """Update the best of an inner node with the value of a child."""
        pick = max if fork.is_max else min
        value, (low, high) = self.values[child.path], self.ranges[child.path]
        best, (lowest, highest) = (
            self.values.get(fork.path, value),
            self.ranges.get(fork.path, (low, high)),
        )
        self.values[fork.path] = pick(best, value)
        self.ranges[fork.path] = pick(lowest, low), pick(highest, high)

    def _rest(self, fork: Node) -> list[Node]:
        """Return the children of an inner node that were neither entered nor pruned."""
        met = {*self.values, *(node.path for node in self.gone)}
        return [child for child in fork.below if child.path not in met]


def cut(lot: PuzzleTree, presses: str, sets: bool = False) -> CutPuzzle:
    """Return the puzzle after some presses: `u` uncovers a leaf, `c` prunes, `s` shows the answer.

    If `sets`, numbers are put under the cover before a deep cutoff. Raises ValueError, with the
    reason, if no page offers the presses.
    """
    root = lot.root
    needed = sum(step.kind == "leaf" for step in run(root, "alpha-beta").steps)
    at = _Search(root, sets=sets)
    for press in presses:
        if press not in _now(at, needed).offered:
            raise ValueError(ASTRAY)
        at.press(press)
    return _now(at, needed)


def _now(at: _Search, needed: int) -> CutPuzzle:
    return CutPuzzle(
        root=at.root,
        needed=needed,
        looked=tuple(at.looked),
        gone=tuple(at.gone),
        values=dict(at.values),
        certain={path: known for path in at.values if (known := at.certain(path))},
        next=at.next,
        asks=at.held.fork if at.held else None,
        wrong=at.wrong,
        last=at.last,
        in_vain=tuple(at.in_vain),
        to_set=at.to_set,
        was_set=at.was_set,
    )
