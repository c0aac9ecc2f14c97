"""Fill in the values of a tree, of boards or of numbers, from the leaves up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_letters, digits
from typing import NamedTuple

from engine.position import Position
from teach.lesson.trees import build_tree
from teach.puzzles.moves import ASTRAY
from teach.puzzles.random_trees import PuzzleTree
from teach.trees import Node

VALUES = {"x": 1, "d": 0, "o": -1}  # by the letter in an address: X wins, draw, O wins
PLACES = digits + ascii_letters  # of nodes: no tree has as many inner nodes


class ValuePuzzle(NamedTuple):
    """How far a learner is."""

    root: Node
    nodes: tuple[Node, ...]  # to fill in, the root last, as in a search
    at: Node | None  # the node asked about
    known: tuple[Node, ...] = ()
    wrong: tuple[tuple[Node, int], ...] = ()  # the wrong values given
    last: Node | None = None  # whose value was just given or shown

    def is_ready(self, node: Node) -> bool:
        """Return whether the values of all nodes below are known."""
        return all(child in self.known or not child.below for child in node.below)


def fill(asked: Position | PuzzleTree, presses: str) -> ValuePuzzle:
    """Return the puzzle after some presses of two characters each: a place in `nodes`, a letter.

    The letter names one of `choices`, or `s` shows the value; a place alone, at the end, is asked
    next. Raises ValueError, with the reason, for presses that no page offers.
    """
    root = asked.root if isinstance(asked, PuzzleTree) else build_tree(asked, filled=2)
    nodes = tuple(_inner_nodes(root))
    done = ValuePuzzle(root, nodes, at=nodes[0])
    for first in range(0, len(presses), 2):
        done = _filled(done, *presses[first : first + 2])
    return done


def choices(node: Node) -> Mapping[str, int]:
    """Return the values to choose from at a node, by the letter in an address."""
    if node.has_board:
        return VALUES
    below = dict.fromkeys(child.value for child in node.below)
    return dict(zip(PLACES, below, strict=False))


def _inner_nodes(node: Node) -> Iterator[Node]:
    for child in node.below:
        yield from _inner_nodes(child)
    if node.below:
        yield node


def _filled(done: ValuePuzzle, place: str, letter: str = "") -> ValuePuzzle:
    """Return how far a learner is after another press."""
    node = dict(zip(PLACES, done.nodes, strict=False)).get(place)
    if node is None or node in done.known:
        raise ValueError(ASTRAY)
    if not letter:
        return done._replace(at=node, last=None)
    offered = {**choices(node), "s": node.value}
    given = offered.get(letter, node.value)
    if letter not in offered or not done.is_ready(node) or (node, given) in done.wrong:
        raise ValueError(ASTRAY)
    if given != node.value:
        return done._replace(at=node, wrong=(*done.wrong, (node, given)), last=node)
    known = (*done.known, node)
    at = next((other for other in done.nodes if other not in known), None)
    return done._replace(known=known, at=at, last=node)
