"""What the judge prints: reports, a class, the command line and the manual."""

from __future__ import annotations

import csv
import json
import os
import re
import runpy
import signal
import sys
from contextlib import closing, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from textwrap import indent
from time import monotonic
from typing import Any

import pytest

import judge.__main__
from engine.notation import parse_squares
from engine.position import Position
from engine.search import sign
from judge import classroom, process, words
from judge.__main__ import main, progress
from judge.mistakes import MISTAKES, advice, manual_table
from judge.process import ANYTHING, Process, UntestableError
from judge.report import format_report
from judge.tests.support import (
    ALL_POSITIONS,
    COURSE,
    MOVE_FAULTS,
    PLAYERS,
    PROGRAMS,
    TESTS,
    assert_report_matches,
    comparing_on,
    player_command,
    player_path,
    report_on,
    run_judge,
    write_program,
)  # fmt: skip
from judge.tests.test_programs import LENIENT, LINE_246, report_with_mistake
from judge.ways import ways
from tests import positions, textbook
from tests.positions import only_in_soak

MANUAL_PATH = TESTS.parent / "manual.md"
MANUAL = MANUAL_PATH.read_text()
NO_TIMES = dict.fromkeys(("median_seconds", "longest_seconds"), 0.0)  # their width moves line ends


def test_every_kind_of_report_matches_the_snapshot(tmp_path: Path) -> None:
    """Only a tenth of all boards is compared, so that `make soak` has the same snapshot."""
    with comparing_on(ALL_POSITIONS[::10]):
        texts = reports(tmp_path)
    assert_report_matches(
        "check-reports", "\f\n".join("\n\n".join([name, *texts[name], ""]) for name in texts)
    )


def reports(tmp_path: Path) -> dict[str, list[str]]:
    """Return the paragraphs of each report, by its name."""
    perfect, first = report_on(player_path("perfect")), report_on(player_path("first_square"))
    nothing = first | {"plays_as": [], "seen": [], "cause": "", "compared_with_ways": True}
    loaded = {"asks": 3, "how": "defines", "stopped": "ValueError"}
    no_faults = dict.fromkeys(MOVE_FAULTS, 0)
    wins = nothing | no_faults | {"lost": 0, "shortest_loss": None, "missed_wins": 1}
    by_o = {"plays_as": [{"name": "it looks only 3 moves ahead", "of": 9}]}
    (tmp_path / "lenient").mkdir()
    lenient = write_program(tmp_path / "lenient", COURSE, LENIENT)
    wrong = report_on(write_program(tmp_path, COURSE, LINE_246), "--as", "X")
    whole_reports = {
        "perfect": perfect,
        "perfect as X": report_on("--as", "X", player_path("perfect"), "--timeout", "3600"),
        "raises as X": report_on("--as", "X", player_path("raises")),
        "illegal": report_on(player_path("illegal")),
        "from_one": report_on(player_path("from_one")),
        "first_square": first,
        "prose as X, by lines": report_on("--as", "X", "--run", player_command("prose")),
        "the best move for X as O": report_with_mistake("even as O, it takes X's best move"),
        "a later win for more": report_with_mistake("a later win counts for more"),
        "a taken square accepted, as X": report_on(lenient, "--as", "X"),
        "a line left out, as X": wrong,
    }
    excerpts = {  # kept without the paragraphs of the reports on perfect and first_square
        "one side only": perfect | {"plays_one": True, "sides": {"O": perfect["sides"]["O"]}},
        "some games stopped": first | {"stopped": 2, "cause": ""},
        "one answer illegal": perfect | {"illegal": 1, "troubled": 1, "cause": "9", "found": [
            {"kind": "illegal", "board": "-", "answer": "9"}]},
        "given up": perfect | {"given_up": "stopped after 9 s"},
        "nothing known": nothing,
        "nothing compared": nothing | {"compared_with_ways": False},
        "left while it loads": perfect | {"loaded": loaded},
        "a wrong function that loses no game": perfect
        | {"wrong": wrong["wrong"], "cause": "f is wrong"},
        "a win missed": wins | {"wrong": wrong["wrong"], "cause": "f is wrong",
                                "found": [{"kind": "missed_wins", "board": "-", "answer": "9"}]},
        "as O a way to play": first
        | {"plays_as": [], "sides": first["sides"] | {"O": first["sides"]["O"] | by_o}},
    }  # fmt: skip
    texts = {name: paragraphs(report) for name, report in (whole_reports | excerpts).items()}
    known = {*texts["perfect"], *texts["first_square"]}
    for name in excerpts:
        texts[name] = [paragraph for paragraph in texts[name] if paragraph not in known]
    return texts


