"""What is sent of a game: what is held, as a line and three rows of squares, and a link."""

from __future__ import annotations

from flask import url_for

from engine.notation import to_digits
from engine.position import O, Square, X
from web.play.game import Game
from web.play.nine import held_as, of_all

SQUARES = {X: "🟦", O: "🟧"}


def sent(game: Game, site: str) -> str:
    """Return what is sent of a game against Perfect that is over; `site` begins the link.

    The link leads to the board on which the human began, after Perfect's reply.
    """
    mark, record = game.human, game.record_by_now
    held = held_as(mark, record.held)
    nine = sum(1 << square for square in held_as(X, record.held))
    was = "held" if game.outcome and not game.outcome.winner else "lost"
    begun = to_digits(game.moves[: 2 if mark == X else 1])
    address = url_for("challenge.page", moves=begun, was=was, nine=nine)
    count = f"{len(held)} of {len(of_all(mark))}{'' if mark == X else ' corners'}"
    dare = f"{count} held. Can you?" if was == "held" else "it beat me. Can you hold it?"
    return f"Tic-tac-toe: {dare}\n{in_rows(held, SQUARES[mark])}\n{site}{address}"


def in_rows(squares: tuple[Square, ...], inked: str) -> str:
    """Return nine squares as three lines, those given inked.

    >>> in_rows((0, 4), "🟦").splitlines()
    ['🟦⬜⬜', '⬜🟦⬜', '⬜⬜⬜']
    """
    marks = [inked if square in squares else "⬜" for square in range(9)]
    return "\n".join("".join(marks[row : row + 3]) for row in (0, 3, 6))
