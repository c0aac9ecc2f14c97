"""Addresses: links as people paste them, parameters, caching, embedding and length limits."""

from __future__ import annotations

from collections import defaultdict
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import Resume, parse, text_of
from tests.pages import LARGEST, PAGES, WITH_QUERIES
from tests.positions import sample
from tests.test_addresses import params_read  # noqa: F401
from web.http.addresses import query_names

# What other sites and mail programs add to a link.
TRACKING_PARAMS = (
    "fbclid=IwAR2x_-",
    "utm_source=a&utm_medium=b",
    "gclid=1&_ga=2.3",
    "ref",
    "amp;x=1",
    "=",
)
# Characters that often follow a link in a text, so that programs take them for a part of it.
TRAILING = ("/", ".", ",", ")", ").", "]", "!", "?!", ";", ":", "'", '"', ">", "*", "”", "’", "…",
            "»", "。", "%20", "%0A", "//", "/).")  # fmt: skip
# Names that have a meaning inside the program: arguments of `url_for`, and variables of our paths.
INTERNAL_NAMES = ("endpoint", "_method", "_scheme", "_external", "_anchor", "self", "values",
                  "where", "kind", "board", "moves", "n", "name", "request",
                  "view_args")  # fmt: skip
# Addresses that redirect to their canonical spelling, which `url_for` builds.
NOT_CANONICAL = ("/study/(3, 12)?view=search", "/study/04?view=tree", "/challenge/048",
                 "/practise/cuts")  # fmt: skip
# Routes that return a file and not a page.
FILE_ENDPOINTS = {"static", "picture", "healthz", "favicon.ico", "apple-touch-icon.png",
                  "robots.txt", "learn.judge_file", "learn.manual_page",
                  "learn.guide_page"}  # fmt: skip
# Parameters that a page reads only to pass them on to a search.
PASSED_ON = {"puzzles.round_page": {"algorithm", "question"}}
VALID_PAGES = {name: url for name, url in PAGES.items() if name not in ("refused", "error")}


def page_at(client: FlaskClient, url: str) -> str:
    """Return the page at an address, after at most one redirect."""
    response = client.get(url)
    if response.status_code == 302:
        response = client.get(response.headers["Location"])
    assert response.status_code == 200, url
    return response.text


@pytest.mark.parametrize("name", sample(6, [*VALID_PAGES]))
def test_tracking_parameters_redirect_to_the_page_without_them(
    client: FlaskClient, name: str
) -> None:
    url = PAGES[name]
    page = client.get(url).text
    for params in TRACKING_PARAMS:
        response = client.get(f"{url}{'&' if '?' in url else '?'}{params}")
        assert response.status_code == 302
        assert client.get(response.headers["Location"]).text == page, params


@pytest.mark.parametrize("name", sample(6, [*VALID_PAGES]))
def test_punctuation_after_a_link_is_dropped(client: FlaskClient, name: str) -> None:
    url = PAGES[name]
    page = client.get(url).text
    is_free_text = url.startswith("/study/tree")  # a text field, where a slash has a meaning
    # After the address of the game, only a few are dropped.
    for trailing in TRAILING if url != "/" else ("", "?", "."):
        if not (is_free_text or ("?" in url and "/" in trailing)):
            assert page_at(client, url + quote(trailing, safe="%)!;:'*/,.?]>")) == page, trailing


def test_internal_names_in_an_address_are_treated_as_unknown(
    client: FlaskClient,
) -> None:
    for url in (*VALID_PAGES.values(), *NOT_CANONICAL):
        for name in INTERNAL_NAMES:
            url_with_name = f"{url}{'&' if '?' in url else '?'}{name}=y&{name}=1"
            response = client.get(url_with_name, headers={"Host": "elsewhere.example"})
            assert response.status_code in (200, 302, 400), url_with_name
            assert response.headers.get("Location", "/").startswith("/"), url_with_name


def test_punctuation_after_an_unknown_address_does_not_redirect(client: FlaskClient) -> None:
    assert client.get("/nowhere.").status_code == 404


def test_a_link_escaped_as_html_works(client: FlaskClient) -> None:
    url = "/study/42170835?at=4&view=squares"
    assert page_at(client, url.replace("&", "&amp;")) == client.get(url).text


