"""Puzzles: three kinds of questions, ten to a round.

An address has the state of a round: its number, how its questions went, and the presses of the
current question. The session has the best results.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from teach.lesson.trees import tip_position
from teach.numbers import format_tree, node_names
from teach.puzzles import cuts, rounds, values
from teach.puzzles.cuts import CutPuzzle
from teach.puzzles.moves import MovePuzzle, move_puzzle, saving_moves
from teach.puzzles.random_trees import PuzzleTree, cutoff_step_to_watch
from teach.puzzles.rounds import ROUNDS, Kind, Question
from teach.puzzles.values import ADDRESS_KEYS, ValuePuzzle, value_choices
from web.http import forms
from web.http.addresses import takes
from web.http.files import allow_caching
from web.http.forms import get_single, parse_or_refuse
from web.puzzles import words
from web.puzzles.drawing import move_context, pruning_tree, value_tree
from web.study.own import RANDOM, OwnTree, RandomTreeSpec, get_random_spec, parse_own_tree
from web.study.searchable import ROOT_SIDES

puzzles = Blueprint("puzzles", __name__)
puzzles.after_request(allow_caching)
puzzles.app_template_filter("rich_tree")(words.rich_tree)

# How a question of a round went, as a character of `done`.
RIGHT = "f"  # found on the first try
MISSED = "0"

KIND_RULE = f"/practise/<any({', '.join(ROUNDS)}):kind>"
EXAMPLE_TREE = PuzzleTree(((3, 5), (2, 7)))  # on the page of the three kinds
TREE_ARGS = ("tree", *RandomTreeSpec._fields, "top")  # the query parameters of a tree


class Round(NamedTuple):
    """The state of a round."""

    kind: Kind
    number: int | None = None  # None if the question is not part of a round
    done: str = ""  # a character for each question: RIGHT on the first try, otherwise MISSED

    @property
    def is_over(self) -> bool:
        """Whether all ten questions are done."""
        return len(self.done) == rounds.QUESTION_COUNT

    @property
    def right_count(self) -> int:
        """The number of questions answered right on the first try."""
        return self.done.count(RIGHT)

    @property
    def grade(self) -> Literal["all", "most", "some"]:
        """How many questions were right on the first try; "most" is more than half."""
        if self.right_count == rounds.QUESTION_COUNT:
            return "all"
        return "most" if 2 * self.right_count > rounds.QUESTION_COUNT else "some"

    def after(self, puzzle: MovePuzzle | ValuePuzzle | CutPuzzle, presses: str) -> Round:
        """Return the round after another question; a round that is over does not change."""
        if self.number is None or self.is_over:
            return self
        is_missed = puzzle.has_mistake or "s" in presses  # `s` shows the answer
        return self._replace(done=self.done + (MISSED if is_missed else RIGHT))


@puzzles.get("/practise")
def kinds_page() -> str:
    """Show the three kinds of puzzles, with a sample of each."""
    tree = value_tree(values.value_puzzle(Position.parse("XO-X-OOXX"), "0x1d"), "")
    return render_template(
        "puzzles/index.html",
        board=Position.parse("X-OO--X--"),
        values=replace(tree, drawn_level_count=1),
        cut=pruning_tree(cuts.cut_puzzle(EXAMPLE_TREE, "uuuc"), ""),
        names=node_names(EXAMPLE_TREE.root),
    )


@puzzles.get(KIND_RULE)
@takes("round", "done", "p", "best", *TREE_ARGS)
def round_page(kind: Kind) -> ResponseReturnValue:
    """Show a question about a tree, the next question of a round, or the summary of a round.

    If the address names neither a tree nor a round, redirect to a random round.
    """
    round_ = _parse_round(kind)
    tree_text = RANDOM if "seed" in request.args else get_single(request.args, "tree")
    if tree_text is not None:
        return _render_question(round_, _parse_tree(kind, tree_text))
    if round_.number is None:
        number = current_app.config["RNG"].choice(range(rounds.ROUND_COUNT))
        return redirect(url_for(".round_page", kind=kind, round=number))
    questions = rounds.round_questions(kind, round_.number)
    if round_.is_over:
        return _render_summary(round_, questions)
    return _render_question(round_, questions[len(round_.done)], is_in_round=True)


def _render_summary(round_: Round, questions: Sequence[Question]) -> str:
    """Return the summary of a round, with links to the missed questions; if none, to all."""
    missed_numbers = [number for number, outcome in enumerate(round_.done, 1) if outcome == MISSED]
    numbers = missed_numbers or range(1, len(questions) + 1)
    return render_template(
        "puzzles/over.html",
        sentences=words,
        round=round_,
        question_count=rounds.QUESTION_COUNT,
        best=forms.get_number(request.args, "best", rounds.QUESTION_COUNT),
        links=[_question_link(round_, number, questions[number - 1]) for number in numbers],
    )


@puzzles.get(f"{KIND_RULE}/<board>")
@takes("round", "done", "p", *TREE_ARGS)
def board_page(kind: Kind, board: str) -> str:
    """Show the question about a position, in a round or on its own."""
    if kind == "cuts":
        abort(404)
    return _render_question(_parse_round(kind), parse_or_refuse(Position.parse, board))


@puzzles.post(f"{KIND_RULE}/done")
def finish_round(kind: Kind) -> ResponseReturnValue:
    """Save the best result for a kind, and redirect to the summary of this round."""
    round_ = _parse_round(kind, request.form)
    if round_.number is None or not round_.is_over:
        abort(400, f"done is {rounds.QUESTION_COUNT} characters, the outcomes of a round.")
    best_counts = _load_best_counts()
    best = max(round_.right_count, best_counts.get(kind, 0))
    session["best"] = best_counts | {kind: best}
    session.permanent = True
    summary = url_for(".round_page", kind=kind, round=round_.number, done=round_.done, best=best)
    return redirect(summary, 303)


def _load_best_counts() -> dict[str, int]:
    """Load the count of right answers in the best round of each kind; ignore invalid values."""
    saved = session.get("best")
    counts = saved if isinstance(saved, dict) else {}
    valid_counts = range(rounds.QUESTION_COUNT + 1)
    return {kind: counts[kind] for kind in ROUNDS if counts.get(kind) in valid_counts}


def _parse_tree(kind: Kind, text: str) -> PuzzleTree:
    """Parse the tree of numbers in an address; refuse an invalid one, or any for "moves"."""
    if kind == "moves":
        abort(400, "Only values and cuts take a tree.")
    tree = parse_own_tree(text, request.args)
    return PuzzleTree(tree.values, tree.is_max)


def _parse_round(kind: Kind, form: MultiDict[str, str] | None = None) -> Round:
    """Parse the state of the round, from a form or an address; refuse an invalid one."""
    args = request.args if form is None else form
    done = get_single(args, "done") or ""
    if not {*done} <= {RIGHT, MISSED} or len(done) > rounds.QUESTION_COUNT:
        abort(400, f"done is at most {rounds.QUESTION_COUNT} characters, each {MISSED} or {RIGHT}.")
    return Round(kind, forms.get_number(args, "round", rounds.ROUND_COUNT - 1), done)


class QuestionLink(NamedTuple):
    """A question of a round that is over, as a link to try it again."""

    url: str
    number: int  # in the round
    position: Position | None = None  # None for a tree of numbers
    explanation: Explanation | None = None  # of the right move, if the question asked for a move
    is_win: bool = False  # whether the position is won for the side to move


def _question_link(round_: Round, number: int, question: Question) -> QuestionLink:
    """Return the link to a question of a round that is over."""
    if isinstance(question, PuzzleTree):
        top = ROOT_SIDES[not question.is_max]
        url = url_for(
            ".round_page",
            kind=round_.kind,
            round=round_.number,
            done=round_.done,
            tree=format_tree(question.values),
            top=top,
        )
        return QuestionLink(url, number)
    url = url_for(
        ".board_page", kind=round_.kind, board=question, round=round_.number, done=round_.done
    )
    explanation = explain(question, saving_moves(question)[0]) if round_.kind == "moves" else None
    return QuestionLink(url, number, question, explanation, score(question) > 0)


def _render_question(round_: Round, question: Question, is_in_round: bool = False) -> str:
    """Return the page of a question after its presses."""
    presses = get_single(request.args, "p") or ""
    url = partial(_question_url, round_)
    puzzle: MovePuzzle | ValuePuzzle | CutPuzzle
    if round_.kind == "moves" and isinstance(question, Position):
        puzzle = parse_or_refuse(partial(move_puzzle, question), presses)
        context = move_context(puzzle, url)
    elif round_.kind == "values":
        puzzle = parse_or_refuse(partial(_value_puzzle, question), presses)
        context = _value_context(puzzle, presses)
    else:
        assert isinstance(question, PuzzleTree), "only trees of numbers can be pruned"
        puzzle = parse_or_refuse(partial(_cut_puzzle, round_, question, is_in_round), presses)
        context = {"tree": pruning_tree(puzzle, presses)}
    if round_.kind != "moves":
        context["watch_url"] = _watch_url(question, round_.kind, url(presses))
    return render_template(
        f"puzzles/{round_.kind}.html",
        sentences=words,
        round=round_,
        question_count=rounds.QUESTION_COUNT,
        presses=presses,
        url=url,
        puzzle=puzzle,
        next_round=round_.after(puzzle, presses),
        tip_position=tip_position,
        names=node_names(question.root) if isinstance(question, PuzzleTree) else {},
        **context,
    )


def _watch_url(question: Question, kind: Kind, question_url: str) -> str:
    """Return the address of the search of a question's tree in Study, which links back.

    For a question about cutoffs, the search opens at a cutoff.
    """
    way_back = unquote(question_url).removeprefix(f"{url_for('.kinds_page')}/")
    url = partial(url_for, "study.page", question=way_back)
    if isinstance(question, Position):
        return url(where=question, scoring="flat", view="search")
    tree = OwnTree(question.values, question.is_max, None, way_back, get_random_spec(request.args))
    if kind == "values":
        return tree.url()
    return tree.url(algorithm="alpha-beta", step=cutoff_step_to_watch(question.root))


def _value_puzzle(question: Question, presses: str) -> ValuePuzzle:
    """Return the puzzle after some presses.

    Raises ValueError if no round can have this board, or if a press is not possible.
    """
    if isinstance(question, Position) and not rounds.DIFFICULTY_FUNCTIONS["values"](question):
        raise ValueError("that tree cannot be filled in")
    return values.value_puzzle(question, presses)


def _value_context(puzzle: ValuePuzzle, presses: str) -> dict[str, Any]:
    """Return the template values of a question about values: its tree, and what can be chosen."""
    node = puzzle.open_node
    # An answer is two characters, for a node and its value; a single one at the end opens a node.
    answers = presses[: len(presses) // 2 * 2]
    return {
        "tree": value_tree(puzzle, answers),
        "answers": answers,
        "choices": value_choices(node) if node else {},
        "node_key": ADDRESS_KEYS[puzzle.nodes.index(node)] if node else "",
    }


def _cut_puzzle(round_: Round, question: PuzzleTree, is_in_round: bool, presses: str) -> CutPuzzle:
    """Return the puzzle after some presses; in a round, some questions ask for more than cutoffs.

    Raises ValueError if a press is not possible.
    """
    index = len(round_.done)
    return cuts.cut_puzzle(
        question,
        presses,
        asks_for_numbers=is_in_round and rounds.asks_for_numbers(round_.kind, index),
        asks_for_window=is_in_round and rounds.asks_for_window(round_.kind, index),
    )


def _question_url(round_: Round, presses: str) -> str:
    """Return the address of the question after some presses."""
    args: dict[str, Any] = {"round": round_.number, "done": round_.done or None}
    args |= {name: get_single(request.args, name) for name in TREE_ARGS}
    return url_for(request.endpoint or "", **args, p=presses or None, **(request.view_args or {}))
