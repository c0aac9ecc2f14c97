"""Worksheets: a tree with boxes to fill in, and its key.

The key gives each node's value, or the bound that a cutoff leaves, and the window on entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from teach.markings import CUT_OFF, NOT_SEARCHED, Chip, DrawnTree, Marking, number_chip, score_chip
from teach.searches import RETURNED, Bound, Frame, node_states, run
from teach.trees import Node
from teach.windows import entry_windows

EMPTY_BOX = Chip("\N{NO-BREAK SPACE}", "box")
EMPTY_WINDOW = Frame(0)  # marks a window to fill in, which is drawn as two boxes
BOUND_SIGNS: dict[Bound, str] = {"exact": "", "at most": "≤ ", "at least": "≥ "}
MAX_SMALL_LEAVES, MAX_SMALL_LEVELS = 9, 2  # a tree this small fits six times on a page
SMALL_PER_PAGE, LARGE_PER_PAGE = 6, 2


class RandomSize(NamedTuple):
    """The size of a random tree, and who is at its root."""

    levels: int
    branches: int
    is_max: bool  # whether MAX is at the root


# The sizes of the trees of a random sheet, in the order of seeds. If MAX is at the root of two
# levels, β is +∞ at each node. With MIN at the root, or a third level, β is worth asking for, too.
SMALL_SIZES = RandomSize(2, 3, True), RandomSize(2, 3, False)
LARGE_SIZES = RandomSize(3, 2, False), RandomSize(3, 2, True)
RANDOM_SIZES = (*LARGE_SIZES[:1], *SMALL_SIZES, *SMALL_SIZES, *LARGE_SIZES[1:])


class Cutoff(NamedTuple):
    """A cutoff of alpha-beta."""

    node: Node
    best: int  # its best value so far
    bound: int  # the alpha or beta that it has reached
    pruned: tuple[Node, ...]  # its children that are not searched; empty after its last child


def blank_tree(root: Node) -> DrawnTree:
    """Return a tree to fill in, with boxes for the value and the window of each inner node."""
    inner = [node for node in root.walk() if node.below]
    markings = {leaf.digits: _leaf_marking(leaf) for leaf in root.leaves}
    markings |= {node.digits: Marking(chip=EMPTY_BOX, frame=EMPTY_WINDOW) for node in inner}
    return DrawnTree(root, markings)


def key_tree(root: Node) -> DrawnTree:
    """Return a tree as alpha-beta solves it, with the window on entry at each inner node."""
    record, windows = run(root, "alpha-beta"), entry_windows(root)
    states = node_states(record, len(record.steps))
    markings = dict[str, Marking]()
    for node in root.walk():
        marking, state = _leaf_marking(node), states[node.path]
        if state.stage != "searched":
            edge = CUT_OFF if state.stage == "pruned" else NOT_SEARCHED
            marking |= {"role": "pruned", "edge": edge}
        elif node.below and state.value is not None:
            text, favored = _value_chip(node, int(state.value))
            marking |= {
                "chip": Chip(BOUND_SIGNS[state.bound] + text, favored),
                "frame": windows[node.path],
            }
        markings[node.digits] = marking
    return DrawnTree(root, markings)


def _leaf_marking(node: Node) -> Marking:
    """Return a marking with the value of a leaf that is a board; empty for any other node."""
    return {} if node.below or isinstance(node.content, int) else {"chip": score_chip(node.value)}


def _value_chip(node: Node, value: int) -> Chip:
    return number_chip(value) if not node.has_board else score_chip(value)


def cutoffs(root: Node) -> Iterator[Cutoff]:
    """Yield the cutoffs of alpha-beta in order, including those after a node's last child."""
    for step in run(root, "alpha-beta").steps:
        node, frame = root.at(step.stack_top), step.after
        is_last = step.kind in RETURNED and step.path == node.below[-1].path
        if step.kind == "cut" or (is_last and frame.alpha >= frame.beta):
            pruned = tuple(child for child in node.below if child.path[-1] in step.pruned_moves)
            yield Cutoff(
                node, int(frame.best), int(frame.beta if node.is_max else frame.alpha), pruned
            )


def is_small(root: Node) -> bool:
    """Return whether six trees of this size fit on a page; boards need more room."""
    return (
        not root.has_board
        and len(root.leaves) <= MAX_SMALL_LEAVES
        and root.height <= MAX_SMALL_LEVELS
    )


def pages(roots: tuple[Node, ...]) -> list[list[Node]]:
    """Return the trees page by page: first six small ones to a page, then two large ones."""
    small = [root for root in roots if is_small(root)]
    large = [root for root in roots if not is_small(root)]
    return [
        trees[first : first + size]
        for trees, size in ((small, SMALL_PER_PAGE), (large, LARGE_PER_PAGE))
        for first in range(0, len(trees), size)
    ]
