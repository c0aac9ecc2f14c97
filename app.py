"""The web side: read the request, ask the engine, render."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.metadata import distribution
from mimetypes import guess_type
from pathlib import Path
from random import Random
from typing import Any

from flask import (
    Flask,
    Response,
    abort,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from flask_compress import Compress
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from accesslog import AccessLog
from engine.explain import result, safe_replies, threats
from engine.game import Game
from engine.players import PLAYERS
from engine.position import OTHER, SQUARE_NAMES, IllegalMoveError, Position, replay
from engine.search import analyse, solve
from engine.tree import warm_up
from pages import pages
from parts import NOTICES, Notice, draw, parts, stamp, status
from reading import FormRequest, chosen, from_this_site, one, parsed, required
from sessions import Sessions, kept_key, load

HTMX = Path(
    str(distribution("django-htmx").locate_file("django_htmx/static/django_htmx/htmx-2.min.js"))
)

TWO_PACKETS = 2900  # bytes: less than that is no sooner there for being compressed

HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
PAGE_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


def create_app(config: dict[str, Any] | None = None, rng: Random | None = None) -> Flask:
    """Build the application.

    Settings come from `FLASK_` environment variables, then from `config`. `rng` makes every
    choice left to chance; give a seeded one to repeat a game.
    Raises RuntimeError where a setting makes no sense, or where no secret key is given and none
    can be kept in the instance folder.
    """
    app = Flask(__name__, static_folder=None)
    files = {
        file.name: file for file in (Path(app.root_path) / "static").iterdir() if file.is_file()
    }
    files["htmx.js"] = HTMX
    app.config.update(
        ACCESS_LOG=False,
        COMPRESS_REGISTER=False,
        MAX_CONTENT_LENGTH=4096,
        SECRET_KEY_FALLBACKS=[],
        # How many proxies stand before this server, whose X-Forwarded headers are to be believed.
        TRUSTED_PROXIES=0,
    )
    app.config.from_prefixed_env()
    app.config.update(config or {})
    check_settings(app.config)
    # An environment value that looks like JSON, such as a number, arrives as that: make it text.
    app.secret_key = str(app.config["SECRET_KEY"] or kept_key(Path(app.instance_path)))
    app.config["SECRET_KEY_FALLBACKS"] = list(map(str, app.config["SECRET_KEY_FALLBACKS"]))
    if app.config["ACCESS_LOG"]:
        app.wsgi_app = AccessLog(app.wsgi_app)  # type: ignore[method-assign]
    if proxies := app.config["TRUSTED_PROXIES"]:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=0, x_proto=proxies, x_host=proxies
        )
    app.jinja_options = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True}
    # What templates ask of the engine, to turn into words.
    app.jinja_env.globals.update(
        OTHER=OTHER,
        PLAYERS=PLAYERS,
        SQUARE_NAMES=SQUARE_NAMES,
        analyse=analyse,
        result_of=result,
        safe_replies=safe_replies,
        threats=threats,
    )
    app.request_class = FormRequest
    app.session_interface = Sessions(app)
    compress = Compress(app)
    app.register_blueprint(pages)
    solve()
    warm_up()
    for template in app.jinja_env.list_templates():
        app.jinja_env.get_template(template)
    rng = rng or Random()

    @app.get("/")
    def page() -> str:
        game = load()
        # A notice is true of the game it was given about, not of what this URL shows later.
        given = request.args.get("notice") if request.args.get("seen") == stamp(game) else None
        notice = next((name for name in NOTICES if name == given), None)
        shown = {"status": status(game, notice), **parts(game)}
        drawn = draw(shown.values())
        return render_template("game.html", part=dict(zip(shown, drawn, strict=True)))

    @app.post("/move")
    def move() -> ResponseReturnValue:
        square = int(required(chosen(request.form, "square", "012345678"), "square"))
        seen = required(position_seen(), "position")
        game = load()
        if seen != game.position:
            if square in seen.legal_moves() and game.follows(seen.play(square)):
                return answer(None, game)  # it was played already, and the answer got lost
            lost = "game" not in session and seen != Position()
            return answer(None, game, "lost" if lost else "stale")
        try:
            return answer(game, game.play(square, rng))
        except IllegalMoveError:
            return answer(game, game, "over" if game.position.outcome() else "taken")

    @app.post("/new")
    def new() -> ResponseReturnValue:
        game = load()
        difficulty = chosen(request.form, "difficulty", PLAYERS) or game.difficulty
        human = chosen(request.form, "mark", OTHER) or game.human
        moves = parsed(replay, one(request.form, "moves") or "")
        if Position.after(moves).outcome():
            abort(400, "No game goes on from there: it is over.")
        before = game if position_seen() in (None, game.position) else None
        return answer(before, game.start(difficulty, human, rng, moves))

    @app.post("/undo")
    def undo() -> ResponseReturnValue:
        game = load()
        if position_seen() not in (None, game.position):
            return answer(None, game, "stale")
        if not game.can_undo:
            return answer(game, game, "nothing")
        return answer(game, game.undo(), "undone")

    @app.post("/results")
    def show_results() -> ResponseReturnValue:
        game = load()
        show = required(chosen(request.form, "show", ("yes", "no")), "show")
        before = game if position_seen() in (None, game.position) else None
        return answer(before, replace(game, show_results=show == "yes"))

    @app.get("/healthz")
    def healthz() -> Response:
        return Response("ok\n", mimetype="text/plain")

    @app.get("/static/<name>")
    def static(name: str) -> Response:
        file = files.get(name) or abort(404)
        response = Response(file.read_bytes(), mimetype=guess_type(name)[0])
        # Another version than this is asked for while machines are brought up to date.
        for_good = request.args.get("v") == version(file)
        response.headers["Cache-Control"] = f"public, max-age={31536000 if for_good else 0}"
        response.cache_control.immutable = for_good
        return response

    @app.url_defaults
    def name_the_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["v"] = version(files[values["name"]])

    @app.before_request
    def refuse_other_sites() -> None:
        if request.method == "POST" and not from_this_site():
            abort(403, "This came from another site, so nothing was done.")

    @app.after_request
    def finish(response: Response) -> Response:
        # A fragment is no page that a browser could open.
        fragment = request.method == "POST" and response.status_code == 200
        page = response.mimetype == "text/html" and not fragment
        response.headers.extend(PAGE_HEADERS if page else HEADERS)
        if request.is_secure:
            response.headers["Strict-Transport-Security"] = "max-age=31536000"
        # What a page does not let others keep belongs to a session.
        response.headers.setdefault("Cache-Control", "no-store")
        if not fragment or (response.content_length or 0) > TWO_PACKETS:
            response = compress.after_request(response)
        if not fragment and response.cache_control.public:
            response.add_etag()  # spare a browser that has it from getting it again
            response.make_conditional(request)
        response.direct_passthrough = True  # it is all there: hand it over in one piece
        return response

    @app.errorhandler(HTTPException)
    def explain(error: HTTPException) -> ResponseReturnValue:
        response = error.get_response()
        if request_ctx.url_adapter:  # there is none where the Host makes no sense
            response.set_data(render_template("error.html", error=error))
        return response

    return app


def check_settings(config: Mapping[str, Any]) -> None:
    """Raise RuntimeError for what would fail, or be misread, at the first request."""
    proxies = config["TRUSTED_PROXIES"]
    for name, fits, meant in (
        ("ACCESS_LOG", config["ACCESS_LOG"] in (True, False), "true or false"),
        ("TRUSTED_PROXIES", type(proxies) is int and proxies >= 0, "a number, 0 or more"),
        (
            "SECRET_KEY_FALLBACKS",
            isinstance(config["SECRET_KEY_FALLBACKS"], list),
            'a list, such as ["the old key"]',
        ),
    ):
        if not fits:
            raise RuntimeError(f"FLASK_{name} has to be {meant}")


def answer(before: Game | None, game: Game, notice: Notice | None = None) -> ResponseReturnValue:
    """Keep `game` and show it: to htmx what differs from `before`, else the whole page.

    `before` is what the player is looking at, or None where that is not known.
    """
    if session.get("game") != game.text:
        session["game"] = game.text
    if "HX-Request" not in request.headers:
        return redirect(url_for("page", notice=notice, seen=notice and stamp(game)), 303)
    known = before and request.form.get("seen") in (None, stamp(before))
    seen = parts(before) if before and known else {}
    changed = [part for name, part in parts(game).items() if part != seen.get(name)]
    return "".join(draw([status(game, notice), *changed]))


def position_seen() -> Position | None:
    """Return the position that the player was looking at, None where that is left out."""
    text = one(request.form, "position")
    return None if text is None else parsed(Position.parse, text)


def version(file: Path) -> str:
    """Return a short text that changes with the file's content."""
    return digest(file, file.stat().st_mtime_ns)


@cache
def digest(file: Path, modified: int) -> str:
    return f"{zlib.crc32(file.read_bytes()):08x}"
