"""Today's square: one board a day, the same for everybody, and the days running of each."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal, NamedTuple

from flask import (
    Blueprint,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from engine.search import score
from teach.practice.moves import find
from teach.today import board_of
from web.site.forms import chosen, lead_to_known, one, required
from web.site.right_move import on_the_board

today = Blueprint("today", __name__)

SHOWN = "s"  # pressed in place of a square: Show me


Went = Literal["", "new", "found", "shown"]


class Tried(NamedTuple):
    """Hold the day last tried, the presses, and how many days running the first press was right.

    The presses are squares, as digits in their order, and at most one `s` at the end.
    """

    day: date
    presses: str = ""
    running: int = 0


class Door(NamedTuple):
    """Hold what leads to the page: whether today's square wins or holds, and how today went.

    A square is `new` to whoever tried one of a day before; `wrong` presses came before the right.
    """

    wins: bool
    went: Went
    running: int
    wrong: int = 0


def door() -> Door:
    """Return what the first screen says of today."""
    day, at = now_day(), tried()
    wins = score(board_of(day)) > 0
    if not at or at.day < day:
        return Door(wins, "new" if at else "", running(day, at))
    judged = find(board_of(day), at.presses)
    went: Went = "" if judged.found is None else "shown" if SHOWN in at.presses else "found"
    return Door(wins, went, at.running, len(judged.wrong))


@today.get("/today")
def page() -> str:
    """Show the board of today, or of yesterday where the address says so."""
    lead_to_known("day")
    now, asked, before = now_day(), given_day(), tried()
    day = asked if asked and is_open(asked, before) else now
    at = before if before and before.day == day else Tried(day)
    judged = find(board_of(day), at.presses)
    return render_template(
        "today/page.html",
        at=at,
        date=f"{day.day} {day:%B}",
        is_past=day < now,
        moved_on=asked not in (None, day),
        position=board_of(day),
        it=judged,
        presses=at.presses,
        **on_the_board(board_of(day), judged, SHOWN in at.presses),
    )


@today.post("/today")
def press() -> ResponseReturnValue:
    """Judge a square for a day. Only the first press counts; a press that changes nothing is lost.

    A board that somebody began before midnight may be pressed after; any older day shows today's.
    """
    day = required(given_day(), "day")
    square = required(chosen(request.form, "square", (*"012345678", SHOWN)), "square")
    before = tried()
    if is_open(day, before):
        at = before if before and before.day == day else Tried(day, running=running(day, before))
        if after := pressed(at, square):
            session["today"] = [after.day.isoformat(), after.presses, after.running]
            session.permanent = True
    return redirect(url_for(".page", day=None if day == now_day() else day.isoformat()), 303)


def running(day: date, before: Tried | None) -> int:
    """Return how many days running the first press was right, up to the day before `day`."""
    return before.running if before and before.day == day - timedelta(1) else 0


def pressed(at: Tried, square: str) -> Tried | None:
    """Return the day after another press, None where the board offers no such press."""
    try:
        judged = find(board_of(at.day), at.presses + square)
    except ValueError:
        return None
    first_is_right = judged.found is not None and square != SHOWN
    run = at.running if at.presses else at.running + 1 if first_is_right else 0
    return Tried(at.day, at.presses + square, run)


def is_open(day: date, before: Tried | None) -> bool:
    """Say whether a day may be tried: today, or yesterday unless today has been tried."""
    since = now_day() - timedelta(1)
    return max(since, before.day if before else since) <= day <= now_day()


def tried() -> Tried | None:
    """Return the day last tried, None where the session holds none that can be read."""
    try:
        day, presses, running = session["today"]
        at = Tried(date.fromisoformat(day), presses, running)
        find(board_of(at.day), at.presses)
    except (KeyError, TypeError, ValueError):
        return None
    return at if at.presses and at.day <= now_day() and type(running) is int else None


def given_day() -> date | None:
    """Return the day that a form or an address names, None where left out; refuse nonsense."""
    text = one(request.values, "day")
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        abort(400, "day is a date such as 2026-11-23.")


def now_day() -> date:
    """Return the day it is, by UTC."""
    day: date = current_app.config["TODAY"]()
    return day
