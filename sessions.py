"""The session: a signed cookie that holds the game, and the key it is signed with."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from flask import Flask, Request, Response, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData
from werkzeug.http import parse_cookie

from engine.game import Game


def load() -> Game:
    """Read the game of this session; a session that holds none gets a new one."""
    try:
        return Game.parse(str(session.get("game")))
    except ValueError:
        return Game()


class Sessions(SecureCookieSessionInterface):
    """Keep sessions in signed cookies as Flask does, with less work and no trust in clocks.

    A cookie lasts for as long as its browser keeps it, so that no game ends because a clock was
    put right, or runs behind that of the machine which answered before.
    """

    # The game is plain text, which needs none of Flask's tags for types.
    serializer = json  # type: ignore[assignment]

    def __init__(self, app: Flask) -> None:
        signer = self.get_signing_serializer(app)
        assert signer, "there is a key"
        self.signer = signer

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Read the session; what nobody here signed is a new one."""
        try:
            # Flask's own way to the cookies looks through every header, and the environment too.
            cookie = parse_cookie(request.environ).get(self.get_cookie_name(app), "")
            return self.session_class(self.signer.loads(cookie))
        except BadData:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the session where the request changed it, so that no slow GET can undo a move."""
        if session.accessed:
            response.vary.add("Cookie")
        if session.modified:
            response.set_cookie(
                self.get_cookie_name(app),
                self.signer.dumps(dict(session)),
                app.permanent_session_lifetime,
                httponly=True,
                samesite="Lax",
                secure=request.is_secure or self.get_cookie_secure(app),
            )


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
