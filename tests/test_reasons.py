"""Why a move was played and what it gives away, against the textbook."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.position import Mark, Position
from engine.reasons import concession, explain, forced_win, plan_against, threats
from engine.results import longest_defenses
from tests.positions import UNFINISHED, all_or_canonical
from tests.textbook import (
    best,
    chance_with_best_moves,
    children,
    move_scores,
    other,
    sign,
    turn,
    winner,
    winning_squares,
)

MOVES = [
    (position, square)
    for position in all_or_canonical(UNFINISHED)
    for square in position.legal_moves()
]


@pytest.mark.long
def test_the_first_reason_that_applies_is_given_with_true_facts() -> None:
    for position, square in MOVES:
        board, mark = str(position), position.turn
        child, scores = children(board)[square], move_scores(board)
        safe = [s for s in scores if scores[s] >= 0]
        applies = {
            "completes": winner(child) == mark,
            "blocks": square in winning_squares(board, other(mark))
            and safe == [square] != list(scores),
            "forks": scores[square] == max(scores.values())
            and len(winning_squares(child, mark)) > 1
            and not winning_squares(child, other(mark)),
            "last": len(scores) == 1,
            "only": safe == [square],
        }
        first = next((reason for reason, holds in applies.items() if holds), None)
        top = sign(max(scores.values()))
        otherwise = {
            "misses": scores[square] < max(scores.values()),
            "as good": square not in best(board),
            "wins" if top > 0 else "resists" if top < 0 else "draws": True,
        }
        reason = first or next(reason for reason, holds in otherwise.items() if holds)
        explanation = explain(position, square)
        assert explanation.reason == reason, (board, square)
        assert (explanation.score, explanation.move_count) == (scores[square], len(scores))
        assert explanation.equal_moves == tuple(s for s in scores if scores[s] == scores[square])
        assert explanation.best_moves == best(board)
        assert explanation.threats == winning_squares(child, position.turn)
        assert explanation.win_chance == chance_with_best_moves(child)
        assert explanation.best_win_chance == chance_with_best_moves(
            children(board)[explanation.best_moves[0]]
        )
        assert bool(explanation.completed_lines) == (winner(child) == position.turn)
        assert bool(explanation.refutation) == (reason == "only")
        if explanation.refutation:  # the refutation of another square
            alternative, win = explanation.refutation
            others = [score for other, score in scores.items() if other != square]
            assert alternative != square
            assert win.first in best(children(board)[alternative])
            assert win.turns == 10 + min(others)
            assert win.plan or win.threats


@pytest.mark.long
def test_a_move_that_gives_something_away_has_a_known_concession() -> None:
    for position, square in MOVES:
        board, mark = str(position), position.turn
        scores, child = move_scores(board), children(board)[square]
        top = max(scores.values())
        found = concession(position, square)
        assert (found is None) == (scores[square] == top >= 0)
        if found:
            reply_score = max(move_scores(child).values(), default=0)
            allowed = found.allowed_win and (
                found.allowed_win.squares,
                found.allowed_win.turns,
            )
            assert allowed == ((best(child), 11 - reply_score) if reply_score > 0 else None)
            assert (found.missed_win is None) == (top <= 0)
            assert found.better_moves == (best(board) if scores[square] < top else ())
            blocked = winning_squares(child, mark)
            assert found.forces_win == (reply_score > 0 and best(child) == blocked)


@pytest.mark.long
def test_a_forced_win_holds_against_every_reply() -> None:
    for position in all_or_canonical(UNFINISHED):
        board, mark = str(position), position.turn
        win = forced_win(position)
        top = max(move_scores(board).values())
        assert (win is not None) == (top > 0)
        if not win:
            continue
        assert (win.squares, win.turns) == (best(board), 10 - top)
        if win.kind == "now":
            assert win.squares == winning_squares(board, mark)
        elif win.kind == "fork":
            after = children(board)[win.squares[0]]
            assert win.threats == winning_squares(after, mark)
            assert len(win.threats) > 1  # distinct squares, so one block cannot stop both
            assert not winning_squares(after, other(mark))
        else:
            assert win.turns > 3
            assert win.plan and win.plan == plan_against(position.play(win.first))


@pytest.mark.long
def test_a_lost_side_that_faces_no_double_threat_is_beaten_by_a_plan() -> None:
    kinds = set()
    for position in all_or_canonical(UNFINISHED):
        board, mark = str(position), position.turn
        foe, foe_threats = other(mark), winning_squares(board, other(mark))
        plan = plan_against(position)
        is_lost = max(move_scores(board).values()) < 0
        assert (plan is not None) == (is_lost and len(foe_threats) < 2)
        if not plan:
            continue
        kinds.add(plan.is_forced)
        assert foe_threats == ((plan.reply,) if plan.is_forced else ())
        for square, child in children(board).items():
            loses_at_once = bool(winning_squares(child, foe)) and not winning_squares(board, mark)
            assert loses_at_once == (plan.is_forced and square != plan.reply)
            if not loses_at_once:
                assert forks(child)
        after = children(board)[plan.reply]
        assert plan.threats == forks(after)[plan.fork]
        for fork, wins in forks(after).items():
            assert plan_against(position, (plan.reply, fork)) == plan._replace(
                fork=fork, threats=wins
            )
    assert kinds == {True, False}


def forks(board: str) -> dict[int, tuple[int, ...]]:
    """Return the forks that the other side cannot answer by winning first, with their threats."""
    mark = turn(board)
    return {
        square: winning_squares(child, mark)
        for square, child in children(board).items()
        if len(winning_squares(child, mark)) > 1 and not winning_squares(child, other(mark))
    }


@pytest.mark.long
def test_threats_are_the_squares_that_would_complete_a_line() -> None:
    for mark in get_args(Mark):
        for position in all_or_canonical(UNFINISHED):
            assert threats(position, mark) == winning_squares(str(position), mark)
    won = Position.parse("XXXOO----")
    assert (threats(won, "X"), threats(won, "O")) == ((), (5,))


def test_a_side_that_can_draw_or_win_faces_no_forced_line() -> None:
    for board in ("X--------", "OX--X----", "XX-OO----"):
        assert longest_defenses(Position.parse(board)) == (), board


@pytest.mark.long
def test_a_forced_line_plays_longest_defense_against_fastest_win() -> None:
    for position in all_or_canonical(UNFINISHED):
        board, lines = str(position), longest_defenses(position)
        scores = move_scores(board)
        top = max(scores.values())
        assert [line[0] for line in lines] == [s for s in scores if scores[s] == top < 0]
        for line in lines:
            now = board
            for square in line:
                scores_now = move_scores(now)
                assert scores_now[square] == max(scores_now.values())
                now = children(now)[square]
            assert winner(now) == other(position.turn) and len(line) == 10 + top
