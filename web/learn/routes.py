"""The lesson and its glossary; and for teachers, plans, worksheets and the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path as FilePath
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from engine.position import Square
from teach.lesson.boards import MAIN_BOARD
from teach.lesson.screen import WORDS, BoardScreen, BoardSquare, Screen, State, TreeScreen
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

# The pages that a solved screen can lead to: the endpoint and its arguments, by the value of `next`
# in the screen's form.
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
DESTINATIONS_WITH_WAY_BACK = ("write", "watch", "run", "cuts")  # they link back to the screen
JUDGE_FILE = check.pack_judge()


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
    return page, {"Cache-Control": "no-store"}  # because the ticks depend on the session


@learn.get(f"/learn/<int(min=1, max={LAST_SCREEN}):n>")
@takes("seen", "p", "try", "at", "to", "from")
def screen_page(n: int) -> str:
    """Show a screen after the presses in the address.

    `to` is the last screen of a class's plan. A lost game (`from`) sends its player to this one
    screen, and back.
    """
    last_screen = int(_get_last_screen(request.args, n) or LAST_SCREEN)
    is_from_game = get_choice(request.args, "from", ("game",)) is not None
    state = parse_state(request.args)
    shown_screen = parse_or_refuse(partial(screen, str(n)), state)
    plan_args = {"to": last_screen} if last_screen < LAST_SCREEN else {}
    kept_args = {"from": "game"} if is_from_game else plan_args
    url = partial(state_url, n, kept_args)
    intro, instruction = split_instruction(shown_screen.words["intro"])
    return render_template(
        "learn/screen.html",
        n=n,
        title=WORDS[str(n)]["title"],
        screen=shown_screen,
        intro=intro,
        instruction=instruction,
        state=state.query,
        names=screen_node_names(shown_screen),
        window=format_window,
        url=url,
        cells=screen_cells(shown_screen, url),
        last_screen=last_screen,
        kept_args=kept_args,
        is_from_game=is_from_game,
        is_about_code=n in GROUPS["Code"],
        ends_plan=n == last_screen < LAST_SCREEN,
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
    """Return the buttons of a solved screen: back, if it is not the first, and onward."""
    if n < last_screen:
        onward = ExitButton(f"Next: {WORDS[str(n + 1)]['title']}", str(n + 1), is_primary=True)
    else:
        onward = ExitButton("Finish", "end" if n == LAST_SCREEN else "lesson", is_primary=True)
    if n == FIRST_SCREEN:
        return [onward]
    return [ExitButton("Back", str(n - 1), icon="back"), onward]


def game_exit_buttons(n: int) -> list[ExitButton]:
    """Return the buttons of a solved screen to which a lost game sent its player."""
    return [
        ExitButton("To the game", "game", is_primary=True),
        ExitButton("Next", "end" if n == LAST_SCREEN else str(n + 1)),
    ]


def skip_url(n: int, kept_args: Mapping[str, Any], last_screen: int) -> str:
    """Return the address that the link to skip a screen leads to: the next one, or the end."""
    if n < last_screen:
        return url_for(".screen_page", n=n + 1, **kept_args)
    return url_for(".end_page" if n == LAST_SCREEN else ".lesson_page")


def state_url(n: int, kept_args: Mapping[str, str | int], state: State) -> str:
    """Return the address of a screen in a state, with the parameters in `kept_args`.

    Its fragment keeps the board in view in browsers without JavaScript.
    """
    query = "&".join(filter(None, (state.query, urlencode(kept_args))))
    return url_for(".screen_page", n=n) + (f"?{query}" if query else "") + "#stage"


def screen_cells(shown_screen: Screen, url: Callable[[State], str]) -> list[Cell]:
    """Return the squares of a screen's large board; empty if the screen has none."""
    board_squares = shown_screen.board if isinstance(shown_screen, BoardScreen) else ()
    return [_cell(square, board_square, url) for square, board_square in enumerate(board_squares)]


def _cell(square: Square, board_square: BoardSquare, url: Callable[[State], str]) -> Cell:
    """Return a square of a screen's board as every page draws them."""
    next_state, side = board_square.next_state, board_square.side_to_move
    label_suffix = ", right" if board_square.badge else ""
    return Cell(
        square=square,
        mark=board_square.mark,
        pencil=side if board_square.is_only else None,
        hover=side if next_state and not board_square.is_only else None,
        role=board_square.role,
        is_new=board_square.is_new,
        comes_later=board_square.comes_later,
        is_reply=board_square.is_reply,
        badge=board_square.badge,
        attempt=None if board_square.mark else board_square.chip,
        url=url(next_state) if next_state else None,
        label_suffix=": play here" if next_state else label_suffix,
    )


def _get_last_screen(values: MultiDict[str, str], n: int) -> str | None:
    """Return the last screen of the plan, or None if the request names none.

    Refuses, with a 400 page, anything but a screen from `n` on.
    """
    return get_choice(values, "to", [str(last) for last in range(n, LAST_SCREEN + 1)])


@learn.post(f"/learn/<int(min=1, max={LAST_SCREEN}):n>/done")
def finish_screen(n: int) -> ResponseReturnValue:
    """Mark a screen as done, and redirect to the destination in the form, or onward.

    A request by htmx, whose page stays, gets an empty response.
    """
    plan_end = _get_last_screen(request.form, n)
    last_screen = int(plan_end or LAST_SCREEN)
    neighbors = [str(other) for other in (n - 1, n + 1) if 0 < other <= last_screen]
    default = str(n + 1)
    if n == last_screen:
        default = "end" if n == LAST_SCREEN else "lesson"
    destination = get_choice(request.form, "next", (*neighbors, *DESTINATIONS)) or default
    state_query = get_single(request.form, "state") or ""
    screen_and_state = parse_or_refuse(check_screen, f"{n}?{state_query}")
    session["done"] = "".join(f"{done_screen:x}" for done_screen in sorted(screens_done() | {n}))
    session.permanent = True
    if "HX-Request" in request.headers:
        return "", 204  # sent by the click that solved the screen; the page stays
    if destination not in DESTINATIONS:
        return redirect(url_for(".screen_page", n=destination, to=plan_end), 303)
    endpoint, values = DESTINATIONS[destination]
    lesson = screen_and_state if destination in DESTINATIONS_WITH_WAY_BACK else None
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


def split_instruction(text: str) -> tuple[str, str]:
    """Return a screen's text without the instruction in bold at its end, and the instruction.

    The instruction is empty if the text does not end with one.

    >>> split_instruction("You are **X**. **Press.**")
    ('You are **X**. ', 'Press.')
    """
    if not text.endswith("**"):
        return text, ""
    intro, _, instruction = text.removesuffix("**").rpartition("**")
    return intro, instruction
