"""Cut: look at the leaves of a tree of numbers, and leave out what cannot change the top."""

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
Verdict = Literal["looked", "went on", "in vain", "cut", "not yet", "set"]


class CutRemark(NamedTuple):
    """Judge a press at a `fork` with its `best`: `against` what, held by the node `by`, if any.

    `looked`: no choice · `went on` or `cut`: as alpha-beta does · `in vain`: alpha-beta cuts, and
    all that is left was looked at · `not yet`: alpha-beta goes on · `set`: the covered leaf was
    `set_to` a number. `leaves` were left below the fork. `shown`: what is right was asked for.
    """

    verdict: Verdict
    fork: Node
    best: int
    against: int | None
    by: Node | None
    leaves: tuple[Node, ...] = ()
    shown: bool = False
    set_to: int | None = None


class Comparison(NamedTuple):
    """Hold the best at a `fork` that goes on, and `against` what, held by the node `by` above."""

    fork: Node
    best: int
    against: int
    by: Node
    is_cut: bool


class CutPuzzle(NamedTuple):
    """Say how far a learner is: the leaves looked at, the nodes cut off, and values by path.

    Alpha-beta looks at `needed` of the leaves. `values` has the best so far of each node that was
    entered, and `certain` what is certain of its true value, if anything is. `next` is the leaf
    to look at next, `asks` the fork to go on with or cut, where there is something to compare.
    `wrong` says whether a choice was not alpha-beta's. `in_vain` are the leaves that alpha-beta
    leaves out. `to_set` are numbers to put under the cover before a cut.
    """

    root: Node
    needed: int
    looked: tuple[Node, ...]
    gone: tuple[Node, ...]
    values: Mapping[Path, int]
    certain: Mapping[Path, tuple[Sign, int]]
    next: Node | None
    asks: Node | None
    wrong: bool
    last: CutRemark | None
    in_vain: tuple[Node, ...]
    to_set: Mapping[str, int]
    was_set: str

    @property
    def offered(self) -> str:
        """Return the presses offered: `u` looks, `c` cuts, `s` shows, `m` and `l` set the cover.

        A cut is offered at each fork once, as a second try would teach no more; of a cover to be
        set, once it was set to each number.
        """
        if not self.asks:
            return "u" if self.next else ""
        if self.to_set:
            return "".join(self.to_set) + ("c" if {*self.to_set} <= {*self.was_set} else "")
        refused = self.last and self.last.verdict == "not yet" and self.last.fork == self.asks
        return "us" if refused else "ucs"


@dataclass
class _Search:
    """Search as the presses say: the stack of forks entered, and what came of each."""

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
        """Return the leaf to look at next: the first below what comes next; None at the end."""
        if self.root.path in self.values and not self.goes_on:
            return None
        node = self._rest(self.goes_on)[0] if self.goes_on else self.root
        return node.leaves[0]

    @property
    def held(self) -> Comparison | None:
        """Return the best of the other side above the fork that goes on; None where it has none."""
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
        """Return the numbers to put under the cover, more and less; none where it is not set."""
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
        """Look, cut, or be shown what is right."""
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
        """Look in vain at all that is left of a fork."""
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
        """Hand a value up, until a fork has more to look at."""
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
        """Let a fork choose between its best so far and the value of a child."""
        pick = max if fork.is_max else min
        value, (low, high) = self.values[child.path], self.ranges[child.path]
        best, (lowest, highest) = (
            self.values.get(fork.path, value),
            self.ranges.get(fork.path, (low, high)),
        )
        self.values[fork.path] = pick(best, value)
        self.ranges[fork.path] = pick(lowest, low), pick(highest, high)

    def _rest(self, fork: Node) -> list[Node]:
        """Return the children of a fork that were neither entered nor cut off."""
        met = {*self.values, *(node.path for node in self.gone)}
        return [child for child in fork.below if child.path not in met]


def cut(lot: PuzzleTree, presses: str, sets: bool = False) -> CutPuzzle:
    """Judge the presses: `u` uncovers the next leaf, `c` cuts a fork, `s` asks to be shown.

    If it `sets`, a deep cut is made once numbers were put under the cover.

    Raises ValueError, with the reason, for presses no page offers.
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
