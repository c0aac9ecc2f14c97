"""What every page must be, whatever it shows: whole, named, our own alone, guarded, small."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import HTMX, parse
from tests.html import Tag
from tests.pages import PAGES, UNKEPT

VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}
ROOMS = ("Play", "Practise", "Learn")


@cache
def soup_of(app: Flask, url: str) -> Tag:
    """Fetch and parse a page once for all tests: to parse takes longer than to draw."""
    return parse(app.test_client().get(url))


@pytest.fixture
def soup(app: Flask, url: str) -> Tag:
    return soup_of(app, url)


every_page = pytest.mark.parametrize("url", PAGES.values(), ids=PAGES.keys())


class Balance(HTMLParser):
    """Read a page strictly: each tag is closed, in order, and names no attribute twice."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(page)
        self.wrong += self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = Counter(name for name, _ in attrs)
        self.wrong += [name for name, times in names.items() if times > 1]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Let a tag such as <path/> close itself."""

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"/{tag}")


@every_page
def test_a_page_is_well_formed(client: FlaskClient, url: str) -> None:
    assert not Balance(client.get(url).text).wrong


def test_what_is_not_well_formed_is_found() -> None:
    for page in ("<p><b></p></b>", "<p>", "</p>", '<p class="a" class="b"></p>'):
        assert Balance(page).wrong, page


def links_of(soup: Tag) -> list[str]:
    """Return the addresses of styles, scripts, icons and pictures."""
    tags = soup.select("link[href], script[src], img[src]")
    return [str(tag.get("href") or tag.get("src")) for tag in tags]


def test_each_kind_of_link_on_every_page_leads_to_a_page(app: Flask) -> None:
    client = app.test_client()
    links = {  # the last of those that differ in numbers and boards alone
        re.sub(r"[0-9XO-]+", "#", str(link["href"])): (url, link["href"])
        for url in PAGES.values()
        for link in soup_of(app, url).select("a[href^='/']")
    }
    assert len(links) > 100
    for url, link in links.values():
        assert client.get(link, follow_redirects=True).status_code == 200, (url, link)


@every_page
def test_a_page_says_what_it_is(soup: Tag) -> None:
    assert soup.select_one("html[lang=en]")
    assert len(soup.select("h1")) == len(soup.select("main#main")) == 1
    (title,) = soup.select("head > title")
    assert len(title.get_text()) > 5
    for name in ("og:title", "og:description", "og:image"):
        (tag,) = soup.select(f"[property='{name}']")
        assert tag["content"]
    assert [a.get_text() for a in soup.select("nav[aria-label=Site] a")] in (list(ROOMS), [])
    assert len(soup.select("nav[aria-label=Site] [aria-current]")) <= 1


@pytest.mark.parametrize(
    ("name", "room"),
    [
        ("game", "Play"),
        ("study search", "Play"),
        ("practise", "Practise"),
        ("learn", "Learn"),
        ("proof", "Learn"),
    ],
)
def test_the_header_marks_the_room_a_page_is_in(client: FlaskClient, name: str, room: str) -> None:
    """Study counts as Play, as it begins at a game; the proof is led to by Learn."""
    (current,) = parse(client.get(PAGES[name])).select(".nav [aria-current=page]")
    assert current.get_text() == room


def test_titles_tell_pages_apart(app: Flask) -> None:
    titles = [soup_of(app, url).select("title")[0].get_text() for url in PAGES.values()]
    assert len(set(titles)) == len(titles)


@every_page
def test_no_script_and_no_style_stands_in_a_page(soup: Tag) -> None:
    assert not soup.select("style, [style], script:not([src]), [href^='javascript:']")
    assert not [tag for tag in soup.select("*") if any(name[:2] == "on" for name in tag.attrs)]


@every_page
def test_ids_are_unique_and_what_refers_to_one_finds_it(soup: Tag) -> None:
    ids = [str(tag["id"]) for tag in soup.select("[id]")]
    assert len(set(ids)) == len(ids)
    for attribute in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
        named = [str(tag[attribute]).split() for tag in soup.select(f"[{attribute}]")]
        assert {name for names in named for name in names} <= set(ids), attribute
    anchors = {str(a["href"])[1:] for a in soup.select("a[href^='#']")}
    assert anchors - {""} <= set(ids)


@every_page
def test_all_that_a_page_loads_is_ours_and_versioned(client: FlaskClient, soup: Tag) -> None:
    for address in links_of(soup):
        assert address.startswith("/static/")
        assert "?v=" in address
        assert client.get(address).status_code == 200
    outside = [a for a in soup.select("a[href], form[action]") if "//" in str(a)[:200]]
    assert not [a for a in outside if str(a.get("href") or a.get("action")).startswith("http")]


@every_page
def test_tables_forms_and_pictures_have_names(soup: Tag) -> None:
    assert all(table.select("th") and table.select("caption") for table in soup.select("table"))
    for control in soup.select("main :is(button, a)"):
        named = control.get_text().strip() or control.get("aria-label")
        assert named or control.select("[aria-label]"), control
    for picture in soup.select("main svg"):
        hidden = picture in soup.select("[aria-hidden=true] svg")
        assert picture.get("aria-hidden") or picture.get("aria-label") or hidden, picture


@every_page
def test_a_form_that_asks_takes_along_all_it_has_to(soup: Tag, url: str) -> None:
    """Browsers put the fields of a GET form in place of what stands behind the ? of its action."""
    for form in soup.select("form:not([method=post])"):
        assert "?" not in str(form.get("action", ""))
        fields = {str(field["name"]) for field in form.select("[name]")}
        belongs = {"path"} if "step" in fields else set[str]()  # to the step that is left
        assert fields >= parse_qs(urlsplit(url).query).keys() - belongs, form


@every_page
def test_headers_are_as_the_strictest_grade_of_scanners_asks(client: FlaskClient, url: str) -> None:
    """Source: the criteria of Mozilla's HTTP Observatory for A+."""
    headers = client.get(url, base_url="https://localhost").headers
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


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_the_same_whoever_asks_so_no_cache_mixes_it_up(
    client: FlaskClient, name: str
) -> None:
    url = PAGES[name]
    whole = client.get(url)
    assert client.get(url, headers=HTMX).data == whole.data
    elsewhere = client.get(url, headers={"Host": "elsewhere.example"}).text
    # Addresses that others need are whole.
    assert elsewhere.replace("http://elsewhere.example/", "http://localhost/") == whole.text
    if name in UNKEPT:
        assert whole.headers["Cache-Control"] == "no-store"
        return
    assert whole.headers["Cache-Control"] == "public, max-age=3600"
    assert "Cookie" not in whole.headers.get("Vary", "")
    client.post("/move", data={"square": "0", "position": "---------"})
    again = client.get(url)
    assert again.data == whole.data
    assert "Set-Cookie" not in again.headers
    unchanged = client.get(url, headers={"If-None-Match": whole.headers["ETag"]})
    assert (unchanged.status_code, unchanged.data) == (304, b"")


@every_page
def test_a_page_is_a_small_download(client: FlaskClient, url: str) -> None:
    sent = client.get(url, headers={"Accept-Encoding": "gzip"})
    assert len(sent.data) <= 25_000
