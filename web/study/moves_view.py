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
from web.study.quiz import parse_quiz
from web.view.squares import Cell, with_forced_win, with_plan, with_wins


def moves_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template for the moves of a game, and its values."""
    move = place.last_move
    values = {"move": move, "sound_squares": sound_moves(analyze(move.position)) if move else ()}
    answer = get_single(args, "answer")
    if answer is not None:
        quiz = parse_quiz(move, answer)
        before = place.moves[: place.move_count - 1]
        explanation = quiz.explanation
        plays_solution = (
            explanation
            and quiz.found_square is not None
            and explanation.reason not in ("completes", "last")
        )
        return "study/quiz.html", values | {
            "quiz": quiz,
            "cells": quiz.cells(place),
            "resume_moves": to_digits((*before, quiz.solution) if plays_solution else before),
        }
    facts = (
        explain(move.position, move.square).with_continuation(place.moves[place.move_count :])
        if move
        else None
    )
    allowed_win = facts.concession.allowed_win if facts and facts.concession else None
    cells, refutation = _cells(place, move, facts), facts and facts.refutation
    return "study/moves.html", values | {
        "names_squares": move is not None and names_better_move(place, move, allowed_win),
        "before": to_digits(place.moves[: place.move_count - 1]) if move else "",
        "lesson": LESSON_SCREENS["fork"],
        "why": facts,
        "refutation_url": refutation and place.url_replacing_last(refutation[0]),
        "cells": cells,
        "strips": forced_variations(facts) if facts else [],
    }


def names_better_move(place: Place, move: ReviewedMove, allowed_win: ForcedWin | None) -> bool:
    """Return whether the card names the better move, instead of a quiz asking for it.

    It does if every other move is better; if the better moves are the winning squares left open,
    which the card names anyway; or if the end page of the reader's game has named them already.
    """
    story = place.story
    is_just_lost = story.is_over and place.you == move.mark and story.turning_point == move
    # The end page names up to three squares.
    was_named = is_just_lost and story.punishment == "force" and len(move.sound_moves) <= 3
    names_them_anyway = allowed_win is not None and allowed_win.squares == move.sound_moves
    return len(move.possible_blunders) == 1 or names_them_anyway or was_named


def forced_variations(facts: Explanation) -> list[list[tuple[Square, Position]]]:
    """Return each variation of the win that a move forces or allows: its moves and boards.

    There is one for each longest defense. A win with a forced reply, or with two threats already,
    has none, because the large board shows it.
    """
    board, first = facts.position.play(facts.square), facts.square
    plan, allowed_win = facts.plan, facts.concession and facts.concession.allowed_win
    if allowed_win:  # then the opponent wins, by playing `first`
        plan, first = allowed_win.plan, allowed_win.first
        board = board.play(first)
    if not plan or plan.is_forced:
        return []
    return [
        [(first, board), *((line[n], board.after(line[: n + 1])) for n in range(len(line)))]
        for line in longest_defenses(board)
    ]


def _cells(place: Place, move: ReviewedMove | None, facts: Explanation | None) -> list[Cell]:
    """Return the board after a move, with what it gave away or now threatens in pencil."""
    cells = place.cells
    if not (move and facts):
        return cells
    cells[move.square] = cells[move.square]._replace(badge=BADGES.get(move.judgment))
    if facts.concession and facts.concession.allowed_win:
        return with_forced_win(cells, move.opponent, facts.concession.allowed_win)
    own_threats, their_threats = (
        threats(place.position, mark) for mark in (move.mark, move.opponent)
    )
    if place.is_over or len(own_threats) < 2 or their_threats:
        return with_plan(cells, move.mark, facts.plan, move.number + 1)
    return with_wins(cells, move.mark, own_threats)
