"""A board as a challenge: what is said of it, its picture, and what a preview shows."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from app import create_app
from engine.position import Position
from engine.symmetry import reachable
from teach.challenge import challenge
from tests import textbook
from tests.conftest import KEY, assert_refused, parse
from web.site import drawing, pictures
from web.site.drawing import Words

NUMBERS = "no one two three four five six seven eight nine".split()


def words(app: Flask) -> Any:
    """Return the words of a challenge, as macros."""
    return app.jinja_env.get_template("challenge/_words.html").module


def fact_of(board: str) -> str:
    """Return what is true of a board by the textbook, as it should be said."""
    scores, holding = textbook.move_scores(board), textbook.holding(board)
    won = max(scores.values()) > 0
    if max(scores.values()) < 0:
        return "every square loses."
    if len(scores) == 1:
        return f"one square is left, and it {'wins' if won else 'draws'}."
    if len(holding) == 1:
        return f"one square {'wins' if won else 'holds'}."
    if len(holding) == len(scores):
        return f"every square {'wins' if won else 'holds'}."
    if len(holding) == len(scores) - 1:
        return f"one square {'gives the win away' if won else 'loses'}."
    return f"{NUMBERS[len(holding)]} of {NUMBERS[len(scores)]} {'win' if won else 'hold'}."


def test_what_is_said_of_a_board_is_true_of_every_board(app: Flask) -> None:
    say, said = words(app), Counter[str]()
    for position in reachable():
        board, it = str(position), challenge(position)
        title, call = str(say.title(it)), str(say.call(it))
        if it.ask == "start":
            expected = "I have never lost."
        elif textbook.over(board):
            won = textbook.winner(board)
            expected = f"{won} won: " if won else "A draw."
        else:
            expected = f"{textbook.turn(board)} to move: {fact_of(board)}"
        assert title.startswith(expected), board
        assert (call == "Can you find it?") == (it.ask == "only")
        said[it.ask] += 1
    assert said.total() == 5478
    assert set(said) == {"start", "only", "all but one", "some", "all", "none", "over"}


def test_a_picture_says_what_its_board_says_begun_by_a_mark_in_its_colour(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(position: Position, words: Words) -> bytes:
        return repr(tuple(words)).encode()

    monkeypatch.setattr(drawing, "picture", write)
    monkeypatch.setattr(pictures, "drawn", pictures.drawn.__wrapped__)
    for board, words in {
        "---------": (None, "I have never lost.", "Hold me to a draw, if you can."),
        "X--------": ("O", "O to move: one square holds.", "Can you find it?"),
        "-O--X----": ("X", "X to move: one square gives the win away.", "Go on from here."),
        "XOOX-XOXO": ("X", "X to move: one square is left, and it wins.", "Go on from here."),
        "XOXOXOX--": ("X", "X won: diagonal.", "See where it turned."),
        "XOXXOOOXX": (None, "A draw.", "See where it turned."),
    }.items():
        assert client.get(f"/picture/{board}.png").data == repr(words).encode()


def test_a_picture_shows_its_board_in_64_colours_and_40_kilobytes(client: FlaskClient) -> None:
    colours = {"X": (27, 85, 181), "O": (184, 58, 10), "-": (255, 253, 249)}
    for board in ("---------", "X---O----", "XOXXOOOXX", "XXXOO----", "OX--O-XXO"):
        response = client.get(f"/picture/{board}.png")
        assert response.mimetype == "image/png"
        assert len(response.data) <= 40_000
        image = Image.open(BytesIO(response.data))
        assert image.size == (1200, 630)
        assert len(image.getcolors() or ()) <= 64
        for square, mark in enumerate(board):
            # The middle of an X, the top of a ring; of a filled square an edge.
            wins = square in Position.parse(board).winning_squares()
            x, y = (149 + 165.6 * at for at in (square % 3, square // 3))
            at = (x - 60, y - 55) if wins else (x, y - 41) if mark == "O" else (x, y)
            found = image.convert("RGB").getpixel((round(at[0]), round(at[1])))
            assert isinstance(found, tuple)
            assert max(abs(a - b) for a, b in zip(found, colours[mark], strict=True)) < 12


def test_a_picture_is_kept_for_good_under_its_version_and_no_other_way(client: FlaskClient) -> None:
    (named,) = parse(client.get("/")).select("[property='og:image']")
    address = str(named["content"]).removeprefix("http://localhost")
    assert address.startswith("/picture/---------.png?v=")
    kept = client.get(address).headers
    assert kept["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.get(f"{address}0").headers["Cache-Control"] == "public, max-age=0"
    assert pictures.drawn.cache_info().maxsize == 128
    assert_refused(client, "/picture/X---X----.png", "cannot be 2 X and 0 O")


def test_addresses_for_others_are_whole_by_the_setting_or_as_the_request_has_them(
    monkeypatch: pytest.MonkeyPatch, client: FlaskClient
) -> None:
    monkeypatch.setenv("FLASK_PUBLIC_URL", "https://game.example/")
    for asked, site in (
        (create_app({"SECRET_KEY": KEY}).test_client(), "https://game.example"),
        (client, "http://other.example"),
    ):
        soup = parse(asked.get("/", headers={"Host": "other.example"}))
        tags = {str(tag.get("property")): str(tag["content"]) for tag in soup.select("meta")[2:]}
        assert tags["og:url"] == f"{site}/"
        assert tags["og:image"].startswith(f"{site}/picture/---------.png?v=")
        assert tags["og:image:alt"] == "The empty board. I have never lost."
