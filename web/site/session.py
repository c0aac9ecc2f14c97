"""The session: a signed cookie with the game, and the key that signs."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from flask import Flask, Request, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadData

from web.site.settings import KEY_LENGTH, NoStart, strong_key

MOST_COOKIES = 8  # are tried, as to check each takes time


class Sessions(SecureCookieSessionInterface):
    """Keep sessions in signed cookies as Flask does, but believe no clock and follow HTTPS.

    Flask refuses a cookie older than a month, or from the future. A clock set back, or two machines
    a second apart, would therefore end games. Here only the browser keeps time.
    """

    # Only plain values are kept, which need none of the tags of Flask's own format.
    serializer = json  # type: ignore[assignment]

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Read the session from the first cookie signed here; without any, begin a new session.

        Another site of the same domain may have set a second cookie of the same name.
        """
        signer = self.get_signing_serializer(app)
        assert signer, "there is a key"
        for cookie in request.cookies.getlist(self.get_cookie_name(app))[:MOST_COOKIES]:
            with suppress(BadData):
                if isinstance(content := signer.loads(cookie), dict):
                    return self.session_class(content)
        return self.session_class()

    def get_cookie_name(self, app: Flask) -> str:
        """Return the cookie's name; over HTTPS with `__Host-`, which no other site can set."""
        name = super().get_cookie_name(app)
        return f"__Host-{name}" if self.get_cookie_secure(app) else name

    def get_cookie_secure(self, app: Flask) -> bool:
        """Say whether the cookie stays with HTTPS: where the request came by HTTPS."""
        return request.is_secure


def set_key(app: Flask) -> None:
    """Sign cookies with the key of the settings; without one, with the instance folder's own."""
    app.secret_key = app.secret_key or kept_key(Path(app.instance_path))


def kept_key(folder: Path) -> str:
    """Return the secret key kept in `folder`, made on first use, for the owner alone to read.

    Raises NoStart where none can be made or read, or where the key could be guessed.
    """
    path = folder / "secret-key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            # Written whole, then linked: two processes at once both get the key of the first.
            with tempfile.NamedTemporaryFile("w", dir=folder) as file:
                file.write(secrets.token_hex(KEY_LENGTH // 2))
                file.flush()
                with suppress(FileExistsError):
                    os.link(file.name, path)
        return strong_key(path.read_text().strip())
    except OSError as error:
        raise NoStart(
            f"no secret key: set FLASK_SECRET_KEY, or let me write {path} ({error.strerror})."
        ) from None
    except ValueError:
        raise NoStart(
            f"the secret key in {path} is damaged: delete it, or set FLASK_SECRET_KEY."
        ) from None
