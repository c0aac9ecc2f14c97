"""How a tree looks: the widths and CSS classes of its nodes, and what a search shows of each."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import NamedTuple

from engine.notation import signed
from teach.markings import (
    CUT_OFF,
    NOT_SEARCHED,
    ON_THE_STACK,
    UNKNOWN,
    Chip,
    DrawnTree,
    Edge,
    Marking,
    Role,
)
from teach.scenes import KnownValue, Scene
from teach.trees import Node, Path

# A node is drawn as a picture or, if that does not fit, as a shape, which is small and colored.
MAX_PICTURED_LEAVES = 12  # of a tree of boards that has a picture of every node
MAX_BRANCH_LEAVES = 8  # of a branch that has a picture of every node

# A tree within both limits is drawn in pictures on an upright phone, too.
MAX_PHONE_LEAVES = {"boards": 8, "numbers": 12}
MAX_PHONE_LEVELS = {"boards": 2, "numbers": 5}

# A projected tree with no more leaves can be read from the back row of a room.
MAX_PROJECTED_LEAVES = 14
MAX_LEAVES_WITHOUT_CODE = 27  # for a tree of numbers without the code beside it

MAX_UNCROWDED_LEAVES = 20  # a tree with more gets smaller numbers
PHONE_WIDTH = 296  # px, of a tree on a phone
MIN_WIDE_WIDTH = 660  # px; in tree.css, a narrower tree is laid out as on a phone
LETTER_WIDTH = 7  # px, of the smallest letters
MAX_PICTURED_WIDTH = 52  # em, of a large tree with pictures; in 660 px, a board is then 40 px wide

# In em of the tree, with the gaps at both sides.
INNER_WIDTHS = {"boards": 3.5, "numbers": 3.3, "shapes": 1.2}
LEAF_WIDTHS = {"boards": 3.5, "numbers": 2.5, "shapes": 1.2}

ROLE_CLASSES: Mapping[Role, str] = {
    "in view": "is-here",
    "on the stack": "stacked",
    "candidate": "asks",
    "chosen": "picked",
    "highlighted": "lit",
    "not searched": "waits",
    "pruned": "gone",
    "irrelevant": "dimmed",
}
ROLES_ON_STACK: tuple[Role, ...] = ("in view", "on the stack")
OVERLAY_CLASSES = {"backed up": "up", "rejected": "refused", "on the stack": "stacked"}  # of edges


class EdgeClasses(NamedTuple):
    """The CSS classes of the edge above a node, and of the second edge drawn over it."""

    edge: str
    overlay: str  # of the picture with the second edge; "" if there is none
    overlay_edge: str


@dataclass(frozen=True)
class TreeLayout:
    """A tree as a page lays it out; all widths are in em of the tree."""

    tree: DrawnTree

    @property
    def needs_shapes(self) -> bool:
        """Whether an upright phone has room only for a shape in place of each node's picture."""
        is_low = self.tree.root.height <= MAX_PHONE_LEVELS[self.tree.kind]
        is_small = self._has_few_leaves and is_low
        return self.tree.shows_search and self.tree.drawn_level_count > 1 and not is_small

    @property
    def _has_few_leaves(self) -> bool:
        """Whether the leaves have room side by side on a phone."""
        return len(self.tree.root.leaves) <= MAX_PHONE_LEAVES[self.tree.kind]

    @property
    def is_large(self) -> bool:
        """Whether the tree has too many leaves to be read from the back row, if it is projected."""
        is_wide = self.tree.has_full_width and self.tree.kind == "numbers"
        max_leaves = MAX_LEAVES_WITHOUT_CODE if is_wide else MAX_PROJECTED_LEAVES
        return self.tree.shows_search and len(self.tree.root.leaves) > max_leaves

    @property
    def classes(self) -> str:
        """The CSS classes of the tree: its levels, its width in tens and ones of em, and flags."""
        width = ceil(self.widths[self.tree.root.path])
        level_count = min(self.tree.root.height, self.tree.drawn_level_count)
        size = f"{self.tree.kind} levels-{level_count} tens-{width // 10} ones-{width % 10}"
        has_whole_page = self.tree.has_full_width or not self.tree.shows_search
        has_many_leaves = len(self.tree.root.leaves) > MAX_UNCROWDED_LEAVES
        flags = {
            "many": self.needs_shapes,
            "deep": self.needs_shapes and self._has_few_leaves,
            "large": self.is_large,
            "crowded": has_many_leaves and has_whole_page,
            "dense": self.is_tight and not self._has_room_for_windows(MIN_WIDE_WIDTH),
            "tight": self.is_tight,
        }
        return " ".join([size, *(flag for flag, is_set in flags.items() if is_set)])

    def has_room_for_mover(self, node: Node) -> bool:
        """Return whether the letter of the side to move has room beside the value of a board.

        A leaf has no such letter. In a large tree, two digits leave room for it only at the root.
        """
        if not self.tree.drawn_children(node):
            return False
        chip = self.tree.marking(node).get("chip")
        has_wide_value = chip is not None and sum(map(str.isdigit, chip.text)) > 1
        return node is self.tree.root or not (self.is_large and has_wide_value)

    def node_classes(self, node: Node) -> str:
        """Return the CSS classes of a node."""
        marking = self.tree.marking(node)
        is_cut_off = marking.get("edge") == CUT_OFF
        classes = ["node"]
        if not self.tree.is_pictured(node):
            classes.append("sign")
        if is_cut_off:
            classes.append("cut")
        if marking.get("is_new"):
            classes.append("new" if is_cut_off else "came")
        if marking.get("is_covered"):
            classes.append("covered")
        if role := marking.get("role"):
            classes.append(ROLE_CLASSES[role])
        if marking.get("pulsing_part") == "node":
            classes.append("pulse new")
        if marking.get("is_cutoff_source"):
            classes.append("lit")
        return " ".join(classes)

    def shape_class(self, node: Node) -> str:
        """Return the CSS class of the small shape of a node in a search; "" in other trees."""
        if not self.tree.shows_search:
            return ""
        marking = self.tree.marking(node)
        role = marking.get("role")
        return ROLE_CLASSES[role] if role in ROLES_ON_STACK else marking.get("proven_winner", "")

    def edge_classes(self, node: Node) -> EdgeClasses:
        """Return the CSS classes of the edge from a node up to its parent."""
        marking = self.tree.marking(node)
        edge = marking.get("edge")
        if not edge:
            return EdgeClasses("edge", "", "")
        overlay = OVERLAY_CLASSES.get(edge.kind)
        if not overlay:
            return EdgeClasses("edge gone", "", "")
        return EdgeClasses(
            edge="edge",
            overlay=f"over {overlay} new" if marking.get("is_new") else f"over {overlay}",
            overlay_edge=f"edge {overlay} {edge.favored}".strip(),
        )

    @cached_property
    def is_tight(self) -> bool:
        """Whether, on a phone, the alpha-beta window of some node has to take two lines."""
        return not self._has_room_for_windows(PHONE_WIDTH)

    def _has_room_for_windows(self, tree_width: int) -> bool:
        """Return whether the alpha-beta window of each node fits over it in one line.

        `tree_width` is in px. The root has room at any width, and a shape has no window.
        """
        root = self.tree.root
        node_widths = [
            self.widths[node.path]
            for node in root.walk()
            if node is not root and self.tree.drawn_children(node) and self.tree.is_pictured(node)
        ]
        lengths = sorted(
            (_value_length(leaf, self.tree.kind) for leaf in root.leaves), reverse=True
        )
        # Both ends of a window are values of leaves or infinite; a single leaf may be both.
        end_lengths = [max(length, len("+∞")) for length in (lengths * 2)[:2]]
        window_width = (sum(end_lengths) + len("[, ]")) * LETTER_WIDTH
        px_per_em = tree_width / self.widths[root.path]
        return all(window_width <= node_width * px_per_em for node_width in node_widths)

    @cached_property
    def widths(self) -> Mapping[Path, float]:
        """The width of each node with everything below it."""
        widths: dict[Path, float] = {}

        def measure(node: Node) -> float:
            kind = self.tree.kind if self.tree.is_pictured(node) else "shapes"
            own_width = INNER_WIDTHS[kind] if node.below else LEAF_WIDTHS[kind]
            widths[node.path] = max(own_width, sum(map(measure, self.tree.drawn_children(node))))
            return widths[node.path]

        measure(self.tree.root)
        return widths

    def child_widths(self, node: Node) -> list[float]:
        """Return the widths of the children of a node."""
        return [self.widths[child.path] for child in node.below]


