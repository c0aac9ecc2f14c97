"""Build the application, add headers to every response, and render error pages."""

from __future__ import annotations

from random import Random
from typing import Any

from flask import Flask, Response, render_template, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from engine.notation import signed
from engine.position import OTHER, SQUARE_NAMES
from engine.review import BADGES
from engine.search import WIN, solve
from web.challenge.routes import challenges
from web.http.addresses import redirect_to_correct_address
from web.http.compression import compress
from web.http.files import serve_files
from web.http.forms import refuse_long_addresses, refuse_other_sites
from web.http.session import Sessions, depends_on_session, set_key
from web.http.settings import read_settings
from web.learn.routes import learn
from web.learn.write import write
from web.play.routes import play
from web.play.squares import nine_view
from web.puzzles.routes import puzzles
from web.study.routes import study
from web.today.routes import today
from web.view import invitation, words
from web.view.previews import serve_pictures
from web.view.trees import TreeLayout

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none';"
        " frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def create_app(config: dict[str, Any] | None = None, rng: Random | None = None) -> Flask:
    """Build the application.

    Settings come from `FLASK_` environment variables; those in `config` take precedence.
    `rng` makes every random choice; a seeded `rng` repeats a game.
    Raises StartupError, a SystemExit with one sentence, if a setting is invalid, or if no secret
    key is given and none can be kept in the instance folder.
    """
    app = Flask(__name__, static_folder=None)
    # Otherwise a path with // redirects to an address made from the Host header.
    app.url_map.merge_slashes = False
    read_settings(app, config or {})
    app.config["RNG"] = rng or Random()
    set_key(app)
    app.session_interface = Sessions()
    if proxy_count := app.config["TRUSTED_PROXIES"]:
        # Nothing here uses the address of the client, so X-Forwarded-For is never trusted.
        proxy_fix = ProxyFix(app.wsgi_app, x_for=0, x_proto=proxy_count, x_host=proxy_count)
        app.wsgi_app = proxy_fix  # type: ignore[method-assign]
    app.jinja_options = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True}
    app.jinja_env.globals.update(
        BADGES=BADGES, OTHER=OTHER, SQUARE_NAMES=SQUARE_NAMES, WIN=WIN, layout_of=TreeLayout
    )
    app.jinja_env.globals.update(invitation=invitation, nine_view=nine_view, words=words)
    app.jinja_env.filters.update(rich=words.rich, signed=signed)
    app.register_blueprint(play)
    app.register_blueprint(challenges)
    app.register_blueprint(study)
    app.register_blueprint(today)
    app.register_blueprint(learn)
    app.register_blueprint(puzzles)
    app.register_blueprint(write)
    app.before_request(refuse_other_sites)
    app.before_request(refuse_long_addresses)
    app.before_request(redirect_to_correct_address)
    app.after_request(finish_response)
    app.register_error_handler(HTTPException, render_error)
    app.get("/healthz")(healthz)
    serve_files(app)
    serve_pictures(app)
    solve()
    return app


def healthz() -> Response:
    """Return "ok", which shows that the server is up."""
    return Response("ok\n", mimetype="text/plain")


def finish_response(response: Response) -> Response:
    """Add the headers, answer 304 if the browser's copy is still current, and compress."""
    response.headers.extend(HEADERS)
    if (response.mimetype or "").startswith("image/"):
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # other sites may show it
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"  # one year
    if depends_on_session():
        response.headers["Cache-Control"] = "no-store"
    if response.headers.setdefault("Cache-Control", "no-store").startswith("public"):
        response.add_etag(weak=True)  # the same for every compression of the page
        response.make_conditional(request)
    return compress(response)


def render_error(error: HTTPException) -> ResponseReturnValue:
    """Return the response to an HTTP error, with our own page if that can be drawn."""
    response = error.get_response()
    # An invalid Host header leaves no adapter, without which the page could not build its links.
    if request_ctx.url_adapter:
        response.set_data(render_template("view/error.html", error=error))
    return response
