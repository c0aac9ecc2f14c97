"""Comparison of the functions of a Python file with the rules, on every board they may be given."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import combinations, product
from typing import Any, NamedTuple

from engine.position import (
    FULL,
    LINES,
    SQUARE_NAMES,
    SQUARES_IN,
    Line,
    Mark,
    O,
    Position,
    Square,
    X,
)
from engine.symmetry import reachable_positions
from judge.lines import Fact
from judge.players import PythonFile
from judge.source import BOARD_WORDS, MARK_WORDS, Source, split_words
from judge.ways import SquareOrder

BATCH_SIZE = 1000  # boards per request
BATCH_TIMEOUT = 60.0  # seconds for a batch
SAMPLE_STEP = 40  # `result` is given an illegal action on every 40th board only
MIN_WRONG_BOARDS = 50  # this many wrong boards do not share a feature by chance
MAX_WRONG_SHARE = 0.4  # if more answers seem wrong, the function means something else by them
RESULT_CALL = "result(rows, action)"
BOARD_NAMES = ("board", "rows", "text")  # what a call expression may name the board
SCORES: dict[Mark | None, int] = {X: 1, O: -1, None: 0}  # by winner
# Words in the names of functions, by what such a function returns.
WIN_WORDS = {"winner", "winners", "won", "win", "wins", "winning", "utility", "evaluate",
             "check", "victory", "three", "result"}  # fmt: skip
END_WORDS = {"terminal", "over", "finished", "ended", "end"}
FREE_WORDS = {"available", "empty", "free", "possible", "legal", "valid", "remaining"}
SQUARE_WORDS = {"moves", "cells", "squares", "spots", "actions", "spaces", "positions", "indices",
                "places", "fields"}  # fmt: skip
# With one of these words, a function returns something else, in spite of its other words.
NOT_WIN_WORDS = FREE_WORDS | {"move", "moves", "can", "next", "if", "would", "full", "space",
                              "input", "draw", "tie"}  # fmt: skip
NOT_END_WORDS = {"draw", "tie", "full", "board"}
WIN_MARK_WORDS = MARK_WORDS | {"le"}  # isWinner(bo, le) is in a well-known book

Result = Mapping[str, Any]  # on one board, as `evaluate_on_board` in child.py returns it
Results = Sequence[Result]
MoveCase = tuple[Position, Square | None]  # a board, and for `result` a move on it
MarkCase = tuple[Position, Mark | None]  # a board, and the mark that is passed, if any

NOTHING_COMMON: Fact = ("",)  # if wrong boards share nothing that words.py has a text for
ROWS, COLUMNS = LINES[:3], LINES[3:6]
board_text = cache(str)  # the same boards are sent for each function of each program


class Question(NamedTuple):
    """A board to evaluate an expression on, and the other values that the expression uses."""

    board: str
    mark: str = ""
    action: Sequence[int] = ()  # (row, column)


class WrongFunction(NamedTuple):
    """A wrong function, and the first board on which it is wrong."""

    name: str
    wrong_count: int  # boards on which it is wrong
    board_count: int  # boards on which it was compared
    board: str  # the first wrong board, fewest marks first
    answer: Fact  # on that board
    correct: Fact  # on that board
    common: Fact = NOTHING_COMMON  # what all wrong boards share, for `words.COMMON_TEXTS`
    affected: tuple[str, ...] = ()  # functions that are wrong only because of a function at fault


class Findings(NamedTuple):
    """The functions that are right and those that are wrong."""

    right: tuple[str, ...] = ()
    wrong: tuple[WrongFunction, ...] = ()  # at fault themselves; the one to fix first comes first
    accepted_action: str = ""  # illegal, but `result` accepts it, which loses no game
    order: SquareOrder = SQUARES_IN  # in which `actions` returns the free squares, if it is right
    affected: tuple[str, ...] = ()  # functions that are wrong only because of a function at fault


@cache
def all_positions() -> tuple[Position, ...]:
    """Return every position, fewest marks first, then by square, with X before O before empty."""
    in_order = str.maketrans("XO-", "012")
    positions = reachable_positions()
    return tuple(
        sorted(positions, key=lambda position: (position.ply, str(position).translate(in_order)))
    )


@cache
def unfinished_positions() -> tuple[Position, ...]:
    """Return the positions in which the game is not over."""
    return tuple(position for position in all_positions() if not position.outcome())


def winner(position: Position) -> Mark | None:
    """Return the winner, or None if there is none."""
    outcome = position.outcome()
    return outcome.winner if outcome else None


def compare(player: PythonFile) -> Findings:
    """Compare the functions of a file that are recognized by name, and return the findings."""
    is_course = player.call["kind"] == "course"
    named = [] if is_course else [*_named_functions(player)]
    if not (is_course or named):
        return Findings()
    try:
        return _compare_course(player) if is_course else _compare_by_name(player, named)
    finally:
        player.restart()  # so that these calls leave no state behind for the games


# The course's functions (minimax, the seventh, is tested by games)


class CourseFunction(NamedTuple):
    """A function of the course: the boards to compare it on, and its correct answers."""

    answer_kind: str  # "mark", "squares", "board" or "value"
    boards: Callable[[], Sequence[Position]]
    correct_answer: Callable[..., Any]  # given a position, and for `result` also a move


class Comparison(NamedTuple):
    """The results of a function of the course, and its wrong answers among them."""

    results: Results  # empty if the program ended or did not reply in time
    wrong_answers: Mapping[Position, Fact]  # the first on each board


def _finished_positions() -> list[Position]:
    return [position for position in all_positions() if position.outcome()]


COURSE_FUNCTIONS: dict[str, CourseFunction] = {
    "player": CourseFunction("mark", unfinished_positions, lambda position: position.turn),
    "actions": CourseFunction(
        "squares", unfinished_positions, lambda position: list(position.legal_moves())
    ),
    "result": CourseFunction("board", unfinished_positions, Position.play),
    "winner": CourseFunction("mark", all_positions, winner),
    "terminal": CourseFunction(
        "value", all_positions, lambda position: position.outcome() is not None
    ),
    "utility": CourseFunction(
        "value", _finished_positions, lambda position: SCORES[winner(position)]
    ),
}


def _compare_course(player: PythonFile) -> Findings:
    """Compare the functions of the course that the file implements.

    A function that raises NotImplementedError on any board is left out.
    """
    comparisons: dict[str, Comparison] = {}
    for name in COURSE_FUNCTIONS:
        if name not in player.unwritten_functions:
            comparison = _compare_function(player, name)
            answers = map(str, comparison.wrong_answers.values())
            if not any("NotImplementedError" in answer for answer in answers):
                comparisons[name] = comparison
    wrong_boards = {
        name: {*comparison.wrong_answers}
        for name, comparison in comparisons.items()
        if comparison.wrong_answers
    }
    at_fault = _functions_at_fault(player.source, wrong_boards)
    affected = tuple(name for name in wrong_boards if name not in at_fault)
    wrong = [_describe_wrong(name, comparisons[name]) for name in at_fault]
    if wrong:
        wrong[0] = wrong[0]._replace(affected=affected)
    right = tuple(
        name
        for name, comparison in comparisons.items()
        if comparison.results and name not in wrong_boards
    )
    accepted_action = _accepted_illegal_action(player) if "result" in right else ""
    order = _square_order(comparisons["actions"].results) if "actions" in right else SQUARES_IN
    return Findings(right, tuple(wrong), accepted_action, order, affected)


def _functions_at_fault(source: Source, wrong_boards: Mapping[str, set[Position]]) -> list[str]:
    """Return the wrong functions that are not wrong only because of another one.

    If a function is wrong only on boards where a function that it calls is wrong too, the called
    one is at fault. If each of them calls another such function, the first one is at fault.
    """
    at_fault = []
    for name, boards in wrong_boards.items():
        called = wrong_boards.keys() & source.used_names(name) - {name}
        if not any(boards <= wrong_boards[other] for other in called):
            at_fault.append(name)
    return at_fault or [*wrong_boards][:1]


@cache
def _correct_answer(name: str, position: Position, square: Square | None) -> Any:
    """Return a function's correct answer, cached across all programs of a school class."""
    correct_answer = COURSE_FUNCTIONS[name].correct_answer
    if square is None:
        return correct_answer(position)
    return board_text(correct_answer(position, square))


