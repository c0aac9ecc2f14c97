"""A player's days: the attempts at their boards, the streak, and which day it is."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from flask import current_app, session

from teach.puzzles.moves import SHOW
from teach.today import DailyGame, board_of, game_after

WEEK = 7  # days in the row of tiles

# How a day went, as a letter: found on the first try, later, shown, or not played to the end.
Letter = Literal["f", "l", "s", "-"]


class DayAttempt(NamedTuple):
    """A player's attempt at the board of the day."""

    day: date
    presses: str = ""  # squares in their order, at most one `s` (show me) at the end

    @property
    def game(self) -> DailyGame:
        """The game of the day after these presses."""
        return game_after(board_of(self.day), self.presses)

    @property
    def letter(self) -> Letter:
        """How the day went."""
        if not self.game.is_over:
            return "-"
        return "s" if self.game.puzzle.is_shown else "f" if self.game.is_flawless else "l"

    def after(self, press: str) -> DayAttempt | None:
        """Return the attempt after another press, or None if the press is not possible then."""
        puzzle = self.game.puzzle
        presses = self.presses + press
        # A wrong square pressed again becomes the last one, so its refutation is shown again.
        if press != SHOW and int(press) in puzzle.wrong_squares:
            before = self.presses.removesuffix("".join(map(str, puzzle.wrong_squares)))
            presses = before + puzzle.presses_with(int(press))
        try:
            game_after(board_of(self.day), presses)
        except ValueError:
            return None
        return self._replace(presses=presses)


class Days(NamedTuple):
    """A player's days, up to the latest that was played or is to be played."""

    latest: DayAttempt
    streak_before: int = 0  # consecutive days solved, not counting the latest
    earlier_letters: str = ""  # a letter a day, the most recent first; at most six
    last_press_hour: int = 0  # hours since 1970, on the latest board
    earlier_attempt: DayAttempt | None = None  # the last attempt at an earlier day

    @property
    def streak(self) -> int:
        """The number of consecutive days solved, on any try; the latest counts once solved."""
        game = self.latest.game
        return 0 if game.puzzle.is_shown else self.streak_before + game.is_over

    @property
    def first_day(self) -> date:
        """The earliest day that is kept."""
        return self.latest.day - timedelta(len(self.earlier_letters))

    def letter_of(self, day: date) -> str:
        """Return how a day went."""
        ago = (self.latest.day - day).days
        return self.latest.letter if not ago else self.earlier_letters[ago - 1] if ago > 0 else "-"

    def advanced_to(self, today: date) -> Days:
        """Return the days with `today` as the latest; the streak continues from the day before.

        Days are in UTC. If evenings fall after midnight UTC, two consecutive local days can be two
        UTC days apart, but less than 48 hours.
        """
        before, gap = self.latest, (today - self.latest.day).days
        if gap == 0:
            return self
        if gap < 0:  # a clock was more than a day fast
            return Days(DayAttempt(today), self.streak)
        follows = gap == 1 or (gap == 2 and hours_since_1970(now()) - self.last_press_hour < 48)
        return Days(
            DayAttempt(today),
            streak_before=self.streak if follows and before.game.is_over else 0,
            earlier_letters=("-" * (gap - 1) + before.letter + self.earlier_letters)[: WEEK - 1],
            earlier_attempt=(
                self.earlier_attempt if before.game.is_over or not before.presses else before
            ),
        )

    def attempt(self, day: date) -> DayAttempt | None:
        """Return the attempt at a day, or None if the day cannot be played or is not kept."""
        if day == self.latest.day:
            return self.latest
        if self.earlier_attempt and day == self.earlier_attempt.day:
            return self.earlier_attempt
        is_open = self.first_day <= day < self.latest.day and self.letter_of(day) == "-"
        return DayAttempt(day) if is_open else None

    def with_attempt(self, attempt: DayAttempt) -> Days:
        """Return the days after a click; an earlier day changes its letter, never the streak."""
        if attempt.day == self.latest.day:
            return self._replace(latest=attempt, last_press_hour=hours_since_1970(now()))
        index = (self.latest.day - attempt.day).days - 1
        letters = self.earlier_letters[:index] + attempt.letter + self.earlier_letters[index + 1 :]
        return self._replace(earlier_letters=letters, earlier_attempt=attempt)


class Tile(NamedTuple):
    """A day in the row of seven."""

    day: date
    letter: str  # how it went; empty for a day to come
    is_in_view: bool  # whether its board is the one in view
    is_open: bool  # whether a click leads to its board


def week(days: Days, today: date, in_view: date) -> list[Tile]:
    """Return seven days, from the first one played, but no earlier than six days ago."""
    first = max(days.first_day, today - timedelta(WEEK - 1))
    row = [first + timedelta(n) for n in range(WEEK)]
    return [
        Tile(
            day=day,
            letter=days.letter_of(day) if day <= today else "",
            is_in_view=day == in_view,
            is_open=day != in_view and day <= today and days.letter_of(day) == "-",
        )
        for day in row
    ]


def today_for_player() -> date:
    """Return today's date in UTC, or the latest kept day if a slow clock puts it in the future."""
    days, day = load_days(), now().date()
    return days.latest.day if days and days.latest.day == day + timedelta(1) else day


def load_days_up_to(today: date) -> Days:
    """Return the player's days with `today` as the latest."""
    days = load_days()
    return days.advanced_to(today) if days else Days(DayAttempt(today))


def load_days_for_board(day: date, today: date) -> Days:
    """Return the player's days for a click on the board of `day`.

    If it was started before midnight, its day is still the latest.
    """
    days = load_days()
    if days and (day < days.latest.day or day == days.latest.day == today - timedelta(1)):
        return days
    return load_days_up_to(today)


def save_days(days: Days) -> None:
    """Save a player's days to the session."""
    latest, earlier = days.latest, days.earlier_attempt
    session["day"] = [
        *(latest.day.isoformat(), latest.presses, *days[1:4]),
        [earlier.day.isoformat(), earlier.presses] if earlier else None,
    ]
    session.permanent = True


def load_days() -> Days | None:
    """Return a player's days, or None if the session has none that are valid."""
    try:
        day, presses, streak, letters, hour, earlier = session["day"]
        days = Days(_parse_attempt(day, presses), streak, letters, hour)
        is_valid = bool(re.fullmatch("[fls-]{0,6}", letters)) and bool(presses or earlier)
        if earlier:
            attempt = _parse_attempt(*earlier)
            days = days._replace(earlier_attempt=attempt)
            is_valid = is_valid and bool(attempt.presses) and attempt.day < days.latest.day
    except (KeyError, TypeError, ValueError):
        return None
    has_valid_counts = all(type(count) is int and count >= 0 for count in (streak, hour))
    return days if is_valid and has_valid_counts else None


def _parse_attempt(day: str, presses: str) -> DayAttempt:
    """Parse an attempt. Raises ValueError if a press is not possible, TypeError if not text."""
    if not isinstance(presses, str):
        raise TypeError("presses must be text")
    attempt = DayAttempt(date.fromisoformat(day), presses)
    game_after(board_of(attempt.day), presses)
    return attempt


def time_left() -> str:
    """Return how long it is until the next board: `5 hr` or `20 min`."""
    minutes = 24 * 60 - now().hour * 60 - now().minute
    return f"{minutes // 60} hr" if minutes >= 60 else f"{minutes} min"


def hours_since_1970(moment: datetime) -> int:
    """Return the whole hours from 1970 to a moment."""
    return int(moment.timestamp()) // 3600


def now() -> datetime:
    """Return the current time in UTC."""
    moment: datetime = current_app.config["NOW"]()
    return moment
