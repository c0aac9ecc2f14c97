"""Today: one board a day, the same for everybody, played to its end, and the days running."""

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
from teach.practice.moves import SHOW, answer
from teach.today import Day, board_of, day_after, luck
from web.site.cells import cells_of
from web.site.forms import chosen, lead_to_known, one, required
from web.site.right_move import found_on, to_press

today = Blueprint("today", __name__)

WEEK = 7  # days in the row of squares

Went = Literal["", "found", "shown"]


class Tried(NamedTuple):
    """Hold a day, its presses, and how many days before, `earlier`, were each found at first try.

    The presses are squares, as digits in their order, and at most one `s` at the end.
    """

    day: date
    presses: str = ""
    earlier: int = 0

    @property
    def game(self) -> Day:
        """Return the game of the day as far as the presses go."""
        return day_after(board_of(self.day), self.presses)

    @property
    def running(self) -> int:
        """Count the days running: with this day once found at first try, 0 after a wrong press."""
        game = self.game
        if game.wrong or game.at.shown:
            return 0
        return self.earlier + game.is_over


class Door(NamedTuple):
    """Hold what leads to the page: whether today is won or held, how it went, the days running."""

    wins: bool
    went: Went
    running: int


def door() -> Door:
    """Return what the first screen says of today."""
    at = tried(now_day())
    went: Went = "" if not at.game.is_over else "shown" if at.game.at.shown else "found"
    return Door(score(board_of(at.day)) > 0, went, at.running)


@today.get("/today")
def page() -> str:
    """Show the board of today, or of yesterday where the address says so and it is still open."""
    lead_to_known("day")
    now, asked = now_day(), given_day()
    day = asked if asked and is_open(asked) else now
    at, board = tried(day), board_of(day)
    game = at.game
    answered = answer(game.position, game.at.wrong[-1]) if game.at.wrong else None
    last = game.last if game.reply is None else game.reply
    if game.at.shown:
        cells = found_on(game.at)
    else:
        cells = cells_of(game.position, last) if game.is_over else to_press(game.at, answered, last)
    return render_template(
        "today/page.html",
        at=at,
        it=game,
        cells=cells,
        answer=answered,
        you=board.turn,
        wins=score(board) > 0,
        luck=luck(board, board.turn),
        week=week(at),
        date=f"{day.day} {day:%B}",
        is_past=day < now,
        moved_on=asked not in (None, day),
    )


@today.post("/today")
def press() -> ResponseReturnValue:
    """Judge a square for a day; a press that changes nothing is lost.

    A board that somebody began before midnight may be pressed after; any older day shows today's.
    """
    day = required(given_day(), "day")
    square = required(chosen(request.form, "square", (*"012345678", SHOW)), "square")
    if is_open(day) and (after := pressed(tried(day), square)):
        session["day"] = [after.day.isoformat(), after.presses, after.earlier]
        session.pop("today", None)
        session.permanent = True
    return redirect(url_for(".page", day=None if day == now_day() else day.isoformat()), 303)


def week(at: Tried) -> list[tuple[str, str]]:
    """Return the initial of each of the last seven days, and its class: today's, then `found` each.

    Today is `struck` where it was shown, `new` where it was found at the first try; else `asked`,
    as a day found later ends the run, but is not missed.
    """
    came = "struck" if at.game.at.shown else "new" if at.game.is_first_try else "asked"
    looks = [came, *["found"] * min(at.earlier, WEEK - 1)]
    looks += [""] * (WEEK - len(looks))
    initials = [f"{at.day - timedelta(ago):%a}"[0] for ago in range(WEEK)]
    return [*zip(initials, looks, strict=True)][::-1]


def pressed(at: Tried, press: str) -> Tried | None:
    """Return the day after another press, None where the board offers no such press."""
    judged = at.game.at
    presses = at.presses + press
    if press != SHOW and int(press) in judged.wrong:  # which is told again
        before = at.presses.removesuffix("".join(map(str, judged.wrong)))
        presses = before + judged.again(int(press))
    try:
        day_after(board_of(at.day), presses)
    except ValueError:
        return None
    return at._replace(presses=presses)


def is_open(day: date) -> bool:
    """Say whether a day may be tried: today, or yesterday unless today has been tried."""
    now = now_day()
    return day == now or (day == now - timedelta(1) and not tried(now).presses)


def tried(day: date) -> Tried:
    """Return a day as the session has it; one never tried goes on from the day before."""
    at = kept()
    if at and at.day == day:
        return at
    if at and at.day == day - timedelta(1):
        return Tried(day, earlier=at.running if at.game.is_over else 0)
    return Tried(day, earlier=0 if at else before_games(day))


def kept() -> Tried | None:
    """Return the day last tried, None where the session holds none that can be read."""
    try:
        day, presses, earlier = session["day"]
        at = Tried(date.fromisoformat(day), presses, earlier)
        is_read = isinstance(presses, str) and bool(presses) and bool(at.game)
    except (KeyError, TypeError, ValueError):
        return None
    is_count = type(earlier) is int and earlier >= 0
    return at if is_read and is_count and at.day <= now_day() else None


def before_games(day: date) -> int:
    """Return the days running up to the day before, as kept while a day was a single press.

    Of such a day, date and count are read; a day tried so may be played once more, as a game.
    """
    try:
        last, _, running = session["today"]
        since = day - date.fromisoformat(last)
    except (KeyError, TypeError, ValueError):
        return 0
    if type(running) is not int or running < 0:
        return 0
    return {0: max(running - 1, 0), 1: running}.get(since.days, 0)


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
