"""A friend's link: the beginning of a game against Perfect, to be played by who opens it."""

from __future__ import annotations

from typing import get_args

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.notation import parse_moves, to_digits
from engine.position import Position, X
from teach.challenge import link
from web.challenge import words
from web.http.addresses import takes
from web.http.forms import get_choice, get_number, parse_or_refuse
from web.play.cookie import load
from web.play.game import FriendResult
from web.play.page import friend_view
from web.play.squares import NINE, earned_squares
from web.play.words import friends_request
from web.view.squares import cells_of

challenges = Blueprint("challenge", __name__)


@challenges.get("/challenge", defaults={"moves": ""})
@challenges.get("/challenge/<moves>")
@takes("was", "nine")
def page(moves: str) -> ResponseReturnValue:
    """Show the beginning of a game against Perfect; a press on a square goes on from it.

    `was` is how the friend's game ended, `nine` the friend's squares, as bits. Any other beginning
    redirects to the nearest that has a link.
    """
    given = parse_or_refuse(parse_moves, moves)
    was = get_choice(request.args, "was", get_args(FriendResult))
    nine, begun = get_number(request.args, "nine", NINE), link(given)
    if not begun:
        return redirect(url_for("play.page"))
    if begun != given:
        return redirect(url_for(".page", moves=to_digits(begun), was=was, nine=nine))
    position = Position().after(begun)
    you, yours = position.turn, earned_squares(load().updated_record.earned)
    cells = [
        cell if cell.mark else cell._replace(is_button=True, hover=you)
        for cell in cells_of(position, begun[0])
    ]
    return render_template(
        "challenge/page.html",
        moves=moves,
        cells=cells,
        position=position,
        you=you,
        first=begun[0],
        was=was,
        nine=nine,
        asks=friends_request(was),
        stake=words.stake(begun[0], you, begun[0] in yours),
        yours=yours,
        friend=friend_view(nine, load().updated_record.earned) if you == X else None,
    )
