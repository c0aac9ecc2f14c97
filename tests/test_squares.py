"""The nine squares: which games earn the square they start on, and that it is kept."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from flask.testing import FlaskClient

from tests import textbook
from tests.client import COOKIE
from tests.conftest import Resume
from web.play.game import Game
from web.play.opponents import OPPONENTS
from web.play.record import Record, Tally
from web.play.squares import ALL_NINE

RNG = Random(1)
DRAWN = Game((4, 0, 8, 2, 1, 7, 3, 5, 6))  # X started in the center, and nobody won


def earned_by(game: Game) -> set[int]:
    """Return the squares that are earned once a game is over."""
    return {square for square in range(9) if game.updated_record.earned_bits >> square & 1}


def test_a_draw_against_perfect_as_x_earns_the_first_square() -> None:
    """That holds in every game that a human can play against Perfect."""
    earned = set()
    for moves in textbook.games_against_perfect("X"):
        game = Game(moves)
        is_drawn = game.outcome is not None and not game.outcome.winner
        assert earned_by(game) == ({moves[0]} if is_drawn else set())
        assert not replace(game, help_used="hint").updated_record.earned_bits
        earned |= earned_by(game)
    assert earned == {*range(9)}


def test_a_game_as_o_neither_promises_nor_earns_a_square() -> None:
    """That holds in every game that a human can play; Perfect starts in any corner."""
    for moves in textbook.games_against_perfect("O"):
        for n in range(len(moves) + 1):
            if n % 2 or n == len(moves):  # the human is to move, or the game is over
                game = Game(moves[:n], human="O")
                assert not earned_by(game) and game.at_stake is None
    for record in (Record(), Record(earned_bits=0b101)):
        game = Game(record=record)
        openings = {game.start_next("perfect", "O", Random(seed)).moves for seed in range(50)}
        assert openings == {(0,), (2,), (6,), (8,)}


def test_a_square_is_at_stake_while_a_draw_can_earn_it() -> None:
    for moves in textbook.games_against_perfect("X"):
        ended = Game(moves)
        is_drawn = ended.outcome is not None and not ended.outcome.winner
        game = replace(ended, moves=moves[:4])
        assert game.at_stake == moves[0] and ended.at_stake is None
        earned = ended.updated_record.earned_bits
        assert earned == (1 << moves[0] if is_drawn else 0)
        for change in (
            {"help_used": "back"},
            {"opponent_name": "random"},
            {"setup_length": 1},
            {"moves": ()},
            {"record": Record(earned_bits=1 << moves[0])},
        ):
            assert replace(game, **change).at_stake is None


def test_games_against_random_or_from_a_board_set_up_earn_nothing() -> None:
    assert earned_by(DRAWN) == {4}
    for change in ({"opponent_name": "random"}, {"setup_length": 2}, {"moves": DRAWN.moves[:-1]}):
        assert not earned_by(replace(DRAWN, **change))


def test_help_counts_for_the_whole_game_even_if_taken_back() -> None:
    for helped in (
        Game((0, 4, 8, 1)).with_hint("danger"),
        Game((0, 4, 8, 1)).with_hint("danger").with_hint("off"),
        Game((0, 4, 8, 1)).undo(),
        Game((0, 4, 8, 1)).with_hint("results").undo(),
    ):
        assert helped.help_used
        assert helped.play(7, RNG).help_used
        assert not helped.start_next("perfect", "X", RNG).help_used
    assert not Game((4, 0)).with_hint("off").help_used


def test_an_earned_square_is_kept_forever() -> None:
    for later in (
        DRAWN.undo(),
        DRAWN.start_next("random", "O", RNG),
        DRAWN.start_next("perfect", "X", RNG, (0, 1)),
        replace(DRAWN, human="X").with_hint("off"),
    ):
        assert 4 in earned_by(later)
    unfinished = Game((0, 4), record=Record(earned_bits=1 << 4)).start_next("perfect", "X", RNG)
    assert unfinished.undo().moves == (0, 4)
    assert unfinished.undo().record.earned_bits == 1 << 4


def test_the_largest_cookie_is_under_1500_bytes(client: FlaskClient, resume: Resume) -> None:
    """It holds an unfinished game, thousands of results, all squares and screens, a daily board."""
    unfinished = {"moves": "04817236", "opponent": "perfect", "human": "X", "set_up": 8,
            "before": ["perfect", "O"]}  # fmt: skip
    tallies = [Tally(name, 99_999, 99_999) for name in OPPONENTS]
    resume("048172", "perfect", set_up=4, hint="results", before=["perfect", "O"],
           unfinished=unfinished, earned_bits=ALL_NINE, tallies=tallies,
           losing_streak=99_999)  # fmt: skip
    with client.session_transaction() as session:
        session["done"] = "123456789abcde"
        past = ["2026-11-22", "012345678012345"]
        session["day"] = ["2026-11-23", "012345678012345", 99_999, "flsfls", 498_858, past]
    cookie = client.get_cookie(COOKIE)
    assert cookie
    assert len(cookie.value) < 1500
