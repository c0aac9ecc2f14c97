"""How an opponent picks its reply: any legal move, or one of the best."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.position import Position, Square
from engine.search import best_moves

Pick = Callable[[Position, Random], Square]


def random(position: Position, rng: Random) -> Square:
    """Pick any legal move, all equally likely. Raises IndexError once the game is over.

    >>> random(Position.parse("XOXOO-XX-"), Random(7)) in (5, 8)
    True
    """
    return rng.choice(position.legal_moves())


def perfect(position: Position, rng: Random) -> Square:
    """Pick one of the best moves, all equally likely. Raises IndexError once the game is over.

    >>> perfect(Position.parse("X--------"), Random(7))
    4
    """
    return rng.choice(best_moves(position))
