"""Processes: how a file is loaded and called, how a command answers, and how both end."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic
from typing import Any
from unittest.mock import DEFAULT, Mock

import pytest

import judge.__main__
from engine.position import Position
from judge import child, players, process
from judge.classroom import read_all
from judge.functions import Findings, compare
from judge.hearing import lost_with_a_choice
from judge.players import Command, PythonFile, Settings, non_square_fact_name, read_file
from judge.process import ANYTHING, ERRORS, NUMBER, OUTPUT, EndedError, Process, UntestableError
from judge.report import format_report
from judge.tests.support import (
    COURSE,
    ENVIRONMENT,
    PAUSE,
    PLAYERS,
    player_command,
    player_path,
    report_on,
    run_judge,
    write_program,
)  # fmt: skip
from judge.words import fact_text
from tests import positions
from tests.positions import only_in_soak


def test_a_file_that_exits_or_is_late_is_restarted(tmp_path: Path) -> None:
    source = """\
import os, signal


def choose(board):
    if board == "---------":
        os._exit(3)
    while board == "X--------":
        signal.pause()
    return board.index("-")


def has_won(board):
    os._exit(3)
"""
    with closing(PythonFile(str(write_program(tmp_path, source)), Settings(timeout=0.3))) as player:
        boards = ("---------", "X--------", "XO-------")
        kinds = [player.ask(Position.parse(board)).kind for board in boards]
        assert kinds == ["errors", "timeouts", "square"]
        assert compare(player) == Findings()  # has_won exits, so it is not compared


@pytest.mark.parametrize(
    ("functions", "load_count"),
    [
        ("def choose(board): return 9", 1),
        ("def best_move(board): return board.index(' ')", 2),  # tried before it is asked
        ("def choose(board): return 9\ndef is_over(board): return False", 2),  # compared before
    ],
)
def test_a_file_is_loaded_again_only_after_calls_that_may_leave_state(
    functions: str, load_count: int, tmp_path: Path
) -> None:
    loads = tmp_path / "loads"
    source = f"open({str(loads)!r}, 'a').write('.')\n{functions}"
    with closing(PythonFile(str(write_program(tmp_path, source)), Settings())) as player:
        compare(player)
        player.ask(Position())
    assert len(loads.read_text()) == load_count


def test_a_file_that_loads_only_once_cannot_be_tested(tmp_path: Path) -> None:
    marker = str(tmp_path / "loaded")
    source = f"""\
import os
if os.path.exists({marker!r}):
    os._exit(3)
open({marker!r}, "w").close()


def best_move(board):
    return board.index(" ")
"""
    player = PythonFile(str(write_program(tmp_path, source)), Settings())
    with closing(player), pytest.raises(UntestableError) as raised:
        player.ask(Position())
    assert raised.value.source and raised.value.fact[:2] == ("code", 3)


# The child process: what it loads and replies

MOVE_REQUEST = {"ask": "X--------", "ask_count": 1}


def child_replies(
    tmp_path: Path, source: str, *requests: Mapping[str, Any], **changes: Any
) -> list[dict[str, Any]]:
    """Return the replies on limits, on loading and on the call, then the reply to each request.

    `changes` replace parts of the setup. There are fewer replies if the file cannot be called.
    """
    setup = {
        "content": source, "path": str(write_program(tmp_path, source)), "seed": 1, "memory": 2,
        "how": "loads", "call": "", "marks": "", "boards": players.TRIAL_BOARDS, "late": [],
        "found": [],
    } | changes  # fmt: skip
    with subprocess.Popen(
        players.CHILD_COMMAND,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child_process:
        assert child_process.stdin and child_process.stdout
        lines = []
        for request in (setup, *requests):
            with suppress(BrokenPipeError):  # if the file cannot be called
                print(json.dumps(request), file=child_process.stdin, flush=True)
            for _ in range(3 if request is setup else 1):
                line = child_process.stdout.readline()
                while '"tries"' in line:  # announces a trial
                    line = child_process.stdout.readline()
                lines.append(line)
        with suppress(BrokenPipeError):
            child_process.stdin.close()
    return [json.loads(line) for line in lines if line]


@pytest.mark.parametrize(
    ("exit_call", "problem"),
    [
        ("os._exit(5)", "it exited with code 5"),
        ("os.kill(os.getpid(), 9)", "it was killed by signal 9 (killed)"),
    ],
)
def test_a_new_process_of_a_file_has_no_state_of_one_that_ended_or_was_restarted(
    exit_call: str, problem: str, tmp_path: Path
) -> None:
    source = f"""\
