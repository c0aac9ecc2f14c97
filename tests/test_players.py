"""The three opponents, in all 4,520 unfinished positions."""

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
