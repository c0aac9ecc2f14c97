"""The session: a signed cookie that holds the game, and the key it is signed with."""

from __future__ import annotations

import os
import re
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from flask import Flask, Request, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadData

from web.play.game import Game
from web.site.settings import NoStart

KEY_LENGTH = 64
MAKE_KEY = "python3 -c 'import secrets; print(secrets.token_hex(32))'"


def load() -> Game:
    """Read the game of this session; a session that holds none gets a new one."""
    try:
        return Game.parse(str(session.get("game")))
    except ValueError:
        return Game()


def keep(game: Game) -> None:
    """Put `game` into the session, whose cookie is sent only if that changes it."""
    if session.get("game") != game.text:
        session["game"] = game.text
        session.permanent = True  # until the browser drops it, not only until it is closed


class Sessions(SecureCookieSessionInterface):
    """Keep sessions in signed cookies as Flask does, but believe no clock and follow HTTPS.

    Flask refuses a cookie older than its lifetime, or from the future. So a clock that was put
    right, or two machines a second apart, would end games. Here only the browser keeps time.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Read the session; what nobody here signed is a new one."""
        signer = self.get_signing_serializer(app)
        assert signer, "there is a key"
        try:
            cookie = request.cookies.get(self.get_cookie_name(app), "")
            return self.session_class(signer.loads(cookie))
        except BadData:
            return self.session_class()

    def get_cookie_secure(self, app: Flask) -> bool:
        """Say whether the cookie may travel over HTTPS only: where it came by it, or if set so."""
        return request.is_secure or super().get_cookie_secure(app)


def set_keys(app: Flask) -> None:
    """Set the key that cookies are signed with, and those of before, which are still believed.

    Without a key in the settings it is the one kept in the instance folder. Raises NoStart for a
    key that could be guessed, and where none can be kept.
    """
    if app.config["SECRET_KEY"] is None:
        app.secret_key = kept_key(Path(app.instance_path))
    else:
        app.secret_key = _long_enough(app.config["SECRET_KEY"], "FLASK_SECRET_KEY has to be a text")
    app.config["SECRET_KEY_FALLBACKS"] = [
        _long_enough(key, "each of FLASK_SECRET_KEY_FALLBACKS has to be a text")
        for key in app.config["SECRET_KEY_FALLBACKS"]
    ]


def _long_enough(key: object, what: str) -> str:
    # A key of digits alone arrives from the environment as a number.
    if not isinstance(key, str | int) or len(str(key).strip()) < KEY_LENGTH:
        raise NoStart(f"{what} of {KEY_LENGTH} characters or more; make one with: {MAKE_KEY}")
    return str(key)


def kept_key(folder: Path) -> str:
    """Return the secret key kept in `folder`, made on first use and readable by its owner only.

    Raises NoStart where it cannot be made or read, or is none that was made here.
    """
    path = folder / "secret-key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            # Written whole and then linked, so that of two processes at once both get the first's.
            with tempfile.NamedTemporaryFile("w", dir=folder) as file:
                file.write(secrets.token_hex(KEY_LENGTH // 2))
                file.flush()
                with suppress(FileExistsError):
                    os.link(file.name, path)
        # Only a regular file is read: a pipe would wait for somebody to write to it.
        key = path.read_bytes().strip() if path.is_file() else b""
    except OSError as error:
        raise NoStart(
            f"no secret key: set FLASK_SECRET_KEY, or let me write {path} ({error.strerror})."
        ) from error
    if not re.fullmatch(rb"[0-9a-f]{%d}" % KEY_LENGTH, key):
        raise NoStart(f"the secret key in {path} is damaged: delete it, or set FLASK_SECRET_KEY.")
    return key.decode()
