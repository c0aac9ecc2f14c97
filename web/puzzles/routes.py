"""Practice: three kinds of questions, ten to a round; the URL holds the round and all presses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote

from flask import (
    Blueprint,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from engine.position import Position
from engine.reasons import Why, why
from engine.search import score
from teach.lesson.screen import State
from teach.lesson.trees import Marks, tip
from teach.marks import UNKNOWN, Chip, Marking, Tree, figure, number
from teach.numbers import names, written
from teach.puzzles import cuts, rounds, values
from teach.puzzles.cuts import Cuts, Said
from teach.puzzles.lots import Lot, cut_to_watch
from teach.puzzles.moves import Moves, answer, find, keepers
from teach.puzzles.rounds import ROUNDS, Kind, Question
from teach.puzzles.values import PLACES, Filling, choices
from teach.trees import Node
from web.http import forms
from web.http.addresses import takes
from web.http.files import allow_caching
from web.http.forms import one, parsed
from web.study.own import RANDOM, TOPS, ByLot, OwnTree, by_lot, own_tree
from web.view.right_move import found_on, to_press

puzzles = Blueprint("puzzles", __name__)
puzzles.after_request(allow_caching)

FOUND, MISSED = "f0"
KIND = f"/practise/<any({', '.join(ROUNDS)}):kind>"
CUT = Lot(((3, 5), (2, 7)))  # on the page of all kinds
TREE = ("tree", *ByLot._fields, "top")  # what an address says of a tree


class Round(NamedTuple):
    """How far a round is."""

    kind: Kind
    number: int | None = None  # None outside of rounds
    done: str = ""  # a letter for each question: f if found on the first try, else 0

    @property
    def is_over(self) -> bool:
        """Say whether all ten questions are done."""
        return len(self.done) == rounds.OF

    @property
    def found(self) -> int:
        """Count the questions found at the first try."""
        return self.done.count(FOUND)

    @property
    def went(self) -> Literal["all", "most", "some"]:
        """Say how many questions of a round were found: more than half are most."""
        if self.found == rounds.OF:
            return "all"
        return "most" if 2 * self.found > rounds.OF else "some"

    def after(self, judged: Moves | Filling | Cuts, presses: str) -> Round:
        """Return the round after another question; a round that is over stays over."""
        if self.number is None or self.is_over:
            return self
        missed = judged.wrong or "s" in presses
        return self._replace(done=self.done + (MISSED if missed else FOUND))


@puzzles.get("/practise")
def kinds_page() -> str:
    """Show the three kinds of practice, each by a piece of a question."""
    boards = _with_values(values.fill(Position.parse("XO-X-OOXX"), "0x1d"), "")
    return render_template(
        "puzzles/index.html",
        asked=Position.parse("X-OO--X--"),
        values=replace(boards, deep=1),
        cut=_with_covers(cuts.cut(CUT, "uuuc"), ""),
        names=names(CUT.root),
    )


@puzzles.get(KIND)
@takes("round", "done", "p", "best", *TREE)
def round_page(kind: Kind) -> ResponseReturnValue:
    """Ask about a tree in the address, ask the next question of a round, or sum the round up.

    Without a tree and a number, go to any round.
    """
    at = _round(kind)
    named = RANDOM if "seed" in request.args else one(request.args, "tree")
    if named is not None:
        return _ask(at, _lot(kind, named))
    if at.number is None:
        chosen = current_app.config["RNG"].choice(range(rounds.ROUND_COUNT))
        return redirect(url_for(".round_page", kind=kind, round=chosen))
    questions = rounds.round_of(kind, at.number)
    if not at.is_over:
        sets = rounds.sets_numbers(kind, len(at.done))
        return _ask(at, questions[len(at.done)], sets)
    outcomes = zip([*enumerate(questions, 1)], at.done, strict=True)
    missed = [asked for asked, came in outcomes if came != FOUND]
    again = [_again(at, nth, question) for nth, question in missed or enumerate(questions, 1)]
    return render_template(
        "puzzles/over.html",
        round=at,
        of=rounds.OF,
        best=forms.number(request.args, "best", rounds.OF),
        missed=again,
    )


@puzzles.get(f"{KIND}/<board>")
@takes("round", "done", "p", *TREE)
def board_page(kind: Kind, board: str) -> str:
    """Ask about a position, in a round or not."""
    if kind == "cuts":
        abort(404)
    return _ask(_round(kind), parsed(Position.parse, board))


@puzzles.post(f"{KIND}/done")
def done(kind: Kind) -> ResponseReturnValue:
    """Keep the best of all rounds of a kind, and sum this round up."""
    at = _round(kind, request.form)
    if at.number is None or not at.is_over:
        abort(400, f"done is {rounds.OF} letters, the outcomes of a round.")
    kept = _bests()
    best = max(at.found, kept.get(kind, 0))
    session["best"] = kept | {kind: best}
    session.permanent = True
    over = url_for(".round_page", kind=kind, round=at.number, done=at.done, best=best)
    return redirect(over, 303)


def _bests() -> dict[str, int]:
    """Return the best round of each kind so far, as the session has it where that makes sense."""
    kept = session.get("best")
    kept = kept if isinstance(kept, dict) else {}
    return {kind: kept[kind] for kind in ROUNDS if kept.get(kind) in range(rounds.OF + 1)}


def _lot(kind: Kind, text: str) -> Lot:
    """Return the tree of numbers that an address names; refuse nonsense, and trees for moves."""
    if kind == "moves":
        abort(400, "A tree belongs to values and cuts.")
    tree = own_tree(text, request.args)
    return Lot(tree.values, tree.is_max)


def _round(kind: Kind, given: MultiDict[str, str] | None = None) -> Round:
    """Read from the address, or a form, how far the round is; refuse impossible outcomes."""
    args = request.args if given is None else given
    done = one(args, "done") or ""
    if not {*done} <= {FOUND, MISSED} or len(done) > rounds.OF:
        abort(400, f"done is at most {rounds.OF} letters of {MISSED}{FOUND}.")
    return Round(kind, forms.number(args, "round", rounds.ROUND_COUNT - 1), done)


class Again(NamedTuple):
    """Hold a question of a round that is over: where to try again, and what to draw.

    Of a move, `why` the right one is right, and whether it `wins`. A tree of numbers is named by
    its place in the round, `nth`.
    """

    url: str
    nth: int
    position: Position | None = None
    why: Why | None = None
    wins: bool = False


def _again(at: Round, nth: int, question: Question) -> Again:
    """Return a question to try again."""
    if isinstance(question, Lot):
        top = TOPS[not question.is_max]
        url = url_for(
            ".round_page",
            kind=at.kind,
            round=at.number,
            done=at.done,
            tree=written(question.values),
            top=top,
        )
        return Again(url, nth)
    url = url_for(".board_page", kind=at.kind, board=question, round=at.number, done=at.done)
    right = why(question, keepers(question)[0]) if at.kind == "moves" else None
    return Again(url, nth, question, right, score(question) > 0)


def _ask(at: Round, question: Question, sets: bool = False) -> str:
    """Ask a question, and judge the presses; `sets` is of cuts."""
    presses = one(request.args, "p") or ""
    url = partial(_address, at)
    judged: Moves | Filling | Cuts
    if at.kind == "moves" and isinstance(question, Position):
        judged = parsed(partial(find, question), presses)
        drawn = _with_moves(judged, url)
    elif at.kind == "values":
        judged = parsed(partial(_filled, question), presses)
        given = presses[: len(presses) // 2 * 2]  # a node alone at the end has no value yet
        offered = choices(judged.at) if judged.at else {}
        place = PLACES[judged.nodes.index(judged.at)] if judged.at else ""
        drawn = {"tree": _with_values(judged, given), "given": given}
        drawn |= {"choices": offered, "place": place}
    else:
        assert isinstance(question, Lot), "all that is cut are numbers"
        judged = parsed(partial(cuts.cut, question, sets=sets), presses)
        drawn = {"tree": _with_covers(judged, presses)}
    if at.kind != "moves":
        drawn["watch"] = _watched(question, at.kind, url(presses))
    return render_template(
        f"puzzles/{at.kind}.html",
        round=at,
        of=rounds.OF,
        presses=presses,
        url=url,
        it=judged,
        on=at.after(judged, presses),
        tip=tip,
        names=names(question.root) if isinstance(question, Lot) else {},
        **drawn,
    )


def _watched(question: Question, kind: Kind, here: str) -> str:
    """Return where Study shows the search of a question's tree.

    A search to cut is shown where it cuts. The way back leads `here`, to the question and its
    presses.
    """
    left = unquote(here).removeprefix(f"{url_for('.kinds_page')}/")
    url = partial(url_for, "study.page", question=left)
    if isinstance(question, Position):
        return url(where=question, scoring="flat", view="search")
    tree = OwnTree(question.values, question.is_max, None, left, by_lot(request.args))
    if kind == "values":
        return tree.url()
    return tree.url(algorithm="alpha-beta", step=cut_to_watch(question.root))


def _filled(question: Question, presses: str) -> Filling:
    """Judge the values of a tree. Raises ValueError for boards never asked."""
    if isinstance(question, Position) and not rounds.HARDNESS["values"](question):
        raise ValueError("that tree is none to fill in")
    return values.fill(question, presses)


def _address(at: Round, presses: str) -> str:
    """Return the address of this question after some presses."""
    asked: dict[str, Any] = {"round": at.number, "done": at.done or None}
    asked |= {name: one(request.args, name) for name in TREE}
    return url_for(request.endpoint or "", **asked, p=presses or None, **(request.view_args or {}))


# The board


def _with_moves(judged: Moves, url: Callable[[str], str]) -> dict[str, Any]:
    """Return the board of a question, and how the last wrong square is answered."""
    answered = answer(judged.position, judged.wrong[-1]) if judged.wrong else None
    if judged.found is None:
        cells = to_press(judged, answered, url=lambda square: url(judged.again(square)))
    else:
        cells = found_on(judged)
    wins = score(judged.position) > 0
    return {"position": judged.position, "wins": wins, "cells": cells, "answer": answered}


# The trees


def _with_values(judged: Filling, given: str) -> Tree:
    """Return the tree with the values given; all nodes without a value can be pressed."""
    root, last = judged.root, judged.last
    marks = Marks(root.walk(), number if root.stands is not None else figure)
    for place, node in zip(PLACES, judged.nodes, strict=False):
        mark = marks[node.digits]
        if node in judged.known:
            chosen = choice_of(node)
            for child in node.below:
                brought: Marking = {"edge": f"up {_look(node)}", "new": node == last}
                marks[child.digits] |= brought if child in chosen else {"look": "dimmed"}
        elif node == judged.at:
            mark |= {"chip": UNKNOWN, "look": "is-here"}
        else:
            mark |= {"chip": UNKNOWN, "press": State(p=(*given, place))}
    if last and last not in judged.known:
        _, refused = judged.wrong[-1]
        carry = [child for child in last.below if child.value == refused]
        if carry:
            marks[last.digits]["pulse"] = "badge"
        for child in carry or last.below:
            marks[child.digits]["pulse"] = "chip"
    return marks.on(root)


def _put_under(marks: Marks, last: Said, covered: Node) -> None:
    """Show the number put under a cover, and what the fork above now takes."""
    assert last.set_to is not None
    pick = max if last.fork.is_max else min
    taken = pick(last.best, last.set_to)
    marks[covered.digits]["plate"] = figure(last.set_to).text
    if taken != last.best:
        marks[last.fork.digits]["chip"] = figure(taken)
        for child in last.fork.below:
            marks[child.digits].pop("edge", None)
        marks[covered.digits] |= {"edge": "up nobody", "new": True}


def choice_of(node: Node) -> list[Node]:
    """Return the children that bring a node its value: of numbers the first, of boards all."""
    equal = [child for child in node.below if child.value == node.value]
    return equal if node.stands is not None else equal[:1]


def _look(node: Node) -> str:
    """Return the colour of a value: that of who gains on boards, ink for numbers."""
    return number(node.value).look if node.stands is not None else "nobody"


def _with_covers(judged: Cuts, presses: str) -> Tree:
    """Return the tree with the leaves looked at; the next covered leaf can be pressed."""
    root, marks = judged.root, Marks()
    gone = {leaf for node in judged.gone for leaf in node.leaves}
    for node in root.walk():
        value = judged.values.get(node.path)
        if node.below:
            marks[node.digits]["chip"] = UNKNOWN
            if value is None:
                continue
            if known := judged.certain.get(node.path):
                sign, certain = known
                chip = Chip(f"{sign} {figure(certain).text}".strip(), "nobody")
                marks[node.digits]["chip"] = chip
            brought = next(c for c in node.below if judged.values.get(c.path) == value)
            marks[brought.digits]["edge"] = "up nobody"
        elif node not in judged.looked:
            marks[node.digits]["look"] = "dimmed" if node in gone else "covered"
    for node in judged.gone:
        marks[node.digits]["edge"] = "cut"
        marks[node.digits]["new"] = presses.endswith("c") and node == judged.gone[-1]
    if judged.next:
        marks[judged.next.digits]["look"] = "covered asks"
        if judged.to_set and judged.last and judged.last.set_to is not None:
            _put_under(marks, judged.last, judged.next)
    if judged.asks:  # to look or to cut is asked: a press on the leaf would answer unawares
        marks[judged.asks.digits]["look"] = "is-here"
    elif judged.next:
        marks[judged.next.digits]["press"] = State(p=(*presses, "u"))
    for leaf in judged.looked[-1:]:
        marks[leaf.digits]["new"] = True
    return marks.on(root)
