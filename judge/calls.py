"""How a Python file is asked for a move: by --call, by known names, or from a table of calls.

All of it runs in the program's own process, on its own objects. A call of the table fits if its
trial answers are legal moves and the marks that the program puts on boards do not contradict it. If
calls that fit disagree, none is used.
"""

from __future__ import annotations

import ast
import builtins
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, Literal, NamedTuple

from judge.boards import Marks, Watch, call_values, is_same, square_of, turn_of
from judge.lines import Fact, describe_error, short_repr
from judge.source import MARK_WORDS, Source, split_words

Names = dict[str, Any]  # the values of a file's global variables, by name
CallKind = Literal[
    "choose",  # choose(board), with nine characters
    "course",  # the seven functions of CS50's course
    "given",  # by --call
    "tried",  # found by trying the calls of the table
]
VALUE_NAMES = ("board", "rows", "text", "mark", "other")  # what `call_values` gives a call
# Fewer words than in call_guess.py, because calls with these are used, and not only suggested.
MOVE_WORDS = {"move", "turn", "choose"}
NOT_MOVE_WORDS = {"human", "user", "random", "easy", "valid", "legal", "undo"}
EMPTY_VALUES = (None, " ", "-", "_", ".", "", 0)
EMPTY_NAMES = ("EMPTY", "BLANK", "empty", "blank", "Empty")
LETTER_PAIRS = (("X", "O"), ("x", "o"), ("X", "0"))
NUMBER_PAIRS = ((1, -1), (1, 2), (-1, 1), (2, 1))


class Call(NamedTuple):
    """A way to call a program for a move."""

    kind: CallKind
    expression: str  # uses VALUE_NAMES and the names that the file defines
    marks: Marks = Marks()
    allows_pairs: bool = False  # whether an answer may be a (row, column)
    sides: tuple[str, ...] = ("X", "O")  # the marks that the program plays

    def to_dict(self) -> dict[str, Any]:
        """Return the call as a dictionary that JSON can hold."""
        marks = (self.marks.x, self.marks.o, self.marks.empty)
        return {**self._asdict(), "marks": [format_mark(mark) for mark in marks]}


class Trial(NamedTuple):
    """The outcome of a call on one board."""

    text: str  # the board
    square: int | None  # what the answer means, or None if it does not mean a square
    shown: str  # the answer as it is written
    raised: str  # what the call raised; "" if it returned
    first_mark: Any = None  # this and the next two are those of Watch
    new_marks: Sequence[Any] = ()
    has_searched: bool = False

    @property
    def is_legal(self) -> bool:
        """Whether the answer is a legal move."""
        return self.square is not None and 0 <= self.square < 9 and self.text[self.square] == "-"


class FittingCall(NamedTuple):
    """A candidate that its trials confirm."""

    candidate_index: int
    call: Call  # with the sides that it plays
    answers: list[int | None]  # the square for each trial board


class CallChoice(NamedTuple):
    """The call that is used for a file."""

    candidate_index: int
    sides: tuple[str, ...] = ("X", "O")  # the marks that the program plays


RunTrial = Callable[[Callable[[], Any]], Any]  # calls a function, or returns None to skip a trial


def format_mark(mark: Any) -> str:
    """Return a mark as source code writes it."""
    return short_repr(mark) if not hasattr(mark, "name") else f"{type(mark).__name__}.{mark.name}"


@cache
def code_of(expression: str) -> Any:
    """Return the code of a lambda of VALUE_NAMES and `action` that evaluates an expression."""
    return compile(f"lambda {', '.join(VALUE_NAMES)}, action: ({expression}\n)", "<call>", "eval")


def evaluate(expression: str, names: Names, board_values: Names) -> Any:
    """Return the value of an expression, given the names of a file and the values of a board."""
    return eval(code_of(expression), names)(
        *(board_values[name] for name in VALUE_NAMES), board_values.get("action")
    )


def known_call(source: Source) -> Call | None:
    """Return the call of a file with `choose` or the functions of the course, or None."""
    if "choose" in source.functions and len(source.required_parameters("choose")) == 1:
        return Call("choose", "choose(text)")
    if source.course_functions:
        return Call("course", "minimax(rows)", allows_pairs=True)
    return None


