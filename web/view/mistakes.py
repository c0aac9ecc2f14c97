"""The sentences about a mistake: what it gave away, what was right, and the story of the game.

They are plain text. `you` is the reader's mark, or None if the reader plays neither side. Moves are
numbered from the start of the game.
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

# What a side can do to win, by the kind of the `ForcedWin`.
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


def places(listed_squares: Sequence[Square], word: str = "and") -> str:
    """Return where squares are: "in the center and at top left", "at top left and top right"."""
    if any(the(square).startswith("the ") for square in listed_squares):
        return listed(map(at, listed_squares), word)
    return f"at {squares(listed_squares, word)}"


def the_squares(listed_squares: Iterable[Square], word: str = "or") -> str:
    """Return squares as the object of a verb: "top left or the center"."""
    return listed(map(the, listed_squares), word)


# What a mistake gave away


def way_to_win(
    win: ForcedWin, winner: Mark, you: Mark | None, by_move: int, names_squares: bool = True
) -> str:
    """Return how `winner` can make two threats, or force a win by move `by_move`."""
    they = subject(winner, you)
    if win.kind == "fork":
        fork = WIN_PHRASES["fork"]
        if names_squares:
            fork = f"take {the_squares(win.squares)}: two threats at once"
        return f"{they} can {fork}, and {side(OTHER[winner], you)} can block only one."
    if not (names_squares and win.plan):
        return f"{they} can {WIN_PHRASES['force']} by move {by_move}."
    count, continues = len(win.squares), plan_clause(win.plan, winner, you)
    if count == 1:
        return f"{they} can win {at(win.followed_square)}: {continues}"
    if count == 2:
        sentence = f"{they} can win with {the_squares(win.squares)}."
    else:
        sentence = f"Any of {number(count)} squares wins for {side(winner, you)}."
    return f"{sentence} After {the(win.followed_square)}, for example, {continues}"


def plan_clause(plan: Plan, winner: Mark, you: Mark | None) -> str:
    """Return how a forced win continues, as the end of a sentence that names the winner."""
    loser_words, count = side(OTHER[winner], you), number(len(plan.threats))
    if plan.is_forced:
        must_block = f"{loser_words} must block {the(plan.reply)}."
        return f"{must_block} Then {the(plan.fork)} makes {count} threats."
    replies = verb(OTHER[winner], you, "reply")
    example = _example_sentence(plan, winner, you)
    return f"whatever {loser_words} {replies}, {count} threats follow. {example}"


def _example_sentence(plan: Plan, winner: Mark, you: Mark | None) -> str:
    """Return one of the replies as an example, with the square that then makes the threats."""
    loser_words, takes = side(OTHER[winner], you), verb(OTHER[winner], you, "take")
    return f"If {loser_words} {takes} {the(plan.reply)}, they come {at(plan.fork)}."


def plan_sentence(plan: Plan, winner: Mark, you: Mark | None) -> str:
    """Return how a forced win continues, as a sentence that names both sides; not capitalized."""
    they, loser_words = side(winner, you), side(OTHER[winner], you)
    threats = f"{number(len(plan.threats))} threats at once"
    if plan.is_forced:
        fork = f"{they} {verb(winner, you, 'play')} {the(plan.fork)}: {threats}"
        must_block = f"{loser_words} must block {the(plan.reply)}."
        return f"{must_block} Then {fork}, and {loser_words} can block only one."
    replies, make = verb(OTHER[winner], you, "reply"), verb(winner, you, "make")
    example = _example_sentence(plan, winner, you)
    return f"whatever {loser_words} {replies}, {they} then {make} {threats}. {example}"


def concession_text(
    concession: Concession,
    square: Square,
    move_number: int,
    you: Mark | None,
    names_squares: bool = True,
) -> str:
    """Return what the move with this number, on `square`, gave away."""
    sentences = []
    if concession.allowed_win:
        sentences.append(
            _allowed_win_sentences(
                concession, concession.allowed_win, square, move_number, you, names_squares
            )
        )
    if concession.missed_win:
        missed = MISSED_WIN_PHRASES[concession.missed_win.kind]
        sentences.append(f"{subject(concession.mark, you)} could have {missed}.")
        if not concession.allowed_win:
            sentences.append("Now it’s a draw.")
    return " ".join(sentences)


def _allowed_win_sentences(
    concession: Concession,
    win: ForcedWin,
    square: Square,
    move_number: int,
    you: Mark | None,
    names_squares: bool,
) -> str:
    """Return how the opponent can win after the move with this number, on `square`."""
    loser, winner = concession.mark, OTHER[concession.mark]
    if win.kind == "now":
        count = len(win.squares)
        wins = "a win" if count == 1 else f"{number(count)} wins"
        clause = f"{subject(loser, you)} left {side(winner, you)} {wins}"
        if not names_squares:
            return f"{clause}."
        return f"{clause}{',' if count > 1 else ''} {places(win.squares)}."
    if win.kind == "fork" and concession.wins_by_block and names_squares:
        must_take = f"{side(winner, you)} must take {the(win.squares[0])}"
        have_two = f"{winner} has two threats of its own"
        if winner == you:
            have_two = "you have two threats of your own"
        return (
            f"{capitalized(the(square))} makes a threat, so {must_take}."
            f" There {have_two}, and {side(loser, you)} can block only one."
        )
    return way_to_win(win, winner, you, move_number + win.turns - 1, names_squares)


def refutation(
    concession: Concession, square: Square, move_number: int, you: Mark | None, names_squares: bool
) -> str:
    """Return why an answer is wrong, as words that follow a colon."""
    win, winner = concession.allowed_win, OTHER[concession.mark]
    if win and win.kind == "now":
        where = places(win.squares, "or") if names_squares else "at once"
        return f"{side(winner, you)} then {verb(winner, you, 'win')} {where}."
    sentences = concession_text(concession, square, move_number, you, names_squares)
    if sentences.startswith((concession.mark, winner)):  # X and O stay capital
        return sentences
    return sentences[0].lower() + sentences[1:]


# What was right instead


def right_squares_sentence(
    move: ReviewedMove, you: Mark | None, names_squares: bool = False
) -> str:
    """Return which squares were right instead, or how many, without a capital letter."""
    count, is_win = len(move.sound_moves), move.score_before > 0
    are_all_others_right = len(move.possible_blunders) == 1
    was_right = "would have won" if is_win else "was safe"
    were_right = "would have won" if is_win else "were safe"
    if are_all_others_right and count > 1:
        return f"{whose(move.mark, you)} other {number(count)} squares {were_right}."
    if names_squares and count == 1:
        return f"only {the(move.sound_moves[0])} {was_right}."
    if names_squares:
        return f"{the_squares(move.sound_moves, 'or' if is_win else 'and')} {were_right}."
    if are_all_others_right:
        return f"{whose(move.mark, you)} other square {was_right}."
    if count == 1:
        return f"only one square {was_right}."
    return f"{number(count)} squares {were_right}."


def square_names(listed_squares: Sequence[Square]) -> str:
    """Return the names of squares, as the answer to "Which?"."""
    return f"{capitalized(the_squares(listed_squares, 'and'))}."


# The story of a game


def story_sentence(story: Story, you: Mark | None) -> str:
    """Return when a game turned, and how, in one sentence."""
    if story.turning_point:
        return _turning_point_sentence(story, story.turning_point, you)
    if not story.moves:
        return "Nobody has moved yet."
    if winner := story.initial_winner:
        return f"{'You were' if winner == you else f'{winner} was'} winning from the start."
    draw = f"A draw {'all the way' if story.is_over else 'so far'}."
    if story.only_moves:
        return f"{draw} {_move_numbers(story.only_moves)} had only one safe square."
    if story.critical_moves:
        return f"{draw} {_move_numbers(story.critical_moves)} could have lost."
    return draw


def _move_numbers(moves: Sequence[ReviewedMove]) -> str:
    """Return moves by their numbers, at the start of a sentence: "Moves 3 and 5"."""
    return f"Move{'s' if len(moves) > 1 else ''} {listed(move.number for move in moves)}"


def _turning_point_sentence(story: Story, turning_point: ReviewedMove, you: Mark | None) -> str:
    """Return what the game was until its turning point, and what that led to."""
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
