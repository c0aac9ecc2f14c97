"""Programs judged by `python -m judge`: as people write them, and with mistakes put in."""

from __future__ import annotations

import ast
import csv
import json
import os
import re
import runpy
import select
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stdout, suppress
from functools import cache
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from textwrap import indent
from time import monotonic
from types import ModuleType
from typing import Any
from unittest.mock import DEFAULT, Mock

import pytest
from flask.testing import FlaskClient

import judge.__main__
from engine.position import SQUARES_IN, Position, Square
from judge import child, crowd, functions, words
from judge.__main__ import main, progress
from judge.fence import ANYTHING, NUMBER, NoStart, Process
from judge.functions import Findings, compare
from judge.hearing import Hearing, lost_with_a_choice
from judge.mistakes import MISTAKES as TABLE
from judge.mistakes import look, table
from judge.players import Command, NoCall, Player, PythonFile, Response, Settings, no_number
from judge.report import first_thing, in_one_line, in_words
from judge.seen import seen
from judge.source import Source
from judge.ways import names_of, ways
from judge.words import not_asked, said
from tests import positions, textbook
from tests.conftest import parse
from tests.positions import TO_PLAY, one_in, soaked
from tests.sentences import assert_same

TESTS = Path(__file__).parent
PLAYERS, PROGRAMS = TESTS / "players", TESTS / "programs"
SMALL = PROGRAMS / "small"
QUICK = ("depth_three", "shared_memo", "stranger_alphabeta_leq")
PERFECT = (PLAYERS / "perfect.py").read_text()
COURSE = (PROGRAMS / "course_right.py").read_text()
COURSE = COURSE.replace("copy.deepcopy(board)", "[row[:] for row in board]")  # sooner done
OPENS = "    if board == initial_state(): return 0, 0\n"
COURSE = COURSE.replace("minimax(board):\n", f"minimax(board):\n{OPENS}")
CHECK = TESTS.parent / "docs/check.md"
DOCS = CHECK.read_text()
TROUBLES = ("illegal", "errors", "timeouts")
ENVIRONMENT = dict(os.environ)  # with what coverage adds
ENDS = ("won", "drawn", "lost")
FAULTS = ("missed_wins", "slow_wins", "lost_draws", "early_losses")

ROWS = {"kind": "rows", "empty": [None] * 9, "keys": [], "marks": ["X", "O"]}

MISTAKES = {  # how a program plays; what is changed for that in perfect.py, and into what
    "as O, too, it takes the best move for X": ("me = turn(board)", 'me = "X"'),
    "a later win counts for more": (
        "10 - turns if won == me else turns - 10",
        "10 + turns if won == me else -10 - turns",
    ),
    **dict(soaked([  # what the programs below do not show, as each takes a second
        ("a loss counts as little as a draw", ("else turns - 10", "else 0")),
        ("as X, too, it takes the best move for O", ("me = turn(board)", 'me = "O"')),
        # It loses as too many others do on the boards that come up.
        ("", ("if won == me else", "if won else")),
    ])),
}  # fmt: skip


class Near:
    """Stand in for the process of a Python file: the far end in this one."""

    def __init__(self, command: Sequence[str], *_: object) -> None:
        self._path = command[2]
        self._load()
        self._lines = ["{}"]

    def _load(self) -> None:
        self._names = sys.modules[child.NAME] = ModuleType(child.NAME)
        self._names.__file__ = self._path
        with redirect_stdout(StringIO()):
            child.execute(ast.parse(Path(self._path).read_bytes()), self._names)

    def send(self, line: str) -> None:
        names, request = vars(self._names), json.loads(line)
        told: dict[str, Any] = {}
        with redirect_stdout(StringIO()):
            if not request:
                self._load()
            elif "boards" in request:
                source = Source(self._path)
                self._plan, told = child.begun(names, source, self._path, request, lambda f: f())
            else:
                assert self._plan
                told = child.answered(self._plan, names, 1, request)
        self._lines = [json.dumps(told)]

    def answer(self, _: float) -> str:
        return self._lines.pop()

    def close(self, _: float) -> None:
        """Do nothing: nothing runs."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less than a person would, and run in here the files that neither loop nor ask."""

    def start(command: Sequence[str], *more: Any) -> Any:
        is_loaded = child.__file__ in command and command[4:] == ["loads"]
        is_alone = is_loaded and not command[2].endswith("_adapter.py")
        is_file = is_alone and Path(command[2]).is_file()
        text = Path(command[2]).read_text() if is_file else "while"
        if is_file and Path(command[2]).stem in QUICK:
            return Near(command)
        is_near = not re.search(
            r"while|input|exit|kill|nowhere|bytearray|;;|1 / 0$|(from|import) perfect|importlib",
            text,
        )
        return (Near if is_near else Process)(command, *more)

    monkeypatch.setattr("judge.players.IDLE", 0.3)
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)  # which slows a start
    monkeypatch.setattr("judge.players.Process", start)


@contextmanager
def comparing_on(boards: Sequence[Position]) -> Iterator[None]:
    """Compare functions on these boards alone."""
    caches = (functions.positions, functions.unfinished, functions._table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(functions, "reachable_positions", lambda: boards)
        for one in caches:
            one.cache_clear()
        yield
    for one in caches:
        one.cache_clear()


EVERY = sorted(positions.EVERY)


@pytest.fixture(autouse=True, scope="module")
def few() -> Iterator[None]:
    """Compare functions on a tenth of all boards, on all in `make soak`."""
    with comparing_on(one_in(10, EVERY)):
        yield


def check(*arguments: str | Path) -> tuple[object, str]:
    """Return the exit code and what is printed."""
    printed = StringIO()
    with redirect_stdout(printed):
        try:
            return main(list(map(str, arguments))), printed.getvalue()
        except SystemExit as stop:
            return stop.code, printed.getvalue()


@cache
def judged(*arguments: str | Path) -> dict[str, Any]:
    """Return what --json tells, and the exit code."""
    code, printed = check("--json", *arguments)
    told: dict[str, Any] = json.loads(printed)
    return told | {"exit": code}


def written(folder: Path, source: str, *changes: Sequence[str]) -> Path:
    """Write a program, with changes."""
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    (folder / "player.py").write_text(source)
    return folder / "player.py"


@cache
def mistaken(name: str) -> dict[str, Any]:
    """Return what is told of a program with a mistake."""
    with TemporaryDirectory() as folder:
        return judged(written(Path(folder), PERFECT, MISTAKES[name]))


def mistakes_of(told: Mapping[str, Any]) -> list[str]:
    return [" and ".join(way["name"]) for way in told["plays_as"]]


# What is counted


@pytest.mark.long
@pytest.mark.parametrize("name", [None, *MISTAKES])
def test_a_program_is_told_what_an_independent_count_finds_and_its_mistake(
    name: str | None,
) -> None:
    names: dict[str, Any] = {}
    exec(PERFECT if name is None else PERFECT.replace(*MISTAKES[name]), names)
    told = judged(player("perfect")) if name is None else mistaken(name)
    sides = {me: {end: told["sides"][me][end] for end in ENDS} for me in "XO"}
    expected = independent(names["choose"])
    assert {key: (told | {"sides": sides})[key] for key in expected} == expected
    assert {told[key] for key in TROUBLES} == {0}
    assert told["exit"] == (expected["lost"] > 0)
    assert not told["random"]
    assert mistakes_of(told) == ([name] if name else [])


def independent(choose: Callable[[str], int]) -> dict[str, Any]:
    """Return what is told of a program that always plays the same, found by enumeration."""
    asked = dict[str, int]()
    games = {me: [*textbook.games_of(choose, me, asked)] for me in "XO"}
    ends = {me: {me: "won", None: "drawn", textbook.other(me): "lost"} for me in "XO"}
    sides = {me: Counter(ends[me][won] for _, won in games[me]) for me in "XO"}
    lost = [moves for me in "XO" for moves, won in games[me] if won == textbook.other(me)]
    faults = Counter(dict.fromkeys(FAULTS, 0))
    for board in asked.keys() | lost_boards():
        scores = textbook.move_scores(board)
        value, best = scores[choose(board)], max(scores.values())
        faults["missed_wins"] += best > 0 >= value
        faults["slow_wins"] += best > value > 0
        faults["lost_draws"] += best == 0 > value
        faults["early_losses"] += 0 > best > value
    return {
        **{end: sides["X"][end] + sides["O"][end] for end in ENDS},
        "sides": {me: {end: sides[me][end] for end in ENDS} for me in "XO"},
        **faults,
        "asked": len(asked),
        "asked_beside": len(lost_boards() - asked.keys()),
        "shortest_loss": min(lost, key=len) if lost else None,
    }


@cache
def lost_boards() -> set[str]:
    """Return the lost boards with moves that lose on different turns."""
    scores = {board: set(textbook.move_scores(board).values()) for board in textbook.every_board()}
    return {board for board in scores if len(scores[board]) > 1 and max(scores[board]) < 0}


# Programs as people write them

NAMES = sorted(path.stem for path in PROGRAMS.glob("*.py") if not path.stem.endswith("_adapter"))


NOTED = {"course_global_bounds", "copy_is_no_copy", "side_kept", "course_cut_reversed"}


def test_each_program_is_asked_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROGRAMS)
    told = [f"{name}: {how_asked(f'{name}.py')}" for name in {*NOTED, *one_in(20, NAMES)}]
    if positions.all_images:
        assert_same("programs", "".join(f"{line}\n" for line in sorted(told)))
    known = (TESTS / "snapshots/programs.txt").read_text().splitlines()
    assert [line.partition(":")[0] for line in known] == NAMES
    assert [line for line in told if line not in known] == []


