"""A player's days: the attempt at a board of the day, the streak, and which day it is."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import NamedTuple

from flask import current_app, session

from teach.puzzles.moves import SHOW
from teach.today import DailyGame, board_of, game_after

WEEK = 7  # days in the row of squares


class DayAttempt(NamedTuple):
    """A player's attempt at the board of a day."""

    day: date
    presses: str = ""  # squares in their order, at most one `s` (show me) at the end
    streak_before: int = 0  # days found at the first try up to this one
    days_before: str = ""  # a letter a day, the latest first, at most six: f, l, s or -
    hour: int = 0  # of the last press, since 1970

    @property
    def game(self) -> DailyGame:
        """The game of the day as far as the presses go."""
        return game_after(board_of(self.day), self.presses)

    @property
    def streak(self) -> int:
        """The days in a row found at the first try; this day counts once it is found."""
        game = self.game
        if game.wrong or game.at.shown:
            return 0
        return self.streak_before + game.is_over

    @property
    def letter(self) -> str:
        """How the day went: f found at the first try, l later, s shown, - not to the end."""
        if not self.game.is_over:
            return "-"
        return "s" if self.game.at.shown else "f" if self.game.is_first_try else "l"


def week(at: DayAttempt) -> list[tuple[str, str]]:
    """Return the initial of each of the last seven days, and the class of its square."""
    came = "struck" if at.game.at.shown else "new" if at.game.is_first_try else "asked"
    looks = [came, *({"f": "found", "s": "struck"}.get(letter, "") for letter in at.days_before)]
    looks += [""] * (WEEK - len(looks))
    initials = [f"{at.day - timedelta(ago):%a}"[0] for ago in range(WEEK)]
    return [*zip(initials, looks, strict=True)][::-1]


def pressed(at: DayAttempt, press: str) -> DayAttempt | None:
    """Return the attempt after another press, or None if the board offers no such press."""
    judged = at.game.at
    presses = at.presses + press
    if press != SHOW and int(press) in judged.wrong:  # its answer is shown again
        before = at.presses.removesuffix("".join(map(str, judged.wrong)))
        presses = before + judged.again(int(press))
    try:
        game_after(board_of(at.day), presses)
    except ValueError:
        return None
    return at._replace(presses=presses, hour=hours(now()))


def is_open(day: date) -> bool:
    """Return whether a day can be pressed: today, or yesterday if it was begun in time.

    Any other past day would change a streak afterward.
    """
    if day == today_for_player():
        return True
    at = load_attempt()
    return at is not None and at.day == day == today_for_player() - timedelta(1)


def today_for_player() -> date:
    """Return the day it is by UTC, or the kept day if a slow clock makes that tomorrow."""
    at, day = load_attempt(), now().date()
    return at.day if at and at.day == day + timedelta(1) else day


def attempt_on(day: date) -> DayAttempt:
    """Return a player's attempt at a day; one not begun continues the streak of the last.

    That was the day before, by UTC. If a player's evening is after midnight by UTC, two days in a
    row for the player may be two days apart by UTC, but less than 48 hours.
    """
    at = load_attempt()
    if at is None or at.day == day:
        return at or DayAttempt(day)
    gap = (day - at.day).days
    if gap < 0:  # a clock was more than a day fast
        return DayAttempt(day, streak_before=at.streak)
    follows = gap == 1 or (gap == 2 and hours(now()) - at.hour < 48)
    return DayAttempt(
        day,
        streak_before=at.streak if follows and at.game.is_over else 0,
        days_before=("-" * (gap - 1) + at.letter + at.days_before)[: WEEK - 1],
    )


def load_attempt() -> DayAttempt | None:
    """Return the last attempt, or None if the session has none that can be read."""
    try:
        day, presses, streak, days, hour = session["day"]
        at = DayAttempt(date.fromisoformat(day), presses, streak, days, hour)
        is_read = isinstance(presses, str) and bool(presses) and bool(at.game)
        is_read = is_read and bool(re.fullmatch("[fls-]{0,6}", days))
    except (KeyError, TypeError, ValueError):
        return None
    are_counts = all(type(count) is int and count >= 0 for count in (streak, hour))
    return at if is_read and are_counts else None


def time_left() -> str:
    """Return how long it is until the next board: `5 h` or `20 min`."""
    minutes = 24 * 60 - now().hour * 60 - now().minute
    return f"{minutes // 60} h" if minutes >= 60 else f"{minutes} min"


def hours(moment: datetime) -> int:
    """Return a moment in hours since 1970."""
    return int(moment.timestamp()) // 3600


def now() -> datetime:
    """Return the moment it is, by UTC."""
    moment: datetime = current_app.config["NOW"]()
    return moment
