"""Lead the old addresses of five pages for good to the same thing in Study."""

from __future__ import annotations

from typing import Any

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from web.site.forms import one, required

# By the old page: the view now, and the names now by the names before.
MOVED: dict[str, tuple[str, dict[str, str]]] = {
    "why": ("moves", {}),
    "review": ("moves", {"move": "at", "answer": "answer"}),
    "position": ("squares", {}),
    "tree": ("tree", {"view": "mirrors", "scoring": "scoring"}),
    "run": ("search", {n: n for n in ("algorithm", "scoring", "order", "step", "predict")}),
}
OF_THE_GAME = ("game", "you", "difficulty")


def moved(page: str, board: str = "", moves: str = "") -> Response:
    """Redirect for good from the page of a `board`, or of the `moves` of a game.

    Without either, a form holds the board. A review counted the move to be mended from 0.
    """
    view, names = MOVED[page]
    where = board or moves or required(one(request.args, "board"), "board").upper()
    asked: dict[str, Any] = {name: one(request.args, name) for name in OF_THE_GAME}
    asked |= {now: one(request.args, then) for then, now in names.items()}
    if page == "why" and where.isdecimal():
        asked["at"] = len(where)
    elif page == "why":
        view = "squares"
    elif page == "review" and (mended := one(request.args, "at") or "").isdecimal():
        asked["at"] = int(mended) + 1
    if moves.isdecimal():
        game = asked.pop("game") or ""
        where = game if game.startswith(moves) else moves
    # url_for leaves out what is None.
    return redirect(url_for("study.page", where=where, view=view, **asked), 301)
