"""The preview pictures of links to a friend's opening, to today's board and to the first page.

Also a cache of pages, and the absolute addresses that links to pictures need.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any

import PIL
from flask import Flask, Response, abort, current_app, request

from engine.position import OTHER, Position
from teach.challenge import Challenge, challenge, linked_boards
from teach.today import daily_boards
from web.http.addresses import takes
from web.http.files import cache_by_version
from web.http.forms import parse_or_refuse
from web.view import drawing, invitation, words


def serve_pictures(app: Flask) -> None:
    """Serve the pictures, with a hash of the drawing code and its words as their version.

    Each is drawn on its first request, in about 4 ms, and kept.
    """
    sources = (drawing.__file__, invitation.__file__, words.__file__)
    content = b"".join(Path(source).read_bytes() for source in sources) + PIL.__version__.encode()
    version = f"{zlib.crc32(content):08x}"
    cached_picture = cache(draw_picture)

    @app.get("/picture/<board>.png")
    @takes("v")
    def picture(board: str) -> Response:
        position = parse_or_refuse(Position.parse, board)
        if position not in shared_boards():
            abort(404)
        return cache_by_version(Response(cached_picture(position), mimetype="image/png"), version)

    @app.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "picture":
            values["v"] = version

    app.jinja_env.globals.update(
        absolute_url=absolute_url, challenge=challenge, preview_subject=preview_subject
    )


@cache
def shared_boards() -> frozenset[Position]:
    """Return the 161 boards that have a picture: the empty board and those of links and days."""
    return linked_boards() | {Position(), *daily_boards()}


def preview_subject(own: Challenge | None) -> Challenge:
    """Return the challenge to show as a page's preview: its own, or the empty board.

    A page shows the empty board if it has no challenge of its own, or one without a picture.
    """
    return own if own and own.position in shared_boards() else challenge(Position())


def draw_picture(position: Position) -> bytes:
    """Return the picture of a board as a PNG, with the question it asks."""
    subject = challenge(position)
    title, subtitle = invitation.title(subject), invitation.subtitle(subject)
    mark = next((mark for mark in OTHER if title.startswith(f"{mark} ")), None)
    return drawing.draw_preview(position, drawing.Caption(mark, title, subtitle))


def cache_page(view: Callable[..., str]) -> Callable[..., str]:
    """Cache a page that depends only on its arguments and on the address of the site.

    The links in its preview contain that address, which is the one the request claims unless
    PUBLIC_URL is set. Since a request can claim any, only a few pages are kept.
    """
    cached = lru_cache(maxsize=8)(lambda site, *args: view(*args))

    @wraps(view)
    def page(*args: Hashable) -> str:
        return cached(absolute_url(""), *args)

    return page


def absolute_url(address: str) -> str:
    """Return an address of this site with the scheme and host in front."""
    site = current_app.config["PUBLIC_URL"] or request.host_url.removesuffix("/")
    return f"{site}{address}"
