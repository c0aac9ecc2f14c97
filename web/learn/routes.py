"""The lesson: its index, fourteen screens, and the pages for words and for teachers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from teach.lesson.boards import HEART
from teach.lesson.screen import WORDS, BoardScreen, Screen, State, TreeScreen
from teach.lesson.screens import FIRST, GROUPS, LAST, PLANS, minutes, screen, seconds
from teach.lesson.terms import terms
from teach.numbers import node_names
from teach.trees import Path
from web.http.addresses import takes
from web.http.files import allow_caching
from web.http.forms import get_choice, get_single, parse_or_refuse
from web.learn import check
from web.view.figures import tree_edges
from web.view.previews import drawn_once
from web.view.return_links import going_on, known, screens_done, state_of
from web.view.squares import Cell

learn = Blueprint("learn", __name__)
learn.after_request(allow_caching)

FLAT = {"view": "search", "scoring": "flat"}

# The places that a solved screen leads to, by what its form calls them.
WAYS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "lesson": ("learn.lesson_page", {}),
    "game": ("play.page", {}),
    "end": ("learn.end_page", {}),
    "write": ("write.page", {}),
    "check": ("learn.check_page", {}),
    "practise": ("puzzles.kinds_page", {}),
    "watch": ("study.page", {"where": HEART, **FLAT}),
    "run": ("study.page", {"where": HEART.play(5), **FLAT}),  # the tree of screen 10
    "cuts": ("study.page", {"where": HEART, **FLAT, "algorithm": "alpha-beta", "order": "best"}),
}
LEADS_BACK = ("write", "watch", "run", "cuts")  # pages with a way back to the screen left
JUDGE = check.judge()


@learn.get("/learn")
def lesson_page() -> ResponseReturnValue:
    """Show the fourteen screens, those done with a tick, and where to go on."""
    done = screens_done()
    page = render_template(
        "learn/index.html",
        groups=GROUPS,
        words=WORDS,
        done=done,
        next=going_on(done),
        minutes=minutes(),
        seconds=seconds,
        last=LAST,
    )
    return page, {"Cache-Control": "no-store"}  # its ticks belong to a session


@learn.get(f"/learn/<int(min=1, max={LAST}):n>")
@takes("seen", "p", "try", "at", "to", "from")
def screen_page(n: int) -> str:
    """Show a screen as it is after the presses in the address.

    The lesson ends today with the screen `to`; `from` a game just lost, this screen alone is shown.
    """
    to = int(_to(request.args, n) or LAST)
    from_game = get_choice(request.args, "from", ("game",)) is not None
    state = state_of(request.args)
    shown = parse_or_refuse(partial(screen, str(n)), state)
    kept = {"from": "game"} if from_game else {"to": to} if to < LAST else {}
    url = partial(address, n, kept)
    return render_template(
        "learn/screen.html",
        n=n,
        title=WORDS[str(n)]["title"],
        screen=shown,
        say=told_and_asked(shown.words["say"]),
        state=state.query,
        names=names_of(shown),
        url=url,
        cells=cells_of(shown, url),
        to=to,
        kept=kept,
        from_game=from_game,
        in_code=n in GROUPS["Code"],
        ends_today=n == to < LAST,
        skip=url_for("play.page") if from_game else past(n, kept, to),
        ons=ways_back(n) if from_game else ways_on(n, to),
    )


def names_of(shown: Screen) -> dict[Path, str]:
    """Return what the nodes of trees of numbers are called; boards have no names."""
    if not isinstance(shown, TreeScreen) or shown.tree.kind == "boards":
        return {}
    named = node_names(shown.tree.root)
    forks = sum(bool(node.below) for node in shown.tree.root.walk())
    further = node_names(shown.beside.root, chr(ord("A") + forks)) if shown.beside else {}
    return named | further


class On(NamedTuple):
    """Hold a way on from a solved screen: its words, and what `done` takes as `next`."""

    text: str
    to: str
    icon: str = ""
    first: bool = False


def ways_on(n: int, to: int) -> list[On]:
    """Return the ways from a solved screen in its foot: back, and on."""
    back = [On("Back", str(n - 1), icon="back")] if n > 1 else []
    if n == to:
        return [*back, On("Finish", "end" if n == LAST else "lesson", first=True)]
    return [*back, On(f"Next: {WORDS[str(n + 1)]['title']}", str(n + 1), first=True)]


def ways_back(n: int) -> list[On]:
    """Return the ways from a solved screen to which a game had led: back, and into the lesson."""
    return [On("To the game", "game", first=True), On("Next", "end" if n == LAST else str(n + 1))]


def past(n: int, kept: Mapping[str, Any], to: int) -> str:
    """Return where a screen leads that is skipped: to the next, or the end of it all or today."""
    if n < to:
        return url_for(".screen_page", n=n + 1, **kept)
    return url_for(".end_page" if n == LAST else ".lesson_page")


def address(n: int, kept: Mapping[str, str | int], state: State) -> str:
    """Return the address of a screen after presses, with what each press has `kept`.

    Without script, the board stays in view.
    """
    query = "&".join(filter(None, (state.query, urlencode(kept))))
    return url_for(".screen_page", n=n) + (f"?{query}" if query else "") + "#stage"


def cells_of(shown: Screen, url: Callable[[State], str]) -> list[Cell]:
    """Return the squares of a screen's large board, none where it has no such board."""
    return [
        Cell(
            square=square,
            mark=it.mark,
            pencil=it.side if it.is_only else None,
            hovers=it.side if it.press and not it.is_only else None,
            look=it.look,
            badge=it.badge,
            tried=None if it.mark else it.chip,
            url=url(it.press) if it.press else None,
            says=": play here" if it.press else ", right" if it.badge else "",
        )
        for square, it in enumerate(shown.board if isinstance(shown, BoardScreen) else ())
    ]


