"""The two opponents, in each of the 4,520 positions in which they can be asked to move."""

from random import Random

import pytest

from engine.players import Strategy, perfect_move, random_move
from engine.position import Position
from tests import textbook
from tests.conftest import Scripted
from tests.positions import UNFINISHED, whole


def test_perfect_picks_among_all_best_moves() -> None:
    assert len(UNFINISHED) == 4520
    for position in UNFINISHED:
        rng = Scripted()
        assert perfect_move(position, rng) in rng.offered
        assert rng.offered == textbook.best(str(position)), position


def test_random_picks_among_all_legal_moves() -> None:
    for position in whole(UNFINISHED):
        rng = Scripted()
        assert random_move(position, rng) in rng.offered
        assert rng.offered == position.legal_moves()


@pytest.mark.parametrize("player", [random_move, perfect_move])
def test_a_seed_repeats_the_choice_and_other_seeds_vary_it(player: Strategy) -> None:
    def picks(seed: int) -> list[int]:
        rng = Random(seed)
        return [player(Position(), rng) for _ in range(20)]

    assert picks(1) == picks(1) != picks(2)


@pytest.mark.parametrize("player", [random_move, perfect_move])
def test_nobody_moves_once_the_game_is_over(player: Strategy) -> None:
    with pytest.raises(IndexError):
        player(Position.parse("XXXOO----"), Random())