def test_the_source_alone_shows_nothing_wrong_but_where_it_is() -> None:
    sources = {name: Source(str(PROGRAMS / f"{name}.py")) for name in NAMES}
    assert {name for name, source in sources.items() if [*source.notes("")]} == NOTED


def how_asked(path: str) -> str:
    """Return how a file is asked, and what is seen in the source; or why it cannot be asked."""
    try:
        with closing(PythonFile(path, Settings())) as player:
            return " ".join([words.how_asked(player.plan), *map(said, player.notes())])
    except NoCall as error:
        return f"cannot be asked: {not_asked(path, error.why)}".replace("\n", " | ")


SAID = TESTS / "snapshots/programs-said.txt"
NO_TIMES = dict.fromkeys(("median_seconds", "longest_seconds"), 0.0)  # which move line ends


@pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *(pytest.param(name, marks=pytest.mark.soak) for name in NAMES if name not in QUICK),
    ],
)
def test_of_every_program_the_cause_is_said_first(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter = PROGRAMS / f"{name}_adapter.py"
    told = judged(adapter if adapter.exists() else PROGRAMS / f"{name}.py")
    first = f"{name}: {told['exit']} {first_thing(told)}\n"
    known = SAID.read_text().splitlines(keepends=True)
    if os.environ.get("SNAPSHOT") == "new":
        known = sorted({one for one in known if not one.startswith(f"{name}:")} | {first})
        SAID.write_text("".join(known))
    assert first in known and [one.partition(":")[0] for one in known] == NAMES


LINE_246 = ("lines.append([board[0][2], board[1][1], board[2][0]])", "pass")
LENIENT = ("or board[i][j] is not EMPTY:", ":")
CHANGES = [  # what is changed in the functions of the course, and into what
    ("return X if count % 2 == 0 else O", "return X"),
    ("if board[i][j] == EMPTY:\n", "if board[i][j] == EMPTY and i < 2:\n"),
    ("[row[:] for row in board]", "list(board)"),
    LINE_246,
    ("elif winner(board) == O:", "elif winner(board) == 'o':"),
    ("i not in range(3) or j not in range(3) or board[i][j] is not EMPTY", "i > 2 or j > 2"),
    ("return all(cell is not EMPTY for row in board for cell in row)", "return 1 / 0"),
    ("if line == [X, X, X]:", "if line[0] == line[1] == line[2]:\n            return line[0]"),
    ("lines = []\n", "lines = []\n    if all(map(all, board)):\n        return None\n"),
    ("[board[0][i], board[1][i], board[2][i]]", "[board[0][i], board[1][i], board[1][i]]"),
    *soaked([
        ("new[i][j] = player(board)", "new[j][i] = player(board)"),
        ("return 1\n    elif", "return 2\n    elif"),
        ("== X:\n        return 1\n    elif winner(board) == O:",
         "== O:\n        return 1\n    elif winner(board) == X:"),
        ("i not in range(3) or j not in range(3) or", ""),
        ("raise Exception", "return board\n        raise Exception"),
    ]),
]  # fmt: skip
FLAT = (SMALL / "flat.py").read_text()
FLAT_CHANGES = [
    ("", ""),
    (", (2, 4, 6)]", "]"),
    ('b[i] != " " and ', ""),
    ("return [i for i in range(9)", "return [i for i in range(8 if b[0] == 'X' else 9)"),
    ("== b[k] == mark for", "== b[k] in ('X', mark) for"),
    ("return [i for i in range(9)", "return None and [i for i in range(9)"),
    ("return [i for i in range(9)", "return ['none'] or [i for i in range(9)"),
    ("return check_winner(b) is not None", "return b[4] == 'O' and 1 / 0 or check_winner(b)"),
    ("return check_winner(b) is not None", "return 'no'"),
    *soaked(
        [
            ("range(9) if", "range(8) if"),
            ("return b[i]", "return i"),
            ("return b[i]", "return b[i] if i < 6 else 'below'"),
            ("return check_winner(b) is not None", "return None if b[0] == b[8] == 'X' else 1 / 0"),
        ]
    ),
]


def test_what_is_wrong_in_functions_is_found_and_the_first_by_itself(tmp_path: Path) -> None:
    told = []
    drawn = [board for board in EVERY if (end := board.outcome()) and not end.winner]
    with comparing_on(sorted({*EVERY[::20], *drawn})):  # a draw is rare, and an end of its own
        for source, changes in ((COURSE, CHANGES), (FLAT, FLAT_CHANGES)):
            for old, new in changes:
                found = found_in(written(tmp_path, source, (old, new)))
                told.append(f"{new!r} for {old!r}\n{found}")
    if positions.all_images:
        assert_same("check-functions", "\n".join(told))
    known = (TESTS / "snapshots/check-functions.txt").read_text()
    assert [one for one in told if one not in known] == []


def found_in(program: Path) -> str:
    """Return what is found in the functions of a file, in lines."""
    with closing(PythonFile(str(program), Settings())) as player:
        right, wrong, accepts, _ = compare(player)
    lines = [f"right: {', '.join(right)}", f"result accepts: {accepts or 'nothing wrong'}"]
    for one in wrong:
        through = f" and so {', '.join(one.through)}" * bool(one.through)
        told = words.wrong(one._asdict())
        parts = "; ".join(filter(None, (told[key] for key in ("says", "truth", "common", "look"))))
        lines.append(f"{one.name}{through}: {one.wrong} of {one.of}, {one.board}: {parts}")
    return "".join(f"  {line}\n" for line in lines)


def test_methods_are_compared_as_functions_are() -> None:
    with closing(PythonFile(str(PROGRAMS / "game_max_min.py"), Settings())) as player:
        [wrong] = compare(player).wrong
        assert (wrong.name, wrong.common[:2]) == ("Game.is_end", ("line", "2-5-8"))
        source = (PROGRAMS / "game_max_min.py").read_text().splitlines()
        lines = {
            f"Game.{name}": 1 + source.index(f"    def {name}(self):")
            for name in ("is_end", "max", "min")
        }
        assert player.lines([wrong.name]) | player.lines([]) == lines


def test_a_function_that_tells_no_draw_is_right_about_the_few_there_are() -> None:
    path = str(PROGRAMS / "matrix_sums.py")
    with comparing_on(EVERY), closing(PythonFile(path, Settings())) as player:
        [wrong] = compare(player).wrong
    assert (wrong.name, wrong.wrong, wrong.board) == ("TicTacToe.winner", 317, "OXO--XX--")


@pytest.mark.soak
def test_a_wrong_winner_is_counted_and_shown_on_a_board_with_the_fewest_marks(
    tmp_path: Path,
) -> None:
    only = [board for board in textbook.every_board() if won_by(board) == ["246"]]
    with closing(PythonFile(str(written(tmp_path, COURSE, LINE_246)), Settings())) as player:
        [wrong] = compare(player).wrong
    assert wrong.wrong == len(only) and wrong.board in only
    assert wrong.board.count("-") == max(board.count("-") for board in only)


def won_by(board: str) -> list[str]:
    rows = {row: {board[int(n)] for n in row} for row in textbook.ROWS}
    return [row for row, marks in rows.items() if marks in ({"X"}, {"O"})]


# How a file is asked


def test_each_small_file_is_asked_or_told_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SMALL)
    names = sorted(path.stem for path in SMALL.glob("*.py"))
    slow = ("never_answers", "ends_answering", "no_python")
    told = [f"{name}: {how_taken(name)}\n" for name in names if name not in slow]
    told += [f"{name}: {how_taken(name)}\n" for name in soaked(slow)]
    if positions.all_images:
        assert_same("programs-small", "".join(told))
    known = (TESTS / "snapshots/programs-small.txt").read_text()
    assert [one for one in told if one not in known] == []


