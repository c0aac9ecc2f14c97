"""The session: a signed cookie with the game, and the key that signs."""

from __future__ import annotations

import json
import os
import secrets
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from flask import Flask, Request, g, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadData

from web.http.settings import NoStart, strong_key


class Sessions(SecureCookieSessionInterface):
    """Keep sessions in signed cookies as Flask does, but believe no clock and follow HTTPS.

    Flask refuses a cookie older than a month, or from the future. A clock set back, or two machines
    a second apart, would therefore end games. Here only the browser keeps time.
    """

    # Only plain values are kept, which need none of the tags of Flask's own format.
    serializer = json  # type: ignore[assignment]

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Read the session from the cookie; where none was signed here, begin a new session.

        So does a cookie that was signed here and is no object, or whose stamp is no time: the
        signature says by whom that was written, not that all is well with it.
        """
        signer = self.get_signing_serializer(app)
        assert signer, "there is a key"
        try:
            content = signer.loads(request.cookies.get(self.get_cookie_name(app), ""))
            g.session = self.session_class(content)
        except (BadData, TypeError, ValueError, OverflowError, OSError):
            g.session = self.session_class()
        session: SecureCookieSession = g.session
        return session

    def get_cookie_name(self, app: Flask) -> str:
        """Return the cookie's name; over HTTPS with `__Host-`, which no other site can set."""
        name = super().get_cookie_name(app)
        return f"__Host-{name}" if self.get_cookie_secure(app) else name

    def get_cookie_secure(self, app: Flask) -> bool:
        """Say whether the cookie stays with HTTPS: where the request came by HTTPS."""
        return request.is_secure


def depends_on_session() -> bool:
    """Return whether this request has used its session, so that no cache may keep the answer."""
    session: SecureCookieSession | None = g.get("session")  # Flask's proxy would count this use
    return session is not None and session.accessed


def set_key(app: Flask) -> None:
    """Sign cookies with the key of the settings; without one, with the instance folder's own.

    Raises NoStart where no key can be kept there, or the key there could be guessed.
    """
    path = Path(app.instance_path, "secret-key")
    try:
        app.secret_key = app.secret_key or kept_key(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", "damaged")
        raise NoStart(f"no secret key in {path} ({why}): set FLASK_SECRET_KEY.") from None


def kept_key(path: Path) -> str:
    """Return the secret key kept in a file, made on first use, for the owner alone to read.

    Raises OSError where none can be made or read, ValueError where the key could be guessed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        handle, fresh = tempfile.mkstemp(dir=path.parent)
        try:
            with open(handle, "w") as new:
                new.write(secrets.token_hex(32))
            # It is there whole or not at all: of two servers that start, both read the first's.
            with suppress(FileExistsError):
                os.link(fresh, path)
        finally:
            os.unlink(fresh)
    if not path.is_file():  # to read from a pipe would wait for ever
        raise ValueError
    if path.stat().st_mode & 0o077:
        print(f"Others than its owner may read the secret key: chmod 600 {path}", file=sys.stderr)
    return strong_key(path.read_text().strip())
