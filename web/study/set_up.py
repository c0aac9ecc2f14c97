"""A board set up by pressing squares."""

from __future__ import annotations

from flask import abort, render_template

from engine.notation import swapped
from engine.position import Position
from web.study.place import could_be_a_board

NEXT = {"-": "X", "X": "O", "O": "-"}


def set_up_page(board: str) -> str:
    """Draw nine squares that a press changes; say why no game gets to the board where none does."""
    if not could_be_a_board(board):
        abort(400, "set is nine characters, each X, O or -.")
    try:
        position, reason = Position.parse(board), ""
    except ValueError as error:
        position, reason = None, str(error)
    return render_template(
        "study/set_up.html",
        board=board,
        afters=[board[:n] + NEXT[board[n]] + board[n + 1 :] for n in range(9)],
        position=position,
        reason=reason,
        instead=reason and swapped(board),
    )