def paragraphs(report: dict[str, Any]) -> list[str]:
    """Return the paragraphs of a report, without what depends on the machine."""
    return format_report(report | NO_TIMES, "https://example.org").split("\n\n")


@pytest.mark.parametrize("mark", "XO")
def test_values_are_shown_for_x_on_the_board_that_the_link_opens(mark: str) -> None:
    report = report_on(player_path("first_square"), "--as", mark)
    text = format_report(report)
    link = re.search(r"/study/(\d+)\?at=(\d+)&view=squares$", text, re.MULTILINE)
    assert link
    moves, ply = link[1], int(link[2])
    assert report["shortest_loss"].startswith(moves) and ply == len(moves) - 1
    board = str(Position().after(parse_squares(moves[:ply])))
    assert textbook.turn(board) == mark
    expected = [*board]
    for square, score in textbook.move_scores(board).items():
        score_for_x = score if mark == "X" else -score
        expected[square] = {-1: "-1", 0: "0", 1: "+1"}[sign(score_for_x)]
    cells = re.findall(r"\[? ?([XO]|[+-]?\d)\]?", text.partition("in brackets\n")[2])[:9]
    assert cells == expected


def test_the_report_on_a_correct_program_has_four_lines() -> None:
    assert len(format_report(report_on(player_path("perfect"))).splitlines()) == 4
    assert len(format_report(report_on(TESTS / "field/pocket/brain.py")).splitlines()) == 4


def test_that_result_accepts_an_illegal_action_is_said_once(tmp_path: Path) -> None:
    report = report_on(write_program(tmp_path, COURSE, LENIENT, LINE_246), "--as", "X")
    text = " ".join(format_report(report).split())
    assert report["wrong"] and text.count("result also accepts a taken square.") == 1


# A class


