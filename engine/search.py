"""Minimax, once: what every position and every move is worth, and which move is best."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from engine.position import Position, Square
from engine.symmetry import SYMMETRIES, canonical, originals

WIN = 10  # less one for each turn until the line is complete


@cache
def score(position: Position) -> int:
    """Return the value of `position` for the side to move, both sides playing perfectly.

    `10 - n` if it wins in n turns, `n - 10` if it loses in n, `0` for a draw. A turn is one
    mark and the move being decided is turn 1, so sooner wins and later losses score higher.
    This is minimax in its negamax form: what is good for one side is as bad for the other. Mirror
    images are worth the same, so of them all only the `canonical` one is ever searched.
    """
    if outcome := position.outcome():
        return -WIN if outcome.winner else 0
    return max(analyse(position).values())


@cache
def analyse(position: Position) -> Mapping[Square, int]:
    """Return every legal move with its score for the side to move; empty once over."""
    return {
        square: _a_turn_earlier(score(canonical(child)))
        for square, child in position.children().items()
    }


def _a_turn_earlier(reply: int) -> int:
    """Turn the opponent's score into the mover's: the sign flips, the end is a turn further."""
    return -reply + (reply > 0) - (reply < 0)


@cache
def best_moves(position: Position) -> tuple[Square, ...]:
    """Return the moves perfect play chooses among, in order; none once over.

    They score highest and, of those that score the same, win most often against an opponent
    who plays at random.
    """
    original, symmetry = originals()[position]
    if original != position:
        return tuple(sorted(SYMMETRIES[symmetry][square] for square in best_moves(original)))
    top = _highest(analyse(position))
    if len(top) == 1 or score(position) > 0:  # a forced win is a win against any replies
        return top
    children = position.children()
    return _highest({square: _wins_after(canonical(children[square])) for square in top})


def _highest(values: Mapping[Square, int]) -> tuple[Square, ...]:
    highest = max(values.values(), default=0)
    return tuple(square for square, value in values.items() if value == highest)


def chance(position: Position, square: Square) -> Fraction:
    """Return how likely the side to move wins after `square`, from 0 to 1, exactly.

    It goes on perfectly; the opponent picks each reply at random, all equally likely.
    Raises IllegalMoveError for a move the rules forbid.
    """
    child = canonical(position.play(square))
    return Fraction(_wins_after(child), _ways(9 - child.ply))


@cache
def _wins_after(child: Position) -> int:
    """Count those of the opponent's `_ways` to play from `child` that let the mover win."""
    if outcome := child.outcome():
        return _ways(9 - child.ply) if outcome.winner else 0
    return sum(_wins(canonical(position)) for position in child.children().values())


def _wins(position: Position) -> int:
    """Count the ways in which the side to move wins: all of them, where it can force that."""
    if score(position) > 0:
        return _ways(8 - position.ply)
    moves = best_moves(position)
    return _wins_after(canonical(position.children()[moves[0]])) if moves else 0


def _ways(empty: int) -> int:
    """Count the ways to fill every other one of the `empty` squares left, as random play does."""
    return empty * _ways(empty - 2) if empty > 0 else 1


def principal_variation(position: Position) -> tuple[Square, ...]:
    """Return the moves both sides would choose to the end, the first of equals each time."""
    moves = best_moves(position)
    return (moves[0], *principal_variation(position.play(moves[0]))) if moves else ()


def solve() -> None:
    """Fill the memo for all 765 originals, so that no later question needs a search."""
    for original, _ in originals().values():
        best_moves(original)