def _compare_function(player: PythonFile, name: str) -> Comparison:
    """Compare a function of the course, in rounds, until a round finds nothing wrong."""
    function = COURSE_FUNCTIONS[name]
    expression = RESULT_CALL if name == "result" else f"{name}(rows)"
    for cases in _rounds(name, function.boards()):
        questions = [
            Question(board_text(board), action=() if square is None else divmod(square, 3))
            for board, square in cases
        ]
        results = evaluate_on_boards(player, expression, questions)
        wrong_answers: dict[Position, Fact] = {}
        for (board, square), result in zip(cases, results, strict=bool(results)):
            correct = _correct_answer(name, board, square)
            if answer := _wrong_answer(function.answer_kind, correct, result, board):
                wrong_answers.setdefault(board, answer)
        if not wrong_answers:
            break
    return Comparison(results, wrong_answers)


def _rounds(name: str, boards: Sequence[Position]) -> Iterator[list[MoveCase]]:
    """Yield the cases of each round in which a function of the course is compared.

    There is one round of all boards, except for `result`: its first round has one move on each
    board, and its second, which counts the wrong boards exactly, has all moves.
    """
    if name != "result":
        yield [(board, None) for board in boards]
        return
    moves = {board: board.legal_moves() for board in boards}
    # An arbitrary move, which varies from board to board but is the same in each test.
    yield [(board, moves[board][(board.x + board.o) % len(moves[board])]) for board in boards]
    yield [(board, square) for board in boards for square in moves[board]]