@pytest.fixture
def class_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of four programs and much that is not tested; it is the current folder."""
    monkeypatch.chdir(tmp_path)
    for folder in (".hidden", "__pycache__", "deep", "env", "site-packages"):
        (tmp_path / folder).mkdir()
    for name, source in (
        ("wrong.py", "from helper import *\ndef choose(b): return b.index(text)"),
        ("helper.py", "text = '-'"), (".hidden/no.py", ""), ("__init__.py", ""), ("a.ipynb", "{}"),
        ("=1+1.py", "raise SystemExit('=2\x1b[2J')"), ("__pycache__/wrong.pyc", ""),
        ("deep/\x1b[2J.py", ""), ("env/pyvenv.cfg", ""), ("env/no.py", ""),
        ("site-packages/no.py", ""), ("judge.pyz", ""),
    ):  # fmt: skip
        (tmp_path / name).write_text(source)
    return tmp_path


@pytest.mark.usefixtures("class_folder")
def test_programs_are_found_in_folders_that_hold_no_other_peoples_code() -> None:
    programs, left_out = classroom.find_files([".", "wrong.py"])
    assert programs == ["=1+1.py", "deep/\x1b[2J.py", "helper.py", "wrong.py", "wrong.py"]
    assert left_out == ["__init__.py", "a.ipynb"]


def test_every_program_of_a_class_gets_a_row_once_it_is_tested(
    class_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(classroom, "POLL", 0.01)
    code, lines = run_judge(".", "--json", "--as", "X", "--jobs", "2", "--csv", "class.csv")
    reports = {report["program"]: report for report in map(json.loads, lines.splitlines())}
    wrong_report = reports["wrong.py"]
    assert (code, wrong_report["code"], wrong_report["illegal"]) == (2, 1, 0)
    assert wrong_report["sides"] == {"X": report_on(player_path("first_square"))["sides"]["X"]}
    assert "left out, as it is not a Python program: a.ipynb\n" in capsys.readouterr().err
    head, *rows = csv.reader(StringIO((class_folder / "class.csv").read_text("utf-8-sig")))
    assert head[:2] == ["program", "result"] and head[7:13] == [*classroom.FUNCTION_COLUMNS]
    assert [row[0] for row in rows] == ["'=1+1.py", "deep/\ufffd[2J.py", "helper.py", "wrong.py"]
    [wrong_row] = [row for row in rows if row[0] == "wrong.py"]
    assert wrong_row[1:7] == ["fail", "157", "58", "0", "58", ""]
    monkeypatch.setattr(classroom, "run_tests", lambda *_: reports.values())
    code, table = run_judge(".")
    assert code == 2 and "\x1b" not in table and table.startswith("program  ")
    assert run_judge(".", "--csv", "-")[1].splitlines()[0].startswith("program,result,games,lost")
    assert run_judge(".", "--csv", "nowhere/class.csv")[0] == 2


def test_the_csv_table_shows_which_course_functions_are_right() -> None:
    wrong = {"name": "winner", "affected": ["terminal"]}
    report = report_on(player_path("first_square")) | {
        "program": "p", "right": ["player"], "wrong": [wrong], "unwritten": ["utility"],
    }  # fmt: skip
    [_, row] = csv.reader(StringIO(classroom.format_csv([report])))
    assert row[7:13] == ["pass", "", "", "fail", "fail", "fail"]


def test_a_folder_without_programs_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").touch()
    assert run_judge(tmp_path)[0] == 2
    assert "nothing was tested: no Python file was found" in capsys.readouterr().err


def test_a_missing_system_limit_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = report_on(player_path("first_square")) | {"program": "p", "lacks": ["memory"]}
    monkeypatch.setattr(classroom, "run_tests", lambda *_: [report])
    run_judge(tmp_path)
    assert "This system cannot limit memory." in capsys.readouterr().err


def test_an_error_of_the_judge_costs_one_row_and_a_signal_ends_all() -> None:
    def fail(path: str, content: bytes) -> dict[str, Any]:
        if path == "long.py":
            with closing(Process(["sleep", "60"], ANYTHING)) as sleeping:
                sleeping.answer(monotonic() + 60)
        raise KeyError(path)

    contents: classroom.Contents
    contents = {"a.py": b"", "long.py": b"", "pipe.py": UntestableError("no file", "pipe.py")}
    reports = classroom.run_tests(contents, fail, 2)
    assert next(reports)["cannot"].startswith("the tester failed: KeyError: 'a.py'")
    while not process.RUNNING:
        pass
    reports.close()  # type: ignore[attr-defined]
    assert not process.RUNNING and not process.STOPPED.is_set()


def test_a_file_that_cannot_be_read_gets_a_row_without_a_test() -> None:
    def fail(path: str, content: bytes) -> dict[str, Any]:
        raise AssertionError(path)

    [report] = classroom.run_tests({"pipe.py": UntestableError("no file", "pipe.py")}, fail, 1)
    assert report["cannot"] == "Cannot be tested: pipe.py is not a plain file."


def test_the_csv_table_works_for_one_program() -> None:
    code, report = run_judge(player_path("first_square"), "--as", "X", "--csv", "-")
    assert code == 1 and ",157,58," in report


def test_shared_bounds_are_listed() -> None:
    facts = [("global", name, "f", 3) for name in ("alpha", "beta")]
    assert words.look_for("", {"f": 3}) == "Look in f (line 3)."
    report = words.fact_text(("shared bounds", facts))
    assert report.startswith(
        "alpha is global in f (line 3) and beta is global in f (line 3): a bound"
    )


# The command line


@pytest.mark.parametrize(
    "arguments",
    [[], [""], ["--run", ""], ["--run", "'"],
     *([str(player_path("perfect")), *more.split()] for more in (
         "--run b", "--timeout 0", "--timeout 3600.5", "--timeout nan", "--memory 0", "--limit 0",
         "--as x", "--call f( --json", "--marks 1,",
     ))],
)  # fmt: skip
def test_invalid_arguments_are_refused(arguments: list[str]) -> None:
    assert run_judge(*arguments)[0] == 2


def test_python_dash_m_runs_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    program = str(player_path("first_square"))
    monkeypatch.setattr(sys, "argv", ["python -m judge", "--json", "--as", "X", program])
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
def test_a_slow_run_shows_its_progress_on_a_terminal_after_3_seconds(
    is_terminal: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("judge.__main__.monotonic", lambda: now)
    screen = Screen(bool(is_terminal))
    with progress(None if is_terminal is None else screen) as show:
        for now in (1, 2.9, 3, 3.1, 3.2):
            show(round(10 * now))
    shown = [f"\r\x1b[K{n} boards tested" for n in (30, 32)]
    assert screen.getvalue() == "".join([*shown, "\r\x1b[K"]) * bool(is_terminal)


def test_an_unwritable_report_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with open("/dev/full", "w") as full, redirect_stdout(full), pytest.raises(SystemExit) as stop:
        main(["--as", "X", str(player_path("first_square"))])
    assert stop.value.code == 2
    assert capsys.readouterr().err == "the report cannot be written: No space left on device\n"


def test_a_report_is_written_in_any_encoding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = report_on(player_path("first_square")) | {"cause": "“p”"}
    monkeypatch.setattr("judge.__main__.report_on", lambda *_: report)
    bytes_written = BytesIO()
    with redirect_stdout(TextIOWrapper(bytes_written, "ascii")):
        main(["p"])
        assert b"games: \\u201cp\\u201d." in bytes_written.getvalue()


def test_a_closed_pipe_is_not_an_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w") as unread, redirect_stdout(unread):
        assert main(["--json", "--as", "X", str(player_path("first_square"))]) == 1


# What the manual says


def test_the_examples_in_the_manual_are_tested_and_at_most_five_lines() -> None:
    for language, name in (("python", "first_square.py"), ("js", "perfect.js"), ("c", "perfect.c")):
        [code] = re.findall(rf"```{language}\n(.*?)```", MANUAL, re.DOTALL)
        code = code.rpartition("\n\n")[2]  # without what it imports
        assert len(code.splitlines()) <= 5
        program = (PLAYERS / name).read_text()
        assert code in program or indent(code, "    ") in program


def test_the_manual_names_every_mistake() -> None:
    mistakes = {(re.sub(r"\d moves?", "{n}", way.mistake), advice(way.mistake)) for way in ways()}
    assert mistakes == {(mistake.name, mistake.advice) for mistake in MISTAKES}
    table = re.search(r"(?<=\n\n)\| In the report .*?\n(?=\n)", MANUAL, re.DOTALL)
    assert table
    # The last nine rows are not mistakes of a search.
    other_rows = "".join(table[0].splitlines(keepends=True)[-9:])
    if os.environ.get("SNAPSHOT") == "new":
        MANUAL_PATH.write_text(MANUAL.replace(table[0], manual_table() + other_rows))
    else:
        assert table[0] == manual_table() + other_rows
    sentence = "it numbers squares from 1, not 0"
    sentences = "".join((*words.CAUSE_TEXTS.values(), *words.FACT_TEXTS.values(), sentence)).lower()
    rows = re.findall(r"^\| (.*?) \|", other_rows, re.MULTILINE)
    assert rows and [row for row in rows if row.lower() not in sentences] == []


def test_the_manual_names_every_option() -> None:
    _, help_text = run_judge("--help")
    options = set(re.findall(r"--[a-z]+", help_text)) - {"--help"}
    assert {option for option in options if option not in MANUAL} == {"--manual"}


def example() -> str:
    """Return the reports of example.txt, without times.

    The first one takes seconds, so it is only made in `make soak`.
    """
    course = only_in_soak([PROGRAMS / "course_empty_row.py"])
    reports = [format_report(report_on(path)).rpartition("\n\n")[0] for path in course]
    reports += [format_report(report_on(player_path("perfect"))).rpartition("\n")[0]]
    return "\f\n".join(f"{report}\n" for report in reports)


def test_the_example_report_is_up_to_date() -> None:
    shown_there = (TESTS.parent / "example.txt").read_text()
    if os.environ.get("SNAPSHOT") == "new" and positions.is_soak:
        (TESTS.parent / "example.txt").write_text(shown_there := example())
    assert shown_there.endswith(example()) and shown_there.count("\f") == 1
    assert shown_there == example() or not positions.is_soak


def test_only_functions_that_use_a_wrong_one_are_excused() -> None:
    wrong = [
        {"name": "player", "affected": [], "wrong_count": 2, "board_count": 9},
        {"name": "winner", "affected": ["terminal"], "wrong_count": 1, "board_count": 9},
    ]
    assert words.functions_text({"right": ["result"], "accepts": "", "wrong": wrong}) == (
        "result is right. player is wrong on 2 of 9 boards. winner is wrong on 1 of 9 boards."
        " terminal is wrong only because it uses a wrong function."
    )
