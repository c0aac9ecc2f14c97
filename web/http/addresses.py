"""Links as people send them: with a tracking parameter, a slash or a period too many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from unicodedata import category
from urllib.parse import parse_qsl, quote, urlencode

from flask import Response, current_app, request
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException

View = TypeVar("View", bound=Callable[..., Any])

NAMES = "query_names"
READABLE = "/()[],:"  # characters of our addresses that need no escape


def takes(*names: str) -> Callable[[View], View]:
    """Name the query parameters that a page reads; a page without this decorator reads none.

    All others are dropped by `correct_address`.
    """

    def mark(view: View) -> View:
        vars(view)[NAMES] = frozenset(names)
        return view

    return mark


def names_taken(endpoint: str) -> frozenset[str]:
    """Return the query parameters that the page of an endpoint reads."""
    taken: frozenset[str] = getattr(current_app.view_functions[endpoint], NAMES, frozenset())
    return taken


def correct_address() -> Response | None:
    """Redirect (302) an address that is almost a page's to that page; None if it is a page's.

    Dropped are query parameters that the page does not read (with them, caches would keep one page
    under any number of addresses), a trailing slash, and the punctuation that chat programs take
    for a part of the link.
    """
    adapter = request_ctx.url_adapter
    if adapter is None or request.method not in ("GET", "HEAD"):
        return None
    path, endpoint = f"/{_without_tail(request.path[1:])}", request.endpoint
    if path != request.path:
        try:
            endpoint, _ = adapter.match(path)
        except HTTPException:
            return None  # no page has that address either
    if endpoint is None:
        return None
    given = parse_qsl(request.query_string.decode(errors="replace"), keep_blank_values=True)
    known = names_taken(endpoint)
    unescaped = [(name.removeprefix("amp;"), value) for name, value in given]
    kept = [(name, value) for name, value in unescaped if name in known]
    if kept and kept[-1] == unescaped[-1]:
        name, value = kept[-1]
        kept[-1] = name, value if name == "values" else _without_tail(value)
    if path == request.path and kept == given:
        return None
    query = urlencode(kept, safe=READABLE)
    to = quote(request.root_path + path, safe=READABLE) + (f"?{query}" if query else "")
    return Response(status=302, headers={"Location": to})


def _without_tail(text: str) -> str:
    """Return a text without the punctuation at its end; a bracket opened in it may close there.

    >>> _without_tail("study/((3,5),(2,7)))."), _without_tail("challenge/04)”")
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
