"""The board that asks for a right square, in practice and of the day."""

from __future__ import annotations

from collections.abc import Callable

from engine.position import OTHER, Square
from teach.puzzles.moves import Answer, Moves
from web.view.squares import Cell, cells_of, played_out, to_come


def to_press(
    judged: Moves,
    answer: Answer | None = None,
    last: Square | None = None,
    url: Callable[[Square], str] | None = None,
) -> list[Cell]:
    """Return the board with every empty square to press, as links where `url` gives the address.

    The last wrong square shows the human's mark, and in pencil how it is answered; without, the
    `last` move is marked.
    """
    you = judged.position.turn
    cells = answered(judged, answer) if answer else cells_of(judged.position, last)
    return [
        cell
        if cell.mark
        else cell._replace(
            url=url(cell.square) if url else None,
            is_button=not url,
            hovers=you,
            says=f": play {you} here",
        )
        for cell in cells
    ]


def answered(judged: Moves, answer: Answer) -> list[Cell]:
    """Return the board with the last wrong square, and in pencil, mark after mark, its answer."""
    position, wrong = judged.position, judged.wrong[-1]
    you, they = position.turn, OTHER[position.turn]
    cells = cells_of(position)
    cells[wrong] = Cell(wrong, mark=you, look="past", badge="??")
    if answer.win:
        cells = played_out(cells, they, answer.win)
    else:
        cells = to_come(cells, answer.reply, they)
    reply = cells[answer.reply]._replace(caption="blocks" if answer.blocks else "")
    # Turns have their numbers where there are several before a line.
    cells[answer.reply] = reply if answer.win and answer.win.plan else reply._replace(badge=None)
    for order, square in enumerate(answer.squares):
        cells[square] = cells[square]._replace(look=f"{cells[square].look} nth-{order}".strip())
    return cells


def found_on(judged: Moves) -> list[Cell]:
    """Return the board with the right square played, or in pencil where it was shown."""
    position, square = judged.position, judged.found
    assert square is not None, "a right square was pressed or shown"
    if judged.shown:
        cells = cells_of(position)
        cells[square] = Cell(square, mark=None, pencil=position.turn, says=", shown")
    else:
        cells = cells_of(position.play(square), square)
        cells[square] = cells[square]._replace(badge="✓", says=", right")
    return cells
