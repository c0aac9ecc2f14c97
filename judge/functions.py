"""The functions of a file compared with the rules, on every board for which each is defined."""

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
from judge.source import BOARD_WORDS, MARK_WORDS, split_words
from judge.ways import SquareOrder

BATCH = 1000  # boards per request
SAMPLE_STEP = 40  # every 40th board is a large enough sample
BATCH_TIMEOUT = 60.0  # seconds per batch
MIN_WRONG_BOARDS = 50  # this many wrong boards do not share a feature by chance
MAX_WRONG_SHARE = 0.4  # share of wrong answers above which their meaning is unknown
RESULT_CALL = "result(rows, action)"
BOARD_NAMES = ("board", "rows", "text")
DRAWN_OUTCOME = (None, True)  # (winner, is it over)
SCORES: dict[Mark | None, int] = {X: 1, O: -1, None: 0}
WIN_WORDS = {"winner", "winners", "won", "win", "wins", "winning", "utility", "evaluate",
             "check", "victory", "three", "result"}  # fmt: skip
END_WORDS = {"terminal", "over", "finished", "ended", "end"}
FREE_WORDS = {"available", "empty", "free", "possible", "legal", "valid", "remaining"}
NOT_WIN_WORDS = FREE_WORDS | {"move", "moves", "can", "next", "if", "would", "full", "space",
                              "input", "draw", "tie"}  # fmt: skip
SQUARE_WORDS = {"moves", "cells", "squares", "spots", "actions", "spaces", "positions", "indices",
                "places", "fields"}  # fmt: skip


class WrongFunction(NamedTuple):
    """A wrong function, and the first board on which it is wrong."""

    name: str
    wrong_count: int  # boards on which it is wrong
    board_count: int  # boards on which it was compared
    board: str  # the first wrong board, fewest marks first
    answer: Fact  # on that board
    correct: Fact  # on that board
    common: Fact = ("",)  # what all wrong boards share: a key of `words.COMMON_TEXTS`, and values
    affected: tuple[str, ...] = ()  # functions wrong only because they call this one


class Findings(NamedTuple):
    """The functions that are right and those that are wrong."""

    right: tuple[str, ...] = ()
    wrong: tuple[WrongFunction, ...] = ()  # at fault themselves; the one to fix first comes first
    accepted_action: str = ""  # an illegal one that a correct `result` accepts; it loses no game
    order: SquareOrder = SQUARES_IN  # in which a correct `actions` returns the free squares
    affected: tuple[str, ...] = ()  # wrong only because they call a wrong function


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
    try:
        is_course = player.call["kind"] == "course"
        return _compare_course(player) if is_course else _compare_by_name(player)
    finally:
        player.restart()


# The course's functions (minimax, the seventh, is tested by games)


class CourseFunction(NamedTuple):
    """The correct answers of a function of the course, and the boards to test it on."""

    kind: str  # of answer: "mark", "squares", "board" or "value"
    boards: Callable[[], Sequence[Position]]
    correct: Callable[..., Any]  # of a position, and for `result` a move


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
        "value",
        lambda: [position for position in all_positions() if position.outcome()],
        lambda position: SCORES[winner(position)],
    ),
}


def _compare_course(player: PythonFile) -> Findings:
    """Compare the functions of the course that the file implements.

    If a function is wrong only on boards where a function that it calls is wrong too, the called
    one is blamed. A function that raises NotImplementedError on any board is left out.
    """
    compared = {
        name: _compare_function(player, name)
        for name in COURSE_FUNCTIONS
        if name not in player.unwritten_functions
    }
    for name, (_, boards) in [*compared.items()]:
        if any("NotImplementedError" in str(answer) for answer in boards.values()):
            del compared[name]
    wrong_boards = {name: {*boards} for name, (_, boards) in compared.items() if boards}
    causes = {
        name: {cause for cause in wrong_boards
               if cause in player.source.used_names(name) and boards <= wrong_boards[cause]}
        for name, boards in wrong_boards.items()
    }  # fmt: skip
    at_fault = [name for name in wrong_boards if not causes[name] - {name}] or [*wrong_boards][:1]
    wrong = [_describe_wrong(name, *compared[name]) for name in at_fault]
    affected = tuple(name for name in wrong_boards if name not in at_fault)
    wrong[:1] = [function._replace(affected=affected) for function in wrong[:1]]
    right = tuple(
        name for name, (results, _) in compared.items() if results and name not in wrong_boards
    )
    accepted_action = _accepted_illegal_action(player) if "result" in right else ""
    order = _square_order(compared["actions"][0]) if "actions" in right else SQUARES_IN
    return Findings(right, tuple(wrong), accepted_action, order, affected)


