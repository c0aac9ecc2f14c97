"""Read the settings from the environment; an invalid one stops the server at startup."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from flask import Flask

DEFAULTS: dict[str, Any] = {
    "MAX_CONTENT_LENGTH": 4096,  # bytes
    "NOW": lambda: datetime.now(UTC),  # its date decides today's board
    "PUBLIC_URL": "",  # for links that other sites show; if empty, the request's address is used
    "SESSION_COOKIE_NAME": "tic-tac-toe",  # not Flask's default, which any app on this host may use
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SESSION_REFRESH_EACH_REQUEST": False,  # otherwise a slow GET could undo a move
    "TRUSTED_PROXIES": 0,  # the number of proxies in front whose X-Forwarded headers are trusted
}
KEY_DESCRIPTION = "a string of at least 64 characters, at least 8 of them different"
KEY_COMMAND = "python3 -c 'import secrets; print(secrets.token_hex(32))'"
# Flask reads these itself. It has ignored FLASK_ENV since 2.3, but many images still set that.
FLASK_VARIABLES = re.compile("FLASK_(APP|DEBUG|ENV|ENV_FILE|SKIP_DOTENV|RUN_.*)")


class StartupError(SystemExit):
    """A reason not to start; since it is a SystemExit, Python prints it without a traceback."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The server cannot start: {reason}")


def validate_key(text: str) -> str:
    """Return a secret key unchanged. Raises ValueError if it is easily guessed, or not UTF-8."""
    if len(text.strip()) < 64 or len(set(text)) < 8:
        raise ValueError
    text.encode()
    return text


def _parse_keys(text: str) -> list[str]:
    """Parse a JSON list of secret keys."""
    keys = json.loads(text)
    if type(keys) is not list or not all(type(key) is str for key in keys):
        raise ValueError
    return [validate_key(key) for key in keys]


def _parse_site(text: str) -> str:
    """Parse the address of the site's root, without a slash at its end."""
    if not (match := re.fullmatch(r"(https?://[^\s/?#@]+)/?", text)):
        raise ValueError
    return match[1]


class Setting(NamedTuple):
    """How to read a setting from an environment variable."""

    parse: Callable[[str], Any]  # raises ValueError if the text is invalid
    description: str  # what a valid text is, for the error message


SETTINGS: Mapping[str, Setting] = {
    "SECRET_KEY": Setting(validate_key, f"{KEY_DESCRIPTION}; make one with: {KEY_COMMAND}"),
    "SECRET_KEY_FALLBACKS": Setting(
        _parse_keys, f'a list such as ["the old key"], each {KEY_DESCRIPTION}'
    ),
    "PUBLIC_URL": Setting(_parse_site, "an address such as https://example.org, without a path"),
    "TRUSTED_PROXIES": Setting(list("0123456789").index, "a number from 0 to 9"),
}


def read_settings(app: Flask, config: dict[str, Any]) -> None:
    """Set the app's settings from `FLASK_` environment variables; `config` takes precedence.

    Raises StartupError for an invalid value, and for a variable that neither this application nor
    Flask knows.
    """
    app.config.update(DEFAULTS)
    for variable, text in os.environ.items():
        name = variable.removeprefix("FLASK_")
        if name == variable or FLASK_VARIABLES.fullmatch(variable):
            continue
        if name not in SETTINGS:
            known_variables = ", ".join(f"FLASK_{known_name}" for known_name in SETTINGS)
            raise StartupError(f"{variable} is not a setting. The settings are {known_variables}.")
        setting = SETTINGS[name]
        # systemd removes quotes around a value; container engines keep them.
        quoted = re.fullmatch(r"""(["'])(.*)\1""", text, re.DOTALL)
        try:
            app.config[name] = setting.parse(quoted[2] if quoted else text)
        except ValueError:
            raise StartupError(f"{variable} has to be {setting.description}.") from None
    app.config.update(config)
