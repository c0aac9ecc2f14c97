"""The lesson: the questions, and what its page shows of the answers."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from typing import Any

from flask import Blueprint, current_app, render_template, request
from markupsafe import Markup

from engine.position import Position, X
from engine.reasons import allows, why
from engine.results import result, variation_after
from engine.search import analyse, best_moves, score
from teach.counts import cost
from teach.lesson import Judged, average, judge, listings, questions
from teach.pictures import WAITED, prices
from teach.rules import picks
from teach.searches import Cut, Enter, Path, run
from web.learn.practice import add_practice
from web.site.forms import parsed
from web.study.routes import allow_caching

learn = Blueprint("learn", __name__)
learn.after_request(allow_caching)
add_practice(learn)

# The sections by id, and the questions in each.
SECTIONS = {
    "ends": ("ends",),
    "chooser": ("who", "fill"),
    "holds": ("only", "fork"),
    "odds": ("odds",),
    "later": ("flat", "lost"),
    "code": ("sign",),
    "long": ("again", "mirror"),
    "skip": ("cut", "never"),
}


@learn.get("/learn")
def lesson_page() -> str:
    """Ask the questions of the lesson and judge the answers in the address."""
    asked = questions()
    judged = {
        name: parsed(partial(judge, question), tuple(request.args.getlist(name)))
        for name, question in asked.items()
    }
    return render_template(
        "learn/lesson.html",
        sections=SECTIONS,
        questions=asked,
        judged=judged,
        drawn=drawn,
        others=lambda name: {n: it.given for n, it in judged.items() if n != name and it.given},
        **facts(),
    )


def drawn(name: str, judged: Judged) -> Markup:
    """Return the tree of a question as it stands after an answer."""
    return _drawn(name, judged.verdict in ("right", "shown"), judged.given, judged.at)


@lru_cache(maxsize=128)
def _drawn(name: str, solved: bool, given: tuple[str, ...], wrong: Path | None) -> Markup:
    """Draw a tree, once for each way it can look: all on the page, 200 nodes, take 20 ms."""
    macros = current_app.jinja_env.get_template("learn/_question.html").module
    return Markup(macros.drawn(name, questions()[name], solved, given, wrong))  # type: ignore[attr-defined]


@cache
def facts() -> dict[str, Any]:
    """Return what the sections tell of their boards beside the answers."""
    asked = questions()
    tops = {
        name: [int(child.value or 0) for child in question.after.below]
        for name, question in asked.items()
    }
    steps = run(asked["cut"].position, "alpha-beta", "depth", "squares").steps
    odds, fatal, order = asked["odds"], asked["lost"], Position.parse("XOXOOX---")
    return {
        "values": {
            name: {node.path: node.value for node in question.after.walk()}
            for name, question in asked.items()
        },
        "costs": {name: cost(question.position, "depth") for name, question in asked.items()},
        "ends": analyse(asked["ends"].position),
        "why": {
            name: why(asked[name].position, int(asked[name].right[0])) for name in ("only", "fork")
        },
        "averages": {
            option: average(odds.position.play(int(option)), odds.position.turn)
            for option in odds.options
        },
        "picks": picks(fatal.position),
        "listings": listings(),
        "order": order,
        "ordered": cost(order, "depth"),
        "prices": prices(),
        "waited": WAITED,
        "empty": result(score(Position()), X),
        "tops": tops,
        "best": {name: best_moves(asked[name].position)[0] for name in ("who", "fill")},
        "first_back": next(step.best for step in steps if isinstance(step, Cut)),
        "merged": sum(1 for _ in asked["mirror"].after.walk()),
        "allows": allows,
        "variation_after": variation_after,
        "first_met": first_met,
        "decided": decided,
    }


def first_met(path: Path) -> Path:
    """Return the first node of the question `again` with the same board as the one at `path`."""
    question = questions()["again"]
    root = question.position
    return next(other for other in question.paths if root.after(other) == root.after(path))


def decided(path: Path) -> Enter | Cut:
    """Return the step that decides on a node of the question `never`: it is entered, or cut."""
    steps = run(questions()["never"].position, "alpha-beta", "depth", "squares").steps
    return next(
        step
        for step in steps
        if (isinstance(step, Enter) and step.path == path)
        or (isinstance(step, Cut) and path[:-1] == step.path and path[-1] in step.rest)
    )
