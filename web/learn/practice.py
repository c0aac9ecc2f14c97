"""Practice: three kinds of questions, ten to a round; the URL holds the round and all presses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, get_args

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.position import Position
from engine.reasons import why
from engine.results import results
from engine.search import score
from teach.lesson.screen import UNKNOWN, Chip, Node, State, number
from teach.lesson.trees import tip
from teach.practice import (
    NUMBERS,
    OF,
    VALUES,
    Cuts,
    Kind,
    Moves,
    Values,
    fill,
    find,
    round_of,
    search,
)
from web.site import forms
from web.site.forms import one, parsed

JUDGES: Mapping[Kind, Callable[[Position, str], Moves | Values | Cuts]] = {
    "moves": find,
    "values": fill,
    "cuts": search,
}
FOUND = "f"


def add_practice(learn: Blueprint) -> None:
    """Add the pages of practice to the pages of the lesson."""
    learn.add_url_rule("/practise", view_func=practise_page)
    for kind in get_args(Kind):
        given = {"kind": kind}
        learn.add_url_rule(f"/practise/{kind}", view_func=practise_round, defaults=given)
        learn.add_url_rule(f"/practise/{kind}/<board>", view_func=practise_board, defaults=given)
    learn.add_url_rule("/practise/<board>", view_func=old_practice)


class Round(NamedTuple):
    """Hold how far a round is: the number of the round, None outside of rounds, and the outcomes.

    `done` has a letter for each question: `f` for found at the first try, else a digit, the number
    of boards looked at in vain.
    """

    kind: Kind
    number: int | None = None
    done: str = ""

    @property
    def is_over(self) -> bool:
        """Say whether all ten questions are done."""
        return len(self.done) == OF

    def after(self, judged: Moves | Values | Cuts) -> Round:
        """Return the round after another question; a round that is over stays over."""
        if self.number is None or self.is_over:
            return self
        in_vain = len(judged.looked) - judged.needed if isinstance(judged, Cuts) else 0
        return self._replace(done=self.done + (str(in_vain) if judged.missed else FOUND))


def practise_page() -> str:
    """Show the three kinds of practice, each by a piece of a question."""
    values = _with_values(fill(Position.parse("XO-X-OOXX"), "0x1d"), "")
    cuts = _with_covers(search(Position.parse("XOO--X-XO"), "uuuc"), "")
    return render_template(
        "learn/practise.html",
        asked=Position.parse("X-OO--X--"),
        values=values._replace(below=tuple(it._replace(below=()) for it in values.below)),
        fork=cuts.below[1],
    )


def practise_round(kind: Kind) -> ResponseReturnValue:
    """Ask the next question of a round, or sum the round up; without a number, go to any round."""
    at = _round(kind)
    if at.number is None:
        chosen = current_app.config["RNG"].choice(range(NUMBERS))
        return redirect(url_for(".practise_round", kind=kind, round=chosen))
    positions = round_of(kind, at.number)
    if not at.is_over:
        return _ask(at, positions[len(at.done)])
    done = [JUDGES[kind](position, "") for position in positions]
    return render_template(
        "learn/practised.html",
        round=at,
        of=OF,
        positions=positions,
        missed=[
            position for position, came in zip(positions, at.done, strict=True) if came != FOUND
        ],
        needed=sum(judged.needed for judged in done if isinstance(judged, Cuts)),
        in_vain=sum(int(came) for came in at.done if came != FOUND),
        ends=sum(len(judged.ends) for judged in done if isinstance(judged, Cuts)),
    )


def practise_board(kind: Kind, board: str) -> str:
    """Ask about a position, in a round or not."""
    return _ask(_round(kind), parsed(Position.parse, board), board)


def old_practice(board: str) -> ResponseReturnValue:
    """Lead on from the old address of a position to practise."""
    return redirect(url_for(".practise_board", kind="moves", board=board), 301)


def _round(kind: Kind) -> Round:
    """Read from the address how far the round is; refuse impossible outcomes."""
    letters = "012f" if kind == "cuts" else "0f"
    done = one(request.args, "done") or ""
    if not {*done} <= {*letters} or len(done) > OF:
        abort(400, f"done is at most {OF} letters of {letters}.")
    return Round(kind, forms.number(request.args, "round", NUMBERS - 1), done)


def _ask(at: Round, position: Position, board: str | None = None) -> str:
    """Ask about a position, and judge the presses."""
    presses = one(request.args, "p") or ""
    judged = parsed(partial(JUDGES[at.kind], position), presses)
    if isinstance(judged, Moves):
        shown = _on_the_board(position, judged)
    elif isinstance(judged, Values):
        given = presses[: len(presses) // 2 * 2]
        shown = {
            "tree": _with_values(judged, given),
            "given": given,
            "letters": VALUES,
            "tip": judged.at and tip(judged.root, judged.at.path),
        }
    else:
        at_board = judged.asks or judged.next
        shown = {
            "tree": _with_covers(judged, presses),
            "tip": at_board and tip(judged.root, at_board.path),
        }
    return render_template(
        f"learn/practise_{at.kind}.html",
        round=at,
        of=OF,
        position=position,
        board=board,
        presses=presses,
        it=judged,
        on=at.after(judged),
        **shown,
    )


# The board of a move


def _on_the_board(position: Position, judged: Moves) -> dict[str, object]:
    """Return the moves to draw on the board, the squares of full lines, and why a move is right."""
    found = () if judged.found is None else (judged.found,)
    made = judged.refuted.line if judged.refuted else found
    outcome = position.after(made).outcome()
    return {
        "made": made,
        "full": {square for line in outcome.lines for square in line} if outcome else set(),
        "results": results(position),
        "wins": score(position) > 0,
        "why": why(position, *found) if found else None,
    }


# The trees


def _with_values(judged: Values, given: str) -> Node:
    """Return the tree with the values given; all boards without a value can be pressed."""
    last = judged.last

    def draw(board: Node, parent: Node | None) -> Node:
        known, asked = not board.below or board in judged.known, board == judged.at
        settled = parent is not None and parent in judged.known
        brought = settled and parent is not None and board.value == parent.value
        refused = last is not None and last.board == parent and not settled
        carries = last is not None and (last.verdict == "not below" or last.given == board.value)
        chooses = last is not None and last.board == board and last.verdict == "not taken"
        chip = number(board.value) if known else UNKNOWN
        return board._replace(
            below=tuple(draw(child, board) for child in board.below),
            chip=chip,
            look="is-here" if asked else "dimmed" if settled and not brought else "",
            edge=f"up {chip.look}" if brought else "",
            pulse="badge" if chooses else "chip" if refused and carries else "",
            new=brought and last is not None and last.board == parent,
            press=None if known or asked else State((), (*given, f"{judged.boards.index(board)}")),
        )

    return draw(judged.root, None)


def _with_covers(judged: Cuts, presses: str) -> Node:
    """Return the tree with the boards looked at; the next covered board can be pressed."""
    values, looked = judged.values, judged.looked

    def draw(board: Node, edge: str = "", new: bool = False) -> Node:
        covered, cut = not (board.below or board in looked), board in judged.cut
        chip = number(values[board.path]) if board.path in values else UNKNOWN
        known = [child for child in board.below if child.path in values]
        brought = [child for child in known if values[child.path] == values.get(board.path)][:1]
        is_next = board == judged.next
        return board._replace(
            below=tuple(
                draw(
                    child,
                    f"up {chip.look}" if child in brought else "",
                    child in looked[-1:],
                )
                for child in board.below
            ),
            chip=Chip("cut" if cut else "covered", "") if covered else chip,
            look="covered" + " asks" * is_next if covered else "is-here" * (board == judged.asks),
            edge="cut" if cut else edge,
            plate="✂" if cut else "?" if covered else "",
            new=new,
            press=State((), (*presses, "u")) if is_next else None,
        )

    return draw(judged.root)
