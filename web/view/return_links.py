"""Which screens of the lesson are done, and ways out of it and of practice, and back.

The page left is what an address carries.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import parse_qsl

from flask import abort, session, url_for
from werkzeug.datastructures import MultiDict

from teach.lesson.screen import WORDS, State
from teach.lesson.screens import FIRST, LAST, screen
from web.http.forms import get_single, parse_or_refuse

MAX_QUESTION_LENGTH = 600  # characters, as of a tree; each link of a page repeats them

# A question of practice: its kind, a board, and the round with the presses.
QUESTION = re.compile(
    r"(moves|values|cuts)(/[XO-]{9})?"
    r"(\?((round|done|tree|levels|branches|seed|top|p)=[\w(),-]*(&|$))+)?",
    re.ASCII,
)


def screens_done() -> frozenset[int]:
    """Return the screens done: the session keeps a hexadecimal digit for each."""
    digits = str(session.get("done", ""))
    return frozenset(n for n in range(FIRST, LAST + 1) if f"{n:x}" in digits)


def going_on(done: Collection[int]) -> int | None:
    """Return the first screen not done after the first that is, None once all are.

    Whom a game has led to screen 2 goes on with 3, not with 1; what was left out comes at the end.

    >>> going_on({2}), going_on({1, 2, 3}), going_on({*range(2, 15)})
    (3, 4, 1)
    """
    first = min(done, default=FIRST)
    in_order = (*range(first, LAST + 1), *range(FIRST, first))
    return next((n for n in in_order if n not in done), None)


def state_of(args: MultiDict[str, str]) -> State:
    """Return the presses that an address has."""
    return State(
        seen=tuple(args.getlist("seen")),
        p=tuple(args.getlist("p")),
        tried=get_single(args, "try") or "",
        at=get_single(args, "at") or "",
    )


def left(args: MultiDict[str, str]) -> str | None:
    """Return the screen left, and the presses there, as `10?p=4`; None where none was left.

    Refuses, with a 400 page, a state to which no press leads.
    """
    return parse_or_refuse(known, get_single(args, "lesson"))


def back(place: str) -> str:
    """Return the address of the screen left."""
    n, _, query = place.partition("?")
    address = url_for("learn.screen_page", n=int(n))
    return f"{address}?{query}" if query else address


def names_cuts(place: str) -> bool:
    """Say whether the lesson has named alpha-beta by the screen left."""
    n, *_ = place.partition("?")
    named: int = WORDS["terms"]["alpha-beta"]["screen"]
    return int(n) >= named


def question_left(args: MultiDict[str, str]) -> str | None:
    """Return the question of practice left, as `moves?round=3&done=f`; None where none was left.

    Refuses, with a 400 page, what is no such address.
    """
    question = get_single(args, "question")
    if question and (len(question) > MAX_QUESTION_LENGTH or not QUESTION.fullmatch(question)):
        abort(400, "Question is one of practice, and the presses there.")
    return question


def back_to_question(question: str) -> str:
    """Return the address of the question left."""
    return f"{url_for('puzzles.kinds_page')}/{question}"


def known(place: str | None) -> str | None:
    """Return a screen and its presses, None for None. Raises ValueError where none leads there."""
    if place is None:
        return None
    n, _, query = place.partition("?")
    try:
        screen(n, state_of(MultiDict(parse_qsl(query))))
    except KeyError:
        raise ValueError("lesson is a screen, and the presses there") from None
    return place
