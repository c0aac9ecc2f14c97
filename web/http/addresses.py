"""Correct links that picked up a tracking parameter, a trailing slash or a period."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from unicodedata import category
from urllib.parse import parse_qsl, quote, urlencode

from flask import Response, current_app, request
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException

View = TypeVar("View", bound=Callable[..., Any])

QUERY_NAMES = "query_names"  # the attribute of a view that `takes` sets
UNESCAPED = "/()[],:"  # characters of our addresses that stay as they are


def takes(*names: str) -> Callable[[View], View]:
    """Declare the query parameters that a page reads; a page without this decorator reads none.

    `correct_address` drops all others.
    """

    def declare(view: View) -> View:
        vars(view)[QUERY_NAMES] = frozenset(names)
        return view

    return declare


def query_names(endpoint: str) -> frozenset[str]:
    """Return the query parameters that the page of an endpoint reads."""
    view = current_app.view_functions[endpoint]
    names: frozenset[str] = getattr(view, QUERY_NAMES, frozenset())
    return names


def correct_address() -> Response | None:
    """Return a redirect to the address that was probably meant, or None if it is correct.

    This drops query parameters that the page does not read (otherwise caches would store one page
    under any number of addresses), a trailing slash, and the punctuation that chat programs
    mistake for a part of the link.
    """
    adapter = request_ctx.url_adapter
    if adapter is None or request.method not in ("GET", "HEAD"):
        return None
    path, endpoint = f"/{_strip_punctuation(request.path[1:])}", request.endpoint
    if path != request.path:
        try:
            endpoint, _ = adapter.match(path)
        except HTTPException:
            return None  # the corrected address has no page either
    if endpoint is None:
        return None
    given = parse_qsl(request.query_string.decode(errors="replace"), keep_blank_values=True)
    known = query_names(endpoint)
    unescaped = [(name.removeprefix("amp;"), value) for name, value in given]
    corrected = [(name, value) for name, value in unescaped if name in known]
    if corrected and corrected[-1] == unescaped[-1]:
        name, value = corrected[-1]
        corrected[-1] = name, value if name == "values" else _strip_punctuation(value)
    if path == request.path and corrected == given:
        return None
    query = urlencode(corrected, safe=UNESCAPED)
    location = quote(request.root_path + path, safe=UNESCAPED) + (f"?{query}" if query else "")
    return Response(status=302, headers={"Location": location})


def _strip_punctuation(text: str) -> str:
    """Return a text without its final punctuation, except a bracket that was opened in it.

    >>> _strip_punctuation("study/((3,5),(2,7)))."), _strip_punctuation("challenge/04)”")
    ('study/((3,5),(2,7))', 'challenge/04')
    """
    kinds = [category(character) for character in text]
    unopened = kinds.count("Pe") - kinds.count("Ps")
    end = len(text)
    while end and not (text[end - 1].isalnum() or text[end - 1] == "-" or kinds[end - 1] == "Ps"):
        if kinds[end - 1] == "Pe":
            if unopened <= 0:
                break
            unopened -= 1
        end -= 1
    return text[:end]
