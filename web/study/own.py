"""A tree of one's own values: its address, and the page on which to set one up."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import abort, g, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from teach import numbers
from teach.drawing import drawn_whole, drawn_wide
from teach.numbers import Values, number_tree, read_tree, typed, written
from teach.scenes import scene_plain
from teach.trees import Node, Order
from web.site.forms import chosen, number, one

TOPS = ("max", "min")


class OwnTree(NamedTuple):
    """Hold a tree of one's own values, and whether MAX comes first."""

    values: Values
    is_max: bool

    @property
    def top(self) -> str | None:
        """Return how an address says who comes first; None for MAX, as usual."""
        return None if self.is_max else "min"

    def url(self, **changes: Any) -> str:
        """Return the address at which the tree is searched, with `changes`."""
        # The view always stands last or before others, since mail drops a last parenthesis.
        asked = {"top": self.top, "view": "search"} | changes
        return url_for("study.page", where=written(self.values), **asked)

    def practise(self, kind: str) -> str:
        """Return where the values can be filled in, or the cuts made."""
        return url_for(
            "practice.round_page", kind=kind, tree=written(self.values), top=self.top or "max"
        )

    @property
    def out(self) -> tuple[str, str]:
        """Return the address that leads out of Study, to where the tree is changed, and words."""
        return url_for(
            "study.tree_page", values=typed(self.values), top=self.top
        ), "Change the tree"

    def tree(self, order: Order) -> Node:
        """Return the nodes, in the order of a search."""
        return number_tree(self.values, self.is_max, order)


def own_tree(text: str, args: MultiDict[str, str]) -> OwnTree:
    """Return the tree that an address names; refuse nonsense with a 400 page and the reason."""
    values, fault = read_tree(text)
    if fault or values is None:
        if values:
            g.change_tree = url_for("study.tree_page", values=text)
        abort(400, fault)
    return OwnTree(values, chosen(args, "top", TOPS) != "min")


def tree_page() -> str:
    """Let a tree be typed, or drawn by lot; say what is wrong, and show where."""
    top = chosen(request.args, "top", TOPS) or "max"
    levels = int(chosen(request.args, "levels", tuple(map(str, numbers.LEVELS))) or 2)
    branches = int(chosen(request.args, "branches", tuple(map(str, numbers.BRANCHES))) or 3)
    seed = number(request.args, "seed", numbers.SEEDS - 1)
    text = one(request.args, "values")
    if text is None:
        text = typed(numbers.EXAMPLE if seed is None else numbers.by_lot(levels, branches, seed))
    values, fault = read_tree(text)
    scene = scene_plain(number_tree(values, top == "max")) if values else None
    return render_template(
        "study/tree_set_up.html",
        text=text,
        fault=fault,
        tree=OwnTree(values, top == "max") if values and not fault else None,
        scene=scene,
        wide=scene and drawn_wide(scene),
        small=scene and (drawn_whole(scene) or drawn_wide(scene)),
        asked={"top": top, "levels": levels, "branches": branches, "seed": seed},
        another=(seed or 0) + 1 if seed != numbers.SEEDS - 1 else 0,
        sizes={"levels": numbers.LEVELS, "branches": numbers.BRANCHES},
    )
