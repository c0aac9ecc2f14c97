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
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

from tests.conftest import HTMX, parse
from tests.html import Tag
from tests.pages import NOT_CACHED, PAGES

VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}
SECTIONS = ("Play", "Today", "Learn")


@cache
def response_to(app: Flask, url: str) -> TestResponse:
    """Return the response to a request for a page, fetched once for all tests."""
    return app.test_client().get(url)


@cache
def soup_of(app: Flask, url: str) -> Tag:
    """Parse a page once for all tests, because parsing takes longer than rendering."""
    return parse(response_to(app, url))


class StrictParser(HTMLParser):
    """A parser that records tags not closed in order, and attributes given twice."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.errors: list[str] = []
        self.feed(page)
        self.errors += self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = Counter(name for name, _ in attrs)
        self.errors += [name for name, times in names.items() if times > 1]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Accept a self-closing tag, such as <path/>."""

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.errors.append(f"/{tag}")


def test_the_checker_finds_malformed_html() -> None:
    for page in ("<p><b></p></b>", "<p>", "</p>", '<p class="a" class="b"></p>'):
        assert StrictParser(page).errors, page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_fault(app: Flask, client: FlaskClient, name: str) -> None:
    url, soup = PAGES[name], soup_of(app, PAGES[name])
    assert not StrictParser(response_to(app, url).text).errors
    assert not [*faults(soup)]
    check_get_forms(soup, url)
    response = client.get(url, base_url="https://localhost", headers={"Accept-Encoding": "gzip"})
    assert len(response.data) <= 25_000
    check_headers(response.headers)
    check_same_for_everyone(client, name, response_to(app, url))


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
        named = " ".join(tag[attribute] for tag in soup.select(f"[{attribute}]"))
        yield from {*named.split()} - ids.keys()
    yield from {a["href"][1:] for a in soup.select("a[href^='#']")} - ids.keys() - {""}
    # It loads only files of the site, and links to no other site.
    for address in files_of(soup):
        if not (address.startswith("/static/") and "?v=" in address):
            yield address
    yield from soup.select("a[href^=http], form[action^=http]")


def files_of(soup: Tag) -> list[str]:
    """Return the addresses of styles, scripts, icons and pictures."""
    tags = soup.select("link[href], script[src], img[src]")
    return [str(tag.get("href") or tag.get("src")) for tag in tags]


def check_get_forms(soup: Tag, url: str) -> None:
    """Check that GET forms repeat the query, because browsers replace it with the form's fields."""
    for form in soup.select("form:not([method=post])"):
        assert "?" not in str(form.get("action", ""))
        fields = {str(field["name"]) for field in form.select("[name]")}
        # `path` belongs to the step being left; `run` and `look` belong to the previous run.
        dropped = {"path"} if "step" in fields else {"run", "look"} if "level" in fields else set()
        assert fields >= parse_qs(urlsplit(url).query).keys() - dropped, form


def check_headers(headers: Headers) -> None:
    """Check the headers that Mozilla's HTTP Observatory requires for A+."""
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


def check_same_for_everyone(client: FlaskClient, name: str, page: TestResponse) -> None:
    """Check that a page is the same for everyone, so that it can be cached."""
    url = PAGES[name]
    elsewhere = client.get(url, headers={**HTMX, "Host": "elsewhere.example"}).text
    # Links meant for other people are absolute.
    assert elsewhere.replace("http://elsewhere.example/", "http://localhost/") == page.text
    if name in NOT_CACHED:
        assert page.headers["Cache-Control"] == "no-store"
        return
    assert page.headers["Cache-Control"] == "public, max-age=3600"
    assert "Cookie" not in page.headers.get("Vary", "")
    client.post("/move", data={"square": "0", "position": "---------"})
    again = client.get(url, headers={"If-None-Match": page.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"") and "Set-Cookie" not in again.headers


def test_every_kind_of_link_leads_to_a_page(app: Flask) -> None:
    client = app.test_client()
    links: dict[str, tuple[str, str]] = {}
    for url in PAGES.values():
        soup = soup_of(app, url)
        for link in [*files_of(soup), *(a["href"] for a in soup.select("a[href^='/']"))]:
            links[re.sub(r"[0-9XO-]+", "#", link)] = url, link  # one link of each pattern
    assert len(links) > 100
    for url, link in links.values():
        assert client.get(link, follow_redirects=True).status_code == 200, (url, link)


def test_the_header_marks_the_section_of_the_page(app: Flask) -> None:
    """Study counts as Play, since it starts from a game; the proof is reached from Learn."""
    sections = {"game": "Play", "study search": "Play", "today": "Today", "practise": "Learn"}
    for name, section in (sections | {"learn": "Learn", "proof": "Learn"}).items():
        (current,) = soup_of(app, PAGES[name]).select(".nav [aria-current=page]")
        assert current.get_text() == section, name


def test_every_page_has_its_own_title(app: Flask) -> None:
    titles = [soup_of(app, url).select("title")[0].get_text() for url in PAGES.values()]
    assert len(set(titles)) == len(titles)
