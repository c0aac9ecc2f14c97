"""The moves of a game: the card about the move in view, and the quiz for a better move."""

from __future__ import annotations

from typing import Any

from werkzeug.datastructures import MultiDict

from engine.notation import to_digits
from engine.position import Position, Square
from engine.reasons import Explanation, ForcedWin, explain, threats
from engine.results import longest_defenses, sound_moves
from engine.review import BADGES, ReviewedMove
from engine.search import analyze
from web.http.forms import get_single
from web.play.ends import LESSON_SCREENS
from web.study.place import Place
from web.study.quiz import Quiz, parse_quiz
from web.view.squares import Cell, with_forced_win, with_plan, with_wins


def moves_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template for the moves of a game, and its values.

    An `answer` in the address gets the quiz for a better move; without one, the card is shown.
    """
    move = place.last_move
    values = {"move": move, "sound_squares": sound_moves(analyze(move.position)) if move else ()}
    answer = get_single(args, "answer")
    if answer is None:
        return "study/moves.html", values | _card_values(place, move)
    return "study/quiz.html", values | _quiz_values(place, parse_quiz(move, answer))


def _quiz_values(place: Place, quiz: Quiz) -> dict[str, Any]:
    """Return the values of the quiz about the last move."""
    explanation = quiz.explanation
    resume_moves = place.moves[: place.move_count - 1]
    # After a solution that the reader found, the game can go on from there, unless it is over.
    if (
        explanation
        and quiz.found_square is not None
        and explanation.reason not in ("completes", "last")
    ):
        resume_moves = (*resume_moves, quiz.solution)
    return {
        "quiz": quiz,
        "cells": quiz.cells(place),
        "resume_moves": to_digits(resume_moves),
    }


def _card_values(place: Place, move: ReviewedMove | None) -> dict[str, Any]:
    """Return the values of the card about a move, or about a board that no move led to."""
    if not move:
        return {"cells": place.cells, "names_better_moves": False, "variations": []}
    continuation = place.moves[place.move_count :]
    explanation = explain(move.position, move.square).with_continuation(continuation)
    concession, refutation = explanation.concession, explanation.refutation
    allowed_win = concession.allowed_win if concession else None
    return {
        "names_better_moves": names_better_moves(place, move, allowed_win),
        "moves_before": to_digits(place.moves[: place.move_count - 1]),
        "fork_screen": LESSON_SCREENS["fork"],
        "explanation": explanation,
        "refutation_url": refutation and place.url_replacing_last(refutation[0]),
        "cells": _card_cells(place, move, explanation),
        "variations": forced_variations(explanation),
    }


def names_better_moves(place: Place, move: ReviewedMove, allowed_win: ForcedWin | None) -> bool:
    """Return whether the card names the better moves; if it does not, a quiz can ask for one.

    It names them if every other move is better; if they are the winning squares that the move left
    open, which the card names anyway; or if the end page of the reader's game has named them.
    """
    is_every_other_better = len(move.possible_blunders) == 1
    are_winning_squares = allowed_win is not None and allowed_win.squares == move.sound_moves
    story = place.story
    lost_the_game = story.is_over and place.you == move.mark and story.turning_point == move
    # The end page names up to three squares.
    were_named = lost_the_game and story.punishment == "force" and len(move.sound_moves) <= 3
    return is_every_other_better or are_winning_squares or were_named


def forced_variations(explanation: Explanation) -> list[list[tuple[Square, Position]]]:
    """Return each variation of the win that a move forces or allows: its moves and boards.

    There is one for each longest defense. A win with a forced reply, or with two threats already,
    has none, because the large board shows it.
    """
    # A variation starts with the winner's move.
    first = explanation.square
    board = explanation.position.play(first)
    plan = explanation.plan
    allowed_win = explanation.concession and explanation.concession.allowed_win
    if allowed_win:  # then the winner is the opponent, who moves next
        plan, first = allowed_win.plan, allowed_win.followed_square
        board = board.play(first)
    if not plan or plan.is_forced:
        return []
    return [
        [(first, board), *((line[n], board.after(line[: n + 1])) for n in range(len(line)))]
        for line in longest_defenses(board)
    ]


def _card_cells(place: Place, move: ReviewedMove, explanation: Explanation) -> list[Cell]:
    """Return the board after a move, with what it gave away or now threatens in pencil."""
    cells = place.cells
    cells[move.square] = cells[move.square]._replace(badge=BADGES.get(move.judgment))
    if explanation.concession and explanation.concession.allowed_win:
        return with_forced_win(cells, move.opponent, explanation.concession.allowed_win)
    own_threats = threats(place.position, move.mark)
    opponent_threats = threats(place.position, move.opponent)
    if place.is_over or len(own_threats) < 2 or opponent_threats:
        return with_plan(cells, move.mark, explanation.plan, move.number + 1)
    return with_wins(cells, move.mark, own_threats)