board_text = cache(str)
Results = Sequence[Mapping[str, Any]]


@cache
def _correct_answer(name: str, position: Position, square: Square | None) -> Any:
    """Return a function's correct answer, cached across all programs of a school class."""
    if square is None:
        return COURSE_FUNCTIONS[name].correct(position)
    return board_text(COURSE_FUNCTIONS[name].correct(position, square))


def _compare_function(player: PythonFile, name: str) -> tuple[Results, dict[Position, Fact]]:
    """Return the results of a function, and its answer on each board on which it is wrong."""
    kind, boards = COURSE_FUNCTIONS[name].kind, COURSE_FUNCTIONS[name].boards()
    for questions in _questions(name, boards):
        requests = [
            (board_text(board), "", [] if n is None else divmod(n, 3)) for board, n in questions
        ]
        expression = RESULT_CALL if name == "result" else f"{name}(rows)"
        results = evaluate_on_boards(player, expression, requests)
        wrong: dict[Position, Fact] = {}
        for (position, n), result in zip(questions, results, strict=bool(results)):
            correct = _correct_answer(name, position, n)
            if answer := _wrong_answer(kind, correct, result, position):
                wrong.setdefault(position, answer)
        if not wrong:
            break
    return results, wrong


def _describe_wrong(name: str, results: Results, wrong: Mapping[Position, Fact]) -> WrongFunction:
    position, answer = next(iter(wrong.items()))
    board_count = len(COURSE_FUNCTIONS[name].boards())
    correct, common = _correct_fact(name, position), _common_fact(name, [*wrong], results)
    return WrongFunction(name, len(wrong), board_count, str(position), answer, correct, common)


def _square_order(results: Results) -> SquareOrder:
    """Return, for each set of free squares, the order in which a correct `actions` returns them."""
    order = [*SQUARES_IN]
    for board, result in zip(unfinished_positions(), results, strict=bool(results)):
        order[FULL ^ (board.x | board.o)] = tuple(3 * row + n for row, n in result["value"])
    return tuple(order)


def _questions(
    name: str, boards: Sequence[Position]
) -> Iterator[list[tuple[Position, Square | None]]]:
    """Yield rounds of questions: all boards; for `result`, a move on each board, then all moves."""
    if name != "result":
        yield [(board, None) for board in boards]
        return
    moves = {board: board.legal_moves() for board in boards}
    yield [(board, moves[board][(board.x + board.o) % len(moves[board])]) for board in boards]
    yield [(board, n) for board in boards for n in moves[board]]


def _wrong_answer(kind: str, correct: Any, result: Mapping[str, Any], board: Position) -> Fact:
    """Return the answer of a function as a fact if it is wrong, or () if it is right."""
    value = result["value"]
    answer: Fact = ()
    if result["raised"]:
        is_right = False
    elif kind == "squares":
        try:
            pairs = sorted((row, column) for row, column in value)
            is_right = [3 * row + column for row, column in pairs] == correct
            answer = () if is_right else ("returned", ", ".join(map(str, pairs)) or "none")
        except (TypeError, ValueError):
            is_right = False
    elif kind == "board":
        is_right = result["made"] == correct
        answer = ("another board",) if result["made"] else ("returned", result["shown"])
        if is_right and result["after"] not in (None, board_text(board)):
            is_right, answer = False, ("changed the board",)
    elif kind == "mark":
        is_right = result["mark"] == correct if correct else not value
    else:
        is_right = (bool(value) if isinstance(correct, bool) else value) == correct
    return () if is_right else answer or _answer_fact(result)


