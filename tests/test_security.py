"""What an attacker would try: headers, redirects, injection and caches."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import HTMX
from web.play import drawn, saved
from web.play.game import Game

POSTS = ["/move", "/new", "/undo", "/hint", "/voice", "/tally"]
EVIL = [
    "https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "javascript:x",
    "taken\r\nSet-Cookie: a=b", "taken\nX-Evil: yes", "\0", "<script>x</script>",
    "'\">{{123*4567}}",
]  # fmt: skip


def test_the_cookie_is_as_strict_as_scanners_ask(client: FlaskClient) -> None:
    answer = client.post("/new", base_url="https://localhost", data={"mark": "O"})
    flags = set(answer.headers["Set-Cookie"].split("; ")[1:])
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= flags
    assert not any(flag.startswith("Domain") for flag in flags)


@pytest.mark.long
@pytest.mark.parametrize("evil", EVIL)
@pytest.mark.parametrize("url", POSTS)
def test_no_answer_leads_elsewhere_or_takes_over_what_was_sent(
    client: FlaskClient, url: str, evil: str
) -> None:
    good = {"position": "---------", "square": "0", "hint": "results", "voice": "on"}
    names = ("notice", "next", "url", "stamp", "mark", "difficulty", "moves", *good)
    for form in ({}, *({name: evil} for name in names)):
        answer = client.post(
            url,
            data={**good, **form},
            headers={"Referer": "https://elsewhere.example/", "Host": "localhost"},
            query_string={"notice": evil, "next": evil},
        )
        assert answer.status_code in (303, 400)
        assert re.fullmatch(
            r"/(\?notice=[a-z]+&stamp=[0-9a-f]{8})?", answer.headers.get("Location", "/")
        )
        assert "X-Evil" not in answer.headers
        assert all("a=b" not in value for value in answer.headers.values())
        assert "<script>x" not in answer.text
        assert "561741" not in answer.text


@pytest.mark.long
@pytest.mark.parametrize("evil", EVIL)
@pytest.mark.parametrize(
    "url", ["/", "/study", "/study/03142", "/practise/moves/X---O---X", "/why/04"]
)
def test_no_page_shows_what_it_was_sent(client: FlaskClient, url: str, evil: str) -> None:
    for name in ("notice", "you", "difficulty", "at", "answer", "set", "view", "game", "p", "done"):
        query = {"stamp": saved.stamp(Game()), name: evil}
        answer = client.get(url, query_string=query)
        assert answer.status_code in (200, 301, 302, 400)
        assert answer.headers.get("Location", "/study/").startswith("/study/")
        assert not re.search(r"<script(?! src=)", answer.text)
        assert evil not in answer.text or answer.status_code == 301  # names where it leads
        assert "X-Evil" not in answer.headers


@pytest.mark.parametrize("host", [".localhost", "a..b", "x" * 64, "a b", "a/b", "\xe9", ":", ""])
def test_a_host_that_makes_no_sense_is_refused_or_does_not_matter(
    client: FlaskClient, host: str
) -> None:
    for url in ("/", "/nowhere", "/study/04", "/static/icon.svg", "/healthz"):
        assert client.get(url, headers={"Host": host}).status_code in (200, 400, 404)
    answer = client.post("/new", headers={"Host": host, "Origin": "https://elsewhere.example"})
    assert answer.status_code in (400, 403)


def test_nothing_that_anybody_may_send_is_kept(client: FlaskClient) -> None:
    client.get("/")
    before = drawn.draw.cache_info().currsize
    for number in range(50):
        client.get(f"/?notice={number}&stamp={saved.stamp(Game())}")
    assert drawn.draw.cache_info().currsize == before


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_belongs_to_a_session_is_kept_by_no_cache(
    client: FlaskClient, headers: dict[str, str]
) -> None:
    form = {"square": "0", "position": "---------", "hint": "results", "voice": "on"}
    for url in POSTS:
        assert client.post(url, data=form, headers=headers).headers["Cache-Control"] == "no-store"


def test_templates_escape_whatever_their_name_ends_in(app: Flask) -> None:
    with app.test_request_context():
        html = drawn.draw("screen", board="<script>", stamp="")
    assert "&lt;script&gt;" in html
