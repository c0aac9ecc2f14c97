"""The signed cookie: wrong clocks and new keys lose no game; an invalid cookie starts one."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from flask.testing import FlaskClient
from hypothesis import assume, example, given
from hypothesis import strategies as st
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from app import create_app
from tests.client import COOKIE
from tests.conftest import HTMX, board_of, game_of, parse
from web.play.cookie import to_dict
from web.play.game import Game

EMPTY = "---------"


def test_get_requests_never_set_the_cookie(client: FlaskClient) -> None:
    client.post("/new", data={"mark": "O"})
    for url in ("/", "/?notice=taken", "/study/04", "/nowhere"):
        assert "Set-Cookie" not in client.get(url).headers


def test_responses_that_depend_on_the_session_vary_by_cookie(client: FlaskClient) -> None:
    for response in (client.get("/"), client.post("/new"), client.post("/undo")):
        assert "Cookie" in response.headers["Vary"]
    for url in ("/proof", "/study/04", "/static/play.css", "/healthz"):
        assert "Cookie" not in client.get(url).headers.get("Vary", "")


def test_the_cookie_is_persistent_and_secure_over_https(
    client: FlaskClient,
) -> None:
    """The `__Host-` prefix makes browsers enforce it: Secure, all paths, no Domain."""
    for scheme, name in (("http", COOKIE), ("https", f"__Host-{COOKIE}")):
        response = client.post("/new", base_url=f"{scheme}://localhost", data={"mark": "O"})
        cookie, *flags = response.headers["Set-Cookie"].split("; ")
        assert cookie.startswith(f"{name}=")
        assert ("Secure" in flags) == (scheme == "https")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {*flags}
        flag_names = {flag.partition("=")[0] for flag in flags}
        assert "Expires" in flag_names and "Domain" not in flag_names


def signed(app: Flask, content: object) -> str:
    """Return a cookie with any content, signed with the app's key."""
    serializer = SecureCookieSessionInterface().get_signing_serializer(app)
    assert serializer
    return str(serializer.dumps(content))


CORRUPTIONS: dict[str, Callable[[str], str]] = {
    "empty": lambda cookie: "",
    "dots": lambda cookie: "a.b.c",
    "not ASCII": lambda cookie: "é",
    "too long": lambda cookie: "x" * 4000,
    "truncated": lambda cookie: cookie[: len(cookie) // 2],
    "forged": lambda cookie: cookie[:-4] + "AAAA",
    "marked as compressed": lambda cookie: "." + cookie,
    "signed with another key": lambda cookie: signed(
        create_app({"SECRET_KEY": "another" * 10}), {"game": to_dict(Game((0, 4)))}
    ),
}


@pytest.mark.parametrize("corrupt", CORRUPTIONS.values(), ids=CORRUPTIONS)
def test_a_cookie_with_another_signature_starts_a_new_game(
    client: FlaskClient, corrupt: Callable[[str], str]
) -> None:
    client.post("/move", data={"square": "0", "position": EMPTY})
    cookie = client.get_cookie(COOKIE)
    assert cookie
    client.set_cookie(COOKIE, corrupt(cookie.value))
    assert board_of(parse(client.get("/"))) == EMPTY
    form = {"square": "4", "position": EMPTY}
    assert 'id="cell-4" data-mark="X"' in client.post("/move", data=form, headers=HTMX).text


# Correctly signed content that no version wrote: any JSON value, or known names with any value.
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
)
NAMES = ["game", "day", "done", "best", "_permanent"]


@given(ANYTHING | st.dictionaries(st.sampled_from(NAMES), ANYTHING, min_size=1))
@example({"day": ["0001-01-01", "2", 0, "", 0]})
@example({"day": ["9999-12-31", "2", 0, "", 0]})
@example({"day": ["2026-11-28", ["2"], 0, "", 0]})
@example({"day": ["2026-11-28", "2", 10**20, "", 10**20]})
@example({"day": ["2026-11-27", "2", 0, ["f"], 0]})
@example({"best": {"moves": [1]}})
def test_no_page_fails_on_any_signed_session(app: Flask, content: object) -> None:
    client = app.test_client()
    cookie = str(json_signer(app).dumps(content))
    assume(len(cookie) < 3000)  # a page adds to it, and browsers drop cookies over 4,093 bytes
    client.set_cookie(COOKIE, cookie)
    for page in ("/", "/learn", "/today"):
        assert client.get(page).status_code == 200
    round_of_cuts = {"round": 1, "done": "ffffffffff"}
    assert client.post("/practise/cuts/done", data=round_of_cuts).status_code == 303


@pytest.mark.parametrize("seconds", [10**12, 2**63])
def test_a_cookie_with_an_impossible_timestamp_starts_a_new_game(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(TimestampSigner, "get_timestamp", lambda self: seconds)
        cookie = json_signer(app).dumps({"game": to_dict(Game((0, 4)))})
    client.set_cookie(COOKIE, str(cookie))
    assert board_of(parse(client.get("/"))) == EMPTY


def json_signer(app: Flask) -> URLSafeTimedSerializer:
    """Return a signer that works like Flask's, but writes plain JSON."""
    interface = SecureCookieSessionInterface()
    interface.serializer = json  # type: ignore[assignment]
    signer = interface.get_signing_serializer(app)
    assert signer
    return signer


@pytest.mark.parametrize("years", [-30, 30])
def test_a_wrong_clock_loses_no_game(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, years: int
) -> None:
    wrong_time = int(time.time()) + years * 365 * 24 * 3600
    with monkeypatch.context() as patched:
        patched.setattr(TimestampSigner, "get_timestamp", lambda self: wrong_time)
        client.post("/move", data={"square": "0", "position": EMPTY})
    board = board_of(parse(client.get("/")))
    assert board.count("X") == board.count("O") == 1


def test_a_game_survives_a_rolling_change_of_keys() -> None:
    old, new = "old" * 22, "new" * 22
    steps = [(old, []), (old, [new]), (new, [old]), (new, [])]
    servers = [
        create_app({"SECRET_KEY": key, "SECRET_KEY_FALLBACKS": others}).test_client()
        for key, others in steps
    ]
    servers[0].post("/move", data={"square": "0", "position": EMPTY})
    for earlier, later in pairwise(servers):  # while some servers are a step behind
        for server, other_server, step in ((earlier, later, "danger"), (later, earlier, "off")):
            server.post("/hint", data={"hint": step})
            cookie = server.get_cookie(COOKIE)
            assert cookie
            other_server.set_cookie(COOKIE, cookie.value)
            assert game_of(other_server).moves == (0, 4)
