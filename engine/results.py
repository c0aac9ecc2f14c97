"""What a score says: who wins, in how many turns, and how play goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.position import OTHER, Mark, Position, Square
from engine.search import WIN, analyse, best_moves, highest, sign


class Result(NamedTuple):
    """Say what perfect play leads to: the winner, or None for a draw, and on which turn."""

    winner: Mark | None
    turns: int


def result(score: int, mark: Mark) -> Result:
    """Return what a score of `mark` says: who wins, and in how many turns; 0 for a draw.

    >>> result(-8, "X")
    Result(winner='O', turns=2)
    """
    if score == 0:
        return Result(None, 0)
    return Result(mark, WIN - score) if score > 0 else Result(OTHER[mark], WIN + score)


def results(position: Position) -> dict[Square, Result]:
    """Return what each legal move leads to; empty once over."""
    return {square: result(value, position.turn) for square, value in analyse(position).items()}


def holding_moves(scores: Mapping[Square, int]) -> tuple[Square, ...]:
    """Return the moves that keep the best result, a win before a draw, whatever the turns.

    >>> holding_moves({0: 9, 1: 5, 2: 0})
    (0, 1)
    """
    return highest({square: sign(score) for square, score in scores.items()})


def principal_variation(position: Position) -> tuple[Square, ...]:
    """Return the moves both sides would choose to the end, the first of equals each time."""
    best = best_moves(position)
    return variation_after(position, best[0]) if best else ()


def variation_after(position: Position, square: Square) -> tuple[Square, ...]:
    """Return a move and, to the end, the moves that both sides would choose next.

    Raises IllegalMoveError for a move the rules forbid.
    """
    return (square, *principal_variation(position.play(square)))


def forced_lines(position: Position) -> tuple[tuple[Square, ...], ...]:
    """Return the moves to the end after each answer of a lost side that lasts longest.

    >>> forced_lines(Position.parse("XO--X----"))
    ((8, 3, 2, 5),)
    """
    scores = analyse(position)
    if max(scores.values(), default=0) >= 0:
        return ()
    return tuple(variation_after(position, square) for square in highest(scores))
