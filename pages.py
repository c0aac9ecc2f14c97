"""The learner's pages: each a pure function of its URL, so that it can be shared and cached."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request

from engine.explain import alternatives, results, review, turning_point, why
from engine.players import PLAYERS
from engine.position import OTHER, O, Position, X, digits, replay
from engine.proof import proof
from engine.search import analyse, best_moves, score
from engine.tree import SCORINGS, VIEWS, cards, choices, cost, follow
from reading import chosen, one, parsed

pages = Blueprint("pages", __name__)


@pages.get("/why/<moves>")
def why_page(moves: str) -> str:
    """Say why the last of the moves was played."""
    *earlier, square = parsed(replay, moves)
    position = Position.after(earlier)
    return render_template(
        "why.html",
        why=why(position, square),
        scores=analyse(position),
        alternatives=alternatives(position),
        cost=cost(position, "flat"),
        moves=moves,
        you=chosen(request.args, "you", OTHER),
        difficulty=chosen(request.args, "difficulty", PLAYERS),
    )


@pages.get("/review/<moves>")
def review_page(moves: str) -> str:
    """Judge every move of a game."""
    game = parsed(replay, moves)
    reviewed = review(game)
    at, answer = one(request.args, "at"), one(request.args, "answer")
    mistakes = {str(ply): move.position for ply, move in enumerate(reviewed) if move.is_mistake}
    if at or answer:
        if at not in mistakes:
            abort(400, "at names no move of this game that was a mistake.")
        if answer not in ("show", *map(str, mistakes[at].legal_moves())):
            abort(400, "answer is show or an empty square, a digit from 0 to 8.")
    return render_template(
        "review.html",
        reviewed=reviewed,
        outcome=Position.after(game).outcome(),
        turning_point=turning_point(reviewed),
        moves=moves,
        you=chosen(request.args, "you", OTHER),
        at=int(at) if at else None,
        answer=int(answer) if answer and answer.isdigit() else answer,
    )


@pages.get("/position/<board>")
def position_page(board: str) -> str:
    """Show what each move in a position leads to."""
    position = parsed(Position.parse, board)
    return render_template(
        "position.html",
        position=position,
        results=results(position),
        best=best_moves(position),
        score=score(position),
    )


@pages.get("/tree/<board>")
def tree_page(board: str) -> str:
    """Show the node at a path below a position, with its children."""
    root = parsed(Position.parse, board)
    view = chosen(request.args, "view", VIEWS) or VIEWS[0]
    scoring = chosen(request.args, "scoring", SCORINGS) or SCORINGS[0]
    path = parsed(digits, one(request.args, "path") or "")
    position = parsed(lambda path: follow(root, path), path)
    crumbs = [(path[:n], follow(root, path[:n])) for n in range(len(path) + 1)]
    return render_template(
        "tree.html",
        root=root,
        view=view,
        scoring=scoring,
        path=path,
        position=position,
        crumbs=crumbs,
        cards=cards(root, path, view, scoring),
        choices=choices(position),
        cost=cost(position, scoring),
    )


@pages.get("/proof")
def proof_page() -> str:
    """Print a complete strategy for each side."""
    return render_template("proof.html", proofs=[proof(O), proof(X)])


@pages.after_request
def allow_caching(response: Response) -> Response:
    """Let anyone keep an answer for an hour: nothing but the URL and the program decides it."""
    if response.status_code == 200:
        response.headers["Cache-Control"] = "public, max-age=3600"
    return response
