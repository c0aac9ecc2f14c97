"""The moves of a game: the coach's card for the move in view, and the quiz for a better move."""

from __future__ import annotations

from typing import Any

from werkzeug.datastructures import MultiDict

from engine.notation import to_digits
from engine.position import Position, Square
from engine.reasons import Why, Win, threats, why
from engine.results import forced_lines, holding_moves
from engine.review import BADGES, Reviewed
from engine.search import analyse
from web.http.forms import one
from web.play.ends import LESSONS
from web.study.place import Place
from web.study.quiz import ask
from web.view.squares import Cell, pencilled, planned, played_out


def moves_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template for the moves of a game, and the values drawn there."""
    move = place.move
    values = {"move": move, "held": holding_moves(analyse(move.position)) if move else ()}
    answer = one(args, "answer")
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
    facts = why(move.position, move.square).as_played(place.moves[place.at :]) if move else None
    opened = facts.allows.opened if facts and facts.allows else None
    cells = _cells(place, move, facts)
    return "study/moves.html", values | {
        "names": move is not None and is_told(place, move, opened),
        "before": to_digits(place.moves[: place.at - 1]) if move else "",
        "lesson": LESSONS["fork"],
        "why": facts,
        "example": facts and facts.example and place.instead(facts.example[0]),
        "cells": cells,
        "strips": forced(facts) if facts else [],
    }


def is_told(place: Place, move: Reviewed, opened: Win | None) -> bool:
    """Say whether nothing is left to ask of a better move.

    Any other will do; or it is where the win was left open, which is named; or the end of the
    reader's own game has named it, as it does up to three squares.
    """
    story = place.story
    ended = story.is_over and place.you == move.mark and story.turn == move
    by_the_end = ended and story.followed == "force" and len(move.holding) <= 3
    is_open = opened is not None and opened.squares == move.holding
    return len(move.slips) == 1 or is_open or by_the_end


def forced(facts: Why) -> list[list[tuple[Square, Position]]]:
    """Return the moves of a forced win after a move, the mover's or the other side's, to the end.

    There is a strip for each answer that lasts longest, of squares with the boards after. Where
    only one does, its block, or where two threats stand there, the board shows how it ends.
    """
    board, first = facts.position.play(facts.square), facts.square
    plan, opened = facts.then, facts.allows and facts.allows.opened
    if opened:  # the other side wins, if it begins so
        plan, first = opened.then, opened.first
        board = board.play(first)
    if not plan or plan.must:
        return []
    return [
        [(first, board), *((line[n], board.after(line[: n + 1])) for n in range(len(line)))]
        for line in forced_lines(board)
    ]


def _cells(place: Place, move: Reviewed | None, facts: Why | None) -> list[Cell]:
    """Return the board after `move`, with what the move gave away, or threatens, in pencil."""
    cells = place.cells
    if not (move and facts):
        return cells
    cells[move.square] = cells[move.square]._replace(badge=BADGES.get(move.judgement))
    if facts.allows and facts.allows.opened:
        return played_out(cells, move.other, facts.allows.opened)
    forked, answers = (threats(place.position, mark) for mark in (move.mark, move.other))
    if place.over or len(forked) < 2 or answers:
        return planned(cells, move.mark, facts.then, move.number + 1)
    return pencilled(cells, move.mark, forked)
