"""Reports on programs as people write them, and on programs with planted mistakes."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from engine.position import Position
from judge import words
from judge.functions import compare
from judge.players import PythonFile, Settings
from judge.process import UntestableError
from judge.report import first_line
from judge.source import Source
from judge.source_faults import search_faults
from judge.tests.support import (
    ALL_POSITIONS,
    COURSE,
    MOVE_FAULTS,
    PERFECT,
    PROGRAMS,
    SMALL,
    TESTS,
    TROUBLES,
    assert_report_matches,
    comparing_on,
    player_path,
    report_on,
    write_program,
)  # fmt: skip
from judge.words import untestable_lines
from tests import positions, textbook
from tests.positions import only_in_soak, sample

ENDS = ("won", "drawn", "lost")
# Programs that `make test` tests; `make soak` tests them all.
QUICK = ("depth_three", "shared_memo", "copy_is_no_copy", "course_shallow_copy")
MISTAKES = {  # by name: the replacement in perfect.py that makes the mistake
    "even as O, it takes X's best move": ("me = turn(board)", 'me = "X"'),
    "a later win counts for more": (
        "10 - turns if won == me else turns - 10",
        "10 + turns if won == me else -10 - turns",
    ),
    **dict(only_in_soak([  # not shown by the programs below; each takes a second
        ("a loss counts the same as a draw", ("else turns - 10", "else 0")),
        ("even as X, it takes O's best move", ("me = turn(board)", 'me = "O"')),
        # On the boards that come up, too many mistakes play alike.
        ("", ("if won == me else", "if won else")),
    ])),
}  # fmt: skip


@cache
def report_with_mistake(name: str) -> dict[str, Any]:
    """Return the report on perfect.py with a mistake."""
    with TemporaryDirectory() as folder:
        return report_on(write_program(Path(folder), PERFECT, MISTAKES[name]))


def mistakes_of(report: dict[str, Any]) -> list[str]:
    return [way["name"] for way in report["plays_as"]]


# What is counted


@pytest.mark.long
@pytest.mark.parametrize("name", [None, *MISTAKES])
def test_a_report_agrees_with_an_independent_count_and_names_the_mistake(
    name: str | None,
) -> None:
    names: dict[str, Any] = {}
    exec(PERFECT if name is None else PERFECT.replace(*MISTAKES[name]), names)
    report = report_on(player_path("perfect")) if name is None else report_with_mistake(name)
    sides = {me: {end: report["sides"][me][end] for end in ENDS} for me in "XO"}
    expected = expected_report(names["choose"])
    assert {key: (report | {"sides": sides})[key] for key in expected} == expected
    assert {report[key] for key in TROUBLES} == {0}
    assert report["exit"] == (expected["lost"] > 0)
    assert not report["random"]
    assert mistakes_of(report) == ([name] if name else [])


def expected_report(choose: Callable[[str], int]) -> dict[str, Any]:
    """Return the expected report on a deterministic program, by playing all its games."""
    choices = dict[str, int]()
    games = {me: [*textbook.games_of(choose, me, choices)] for me in "XO"}
    ends = {me: {me: "won", None: "drawn", textbook.other(me): "lost"} for me in "XO"}
    sides = {me: Counter(ends[me][won] for _, won in games[me]) for me in "XO"}
    losses = [moves for me in "XO" for moves, won in games[me] if won == textbook.other(me)]
    faults = Counter(dict.fromkeys(MOVE_FAULTS, 0))
    for board in choices.keys() | lost_boards():
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
        "asked": len(choices),
        "asked_unreached": len(lost_boards() - choices.keys()),
        "shortest_loss": min(losses, key=len) if losses else None,
    }


@cache
def lost_boards() -> set[str]:
    """Return the lost boards with moves that lose after different numbers of turns."""
    scores = {board: set(textbook.move_scores(board).values()) for board in textbook.all_boards()}
    return {board for board in scores if len(scores[board]) > 1 and max(scores[board]) < 0}


# Programs as people write them


def calls_in(folder: Path) -> dict[str, list[str]]:
    """Return the options in calls.txt for each file that needs some, by name."""
    lines = (folder / "calls.txt").read_text().splitlines()
    return {line.partition(" ")[0].removesuffix(".py"): shlex.split(line)[1:] for line in lines}


CALLS = calls_in(PROGRAMS)
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.py") if path.stem != "play_adapter")
# Programs whose source shows a fault.
FAULTY = {"course_global_bounds", "copy_is_no_copy", "side_kept", "course_cut_reversed"}


def test_every_program_is_called_or_its_report_asks_how(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(PROGRAMS)
    lines = [f"{name}: {describe_call(f'{name}.py')}" for name in sample(12, NAMES)]
    if positions.is_soak:
        assert_report_matches("programs", "".join(f"{line}\n" for line in sorted(lines)))
    known = (TESTS / "snapshots/programs.txt").read_text().splitlines()
    assert [line.partition(":")[0] for line in known] == NAMES
    assert [line for line in lines if line not in known] == []


def describe_call(path: str) -> str:
    """Return how a file is called, and the sides it plays; or why it cannot be tested."""
    try:
        with closing(PythonFile(path, Settings(timeout=0.5))) as player:
            call = player.call
            text = words.call_sentence(call) if call["kind"] == "tried" else call["kind"]
            return f"{text} {' and '.join(player.sides)}"
    except UntestableError as error:
        return " | ".join(untestable_lines(path, error))


@pytest.mark.soak
def test_averaging_is_recognized_however_sum_rounds(tmp_path: Path) -> None:
    source = (PROGRAMS / "square_names.py").read_text()
    # It rounds as the built-in sum does since Python 3.12.
    change = ("import random", "import random\nfrom math import fsum as sum\n")
    report = report_on(write_program(tmp_path, source, change), *CALLS["square_names"], "--as", "O")
    assert mistakes_of(report) == ["the opponent's replies are averaged"]


def test_every_program_is_in_the_snapshot() -> None:
    assert [row.partition(":")[0] for row in FIRST_LINES.read_text().splitlines()] == NAMES
    assert {*CALLS} <= {*NAMES} and {*FIELD_CALLS} <= {*FIELD_NAMES}


def test_the_source_shows_faults_only_in_faulty_programs() -> None:
    sources = {name: Source((PROGRAMS / f"{name}.py").read_bytes(), name) for name in NAMES}
    assert {name for name, source in sources.items() if [*search_faults(source, set())]} == FAULTY


FIRST_LINES = TESTS / "snapshots/programs-said.txt"


@pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *(pytest.param(name, marks=pytest.mark.soak) for name in NAMES if name not in QUICK),
    ],
)
def test_the_first_line_of_every_report_matches_the_snapshot(name: str) -> None:
    report = report_on(PROGRAMS / f"{name}.py", *CALLS.get(name, ()))
    line = report["cannot"].splitlines()[0] if "cannot" in report else first_line(report)
    first = f"{name}: {report['exit']} {line}\n"
    known = FIRST_LINES.read_text().splitlines(keepends=True)
    if os.environ.get("SNAPSHOT") == "new":
        known = sorted({line for line in known if not line.startswith(f"{name}:")} | {first})
        FIRST_LINES.write_text("".join(known))
    assert first in known


FIELD_FOLDER = TESTS / "field"
QUICK_FIELD = ("keeps_last_equal", "notebook_saved", "rules_of_thumb")
FIELD_CALLS = calls_in(FIELD_FOLDER)
FIELD_NAMES = sorted(
    str(path.relative_to(FIELD_FOLDER).with_suffix(""))
    for path in FIELD_FOLDER.rglob("*.py")
    if path.name != "__init__.py"
)


def first_lines(name: str, *arguments: str) -> tuple[Any, ...]:
    """Return a field program's name and the first lines of its reports, without and with --call."""
    path = FIELD_FOLDER / f"{name}.py"
    lines = []
    for more in [(), FIELD_CALLS[name]] if name in FIELD_CALLS else [()]:
        report = report_on.__wrapped__(path, *more, *arguments)
        line = report["cannot"] if "cannot" in report else first_line(report)
        lines.append(line.replace(str(FIELD_FOLDER), "field"))
    return name, *lines


