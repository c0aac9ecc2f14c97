"""Links as people send them, and what caches may keep of a page: on every address there is."""

from __future__ import annotations

from collections import defaultdict
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import Resume, parse, text_of
from tests.pages import LARGEST, PAGES, WITH_QUERIES
from tests.test_addresses import read  # noqa: F401
from web.http.addresses import query_names

TRACKING = (
    "fbclid=IwAR2x_-",
    "utm_source=a&utm_medium=b",
    "gclid=1&_ga=2.3",
    "ref",
    "amp;x=1",
    "=",
)
# What a program that shows text takes for the end of a link, and what marks a link in text.
TAILS = ("/", ".", ",", ")", ").", "]", "!", "?!", ";", ":", "'", '"', ">", "*", "”", "’", "…", "»",
         "。", "%20", "%0A", "//", "/).")  # fmt: skip
# What `url_for` takes for itself, and the variables of our paths.
KEYWORDS = ("endpoint", "_method", "_scheme", "_external", "_anchor", "self", "values", "where",
            "kind", "board", "moves", "n", "name", "request", "view_args")  # fmt: skip
# Addresses that lead to another spelling of themselves, which `url_for` writes.
CORRECTED = ("/study/(3, 12)?view=search", "/study/04?view=tree", "/challenge/048",
             "/practise/cuts")  # fmt: skip
FILES = {"static", "picture", "healthz", "favicon.ico", "apple-touch-icon.png", "robots.txt",
         "learn.judge_file", "learn.manual_page", "learn.guide_page"}  # fmt: skip
# A question reads of its tree what a search of that tree would need.
IN_PASSING = {"puzzles.round_page": {"algorithm", "question"}}
WHOLE = {name: url for name, url in PAGES.items() if name not in ("refused", "error")}


def followed(client: FlaskClient, url: str) -> str:
    """Return the page that an address leads to, by one redirect at most."""
    response = client.get(url)
    if response.status_code == 302:
        response = client.get(response.headers["Location"])
    assert response.status_code == 200, url
    return response.text


@pytest.mark.parametrize("name", WHOLE)
def test_a_tracking_parameter_leads_to_the_page_without(client: FlaskClient, name: str) -> None:
    url = PAGES[name]
    page = client.get(url).text
    for added in TRACKING:
        response = client.get(f"{url}{'&' if '?' in url else '?'}{added}")
        assert response.status_code == 302
        assert client.get(response.headers["Location"]).text == page, added


@pytest.mark.parametrize("name", WHOLE)
def test_what_text_around_a_link_adds_to_it_is_dropped(client: FlaskClient, name: str) -> None:
    url = PAGES[name]
    page = client.get(url).text
    free_text = url.startswith("/study/tree")  # a field of its own, in which a slash has a meaning
    for tail in TAILS if url != "/" else ("", "?", "."):
        if not (free_text or ("?" in url and "/" in tail)):
            assert followed(client, url + quote(tail, safe="%)!;:'*/,.?]>")) == page, tail


def test_names_of_our_own_code_in_an_address_are_names_unknown_to_the_page(
    client: FlaskClient,
) -> None:
    for url in (*WHOLE.values(), *CORRECTED):
        for name in KEYWORDS:
            added = f"{url}{'&' if '?' in url else '?'}{name}=y&{name}=1"
            response = client.get(added, headers={"Host": "elsewhere.example"})
            assert response.status_code in (200, 302, 400), added
            assert response.headers.get("Location", "/").startswith("/"), added


def test_an_address_that_names_no_page_even_without_its_last_sign_is_not_found(
    client: FlaskClient,
) -> None:
    assert client.get("/nowhere.").status_code == 404


def test_a_link_escaped_as_html_is_read(client: FlaskClient) -> None:
    url = "/study/42170835?at=4&view=squares"
    assert followed(client, url.replace("&", "&amp;")) == client.get(url).text


def test_a_link_that_lost_its_last_parenthesis_is_read(client: FlaskClient) -> None:
    assert followed(client, "/study/((3,5),(2,7)") == followed(client, "/study/((3,5),(2,7))")


def test_each_page_takes_the_names_that_it_reads_and_no_other(
    app: Flask,
    client: FlaskClient,
    read: set[str],  # noqa: F811
) -> None:
    found = defaultdict[str, set[str]](set)
    for url in [*WHOLE.values(), *LARGEST.values(), *WITH_QUERIES]:
        read.clear()
        client.get(url)
        endpoint, _ = app.url_map.bind("").match(url.partition("?")[0])
        found[endpoint] |= read
    with app.app_context():
        for endpoint, names in found.items():
            assert names - IN_PASSING.get(endpoint, set()) == query_names(endpoint), endpoint
    routes = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    assert routes - FILES == {*found}, "an address of each page is in tests/pages.py"


@pytest.mark.parametrize("name", WHOLE)
def test_no_link_of_ours_has_to_be_corrected(client: FlaskClient, name: str) -> None:
    for link in parse(client.get(PAGES[name])).select("main a[href^='/']")[:60]:
        response = client.get(link["href"])
        corrected = response.status_code == 302 and b"Redirecting" not in response.data
        assert not corrected, link["href"]


def test_no_cache_keeps_what_depends_on_the_session(client: FlaskClient, resume: Resume) -> None:
    """A game that was played, one that is unfinished, screens done, a best round, a day."""
    mine = "/study/42170835?you=X&at=4 /study/42?you=X"
    pages = [*WHOLE.values(), *mine.split()]
    before = {url: client.get(url) for url in pages}
    left = {"moves": "08", "opponent": "random", "human": "X", "set_up": 0}
    resume("42170835", "perfect", earned=9, unfinished=left)
    with client.session_transaction() as session:
        session.update(done="123", best={"moves": 9, "values": 8, "cuts": 7})
        session["day"] = ["2026-11-28", "s", 0, "ff", 0, None]
    differ = {url for url in pages if client.get(url).text != before[url].text}
    assert {"/", "/learn", "/today"} | {*mine.split()} <= differ
    for url in pages:
        kept = before[url].headers["Cache-Control"]
        assert kept == "no-store" or url not in differ, url
        assert kept in ("no-store", "public, max-age=3600"), url


def test_back_to_the_game_is_not_said_of_a_game_that_is_over(
    client: FlaskClient, resume: Resume
) -> None:
    url = "/study/4217?at=4&you=X"
    resume("4217")
    assert "Back to the game" in text_of(parse(client.get(url)))
    client.post("/new", data={"fresh": "on", "mark": "X"})
    again = client.get(url)
    assert "Back to the game" not in text_of(parse(again))
    assert again.headers["Cache-Control"] == "no-store"


def test_other_sites_may_show_our_pictures_and_nothing_else(client: FlaskClient) -> None:
    for url in ("/picture/X--------.png", "/static/icon.png", "/static/icon.svg", "/favicon.ico"):
        assert client.get(url).headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    for url in ("/", "/static/play.css", "/static/board.js", "/robots.txt", "/healthz"):
        assert client.get(url).headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_host_longer_than_a_name_can_be_is_refused(client: FlaskClient) -> None:
    for length, code in ((253, 200), (254, 400), (15_000, 400)):
        host = ("a" * 49 + ".") * 400
        assert client.get("/", headers={"Host": host[:length]}).status_code == code


def test_a_question_is_as_long_as_a_tree_may_be(client: FlaskClient) -> None:
    for presses, code in ((593, 200), (594, 400)):
        question = f"cuts?p={'u' * presses}"
        response = client.get(f"/study/OX--X-OOX?view=search&question={quote(question)}")
        assert response.status_code == code
        assert len(response.data) < 100_000
