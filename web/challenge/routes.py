"""A friend's link: the opening of a game against Perfect, which the recipient continues."""

from __future__ import annotations

from typing import get_args

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.notation import parse_moves, to_digits
from engine.position import Position, X
from teach.challenge import linked_opening
from web.challenge import words
from web.http.addresses import takes
from web.http.forms import get_choice, get_number, parse_or_refuse
from web.play.cookie import load
from web.play.game import FriendResult
from web.play.page import friend_view
from web.play.squares import ALL_NINE, earned_squares
from web.play.words import friends_request
from web.view.squares import cells_of

challenges = Blueprint("challenge", __name__)


@challenges.get("/challenge", defaults={"moves": ""})
@challenges.get("/challenge/<moves>")
@takes("was", "nine")
def page(moves: str) -> ResponseReturnValue:
    """Show the opening of a game against Perfect; a click on a square continues from it.

    `was` is how the friend's game ended, `nine` the friend's squares, as bits. If this
    opening has no link, redirects to the closest one that has, or else to the game page.
    """
    parsed_moves = parse_or_refuse(parse_moves, moves)
    was = get_choice(request.args, "was", get_args(FriendResult))
    nine, opening = get_number(request.args, "nine", ALL_NINE), linked_opening(parsed_moves)
    if not opening:
        return redirect(url_for("play.page"))
    if opening != parsed_moves:
        return redirect(url_for(".page", moves=to_digits(opening), was=was, nine=nine))
    position = Position().after(opening)
    human, yours = position.turn, earned_squares(load().updated_record.earned_bits)
    cells = [
        cell if cell.mark else cell._replace(is_button=True, hover=human)
        for cell in cells_of(position, opening[0])
    ]
    return render_template(
        "challenge/page.html",
        moves=moves,
        cells=cells,
        position=position,
        you=human,
        first=opening[0],
        was=was,
        nine=nine,
        request_sentence=friends_request(was),
        stake=words.stake(opening[0], human, opening[0] in yours),
        yours=yours,
        friend=friend_view(nine, load().updated_record.earned_bits) if human == X else None,
    )