def test_first_lines_for_the_field_programs_match_the_snapshot() -> None:
    names = FIELD_NAMES if positions.is_soak else QUICK_FIELD
    entries = [": ".join(first_lines(name)).replace("\n", "\n    ") + "\n" for name in names]
    if positions.is_soak:
        assert_report_matches("field", "".join(entries))
    known = (TESTS / "snapshots/field.txt").read_text()
    assert [entry for entry in entries if entry not in known] == []


@pytest.mark.soak
@pytest.mark.parametrize("name", FIELD_NAMES)
def test_a_program_gets_the_same_report_each_time(name: str) -> None:
    assert len({first_lines(name, "--as", "X") for _ in range(5)}) == 1


DETERMINISTIC = (  # among them a program for every way of calling one
    "any_win_is_mine", "bits", "keeps_last_equal", "memo_of_bounds", "one_function",
    "plays_o_only", "rules_of_thumb", "tests_the_mover", "utility_of_a_player", "winner_says_tie",
    "zero_for_o", "board_object", "typed_enum", "keyed_by_name", "player_class",
)  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("name", DETERMINISTIC)
def test_reports_on_field_programs_agree_with_an_independent_count(name: str) -> None:
    path, options = FIELD_FOLDER / f"{name}.py", FIELD_CALLS.get(name, ())
    report = report_on(path, *options)
    with closing(PythonFile(str(path), settings_of(options))) as player:

        @cache
        def choose(board: str) -> int:
            return player.ask(Position.parse(board)).number

        expected = expected_report(choose)
    sides = {me: {end: report["sides"][me][end] for end in ENDS} for me in "XO"}
    reported = {key: (report | {"sides": sides})[key] for key in expected}
    assert reported == expected


