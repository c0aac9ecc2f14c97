"""The tree below a board: whole, or as a map with a place in view, or the first moves alone."""

from __future__ import annotations

from typing import Any, Literal

from flask import abort
from werkzeug.datastructures import MultiDict

from teach.counts import plain
from teach.drawing import Scene, drawn_as_map, drawn_whole, drawn_wide, is_whole, worth
from teach.rules import picks
from teach.searches import SCORINGS, Path, is_small
from teach.trees import TreeNode, told, tree
from web.site.forms import chosen, one
from web.study.place import Place

MIRRORS: tuple[Literal["merged", "all"], ...] = ("merged", "all")
MAP_ROW = 22  # px: five rows, and the place in view, within a phone's screen


def tree_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template that draws the tree below a board, and its values."""
    position = place.position
    scoring = chosen(args, "scoring", SCORINGS) or SCORINGS[0]
    usual = "all" if is_small(position) else "merged"
    mirrors = chosen(args, "mirrors", MIRRORS) or usual
    here = read_path(one(args, "path") or "")
    root = tree(position, mirrors == "merged", scoring, here)
    if all(node.path != here for node in (root.walk() if is_small(position) else [root])):
        abort(400, "path leads to no board of this tree.")
    settings = {
        "scoring": scoring if scoring != SCORINGS[0] else None,
        "mirrors": mirrors if mirrors != usual else None,
    }
    node, scene = root.at(here), Scene(root, here)
    values: dict[str, Any] = {
        "position": position,
        "scoring": scoring,
        "mirrors": mirrors,
        "settings": settings,
        "root": root,
        "here": node,
        "above": root.at(here[:-1]) if here else None,
        "told": told(root, here),
        "told_root": told(root, ()),
        "worths": {n.path: worth(n, scene) for n in root.walk()},
        "total": plain(position).nodes,
        "picks": picks(position),
    }
    if not is_small(position):
        values["urls"] = {child.path: place.press(child.path[0]) for child in root.below}
        return "study/family.html", values
    return "study/tree.html", values | drawings(place, scene, settings)


def read_path(digits: str) -> Path:
    """Return the squares that digits name; refuse any other characters."""
    if not set(digits) <= set("012345678"):
        abort(400, "path is squares, digits from 0 to 8.")
    return tuple(map(int, digits[:9]))


def drawings(place: Place, scene: Scene, settings: dict[str, str | None]) -> dict[str, Any]:
    """Return the two drawings of a small tree, and the address of each board in them."""
    whole = is_whole(scene.root)

    def url(node: TreeNode) -> str:
        return place.url(path="".join(map(str, node.path)) or None, **settings)

    return {
        "whole": drawn_whole(scene) if whole else None,
        "map": None if whole else drawn_as_map(scene, MAP_ROW),
        "wide": drawn_wide(scene),
        "urls": {node.path: url(node) for node in scene.root.walk()},
    }
