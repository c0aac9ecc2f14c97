"""The session: a signed cookie that holds the game, and the key it is signed with."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from flask import Flask, Request, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadData

from web.game import Game


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


def kept_key(folder: Path) -> str:
    """Return the secret key kept in `folder`, made on first use and readable by its owner only."""
    path = folder / "secret-key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            # Written whole and then linked, so that of two processes at once both get the first's.
            with tempfile.NamedTemporaryFile("w", dir=folder) as file:
                file.write(secrets.token_hex(32))
                file.flush()
                with suppress(FileExistsError):
                    os.link(file.name, path)
        key = path.read_text()
    except OSError as error:
        raise RuntimeError(
            f"No secret key: set FLASK_SECRET_KEY, or let me write {path}"
        ) from error
    if len(key) < 64:
        raise RuntimeError(
            f"The secret key in {path} is damaged: delete it, or set FLASK_SECRET_KEY"
        )
    return key
