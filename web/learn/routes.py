"""The lesson: its index, the fourteen screens, the glossary, and the page for teachers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path as FilePath
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from teach.lesson.boards import MAIN_BOARD
from teach.lesson.screen import WORDS, BoardScreen, Screen, State, TreeScreen
from teach.lesson.screens import FIRST_SCREEN, GROUPS, LAST_SCREEN, PLANS, screen, total_minutes
from teach.lesson.terms import terms
from teach.numbers import node_names
from teach.trees import Path
from teach.windows import format_window
from web.http.addresses import takes
from web.http.files import allow_caching
from web.http.forms import get_choice, get_single, parse_or_refuse
from web.learn import check, sheet
from web.puzzles.words import TITLES
from web.view.figures import tree_edges
from web.view.previews import cache_page
from web.view.return_links import check_screen, next_screen, parse_state, screens_done
from web.view.squares import Cell

learn = Blueprint("learn", __name__)
learn.after_request(allow_caching)

TEACHERS_GUIDE = FilePath(__file__).parents[2] / "docs/teach.md"

FLAT_SEARCH = {"view": "search", "scoring": "flat"}

# The pages that a solved screen can lead to, by the value of `next` in its form.
DESTINATIONS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "lesson": ("learn.lesson_page", {}),
    "game": ("play.page", {}),
    "end": ("learn.end_page", {}),
    "write": ("write.page", {}),
    "check": ("learn.check_page", {}),
    "practise": ("puzzles.kinds_page", {}),
    "watch": ("study.page", {"where": MAIN_BOARD, **FLAT_SEARCH}),
    "run": ("study.page", {"where": MAIN_BOARD.play(5), **FLAT_SEARCH}),  # the tree of screen 10
    "cuts": (
        "study.page",
        {"where": MAIN_BOARD, **FLAT_SEARCH, "algorithm": "alpha-beta", "order": "best"},
    ),
}
WITH_WAY_BACK = ("write", "watch", "run", "cuts")  # destinations that link back to the screen
JUDGE_FILE = check.judge()


@learn.get("/learn")
def lesson_page() -> ResponseReturnValue:
    """Show the list of the fourteen screens, with a tick on those done."""
    done = screens_done()
    page = render_template(
        "learn/index.html",
        groups=GROUPS,
        words=WORDS,
        done=done,
        next=next_screen(done),
        minutes=total_minutes(),
        puzzles=TITLES,
        last=LAST_SCREEN,
    )
    return page, {"Cache-Control": "no-store"}  # as its ticks depend on the session


@learn.get(f"/learn/<int(min=1, max={LAST_SCREEN}):n>")
@takes("seen", "p", "try", "at", "to", "from")
def screen_page(n: int) -> str:
    """Show a screen after the presses in the address.

    `to` is the last screen of a class's plan. After a lost game (`from`), there is only this one.
    """
    last_screen = int(_get_last_screen(request.args, n) or LAST_SCREEN)
    is_from_game = get_choice(request.args, "from", ("game",)) is not None
    state = parse_state(request.args)
    shown_screen = parse_or_refuse(partial(screen, str(n)), state)
    plan_args = {"to": last_screen} if last_screen < LAST_SCREEN else {}
    kept_args = {"from": "game"} if is_from_game else plan_args
    url = partial(state_url, n, kept_args)
    intro, request_text = split_request(shown_screen.words["intro"])
    return render_template(
        "learn/screen.html",
        n=n,
        title=WORDS[str(n)]["title"],
        screen=shown_screen,
        intro=intro,
        request_text=request_text,
        state=state.query,
        names=screen_node_names(shown_screen),
        window=format_window,
        url=url,
        cells=cells_of(shown_screen, url),
        last_screen=last_screen,
        kept_args=kept_args,
        is_from_game=is_from_game,
        is_in_code=n in GROUPS["Code"],
        ends_today=n == last_screen < LAST_SCREEN,
        skip=url_for("play.page") if is_from_game else skip_url(n, kept_args, last_screen),
        exits=game_exit_buttons(n) if is_from_game else exit_buttons(n, last_screen),
    )


def screen_node_names(shown_screen: Screen) -> Mapping[Path, str]:
    """Return the names of the nodes of a screen's tree of numbers; empty if it has none."""
    if not isinstance(shown_screen, TreeScreen) or shown_screen.tree.kind == "boards":
        return {}
    return node_names(shown_screen.tree.root)


class ExitButton(NamedTuple):
    """A button that leaves a solved screen."""

    text: str
    destination: str  # the value of `next` in the form, see `finish_screen`
    icon: str = ""
    is_primary: bool = False


def exit_buttons(n: int, last_screen: int) -> list[ExitButton]:
    """Return the buttons of a solved screen."""
    back = [ExitButton("Back", str(n - 1), icon="back")] if n > 1 else []
    if n == last_screen:
        return [
            *back,
            ExitButton("Finish", "end" if n == LAST_SCREEN else "lesson", is_primary=True),
        ]
    return [*back, ExitButton(f"Next: {WORDS[str(n + 1)]['title']}", str(n + 1), is_primary=True)]


def game_exit_buttons(n: int) -> list[ExitButton]:
    """Return the buttons of a solved screen that a lost game led to."""
    return [
        ExitButton("To the game", "game", is_primary=True),
        ExitButton("Next", "end" if n == LAST_SCREEN else str(n + 1)),
    ]


