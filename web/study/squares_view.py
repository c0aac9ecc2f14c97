"""The squares of a board: the result of each, best first."""

from __future__ import annotations

from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict

from engine.position import O, Square, X
from engine.reasons import Explanation, explain
from engine.results import result, results, sound_moves, variation_after
from engine.search import analyze, best_moves
from engine.symmetry import branches
from web.http.forms import get_choice
from web.study.place import Place
from web.view.squares import Cell, to_come


class Row(NamedTuple):
    """Hold the facts about a move with the `mirrors`, squares of the same worth by symmetry.

    `replies` are the opponent's that keep the opponent's best result, out of `of` replies.
    """

    why: Explanation
    mirrors: tuple[Square, ...]
    replies: tuple[Square, ...]
    of: int
    is_played: bool


def squares_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template for the squares of a board, and the values drawn there.

    Refuses, with a 400 page, a `line` from a square not empty.
    """
    position = place.position
    first = get_choice(args, "line", [str(square) for square in position.legal_moves()])
    line = variation_after(position, int(first)) if first else ()
    scores = analyze(position)
    return "study/squares.html", {
        "cells": _cells(place, line),
        "line": line,
        "line_result": result(scores[line[0]], position.turn) if line else None,
        "rows": rows(place),
        "free": len(scores),
        "held": len(sound_moves(scores)),
        "result": result(max(scores.values(), default=0), position.turn),
    }


def rows(place: Place) -> list[Row]:
    """Return the moves, best first: by score, then by the chance against random replies."""
    played = place.moves[place.at : place.at + 1]
    found = []
    for squares, child in branches(place.position).items():
        first, *others = sorted(squares, key=lambda square: square not in played)
        answers = analyze(child)
        found.append(
            Row(
                why=explain(place.position, first),
                mirrors=tuple(others),
                replies=sound_moves(answers),
                of=len(answers),
                is_played=first in played,
            )
        )
    return sorted(found, key=lambda row: (-row.why.score, -row.why.win_chance, row.why.square))


def _cells(place: Place, line: tuple[Square, ...]) -> list[Cell]:
    """Return the board with the result on each empty square, or with a `line` in pencil."""
    position, cells = place.position, place.cells
    for number, square in enumerate(line, position.ply + 1):
        cells = to_come(cells, square, X if number % 2 else O, badge=str(number))
    known, best = results(position), best_moves(position)
    return [
        cell._replace(
            result=known[cell.square], hovers=None, badge="★" if cell.square in best else None
        )
        if cell.square in known and cell.square not in line
        else cell
        for cell in cells
    ]
