"""What a score means: who wins, in how many turns, and by which moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.position import OTHER, Mark, Position, Square
from engine.search import WIN, analyze, argmax, best_moves, sign


class Result(NamedTuple):
    """The result of a game from here, with perfect play by both sides."""

    winner: Mark | None  # None for a draw
    turns: int  # plies until the win; 0 for a draw


def result(score: int, mark: Mark) -> Result:
    """Convert a score for `mark` to a result.

    >>> result(-8, "X")
    Result(winner='O', turns=2)
    """
    if score == 0:
        return Result(None, 0)
    return Result(mark, WIN - score) if score > 0 else Result(OTHER[mark], WIN + score)


def results(position: Position) -> dict[Square, Result]:
    """Return the result of each legal move; empty once the game is over."""
    return {square: result(score, position.turn) for square, score in analyze(position).items()}


def sound_moves(scores: Mapping[Square, int]) -> tuple[Square, ...]:
    """Return the moves that keep the best result (win, draw or loss), however many turns it takes.

    >>> sound_moves({0: 9, 1: 5, 2: 0})
    (0, 1)
    """
    return argmax({square: sign(score) for square, score in scores.items()})


def principal_variation(position: Position) -> tuple[Square, ...]:
    """Return best play by both sides to the end, choosing the first of equally good moves."""
    best = best_moves(position)
    return variation_from(position, best[0]) if best else ()


def variation_from(position: Position, square: Square) -> tuple[Square, ...]:
    """Return `square` and best play after it. Raises IllegalMoveError if the move is illegal."""
    return (square, *principal_variation(position.play(square)))


def longest_defenses(position: Position) -> tuple[tuple[Square, ...], ...]:
    """Return, for each move that delays the loss longest, the variation that starts with it.

    Empty if the position is not lost.

    >>> longest_defenses(Position.parse("XO--X----"))
    ((8, 3, 2, 5),)
    """
    scores = analyze(position)
    if max(scores.values(), default=0) >= 0:
        return ()
    return tuple(variation_from(position, square) for square in argmax(scores))
