"""Today: one board a day, the same for everybody, and the streak of days."""

from __future__ import annotations

from datetime import date

from flask import (
    Blueprint,
    abort,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from teach.puzzles.moves import SHOW, answer
from teach.today import board_of
from web.http.addresses import takes
from web.http.forms import get_choice, get_single, require
from web.today import words
from web.today.days import attempt_on, is_open, pressed, time_left, today_for_player, week
from web.view.right_move import pressable_cells, solved_cells
from web.view.squares import cells_of
from web.view.words import refutation

today = Blueprint("today", __name__)


@today.get("/today")
@takes("day", "pressed")
def page() -> str:
    """Show the board of today, or of yesterday if the address says so and it is still open."""
    current, asked = today_for_player(), given_day()
    day = asked if asked and is_open(asked) else current
    at, board = attempt_on(day), board_of(day)
    game = at.game
    answered = answer(game.position, game.at.wrong[-1]) if game.at.wrong else None
    last = game.last if game.reply is None else game.reply
    if game.at.shown:
        cells = solved_cells(game.at)
    elif game.is_over:
        cells = cells_of(game.position, last)
    else:
        cells = pressable_cells(game.at, answered, last)
    wins, is_past, is_new = words.is_winnable(at), day < current, asked not in (None, day)
    if game.is_over:
        verdict, sentence = words.verdict(game, wins), words.explanation(at, is_past)
    elif answered:
        verdict, sentence = "Not there.", refutation(answered, "I")
    else:
        verdict, sentence = "", words.request(game, wins, is_new, is_past)
    return render_template(
        "today/page.html",
        at=at,
        it=game,
        board=board,
        cells=cells,
        answer=answered,
        you=board.turn,
        wins=wins,
        verdict=verdict,
        sentence=sentence,
        week=week(at),
        note=words.note(at, time_left(), is_past),
        line=words.shared_line(at),
        date=words.date(at),
        is_past=is_past,
        is_just_pressed="pressed" in request.args and bool(at.presses),
    )


@today.post("/today")
def press() -> ResponseReturnValue:
    """Judge the press of a square on the board of a day.

    A board begun before midnight can be played on after it; any other past day shows today's.
    """
    day = require(given_day(), "day")
    square = require(get_choice(request.form, "square", (*"012345678", SHOW)), "square")
    after = pressed(attempt_on(day), square) if is_open(day) else None
    if after:
        session["day"] = [after.day.isoformat(), *after[1:]]
        session.permanent = True
    past = None if day == today_for_player() else day.isoformat()
    return redirect(url_for(".page", day=past, pressed="" if after else None), 303)


def given_day() -> date | None:
    """Return the day that a form or an address names, or None; refuse what is not a date."""
    text = get_single(request.values, "day")
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        abort(400, "day is a date such as 2026-11-23.")
