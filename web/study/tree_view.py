"""The tree below a board: whole, or as a map with a place in view, or the first moves alone."""

from __future__ import annotations

from typing import Any

from flask import abort
from werkzeug.datastructures import MultiDict

from engine.notation import to_digits
from engine.search import best_moves
from teach.counts import plain
from teach.drawing import drawn_as_map, drawn_whole, drawn_wide, is_whole
from teach.rules import picks
from teach.scenes import scene_known, told
from teach.trees import SCORINGS, Path, is_small, tree
from web.site.forms import chosen, one
from web.study.place import Place

MIRRORS = ("merged", "all")
MAP_ROW = 22  # px: five rows, and the place in view, within a phone's screen


def tree_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template that draws the tree below a board, and its values."""
    position = place.position
    scoring = chosen(args, "scoring", SCORINGS) or SCORINGS[0]
    usual = "all" if is_small(position) else "merged"
    mirrors = chosen(args, "mirrors", MIRRORS) or usual
    here = read_path(one(args, "path") or "")
    root = tree(position, scoring, merged=mirrors == "merged")
    nodes = {node.path: node for node in root.walk()}
    places = nodes if is_small(position) else [()]
    if here not in places:
        abort(400, "path leads to no board of this tree.")
    settings = {
        "scoring": scoring if scoring != SCORINGS[0] else None,
        "mirrors": mirrors if mirrors != usual else None,
    }
    scene = scene_known(root, here, scoring)
    values: dict[str, Any] = {
        "position": position,
        "scoring": scoring,
        "root": root,
        "scene": scene,
        "told": told(root, here),
        "told_root": told(root, ()),
        "total": plain(position),
    }
    if not is_small(position):
        urls = {child.path: place.press(*child.path) for child in root.below}
        return "study/family.html", values | {"urls": urls, "best": best_moves(position)}
    whole = is_whole(root)
    return "study/tree.html", values | {
        "mirrors": mirrors,
        "settings": settings,
        "here": nodes[here],
        "above": nodes[here[:-1]] if here else None,
        "picks": picks(position),
        "whole": drawn_whole(scene) if whole else None,
        "map": None if whole else drawn_as_map(scene, MAP_ROW),
        "wide": drawn_wide(scene),
        "urls": {path: place.url(path=to_digits(path) or None, **settings) for path in nodes},
    }


def read_path(digits: str) -> Path:
    """Return the squares that digits name; refuse any other characters."""
    if not set(digits) <= set("012345678"):
        abort(400, "path is squares, digits from 0 to 8.")
    return tuple(map(int, digits))