def _describe_wrong(name: str, comparison: Comparison) -> WrongFunction:
    """Return a function of the course that is wrong, with its first wrong board."""
    wrong_boards = [*comparison.wrong_answers]
    first = wrong_boards[0]
    return WrongFunction(
        name,
        wrong_count=len(wrong_boards),
        board_count=len(COURSE_FUNCTIONS[name].boards()),
        board=str(first),
        answer=comparison.wrong_answers[first],
        correct=_correct_fact(name, first),
        common=_common_fact(name, wrong_boards, comparison.results),
    )


def _square_order(results: Results) -> SquareOrder:
    """Return, for each set of free squares, the order in which a correct `actions` returns them."""
    order = [*SQUARES_IN]
    for board, result in zip(unfinished_positions(), results, strict=bool(results)):
        order[FULL ^ (board.x | board.o)] = tuple(
            3 * row + column for row, column in result["value"]
        )
    return tuple(order)


def _wrong_answer(answer_kind: str, correct: Any, result: Result, board: Position) -> Fact:
    """Return the answer of a function as a fact if it is wrong, or () if it is right."""
    value = result["value"]
    if result["raised"]:
        is_right = False
    elif answer_kind == "squares":
        return _wrong_squares(correct, result)
    elif answer_kind == "board":
        return _wrong_board(correct, result, board)
    elif answer_kind == "mark":
        is_right = result["mark"] == correct if correct else not value
    else:
        is_right = (bool(value) if isinstance(correct, bool) else value) == correct
    return () if is_right else _answer_fact(result)


def _wrong_squares(correct: list[Square], result: Result) -> Fact:
    """Return an answer that should be a set of (row, column) as a fact, or () if it is right."""
    try:
        pairs = sorted((row, column) for row, column in result["value"])
        squares = [3 * row + column for row, column in pairs]
    except (TypeError, ValueError):
        return _answer_fact(result)
    return () if squares == correct else ("returned", ", ".join(map(str, pairs)) or "none")


def _wrong_board(correct: str, result: Result, board: Position) -> Fact:
    """Return an answer that should be the board after a move as a fact, or () if it is right.

    It is also wrong if the function changed the board it was given.
    """
    if result["made"] != correct:
        return ("another board",) if result["made"] else ("returned", result["shown"])
    # `after` is None if the program left something that is not a board.
    return () if result["after"] in (None, board_text(board)) else ("changed the board",)


