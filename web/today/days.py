"""The days of a player: the attempts at their boards, the streak, and which day is today."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from flask import current_app, session

from teach.puzzles.moves import SHOW
from teach.today import DailyGame, board_of, game_after

WEEK = 7  # days in the row of tiles

# How a day went.
Letter = Literal[
    "f",  # solved on the first try, without a wrong square
    "l",  # solved later, after a wrong square
    "s",  # a square was shown
    "-",  # not played to the end
]


class DayAttempt(NamedTuple):
    """A player's attempt at the board of the day."""

    day: date
    presses: str = ""  # the squares pressed, as digits; `s` at the end if Show me was pressed

    @property
    def game(self) -> DailyGame:
        """The game of the day after these presses."""
        return game_after(board_of(self.day), self.presses)

    @property
    def letter(self) -> Letter:
        """How the day went."""
        if not self.game.is_over:
            return "-"
        if self.game.puzzle.is_shown:
            return "s"
        return "f" if self.game.is_flawless else "l"

    def after(self, press: str) -> DayAttempt | None:
        """Return the attempt after another press, or None if that press is not possible now."""
        puzzle = self.game.puzzle
        presses = self.presses + press
        # A wrong square pressed again becomes the last one, so its refutation is shown again.
        if press != SHOW and int(press) in puzzle.wrong_squares:
            earlier_presses = self.presses.removesuffix("".join(map(str, puzzle.wrong_squares)))
            presses = earlier_presses + puzzle.wrong_presses_ending_with(int(press))
        try:
            game_after(board_of(self.day), presses)
        except ValueError:
            return None
        return self._replace(presses=presses)


class Days(NamedTuple):
    """The days of a player: the latest one that was or can be played, and those before it."""

    latest: DayAttempt
    streak_before: int = 0  # consecutive days solved, not counting the latest
    earlier_letters: str = ""  # a Letter for each day, the most recent first; at most six
    last_press_hour: int = 0  # of the last press on the latest board, in hours since 1970
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
        """Return how a day went; `-` for a day after the latest.

        Raises IndexError for a day before `first_day`.
        """
        days_ago = (self.latest.day - day).days
        if days_ago < 0:
            return "-"
        return self.earlier_letters[days_ago - 1] if days_ago else self.latest.letter

    def advanced_to(self, today: date) -> Days:
        """Return the days with `today` as the latest; the streak continues from the day before.

        Days are in UTC. Where midnight UTC falls in the evening, a player who plays one morning and
        the next evening skips a day in UTC. So the streak also continues from two days before, if
        less than 48 hours have passed.
        """
        previous, gap_in_days = self.latest, (today - self.latest.day).days
        if gap_in_days == 0:
            return self
        if gap_in_days < 0:  # a clock was more than a day fast
            return Days(DayAttempt(today), self.streak)
        hours_passed = hours_since_1970(now()) - self.last_press_hour
        is_next_day = gap_in_days == 1 or (gap_in_days == 2 and hours_passed < 48)
        letters = "-" * (gap_in_days - 1) + previous.letter + self.earlier_letters
        is_unfinished = bool(previous.presses) and not previous.game.is_over
        return Days(
            DayAttempt(today),
            streak_before=self.streak if is_next_day and previous.game.is_over else 0,
            earlier_letters=letters[: WEEK - 1],
            earlier_attempt=previous if is_unfinished else self.earlier_attempt,
        )

    def attempt(self, day: date) -> DayAttempt | None:
        """Return the attempt at a day, or None if that day cannot be played."""
        if day == self.latest.day:
            return self.latest
        if self.earlier_attempt and day == self.earlier_attempt.day:
            return self.earlier_attempt
        is_open = self.first_day <= day < self.latest.day and self.letter_of(day) == "-"
        return DayAttempt(day) if is_open else None

    def with_attempt(self, attempt: DayAttempt) -> Days:
        """Return the days with a new attempt at one of them.

        An attempt at an earlier day changes that day's letter, but never the streak.
        """
        if attempt.day == self.latest.day:
            return self._replace(latest=attempt, last_press_hour=hours_since_1970(now()))
        index = (self.latest.day - attempt.day).days - 1
        letters = self.earlier_letters[:index] + attempt.letter + self.earlier_letters[index + 1 :]
        return self._replace(earlier_letters=letters, earlier_attempt=attempt)