def _correct_fact(name: str, position: Position) -> Fact:
    """Return the correct answer of a function on a board, as a fact."""
    if name == "player":
        return "to move", position.turn
    if name == "actions":
        return "free", ", ".join(str(divmod(n, 3)) for n in position.legal_moves())
    if name == "result":
        return ("one more mark",)
    winner_mark = winner(position)
    outcome: Fact = ("drawn",) if position.outcome() else ("not over",)
    outcome = ("won", winner_mark) if winner_mark else outcome
    return ("utility of", SCORES[winner_mark], outcome) if name == "utility" else outcome


def _accepted_illegal_action(player: PythonFile) -> str:
    """Return "a taken square" if `result` accepts one, or "" if it always raises."""
    boards = unfinished_positions()[1::SAMPLE_STEP]
    taken = [divmod(next(n for n in range(9) if board.mark_at(n)), 3) for board in boards]
    requests = [(str(board), "", at) for board, at in zip(boards, taken, strict=True)]
    raised = [
        bool(result["raised"]) for result in evaluate_on_boards(player, RESULT_CALL, requests)
    ]
    return "" if all(raised) else "a taken square"


# Functions recognized by name


def _compare_by_name(player: PythonFile) -> Findings:
    """Compare the functions whose names suggest a winner, an end or the free squares.

    The most frequent answer for each outcome (X, O, a draw, not over) is taken as its meaning. A
    function is wrong on a board if it gives another answer there.
    """
    right, wrong = [], []
    for name, expression, takes_mark in _known_functions(player):
        returns_squares = bool({*split_words(name)} & FREE_WORDS)
        boards = unfinished_positions() if returns_squares else all_positions()
        sides: Sequence[Mark | None] = (X, O) if takes_mark else (None,)
        questions = [(board, side) for board in boards for side in sides]
        requests = [(board_text(board), side or "", ()) for board, side in questions]
        results = evaluate_on_boards(player, expression, requests)
        find_wrong = _wrong_free_squares if returns_squares else _unusual_answers
        wrong_indices = find_wrong(questions, results)
        if wrong_indices:
            board, side = questions[wrong_indices[0]]
            wrong_boards = [*dict.fromkeys(questions[n][0] for n in wrong_indices)]
            free: Fact = "free", ", ".join(map(str, board.legal_moves()))
            answer, correct = (
                _answer_fact(results[wrong_indices[0]], side),
                _correct_fact("winner", board),
            )
            common = _common_fact("" if returns_squares else "winner", wrong_boards, results)
            first_wrong = str(board), answer, free if returns_squares else correct
            wrong.append(WrongFunction(name, len(wrong_boards), len(boards), *first_wrong, common))
        elif wrong_indices is not None:
            right.append(name)
    wrong.sort(key=lambda function: not {*split_words(function.name)} & WIN_WORDS)
    return Findings(tuple(right), tuple(wrong))


def _known_functions(player: PythonFile) -> Iterator[tuple[str, str, bool]]:
    """Yield each function to compare, its call, and whether the call takes a mark.

    The call is the one that picks a move in the program, with this function in its place.
    """
    expression = str(player.call["expression"])
    earlier_calls, move_call = split_call(expression)
    if not move_call:
        return
    source, function = player.source, move_call.func
    passed_names = {argument.id for argument in move_call.args if isinstance(argument, ast.Name)}
    passed_boards = passed_names & {*BOARD_NAMES}
    boards = {word for word in re.findall(r"\w+", expression) if word in BOARD_NAMES}
    board_name = min(passed_boards or (boards if earlier_calls else ()), default="")
    is_method = isinstance(function, ast.Attribute)
    move_name = ast.unparse(function).rpartition(".")[2]
    owners = {
        name.rpartition(".")[0] for name in source.functions if name.rpartition(".")[2] == move_name
    }
    for name in source.functions:
        owner, _, function_name = name.rpartition(".")
        arguments, parts = source.required_parameters(name), {*split_words(function_name)}
        takes_board = bool(arguments and {*split_words(arguments[0])} & BOARD_WORDS)
        other_arguments = arguments[takes_board:]
        returns_squares = parts & FREE_WORDS and parts & SQUARE_WORDS and not other_arguments
        tests_for_win = parts & WIN_WORDS and not parts & NOT_WIN_WORDS
        tests_for_end = (
            parts & END_WORDS
            and not parts & {"draw", "tie", "full", "board"}
            and not other_arguments
        )
        mark_words = MARK_WORDS | {"le"}  # isWinner(bo, le), as in a well-known book
        has_mark = len(other_arguments) == 1 and {*split_words(other_arguments[0])} & mark_words
        is_known = returns_squares or tests_for_win or tests_for_end
        if not is_known or (other_arguments and not has_mark):
            continue
        can_be_given = bool(board_name) if takes_board else bool(earlier_calls)
        if owner in owners and bool(owner) == is_method and can_be_given:
            values = [board_name] * takes_board + ["mark"] * bool(other_arguments)
            call = f"{ast.unparse(function)[: -len(move_name)]}{function_name}({', '.join(values)})"
            yield name, " or ".join([*earlier_calls, call]), bool(other_arguments)


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


