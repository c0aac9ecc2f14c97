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
    NUMBER_PASSED_UP,
    UNKNOWN,
    Chip,
    DrawnTree,
    Edge,
    number_chip,
    passed_up,
    score_chip,
)
from teach.puzzles.cuts import CutPuzzle, CutRemark, WindowQuestion
from teach.puzzles.moves import MovePuzzle, consequence
from teach.puzzles.values import ADDRESS_KEYS, ValuePuzzle
from teach.searches import Frame
from teach.trees import Node
from web.view.right_move import pressable_cells, solved_cells


def move_context(puzzle: MovePuzzle, url: Callable[[str], str]) -> dict[str, Any]:
    """Return the template values of a question: its board, and the last wrong square refuted."""
    refutation = (
        consequence(puzzle.position, puzzle.wrong_squares[-1]) if puzzle.wrong_squares else None
    )
    if puzzle.found_square is None:
        cells = pressable_cells(
            puzzle, refutation, url=lambda square: url(puzzle.presses_with(square))
        )
    else:
        cells = solved_cells(puzzle)
    return {
        "position": puzzle.position,
        "is_win": score(puzzle.position) > 0,
        "cells": cells,
        "refutation": refutation,
    }


def value_tree(puzzle: ValuePuzzle, presses: str) -> DrawnTree:
    """Return the tree with the values given so far; nodes without one can be clicked."""
    root, last_node = puzzle.root, puzzle.last_node
    markings = Markings(root.walk(), score_chip if root.has_board else number_chip)
    for key, node in zip(ADDRESS_KEYS, puzzle.nodes, strict=False):
        marking = markings[node.digits]
        if node in puzzle.known_nodes:
            chosen = chosen_children(node)
            for child in node.below:
                if child in chosen:
                    markings[child.digits]["edge"] = _edge_above(child)
                    markings[child.digits]["is_new"] = node == last_node
                else:
                    markings[child.digits]["role"] = "irrelevant"
        elif node == puzzle.open_node:
            marking |= {"chip": UNKNOWN, "role": "in view"}
        else:
            marking |= {"chip": UNKNOWN, "press": State(kept_presses=(*presses, key))}
    if last_node and last_node not in puzzle.known_nodes:
        _, wrong_value = puzzle.wrong_values[-1]
        equal_children = [child for child in last_node.below if child.value == wrong_value]
        if equal_children:
            markings[last_node.digits]["pulses"] = "badge"
        for child in equal_children or last_node.below:
            markings[child.digits]["pulses"] = "chip"
    return markings.on(root)


def _show_number(markings: Markings, remark: CutRemark, covered: Node) -> None:
    """Show a number put under a cover, and the value that its parent then has."""
    assert remark.set_to is not None
    pick = max if remark.node.is_max else min
    value = pick(remark.best, remark.set_to)
    markings[covered.digits]["cover_text"] = number_chip(remark.set_to).text
    if value != remark.best:
        markings[remark.node.digits]["chip"] = number_chip(value)
        for child in remark.node.below:
            markings[child.digits].pop("edge", None)
        markings[covered.digits] |= {"edge": NUMBER_PASSED_UP, "is_new": True}


def _window_to_find(puzzle: CutPuzzle, question: WindowQuestion) -> Frame:
    """Return the window of the node that a question is about, with NaN for each end to be found."""
    frame = puzzle.windows[question.node.path]
    return frame._replace(alpha=frame.alpha if question.end == "β" else nan, beta=nan)


def chosen_children(node: Node) -> list[Node]:
    """Return the children whose value a node takes: all of them for boards, otherwise one."""
    equal = [child for child in node.below if child.value == node.value]
    return equal if node.has_board else equal[:1]


def _edge_above(node: Node) -> Edge:
    """Return the edge that passes the value of a node up."""
    return passed_up(score_chip(node.value) if node.has_board else number_chip(node.value))


def pruning_tree(puzzle: CutPuzzle, presses: str) -> DrawnTree:
    """Return the tree with the leaves seen so far; the next covered leaf can be clicked."""
    root, markings = puzzle.root, Markings()
    pruned_leaves = {leaf for node in puzzle.pruned_nodes for leaf in node.leaves}
    for node in root.walk():
        value = puzzle.best_values.get(node.path)
        if node.below:
            markings[node.digits]["chip"] = UNKNOWN
            if value is None:
                continue
            if certain_value := puzzle.certain_values.get(node.path):
                bound_sign, value_so_far = certain_value
                chip = Chip(f"{bound_sign} {number_chip(value_so_far).text}".strip(), "nobody")
                markings[node.digits]["chip"] = chip
            best_child = next(c for c in node.below if puzzle.best_values.get(c.path) == value)
            markings[best_child.digits]["edge"] = NUMBER_PASSED_UP
        elif node not in puzzle.seen_leaves:
            if node in pruned_leaves:
                markings[node.digits]["role"] = "irrelevant"
            else:
                markings[node.digits]["is_covered"] = True
    for node in puzzle.pruned_nodes:
        markings[node.digits]["edge"] = CUT_OFF
        markings[node.digits]["is_new"] = presses.endswith("c") and node == puzzle.pruned_nodes[-1]
    for path, frame in puzzle.windows.items():
        markings[root.at(path).digits]["frame"] = frame
    if puzzle.question:
        markings[puzzle.question.node.digits]["frame"] = _window_to_find(puzzle, puzzle.question)
    if puzzle.next_leaf:
        markings[puzzle.next_leaf.digits] |= {"is_covered": True, "role": "candidate"}
        if (
            puzzle.cover_numbers
            and isinstance(puzzle.last_remark, CutRemark)
            and puzzle.last_remark.set_to is not None
        ):
            _show_number(markings, puzzle.last_remark, puzzle.next_leaf)
    # Look or prune? A click on the leaf would already be an answer, so it cannot be clicked.
    if puzzle.node_to_decide:
        markings[puzzle.node_to_decide.digits]["role"] = "in view"
    elif puzzle.next_leaf:
        markings[puzzle.next_leaf.digits]["press"] = State(kept_presses=(*presses, "u"))
    for leaf in puzzle.seen_leaves[-1:]:
        markings[leaf.digits]["is_new"] = True
    return markings.on(root)
