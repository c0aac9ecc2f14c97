"""Why a game ended as it did: the board where it turned or ended, and how it could go on."""

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
    """Return the values of the page Why for a game."""
    blunder, story, end = decisive_blunder(game), story_of(game), end_of(game)
    if blunder:
        cells, sentence = _blunder_board(game, blunder)
    elif end:
        cells, sentence = _numbered_cells(game), words.no_mistake_sentence(end, story)
    else:
        cells, sentence = _reply_board(game)
    number = blunder.number if blunder else len(game.moves)
    is_shareable = end and end.result == "lost" and game.is_contest
    return {
        "game": game,
        "cells": cells,
        "sentence": sentence,
        "story": story,
        # No point has a ring, because the page shows only one board.
        "line": draw_story(story, game.human, at=-1),
        "blunder": blunder,
        "before": to_digits(game.moves[: blunder.number - 1]) if blunder else "",
        "end": end,
        "lesson": LESSON_SCREENS.get(end.kind)
        if end and blunder and story.blunder_count == 1
        else None,
        "seconds": seconds,
        "share_text": share_text(game, site) if is_shareable else None,
        "study_url": url_for(
            "study.page",
            where=to_digits(game.moves),
            at=number,
            you=game.human,
            difficulty=game.opponent_name,
            set_up=game.setup_length or None,
        ),
    }


def _blunder_board(game: Game, blunder: ReviewedMove) -> tuple[list[Cell], str]:
    """Return the board after the human's last mistake, and what it gave away."""
    foe, next_moves = OTHER[game.human], game.moves[blunder.number :]
    blunder_concession = concession(blunder.position, blunder.square, next_moves)
    assert blunder_concession, "the mistake must have given something away"
    if not blunder_concession.allowed_win:
        assert blunder_concession.missed_win, "a win must have been given away"
        cells = with_forced_win(
            cells_of(blunder.position), game.human, blunder_concession.missed_win
        )
        return cells, words.missed_win_sentence(blunder_concession.missed_win)
    win = blunder_concession.allowed_win
    board = blunder.position.play(blunder.square)
    cells = _with_roles(cells_of(board), {blunder.square: "past"})
    cells[blunder.square] = cells[blunder.square]._replace(
        badge="??", label_suffix=", the turning point"
    )
    cells = with_forced_win(cells, foe, win)
    if win.kind == "now":
        line = _line(board, win.first, foe)
        roles: dict[Square, Role] = {at: "last" for at in line if at != win.first}
        return _with_roles(cells, roles), words.open_line_sentence(line)
    if win.kind == "fork":
        return cells, words.fork_sentence(win)
    assert win.plan, "a win takes at most five turns"
    return cells, words.forced_win_sentence(win.plan)


def _line(board: Position, square: Square, mark: Mark) -> Line:
    """Return the first line that `mark` would complete on a square."""
    marked = {s for s in range(9) if board.mark_at(s) == mark} | {square}
    return next(line for line in LINES if square in line and marked.issuperset(line))


def _with_roles(cells: list[Cell], roles: dict[Square, Role]) -> list[Cell]:
    return [cell._replace(role=roles.get(cell.square, cell.role)) for cell in cells]


def _numbered_cells(game: Game) -> list[Cell]:
    """Return the board at the end with the number of each move played: the list of moves."""
    cells = cells_of(game.position)
    for number, square in enumerate(game.moves[game.setup_length :], game.setup_length + 1):
        cells[square] = cells[square]._replace(badge=str(number))
    return cells


def _reply_board(game: Game) -> tuple[list[Cell], str]:
    """Return the board on which the opponent replied, or after that, and why it did."""
    number = game.last_reply_index
    assert number is not None, "the opponent must have replied"
    before, square, foe = position_after(game.moves[:number]), game.moves[number], OTHER[game.human]
    after = cells_of(game.position, square)
    if not game.opponent.is_perfect:
        return after, game.opponent.why
    facts = explain(before, square)
    if facts.plan:
        return with_plan(after, foe, facts.plan, game.position.ply + 1), words.forced_win_sentence(
            facts.plan
        )
    if len(facts.threats) > 1 and facts.score > 0:
        return with_wins(after, foe, facts.threats), words.threats_sentence(facts.threats)
    if facts.reason == "blocks":
        line = _line(before, square, game.human)
        cells = _with_roles(cells_of(before), {s: "last" for s in line if s != square})
        return with_wins(cells, game.human, (square,)), words.block_sentence(line, square)
    if facts.refutation:
        other_square, win = facts.refutation
        cells = with_next_mark(cells_of(before), other_square, foe, str(number + 1))
        return with_forced_win(cells, game.human, win, number + 2), words.losing_square_sentence(
            other_square
        )
    if facts.concession and facts.concession.allowed_win:
        cells = with_forced_win(after, game.human, facts.concession.allowed_win)
        return cells, words.lost_position_sentence()
    cells = [cell._replace(result=results(before).get(cell.square)) for cell in cells_of(before)]
    return cells, words.safe_squares_sentence(len(facts.equal_moves), facts.move_count)