def _correct_fact(name: str, position: Position) -> Fact:
    """Return the correct answer of a function on a board, as a fact."""
    if name == "player":
        return "to move", position.turn
    if name == "actions":
        return "free", ", ".join(str(divmod(square, 3)) for square in position.legal_moves())
    if name == "result":
        return ("one more mark",)
    winner_mark = winner(position)
    outcome: Fact
    if winner_mark:
        outcome = "won", winner_mark
    else:
        outcome = ("drawn",) if position.outcome() else ("not over",)
    return ("utility of", SCORES[winner_mark], outcome) if name == "utility" else outcome


def _accepted_illegal_action(player: PythonFile) -> str:
    """Return "a taken square" if `result` accepts one on any board, or "" if it always raises."""
    questions = []
    for board in unfinished_positions()[1::SAMPLE_STEP]:  # not the empty board
        taken = next(square for square in range(9) if board.mark_at(square))
        questions.append(Question(str(board), action=divmod(taken, 3)))
    results = evaluate_on_boards(player, RESULT_CALL, questions)
    return "" if all(result["raised"] for result in results) else "a taken square"


# Functions recognized by name


class NamedFunction(NamedTuple):
    """A function whose name suggests what it returns, and the call of it to evaluate."""

    name: str
    expression: str
    takes_mark: bool


def _compare_by_name(player: PythonFile, functions: Sequence[NamedFunction]) -> Findings:
    """Compare functions whose names suggest a winner, an end or the free squares.

    The most frequent answer for each outcome (X, O, a draw, not over) is taken as its meaning. A
    function is wrong on a board if it gives another answer there.
    """
    right, wrong = [], []
    for name, expression, takes_mark in functions:
        returns_squares = bool(_own_words(name) & FREE_WORDS)
        boards = unfinished_positions() if returns_squares else all_positions()
        marks: Sequence[Mark | None] = (X, O) if takes_mark else (None,)
        cases = [(board, mark) for board in boards for mark in marks]
        questions = [Question(board_text(board), mark or "") for board, mark in cases]
        results = evaluate_on_boards(player, expression, questions)
        find_wrong = _wrong_free_squares if returns_squares else _unusual_answers
        wrong_indices = find_wrong(cases, results)
        if wrong_indices:
            wrong.append(_describe_named(name, returns_squares, cases, results, wrong_indices))
        elif wrong_indices is not None:
            right.append(name)
    wrong.sort(key=lambda function: not _own_words(function.name) & WIN_WORDS)
    return Findings(tuple(right), tuple(wrong))


def _describe_named(
    name: str,
    returns_squares: bool,
    cases: Sequence[MarkCase],
    results: Results,
    wrong_indices: Sequence[int],
) -> WrongFunction:
    """Return a function recognized by name that is wrong in some cases, with the first of them."""
    first_index = wrong_indices[0]
    board, mark = cases[first_index]
    wrong_boards = [*dict.fromkeys(cases[index][0] for index in wrong_indices)]
    if returns_squares:
        correct: Fact = "free", ", ".join(map(str, board.legal_moves()))
        common = NOTHING_COMMON
    else:
        correct = _correct_fact("winner", board)
        common = _common_fact("winner", wrong_boards, results)
    return WrongFunction(
        name,
        wrong_count=len(wrong_boards),
        board_count=len({board for board, _ in cases}),
        board=str(board),
        answer=_answer_fact(results[first_index], mark),
        correct=correct,
        common=common,
    )


