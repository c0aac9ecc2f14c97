"""The text to share about a game: three rows of squares with words beside them, and a link."""

from __future__ import annotations

from flask import url_for

from engine.notation import to_digits
from engine.position import Position, Square, X
from engine.search import best_moves
from web.play import words
from web.play.game import Game, SharedResult
from web.play.squares import ALL_NINE, earned_squares


def share_text(game: Game, site: str) -> str:
    """Return the text to share about a finished game against Perfect.

    `site` is the scheme and host of the link. The link leads to the board after the human's first
    move and Perfect's reply or, if the human is O, after Perfect's first move. In an answer to a
    friend, it leads to a square that the human has earned and the friend has not, if there is one.
    If the human is O, or had earned all nine squares before, the text does not mention the squares.
    """
    earned_bits, result = game.updated_record.earned_bits, _result(game)
    if game.human != X or game.record.earned_bits == ALL_NINE:
        lines = words.plain_share_lines(result)
        address = _address(game.moves[: 2 if game.human == X else 1], result)
        return "\n".join([*lines, f"{site}{address}"])
    earned, moves = earned_squares(earned_bits), game.moves[:2]
    if game.friend_result and game.friend_bits is not None:
        friend_earned = earned_squares(game.friend_bits)
        next_square = next((square for square in earned if square not in friend_earned), None)
        lines = words.answer_lines(
            result, game.friend_result, len(earned), len(friend_earned), next_square
        )
        if next_square is not None:
            # A square is earned by a draw, so that is how the human's game there ended.
            moves, result = (next_square, best_moves(Position().play(next_square))[0]), "held"
    else:
        lines = words.share_lines(result, len(earned))
    rows = zip(emoji_rows(earned), lines, strict=True)
    address = _address(moves, result, earned_bits)
    return "\n".join([*map(" ".join, rows), f"{site}{address}"])


def _result(game: Game) -> SharedResult:
    """Return how a game against Perfect ended."""
    return "held" if game.outcome and not game.outcome.winner else "lost"


def _address(
    moves: tuple[Square, ...], result: SharedResult, earned_bits: int | None = None
) -> str:
    """Return the path of a link to the board after `moves`."""
    return url_for("challenge.page", moves=to_digits(moves), was=result, nine=earned_bits)


def emoji_rows(squares: tuple[Square, ...]) -> list[str]:
    """Return the nine squares as three rows, `squares` in blue.

    >>> emoji_rows((0, 4))
    ['🟦⬜⬜', '⬜🟦⬜', '⬜⬜⬜']
    """
    emoji = ["🟦" if square in squares else "⬜" for square in range(9)]
    return ["".join(emoji[row : row + 3]) for row in (0, 3, 6)]
