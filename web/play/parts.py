"""The parts of the game page, as HTML. A click sends those that have changed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache

from flask import current_app

from web.play import words
from web.play.page import Page


@lru_cache(maxsize=1024)  # the next click compares its parts with those drawn for this one
def render_parts(page: Page) -> Mapping[str, str]:
    """Return the HTML of each part of the page, by the part's id."""
    game, end = page.game, page.end
    if end:
        onward = draw("end_buttons", end, page.share_text)
    elif game.is_beginning:
        onward = draw("setup_buttons", page.settings)
    else:
        onward = draw("game_buttons", game.hint, game.at_stake is not None)
    return {
        "title": draw("title", words.title(game)),
        "screen": draw_uncached("screen", *page.position_and_stamp),  # differs on almost every page
        "ending": draw("end_styles", not game.is_beginning),
        "face": draw("face", page.face),
        "status": render_status(page),
        "you": draw("player_row", page.player),
        "onward": onward,
        "badge": draw("badge", page.badge),
        **{f"cell-{cell.square}": draw("cell", cell) for cell in page.cells},
    }


def render_status(page: Page) -> str:
    """Return the HTML of what the opponent says."""
    game, end = page.game, page.end
    notice = words.NOTICES[page.notice] if page.notice else ""
    if end:
        sentence = notice or words.explanation(end)
        classes = "stopped" if end.stopped_perfect else ""
        if end.kind == "last":
            classes = "stopped all"
        return draw("end", end.result, classes, words.verdict(end), sentence)
    # An undo changes the board, so the reply now on it is announced along with the notice.
    if page.notice and page.notice not in ("undone", "forfeited", "back"):
        return draw("speech", notice)
    if page.hint_sentence:
        return draw("speech", page.hint_sentence)
    if game.has_moved:
        return draw("reply", words.announce_reply(game), notice, page.comment)
    return draw("speech", notice or words.greeting(game), "first")


def draw_uncached(macro: str, *values: Hashable) -> str:
    """Return the HTML of a macro of `templates/play/_parts.html`, called with these values."""
    macros = current_app.jinja_env.get_template("play/_parts.html").module
    return str(getattr(macros, macro)(*values))


# Most clicks change 6 of the 17 parts; drawing all 17 would double the time of a click.
draw = lru_cache(maxsize=8192)(draw_uncached)