def test_a_link_without_its_last_parenthesis_works(client: FlaskClient) -> None:
    assert page_at(client, "/study/((3,5),(2,7)") == page_at(client, "/study/((3,5),(2,7))")


def test_a_page_accepts_exactly_the_parameters_it_reads(
    app: Flask,
    client: FlaskClient,
    params_read: set[str],  # noqa: F811
) -> None:
    names_read = defaultdict[str, set[str]](set)
    for url in [*VALID_PAGES.values(), *LARGEST.values(), *WITH_QUERIES]:
        params_read.clear()
        client.get(url)
        endpoint, _ = app.url_map.bind("").match(url.partition("?")[0])
        names_read[endpoint] |= params_read
    with app.app_context():
        for endpoint, names in names_read.items():
            assert names - PASSED_ON.get(endpoint, set()) == query_names(endpoint), endpoint
    endpoints = {
        rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())
    }
    page_endpoints = endpoints - FILE_ENDPOINTS
    assert page_endpoints == {*names_read}, "tests/pages.py must have an address of each page"


@pytest.mark.parametrize("name", sample(6, [*VALID_PAGES]))
def test_no_link_of_the_site_needs_a_correction(client: FlaskClient, name: str) -> None:
    for link in parse(client.get(PAGES[name])).select("main a[href^='/']")[:60]:
        response = client.get(link["href"])
        # A correction has no body; any other redirect has one.
        is_corrected = response.status_code == 302 and b"Redirecting" not in response.data
        assert not is_corrected, link["href"]


def test_pages_that_depend_on_the_session_are_not_cached(
    client: FlaskClient, resume: Resume
) -> None:
    """The session has finished and unfinished games, screens, best rounds and a daily board."""
    game_urls = ("/study/42170835?you=X&at=4", "/study/42?you=X")  # views of the games below
    urls = [*VALID_PAGES.values(), *game_urls]
    responses = {url: client.get(url) for url in urls}
    unfinished_game = {"moves": "08", "opponent": "random", "human": "X", "set_up": 0}
    resume("42170835", "perfect", earned_bits=9, unfinished=unfinished_game)
    with client.session_transaction() as session:
        session.update(done="123", best={"moves": 9, "values": 8, "cuts": 7})
        session["day"] = ["2026-11-28", "s", 0, "ff", 0, None]
    changed_urls = {url for url in urls if client.get(url).text != responses[url].text}
    assert {"/", "/learn", "/today", *game_urls} <= changed_urls
    for url in urls:
        cache_control = responses[url].headers["Cache-Control"]
        assert cache_control == "no-store" or url not in changed_urls, url
        assert cache_control in ("no-store", "public, max-age=3600"), url


def test_a_view_of_a_game_links_back_to_it_only_until_the_next_game(
    client: FlaskClient, resume: Resume
) -> None:
    url = "/study/4217?at=4&you=X"
    resume("4217")
    assert "Back to the game" in text_of(parse(client.get(url)))
    client.post("/new", data={"fresh": "on", "mark": "X"})
    again = client.get(url)
    assert "Back to the game" not in text_of(parse(again))
    assert again.headers["Cache-Control"] == "no-store"


def test_other_sites_may_embed_only_pictures(client: FlaskClient) -> None:
    for url in ("/picture/X--------.png", "/static/icon.png", "/static/icon.svg", "/favicon.ico"):
        assert client.get(url).headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    for url in ("/", "/static/play.css", "/static/board.js", "/robots.txt", "/healthz"):
        assert client.get(url).headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_host_that_is_too_long_is_refused(client: FlaskClient) -> None:
    long_host = ("a" * 49 + ".") * 400
    for length, status in ((253, 200), (254, 400), (15_000, 400)):
        assert client.get("/", headers={"Host": long_host[:length]}).status_code == status


def test_the_query_length_limit_fits_the_longest_tree(client: FlaskClient) -> None:
    for press_count, status in ((593, 200), (594, 400)):
        question = f"cuts?p={'u' * press_count}"
        response = client.get(f"/study/OX--X-OOX?view=search&question={quote(question)}")
        assert response.status_code == status
        assert len(response.data) < 100_000
