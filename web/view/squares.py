"""The nine squares of the large board, as every page draws them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.position import OTHER, Mark, Position, Square
from engine.reasons import ForcedWin, Plan
from engine.results import Result

# How a square is drawn.
Role = Literal[
    "",
    "last",  # the last move
    "wins",  # part of a line that wins
    "past",  # a mark beside the line that wins
    "earned",  # a square that is the reader's, with a ✓
    "first",  # the square of a hint, in pencil and without a tint
    "next",  # a move still to come, in pencil and without a tint
    "flood",  # in the color that spreads over the board once Perfect is stopped
]


class Cell(NamedTuple):
    """A square of the large board, as it is drawn."""

    square: Square
    mark: Mark | None  # the mark played here
    url: str | None = None  # the address of a link; a button sends the form around it
    is_button: bool = False
    is_live: bool = True  # False for a button that does nothing
    pencil: Mark | None = None  # a mark that could be played
    hover: Mark | None = None  # the mark that appears under a mouse
    wins_for: Mark | None = None  # the side that could complete a line here; drawn in pencil
    role: Role = ""
    order: int | None = None  # its index among the squares that appear one after the other
    distance: int | None = None  # in a flood: the number of steps from the first move
    is_theirs: bool = False  # in a flood: whether the mark is Perfect's
    is_new: bool = False  # whether the mark appears after the press, not at once
    comes_later: bool = False  # whether the mark appears after other new ones
    is_reply: bool = False  # whether the mark is the opponent's reply, drawn stroke by stroke
    result: Result | None = None  # the result of a move here, shown as a chip
    attempt: tuple[str, str] | None = None  # the chip of a move tried here: its text, and its side
    caption: str = ""  # under the mark
    badge: str | None = None  # ?? ! or ✓ on a move, ★ on the best, a number on a coming move
    label_suffix: str = ""  # what a screen reader says after everything else

    @property
    def visible_mark(self) -> Mark | None:
        """The mark that is drawn: played, or in pencil."""
        return self.mark or self.pencil or self.wins_for

    @property
    def classes(self) -> str:
        """The CSS classes of the square."""
        classes = {
            "cell": True,
            self.visible_mark or "": True,
            self.role: True,
            "new": self.is_new,
            "later": self.comes_later,
            f"nth-{self.order}": self.order is not None,
            f"far-{self.distance}": self.distance is not None,
            "theirs": self.is_theirs,
            "reply": self.is_reply,
            "pencil": self.visible_mark and not self.mark,
            f"may-{self.hover}": self.hover,
        }
        return " ".join(name for name, applies in classes.items() if name and applies)


def cells_of(position: Position, last_square: Square | None = None) -> list[Cell]:
    """Return the squares of a board; the last move, or at the end the winning lines, are marked."""
    winning_squares = position.winning_squares()

    def role(square: Square) -> Role:
        if winning_squares:
            return "wins" if square in winning_squares else "past"
        return "last" if square == last_square else ""

    return [Cell(square, position.mark_at(square), role=role(square)) for square in range(9)]


def with_forced_win(
    cells: list[Cell], mark: Mark, win: ForcedWin | None, number: int | None = None
) -> list[Cell]:
    """Return the cells with a forced win of `mark` in pencil: its moves, then the winning squares.

    The first of these moves is numbered `number`, by default as the next move on the board.
    """
    if not win:
        return cells
    if win.kind == "now":
        return with_wins(cells, mark, win.squares)
    number = number or sum(cell.mark is not None for cell in cells) + 1
    if win.plan:
        cells = with_next_mark(cells, win.followed_square, mark, str(number))
        return with_plan(cells, mark, win.plan, number + 1)
    return with_next_mark(
        with_wins(cells, mark, win.threats), win.followed_square, mark, str(number)
    )


def with_plan(cells: list[Cell], mark: Mark, plan: Plan | None, number: int) -> list[Cell]:
    """Return the cells with a plan of `mark` in pencil, its moves numbered from `number`."""
    if not plan:
        return cells
    cells = with_next_mark(cells, plan.reply, OTHER[mark], str(number))
    cells = with_next_mark(cells, plan.fork, mark, str(number + 1))
    return with_wins(cells, mark, plan.threats)


def with_wins(cells: list[Cell], mark: Mark, wins: tuple[Square, ...]) -> list[Cell]:
    """Return the cells with the squares that win for `mark`, and no others, shown as such."""
    return [
        cell._replace(wins_for=mark if cell.square in wins else None, hover=None) for cell in cells
    ]


def with_next_mark(
    cells: list[Cell], square: Square, mark: Mark, badge: str | None = None
) -> list[Cell]:
    """Return the cells with a mark in pencil on one square, instead of its result."""
    cell = cells[square]
    changed = cell._replace(
        pencil=mark, hover=None, role="next", result=None, badge=badge or cell.badge
    )
    return [*cells[:square], changed, *cells[square + 1 :]]
