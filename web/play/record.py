"""What the next game knows of earlier ones."""

from __future__ import annotations

from typing import NamedTuple


class Record(NamedTuple):
    """The results of earlier games."""

    wins: int = 0  # against opponents that are not perfect, as Random
    losses: int = 0
    losing_streak: int = 0  # against Perfect, up to the last game
    earned: int = 0  # squares earned, as bits: see squares.py
    has_beaten_perfect: bool = False  # from a board that was set up
