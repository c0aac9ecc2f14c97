"""The lesson: its index, fourteen screens, and the pages for words and for teachers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup, escape
from werkzeug.datastructures import MultiDict

from engine.position import Square
from teach.lesson.machine import NEGAMAX
from teach.lesson.screen import WORDS, State
from teach.lesson.screen import Cell as Pressed
from teach.lesson.screens import GROUPS, LAST, SOLVED, screen
from web.site.cells import Cell
from web.site.files import allow_caching
from web.site.forms import chosen, one, parsed

learn = Blueprint("learn", __name__)
learn.after_request(allow_caching)

QUERY = ("seen", "p", "try", "at", "to")


@learn.get("/learn")
def lesson_page() -> ResponseReturnValue:
    """Show the fourteen screens, those done with a tick, and where to go on."""
    done = screens_done()
    going_on = next((n for n in range(1, LAST + 1) if n not in done), 1)
    page = render_template(
        "learn/index.html",
        groups=GROUPS,
        words=WORDS,
        done=done,
        next=going_on,
        last=LAST,
    )
    return page, {"Cache-Control": "no-store"}  # its ticks belong to a session


@learn.get(f"/learn/<int(min=1, max={LAST}):n>")
def screen_page(n: int) -> str:
    """Show a screen as it is after the presses in the address."""
    to = int(_to(request.args, n) or LAST)
    if strange := {*request.args} - {*QUERY}:
        abort(400, f"{min(strange)} is nothing that a screen takes.")
    args = request.args
    state = State(
        seen=tuple(args.getlist("seen")),
        p=tuple(args.getlist("p")),
        tried=one(args, "try") or "",
        at=one(args, "at") or "",
    )
    shown = parsed(partial(screen, str(n)), state)
    url = partial(address, n, to)
    return render_template(
        "learn/screen.html",
        name=str(n),
        screen=shown,
        url=url,
        cells=[cell_of(square, cell, url) for square, cell in enumerate(shown.board)],
        words=WORDS,
        to=to,
        last=LAST,
        negamax=NEGAMAX,
    )


def address(n: int, to: int, state: State) -> str:
    """Return the address of a screen after presses; without script, the board stays in view."""
    query = "&".join(filter(None, (state.query, f"to={to}" if to < LAST else "")))
    return url_for(".screen_page", n=n) + (f"?{query}" if query else "") + "#stage"


def cell_of(square: Square, pressed: Pressed, url: Callable[[State], str]) -> Cell:
    """Return a square of the lesson's board, as drawn."""
    return Cell(
        square=square,
        mark=pressed.mark,
        look=pressed.look,
        tried=None if pressed.mark else pressed.chip,
        url=url(pressed.press) if pressed.press else None,
        says=": play here" if pressed.press else "",
    )


def _to(values: MultiDict[str, str], n: int) -> str | None:
    """Return the last screen for today, None if all; refuse any before screen `n`."""
    return chosen(values, "to", [str(end) for end in range(n, LAST + 1)])


@learn.post(f"/learn/<int(min=1, max={LAST}):n>/done")
def done(n: int) -> ResponseReturnValue:
    """Tick a screen off, and go on to the next, or to the one chosen."""
    to = _to(request.form, n)
    last = int(to or LAST)
    following = chosen(request.form, "next", [str(on) for on in (n + 1, n + 2) if on <= last])
    session["done"] = "".join(f"{done:x}" for done in sorted(screens_done() | {n}))
    session.permanent = True
    if n == LAST:
        return redirect(url_for("play.page"), 303)
    if n == last:
        return redirect(url_for(".lesson_page"), 303)
    return redirect(url_for(".screen_page", n=following or n + 1, to=to), 303)


def screens_done() -> set[int]:
    """Return the screens done: the session keeps a hexadecimal digit for each."""
    return {n for n in range(1, LAST + 1) if f"{n:x}" in str(session.get("done", ""))}


@learn.get("/learn/words")
def words_page() -> str:
    """Give the meaning of each word of the lesson."""
    return render_template("learn/words.html", terms=WORDS["terms"])


@learn.get("/learn/teach")
def teach_page() -> str:
    """Tell a teacher of each screen, and of plans for a class."""
    return render_template("learn/teach.html", groups=GROUPS, words=WORDS, solved=SOLVED)


@learn.app_template_filter("rich")
@lru_cache(maxsize=1024)
def rich(text: str) -> Markup:
    """Return a sentence of the lesson as HTML: bold, code, and the marks in their colours.

    A difference stays on one line.
    """
    text = str(escape(text)).replace(" − ", "\N{NO-BREAK SPACE}−\N{NO-BREAK SPACE}")
    text = re.sub(r"\b([XO])\b", r'<b class="\1">\1</b>', text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return Markup(re.sub(r"`(.+?)`", r"<code>\1</code>", text))
