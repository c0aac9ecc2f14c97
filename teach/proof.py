"""The map of perfect play: for each side one answer to whatever the other plays, and no loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from engine.position import Mark, Outcome, Position, Square
from engine.search import best_moves
from engine.symmetry import SYMMETRIES, canonical, symmetry_between


class Board(NamedTuple):
    """A board of the map of one side: the answer to `position`, and the board after.

    There is no answer, and `after` is `position`, where the game is over or the other side begins.
    """

    mark: Mark
    position: Position
    answer: Square | None
    after: Position

    @property
    def replies(self) -> dict[Square, Board]:
        """The board that follows each move of the other side; none once the game is over."""
        return {square: board(self.mark, child) for square, child in self.after.children().items()}

    def walk(self) -> Iterator[Board]:
        """Yield this board and all that follow, each before the boards it leads to."""
        yield self
        for reply in self.replies.values():
            yield from reply.walk()


def board(mark: Mark, position: Position) -> Board:
    """Return the board of the map of `mark` on which `position` is answered.

    Boards that are turned or mirrored have the same answer, turned or mirrored with them.
    """
    if position.turn != mark or position.outcome():
        return Board(mark, position, None, position)
    same = canonical(position)
    symmetry = symmetry_between(same, position) or "identity"
    answer = SYMMETRIES[symmetry][best_moves(same)[0]]
    return Board(mark, position, answer, position.play(answer))


def reached(mark: Mark, replies: Iterable[Square]) -> Board:
    """Return the board of the map after these moves of the other side, each answered.

    Raises IllegalMoveError for a square that is taken, or is played after the end.

    >>> reached("O", (4,)).answer
    0
    """
    here = board(mark, Position())
    for square in replies:
        here = board(mark, here.after.play(square))
    return here


class Size(NamedTuple):
    """Count the map of a side; boards that are turned or mirrored count as one.

    `decisions` are the positions to be answered, `won` and `drawn` the boards on which games end.
    """

    decisions: int
    won: int
    drawn: int


@cache
def size(mark: Mark) -> Size:
    """Return how many decisions keep `mark` from losing, and how the games end."""
    boards = [*board(mark, Position()).walk()]
    decisions = {canonical(it.position) for it in boards if it.answer is not None}
    ends = [
        outcome for after in {canonical(it.after) for it in boards} if (outcome := after.outcome())
    ]
    return Size(
        len(decisions), sum(end.winner == mark for end in ends), ends.count(Outcome(None, ()))
    )