def _named_functions(player: PythonFile) -> Iterator[NamedFunction]:
    """Yield the functions whose names suggest what they return, if it is clear how to call them.

    The call is the one that picks a move in the program, with this function in its place.
    """
    expression = str(player.call["expression"])
    earlier_calls, move_call = split_call(expression)
    if not move_call:
        return
    source = player.source
    owner_expression, dot, move_name = ast.unparse(move_call.func).rpartition(".")
    is_method = isinstance(move_call.func, ast.Attribute)
    # The classes with a method named `move_name`; "" if it is a function of the file.
    owners = {
        owner
        for owner, _, function_name in (name.rpartition(".") for name in source.functions)
        if function_name == move_name
    }
    board_name = _board_name(expression, move_call, bool(earlier_calls))
    for name in source.functions:
        owner, _, function_name = name.rpartition(".")
        parameters = source.required_parameters(name)
        takes_board = bool(parameters and {*split_words(parameters[0])} & BOARD_WORDS)
        other_parameters = parameters[takes_board:]
        # Without a parameter for it, the board is one that an earlier call has stored.
        has_board = bool(board_name) if takes_board else bool(earlier_calls)
        has_same_owner = owner in owners and bool(owner) == is_method
        if has_board and has_same_owner and _suggests_an_answer(function_name, other_parameters):
            arguments = [board_name] * takes_board + ["mark"] * len(other_parameters)
            call = f"{owner_expression}{dot}{function_name}({', '.join(arguments)})"
            whole_expression = " or ".join([*earlier_calls, call])
            yield NamedFunction(name, whole_expression, takes_mark=bool(other_parameters))


def _own_words(name: str) -> set[str]:
    """Return the words of the name of a function or method, without those of its class."""
    return {*split_words(name.rpartition(".")[2])}


def _suggests_an_answer(function_name: str, other_parameters: Sequence[str]) -> bool:
    """Return whether the names suggest that a function returns a winner, an end or free squares.

    Only one that tests for a win may have a parameter besides the board: the mark to test for.
    """
    words = {*split_words(function_name)}
    tests_for_win = bool(words & WIN_WORDS) and not words & NOT_WIN_WORDS
    tests_for_end = bool(words & END_WORDS) and not words & NOT_END_WORDS
    returns_squares = bool(words & FREE_WORDS and words & SQUARE_WORDS)
    if not other_parameters:
        return tests_for_win or tests_for_end or returns_squares
    takes_mark = {*split_words(other_parameters[0])} & WIN_MARK_WORDS
    return tests_for_win and len(other_parameters) == 1 and bool(takes_mark)


def _board_name(expression: str, move_call: ast.Call, has_earlier_calls: bool) -> str:
    """Return the name of the board that an expression passes to its calls, or "" if there is none.

    If the call that picks the move takes no board, an earlier call may take it.
    """
    names = {argument.id for argument in move_call.args if isinstance(argument, ast.Name)}
    if has_earlier_calls and not names & {*BOARD_NAMES}:
        names = {*re.findall(r"\w+", expression)}
    return min(names & {*BOARD_NAMES}, default="")


def split_call(expression: str) -> tuple[list[str], ast.Call | None]:
    """Return what is before the call that picks a move in an expression, and the call or None.

    >>> before, call = split_call("set_up(board) or best_move(mark)[1] - 1")
    >>> before, ast.unparse(call)
    (['set_up(board)'], 'best_move(mark)')
    """
    tree = ast.parse(expression, mode="eval").body
    parts = tree.values if isinstance(tree, ast.BoolOp) else [tree]
    while parts:
        *before, node = parts
        while isinstance(node, (ast.BinOp, ast.Subscript, ast.NamedExpr)):
            node = node.left if isinstance(node, ast.BinOp) else node.value
        if isinstance(node, ast.Call):
            return [*map(ast.unparse, before)], node
        parts = before
    return [], None


def _wrong_free_squares(cases: Sequence[MarkCase], results: Results) -> list[int] | None:
    """Return the indices of the answers that are not the free squares.

    Returns None if too many are not, whether squares are numbered from 0 or from 1: the function
    must return something else.
    """
    for read_squares in (_square_numbers, _numbers_from_1):
        wrong_indices = [
            index
            for index, ((board, _), result) in enumerate(zip(cases, results, strict=bool(results)))
            if read_squares(result) != [*board.legal_moves()]
        ]
        if results and len(wrong_indices) <= MAX_WRONG_SHARE * len(cases):
            return wrong_indices
    return None


def _square_numbers(result: Result) -> list[int] | None:
    """Return the squares in a list of numbers or of (row, column), or None if it is not one."""
    with suppress(TypeError, ValueError):
        return sorted(
            3 * item[0] + item[1] if isinstance(item, list) else int(item)
            for item in result["value"]
        )
    return None


