"""Pages of the lesson, parsed, for the tests of its screens, its numbers and its glossary."""

from __future__ import annotations

from flask.testing import FlaskClient

from teach.lesson.screens import SOLVING_QUERIES
from tests.conftest import parse, text_of
from tests.html import Tag


def open_page(client: FlaskClient, address: str) -> Tag:
    """Return a page of the lesson; the address is what follows "/learn/", "" for the index."""
    response = client.get(f"/learn/{address}".rstrip("/"))
    assert response.status_code == 200, address
    return parse(response)


def solved_address(number: str) -> str:
    """Return the address of a screen in a state in which it is solved, for `open_page`."""
    return f"{number}?{SOLVING_QUERIES[number]}"


def texts_of(page: Tag, css: str) -> list[str]:
    """Return the texts of the matching elements."""
    return [text_of(tag) for tag in page.select(css)]
