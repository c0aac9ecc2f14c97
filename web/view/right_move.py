"""The board on which the reader looks for the right square, in a puzzle or on Today."""

from __future__ import annotations

from collections.abc import Callable

from engine.position import OTHER, Square
from teach.puzzles.moves import Consequence, MovePuzzle
from web.view.squares import Cell, cells_of, with_forced_win, with_next_mark


def pressable_cells(
    puzzle: MovePuzzle,
    consequence: Consequence | None = None,
    last_square: Square | None = None,
    url: Callable[[Square], str] | None = None,
) -> list[Cell]:
    """Return the board with every empty square as a link, or as a button if there is no `url`.

    The `consequence` of the last wrong square is drawn in pencil. Without one, the move on
    `last_square` is marked.
    """
    human = puzzle.position.turn
    if consequence:
        cells = refuted_cells(puzzle, consequence)
    else:
        cells = cells_of(puzzle.position, last_square)

    def pressable(cell: Cell) -> Cell:
        return cell._replace(
            url=url(cell.square) if url else None,
            is_button=not url,
            hover=human,
            label_suffix=f": play {human} here",
        )

    return [cell if cell.mark else pressable(cell) for cell in cells]


def refuted_cells(puzzle: MovePuzzle, consequence: Consequence) -> list[Cell]:
    """Return the board with the last wrong square and, in pencil, the opponent's answer to it."""
    position, wrong_square = puzzle.position, puzzle.wrong_squares[-1]
    human, opponent = position.turn, OTHER[position.turn]
    cells = cells_of(position)
    cells[wrong_square] = Cell(wrong_square, mark=human, role="past", badge="??")
    if consequence.win:
        cells = with_forced_win(cells, opponent, consequence.win)
    else:
        cells = with_next_mark(cells, consequence.reply, opponent)
    reply = cells[consequence.reply]._replace(caption="blocks" if consequence.blocks else "")
    # The reply has a number only if a plan follows it: a single move needs none.
    if not (consequence.win and consequence.win.plan):
        reply = reply._replace(badge=None)
    cells[consequence.reply] = reply
    for order, square in enumerate(consequence.squares):
        cells[square] = cells[square]._replace(order=order)
    return cells


def solved_cells(puzzle: MovePuzzle) -> list[Cell]:
    """Return the board with the right square played, or in pencil if the reader gave up."""
    position, square = puzzle.position, puzzle.found_square
    assert square is not None, "a right square must have been guessed or shown"
    if puzzle.is_shown:
        cells = cells_of(position)
        cells[square] = Cell(square, mark=None, pencil=position.turn, label_suffix=", shown")
    else:
        cells = cells_of(position.play(square), square)
        cells[square] = cells[square]._replace(badge="✓", label_suffix=", right")
    return cells