def _numbers_from_1(result: Result) -> list[int] | None:
    """Return the squares in a list of numbers that count from 1, or None if it is not one."""
    numbers = _square_numbers(result)
    return None if numbers is None else [number - 1 for number in numbers]


Outcome = tuple[Any, ...]  # (has the mark won,), or (winner, is it over) if no mark is passed
DRAWN: Outcome = (None, True)


def _unusual_answers(cases: Sequence[MarkCase], results: Results) -> list[int] | None:
    """Return the indices of the answers that differ from the usual ones.

    Returns None if it is unclear what the answers mean.
    """
    if not results:
        return None
    outcomes: list[Outcome] = [
        (winner(board) == mark,) if mark else (winner(board), board.outcome() is not None)
        for board, mark in cases
    ]
    answers = [result["raised"] or _answer_key(result["value"]) for result in results]
    usual_answers = _usual_answers(outcomes, answers)
    if not usual_answers:
        return None
    wrong_indices = [
        index for index, outcome in enumerate(outcomes) if answers[index] != usual_answers[outcome]
    ]
    # An answer that is usual for no outcome may mean something else, unless it is just "empty".
    has_other_meaning = any(
        answers[index] not in usual_answers.values()
        and not results[index]["empty"]
        and not results[index]["raised"]
        for index in wrong_indices
    )
    return None if has_other_meaning else wrong_indices


def _usual_answers(outcomes: Sequence[Outcome], answers: Sequence[str]) -> dict[Outcome, str]:
    """Return the most frequent answer for each outcome.

    Returns {} if any of these is too rare to be the meaning, or all of them are the same.
    """
    counts: dict[Outcome, Counter[str]] = {outcome: Counter() for outcome in outcomes}
    for outcome, answer in zip(outcomes, answers, strict=True):
        counts[outcome][answer] += 1
    usual = {outcome: count.most_common(1)[0][0] for outcome, count in counts.items()}
    unfinished_answer = usual[(False,) if (False,) in usual else (None, False)]
    unclear = {
        outcome
        for outcome, count in counts.items()
        if count[usual[outcome]] < (1 - MAX_WRONG_SHARE) * count.total()
    }
    # Only 16 boards are draws, and not every function tells a draw from an unfinished game.
    if unclear == {DRAWN}:
        usual[DRAWN] = unfinished_answer
        return usual
    return {} if unclear or {*usual.values()} == {unfinished_answer} else usual


def _answer_fact(result: Result, mark: Mark | None = None) -> Fact:
    """Return what a function returned or raised, as a fact; with `mark`, also for which mark."""
    raised = result["raised"]
    text = raised or _format_value(result["value"])
    if mark:
        return "raised for" if raised else "returned for", text, mark
    return "raised an error" if raised else "returned", text


def _format_value(value: Any) -> str:
    """Return a value as text, in quotes if it would be invisible without them."""
    text = str(value["other"] if isinstance(value, dict) and "other" in value else value)
    return text if text.strip() else repr(text)


def _answer_key(value: Any) -> str:
    """Return the repr of a value, or "nothing" for any value that counts as false."""
    return repr(value) if value else "nothing"


# What wrong boards have in common


def _common_fact(name: str, wrong_boards: Sequence[Position], results: Results) -> Fact:
    """Return what all wrong boards have in common: a key of `words.COMMON_TEXTS`, and values."""
    if name == "result" and all(result["after"] == result["made"] for result in results):
        return ("rows kept",)
    if name == "player" and len({str(result.get("value")) for result in results}) == 1:
        return "one mark", _format_value(results[0].get("value"))
    if name in ("winner", "terminal", "utility"):
        common = _common_in_lines(name, wrong_boards)
        if common != NOTHING_COMMON:
            return common
    return _common_feature(name, wrong_boards)


