"""The parts of the game page, as HTML. A click sends those that have changed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache

from flask import current_app

from web.play.page import Page


# The next click compares with what this one has drawn.
@lru_cache(maxsize=1024)
def parts(page: Page) -> Mapping[str, str]:
    """Return the HTML of every part of the page by its id."""
    game, end = page.game, page.end
    return {
        "title": draw("title", page.title),
        "screen": draw_new("screen", page.screen),  # hardly two pages share one
        "ending": draw("ending", not page.is_beginning),
        "face": draw("face", page.face),
        "status": status(page),
        "you": draw("you", page.you),
        "onward": draw("ways", (end, page.sent))
        if end
        else draw("begin", page.foot)
        if page.is_beginning
        else draw("playing", game.hint),
        "badge": draw("badge", page.badge),
        **{f"cell-{cell.square}": draw("cell", cell) for cell in page.cells},
    }


def status(page: Page) -> str:
    """Return what the opponent says."""
    if page.end:
        return draw("ended", (page.end, page.notice))
    if page.notice and page.notice not in ("undone", "back"):
        return draw("noticed", page.notice)
    if page.game.hint != "off":
        return draw("hinted", page.hinted)
    return draw("replied", page.reply) if page.game.has_moved else draw("hello", page.hello)


def draw_new(macro: str, what: Hashable) -> str:
    """Return the HTML that a macro of `templates/play/_parts.html` makes of `what`, anew."""
    macros = current_app.jinja_env.get_template("play/_parts.html").module
    return str(getattr(macros, macro)(what))


# Most clicks change 6 parts of 17: drawing all would double their time.
draw = lru_cache(maxsize=8192)(draw_new)
