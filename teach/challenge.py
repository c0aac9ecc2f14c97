"""What a board asks of whoever is to move, and the beginnings of games that links lead to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from engine.position import Mark, Position, Square
from engine.results import sound_moves
from engine.search import analyze, best_moves, score, sign

Ask = Literal["start", "only", "all but one", "some", "all", "none", "over"]


class Challenge(NamedTuple):
    """Count the squares that hold: `holding` of `choices` keep the best result.

    `only`: a single square holds, of several · `all but one`: a single square does not · `some`:
    between these · `all`: every square holds · `none`: every square loses · `start`: the empty
    board · `over`: the game has ended. `value` is 1 where the side to move wins by force, 0 where
    the board is level, -1 where every square loses.
    """

    position: Position
    ask: Ask
    holding: int
    choices: int
    value: int

    @property
    def mark(self) -> Mark:
        """Name the side to move."""
        return self.position.turn

    @property
    def is_linked(self) -> bool:
        """Say whether links lead to this board, with the whole game ahead."""
        return self.position in linked()


def challenge(position: Position) -> Challenge:
    """Return what a board asks.

    >>> challenge(Position.parse("X--------"))[1:]
    ('only', 1, 8, 0)
    """
    scores = analyze(position)
    holding, choices, value = len(sound_moves(scores)), len(scores), sign(score(position))
    return Challenge(position, _ask(position.ply, holding, choices, value), holding, choices, value)


def _ask(ply: int, holding: int, choices: int, value: int) -> Ask:
    if not choices:
        return "over"
    if value < 0:
        return "none"
    if not ply:
        return "start"
    if holding == choices:
        return "all"
    return "only" if holding == 1 else "all but one" if holding == choices - 1 else "some"


def link(moves: Sequence[Square]) -> tuple[Square, ...]:
    """Return the beginning to be held that is nearest to some moves of a game, () without any.

    For X that is the first square and a reply that Perfect may choose, for O Perfect's corner.

    >>> link((0, 8, 2, 1)), link((4, 1)), link((6, 4, 8)), link((4, 0, 8))
    ((0, 4), (4, 0), (6,), ())
    """
    if not moves or Position().after(moves).outcome():
        return ()
    if len(moves) % 2:
        return (moves[0],) if moves[0] in best_moves(Position()) else ()
    replies = best_moves(Position().play(moves[0]))
    return (moves[0], moves[1] if moves[1] in replies else replies[0])


@cache
def linked() -> frozenset[Position]:
    """Return the 16 boards to which links lead."""
    corners = best_moves(Position())
    replies = {square: best_moves(child) for square, child in Position().children().items()}
    begun = [(first, reply) for first in replies for reply in replies[first]]
    return frozenset(map(Position().after, [*begun, *((corner,) for corner in corners)]))