def skip_url(n: int, kept_args: Mapping[str, Any], last_screen: int) -> str:
    """Return the address that skips a screen: the next one, or the end."""
    if n < last_screen:
        return url_for(".screen_page", n=n + 1, **kept_args)
    return url_for(".end_page" if n == LAST_SCREEN else ".lesson_page")


def state_url(n: int, kept_args: Mapping[str, str | int], state: State) -> str:
    """Return the address of a screen in a state, with the parameters in `kept_args`.

    Its fragment keeps the board in view in browsers without JavaScript.
    """
    query = "&".join(filter(None, (state.query, urlencode(kept_args))))
    return url_for(".screen_page", n=n) + (f"?{query}" if query else "") + "#stage"


def cells_of(shown_screen: Screen, url: Callable[[State], str]) -> list[Cell]:
    """Return the squares of a screen's large board, or an empty list if it has none."""
    squares = shown_screen.board if isinstance(shown_screen, BoardScreen) else ()
    return [
        Cell(
            square=square,
            mark=it.mark,
            pencil=it.side if it.is_only else None,
            hover=it.side if it.press and not it.is_only else None,
            role=it.role,
            is_new=it.is_new,
            comes_later=it.comes_later,
            is_reply=it.is_reply,
            badge=it.badge,
            attempt=None if it.mark else it.chip,
            url=url(it.press) if it.press else None,
            label_suffix=": play here" if it.press else ", right" if it.badge else "",
        )
        for square, it in enumerate(squares)
    ]


def _get_last_screen(values: MultiDict[str, str], n: int) -> str | None:
    """Return the last screen of the plan, or None for all screens; refuse one before screen `n`."""
    return get_choice(values, "to", [str(end) for end in range(n, LAST_SCREEN + 1)])


@learn.post(f"/learn/<int(min=1, max={LAST_SCREEN}):n>/done")
def finish_screen(n: int) -> ResponseReturnValue:
    """Mark a screen as done, and redirect to the destination in the form, or to the next screen."""
    to = _get_last_screen(request.form, n)
    last_screen = int(to or LAST_SCREEN)
    neighbors = [str(other) for other in (n - 1, n + 1) if 0 < other <= last_screen]
    default = "end" if n == LAST_SCREEN else "lesson" if n == last_screen else str(n + 1)
    destination = get_choice(request.form, "next", (*neighbors, *DESTINATIONS)) or default
    state_query = get_single(request.form, "state") or ""
    screen_and_state = parse_or_refuse(check_screen, f"{n}?{state_query}")
    session["done"] = "".join(f"{done_screen:x}" for done_screen in sorted(screens_done() | {n}))
    session.permanent = True
    if "HX-Request" in request.headers:
        return "", 204
    if destination not in DESTINATIONS:
        return redirect(url_for(".screen_page", n=destination, to=to), 303)
    endpoint, values = DESTINATIONS[destination]
    lesson = screen_and_state if destination in WITH_WAY_BACK else None
    return redirect(url_for(endpoint, **values, lesson=lesson), 303)


@learn.get("/learn/end")
def end_page() -> str:
    """Show what the learner now knows."""
    return render_template("learn/end.html", edges=tree_edges(), last=LAST_SCREEN)


@learn.get("/learn/words")
@cache_page
def words_page() -> str:
    """Show the glossary."""
    return render_template("learn/words.html", terms=terms(), window=format_window)


@learn.get("/learn/teach")
@cache_page
def teach_page() -> str:
    """Show teachers what they can send a class: plans, trees, a worksheet, the judge."""
    plans = {
        name: {
            "screens": f"screens {start} to {end}",
            "link": (f"Screen {start}", url_for(".screen_page", n=start, to=end)),
        }
        for name, (start, end) in PLANS.items()
    }
    return render_template("learn/teach.html", plans=plans, first=FIRST_SCREEN, last=LAST_SCREEN)


@learn.get("/learn/teach/guide")
def guide_page() -> Response:
    """Send the guide for teachers: what to ask at each screen, what to put in an address."""
    return Response(TEACHERS_GUIDE.read_text(), mimetype="text/plain")


@learn.get("/learn/sheet")
@takes(*sheet.SHEET_ARGS)
def sheet_page() -> str:
    """Show a worksheet to print, or its key."""
    return render_template("learn/sheet.html", **sheet.page_values())


@learn.get("/learn/check")
@cache_page
def check_page() -> str:
    """Show how to test a program."""
    return render_template("learn/check.html", report=check.example_report(), size=len(JUDGE_FILE))


@learn.get("/judge.pyz")
def judge_file() -> Response:
    """Send the judge as one file, with a type that no browser opens or unpacks."""
    headers = {"Content-Disposition": "attachment; filename=judge.pyz"}
    return Response(JUDGE_FILE, mimetype="application/octet-stream", headers=headers)


@learn.get("/learn/check/manual")
def manual_page() -> Response:
    """Send the manual of the judge, as `--manual` prints it."""
    return Response(check.manual(), mimetype="text/plain")


def split_request(text: str) -> tuple[str, str]:
    """Return a screen's text and the request in bold at its end, or "" if it has none.

    >>> split_request("You are **X**. **Press.**")
    ('You are **X**. ', 'Press.')
    """
    if not text.endswith("**"):
        return text, ""
    intro, _, request_text = text.removesuffix("**").rpartition("**")
    return intro, request_text
