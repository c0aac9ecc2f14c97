"""Why a game ended as it did, or why the opponent made its reply: one board and one sentence."""

from __future__ import annotations

from typing import Any

from flask import url_for

from engine.notation import to_digits
from engine.position import LINES, OTHER, Line, Mark, Position, Square
from engine.reasons import concession, explain
from engine.results import results
from engine.review import ReviewedMove
from teach.lesson.screens import seconds
from web.play import words
from web.play.ends import LESSON_SCREENS, decisive_blunder, end_of, story_of
from web.play.game import Game, position_after
from web.play.share import share_text
from web.view.squares import (
    Cell,
    Role,
    cells_of,
    with_forced_win,
    with_next_mark,
    with_plan,
    with_wins,
)
from web.view.story import draw_story


def why_page(game: Game, site: str) -> dict[str, Any]:
    """Return the template values of the page Why.

    `site` is the scheme and host, for the link in the text to share.
    """
    blunder, story, end = decisive_blunder(game), story_of(game), end_of(game)
    if blunder:
        cells, sentence = _blunder_board(game, blunder)
    elif end:
        cells, sentence = _numbered_cells(game), words.no_blunder_sentence(end, story)
    else:
        cells, sentence = _reply_board(game)
    move_number = blunder.number if blunder else len(game.moves)
    is_shareable = end and end.result == "lost" and game.is_contest
    is_only_blunder = blunder and story.blunder_count == 1
    lesson = LESSON_SCREENS.get(end.kind) if end and is_only_blunder else None
    return {
        "game": game,
        "cells": cells,
        "sentence": sentence,
        "story": story,
        # No point has a ring, because the page shows only one board.
        "line": draw_story(story, game.human, number_in_view=-1),
        "blunder": blunder,
        "before": to_digits(game.moves[: blunder.number - 1]) if blunder else "",
        "end": end,
        "lesson": lesson,
        "seconds": seconds,
        "share_text": share_text(game, site) if is_shareable else None,
        "study_url": url_for(
            "study.page",
            where=to_digits(game.moves),
            at=move_number,
            you=game.human,
            difficulty=game.opponent_name,
            set_up=game.setup_length or None,
        ),
    }


def _blunder_board(game: Game, blunder: ReviewedMove) -> tuple[list[Cell], str]:
    """Return a board that shows what the human's last blunder gave away, and a sentence about it.

    It is the board after the blunder if the blunder allowed a win, otherwise the board before.
    """
    opponent_mark, next_moves = OTHER[game.human], game.moves[blunder.number :]
    blunder_concession = concession(blunder.position, blunder.square, next_moves)
    assert blunder_concession, "the mistake must have given something away"
    win, missed_win = blunder_concession.allowed_win, blunder_concession.missed_win
    if not win:
        assert missed_win, "a win must have been given away"
        cells = with_forced_win(cells_of(blunder.position), game.human, missed_win)
        return cells, words.missed_win_sentence(missed_win)
    board = blunder.position.play(blunder.square)
    cells = _with_roles(cells_of(board), {blunder.square: "past"})
    cells[blunder.square] = cells[blunder.square]._replace(
        badge="??", label_suffix=", the turning point"
    )
    cells = with_forced_win(cells, opponent_mark, win)
    if win.kind == "now":
        line = _line(board, win.followed_square, opponent_mark)
        cells = _with_roles(cells, _line_roles(line, win.followed_square))
        return cells, words.open_line_sentence(line)
    if win.kind == "fork":
        return cells, words.fork_sentence(win)
    assert win.plan, "a win takes at most five turns"
    return cells, words.forced_win_sentence(win.plan)


def _line(board: Position, square: Square, mark: Mark) -> Line:
    """Return the first line that `mark` would complete on a square."""
    own_squares = {other for other in range(9) if board.mark_at(other) == mark}
    squares_after = own_squares | {square}
    return next(line for line in LINES if square in line and squares_after.issuperset(line))


def _line_roles(line: Line, empty_square: Square) -> dict[Square, Role]:
    """Return the roles that tint the two marks of a line with an empty square."""
    return {square: "last" for square in line if square != empty_square}


def _with_roles(cells: list[Cell], roles: dict[Square, Role]) -> list[Cell]:
    """Return the cells with new roles for some of the squares."""
    return [cell._replace(role=roles.get(cell.square, cell.role)) for cell in cells]


def _numbered_cells(game: Game) -> list[Cell]:
    """Return the board at the end, each move with its number, except those that were set up."""
    cells = cells_of(game.position)
    for number, square in enumerate(game.moves[game.setup_length :], game.setup_length + 1):
        cells[square] = cells[square]._replace(badge=str(number))
    return cells


def _reply_board(game: Game) -> tuple[list[Cell], str]:
    """Return a board that shows why the opponent made its last reply, and a sentence about it.

    It is the board after the reply if the reason lies in what follows, otherwise the one before.
    """
    index = game.last_reply_index
    assert index is not None, "the opponent must have replied"
    position, square = position_after(game.moves[:index]), game.moves[index]
    cells_before, cells_after = cells_of(position), cells_of(game.position, square)
    opponent_mark = OTHER[game.human]
    if not game.opponent.is_perfect:
        return cells_after, game.opponent.why
    explanation = explain(position, square)
    if explanation.plan:
        cells = with_plan(cells_after, opponent_mark, explanation.plan, game.position.ply + 1)
        return cells, words.forced_win_sentence(explanation.plan)
    if len(explanation.threats) > 1 and explanation.score > 0:
        cells = with_wins(cells_after, opponent_mark, explanation.threats)
        return cells, words.threats_sentence(explanation.threats)
    if explanation.reason == "blocks":
        line = _line(position, square, game.human)
        cells = _with_roles(cells_before, _line_roles(line, square))
        return with_wins(cells, game.human, (square,)), words.block_sentence(line, square)
    if explanation.refutation:
        other_square, win = explanation.refutation
        # Moves are numbered from 1, so `index + 1` is the reply, or the other move in its place.
        cells = with_next_mark(cells_before, other_square, opponent_mark, str(index + 1))
        cells = with_forced_win(cells, game.human, win, index + 2)
        return cells, words.losing_square_sentence(other_square)
    if explanation.concession and explanation.concession.allowed_win:
        cells = with_forced_win(cells_after, game.human, explanation.concession.allowed_win)
        return cells, words.lost_position_sentence()
    result_by_square = results(position)
    cells = [cell._replace(result=result_by_square.get(cell.square)) for cell in cells_before]
    safe_count = len(explanation.equal_moves)
    return cells, words.safe_squares_sentence(safe_count, explanation.move_count)
