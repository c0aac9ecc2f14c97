"""What is sent of a game: a line, for who went first the nine squares, and a link."""

from __future__ import annotations

from flask import url_for

from engine.notation import to_digits
from engine.position import Square, X
from web.play.game import Game
from web.play.squares import earned_squares


def sent(game: Game, site: str) -> str:
    """Return what is sent of a game against Perfect that is over; `site` begins the link.

    The link leads to the board on which the human began, after Perfect's reply.
    """
    is_first, held = game.human == X, earned_squares(game.record_by_now.held)
    was = "held" if game.outcome and not game.outcome.winner else "lost"
    begun = to_digits(game.moves[: 2 if is_first else 1])
    nine = game.record_by_now.held if is_first else None
    address = url_for("challenge.page", moves=begun, was=was, nine=nine)
    done = f"{len(held)} of 9 held" if is_first else "I held it"
    dare = f"{done}. Can you?" if was == "held" else "it beat me. Can you hold it?"
    rows = f"{in_rows(held)}\n" if is_first else ""
    return f"Tic-tac-toe: {dare}\n{rows}{site}{address}"


def in_rows(squares: tuple[Square, ...]) -> str:
    """Return the nine squares as three lines, those given in blue.

    >>> in_rows((0, 4)).splitlines()
    ['🟦⬜⬜', '⬜🟦⬜', '⬜⬜⬜']
    """
    marks = ["🟦" if square in squares else "⬜" for square in range(9)]
    return "\n".join("".join(marks[row : row + 3]) for row in (0, 3, 6))
