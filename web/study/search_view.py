"""The search of a board, step by step; above four empty squares, what it costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from flask import abort
from werkzeug.datastructures import MultiDict

from engine.position import Square
from engine.search import best_moves
from teach.counts import cost, count
from teach.drawing import drawn_as_map, drawn_wide
from teach.pictures import PICTURES
from teach.searches import ALGORITHMS, BACK, Run, code, run
from teach.trees import MOST_EMPTY, ORDERS, SCORINGS, Order, Scoring, is_small, tree
from teach.watch import Prediction, brought, counterpart, judge_answer, prediction, presses, shown
from web.site.forms import chosen, one, up_to
from web.study.place import Place

USUAL = {"algorithm": "minimax", "scoring": "depth", "order": "squares"}
MAP_ROW = 16  # px: what is left on a phone for five rows above the board


def search_view(place: Place, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template that draws the search of a board, and its values."""
    algorithm = chosen(args, "algorithm", ALGORITHMS) or ALGORITHMS[0]
    scoring = chosen(args, "scoring", SCORINGS) or SCORINGS[0]
    order = chosen(args, "order", ORDERS) or ORDERS[0]
    speed, predict = chosen(args, "speed", ("slow", "fast")), chosen(args, "predict", ("on",))
    if not is_small(place.position):
        return "study/counts.html", counted(place, scoring)
    search = run(tree(place.position, scoring, order), algorithm)
    step = up_to(args, "step", len(search.steps), 0)
    question = prediction(search, step) if predict else None
    answer = read_answer(question, args)
    judged = judge_answer(search, question, answer) if question and answer != "show" else None
    told = False
    if judged == "right" or answer == "show":
        # Whoever has answered is told first what happened, and asked again at the next press.
        step, question = step + 1, None
        told = prediction(search, step) is not None
    to = addresses(
        place, algorithm=algorithm, scoring=scoring, order=order, speed=speed, predict=predict
    )
    return "study/search.html", {
        "settings_open": chosen(args, "settings", ("open",)),
        "code": code(algorithm),
        "to": to,
        "speed": speed,
        "predict": predict,
        "question": question,
        "answer": answer,
        "judged": judged,
        "brought": brought(search, answer or "") if judged in ("lower", "later") else None,
        "next": step if told else step + 1 if step < len(search.steps) else None,
        **watched(search, step, to),
        "scoring": scoring,
        "order": order,
        **compared(search, step, scoring, order),
    }


def read_answer(question: Prediction | None, args: MultiDict[str, str]) -> str | None:
    """Return the answer to a question, `show` to be told; refuse any other, and one to none."""
    if question:
        return chosen(args, "answer", (*question.answers, "show"))
    if one(args, "answer") is not None:
        abort(400, "Nothing is asked at this step, so there is no answer.")
    return None


def addresses(place: Place, **settings: object) -> Callable[..., str]:
    """Return what makes the addresses of a search: of a step, with changes to the settings."""

    @cache  # a page has some 40 links, all but 14 alike
    def before_step(**changes: object) -> str:
        asked = settings | changes
        unusual = {name: asked[name] for name in asked if asked[name] != USUAL.get(name)}
        return place.url(**unusual)

    def to(step: int | None = None, **changes: object) -> str:
        return before_step(**changes) + (f"&step={step}" if step else "")

    return to


def watched(search: Run, step: int, to: Callable[..., str]) -> dict[str, Any]:
    """Return what there is to see of a search after a step, and where each press leads."""
    seen = shown(search, step)
    scene, last = seen.scene, seen.last
    path, _, query = to().partition("?")
    return {
        "run": search,
        "shown": seen,
        "map": drawn_as_map(scene, MAP_ROW),
        "wide": drawn_wide(scene),
        "here": scene.root.at(scene.here),
        "above": scene.root.at(scene.here[:-1]) if scene.here else None,
        "urls": {path: to(step=number) for path, number in presses(search, step).items()},
        "lit": last.path[:-1] if last and last.kind == "cut" else None,
        "tried": scene.winner(last.value) if last and last.kind in BACK else "D",
        "form": {"path": path, "fields": parse_qsl(query)},
    }


def compared(search: Run, step: int, scoring: Scoring, order: Order) -> dict[str, Any]:
    """Return how many boards each algorithm enters, and where to look on by the other."""
    (other,) = (name for name in ALGORITHMS if name != search.algorithm)
    position = search.root.position
    return {
        "other": other,
        "there": counterpart(search, step, run(search.root, other)),
        "total": {name: count(position, name, scoring, order) for name in ALGORITHMS},
    }


def counted(place: Place, scoring: Scoring) -> dict[str, Any]:
    """Return what a search costs that is too long to watch, and the ways to others."""
    moves: list[Square] = []
    nearest = place.position
    while not is_small(nearest):
        moves.append(best_moves(nearest)[0])
        nearest = nearest.play(moves[-1])
    return {
        "most_empty": MOST_EMPTY,
        "nearest": None if nearest.outcome() else place.press(*moves),
        "cost": cost(place.position, scoring),
        "pictures": PICTURES,
    }