def course_marks(names: Names) -> Marks:
    """Return the marks of a file of the course: its X, O and EMPTY."""
    return Marks(names.get("X", "X"), names.get("O", "O"), names.get("EMPTY"))


def marks_in(names: Names, source: Source) -> list[Marks]:
    """Return the marks that a file may put on its boards, most likely first."""

    def is_written(value: Any) -> bool:
        return repr(value) in source.constants

    named_empties = [names[name] for name in EMPTY_NAMES if _is_mark_name(name, names)]
    written_empties = [value for value in EMPTY_VALUES if is_written(value)]
    empties = named_empties[:1] or written_empties or [*EMPTY_VALUES]
    pairs: list[tuple[Any, Any]]
    if _is_mark_name("X", names) and _is_mark_name("O", names):
        pairs = [(names["X"], names["O"])]
    else:
        pairs = [pair for pair in (*LETTER_PAIRS, *NUMBER_PAIRS) if all(map(is_written, pair))]
    mark_sets = [
        Marks(x, o, empty, are_likely=(x, o) in pairs)
        for x, o in dict.fromkeys((*pairs, LETTER_PAIRS[0]))
        for empty in empties
        if _go_together(x, o, empty)
    ]
    # If no pair in the file goes with an empty value, X and O are as likely as any other pair.
    empties_with_pairs = {repr(marks.empty) for marks in mark_sets if marks.are_likely}
    return [
        marks if repr(marks.empty) in empties_with_pairs else marks._replace(are_likely=True)
        for marks in mark_sets
    ]


def _is_mark_name(name: str, names: Names) -> bool:
    """Return whether a file defines a name as a value that its boards may hold."""
    return name in names and isinstance(names[name], (str, int, type(None)))


def _go_together(x: Any, o: Any, empty: Any) -> bool:
    """Return whether the same board may hold these; numbers do not go with an empty string."""
    are_distinct = not any(is_same(mark, empty) for mark in (x, o))
    return are_distinct and (isinstance(x, str) or not isinstance(empty, str))


def table_calls(names: Names, source: Source, mark_sets: Sequence[Marks]) -> Iterator[Call]:
    """Yield the calls of the table: each function named like a move, on each shape of board."""
    for name in source.functions:
        words = {*split_words(name)}
        if "." in name or not words & MOVE_WORDS or words & NOT_MOVE_WORDS or name not in names:
            continue
        parameters = source.required_parameters(name)
        takes_mark = len(parameters) == 2 and {*split_words(parameters[1])} & MARK_WORDS
        if len(parameters) == 1 or takes_mark:
            more_arguments = ", mark" if takes_mark else ""
            for shape in ("rows", "board") if source.indexes_twice else ("board", "rows"):
                for marks in mark_sets:
                    expression = f"{name}({shape}{more_arguments})"
                    yield Call("tried", expression, marks, allows_pairs=shape == "rows")


def explicit_calls(expression: str, mark_sets: Sequence[Marks]) -> Iterator[Call]:
    """Yield the calls that a --call expression may mean, one for each set of marks."""
    # With a list of nine, a pair is (score, move).
    allows_pairs = "board" not in expression or "rows" in expression
    needs_marks = any(name in expression for name in VALUE_NAMES if name != "text")
    for marks in mark_sets if needs_marks else [Marks()]:
        yield Call("given", expression, marks, allows_pairs)


def candidate_calls(
    names: Names, source: Source, given_call: str, given_marks: str
) -> Iterator[Call]:
    """Return the calls to try on a file, from --call or, if it is "", from the table.

    Raises any exception that evaluating --marks raises.
    """
    mark_sets = [Marks(*eval(given_marks, names))] if given_marks else marks_in(names, source)
    if given_call:
        return explicit_calls(given_call, mark_sets)
    return table_calls(names, source, mark_sets)


