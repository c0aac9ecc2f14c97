"""The routes of the game: show it, apply a click and show what changed, and explain it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import get_args

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from engine.notation import parse_moves
from engine.position import OTHER, IllegalMoveError, Position, Square
from teach.challenge import linked_opening
from web.http.addresses import takes
from web.http.forms import get_choice, get_number, get_single, parse_or_refuse, require
from web.play.cookie import load, load_or_none, save, stamp
from web.play.game import Game, HintLevel, SharedResult
from web.play.opponents import OPPONENTS
from web.play.page import Page
from web.play.parts import render_parts
from web.play.squares import ALL_NINE
from web.play.why import why_page
from web.play.words import NOTICES, Notice
from web.today.days import load_days_up_to, time_left, today_for_player
from web.today.words import today_link
from web.view.previews import absolute_url

play = Blueprint("play", __name__)


@play.get("/")
@takes("stamp", "notice")
def page() -> str:
    """Show the game of this session."""
    game = load()
    # Without JavaScript, a click redirects here. If the game has changed since, so that the stamp
    # differs, the notice is out of date.
    notice, answers_click = get_known_notice(), request.args.get("stamp") == stamp(game)
    shown_page = page_of(game, notice if answers_click else None)
    parts = {name: Markup(html) for name, html in render_parts(shown_page).items()}
    return render_template("play/page.html", parts=parts, taken_notice=NOTICES["taken"])


@play.get("/why")
def why() -> ResponseReturnValue:
    """Show where a finished game turned, or otherwise why the opponent made its reply."""
    game = load()
    if not (game.outcome or game.has_moved):
        return redirect(url_for("play.page"))
    return render_template("play/why.html", **why_page(game, absolute_url("")))


@play.post("/move")
def move() -> ResponseReturnValue:
    """Play a square and the opponent's reply; a double click plays one move.

    With JavaScript, `board.js` drops a click while another is being sent. Without it, the second
    click names the same board as the first, so `check_board` calls it stale, and as its move has
    just been played, no notice is shown. If both carry the same cookie, the later response is kept.
    """
    square = require(get_number(request.form, "square", maximum=8), "square")
    position = require(get_position(), "position")
    game = load()
    if notice := check_board(game):
        return show_changes(game, game, None if game.has_just_played(position, square) else notice)
    try:
        return show_changes(game, game.play(square, rng()))
    except IllegalMoveError:
        return show_changes(game, game, "over" if game.outcome else "taken")


@play.post("/new")
def new() -> ResponseReturnValue:
    """Start a game after `moves`; `next_settings` gives the settings that the form leaves out.

    A form that only repeats the current settings starts no game, unless it has `fresh`. With a
    `square`, the moves are those of a friend's link.
    """
    game = load()
    opponent_name = get_choice(request.form, "difficulty", OPPONENTS)
    human = get_choice(request.form, "mark", OTHER)
    moves = parse_or_refuse(parse_moves, get_single(request.form, "moves") or "")
    if Position().after(moves).outcome():
        abort(400, "That game is already over.")
    if (square := get_number(request.form, "square", maximum=8)) is not None:
        return show_changes(game, accept_challenge(game, moves, square))
    changes_opponent = opponent_name not in (None, game.opponent_name)
    changes_settings = changes_opponent or human not in (None, game.human)
    must_restart = get_choice(request.form, "fresh", ("on",)) is not None
    if (opponent_name or human) and not (changes_settings or moves or must_restart):
        return show_changes(game, game, check_board(game))
    default_name, default_mark = game.next_settings(moves)
    next_game = game.start_next(opponent_name or default_name, human or default_mark, rng(), moves)
    return show_changes(game, next_game)


def accept_challenge(game: Game, moves: tuple[Square, ...], square: Square) -> Game:
    """Return the game that continues a friend's link; refuse moves that no link has."""
    if not moves or linked_opening(moves) != moves:
        abort(400, "No challenge starts there.")
    accept = partial(
        game.accept_challenge,
        moves,
        rng=rng(),
        friend_result=get_choice(request.form, "was", get_args(SharedResult)),
        friend_bits=get_number(request.form, "nine", ALL_NINE),
    )
    return parse_or_refuse(accept, square)


@play.post("/undo")
def undo() -> ResponseReturnValue:
    """Take back the human's last move; before the first, go back to the unfinished game."""
    game = load()
    if notice := check_board(game):
        return show_changes(game, game, notice)
    notice = "undone" if game.has_moved else "back"
    if game.undo_forfeits:
        notice = "forfeited"
    try:
        return show_changes(game, game.undo(), notice)
    except IllegalMoveError:
        return show_changes(game, game, "nothing")


@play.post("/hint")
def hint() -> ResponseReturnValue:
    """Show a hint for the next move, or hide it; once the game is over, change nothing."""
    game = load()
    level = require(get_choice(request.form, "hint", get_args(HintLevel)), "hint")
    if (notice := check_board(game)) or game.outcome:
        return show_changes(game, game, notice)
    return show_changes(game, game.with_hint(level))


def page_of(game: Game, notice: Notice | None = None) -> Page:
    """Return the page of a game, with the link to Today at its start, or the site at its end."""
    # What a page does not show is left out, so that equal pages are drawn only once.
    game_page = Page(game, notice, site=absolute_url("") if game.outcome else "")
    if not game.is_beginning:
        return game_page
    days = load_days_up_to(today_for_player())
    return replace(game_page, today_link=today_link(days, time_left()))


def get_known_notice() -> Notice | None:
    """Return the notice that the address names, or None if it names none that exists."""
    named_notice = request.args.get("notice")
    return next((notice for notice in NOTICES if notice == named_notice), None)


def rng() -> Random:
    """Return the source of every random choice."""
    source: Random = current_app.config["RNG"]
    return source


def check_board(game: Game) -> Notice | None:
    """Return a notice if the click came from a page with another board, otherwise None."""
    if get_position() in (None, game.position):
        return None
    # If the click came without a game, the browser must have refused the cookie.
    return "stale" if load_or_none() else "unkept"


def get_position() -> Position | None:
    """Return the position on which the click was made, or None if the form names none."""
    text = get_single(request.form, "position")
    return None if text is None else parse_or_refuse(parse_position, text)


parse_position = cache(Position.parse)


def show_changes(old: Game, new: Game, notice: Notice | None = None) -> ResponseReturnValue:
    """Save `new`, and send htmx the parts of its page that differ from those of `old`.

    A page that showed another game than `old`, according to its stamp, gets all parts. The status
    is always sent, because the page may still show a notice, which is not part of a game. Without
    htmx, the response redirects to the whole page.
    """
    showed_old = not check_board(old) and get_single(request.form, "stamp") in (None, stamp(old))
    save(new)
    if "HX-Request" not in request.headers:
        stamp_arg = stamp(new) if notice or new.outcome else None  # url_for leaves None out
        return redirect(url_for("play.page", notice=notice, stamp=stamp_arg), 303)
    shown_parts = {**render_parts(page_of(old)), "status": ""} if showed_old else {}
    parts = render_parts(page_of(new, notice))
    return "".join(html for name, html in parts.items() if html != shown_parts.get(name))
