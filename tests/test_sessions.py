"""The signed cookie: whatever happens to clocks and keys, no game is lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from flask.testing import FlaskClient
from itsdangerous import TimestampSigner

from app import create_app
from tests.conftest import HTMX, KEY, board_of, parse

EMPTY = "---------"


def test_the_cookie_stays_when_the_browser_is_closed(client: FlaskClient) -> None:
    assert "Expires" in client.post("/new").headers["Set-Cookie"]


def test_caches_are_told_which_answers_depend_on_the_session(client: FlaskClient) -> None:
    for answer in (client.get("/"), client.post("/new"), client.post("/undo")):
        assert "Cookie" in answer.headers["Vary"]
    for url in ("/proof", "/why/04", "/static/play.css", "/healthz"):
        assert "Cookie" not in client.get(url).headers.get("Vary", "")


def test_over_https_the_cookie_stays_with_it(client: FlaskClient) -> None:
    for site, secure in (("http://localhost", False), ("https://localhost", True)):
        client.delete_cookie("session")
        answer = client.post("/new", base_url=site, data={"mark": "O"})
        assert ("Secure" in answer.headers["Set-Cookie"]) == secure


def test_a_site_that_knows_it_is_behind_https_can_say_so() -> None:
    app = create_app({"SECRET_KEY": KEY, "SESSION_COOKIE_SECURE": True})
    assert "Secure" in app.test_client().post("/new").headers["Set-Cookie"]


SPOILT: dict[str, Callable[[str], str]] = {
    "empty": lambda cookie: "",
    "dots": lambda cookie: "a.b.c",
    "no ASCII": lambda cookie: "é",
    "long": lambda cookie: "x" * 4000,
    "cut": lambda cookie: cookie[: len(cookie) // 2],
    "forged": lambda cookie: cookie[:-4] + "AAAA",
    "called compressed": lambda cookie: "." + cookie,
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_what_nobody_here_signed_is_a_new_game(
    client: FlaskClient, spoil: Callable[[str], str]
) -> None:
    client.post("/move", data={"square": "0", "position": EMPTY})
    cookie = client.get_cookie("session")
    assert cookie
    client.set_cookie("session", spoil(cookie.value))
    assert board_of(parse(client.get("/"))) == EMPTY
    form = {"square": "4", "position": EMPTY}
    assert 'id="cell-4" data-mark="X"' in client.post("/move", data=form, headers=HTMX).text


@pytest.mark.parametrize("years", [-30, 30])
def test_a_clock_that_was_wrong_ends_no_game(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, years: int
) -> None:
    then = int(time.time()) + years * 365 * 24 * 3600
    with monkeypatch.context() as wrong:
        wrong.setattr(TimestampSigner, "get_timestamp", lambda self: then)
        client.post("/move", data={"square": "0", "position": EMPTY})
    board = board_of(parse(client.get("/")))
    assert board.count("X") == board.count("O") == 1


def test_a_game_goes_on_while_machines_change_their_key_one_after_the_other() -> None:
    old, new = "old" * 22, "new" * 22
    steps = [(old, []), (old, [new]), (new, [old]), (new, [])]
    machines = [
        create_app({"SECRET_KEY": key, "SECRET_KEY_FALLBACKS": others}).test_client()
        for key, others in steps
    ]
    machines[0].post("/move", data={"square": "0", "position": EMPTY})
    for earlier, later in pairwise(machines):  # while some are a step behind the others
        for here, there, show in ((earlier, later, "yes"), (later, earlier, "no")):
            here.post("/results", data={"show": show})
            cookie = here.get_cookie("session")
            assert cookie
            there.set_cookie("session", cookie.value)
            assert board_of(parse(there.get("/"))) == "X---O----"


def test_a_game_signed_with_another_key_is_not_taken() -> None:
    client = create_app({"SECRET_KEY": "one" * 22}).test_client()
    client.post("/move", data={"square": "0", "position": "---------"})
    cookie = client.get_cookie("session")
    assert cookie
    other = create_app({"SECRET_KEY": "another" * 10}).test_client()
    other.set_cookie("session", cookie.value)
    assert board_of(parse(other.get("/"))) == EMPTY
