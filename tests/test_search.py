"""The engine's search, for every position, against the textbook and known figures."""

from fractions import Fraction

import pytest

from engine.position import OTHER, IllegalMoveError, Position
from engine.results import principal_variation, results, variation_from
from engine.search import analyze, best_moves, score, solve, win_chance
from tests import textbook
from tests.positions import ALL_POSITIONS


def test_every_score_result_and_best_move_matches_the_textbook() -> None:
    """The best moves score highest and, among those, win most often; they are in board order."""
    for position in ALL_POSITIONS:
        board, scores = str(position), textbook.move_scores(str(position))
        assert score(position) == textbook.minimax(board, position.turn), position
        assert analyze(position) == scores, position
        winner = {1: position.turn, 0: None, -1: OTHER[position.turn]}
        assert results(position) == {
            square: (winner[textbook.sign(value)], 10 - abs(value) if value else 0)
            for square, value in scores.items()
        }, position
        assert best_moves(position) == textbook.best(board), position


def test_every_win_chance_is_that_of_best_play_against_random_replies() -> None:
    for position in ALL_POSITIONS:
        for square in position.legal_moves():
            if score(position) == analyze(position)[square]:
                child = position.play(square)
                assert win_chance(child) == textbook.chance_after(str(child)), child


def test_no_player_that_keeps_the_result_beats_random_more_often() -> None:
    opening = Position()
    first = win_chance(opening.play(best_moves(opening)[0]))
    assert first == textbook.best_win_chance(textbook.EMPTY) == Fraction(191, 192)

    replies = [opening.play(square) for square in opening.legal_moves()]
    second = sum(win_chance(reply.play(best_moves(reply)[0])) for reply in replies) / 9
    assert second == Fraction(866, 945)
    assert second == sum(map(textbook.best_win_chance, map(str, replies))) / 9


def test_the_principal_variation_consists_of_best_moves() -> None:
    for position in ALL_POSITIONS:
        end = position
        for square in principal_variation(position):
            assert square == best_moves(end)[0]
            end = end.play(square)
        outcome = end.outcome()
        assert outcome
        turns = end.ply - position.ply
        expected = 0 if outcome.winner is None else 10 - turns
        assert score(position) == (expected if outcome.winner == position.turn else -expected)


def test_a_variation_cannot_start_with_an_illegal_move() -> None:
    with pytest.raises(IllegalMoveError):
        variation_from(Position.parse("X--------"), 0)


def test_solving_searches_765_positions_only_once() -> None:
    memos = [vars(function)["__wrapped__"] for function in (score, win_chance)]
    for memo in (*memos, analyze, best_moves):
        memo.cache_clear()
    solve()
    before = [memo.cache_info().misses for memo in memos]
    assert before[0] == 765
    for position in ALL_POSITIONS:
        for function in (analyze, best_moves, score):
            function(position)
    assert [memo.cache_info().misses for memo in memos] == before
