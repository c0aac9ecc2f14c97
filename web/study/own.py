"""A tree of one's own values: its address, and the page on which to set one up."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import abort, make_response, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from teach.marks import Tree
from teach.numbers import (
    EXAMPLE,
    MAX_CHARACTERS,
    Numbers,
    format_tree,
    format_typed,
    node_names,
    number_tree,
    parse_tree,
)
from teach.puzzles import random_trees
from teach.searches import ALGORITHMS
from teach.trees import Node, Order
from web.http.addresses import takes
from web.http.forms import get_choice, get_number, get_single, require
from web.study.searchable import TOPS, SearchSettings
from web.view.return_links import back_to_question, question_left

RANDOM = "random"  # in an address in place of a tree: one drawn by lot
LEVELS, BRANCHES = 2, 3  # of a tree drawn by lot, where an address says none


class ByLot(NamedTuple):
    """Hold what an address says of a tree drawn by lot: its seed, and how large it is."""

    levels: int
    branches: int
    seed: int


class OwnTree(NamedTuple):
    """Hold a tree of one's own values, whether MAX comes first, and the algorithm asked for.

    A `question` of practice may have been left for it. A tree drawn by `lot` is named by its seed.
    """

    values: Numbers
    is_max: bool
    algorithm: str | None = None
    question: str | None = None
    lot: ByLot | None = None

    @property
    def top(self) -> str | None:
        """Return how an address says who comes first; None for MAX, as usual."""
        return None if self.is_max else "min"

    def url(self, **changes: Any) -> str:
        """Return the address at which the tree is searched, with `changes`."""
        asked: dict[str, Any] = {"top": self.top, "view": "search", "question": self.question}
        if self.lot:
            return url_for("study.page", where=RANDOM, **self.lot._asdict() | asked | changes)
        return url_for("study.page", where=format_tree(self.values), **asked | changes)

    @property
    def for_others(self) -> OwnTree:
        """Return the tree for whoever left no question for it."""
        return self._replace(question=None)

    def practise(self, kind: str) -> str:
        """Return where the values can be filled in, or the cuts made."""
        named = self.lot._asdict() if self.lot else {"tree": format_tree(self.values)}
        return url_for("puzzles.round_page", kind=kind, **named, top=self.top or "max")

    @property
    def out(self) -> tuple[str, str]:
        """Return the address that leads out of Study, and words: back, or to change the tree."""
        if self.question:
            return back_to_question(self.question), "Question"
        asked: dict[str, Any] = {"top": self.top, "algorithm": self.algorithm}
        named = self.lot._asdict() if self.lot else {"values": format_typed(self.values)}
        return url_for("study.tree_page", **named | asked), "Set up"

    @property
    def board(self) -> None:
        """No board: the leaves are numbers, which are good for neither side."""

    @property
    def plus(self) -> None:
        """Nobody: see `board`."""

    @property
    def lesson(self) -> None:
        """No screen of the lesson leads here."""

    def root(self, settings: SearchSettings, order: Order) -> Node:
        """Return the tree, its children in an order."""
        return number_tree(self.values, self.is_max, order)


def own_tree(text: str, args: MultiDict[str, str]) -> OwnTree:
    """Return the tree that an address names; answer nonsense with a 400 page to mend it on."""
    is_max = get_choice(args, "top", TOPS) != "min"
    algorithm, question = get_choice(args, "algorithm", ALGORITHMS), question_left(args)
    if text == RANDOM:
        lot = require(by_lot(args), "seed")
        return OwnTree(
            random_trees.random_tree(*lot, is_max).values, is_max, algorithm, question, lot
        )
    values, fault = parse_tree(text)
    if fault and not parse_tree(f"{text})").fault:
        values, fault = parse_tree(f"{text})")  # mail leaves the last parenthesis out of a link
    if fault or values is None:
        abort(make_response(set_up(text, args), 400))
    return OwnTree(values, is_max, algorithm, question)


def by_lot(args: MultiDict[str, str]) -> ByLot | None:
    """Return what an address says of a tree drawn by lot; None where no seed is given."""
    seed = get_number(args, "seed", random_trees.SEEDS - 1)
    levels = get_choice(args, "levels", tuple(map(str, random_trees.LEVELS))) or LEVELS
    branches = get_choice(args, "branches", tuple(map(str, random_trees.BRANCHES))) or BRANCHES
    return None if seed is None else ByLot(int(levels), int(branches), seed)


@takes("values", "top", "algorithm", *ByLot._fields)
def tree_page() -> str:
    """Let a tree be typed, or drawn by lot."""
    return set_up(get_single(request.args, "values"), request.args)


def set_up(text: str | None, args: MultiDict[str, str]) -> str:
    """Draw a tree as typed, by lot or the example; say what is wrong, and show where."""
    top = get_choice(args, "top", TOPS) or TOPS[0]
    algorithm = get_choice(args, "algorithm", ALGORITHMS)
    algorithm = None if algorithm == ALGORITHMS[0] else algorithm
    lot = by_lot(args) if text is None else None
    is_by_size = text is None  # a tree that was typed may have any
    if text is None:
        text = format_typed(random_trees.random_tree(*lot, top == "max").values if lot else EXAMPLE)
    values, fault = parse_tree(text)
    root = number_tree(values, top == "max") if values else None
    return render_template(
        "study/tree_set_up.html",
        text=text[:MAX_CHARACTERS],
        fault=fault,
        tree=OwnTree(values, top == "max", algorithm, lot=lot) if values and not fault else None,
        drawn=root and Tree(root, {}),
        names=root and node_names(root),
        top=top,
        asked={"algorithm": algorithm, "top": None if top == TOPS[0] else top},
        lot=lot,
        size=lot or ByLot(LEVELS, BRANCHES, 0),
        seeds=random_trees.SEEDS,
        is_by_size=is_by_size,
        sizes={"levels": random_trees.LEVELS, "branches": random_trees.BRANCHES},
    )
