"""Today: one board a day, the same for everybody, and the streak of days."""

from __future__ import annotations

from datetime import date

from flask import (
    Blueprint,
    abort,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from teach.puzzles.moves import SHOW, answer
from teach.today import board_of
from web.http.addresses import takes
from web.http.forms import get_choice, get_single, require
from web.today import words
from web.today.days import (
    DayAttempt,
    Days,
    days_for,
    days_until,
    save_days,
    time_left,
    today_for_player,
    week,
)
from web.view.right_move import pressable_cells, solved_cells
from web.view.squares import cells_of
from web.view.words import refutation

today = Blueprint("today", __name__)


@today.get("/today")
@takes("day", "pressed")
def page() -> str:
    """Show the board of today, or of an earlier day that the address names and that is open."""
    current, asked = today_for_player(), given_day()
    days, at = attempt_on(asked or current, current)
    game, board = at.game, board_of(at.day)
    answered = answer(game.position, game.at.wrong[-1]) if game.at.wrong else None
    last = game.last if game.reply is None else game.reply
    if game.at.shown:
        cells = solved_cells(game.at)
    elif game.is_over:
        cells = cells_of(game.position, last)
    else:
        cells = pressable_cells(game.at, answered, last)
    if game.is_over:
        verdict, sentence = words.verdict(at), words.explanation(at, current)
    elif answered:
        verdict, sentence = "Not there.", refutation(answered, "I")
    else:
        is_new = asked not in (None, at.day)
        verdict, sentence = "", words.request(at, current, is_new)
    return render_template(
        "today/page.html",
        at=at,
        it=game,
        board=board,
        cells=cells,
        answer=answered,
        you=board.turn,
        verdict=verdict,
        sentence=sentence,
        name=words.day_name(at, current),
        date=words.short_date(at.day),
        week=[(tile, words.tile_label(tile)) for tile in week(days, current, at.day)],
        note=words.note(at, current, time_left()),
        streak=words.streak(days),
        shared_text=words.shared(at, days),
        current=current,
        is_just_pressed="pressed" in request.args and bool(at.presses),
    )


@today.post("/today")
def press() -> ResponseReturnValue:
    """Judge the press of a square on the board of a day.

    A day that cannot be played shows today's board.
    """
    current, day = today_for_player(), require(given_day(), "day")
    square = require(get_choice(request.form, "square", (*"012345678", SHOW)), "square")
    days, at = attempt_on(day, current)
    after = at.pressed(square) if at.day == day else None
    if after:
        save_days(days.with_attempt(after))
    past = None if day == current else day.isoformat()
    return redirect(url_for(".page", day=past, pressed="" if after else None), 303)


def attempt_on(day: date, current: date) -> tuple[Days, DayAttempt]:
    """Return the player's days and the attempt at a day, or at `current` if it is not open."""
    days = days_for(day, current)
    if attempt := days.attempt(day):
        return days, attempt
    days = days_until(current)
    return days, days.latest


def given_day() -> date | None:
    """Return the day that a form or an address names, or None; refuse what is not a date."""
    text = get_single(request.values, "day")
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        abort(400, "day is a date such as 2026-11-23.")
