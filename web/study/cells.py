"""The nine squares of the large board, as values to draw."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.position import Mark, Position, Square
from engine.reasons import Win
from engine.results import Result
from web.study.place import Place


class Cell(NamedTuple):
    """Hold what a square shows, and the address to which a press leads.

    `mark` is played, `pencil` could come, and `hovers` shows under a mouse; `wins_for` is the side
    about to complete a line here. It looks like the `last` move, a square of a line that `wins` or
    one beside the line, `past`, or one to press for an answer, `ask`.
    The `badge` is ?? ! or ✓ on a move, ★ on the best, and a number on moves to come.
    """

    square: Square
    mark: Mark | None
    url: str | None = None
    pencil: Mark | None = None
    hovers: Mark | None = None
    wins_for: Mark | None = None
    look: Literal["", "last", "wins", "past", "ask"] = ""
    result: Result | None = None
    badge: str | None = None

    @property
    def side(self) -> Mark | None:
        """Name the side whose colour the square has."""
        return self.mark or self.pencil or self.wins_for or self.hovers


def cells_of(position: Position, last: Square | None) -> list[Cell]:
    """Return the squares of a board after the `last` move, with the lines of a won game."""
    won = position.winning_squares()
    return [
        Cell(
            square=square,
            mark=position.mark_at(square),
            look="wins" if square in won else "past" if won else "last" if square == last else "",
        )
        for square in range(9)
    ]


def linked(place: Place) -> list[Cell]:
    """Return the squares of the board in view, with a link on each legal move."""
    playable = place.position.legal_moves()
    last = place.moves[place.at - 1] if place.played else None
    return [
        cell._replace(url=place.press(cell.square), hovers=place.position.turn)
        if cell.square in playable
        else cell
        for cell in cells_of(place.position, last)
    ]


def played_out(cells: list[Cell], mark: Mark, win: Win | None) -> list[Cell]:
    """Return the cells with a win of `mark` in pencil: first move, then squares to win on."""
    if not win:
        return cells
    if win.kind == "now":
        return pencilled(cells, mark, win.squares)
    return pencilled(cells, mark, win.threats, win.squares[0])


def pencilled(
    cells: list[Cell], mark: Mark, wins: tuple[Square, ...], move: Square | None = None
) -> list[Cell]:
    """Return the cells with a `move` of `mark` in pencil, and the squares that then win."""
    return [
        cell._replace(
            pencil=mark if cell.square == move else cell.pencil,
            wins_for=mark if cell.square in wins else None,
            hovers=None,
        )
        for cell in cells
    ]
