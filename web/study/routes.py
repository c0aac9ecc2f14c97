"""Study: three views of a board, the page that sets one up, trees of numbers, and the proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from engine.notation import parse_squares, parse_swapped
from engine.position import OTHER, Mark, O, Position, Square, X
from teach.challenge import challenge
from teach.numbers import format_tree, is_tree_text
from teach.proof import board_after, map_size
from web.http.addresses import takes
from web.http.files import allow_caching
from web.http.forms import get_choice, get_single, parse_or_refuse
from web.play.cookie import has_played, is_in_progress
from web.study import words
from web.study.moves_view import moves_view
from web.study.own import RANDOM, RandomTreeSpec, parse_own_tree, tree_set_up_page
from web.study.place import Place, View, is_board_text, parse_place
from web.study.search_view import search_view
from web.study.searchable import CHOICES
from web.study.squares_view import squares_view
from web.view import mistakes
from web.view.previews import cache_page
from web.view.squares import Cell

study = Blueprint("study", __name__)
study.after_request(allow_caching)


@study.after_request
def keep_crawlers_out(response: Response) -> Response:
    """Keep search engines out, which could follow the links forever; previews are allowed."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


MARKS: Mapping[str, Mark] = {"X": X, "O": O}  # by their characters in a board
PENS = (*MARKS, "-")  # what a click can put on a square of a board that is being set up

# Boards to start from: an opening, a board before a fork, and one with three squares left.
EXAMPLE_BOARDS = tuple(map(Position.parse, ("XO-------", "X---O---X", "OX--X-OOX")))

# Each returns the template of a view, and its values.
ViewFunction = Callable[[Place, MultiDict[str, str]], tuple[str, dict[str, Any]]]
VIEW_FUNCTIONS: Mapping[View, ViewFunction] = {
    "moves": moves_view,
    "squares": squares_view,
    "search": search_view,
}


# The query parameters of a board or a game, of its views, and of a random tree.
BOARD_ARGS = ("view", "at", "you", "difficulty", "game", "set_up", "lesson", "question")
SET_UP_ARGS, MOVES_ARGS, SQUARES_ARGS = ("set", "pen"), ("answer",), ("line",)
SEARCH_ARGS = (*CHOICES, "mirrors", "top", "depth", "step", "path", "settings")
RANDOM_ARGS = RandomTreeSpec._fields

study.add_url_rule("/study/tree", "tree_set_up_page", tree_set_up_page)


@study.get("/study", defaults={"where": ""})
@study.get("/study/<where>")
@takes(*BOARD_ARGS, *SET_UP_ARGS, *MOVES_ARGS, *SQUARES_ARGS, *SEARCH_ARGS, *RANDOM_ARGS)
def page(where: str) -> ResponseReturnValue:
    """Show a board or a tree in a view, or the page that sets up a board."""
    if where == RANDOM or is_tree_text(where):
        return own_tree_page(where)
    if not where and (board := get_single(request.args, "set")) is not None:
        return set_up_page(board)
    place = for_reader(parse_place(where, request.args))
    # If the game is over, there is nothing to search: squares.html says so.
    view = "squares" if place.is_over and place.view == "search" else place.view
    template, values = VIEW_FUNCTIONS[view](place, request.args)
    return render_template(
        template,
        place=place,
        is_going_on=place.you and is_in_progress(place.moves, place.you),
        sentences=words,
        mistakes=mistakes,
        **values,
    )


def for_reader(place: Place) -> Place:
    """Return the place for this reader, who is "you" only if this session played the game."""
    is_player = place.you and has_played(place.reader_game or place.moves, place.you)
    return place if is_player else place._replace(you=None, opponent_name=None)


def own_tree_page(text: str) -> ResponseReturnValue:
    """Show the search of the reader's own tree; another spelling redirects to the usual one."""
    tree = parse_own_tree(text, request.args)
    if text not in (RANDOM, format_tree(tree.values)):
        return redirect(tree.url(**request.args.to_dict()))
    template, values = search_view(tree, request.args)
    return render_template(template, place=tree, **values)


def set_up_page(board: str) -> str:
    """Show the board that is being set up; if no game leads to it, show the reason.

    A click on a square puts the mark of `pen` there, or removes it if it is there already.
    """
    if not is_board_text(board):
        abort(400, "set must be nine characters, each X, O or -.")
    try:
        position, reason = Position.parse(board), ""
    except ValueError as error:
        position, reason = None, str(error)
    pen = get_choice(request.args, "pen", PENS) or PENS[0]
    return render_template(
        "study/set_up.html",
        board=board,
        pen=pen,
        cells=[_set_up_cell(board, square, pen) for square in range(9)],
        examples=[challenge(position) for position in EXAMPLE_BOARDS],
        position=position,
        reason=reason,
        swapped_position=reason and parse_swapped(board),
    )


def _set_up_cell(board: str, square: Square, pen: str) -> Cell:
    """Return a square of the board that is being set up, with the address that a click leads to."""
    character = "-" if board[square] == pen else pen
    changed_board = board[:square] + character + board[square + 1 :]
    return Cell(
        square=square,
        mark=MARKS.get(board[square]),
        url=url_for("study.page", set=changed_board, pen=pen),
    )


ALL_LEVELS = 9  # more than the map of perfect play has


@study.get("/proof")
@takes("side", "at", "whole")
def map_page() -> str:
    """Show the map of perfect play for a side, from the board after the other side's moves `at`.

    It has two levels, or with `whole` all of them. The whole map from the start is a poster.
    """
    mark = get_choice(request.args, "side", tuple(OTHER)) or X
    replies = get_single(request.args, "at") or ""
    is_whole = get_choice(request.args, "whole", ("on",)) is not None
    if is_whole and not replies:
        return poster(mark)
    return render_map(mark, replies, ALL_LEVELS if is_whole else 2)


def render_map(mark: Mark, replies: str, level_count: int) -> str:
    """Return the page with a number of levels of the map, after some moves of the other side."""
    squares = parse_or_refuse(parse_squares, replies)
    return render_template(
        "study/proof.html",
        mark=mark,
        replies=replies,
        map_board=parse_or_refuse(partial(board_after, mark), squares),
        level_count=level_count,
        size=map_size(mark),
    )


@cache_page
def poster(mark: Mark) -> str:
    """Return the page with the whole map. It is cached, as its 404 KB take 50 ms to draw."""
    return render_map(mark, "", ALL_LEVELS)
