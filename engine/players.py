"""The ways an opponent picks its reply: at random, one move ahead, or perfectly."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.position import OTHER, Position, Square
from engine.reasons import threats
from engine.search import best_moves

Strategy = Callable[[Position, Random], Square]


def random_move(position: Position, rng: Random) -> Square:
    """Return a legal move at random. Raises IndexError if the game is over.

    >>> random_move(Position.parse("XOXOO-XX-"), Random(7)) in (5, 8)
    True
    """
    return rng.choice(position.legal_moves())


def hasty_move(position: Position, rng: Random) -> Square:
    """Return a random winning move; if there is none, a random block; otherwise any move.

    Raises IndexError if the game is over.

    >>> hasty_move(Position.parse("XX-OO----"), Random(7))
    2
    >>> hasty_move(Position.parse("XX--O----"), Random(7))
    2
    """
    if position.outcome():
        raise IndexError("the game is over")
    mark, opponent = position.turn, OTHER[position.turn]
    urgent_squares = threats(position, mark) or threats(position, opponent)
    return rng.choice(urgent_squares or position.legal_moves())


def perfect_move(position: Position, rng: Random) -> Square:
    """Return one of the best moves at random. Raises IndexError if the game is over.

    >>> perfect_move(Position.parse("X--------"), Random(7))
    4
    """
    return rng.choice(best_moves(position))
