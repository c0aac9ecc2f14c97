"""The settings: the environment gives four, and nonsense in any stops the start."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from flask import Flask

DEFAULTS: dict[str, Any] = {
    "MAX_CONTENT_LENGTH": 4096,  # bytes
    "NOW": lambda: datetime.now(UTC),  # whose date decides today's board
    "PUBLIC_URL": "",  # of the site in links that others show; left out: as the request has it
    "SESSION_COOKIE_NAME": "tic-tac-toe",  # not Flask's own, which any app on this host may set
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SESSION_REFRESH_EACH_REQUEST": False,  # else a slow GET could undo a move
    "TRUSTED_PROXIES": 0,  # proxies in front, whose X-Forwarded headers are believed
}
A_KEY = "a text of 64 characters or more, 8 of them different"
MAKE_KEY = "python3 -c 'import secrets; print(secrets.token_hex(32))'"
# ENV until Flask 2.2: many an image and a shell still has it.
FLASKS_OWN = re.compile("FLASK_(APP|DEBUG|ENV|ENV_FILE|SKIP_DOTENV|RUN_.*)")


class NoStart(SystemExit):
    """Stop the start; Python prints no more than the sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The server cannot start: {reason}")


def strong_key(text: str) -> str:
    """Return a secret key unchanged. Raises ValueError where it is easily guessed, or no UTF-8."""
    if len(text.strip()) < 64 or len(set(text)) < 8:
        raise ValueError
    text.encode()
    return text


def _keys(text: str) -> list[str]:
    """Read a JSON list of secret keys."""
    keys = json.loads(text)
    if type(keys) is not list or not all(type(key) is str for key in keys):
        raise ValueError
    return [strong_key(key) for key in keys]


def _site(text: str) -> str:
    """Read the beginning of every address of the site, up to its name."""
    if not (site := re.fullmatch(r"(https?://[^\s/?#@]+)/?", text)):
        raise ValueError
    return site[1]


# By the name: what reads the value, or raises ValueError, and the words for a good value.
SETTINGS: Mapping[str, tuple[Callable[[str], Any], str]] = {
    "SECRET_KEY": (strong_key, f"{A_KEY}; make one with: {MAKE_KEY}"),
    "SECRET_KEY_FALLBACKS": (_keys, f'a list such as ["the old key"], each {A_KEY}'),
    "PUBLIC_URL": (_site, "an address such as https://example.org, without a path"),
    "TRUSTED_PROXIES": (list("0123456789").index, "a number from 0 to 9"),
}


def read_settings(app: Flask, given: dict[str, Any]) -> None:
    """Take the settings from `FLASK_` environment variables, then from `given`.

    Raises NoStart for nonsense, and for a variable neither a setting here nor Flask's own.
    """
    app.config.update(DEFAULTS)
    for variable, text in os.environ.items():
        name = variable.removeprefix("FLASK_")
        if name == variable or FLASKS_OWN.fullmatch(variable):
            continue
        if name not in SETTINGS:
            known = ", ".join(f"FLASK_{name}" for name in SETTINGS)
            raise NoStart(f"{variable} is no setting. There are {known}.")
        read, kind = SETTINGS[name]
        # systemd takes quotes around a value away, a container's engine leaves them.
        quoted = re.fullmatch(r"""(["'])(.*)\1""", text, re.DOTALL)
        try:
            app.config[name] = read(quoted[2] if quoted else text)
        except ValueError:
            raise NoStart(f"{variable} has to be {kind}.") from None
    app.config.update(given)
