"""The moves of a game: the coach's card for the move in view, and the quiz for a better move."""

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
from web.play.ends import LESSONS
from web.study.place import Place
from web.study.quiz import ask
from web.view.squares import Cell, pencilled, planned, played_out


def moves_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template for the moves of a game, and the values drawn there."""
    move = place.move
    values = {"move": move, "held": sound_moves(analyze(move.position)) if move else ()}
    answer = get_single(args, "answer")
    if answer is not None:
        quiz = ask(move, answer)
        before = place.moves[: place.at - 1]
        better = quiz.better
        goes_on = better and quiz.found is not None and better.reason not in ("completes", "last")
        return "study/quiz.html", values | {
            "quiz": quiz,
            "cells": quiz.cells(place),
            "go_on": to_digits((*before, quiz.solution) if goes_on else before),
        }
    facts = (
        explain(move.position, move.square).with_continuation(place.moves[place.at :])
        if move
        else None
    )
    opened = facts.concession.allowed_win if facts and facts.concession else None
    cells = _cells(place, move, facts)
    return "study/moves.html", values | {
        "names": move is not None and is_told(place, move, opened),
        "before": to_digits(place.moves[: place.at - 1]) if move else "",
        "lesson": LESSONS["fork"],
        "why": facts,
        "example": facts and facts.refutation and place.instead(facts.refutation[0]),
        "cells": cells,
        "strips": forced(facts) if facts else [],
    }


def is_told(place: Place, move: ReviewedMove, opened: ForcedWin | None) -> bool:
    """Say whether nothing is left to ask of a better move.

    Any other will do; or it is where the win was left open, which is named; or the end of the
    reader's own game has named it, as it does up to three squares.
    """
    story = place.story
    ended = story.is_over and place.you == move.mark and story.turning_point == move
    by_the_end = ended and story.punishment == "force" and len(move.sound_moves) <= 3
    is_open = opened is not None and opened.squares == move.sound_moves
    return len(move.blunders) == 1 or is_open or by_the_end


def forced(facts: Explanation) -> list[list[tuple[Square, Position]]]:
    """Return the moves of a forced win after a move, the mover's or the other side's, to the end.

    There is a strip for each answer that lasts longest, of squares with the boards after. Where
    only one does, its block, or where two threats stand there, the board shows how it ends.
    """
    board, first = facts.position.play(facts.square), facts.square
    plan, opened = facts.plan, facts.concession and facts.concession.allowed_win
    if opened:  # the other side wins, if it begins so
        plan, first = opened.plan, opened.first
        board = board.play(first)
    if not plan or plan.is_forced:
        return []
    return [
        [(first, board), *((line[n], board.after(line[: n + 1])) for n in range(len(line)))]
        for line in longest_defenses(board)
    ]


def _cells(place: Place, move: ReviewedMove | None, facts: Explanation | None) -> list[Cell]:
    """Return the board after `move`, with what the move gave away, or threatens, in pencil."""
    cells = place.cells
    if not (move and facts):
        return cells
    cells[move.square] = cells[move.square]._replace(badge=BADGES.get(move.judgment))
    if facts.concession and facts.concession.allowed_win:
        return played_out(cells, move.opponent, facts.concession.allowed_win)
    forked, answers = (threats(place.position, mark) for mark in (move.mark, move.opponent))
    if place.over or len(forked) < 2 or answers:
        return planned(cells, move.mark, facts.plan, move.number + 1)
    return pencilled(cells, move.mark, forked)
