"""How the questions of the puzzles are drawn: a board, a tree to fill in, a tree to cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.search import score
from teach.lesson.screen import State
from teach.lesson.trees import Marks
from teach.marks import UNKNOWN, Chip, Marking, Tree, figure, number
from teach.puzzles.cuts import CutPuzzle, CutRemark
from teach.puzzles.moves import Moves, answer
from teach.puzzles.values import PLACES, ValuePuzzle
from teach.trees import Node
from web.view.right_move import found_on, to_press


def move_board(judged: Moves, url: Callable[[str], str]) -> dict[str, Any]:
    """Return the board of a question, and how the last wrong square is answered."""
    answered = answer(judged.position, judged.wrong[-1]) if judged.wrong else None
    if judged.found is None:
        cells = to_press(judged, answered, url=lambda square: url(judged.again(square)))
    else:
        cells = found_on(judged)
    wins = score(judged.position) > 0
    return {"position": judged.position, "wins": wins, "cells": cells, "answer": answered}


def value_tree(judged: ValuePuzzle, given: str) -> Tree:
    """Return the tree with the values given; all nodes without a value can be pressed."""
    root, last = judged.root, judged.last
    marks = Marks(root.walk(), number if root.stands is not None else figure)
    for place, node in zip(PLACES, judged.nodes, strict=False):
        mark = marks[node.digits]
        if node in judged.known:
            chosen = choice_of(node)
            for child in node.below:
                brought: Marking = {"edge": f"up {_look(node)}", "new": node == last}
                marks[child.digits] |= brought if child in chosen else {"look": "dimmed"}
        elif node == judged.at:
            mark |= {"chip": UNKNOWN, "look": "is-here"}
        else:
            mark |= {"chip": UNKNOWN, "press": State(p=(*given, place))}
    if last and last not in judged.known:
        _, refused = judged.wrong[-1]
        carry = [child for child in last.below if child.value == refused]
        if carry:
            marks[last.digits]["pulse"] = "badge"
        for child in carry or last.below:
            marks[child.digits]["pulse"] = "chip"
    return marks.on(root)


def _put_under(marks: Marks, last: CutRemark, covered: Node) -> None:
    """Show the number put under a cover, and what the fork above now takes."""
    assert last.set_to is not None
    pick = max if last.fork.is_max else min
    taken = pick(last.best, last.set_to)
    marks[covered.digits]["plate"] = figure(last.set_to).text
    if taken != last.best:
        marks[last.fork.digits]["chip"] = figure(taken)
        for child in last.fork.below:
            marks[child.digits].pop("edge", None)
        marks[covered.digits] |= {"edge": "up nobody", "new": True}


def choice_of(node: Node) -> list[Node]:
    """Return the children that bring a node its value: of numbers the first, of boards all."""
    equal = [child for child in node.below if child.value == node.value]
    return equal if node.stands is not None else equal[:1]


def _look(node: Node) -> str:
    """Return the colour of a value: that of who gains on boards, ink for numbers."""
    return number(node.value).look if node.stands is not None else "nobody"


def cover_tree(judged: CutPuzzle, presses: str) -> Tree:
    """Return the tree with the leaves looked at; the next covered leaf can be pressed."""
    root, marks = judged.root, Marks()
    gone = {leaf for node in judged.gone for leaf in node.leaves}
    for node in root.walk():
        value = judged.values.get(node.path)
        if node.below:
            marks[node.digits]["chip"] = UNKNOWN
            if value is None:
                continue
            if known := judged.certain.get(node.path):
                sign, certain = known
                chip = Chip(f"{sign} {figure(certain).text}".strip(), "nobody")
                marks[node.digits]["chip"] = chip
            brought = next(c for c in node.below if judged.values.get(c.path) == value)
            marks[brought.digits]["edge"] = "up nobody"
        elif node not in judged.looked:
            marks[node.digits]["look"] = "dimmed" if node in gone else "covered"
    for node in judged.gone:
        marks[node.digits]["edge"] = "cut"
        marks[node.digits]["new"] = presses.endswith("c") and node == judged.gone[-1]
    if judged.next:
        marks[judged.next.digits]["look"] = "covered asks"
        if judged.to_set and judged.last and judged.last.set_to is not None:
            _put_under(marks, judged.last, judged.next)
    if judged.asks:  # to look or to cut is asked: a press on the leaf would answer unawares
        marks[judged.asks.digits]["look"] = "is-here"
    elif judged.next:
        marks[judged.next.digits]["press"] = State(p=(*presses, "u"))
    for leaf in judged.looked[-1:]:
        marks[leaf.digits]["new"] = True
    return marks.on(root)