import os

boards = []


def choose(board):
    boards.append(board)
    if len(boards) == 3 and board == "---------":
        {exit_call}
    return len(boards)
"""
    with closing(PythonFile(str(write_program(tmp_path, source)), Settings())) as player:
        answers = [player.ask(Position()) for _ in range(3)]
        assert [answer.number for answer in answers] == [1, 2, -1]
        assert problem in fact_text(answers[2].problem)
        assert player.ask(Position()).number == 1
        player.restart()
        assert player.ask(Position()).number == 1


def test_output_of_a_python_program_is_ignored_and_its_input_is_empty(
    tmp_path: Path,
) -> None:
    source = """\
import os, sys

print(9)


def choose(board):
    os.system("echo 3")
    print(5)
    try:
        input()
    except EOFError:
        return 4, sys.argv, sys.stdin.read(), [1.5, {4: board}]
"""
    limits, loaded, call, reply = child_replies(tmp_path, source, MOVE_REQUEST)
    assert limits == {"lacks": []} and loaded == {} and call["call"]["expression"] == "choose(text)"
    value = [4, [str(tmp_path / "player.py")], "", [1.5, {"other": "{4: 'X--------'}"}]]
    assert (reply["value"], reply["raised"], reply["after"]) == (value, "", "X--------")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def choose(b): raise ValueError('\\x1b[2J\\a\\0')",
         {"raised": "ValueError: \ufffd[2J\ufffd\ufffd (line 1 of player.py)"}),
        ("def choose(b): raise SystemExit('\\n no')",
         {"raised": "SystemExit: no (line 1 of player.py)"}),
        ("def last(): return [][0]\ndef choose(b): return last()",
         {"raised": "IndexError: list index out of range (line 1 of player.py)"}),
        ("def choose(b): return True", {"value": True, "shown": "True"}),
        ("def choose(b): return choose", {"square": None}),
        ("def choose(b): pass\n\n\ninput()", {"asks": 4}),
        ("import sys\nsys.stdin.readline()", {"asks": 2}),
        ("1 / 0\ndef f(): pass",
         {"stopped": "ZeroDivisionError: division by zero (line 1 of player.py)"}),
        ("import nowhere", {"stopped": "ModuleNotFoundError: No module named 'nowhere' (line 1 of"
                                       " player.py)"}),
        ("raw_input()", {"old": 1}),
        ("let = 1;;", {"cannot": ["unread", "SyntaxError: invalid syntax (player.py, line 1)"]}),
        ("print 'X'", {"cannot": ["python 2", 1]}),
    ],
)  # fmt: skip
def test_the_child_reports_how_a_file_loads_and_what_a_call_returns(
    source: str, expected: dict[str, Any], tmp_path: Path
) -> None:
    merged_replies: dict[str, Any] = {}
    for reply in child_replies(tmp_path, source, MOVE_REQUEST):
        merged_replies = reply | merged_replies  # an earlier reply is kept
    assert expected.items() <= merged_replies.items()


def test_the_definitions_of_a_file_that_never_finishes_loading_suffice(tmp_path: Path) -> None:
    source = "def choose(b): return 4\n\n\nsize = int(input())\nwhile True: pass"
    *_, reply = child_replies(tmp_path, source, MOVE_REQUEST, how="defines")
    assert reply["square"] == 4


def test_an_invalid_request_does_not_end_the_process(tmp_path: Path) -> None:
    invalid_call = {"call": "none(text)", "questions": [["X--------", "", []]]}
    *_, reply, second_reply = child_replies(
        tmp_path, "def choose(b): pass", invalid_call, {"none": 1}
    )
    [result] = reply["results"]
    assert result["raised"] == "NameError: name 'none' is not defined (line 1 of <call>)"
    assert second_reply == {"raised": "KeyError: 'questions'"}


FIRST_EMPTY = "EMPTY = ' '\n\n\ndef get_move(board, mark): return board.index(' ')"


def test_a_found_call_answers_requests_for_a_move_and_for_values(tmp_path: Path) -> None:
    values_request = {"call": "get_move(board, mark)", "questions": [["X--------", "X", [0, 1]]]}
    *_, call, move, values = child_replies(tmp_path, FIRST_EMPTY, MOVE_REQUEST, values_request)
    assert call["found"] == [0, ["X", "O"]] and move["square"] == 1
    assert values["results"][0]["value"] == 1


def test_a_call_that_an_earlier_process_found_is_used(tmp_path: Path) -> None:
    *_, move = child_replies(tmp_path, FIRST_EMPTY, MOVE_REQUEST, found=[0, ["X"]])
    assert move["square"] == 1


def test_the_child_cannot_call_a_file_with_undefined_marks(tmp_path: Path) -> None:
    call = "get_move(board, mark)"
    *_, reply = child_replies(tmp_path, FIRST_EMPTY, call=call, marks="a, b, c")
    assert reply["cannot"][:2] == ["no marks", "a, b, c"]


def test_the_child_skips_late_trials(tmp_path: Path) -> None:
    *_, reply = child_replies(tmp_path, "def get_move(b): return 9", late=[0])
    assert reply == {"cannot": ["no call"]}


def test_the_functions_of_the_course_are_called_in_a_package(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").touch()
    *_, move = child_replies(tmp_path, COURSE, MOVE_REQUEST)
    assert move["square"] in range(1, 9)


def test_a_file_that_never_loads_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.players.LOAD_TIMEOUT", 1.0)
    with pytest.raises(UntestableError) as raised:
        PythonFile(str(write_program(tmp_path, f"class Loop: {PAUSE}")), Settings())
    assert raised.value.fact == ("never loads", 1.0)


def test_no_process_starts_after_end_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process.STOPPED, "is_set", lambda: True)
    with pytest.raises(process.StoppedError):
        Process(["sleep", "60"], ANYTHING)


def test_a_limit_is_not_set_above_the_hard_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    limits_set = []
    monkeypatch.setattr("resource.setrlimit", lambda name, limits: limits_set.append(limits))
    monkeypatch.setattr("resource.getrlimit", lambda name: (100, 50))
    assert child.set_limits(1 << 30) == [] and limits_set == [(50, 50)] * 2


def test_a_limit_that_cannot_be_set_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.setrlimit", lambda name, limits: None)
    monkeypatch.delattr("resource.RLIMIT_AS")
    assert child.set_limits(1 << 30) == ["memory"]
    monkeypatch.setitem(sys.modules, "resource", None)
    assert child.set_limits(1 << 30) == ["memory", "processes"]


def test_a_system_without_process_groups_ends_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("os.killpg")
    started = Process(["sleep", "60"], ANYTHING)
    started.close()
    assert started._popen.returncode == -signal.SIGKILL


def test_a_command_gets_the_limits_that_can_be_set_from_outside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(Process(["sleep", "60"], NUMBER)) as started:
        assert started.limit(2) == ["processes"]
        monkeypatch.delattr("resource.prlimit")
        assert started.limit(2) == ["memory", "processes"]


def test_a_program_that_exceeds_its_time_limit_is_given_up(tmp_path: Path) -> None:
    source = "def choose(b):\n    for _ in range(10 ** 5): pass\n    return b.index('-')"
    report = report_on(write_program(tmp_path, source), "--limit", "0.01")
    assert report["given_up"] and report["exit"] == 1
    assert format_report(report).startswith("Not finished: stopped once its moves had taken 0.01 s")


def test_only_plain_files_of_limited_size_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "large.py").write_bytes(b"#" * 9)
    monkeypatch.setattr("judge.players.MAX_FILE_SIZE", 8)
    for name, fact_name in (("pipe", "no file"), ("large", "large"), ("none", "unread")):
        with pytest.raises(UntestableError) as raised:
            read_file(str(tmp_path / f"{name}.py"))
        assert raised.value.fact[0] == fact_name
    contents = read_all([str(tmp_path / "pipe.py"), str(tmp_path / "large.py")])
    assert all(isinstance(content, UntestableError) for content in contents.values())


# Commands

# The fields in which the report on a file differs from the report on a command that plays alike.
DIFFERENT_FIELDS = (
    "program", "seconds", "median_seconds", "longest_seconds", "called", "right", "lines", "lacks",
    "seen", "loaded",
)  # fmt: skip

SIDE = "O" if positions.is_soak else "X"  # O has eight times as many games


def one_side_report(*program: str | Path) -> dict[str, Any]:
    """Return the report on a program as one side, with DIFFERENT_FIELDS set to None."""
    return report_on("--as", SIDE, *program) | dict.fromkeys(DIFFERENT_FIELDS)


def test_an_answer_is_a_number_alone_on_a_line() -> None:
    expected = one_side_report(player_path("perfect")) | {"has_extra_answers": True}
    assert one_side_report("--run", player_command("prose")) == expected


@pytest.mark.soak
@pytest.mark.needs("gcc")
def test_a_program_that_does_not_flush_is_restarted_for_each_board(tmp_path: Path) -> None:
    source = (PLAYERS / "perfect.c").read_text()
    unflushed = tmp_path / "unflushed.c"
    unflushed.write_text(source.replace("fflush(stdout);", ""))
    for name, file in (("flushed", PLAYERS / "perfect.c"), ("unflushed", unflushed)):
        subprocess.run(["gcc", "-O1", "-o", tmp_path / name, file], check=True)
    report = one_side_report("--run", tmp_path / "flushed")
    assert report == one_side_report(player_path("perfect"))
    asked = {"restarted": "as --restart asks"}
    assert one_side_report("--run", tmp_path / "unflushed", "--restart") == report | asked
    noticed = {"restarted": fact_text(("unflushed",))}
    assert one_side_report("--run", tmp_path / "unflushed") == report | noticed


def test_a_program_silent_until_its_input_is_closed_is_examined_once() -> None:
    source = "import sys; print(*[line.index('-') for line in sys.stdin], sep='\\n')"
    with closing(Command([sys.executable, "-c", source], Settings())) as player:
        assert player.ask(Position()).number == 0
        assert player.restart_reason == ("unflushed",)
        assert player.ask(Position.parse("X--------")).number == 1


@pytest.mark.needs("node")
def test_a_javascript_program_is_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.players.SILENCE", 30.0)  # node may take its time to start
    report = one_side_report("--run", f"node {PLAYERS / 'perfect.js'}")
    assert report == one_side_report(player_path("perfect"))


@pytest.mark.parametrize(
    ("script", "is_restart_set", "reason"),
    [
        # It answers only once its input has ended.
        ("while read b; do c=${b%%-*}; done; echo ${#c}", True, "as --restart asks"),
        ("read b; b=${b%%-*}; echo ${#b}; exit 3", False, "it exited with code 3"),
    ],
)
def test_a_command_that_exits_is_restarted_for_each_board(
    script: str, is_restart_set: bool, reason: str
) -> None:
    with closing(Command(["sh", "-c", script], Settings(restart=is_restart_set))) as player:
        answers = [player.ask(Position.parse(board)) for board in ("X--------", "XOX------")]
    assert [(answer.kind, answer.number) for answer in answers] == [("square", 1), ("square", 3)]
    assert fact_text(player.restart_reason) == reason
    report = format_report(report_on(player_path("first_square")) | {"restarted": reason})
    assert f"It was restarted for each board: {reason}." in report


@pytest.mark.parametrize(
    ("script", "kind", "answer"),
    [
        ("while read board; do echo move: 0; printf 'your turn: '; done", "timeouts",
         "no answer in 0.5 s; it printed only: move: 0 (print the number alone on its line)"),
        ("while read board; do printf '(0-8) \\033[2J'; done", "timeouts",
         "no answer in 0.5 s; it printed only: (0-8) \ufffd[2J"),
        ("read board; exec >&- 2>&-; sleep 9", "errors", "it closed its output"),
        ("read board; echo; echo Error 1 >&2; echo Error 2 >&2; echo bye >&2; exit 7", "errors",
         "it exited with code 7: Error 2"),
        ("read board; kill -9 $$", "errors", "it was killed by signal 9 (killed)"),
        ("while read board; do echo 9; done", "illegal",
         "9 is illegal (there is no square 9: they are numbered 0 to 8)"),
        *only_in_soak([
            ("cat", "timeouts", "no answer in 0.5 s; it printed only: ---------"),
            ("read board; echo move: 0; exit 7", "errors",
             "it exited with code 7; it printed only: move: 0 (print the number alone on its"
             " line)"),
            ("sleep 9", "timeouts", "no answer in 0.5 s"),
            ("printf 4; sleep 9", "timeouts",
             "no answer in 0.5 s; it printed only: 4 (print the number alone on its line)"),
        ]),
    ],
)  # fmt: skip
def test_nothing_a_command_does_hangs_the_tester(
    script: str, kind: str, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.players.MAX_TIMEOUTS", 1)
    boards = [board for board in lost_with_a_choice() if board.turn == "X"]
    # Every board on which it ends starts a new shell.
    monkeypatch.setattr("judge.hearing.lost_with_a_choice", lambda: boards[:1])
    if answer == "it closed its output":  # but does not exit
        monkeypatch.setattr("judge.process.GRACE", 0.1)
    command = shlex.join(["sh", "-c", script])
    timeout = "0.5" if kind == "timeouts" else "30"
    report = report_on("--as", "X", "--timeout", timeout, "--run", command)
    first = report["found"][0]
    assert (first["kind"], first["board"], first["answer"]) == (kind, "---------", answer)
    assert report["exit"] == 1 and bool(report["given_up"]) == (kind == "timeouts")


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("nothing.py", "No such file or directory"),
        ("prose.py", "it is unclear which function"),
        ("perfect.js", "--run 'node perfect.js'"),
        ("--call none(board) perfect.py", "the file defines nothing named none"),
        ("--run 'no-such-command of 2'", "no-such-command: No such file or directory"),
        ("--run true", "it exited with code 0. It ended before any board was sent"),
        ("--run 'sh -c \"kill -9 $$\"'", "it was killed by signal 9 (killed)"),
    ],
)
def test_an_untestable_program_exits_with_2_and_the_reason(
    program: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PLAYERS)
    monkeypatch.setattr("judge.players.SILENCE", 9)  # or until it ends
    code, report = run_judge(*shlex.split(program))
    assert code == 2 and reason in report


# Processes


def test_a_program_cannot_use_more_memory_than_its_limit(tmp_path: Path) -> None:
    source = "def choose(b): return len(bytearray(10 ** 8 * ('X' not in b))) * 0 + b.index('-')"
    program = write_program(tmp_path, source)
    for memory, kind, fact_names in ((0.1, "errors", ("memory",)), (2, "square", ())):
        with closing(PythonFile(str(program), Settings(memory=memory))) as player:
            answer = player.ask(Position())
            assert answer.kind == kind and answer.problem[:1] == fact_names


def test_a_signal_ends_the_judge_unless_it_is_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handlers: dict[int, Any] = {}
    signals_sent: list[tuple[int, int]] = []  # each with the process that gets it
    ignored = {signal.SIGHUP: signal.SIG_IGN}
    monkeypatch.setattr(signal, "getsignal", ignored.get)
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    monkeypatch.setattr(os, "kill", lambda pid, number: signals_sent.append((pid, number)))
    monkeypatch.setattr(
        "judge.__main__.main", lambda arguments: handlers[signal.SIGQUIT](signal.SIGQUIT, None)
    )
    judge.__main__.run([])
    assert handlers.keys() == {signal.SIGINT, signal.SIGTERM, signal.SIGQUIT}
    assert handlers[signal.SIGQUIT] == signal.SIG_DFL
    assert signals_sent == [(os.getpid(), signal.SIGQUIT)]


def test_a_second_signal_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    sleeper = Process(["sleep", "60"], ANYTHING)
    # The first wait is interrupted, as by Ctrl-C; the others really wait.
    wait = Mock(wraps=sleeper._popen.wait, side_effect=[KeyboardInterrupt, *[DEFAULT] * 4])
    monkeypatch.setattr(sleeper._popen, "wait", wait)
    with pytest.raises(KeyboardInterrupt):
        sleeper.close(1)
    assert sleeper._popen.wait() == -signal.SIGKILL
    sleeper.close()


HANDLED_SIGNALS = [signal.SIGTERM, *only_in_soak([signal.SIGQUIT])]


@pytest.mark.parametrize("number", [*HANDLED_SIGNALS, signal.SIGKILL])
def test_no_program_survives_the_judge(number: int, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "open")
    source = "file = open('open', 'w')\n\n\ndef choose(board):\n    while True: pass"
    judge_process = subprocess.Popen(
        [sys.executable, "-m", "judge", write_program(tmp_path, source)],
        cwd=tmp_path,
        # Without coverage, whose lock would stay held if a signal were raised inside it.
        env=os.environ | {"PYTHONPATH": players.ROOT},
        stderr=subprocess.PIPE,
        # A shell starts what it runs in the background with SIGQUIT ignored.
        preexec_fn=lambda: number in HANDLED_SIGNALS and signal.signal(number, signal.SIG_DFL),
    )
    with open(tmp_path / "open") as pipe:  # opening waits for the program to open it
        judge_process.send_signal(number)
        assert judge_process.communicate(timeout=30)[1] == b""
        assert judge_process.returncode == -number
        assert select.select([pipe], [], [], 30)[0]  # readable once no process has it open


def test_only_4096_bytes_of_an_endless_line_are_kept() -> None:
    script = "head -c 100000 /dev/zero | tr '\\0' x; echo e >&2; sleep 60"
    with closing(Process(["sh", "-c", script], NUMBER)) as shell:
        while not shell._lines[ERRORS]:
            assert shell.answer(monotonic() + 0.05) is None
        assert shell.answer(monotonic() + 0.05) is None
        assert shell._unfinished[OUTPUT] == b"x" * 4096


def test_child_processes_of_a_program_end_with_it() -> None:
    shell = Process(["sh", "-c", "sleep 60 & echo started; wait"], ANYTHING)
    assert shell.answer(monotonic() + 30) == "started"
    shell.close(0)
    while OUTPUT in shell._unfinished:  # until no process can write
        assert shell._read(30)


def test_a_program_that_prints_without_end_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "MAX_PRINTED", 0)
    with closing(Process(["yes"], NUMBER)) as flooding, pytest.raises(EndedError) as raised:
        flooding.answer(monotonic() + 60)
    assert raised.value.fact == ("too much output", 0)


# A function that writes into every pipe it may find, that of the replies included.
WRITE_EVERYWHERE = """\
import os


