"""Which screens of the lesson are done, and links back to a screen or to a question.

The screen or the question of the puzzles that the reader came from is in the address.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import parse_qsl

from flask import abort, session, url_for
from werkzeug.datastructures import MultiDict

from teach.lesson.screen import WORDS, State
from teach.lesson.screens import FIRST_SCREEN, LAST_SCREEN, screen
from web.http.forms import get_single, parse_or_refuse

MAX_QUESTION_LENGTH = 600  # characters, for a large tree; each link of a page repeats them

# A question of the puzzles: its kind, its board, and the state of the round.
QUESTION = re.compile(
    r"(moves|values|cuts)(/[XO-]{9})?"
    r"(\?((round|done|tree|levels|branches|seed|top|p)=[\w(),-]*(&|$))+)?",
    re.ASCII,
)


def screens_done() -> frozenset[int]:
    """Return the screens that are done; the session has a hexadecimal digit for each."""
    digits = str(session.get("done", ""))
    return frozenset(n for n in range(FIRST_SCREEN, LAST_SCREEN + 1) if f"{n:x}" in digits)


def next_screen(done: Collection[int]) -> int | None:
    """Return the first screen not yet done after the first one done, or None once all are done.

    A player sent by a game to screen 2 continues with 3, not with 1; skipped screens come last.

    >>> next_screen({2}), next_screen({1, 2, 3}), next_screen({*range(2, 15)})
    (3, 4, 1)
    """
    first = min(done, default=FIRST_SCREEN)
    screens = (*range(first, LAST_SCREEN + 1), *range(FIRST_SCREEN, first))
    return next((n for n in screens if n not in done), None)


def parse_state(args: MultiDict[str, str]) -> State:
    """Parse the state of a screen, which is the presses in an address."""
    return State(
        seen=tuple(args.getlist("seen")),
        kept=tuple(args.getlist("p")),
        tried=get_single(args, "try") or "",
        at=get_single(args, "at") or "",
    )


def get_screen(args: MultiDict[str, str]) -> str | None:
    """Return the screen that the reader came from, with its presses, as `10?p=4`, or None.

    Refuses, with a 400 page, a state that no presses reach.
    """
    return parse_or_refuse(check_screen, get_single(args, "lesson"))


def screen_url(screen_name: str) -> str:
    """Return the address of a screen with its presses."""
    n, _, query = screen_name.partition("?")
    address = url_for("learn.screen_page", n=int(n))
    return f"{address}?{query}" if query else address


def has_introduced_cutoffs(screen_name: str) -> bool:
    """Return whether the lesson has introduced alpha-beta by this screen."""
    n, *_ = screen_name.partition("?")
    first_screen: int = WORDS["terms"]["alpha-beta"]["screen"]
    return int(n) >= first_screen


def get_question(args: MultiDict[str, str]) -> str | None:
    """Return the question that the reader came from, as `moves?round=3&done=f`, or None.

    Refuses, with a 400 page, anything that is not such an address.
    """
    question = get_single(args, "question")
    if question and (len(question) > MAX_QUESTION_LENGTH or not QUESTION.fullmatch(question)):
        abort(400, "Question must be one of the puzzles, with the presses there.")
    return question


def question_url(question: str) -> str:
    """Return the address of a question."""
    return f"{url_for('puzzles.kinds_page')}/{question}"


def check_screen(screen_name: str | None) -> str | None:
    """Return a screen and its presses unchanged. Raises ValueError if no presses lead there."""
    if screen_name is None:
        return None
    n, _, query = screen_name.partition("?")
    try:
        screen(n, parse_state(MultiDict(parse_qsl(query))))
    except KeyError:
        raise ValueError("lesson must be a screen, with the presses there") from None
    return screen_name