class Tile(NamedTuple):
    """A day in the row of seven."""

    day: date
    letter: str  # how it went, as a Letter; empty for a day to come
    is_in_view: bool  # whether the page shows its board
    has_link: bool  # whether a click leads to its board


def week(days: Days, today: date, day_in_view: date) -> list[Tile]:
    """Return the seven tiles from `first_day`, or from six days ago if that is later."""
    first_day = max(days.first_day, today - timedelta(WEEK - 1))
    return [
        Tile(
            day=day,
            letter=days.letter_of(day) if day <= today else "",
            is_in_view=day == day_in_view,
            has_link=day != day_in_view and day <= today and days.letter_of(day) == "-",
        )
        for day in (first_day + timedelta(n) for n in range(WEEK))
    ]


def today_for_player() -> date:
    """Return today's date in UTC.

    If the player's latest day is tomorrow, the clock must be slow, so today is that day.
    """
    days, day = load_days(), now().date()
    tomorrow = day + timedelta(1)
    return tomorrow if days and days.latest.day == tomorrow else day


def load_days_up_to(today: date) -> Days:
    """Return the player's days with `today` as the latest."""
    days = load_days()
    return days.advanced_to(today) if days else Days(DayAttempt(today))


def load_days_for_board(day: date, today: date) -> Days:
    """Return the player's days for a page or a click about the board of `day`.

    Yesterday's board stays the latest if it was started before midnight, so that it still counts.
    """
    days = load_days()
    if days and (day < days.latest.day or day == days.latest.day == today - timedelta(1)):
        return days
    return load_days_up_to(today)


def save_days(days: Days) -> None:
    """Save a player's days to the session."""
    latest, earlier = days.latest, days.earlier_attempt
    session["day"] = [
        latest.day.isoformat(),
        latest.presses,
        days.streak_before,
        days.earlier_letters,
        days.last_press_hour,
        [earlier.day.isoformat(), earlier.presses] if earlier else None,
    ]
    session.permanent = True  # so that the cookie outlives the browser's window


def load_days() -> Days | None:
    """Return a player's days, or None if the session has none that are valid."""
    try:
        day, presses, streak_before, letters, hour, earlier = session["day"]
        earlier_attempt = _parse_attempt(*earlier) if earlier else None
        days = Days(_parse_attempt(day, presses), streak_before, letters, hour, earlier_attempt)
        has_valid_letters = re.fullmatch("[fls-]{0,6}", letters) is not None
    except (KeyError, TypeError, ValueError):
        return None
    has_valid_counts = all(type(count) is int and count >= 0 for count in (streak_before, hour))
    # Days are saved after a press, on the latest board or on an earlier one.
    if earlier_attempt:
        is_earlier = earlier_attempt.day < days.latest.day
        has_valid_attempts = bool(earlier_attempt.presses) and is_earlier
    else:
        has_valid_attempts = bool(presses)
    return days if has_valid_letters and has_valid_counts and has_valid_attempts else None


def _parse_attempt(day: str, presses: str) -> DayAttempt:
    """Parse an attempt. Raises ValueError or TypeError if there cannot be such an attempt."""
    if not isinstance(presses, str):
        raise TypeError("presses must be text")
    attempt = DayAttempt(date.fromisoformat(day), presses)
    game_after(board_of(attempt.day), presses)
    return attempt


def time_left() -> str:
    """Return the time until the next board, as text: `5 hr` or `20 min`."""
    minutes = 24 * 60 - now().hour * 60 - now().minute
    return f"{minutes // 60} hr" if minutes >= 60 else f"{minutes} min"


def hours_since_1970(moment: datetime) -> int:
    """Return the whole hours from the start of 1970 to a moment."""
    return int(moment.timestamp()) // 3600


def now() -> datetime:
    """Return the current time in UTC."""
    moment: datetime = current_app.config["NOW"]()
    return moment
