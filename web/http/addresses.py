"""Redirect links that picked up a tracking parameter, a trailing slash or a period."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from unicodedata import category
from urllib.parse import parse_qsl, quote, urlencode

from flask import Response, current_app, request
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException

View = TypeVar("View", bound=Callable[..., Any])

QUERY_NAMES = "query_names"  # the attribute that `takes` sets on a view
UNESCAPED = "/()[],:"  # characters that our addresses contain as they are, without %


def takes(*names: str) -> Callable[[View], View]:
    """Declare the query parameters that a page reads; a page without this decorator reads none.

    `redirect_to_correct_address` drops all others.
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


def redirect_to_correct_address() -> Response | None:
    """Return a redirect to the address that was probably meant, or None if there is none to make.

    The redirect drops the query parameters that the page does not read (otherwise caches would
    store one page under any number of addresses), a trailing slash, and the punctuation that chat
    programs mistake for a part of the link.
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
    given_args = parse_qsl(request.query_string.decode(errors="replace"), keep_blank_values=True)
    known_names = query_names(endpoint)
    # Some programs copy a link from HTML without decoding its &amp;.
    decoded_args = [(name.removeprefix("amp;"), value) for name, value in given_args]
    args = [(name, value) for name, value in decoded_args if name in known_names]
    if args and args[-1] == decoded_args[-1]:  # punctuation is picked up at the end of the link
        name, value = args[-1]
        if name != "values":  # a tree typed into a form; its page says what is wrong with it
            args[-1] = name, _strip_punctuation(value)
    if path == request.path and args == given_args:
        return None
    query = urlencode(args, safe=UNESCAPED)
    location = quote(request.root_path + path, safe=UNESCAPED) + (f"?{query}" if query else "")
    return Response(status=302, headers={"Location": location})


def _strip_punctuation(text: str) -> str:
    """Return a text without the punctuation at its end; a bracket stays if it was opened before.

    >>> _strip_punctuation("study/((3,5),(2,7)))."), _strip_punctuation("challenge/04)”")
    ('study/((3,5),(2,7))', 'challenge/04')
    """
    categories = [category(character) for character in text]
    unopened_count = categories.count("Pe") - categories.count("Ps")  # closing, opening brackets
    end = len(text)
    while end:
        last, last_category = text[end - 1], categories[end - 1]
        if last.isalnum() or last == "-" or last_category == "Ps":
            break
        if last_category == "Pe":
            if unopened_count <= 0:
                break
            unopened_count -= 1
        end -= 1
    return text[:end]
