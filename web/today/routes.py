"""Today: one board a day, the same for everybody, and the streak of days."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from teach.puzzles.moves import SHOW, Consequence, consequence
from teach.today import DailyGame, board_of
from web.http.addresses import takes
from web.http.forms import get_choice, get_single, require
from web.today import words
from web.today.days import (
    DayAttempt,
    Days,
    load_days_for_board,
    load_days_up_to,
    save_days,
    time_left,
    today_for_player,
    week,
)
from web.view.right_move import pressable_cells, solved_cells
from web.view.squares import Cell, cells_of
from web.view.words import wrong_square_sentence

today = Blueprint("today", __name__)


@today.get("/today")
@takes("day", "pressed")
def page() -> str:
    """Show today's board, or the board of an earlier open day named in the address."""
    current_day, requested_day = today_for_player(), get_day()
    days, attempt = load_attempt(requested_day or current_day, current_day)
    game, board = attempt.game, board_of(attempt.day)
    wrong_squares = game.puzzle.wrong_squares
    refutation = consequence(game.position, wrong_squares[-1]) if wrong_squares else None
    if game.is_over:
        verdict, sentence = words.verdict(attempt), words.explanation(attempt, current_day)
    elif refutation:
        verdict, sentence = "Not there.", wrong_square_sentence(refutation, "I")
    else:
        is_substitute = requested_day not in (None, attempt.day)
        verdict, sentence = "", words.request(attempt, current_day, is_substitute)
    return render_template(
        "today/page.html",
        attempt=attempt,
        game=game,
        board=board,
        cells=board_cells(game, refutation),
        refutation=refutation,
        you=board.turn,
        verdict=verdict,
        sentence=sentence,
        name=words.day_name(attempt, current_day),
        date=words.short_date(attempt.day),
        week=[(tile, words.tile_label(tile)) for tile in week(days, current_day, attempt.day)],
        note=words.week_note(attempt, current_day, time_left()),
        streak=words.streak_text(days),
        shared_text=words.share_text(attempt, days),
        current_day=current_day,
        is_just_pressed="pressed" in request.args and bool(attempt.presses),
    )


def board_cells(game: DailyGame, refutation: Consequence | None) -> list[Cell]:
    """Return the board of a day's game: to press, with the square shown, or played to its end."""
    last_square = game.last_square if game.reply is None else game.reply
    if game.puzzle.is_shown:
        return solved_cells(game.puzzle)
    if game.is_over:
        return cells_of(game.position, last_square)
    return pressable_cells(game.puzzle, refutation, last_square)


@today.post("/today")
def press() -> ResponseReturnValue:
    """Press a square on a day's board, or Show me.

    If that day is not open, nothing changes, and the next page shows today's board.
    """
    current_day, day = today_for_player(), require(get_day(), "day")
    new_press = require(get_choice(request.form, "square", (*"012345678", SHOW)), "square")
    days, attempt = load_attempt(day, current_day)
    new_attempt = attempt.after(new_press) if attempt.day == day else None
    if new_attempt:
        save_days(days.with_attempt(new_attempt))
    earlier_day = None if day == current_day else day.isoformat()
    return redirect(url_for(".page", day=earlier_day, pressed="" if new_attempt else None), 303)


def load_attempt(day: date, current_day: date) -> tuple[Days, DayAttempt]:
    """Return the player's days and the attempt at `day` or, if it is not open, at today's board."""
    days = load_days_for_board(day, current_day)
    if attempt := days.attempt(day):
        return days, attempt
    days = load_days_up_to(current_day)
    return days, days.latest


def get_day() -> date | None:
    """Return the day named in a form or an address, or None; refuse anything but a date."""
    text = get_single(request.values, "day")
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        abort(400, "day must be a date such as 2026-11-23.")
