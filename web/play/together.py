"""Why a game went as it did: the board where it stopped or turned, and what could come next."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from flask import url_for

from engine.notation import to_digits
from engine.position import LINES, OTHER, Mark, Position, Square
from engine.reasons import Plan, concession, explain
from engine.results import results
from engine.review import ReviewedMove
from teach.lesson.screens import seconds
from web.play.ends import end_of, slip_of, story_of
from web.play.game import Game, replayed
from web.play.shared import sent
from web.play.values import LESSONS
from web.view.squares import Cell, cells_of, with_forced_win, with_next_mark, with_plan, with_wins
from web.view.story import draw_story

Saying = Literal[
    "open", "fork", "must", "any", "gave", "no way", "held", "won", "theirs",
    "had to", "threats", "only", "loses", "draws", "own",
]  # fmt: skip


class Said(NamedTuple):
    """Hold what the opponent says of the board it shows, with the `squares` and counts to name.

    Of a mistake: a line was left `open` (which `line`), or the answer makes a `fork`; the human
    `must` block first, or `any` answer leads there; or the mistake `gave` a win away. Of a game
    without: there was `no way`, or the game was `held`, with the `numbers` of moves that alone were
    safe, or won, or a mistake was `theirs`. Of a reply in play: the reason.
    """

    kind: Saying
    squares: tuple[Square, ...] = ()
    many: int = 0
    line: str = ""
    numbers: tuple[int, ...] = ()


def together(game: Game, site: str) -> dict[str, Any]:
    """Return what the page that looks at a game together shows."""
    slip, story = slip_of(game), story_of(game)
    if slip:
        cells, said = _turned(game, slip)
    elif game.outcome:
        cells, said = _numbered(game), _ended(game)
    else:
        cells, said = _replied(game)
    end = end_of(game)
    number = slip.number if slip else len(game.moves)
    sends = end and end.ending == "lost" and game.counts and game.player.fills
    return {
        "game": game,
        "cells": cells,
        "said": said,
        "story": story,
        "line": draw_story(story, game.human, at=-1),  # no board has the ring: in view is one alone
        "slip": slip,
        "before": to_digits(game.moves[: slip.number - 1]) if slip else "",
        "end": end,
        "lesson": LESSONS.get(end.kind) if end and slip and story.blunder_count == 1 else None,
        "seconds": seconds,
        "sent": sent(game, site) if sends else None,
        "study": url_for(
            "study.page",
            where=to_digits(game.moves),
            at=number,
            you=game.human,
            difficulty=game.opponent,
            set_up=game.set_up or None,
        ),
    }


def _turned(game: Game, slip: ReviewedMove) -> tuple[list[Cell], Said]:
    """Return the board after the human's last mistake, and how it lets the opponent in."""
    foe, next_moves = OTHER[game.human], game.moves[slip.number :]
    gave = concession(slip.position, slip.square, next_moves)
    assert gave, "the mistake gave something away"
    if not gave.allowed_win:
        assert gave.missed_win, "a win was given away"
        cells = with_forced_win(cells_of(slip.position), game.human, gave.missed_win)
        return cells, Said("gave", line=gave.missed_win.kind)
    win = gave.allowed_win
    board = slip.position.play(slip.square)
    cells = _look(cells_of(board), {slip.square: "past"})
    cells[slip.square] = cells[slip.square]._replace(badge="??", label_suffix=", here it turned")
    cells = with_forced_win(cells, foe, win)
    if win.kind == "now":
        line = _line(board, win.first, foe)
        marked = {square: "last" for square in line if square != win.first}
        return _look(cells, marked), Said("open", (slip.square,), line=_way(line))
    if win.kind == "fork":
        return cells, Said("fork", (win.first,), len(win.threats))
    assert win.plan, "no win takes more than five turns"
    return cells, _forced(win.plan)


def _forced(plan: Plan) -> Said:
    """Return what is said of a win to come by a plan."""
    return Said("must" if plan.is_forced else "any", (plan.reply,), len(plan.threats))


def _line(board: Position, square: Square, mark: Mark) -> tuple[Square, ...]:
    """Return the first line that `mark` would complete on a square."""
    has = {s for s in range(9) if board.mark_at(s) == mark} | {square}
    return next(line for line in LINES if square in line and has.issuperset(line))


def _way(line: tuple[Square, ...]) -> str:
    """Return which way a line runs.

    >>> _way((0, 4, 8))
    'on a diagonal'
    """
    number = LINES.index(line) // 3
    return ("in a row", "in a column", "on a diagonal")[number]


def _look(cells: list[Cell], looks: dict[Square, str]) -> list[Cell]:
    return [cell._replace(look=looks.get(cell.square, cell.look)) for cell in cells]


def _numbered(game: Game) -> list[Cell]:
    """Return the board at the end with the number of each move played: the list of moves."""
    cells = cells_of(game.position)
    for number, square in enumerate(game.moves[game.set_up :], game.set_up + 1):
        cells[square] = cells[square]._replace(badge=str(number))
    return cells


def _ended(game: Game) -> Said:
    """Return what is said of a game that ended without a mistake of the human's."""
    end, story = end_of(game), story_of(game)
    assert end, "the game is over"
    if story.turning_point:
        return Said("theirs", many=story.turning_point.number, line=end.ending)
    if end.ending == "drawn":
        numbers = tuple(move.number for move in (story.only_moves or story.critical_moves))
        return Said("held", many=bool(story.only_moves), numbers=numbers)
    return Said("won" if end.ending == "won" else "no way")


def _replied(game: Game) -> tuple[list[Cell], Said]:
    """Return the board on which the opponent replied, or after that, and why it did."""
    number = game.last_reply
    assert number is not None, "the opponent has replied"
    before, square, foe = replayed(game.moves[:number]), game.moves[number], OTHER[game.human]
    after = cells_of(game.position, square)
    if not game.player.fills:
        return after, Said("own", line=game.player.why)
    facts = explain(before, square)
    if facts.plan:
        return with_plan(after, foe, facts.plan, game.position.ply + 1), _forced(facts.plan)
    if len(facts.threats) > 1 and facts.score > 0:
        return with_wins(after, foe, facts.threats), Said("threats", many=len(facts.threats))
    if facts.reason == "blocks":
        line = _line(before, square, game.human)
        cells = _look(cells_of(before), {s: "last" for s in line if s != square})
        return with_wins(cells, game.human, (square,)), Said("had to", (square,), line=_way(line))
    if facts.refutation:
        instead, win = facts.refutation
        cells = with_next_mark(cells_of(before), instead, foe, str(number + 1))
        return with_forced_win(cells, game.human, win, number + 2), Said("only", (instead,))
    if facts.concession and facts.concession.allowed_win:
        cells = with_forced_win(after, game.human, facts.concession.allowed_win)
        return cells, Said("loses")
    cells = [cell._replace(result=results(before).get(cell.square)) for cell in cells_of(before)]
    return cells, Said("draws", many=len(facts.equal_moves), numbers=(facts.move_count,))
