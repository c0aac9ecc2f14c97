"""What every page must be: well formed, labeled, free of third-party files, protected and small."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.conftest import HTMX, parse
from tests.html import Tag
from tests.pages import NOT_CACHED, PAGES

VOID_TAGS = {"br", "hr", "img", "input", "link", "meta", "wbr"}
SECTIONS = ("Play", "Today", "Learn")


@cache
def response_to(app: Flask, url: str) -> TestResponse:
    """Return the response for a page, which all tests share."""
    return app.test_client().get(url)


@cache
def soup_of(app: Flask, url: str) -> Tag:
    """Return a parsed page, which all tests share because parsing takes longer than rendering."""
    return parse(response_to(app, url))


class StrictParser(HTMLParser):
    """A parser that records tags that are not closed in order, and attributes given twice."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open_tags: list[str] = []
        self.errors: list[str] = []
        self.feed(page)
        self.errors += self.open_tags

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = Counter(name for name, _ in attrs)
        self.errors += [name for name, times in names.items() if times > 1]
        if tag not in VOID_TAGS:
            self.open_tags.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Accept a self-closing tag, such as <path/>."""

    def handle_endtag(self, tag: str) -> None:
        if not self.open_tags or self.open_tags.pop() != tag:
            self.errors.append(f"/{tag}")


def test_the_strict_parser_finds_malformed_html() -> None:
    for page in ("<p><b></p></b>", "<p>", "</p>", '<p class="a" class="b"></p>'):
        assert StrictParser(page).errors, page


each_page = pytest.mark.parametrize("name", PAGES)


@each_page
def test_a_page_is_well_formed(app: Flask, name: str) -> None:
    assert not StrictParser(response_to(app, PAGES[name]).text).errors


@each_page
def test_a_page_has_no_fault(app: Flask, name: str) -> None:
    assert not [*faults(soup_of(app, PAGES[name]))]


def faults(soup: Tag) -> Iterator[object]:
    """Yield what a page lacks, and what it must not have."""
    # It has a language, a heading, a main part and a title.
    for css in ("html[lang=en-US]", "h1", "main#main", "head > title"):
        if len(soup.select(css)) != 1:
            yield css
    for name in ("og:title", "og:description", "og:image"):
        if [bool(tag["content"]) for tag in soup.select(f"[property='{name}']")] != [True]:
            yield name
    # Groups and navigation have names, which axe does not check.
    yield from soup.select(":is([role=group], nav):not([aria-label], [aria-labelledby])")
    if [a.get_text() for a in soup.select("nav[aria-label=Site] a")] not in (list(SECTIONS), []):
        yield "nav"
    # It has no inline script or style.
    yield from soup.select("style, [style], script:not([src]), [href^='javascript:']")
    yield from (tag for tag in soup.select("*") if any(name[:2] == "on" for name in tag.attrs))
    # Ids are unique, and references to them exist.
    ids = Counter(str(tag["id"]) for tag in soup.select("[id]"))
    yield from (name for name, times in ids.items() if times > 1)
    for attribute in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
        references = " ".join(tag[attribute] for tag in soup.select(f"[{attribute}]"))
        yield from {*references.split()} - ids.keys()
    yield from {a["href"][1:] for a in soup.select("a[href^='#']")} - ids.keys() - {""}
    # It loads only files of the site, and links to no other site.
    for file_url in file_urls(soup):
        if not (file_url.startswith("/static/") and "?v=" in file_url):
            yield file_url
    yield from soup.select("a[href^=http], form[action^=http]")


def file_urls(soup: Tag) -> list[str]:
    """Return the addresses of a page's styles, scripts, icons and pictures."""
    tags = soup.select("link[href], script[src], img[src]")
    return [str(tag.get("href") or tag.get("src")) for tag in tags]


