"""The drawings of the puzzles: a board, a tree to fill in, and a tree to prune."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

from engine.search import score
from teach.lesson.screen import State
from teach.lesson.trees import Marks
from teach.marks import UNKNOWN, Chip, Marking, Tree, number_chip, score_chip
from teach.puzzles.cuts import CutPuzzle, CutRemark, WindowQuestion
from teach.puzzles.moves import MovePuzzle, consequence
from teach.puzzles.values import NODE_KEYS, ValuePuzzle
from teach.searches import Frame
from teach.trees import Node
from web.view.right_move import pressable_cells, solved_cells


def move_context(puzzle: MovePuzzle, url: Callable[[str], str]) -> dict[str, Any]:
    """Return the board of a question, with the refutation of the last wrong square."""
    refutation = (
        consequence(puzzle.position, puzzle.wrong_squares[-1]) if puzzle.wrong_squares else None
    )
    if puzzle.found_square is None:
        cells = pressable_cells(
            puzzle, refutation, url=lambda square: url(puzzle.presses_with(square))
        )
    else:
        cells = solved_cells(puzzle)
    wins = score(puzzle.position) > 0
    return {"position": puzzle.position, "wins": wins, "cells": cells, "answer": refutation}


def value_tree(puzzle: ValuePuzzle, presses: str) -> Tree:
    """Return the tree with the values given so far; nodes without one can be clicked."""
    root, last = puzzle.root, puzzle.last_node
    marks = Marks(root.walk(), score_chip if root.has_board else number_chip)
    for key, node in zip(NODE_KEYS, puzzle.nodes, strict=False):
        mark = marks[node.digits]
        if node in puzzle.known_nodes:
            chosen = chosen_children(node)
            for child in node.below:
                edge: Marking = {"edge": f"up {_value_look(node)}", "new": node == last}
                marks[child.digits] |= edge if child in chosen else {"classes": "dimmed"}
        elif node == puzzle.open_node:
            mark |= {"chip": UNKNOWN, "classes": "is-here"}
        else:
            mark |= {"chip": UNKNOWN, "press": State(kept=(*presses, key))}
    if last and last not in puzzle.known_nodes:
        _, wrong_value = puzzle.wrong_values[-1]
        equal_children = [child for child in last.below if child.value == wrong_value]
        if equal_children:
            marks[last.digits]["pulse"] = "badge"
        for child in equal_children or last.below:
            marks[child.digits]["pulse"] = "chip"
    return marks.on(root)


def _show_number(marks: Marks, last: CutRemark, covered: Node) -> None:
    """Show a number put under a cover, and the value that its parent then has."""
    assert last.set_to is not None
    pick = max if last.node.is_max else min
    value = pick(last.best, last.set_to)
    marks[covered.digits]["plate"] = number_chip(last.set_to).text
    if value != last.best:
        marks[last.node.digits]["chip"] = number_chip(value)
        for child in last.node.below:
            marks[child.digits].pop("edge", None)
        marks[covered.digits] |= {"edge": "up nobody", "new": True}


def _window_to_find(puzzle: CutPuzzle, question: WindowQuestion) -> Frame:
    """Return the window of the node that a question is about, with NaN for each end to be found."""
    frame = puzzle.windows[question.node.path]
    return frame._replace(alpha=frame.alpha if question.end == "β" else nan, beta=nan)


def chosen_children(node: Node) -> list[Node]:
    """Return the children whose value a node takes: all of them for boards, otherwise one."""
    equal = [child for child in node.below if child.value == node.value]
    return equal if node.has_board else equal[:1]


def _value_look(node: Node) -> str:
    """Return the look of the edge that passes a value up: the side it favors, or "nobody"."""
    return score_chip(node.value).look if node.has_board else "nobody"


def pruning_tree(puzzle: CutPuzzle, presses: str) -> Tree:
    """Return the tree with the leaves seen so far; the next covered leaf can be clicked."""
    root, marks = puzzle.root, Marks()
    pruned_leaves = {leaf for node in puzzle.pruned_nodes for leaf in node.leaves}
    for node in root.walk():
        value = puzzle.best_values.get(node.path)
        if node.below:
            marks[node.digits]["chip"] = UNKNOWN
            if value is None:
                continue
            if certain_value := puzzle.certain_values.get(node.path):
                sign, certain = certain_value
                chip = Chip(f"{sign} {number_chip(certain).text}".strip(), "nobody")
                marks[node.digits]["chip"] = chip
            best_child = next(c for c in node.below if puzzle.best_values.get(c.path) == value)
            marks[best_child.digits]["edge"] = "up nobody"
        elif node not in puzzle.seen_leaves:
            marks[node.digits]["classes"] = "dimmed" if node in pruned_leaves else "covered"
    for node in puzzle.pruned_nodes:
        marks[node.digits]["edge"] = "cut"
        marks[node.digits]["new"] = presses.endswith("c") and node == puzzle.pruned_nodes[-1]
    for path, frame in puzzle.windows.items():
        marks[root.at(path).digits]["frame"] = frame
    if puzzle.question:
        marks[puzzle.question.node.digits]["frame"] = _window_to_find(puzzle, puzzle.question)
    if puzzle.next_leaf:
        marks[puzzle.next_leaf.digits]["classes"] = "covered asks"
        if (
            puzzle.cover_numbers
            and isinstance(puzzle.last_remark, CutRemark)
            and puzzle.last_remark.set_to is not None
        ):
            _show_number(marks, puzzle.last_remark, puzzle.next_leaf)
    # Look or prune? A click on the leaf would already be an answer, so it cannot be clicked.
    if puzzle.node_to_decide:
        marks[puzzle.node_to_decide.digits]["classes"] = "is-here"
    elif puzzle.next_leaf:
        marks[puzzle.next_leaf.digits]["press"] = State(kept=(*presses, "u"))
    for leaf in puzzle.seen_leaves[-1:]:
        marks[leaf.digits]["new"] = True
    return marks.on(root)
