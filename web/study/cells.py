"""The nine squares of the large board, as values that one drawing shows."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.position import Mark, Position, Square
from engine.results import Result

Badge = Literal["??", "!", "✓", "★"]


class Cell(NamedTuple):
    """Hold what one square shows, and where a press on it leads; nowhere without `url`.

    `mark` is played, `pencil` could come, and `hovers` shows under a mouse. `is_last` marks the
    last move, `wins_for` the side that would complete a line here, `is_won` a square of a
    completed line, `is_past` a mark beside one, and `is_asked` a square that may be the answer.
    """

    square: Square
    mark: Mark | None
    url: str | None = None
    pencil: Mark | None = None
    hovers: Mark | None = None
    wins_for: Mark | None = None
    is_last: bool = False
    is_won: bool = False
    is_past: bool = False
    is_asked: bool = False
    result: Result | None = None
    badge: Badge | None = None

    @property
    def side(self) -> Mark | None:
        """Name the side whose colour the square has."""
        return self.mark or self.pencil or self.wins_for or self.hovers


def cells_of(position: Position, last: Square | None) -> list[Cell]:
    """Return the squares of a board after its `last` move, with the lines of a game that is won."""
    outcome = position.outcome()
    won = {square for line in outcome.lines for square in line} if outcome else set()
    return [
        Cell(
            square=square,
            mark=position.mark_at(square),
            is_last=square == last and not won,
            is_won=square in won,
            is_past=bool(won) and square not in won,
        )
        for square in range(9)
    ]
