"""An opponent with a borrowed face needs nothing but an entry in OPPONENTS."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from engine.players import perfect_move
from engine.position import Mark, O, Position, Square, X
from tests.conftest import Resume, board_of, game_of, parse, status_of
from web.play.ends import GameResult
from web.play.opponents import OPPONENTS, LastWords, Opponent

START = Position()
RESULTS: dict[Mark | None, GameResult] = {X: "won", None: "drawn", O: "lost"}
LAST_SQUARE = OPPONENTS["random"]._replace(
    strategy=lambda position, rng: position.legal_moves()[-1],
    greeting="I take the last square. Always.",
    why="It was the last square.",
    won=LastWords("So you won.", "It happens."),
    drawn=LastWords("So you drew.", "It happens."),
    lost=LastWords("So you lost.", "It happens."),
)


def games(
    position: Position = START, clicks: tuple[Square, ...] = ()
) -> Iterator[tuple[GameResult, tuple[Square, ...]]]:
    """Yield the result of each game X can play against LAST_SQUARE, and the squares X clicks."""
    if outcome := position.outcome():
        yield RESULTS[outcome.winner], clicks
    elif position.turn == O:
        yield from games(position.play(position.legal_moves()[-1]), clicks)
    else:
        for square in position.legal_moves():
            yield from games(position.play(square), (*clicks, square))


def test_every_imperfect_opponent_has_all_its_own_sentences() -> None:
    for opponent in (*OPPONENTS.values(), LAST_SQUARE):
        assert opponent.is_perfect or all(
            (opponent.greeting, opponent.why, opponent.won, opponent.drawn, opponent.lost)
        )


@pytest.mark.parametrize("result", RESULTS.values())
def test_a_new_opponent_is_introduced_played_and_explained(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, result: GameResult
) -> None:
    monkeypatch.setitem(OPPONENTS, "last", LAST_SQUARE)
    client.post("/new", data={"difficulty": "last"})
    page = parse(client.get("/"))
    assert page.select("#difficulty-last")[0]["aria-pressed"] == "true"
    assert page.select("#difficulty-last")[0].get_text() == "Last"
    assert LAST_SQUARE.greeting in status_of(page) and not page.select(".nine")
    for square in dict(games())[result]:
        assert page.select("#face")[0]["aria-label"] == "Last"
        client.post("/move", data={"square": str(square), "position": board_of(page)})
        page = parse(client.get("/"))
        if "Your move" in page.get_text():
            assert LAST_SQUARE.why in parse(client.get("/why")).get_text()
    words: LastWords = getattr(LAST_SQUARE, result)
    assert status_of(page).startswith(f"{words.verdict} {words.sentence}")
    assert client.get("/why").status_code == 200
    game = game_of(client)
    tally = game.updated_record.tally("last")
    assert (tally.wins, tally.losses) == (result == "won", result == "lost")
    assert not game.updated_record.earned_bits
    client.post("/new")
    assert game_of(client).opponent_name == "last" and game_of(client).record == game.updated_record


def test_draws_against_another_perfect_opponent_earn_squares(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, resume: Resume
) -> None:
    monkeypatch.setitem(OPPONENTS, "twin", Opponent(perfect_move, is_perfect=True))
    resume("048176253", "twin")
    page = parse(client.get("/"))
    assert page.select("#face")[0]["aria-label"] == "Twin"
    assert status_of(page) == "You stopped me. Top left is yours. Eight to go."
    assert game_of(client).updated_record.earned_bits == 1 << 0
