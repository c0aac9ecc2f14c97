"""What a friend's link says, on its page and in the game that it begins."""

from __future__ import annotations

from typing import assert_never

from engine.position import Mark, O, Square
from web.play.game import Was
from web.view.words import the


def request(was: Was | None) -> str:
    """Return what a link asks for, after how the friend's game went; None says nothing of it."""
    match was:
        case "lost":
            return "Your friend lost from here. Can you hold me?"
        case "held":
            return "Your friend held me from here. Can you?"
        case None:
            return "Somebody began here. Can you hold me?"
        case _:
            assert_never(was)


def stake(begun: Square, you: Mark, is_held: bool) -> str:
    """Return what is at stake for who goes first: the square begun on."""
    if you == O:
        return "You are O."
    if is_held:
        return f"You hold {the(begun)} already."
    return f"Hold me, and {the(begun)} is yours."
