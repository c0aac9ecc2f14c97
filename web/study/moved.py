"""Lead old addresses, of the five pages that study was, for good to the same thing there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from web.site.forms import one, required

KNOWN = ("game", "you", "difficulty")  # what all five said of their game


def why_page(moves: str) -> Response:
    """Lead to the last of the moves, or of a board to its squares."""
    if set(moves) & set("XO-"):
        return to(moves, "squares")
    game = one(request.args, "game") or ""
    where = game if game.startswith(moves) else moves
    return to(where, "moves", at=len(moves), game=None)


def review_page(moves: str) -> Response:
    """Lead to the moves of a game; `at`, which counted from 0, and `answer` to that question."""
    asked, shown = one(request.args, "at") or "", one(request.args, "move")
    at = str(int(asked) + 1) if asked in [*"012345678"] else shown
    return to(moves, "moves", at=at, answer=one(request.args, "answer"), game=None)


def find_position() -> Response:
    """Lead to the board that a form asked for."""
    return to(required(one(request.args, "board"), "board").upper(), "squares")


def position_page(board: str) -> Response:
    """Lead to the squares of a board."""
    return to(board, "squares")


def tree_page(board: str) -> Response:
    """Lead to the tree below a board, whose mirror images `view` merged, or did not."""
    scoring = one(request.args, "scoring")
    return to(board, "tree", mirrors=one(request.args, "view"), scoring=scoring)


def run_page(board: str) -> Response:
    """Lead to the search of a board, at the same step, with the same settings."""
    names = ("algorithm", "scoring", "order", "step", "predict")
    return to(board, "search", **{name: one(request.args, name) for name in names})


def to(where: str, view: str, **asked: Any) -> Response:
    """Redirect for good to a view, with the game that the old address knew."""
    known: dict[str, Any] = {name: one(request.args, name) for name in KNOWN}
    # url_for leaves out what is None.
    return redirect(url_for("study.page", where=where, view=view, **known | asked), 301)


PAGES: dict[str, Callable[..., Response]] = {
    "/why/<moves>": why_page,
    "/review/<moves>": review_page,
    "/position": find_position,
    "/position/<board>": position_page,
    "/tree/<board>": tree_page,
    "/run/<board>": run_page,
}
