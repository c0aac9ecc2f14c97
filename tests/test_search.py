"""The search, for every position, against textbook minimax and against known figures."""

from fractions import Fraction

import pytest

from engine import search
from engine.position import IllegalMoveError, Position, reachable
from engine.search import analyse, best_moves, chance, principal_variation, score, solve
from tests import textbook

EVERY = list(reachable())


def test_every_score_is_the_textbooks() -> None:
    for position in EVERY:
        assert score(position) == textbook.minimax(str(position), position.turn), position
        assert analyse(position) == textbook.move_scores(str(position)), position


@pytest.mark.parametrize(
    ("board", "value"),
    [
        ("---------", 0),  # a draw with best play
        ("X-O-O-X--", 9),  # X wins now: middle left
        ("XO-------", 5),  # X wins on turn 5
        ("XO--X----", -6),  # O to move loses on turn 4, if it blocks
        ("XXXOO----", -10),  # O to move has lost already
    ],
)
def test_scores_count_turns_from_the_move_being_decided(board: str, value: int) -> None:
    assert score(Position.parse(board)) == value


def test_every_chance_is_exactly_that_of_best_play_against_random_replies() -> None:
    for position in EVERY:
        for square in position.legal_moves():
            if score(position) == analyse(position)[square]:
                assert chance(position, square) == textbook.chance_after(
                    str(position.play(square))
                ), position


def test_no_player_that_keeps_the_games_value_beats_random_more_often() -> None:
    opening = Position()
    first = chance(opening, best_moves(opening)[0])
    assert first == textbook.best_chance(textbook.EMPTY) == Fraction(191, 192)

    replies = [opening.play(square) for square in opening.legal_moves()]
    second = sum(chance(reply, best_moves(reply)[0]) for reply in replies) / 9
    assert second == Fraction(866, 945)
    assert second == sum(map(textbook.best_chance, map(str, replies))) / 9


def test_best_moves_are_all_that_score_highest_and_then_win_most_often_in_order() -> None:
    for position in EVERY:
        scores = textbook.move_scores(str(position))
        top = [square for square in scores if scores[square] == max(scores.values())]
        chances = {square: chance(position, square) for square in top}
        best = [square for square in top if chances[square] == max(chances.values())]
        assert best_moves(position) == tuple(best), position


def test_the_principal_variation_is_best_moves_to_the_end() -> None:
    for position in EVERY:
        end = position
        for square in principal_variation(position):
            assert square in best_moves(end)
            end = end.play(square)
        outcome = end.outcome()
        assert outcome
        turns = end.ply - position.ply
        expected = 0 if outcome.winner is None else 10 - turns
        assert score(position) == (expected if outcome.winner == position.turn else -expected)


def test_asking_for_the_chance_of_an_illegal_move_is_refused() -> None:
    with pytest.raises(IllegalMoveError):
        chance(Position.parse("X--------"), 0)


def test_solving_searches_765_positions_and_no_later_question_needs_a_search() -> None:
    for memo in (search._minimax, analyse, best_moves):
        memo.cache_clear()
    solve()
    assert search._minimax.cache_info().misses == 765
    for position in EVERY:
        assert bool(analyse(position)) == bool(best_moves(position))
        score(position)
    assert search._minimax.cache_info().misses == 765