def _to(values: MultiDict[str, str], n: int) -> str | None:
    """Return the last screen for today, None if all; refuse any before screen `n`."""
    return get_choice(values, "to", [str(end) for end in range(n, LAST + 1)])


@learn.post(f"/learn/<int(min=1, max={LAST}):n>/done")
def done(n: int) -> ResponseReturnValue:
    """Tick a screen off, and go on to the next, or where the form says; htmx stays there."""
    to = _to(request.form, n)
    last = int(to or LAST)
    screens = [str(on) for on in (n - 1, n + 1) if 0 < on <= last]
    usual = "end" if n == LAST else "lesson" if n == last else str(n + 1)
    going = get_choice(request.form, "next", (*screens, *WAYS)) or usual
    place = parse_or_refuse(known, f"{n}?{get_single(request.form, 'state') or ''}")
    session["done"] = "".join(f"{ticked:x}" for ticked in sorted(screens_done() | {n}))
    session.permanent = True
    if "HX-Request" in request.headers:
        return "", 204
    if going not in WAYS:
        return redirect(url_for(".screen_page", n=going, to=to), 303)
    endpoint, values = WAYS[going]
    leads_back = going in LEADS_BACK
    return redirect(url_for(endpoint, **values, lesson=place if leads_back else None), 303)


@learn.get("/learn/end")
def end_page() -> str:
    """Say what a learner knows after the last screen."""
    return render_template("learn/end.html", edges=tree_edges(), last=LAST)


@learn.get("/learn/words")
@drawn_once
def words_page() -> str:
    """Give the meaning of each word of the lesson."""
    return render_template("learn/words.html", terms=terms())


@learn.get("/learn/teach")
@drawn_once
def teach_page() -> str:
    """Give a teacher what a class can be sent: plans, trees, a sheet, a judge."""
    return render_template("learn/teach.html", plans=PLANS, first=FIRST, last=LAST)


@learn.get("/learn/check")
@drawn_once
def check_page() -> str:
    """Render how to test a program of one's own."""
    return render_template("learn/check.html", report=check.report(), size=len(JUDGE))


@learn.get("/judge.pyz")
def judge_file() -> Response:
    """Send the judge, one file, as a type that no browser opens or unpacks."""
    name = {"Content-Disposition": "attachment; filename=judge.pyz"}
    return Response(JUDGE, mimetype="application/octet-stream", headers=name)


@learn.get("/learn/check/manual")
def manual_page() -> Response:
    """Send the manual of the judge, as `--manual` prints it."""
    return Response(check.manual(), mimetype="text/plain")


def told_and_asked(say: str) -> tuple[str, str]:
    """Return what a screen tells, and the request in bold at its end, "" without.

    >>> told_and_asked("You are **X**. **Press.**")
    ('You are **X**. ', 'Press.')
    """
    if not say.endswith("**"):
        return say, ""
    told, _, asked = say.removesuffix("**").rpartition("**")
    return told, asked


@learn.app_template_filter("time")
def time(seconds: int) -> str:
    """Return how long a screen takes, from a minute and a half on to the half.

    >>> [time(seconds) for seconds in (40, 60, 80, 130, 160)]
    ['40 s', '1 min', '80 s', '2 min', '2½ min']
    """
    if seconds < 90 and seconds != 60:
        return f"{seconds} s"
    whole, half = divmod(round(seconds / 30), 2)
    return f"{whole}{'½' * half} min"
