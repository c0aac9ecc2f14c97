"""The settings: what they are if nobody sets them, and what stops the start."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import Flask

DEFAULTS: dict[str, Any] = {
    "COMPRESS_ALGORITHM": ["br", "gzip"],  # zstd, usual first, makes the first load 3 % larger
    "COMPRESS_MIN_SIZE": 2900,  # bytes: less fits two packets, and is no sooner there compressed
    "MAX_CONTENT_LENGTH": 4096,  # bytes
    "SECRET_KEY_FALLBACKS": [],
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SESSION_REFRESH_EACH_REQUEST": False,  # so that no slow GET can undo a move
    "TRUSTED_PROXIES": 0,  # how many stand before it, whose X-Forwarded headers are believed
}

# By the type of its default: which values of a setting make sense, and how to say so.
KINDS: dict[type, tuple[Callable[[Any], bool], str]] = {
    bool: (lambda value: value in (True, False), "true or false"),
    int: (lambda value: type(value) is int and value >= 0, "a number, 0 or more"),
    list: (lambda value: type(value) is list, 'a list, such as ["the old key"]'),
    timedelta: (lambda value: type(value) in (int, timedelta), "a number of seconds"),
}

# One of each kind of page, but for those below.
PAGES = (
    "/",
    "/why/04",
    "/review/04",
    "/position/X---O----",
    "/tree/X---O----",
    "/practise/X---O---X",
)
# What the others are drawn from: to draw them would double the time of a start, and it is enough
# that it is there.
REST = (
    "learn/_lesson.html",
    "study/_pictures.html",
    "learn/_question.html",
    "study/_run.html",
    "study/counts.html",
    "learn/lesson.html",
    "learn/practised.html",
    "study/proof.html",
    "study/run.html",
    "site/error.html",
)


class NoStart(SystemExit):
    """Stop the start with one sentence, which is all that Python prints of it."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The server cannot start: {reason}")


def read_settings(app: Flask, given: dict[str, Any]) -> None:
    """Take the settings from `FLASK_` environment variables, then from `given`.

    Raises NoStart for a value that is not of the kind of its default, as that would fail, or be
    misread, at some request.
    """
    defaults = {**app.config, **DEFAULTS}
    app.config.update(DEFAULTS)
    app.config.from_prefixed_env()
    app.config.update(given)
    for name, default in defaults.items():
        if type(default) in KINDS:
            makes_sense, kind = KINDS[type(default)]
            if not makes_sense(app.config[name]):
                raise NoStart(f"FLASK_{name} has to be {kind}.")


def try_out(app: Flask) -> None:
    """Draw the pages that are quickly drawn, and look that the templates of the others are there.

    So a file that is missing, or a fault in what is drawn, stops the start, not a visitor.
    Raises NoStart with the reason.
    """
    try:
        for template in REST:
            app.create_global_jinja_loader().get_source(app.jinja_env, template)
        for page in PAGES:
            with app.test_request_context(page):
                app.dispatch_request()
    except Exception as error:
        raise NoStart(f"{type(error).__name__}: {error}") from None
