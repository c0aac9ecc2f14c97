"""A challenge: a shared board to play on from, public and alike for everybody."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from engine.notation import replay, to_digits
from engine.position import Position
from engine.results import results
from teach.challenge import challenge
from web.site.files import allow_caching
from web.site.forms import chosen, parsed

challenges = Blueprint("challenge", __name__)
challenges.after_request(allow_caching)


@challenges.get("/challenge", defaults={"moves": ""})
@challenges.get("/challenge/<moves>")
def page(moves: str) -> str:
    """Show the board after `moves`, to go on from against Perfect, and what it asks.

    `was` says how the game of whoever shared it ended, `show` what each square leads to.
    """
    played = parsed(replay, moves)
    position = Position().after(played)
    if position.outcome():
        abort(400, "No game goes on from there: it is over.")
    it = challenge(position)
    was = chosen(request.args, "was", ("lost", "held"))
    if was == "held" and it.ask == "none":
        abort(400, "Nobody holds Perfect from there: every square loses.")
    shows = chosen(request.args, "show", ("squares",))
    return render_template(
        "challenge/page.html",
        it=it,
        moves=to_digits(played),
        last=played[-1:],
        was=was,
        results=results(position) if shows else {},
    )
