"""A tree of numbers, the reader's own or random: its address, and the page that sets one up."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import abort, make_response, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from teach.markings import DrawnTree
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
from web.study.searchable import ROOT_SIDES, SearchSettings
from web.view.return_links import get_question, question_url

RANDOM = "random"  # in an address, in place of a tree: a random tree
DEFAULT_LEVELS, DEFAULT_BRANCHES = 2, 3  # of a random tree


class RandomTreeSpec(NamedTuple):
    """The size and seed of a random tree, as an address gives them."""

    levels: int
    branches: int
    seed: int


class OwnTree(NamedTuple):
    """A parsed Study address: a tree of the reader's own numbers, or a random one."""

    values: Numbers
    is_max: bool  # whether MAX is at the root
    algorithm: str | None = None
    question: str | None = None  # the question of the puzzles that the reader came from
    random: RandomTreeSpec | None = None  # for a random tree: in its address, instead of values

    @property
    def top_arg(self) -> str | None:
        """The value of `top` in an address, or None for MAX, the default."""
        return None if self.is_max else "min"

    def url(self, **changes: Any) -> str:
        """Return the address of the search of the tree, with `changes`."""
        where = RANDOM if self.random else format_tree(self.values)
        args: dict[str, Any] = self.random._asdict() if self.random else {}
        args |= {"top": self.top_arg, "view": "search", "question": self.question}
        return url_for("study.page", where=where, **args | changes)

    @property
    def for_others(self) -> OwnTree:
        """The tree without the way back to this reader's question."""
        return self._replace(question=None)

    def puzzle_url(self, kind: str) -> str:
        """Return the address of a puzzle about the tree: to fill in its values, or to prune it."""
        args = self.random._asdict() if self.random else {"tree": format_tree(self.values)}
        return url_for("puzzles.round_page", kind=kind, **args, top=self.top_arg or "max")

    @property
    def way_back(self) -> tuple[str, str]:
        """The address and text of the link out of Study: to the question, or to edit the tree."""
        if self.question:
            return question_url(self.question), "Question"
        args: dict[str, Any] = (
            self.random._asdict() if self.random else {"values": format_typed(self.values)}
        )
        args |= {"top": self.top_arg, "algorithm": self.algorithm}
        return url_for("study.tree_set_up_page", **args), "Set up"

    @property
    def board(self) -> None:
        """None: the leaves are numbers, which favor neither side."""

    @property
    def lesson(self) -> None:
        """None: no screen of the lesson links here."""

    def root(self, settings: SearchSettings, order: Order) -> Node:
        """Return the tree with its children in an order."""
        return number_tree(self.values, self.is_max, order)


def parse_own_tree(text: str, args: MultiDict[str, str]) -> OwnTree:
    """Parse the tree that an address names; an invalid typed tree can be fixed on a 400 page."""
    is_max = get_choice(args, "top", ROOT_SIDES) != "min"
    algorithm = get_choice(args, "algorithm", ALGORITHMS)
    question = get_question(args)
    if text == RANDOM:
        spec = require(get_random_spec(args), "seed")
        random_tree = random_trees.random_tree(*spec, is_max)
        return OwnTree(random_tree.values, is_max, algorithm, question, spec)
    values, fault = parse_tree(text)
    if fault and not parse_tree(f"{text})").fault:
        # Mail programs leave the last parenthesis out of a link.
        values, fault = parse_tree(f"{text})")
    if fault or values is None:
        abort(make_response(render_set_up(text, args), 400))
    return OwnTree(values, is_max, algorithm, question)


def get_random_spec(args: MultiDict[str, str]) -> RandomTreeSpec | None:
    """Return the size and the seed of the random tree in an address; None if it has no seed."""
    seed = get_number(args, "seed", random_trees.SEED_COUNT - 1)
    levels = get_choice(args, "levels", tuple(map(str, random_trees.LEVELS)))
    branches = get_choice(args, "branches", tuple(map(str, random_trees.BRANCHES)))
    if seed is None:
        return None
    return RandomTreeSpec(int(levels or DEFAULT_LEVELS), int(branches or DEFAULT_BRANCHES), seed)


@takes("values", "top", "algorithm", *RandomTreeSpec._fields)
def tree_set_up_page() -> str:
    """Show the page that sets up a tree, typed or random."""
    return render_set_up(get_single(request.args, "values"), request.args)


def render_set_up(text: str | None, args: MultiDict[str, str]) -> str:
    """Return the page that sets up a tree, with the text of a typed tree and any error in it.

    If `text` is None, the page has the random tree in the address, or by default the example.
    """
    top = get_choice(args, "top", ROOT_SIDES) or ROOT_SIDES[0]
    is_max = top == "max"
    algorithm = get_choice(args, "algorithm", ALGORITHMS)
    if algorithm == ALGORITHMS[0]:
        algorithm = None
    is_typed = text is not None
    spec = None if is_typed else get_random_spec(args)
    if text is None:
        text = format_typed(random_trees.random_tree(*spec, is_max).values if spec else EXAMPLE)
    values, fault = parse_tree(text)
    root = number_tree(values, is_max) if values else None
    tree = OwnTree(values, is_max, algorithm, random=spec) if values and not fault else None
    return render_template(
        "study/tree_set_up.html",
        text=text[:MAX_CHARACTERS],
        fault=fault,
        tree=tree,
        drawn=root and DrawnTree(root, {}),
        names=root and node_names(root),
        top=top,
        settings={"algorithm": algorithm, "top": None if top == ROOT_SIDES[0] else top},
        random=spec,
        size=spec or RandomTreeSpec(DEFAULT_LEVELS, DEFAULT_BRANCHES, 0),
        seed_count=random_trees.SEED_COUNT,
        marks_size=not is_typed,  # a typed tree can have any shape
        size_choices={"levels": random_trees.LEVELS, "branches": random_trees.BRANCHES},
    )
