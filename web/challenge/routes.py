"""A challenge: a shared board to play on from, public and alike for everybody."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from engine.notation import replay, to_digits
from engine.position import Position, Square
from engine.results import results
from teach.challenge import challenge
from web.site.cells import Cell, cells_of
from web.site.files import allow_caching
from web.site.forms import chosen, lead_to_known, parsed

challenges = Blueprint("challenge", __name__)
challenges.after_request(allow_caching)


@challenges.get("/challenge", defaults={"moves": ""})
@challenges.get("/challenge/<moves>")
def page(moves: str) -> str:
    """Show the board after `moves`, to go on from against Perfect, and what it asks.

    `was` says how the game of whoever shared it ended, `show` what each square leads to.
    """
    lead_to_known("was", "show")
    played = parsed(replay, moves)
    position = Position().after(played)
    if position.outcome():
        abort(400, "No game goes on from there: it is over.")
    it = challenge(position)
    was = chosen(request.args, "was", ("lost", "held"))
    if was == "held" and it.ask == "none":
        abort(400, "Nobody holds Perfect from there: every square loses.")
    is_shown = chosen(request.args, "show", ("squares",)) is not None
    return render_template(
        "challenge/page.html",
        it=it,
        moves=to_digits(played),
        cells=cells(position, played[-1] if played else None, is_shown),
        was=was,
        is_shown=is_shown,
    )


def cells(position: Position, last: Square | None, is_shown: bool) -> list[Cell]:
    """Return the board after the `last` move, its empty squares as buttons, with their results."""
    leads_to = results(position) if is_shown else {}
    return [
        cell
        if cell.mark
        else cell._replace(is_button=True, hovers=position.turn, result=leads_to.get(cell.square))
        for cell in cells_of(position, last)
    ]
