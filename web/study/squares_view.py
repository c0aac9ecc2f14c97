"""The squares of a board, best first, with the result of each."""

from __future__ import annotations

from fractions import Fraction
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
    """An entry in the list of squares: a move, with the equivalent ones."""

    explanation: Explanation
    mirrors: tuple[Square, ...]  # the other squares equivalent to it by symmetry
    sound_replies: tuple[Square, ...]  # the opponent's replies that keep its best result
    reply_count: int  # all legal replies
    is_played: bool  # whether it is the next move of the game


def squares_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template for the squares of a board, and its values.

    The board shows best play after the square that the reader picked; by default, after the next
    move of the game if that is a blunder. A `line` that is not a legal move gets a 400 page.
    """
    position = place.position
    picked_square = get_choice(args, "line", [str(square) for square in position.legal_moves()])
    first_move = int(picked_square) if picked_square else next_blunder(place)
    line = () if first_move is None else variation_from(position, first_move)
    scores = analyze(position)
    return "study/squares.html", _search_values(place, line) | {
        "is_played": line[:1] == next_moves(place),
        "cells": _cells(place, line),
        "line": line,
        "line_result": result(scores[line[0]], position.turn) if line else None,
        "rows": move_rows(place),
        "move_count": len(scores),
        "sound_count": len(sound_moves(scores)),
        "result": result(max(scores.values(), default=0), position.turn),
    }


def _search_values(place: Place, line: tuple[Square, ...]) -> dict[str, Any]:
    """Return the values of the links to the search of the board after the first move of a line.

    If its tree is too large to draw to the ends of the games, the search of each board one reply
    later is linked, too, if that tree is small enough.
    """
    if not line:
        return {"search_url": None, "is_drawable_to_the_end": True, "drawable_replies": []}
    board_after = place.position.play(line[0])
    return {
        "search_url": None if board_after.outcome() else search_url(place, line[0]),
        "is_drawable_to_the_end": is_drawable_to_the_end(board_after),
        "drawable_replies": [
            (reply, search_url(place, line[0], reply)) for reply in drawable_replies(board_after)
        ],
    }


def next_moves(place: Place) -> tuple[Square, ...]:
    """Return the next move of the game, or an empty tuple if there is none."""
    return place.moves[place.move_count : place.move_count + 1]


def next_blunder(place: Place) -> Square | None:
    """Return the next move of the game if it gives a win or a draw away, otherwise None."""
    sound_squares = sound_moves(analyze(place.position))
    return next((move for move in next_moves(place) if move not in sound_squares), None)


def search_url(place: Place, *squares: Square) -> str:
    """Return the address of the search of the board after some moves."""
    return place._replace(view="search").url_after(*squares)


def move_rows(place: Place) -> list[MoveRow]:
    """Return a row for each group of symmetric moves, best first.

    They are sorted by score, then by the chance to beat a random player.
    """
    played = next_moves(place)
    rows = []
    for squares, child in branches(place.position).items():
        # The move that was played comes first, so that the row explains that one.
        first, *mirrors = sorted(squares, key=lambda square: square not in played)
        reply_scores = analyze(child)
        rows.append(
            MoveRow(
                explanation=explain(place.position, first),
                mirrors=tuple(mirrors),
                sound_replies=sound_moves(reply_scores),
                reply_count=len(reply_scores),
                is_played=first in played,
            )
        )
    return sorted(rows, key=_rank)


def _rank(row: MoveRow) -> tuple[int, Fraction, Square]:
    """Return the key by which the rows are sorted, best first."""
    explanation = row.explanation
    return -explanation.score, -explanation.win_chance, explanation.square


def _cells(place: Place, line: tuple[Square, ...]) -> list[Cell]:
    """Return the board with a line in pencil, and the result on each other empty square."""
    position, cells = place.position, place.cells
    for number, square in enumerate(line, position.ply + 1):
        cells = with_next_mark(cells, square, X if number % 2 else O, badge=str(number))
    best_squares = best_moves(position)
    for square, square_result in results(position).items():
        if square not in line:
            badge = "★" if square in best_squares else None
            cells[square] = cells[square]._replace(result=square_result, hover=None, badge=badge)
    return cells
