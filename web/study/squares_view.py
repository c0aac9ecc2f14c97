"""The squares of a board, best first, with the result of each."""

from __future__ import annotations

from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict

from engine.position import O, Square, X
from engine.reasons import Explanation, explain
from engine.results import result, results, sound_moves, variation_from
from engine.search import analyze, best_moves
from engine.symmetry import branches
from teach.estimates import drawable_replies, is_drawable_to_the_end
from web.http.forms import get_choice
from web.study.place import Place
from web.view.squares import Cell, with_next_mark


class MoveRow(NamedTuple):
    """A move in the list of squares."""

    explanation: Explanation
    mirrors: tuple[Square, ...]  # the other squares equivalent to it by symmetry
    sound_replies: tuple[Square, ...]  # the opponent's replies that keep its best result
    reply_count: int  # of all legal replies
    is_played: bool  # whether it is the next move of the game


def squares_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template for the squares of a board, and its values.

    If the next move of the game is a blunder, the line after it is shown unless another square is
    picked. Refuses, with a 400 page, a `line` that is not a legal move.
    """
    position = place.position
    picked_square = get_choice(args, "line", [str(square) for square in position.legal_moves()])
    first_move = int(picked_square) if picked_square else next_blunder(place)
    line = () if first_move is None else variation_from(position, first_move)
    scores = analyze(position)
    after = position.play(line[0]) if line else position
    return "study/squares.html", {
        "is_played": line[:1] == place.moves[place.move_count : place.move_count + 1],
        "search_url": search_url(place, line[0]) if line and not after.outcome() else None,
        "is_drawable_to_the_end": is_drawable_to_the_end(after),
        "replies": [
            (square, search_url(place, line[0], square)) for square in drawable_replies(after)
        ]
        if line
        else [],
        "cells": _cells(place, line),
        "line": line,
        "line_result": result(scores[line[0]], position.turn) if line else None,
        "rows": move_rows(place),
        "move_count": len(scores),
        "sound_count": len(sound_moves(scores)),
        "result": result(max(scores.values(), default=0), position.turn),
    }


def next_blunder(place: Place) -> Square | None:
    """Return the next move of the game if it gives a win or a draw away, otherwise None."""
    played = place.moves[place.move_count : place.move_count + 1]
    return next((s for s in played if s not in sound_moves(analyze(place.position))), None)


def search_url(place: Place, *squares: Square) -> str:
    """Return the address of the search of the board after some moves."""
    return place._replace(view="search").url_after(*squares)


def move_rows(place: Place) -> list[MoveRow]:
    """Return a row for each group of symmetric moves, best first.

    They are sorted by score, then by the chance to beat a random player.
    """
    played = place.moves[place.move_count : place.move_count + 1]
    rows = []
    for squares, child in branches(place.position).items():
        # The move played comes first, so that it stands for its mirror images.
        first, *others = sorted(squares, key=lambda square: square not in played)
        reply_scores = analyze(child)
        rows.append(
            MoveRow(
                explanation=explain(place.position, first),
                mirrors=tuple(others),
                sound_replies=sound_moves(reply_scores),
                reply_count=len(reply_scores),
                is_played=first in played,
            )
        )
    return sorted(
        rows,
        key=lambda row: (
            -row.explanation.score,
            -row.explanation.win_chance,
            row.explanation.square,
        ),
    )


def _cells(place: Place, line: tuple[Square, ...]) -> list[Cell]:
    """Return the board with a line in pencil, and the result on each other empty square."""
    position, cells = place.position, place.cells
    for number, square in enumerate(line, position.ply + 1):
        cells = with_next_mark(cells, square, X if number % 2 else O, badge=str(number))
    known, best = results(position), best_moves(position)
    return [
        cell._replace(
            result=known[cell.square], hover=None, badge="★" if cell.square in best else None
        )
        if cell.square in known and cell.square not in line
        else cell
        for cell in cells
    ]
