"""How a Python file is asked for a move: by --call, by known names, or from a table of calls.

All of it runs in the program's own process, on its own objects. A row of the table fits if its
trial answers are legal moves and the marks that the program puts on boards do not contradict it. If
rows that fit disagree, none is used.
"""

from __future__ import annotations

import ast
import builtins
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, Literal, NamedTuple

from judge.boards import OTHER, Marks, Watch, call_values, is_same, square_of, turn_of
from judge.lines import Fact, describe_error, short_repr
from judge.source import MARK_WORDS, Source, split_words

Names = dict[str, Any]
Kind = Literal[
    "choose",  # choose(board), with nine characters
    "course",  # the seven functions of CS50's course
    "given",  # by --call
    "tried",  # found by trying the rows of the table
]
VALUE_NAMES = ("board", "rows", "text", "mark", "other")
NOT_MOVE_WORDS = {"human", "user", "random", "easy", "valid", "legal", "undo"}
MOVE_WORDS = {"move", "turn", "choose"}
EMPTY_VALUES = (None, " ", "-", "_", ".", "", 0)
EMPTY_NAMES = ("EMPTY", "BLANK", "empty", "blank", "Empty")
LETTER_PAIRS = (("X", "O"), ("x", "o"), ("X", "0"))
NUMBER_PAIRS = ((1, -1), (1, 2), (-1, 1), (2, 1))


class Call(NamedTuple):
    """A way to call a program for a move."""

    kind: Kind
    expression: str  # uses VALUE_NAMES and the names that the file defines
    marks: Marks = Marks()
    allows_pairs: bool = False  # whether an answer may be a (row, column)
    sides: tuple[str, ...] = ("X", "O")  # the marks that the program plays

    def to_dict(self) -> dict[str, Any]:
        """Return the call as a dictionary that JSON can hold."""
        return {**self._asdict(), "marks": [format_mark(mark) for mark in self.marks[:3]]}


class Trial(NamedTuple):
    """The outcome of a call on one board."""

    text: str
    square: int | None
    shown: str
    raised: str
    first: Any = None  # this and the next two are those of Watch
    new_marks: Sequence[Any] = ()
    has_searched: bool = False

    @property
    def is_legal(self) -> bool:
        """Whether the answer is a legal move."""
        return self.square in range(9) and self.text[self.square or 0] == "-"


RunTrial = Callable[[Callable[[], Any]], Any]  # calls a function, or returns None if it hung before
CallChoice = tuple[int, tuple[str, ...]]  # the index of a row, and the sides it plays


def format_mark(mark: Any) -> str:
    """Return a mark as source code writes it."""
    return short_repr(mark) if not hasattr(mark, "name") else f"{type(mark).__name__}.{mark.name}"


@cache
def code_of(expression: str) -> Any:
    """Return the code of a lambda that takes VALUE_NAMES and `action`, and evaluates this."""
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
    named_empties = [names[name] for name in EMPTY_NAMES if _is_mark(names, name)]
    written_empties = [value for value in EMPTY_VALUES if repr(value) in source.constants]
    empties = named_empties[:1] or written_empties or [*EMPTY_VALUES]
    pairs: list[tuple[Any, Any]]
    pairs = [pair for pair in LETTER_PAIRS if all(repr(mark) in source.constants for mark in pair)]
    pairs += [pair for pair in NUMBER_PAIRS if all(repr(mark) in source.constants for mark in pair)]
    if _is_mark(names, "X") and _is_mark(names, "O"):
        pairs = [(names["X"], names["O"])]
    choices = [
        Marks(x, o, empty, (x, o) in pairs)
        for x, o in dict.fromkeys((*pairs, LETTER_PAIRS[0]))
        for empty in empties
        if isinstance(x, str) or empty is None or not isinstance(empty, str)
        if not any(is_same(mark, empty) for mark in (x, o))
    ]
    # If no pair in the file goes with an empty value, X and O are as likely as any other pair.
    with_marks = {repr(marks.empty) for marks in choices if marks.are_written}
    return [marks._replace(are_written=marks.are_written or repr(marks.empty) not in with_marks)
            for marks in choices]  # fmt: skip


def _is_mark(names: Names, name: str) -> bool:
    return isinstance(names.get(name, ()), (str, int, type(None)))


def table_calls(names: Names, source: Source, mark_sets: Sequence[Marks]) -> Iterator[Call]:
    """Yield the rows of the table: each function named like a move, on each shape of board."""
    for name in source.functions:
        parts = {*split_words(name)}
        if "." in name or not parts & MOVE_WORDS or parts & NOT_MOVE_WORDS or name not in names:
            continue
        arguments = source.required_parameters(name)
        takes_mark = len(arguments) == 2 and {*split_words(arguments[1])} & MARK_WORDS
        if len(arguments) == 1 or takes_mark:
            mark = ", mark" * (len(arguments) - 1)
            for shape in ("rows", "board") if source.indexes_twice else ("board", "rows"):
                for marks in mark_sets:
                    yield Call("tried", f"{name}({shape}{mark})", marks, shape == "rows")


