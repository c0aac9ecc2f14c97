"""Beside the screens: More under some, and a picture for each word."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine.position import Position
from teach.lesson.boards import EIGHT, HEART, THREE
from teach.lesson.screen import Node, State, number
from teach.lesson.trees import MIRROR, Marks, give_it_numbers, grown, what_cannot_matter
from teach.searches import value


@cache
def pictures() -> Mapping[str, Node]:
    """Return a tree for each word: part of a solved screen."""
    solved = give_it_numbers(State(p=("3", "5", "top"))).tree
    cut = what_cannot_matter(State(p=("1", "-5", "cut"))).tree
    assert solved and cut, "both screens show a tree"
    top, counted, mirrored = solved.cropped(), _counted(EIGHT.root), grown(MIRROR).cropped()
    return {
        "score": counted,
        "max": top,
        "min": solved.below[2],
        "minimax": solved,
        "node": solved._replace(below=(), chip=None),
        "leaf": solved.below[2].below[1],
        "threat": grown(HEART.play(2))._replace(below=()),
        "fork": grown(THREE.root)._replace(below=()),
        "perfect-play": top,
        "depth": counted,
        "negamax": solved.below[2],
        "memo": solved._replace(below=solved.below[:2]),
        "symmetry": mirrored._replace(below=mirrored.below[:2]),
        "alpha": cut.cropped(),
        "beta": cut.below[1],
        "cut": cut.below[1],
        "alpha-beta": cut,
    }


def _counted(root: Position) -> Node:
    """Return a board with its children and their values, turns counted."""
    tree, marks = grown(root).cropped(), Marks()
    for node in tree.walk():
        marks[node.path]["chip"] = number(value(node.position, len(node.path), "depth"))
    return marks.on(tree)
