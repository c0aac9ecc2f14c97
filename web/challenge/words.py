"""What the page of a friend's link says beside the squares."""

from __future__ import annotations

from engine.position import Mark, O, Square
from web.view.words import capitalized, the


def stake(first_square: Square, human: Mark, is_earned: bool) -> str:
    """Return the note under "Your move": for X, the square at stake; for O, only the mark."""
    if human == O:
        return "You are O."
    if is_earned:
        return f"{capitalized(the(first_square))} is already yours."
    return f"Stop me, and {the(first_square)} is yours."
