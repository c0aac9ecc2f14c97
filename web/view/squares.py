"""The nine squares of the large board, as values to draw, on every page."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import OTHER, Mark, Position, Square
from engine.reasons import ForcedWin, Plan
from engine.results import Result


class Cell(NamedTuple):
    """Hold what a square shows, and the address to which a press leads; of a
    button the form around the board knows the address, and one not `is_live` does nothing.

    `mark` is played, `pencil` could come, and `hovers` shows under a mouse; `wins_for` is the side
    about to complete a line here, in pencil too. The `caption` stands under a mark. A chip tells
    the `result` of a move here, or in `tried` what came of a try: the text, and the side that
    gains. The `badge` is ?? ! or ✓ on a move, ★ on the best, and a number on moves to come. `look`
    lists in words how the square looks besides: `last`; `held`, with a ✓; `first` and `next` in
    pencil without a tint; `wins` in a line, `past` beside one, `flood` at a hold, where the marks
    of the opponent are `theirs`; a `reply` draws itself, and nth-0 … or far-0 … is when. `says`
    is heard after all else.
    """

    square: Square
    mark: Mark | None
    url: str | None = None
    is_button: bool = False
    is_live: bool = True
    pencil: Mark | None = None
    hovers: Mark | None = None
    wins_for: Mark | None = None
    look: str = ""
    result: Result | None = None
    tried: tuple[str, str] | None = None
    caption: str = ""
    badge: str | None = None
    says: str = ""

    @property
    def shown(self) -> Mark | None:
        """Name the mark that is drawn: played, or in pencil."""
        return self.mark or self.pencil or self.wins_for

    @property
    def classes(self) -> str:
        """Return the words by which the square is styled."""
        in_pencil = "pencil" if self.shown and not self.mark else ""
        may = f"may-{self.hovers}" if self.hovers else ""
        return " ".join(filter(None, ["cell", self.shown, self.look, in_pencil, may]))


def cells_of(position: Position, last: Square | None = None) -> list[Cell]:
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


def played_out(
    cells: list[Cell], mark: Mark, win: ForcedWin | None, number: int | None = None
) -> list[Cell]:
    """Return the cells with a win of `mark` in pencil: first move, then squares to win on.

    The first move has that number, else the next after the marks on the board.
    """
    if not win:
        return cells
    if win.kind == "now":
        return pencilled(cells, mark, win.squares)
    number = number or sum(cell.mark is not None for cell in cells) + 1
    if win.plan:
        cells = to_come(cells, win.first, mark, str(number))
        return planned(cells, mark, win.plan, number + 1)
    return to_come(pencilled(cells, mark, win.threats), win.first, mark, str(number))


def planned(cells: list[Cell], mark: Mark, plan: Plan | None, number: int) -> list[Cell]:
    """Return the cells with the plan of `mark` in pencil, its moves counted from `number`."""
    if not plan:
        return cells
    cells = to_come(cells, plan.reply, OTHER[mark], str(number))
    cells = to_come(cells, plan.fork, mark, str(number + 1))
    return pencilled(cells, mark, plan.threats)


def pencilled(cells: list[Cell], mark: Mark, wins: tuple[Square, ...]) -> list[Cell]:
    """Return the cells with the squares on which `mark` then wins."""
    return [
        cell._replace(wins_for=mark if cell.square in wins else None, hovers=None) for cell in cells
    ]


def to_come(cells: list[Cell], square: Square, mark: Mark, badge: str | None = None) -> list[Cell]:
    """Return the cells with a mark in pencil on a square, in place of any result."""
    cell = cells[square]
    look = f"{cell.look} next".strip()
    changed = cell._replace(
        pencil=mark, hovers=None, look=look, result=None, badge=badge or cell.badge
    )
    return [*cells[:square], changed, *cells[square + 1 :]]
