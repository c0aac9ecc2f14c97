"""Draw a part of the game page, once for everybody."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from flask import current_app
from markupsafe import Markup


# To draw again what was drawn before would take a quarter of each click.
@lru_cache(maxsize=8192)
def draw(macro: str, **values: Hashable) -> Markup:
    """Return the HTML that a macro of `templates/play/_parts.html` makes of `values`."""
    macros = current_app.jinja_env.get_template("play/_parts.html").module
    drawn: Markup = getattr(macros, macro)(**values)
    return drawn