def _value_length(leaf: Node, kind: str) -> int:
    """Return the number of characters of the value of a leaf; an estimate has a ~ before it."""
    text = signed(leaf.value)
    if kind == "numbers":
        text = text.removeprefix("+")
    return len(text) + leaf.hits_depth_limit


# The state of a search


def search_tree(
    scene: Scene,
    urls: Mapping[Path, str],
    cutoff_source: Path | None = None,
    changed: Container[Path] = (),
) -> DrawnTree:
    """Return the tree with what is known so far; of a large tree, only a part is in pictures.

    `cutoff_source` is the node that justifies a cutoff; `changed` are the nodes that the last step
    changed; `urls` are the addresses that a click on each node leads to.
    """
    markings = {node.digits: _marking(scene, node) for node in scene.root.walk()}
    for node in scene.root.walk():
        marking = markings[node.digits]
        if node.path in urls:
            marking["target"] = urls[node.path]
        marking["is_new"] = node.path in changed
        marking["is_cutoff_source"] = node.path == cutoff_source
    return DrawnTree(scene.root, markings, pictured_nodes(scene), shows_search=True)


def _marking(scene: Scene, node: Node) -> Marking:
    """Return what is known about one node."""
    state, value = scene.states[node.path], scene.known_value(node)
    role = _role(scene, node)
    marking = Marking(
        frame=state.last_frame,
        proven_winner=scene.proven_winner(node),
        description=_description(scene, node, role, value),
    )
    if value:
        marking["chip"] = Chip(value.text, value.winner)
    elif state.frame:
        marking["chip"] = UNKNOWN
    if role:
        marking["role"] = role
    if edge := _edge(scene, node, role, value):
        marking["edge"] = edge
    return marking


