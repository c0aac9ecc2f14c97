"""The two ways an opponent picks its reply: at random, or perfectly."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.position import Position, Square
from engine.search import best_moves

Strategy = Callable[[Position, Random], Square]


def random_move(position: Position, rng: Random) -> Square:
    """Return a legal move, all equally likely. Raises IndexError if the game is over.

    >>> random_move(Position.parse("XOXOO-XX-"), Random(7)) in (5, 8)
    True
    """
    return rng.choice(position.legal_moves())


def perfect_move(position: Position, rng: Random) -> Square:
    """Return one of the best moves, all equally likely. Raises IndexError if the game is over.

    >>> perfect_move(Position.parse("X--------"), Random(7))
    4
    """
    return rng.choice(best_moves(position))
