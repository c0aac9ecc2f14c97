"""Build the application: settings, blueprints, and the headers of every answer."""

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
from web.http.addresses import correct_address
from web.http.compression import compress
from web.http.files import serve_files
from web.http.forms import refuse_long_addresses, refuse_other_sites
from web.http.session import Sessions, depends_on_session, set_key
from web.http.settings import read_settings
from web.learn.routes import learn
from web.learn.write import write
from web.play.routes import play
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

    Settings come from `FLASK_` environment variables, then from `config`. `rng` makes every
    choice left to chance; a seeded `rng` repeats a game.
    Raises NoStart, a SystemExit with one sentence, where a setting makes no sense, or where no
    secret key is given and the instance folder can keep none.
    """
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False  # else // redirects to an address made from Host
    read_settings(app, config or {})
    app.config["RNG"] = rng or Random()
    set_key(app)
    app.session_interface = Sessions()
    if proxies := app.config["TRUSTED_PROXIES"]:
        behind = ProxyFix(app.wsgi_app, x_for=0, x_proto=proxies, x_host=proxies)
        app.wsgi_app = behind  # type: ignore[method-assign]
    app.jinja_options = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True}
    app.jinja_env.globals.update(
        BADGES=BADGES, OTHER=OTHER, SQUARE_NAMES=SQUARE_NAMES, WIN=WIN, layout_of=TreeLayout
    )
    app.jinja_env.globals.update(invitation=invitation, words=words)
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
    app.before_request(correct_address)
    app.after_request(finish)
    app.register_error_handler(HTTPException, explain)
    app.get("/healthz")(healthz)
    serve_files(app)
    serve_pictures(app)
    solve()
    return app


def healthz() -> Response:
    """Say that the server is well."""
    return Response("ok\n", mimetype="text/plain")


def finish(response: Response) -> Response:
    """Add the headers of every answer, send no browser a page twice, and each page compressed."""
    response.headers.extend(HEADERS)
    if (response.mimetype or "").startswith("image/"):
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # others may show it
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if depends_on_session():
        response.headers["Cache-Control"] = "no-store"
    if response.headers.setdefault("Cache-Control", "no-store").startswith("public"):
        response.add_etag(weak=True)  # the same however the page is compressed
        response.make_conditional(request)
    return compress(response)


def explain(error: HTTPException) -> ResponseReturnValue:
    """Say in our own words what went wrong."""
    response = error.get_response()
    if request_ctx.url_adapter:  # None where the Host makes no sense
        response.set_data(render_template("view/error.html", error=error))
    return response
