"""Why a move was played and what it gives away, against the textbook."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.position import Mark, Position
from engine.reasons import Reason, concession, explain, forced_win, plan_against, threats
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


def expected_reason(board: str, square: int) -> Reason:
    """Return the first reason, in the order of `Reason`, that applies to a move."""
    child, scores = children(board)[square], move_scores(board)
    mark, opponent = turn(board), other(turn(board))
    best_score = max(scores.values())
    safe_squares = [s for s in scores if scores[s] >= 0]
    if winner(child) == mark:
        return "completes"
    if square in winning_squares(board, opponent) and safe_squares == [square] != [*scores]:
        return "blocks"
    makes_two_threats = len(winning_squares(child, mark)) > 1
    if scores[square] == best_score and makes_two_threats and not winning_squares(child, opponent):
        return "forks"
    if len(scores) == 1:
        return "last"
    if safe_squares == [square]:
        return "only"
    if scores[square] < best_score:
        return "misses"
    if square not in best(board):
        return "as good"
    by_sign: dict[int, Reason] = {1: "wins", 0: "draws", -1: "resists"}
    return by_sign[sign(best_score)]


@pytest.mark.long
def test_the_first_reason_that_applies_is_given() -> None:
    for position, square in MOVES:
        expected = expected_reason(str(position), square)
        assert explain(position, square).reason == expected, (position, square)


@pytest.mark.long
def test_the_facts_of_an_explanation_are_true() -> None:
    for position, square in MOVES:
        board, explanation = str(position), explain(position, square)
        child, scores = children(board)[square], move_scores(board)
        best_child = children(board)[best(board)[0]]
        assert (explanation.score, explanation.move_count) == (scores[square], len(scores))
        assert explanation.equal_moves == tuple(s for s in scores if scores[s] == scores[square])
        assert explanation.best_moves == best(board)
        assert explanation.threats == winning_squares(child, position.turn)
        assert explanation.win_chance == chance_with_best_moves(child)
        assert explanation.best_win_chance == chance_with_best_moves(best_child)
        assert bool(explanation.completed_lines) == (winner(child) == position.turn)


@pytest.mark.long
def test_an_only_move_is_explained_by_the_fastest_refutation_of_another() -> None:
    for position, square in MOVES:
        explanation = explain(position, square)
        assert bool(explanation.refutation) == (explanation.reason == "only")
        if explanation.refutation:
            board = str(position)
            alternative, win = explanation.refutation
            other_scores = [score for s, score in move_scores(board).items() if s != square]
            assert alternative != square
            assert win.followed_square in best(children(board)[alternative])
            assert win.turns == 10 + min(other_scores)
            assert win.plan or win.threats


@pytest.mark.long
def test_a_move_that_gives_something_away_has_a_concession() -> None:
    for position, square in MOVES:
        board, scores = str(position), move_scores(str(position))
        child, best_score = children(board)[square], max(scores.values())
        found = concession(position, square)
        assert (found is None) == (scores[square] == best_score >= 0)
        if not found:
            continue
        assert (found.missed_win is None) == (best_score <= 0)
        assert found.better_moves == (best(board) if scores[square] < best_score else ())
        reply_score = max(move_scores(child).values(), default=0)
        assert (found.allowed_win is not None) == (reply_score > 0)
        if found.allowed_win:
            assert found.allowed_win.squares == best(child)
            assert found.allowed_win.turns == 11 - reply_score
        must_block = best(child) == winning_squares(child, position.turn)
        assert found.wins_by_block == (reply_score > 0 and must_block)


@pytest.mark.long
def test_a_forced_win_holds_against_every_reply() -> None:
    for position in all_or_canonical(UNFINISHED):
        board, mark = str(position), position.turn
        win = forced_win(position)
        best_score = max(move_scores(board).values())
        assert (win is not None) == (best_score > 0)
        if not win:
            continue
        assert (win.squares, win.turns) == (best(board), 10 - best_score)
        if win.kind == "now":
            assert win.squares == winning_squares(board, mark)
        elif win.kind == "fork":
            after = children(board)[win.squares[0]]
            assert win.threats == winning_squares(after, mark)
            assert len(win.threats) > 1  # distinct squares, so one block cannot stop both
            assert not winning_squares(after, other(mark))
        else:
            assert win.turns > 3
            assert win.plan and win.plan == plan_against(position.play(win.followed_square))


@pytest.mark.long
def test_a_lost_side_that_faces_no_double_threat_is_beaten_by_a_plan() -> None:
    kinds = set()
    for position in all_or_canonical(UNFINISHED):
        board, mark = str(position), position.turn
        opponent = other(mark)
        opponent_threats = winning_squares(board, opponent)
        plan = plan_against(position)
        is_lost = max(move_scores(board).values()) < 0
        assert (plan is not None) == (is_lost and len(opponent_threats) < 2)
        if not plan:
            continue
        kinds.add(plan.is_forced)
        assert opponent_threats == ((plan.reply,) if plan.is_forced else ())
        for square, child in children(board).items():
            loses_at_once = bool(winning_squares(child, opponent)) and not winning_squares(
                board, mark
            )
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
        best_score = max(scores.values())
        longest = [s for s in scores if scores[s] == best_score < 0]
        assert [line[0] for line in lines] == longest
        for line in lines:
            current_board = board
            for square in line:
                current_scores = move_scores(current_board)
                assert current_scores[square] == max(current_scores.values())
                current_board = children(current_board)[square]
            assert winner(current_board) == other(position.turn) and len(line) == 10 + best_score
