"""The sentences about a mistake: what it gave away, what was right, and the story of the game.

They are plain text. `you` is the reader's mark, or None; moves count from the start of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from engine.position import OTHER, Mark, Square
from engine.reasons import Concession, ForcedWin, Plan, WinKind
from engine.review import ReviewedMove, Story
from web.view.words import (
    MISSED_WIN_PHRASES,
    capitalized,
    listed,
    number,
    side,
    squares,
    subject,
    the,
    times,
)

# How a side can win.
WIN_PHRASES: dict[WinKind, str] = {
    "now": "win at once",
    "fork": "make two threats at once",
    "force": "force a win",
}


def verb(mark: Mark, you: Mark | None, word: str) -> str:
    """Return a verb as it follows a side: "you reply", but "X replies"."""
    if mark == you:
        return word
    return word.removesuffix("ply") + "plies" if word.endswith("ply") else f"{word}s"


def whose(mark: Mark, you: Mark | None) -> str:
    """Return the possessive of a side: "your" or "X's"."""
    return "your" if mark == you else f"{mark}’s"


def at(square: Square) -> str:
    """Return where a square is: "in the center", "at top left"."""
    return f"{'in' if the(square).startswith('the ') else 'at'} {the(square)}"


def places(squares_: Sequence[Square], word: str = "and") -> str:
    """Return where squares are: "in the center and at top left", "at top left and top right"."""
    has_center = any(the(square).startswith("the ") for square in squares_)
    return listed(map(at, squares_), word) if has_center else f"at {squares(squares_, word)}"


def named(squares_: Iterable[Square], word: str = "or") -> str:
    """Return squares as the object of a verb: "top left or the center"."""
    return listed(map(the, squares_), word)


# What it gave away


def way_to_win(
    win: ForcedWin, winner: Mark, you: Mark | None, by_move: int, names_squares: bool = True
) -> str:
    """Return how `winner` can make two threats, or force a win by move `by_move`."""
    they = subject(winner, you)
    if win.kind == "fork":
        takes = f"take {named(win.squares)}: two threats at once"
        one = f"{side(OTHER[winner], you)} can block only one"
        return f"{they} can {takes if names_squares else WIN_PHRASES['fork']}, and {one}."
    if not (names_squares and win.plan):
        return f"{they} can {WIN_PHRASES['force']} by move {by_move}."
    count, how = len(win.squares), plan_clause(win.plan, winner, you)
    if count == 1:
        return f"{they} can win {at(win.first)}: {how}"
    wins = f"{they} can win with {named(win.squares)}."
    if count > 2:
        wins = f"Any of {number(count)} squares wins for {side(winner, you)}."
    return f"{wins} After {the(win.first)}, for example, {how}"


def plan_clause(plan: Plan, winner: Mark, you: Mark | None) -> str:
    """Return how a forced win continues, as the end of a sentence."""
    loser, count = side(OTHER[winner], you), number(len(plan.threats))
    if plan.is_forced:
        return f"{loser} must block {the(plan.reply)}. Then {the(plan.fork)} makes {count} threats."
    replies = verb(OTHER[winner], you, "reply")
    return f"whatever {loser} {replies}, {count} threats follow. {_example(plan, winner, you)}"


def _example(plan: Plan, winner: Mark, you: Mark | None) -> str:
    """Return a sentence with one of the replies, and the square that then makes the threats."""
    loser, takes = side(OTHER[winner], you), verb(OTHER[winner], you, "take")
    return f"If {loser} {takes} {the(plan.reply)}, they come {at(plan.fork)}."


def continuation(plan: Plan, winner: Mark, you: Mark | None) -> str:
    """Return how a forced win continues, as a sentence without a capital letter."""
    they, loser = side(winner, you), side(OTHER[winner], you)
    win = f"{number(len(plan.threats))} threats at once"
    if plan.is_forced:
        forks = f"{they} {verb(winner, you, 'play')} {the(plan.fork)}: {win}"
        one = f"{loser} can block only one"
        return f"{loser} must block {the(plan.reply)}. Then {forks}, and {one}."
    replies, make = verb(OTHER[winner], you, "reply"), verb(winner, you, "make")
    example = _example(plan, winner, you)
    return f"whatever {loser} {replies}, {they} then {make} {win}. {example}"


def concession(
    it: Concession, square: Square, move_number: int, you: Mark | None, names_squares: bool = True
) -> str:
    """Return what the move with this number gave away."""
    parts = []
    loser, win = subject(it.mark, you), it.allowed_win
    if win:
        parts.append(_allowed_win_sentence(it, win, square, move_number, you, names_squares))
    if it.missed_win:
        now = "" if win else " Now it’s a draw."
        parts.append(f"{loser} could have {MISSED_WIN_PHRASES[it.missed_win.kind]}.{now}")
    return " ".join(parts)


def _allowed_win_sentence(
    it: Concession,
    win: ForcedWin,
    square: Square,
    move_number: int,
    you: Mark | None,
    names_squares: bool,
) -> str:
    loser, winner = it.mark, OTHER[it.mark]
    if win.kind == "now":
        count = len(win.squares)
        wins = "a win" if count == 1 else f"{number(count)} wins"
        left = f"{subject(loser, you)} left {side(winner, you)} {wins}"
        if not names_squares:
            return f"{left}."
        return f"{left}{',' if count > 1 else ''} {places(win.squares)}."
    if win.kind == "fork" and it.forces_win and names_squares:
        must = f"{side(winner, you)} must take {the(win.squares[0])}"
        have = (
            "you have two threats of your" if winner == you else f"{winner} has two threats of its"
        )
        one = f"{side(loser, you)} can block only one"
        return f"{capitalized(the(square))} makes a threat, so {must}. There {have} own, and {one}."
    return way_to_win(win, winner, you, move_number + win.turns - 1, names_squares)


def refutation(
    it: Concession, square: Square, move_number: int, you: Mark | None, names_squares: bool
) -> str:
    """Return why an answer is wrong, to follow a colon."""
    win, winner = it.allowed_win, OTHER[it.mark]
    if win and win.kind == "now":
        where = places(win.squares, "or") if names_squares else "at once"
        return f"{side(winner, you)} then {verb(winner, you, 'win')} {where}."
    sentence = concession(it, square, move_number, you, names_squares)
    return (
        sentence
        if sentence.startswith(it.mark) or sentence.startswith(winner)
        else sentence[0].lower() + sentence[1:]
    )


# What was right instead


def right_squares(it: ReviewedMove, you: Mark | None, names_squares: bool = False) -> str:
    """Return which squares were right instead, or how many, without a capital letter."""
    count, is_all = len(it.sound_moves), len(it.possible_blunders) == 1
    is_win = it.score_before > 0
    one = "would have won" if is_win else "was safe"
    more = "would have won" if is_win else "were safe"
    if is_all and count > 1:
        return f"{whose(it.mark, you)} other {number(count)} squares {more}."
    if names_squares and count == 1:
        return f"only {the(it.sound_moves[0])} {one}."
    if names_squares:
        return f"{named(it.sound_moves, 'or' if is_win else 'and')} {more}."
    if is_all:
        return f"{whose(it.mark, you)} other square {one}."
    return f"only one square {one}." if count == 1 else f"{number(count)} squares {more}."


def square_names(right: Sequence[Square]) -> str:
    """Return the names of squares, as the answer to "Which?"."""
    return f"{capitalized(named(right, 'and'))}."


# The story of a game


def story_sentence(story: Story, you: Mark | None) -> str:
    """Return when a game turned, and how, in one sentence."""
    if story.turning_point:
        return _turning_point_sentence(story, story.turning_point, you)
    if not story.moves:
        return "Nobody has moved yet."
    if winner := story.initial_winner:
        return f"{'You were' if winner == you else f'{winner} was'} winning from the start."
    level = f"A draw {'all the way' if story.is_over else 'so far'}."
    if story.only_moves:
        return f"{level} {_move_numbers(story.only_moves)} had only one safe square."
    if story.critical_moves:
        return f"{level} {_move_numbers(story.critical_moves)} could have lost."
    return level


def _move_numbers(moves: Sequence[ReviewedMove]) -> str:
    return f"Move{'s' if len(moves) > 1 else ''} {listed(move.number for move in moves)}"


def _turning_point_sentence(story: Story, turning_point: ReviewedMove, you: Mark | None) -> str:
    loser, winner = turning_point.mark, turning_point.opponent
    if story.blunder_count > 1:
        when = f"The game turned {times(story.blunder_count).lower()}, last at"
    elif turning_point.score_before == 0:
        when = "A draw until"
    else:
        when = f"{'You were' if loser == you else f'{loser} was'} winning until"
    when += f" move {turning_point.number}"
    if turning_point.score_after == 0:
        return f"{when}, which gave the win away."
    assert story.punishment, "the blunder must have lost"
    they = side(winner, you)
    if turning_point == story.moves[-1]:
        return f"{when}. Now {they} can {WIN_PHRASES[story.punishment]}."
    match story.punishment:
        case "now":
            return f"{when}, which left {they} a win."
        case "fork":
            return f"{when}. Then came the fork."
        case "force":
            return f"{when}. From there {they} could {WIN_PHRASES['force']}."
        case _:
            assert_never(story.punishment)
