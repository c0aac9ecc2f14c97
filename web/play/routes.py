"""The routes of the game: read the click, update the game, show what changed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import get_args

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from engine.notation import parse_moves
from engine.position import OTHER, IllegalMoveError, Position
from teach.challenge import link
from web.http.addresses import takes
from web.http.forms import get_choice, get_number, get_single, parse_or_refuse, require
from web.play.cookie import load, load_or_none, save, stamp
from web.play.game import FriendResult, Game, HintLevel
from web.play.opponents import OPPONENTS
from web.play.page import Page
from web.play.parts import parts
from web.play.squares import NINE
from web.play.why import why_page
from web.play.words import NOTICES, Notice
from web.today.days import attempt_on, today_for_player
from web.today.words import door
from web.view.previews import whole

play = Blueprint("play", __name__)


@play.get("/")
@takes("stamp", "notice")
def page() -> str:
    """Show the game of this session."""
    game = load()
    answers = request.args.get("stamp") == stamp(game)  # a press on this very game, without script
    given = request.args.get("notice")
    notice = next((notice for notice in NOTICES if answers and notice == given), None)
    drawn = parts(page_of(game, notice))
    part = {name: Markup(html) for name, html in drawn.items()}
    return render_template("play/page.html", part=part, taken=NOTICES["taken"])


@play.get("/why")
def why() -> ResponseReturnValue:
    """Show where a game that is over turned, else why the opponent replied so."""
    game = load()
    if not (game.outcome or game.has_moved):
        return redirect(url_for("play.page"))
    return render_template("play/why.html", **why_page(game, whole("")))


@play.post("/move")
def move() -> ResponseReturnValue:
    """Play a square, and let the opponent reply; a double click plays one move.

    With script, `board.js` drops a press while another is on its way. Without, the second names the
    board of the first, which `why_behind` finds outdated; with the same cookie the last one counts.
    """
    square = require(get_number(request.form, "square", most=8), "square")
    position = require(position_clicked(), "position")
    game = load()
    if behind := why_behind(game):
        return show_changes(game, game, None if game.has_just_played(position, square) else behind)
    try:
        return show_changes(game, game.play(square, rng()))
    except IllegalMoveError:
        return show_changes(game, game, "over" if game.outcome else "taken")


@play.post("/new")
def new() -> ResponseReturnValue:
    """Start a game after `moves`; a setting left out is that of `who_plays_next`.

    A form that repeats the settings in force starts no game. A `square` goes on from a friend's
    link.
    """
    game = load()
    opponent = get_choice(request.form, "difficulty", OPPONENTS)
    human = get_choice(request.form, "mark", OTHER)
    moves = parse_or_refuse(parse_moves, get_single(request.form, "moves") or "")
    if Position().after(moves).outcome():
        abort(400, "No game goes on from there: it is over.")
    if (square := get_number(request.form, "square", most=8)) is not None:
        if not moves or link(moves) != moves:
            abort(400, "No link leads there.")
        was = get_choice(request.form, "was", get_args(FriendResult))
        nine = get_number(request.form, "nine", NINE)
        accept = partial(
            game.accept_challenge, moves, rng=rng(), friend_result=was, friend_squares=nine or 0
        )
        return show_changes(game, parse_or_refuse(accept, square))
    changed = opponent not in (None, game.opponent_name) or human not in (None, game.human)
    fresh = get_choice(request.form, "fresh", ("on",))
    if (opponent or human) and not (changed or moves or fresh):
        return show_changes(game, game, why_behind(game))
    usual, mark = game.next_settings(moves)
    return show_changes(game, game.start_next(opponent or usual, human or mark, rng(), moves))


@play.post("/undo")
def undo() -> ResponseReturnValue:
    """Take back the human's last move and the reply; before any, go back to the game left."""
    game = load()
    if behind := why_behind(game):
        return show_changes(game, game, behind)
    try:
        return show_changes(game, game.undo(), "undone" if game.has_moved else "back")
    except IllegalMoveError:
        return show_changes(game, game, "nothing")


@play.post("/hint")
def hint() -> ResponseReturnValue:
    """Show a hint for this move, or take it away."""
    game = load()
    step = require(get_choice(request.form, "hint", get_args(HintLevel)), "hint")
    if (behind := why_behind(game)) or game.outcome:
        return show_changes(game, game, behind)
    return show_changes(game, game.with_hint(step))


def page_of(game: Game, notice: Notice | None = None) -> Page:
    """Return the page of `game` for this reader."""
    page = Page(game, notice, site=whole("") if game.outcome else "")
    if not game.is_beginning:
        return page
    return replace(page, door=door(attempt_on(today_for_player())))


def rng() -> Random:
    """Return the source of every random choice."""
    source: Random = current_app.config["RNG"]
    return source


def why_behind(game: Game) -> Notice | None:
    """Return why the page clicked on showed another board than `game`; None if it sent no other."""
    if position_clicked() in (None, game.position):
        return None
    return "stale" if load_or_none() else "unkept"


def position_clicked() -> Position | None:
    """Return the position that the page clicked on showed, None where left out."""
    text = get_single(request.form, "position")
    return None if text is None else parse_or_refuse(position_of, text)


position_of = cache(Position.parse)


def show_changes(old: Game, new: Game, notice: Notice | None = None) -> ResponseReturnValue:
    """Keep and show `new`: to htmx only the parts that differ from those of `old`.

    A page that showed another game, as its stamp tells, gets all parts. The status is always sent:
    the page may still show a notice, which no game remembers.
    """
    is_known = not why_behind(old) and get_single(request.form, "stamp") in (None, stamp(old))
    save(new)
    if "HX-Request" not in request.headers:
        shown = stamp(new) if notice or new.outcome else None  # url_for leaves None out
        return redirect(url_for("play.page", notice=notice, stamp=shown), 303)
    known = {**parts(page_of(old)), "status": ""} if is_known else {}
    now = parts(page_of(new, notice))
    return "".join(html for name, html in now.items() if html != known.get(name))
