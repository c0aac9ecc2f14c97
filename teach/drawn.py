"""What a page draws of a tree: its nodes, how each stands, and how wide each is."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any, NamedTuple, TypedDict

from engine.notation import signed
from engine.position import Position
from engine.search import sign
from teach.scenes import Scene
from teach.searches import Frame
from teach.trees import Node, Path

MOST_OPEN, MOST_IN_A_BRANCH = 12, 8  # leaves: of a tree drawn whole, of a branch drawn whole
MOST_ON_A_PHONE = {"boards": 8, "numbers": 12}  # leaves of a tree in pictures
MOST_FROM_AFAR = 14  # leaves: of a tree that is read from the last row
MOST_WIDE = 52  # em: in 660 px, the least that is not a phone's, a board has 40

# What a fork and a leaf are wide, in em of their tree, with the gaps beside.
WIDE = {"boards": (3.5, 3.5), "numbers": (3.3, 2.5), "signs": (1.2, 1.2)}


class Chip(NamedTuple):
    """Hold a result or a number, and the side that gains: X, O, D for a draw."""

    text: str
    look: str

    @property
    def is_word(self) -> bool:
        """Say whether the text is a result, such as "X wins", rather than a number."""
        return self.text[-1].isalpha()


RESULT = {1: Chip("X wins", "X"), 0: Chip("draw", "D"), -1: Chip("O wins", "O")}
UNKNOWN = Chip("?", "unknown")


def number(value: int) -> Chip:
    """Return the chip of a number, plus being good for X."""
    return Chip(signed(value), RESULT[sign(value)].look)


def figure(value: int) -> Chip:
    """Return the chip of a number that is good for nobody in particular."""
    return Chip(signed(value).removeprefix("+"), "nobody")


class Marking(TypedDict, total=False):
    """Say how a node of a tree is drawn, where not plainly.

    `edge` draws the line up to the parent, `plate` stands on a covered board, `said` is what is
    known in words. `press` names the page that a press leads to. The last press made a node `new`
    or gave it a `pulse`. Of a search: the `frame` of a node on the stack, and the `sign` in place
    of a picture that has no room.
    """

    chip: Chip
    look: str
    edge: str
    plate: str
    pulse: str
    new: bool
    press: Any
    frame: Frame | None
    sign: str
    said: str


@dataclass(frozen=True)
class Tree:
    """Hold a tree and how its nodes are drawn, by their paths as digits.

    The nodes in `open` alone are drawn as pictures, the others as signs; all if None. Nothing is
    drawn more than `deep` levels down. Where `pointed`, ▲ or ▼ stands beside who chooses.
    """

    root: Node
    marks: Mapping[str, Marking]
    open: Container[Path] | None = None
    deep: int = 9
    in_search: bool = False
    pointed: bool = False

    @property
    def kind(self) -> str:
        """Say what stands at the leaves: boards or numbers."""
        return "boards" if isinstance(self.root.stands, Position) else "numbers"

    @property
    def is_many(self) -> bool:
        """Say whether a phone can draw no more of the tree than a sign for each node."""
        leaves = len(self.root.leaves)
        return self.in_search and self.deep > 1 and leaves > MOST_ON_A_PHONE[self.kind]

    @property
    def is_large(self) -> bool:
        """Say whether even a projector writes the tree too small for the last row."""
        return self.in_search and len(self.root.leaves) > MOST_FROM_AFAR

    @property
    def looks(self) -> str:
        """Return the classes that say how large the tree is: its levels, tens and ones of em."""
        ems = ceil(self.widths[self.root.path])
        levels = min(self.root.levels, self.deep)
        size = f"{self.kind} levels-{levels} tens-{ems // 10} ones-{ems % 10}"
        is_crowded = len(self.root.leaves) > 20 and not self.in_search
        looks = {"many": self.is_many, "large": self.is_large, "crowded": is_crowded}
        return " ".join([size, *(look for look, holds in looks.items() if holds)])

    def is_first(self, node: Node) -> bool:
        """Say whether a node is a child of the root."""
        return len(node.path) == len(self.root.path) + 1

    def below(self, node: Node) -> tuple[Node, ...]:
        """Return what is drawn below a node."""
        return node.below if len(node.path) < len(self.root.path) + self.deep else ()

    def is_open(self, node: Node) -> bool:
        """Say whether a node is drawn as a picture."""
        return self.open is None or node.path in self.open

    def is_risen(self, node: Node) -> bool:
        """Say whether the last press brought a node its value from below."""
        marks = (self.marks.get(child.digits, {}) for child in node.below)
        return any(mark.get("new") and mark.get("edge", "").startswith("up") for mark in marks)

    def shows_who(self, node: Node) -> bool:
        """Say whether below a board there is room for who chooses: not beside two digits."""
        chip = self.marks.get(node.digits, {}).get("chip")
        is_wide = self.is_large and chip is not None and sum(map(str.isdigit, chip.text)) > 1
        return bool(self.below(node)) and (node is self.root or not is_wide)

    @cached_property
    def widths(self) -> Mapping[Path, float]:
        """Return how wide each node is with all below, in em."""
        found: dict[Path, float] = {}

        def measure(node: Node) -> float:
            own = WIDE[self.kind if self.is_open(node) else "signs"][not node.below]
            found[node.path] = max(own, sum(map(measure, self.below(node))))
            return found[node.path]

        measure(self.root)
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
    wide = (Tree(root, {}, nodes).widths[root.path] for nodes in found)
    fits = (nodes for nodes, em in zip(found, wide, strict=False) if em <= MOST_WIDE)
    return next(fits, found[-1])
