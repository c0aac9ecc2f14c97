"""What the page of a friend's link says beside the squares."""

from __future__ import annotations

from engine.position import Mark, O, Square
from web.view.words import the


def stake(begun: Square, you: Mark, is_held: bool) -> str:
    """Return what is at stake for who goes first: the square begun on."""
    if you == O:
        return "You are O."
    if is_held:
        return f"You hold {the(begun)} already."
    return f"Hold me, and {the(begun)} is yours."