Questions = Sequence[tuple[Position, Mark | None]]


def _wrong_free_squares(questions: Questions, results: Results) -> list[int] | None:
    """Return the indices of the answers that are not the free squares, or None if unclear."""
    for read_squares in (_square_numbers, _numbers_from_1):
        wrong_indices = [
            n
            for n, result in enumerate(results)
            if read_squares(result) != [*questions[n][0].legal_moves()]
        ]
        if results and len(wrong_indices) <= MAX_WRONG_SHARE * len(questions):
            return wrong_indices
    return None


def _square_numbers(result: Mapping[str, Any]) -> list[int] | None:
    """Return the squares in a list of numbers or of (row, column), or None if it is not one."""
    with suppress(TypeError, ValueError):
        return sorted(
            3 * item[0] + item[1] if isinstance(item, list) else int(item)
            for item in result["value"]
        )
    return None


def _numbers_from_1(result: Mapping[str, Any]) -> list[int] | None:
    """Return the squares in a list of numbers that count from 1, or None if it is not one."""
    numbers = _square_numbers(result)
    return None if numbers is None else [number - 1 for number in numbers]


def _unusual_answers(questions: Questions, results: Results) -> list[int] | None:
    """Return the indices of the answers that differ from the usual ones, or None if unclear."""
    if not results:
        return None
    outcomes = [
        (winner(board) == side,) if side else (winner(board), board.outcome() is not None)
        for board, side in questions
    ]
    answers = [result["raised"] or _answer_key(result["value"]) for result in results]
    answer_counts: dict[Any, Counter[str]] = {outcome: Counter() for outcome in outcomes}
    for outcome, answer in zip(outcomes, answers, strict=True):
        answer_counts[outcome][answer] += 1
    usual = {outcome: count.most_common(1)[0][0] for outcome, count in answer_counts.items()}
    unfinished_answer = usual[(False,) if (False,) in usual else (None, False)]
    unclear = {
        outcome
        for outcome, count in answer_counts.items()
        if count[usual[outcome]] < (1 - MAX_WRONG_SHARE) * count.total()
    }
    # A draw is on 16 boards only, and not every function tells it from an unfinished game.
    if unclear == {DRAWN_OUTCOME}:
        usual[DRAWN_OUTCOME] = unfinished_answer
    elif unclear or {*usual.values()} == {unfinished_answer}:
        return None
    wrong_indices = [n for n, outcome in enumerate(outcomes) if answers[n] != usual[outcome]]
    known_answers = {*usual.values()}
    is_strange = any(
        answers[n] not in known_answers and not results[n]["empty"] and not results[n]["raised"]
        for n in wrong_indices
    )
    return None if is_strange else wrong_indices


def _answer_fact(result: Mapping[str, Any], mark: Mark | None = None) -> Fact:
    """Return what a function returned or raised, as a fact; with `mark`, also for which mark."""
    raised, shown = result["raised"], _format_value(result["value"])
    kind, text = ("raised", raised) if raised else ("returned", shown)
    if mark:
        return f"{kind} for", text, mark
    return ("raised an error" if raised else kind), text


def _format_value(value: Any) -> str:
    text = str(value["other"] if isinstance(value, dict) and "other" in value else value)
    return text if text.strip() else repr(text)


def _answer_key(value: Any) -> str:
    """Return the repr of a value, or "nothing" for any value that counts as false."""
    return repr(value) if value else "nothing"


# What wrong boards have in common


