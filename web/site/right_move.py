"""The board that asks for the right move, in practice and of the day."""

from __future__ import annotations

from collections.abc import Callable

from engine.position import LINES, OTHER, Line, Position, Square
from engine.reasons import Why, threats, why, win
from engine.results import results
from engine.search import score
from teach.practice.moves import Moves
from web.site.cells import Cell, cells_of, pencilled, planned


def on_the_board(
    position: Position,
    judged: Moves,
    shown: bool,
    url: Callable[[Square], str] | None = None,
) -> dict[str, object]:
    """Return what to draw on the board, what a wrong move opens, and why the right one is right.

    Without `url`, the squares to press are buttons. `shown` says whether the right move was.
    """
    reason = None if judged.found is None else why(position, judged.found)
    return {
        "cells": _found(judged, reason, shown) if reason else _asked(position, judged, url),
        "wins": score(position) > 0,
        "at_once": bool(threats(position, position.turn)),
        "opened": win(position.play(judged.wrong[-1]), earlier=1) if judged.wrong else None,
        "why": reason,
        "lines": _blocked(reason) if reason and not reason.threats[1:] else (),
    }


def _blocked(why: Why) -> tuple[Line, ...]:
    """Return the lines of the other side that a move has blocked."""
    theirs = threats(why.position, OTHER[why.mark])
    return tuple(
        line
        for line in LINES
        if why.square in theirs
        and why.square in line
        and sum(why.position.mark_at(square) == OTHER[why.mark] for square in line) == 2
    )


def _found(judged: Moves, why: Why, shown: bool) -> list[Cell]:
    """Return the board with the right move made, and the squares that it threatens."""
    after = why.position.play(why.square)
    cells = [cell._replace(look=cell.look.replace("past", "")) for cell in cells_of(after)]
    if why.reason in ("forks", "blocks") and len(why.threats) > 1:
        cells = pencilled(cells, why.mark, why.threats)
    else:
        cells = planned(cells, why.mark, why.then, 2)
    for square in judged.wrong:
        if not (cells[square].wins_for or cells[square].pencil):
            cells[square] = cells[square]._replace(tried=_came_of(why.position, square))
    right = cells[why.square]
    says = ", shown" if shown else ", right"
    cells[why.square] = right._replace(look=right.look or "last", badge="✓", says=says)
    return cells


def _asked(position: Position, judged: Moves, url: Callable[[Square], str] | None) -> list[Cell]:
    """Return the board to press on, with the last wrong move and best play after it in pencil."""
    mark, full = position.turn, position.after(judged.made).winning_squares()
    cells = [
        cell._replace(look="last" if cell.square in full else "") for cell in cells_of(position)
    ]
    for turn, square in enumerate(judged.made):
        look = f"{'next' if square in full else 'pencil'} new t{turn}"
        who = OTHER[mark] if turn % 2 else mark
        cells[square] = cells[square]._replace(pencil=who, look=look)
    for square in position.legal_moves():
        cell, came = cells[square], _came_of(position, square)
        if square not in judged.wrong:
            hovers = None if cell.pencil else mark
            cells[square] = cell._replace(
                look=f"{cell.look} ask".strip() if judged.wrong else cell.look,
                url=url(square) if url else None,
                is_button=not url,
                hovers=hovers,
                says=f": play {mark} here",
            )
        elif cell.pencil:
            cells[square] = cell._replace(says=f", tried: {came[0]}")
        else:
            cells[square] = cell._replace(tried=came)
    for square in judged.wrong[-1:]:
        cells[square] = cells[square]._replace(mark=mark, pencil=None, look="last")
    return cells


def _came_of(position: Position, square: Square) -> tuple[str, str]:
    """Return what a move leads to, as a chip: the text, and the side that gains."""
    winner = results(position)[square].winner
    return (f"{winner} wins", winner) if winner else ("draw", "")