def settings_of(arguments: Sequence[str]) -> Settings:
    """Return the settings of a player from command-line options."""
    pairs: Any = zip(arguments[::2], arguments[1::2], strict=True)
    options: Any = {name.removeprefix("--"): value for name, value in pairs}
    return Settings(**options)


# Two replacements in the functions of the course: one leaves out the line 2-4-6, the other lets a
# move take a square that is not empty.
LINE_246 = ("lines.append([board[0][2], board[1][1], board[2][0]])", "pass")
LENIENT = ("or board[i][j] is not EMPTY:", ":")

CHANGES = [  # replacements in the functions of the course
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
    *only_in_soak([
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
    *only_in_soak(
        [
            ("return check_winner(b) is not None", "return 'no'"),
            ("range(9) if", "range(8) if"),
            ("return b[i]", "return i"),
            ("return b[i]", "return b[i] if i < 6 else 'below'"),
            ("return check_winner(b) is not None", "return None if b[0] == b[8] == 'X' else 1 / 0"),
        ]
    ),
]


def test_wrong_functions_are_found_with_the_root_cause_first(tmp_path: Path) -> None:
    entries = []
    # Draws are rare, but an outcome of their own.
    draws = [board for board in ALL_POSITIONS if (end := board.outcome()) and not end.winner]
    with comparing_on(sorted({*ALL_POSITIONS[::20], *draws})):
        for source, changes in ((COURSE, CHANGES), (FLAT, FLAT_CHANGES)):
            for old, new in changes:
                findings = describe_findings(write_program(tmp_path, source, (old, new)))
                entries.append(f"{new!r} for {old!r}\n{findings}")
    if positions.is_soak:
        assert_report_matches("check-functions", "\n".join(entries))
    known = (TESTS / "snapshots/check-functions.txt").read_text()
    assert [entry for entry in entries if entry not in known] == []


def describe_findings(program: Path) -> str:
    """Return the findings on the functions of a file, one line each."""
    with closing(PythonFile(str(program), Settings())) as player:
        right, wrong, accepted_action, *_ = compare(player)
    lines = [f"right: {', '.join(right)}", f"result accepts: {accepted_action or 'nothing wrong'}"]
    for function in wrong:
        affected = f" and so {', '.join(function.affected)}" * bool(function.affected)
        fields = words.wrong_function_texts(function._asdict())
        texts = (fields[key] for key in ("answer", "correct", "common", "look"))
        parts = "; ".join(filter(None, texts))
        lines.append(
            f"{function.name}{affected}: {function.wrong_count} of {function.board_count},"
            f" {function.board}: {parts}"
        )
    return "".join(f"  {line}\n" for line in lines)


def test_methods_are_compared_as_functions_are() -> None:
    path, (_, call) = PROGRAMS / "game_max_min.py", CALLS["game_max_min"]
    with closing(PythonFile(str(path), Settings(call=call))) as player:
        [wrong] = compare(player).wrong
        assert (wrong.name, wrong.common[:2]) == ("Game.is_end", ("line", "2-5-8"))
        source = path.read_text().splitlines()
        lines = {
            f"Game.{name}": 1 + source.index(f"    def {name}(self):")
            for name in ("is_end", "max", "min")
        }
        assert player.function_lines([wrong.name]) | player.function_lines([]) == lines


FREE_BOARD = """
class FreeBoard:
    def set_up(self, board):
        self.cells = board

    def winner(self):
        for line in "012", "345", "678", "036", "147", "258", "048":
            marks = {self.cells[int(square)] for square in line}
            if marks in ({"X"}, {"O"}):
                return marks.pop()

    def best_move(self):
        return self.cells.index(" ")

game = FreeBoard()
"""


def test_a_method_is_compared_by_its_own_name_and_not_by_that_of_its_class(tmp_path: Path) -> None:
    program = write_program(tmp_path, FREE_BOARD)
    call = "game.set_up(board) or game.best_move()"
    with closing(PythonFile(str(program), Settings(call=call))) as player:
        findings = compare(player)
    [wrong] = findings.wrong
    assert (wrong.name, wrong.common[:2]) == ("FreeBoard.winner", ("line", "2-4-6"))


def test_a_function_that_ignores_draws_is_not_counted_as_wrong_on_them() -> None:
    path, (_, marks, _, call) = str(PROGRAMS / "matrix_sums.py"), CALLS["matrix_sums"]
    with (
        comparing_on(ALL_POSITIONS),
        closing(PythonFile(path, Settings(marks=marks, call=call))) as player,
    ):
        [wrong] = compare(player).wrong
    assert (wrong.name, wrong.wrong_count, wrong.board) == ("TicTacToe.winner", 317, "OXO--XX--")


@pytest.mark.soak
def test_a_wrong_winner_is_shown_on_a_board_with_the_fewest_marks(
    tmp_path: Path,
) -> None:
    boards = [board for board in textbook.all_boards() if complete_lines(board) == ["246"]]
    with closing(PythonFile(str(write_program(tmp_path, COURSE, LINE_246)), Settings())) as player:
        [wrong] = compare(player).wrong
    assert wrong.wrong_count == len(boards) and wrong.board in boards
    assert wrong.board.count("-") == max(board.count("-") for board in boards)


def complete_lines(board: str) -> list[str]:
    """Return the lines that X or O has completed."""
    marks = {line: {board[int(n)] for n in line} for line in textbook.LINES}
    return [line for line in marks if marks[line] in ({"X"}, {"O"})]


# How a file is called


def test_every_small_file_is_called_or_gets_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SMALL)
    monkeypatch.setattr("judge.players.LOAD_TIMEOUT", 3.0)
    monkeypatch.setattr("judge.players.TRIAL_TIMEOUT", 3.0)
    names = sorted(path.stem for path in SMALL.glob("*.py"))
    lines = [f"{name}: {describe_call(f'{name}.py')}\n" for name in sample(8, names)]
    if positions.is_soak:
        assert_report_matches("programs-small", "".join(lines))
    known = (TESTS / "snapshots/programs-small.txt").read_text()
    assert [line for line in lines if line not in known] == []
