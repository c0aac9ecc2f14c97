"""The moves of a game."""

from __future__ import annotations

from typing import Any

from werkzeug.datastructures import MultiDict

from engine.review import story
from web.study.cells import cells_of
from web.study.place import Place


def moves_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template that tells of the moves of a game, and its values."""
    cells = [
        cell if cell.mark or place.over else cell._replace(url=place.press(cell.square))
        for cell in cells_of(place.position, place.last)
    ]
    return "study/moves.html", {"cells": cells, "story": story(place.moves, place.you)}
