"""How a tree is laid out: how wide its nodes are, and which are drawn as pictures."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from teach.marks import UNKNOWN, Chip, Marking, Tree
from teach.scenes import Scene
from teach.trees import Node, Path

MOST_OPEN, MOST_IN_A_BRANCH = 12, 8  # leaves: of a tree drawn whole, of a branch drawn whole
MOST_ON_A_PHONE = {"boards": 8, "numbers": 12}  # leaves of a tree in pictures
MOST_FROM_AFAR = 14  # leaves: of a tree that is read from the last row
MOST_WIDE = 52  # em: in 660 px, the least that is not a phone's, a board has 40

# What a fork and a leaf are wide, in em of their tree, with the gaps beside.
WIDE = {"boards": (3.5, 3.5), "numbers": (3.3, 2.5), "signs": (1.2, 1.2)}


@dataclass(frozen=True)
class TreeLayout:
    """A tree as a page lays it out, in em of the tree."""

    tree: Tree

    @property
    def is_many(self) -> bool:
        """Say whether a phone can draw no more of the tree than a sign for each node."""
        leaves = len(self.tree.root.leaves)
        return (
            self.tree.in_search and self.tree.deep > 1 and leaves > MOST_ON_A_PHONE[self.tree.kind]
        )

    @property
    def is_large(self) -> bool:
        """Say whether even a projector writes the tree too small for the last row."""
        return self.tree.in_search and len(self.tree.root.leaves) > MOST_FROM_AFAR

    @property
    def looks(self) -> str:
        """Return the classes that say how large the tree is: its levels, tens and ones of em."""
        ems = ceil(self.widths[self.tree.root.path])
        levels = min(self.tree.root.levels, self.tree.deep)
        size = f"{self.tree.kind} levels-{levels} tens-{ems // 10} ones-{ems % 10}"
        is_crowded = len(self.tree.root.leaves) > 20 and not self.tree.in_search
        looks = {"many": self.is_many, "large": self.is_large, "crowded": is_crowded}
        return " ".join([size, *(look for look, holds in looks.items() if holds)])

    def shows_who(self, node: Node) -> bool:
        """Say whether below a board there is room for who chooses: not beside two digits."""
        chip = self.tree.marks.get(node.digits, {}).get("chip")
        is_wide = self.is_large and chip is not None and sum(map(str.isdigit, chip.text)) > 1
        return bool(self.tree.below(node)) and (node is self.tree.root or not is_wide)

    @cached_property
    def widths(self) -> Mapping[Path, float]:
        """Return how wide each node is with all below, in em."""
        found: dict[Path, float] = {}

        def measure(node: Node) -> float:
            own = WIDE[self.tree.kind if self.tree.is_open(node) else "signs"][not node.below]
            found[node.path] = max(own, sum(map(measure, self.tree.below(node))))
            return found[node.path]

        measure(self.tree.root)
        return found

    def weights(self, node: Node) -> list[float]:
        """Return the widths of what is below a node."""
        return [self.widths[child.path] for child in node.below]


# How a search stands


def searched(
    scene: Scene,
    urls: Mapping[Path, str],
    lit: Path | None = None,
    new: Container[Path] = (),
) -> Tree:
    """Return the tree with what is known, with the branch in view in pictures if it is large.

    `lit` is the node a cut is held against; the last step brought or cut the `new` ones.
    """
    marks = {node.digits: _mark(scene, node) for node in scene.root.walk()}
    for node in scene.root.walk():
        mark = marks[node.digits]
        if node.path in urls:
            mark["press"] = urls[node.path]
        mark["new"] = node.path in new
        if node.path == lit:
            mark["look"] += " lit"
    return Tree(scene.root, marks, in_view(scene), in_search=True)


def _mark(scene: Scene, node: Node) -> Marking:
    """Return how one node stands."""
    path, stage, worth = node.path, scene.stage(node), scene.worth(node)
    frame = scene.standing[path].frame
    is_on = scene.here[: len(path)] == path
    chip = Chip(worth.text, worth.winner) if worth else UNKNOWN if frame else None
    look = {"waiting": "waits", "cut": "gone", "below a cut": "gone"}.get(stage, "")
    if is_on:
        look = "is-here" if path == scene.here else "stacked"
    edge = "cut" if stage == "cut" else "pale" if look in ("waits", "gone") else ""
    if not edge and worth:
        edge = f"up {worth.winner}" if path in scene.line[1:] else edge
        edge = edge or (f"refused {worth.winner}" if path == scene.tried else "")
    known = scene.standing[path].value is not None and worth
    said = {"waits": "not searched yet", "gone": "cut"}.get(look, "being searched")
    mark = Marking(
        look=look,
        edge=edge or ("stacked" if is_on and path else ""),
        frame=frame,
        sign=look if is_on else scene.sign(node),
        said=worth.text.replace("~", "estimate ") if known and worth else said,
    )
    if chip:
        mark["chip"] = chip
    return mark


def in_view(scene: Scene) -> frozenset[Path] | None:
    """Return the nodes drawn as pictures where a tree of boards is large; None where it is not.

    These are the nodes on the way to the one in view, what is below each, and a small branch whole;
    where that is too wide to be read, fewer: what is below the node in view is never left out.
    """
    root, here = scene.root, scene.here
    if scene.is_own or len(root.leaves) <= MOST_OPEN:
        return None
    way = [root.at(here[:n]) for n in range(len(here) + 1)]
    whole = next((node for node in way if len(node.leaves) <= MOST_IN_A_BRANCH), way[-1])
    small = tuple(whole.walk()) if len(whole.leaves) <= MOST_IN_A_BRANCH else ()
    found = [
        frozenset(node.path for node in (*way, *branch, *(c for fork in forks for c in fork.below)))
        for forks, branch in ((way, small), (way[-1:], small), (way[-1:], ()))
    ]
    wide = (TreeLayout(Tree(root, {}, nodes)).widths[root.path] for nodes in found)
    fits = (nodes for nodes, em in zip(found, wide, strict=False) if em <= MOST_WIDE)
    return next(fits, found[-1])
