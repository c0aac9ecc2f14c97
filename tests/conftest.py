"""Fixtures and helpers for the tests of web pages: apps, clients, games in a session, and text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.templating import Environment
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.test import TestResponse

from app import create_app
from tests.html import Tag
from tests.pages import NOW
from web.play.cookie import from_dict, to_dict
from web.play.game import Game
from web.play.record import Record

KEY = "only for tests" * 5
HTMX = {"HX-Request": "true"}
CELL_IDS = [f"cell-{square}" for square in range(9)]
Resume = Callable[..., None]


class BytecodeMemory(BytecodeCache):
    """A cache of compiled templates in memory."""

    def __init__(self) -> None:
        self.code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.code:
            bucket.bytecode_from_string(self.code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.code[bucket.key] = bucket.bytecode_to_string()


# Shared by all applications, as compiling all templates takes 0.9 s.
Flask.jinja_environment = staticmethod(  # type: ignore[assignment]
    partial(Environment, bytecode_cache=BytecodeMemory())
)


class ScriptedRandom(Random):
    """A source of random choices that a test decides, and that remembers what it chose from."""

    pick = 0  # the index of what each choice returns
    offered: tuple[int, ...] = ()  # what the last choice was made from

    def choice(self, seq: Any) -> Any:
        self.offered = tuple(seq)
        return seq[self.pick]


@pytest.fixture(scope="session")
def rng() -> ScriptedRandom:
    return ScriptedRandom()


@pytest.fixture(scope="session")
def app(rng: ScriptedRandom) -> Flask:
    return create_app({"TESTING": True, "SECRET_KEY": KEY, "NOW": lambda: NOW}, rng)


@pytest.fixture
def client(app: Flask, rng: ScriptedRandom) -> FlaskClient:
    rng.pick = 0
    return app.test_client()


@pytest.fixture
def resume(client: FlaskClient) -> Resume:
    """A function that puts a game into the client's session."""

    def save_game(moves: str, opponent: str = "random", human: str = "X", **values: Any) -> None:
        """Save a game with these values of the cookie.

        `values` may also have fields of the record, such as `earned_bits`.
        """
        record = Record(**{name: values.pop(name) for name in Record._fields if name in values})
        game = {"moves": moves, "opponent": opponent, "human": human, "set_up": 0}
        defaults = {"helped": "", "link": 0, "was": None, "before": None, "nine": None}
        if unfinished := values.get("unfinished"):
            values["unfinished"] = defaults | unfinished
        saved = to_dict(Game(record=record))
        saved = {name: saved[name] for name in ("version", "hint", "record", "unfinished")}
        with client.session_transaction() as session:
            session["game"] = game | defaults | saved | values

    return save_game


@pytest.fixture
def visitor_has_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every visitor of Study as the player of the game shown there."""
    monkeypatch.setattr("web.study.routes.has_played", lambda *_: True)


def game_of(client: FlaskClient) -> Game:
    """Return the game in the client's session, or a new one if there is none."""
    with client.session_transaction() as session:
        return from_dict(session["game"]) if "game" in session else Game()


def parse(response: TestResponse) -> Tag:
    """Return the page in a response."""
    return Tag.parse(response.text)


def text_of(tag: Tag | None) -> str:
    """Return all text of an element, with one space between words."""
    assert tag
    text = " ".join(tag.get_text(" ").split())
    # A space also separates elements, so it may come before punctuation, where it does not belong.
    return re.sub(" (?=[.,:])", "", text)


def board_of(soup: Tag) -> str:
    """Return the board that a page shows, as nine characters."""
    marks = {cell["id"]: str(cell["data-mark"]) for cell in soup.select("#board .cell")}
    return "".join(marks[cell] or "-" for cell in CELL_IDS)


def status_of(soup: Tag) -> str:
    """Return what the opponent says on a game page."""
    (status,) = soup.select("#status")
    return status.get_text()
