"""The simplest Flask route with a session, for comparison with a click."""

from flask import Flask, request, session


def create_app() -> Flask:
    """Build an application that counts its visits in the session."""
    app = Flask(__name__, static_folder=None)
    app.config.from_prefixed_env()

    @app.post("/")
    def count() -> str:
        request.get_data()  # a server may close the connection if the body is not read
        session["visits"] = session.get("visits", 0) + 1
        return str(session["visits"])

    return app
