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
from web.play.game import SharedResult
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

    In the address, `was` is how the friend's game ended, and `nine` the friend's squares, as bits.
    If no link has this opening, the response redirects to the closest opening that a link has, or
    to the game page if there is none.
    """
    parsed_moves = parse_or_refuse(parse_moves, moves)
    opening = linked_opening(parsed_moves)
    friend_result = get_choice(request.args, "was", get_args(SharedResult))
    friend_bits = get_number(request.args, "nine", ALL_NINE)
    if not opening:
        return redirect(url_for("play.page"))
    if opening != parsed_moves:
        return redirect(
            url_for(".page", moves=to_digits(opening), was=friend_result, nine=friend_bits)
        )
    position = Position().after(opening)
    human, own_bits = position.turn, load().updated_record.earned_bits
    own_squares = earned_squares(own_bits)
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
        was=friend_result,
        nine=friend_bits,
        request_sentence=friends_request(friend_result),
        stake=words.stake(opening[0], human, opening[0] in own_squares),
        yours=own_squares,
        friend=friend_view(friend_bits, own_bits) if human == X else None,
    )
