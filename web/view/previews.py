"""The pictures that others show beside a link: a friend's square, today's board, the first page."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any

import PIL
from flask import Flask, Response, abort, current_app, request

from engine.position import OTHER, Position
from teach.challenge import Challenge, challenge, linked
from teach.today import in_order
from web.http.addresses import takes
from web.http.files import cache_by_version
from web.http.forms import parse_or_refuse
from web.view import drawing, invitation, words


def serve_pictures(app: Flask) -> None:
    """Serve the pictures under a version that the drawing code and its words decide.

    Each is drawn when it is first asked for, in some 4 ms, and kept.
    """
    sources = (drawing.__file__, invitation.__file__, words.__file__)
    content = b"".join(Path(it).read_bytes() for it in sources) + PIL.__version__.encode()
    version = f"{zlib.crc32(content):08x}"

    @app.get("/picture/<board>.png")
    @takes("v")
    def picture(board: str) -> Response:
        position = parse_or_refuse(Position.parse, board)
        if position not in shared_boards():
            abort(404)
        return cache_by_version(Response(picture_of(position), mimetype="image/png"), version)

    @app.url_defaults
    def name_the_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "picture":
            values["v"] = version

    picture_of = cache(draw_picture)
    app.jinja_env.globals.update(whole=whole, challenge=challenge, pictured=pictured)


@cache
def shared_boards() -> frozenset[Position]:
    """Return the 161 boards that have a picture: the first, those of links, and each day's."""
    return linked() | {Position(), *in_order()}


def pictured(it: Challenge | None) -> Challenge:
    """Return the board whose picture goes with a page, the empty one if its own has none."""
    return it if it and it.position in shared_boards() else challenge(Position())


def draw_picture(position: Position) -> bytes:
    """Return the PNG of a board: what it asks, and of whom."""
    it = challenge(position)
    title = invitation.title(it)
    mark = next((mark for mark in OTHER if title.startswith(f"{mark} ")), None)
    return drawing.picture(position, drawing.Words(mark, title, invitation.subtitle(it)))


def drawn_once(view: Callable[..., str]) -> Callable[..., str]:
    """Let a page that its arguments alone decide be drawn once, for each name of the site.

    As a decorator: previews hold the name, which anybody may make up, so few pages are kept.
    """
    remembered = lru_cache(maxsize=8)(lambda site, *given: view(*given))

    @wraps(view)
    def page(*given: Hashable) -> str:
        return remembered(whole(""), *given)

    return page


def whole(address: str) -> str:
    """Return an address of this site as others need it, begun by the site's own name."""
    site = current_app.config["PUBLIC_URL"] or request.host_url.removesuffix("/")
    return f"{site}{address}"
