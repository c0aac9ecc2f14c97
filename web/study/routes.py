"""Study: a board and everything known about the board, in three views; trees; and the proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from engine.notation import parse_squares, parse_swapped
from engine.position import OTHER, Mark, O, Position, X
from teach.challenge import challenge
from teach.numbers import format_tree, names_tree
from teach.proof import reached, size
from web.http.addresses import takes
from web.http.files import allow_caching
from web.http.forms import get_choice, get_single, parse_or_refuse
from web.play.cookie import has_played, is_in_progress
from web.study.moves_view import moves_view
from web.study.own import RANDOM, ByLot, own_tree, tree_page
from web.study.place import Place, View, could_be_a_board, stand
from web.study.search_view import search_view
from web.study.searchable import CHOICES
from web.study.squares_view import squares_view
from web.view.previews import drawn_once
from web.view.squares import Cell

study = Blueprint("study", __name__)
study.after_request(allow_caching)


@study.after_request
def keep_crawlers_out(response: Response) -> Response:
    """Let previews of a page be shown, but no search engine follow its links without end."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


# What stands on a square that is set up, by its character; what a press may put there, - to erase.
MARKS: Mapping[str, Mark] = {"X": X, "O": O}
PENS = (*MARKS, "-")

# Boards from which to set up another: an opening, a fork to come, and three squares left.
BEGINNINGS = tuple(map(Position.parse, ("XO-------", "X---O---X", "OX--X-OOX")))

# By the name of a view: the function that returns template and values for a place.
TELLS: Mapping[View, Callable[[Place, MultiDict[str, str]], tuple[str, dict[str, Any]]]] = {
    "moves": moves_view,
    "squares": squares_view,
    "search": search_view,
}


# The query parameters of a board or a game, of its views, and of a tree at random.
BOARD = ("view", "at", "you", "difficulty", "game", "set_up", "lesson", "question")
SET_UP, MOVES, SQUARES = ("set", "pen"), ("answer",), ("line",)
SEARCH = (*CHOICES, "mirrors", "top", "depth", "step", "path", "settings")
SIZE = ByLot._fields

study.add_url_rule("/study/tree", "tree_page", tree_page)


@study.get("/study", defaults={"where": ""})
@study.get("/study/<where>")
@takes(*BOARD, *SET_UP, *MOVES, *SQUARES, *SEARCH, *SIZE)
def page(where: str) -> ResponseReturnValue:
    """Tell of a board or a tree in a view, or let a board be set up."""
    if where == RANDOM or names_tree(where):
        return page_of_numbers(where)
    if not where and (board := get_single(request.args, "set")) is not None:
        return set_up_page(board)
    place = for_reader(stand(where, request.args))
    no_more = place.over and place.view == "search"  # squares.html says so
    template, values = TELLS["squares" if no_more else place.view](place, request.args)
    on = place.you and is_in_progress(place.moves, place.you)
    return render_template(template, place=place, is_going_on=on, **values)


def for_reader(place: Place) -> Place:
    """Return the place as it is told to this reader: only who played the game is "you" there."""
    played = place.you and has_played(place.game or place.moves, place.you)
    return place if played else place._replace(you=None, difficulty=None)


def page_of_numbers(text: str) -> ResponseReturnValue:
    """Search a tree of one's own values; lead a tree spelt in another way to the one spelling."""
    place = own_tree(text, request.args)
    if text not in (RANDOM, format_tree(place.values)):
        return redirect(place.url(**request.args.to_dict()))
    template, values = search_view(place, request.args)
    return render_template(template, place=place, **values)


def set_up_page(board: str) -> str:
    """Draw nine squares that a press changes; say why no game gets to the board where none does.

    A press puts what `pen` says, and takes away what is that already.
    """
    if not could_be_a_board(board):
        abort(400, "set is nine characters, each X, O or -.")
    try:
        position, reason = Position.parse(board), ""
    except ValueError as error:
        position, reason = None, str(error)
    pen = get_choice(request.args, "pen", PENS) or PENS[0]
    return render_template(
        "study/set_up.html",
        board=board,
        pen=pen,
        cells=[
            Cell(
                square=n,
                mark=MARKS.get(mark),
                url=url_for(
                    "study.page",
                    set=board[:n] + (pen if mark != pen else "-") + board[n + 1 :],
                    pen=pen,
                ),
            )
            for n, mark in enumerate(board)
        ],
        beginnings=[challenge(begun) for begun in BEGINNINGS],
        position=position,
        reason=reason,
        instead=reason and parse_swapped(board),
    )


@study.get("/proof")
@takes("side", "at", "whole")
def map_page() -> str:
    """Draw the map of perfect play of a side, from the board after the moves `at` of the other.

    Two levels are read at once; `whole` draws all, as a poster.
    """
    mark = get_choice(request.args, "side", tuple(OTHER)) or X
    at = get_single(request.args, "at") or ""
    whole = get_choice(request.args, "whole", ("on",)) is not None
    return poster(mark) if whole and not at else draw_map(mark, at, 9 if whole else 2)


def draw_map(mark: Mark, at: str, levels: int) -> str:
    """Return the page with so many levels of the map of a side."""
    return render_template(
        "study/proof.html",
        mark=mark,
        at=at,
        here=parse_or_refuse(partial(reached, mark), parse_or_refuse(parse_squares, at)),
        levels=levels,
        size=size(mark),
    )


@drawn_once
def poster(mark: Mark) -> str:
    """Return the page with the whole map of a side, whose 404 KB take 50 ms to draw."""
    return draw_map(mark, "", 9)
