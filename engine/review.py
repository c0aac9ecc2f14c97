"""A game judged, move by move, and where it turned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from engine.position import Mark, Position, Square
from engine.reasons import Allows, allows
from engine.results import holding_moves, result
from engine.search import WIN, analyse, sign

Verdict = Literal[
    "wins",
    "blunder",
    "missed win",
    "slower win",
    "quicker loss",
    "only move",
    "lost already",
    "fine",
]


class Reviewed(NamedTuple):
    """Hold one move of a finished game: the best score there was, the move's own, the verdict."""

    position: Position
    square: Square
    before: int
    after: int
    verdict: Verdict

    @property
    def winner(self) -> Mark | None:
        """Name who wins with perfect play after it, None for a draw."""
        return result(self.after, self.position.turn).winner

    @property
    def lowers_the_result(self) -> bool:
        """Say whether it turned a win into less, or a draw into a loss."""
        return self.verdict in ("blunder", "missed win")

    @property
    def is_mistake(self) -> bool:
        """Say whether there was a better move."""
        return self.after < self.before

    @property
    def allows(self) -> Allows | None:
        """Say what it gives away, None where that is nothing."""
        return allows(self.position, self.square)


def review(moves: Sequence[Square]) -> list[Reviewed]:
    """Judge every move of a game. Raises IllegalMoveError where one breaks the rules."""
    reviewed = []
    position = Position()
    for square in moves:
        child = position.play(square)
        scores = analyse(position)
        reviewed.append(
            Reviewed(
                position=position,
                square=square,
                before=max(scores.values()),
                after=scores[square],
                verdict=_verdict(scores, scores[square]),
            )
        )
        position = child
    return reviewed


def _verdict(scores: Mapping[Square, int], value: int) -> Verdict:
    best = max(scores.values())
    if value == WIN - 1:
        return "wins"
    if sign(value) < sign(best):
        return "blunder" if value < 0 else "missed win"
    if value < best:
        return "slower win" if value > 0 else "quicker loss"
    if best < 0:
        return "lost already"
    return "only move" if len(holding_moves(scores)) == 1 < len(scores) else "fine"


def turning_point(reviewed: Sequence[Reviewed]) -> Reviewed | None:
    """Return the last move that lowered its side's result, after which nothing changed."""
    return next((move for move in reversed(reviewed) if move.lowers_the_result), None)
