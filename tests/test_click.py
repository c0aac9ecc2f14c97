"""What a click costs, counted: bytes that are sent, and parts of the page that are drawn."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.conftest import HTMX, Scripted, board_of, parse
from web.play import parts

# Bytes, before compression, of X's first two clicks in an opening; the first brings the buttons of
# a game that is going on.
MOST = 2800, 2100


@pytest.mark.parametrize("opponent", ["perfect", "random"])
def test_a_click_sends_few_bytes_and_draws_what_nobody_has_drawn_before(
    app: Flask, rng: Scripted, opponent: str
) -> None:
    parts.draw.cache_clear()
    for drawn_before in (False, True):
        client = app.test_client()
        client.post("/new", data={"difficulty": opponent})
        for square, most in zip((0, 8), MOST, strict=True):
            parts.parts.cache_clear()
            whole = client.get("/")
            board = board_of(parse(whole))
            before = parts.draw.cache_info()
            sent = client.post("/move", data={"square": square, "position": board}, headers=HTMX)
            after = parts.draw.cache_info()
            assert len(sent.data) <= most
            asked, drawn = after.hits - before.hits, after.misses - before.misses
            assert asked + drawn <= whole.text.count("data-hx-swap-oob") + 1  # and the title
            assert drawn <= (0 if drawn_before else sent.text.count("data-hx-swap-oob"))
