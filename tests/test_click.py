"""The cost of a click: the bytes it sends, the parts it draws, the functions it calls."""

from __future__ import annotations

from collections.abc import Iterator
from cProfile import Profile
from random import Random
from typing import Any, NamedTuple

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app import create_app
from tests.conftest import HTMX, KEY, ScriptedRandom, board_of, game_of, parse
from web.play import parts

# The most uncompressed bytes that each of the first two clicks of X may send. The first also sends
# the buttons of a running game.
MAX_BYTES = 2800, 2100


class Click(NamedTuple):
    """The cost of a click, in bytes and in parts of the page."""

    byte_count: int
    page_part_count: int  # parts of the page that was clicked
    sent_part_count: int
    cached_part_count: int  # parts that the click took from the cache
    drawn_part_count: int  # parts that were not in the cache


def first_two_clicks(app: Flask, rng: ScriptedRandom, opponent: str) -> Iterator[Click]:
    """Start a game against an opponent, and yield the first two clicks of X."""
    rng.pick = 0
    client = app.test_client()
    client.post("/new", data={"difficulty": opponent})
    for square in (0, 8):
        parts.render_parts.cache_clear()
        page = client.get("/")
        form = {"square": square, "position": board_of(parse(page))}
        before = parts.draw.cache_info()
        response = client.post("/move", data=form, headers=HTMX)
        after = parts.draw.cache_info()
        yield Click(
            byte_count=len(response.data),
            page_part_count=page.text.count("data-hx-swap-oob"),
            sent_part_count=response.text.count("data-hx-swap-oob"),
            cached_part_count=after.hits - before.hits,
            drawn_part_count=after.misses - before.misses,
        )


@pytest.mark.parametrize("opponent", ["perfect", "random"])
def test_a_click_sends_few_bytes(app: Flask, rng: ScriptedRandom, opponent: str) -> None:
    for click, max_bytes in zip(first_two_clicks(app, rng, opponent), MAX_BYTES, strict=True):
        assert click.byte_count <= max_bytes


@pytest.mark.parametrize("opponent", ["perfect", "random"])
def test_a_click_draws_only_parts_that_it_sends_and_that_no_click_drew_before(
    app: Flask, rng: ScriptedRandom, opponent: str
) -> None:
    parts.draw.cache_clear()
    for click in first_two_clicks(app, rng, opponent):
        assert click.drawn_part_count <= click.sent_part_count
    for click in first_two_clicks(app, rng, opponent):
        assert click.drawn_part_count == 0


@pytest.mark.parametrize("opponent", ["perfect", "random"])
def test_a_click_compares_each_part_of_the_page_once(
    app: Flask, rng: ScriptedRandom, opponent: str
) -> None:
    for click in first_two_clicks(app, rng, opponent):
        compared_count = click.cached_part_count + click.drawn_part_count
        assert compared_count <= click.page_part_count + 1  # the title is also compared


def test_clicks_in_new_games_cost_little() -> None:
    """The clicks of 40 random games are measured, after 60 games that fill the caches."""
    app, player_rng = create_app({"SECRET_KEY": KEY}, Random(1)), Random(2)
    parts.render_parts.cache_clear()
    parts.draw.cache_clear()
    profile, click_count = Profile(), 0

    def post(url: str, form: dict[str, Any]) -> TestResponse:
        return client.post(url, data=form, headers=HTMX)

    for game in range(100):
        client = app.test_client()
        post("/new", {"difficulty": ("random", "perfect")[game % 2], "mark": "XO"[game // 2 % 2]})
        while squares := (position := game_of(client).position).legal_moves():
            form = {"square": player_rng.choice(squares), "position": str(position)}
            if game < 60:
                post("/move", form)
            else:
                profile.runcall(post, "/move", form)
                click_count += 1
    functions = profile.getstats()
    draw_code = parts.draw_uncached.__code__
    drawn_part_count = sum(entry.callcount for entry in functions if entry.code is draw_code)
    assert drawn_part_count <= 1.4 * click_count
    assert parts.draw.cache_info().currsize <= 750  # 901 if it also kept the end of each game
    call_count = sum(entry.callcount for entry in functions)
    assert call_count <= 3150 * click_count  # with those in the test's client
