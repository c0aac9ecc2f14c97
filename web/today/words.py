"""What Today says: of the board of a day, of how it went, and of the streak."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from engine.position import SQUARE_NAMES, Position
from engine.search import score
from teach.puzzles.moves import SHOW
from teach.today import board_of, game_after, luck
from web.today.days import DayAttempt, Days, Tile
from web.view.words import counted, nth, number, upper


class Door(NamedTuple):
    """What the first page shows of today's board."""

    board: Position
    date: str
    label: str
    note: str


def door(days: Days, time_left: str) -> Door:
    """Return what the first page shows of the latest board: what it asks, or how it went."""
    at = days.latest
    game, wins = at.game, is_winnable(at)
    found = "✓ Beaten" if wins else "✓ Stopped"
    asks = "Beat me" if wins else "Stop me"
    label = asks if not game.is_over else "Shown" if game.at.shown else found
    wait = f"Next in {time_left}" if game.is_over else ""
    today = f"Today, {at.day:%b}\N{NO-BREAK SPACE}{at.day.day}"
    return Door(game.position, today, label, streak(days) or wait)


def is_winnable(at: DayAttempt) -> bool:
    """Return whether the board of the day can be won; otherwise a draw is asked for."""
    return score(board_of(at.day)) > 0


def day_name(at: DayAttempt, today: date) -> str:
    """Return the day of a board: `Today`, or the day of the week."""
    return "Today" if at.day == today else f"{at.day:%A}"


def request(at: DayAttempt, today: date, is_new: bool = False) -> str:
    """Return what is asked: first of all, and after each right square.

    A board `is_new` if the reader comes from that of another day.
    """
    day, wins = at.game, is_winnable(at)
    right_count, free_count = len(day.at.kept), len(day.position.legal_moves())
    if day.last is None:
        does = "beat" if wins else "stop"
        asks = f"Today you can {does} me."
        if at.day != today:
            asks = f"{day_name(at, today)}: {does} me."
        return f"{'A new day, a new board.' if is_new else asks} One square does it."
    if free_count == 1:
        return "Right. One square is left."
    if right_count == free_count:
        return "Right. Now any square does it."
    return f"Right. Now {counted(right_count, 'square')} {'does' if right_count == 1 else 'do'} it."


def verdict(at: DayAttempt) -> str:
    """Return how the day ended, in two or three words."""
    if at.game.at.shown and at.game.at.found is not None:
        return f"{upper(SQUARE_NAMES[at.game.at.found])}."
    return "You beat me." if is_winnable(at) else "You stopped me."


def explanation(at: DayAttempt, today: date) -> str:
    """Return on which try the square was found, and how often guessing finds it."""
    if at.game.at.shown:
        return f"Shown, not found.{' Tomorrow, then.' if at.day == today else ''}"
    if at.game.wrong:
        return f"Found on the {nth(at.game.wrong + 1)} try."
    board = board_of(at.day)
    chance = luck(board, board.turn)
    often = counted(chance.numerator, "time")
    return f"First try. Guessing works {often} in {number(chance.denominator)}."


def note(at: DayAttempt, today: date, time_left: str) -> str:
    """Return what stands below the week: the side, and once today is over what comes next."""
    if not at.game.is_over:
        return f"You are {board_of(at.day).turn}."
    return f"Next board in {time_left}" if at.day == today else ""


def streak(days: Days) -> str:
    """Return the streak, from two days on; otherwise empty."""
    return f"{days.streak}-day streak" if days.streak > 1 else ""


def tile_label(tile: Tile) -> str:
    """Return a day of the week and how it went, for a screen reader."""
    went = {"f": "first try", "l": "found later", "s": "shown", "-": "not played", "": "to come"}
    return f"{tile.day:%A}: {went[tile.letter]}"


def shared(at: DayAttempt, days: Days) -> str:
    """Return the two lines to send, which give nothing away: a square a press."""
    game, does = at.game, "beat" if is_winnable(at) else "stopped"
    went = "it got me." if game.at.shown else f"I {does} it."
    row = ", ".join(filter(None, [f"{upper(nth(game.wrong + 1))} try", streak(days)]))
    row = "Can you find it?" if game.at.shown else row
    return f"Tic-tac-toe, {short_date(at.day)}: {went}\n{emoji_presses(at)} {row}"


def emoji_presses(at: DayAttempt) -> str:
    """Return a square for each press: blue if right, orange if answered, white if shown.

    >>> emoji_presses(DayAttempt(date(2026, 11, 28), "s"))
    '⬜'
    """
    board = board_of(at.day)
    wrong = [game_after(board, at.presses[:n]).wrong for n in range(len(at.presses) + 1)]
    return "".join(
        "⬜" if press == SHOW else "🟧" if wrong[n + 1] > wrong[n] else "🟦"
        for n, press in enumerate(at.presses)
    )


def short_date(day: date) -> str:
    """Return a day as the pages name it: `Nov 28`."""
    return f"{day:%b} {day.day}"