def find_call(
    candidates: Sequence[Call], names: Names, folder: str, boards: Sequence[str], given_call: str,
    run_trial: RunTrial,
) -> CallChoice | Fact:  # fmt: skip
    """Return the candidate to call, or why there is none."""
    if given_call and (undefined := _undefined_name(given_call, names)):
        return "no such name", undefined
    fitting: list[FittingCall] = []
    legal_counts = []
    for index, candidate in enumerate(candidates):
        trials = run_trial(partial(try_call, candidate, names, folder, boards)) or []
        legal_counts.append(sum(trial.is_legal for trial in trials))
        if confirmed_call := confirm(candidate, trials):
            answers = [trial.square for trial in trials]
            fitting.append(FittingCall(index, confirmed_call, answers))
    if fitting:
        return _agreed_choice(fitting)
    # A given call is tested even if its answers are wrong.
    return CallChoice(legal_counts.index(max(legal_counts))) if given_call else ("no call",)


def _agreed_choice(fitting: Sequence[FittingCall]) -> CallChoice | Fact:
    """Return the first of the calls that fit, or how another one disagrees with it."""
    index, first, answers = fitting[0]
    for _, other, other_answers in fitting[1:]:
        if other.expression != first.expression:
            return "two calls", first.expression, other.expression
        if (other_answers, other.sides) != (answers, first.sides):
            mark_lists = [", ".join(call.to_dict()["marks"]) for call in (first, other)]
            return "two kinds of marks", first.expression, *mark_lists
    return CallChoice(index, first.sides)


def _undefined_name(expression: str, names: Names) -> str:
    """Return the first name in an expression that is not defined anywhere, or "" if all are."""
    defined = {*names, *VALUE_NAMES, *dir(builtins)}
    used = []
    for node in ast.walk(ast.parse(expression, mode="eval")):
        if isinstance(node, ast.arg):  # a parameter of a lambda
            defined.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):  # of a comprehension
            defined.add(node.id)
        elif isinstance(node, ast.Name):
            used.append(node.id)
    return next((name for name in used if name not in defined), "")


def try_call(call: Call, names: Names, folder: str, boards: Sequence[str]) -> list[Trial]:
    """Return the outcome of a call on each trial board, until two in a row are illegal."""
    trials: list[Trial] = []
    for text in boards:
        random.seed(text)
        board_values = call_values(text, call.marks)
        value, raised = None, ""
        watch = Watch(folder, text, call.marks, (board_values, names))
        try:
            with watch:
                value = evaluate(call.expression, names, board_values)
        except BaseException as error:
            raised = describe_error(error)
        square = None if raised else square_of(value, text, call.marks, call.allows_pairs)
        marks = watch.first_mark, watch.new_marks, watch.has_searched
        trials.append(Trial(text, square, short_repr(value), raised, *marks))
        if not any(trial.is_legal for trial in trials[-2:]) and len(trials) > 1:
            break  # X and O take turns to move on these boards, so it failed as both
    return trials


def confirm(call: Call, trials: Sequence[Trial]) -> Call | None:
    """Return a call with the sides that the program plays, or None if the trials contradict it.

    If the trials show no marks, only likely letters are accepted. A search first places a mark of
    the side that it plays for.
    """
    values = {"X": call.marks.x, "O": call.marks.o}

    def side_of(mark: Any) -> str:
        """Return the side of a mark, or "?" if the call has other marks."""
        return next((side for side, value in values.items() if is_same(value, mark)), "?")

    sides_seen = {side_of(mark) for trial in trials for mark in trial.new_marks}
    has_evidence = sides_seen or (isinstance(call.marks.x, str) and call.marks.are_likely)
    if "?" in sides_seen or not has_evidence:
        return None
    trials_with_marks = [trial for trial in trials if trial.new_marks]
    first_sides = [side_of(trial.first_mark) for trial in trials_with_marks]
    turns = [turn_of(trial.text) for trial in trials_with_marks]
    if first_sides != turns:
        if len({*first_sides}) == 1:  # it plays only this side
            call = call._replace(sides=(first_sides[0],))
        # Without a search, a rule that is given the mark may look at the opponent's moves first.
        elif "mark" not in call.expression or any(trial.has_searched for trial in trials):
            return None
    own_trials = [trial for trial in trials if turn_of(trial.text) in call.sides]
    return call if own_trials and all(trial.is_legal for trial in own_trials) else None
