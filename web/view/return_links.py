"""Which screens of the lesson are done, and links back to where the reader came from.

A page that a screen of the lesson links to has that screen and its state in its address:
`lesson=10?p=4` is screen 10 after the press "4". A page that a question of the puzzles links to has
that question: `question=moves?round=3&done=f`.
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

MAX_QUESTION_LENGTH = 600  # characters; room for a large tree, which every link of a page repeats

# A question of the puzzles, as in its address: its kind, its board or its tree, the round and the
# questions done, and the presses made so far (`p`).
QUESTION = re.compile(
    r"(moves|values|cuts)(/[XO-]{9})?"
    r"(\?((round|done|tree|levels|branches|seed|top|p)=[\w(),-]*(&|$))+)?",
    re.ASCII,
)


def screens_done() -> frozenset[int]:
    """Return the numbers of the screens done; the session has a hexadecimal digit for each."""
    digits = str(session.get("done", ""))
    return frozenset(n for n in range(FIRST_SCREEN, LAST_SCREEN + 1) if f"{n:x}" in digits)


def next_screen(done: Collection[int]) -> int | None:
    """Return the screen to continue with, or None once all are done.

    A player whom a game sent to screen 2 continues with 3, not with 1: the screens before the first
    one done come last.

    >>> next_screen({2}), next_screen({1, 2, 3}), next_screen({*range(2, 15)})
    (3, 4, 1)
    """
    first = min(done, default=FIRST_SCREEN)
    screens = (*range(first, LAST_SCREEN + 1), *range(FIRST_SCREEN, first))
    return next((n for n in screens if n not in done), None)


def parse_state(args: MultiDict[str, str]) -> State:
    """Parse the state of a screen, that is, the presses made there, from a query."""
    return State(
        seen_presses=tuple(args.getlist("seen")),
        kept_presses=tuple(args.getlist("p")),
        wrong_press=get_single(args, "try") or "",
        view=get_single(args, "at") or "",
    )


def get_screen(args: MultiDict[str, str]) -> str | None:
    """Return the screen that the reader came from and its state, such as `10?p=4`, or None.

    Refuses, with a 400 page, a screen that does not exist or a state that no presses lead to.
    """
    return parse_or_refuse(check_screen, get_single(args, "lesson"))


def screen_url(screen_and_state: str) -> str:
    """Return the address of a screen in a state."""
    n, _, query = screen_and_state.partition("?")
    address = url_for("learn.screen_page", n=int(n))
    return f"{address}?{query}" if query else address


def has_introduced_cutoffs(screen_and_state: str) -> bool:
    """Return whether the lesson has introduced alpha-beta by this screen."""
    n, _, _ = screen_and_state.partition("?")
    first_screen: int = WORDS["terms"]["alpha-beta"]["screen"]
    return int(n) >= first_screen


def get_question(args: MultiDict[str, str]) -> str | None:
    """Return the question that the reader came from, such as `moves?round=3&done=f`, or None.

    Refuses, with a 400 page, anything that does not have the form of a question's address.
    """
    question = get_single(args, "question")
    if question and (len(question) > MAX_QUESTION_LENGTH or not QUESTION.fullmatch(question)):
        abort(400, "Question must be one of the puzzles, with the presses there.")
    return question


def question_url(question: str) -> str:
    """Return the address of a question."""
    return f"{url_for('puzzles.kinds_page')}/{question}"


def check_screen(screen_and_state: str | None) -> str | None:
    """Return a screen and its state unchanged.

    Raises ValueError if there is no such screen, or no presses lead to that state.
    """
    if screen_and_state is None:
        return None
    n, _, query = screen_and_state.partition("?")
    try:
        screen(n, parse_state(MultiDict(parse_qsl(query))))
    except KeyError:
        raise ValueError("lesson must be a screen, with the presses there") from None
    return screen_and_state
