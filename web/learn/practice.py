"""Practice: positions to solve, a round of ten at a time."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.position import Position
from engine.reasons import why
from engine.results import results, variation_after
from engine.search import score
from engine.symmetry import SYMMETRIES, canonical, image
from teach.practice import Hardness, keepers, to_practise
from web.site.forms import chosen, number, one, parsed


def add_practice(learn: Blueprint) -> None:
    """Add the pages of practice to those of the lesson."""
    learn.add_url_rule("/practise", view_func=next_practice)
    learn.add_url_rule("/practise/<board>", view_func=practice_page)


ROUND: tuple[Hardness, ...] = (
    *("completes",) * 3, *("blocks",) * 3, *("forks",) * 2, *("quiet",) * 2,
)  # fmt: skip


def next_practice() -> ResponseReturnValue:
    """Go to a position to practise, of those as hard as the place in the round of ten asks for."""
    at = number(request.args, "at", len(ROUND)) or 0
    right = number(request.args, "right", at) or 0
    if at == len(ROUND):
        return render_template("learn/practised.html", right=right, of=len(ROUND))
    before = one(request.args, "after")
    last = None if before is None else canonical(parsed(Position.parse, before))
    level = [position for position in to_practise()[ROUND[at]] if position != last]
    rng = current_app.config["RNG"]
    shown = image(rng.choice(level), rng.choice(tuple(SYMMETRIES)))
    return redirect(url_for(".practice_page", board=shown, at=at or None, right=right or None))


def practice_page(board: str) -> str:
    """Ask for a move that keeps a win or a draw, and judge the square that was tried."""
    position = parsed(Position.parse, board)
    kept = keepers(position)
    if not kept:
        abort(400, "No move here keeps a win or a draw that another gives away.")
    at = number(request.args, "at", len(ROUND) - 1) or 0
    right = number(request.args, "right", at) or 0
    answer = chosen(request.args, "answer", (*map(str, position.legal_moves()), "show"))
    missed = chosen(request.args, "missed", ("on",)) is not None
    tried = kept[0] if answer in (None, "show") else int(answer)
    verdict = answer and ("shown" if answer == "show" else "right" if tried in kept else "wrong")
    return render_template(
        "learn/practise.html",
        position=position,
        at=at,
        right=right,
        of=len(ROUND),
        missed=missed,
        found=right + (verdict == "right" and not missed),
        verdict=verdict,
        keepers=kept,
        wins=score(position) > 0,
        results=results(position),
        line=variation_after(position, tried),
        why=why(position, tried),
    )
