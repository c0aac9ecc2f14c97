"""The pictures of boards that others show beside a link: served, and kept for good by a version."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from pathlib import Path
from threading import Lock
from typing import Any

import PIL
from flask import Flask, Response, current_app, request

from engine.position import OTHER, Position
from teach.challenge import challenge
from web.http.addresses import takes
from web.http.files import keep_by_version
from web.http.forms import parsed
from web.view import drawing

WORDS = "view/_asked.html"
ONE_AT_A_TIME = Lock()  # else who asks for many takes the threads by which games are answered


def serve_pictures(app: Flask) -> None:
    """Serve a picture of each board, under a version that the drawing code and its words decide.

    While one is drawn, whoever asks for another is told to come again: no thread waits for it.
    """
    sources = (Path(drawing.__file__), Path(app.root_path) / "templates" / WORDS)
    content = b"".join(path.read_bytes() for path in sources) + PIL.__version__.encode()
    version = f"{zlib.crc32(content):08x}"

    @app.get("/picture/<board>.png")
    @takes("v")
    def picture(board: str) -> Response:
        position = parsed(Position.parse, board)
        if not ONE_AT_A_TIME.acquire(blocking=False):
            return Response("busy\n", 503, {"Retry-After": "1"}, mimetype="text/plain")
        try:
            content = drawn(position)
        finally:
            ONE_AT_A_TIME.release()
        return keep_by_version(Response(content, mimetype="image/png"), version)

    @app.url_defaults
    def name_the_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "picture":
            values["v"] = version

    app.jinja_env.globals.update(whole=whole, challenge=challenge, SITE=challenge(Position()))


def drawn(position: Position) -> bytes:
    """Return the PNG of a board: what it asks, and of whom."""
    it = challenge(position)
    say: Any = current_app.jinja_env.get_template(WORDS).module
    title = str(say.title(it))
    mark = next((mark for mark in OTHER if title.startswith(f"{mark} ")), None)
    return drawing.picture(position, drawing.Words(mark, title, str(say.below(it))))


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
