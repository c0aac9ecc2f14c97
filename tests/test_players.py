"""The three opponents, in all 4,520 unfinished positions."""

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from engine.players import Strategy, hasty_move, perfect_move, random_move
from engine.position import Position
from tests import textbook
from tests.conftest import ScriptedRandom
from tests.positions import UNFINISHED, all_or_canonical


def test_perfect_chooses_from_all_best_moves() -> None:
    assert len(UNFINISHED) == 4520
    for position in UNFINISHED:
        rng = ScriptedRandom()
        assert perfect_move(position, rng) in rng.offered
        assert rng.offered == textbook.best(str(position)), position


def test_random_chooses_from_all_legal_moves() -> None:
    for position in all_or_canonical(UNFINISHED):
        rng = ScriptedRandom()
        assert random_move(position, rng) in rng.offered
        assert rng.offered == position.legal_moves()


def test_hasty_wins_if_it_can_and_blocks_if_it_must() -> None:
    for position in UNFINISHED:
        rng, board, own = ScriptedRandom(), str(position), position.turn
        assert hasty_move(position, rng) in rng.offered
        urgent = textbook.winning_squares(board, own) or textbook.winning_squares(
            board, textbook.other(own)
        )
        assert tuple(rng.offered) == tuple(urgent or position.legal_moves()), position


def chance_against_hasty(board: str, mark: str, *, is_hasty: bool = False) -> Fraction:
    """Return how often `mark` beats Hasty, with the best moves or, if `is_hasty`, as Hasty."""
    if textbook.is_over(board):
        return Fraction(textbook.winner(board) == mark)
    turn, children = textbook.turn(board), textbook.children(board)
    chances = {at: cached_chance(child, mark, is_hasty) for at, child in children.items()}
    if turn == mark and not is_hasty:
        return max(chances.values())
    urgent = textbook.winning_squares(board, turn) or textbook.winning_squares(
        board, textbook.other(turn)
    )
    candidates = urgent or [*children]
    return sum((chances[at] for at in candidates), Fraction(0)) / len(candidates)


@cache
def cached_chance(board: str, mark: str, is_hasty: bool) -> Fraction:
    return chance_against_hasty(board, mark, is_hasty=is_hasty)


def test_the_best_play_beats_hasty_as_often_as_the_textbook_computes() -> None:
    """Hasty beats itself as often as the page says, going first or second."""
    first, second = (cached_chance(textbook.EMPTY, mark, False) for mark in "XO")
    hasty_chances = [cached_chance(textbook.EMPTY, mark, True) for mark in "XO"]
    assert (round(first * 100), round(second * 100)) == (93, 47)
    assert 31 in [round(chance * 100) for chance in hasty_chances], hasty_chances


@pytest.mark.parametrize("player", [random_move, hasty_move, perfect_move])
def test_the_same_seed_repeats_a_choice_and_other_seeds_vary_it(player: Strategy) -> None:
    def picks(seed: int) -> list[int]:
        rng = Random(seed)
        return [player(Position(), rng) for _ in range(20)]

    assert picks(1) == picks(1) != picks(2)


@pytest.mark.parametrize("player", [random_move, hasty_move, perfect_move])
def test_no_player_moves_once_the_game_is_over(player: Strategy) -> None:
    with pytest.raises(IndexError):
        player(Position.parse("XXXOO----"), Random())
