"""The cost of a click: bytes sent, parts rendered, functions called."""

from __future__ import annotations

from cProfile import Profile
from random import Random
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app import create_app
from tests.conftest import HTMX, KEY, ScriptedRandom, board_of, game_of, parse
from web.play import parts

# Uncompressed bytes for the first two clicks of X; the first adds the buttons of a running game.
MAX_BYTES = 2800, 2100


@pytest.mark.parametrize("opponent", ["perfect", "random"])
def test_a_click_sends_few_bytes_and_renders_only_uncached_parts(
    app: Flask, rng: ScriptedRandom, opponent: str
) -> None:
    parts.draw.cache_clear()
    for drawn_before in (False, True):
        client = app.test_client()
        client.post("/new", data={"difficulty": opponent})
        for square, max_bytes in zip((0, 8), MAX_BYTES, strict=True):
            parts.render_parts.cache_clear()
            page = client.get("/")
            board = board_of(parse(page))
            before = parts.draw.cache_info()
            response = client.post(
                "/move", data={"square": square, "position": board}, headers=HTMX
            )
            after = parts.draw.cache_info()
            assert len(response.data) <= max_bytes
            hits, drawn = after.hits - before.hits, after.misses - before.misses
            assert hits + drawn <= page.text.count("data-hx-swap-oob") + 1  # and the title
            assert drawn <= (0 if drawn_before else response.text.count("data-hx-swap-oob"))


def test_clicks_in_new_games_cost_little() -> None:
    """The clicks of 40 random games are counted, after 60 games that fill the caches."""
    app, human = create_app({"SECRET_KEY": KEY}, Random(1)), Random(2)
    parts.render_parts.cache_clear()
    parts.draw.cache_clear()
    calls, clicks = Profile(), 0

    def press(address: str, form: dict[str, Any]) -> TestResponse:
        return client.post(address, data=form, headers=HTMX)

    for game in range(100):
        client = app.test_client()
        press("/new", {"difficulty": ("random", "perfect")[game % 2], "mark": "XO"[game // 2 % 2]})
        while live := (position := game_of(client).position).legal_moves():
            form = {"square": human.choice(live), "position": str(position)}
            if game < 60:
                press("/move", form)
            else:
                calls.runcall(press, "/move", form)
                clicks += 1
    counted = calls.getstats()
    drawn = sum(entry.callcount for entry in counted if entry.code is parts.draw_uncached.__code__)
    assert drawn <= 1.4 * clicks
    assert parts.draw.cache_info().currsize <= 750  # with the end of each game, 901
    called = sum(entry.callcount for entry in counted)
    assert called <= 3600 * clicks  # some 800 of them are in the test's client