def _common_in_lines(name: str, wrong_boards: Sequence[Position]) -> Fact:
    """Return what all wrong boards have in common in their lines or winners, or NOTHING_COMMON."""
    outcomes = [board.outcome() for board in wrong_boards]
    if not all(outcome and outcome.winner for outcome in outcomes):
        if name == "winner" and len(wrong_boards) >= MIN_WRONG_BOARDS:
            return _common_pair(wrong_boards)
        return NOTHING_COMMON
    for lines, line_kind in (
        (ROWS, "row"), (COLUMNS, "column"), (ROWS + COLUMNS, "row or column"),
    ):  # fmt: skip
        if all(any(_is_empty(line, board) for line in lines) for board in wrong_boards):
            return "empty line", line_kind
    for line in LINES:
        if all(outcome and line in outcome.lines for outcome in outcomes):
            names = ", ".join(SQUARE_NAMES[square] for square in line)
            return "line", "-".join(map(str, line)), names
    if all(board.ply == len(SQUARE_NAMES) for board in wrong_boards):
        return ("full",)
    winners = {outcome.winner for outcome in outcomes if outcome}
    if name == "utility" and len(winners) == 1:
        winner_mark = winners.pop()
        return "won by", winner_mark, SCORES[winner_mark]
    return NOTHING_COMMON


def _is_empty(line: Line, board: Position) -> bool:
    return not any(map(board.mark_at, line))


LINES_BY_NAME = {"top row": LINES[0], "middle row": LINES[1], "bottom row": LINES[2], "left column":
               LINES[3], "middle column": LINES[4], "right column": LINES[5]}  # fmt: skip


def _has_empty(line: Line, board: Position) -> bool:
    return not all(map(board.mark_at, line))


# Tests for what wrong boards may have in common, by the words that say so in a report: "On all 12
# boards it gets wrong, one square is empty."
FEATURES: dict[str, Callable[[Position], bool]] = {
    "the board is empty": lambda board: board.ply == 0,
    "one square is empty": lambda board: board.ply == len(SQUARE_NAMES) - 1,
    "it is a draw": lambda board: bool((end := board.outcome()) and not end.winner),
    "X has won": lambda board: winner(board) == X,
    "O has won": lambda board: winner(board) == O,
    "somebody has won": lambda board: winner(board) is not None,
    "the game is not over": lambda board: not board.outcome(),
    "X is to move": lambda board: board.turn == X,
    "O is to move": lambda board: board.turn == O,
    **{f"a square in the {line_name} is empty": partial(_has_empty, line)
       for line_name, line in LINES_BY_NAME.items()},
}  # fmt: skip


def _common_feature(name: str, wrong_boards: Sequence[Position]) -> Fact:
    """Return the rarest feature that all wrong boards share, or NOTHING_COMMON.

    At least half of all boards with it must be wrong, and some boards must lack it.
    """
    boards = COURSE_FUNCTIONS[name].boards()
    shared_features = []
    for feature, has_feature in FEATURES.items():
        if all(map(has_feature, wrong_boards)):
            board_count = sum(map(has_feature, boards))
            if board_count < len(boards) and board_count <= 2 * len(wrong_boards):
                shared_features.append((board_count, feature))
    return ("feature", min(shared_features)[1]) if shared_features else NOTHING_COMMON


def _common_pair(wrong_boards: Sequence[Position]) -> Fact:
    """Return the two places in a row or column that hold equal marks on all wrong boards.

    On each board, it may be another row or column. Returns NOTHING_COMMON if there are no such two.
    """
    ordinals = ("first", "second", "third")
    choices = product((("row", ROWS), ("column", COLUMNS)), combinations(range(3), 2))
    for (line_kind, lines), (first, second) in choices:
        pairs = [(line[first], line[second]) for line in lines]
        if all(
            any(board.mark_at(a) == board.mark_at(b) is not None for a, b in pairs)
            for board in wrong_boards
        ):
            return "equal squares", line_kind, ordinals[first], ordinals[second]
    return NOTHING_COMMON


def evaluate_on_boards(
    player: PythonFile, expression: str, questions: Sequence[Question]
) -> list[Result]:
    """Return the results of an expression; empty if any batch gets no reply in time."""
    results: list[Result] = []
    for start in range(0, len(questions), BATCH_SIZE):
        batch = questions[start : start + BATCH_SIZE]
        request = {"call": expression, "questions": batch}
        batch_results = player.request_or_empty(request, BATCH_TIMEOUT).get("results", [])
        if not batch_results:
            return []
        results += batch_results
    return results
