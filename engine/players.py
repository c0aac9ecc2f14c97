"""The two opponents: how each picks its reply."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal

from engine.position import Position, Square
from engine.search import best_moves

Difficulty = Literal["random", "perfect"]
Player = Callable[[Position, Random], Square]


def random(position: Position, rng: Random) -> Square:
    """Pick any legal move, all equally likely. Raises IndexError once the game is over."""
    return rng.choice(position.legal_moves())


def perfect(position: Position, rng: Random) -> Square:
    """Pick one of the best moves, all equally likely. Raises IndexError once the game is over."""
    return rng.choice(best_moves(position))


PLAYERS: dict[Difficulty, Player] = {"random": random, "perfect": perfect}
