"""The nine squares of the large board, as every page draws them."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import OTHER, Mark, Position, Square
from engine.reasons import ForcedWin, Plan
from engine.results import Result


class Cell(NamedTuple):
    """A square of the large board, as it is drawn."""

    square: Square
    mark: Mark | None  # the mark played here
    url: str | None = None  # the address of a link; a button sends the form around it
    is_button: bool = False
    is_live: bool = True  # False for a button that does nothing
    pencil: Mark | None = None  # a mark that could be played
    hover: Mark | None = None  # the mark that appears under a mouse
    wins_for: Mark | None = None  # the side about to complete a line here, also in pencil
    look: str = ""  # see below
    result: Result | None = None  # of a move here, as a chip
    attempt: tuple[str, str] | None = None  # as a chip: its text, and the side it helps
    caption: str = ""  # under the mark
    badge: str | None = None  # ?? ! or ✓ on a move, ★ on the best, a number on a coming move
    label_suffix: str = ""  # what a screen reader says after everything else

    # `look` is a list of CSS classes: `last` for the last move; `earned` for an earned square, with
    # a ✓; `first` and `next` for marks in pencil without a tint; `wins` for a winning line, `past`
    # for the marks beside it; `flood` if Perfect was stopped, with its marks as `theirs`; `reply`
    # for a mark drawn stroke by stroke; nth-0 … and far-0 … for the order of appearance.

    @property
    def visible_mark(self) -> Mark | None:
        """The mark that is drawn: played, or in pencil."""
        return self.mark or self.pencil or self.wins_for

    @property
    def classes(self) -> str:
        """The CSS classes of the square."""
        in_pencil = "pencil" if self.visible_mark and not self.mark else ""
        hover = f"may-{self.hover}" if self.hover else ""
        return " ".join(filter(None, ["cell", self.visible_mark, self.look, in_pencil, hover]))


def cells_of(position: Position, last_square: Square | None = None) -> list[Cell]:
    """Return the squares of a board; the last move, or at the end the winning lines, are marked."""
    winning_squares = position.winning_squares()

    def look(square: Square) -> str:
        if winning_squares:
            return "wins" if square in winning_squares else "past"
        return "last" if square == last_square else ""

    return [
        Cell(
            square=square,
            mark=position.mark_at(square),
            look=look(square),
        )
        for square in range(9)
    ]


def with_forced_win(
    cells: list[Cell], mark: Mark, win: ForcedWin | None, number: int | None = None
) -> list[Cell]:
    """Return the cells with a forced win of `mark` in pencil: its moves, then the winning squares.

    Its first move has the given number, or by default the next one on this board.
    """
    if not win:
        return cells
    if win.kind == "now":
        return with_wins(cells, mark, win.squares)
    number = number or sum(cell.mark is not None for cell in cells) + 1
    if win.plan:
        cells = with_next_mark(cells, win.first, mark, str(number))
        return with_plan(cells, mark, win.plan, number + 1)
    return with_next_mark(with_wins(cells, mark, win.threats), win.first, mark, str(number))


def with_plan(cells: list[Cell], mark: Mark, plan: Plan | None, number: int) -> list[Cell]:
    """Return the cells with a plan of `mark` in pencil, its moves numbered from `number`."""
    if not plan:
        return cells
    cells = with_next_mark(cells, plan.reply, OTHER[mark], str(number))
    cells = with_next_mark(cells, plan.fork, mark, str(number + 1))
    return with_wins(cells, mark, plan.threats)


def with_wins(cells: list[Cell], mark: Mark, wins: tuple[Square, ...]) -> list[Cell]:
    """Return the cells with the squares that win for `mark`."""
    return [
        cell._replace(wins_for=mark if cell.square in wins else None, hover=None) for cell in cells
    ]


def with_next_mark(
    cells: list[Cell], square: Square, mark: Mark, badge: str | None = None
) -> list[Cell]:
    """Return the cells with a mark in pencil on one square, instead of its result."""
    cell = cells[square]
    look = f"{cell.look} next".strip()
    changed = cell._replace(
        pencil=mark, hover=None, look=look, result=None, badge=badge or cell.badge
    )
    return [*cells[:square], changed, *cells[square + 1 :]]
