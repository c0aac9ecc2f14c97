"""What an attacker would try: headers, redirects, injection; also HEAD, ETags and /healthz."""

from __future__ import annotations

import re
from itertools import product

import pytest
from flask import Flask, request
from flask.testing import FlaskClient

from app import create_app
from tests.conftest import HTMX, KEY
from tests.positions import sample
from web.play import cookie, parts
from web.play.game import Game

POSTS = ["/move", "/new", "/undo", "/hint"]
EVIL = [
    "https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "javascript:x",
    "taken\r\nSet-Cookie: a=b", "taken\nX-Evil: yes", "\0", "<script>x</script>",
    "'\">{{123*4567}}",
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("url", POSTS)
def test_no_response_redirects_elsewhere_or_echoes_input(client: FlaskClient, url: str) -> None:
    good = {"position": "---------", "square": "0", "hint": "results"}
    names = ("notice", "next", "url", "stamp", "mark", "difficulty", "moves", *good)
    for name, evil in sample(4, [*product(names, EVIL)]):
        response = client.post(
            url,
            data={**good, name: evil},
            headers={"Referer": "https://elsewhere.example/", "Host": "localhost"},
            query_string={"notice": evil, "next": evil},
        )
        assert response.status_code in (303, 400)
        assert re.fullmatch(
            r"/(\?notice=[a-z]+&stamp=[0-9a-f]{8})?", response.headers.get("Location", "/")
        )
        assert "X-Evil" not in response.headers
        assert all("a=b" not in value for value in response.headers.values())
        assert "<script>x" not in response.text
        assert "561741" not in response.text


@pytest.mark.long
@pytest.mark.parametrize("url", ["/", "/study", "/study/03142", "/practise/moves/X---O---X"])
def test_no_page_echoes_its_input(client: FlaskClient, url: str) -> None:
    names = ["notice", "you", "difficulty", "at", "answer", "set", "view", "game", "p", "done"]
    for name, evil in sample(4, [*product(names, EVIL)]):
        query = {"stamp": cookie.stamp(Game()), name: evil}
        response = client.get(url, query_string=query)
        assert response.status_code in (200, 302, 400)
        assert re.match(r"/(?!/)", response.headers.get("Location", "/"))
        assert not re.search(r"<script(?! src=)", response.text)
        assert evil not in response.text
        assert "X-Evil" not in response.headers


@pytest.mark.parametrize("host", [".localhost", "a..b", "x" * 64, "a b", "a/b", "\xe9", ":", ""])
def test_an_invalid_host_is_refused_or_has_no_effect(client: FlaskClient, host: str) -> None:
    for url in ("/", "/nowhere", "/study/04", "/static/icon.svg", "/healthz"):
        assert client.get(url, headers={"Host": host}).status_code in (200, 400, 404)
    response = client.post("/new", headers={"Host": host, "Origin": "https://elsewhere.example"})
    assert response.status_code in (400, 403)


def test_invalid_notices_do_not_fill_the_cache(client: FlaskClient) -> None:
    client.get("/")
    before = parts.render_parts.cache_info().currsize
    for number in range(50):
        client.get(f"/?notice={number}&stamp={cookie.stamp(Game())}")
    assert parts.render_parts.cache_info().currsize == before


def test_session_pages_are_not_cached(client: FlaskClient) -> None:
    form = {"square": "0", "position": "---------", "hint": "results"}
    for url, headers in product(POSTS, ({}, HTMX)):
        assert client.post(url, data=form, headers=headers).headers["Cache-Control"] == "no-store"


def test_templates_escape_html_whatever_their_file_extension(app: Flask) -> None:
    html = app.jinja_env.from_string("{{ text }}").render(text="<script>")
    assert html == "&lt;script&gt;"


NOT_FOUND_PATHS = ("//elsewhere.example", "/study//X---O----", "/static//play.css")


def test_an_empty_path_segment_never_redirects_to_another_host(client: FlaskClient) -> None:
    for path in ("//", "//proof", "//elsewhere.example", "/proof//", "/study//X---O----",
                 "/study/X---O----//", "/static//play.css"):  # fmt: skip
        environ = {"PATH_INFO": path, "HTTP_HOST": "evil.example"}
        response = client.get("/", environ_overrides=environ)
        is_redirected = path.endswith("//") and path != "//"
        code = 404 if path in NOT_FOUND_PATHS else 302 if is_redirected else 200
        assert response.status_code == code, path
        assert response.headers.get("Location", "/") in ("/", "/proof", "/study/X---O----")


def test_headers_of_a_trusted_proxy_are_believed() -> None:
    proxy_headers = {
        "X-Forwarded-For": "198.51.100.1",
        "X-Forwarded-Host": "play.example",
        "X-Forwarded-Proto": "https",
    }
    post = {"headers": {**proxy_headers, "Origin": "https://play.example"}}
    for proxies, code in ((0, 403), (1, 303)):
        app = create_app({"SECRET_KEY": KEY, "TRUSTED_PROXIES": proxies})
        clients: list[str | None] = []
        app.before_request(lambda clients=clients: clients.append(request.remote_addr))
        assert app.test_client().post("/new", **post).status_code == code
        headers = app.test_client().get("/healthz", headers=proxy_headers).headers
        assert ("Strict-Transport-Security" in headers) == (proxies == 1)
        assert set(clients) == {"127.0.0.1"}  # whatever client the header names


def test_headers_of_untrusted_proxies_are_ignored() -> None:
    # Each proxy appends the scheme of its request: the browser's claim is first, the nearest last.
    for schemes, proxies, is_secure in (
        ("https, http", 1, False),
        ("https, http", 2, True),
        ("http, https", 1, True),
        ("http, https", 2, False),
        ("https, http, http", 2, False),
    ):
        app = create_app({"SECRET_KEY": KEY, "TRUSTED_PROXIES": proxies})
        headers = app.test_client().get("/healthz", headers={"X-Forwarded-Proto": schemes}).headers
        assert ("Strict-Transport-Security" in headers) == is_secure


def test_a_head_request_has_the_headers_of_a_get_request(client: FlaskClient) -> None:
    for url in ("/", "/proof", "/study/04", "/static/play.css", "/nowhere"):
        head, page = client.head(url), client.get(url)
        assert head.status_code == page.status_code
        assert head.headers.get("ETag") == page.headers.get("ETag")
        assert head.headers["Cache-Control"] == page.headers["Cache-Control"]


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
@pytest.mark.parametrize("url", ["/proof", "/study/04", "/static/play.css"])
def test_a_page_that_the_browser_has_is_not_sent_again(
    client: FlaskClient, url: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"Accept-Encoding": encoding}
    first = client.get(url, headers=headers)
    assert first.headers.get("Content-Encoding", "identity") == encoding
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)  # gzip writes the time into its head
    again = client.get(url, headers={**headers, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    other = client.get(url, headers={**headers, "If-None-Match": '"another"'})
    assert other.status_code == 200


def test_the_health_check_answers(client: FlaskClient) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.text) == (200, "ok\n")
    assert response.headers["Cache-Control"] == "no-store"