@each_page
def test_get_forms_repeat_the_query(app: Flask, name: str) -> None:
    """Browsers replace the query of an address with the fields of the form."""
    url = PAGES[name]
    for form in soup_of(app, url).select("form:not([method=post])"):
        assert "?" not in str(form.get("action", ""))
        fields = {str(field["name"]) for field in form.select("[name]")}
        dropped_fields = set[str]()
        if "step" in fields:
            dropped_fields = {"path"}  # which belongs to the step that the form leaves
        elif "level" in fields:
            dropped_fields = {"run", "look"}  # which belong to the previous run
        assert fields >= parse_qs(urlsplit(url).query).keys() - dropped_fields, form


@each_page
def test_a_compressed_page_is_small(client: FlaskClient, name: str) -> None:
    assert len(https_response(client, name).data) <= 25_000


def https_response(client: FlaskClient, name: str) -> TestResponse:
    """Return the response for a page over HTTPS, compressed."""
    headers = {"Accept-Encoding": "gzip"}
    return client.get(PAGES[name], base_url="https://localhost", headers=headers)


@each_page
def test_a_page_has_the_headers_that_protect_it(client: FlaskClient, name: str) -> None:
    """They are those that Mozilla's HTTP Observatory requires for A+."""
    headers = https_response(client, name).headers
    rules = headers["Content-Security-Policy"].split("; ")
    policy = {name: value for name, _, value in (rule.partition(" ") for rule in rules)}
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["form-action"] == policy["manifest-src"] == "'self'"
    assert set(policy.values()) == {"'none'", "'self'"}  # no host, no unsafe-anything
    assert int(headers["Strict-Transport-Security"].removeprefix("max-age=")) >= 15_768_000
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers
    assert not {"Server", "X-Powered-By"} & set(headers.keys())


@each_page
def test_a_page_is_the_same_for_htmx_and_for_any_host(
    app: Flask, client: FlaskClient, name: str
) -> None:
    url = PAGES[name]
    page = client.get(url, headers={**HTMX, "Host": "elsewhere.example"}).text
    # Links that are meant for other people are absolute.
    page = page.replace("http://elsewhere.example/", "http://localhost/")
    assert page == response_to(app, url).text


@pytest.mark.parametrize("name", sorted(NOT_CACHED))
def test_a_page_that_depends_on_the_session_is_not_stored(app: Flask, name: str) -> None:
    assert response_to(app, PAGES[name]).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("name", [name for name in PAGES if name not in NOT_CACHED])
def test_a_page_that_does_not_depend_on_the_session_can_be_cached(
    app: Flask, client: FlaskClient, name: str
) -> None:
    url = PAGES[name]
    headers = response_to(app, url).headers
    assert headers["Cache-Control"] == "public, max-age=3600"
    assert "Cookie" not in headers.get("Vary", "")
    client.post("/move", data={"square": "0", "position": "---------"})
    again = client.get(url, headers={"If-None-Match": headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert "Set-Cookie" not in again.headers


def test_every_kind_of_link_leads_to_a_page(app: Flask) -> None:
    client = app.test_client()
    links: dict[str, tuple[str, str]] = {}
    for url in PAGES.values():
        soup = soup_of(app, url)
        for link in [*file_urls(soup), *(a["href"] for a in soup.select("a[href^='/']"))]:
            links[re.sub(r"[0-9XO-]+", "#", link)] = url, link  # one link of each pattern
    assert len(links) > 100
    for url, link in links.values():
        assert client.get(link, follow_redirects=True).status_code == 200, (url, link)


def test_the_header_marks_the_section_of_the_page(app: Flask) -> None:
    """Study is part of Play, since it starts from a game; the proof is part of Learn."""
    sections = {
        **{"game": "Play", "study search": "Play", "today": "Today"},
        **{"learn": "Learn", "practise": "Learn", "proof": "Learn"},
    }
    for name, section in sections.items():
        (current,) = soup_of(app, PAGES[name]).select(".nav [aria-current=page]")
        assert current.get_text() == section, name


def test_every_page_has_its_own_title(app: Flask) -> None:
    titles = [soup_of(app, url).select("title")[0].get_text() for url in PAGES.values()]
    assert len(set(titles)) == len(titles)
