"""What Today says: of the board of a day, of how it went, and of the streak."""

from __future__ import annotations

from engine.position import SQUARE_NAMES
from engine.search import score
from teach.today import DailyGame, board_of, luck
from web.today.days import DayAttempt
from web.view.words import counted, nth, number, upper


def door(at: DayAttempt) -> str:
    """Return what the first page says of today."""
    game = at.game
    if not game.is_over:
        return "Today I can be beaten" if is_winnable(at) else "Today: hold me"
    if game.at.shown:
        return "Today: shown"
    return f"✓ Today, {at.streak}-day streak" if at.streak > 1 else "✓ Today"


def is_winnable(at: DayAttempt) -> bool:
    """Return whether the board of the day is to be won; any other is to be held."""
    return score(board_of(at.day)) > 0


def request(day: DailyGame, wins: bool, is_new: bool = False, is_past: bool = False) -> str:
    """Return what is asked: first of all, and after each right square.

    A board `is_new` if the reader comes from that of another day.
    """
    right_count, free_count = len(day.at.kept), len(day.position.legal_moves())
    if day.last is None:
        asks = "Today I can be beaten." if wins else "Hold me today."
        if is_past:
            asks = f"Yesterday: {'beat' if wins else 'hold'} me."
        return f"{'A new day, a new board.' if is_new else asks} One square does it."
    if free_count == 1:
        return "Right. One square is left."
    if right_count == free_count:
        return "Right. Now any square does it."
    return f"Right. Now {counted(right_count, 'square')} {'does' if right_count == 1 else 'do'} it."


def verdict(day: DailyGame, wins: bool) -> str:
    """Return how the day ended, in two or three words."""
    if day.at.shown and day.at.found is not None:
        return f"{upper(SQUARE_NAMES[day.at.found])}."
    return "You beat me." if wins else "You held me."


def explanation(at: DayAttempt, is_past: bool = False) -> str:
    """Return at which try the day was won or held, and how often luck alone comes to that."""
    if at.game.at.shown:
        return f"Shown, not found.{'' if is_past else ' Tomorrow, then.'}"
    if at.game.wrong:
        return f"{upper(found(at.game))}."
    board = board_of(at.day)
    chance = luck(board, board.turn)
    return f"First try. Luck alone: {number(chance.numerator)} in {number(chance.denominator)}."


def note(at: DayAttempt, time_left: str, is_past: bool = False) -> str:
    """Return what stands below the week: the streak, and what comes next."""
    streak = f"{at.streak}-day streak. " if at.streak > 1 else ""
    before = "Yesterday’s board. " if is_past else streak
    if not at.game.is_over:
        return f"{before}You are {board_of(at.day).turn}."
    return before if is_past else f"{before}Next board in {time_left}."


def shared_line(at: DayAttempt) -> str:
    """Return the line to send, which gives nothing away."""
    game, streak = at.game, f", {at.streak}-day streak" if at.streak > 1 else ""
    went = found(game) if game.wrong else f"first try{streak}"
    went = "can you find it?" if game.at.shown else went
    return f"Tic-tac-toe, {date(at)}: {went}"


def found(day: DailyGame) -> str:
    """Return at which try the day was won or held."""
    return f"found at the {nth(day.wrong + 1)} try"


def date(at: DayAttempt) -> str:
    """Return the day as the page names it: `28 November`."""
    return f"{at.day.day} {at.day:%B}"