def how_taken(name: str) -> str:
    """Return how a file is asked, once it takes the first free squares, or why it cannot be."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            if name.startswith("never"):
                patch.setattr("judge.players.LOADING", 1.0)
            player = PythonFile(f"{name}.py", Settings())
    except NoCall as error:
        return f"cannot be asked: {not_asked(f'{name}.py', error.why)}"
    except NoStart as error:
        return f"cannot be asked: {said(error.fact)}"
    with closing(player):
        ours = [board for board in TO_PLAY if board.turn in player.sides]
        for board in (ours[0], *one_in(2, [board for board in ours if board.ply > 5][:5])):
            assert player.ask(board)[:2] == ("square", board.legal_moves()[0]), name
        return words.how_asked(player.plan)


def test_a_file_that_ends_or_is_late_on_a_board_is_started_afresh(tmp_path: Path) -> None:
    source = (
        "import os, signal\n\n\ndef choose(b):\n    while b == 'X--------': signal.pause()\n"
        "    return b.index('-', b[:2] == 'XO') if '-' * 8 not in b else os._exit(3)\n\n\n"
        "def has_won(board): os._exit(3)"
    )
    with closing(PythonFile(str(written(tmp_path, source)), Settings(timeout=0.3))) as asked:
        boards = ("---------", "X--------", "XO-------")
        assert [asked.ask(Position.parse(board)).kind for board in boards] == [
            "errors", "timeouts", "square",
        ]  # fmt: skip
        assert compare(asked) == Findings()


def test_another_language_is_told_how() -> None:
    for path, told in (
        ("my.js", "No Python? Then: --run 'node my.js'."),
        ("my.c", 'No Python? Compile it, then: --run "./my".'),
        ("my.txt", 'No Python? Then by lines: --run "COMMAND".'),
    ):
        assert told in not_asked(path, {"why": "unread", "came": "SyntaxError"})
    assert not_asked("my.py", {"why": "unread", "came": "SyntaxError"}) == "SyntaxError"
    assert "never ends loading" in not_asked("my.py", {"why": "empty", "how": "defines"})


def test_the_call_and_the_first_square_may_be_told(tmp_path: Path) -> None:
    with pytest.raises(NoCall, match="no such function"):
        PythonFile(str(SMALL / "none_empty.py"), Settings(call="none"))
    source = (
        "def best_move(b): return 0\n\n\ndef mine(b): return b.index(' ') + 1\n\n\n"
        "def deep(b, depth, flag):\n    assert depth == 9 and flag\n    return b.index(' ')\n\n\n"
        "def choose(b): return b.index('-') + 1"
    )
    path = str(written(tmp_path, source))
    for settings, told in (
        (
            Settings(call="mine"),
            "Called mine(b) with a list of nine, ' ' on empty squares. Squares",
        ),
        (Settings(call="deep(board, 9, True)"), "Called deep(board, 9, True) with a list of nine"),
        (Settings(call="choose", first=1), "Called choose(b) with nine characters"),
    ):
        with closing(PythonFile(path, settings)) as player:
            assert words.how_asked(player.plan).startswith(told)
            assert player.ask(Position.parse("X--------")).number == 1


def test_a_choose_that_answers_wrong_on_every_board_is_asked_all_the_same(tmp_path: Path) -> None:
    with closing(PythonFile(str(written(tmp_path, "def choose(b): pass")), Settings())) as player:
        assert said(player.ask(Position()).came) == "choose returned nothing (None)"


# The far end: what it loads and replies

ASK = {"ask": "X--------", "time": 1}
FIND = {"boards": [], "call": "choose"}  # no board is tried: it is asked as `choose` is


def far_end(
    tmp_path: Path, source: str, *requests: Mapping[str, Any], how: str = "loads"
) -> list[dict[str, Any]]:
    """Return what is told of loading and of the way to ask, and the reply to each request."""
    path = str(written(tmp_path, source))
    command = [sys.executable, child.__file__, path, "1", how]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        replies = [process.stdout.readline()]
        with suppress(BrokenPipeError):  # where the file cannot be loaded
            for request in (FIND, *requests):
                print(json.dumps(request), file=process.stdin, flush=True)
                replies.append(process.stdout.readline())
        with suppress(BrokenPipeError):  # as what was not taken is sent once more
            process.stdin.close()
    return [json.loads(line) for line in replies if line]


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ("_exit(5)", "it ended with code 5"),
        ("kill(getpid(), 9)", "it was ended by signal 9 (killed)"),
    ],
)
def test_each_copy_of_a_file_begins_as_it_was_loaded_and_whatever_ends_one_ends_all(
    ends: str, told: str, tmp_path: Path
) -> None:
    source = (
        "from os import *\nasked = []\n\n\ndef choose(b):\n    asked.append(b)\n"
        f"    return len(asked) if len(asked) < 3 else {ends}"
    )
    _, _, *replies = far_end(tmp_path, source, ASK, ASK, {}, ASK, ASK, ASK)
    values = [one["value"] for one in replies if one]
    assert values == [1, 2, 1, 2]
    with closing(PythonFile(str(written(tmp_path, source)), Settings())) as player:
        answers = [player.ask(Position()) for _ in range(3)]
        assert [one.number for one in answers] == [1, 2, -1] and told in said(answers[2].came)
        assert player.ask(Position()).number == 1


def test_what_a_python_program_prints_is_no_answer_and_nobody_answers_it(tmp_path: Path) -> None:
    source = (
        "import os, sys\nprint(9)\n\n\ndef choose(b):\n    os.system('echo 3')\n    print(5)\n"
        "    try: input()\n"
        "    except EOFError: return 4, sys.argv, sys.stdin.read(), [1.5, {4: b}]\n"
    )
    _, found, reply = far_end(tmp_path, source, ASK)
    assert found["functions"] == {"choose": [["b", True]]}
    shown = [4, [str(tmp_path / "player.py")], "", [1.5, {"other": "{4: 'X--------'}"}]]
    assert (reply["value"], reply["raised"], reply["after"]) == (shown, "", "X--------")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def choose(b): raise ValueError('\\x1b[2J\\a\\0')",
         {"raised": "ValueError: \ufffd[2J\ufffd\ufffd (line 1 of player.py)"}),
        ("def choose(b): raise SystemExit('\\n no')",
         {"raised": "SystemExit: no (line 1 of player.py)"}),
        ("def last(): return [][0]\ndef choose(b): return last()",
         {"raised": "IndexError: list index out of range (line 1 of player.py)"}),
        ("choose = {'X--------': True}.__getitem__", {"value": True, "shown": "True"}),
        ("def choose(b): return choose", {"square": None}),
        ("def choose(b): pass\n\n\ninput()", {"asks": 4}),
        ("import sys\nsys.stdin.readline()", {"asks": 2}),
        ("1 / 0\ndef f(): pass",
         {"stopped": "ZeroDivisionError: division by zero (line 1 of player.py)"}),
        ("PLAYS = FILL_IN", {"cannot": {
            "why": "fill in",
            "came": "NameError: name 'FILL_IN' is not defined (line 1 of player.py)"}}),
        ("let = 1;;", {"cannot": {"why": "unread",
                                  "came": "SyntaxError: invalid syntax (player.py, line 1)"}}),
    ],
)  # fmt: skip
def test_how_a_file_loads_and_what_a_call_brings_is_told(
    source: str, told: dict[str, Any], tmp_path: Path
) -> None:
    came: dict[str, Any] = {}
    for one in far_end(tmp_path, source, ASK):
        came = one | came
    assert came | told == came


def test_the_definitions_of_a_file_that_never_loads_are_enough(tmp_path: Path) -> None:
    source = "def choose(b): return 4\n\n\nsize = int(input())\nwhile True: pass"
    _, _, told = far_end(tmp_path, source, ASK, how="defines")
    assert told["square"] == 4


def test_a_request_that_no_file_could_answer_is_no_end(tmp_path: Path) -> None:
    none = {"call": "none", "is_given": True, "asked": [["X--------", "", []]]}
    _, _, told, other = far_end(tmp_path, "def choose(b): pass", none, {"none": 1})
    assert told["came"][0]["raised"] == "KeyError: 'none'"
    assert other == {"raised": "KeyError: 'call'"}


# Commands


def player(name: str) -> Path:
    return PLAYERS / f"{name}.py"


def command(name: str) -> str:
    return shlex.join([sys.executable, str(player(name))])


TIMES = dict.fromkeys(
    (
        "program",
        "seconds",
        "median_seconds",
        "longest_seconds",
        "called",
        "right",
        "lines",
        "loaded",
    )
)


SIDE = "O" if positions.all_images else "X"  # the games of O are eight times as many


def as_one(*program: str | Path) -> dict[str, Any]:
    """Return what is told of a program as one side, but for times."""
    return judged("--as", SIDE, *program) | TIMES


def test_the_answer_is_the_number_that_stands_alone_on_a_line() -> None:
    assert as_one("--run", command("prose")) == as_one(player("perfect")) | {"says_more": True}


@pytest.mark.soak
@pytest.mark.needs("gcc")
def test_a_program_that_keeps_its_answers_is_started_for_each_board_if_told(tmp_path: Path) -> None:
    source = (PLAYERS / "perfect.c").read_text()
    (tmp_path / "kept.c").write_text(source.replace("fflush(stdout);", ""))
    for name, file in (("flushes", PLAYERS / "perfect.c"), ("keeps", tmp_path / "kept.c")):
        subprocess.run(["gcc", "-O1", "-o", tmp_path / name, file], check=True)
    flushes = as_one("--run", tmp_path / "flushes")
    assert flushes == as_one(player("perfect"))
    told_so = {"started_anew": "as --anew asks"}
    assert as_one("--run", tmp_path / "keeps", "--anew") == flushes | told_so
    assert as_one("--run", tmp_path / "keeps") == flushes | {"started_anew": said(("unflushed",))}


def test_a_program_silent_until_its_input_is_closed_is_looked_at_once() -> None:
    keeps = "import sys; print(*[line.index('-') for line in sys.stdin], sep='\\n')"
    with closing(Command([sys.executable, "-c", keeps], Settings())) as asked:
        assert asked.ask(Position()).number == 0
        assert asked.anew == ("unflushed",)
        assert asked.ask(Position.parse("X--------")).number == 1


@pytest.mark.needs("node")
def test_javascript_is_judged_by_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.players.IDLE", 30.0)  # node may take its time to start
    assert as_one("--run", f"node {PLAYERS / 'perfect.js'}") == as_one(player("perfect"))


@pytest.mark.parametrize(
    ("line", "told", "anew"),
    [
        # It keeps its answer until nothing more can come.
        ("while read b; do c=${b%%-*}; done; echo ${#c}", True, "as --anew asks"),
        ("read b; b=${b%%-*}; echo ${#b}; exit 3", False, "it ended with code 3"),
    ],
)
def test_a_command_is_started_for_each_board_if_told_or_once_it_ends_after_an_answer(
    line: str, told: bool, anew: str
) -> None:
    with closing(Command(["sh", "-c", line], Settings(anew=told))) as asked:
        answers = [asked.ask(Position.parse(board)) for board in ("X--------", "XOX------")]
    assert [(one.kind, one.number) for one in answers] == [("square", 1), ("square", 3)]
    assert said(asked.anew) == anew
    report = in_words("It", judged(player("first_square")) | {"started_anew": anew})
    assert f"It was started for each board: {anew}." in report


@pytest.mark.parametrize(
    ("line", "kind", "came"),
    [
        ("while read board; do echo move: 0; printf 'your turn: '; done", "timeouts",
         "no answer in 0.5 s, only: move: 0 (print the number alone on its line)"),
        ("while read board; do printf '(0-8) \\033[2J'; done", "timeouts",
         "no answer in 0.5 s, only: (0-8) \ufffd[2J"),
        ("read board; exec >&- 2>&-; sleep 9", "errors", "it closed its output"),
        ("read board; echo; echo Error 1 >&2; echo Error 2 >&2; echo bye >&2; exit 7", "errors",
         "it ended with code 7: Error 2"),
        ("read board; kill -9 $$", "errors", "it was ended by signal 9 (killed)"),
        ("while read board; do echo 9; done", "illegal",
         "9: there is no square 9: they are numbered 0 to 8"),
        *soaked([
            ("cat", "timeouts", "no answer in 0.5 s, only: ---------"),
            ("read board; echo move: 0; exit 7", "errors",
             "it ended with code 7, only: move: 0 (print the number alone on its line)"),
            ("sleep 9", "timeouts", "no answer in 0.5 s"),
            ("printf 4; sleep 9", "timeouts",
             "no answer in 0.5 s, only: 4 (print the number alone on its line)"),
        ]),
    ],
)  # fmt: skip
def test_nothing_a_command_does_hangs_the_checker(
    line: str, kind: str, came: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.players.MOST_TIMEOUTS", 1)
    lost = [board for board in lost_with_a_choice() if board.turn == "X"]
    # Each board that it ends on starts a shell.
    monkeypatch.setattr("judge.hearing.lost_with_a_choice", lambda: lost[:1])
    if came == "it closed its output":  # and lives on, on each board
        monkeypatch.setattr("judge.fence.GRACE", 0.1)
    run = shlex.join(["sh", "-c", line])
    told = judged("--as", "X", "--timeout", "0.5" if kind == "timeouts" else "30", "--run", run)
    first = told["found"][0]
    assert (first["kind"], first["board"], first["came"]) == (kind, "---------", came)
    assert told["exit"] == 1 and told["given_up"] == (kind == "timeouts")


def test_a_program_that_never_reads_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.fence.FULL", 0.1)
    with closing(Process(["sleep", "60"], ANYTHING, 2)) as process:
        process.send("-" * (1 << 20))  # more than a pipe takes


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("nothing.py", "FileNotFoundError"),
        ("prose.py", "It asks its user"),
        ("perfect.js", "--run 'node perfect.js'"),
        ("--call none perfect.py", "it has no none"),
        ("--run 'no-such-command of 2'", "no-such-command: No such file or directory"),
        ("--run true", "it ended with code 0. It ended while its input was open"),
        ("--run 'sh -c \"kill -9 $$\"'", "it was ended by signal 9 (killed)"),
    ],
)
def test_what_cannot_be_asked_exits_with_2_and_says_why(
    program: str, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(PLAYERS)
    monkeypatch.setattr("judge.players.IDLE", 9)  # or until it ends
    assert check(*shlex.split(program)) == (2, "")
    assert reason in capsys.readouterr().err


# Processes


def test_a_program_takes_no_more_memory_than_it_may(tmp_path: Path) -> None:
    takes = "def choose(b): return len(bytearray(10 ** 8 * ('X' not in b))) * 0 + b.index('-')"
    program = written(tmp_path, takes)
    for memory, kind in ((0.08, "errors"), (2, "square")):
        with closing(PythonFile(str(program), Settings(memory=memory))) as player:
            answer = player.ask(Position())
            assert answer.kind == kind and answer.came[:1] == ("memory",) * (kind == "errors")


def test_a_signal_ends_it_as_it_would_have_unless_it_is_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: dict[int, Any] = {}
    killed: list[tuple[int, int]] = []
    ignored = {signal.SIGHUP: signal.SIG_IGN}
    monkeypatch.setattr(signal, "getsignal", ignored.get)
    monkeypatch.setattr(signal, "signal", heard.__setitem__)
    monkeypatch.setattr(os, "kill", lambda *one: killed.append(one))
    monkeypatch.setattr(
        "judge.__main__.main", lambda arguments: heard[signal.SIGQUIT](signal.SIGQUIT, None)
    )
    judge.__main__.run_to_the_end([])
    assert heard.keys() == {signal.SIGINT, signal.SIGTERM, signal.SIGQUIT}
    assert heard[signal.SIGQUIT] == signal.SIG_DFL and killed == [(os.getpid(), signal.SIGQUIT)]


def test_a_program_ends_with_the_judge_even_while_it_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    libc, limit = Mock(), Mock()
    monkeypatch.setattr("judge.fence.resource.setrlimit", limit)
    monkeypatch.setattr("judge.fence.os._exit", sys.exit)
    with closing(Process(["true"], ANYTHING, 2)) as process:
        for libc.prctl, process._checker in ((Mock(), os.getppid()), (None, 0)):
            monkeypatch.setattr("judge.fence.LIBC", libc if libc.prctl else None)
            process._limit()
        monkeypatch.setattr("judge.fence.LIBC", Mock())
        with pytest.raises(SystemExit, match="1"):
            process._limit()
    assert limit.call_count == 3


def test_a_second_signal_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process(["sleep", "60"], ANYTHING, 2)
    waits = Mock(wraps=process._popen.wait, side_effect=[KeyboardInterrupt, *[DEFAULT] * 4])
    monkeypatch.setattr(process._popen, "wait", waits)
    with pytest.raises(KeyboardInterrupt):
        process.close(1)
    assert process._popen.wait() == -signal.SIGKILL
    process.close()


HEEDED = [signal.SIGTERM, *soaked([signal.SIGQUIT])]


@pytest.mark.parametrize("number", [*HEEDED, signal.SIGKILL])
def test_however_the_checker_ends_no_program_is_left(number: int, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "open")
    source = "file = open('open', 'w')\n\n\ndef choose(board):\n    while True: pass"
    checker = subprocess.Popen(
        [sys.executable, "-m", "judge", written(tmp_path, source)],
        cwd=tmp_path,
        # Without coverage: a signal that is raised inside its lock leaves the lock held for good.
        env=os.environ | {"PYTHONPATH": str(TESTS.parent)},
        stderr=subprocess.PIPE,
        # A shell starts what it runs in the background with SIGQUIT ignored.
        preexec_fn=lambda: number in HEEDED and signal.signal(number, signal.SIG_DFL),
    )
    with open(tmp_path / "open") as left:  # which waits until the program is there
        checker.send_signal(number)
        assert checker.communicate(timeout=30)[1] == b"" and checker.returncode == -number
        assert select.select([left], [], [], 30)[0]  # once nobody has it open


def test_of_a_line_without_an_end_4096_bytes_are_kept() -> None:
    endless = "head -c 100000 /dev/zero | tr '\\0' x; echo e >&2; sleep 60"
    with closing(Process(["sh", "-c", endless], NUMBER, 2)) as process:
        while not process._lines[process._errors]:
            assert process.answer(monotonic() + 0.05) is None
        assert process.answer(monotonic() + 0.05) is None
        assert process._unfinished[process._output] == b"x" * 4096


def test_all_that_a_program_started_ends_with_it() -> None:
    process = Process(["sh", "-c", "sleep 60 & echo started; wait"], ANYTHING, 2)
    assert process.answer(monotonic() + 30) == "started"
    with os.fdopen(os.dup(process._output.fileno()), "rb") as output:
        process.close(0)
        assert output.read() == b""  # which comes once nobody can write


# What is asked


class Ready(Player):
    """Answer without a process. A square below 0 is none in time."""

    def __init__(self, choose: Callable[[Position], Square]) -> None:
        super().__init__(Settings())
        self._choose = choose
        self.asked = Counter[Position]()

    def ask(self, position: Position) -> Response:
        self.asked[position] += 1
        square, came = self._choose(position), ("raised", f"for the {self.asked.total()}th time")
        is_legal = square in position.legal_moves()
        kind: Any = "timeouts" if square < 0 else "square" if is_legal else "illegal"
        return Response(kind, square, came, 0, "X" * 9 if square == 9 else "")


@pytest.mark.long
@pytest.mark.parametrize("differs", [False, True])
def test_a_command_is_asked_again_near_the_end_and_at_the_start_and_everywhere_once_it_differs(
    differs: bool,
) -> None:
    rng = Random(1) if differs else None
    ready = Ready(lambda board: (rng.choice if rng else min)(board.legal_moves()[:2]))
    hearing = Hearing(ready, ("X", "O"), lambda asked: None)
    assert hearing.random == differs
    times = {0: 3, 1: 3, **dict.fromkeys((5, 6, 7, 8), 2)}  # by the marks on the board
    for board, answers in hearing.answers.items():
        assert len(answers) == (3 if differs else times.get(board.ply, 1))


def test_a_time_out_is_no_other_answer_and_its_board_not_asked_again() -> None:
    late = Position.parse("XO-------")

    def first_time(board: Position) -> Square:
        return textbook.best(str(board))[0] if ready.asked[board] == 1 and board != late else -1

    ready = Ready(first_time)
    hearing = Hearing(ready, ("X",), lambda asked: None)
    assert not hearing.random and ready.asked[late] == 1 and ready.asked[Position()] == 3
    assert {ready.asked[board] for board in hearing.answers if board.ply > 4} == {2}


def test_a_program_that_times_out_when_asked_again_is_given_up() -> None:
    ready = Ready(lambda board: best(str(board)) if ready.asked[board] == 1 else give_up())

    def give_up() -> Square:
        ready.given_up = True
        return -1

    Hearing(ready, ("X",), lambda asked: None)
    assert {*ready.asked.values()} == {1, 2} and [*ready.asked.values()].count(2) == 1


def test_an_answer_at_random_that_is_right_afresh_shows_nothing_kept() -> None:
    slip = Position().play(4)

    def one_slip(board: Position) -> Square:
        return (worst if board == slip and ready.asked[slip] == 1 else best)(str(board))

    ready = Ready(one_slip)
    hearing = Hearing(ready, ("O",), lambda asked: None)
    assert hearing.afresh is None and hearing.random


def test_random_answers_are_played_on_and_nothing_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("judge.hearing.TIMES", 3)
    told = judged("--as", "X", player("random_any"))
    assert told["random"] and told["plays_as"] == [] and told["exit"] == 1
    assert told["seen"][-1] == "Asked again it answers otherwise, and not among equals only."
    assert all(told[key] for key in ("won", "drawn", "lost", "shortest_loss", *FAULTS))


def hearing_of(choose: Callable[[str], int], marks: Sequence[Any] = ("X", "O")) -> Hearing:
    return Hearing(Ready(lambda board: choose(str(board))), marks, lambda asked: None)


def worst(board: str) -> int:
    scores = textbook.move_scores(board)
    return min(scores, key=scores.__getitem__)


def best(board: str) -> int:
    return textbook.best(board)[0]


def never_8(board: str) -> int:
    return min(textbook.children(board), key=lambda square: (square == 8, square))


def never_closes_246(board: str) -> int:
    """Complete or close a line, but for 2-4-6; else take the first free square."""
    for mark in (textbook.turn(board), textbook.other(textbook.turn(board))):
        for square in textbook.wins_at(board, mark):
            if any(row != "246" and {board[int(n)] for n in row if int(n) != square} == {mark}
                   for row in textbook.ROWS if str(square) in row):  # fmt: skip
                return square
    line = [(board[2] + board[4] + board[6]).replace("-", "") in ("XX", "OO")]
    return min(
        textbook.children(board), key=lambda square: (line[0] and square in (2, 4, 6), square)
    )


def completes_and_never_closes(board: str) -> int:
    return (*textbook.wins_at(board, textbook.turn(board)), worst(board))[0]


def sees_wins_and_threats(board: str) -> int:
    mark = textbook.turn(board)
    near = [*textbook.wins_at(board, mark), *textbook.wins_at(board, textbook.other(mark))]
    return (near or [worst(board)])[0]


SEEN: dict[str, Callable[[str], int]] = {
    "plays well": best,
    "takes 8 last": never_8,
    "never completes nor closes 2-4-6": never_closes_246,
    "completes and never closes": completes_and_never_closes,
    "counts the free squares": lambda board: [*textbook.children(board)].index(best(board)),
    "says 4": lambda board: 4,
    "says 9, and leaves marks": lambda board: 9,
    "sees wins and threats": sees_wins_and_threats,
    "any that holds": lambda board: Random().choice(textbook.holding(board)),
    "well as X alone": lambda board: (best if textbook.turn(board) == "X" else worst)(board),
}


def test_what_is_seen_needs_no_guess() -> None:
    told = {name: [*map(said, seen(hearing_of(SEEN[name])))] for name in SEEN}
    assert_same("check-seen", "".join("\n  ".join([name, *told[name]]) + "\n" for name in SEEN))


# The ways to play

# What is near the end, up to symmetry, tells most of them apart.
LATE = [board for board in TO_PLAY if board.ply >= 5]


def test_no_way_is_named_for_a_player_that_gives_nothing_away_and_follows_no_rule() -> None:
    for seed in range(40 if positions.all_images else 4):
        choice = Random(seed).choice
        assert names_of({board: [choice(textbook.holding(str(board)))] for board in LATE}) == []
    assert names_of({}) == []


def test_random_answers_hide_no_mistake_but_a_move_that_fits_none_does() -> None:
    [way] = [way for way in ways() if way.mistakes == ("deeper calls overwrite its move",)][:1]
    answers = {board: list(way.best(board)) for board in LATE}
    assert way.mistakes in names_of(answers)
    board = next(b for b in LATE if len(textbook.holding(str(b))) < len(b.legal_moves()) > 3)
    answers[board] = list(board.legal_moves())
    assert way.mistakes not in names_of(answers)


def test_an_order_of_its_own_hides_no_mistake_and_one_that_contradicts_itself_does() -> None:
    order = [4, 8, 1, 6, 3, 2, 0, 5, 7]
    both = ("as O, too, it takes the best move for X",)
    [way] = [way for way in ways() if way.mistakes == both][1:]
    assert both in names_of({b: [min(way.best(b), key=order.index)] for b in LATE})
    assert names_of({b: [Random(n).choice(way.best(b))] for n, b in enumerate(LATE)}) == []


def test_the_order_in_which_a_program_goes_through_squares_tells_how_it_plays() -> None:
    as_a_set = tuple(free[len(free) // 2 :] + free[: len(free) // 2] for free in SQUARES_IN)
    first = ("the first value is returned",)
    way = next(way for way in ways(as_a_set) if way.mistakes == first)
    answers = {board: [way.best(board)[0]] for board in LATE}
    assert first in names_of(answers, as_a_set) and first not in names_of(answers)


# What is told


def test_the_report_says_what_there_is_to_know(tmp_path: Path) -> None:
    perfect, first = judged(player("perfect")), judged(player("first_square"))
    nothing = first | {"plays_as": [], "seen": [], "lost": 1, "compared_with_ways": True}
    loaded = {"asks": 3, "how": "defines", "stopped": "ValueError"}
    wins = nothing | dict.fromkeys(FAULTS, 0) | {"lost": 0, "shortest_loss": None, "missed_wins": 1}
    by_o = {"plays_as": [{"name": ["it looks 3 turns ahead"], "of": 9}]}
    whole = {
        "perfect": perfect,
        "perfect as X": judged("--as", "X", player("perfect"), "--timeout", "3600"),
        "raises as X": judged("--as", "X", player("raises")),
        "illegal": judged(player("illegal")),
        "from_one": judged(player("from_one")),
        "first_square": first,
        "prose as X, by lines": judged("--as", "X", "--run", command("prose")),
        "the best move for X as O": mistaken("as O, too, it takes the best move for X"),
        "a later win for more": mistaken("a later win counts for more"),
        "a taken square accepted, as X": judged(written(tmp_path, COURSE, LENIENT), "--as", "X"),
    }
    others = {  # of which only what the two above do not say is kept
        "two games stopped": perfect | {"stopped": 2},
        "given up": perfect | {"given_up": True},
        "starts processes": perfect | {"leaves_running": True},
        "nothing known": nothing,
        "nothing compared": nothing | {"compared_with_ways": False},
        "left while it loads": perfect | {"loaded": loaded},
        "nothing known but what was illegal": nothing
        | {"illegal": 1, "found": [{"kind": "illegal", "board": "-", "came": "9"}]},
        "a win missed": wins | {"found": [{"kind": "missed_wins", "board": "-", "came": "9"}]},
        "a win missed, others late": wins | {"slow_wins": 2, "early_losses": first["early_losses"]},
        "as O a way to play": first
        | {"plays_as": [], "sides": first["sides"] | {"O": first["sides"]["O"] | by_o}},
    }
    said = {name: paragraphs(told) for name, told in (whole | others).items()}
    for name in others:
        known = {*said["perfect"], *said["first_square"]}
        said[name] = [part for part in said[name] if part not in known]
    assert_same("check-reports", "\f\n".join("\n\n".join([name, *said[name], ""]) for name in said))
    code, brief = check("--brief", player("first_square"))
    assert (code, brief) == (1, in_one_line(str(player("first_square")), first) + "\n")


def test_a_wrong_function_is_told_before_the_games(tmp_path: Path) -> None:
    told = judged(written(tmp_path, COURSE, LINE_246), "--as", "X")
    report = " ".join(in_words("It", told).split())
    assert first_thing(told).startswith("winner is wrong on ")
    assert "player, actions and result are right. winner is wrong on" in report
    assert re.search(r"boards, and so are terminal and utility\. [XO-] [XO-] [XO-] ", report)
    assert "Look for: the squares of 2-4-6" in report and "In winner (line" in report


def paragraphs(told: dict[str, Any]) -> list[str]:
    """Return what is told in a line, and then the report."""
    return [in_one_line("It", told), *in_words("It", told | NO_TIMES).split("\n\n")]


# A class


def test_a_class_is_a_row_for_each_program_as_soon_as_it_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (".hidden", "__pycache__", "deep"):
        (tmp_path / folder).mkdir()
    for name, source in (
        ("wrong.py", "from helper import *\ndef choose(b): return b.index(text) + 1"),
        ("helper.py", "text = '-'"), (".hidden/no.py", ""), ("__init__.py", ""), ("a.ipynb", "{}"),
        ("=1+1.py", "raise SystemExit('=2\\x1b[2J')"), ("__pycache__/wrong.pyc", ""),
        ("deep/\x1b[2J.py", ""),
    ):  # fmt: skip
        (tmp_path / name).write_text(source)
    found, left_out = crowd.files([".", "wrong.py"])
    assert found == ["=1+1.py", "deep/\x1b[2J.py", "helper.py", "wrong.py", "wrong.py"]
    assert left_out == [".hidden/no.py", "__init__.py", "a.ipynb"]
    options = ("--as", "X", "--jobs", "2", "--call", "choose", "--from", "1")
    code, json_told = check(".", "--json", *options)
    told = {one["program"]: one for one in map(json.loads, json_told.splitlines())}
    assert (code, told["wrong.py"]["code"], told["wrong.py"]["illegal"]) == (2, 1, 0)
    assert told["wrong.py"]["sides"] == {"X": judged(player("first_square"))["sides"]["X"]}
    assert "left out, as it is no Python file of a class: a.ipynb\n" in capsys.readouterr().err
    monkeypatch.setattr(crowd, "judged", lambda *_: told.values())
    head, *rows = csv.reader(StringIO(check(".", "--csv")[1]))
    assert tuple(head) == crowd.COLUMNS and [len(row) for row in rows] == [4] * 4
    cells = {row[0]: row[1:] for row in rows}
    assert {"'=1+1.py", "deep/\ufffd[2J.py", "helper.py", "wrong.py"} == {*cells}
    assert cells["helper.py"] == ["", "", "it has no choose"]
    assert cells["wrong.py"][1] == "" and re.fullmatch(r"\d+ of \d+", cells["wrong.py"][0])
    code, table = check(".")
    assert code == 2 and "\x1b" not in table and table.startswith("program  ")
    assert check("--csv", player("from_one"))[1].count("\n") == 1


def test_where_nothing_is_judged_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").touch()
    assert check(tmp_path)[0] == 2
    assert "nothing was judged: no Python file was found" in capsys.readouterr().err


def test_the_time_for_all_is_the_end_of_all() -> None:
    code, table = check(player("perfect"), player("raises"), "--total", "0.01", "--jobs", "1")
    assert code == 2 and table.count("not judged: --total 0.01 s were over") == 2


def test_games_that_stop_stand_in_the_table() -> None:
    side = {"won": 1, "drawn": 0, "lost": 2, "stopped": 3, "plays_as": []}
    told = judged(player("first_square")) | {"program": "p", "sides": {"X": side}}
    assert crowd.row(told)[1] == "2 of 3, 3 stopped"


def test_a_judge_that_ends_or_is_stopped_is_a_row(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for source, told in (
        (
            "#!/bin/sh\nread secret; echo forged {}; exit 3",
            "its judge was ended: it ended with code 3",
        ),
        ("#!/bin/sh\nkill -STOP $$", "its judge was ended: it was stopped by signal 19"),
    ):
        (tmp_path / "python").write_text(source)
        (tmp_path / "python").chmod(0o700)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
        assert [*crowd.judged(["a.py"], [], 1, 30)] == [{"program": "a.py", "cannot": told}]


def test_a_row_begins_with_the_secret_that_its_judge_was_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("secret\n"))
    code, row = check("--row", player("raises"))
    assert code == 1 and row.startswith("secret {")


def test_an_adapter_is_written_beside_and_stops_until_it_is_complete(tmp_path: Path) -> None:
    program = written(tmp_path, "class Bot:\n    def __init__(self, mark): pass\n"
                                "    def get_move(self, board, wisdom): return 0")  # fmt: skip
    assert check("--adapter", program) == (2, "")
    adapter = tmp_path / "player_adapter.py"
    assert "program.Bot(FILL_IN).get_move(mine, FILL_IN_wisdom)" in adapter.read_text()
    assert check("--adapter", program)[0] == 2  # which is there already
    for old, new in (("PLAYS = FILL_IN", "PLAYS = 'O'"), ("mine = FILL_IN", "mine = board")):
        assert "complete each FILL_IN first" in judged(adapter)["cannot"]
        written(tmp_path, adapter.read_text(), (old, new)).rename(adapter)
        judged.cache_clear()


# The prompt


@pytest.mark.parametrize(
    "arguments",
    [[], [""], ["--run", ""], ["--run", "'"],
     *([str(player("perfect")), *more.split()] for more in (
         "--run b", "--timeout 0", "--timeout 3600.5", "--timeout nan", "--memory 0", "--total 0",
         "--brief --json", "--as x", "--from 2",
     ))],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(arguments: list[str]) -> None:
    assert check(*arguments)[0] == 2


def test_python_dash_m_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["python -m judge", "--json", str(player("from_one"))])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with redirect_stdout(StringIO()) as printed, pytest.raises(SystemExit) as stop:
        runpy.run_path(judge.__main__.__file__, run_name="__main__")
    assert stop.value.code == 1
    assert json.loads(printed.getvalue())["code"] == 1


class Screen(StringIO):
    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self.isatty = lambda: is_terminal  # type: ignore[method-assign]


@pytest.mark.parametrize("is_terminal", [True, False, None])
def test_a_slow_run_shows_how_far_it_is_on_a_terminal_from_the_third_second(
    is_terminal: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("judge.__main__.monotonic", lambda: now)
    screen = Screen(bool(is_terminal))
    with progress(None if is_terminal is None else screen) as show:
        for now in (1, 2.9, 3, 3.1, 3.2):
            show(round(10 * now))
    shown = [f"\r\x1b[K{n} boards asked" for n in (30, 32)]
    assert screen.getvalue() == "".join([*shown, "\r\x1b[K"]) * bool(is_terminal)


def test_a_report_that_cannot_be_written_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with open("/dev/full", "w") as full, redirect_stdout(full), pytest.raises(SystemExit) as stop:
        main(["--brief", "--as", "O", str(player("first_square"))])
    assert stop.value.code == 2
    assert capsys.readouterr().err == "the report cannot be written: No space left on device\n"


def test_a_report_is_written_in_whatever_letters_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = judged(player("first_square")) | {"program": "“p”"}
    monkeypatch.setattr("judge.__main__.one", lambda *_: told)
    bytes_written = BytesIO()
    with redirect_stdout(TextIOWrapper(bytes_written, "ascii")):
        main(["p"])
        assert b"\\u201cp\\u201d: Called choose(board)" in bytes_written.getvalue()


def test_a_reader_who_leaves_early_is_no_error() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "w") as unread, redirect_stdout(unread):
        assert main(["--json", "--as", "O", str(player("first_square"))]) == 1


# What docs/check.md says


def test_the_adapters_are_those_of_the_players_and_five_lines_each() -> None:
    for language, name in (("python", "first_square.py"), ("js", "perfect.js"), ("c", "perfect.c")):
        [code] = re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)
        code = code.rpartition("\n\n")[2]  # without what it imports
        assert len(code.splitlines()) <= 5
        whole = (PLAYERS / name).read_text()
        assert code in whole or indent(code, "    ") in whole


def test_the_docs_name_every_mistake_and_every_option() -> None:
    mistakes = {name for way in ways() for name in way.mistakes}
    named = {(re.sub(r"\d turns?", "{n}", name), look(name)) for name in mistakes}
    assert named == {(mistake.name, mistake.look) for mistake in TABLE}
    kept = re.search(r"(?<=\n\n)\| In the report .*?\n(?=\n)", DOCS, re.DOTALL)
    assert kept
    others = "".join(kept[0].splitlines(keepends=True)[-8:])  # of what is no mistake of a search
    if os.environ.get("SNAPSHOT") == "new":
        CHECK.write_text(DOCS.replace(kept[0], table() + others))
    else:
        assert kept[0] == table() + others
    sentences = re.sub(r'"\s+"', "", Path(words.__file__).read_text()).lower()
    rows = re.findall(r"^\| (.*?) \|", others, re.MULTILINE)
    assert rows and [row for row in rows if row.lower() not in sentences] == []
    _, told = check("--help")
    options = set(re.findall(r"--[a-z]+", told)) - {"--help", "--csv"}
    assert {option for option in options if option not in DOCS} == set()


def example() -> str:
    """Return the reports that /learn/check shows, without their last paragraphs.

    That of the course takes seconds, so it is for `make soak`.
    """
    programs = (*soaked([PROGRAMS / "course_empty_row.py"]), player("perfect"))
    reports = [in_words("my_player.py", judged(one)).split("\n\n") for one in programs]
    return "\f\n".join(
        "\n\n".join(part[: -2 if part is reports[-1] else -1]) + "\n" for part in reports
    )


def test_the_page_shows_what_the_checker_writes(client: FlaskClient) -> None:
    shown_there = (TESTS.parent / "judge/example.txt").read_text()
    assert shown_there.endswith(example()) and shown_there.count("\f") == 1
    assert shown_there == example() or not positions.all_images
    shown = parse(client.get("/learn/check")).select(".terminal > div")
    words = [word for part in shown for word in part.get_text(" ").split()]
    assert Counter(words) == Counter(shown_there.partition("\f")[0].split())


# What is hard to come by in whole games


@pytest.mark.parametrize(
    ("reading", "value", "said"),
    [
        ("placed", 3, "it placed no mark on a free square"),
        ("square", None, "choose returned nothing (None)"),
        ("pair", 0, "0: a score, not a move?"),
        ("pair", 5, "5 is no (row, column)"),
        ("square", 4.0, "4.0 is a float: return int(4.0)"),
        ("square", [1, 2], "[1, 2]: return one number, 3 × row + column"),
        ("square", {"a": 1}, "{'a': 1} is no number from 0 to 8"),
    ],
)
def test_what_is_no_square_is_told_in_a_line(reading: str, value: object, said: str) -> None:
    assert words.said((no_number(value, reading), repr(value), "choose")) == said


@pytest.mark.parametrize(
    ("kind", "truth", "value", "says"),
    [
        ("squares", [0], 5, ("says", "5")),
        ("squares", [0], [[0, 0]], ()),
        ("mark", None, "X", ("says", "X")),
        ("mark", "O", "X", ("says", "X")),
    ],
)
def test_what_a_function_says_is_held_against_the_truth(
    kind: str, truth: object, value: object, says: object
) -> None:
    came = {"value": value, "raised": None, "mark": value, "shown": value}
    assert functions._differs(kind, truth, came, Position()) == says


def test_of_a_program_that_leaves_its_boards_changed_nothing_else_is_seen() -> None:
    hearing = hearing_of(lambda board: 0, ())
    board = Position.parse("XX-OO----")
    hearing.answers = {board: [Response("square", 8, (), 0, left="XXXOO----")]}
    assert seen(hearing) == [("board changed", "XXXOO----", 1, 1, str(board))]


def test_answers_that_look_like_scores_are_seen() -> None:
    hearing = hearing_of(best)
    score = Response("illegal", -1, ("score", "0"), 0)
    hearing.answers = {Position(): [score], Position().play(0): [score]}
    assert seen(hearing)[0] == ("scores", 2, 2)
    hearing.answers[Position()] = [Response("square", 4, (), 0)]
    assert seen(hearing)[0] == ("scores", 1, 2)


def test_the_old_address_says_where_the_judge_lives_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    went = Mock()
    monkeypatch.setattr(os, "execv", went)
    monkeypatch.setattr(sys, "argv", ["check", "--brief", "a.py"])
    for name in ("__main__", "imported"):
        runpy.run_path(str(TESTS.parent / "teach/check.py"), run_name=name)
    went.assert_called_once_with(sys.executable, [sys.executable, "-m", "judge", "--brief", "a.py"])
    assert capsys.readouterr().err == "This is `python -m judge` now.\n"
