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
    game, ways = page.game, page.ways
    return {
        "title": draw("title", page.verdict),
        "screen": draw("screen", None) % ways,
        "ending": draw("ending", game.has_moved or not game.counts),
        "you": draw("you", page.you),
        "them": draw("them", page.them),
        "nine": draw("nine", page.nine),
        "panel": draw("panel", page.panel),
        "status": status(page),
        "lines": draw("lines", page.watched),
        "badges": draw("badges", page.badges) % ways,
        "story": story(page),
        "doors": draw("doors", page.doors),
        "movekey": draw("movekey", page.badged),
        "actions": draw("actions", page.buttons) % ways,
        **{f"cell-{cell.square}": draw("cell", cell) for cell in page.cells},
        **{f"move-{entry.number}": draw("entry", entry) % ways for entry in page.entries},
    }


def status(page: Page) -> str:
    """Return the status; that of an end, which hardly two games share, is not kept."""
    if page.says == "ended":
        return draw_new("status", page)
    if page.says == "replied":
        return draw("replied", page.said) % page.ways
    return draw("status", page if page.says == "hello" else page.alone)


def story(page: Page) -> str:
    """Return the story: a picture that games share, with this game's sentence."""
    if not page.ending or page.doors:
        return draw("story", None)
    return draw("story", page.story_line) % {"sentence": draw_new("sentence", page)}


def draw_new(macro: str, what: Hashable) -> str:
    """Return the HTML that a macro of `templates/play/_parts.html` makes of `what`."""
    macros = current_app.jinja_env.get_template("play/_parts.html").module
    return str(getattr(macros, macro)(what))


# Most clicks change 8 parts of 32: drawing all would double their time.
draw = lru_cache(maxsize=8192)(draw_new)
