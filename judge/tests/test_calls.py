"""How a Python file is called: by --call, by known names, or by the call of the table that fits."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from contextlib import closing
from operator import index
from pathlib import Path
from typing import Any

import pytest

from engine.position import Position
from judge import words
from judge.boards import Marks, Watch, is_same, read_board, square_of, square_values
from judge.calls import Call, Trial, candidate_calls, confirm, course_marks, find_call, known_call
from judge.functions import Findings, compare, split_call
from judge.lines import short_repr, to_json_value
from judge.players import TRIAL_BOARDS, PythonFile, Settings
from judge.process import UntestableError
from judge.report import first_line, format_report
from judge.source import Source
from judge.source_faults import zero_marks
from judge.tests.support import COURSE, PROGRAMS, InstantPlayer, report_on, write_program
from judge.words import untestable_lines
from tests import textbook

# Functions for a program: `best` returns the best square for `me`, and `value` a score. The program
# must define EMPTY.
SEARCH = """
def wins(board, mark):
    for i, j, k in (
        (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
        if board[i] == board[j] == board[k] == mark: return True
    return False


def value(board, mark, me, you):
    if wins(board, me): return 1
    if wins(board, you): return -1
    values = [0] * (EMPTY not in board)
    for n in range(9):
        if board[n] == EMPTY:
            board[n] = mark
            values.append(value(board, you if mark == me else me, me, you))
            board[n] = EMPTY
    return max(values) if mark == me else min(values)


def best(board, me, you):
    scores = {}
    for n in range(9):
        if board[n] == EMPTY:
            board[n] = me
            scores[n] = value(board, you, me, you)
            board[n] = EMPTY
    return max(scores, key=scores.get)
"""


def describe_call(tmp_path: Path, source: str, **settings: Any) -> str:
    """Return how a file is called and the sides it plays, or why it cannot be tested."""
    path = str(write_program(tmp_path, source))
    try:
        with closing(PythonFile(path, Settings(**settings))) as player:
            call = player.call
            text = words.call_sentence(call) if call["kind"] == "tried" else call["expression"]
            return f"{text} {' and '.join(player.sides)}"
    except UntestableError as error:
        return "\n".join(untestable_lines("player.py", error))


def test_no_call_passes_the_trial_boards_by_chance() -> None:
    assert [textbook.turn(board) for board in TRIAL_BOARDS] == ["X", "O"] * 6
    for mark in "XO":
        boards = [board for board in TRIAL_BOARDS if textbook.turn(board) == mark]
        assert len(boards) == 6 and all(2 <= board.count("-") <= 4 for board in boards)
        assert not any("--" in board for board in boards)
        for square in range(9):  # is free on some boards and taken on others
            assert {board[square] == "-" for board in boards} == {True, False}
        scores = [max(textbook.move_scores(board).values()) for board in boards]
        assert sum(score < 0 for score in scores) == 2


# What stands for an empty square, the function, and its call and sides or the name of the problem.
CALLS_TO_FIND = [
    ("' '", "def best_move(board, mark): return best(board, mark, 'O' if mark == 'X' else 'X')",
     "Called best_move(board, mark) with a list of nine, ' ' for empty. X and O"),
    ("' '", "def best_move(board): return best(board, 'O', 'X')",
     "Called best_move(board) with a list of nine, ' ' for empty. O"),
    ("0", "def best_move(board):\n"
          "    return best(board, 1, -1) if sum(board) == 0 else best(board, -1, 1)",
     "Called best_move(board) with a list of nine, 1 for X, -1 for O and 0 for empty. X and O"),
    ("None", "def aiTurn(grid):\n    flat = [one for row in grid for one in row]\n"
             "    me = 'X' if flat.count('X') == flat.count('O') else 'O'\n"
             "    return divmod(best(flat, me, 'O' if me == 'X' else 'X'), 3)",
     "Called aiTurn(board) with three rows, None for empty. X and O"),
    ("' '", "def getMove(board): return board.index(' ')\nX, O = 'X', 'O'",
     "Called getMove(board) with a list of nine, ' ' for empty. X and O"),
    ("' '", "def best_move(board, player):\n"  # expects the mark of the other side
            "    return best(board, 'O' if player == 'X' else 'X', player)", "no call"),
    ("' '", "def best_move(board, depth): return best(board, 'X', 'O')", "no call"),
    ("' '", "def best_move(board): return best(board, 'X', 'O') + 1", "no call"),
    ("' '", "def best_move(board): return value(board, 'X', 'X', 'O')", "no call"),
    ("0", "def ai_move(board): return board.index(0)\nAI, HUMAN = 1, 2", "no call"),
    ("' '", "def random_move(board): return board.index(' ')", "no call"),
    ("' '", "def human_move(board): return board.index(' ')", "no call"),
    ("' '", "def pick(board): return best(board, 'X', 'O')", "no call"),
    ("0", "def ai_move(board): return best(board, 2, 1)", "two kinds of marks"),
    ("' '", "def best_move(board): return best(board, 'X', 'O')\n"
            "def ai_move(board): return best_move(board)", "two calls"),
]  # fmt: skip


def find_call_here(tmp_path: Path, source: str, call: str = "", marks: str = "") -> str:
    """Find the call of a file without a child process.

    Return how the file is called and the sides it plays, or the name of the problem.
    """
    path = str(write_program(tmp_path, source))
    names: dict[str, Any] = {"__builtins__": __builtins__}
    exec(compile(source, path, "exec"), names)
    candidates = [*candidate_calls(names, Source(source.encode(), path), call, marks)]
    # The number of a candidate and its sides, or a problem's name and its values.
    choice, *values = find_call(
        candidates, names, str(tmp_path), TRIAL_BOARDS, call, lambda work: work()
    )
    if isinstance(choice, str):
        return choice
    found_call = candidates[choice].to_dict()
    is_tried = found_call["kind"] == "tried"
    text = words.call_sentence(found_call) if is_tried else found_call["expression"]
    return f"{text} {' and '.join(values[0])}"


@pytest.mark.parametrize(("empty", "function", "expected"), CALLS_TO_FIND)
def test_a_call_from_the_table_is_used_only_if_it_fits_and_none_disagrees(
    empty: str, function: str, expected: str, tmp_path: Path
) -> None:
    assert find_call_here(tmp_path, f"EMPTY = {empty}\n{SEARCH}\n\n{function}") == expected


def test_the_call_is_found_in_the_process_of_the_program(tmp_path: Path) -> None:
    empty, function, expected = CALLS_TO_FIND[0]
    assert describe_call(tmp_path, f"EMPTY = {empty}\n{SEARCH}\n\n{function}") == expected


def test_marks_that_cannot_be_evaluated_are_reported(tmp_path: Path) -> None:
    report = describe_call(
        tmp_path, "def get_move(b, d): pass\n", call="get_move(board, 9)", marks="a, 1, 0"
    )
    problem = "Cannot be tested: --marks a, 1, 0: NameError: name 'a' is not defined"
    assert report.startswith(problem)


GIVEN_CALLS = [  # --call, --marks, and the call and sides found, or the problem
    ("best(board, mark, other)", "", "best(board, mark, other) X and O"),
    ("best(board, 'O', 'X')", "", "best(board, 'O', 'X') O"),
    ("[best(one, mark, other) for one in [board]][0]", "", "[best(one, mark, other) for one in"
                                                          " [board]][0] X and O"),
    ("text.index('-')", "", "text.index('-') X and O"),
    ("best(board, mark, other)", "1, -1, ' '", "best(board, mark, other) X and O"),
    ("globals().update(grid=board) or grid_move() or grid", "",
     "globals().update(grid=board) or grid_move() or grid X"),
    ("nothing(board)", "", "no such name"),
    ("(lambda b: best(b, mark, other))(board)", "",
     "(lambda b: best(b, mark, other))(board) X and O"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "marks", "expected"), GIVEN_CALLS)
def test_a_call_can_be_any_expression(call: str, marks: str, expected: str, tmp_path: Path) -> None:
    source = (
        f"EMPTY = ' '\ngrid = [' '] * 9\n{SEARCH}\n\n"
        "def grid_move(): grid[best(grid, 'X', 'O')] = 'X'"
    )
    assert find_call_here(tmp_path, source, call, marks) == expected


def test_a_given_call_is_tested_even_if_no_answer_is_legal(tmp_path: Path) -> None:
    source = "def choose_any(board): return 9\n"
    report = report_on(write_program(tmp_path, source), "--call", "choose_any(board)")
    assert (
        first_line(report) == "No legal move on 126 of 126 boards: it returned 9 for every board."
    )
    assert format_report(report).count("\n\n") == 2  # the first boards, and the time


UNTESTABLE = [  # the source of a file, and a part of the report on it
    ("", "the file has no code"),
    ("'a text alone'", "the file has no code"),
    ("{'cells': []}", "it is a notebook. Save it as a script: jupyter nbconvert --to script"),
    ("import nowhere", "it imports nowhere, which is not installed. Install it: python -m"
                       " pip install nowhere."),
    ("raw_input('?')", "it is written in Python 2 (line 1)"),
    ("print 'X'", "it is written in Python 2 (line 1)"),
    ("try: pass\nexcept ValueError, e: pass", "it is written in Python 2 (line 2)"),
    ("def best_move(board, wisdom): pass", 'for example: --call "best_move(board, ...)"'),
    ("class Game:\n    def free(self): pass\ndef best_move(game): return game.free()[0]",
     'for example: --call "best_move(Game(...))"'),
    ("class A:\n    def __init__(self, mark): pass\nclass B(A):\n    def get_move(self, b): pass",
     'for example: --call "B(mark).get_move(board)"'),
    ("while input(): pass", "It has no function to call. Move the code that picks a square"),
    ("class Bot:\n    def __init__(self, mark): pass\n    def get_move(self, board): return 0",
     'for example: --call "Bot(mark).get_move(board)"'),
    ("def minimax(b, ai, human): return b[0][1]",
     'for example: --call "minimax(rows, mark, other)"'),
    ("def wins(b, p): pass\ndef _hidden(): pass", "Its functions: wins(b, p).\n"),
    ("board = []\nwhile True: board.append(input())", "It asks for input on line 2 while loading"),
    ("1 / 0", "While loading, it raises ZeroDivisionError: division by zero (line 1 of player.py)"),
    ("import os; os._exit(5)", "it exited with code 5"),
    ("let x = 1;", "SyntaxError: invalid syntax (player.py, line 1)"),
    ("def best_move(b): raise NotImplementedError", "it is unclear which function"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "reason"), UNTESTABLE)
def test_an_untestable_file_gets_the_true_reason(source: str, reason: str, tmp_path: Path) -> None:
    report = describe_call(tmp_path, source)
    assert report.startswith("Cannot be tested: ") and reason in report


@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("my.js", "Not Python? Use --run 'node my.js'."),
        ("my.c", 'Not Python? Compile it, then use --run "./my".'),
        ("my.txt", 'Not Python? Use --run "COMMAND".'),
        ("my.ipynb", "A notebook? Save it as a script: jupyter nbconvert --to script my.ipynb"),
        ("my.py", "Cannot be tested: SyntaxError."),
    ],
)
def test_the_report_on_another_language_says_how_to_run_it(path: str, advice: str) -> None:
    assert advice in "\n".join(untestable_lines(path, UntestableError("unread", "SyntaxError")))


COURSE_RIGHT = (PROGRAMS / "course_right.py").read_text()


def replace_by_stubs(source: str, names: Sequence[str]) -> str:
    """Return a source in which the bodies of some functions only raise NotImplementedError."""
    lines = source.splitlines(keepends=True)
    functions = Source(source.encode(), "").functions
    for name in names:
        start, end = functions[name].lineno, functions[name].end_lineno or 0
        no_lines = [""] * (end - start - 1)  # so that later functions keep their line numbers
        lines[start:end] = ["    raise NotImplementedError\n", *no_lines]
    return "".join(lines)


def test_stubs_are_named_and_the_other_functions_compared(tmp_path: Path) -> None:
    source = replace_by_stubs(COURSE_RIGHT, ["player", "minimax"])
    report = report_on(write_program(tmp_path, source))
    assert format_report(report).startswith("Not written yet: player, minimax.\n\nactions, winner,")
    assert report["exit"] == 1
    assert report["right"] == ["actions", "winner", "terminal", "utility"] and report["wrong"] == []


def test_a_missing_function_of_the_course_is_named(tmp_path: Path) -> None:
    source = COURSE_RIGHT.replace("def terminal", "def is_over")
    report = report_on(write_program(tmp_path, source))
    assert first_line(report) == "Not written yet: terminal."


def test_a_function_that_raises_not_implemented_error_is_named(tmp_path: Path) -> None:
    source = "def choose(board): return search(board)\ndef search(b): raise NotImplementedError"
    report = report_on(write_program(tmp_path, source))
    assert first_line(report) == "Not written yet: search."


def test_functions_with_other_arguments_are_not_those_of_the_course() -> None:
    other = COURSE_RIGHT.replace("def utility(board)", "def utility(board, me)")
    assert Source(COURSE_RIGHT.encode(), "").course_functions
    assert not Source(other.encode(), "").course_functions


def test_a_file_in_a_package_runs_with_the_root_on_the_path(tmp_path: Path) -> None:
    for folder in ("game", "game/bots"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "game/board.py").write_text("def first(b): return b.index('-')")
    (tmp_path / "game/bots/ai.py").write_text(
        "from ..board import first\nfrom game import board\n\n\ndef choose(b): return first(b)"
    )
    with closing(PythonFile(str(tmp_path / "game/bots/ai.py"), Settings())) as player:
        assert player.ask(Position()).number == 0


@pytest.mark.parametrize(("change", "changed_board"), [("", ""), ("board[8] = 'O'", "X-------O")])
def test_a_program_may_make_its_move_on_the_board_but_no_other_change(
    tmp_path: Path, change: str, changed_board: str
) -> None:
    source = f"def get_move(board):\n    board[0] = 'X'\n    {change}\n    return 0\n"
    settings = Settings(call="get_move(board)")
    with closing(PythonFile(str(write_program(tmp_path, source)), settings)) as player:
        answer = player.ask(Position())
    assert (answer.number, answer.changed_board) == (0, changed_board)


def test_the_standard_library_comes_before_the_folder_of_a_file(tmp_path: Path) -> None:
    for name in ("random", "csv", "json", "usercustomize"):
        (tmp_path / f"{name}.py").write_text("1 / 0")
    (tmp_path / "helper.py").write_text("def first(b): return b.index('-')")
    source = (
        "import random, csv, json\nfrom helper import first\n\n\ndef choose(b): return first(b)"
    )
    with closing(PythonFile(str(write_program(tmp_path, source)), Settings())) as player:
        assert player.ask(Position()).number == 0


def test_a_call_that_ends_its_process_or_never_ends_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.players.TRIAL_TIMEOUT", 1.0)
    source = """\
import os

EMPTY, X, O = " ", "X", "O"


def best_move(b):
    if b[0] != "X":
        os._exit(3)
    while True:
        try: int("no")
        except: "even for KeyboardInterrupt, it goes on"


def ai_move(b):
    return b.index(" ")
"""
    assert describe_call(tmp_path, source).startswith("Called ai_move(board) with a list of nine")
    monkeypatch.setattr("judge.players.MAX_LATE_CALLS", 1)
    assert "no call returned, even on boards" in describe_call(tmp_path, source)


# Boards, answers and marks


TESTS_FOLDER = str(Path(__file__).parent)


def test_a_watch_records_the_first_mark_and_all_others() -> None:
    board = ["X", *" " * 8]
    watch = Watch(TESTS_FOLDER, "X--------", Marks(empty=" "), [{"board": board}])
    frame = sys._getframe()
    watch._inspect(frame, "c_call", None)
    board[1] = "O"
    watch._inspect(frame, "call", None)
    board[2] = "X"
    watch._inspect(frame, "return", None)
    board[0] = " "  # another board
    watch._inspect(frame, "return", None)
    assert (watch.first_mark, watch.new_marks, watch.has_searched) == ("O", ["O", "X"], True)


def test_a_watch_ignores_functions_outside_the_folder() -> None:
    board = ["X", "O", *" " * 7]
    watch = Watch("/no/such/folder", "X--------", Marks(empty=" "), [{"board": board}])
    watch._inspect(sys._getframe(), "call", None)
    assert (watch.first_mark, watch.new_marks) == (None, [])


def test_a_watch_ends_after_too_many_events() -> None:
    with Watch(TESTS_FOLDER, "X--------", Marks(), []) as watch:
        watch._event_count = 1 << 20
        watch._inspect(sys._getframe(), "call", None)
        assert not sys.getprofile()


X_TO_MOVE, O_TO_MOVE = "---------", "X--------"
NUMBERS = Call("tried", "f(board)", Marks(1, -1, 0))
LETTERS = Call("tried", "f(board)")
LETTERS_AND_MARK = Call("tried", "f(board, mark)")


@pytest.mark.parametrize(
    # The first mark that the program places when X or O is to move; None if it is not seen.
    ("call", "first_for_x", "first_for_o", "has_searched", "sides"),
    [
        (LETTERS, "X", "O", True, "XO"),
        (LETTERS, "X", "X", True, "X"),
        (LETTERS, "O", "X", True, None),  # a search for the other side
        (LETTERS_AND_MARK, "O", "X", False, "XO"),  # a rule may try the other side's move
        (LETTERS, None, None, False, "XO"),
        (NUMBERS, None, None, False, None),  # nothing shows the marks
        (NUMBERS, 2, 2, True, None),
        (NUMBERS, -1, -1, True, "O"),
    ],
)
def test_marks_on_boards_confirm_a_call_or_contradict_it(
    call: Call, first_for_x: Any, first_for_o: Any, has_searched: bool, sides: str | None
) -> None:
    trials = []
    for text, first in ((X_TO_MOVE, first_for_x), (O_TO_MOVE, first_for_o)):
        new_marks = [] if first is None else [first]
        trials.append(Trial(text, 8, "8", "", first, new_marks, has_searched))
    confirmed = confirm(call, trials)
    assert (confirmed and "".join(confirmed.sides)) == sides


@pytest.mark.parametrize(
    ("value", "allows_pairs", "square"),
    [
        (4, False, 4), (9, True, 9), (True, True, None), (4.0, True, None), ("4", True, None),
        ((1, 2), True, 5), ([1, 2], True, 5), ((1, 2), False, None), ((0, 3), True, None),
        ("X---O----", False, None), (["X", *"-" * 8], False, 0), ("O--------", False, None),
        ([["X", "-", "-"], ["-"] * 3, ["-"] * 3], False, 0), ({1: "X"}, True, None),
        (dict(enumerate("--------X")), False, 8), ([" ", *"--X------"], False, 2),
    ],
)  # fmt: skip
def test_an_answer_is_a_number_a_pair_or_the_board_after_the_move(
    value: Any, allows_pairs: bool, square: int | None
) -> None:
    assert square_of(value, "---------", Marks(), allows_pairs) == square


def test_marks_that_make_no_difference_count_as_one_kind(tmp_path: Path) -> None:
    source = "def get_move(b, mark): return next(n for n in range(9) if b[n] not in ('X', 'O'))"
    expected = "Called get_move(board, mark) with a list of nine, ' ' for empty. X and O"
    assert find_call_here(tmp_path, f"{source}\nNO = ' ', '-'") == expected


def test_the_functions_of_the_course_have_their_own_marks() -> None:
    call = known_call(Source(COURSE.encode(), ""))
    assert call and call.kind == "course" and course_marks({"X": 1}) == Marks(1, "O", None)
    assert known_call(Source(b"def choose(board, mark): pass", "")) is None


def test_a_watch_ends_with_the_answer() -> None:
    with Watch("", "X--------", Marks(), []):
        assert sys.getprofile()
    assert not sys.getprofile()


def test_a_function_of_another_module_is_not_a_recursive_call() -> None:
    source = Source(b"import other\ndef f(b): return other.f(b)\ndef g(b): return g(b)", "")
    assert source.recursive_functions(set()) == {"g": 3}
    relative = Source(b"from . import other\ndef f(game): return game.rules.f(game)", "")
    assert relative.recursive_functions(set()) == {"f": 2}


def test_a_zero_in_place_of_the_letter_o_is_found() -> None:
    assert [*zero_marks(Source(b"X = 'X'; O = '0'", ""))] == [("zero", 1)]
    nested = b"X = 'X'\ndef other(mark):\n    return '0' if mark == X else X\nO = '0'"
    assert [*zero_marks(Source(nested, ""))] == [("zero", 3)]
    for other in (b"X = 'X'; O = 'O'; n = '0'", b"X = 'X'; O = 'o'"):
        assert [*zero_marks(Source(other, ""))] == []


def test_any_returned_value_is_shown_in_a_short_form() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert to_json_value(deep) == [[[[{"other": short_repr(deep)}]]]]
    assert short_repr(10**5000) == "a value of type int that cannot be written"
    assert to_json_value(10**5000)["other"].startswith("a value of type int")
    assert to_json_value([float("inf"), None, "x" * 999, {1}])[2:] == ["x" * 200, [1]]


def test_a_returned_object_whose_methods_raise_is_neither_a_board_nor_a_square() -> None:
    broken = type("Broken", (), {"__eq__": lambda *_: 1 / 0, "__index__": lambda *_: 1 / 0,
                                 "__len__": lambda *_: 1 / 0, "__hash__": None})()  # fmt: skip
    assert read_board([broken] * 9, Marks()) is None and not is_same(broken, broken)
    assert square_of(broken, "---------", Marks(), True) is None
    assert square_values(type("List", (list,), {"__len__": broken.__index__})()) is None
    with pytest.raises(ZeroDivisionError):  # so the object does raise
        index(broken)


def test_without_a_source_the_function_that_raised_is_called_the_program() -> None:
    assert InstantPlayer(lambda _: 0).raising_function("NotImplementedError") == "the program"


def test_no_function_is_compared_if_the_call_uses_none(tmp_path: Path) -> None:
    path = str(write_program(tmp_path, "def f(): pass"))
    with closing(PythonFile(path, Settings(call="0"))) as player:
        assert compare(player) == Findings()


def test_the_call_that_picks_a_move_is_found_in_an_expression() -> None:
    for expression, expected in (
        ("set_up(board) or best_move(mark)[1] - 1", "best_move(mark)"),
        ("globals().update(board=board) or move() or board", "move()"),
        ("text", None),
    ):
        _, call = split_call(expression)
        assert (call and ast.unparse(call)) == expected
