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
    label: str  # the request, or how the day went
    note: str  # the streak, or the time until the next board


def today_link(days: Days, time_left: str) -> TodayLink:
    """Return the link to the latest board."""
    attempt = days.latest
    game, can_win = attempt.game, is_winnable(attempt)
    if game.puzzle.is_shown:
        label = "Shown"
    elif game.is_over:
        label = "✓ You won" if can_win else "✓ A draw"
    else:
        label = "Beat me" if can_win else "Stop me"
    return TodayLink(
        board=game.position,
        date=f"Today, {attempt.day:%b}\N{NO-BREAK SPACE}{attempt.day.day}",
        label=label,
        note=streak_text(days) or (f"Next in {time_left}" if game.is_over else ""),
    )


def is_winnable(attempt: DayAttempt) -> bool:
    """Return whether the board of the day can be won; otherwise the best result is a draw."""
    return score(board_of(attempt.day)) > 0


def day_name(attempt: DayAttempt, today: date) -> str:
    """Return the day of a board: `Today`, or the day of the week."""
    return "Today" if attempt.day == today else f"{attempt.day:%A}"


def request(attempt: DayAttempt, today: date, is_substitute: bool = False) -> str:
    """Return what the page says while the player is to find a square.

    If `is_substitute`, the day in the address is not open, so the page shows today's board instead.
    """
    game = attempt.game
    right_count, free_count = len(game.puzzle.right_squares), len(game.position.legal_moves())
    if game.last_square is None:
        verb = "beat" if is_winnable(attempt) else "stop"
        if is_substitute:
            sentence = "A new day, a new board."
        elif attempt.day == today:
            sentence = f"Today you can {verb} me."
        else:
            sentence = f"{day_name(attempt, today)}’s board: {verb} me."
        return f"{sentence} Only one square works."
    if free_count == 1:
        return "Right. One square is left."
    if right_count == free_count:
        return "Right. Now any square works."
    if right_count == 1:
        return "Right. Now only one square works."
    return f"Right. Now {counted(right_count, 'square')} work."


def verdict(attempt: DayAttempt) -> str:
    """Return how the game of the day ended: with a win, a draw, or the square that was shown."""
    puzzle = attempt.game.puzzle
    if puzzle.is_shown and puzzle.found_square is not None:
        return f"{capitalized(SQUARE_NAMES[puzzle.found_square])}."
    return "You beat me." if is_winnable(attempt) else "You stopped me."


def explanation(attempt: DayAttempt, today: date) -> str:
    """Return the sentence on the try that solved the board, or on the square that was shown."""
    if attempt.game.puzzle.is_shown:
        return f"I had to show you.{' Try again tomorrow.' if attempt.day == today else ''}"
    if attempt.game.wrong_count:
        return f"You found it on the {nth(attempt.game.wrong_count + 1)} try."
    return "First try. I hoped you would miss it."


def week_note(attempt: DayAttempt, today: date, time_left: str) -> str:
    """Return the note under the week.

    It is the player's mark or, after today's board, the time until the next; otherwise empty.
    """
    if not attempt.game.is_over:
        return f"You are {board_of(attempt.day).turn}."
    return f"Next board in {time_left}" if attempt.day == today else ""


def streak_text(days: Days) -> str:
    """Return the streak as text; empty if it is shorter than two days."""
    return f"{days.streak}-day streak" if days.streak > 1 else ""


def tile_label(tile: Tile) -> str:
    """Return a day of the week and how it went, for a screen reader."""
    results = {"f": "first try", "l": "found later", "s": "shown", "-": "not played", "": "to come"}
    return f"{tile.day:%A}: {results[tile.letter]}"


def share_text(attempt: DayAttempt, days: Days) -> str:
    """Return the text to share: two lines that do not give the solution away."""
    game = attempt.game
    if game.puzzle.is_shown:
        result, remark = "it got me.", "Can you find it?"
    else:
        result = f"I {'beat' if is_winnable(attempt) else 'stopped'} it."
        try_text = f"{capitalized(nth(game.wrong_count + 1))} try"
        remark = ", ".join(filter(None, [try_text, streak_text(days)]))
    return f"Tic-tac-toe, {short_date(attempt.day)}: {result}\n{emoji_presses(attempt)} {remark}"


def emoji_presses(attempt: DayAttempt) -> str:
    """Return an emoji for each press: blue if right, orange if wrong, white if shown.

    >>> emoji_presses(DayAttempt(date(2026, 11, 28), "s"))
    '⬜'
    """
    board, emoji = board_of(attempt.day), []
    for index, press in enumerate(attempt.presses):
        count_before = game_after(board, attempt.presses[:index]).wrong_count
        count_after = game_after(board, attempt.presses[: index + 1]).wrong_count
        if press == SHOW:
            emoji.append("⬜")
        else:
            emoji.append("🟧" if count_after > count_before else "🟦")
    return "".join(emoji)


def short_date(day: date) -> str:
    """Return a day as the pages name it: `Nov 28`."""
    return f"{day:%b} {day.day}"
