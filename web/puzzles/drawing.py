"""The drawings of the puzzles: a board, a tree to fill in, and a tree to prune."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

from engine.search import score
from teach.lesson.screen import State
from teach.lesson.trees import Markings
from teach.markings import (
    CUT_OFF,
    NUMBER_BACKED_UP,
    UNKNOWN,
    Chip,
    DrawnTree,
    Edge,
    backed_up,
    number_chip,
    score_chip,
)
from teach.puzzles.cuts import CutPuzzle, CutRemark, WindowQuestion
from teach.puzzles.moves import MovePuzzle, consequence
from teach.puzzles.values import ADDRESS_KEYS, ValuePuzzle
from teach.searches import Frame
from teach.trees import Node
from web.view.right_move import pressable_cells, solved_cells


def move_context(puzzle: MovePuzzle, url: Callable[[str], str]) -> dict[str, Any]:
    """Return the template values of a question about a move: its board, and what is shown on it.

    The last wrong square is refuted. `url` returns the address of the question after some presses.
    """
    refutation = None
    if puzzle.wrong_squares:
        refutation = consequence(puzzle.position, puzzle.wrong_squares[-1])
    if puzzle.found_square is not None:
        cells = solved_cells(puzzle)
    else:
        cells = pressable_cells(
            puzzle, refutation, url=lambda square: url(puzzle.wrong_presses_ending_with(square))
        )
    return {
        "position": puzzle.position,
        "is_win": score(puzzle.position) > 0,
        "cells": cells,
        "refutation": refutation,
    }


# A tree to fill in


def value_tree(puzzle: ValuePuzzle, answers: str) -> DrawnTree:
    """Return the tree with the values known so far.

    Of the other nodes to fill in, all but the open one can be clicked.
    """
    root = puzzle.root
    markings = Markings(root.walk(), score_chip if root.has_board else number_chip)
    for key, node in zip(ADDRESS_KEYS, puzzle.nodes, strict=False):
        if node in puzzle.known_nodes:
            _mark_choice(markings, node, is_new=node == puzzle.last_node)
        elif node == puzzle.open_node:
            markings[node.digits] |= {"chip": UNKNOWN, "role": "in view"}
        else:
            next_state = State(kept_presses=(*answers, key))
            markings[node.digits] |= {"chip": UNKNOWN, "target": next_state}
    if puzzle.last_node and puzzle.last_node not in puzzle.known_nodes:
        _mark_wrong_value(markings, puzzle.last_node, puzzle.wrong_values[-1][1])
    return markings.on(root)


def _mark_choice(markings: Markings, node: Node, is_new: bool) -> None:
    """Mark which children give a node its value, and the others as irrelevant."""
    chosen = chosen_children(node)
    for child in node.below:
        if child in chosen:
            markings[child.digits] |= {"edge": _edge_above(child), "is_new": is_new}
        else:
            markings[child.digits]["role"] = "irrelevant"


def _mark_wrong_value(markings: Markings, node: Node, wrong_value: int) -> None:
    """Make the parts that show why a value is wrong pulse.

    If a child has the wrong value, these are that child and the side that chooses at the node,
    because that side would not pick that child. Otherwise these are the values of all children.
    """
    equal_children = [child for child in node.below if child.value == wrong_value]
    if equal_children:
        markings[node.digits]["pulsing_part"] = "badge"
    for child in equal_children or node.below:
        markings[child.digits]["pulsing_part"] = "chip"


def chosen_children(node: Node) -> list[Node]:
    """Return the children whose value a node takes: all of them for boards, otherwise one."""
    equal_children = [child for child in node.below if child.value == node.value]
    return equal_children if node.has_board else equal_children[:1]


def _edge_above(node: Node) -> Edge:
    """Return the edge along which the value of a node is backed up."""
    return backed_up(score_chip(node.value) if node.has_board else number_chip(node.value))


# A tree to prune


def pruning_tree(puzzle: CutPuzzle, presses: str) -> DrawnTree:
    """Return the tree with the leaves seen so far; the next covered leaf can be clicked."""
    markings = Markings()
    _mark_values(markings, puzzle)
    for node in puzzle.pruned_nodes:
        markings[node.digits]["edge"] = CUT_OFF
        markings[node.digits]["is_new"] = presses.endswith("c") and node == puzzle.pruned_nodes[-1]
    for path, frame in puzzle.windows.items():
        markings[puzzle.root.at(path).digits]["frame"] = frame
    if puzzle.question:
        markings[puzzle.question.node.digits]["frame"] = _window_to_find(puzzle, puzzle.question)
    if puzzle.next_leaf:
        markings[puzzle.next_leaf.digits] |= {"is_covered": True, "role": "candidate"}
        remark = puzzle.last_remark
        if puzzle.cover_numbers and isinstance(remark, CutRemark) and remark.set_to is not None:
            _mark_cover_number(markings, remark, puzzle.next_leaf)
    if puzzle.node_to_decide:
        # Look or prune? A click on the leaf would already be an answer, so it cannot be clicked.
        markings[puzzle.node_to_decide.digits]["role"] = "in view"
    elif puzzle.next_leaf:
        markings[puzzle.next_leaf.digits]["target"] = State(kept_presses=(*presses, "u"))
    if puzzle.seen_leaves:
        markings[puzzle.seen_leaves[-1].digits]["is_new"] = True
    return markings.on(puzzle.root)


def _mark_values(markings: Markings, puzzle: CutPuzzle) -> None:
    """Mark what is known about each inner node, and which leaves are covered or irrelevant."""
    pruned_leaves = {leaf for node in puzzle.pruned_nodes for leaf in node.leaves}
    for node in puzzle.root.walk():
        marking = markings[node.digits]
        if node.below:
            marking["chip"] = _certain_chip(puzzle, node)
            if best_child := _best_child(puzzle, node):
                markings[best_child.digits]["edge"] = NUMBER_BACKED_UP
        elif node in pruned_leaves and node not in puzzle.seen_leaves:
            marking["role"] = "irrelevant"
        elif node not in puzzle.seen_leaves:
            marking["is_covered"] = True


def _certain_chip(puzzle: CutPuzzle, node: Node) -> Chip:
    """Return the chip of an inner node: what is certain about its value, or UNKNOWN."""
    certain_value = puzzle.certain_values.get(node.path)
    if node.path not in puzzle.best_values or not certain_value:
        return UNKNOWN
    bound_sign, value = certain_value
    return Chip(f"{bound_sign} {number_chip(value).text}".strip(), "nobody")


def _best_child(puzzle: CutPuzzle, node: Node) -> Node | None:
    """Return the child whose value is a node's best so far, or None if there is none yet."""
    best = puzzle.best_values.get(node.path)
    if best is None:
        return None
    return next(child for child in node.below if puzzle.best_values.get(child.path) == best)


def _mark_cover_number(markings: Markings, remark: CutRemark, leaf: Node) -> None:
    """Mark a covered leaf with the number put on its cover, and its parent with the new value."""
    assert remark.set_to is not None
    pick = max if remark.node.is_max else min
    value = pick(remark.best, remark.set_to)
    markings[leaf.digits]["cover_text"] = number_chip(remark.set_to).text
    if value != remark.best:
        markings[remark.node.digits]["chip"] = number_chip(value)
        for child in remark.node.below:
            markings[child.digits].pop("edge", None)
        markings[leaf.digits] |= {"edge": NUMBER_BACKED_UP, "is_new": True}


def _window_to_find(puzzle: CutPuzzle, question: WindowQuestion) -> Frame:
    """Return a frame with the window in question, with NaN for each end to be found."""
    frame = puzzle.windows[question.node.path]
    return frame._replace(alpha=frame.alpha if question.end == "β" else nan, beta=nan)
