"""The map of perfect play: for each side, an answer to every move, so that it never loses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from engine.position import Mark, Position, Square
from engine.search import best_moves
from engine.symmetry import SYMMETRIES, canonical, symmetry_between


class MapBoard(NamedTuple):
    """A board of the map of perfect play for one side."""

    mark: Mark  # the side that the map is for
    position: Position
    answer: Square | None  # None if the game is over, or the other side makes the first move
    position_after: Position  # after the answer; the same as `position` if there is none

    @property
    def next_boards(self) -> dict[Square, MapBoard]:
        """The board that follows each move of the other side; empty once the game is over."""
        children = self.position_after.children()
        return {square: map_board(self.mark, child) for square, child in children.items()}

    def walk(self) -> Iterator[MapBoard]:
        """Yield this board and all that can follow, each before those that follow it."""
        yield self
        for board in self.next_boards.values():
            yield from board.walk()


def map_board(mark: Mark, position: Position) -> MapBoard:
    """Return the board of `mark`'s map at `position`.

    Symmetric positions have the same answer, rotated or mirrored with them.
    """
    if position.turn != mark or position.outcome():
        return MapBoard(mark, position, None, position)
    canonical_position = canonical(position)
    symmetry = symmetry_between(canonical_position, position)
    assert symmetry, "the canonical position must be one of its images"
    answer = SYMMETRIES[symmetry][best_moves(canonical_position)[0]]
    return MapBoard(mark, position, answer, position.play(answer))


def board_after(mark: Mark, replies: Iterable[Square]) -> MapBoard:
    """Return the board of the map after some `replies`, the moves of the other side.

    Raises IllegalMoveError if a square is taken or the game is already over.

    >>> board_after("O", (4,)).answer
    0
    """
    board = map_board(mark, Position())
    for square in replies:
        board = map_board(mark, board.position_after.play(square))
    return board


class MapSize(NamedTuple):
    """The size of one side's map, counting symmetric boards as one."""

    decision_count: int  # positions to answer
    win_count: int  # final boards that are won
    draw_count: int  # final boards that are drawn


@cache
def map_size(mark: Mark) -> MapSize:
    """Return the size of the map of `mark`."""
    boards = [*map_board(mark, Position()).walk()]
    decisions = {canonical(board.position) for board in boards if board.answer is not None}
    positions_after = {canonical(board.position_after) for board in boards}
    outcomes = [outcome for position in positions_after if (outcome := position.outcome())]
    return MapSize(
        decision_count=len(decisions),
        win_count=sum(outcome.winner == mark for outcome in outcomes),
        draw_count=sum(outcome.winner is None for outcome in outcomes),
    )
