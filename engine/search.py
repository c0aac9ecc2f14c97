"""Minimax: the score of every position and every move, and the moves perfect play chooses among."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TypeVar

from engine.position import Position, Square
from engine.symmetry import mirror_images_as_one, representatives

WIN = 10  # less one for each turn until the line is complete

Value = TypeVar("Value", int, float, Fraction)


@mirror_images_as_one
def score(position: Position) -> int:
    """Return the score of `position` for the side to move, both sides playing perfectly.

    `10 - n` if it wins in n turns, `n - 10` if it loses in n, `0` for a draw. A turn is one mark
    and the move being decided is turn 1. This is minimax in its negamax form: one side's gain is
    the other's loss, so both take their highest.

    >>> score(Position.parse("XO-------"))
    5
    """
    if outcome := position.outcome():
        return -WIN if outcome.winner else 0  # whoever has won has just moved
    return max(for_the_mover(score(child)) for child in position.children().values())


def for_the_mover(theirs: int) -> int:
    """Return the mover's score for a move, given the opponent's score after the move.

    The sign flips, and the end is a turn further: -10, a lost game, becomes 9, then -8.
    """
    return -(theirs - sign(theirs))


def sign(value: int) -> int:
    """Return 1 for a score that wins, 0 for a draw and -1 for one that loses."""
    return (value > 0) - (value < 0)


@cache
def analyse(position: Position) -> Mapping[Square, int]:
    """Return every legal move with its score for the side to move; empty once over.

    >>> analyse(Position.parse("-XOXO-XO-"))
    {0: 9, 5: 0, 8: 0}
    """
    return {square: for_the_mover(score(child)) for square, child in position.children().items()}


@cache
def best_moves(position: Position) -> tuple[Square, ...]:
    """Return the moves perfect play chooses among, in square order; none once over.

    They score highest and, of equal scores, win most often against a random opponent.

    >>> best_moves(Position())
    (0, 2, 6, 8)
    """
    children = position.children()
    top = highest(analyse(position))
    return highest({square: chance(children[square]) for square in top})


def highest(values: Mapping[Square, Value]) -> tuple[Square, ...]:
    """Return every square whose value is highest, in order."""
    most = max(values.values(), default=None)
    return tuple(square for square, value in values.items() if value == most)


@mirror_images_as_one
def chance(position: Position) -> Fraction:
    """Return the chance that the side not to move, playing perfectly, beats random replies.

    >>> chance(Position.parse("X--------"))
    Fraction(191, 192)
    """
    if outcome := position.outcome():
        return Fraction(outcome.winner is not None)
    replies = position.children().values()
    # A reply that ends the game leaves no best move, and no chance.
    answered = [reply.play(best_moves(reply)[0]) for reply in replies if not reply.outcome()]
    return Fraction(sum(map(chance, answered)), len(replies))


def solve() -> None:
    """Search everything once, in some 20 ms, when the server starts: no later click waits."""
    score(Position())
    for position in set(representatives().values()):
        best_moves(position)
