"""Practice: three kinds of questions, ten to a round; the URL holds the round and all presses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.position import OTHER, Position, Square
from engine.reasons import Why, why, win
from engine.results import results
from engine.search import score
from teach.lesson.screen import UNKNOWN, Chip, Marking, State, Tree, number
from teach.lesson.trees import Marks, tip
from teach.practice import rounds
from teach.practice.rounds import ROUNDS, Cuts, Kind, Moves, Values
from web.site import forms
from web.site.cells import Cell, cells_of, pencilled
from web.site.files import allow_caching
from web.site.forms import one, parsed

practice = Blueprint("practice", __name__)
practice.after_request(allow_caching)

JUDGES: Mapping[Kind, Callable[[Position, str], Moves | Values | Cuts]] = {
    "moves": rounds.find,
    "values": rounds.fill,
    "cuts": rounds.search,
}
FOUND = "f"
KIND = f"/practise/<any({', '.join(ROUNDS)}):kind>"


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
        return len(self.done) == rounds.OF

    def after(self, judged: Moves | Values | Cuts, presses: str) -> Round:
        """Return the round after another question; a round that is over stays over."""
        if self.number is None or self.is_over:
            return self
        in_vain = len(judged.looked) - judged.needed if isinstance(judged, Cuts) else 0
        missed = judged.wrong or "s" in presses
        return self._replace(done=self.done + (str(in_vain) if missed else FOUND))


@practice.get("/practise")
def kinds_page() -> str:
    """Show the three kinds of practice, each by a piece of a question."""
    values = _with_values(rounds.fill(Position.parse("XO-X-OOXX"), "0x1d"), "")
    cuts = _with_covers(rounds.search(Position.parse("XOO--X-XO"), "uuuc"), "")
    return render_template(
        "practice/index.html",
        asked=Position.parse("X-OO--X--"),
        values=values._replace(root=values.root.cropped()),
        fork=cuts._replace(root=cuts.root.below[1]),
    )


@practice.get(KIND)
def round_page(kind: Kind) -> ResponseReturnValue:
    """Ask the next question of a round, or sum the round up; without a number, go to any round."""
    at = _round(kind)
    if at.number is None:
        chosen = current_app.config["RNG"].choice(range(rounds.NUMBERS))
        return redirect(url_for(".round_page", kind=kind, round=chosen))
    positions = rounds.round_of(kind, at.number)
    if not at.is_over:
        return _ask(at, positions[len(at.done)])
    outcomes = zip(positions, at.done, strict=True)
    return render_template(
        "practice/over.html",
        round=at,
        of=rounds.OF,
        positions=positions,
        missed=[position for position, came in outcomes if came != FOUND],
        in_vain=sum(map(int, at.done.replace(FOUND, ""))),
        cuts=[rounds.search(position, "") for position in positions] if kind == "cuts" else [],
    )


@practice.get(f"{KIND}/<board>")
def board_page(kind: Kind, board: str) -> str:
    """Ask about a position, in a round or not."""
    return _ask(_round(kind), parsed(Position.parse, board))


def _round(kind: Kind) -> Round:
    """Read from the address how far the round is; refuse impossible outcomes."""
    letters = "012f" if kind == "cuts" else "0f"
    done = one(request.args, "done") or ""
    if not {*done} <= {*letters} or len(done) > rounds.OF:
        abort(400, f"done is at most {rounds.OF} letters of {letters}.")
    return Round(kind, forms.number(request.args, "round", rounds.NUMBERS - 1), done)


def _ask(at: Round, position: Position) -> str:
    """Ask about a position, and judge the presses."""
    presses = one(request.args, "p") or ""
    judged = parsed(partial(JUDGES[at.kind], position), presses)
    url = partial(_address, at)
    if isinstance(judged, Moves):
        drawn = on_the_board(position, judged, "s" in presses, lambda n: url(f"{presses}{n}"))
    elif isinstance(judged, Values):
        given = presses[: len(presses) // 2 * 2]  # a board alone at the end has no value yet
        drawn = {"tree": _with_values(judged, given), "given": given, "letters": rounds.VALUES}
    else:
        drawn = {"tree": _with_covers(judged, presses)}
    return render_template(
        f"practice/{at.kind}.html",
        round=at,
        of=rounds.OF,
        position=position,
        presses=presses,
        url=url,
        it=judged,
        on=at.after(judged, presses),
        tip=tip,
        **drawn,
    )


def _address(at: Round, presses: str) -> str:
    """Return the address of this question after some presses."""
    given: dict[str, Any] = {"round": at.number, "done": at.done or None, "p": presses or None}
    return url_for(request.endpoint or "", **given, **(request.view_args or {}))


# The board of a move


def on_the_board(
    position: Position,
    judged: Moves,
    shown: bool,
    url: Callable[[Square], str] | None = None,
) -> dict[str, object]:
    """Return what to draw on the board, what a wrong move opens, and why the right one is right.

    Without `url`, the squares to press are buttons. `shown` says whether the right move was.
    """
    reason = None if judged.found is None else why(position, judged.found)
    return {
        "cells": _found(judged, reason, shown) if reason else _asked(position, judged, url),
        "wins": score(position) > 0,
        "opened": win(position.play(judged.wrong[-1]), earlier=1) if judged.wrong else None,
        "why": reason,
    }


def _found(judged: Moves, why: Why, shown: bool) -> list[Cell]:
    """Return the board with the right move made, and the squares that it threatens."""
    after = why.position.play(why.square)
    cells = [cell._replace(look=cell.look.replace("past", "")) for cell in cells_of(after)]
    if why.reason in ("forks", "blocks") and len(why.threats) > 1:
        cells = pencilled(cells, why.mark, why.threats)
    for square in judged.wrong:
        if not cells[square].wins_for:
            cells[square] = cells[square]._replace(tried=_came_of(why.position, square))
    right = cells[why.square]
    says = ", shown" if shown else ", right"
    cells[why.square] = right._replace(look=right.look or "last", badge="✓", says=says)
    return cells


def _asked(position: Position, judged: Moves, url: Callable[[Square], str] | None) -> list[Cell]:
    """Return the board to press on, with the last wrong move and best play after it in pencil."""
    mark, full = position.turn, position.after(judged.made).winning_squares()
    cells = [
        cell._replace(look="last" if cell.square in full else "") for cell in cells_of(position)
    ]
    for turn, square in enumerate(judged.made):
        look = f"{'next' if square in full else 'pencil'} new t{turn}"
        who = OTHER[mark] if turn % 2 else mark
        cells[square] = cells[square]._replace(pencil=who, look=look)
    for square in position.legal_moves():
        cell, came = cells[square], _came_of(position, square)
        if square not in judged.wrong:
            hovers = None if cell.pencil else mark
            cells[square] = cell._replace(
                url=url(square) if url else None,
                is_button=not url,
                hovers=hovers,
                says=f": play {mark} here",
            )
        elif cell.pencil:
            cells[square] = cell._replace(says=f", tried: {came[0]}")
        else:
            cells[square] = cell._replace(tried=came)
    for square in judged.wrong[-1:]:
        cells[square] = cells[square]._replace(mark=mark, pencil=None, look="last")
    return cells


def _came_of(position: Position, square: Square) -> tuple[str, str]:
    """Return what a move leads to, as a chip: the text, and the side that gains."""
    winner = results(position)[square].winner
    return (f"{winner} wins", winner) if winner else ("draw", "")


# The trees


def _with_values(judged: Values, given: str) -> Tree:
    """Return the tree with the values given; all boards without a value can be pressed."""
    marks, last = Marks(judged.root.walk()), judged.last
    for place, board in enumerate(judged.boards):
        mark = marks[board.digits]
        if board in judged.known:
            for child in board.below:
                brought: Marking = {"edge": f"up {number(board.value).look}", "new": board == last}
                marks[child.digits] |= brought if child.value == board.value else {"look": "dimmed"}
        elif board == judged.at:
            mark |= {"chip": UNKNOWN, "look": "is-here"}
        else:
            mark |= {"chip": UNKNOWN, "press": State(p=(*given, str(place)))}
    if last and last not in judged.known:
        _, refused = judged.wrong[-1]
        carry = [child for child in last.below if child.value == refused]
        marks[last.digits]["pulse"] = "badge" if carry else ""
        for child in carry or last.below:
            marks[child.digits]["pulse"] = "chip"
    return marks.on(judged.root)


def _with_covers(judged: Cuts, presses: str) -> Tree:
    """Return the tree with the boards looked at; the next covered board can be pressed."""
    marks, values = Marks(), judged.values
    for board in judged.root.walk():
        value = values.get(board.digits)
        marks[board.digits]["chip"] = UNKNOWN if value is None else number(value)
        known = [child for child in board.below if child.digits in values]
        for child in [child for child in known if values[child.digits] == value][:1]:
            marks[child.digits]["edge"] = f"up {marks[board.digits]['chip'].look}"
    for end in judged.root.leaves:
        if end not in judged.looked:
            marks[end.digits] |= {"chip": Chip("covered", ""), "look": "covered", "plate": "?"}
        if end in judged.cut:
            marks[end.digits] |= {"chip": Chip("cut", ""), "edge": "cut", "plate": "✂"}
    if judged.next:
        marks[judged.next.digits] |= {"look": "covered asks", "press": State(p=(*presses, "u"))}
    if judged.asks:
        marks[judged.asks.digits]["look"] = "is-here"
    for end in judged.looked[-1:]:
        marks[end.digits]["new"] = True
    return marks.on(judged.root)
