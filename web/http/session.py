"""The session, a signed cookie with a player's games and results, and the key that signs it."""

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

from web.http.settings import StartupError, validate_key


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions in signed cookies, which stay valid at any age and are secure over HTTPS.

    Flask rejects a cookie older than a month, or from the future. A clock set back, or two machines
    whose clocks differ by a second, would therefore end games. Here only the browser keeps time.
    """

    # Our sessions contain plain values only, so they do not need the type tags of Flask's format.
    serializer = json  # type: ignore[assignment]

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return the session in the cookie, or a new one if this server did not sign it.

        A signed cookie may still be damaged: if its value is not an object, or its timestamp is not
        a time, the session is also new.
        """
        signer = self.get_signing_serializer(app)
        assert signer, "the app must have a key"
        try:
            content = signer.loads(request.cookies.get(self.get_cookie_name(app), ""))
            g.session = self.session_class(content)
        except (BadData, TypeError, ValueError, OverflowError, OSError):
            g.session = self.session_class()
        session: SecureCookieSession = g.session
        return session

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name of the cookie; over HTTPS with `__Host-`, which no other site can set."""
        name = super().get_cookie_name(app)
        return f"__Host-{name}" if self.get_cookie_secure(app) else name

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return whether the cookie is for HTTPS only: whether the request came over HTTPS."""
        return request.is_secure


def depends_on_session() -> bool:
    """Return whether the request used its session, so that no cache may keep the response."""
    # Flask's proxy `session` would count this very look as a use.
    session: SecureCookieSession | None = g.get("session")
    return session is not None and session.accessed


def set_key(app: Flask) -> None:
    """Set the key that signs cookies: the one in the settings, or one kept in the instance folder.

    Raises StartupError if no key can be kept there, or if the key there is easily guessed.
    """
    path = Path(app.instance_path, "secret-key")
    try:
        app.secret_key = app.secret_key or load_or_create_key(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "damaged")
        raise StartupError(f"no secret key in {path} ({reason}): set FLASK_SECRET_KEY.") from None


def load_or_create_key(path: Path) -> str:
    """Return the secret key in a file, which is created on first use, for its owner only.

    Raises OSError if the file cannot be created or read, ValueError if the path is not a file or
    the key is easily guessed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        file_descriptor, temporary_path = tempfile.mkstemp(dir=path.parent)
        try:
            with open(file_descriptor, "w") as file:
                file.write(secrets.token_hex(32))
            # The file appears complete or not at all, so servers that start together share a key.
            with suppress(FileExistsError):
                os.link(temporary_path, path)
        finally:
            os.unlink(temporary_path)
    if not path.is_file():  # reading from a pipe would wait forever
        raise ValueError
    if path.stat().st_mode & 0o077:
        print(f"Other users can read the secret key. Run: chmod 600 {path}", file=sys.stderr)
    return validate_key(path.read_text().strip())