def write_everywhere(junk):
    for fd in range(3, 20):
        try: os.write(fd, junk)
        except OSError: pass


"""
FORGED_REPLY = b'{"forged": 1}\n'


@pytest.mark.parametrize("junk", [FORGED_REPLY, b"[" * 100_000 + b"\n"], ids=["forged", "no JSON"])
def test_text_written_into_the_reply_pipe_is_not_an_answer(junk: bytes, tmp_path: Path) -> None:
    source = f"""{WRITE_EVERYWHERE}\
def choose(board):
    if "-" * 8 in board:
        write_everywhere({junk!r})
    return board.index("-")
"""
    with closing(PythonFile(str(write_program(tmp_path, source)), Settings())) as player:
        answer = player.ask(Position())
        assert answer.kind == "errors"
        assert answer.problem == ("reply pipe",)
        assert player.ask(Position().play(0).play(1)).kind == "square"


@pytest.mark.parametrize("forged", [FORGED_REPLY, b'{"call": {}, "found": []}\n'])
def test_a_file_that_forges_replies_during_trials_is_not_tested(
    forged: bytes, tmp_path: Path
) -> None:
    source = f"""{WRITE_EVERYWHERE}\
def best_move(board):
    write_everywhere({forged!r})
    return 0
"""
    with pytest.raises(UntestableError) as raised:
        PythonFile(str(write_program(tmp_path, source)), Settings())
    assert raised.value.fact == ("reply pipe",)


@pytest.mark.parametrize(
    ("allows_pairs", "value", "explanation"),
    [
        (False, None, "choose returned nothing (None)"),
        (True, 0, "0: a score, not a move?"),
        (True, 5, "5 is not a (row, column)"),
        (False, 4.0, "4.0 is a float: return int(4.0)"),
        (False, [1, 2], "[1, 2] is a list: return one number, 3 × row + column"),
        (False, {"a": 1}, "{'a': 1} is not a number from 0 to 8"),
    ],
)
def test_an_answer_that_is_not_a_square_is_explained_in_one_line(
    allows_pairs: bool, value: object, explanation: str
) -> None:
    fact_name = non_square_fact_name(value, allows_pairs)
    assert fact_text((fact_name, repr(value), "choose")) == explanation