def _common_fact(
    name: str, wrong: Sequence[Position], results: Sequence[Mapping[str, Any]]
) -> Fact:
    """Return what all wrong boards have in common: a key of `words.COMMON_TEXTS`, and values."""
    if name == "result" and all(result["after"] == result["made"] for result in results):
        return ("rows kept",)
    if name == "player" and len({str(result.get("value")) for result in results}) == 1:
        return "one mark", _format_value(results[0].get("value"))
    fact: Fact = ("",)
    if name in ("winner", "terminal", "utility"):
        fact = _common_in_lines(name, wrong)
    return fact if fact != ("",) or name not in COURSE_FUNCTIONS else _common_feature(name, wrong)


def _common_in_lines(name: str, wrong: Sequence[Position]) -> Fact:
    """Return what the lines of all wrong boards have in common, or ("",) if nothing."""
    outcomes = [board.outcome() for board in wrong]
    if not all(outcome and outcome.winner for outcome in outcomes):
        return _common_pair(wrong) if name == "winner" and len(wrong) >= MIN_WRONG_BOARDS else ("",)
    texts = [str(board) for board in wrong]
    for start, end, kind in ((0, 3, "row"), (3, 6, "column"), (0, 6, "row or column")):
        lines = LINES[start:end]
        if all(any({*map(text.__getitem__, line)} == {"-"} for line in lines) for text in texts):
            return "empty line", kind
    for line in LINES:
        if all(outcome and line in outcome.lines for outcome in outcomes):
            names = ", ".join(SQUARE_NAMES[n] for n in line)
            return "line", "-".join(map(str, line)), names
    if not any("-" in text for text in texts):
        return ("full",)
    winners = {outcome.winner for outcome in outcomes if outcome}
    if name == "utility" and len(winners) == 1:
        winner_mark = winners.pop()
        return "won by", winner_mark, SCORES[winner_mark]
    return ("",)


PLACE_LINES = {"top row": LINES[0], "middle row": LINES[1], "bottom row": LINES[2], "left column":
               LINES[3], "middle column": LINES[4], "right column": LINES[5]}  # fmt: skip


def _has_empty(line: Line, board: Position) -> bool:
    return not all(map(board.mark_at, line))


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
    **{f"a square in the {place} is empty": partial(_has_empty, line)
       for place, line in PLACE_LINES.items()},
}  # fmt: skip


def _common_feature(name: str, wrong: Sequence[Position]) -> Fact:
    """Return the rarest feature that all wrong boards share.

    At least half of all boards with it must be wrong; otherwise ("",).
    """
    boards = COURSE_FUNCTIONS[name].boards()
    shared_features = [
        (count, feature)
        for feature, has_feature in FEATURES.items()
        if all(map(has_feature, wrong))
        if (count := sum(map(has_feature, boards))) < len(boards) and count <= 2 * len(wrong)
    ]
    return ("is", min(shared_features)[1]) if shared_features else ("",)


def _common_pair(wrong: Sequence[Position]) -> Fact:
    """Return which two squares of a row or column are alike on all wrong boards, or ("",)."""
    places = ("first", "second", "third")
    choices = product({"row": LINES[:3], "column": LINES[3:6]}.items(), combinations(range(3), 2))
    for (kind, lines), (first, second) in choices:
        pairs = [(line[first], line[second]) for line in lines]
        if all(
            any(board.mark_at(a) == board.mark_at(b) is not None for a, b in pairs)
            for board in wrong
        ):
            return "alike", kind, places[first], places[second]
    return ("",)


def evaluate_on_boards(
    player: PythonFile,
    expression: str,
    requests: Sequence[tuple[str, str, Sequence[int]]],
) -> list[Mapping[str, Any]]:
    """Return the results of an expression on many boards; empty if a batch gets no reply in time.

    Each board comes with the mark or the (row, column) that the expression uses; empty if unused.
    """
    results: list[Mapping[str, Any]] = []
    for start in range(0, len(requests), BATCH):
        batch = requests[start : start + BATCH]
        request = {"call": expression, "questions": batch}
        answers = player.request_or_empty(request, BATCH_TIMEOUT).get("results", [])
        if not answers:
            return []
        results += answers
    return results
