"""A tree of one's own values: its address, and the page on which to set one up."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import abort, make_response, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from teach.drawing import drawn_whole, drawn_wide
from teach.numbers import EXAMPLE, MOST_CHARACTERS, Values, number_tree, read_tree, typed, written
from teach.practice import lots
from teach.scenes import scene_plain
from teach.searches import ALGORITHMS
from teach.trees import Node, Order
from web.site.forms import chosen, number, one
from web.site.lesson import back_to_question, question_left

TOPS = ("max", "min")


class OwnTree(NamedTuple):
    """Hold a tree of one's own values, whether MAX comes first, and the algorithm asked for.

    A `question` of practice may have been left for it.
    """

    values: Values
    is_max: bool
    algorithm: str | None = None
    question: str | None = None

    @property
    def top(self) -> str | None:
        """Return how an address says who comes first; None for MAX, as usual."""
        return None if self.is_max else "min"

    def url(self, **changes: Any) -> str:
        """Return the address at which the tree is searched, with `changes`."""
        # The view always stands last or before others, since mail drops a last parenthesis.
        asked: dict[str, Any] = {"top": self.top, "view": "search", "question": self.question}
        return url_for("study.page", where=written(self.values), **asked | changes)

    def practise(self, kind: str) -> str:
        """Return where the values can be filled in, or the cuts made."""
        return url_for(
            "practice.round_page", kind=kind, tree=written(self.values), top=self.top or "max"
        )

    @property
    def out(self) -> tuple[str, str]:
        """Return the address that leads out of Study, and words: back, or to change the tree."""
        if self.question:
            return back_to_question(self.question), "Back to the question"
        asked: dict[str, Any] = {"top": self.top, "algorithm": self.algorithm}
        address = url_for("study.tree_page", values=typed(self.values), **asked)
        return address, "Change the tree"

    def tree(self, order: Order) -> Node:
        """Return the nodes, in the order of a search."""
        return number_tree(self.values, self.is_max, order)


def own_tree(text: str, args: MultiDict[str, str]) -> OwnTree:
    """Return the tree that an address names; answer nonsense with a 400 page to mend it on."""
    values, fault = read_tree(text)
    if fault or values is None:
        abort(make_response(set_up(text, args), 400))
    is_max = chosen(args, "top", TOPS) != "min"
    return OwnTree(values, is_max, chosen(args, "algorithm", ALGORITHMS), question_left(args))


def tree_page() -> str:
    """Let a tree be typed, or drawn by lot."""
    return set_up(one(request.args, "values"), request.args)


def set_up(text: str | None, args: MultiDict[str, str]) -> str:
    """Draw a tree as typed, by lot or the example; say what is wrong, and show where."""
    top = chosen(args, "top", TOPS) or "max"
    algorithm = chosen(args, "algorithm", ALGORITHMS)
    levels = int(chosen(args, "levels", tuple(map(str, lots.LEVELS))) or 2)
    branches = int(chosen(args, "branches", tuple(map(str, lots.BRANCHES))) or 3)
    seed = number(args, "seed", lots.SEEDS - 1)
    is_by_size = text is None or seed is not None  # a tree that was typed may have any
    if text is None:
        is_max = top == "max"
        lot = None if seed is None else lots.by_lot(levels, branches, seed, is_max)
        text = typed(lot.values if lot else EXAMPLE)
    values, fault = read_tree(text)
    scene = scene_plain(number_tree(values, top == "max")) if values else None
    asked = {"levels": levels, "branches": branches, "seed": seed, "algorithm": algorithm}
    return render_template(
        "study/tree_set_up.html",
        text=text[:MOST_CHARACTERS],
        fault=fault,
        tree=OwnTree(values, top == "max", algorithm) if values and not fault else None,
        scene=scene,
        wide=scene and drawn_wide(scene),
        small=scene and (drawn_whole(scene) or drawn_wide(scene)),
        asked=asked | {"top": top},
        another=(seed or 0) + 1 if seed != lots.SEEDS - 1 else 0,
        is_by_size=is_by_size,
        sizes={"levels": lots.LEVELS, "branches": lots.BRANCHES},
    )
