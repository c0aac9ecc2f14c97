"""What Today says about the board of the day, how it went, and the streak."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from engine.position import SQUARE_NAMES, Position
from engine.search import score
from teach.puzzles.moves import SHOW
from teach.today import board_of, game_after
from web.today.days import DayAttempt, Days, Tile
from web.view.words import capitalized, counted, nth


class TodayLink(NamedTuple):
    """The link to today's board on the first page."""

    board: Position
    date: str
    label: str
    note: str


def today_link(days: Days, time_left: str) -> TodayLink:
    """Return the link to the latest board, labeled with the request or with how the day went."""
    attempt = days.latest
    game, can_win = attempt.game, is_winnable(attempt)
    request = "Beat me" if can_win else "Stop me"
    result = "Shown" if game.puzzle.is_shown else "✓ You won" if can_win else "✓ A draw"
    wait = f"Next in {time_left}" if game.is_over else ""
    return TodayLink(
        board=game.position,
        date=f"Today, {attempt.day:%b}\N{NO-BREAK SPACE}{attempt.day.day}",
        label=result if game.is_over else request,
        note=streak(days) or wait,
    )


def is_winnable(attempt: DayAttempt) -> bool:
    """Return whether the board of the day can be won; otherwise the request is a draw."""
    return score(board_of(attempt.day)) > 0


def day_name(attempt: DayAttempt, today: date) -> str:
    """Return the day of a board: `Today`, or the day of the week."""
    return "Today" if attempt.day == today else f"{attempt.day:%A}"


def request(attempt: DayAttempt, today: date, is_substitute: bool = False) -> str:
    """Return the request: at the start, and after each right square.

    If `is_substitute`, the day asked for is not open, so this is today's board in its place.
    """
    game, can_win = attempt.game, is_winnable(attempt)
    right_count, free_count = len(game.puzzle.right_squares), len(game.position.legal_moves())
    if game.last_square is None:
        verb = "beat" if can_win else "stop"
        sentence = f"Today you can {verb} me."
        if attempt.day != today:
            sentence = f"{day_name(attempt, today)}’s board: {verb} me."
        return f"{'A new day, a new board.' if is_substitute else sentence} Only one square works."
    if free_count == 1:
        return "Right. One square is left."
    if right_count == free_count:
        return "Right. Now any square works."
    if right_count == 1:
        return "Right. Now only one square works."
    return f"Right. Now {counted(right_count, 'square')} work."


def verdict(attempt: DayAttempt) -> str:
    """Return how the day ended: who won or was stopped, or the square if it was shown."""
    if attempt.game.puzzle.is_shown and attempt.game.puzzle.found_square is not None:
        return f"{capitalized(SQUARE_NAMES[attempt.game.puzzle.found_square])}."
    return "You beat me." if is_winnable(attempt) else "You stopped me."


def explanation(attempt: DayAttempt, today: date) -> str:
    """Return on which try the square was found, or that it was shown."""
    if attempt.game.puzzle.is_shown:
        return f"I had to show you.{' Try again tomorrow.' if attempt.day == today else ''}"
    if attempt.game.wrong_count:
        return f"You found it on the {nth(attempt.game.wrong_count + 1)} try."
    return "First try. I hoped you would miss it."


def week_note(attempt: DayAttempt, today: date, time_left: str) -> str:
    """Return the player's side, or after today's board the time until the next; otherwise empty."""
    if not attempt.game.is_over:
        return f"You are {board_of(attempt.day).turn}."
    return f"Next board in {time_left}" if attempt.day == today else ""


def streak(days: Days) -> str:
    """Return the streak as text; empty if it is shorter than two days."""
    return f"{days.streak}-day streak" if days.streak > 1 else ""


def tile_label(tile: Tile) -> str:
    """Return a day of the week and how it went, for a screen reader."""
    results = {"f": "first try", "l": "found later", "s": "shown", "-": "not played", "": "to come"}
    return f"{tile.day:%A}: {results[tile.letter]}"


def share_text(attempt: DayAttempt, days: Days) -> str:
    """Return the two lines to send, which give nothing away: one emoji per guess."""
    game, verb = attempt.game, "beat" if is_winnable(attempt) else "stopped"
    result = "it got me." if game.puzzle.is_shown else f"I {verb} it."
    row = ", ".join(filter(None, [f"{capitalized(nth(game.wrong_count + 1))} try", streak(days)]))
    row = "Can you find it?" if game.puzzle.is_shown else row
    return f"Tic-tac-toe, {short_date(attempt.day)}: {result}\n{emoji_presses(attempt)} {row}"


def emoji_presses(attempt: DayAttempt) -> str:
    """Return a square for each guess: blue if right, orange if wrong, white if shown.

    >>> emoji_presses(DayAttempt(date(2026, 11, 28), "s"))
    '⬜'
    """
    board = board_of(attempt.day)
    wrong = [
        game_after(board, attempt.presses[:n]).wrong_count for n in range(len(attempt.presses) + 1)
    ]
    return "".join(
        "⬜" if press == SHOW else "🟧" if wrong[n + 1] > wrong[n] else "🟦"
        for n, press in enumerate(attempt.presses)
    )


def short_date(day: date) -> str:
    """Return a day as the pages name it: `Nov 28`."""
    return f"{day:%b} {day.day}"
