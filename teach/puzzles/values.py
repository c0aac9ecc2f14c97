"""The puzzle "Fill in the values": a tree of boards or numbers, solved from the leaves up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_letters, digits
from typing import NamedTuple

from engine.position import Position
from teach.lesson.trees import build_tree
from teach.puzzles.moves import SHOW, UNREACHABLE
from teach.puzzles.random_trees import PuzzleTree
from teach.trees import Node

BOARD_VALUES = {"x": 1, "d": 0, "o": -1}  # by the key in an address: X wins, draw, O wins
# The characters that stand in an address for a node or, in a tree of numbers, for a value.
ADDRESS_KEYS = digits + ascii_letters


class ValuePuzzle(NamedTuple):
    """The state of a puzzle."""

    root: Node
    nodes: tuple[Node, ...]  # those to fill in, in the order in which a search returns their values
    open_node: Node | None  # the node to fill in next, or None once all are known
    known_nodes: tuple[Node, ...] = ()
    wrong_values: tuple[tuple[Node, int], ...] = ()  # those chosen, each after its node
    last_node: Node | None = None  # the one whose value was just chosen or shown

    @property
    def has_mistake(self) -> bool:
        """Whether a wrong value was chosen."""
        return bool(self.wrong_values)

    def is_ready(self, node: Node) -> bool:
        """Return whether the values of all children are known."""
        return all(child in self.known_nodes or not child.below for child in node.below)


def value_puzzle(question: Position | PuzzleTree, presses: str) -> ValuePuzzle:
    """Return the puzzle after some answers of two presses each: a node's key and a value's key.

    The second is a key of `value_choices`, or `s` to be shown the value. At the end, a node's key
    alone opens that node. Raises ValueError, with the reason, if a press is not possible then.
    """
    root = question.root if isinstance(question, PuzzleTree) else build_tree(question, fill_depth=2)
    nodes = tuple(_inner_nodes(root))
    puzzle = ValuePuzzle(root, nodes, open_node=nodes[0])
    for start in range(0, len(presses), 2):
        puzzle = _after_press(puzzle, *presses[start : start + 2])
    return puzzle


def value_choices(node: Node) -> Mapping[str, int]:
    """Return the values to choose from at a node, by their keys in an address."""
    if node.has_board:
        return BOARD_VALUES
    different_values = dict.fromkeys(child.value for child in node.below)
    return dict(zip(ADDRESS_KEYS, different_values, strict=False))


def _inner_nodes(node: Node) -> Iterator[Node]:
    """Yield the inner nodes, each after those below it."""
    for child in node.below:
        yield from _inner_nodes(child)
    if node.below:
        yield node


def _after_press(puzzle: ValuePuzzle, node_key: str, value_key: str = "") -> ValuePuzzle:
    """Return the puzzle after another press."""
    node = dict(zip(ADDRESS_KEYS, puzzle.nodes, strict=False)).get(node_key)
    if node is None or node in puzzle.known_nodes:
        raise ValueError(UNREACHABLE)
    if not value_key:
        return puzzle._replace(open_node=node, last_node=None)
    value = {**value_choices(node), SHOW: node.value}.get(value_key)
    if value is None or not puzzle.is_ready(node) or (node, value) in puzzle.wrong_values:
        raise ValueError(UNREACHABLE)
    if value != node.value:
        wrong_values = (*puzzle.wrong_values, (node, value))
        return puzzle._replace(open_node=node, wrong_values=wrong_values, last_node=node)
    known_nodes = (*puzzle.known_nodes, node)
    open_node = next((other for other in puzzle.nodes if other not in known_nodes), None)
    return puzzle._replace(known_nodes=known_nodes, open_node=open_node, last_node=node)
