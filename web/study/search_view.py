"""The search of a board."""

from __future__ import annotations

from typing import Any

from werkzeug.datastructures import MultiDict

from web.study.place import Place


def search_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template that draws the search of a board, and its values."""
    return "study/page.html", {}
