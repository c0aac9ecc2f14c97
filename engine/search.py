"""Minimax: what every position and every move is worth, and which moves are best."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TypeVar

from engine.position import Position, Square
from engine.symmetry import canonical, representatives

WIN = 10  # less one for each turn until the line is complete

Value = TypeVar("Value", int, Fraction)


def score(position: Position) -> int:
    """Return the value of `position` for the side to move, both sides playing perfectly.

    `10 - n` if it wins in n turns, `n - 10` if it loses in n, `0` for a draw. A turn is one
    mark and the move being decided is turn 1, so sooner wins and later losses score higher. Its
    own turns are the odd ones: a win is 9, 7 or 5, a loss -6 or -8, or -10 where it has lost.
    """
    return _minimax(canonical(position))


@cache
def _minimax(position: Position) -> int:
    """Search everything below `position`, in the negamax form: my gain is your loss.

    Mirror images are worth the same, so `score` sends all of them to one: 765 positions are
    searched, once each, instead of 5,478.
    """
    if outcome := position.outcome():
        return -WIN if outcome.winner else 0  # whoever has won has just moved
    return max(_a_turn_earlier(score(child)) for child in position.children().values())


def _a_turn_earlier(theirs: int) -> int:
    """Return my score for theirs after my move: -10, they have lost, is my 9, and their 9 my -8.

    The sign flips, and the end is a turn further.
    """
    return -theirs + sign(theirs)


def sign(score: int) -> int:
    """Return 1 for a score that wins, 0 for a draw and -1 for one that loses."""
    return (score > 0) - (score < 0)


@cache
def analyse(position: Position) -> Mapping[Square, int]:
    """Return every legal move with its score for the side to move; empty once over."""
    return {square: _a_turn_earlier(score(child)) for square, child in position.children().items()}


@cache
def best_moves(position: Position) -> tuple[Square, ...]:
    """Return the moves perfect play chooses among, in order; none once over.

    They score highest and, of those that score the same, win most often against an opponent
    who plays at random.
    """
    top = _highest(analyse(position))
    return _highest({square: chance(position, square) for square in top})


def _highest(values: Mapping[Square, Value]) -> tuple[Square, ...]:
    highest = max(values.values(), default=None)
    return tuple(square for square, value in values.items() if value == highest)


# What decides between moves that score the same: how likely each wins against an opponent who plays
# at random. Two functions call each other, each time a move deeper: after a move, the average over
# the opponent's replies; before one, what it is after a best move, of which all are alike.


def chance(position: Position, square: Square) -> Fraction:
    """Return how likely the side to move wins after `square`, from 0 to 1, exactly.

    It goes on perfectly; the opponent picks each reply at random, all equally likely.
    Raises IllegalMoveError for a move the rules forbid.
    """
    return _chance_after(canonical(position.play(square)))


@cache
def _chance_after(position: Position) -> Fraction:
    """Return the chance of the side that has just moved, averaged over the replies to it."""
    if outcome := position.outcome():
        return Fraction(outcome.winner is not None)
    replies = position.children().values()
    return Fraction(sum(_chance_before(canonical(reply)) for reply in replies), len(replies))


@cache
def _chance_before(position: Position) -> Fraction:
    """Return the chance of the side to move; 0 once the game is over, as it cannot have won."""
    best = best_moves(position)
    return chance(position, best[0]) if best else Fraction(0)


def solve() -> None:
    """Answer every question once, up to symmetry, so that no later one needs a search.

    `create_app` does so at the start.
    """
    score(Position())
    for position in set(representatives().values()):
        best_moves(position)
