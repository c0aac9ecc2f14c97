"""The settings, and which values make sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DEFAULTS = {
    "ACCESS_LOG": False,
    "COMPRESS_MIN_SIZE": 2900,  # bytes: less fits two packets, and is no sooner there compressed
    "MAX_CONTENT_LENGTH": 4096,  # bytes
    "SECRET_KEY_FALLBACKS": [],
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SESSION_REFRESH_EACH_REQUEST": False,  # so that no slow GET can undo a move
    "TRUSTED_PROXIES": 0,  # how many stand before it, whose X-Forwarded headers are believed
}


def check(config: Mapping[str, Any]) -> None:
    """Raise RuntimeError for what would fail, or be misread, at the first request."""
    proxies = config["TRUSTED_PROXIES"]
    for name, fits, meant in (
        ("ACCESS_LOG", config["ACCESS_LOG"] in (True, False), "true or false"),
        ("TRUSTED_PROXIES", type(proxies) is int and proxies >= 0, "a number, 0 or more"),
        (
            "SECRET_KEY_FALLBACKS",
            isinstance(config["SECRET_KEY_FALLBACKS"], list),
            'a list, such as ["the old key"]',
        ),
    ):
        if not fits:
            raise RuntimeError(f"FLASK_{name} has to be {meant}")
