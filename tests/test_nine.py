"""Nine squares to hold: which games ink the square they began on, and what keeps it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.position import Mark, Position
from tests import textbook
from tests.conftest import game_of, parse, text_of
from web.play.game import ALL_HELD, BITS, CORNERS, NINE, Game

RNG = Random(1)
HELD = Game((4, 0, 8, 2, 1, 7, 3, 5, 6))  # X began in the centre, and nobody won


def begun_on(game: Game) -> set[tuple[Mark, int]]:
    """Return whose squares, of those on which games began, are held."""
    return {begun for begun, bit in BITS.items() if game.held_by_now & bit}


@pytest.mark.parametrize("human", ["X", "O"])
def test_each_draw_against_perfect_inks_the_square_it_began_on_and_no_other_game_does(
    human: Mark,
) -> None:
    """All games of a human who tries everything; Perfect begins in the corners."""
    held = set()
    for moves in textbook.games_against_perfect(human):
        game = Game(moves, human=human)
        drawn = game.outcome is not None and not game.outcome.winner
        assert begun_on(game) == ({(human, moves[0])} if drawn else set())
        assert not replace(game, helped=True).held_by_now
        held |= begun_on(game)
    assert held == {begun for begun in BITS if begun[0] == human}


def test_a_game_against_random_and_one_from_a_placed_board_ink_nothing() -> None:
    assert begun_on(HELD) == {("X", 4)}
    assert not begun_on(replace(HELD, opponent="random"))
    assert not begun_on(replace(HELD, set_up=2))
    assert not begun_on(replace(HELD, moves=HELD.moves[:-1]))


def test_a_game_of_o_that_perfect_never_began_inks_nothing() -> None:
    """O | X | X   Perfect begins in no edge, but a cookie may say so.
    X | O | O
    X | O | X"""
    game = Game((1, 0, 2, 4, 8, 5, 3, 7, 6), human="O")
    assert game.outcome == Position.parse("OXXXOOXOX").outcome()
    assert not begun_on(game)


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
        HELD.clear_tally(RNG),
        HELD.start("perfect", "X", RNG, (0, 1)),
        replace(HELD, human="X").ask("off"),
    ):
        assert ("X", 4) in begun_on(later)
    left = Game((0, 4), held=BITS["X", 4]).start("perfect", "X", RNG)
    assert left.undo().moves == (0, 4)
    assert left.undo().held == BITS["X", 4]
    assert bin(ALL_HELD).count("1") == 9 + len(CORNERS)


def test_the_seat_bears_the_squares_held_and_opens_to_what_counts(
    client: FlaskClient, resume: Callable[..., None]
) -> None:
    """4 of 9 held, and as O one corner of 4."""
    resume("54", "perfect")
    with client.session_transaction() as session:
        held = [BITS["X", square] for square in (0, 1, 4, 8)]
        session["game"] |= {"helped": False, "held": sum(held) | BITS["O", 6]}
    soup = parse(client.get("/"))
    assert [rect["class"] for rect in soup.select("#you rect")] == [
        "in", "in", "out", "out", "in", "out", "out", "out", "in"
    ]  # fmt: skip
    assert text_of(soup.select_one("#you small")).startswith("X · your move")
    assert text_of(soup.select_one("#nine")) == (
        "Nine squares to hold. Press one to begin there. Hold Perfect to a draw, without hint or"
        " take back. 4 of 9 As O : 1 of 4 corners"
    )
    begun = soup.select("#nine button")
    assert [button["value"] for button in begun] == ["2", "3", "5", "6", "7"]
    client.post(begun[1]["formaction"], data={begun[1]["name"]: begun[1]["value"]})
    game = game_of(client)
    assert (game.moves[0], game.human, game.counts, game.helped) == (3, "X", True, False)
    labels = [board["aria-label"] for board in soup.select("#nine svg")]
    assert labels == [
        "Held as X: top left, top centre, centre, bottom right",
        "Held as O: bottom left",
    ]


@pytest.mark.parametrize(
    ("given", "why_not"),
    [({"helped": True}, "it had a hint or a take back"),
     ({"set_up": 1}, "it began on a placed board")],
)  # fmt: skip
def test_the_panel_says_why_a_game_holds_none(
    client: FlaskClient, resume: Callable[..., None], given: dict[str, Any], why_not: str
) -> None:
    resume("5408", "perfect")
    with client.session_transaction() as session:
        session["game"] |= {"helped": False} | given
    assert f"This game holds none: {why_not}." in text_of(
        parse(client.get("/")).select_one("#nine")
    )


def test_the_ninth_square_is_told_once_with_the_corners_as_what_is_left(
    client: FlaskClient, resume: Callable[..., None]
) -> None:
    eight = NINE & ~BITS["X", 4]
    for held, told in ((eight, True), (NINE, False), (eight & ~1, False)):
        resume("408217356", "perfect")
        with client.session_transaction() as session:
            session["game"] |= {"helped": False, "held": held | BITS["O", 6]}
        soup = parse(client.get("/"))
        said = text_of(soup.select_one("#status"))
        assert ("There is nowhere left. Well held." in said) == told
        assert ("As O: 1 of 4 corners" in said) == told
        assert ("There is nowhere left." in text_of(soup.select_one("#nine"))) == (
            held | BITS["X", 4] == NINE
        )


def test_the_cookie_stays_under_1500_bytes_with_everything_kept(
    client: FlaskClient, resume: Callable[..., None]
) -> None:
    """A game left, tallies of many thousand games, every square held, all screens done, a day."""
    left = {"moves": "04817236", "opponent": "perfect", "human": "X", "set_up": 8, "helped": False,
            "before": ["perfect", "O"]}  # fmt: skip
    many = {"random": [99_999] * 4, "perfect": [0, 99_999, 99_999, 99_999]}
    resume("048172", "perfect", set_up=4, unfinished=left, tallies=many, hint="results")
    with client.session_transaction() as session:
        session["game"] |= {"helped": False, "held": ALL_HELD, "beaten": False}
        session["game"] |= {"before": ["perfect", "O"]}
        session["done"] = "123456789abcde"
        session["today"] = ["2026-11-23", "012345678", 99_999]
    cookie = client.get_cookie("session")
    assert cookie
    assert len(cookie.value) < 1500
