"""Practice: three kinds of questions, ten to a round; the URL holds the round and all presses."""

from __future__ import annotations

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
from engine.reasons import Explanation, explain
from engine.search import score
from teach.lesson.trees import tip
from teach.numbers import format_tree, node_names
from teach.puzzles import cuts, rounds, values
from teach.puzzles.cuts import CutPuzzle
from teach.puzzles.moves import Moves, find, keepers
from teach.puzzles.random_trees import PuzzleTree, cut_to_watch
from teach.puzzles.rounds import ROUNDS, Kind, Question
from teach.puzzles.values import PLACES, ValuePuzzle, choices
from web.http import forms
from web.http.addresses import takes
from web.http.files import allow_caching
from web.http.forms import get_single, parse_or_refuse
from web.puzzles.drawing import cover_tree, move_board, value_tree
from web.study.own import RANDOM, ByLot, OwnTree, by_lot, own_tree
from web.study.searchable import TOPS

puzzles = Blueprint("puzzles", __name__)
puzzles.after_request(allow_caching)

FOUND, MISSED = "f0"
KIND = f"/practise/<any({', '.join(ROUNDS)}):kind>"
CUT = PuzzleTree(((3, 5), (2, 7)))  # on the page of all kinds
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

    def after(self, judged: Moves | ValuePuzzle | CutPuzzle, presses: str) -> Round:
        """Return the round after another question; a round that is over stays over."""
        if self.number is None or self.is_over:
            return self
        missed = judged.wrong or "s" in presses
        return self._replace(done=self.done + (MISSED if missed else FOUND))


@puzzles.get("/practise")
def kinds_page() -> str:
    """Show the three kinds of practice, each by a piece of a question."""
    boards = value_tree(values.fill(Position.parse("XO-X-OOXX"), "0x1d"), "")
    return render_template(
        "puzzles/index.html",
        asked=Position.parse("X-OO--X--"),
        values=replace(boards, deep=1),
        cut=cover_tree(cuts.cut(CUT, "uuuc"), ""),
        names=node_names(CUT.root),
    )


@puzzles.get(KIND)
@takes("round", "done", "p", "best", *TREE)
def round_page(kind: Kind) -> ResponseReturnValue:
    """Ask about a tree in the address, ask the next question of a round, or sum the round up.

    Without a tree and a number, go to any round.
    """
    at = _round(kind)
    named = RANDOM if "seed" in request.args else get_single(request.args, "tree")
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
        best=forms.get_number(request.args, "best", rounds.OF),
        missed=again,
    )


@puzzles.get(f"{KIND}/<board>")
@takes("round", "done", "p", *TREE)
def board_page(kind: Kind, board: str) -> str:
    """Ask about a position, in a round or not."""
    if kind == "cuts":
        abort(404)
    return _ask(_round(kind), parse_or_refuse(Position.parse, board))


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


def _lot(kind: Kind, text: str) -> PuzzleTree:
    """Return the tree of numbers that an address names; refuse nonsense, and trees for moves."""
    if kind == "moves":
        abort(400, "A tree belongs to values and cuts.")
    tree = own_tree(text, request.args)
    return PuzzleTree(tree.values, tree.is_max)


def _round(kind: Kind, given: MultiDict[str, str] | None = None) -> Round:
    """Read from the address, or a form, how far the round is; refuse impossible outcomes."""
    args = request.args if given is None else given
    done = get_single(args, "done") or ""
    if not {*done} <= {FOUND, MISSED} or len(done) > rounds.OF:
        abort(400, f"done is at most {rounds.OF} letters of {MISSED}{FOUND}.")
    return Round(kind, forms.get_number(args, "round", rounds.ROUND_COUNT - 1), done)


class Again(NamedTuple):
    """Hold a question of a round that is over: where to try again, and what to draw.

    Of a move, `why` the right one is right, and whether it `wins`. A tree of numbers is named by
    its place in the round, `nth`.
    """

    url: str
    nth: int
    position: Position | None = None
    why: Explanation | None = None
    wins: bool = False


def _again(at: Round, nth: int, question: Question) -> Again:
    """Return a question to try again."""
    if isinstance(question, PuzzleTree):
        top = TOPS[not question.is_max]
        url = url_for(
            ".round_page",
            kind=at.kind,
            round=at.number,
            done=at.done,
            tree=format_tree(question.values),
            top=top,
        )
        return Again(url, nth)
    url = url_for(".board_page", kind=at.kind, board=question, round=at.number, done=at.done)
    right = explain(question, keepers(question)[0]) if at.kind == "moves" else None
    return Again(url, nth, question, right, score(question) > 0)


def _ask(at: Round, question: Question, sets: bool = False) -> str:
    """Ask a question, and judge the presses; `sets` is of cuts."""
    presses = get_single(request.args, "p") or ""
    url = partial(_address, at)
    judged: Moves | ValuePuzzle | CutPuzzle
    if at.kind == "moves" and isinstance(question, Position):
        judged = parse_or_refuse(partial(find, question), presses)
        drawn = move_board(judged, url)
    elif at.kind == "values":
        judged = parse_or_refuse(partial(_filled, question), presses)
        given = presses[: len(presses) // 2 * 2]  # a node alone at the end has no value yet
        offered = choices(judged.at) if judged.at else {}
        place = PLACES[judged.nodes.index(judged.at)] if judged.at else ""
        drawn = {"tree": value_tree(judged, given), "given": given}
        drawn |= {"choices": offered, "place": place}
    else:
        assert isinstance(question, PuzzleTree), "all that is cut are numbers"
        judged = parse_or_refuse(partial(cuts.cut, question, sets=sets), presses)
        drawn = {"tree": cover_tree(judged, presses)}
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
        names=node_names(question.root) if isinstance(question, PuzzleTree) else {},
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


def _filled(question: Question, presses: str) -> ValuePuzzle:
    """Judge the values of a tree. Raises ValueError for boards never asked."""
    if isinstance(question, Position) and not rounds.HARDNESS["values"](question):
        raise ValueError("that tree is none to fill in")
    return values.fill(question, presses)


def _address(at: Round, presses: str) -> str:
    """Return the address of this question after some presses."""
    asked: dict[str, Any] = {"round": at.number, "done": at.done or None}
    asked |= {name: get_single(request.args, name) for name in TREE}
    return url_for(request.endpoint or "", **asked, p=presses or None, **(request.view_args or {}))
