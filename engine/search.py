"""Minimax: the score of every position and move, and the moves that perfect play chooses from."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TypeVar

from engine.position import Position, Square
from engine.symmetry import cache_by_symmetry, representatives

WIN = 10  # a win on turn n scores WIN - n, so that a quicker win scores more

Value = TypeVar("Value", int, float, Fraction)


@cache_by_symmetry
def score(position: Position) -> int:
    """Return the score of `position` for the side to move, with perfect play by both sides.

    `10 - n` is a win on turn n, `n - 10` a loss on turn n, and 0 a draw. A turn is one ply, counted
    from this position, so the move about to be made is turn 1.

    This is minimax in its negamax form: one side's gain is the other's loss, so both maximize.

    >>> score(Position.parse("XO-------"))
    5
    """
    if outcome := position.outcome():
        return -WIN if outcome.winner else 0  # the winner has just moved, so the side to move lost
    return max(back_up(score(child)) for child in position.children().values())


def back_up(child_score: int) -> int:
    """Return the score of a move for the side making it, given the score of the child position.

    The sign flips and the end of the game is one turn further away: -10, a lost game, is backed up
    as 9, then -8, then 7.
    """
    return -(child_score - sign(child_score))


def sign(value: int) -> int:
    """Return 1 for a winning score, 0 for a draw and -1 for a losing score."""
    return (value > 0) - (value < 0)


@cache
def analyze(position: Position) -> Mapping[Square, int]:
    """Return the score of each legal move, for the side to move; empty once the game is over.

    >>> analyze(Position.parse("-XOXO-XO-"))
    {0: 9, 5: 0, 8: 0}
    """
    return {square: back_up(score(child)) for square, child in position.children().items()}


@cache
def best_moves(position: Position) -> tuple[Square, ...]:
    """Return the moves that perfect play chooses from, in square order.

    These have the highest score and, among equal scores, the best chance of beating a random
    opponent. Empty once the game is over.

    >>> best_moves(Position())
    (0, 2, 6, 8)
    """
    children = position.children()
    top_scoring = argmax(analyze(position))
    return argmax({square: win_chance(children[square]) for square in top_scoring})


def argmax(values: Mapping[Square, Value]) -> tuple[Square, ...]:
    """Return every square that has the highest value, in order."""
    highest = max(values.values(), default=None)
    return tuple(square for square, value in values.items() if value == highest)


@cache_by_symmetry
def win_chance(position: Position) -> Fraction:
    """Return the probability that the side that has just moved goes on to win.

    That side plays perfectly; its opponent plays at random.

    >>> win_chance(Position.parse("X--------"))
    Fraction(191, 192)
    """
    if outcome := position.outcome():
        return Fraction(outcome.winner is not None)
    replies = position.children().values()
    # A reply that ends the game is a win or a draw for the random side: it adds nothing to the sum.
    answered = [reply.play(best_moves(reply)[0]) for reply in replies if not reply.outcome()]
    return Fraction(sum(map(win_chance, answered)), len(replies))


def solve() -> None:
    """Solve the whole game, in about 20 ms, so that no request has to wait for a search."""
    score(Position())
    for position in set(representatives().values()):
        best_moves(position)
