"""Build the application: its settings, its files, and what goes with every answer."""

from __future__ import annotations

import zlib
from importlib.metadata import distribution
from mimetypes import guess_type
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask, Response, abort, render_template, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from flask_compress import Compress
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from engine.players import PLAYERS
from engine.position import OTHER, SQUARE_NAMES
from engine.search import WIN, result, solve
from web.forms import refuse_cut_bodies, refuse_other_sites
from web.learn import learn
from web.lesson import lesson
from web.log import log_requests
from web.play import play
from web.session import Sessions, set_keys
from web.settings import NoStart, read_settings, try_out

HTMX = "django_htmx/static/django_htmx/htmx-2.min.js"  # in the wheel of django-htmx

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def create_app(config: dict[str, Any] | None = None, rng: Random | None = None) -> Flask:
    """Build the application.

    Settings come from `FLASK_` environment variables, then from `config`. `rng` makes every
    choice left to chance; give a seeded one to repeat a game.
    Raises NoStart, a SystemExit with one sentence, where a setting makes no sense, a file is
    missing, or no secret key is given and none can be kept in the instance folder.
    """
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False  # else // redirects to an address made from the Host
    read_settings(app, config or {})
    app.config["RNG"] = rng or Random()
    set_keys(app)
    app.session_interface = Sessions()
    if app.config["ACCESS_LOG"]:
        log_requests(app)
    if proxies := app.config["TRUSTED_PROXIES"]:
        behind = ProxyFix(app.wsgi_app, x_for=0, x_proto=proxies, x_host=proxies)
        app.wsgi_app = behind  # type: ignore[method-assign]
    app.jinja_options = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True}
    words = {
        "OTHER": OTHER,
        "PLAYERS": PLAYERS,
        "SQUARE_NAMES": SQUARE_NAMES,
        "WIN": WIN,
        "result_of": result,
    }
    app.jinja_env.globals.update(words)
    Compress(app)  # first, as what is done last to an answer is what was registered first
    app.register_blueprint(play)
    app.register_blueprint(learn)
    app.register_blueprint(lesson)
    app.before_request(refuse_other_sites)
    app.before_request(refuse_cut_bodies)
    app.after_request(finish)
    app.register_error_handler(HTTPException, explain)
    app.get("/healthz")(healthz)
    serve_files(app)
    solve()
    try_out(app)
    return app


def serve_files(app: Flask) -> None:
    """Serve style, script, icon and htmx, read once, each under a version its content decides."""
    paths = {path.name: path for path in (Path(app.root_path) / "static").iterdir()}
    paths["htmx.js"] = Path(str(distribution("django-htmx").locate_file(HTMX)))
    try:
        files = {name: path.read_bytes() for name, path in paths.items()}
    except OSError as error:
        raise NoStart(str(error)) from None
    versions = {name: f"{zlib.crc32(content):08x}" for name, content in files.items()}

    @app.get("/static/<name>")
    def static(name: str) -> Response:
        content = files.get(name) or abort(404)
        response = Response(content, mimetype=guess_type(name)[0])
        # Another version than this is asked for while machines are brought up to date.
        for_good = request.args.get("v") == versions[name]
        response.headers["Cache-Control"] = f"public, max-age={31536000 if for_good else 0}"
        response.cache_control.immutable = for_good
        return response

    @app.url_defaults
    def name_the_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["v"] = versions[values["name"]]


def healthz() -> Response:
    """Say that the server is well."""
    return Response("ok\n", mimetype="text/plain")


def finish(response: Response) -> Response:
    """Add the headers that every answer has, and spare a browser what it has already."""
    response.headers.extend(HEADERS)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    # What a page does not let others keep belongs to a session.
    response.headers.setdefault("Cache-Control", "no-store")
    if response.cache_control.public:
        response.add_etag()
        response.make_conditional(request)
    return response


def explain(error: HTTPException) -> ResponseReturnValue:
    """Say in our own words what went wrong."""
    response = error.get_response()
    if request_ctx.url_adapter:  # there is none where the Host makes no sense
        response.set_data(render_template("error.html", error=error))
    return response
