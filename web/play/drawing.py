"""Draw a part of the game page, once for everybody."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from flask import current_app
from jinja2.environment import TemplateModule
from markupsafe import Markup


def draw(macro: str, **values: Hashable) -> Markup:
    """Return the HTML that a macro of `templates/play/_parts.html` makes of `values`."""
    module = current_app.jinja_env.get_template("play/_parts.html").module
    return _drawn(module, macro, tuple(values.items()))


# To draw again what was drawn before would take a quarter of each click. The module is part of the
# key, so that a template edited under `make dev` is drawn anew.
@lru_cache(maxsize=8192)
def _drawn(module: TemplateModule, macro: str, values: tuple[tuple[str, Hashable], ...]) -> Markup:
    drawn: Markup = getattr(module, macro)(**dict(values))
    return drawn
