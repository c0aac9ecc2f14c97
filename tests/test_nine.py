"""Nine squares to hold: which games ink the square they began on, and what keeps it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from flask.testing import FlaskClient

from engine.position import Mark
from tests import textbook
from tests.client import COOKIE
from tests.conftest import Resume
from web.play.game import Game
from web.play.nine import ALL_HELD, BITS, CORNERS
from web.play.page import Page
from web.play.record import Record

RNG = Random(1)
HELD = Game((4, 0, 8, 2, 1, 7, 3, 5, 6))  # X began in the centre, and nobody won


def begun_on(game: Game) -> set[tuple[Mark, int]]:
    """Return whose squares, of those on which games began, are held."""
    return {begun for begun, bit in BITS.items() if game.record_by_now.held & bit}


@pytest.mark.parametrize("human", ["X", "O"])
def test_each_draw_against_perfect_alone_inks_the_square_it_began_on(human: Mark) -> None:
    """All games of a human who tries everything; Perfect begins in the corners."""
    held = set()
    for moves in textbook.games_against_perfect(human):
        game = Game(moves, human=human)
        drawn = game.outcome is not None and not game.outcome.winner
        assert begun_on(game) == ({(human, moves[0])} if drawn else set())
        assert not replace(game, helped="hint").record_by_now.held
        held |= begun_on(game)
    assert held == {begun for begun in BITS if begun[0] == human}


@pytest.mark.parametrize("human", ["X", "O"])
def test_what_a_draw_without_help_fills_is_said_while_that_is_so(human: Mark) -> None:
    for moves in textbook.games_against_perfect(human):
        ended = Game(moves, human=human)
        drawn = ended.outcome is not None and not ended.outcome.winner
        game = replace(ended, moves=moves[: 4 if human == "X" else 3])
        assert at_stake(game) == moves[0] and at_stake(ended) is None
        held = ended.record_by_now.held
        assert held == (BITS[human, moves[0]] if drawn else 0)
        for change in (
            {"helped": "back"},
            {"opponent": "random"},
            {"set_up": 1},
            {"moves": moves[: human == "O"]},
            {"record": Record(held=BITS[human, moves[0]])},
        ):
            assert at_stake(replace(game, **change)) is None


def at_stake(game: Game) -> int | None:
    row = Page(game).you
    return row.at_stake if row else None


def test_a_game_against_random_and_one_from_a_placed_board_ink_nothing() -> None:
    assert begun_on(HELD) == {("X", 4)}
    for change in ({"opponent": "random"}, {"set_up": 2}, {"moves": HELD.moves[:-1]}):
        assert not begun_on(replace(HELD, **change))


def test_a_game_of_o_that_perfect_never_began_inks_nothing() -> None:
    """O | X | X   Perfect begins in no edge, but a cookie may say so.
    X | O | O
    X | O | X"""
    game = Game((1, 0, 2, 4, 8, 5, 3, 7, 6), human="O")
    assert str(game.position) == "OXXXOOXOX" and not begun_on(game)


def test_help_lasts_for_the_game_and_through_undo() -> None:
    for helped in (
        Game((4, 0)).ask("danger"),
        Game((4, 0)).ask("danger").ask("off"),
        Game((4, 0)).undo(),
        Game((4, 0)).ask("results").undo(),
    ):
        assert helped.helped
        assert helped.play(8, RNG).helped
        assert not helped.start("perfect", "X", RNG).helped
    assert not Game((4, 0)).ask("off").helped


def test_what_is_inked_stays_whatever_comes_next() -> None:
    for later in (
        HELD.undo(),
        HELD.start("random", "O", RNG),
        HELD.start("perfect", "X", RNG, (0, 1)),
        replace(HELD, human="X").ask("off"),
    ):
        assert ("X", 4) in begun_on(later)
    left = Game((0, 4), record=Record(held=BITS["X", 4])).start("perfect", "X", RNG)
    assert left.undo().moves == (0, 4)
    assert left.undo().record.held == BITS["X", 4]
    assert bin(ALL_HELD).count("1") == 9 + len(CORNERS)


def test_a_cookie_with_all_kept_stays_under_1500_bytes(client: FlaskClient, resume: Resume) -> None:
    """A game left, thousands of games counted, every square held, all screens done, a day."""
    left = {"moves": "04817236", "opponent": "perfect", "human": "X", "set_up": 8,
            "before": ["perfect", "O"]}  # fmt: skip
    many = dict.fromkeys(("won", "lost", "losing"), 99_999)
    resume("048172", "perfect", set_up=4, hint="results", before=["perfect", "O"], unfinished=left,
           held=ALL_HELD, **many)  # fmt: skip
    with client.session_transaction() as session:
        session["done"] = "123456789abcde"
        session["day"] = ["2026-11-23", "012345678012345", 99_999, "flsfls", 498_858]
    cookie = client.get_cookie(COOKIE)
    assert cookie
    assert len(cookie.value) < 1500
