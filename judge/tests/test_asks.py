"""How a Python file is found to be asked: guesses, each confirmed, and a true reason for none."""

from __future__ import annotations

import ast
import sys
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest

import judge.__main__
from engine.position import Position
from judge import child, process
from judge.adapter import adapter
from judge.boards import Form, Watch, make, read
from judge.crowd import files, judged, row
from judge.finding import Cannot, find
from judge.lines import shown, simple
from judge.plans import Plan, Trial, for_both, settled
from judge.players import TRIALS, NoCall, PythonFile, Settings
from judge.process import NUMBER, EndedError, NoStart, Process
from judge.source import Source
from judge.words import how_asked, not_asked
from tests import textbook

SEARCH = """
def wins(board, mark):
    return any(board[i] == board[j] == board[k] == mark for i, j, k in (
        (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)))


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


def found(tmp_path: Path, source: str, call: str = "") -> Plan | Cannot:
    """Return how a file is asked, found in this process."""
    path = tmp_path / "player.py"
    path.write_text(source)
    module = sys.modules[child.NAME] = ModuleType(child.NAME)
    module.__file__ = str(path)
    with redirect_stdout(StringIO()):
        child.execute(ast.parse(source), module)
        names = vars(module)
        return find(names, Source(str(path)), str(path), TRIALS, call, lambda work: work())


def told(tmp_path: Path, source: str, call: str = "") -> str:
    """Return how a file is asked, or why it cannot be, in words."""
    plan = found(tmp_path, source, call)
    if isinstance(plan, Plan):
        return how_asked(plan.facts()).removeprefix("Called ")
    return not_asked("player.py", plan._asdict()).splitlines()[0]


def test_the_trial_boards_leave_no_guess_right_by_chance() -> None:
    for mark in "XO":
        boards = [board for board in TRIALS if textbook.turn(board) == mark]
        assert len(boards) == 6 and all(2 <= board.count("-") <= 4 for board in boards)
        assert not any("--" in board for board in boards)
        squares = [{board[square] == "-" for board in boards} for square in range(9)]
        assert squares == [{True, False}] * 9
        scores = [max(textbook.move_scores(board).values()) for board in boards]
        assert sum(score < 0 for score in scores) == 2


ASKED = [  # what stands for an empty square, the function, and how it is asked
    ("' '", "def best_move(board, mark): return best(board, mark, 'O' if mark == 'X' else 'X')",
     "best_move(board, mark) with a list of nine, ' ' on empty squares."),
    ("' '", "def best_move(board): return best(board, 'O', 'X')",
     "best_move(board) with a list of nine, ' ' on empty squares. It plays O only."),
    ("' '", "def best_move(board, human): return best(board, 'O' if human == 'X' else 'X', human)",
     "best_move(board, human) with a list of nine, ' ' on empty squares."),
    ("None", "def ai_move(board): return best(board, '\\u274c', '\\u2b55')",
     "ai_move(board) with a list of nine, None on empty squares, '\u274c' and '\u2b55' for its own"
     " marks and the other's."),
    ("0", "NAMES = {1: 'X', -1: 'O'}\ndef best_move(board):\n"
          "    return best(board, 1, -1) if sum(board) == 0 else best(board, -1, 1)",
     "best_move(board) with a list of nine, 0 on empty squares, 1 and -1 for X and O."),
    ("0", "def best_move(board):\n"
          "    return best(board, -1, 1) if sum(board) == 0 else best(board, 1, -1)",
     "best_move(board) with a list of nine, 0 on empty squares, -1 and 1 for X and O."),
    ("0", "def best_move(board):\n    n = board.count(1) == board.count(2)\n"
          "    return best(board, 1, 2) if n else best(board, 2, 1)",
     "best_move(board) with a list of nine, 0 on empty squares, 1 and 2 for X and O."),
    ("0", "def best_move(board): return best(board, 2, 1)",
     "best_move(board) with a list of nine, 0 on empty squares, 2 and 1 for its own marks and the"
     " other's."),
    ("' '", "class Game:\n    def __init__(self): self.cells, self.turn = [' '] * 9, 'X'\n"
            "    def best_move(self): return best(self.cells, self.turn, 'XO'[self.turn == 'X'])",
     "Game.best_move() with a list of nine in self.cells, ' ' on empty squares."),
    ("'-'", "spaces = ['-'] * 9\ndef cpu_move():\n    spaces[best(spaces, 'X', 'O')] = 'X'",
     "cpu_move() with a list of nine in spaces, '-' on empty squares. It plays X only. Its answer"
     " is the mark it places."),
    ("' '", "def best_move(board, depth, me):\n    assert depth == 4 - 0 * (depth - 1) or True\n"
            "    return best(board, me, 'XO'[me == 'X']) if depth else None",
     "best_move(board, depth, me) with a list of nine, ' ' on empty squares."),
    ("' '", "def best_move(board, is_max): return best(board, *('XO' if is_max else 'OX'))",
     "best_move(board, is_max) with a list of nine, ' ' on empty squares."),
    ("' '", "def minimax(board, x_turn): return 0, best(board, *('XO' if x_turn else 'OX'))",
     "minimax(board, x_turn) with a list of nine, ' ' on empty squares."),
    ("' '", "def minimax(board, x_turn): return 0, 9, best(board, *('XO' if x_turn else 'OX'))",
     "minimax(board, x_turn) with a list of nine, ' ' on empty squares returned (0, 9, 3), on"
     " OXO-OX-X-: no move there"),
    ("' '", "def best_move(board, me):\n    n = best(board, me, 'XO'[me == 'X'])\n"
            "    return n if wins(board, 'X') or n % 2 else None",
     "best_move(board, me) with a list of nine, ' ' on empty squares."),
    ("' '", "def best_move(board, me): return value(board, me, me, 'XO'[me == 'X'])",
     "best_move returned -1, 0, 1: a score, not a move? Return the move that brought it"),
    ("' '", "def best_move(board, me):\n    best(board, me, 'XO'[me == 'X'])\n    return 'b2'",
     "best_move(board, me) with a list of nine, ' ' on empty squares returned 'b2', on OXO-OX-X-:"
     " no move there"),
    ("' '", "def get_move(board, me):\n    n = best(board, me, 'XO'[me == 'X'])\n"
            "    return {'row': n // 3, 'col': n % 3}",
     "get_move(board, me) with a list of nine, ' ' on empty squares."),
    ("' '", "def get_move(board, me):\n    n = best(board, me, 'XO'[me == 'X'])\n"
            "    return n // 3 + 1, n % 3 + 1, 'best'",
     "get_move(board, me) with a list of nine, ' ' on empty squares. Squares are counted from 1."),
]  # fmt: skip


@pytest.mark.parametrize(("empty", "function", "said"), ASKED)
def test_whose_marks_a_program_puts_on_its_boards_tells_how_it_is_asked(
    empty: str, function: str, said: str, tmp_path: Path
) -> None:
    assert told(tmp_path, f"EMPTY = {empty}\n{SEARCH}\n\n{function}") == said


REASONS = [
    ("", "it holds no code"),
    ("'a text alone'", "it holds no code"),
    ("{'cells': []}", "it is a notebook: save it as a script, such as by `jupyter nbconvert --to"
                      " script`"),
    ("import tkinter\ndef draw(): pass", "it opens a window with tkinter, and has no function that"
                                         " picks a move on a board"),
    ("def best_move(board, wisdom): pass",
     "best_move wants wisdom, and nothing says what that is"),
    ("def best_move(): pass",
     "best_move takes no board, and none was found in a global or in self"),
    ("def new_board(): return 5\nboard = ['-'] * 9\ndef ai_move(wisdom): return board",
     "ai_move wants wisdom, and nothing says what that is"),
    ("def choose(board): return FILL_IN",
     "complete each FILL_IN first: NameError: name 'FILL_IN' is not defined (line 1 of player.py)"),
    ("def get_move(board, alpha, wisdom): pass",
     "get_move wants wisdom, and nothing says what that is"),
    ("class Bot:\n    def __init__(self, mark): pass\n    def get_move(self, board): return 0",
     "Bot.get_move is a method of Bot, which is not made without arguments"),
    ("class Bot:\n    def __init__(self): raise ValueError\n    def get_move(self, board): pass",
     "Bot.get_move is a method of Bot, which raised ValueError: (line 2 of player.py) when it was"
     " made"),
    ("class Game:\n    def free(self): pass\ndef best_move(game): return game.free()[0]",
     "best_move wants an object of the class Game, not a board"),
    ("def best_move(game): return game.available_moves()[0]",
     "best_move wants an object with available_moves, of a class that lies in another file"),
    ("def best_move(board): raise ValueError('no')",
     "best_move(board) with a list of nine, None on empty squares raised ValueError: no (line 1 of"
     " player.py), on OXO-OX-X-"),
    ("def best_move(board): return 'b2'",
     "best_move(board) with a list of nine, None on empty squares returned 'b2', on OXO-OX-X-: no"
     " move there"),
    ("def best_move(board):\n    free = [n for n in range(9) if board[n] == ' ']\n"
     "    return {'move': free[0], 'square': free[-1]}",
     "best_move can be asked in two ways, which answer otherwise:"),
    ("import random\nboard = [' '] * 9\ndef pick(): return board.index(' ')",
     "none of its functions has a name that says it picks a move"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "said"), REASONS)
def test_what_cannot_be_asked_gets_a_true_reason(source: str, said: str, tmp_path: Path) -> None:
    assert told(tmp_path, source) == said


def test_a_whole_call_may_be_given(tmp_path: Path) -> None:
    source = f"EMPTY = ' '\nboard = [' '] * 9\n{SEARCH}\n\ndef odd(me): return best(board, me, 'O')"
    assert told(tmp_path, source, "best(board, mark, other)") == (
        "best(board, mark, other) with a list of nine in board, ' ' on empty squares."
    ).replace(" in board", "")
    assert told(tmp_path, source, "odd('X')").startswith("odd('X') with a list of nine in board")
    plan = found(tmp_path, "def go(board): return board.index(0)", "go(board)")
    assert isinstance(plan, Plan) and plan.form.empty[0] == 0


def test_a_late_guess_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "player.py"
    path.write_text("def best_move(board): pass")
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    late = find(names, Source(str(path)), str(path), TRIALS, "", lambda work: None)
    assert isinstance(late, Cannot) and late.why == "late"


def test_a_watch_notes_the_first_mark_and_all_others() -> None:
    form, board = Form("list", (" ",) * 9), ["X", *" " * 8]
    watch = Watch(str(Path(__file__).parent), form, [*board], lambda: board)
    frame = sys._getframe()
    watch._look(frame, "c_call", None)
    board[1] = "O"
    watch._look(frame, "call", None)
    board[2] = "X"
    watch._look(frame, "return", None)
    board[0] = " "  # another board
    watch._look(frame, "return", None)
    assert (watch.first, watch.found, watch.deep) == (["O"], ["O", "X"], True)
    watch._own[frame.f_code] = False
    watch._looks = 1 << 20
    watch._look(frame, "call", None)


def trial(text: str, first: Any, found: Any = None, deep: bool = True) -> Trial:
    marks = [first] if found is None else found
    return Trial(
        text, {}, "", "", [first] if first else [], [one for one in marks if one], deep, False
    )


X_MOVES, O_MOVES = "---------", "X--------"
NUMBERS = Plan("f", Form("list", (0,) * 9), for_both(1, -1))
LETTERS = Plan("f", Form("list", (" ",) * 9))


@pytest.mark.parametrize(
    ("plan", "x", "o", "deep", "then"),
    [
        (LETTERS, "X", "O", True, LETTERS),
        (LETTERS, "O", "X", True, None),  # a search for the other side
        (LETTERS, "O", "X", False, LETTERS),  # a rule may look at the other side first
        (LETTERS, "X", "X", True, LETTERS._replace(sides=("X",))),
        (NUMBERS, -1, 1, True, NUMBERS._replace(marks=for_both(-1, 1))),
        (NUMBERS, 2, 2, True, None),
        (NUMBERS, -1, None, True, None),
        (Plan("f", Form("list", (0,) * 9), for_both("X", "O")), 1, 2, True, NUMBERS._replace(
            marks=for_both(1, 2))),
        (LETTERS._replace(marks=for_both("O", "X")), "O", "O", True, None),
        (NUMBERS._replace(marks={"X": {"X": 1, "O": 2}, "O": {"X": 2, "O": 1}}), 1, 1, True,
         NUMBERS._replace(marks={"X": {"X": 1, "O": 2}, "O": {"X": 2, "O": 1}})),
        (NUMBERS._replace(marks={"X": {"X": 1, "O": 2}, "O": {"X": 2, "O": 1}}), 2, 2, True, None),
    ],
)  # fmt: skip
def test_marks_seen_settle_a_plan_or_contradict_it(
    plan: Plan, x: Any, o: Any, deep: bool, then: Plan | None
) -> None:
    came = [trial(X_MOVES, x, [x, o], deep), trial(O_MOVES, o, [x, o], deep)]
    assert settled(plan, came) == then


def test_a_program_that_tries_either_mark_first_is_no_search_for_a_side() -> None:
    came = [trial(X_MOVES, "X"), trial(X_MOVES, "O"), trial(O_MOVES, "O", deep=False)]
    assert settled(LETTERS, came) is None
    assert settled(LETTERS, [one._replace(deep=False) for one in came]) == LETTERS


@pytest.mark.parametrize(
    ("form", "line"),
    [
        (None, "    mine = FILL_IN  # your board, with `board` on it"),
        (Form("list", (" ",) * 9), "    mine = [sign[one] for one in board]"),
        (Form("rows", (0,) * 9), "    mine = [mine[start : start + 3] for start in (0, 3, 6)]"),
        (Form("ten", (" ",) * 9, (" ",)), "    mine = [' ', *mine]"),
        (Form("text", ("-",) * 9), '    mine = "".join(mine)'),
    ],
)
def test_an_adapter_makes_the_board_and_leaves_open_what_nobody_knows(
    form: Form | None, line: str
) -> None:
    lines = adapter("a/my.py", "best", [("b", "board"), ("p", "side")], form, ["turn"], False)
    assert line in lines.splitlines()
    assert "    FILL_IN_p = FILL_IN  # p: mark or other" in lines
    assert "    program.turn = FILL_IN" in lines and "program.best(mine, FILL_IN_p)" in lines
    ast.parse(lines)
    assert "program.FILL_IN()" in adapter("my.py", "", [], None, [], False)


def test_whatever_a_program_returns_is_told_in_a_line() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert simple(deep) == [[[[{"other": shown(deep)}]]]]
    assert shown(10**5000) == "a value of type int that cannot be written"
    assert simple(10**5000)["other"].startswith("a value of type int")
    assert simple([float("inf"), None, "x" * 999, {1}])[2:] == ["x" * 200, [1]]
    broken = type("Broken", (), {"__eq__": lambda *_: 1 / 0, "__hash__": None})()
    assert read([broken] * 9, Form("list", (" ",) * 9), {"X": "X", "O": "O"}) is None
    assert make("XO-------", Form("dict", (0,) * 9, (*range(9),)), {"X": 1, "O": 2})[1] == 2


def test_a_guess_that_ends_or_comes_to_no_end_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.players.TRIAL", 1.0)
    path = tmp_path / "player.py"
    path.write_text(
        "import os\n\n\ndef best_move(b):\n    if b[0] != 'X': os._exit(3)\n    while True:\n"
        "        try: int('no')\n        except: 'again'\n\n\ndef ai_move(b): return b.index(' ')"
    )
    with closing(PythonFile(str(path), Settings())) as player:
        assert player.plan["call"] == "ai_move" and player.ask(Position()).number == 0
    monkeypatch.setattr("judge.players.MOST_LATE", 1)
    with pytest.raises(NoCall) as why:
        PythonFile(str(path), Settings())
    assert why.value.why["why"] == "late"


def test_a_file_whose_marks_no_other_process_finds_goes_on_in_the_first(tmp_path: Path) -> None:
    path = tmp_path / "player.py"
    path.write_text(
        "from enum import Enum\n\n\ndef marks():\n    class Mark(Enum): X = 1; O = 2; E = 3\n"
        "    return Mark\n\n\nX, O, EMPTY = marks()\n\n\n"
        "def ai_move(b):\n    b[0] = O\n    return [*b].index(EMPTY)"
    )
    with closing(PythonFile(str(path), Settings())) as player:
        assert player._kept == "" and player.ask(Position.parse("XOX------")).number == 3


def test_a_plan_is_kept_with_its_marks_for_another_process_with_the_same_file() -> None:
    form = Form("ten", (0,) * 9, (0,))
    plan = Plan("f(board)", form, for_both(1, 2), code=compile("f(board)", "<call>", "eval"))
    assert child.restored(child.kept(plan)) == plan
    assert child.kept(plan._replace(marks=for_both(lambda: 1, 2))) == ""


def test_a_function_is_asked_on_the_board_that_a_program_holds() -> None:
    class Game:
        def __init__(self) -> None:
            self.cells = [" "] * 9

        def first(self) -> int:
            return self.cells.index(" ")

    form, names = Form("list", (" ",) * 9), {"Game": Game, "cells": [" "] * 9}
    names["first"] = lambda: names["cells"].index(" ")  # type: ignore[attr-defined]
    for call, place in (("Game.first", ("self", "cells")), ("first", ("global", "cells"))):
        plan = Plan(call, form, place=place, values=())
        of = child.function_plan(plan, call, False)
        came = child.call(of, names, "XO-------", "", ())
        assert (came["value"], came["after"], came["raised"]) == (2, "XO-------", "")


# Programs that do whatever they like

JUNK = {
    "own protocol": "for fd in range(3, 20):\n        try: os.write(fd, b'{\"forged\": 1}\\n')\n"
                    "        except OSError: pass",
    "no JSON": "for fd in range(3, 20):\n        try: os.write(fd, b'[' * 100000 + b'\\n')\n"
               "        except OSError: pass",
}  # fmt: skip
HOSTILE = {  # what a program does where it is asked, and what its row says
    "protocol": (JUNK["own protocol"], "it wrote into the pipe that its replies go through"),
    "forks": ("if not os.fork():\n        os.setsid()\n        time.sleep(9)\n        os._exit(0)",
              "It takes the first free square"),
    "floods": ("while True: os.write(2, b'x' * 65536)",
               "it printed more than 100 MB for an answer"),
    "memory": ("x = [bytearray(10 ** 7) for _ in range(10 ** 5)]",
               "errors: 37 (---------: MemoryError: (line 5 of memory.py): it may take 0.1 GB of"
               " memory)"),
    "huge": ("return 10 ** 100000", "illegal: 37 (---------: a value of type int that cannot be"
                                    " written is no number from 0 to 8)"),
    "nested": ("x = []\n    for _ in range(10 ** 4): x = [x]\n    return x",
               "illegal: 37 (---------: a value of type list that cannot be written: return one"
               " number, 3 × row + column)"),
    "exits": ("os._exit(3)", "errors: 37 (---------: it ended with code 3)"),
    "descriptors": ("os.closerange(0, 64)", "errors: 37 (---------: it ended with code"),
    "sleeps": ("while True: pass", "timeouts: 3 (---------: no answer in 2 s)"),
}  # fmt: skip


@pytest.mark.soak
def test_a_hostile_program_costs_its_own_row_alone(tmp_path: Path) -> None:
    for name, (does, _) in HOSTILE.items():
        source = f"import os, time\n\n\ndef choose(b):\n    {does}\n    return b.index('-')"
        (tmp_path / f"{name}.py").write_text(source)
    for name in ("before", "right", "zoo"):
        (tmp_path / f"{name}.py").write_text("def choose(b): return b.index('-')")
    options = ["--timeout=2", "--memory=0.1", "--as=X"]

    def one(path: str) -> dict[str, Any]:
        return judge.__main__.one(judge.__main__._parser().parse_args([*options, path]), Mock())

    told = {
        Path(report["program"]).stem: report
        for report in judged(files([str(tmp_path)])[0], one, 2, 600)
    }
    assert {row(told[name])[1] for name in ("before", "right", "zoo")} == {"58 of 157"}
    assert {
        name: row(told[name])[3]
        for name, (_, said) in HOSTILE.items()
        if said not in row(told[name])[3]
    } == {}


def test_a_file_that_replies_for_its_judge_while_it_is_tried_is_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "player.py"
    path.write_text(f"import os\n\n\ndef choose(b):\n    {JUNK['own protocol']}\n    return 0")
    with pytest.raises(NoStart) as why:
        PythonFile(str(path), Settings())
    assert why.value.fact == ("written",)


def test_a_program_that_floods_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PRINTED", 0)
    with closing(Process(["yes"], NUMBER, 2)) as flooding, pytest.raises(EndedError) as why:
        flooding.answer(monotonic() + 60)
    assert why.value.fact == ("printed", 0)


@pytest.mark.parametrize("junk", JUNK)
def test_what_a_program_writes_into_its_pipe_is_no_answer(junk: str, tmp_path: Path) -> None:
    source = (
        f"import os\n\n\ndef choose(b):\n    if '-' * 8 in b:\n        {JUNK[junk]}".replace(
            "\n        try", "\n            try"
        ).replace("\n        except", "\n            except")
        + "\n    return b.index('-')"
    )
    path = tmp_path / "player.py"
    path.write_text(source)
    with closing(PythonFile(str(path), Settings())) as player:
        answer = player.ask(Position())
        assert answer.kind == "errors"
        assert answer.came == ("written",)
        assert player.ask(Position().play(0).play(1)).kind == "square"
