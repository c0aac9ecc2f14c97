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

    Best play after a wrong move is a strip of boards: in pencil on the board it would stand on the
    squares to press next.

    Without `url`, the squares to press are buttons. `shown` says whether the right move was.
    """
    reason = None if judged.found is None else why(position, judged.found)
    return {
        "cells": _found(judged, reason, shown) if reason else _asked(position, judged, url),
        "wins": score(position) > 0,
        "at_once": bool(threats(position, position.turn)),
        "opened": win(position.play(judged.wrong[-1]), earlier=1) if judged.wrong else None,
        "why": reason,
        "strip": [] if reason else _played_out(position, judged.made),
        "lines": _blocked(reason) if reason and not reason.threats[1:] else (),
    }


def _played_out(position: Position, moves: tuple[Square, ...]) -> list[tuple[Square, Position]]:
    """Return the board after each of the moves, with its square."""
    return [(square, position.after(moves[: n + 1])) for n, square in enumerate(moves)]


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
    """Return the board to press on, with the last wrong move, and what came of those before it."""
    cells = [cell._replace(look="") for cell in cells_of(position)]
    for square in position.legal_moves():
        if square in judged.wrong:
            cells[square] = cells[square]._replace(tried=_came_of(position, square))
        else:
            cells[square] = cells[square]._replace(
                look="ask" if judged.wrong else "",
                url=url(square) if url else None,
                is_button=not url,
                hovers=position.turn,
                says=f": play {position.turn} here",
            )
    for square in judged.wrong[-1:]:
        cells[square] = cells[square]._replace(mark=position.turn, tried=None, look="last")
    return cells


def _came_of(position: Position, square: Square) -> tuple[str, str]:
    """Return what a move leads to, as a chip: the text, and the side that gains."""
    winner = results(position)[square].winner
    return (f"{winner} wins", winner) if winner else ("draw", "")
