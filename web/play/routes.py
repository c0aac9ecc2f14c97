"""The routes of the game: read the click, update the game, show what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from flask import (
    Blueprint,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from engine.notation import replay
from engine.players import PLAYERS
from engine.position import OTHER, IllegalMoveError, Position
from web.play.game import Game
from web.play.parts import NOTICES, Notice, Part, draw, parts, stamp
from web.site.forms import chosen, one, parsed, required
from web.site.session import keep, load

play = Blueprint("play", __name__)


@play.get("/")
def page() -> str:
    """Show the game of this session."""
    game = load()
    # A notice is true of the game it was given about, not of what this URL shows later.
    given = request.args.get("notice") if request.args.get("stamp") == stamp(game) else None
    shown = parts(game, next((notice for notice in NOTICES if notice == given), None))
    drawn = draw(shown.values())
    return render_template("play/page.html", part=dict(zip(shown, drawn, strict=True)))


@play.post("/move")
def move() -> ResponseReturnValue:
    """Play a square, and let the computer reply.

    A double click: with script the second is not sent, as `data-hx-sync` on the form drops it.
    Without, it comes with the cookie of the first answer, finds here that this very move was made,
    and plays nothing. Or the browser had not read that answer yet: then both are answered from the
    same board, and the answer that comes last stands. Each time it is one move and one reply.
    """
    square = int(required(chosen(request.form, "square", "012345678"), "square"))
    position = required(position_clicked(), "position")
    game = load()
    if behind := left_behind(game):
        return redraw(game, None if game.has_played(position, square) else behind)
    try:
        return update(game, game.play(square, rng()))
    except IllegalMoveError:
        return update(game, game, "over" if game.outcome else "taken")


@play.post("/new")
def new() -> ResponseReturnValue:
    """Start a game; a setting left out stays, and `moves` are set up on the board.

    To choose the setting that holds already starts none.
    """
    game = load()
    difficulty = chosen(request.form, "difficulty", PLAYERS)
    human = chosen(request.form, "mark", OTHER)
    moves = parsed(replay, one(request.form, "moves") or "")
    if Position().after(moves).outcome():
        abort(400, "No game goes on from there: it is over.")
    changed = difficulty not in (None, game.difficulty) or human not in (None, game.human)
    if (difficulty or human) and not (changed or moves):
        return adjust(game, game)
    return update(
        game, game.start(difficulty or game.difficulty, human or game.human, rng(), moves)
    )


@play.post("/undo")
def undo() -> ResponseReturnValue:
    """Take back the player's last move and the reply to it, or the new game before any move."""
    game = load()
    if behind := left_behind(game):
        return redraw(game, behind)
    try:
        return update(game, game.undo(), "undone" if game.has_moved else "back")
    except IllegalMoveError:
        return update(game, game, "nothing")


@play.post("/results")
def show_results() -> ResponseReturnValue:
    """Show on the squares what each leads to, or stop showing it."""
    game = load()
    return adjust(game, replace(game, show_results=asked_to_show()))


@play.post("/reasons")
def show_reasons() -> ResponseReturnValue:
    """Show the reason for each reply, or stop showing it."""
    game = load()
    return adjust(game, replace(game, show_reasons=asked_to_show()))


def adjust(game: Game, adjusted: Game) -> ResponseReturnValue:
    """Keep and show `adjusted`; to a page of a game that was not kept, say so and change nothing.

    Without cookies the notice would else be of a game that the next request does not know.
    """
    behind = left_behind(game)
    return update(game, game if behind == "unkept" else adjusted, behind)


def asked_to_show() -> bool:
    """Read whether to show something."""
    return required(chosen(request.form, "show", ("yes", "no")), "show") == "yes"


def rng() -> Random:
    """Return what makes every choice left to chance."""
    source: Random = current_app.config["RNG"]
    return source


def on_screen(game: Game) -> bool:
    """Say whether the page clicked on showed the board of `game`; yes if it sent none."""
    return position_clicked() in (None, game.position)


def left_behind(game: Game) -> Notice | None:
    """Return why the page clicked on showed another board than that of `game`; None if it did not.

    Another click may have been there before, or the session held no game that could be read.
    """
    if on_screen(game):
        return None
    return "stale" if session.get("game") == game.text else "unkept"


def position_clicked() -> Position | None:
    """Return the position that the player was looking at, None where that is left out."""
    text = one(request.form, "position")
    return None if text is None else parsed(Position.parse, text)


def update(old: Game, new: Game, notice: Notice | None = None) -> ResponseReturnValue:
    """Keep and show `new`: to htmx only what differs from `old`, if that was on the screen.

    Nothing remembers what was sent: the parts of `old` are made again to compare. The board may be
    the same where the settings, results or score are older: the stamp tells. What the status said
    is never known, as it may have been a notice.
    """
    if not on_screen(old) or one(request.form, "stamp") not in (None, stamp(old)):
        return redraw(new, notice)
    known = parts(old)
    del known["status"]
    return respond(new, notice, known)


def redraw(game: Game, notice: Notice | None = None) -> ResponseReturnValue:
    """Keep and show all of `game`, to a page that shows another."""
    return respond(game, notice, known={})


def respond(game: Game, notice: Notice | None, known: Mapping[str, Part]) -> ResponseReturnValue:
    """Keep `game`; send htmx the parts that are not `known`, and other browsers to the page."""
    keep(game)
    if "HX-Request" not in request.headers:
        # url_for leaves out what is None.
        return redirect(url_for("play.page", notice=notice, stamp=notice and stamp(game)), 303)
    shown = parts(game, notice).items()
    # Parts of two classes may share an id, and tuples of two classes may be equal.
    old = {name: (type(part), part) for name, part in known.items()}
    return "".join(draw(part for name, part in shown if (type(part), part) != old.get(name)))
