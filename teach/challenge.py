"""What the side to move has to do on a board, and the boards that friends' links lead to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from engine.position import Mark, Position, Square
from engine.results import sound_moves
from engine.search import analyze, best_moves, score, sign

Task = Literal[
    "start",  # the empty board
    "only",  # only one of several squares keeps the result
    "all but one",  # only one square does not keep it
    "some",  # more than one square keeps it, and more than one does not
    "all",  # every square keeps it
    "none",  # every square loses
    "over",  # the game is over
]


class Challenge(NamedTuple):
    """A board and what it asks of the side to move."""

    position: Position
    task: Task
    sound_count: int  # squares that keep the result
    choice_count: int  # legal moves
    value: int  # for the side to move: 1 if it can force a win, 0 for a draw, -1 if it is lost

    @property
    def mark(self) -> Mark:
        """The side to move."""
        return self.position.turn

    @property
    def is_linked(self) -> bool:
        """Whether a friend's link can lead to this board."""
        return self.position in linked_boards()


def challenge(position: Position) -> Challenge:
    """Return the challenge that a board poses.

    >>> challenge(Position.parse("X--------"))[1:]
    ('only', 1, 8, 0)
    """
    scores = analyze(position)
    sound_count, choice_count = len(sound_moves(scores)), len(scores)
    value = sign(score(position))
    task = _task(position.ply, sound_count, choice_count, value)
    return Challenge(position, task, sound_count, choice_count, value)


def _task(ply: int, sound_count: int, choice_count: int, value: int) -> Task:
    """Return the task, given the fields of a challenge and how many moves have been played."""
    if not choice_count:
        return "over"
    if value < 0:
        return "none"
    if ply == 0:
        return "start"
    if sound_count == choice_count:
        return "all"
    if sound_count == 1:
        return "only"
    return "all but one" if sound_count == choice_count - 1 else "some"


def linked_opening(moves: Sequence[Square]) -> tuple[Square, ...]:
    """Return the linked opening that is closest to the moves of a game, or () if there is none.

    With X to move, it is the first move and the reply played; if Perfect would never choose that
    reply, the first of Perfect's replies replaces it. With O to move, it is the first move, if
    Perfect may choose that.

    >>> [linked_opening(moves) for moves in ((0, 8, 2, 1), (4, 1), (6, 4, 8), (4, 0, 8))]
    [(0, 4), (4, 0), (6,), ()]
    """
    if not moves or Position().after(moves).outcome():
        return ()
    if len(moves) % 2:
        return (moves[0],) if moves[0] in best_moves(Position()) else ()
    replies = best_moves(Position().play(moves[0]))
    return (moves[0], moves[1] if moves[1] in replies else replies[0])


@cache
def linked_boards() -> frozenset[Position]:
    """Return the 16 boards that a friend's link can lead to."""
    openings: list[tuple[Square, ...]] = [(square,) for square in best_moves(Position())]
    for square, child in Position().children().items():
        openings += [(square, reply) for reply in best_moves(child)]
    return frozenset(map(Position().after, openings))