def _role(scene: Scene, node: Node) -> Role | None:
    """Return the role of a node in a search, or None if the search has left it."""
    if node.path == scene.path_in_view:
        return "in view"
    if scene.path_in_view[: len(node.path)] == node.path:
        return "on the stack"
    if scene.is_pruned(node):
        return "pruned"
    return "not searched" if scene.stage(node) == "waiting" else None


def _edge(scene: Scene, node: Node, role: Role | None, value: KnownValue | None) -> Edge | None:
    """Return what the edge above a node shows, or None if it is plain."""
    if scene.stage(node) == "pruned":
        return CUT_OFF
    if role in ("not searched", "pruned"):
        return NOT_SEARCHED
    if value and node.path in scene.best_line[1:]:
        return Edge("backed up", value.winner)
    if value and node.path == scene.rejected:
        return Edge("rejected", value.winner)
    return ON_THE_STACK if node.path and role in ROLES_ON_STACK else None


def _description(scene: Scene, node: Node, role: Role | None, value: KnownValue | None) -> str:
    """Return in words what is known about a node."""
    if value and scene.states[node.path].value is not None:
        return value.text.replace("~", "estimate ")
    if role == "not searched":
        return "not searched yet"
    return "pruned" if role == "pruned" else "being searched"


def pictured_nodes(scene: Scene) -> frozenset[Path] | None:
    """Return the nodes of a large tree of boards to draw as pictures, or None for all of them.

    These are the nodes on the path to the node in view, their children, and the largest branch that
    contains the node in view and has at most MAX_BRANCH_LEAVES leaves. If the tree is then too wide
    to read, there are fewer, but always the path and the children of the node in view.
    """
    root, path_in_view = scene.root, scene.path_in_view
    if scene.is_number_tree or len(root.leaves) <= MAX_PICTURED_LEAVES:
        return None
    stack = [root.at(path_in_view[:length]) for length in range(len(path_in_view) + 1)]
    small_branches = [node for node in stack if len(node.leaves) <= MAX_BRANCH_LEAVES]
    branch = [node for branch_root in small_branches[:1] for node in branch_root.walk()]
    children_in_view = [*stack[-1].below]
    children_on_path = [child for node in stack for child in node.below]
    selections = [
        frozenset(node.path for node in nodes)
        for nodes in (
            [*stack, *branch, *children_on_path],
            [*stack, *branch, *children_in_view],
            [*stack, *children_in_view],
        )
    ]
    return next(
        (
            paths
            for paths in selections
            if TreeLayout(DrawnTree(root, {}, paths)).widths[root.path] <= MAX_PICTURED_WIDTH
        ),
        selections[-1],
    )
