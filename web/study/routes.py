"""The learner's pages: each a pure function of its URL, so that it can be shared and cached."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple

from flask import Blueprint, Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from engine.notation import replay, swapped
from engine.position import O, Position, Square, X
from engine.reasons import Preference, alternatives, draws_by_risk, preference, why
from engine.results import results
from engine.review import Reviewed, review, turning_point
from engine.search import analyse, best_moves, score
from teach.counts import cost
from teach.pictures import WAITED, pictures, prices
from teach.proof import line, proof
from teach.rules import picks
from teach.searches import ALGORITHMS, MOST_EMPTY, ORDERS, SCORINGS, Scoring, is_small, run
from teach.trees import tree
from teach.watch import brought, judge_answer, prediction, shown
from web.site.forms import chosen, number, one, parsed, required
from web.study.place import Place, keep_the_game, stand

study = Blueprint("study", __name__)
study.url_defaults(keep_the_game)

VIEWS = ("merged", "all")


@study.get("/why/<moves>")
def why_page(moves: str) -> str:
    """Say why the last of the moves was played, in a game that may go on after it.

    In place of moves it takes a position, and says why perfect play moves there as it does.
    """
    if set(moves) & set("XO-"):
        position = read(moves, "moves")
        if position.outcome():
            abort(400, "The game is over: there is no move to explain.")
        square = best_moves(position)[0]
        place, played = stand(position), False
    else:
        *earlier, square = parsed(replay, moves)
        position, played = Position().after(earlier), True
        place = stand(position, moves)
    return render_template(
        "study/why.html",
        place=place,
        played=played,
        why=why(position, square),
        scores=analyse(position),
        alternatives=alternatives(position, square),
        preference=preference(position),
        cost=cost(position, "flat"),
    )


@study.get("/review/<moves>")
def review_page(moves: str) -> str:
    """Judge every move of a game, and let its mistakes be mended."""
    game = parsed(replay, moves)
    reviewed = review(game)
    turned = turning_point(reviewed)
    mistakes = {str(ply): move for ply, move in enumerate(reviewed) if move.is_mistake}
    at, answer = one(request.args, "at"), one(request.args, "answer")
    if at or answer:
        if at not in mistakes:
            abort(400, "at names no move of this game that was a mistake.")
        if answer not in ("show", *map(str, mistakes[at].position.legal_moves())):
            abort(400, "answer is show or an empty square, a digit from 0 to 8.")
    # Of a review itself: the move being answered, else where the game turned, else its end.
    usual = int(at) if at else reviewed.index(turned) if turned else len(game) - 1
    shown = number(request.args, "move", len(game)) or usual + 1
    return render_template(
        "study/review.html",
        place=stand(reviewed[shown - 1].position, moves),
        reviewed=reviewed,
        outcome=Position().after(game).outcome(),
        turning_point=turned,
        attempts={
            int(ply): attempt(move, answer if ply == at else None) for ply, move in mistakes.items()
        },
        moves=moves,
    )


class Attempt(NamedTuple):
    """Say how it went to find a better move, and how to mark the squares.

    An answer is right that scores highest; the `best` are those that perfect play chooses among,
    by its `preference`. There is no verdict before an answer, and nothing is right before it is
    found or shown.
    """

    verdict: Literal["shown", "right", "as good", "better", "no better"] | None
    tried: Square | None
    right: tuple[Square, ...]
    wrong: tuple[Square, ...]
    best: tuple[Square, ...] = ()
    preference: Preference | None = None


def attempt(move: Reviewed, answer: str | None) -> Attempt:
    """Judge an answer, a square or `show`, to the question what was better than `move`."""
    scores, best = analyse(move.position), best_moves(move.position)
    right = tuple(square for square in scores if scores[square] == move.before)
    wrong = tuple(square for square in scores if square not in right)
    solved = Attempt("shown", None, right, wrong, best, preference(move.position))
    if answer is None:
        return Attempt(None, None, (), (move.square,))
    if answer == "show":
        return solved
    tried = int(answer)
    if tried in right:
        return solved._replace(verdict="right" if tried in best else "as good", tried=tried)
    better = scores[tried] > move.after
    return Attempt("better" if better else "no better", tried, (), (move.square, tried))


def read(board: str, name: str = "board") -> Position:
    """Read a position; refuse what is none, and offer the marks swapped where that is one."""
    try:
        return parsed(Position.parse, board)
    except BadRequest:
        if instead := swapped(board):
            asked: dict[str, Any] = {name: str(instead)}
            g.instead = url_for(request.endpoint or "", **asked)
        raise


@study.get("/position")
def find_position() -> ResponseReturnValue:
    """Go to the position that a form has asked for."""
    board = read(required(one(request.args, "board"), "board").upper())
    return redirect(url_for("study.position_page", board=board))


@study.get("/position/<board>")
def position_page(board: str) -> str:
    """Show what each move in a position leads to."""
    position = read(board)
    return render_template(
        "study/position.html",
        place=stand(position),
        position=position,
        results=results(position),
        draws=draws_by_risk(position),
        best=best_moves(position),
        preference=preference(position),
        score=score(position),
    )


@study.get("/tree/<board>")
def tree_page(board: str) -> str:
    """Draw the tree below a position, whole if it is small, else two levels of it."""
    position = read(board)
    view = chosen(request.args, "view", VIEWS) or VIEWS[0]
    scoring = chosen(request.args, "scoring", SCORINGS) or SCORINGS[0]
    return render_template(
        "study/tree.html",
        place=stand(position),
        position=position,
        view=view,
        scoring=scoring,
        whole=is_small(position),
        root=tree(position, view == "merged", scoring),
        picks=picks(position),
        best=best_moves(position),
        preference=preference(position),
        score=score(position),
        cost=cost(position, scoring),
    )


@study.get("/run/<board>")
def run_page(board: str) -> str:
    """Show a search of a position after so many steps, and ask what comes next if predicting."""
    position = read(board)
    algorithm = chosen(request.args, "algorithm", ALGORITHMS) or ALGORITHMS[0]
    scoring = chosen(request.args, "scoring", SCORINGS) or SCORINGS[0]
    order = chosen(request.args, "order", ORDERS) or ORDERS[0]
    predict = chosen(request.args, "predict", ("on",))
    place = stand(position)
    if place.over or not is_small(position):
        return _counted(place, scoring)
    searched = run(position, algorithm, scoring, order)
    step = number(request.args, "step", len(searched.steps)) or 0
    asked = prediction(searched, step) if predict else None
    if not asked and "answer" in request.args:
        abort(400, "Nothing is asked at this step, so there is no answer.")
    answer = chosen(request.args, "answer", asked.answers if asked else ())
    verdict = judge_answer(searched, asked, answer) if asked else None
    if verdict == "right":
        step += 1
        asked = prediction(searched, step)
    return render_template(
        "study/run.html",
        place=place,
        position=position,
        run=searched,
        predict=predict,
        question=asked,
        answer=answer,
        verdict=verdict,
        brought=brought(searched, answer) if verdict in ("lower", "later") and answer else None,
        **shown(searched, step)._asdict(),
    )


def _counted(place: Place, scoring: Scoring) -> str:
    """Say why a search cannot be watched, what it costs, and which searches below it can."""
    position = nearest = place.position
    while not is_small(nearest):
        nearest = nearest.play(best_moves(nearest)[0])
    return render_template(
        "study/counts.html",
        place=place,
        position=position,
        most_empty=MOST_EMPTY,
        nearest=None if nearest.outcome() else nearest,
        root=tree(position, merged=True, scoring=scoring),
        cost=cost(position, scoring),
        pictures=() if position.ply else pictures(),
        prices=prices(),
        waited=WAITED,
    )


@study.get("/proof")
@cache
def proof_page() -> str:
    """Print a complete strategy for each side; drawn once, as it takes 40 ms and never changes."""
    worked = proof(X)
    return render_template(
        "study/proof.html",
        proofs=[proof(O), worked],
        worked=worked,
        line=line(worked, worked.chapters[-1].opening),
    )


@study.after_request
def allow_caching(response: Response) -> Response:
    """Let anyone keep an answer for an hour: nothing but the URL and the program decides it."""
    if response.status_code == 200:
        response.headers["Cache-Control"] = "public, max-age=3600"
    return response
