"""Find the only move: the squares that keep a win or a draw, and the judging of presses."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import Position, Square
from engine.results import holding_moves, variation_after
from engine.search import analyse

ASTRAY = "no press on this page leads there"


def keepers(position: Position) -> tuple[Square, ...]:
    """Return the moves that keep a win or a draw, unless all moves do.

    >>> keepers(Position.parse("XX-OO----"))
    (2,)
    """
    scores = analyse(position)
    kept = holding_moves(scores)
    return kept if len(kept) < len(scores) else ()


class Moves(NamedTuple):
    """Say how far a learner is with the only move.

    `kept` are the right moves, mostly a single move; `found` was pressed or shown. To be drawn are
    the moves `made`: the right one, or the last wrong one and best play to the end.
    """

    kept: tuple[Square, ...]
    wrong: tuple[Square, ...] = ()
    found: Square | None = None
    made: tuple[Square, ...] = ()


def find(position: Position, presses: str) -> Moves:
    """Judge the squares pressed, digits in their order; `s` asks to be shown a right move.

    Raises ValueError, with the reason, for presses no page offers.

    >>> find(Position.parse("XX-OO----"), "52").wrong
    (5,)
    """
    kept = keepers(position)
    if not kept:
        raise ValueError("no move here keeps a win or a draw that another gives away")
    done = Moves(kept)
    for press in presses:
        free = [square for square in position.legal_moves() if square not in done.wrong]
        offered = {"s": kept[0], **{str(square): square for square in free}}
        if done.found is not None or press not in offered:
            raise ValueError(ASTRAY)
        square = offered[press]
        if square in kept:
            done = done._replace(found=square, made=(square,))
        else:
            line = variation_after(position, square)
            done = done._replace(wrong=(*done.wrong, square), made=line)
    return done
