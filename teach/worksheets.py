"""Worksheets: trees with boxes to fill in, and their keys, which are the filled-in trees.

A key gives each node's value, or the bound that a cutoff leaves, and the window on entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from teach.markings import CUT_OFF, NOT_SEARCHED, Chip, DrawnTree, Marking, number_chip, score_chip
from teach.searches import RETURNED, Bound, Frame, node_states, run
from teach.trees import Node
from teach.windows import entry_windows

EMPTY_BOX = Chip("\N{NO-BREAK SPACE}", "box")
EMPTY_WINDOW = Frame(
    0
)  # the frame of a node whose window is to be filled in, which is drawn as two boxes
BOUND_SIGNS: dict[Bound, str] = {"exact": "", "at most": "≤ ", "at least": "≥ "}
MAX_SMALL_LEAVES, MAX_SMALL_LEVELS = 9, 2  # a tree this small fits six times on a page
SMALL_PER_PAGE, LARGE_PER_PAGE = 6, 2


class RandomSize(NamedTuple):
    """The size of a random tree, and the side at its root."""

    levels: int
    branches: int
    is_max: bool  # whether MAX is at the root


# The sizes of random trees; consecutive seeds go through RANDOM_SIZES in order. With two levels and
# MAX at the root, β is +∞ at each node. So that there is a β to find in the other trees, they have
# MIN at the root or a third level.
SMALL_SIZES = RandomSize(2, 3, True), RandomSize(2, 3, False)
LARGE_SIZES = RandomSize(3, 2, False), RandomSize(3, 2, True)
RANDOM_SIZES = (LARGE_SIZES[0], *SMALL_SIZES, *SMALL_SIZES, LARGE_SIZES[1])


class Cutoff(NamedTuple):
    """A cutoff of alpha-beta."""

    node: Node
    best: int  # the best value of `node` so far
    limit: int  # the alpha or beta that `best` has reached
    pruned: tuple[Node, ...]  # the children not searched; empty after the last child


def blank_tree(root: Node) -> DrawnTree:
    """Return a tree to fill in, with boxes for the value and the window of each inner node."""
    inner_nodes = [node for node in root.walk() if node.below]
    markings = {leaf.digits: _leaf_marking(leaf) for leaf in root.leaves}
    markings |= {node.digits: Marking(chip=EMPTY_BOX, frame=EMPTY_WINDOW) for node in inner_nodes}
    return DrawnTree(root, markings)


def key_tree(root: Node) -> DrawnTree:
    """Return a tree as alpha-beta solves it, with the window on entry at each inner node."""
    search, windows = run(root, "alpha-beta"), entry_windows(root)
    states = node_states(search, step_count=len(search.steps))
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
    return score_chip(value) if node.has_board else number_chip(value)


def cutoffs(root: Node) -> Iterator[Cutoff]:
    """Yield the cutoffs of alpha-beta in order, including those after a node's last child."""
    for step in run(root, "alpha-beta").steps:
        node, frame = root.at(step.stack_top), step.after
        # After a node's last child nothing is left to prune, so the search records no "cut".
        is_last_child = step.kind in RETURNED and step.path == node.below[-1].path
        if step.kind == "cut" or (is_last_child and frame.alpha >= frame.beta):
            bound = frame.beta if node.is_max else frame.alpha
            pruned = tuple(child for child in node.below if child.path[-1] in step.pruned_moves)
            yield Cutoff(node, int(frame.best), int(bound), pruned)


def fits_six_to_a_page(root: Node) -> bool:
    """Return whether six trees of this size fit on a page; trees of boards are too large."""
    return (
        not root.has_board
        and len(root.leaves) <= MAX_SMALL_LEAVES
        and root.height <= MAX_SMALL_LEVELS
    )


def pages(roots: tuple[Node, ...]) -> list[list[Node]]:
    """Return the trees page by page: first six small ones to a page, then two large ones."""
    small_roots = [root for root in roots if fits_six_to_a_page(root)]
    large_roots = [root for root in roots if not fits_six_to_a_page(root)]
    return _split(small_roots, SMALL_PER_PAGE) + _split(large_roots, LARGE_PER_PAGE)


def _split(roots: list[Node], page_size: int) -> list[list[Node]]:
    """Return the trees page by page, each page but the last with `page_size` of them."""
    return [roots[first : first + page_size] for first in range(0, len(roots), page_size)]