def explicit_calls(call: str, mark_sets: Sequence[Marks]) -> Iterator[Call]:
    """Yield the calls that a --call expression may mean, one for each set of marks."""
    # With a list of nine, a pair is (score, move).
    allows_pairs = "board" not in call or "rows" in call
    needs_marks = any(name in call for name in VALUE_NAMES if name != "text")
    for marks in mark_sets if needs_marks else [Marks()]:
        yield Call("given", call, marks, allows_pairs)


def candidate_calls(names: Names, source: Source, call: str, marks: str) -> Iterator[Call]:
    """Return the calls to try on a file, from --call or from the table.

    Raises any exception that evaluating --marks raises.
    """
    mark_sets = [Marks(*eval(marks, names))] if marks else marks_in(names, source)
    return explicit_calls(call, mark_sets) if call else table_calls(names, source, mark_sets)


def find_call(
    rows: Sequence[Call], names: Names, folder: str, boards: Sequence[str], call: str,
    run_trial: RunTrial,
) -> CallChoice | Fact:  # fmt: skip
    """Return the index of the row to call and the sides it plays, or why there is none."""
    if call and (undefined := _undefined_name(call, names)):
        return "no such name", undefined
    fitting: list[tuple[int, Call, list[int | None]]] = []
    legal_counts = []
    for n, row in enumerate(rows):
        trials = run_trial(partial(try_call, row, names, folder, boards)) or []
        legal_counts.append(sum(trial.is_legal for trial in trials))
        if confirmed_call := confirm(row, trials):
            fitting.append((n, confirmed_call, [trial.square for trial in trials]))
    if not fitting:
        return (legal_counts.index(max(legal_counts)), ("X", "O")) if call else ("no call",)
    index, first, answers = fitting[0]
    for _, other, other_answers in fitting[1:]:
        if other.expression != first.expression:
            return "two calls", first.expression, other.expression
        if (other_answers, other.sides) != (answers, first.sides):
            mark_lists = [", ".join(choice.to_dict()["marks"]) for choice in (first, other)]
            return "two kinds of marks", first.expression, *mark_lists
    return index, first.sides


def _undefined_name(call: str, names: Names) -> str:
    """Return a name in a call that is not defined anywhere, or "" if there is none."""
    nodes = [*ast.walk(ast.parse(call, mode="eval"))]
    used = {node.id: node.ctx for node in nodes if isinstance(node, ast.Name)}
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)} | {*names, *VALUE_NAMES}
    bound |= {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return next((name for name in used if name not in bound and not hasattr(builtins, name)), "")


def try_call(call: Call, names: Names, folder: str, boards: Sequence[str]) -> list[Trial]:
    """Return the outcome of a call on each trial board, until two in a row are illegal."""
    trials: list[Trial] = []
    for text in boards:
        random.seed(text)
        board_values, value, raised = call_values(text, call.marks), None, ""
        watch = Watch(folder, text, call.marks, (board_values, names))
        try:
            with watch:
                value = evaluate(call.expression, names, board_values)
        except BaseException as error:
            raised = describe_error(error)
        square = None if raised else square_of(value, text, call.marks, call.allows_pairs)
        marks = watch.first, watch.new_marks, watch.has_searched
        trials.append(Trial(text, square, short_repr(value), raised, *marks))
        if not any(trial.is_legal for trial in trials[-2:]) and len(trials) > 1:
            break  # X and O take turns to move on these boards, so it failed as both
    return trials


def confirm(call: Call, trials: Sequence[Trial]) -> Call | None:
    """Return a call with the sides that the program plays, or None if the trials contradict it.

    A search first places a mark of the side that it plays for.
    """
    mark_of = {"X": call.marks.x, "O": call.marks.o}

    def side_of(mark: Any) -> str:
        return next((side for side in OTHER if is_same(mark_of[side], mark)), "?")

    sides_seen = {side_of(mark) for trial in trials for mark in trial.new_marks}
    are_known = sides_seen or (isinstance(call.marks.x, str) and call.marks.are_written)
    if "?" in sides_seen or not are_known:
        return None  # other marks, or unknown ones
    first_marks = [
        (turn_of(trial.text), side_of(trial.first)) for trial in trials if trial.new_marks
    ]
    sides = {side for _, side in first_marks}
    has_mark = "mark" in call.expression
    if not all(turn == side for turn, side in first_marks):
        if len(sides) == 1:
            call = call._replace(sides=(*sides,))
        elif not has_mark or any(trial.has_searched for trial in trials):
            return None
    own_trials = [trial for trial in trials if turn_of(trial.text) in call.sides]
    return call if own_trials and all(trial.is_legal for trial in own_trials) else None
