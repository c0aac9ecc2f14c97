"""The text that is sent of a game: a line, the nine squares of who went first, and a link."""

from __future__ import annotations

from flask import url_for

from engine.notation import to_digits
from engine.position import Square, X
from web.play.game import FriendResult, Game
from web.play.squares import earned_squares


def share_text(game: Game, site: str) -> str:
    """Return what is sent of a game against Perfect that is over; `site` begins the link.

    The link leads to the board on which the human began, after Perfect's reply.
    """
    is_first, earned = game.human == X, game.updated_record.earned
    result: FriendResult = "held" if game.outcome and not game.outcome.winner else "lost"
    moves = to_digits(game.moves[: 2 if is_first else 1])
    nine = earned if is_first else None
    address = url_for("challenge.page", moves=moves, was=result, nine=nine)
    done = f"{earned.bit_count()} of 9 held" if is_first else "I held it"
    dare = f"{done}. Can you?" if result == "held" else "it beat me. Can you hold it?"
    rows = f"{emoji_rows(earned_squares(earned))}\n" if is_first else ""
    return f"Tic-tac-toe: {dare}\n{rows}{site}{address}"


def emoji_rows(squares: tuple[Square, ...]) -> str:
    """Return the nine squares as three lines, some of them in blue.

    >>> emoji_rows((0, 4)).splitlines()
    ['🟦⬜⬜', '⬜🟦⬜', '⬜⬜⬜']
    """
    marks = ["🟦" if square in squares else "⬜" for square in range(9)]
    return "\n".join("".join(marks[row : row + 3]) for row in (0, 3, 6))
