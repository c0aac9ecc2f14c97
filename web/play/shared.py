"""What is shared of a game that is over: a line, three rows of squares, and a challenge."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.notation import to_digits
from engine.players import Opponent
from engine.position import Mark, O, Position, Square, X
from engine.review import Reviewed, story
from teach.challenge import Challenge, challenge
from web.play.game import Game, replayed

Claim = Literal["won", "drawn", "slipped", "lost"]
Was = Literal["lost", "held"]
SQUARES = {X: "🟦", O: "🟧", None: "⬜"}


class Shared(NamedTuple):
    """Say how a game ended for the human, against whom, and hold the moves to the board shared.

    `slipped`: drawn by the human's own mistake · `placed`: moves were placed before. `was` is what
    the link says of the board: None where that would not be true of a game against Perfect.
    """

    claim: Claim
    opponent: Opponent
    placed: bool
    moves: tuple[Square, ...]
    was: Was | None
    rows: str

    @property
    def digits(self) -> str:
        """Write the moves to the board shared as its address has them."""
        return to_digits(self.moves)

    @property
    def it(self) -> Challenge:
        """Return what the board shared asks."""
        return challenge(replayed(self.moves))


def shared(game: Game) -> Shared:
    """Return what is shared of a game that is over.

    Lost or slipped: the board before the human's last mistake. Drawn: the board before the human's
    last only move. Else, against Perfect from placed moves, the board on which the human began;
    else the empty board, and in rows of squares the board at the end.
    """
    told = story(game.moves, game.human, game.set_up)
    own = [move for move in told.moves if move.mark == game.human]
    assert game.outcome, "the game is over"
    mistake = told.turn if told.turn in own else None
    claim = _claim(game.outcome.winner, game.human, mistake)
    at = {"won": None, "drawn": _last_only(own)}.get(claim, mistake)
    against_perfect = game.opponent == "perfect"
    # The opponent may have ended a placed game before the human's first move.
    if own and not at and against_perfect and game.set_up and claim != "lost":
        at = own[0]
    was: Was | None = "held" if claim == "drawn" else "lost" if claim == "lost" and at else None
    moves = game.moves[: at.number - 1] if at else ()
    return Shared(
        claim=claim,
        opponent=game.opponent,
        placed=game.set_up > 0,
        moves=moves,
        was=was if against_perfect else None,
        rows=rows(replayed(moves or game.moves)),
    )


def _claim(winner: Mark | None, human: Mark, mistake: Reviewed | None) -> Claim:
    if not winner:
        return "slipped" if mistake else "drawn"
    return "won" if winner == human else "lost"


def _last_only(moves: list[Reviewed]) -> Reviewed | None:
    """Return the last of the moves that alone kept the result, None without any."""
    return next((move for move in reversed(moves) if move.judgement == "only move"), None)


def rows(position: Position) -> str:
    """Return a board as three lines of coloured squares.

    >>> rows(Position.parse("X---O----")).splitlines()
    ['🟦⬜⬜', '⬜🟧⬜', '⬜⬜⬜']
    """
    marks = [SQUARES[position.mark_at(square)] for square in range(9)]
    return "\n".join("".join(marks[row : row + 3]) for row in (0, 3, 6))
