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
from judge import child, players, process, words
from judge.classroom import read_all
from judge.functions import Findings, compare
from judge.hearing import lost_with_a_choice
from judge.players import Command, PythonFile, Settings, non_square_kind, read_file
from judge.process import ANYTHING, ERRORS, NUMBER, OUTPUT, EndedError, Process, UntestableError
from judge.report import format_report
from judge.tests.support import (
    COURSE,
    ENVIRONMENT,
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
    source = (
        "import os, signal\n\n\ndef choose(b):\n    while b == 'X--------': signal.pause()\n"
        "    return b.index('-', b[:2] == 'XO') if '-' * 8 not in b else os._exit(3)\n\n\n"
        "def has_won(board): os._exit(3)"
    )
    with closing(PythonFile(str(write_program(tmp_path, source)), Settings(timeout=0.3))) as player:
        boards = ("---------", "X--------", "XO-------")
        assert [player.ask(Position.parse(board)).kind for board in boards] == [
            "errors", "timeouts", "square",
        ]  # fmt: skip
        assert compare(player) == Findings()


# The child process: what it loads and replies

ASK = {"ask": "X--------", "ask_count": 1}


def child_replies(
    tmp_path: Path, source: str, *requests: Mapping[str, Any], **more: Any
) -> list[dict[str, Any]]:
    """Return the replies on limits, on loading and on the call, then the reply to each request."""
    setup = {
        "content": source, "path": str(write_program(tmp_path, source)), "seed": 1, "memory": 2,
        "how": "loads", "call": "", "marks": "", "boards": players.TRIAL_BOARDS, "late": [],
        "found": [],
    } | more  # fmt: skip
    with subprocess.Popen(
        players.CHILD_COMMAND,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child_process:
        assert child_process.stdin and child_process.stdout
        replies = []
        for request in (setup, *requests):
            with suppress(BrokenPipeError):  # if the file cannot be called
                print(json.dumps(request), file=child_process.stdin, flush=True)
            for _ in range(3 if request is setup else 1):
                replies.append(child_process.stdout.readline())
                while '"tries"' in replies[-1]:
                    replies[-1] = child_process.stdout.readline()
        with suppress(BrokenPipeError):
            child_process.stdin.close()
    return [json.loads(line) for line in replies if line]


@pytest.mark.parametrize(
    ("ends", "problem"),
    [
        ("_exit(5)", "it exited with code 5"),
        ("kill(getpid(), 9)", "it was killed by signal 9 (killed)"),
    ],
)
def test_each_process_of_a_file_starts_fresh_and_may_end_by_itself(
    ends: str, problem: str, tmp_path: Path
) -> None:
    source = (
        "from os import *\nasked = []\n\n\ndef choose(b):\n    asked.append(b)\n"
        f"    return len(asked) if len(asked) < 3 or b.count('-') < 9 else {ends}"
    )
    with closing(PythonFile(str(write_program(tmp_path, source)), Settings())) as player:
        answers = [player.ask(Position()) for _ in range(3)]
        assert [answer.number for answer in answers] == [1, 2, -1] and problem in fact_text(
            answers[2].problem
        )
        assert player.ask(Position()).number == 1
        player.restart()
        assert player.ask(Position()).number == 1


def test_output_of_a_python_program_is_ignored_and_its_input_is_empty(
    tmp_path: Path,
) -> None:
    source = (
        "import os, sys\nprint(9)\n\n\ndef choose(b):\n    os.system('echo 3')\n    print(5)\n"
        "    try: input()\n"
        "    except EOFError: return 4, sys.argv, sys.stdin.read(), [1.5, {4: b}]\n"
    )
    limits, loaded, call, reply = child_replies(tmp_path, source, ASK)
    assert limits == {"lacks": []} and loaded == {} and call["call"]["expression"] == "choose(text)"
    shown = [4, [str(tmp_path / "player.py")], "", [1.5, {"other": "{4: 'X--------'}"}]]
    assert (reply["value"], reply["raised"], reply["after"]) == (shown, "", "X--------")


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
    replies: dict[str, Any] = {}
    for reply in child_replies(tmp_path, source, ASK):
        replies = reply | replies
    assert replies | expected == replies


def test_the_definitions_of_a_file_that_never_finishes_loading_suffice(tmp_path: Path) -> None:
    source = "def choose(b): return 4\n\n\nsize = int(input())\nwhile True: pass"
    *_, report = child_replies(tmp_path, source, ASK, how="defines")
    assert report["square"] == 4


def test_an_invalid_request_does_not_end_the_process(tmp_path: Path) -> None:
    invalid_call = {"call": "none(text)", "questions": [["X--------", "", []]]}
    *_, report, other = child_replies(tmp_path, "def choose(b): pass", invalid_call, {"none": 1})
    assert (
        report["results"][0]["raised"] == "NameError: name 'none' is not defined (line 1 of <call>)"
    )
    assert other == {"raised": "KeyError: 'questions'"}


def test_the_call_of_a_file_is_found_once(tmp_path: Path) -> None:
    source = "EMPTY = ' '\n\n\ndef get_move(board, mark): return board.index(' ')"
    mark = {"call": "get_move(board, mark)", "questions": [["X--------", "X", [0, 1]]]}
    *_, report, reply, results = child_replies(tmp_path, source, ASK, mark)
    assert report["found"] == [0, ["X", "O"]] and reply["square"] == 1
    assert results["results"][0]["value"] == 1
    *_, again = child_replies(tmp_path, source, ASK, found=[0, ["X"]])
    assert again["square"] == 1
    *_, cannot = child_replies(tmp_path, source, call="get_move(board, mark)", marks="a, b, c")
    assert cannot["cannot"][:2] == ["no marks", "a, b, c"]
    *_, cannot = child_replies(tmp_path, "def get_move(b): return 9", late=[0])
    assert cannot == {"cannot": ["no call"]}
    (tmp_path / "__init__.py").touch()  # from now on the file belongs to a package
    *_, answer = child_replies(tmp_path, COURSE, ASK)
    assert answer["square"] in range(1, 9)


def test_a_file_that_never_loads_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.players.LOAD_TIMEOUT", 1.0)
    with pytest.raises(UntestableError) as why:
        PythonFile(str(write_program(tmp_path, "class Loop:\n    while True: pass")), Settings())
    assert why.value.fact == ("never loads", 1.0)


def test_no_process_starts_after_end_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process.STOPPED, "is_set", lambda: True)
    with pytest.raises(process.StoppedError):
        Process(["sleep", "60"], ANYTHING)


def test_a_limit_that_cannot_be_set_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    set_to = []
    monkeypatch.setattr("resource.setrlimit", lambda kind, limit: set_to.append(limit))
    monkeypatch.setattr("resource.getrlimit", lambda kind: (100, 50))
    assert child.set_limits(1 << 30) == [] and set_to == [(50, 50)] * 2
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
    for name, why in (("pipe", "no file"), ("large", "large"), ("none", "unread")):
        with pytest.raises(UntestableError) as raised:
            read_file(str(tmp_path / f"{name}.py"))
        assert raised.value.fact[0] == why
    contents = read_all([str(tmp_path / "pipe.py"), str(tmp_path / "large.py")])
    assert all(isinstance(content, UntestableError) for content in contents.values())


# Commands

# What differs between the reports on a file and on a command that plays alike.
DIFFERENT_FIELDS = dict.fromkeys(
    (
        "program",
        "seconds",
        "median_seconds",
        "longest_seconds",
        "called",
        "right",
        "lines",
        "lacks",
        "seen",
        "loaded",
    )
)

SIDE = "O" if positions.is_soak else "X"  # O has eight times as many games


def as_one(*program: str | Path) -> dict[str, Any]:
    """Return the report on a program as one side, without DIFFERENT_FIELDS."""
    return report_on("--as", SIDE, *program) | DIFFERENT_FIELDS


def test_an_answer_is_a_number_alone_on_a_line() -> None:
    assert as_one("--run", player_command("prose")) == as_one(player_path("perfect")) | {
        "has_extra_answers": True
    }


@pytest.mark.soak
@pytest.mark.needs("gcc")
def test_a_program_that_does_not_flush_is_restarted_for_each_board(tmp_path: Path) -> None:
    source = (PLAYERS / "perfect.c").read_text()
    (tmp_path / "kept.c").write_text(source.replace("fflush(stdout);", ""))
    for name, file in (("flushes", PLAYERS / "perfect.c"), ("keeps", tmp_path / "kept.c")):
        subprocess.run(["gcc", "-O1", "-o", tmp_path / name, file], check=True)
    flushes = as_one("--run", tmp_path / "flushes")
    assert flushes == as_one(player_path("perfect"))
    reason = {"restarted": "as --restart asks"}
    assert as_one("--run", tmp_path / "keeps", "--restart") == flushes | reason
    assert as_one("--run", tmp_path / "keeps") == flushes | {"restarted": fact_text(("unflushed",))}


def test_a_program_silent_until_its_input_is_closed_is_examined_once() -> None:
    source = "import sys; print(*[line.index('-') for line in sys.stdin], sep='\\n')"
    with closing(Command([sys.executable, "-c", source], Settings())) as player:
        assert player.ask(Position()).number == 0
        assert player.restart_reason == ("unflushed",)
        assert player.ask(Position.parse("X--------")).number == 1


@pytest.mark.needs("node")
def test_a_javascript_program_is_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.players.SILENCE", 30.0)  # node may take its time to start
    assert as_one("--run", f"node {PLAYERS / 'perfect.js'}") == as_one(player_path("perfect"))


@pytest.mark.parametrize(
    ("line", "restarts", "reason"),
    [
        # It answers only once its input has ended.
        ("while read b; do c=${b%%-*}; done; echo ${#c}", True, "as --restart asks"),
        ("read b; b=${b%%-*}; echo ${#b}; exit 3", False, "it exited with code 3"),
    ],
)
def test_a_command_that_exits_is_restarted_for_each_board(
    line: str, restarts: bool, reason: str
) -> None:
    with closing(Command(["sh", "-c", line], Settings(restart=restarts))) as player:
        answers = [player.ask(Position.parse(board)) for board in ("X--------", "XOX------")]
    assert [(answer.kind, answer.number) for answer in answers] == [("square", 1), ("square", 3)]
    assert fact_text(player.restart_reason) == reason
    report = format_report(report_on(player_path("first_square")) | {"restarted": reason})
    assert f"It was restarted for each board: {reason}." in report


@pytest.mark.parametrize(
    ("line", "kind", "answer"),
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
    line: str, kind: str, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.players.MAX_TIMEOUTS", 1)
    positions = [board for board in lost_with_a_choice() if board.turn == "X"]
    # Every board on which it ends starts a new shell.
    monkeypatch.setattr("judge.hearing.lost_with_a_choice", lambda: positions[:1])
    if answer == "it closed its output":  # but does not exit
        monkeypatch.setattr("judge.process.GRACE", 0.1)
    run = shlex.join(["sh", "-c", line])
    report = report_on(
        "--as", "X", "--timeout", "0.5" if kind == "timeouts" else "30", "--run", run
    )
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
    for memory, kind in ((0.1, "errors"), (2, "square")):
        with closing(PythonFile(str(program), Settings(memory=memory))) as player:
            answer = player.ask(Position())
            assert answer.kind == kind and answer.problem[:1] == ("memory",) * (kind == "errors")


def test_a_signal_ends_the_judge_unless_it_is_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handlers: dict[int, Any] = {}
    killed: list[tuple[int, int]] = []
    ignored = {signal.SIGHUP: signal.SIG_IGN}
    monkeypatch.setattr(signal, "getsignal", ignored.get)
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    monkeypatch.setattr(os, "kill", lambda *one: killed.append(one))
    monkeypatch.setattr(
        "judge.__main__.main", lambda arguments: handlers[signal.SIGQUIT](signal.SIGQUIT, None)
    )
    judge.__main__.run([])
    assert handlers.keys() == {signal.SIGINT, signal.SIGTERM, signal.SIGQUIT}
    assert handlers[signal.SIGQUIT] == signal.SIG_DFL and killed == [(os.getpid(), signal.SIGQUIT)]


def test_a_second_signal_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process(["sleep", "60"], ANYTHING)
    waits = Mock(wraps=process._popen.wait, side_effect=[KeyboardInterrupt, *[DEFAULT] * 4])
    monkeypatch.setattr(process._popen, "wait", waits)
    with pytest.raises(KeyboardInterrupt):
        process.close(1)
    assert process._popen.wait() == -signal.SIGKILL
    process.close()


HANDLED_SIGNALS = [signal.SIGTERM, *only_in_soak([signal.SIGQUIT])]


@pytest.mark.parametrize("number", [*HANDLED_SIGNALS, signal.SIGKILL])
def test_no_program_survives_the_judge(number: int, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "open")
    source = "file = open('open', 'w')\n\n\ndef choose(board):\n    while True: pass"
    checker = subprocess.Popen(
        [sys.executable, "-m", "judge", write_program(tmp_path, source)],
        cwd=tmp_path,
        # Without coverage, whose lock would stay held if a signal were raised inside it.
        env=os.environ | {"PYTHONPATH": players.ROOT},
        stderr=subprocess.PIPE,
        # A shell starts what it runs in the background with SIGQUIT ignored.
        preexec_fn=lambda: number in HANDLED_SIGNALS and signal.signal(number, signal.SIG_DFL),
    )
    with open(tmp_path / "open") as pipe:  # opening waits for the program to open it
        checker.send_signal(number)
        assert checker.communicate(timeout=30)[1] == b"" and checker.returncode == -number
        assert select.select([pipe], [], [], 30)[0]  # readable once no process has it open


def test_only_4096_bytes_of_an_endless_line_are_kept() -> None:
    endless = "head -c 100000 /dev/zero | tr '\\0' x; echo e >&2; sleep 60"
    with closing(Process(["sh", "-c", endless], NUMBER)) as process:
        while not process._lines[ERRORS]:
            assert process.answer(monotonic() + 0.05) is None
        assert process.answer(monotonic() + 0.05) is None
        assert process._unfinished[OUTPUT] == b"x" * 4096


def test_child_processes_of_a_program_end_with_it() -> None:
    process = Process(["sh", "-c", "sleep 60 & echo started; wait"], ANYTHING)
    assert process.answer(monotonic() + 30) == "started"
    process.close(0)
    while OUTPUT in process._unfinished:  # until no process can write
        assert process._read(30)


def test_a_program_that_prints_without_end_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "MAX_PRINTED", 0)
    with closing(Process(["yes"], NUMBER)) as flooding, pytest.raises(EndedError) as why:
        flooding.answer(monotonic() + 60)
    assert why.value.fact == ("printed", 0)


JUNK = {
    "own protocol": "for fd in range(3, 20):\n        try: os.write(fd, b'{\"forged\": 1}\\n')\n"
                    "        except OSError: pass",
    "no JSON": "for fd in range(3, 20):\n        try: os.write(fd, b'[' * 100000 + b'\\n')\n"
               "        except OSError: pass",
}  # fmt: skip


@pytest.mark.parametrize("junk", JUNK)
def test_text_written_into_the_reply_pipe_is_not_an_answer(junk: str, tmp_path: Path) -> None:
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
        assert answer.problem == ("written",)
        assert player.ask(Position().play(0).play(1)).kind == "square"


def test_a_file_that_forges_replies_during_trials_is_not_tested(tmp_path: Path) -> None:
    path = tmp_path / "player.py"
    path.write_text(f"import os\n\n\ndef best_move(b):\n    {JUNK['own protocol']}\n    return 0")
    with pytest.raises(UntestableError) as why:
        PythonFile(str(path), Settings())
    assert why.value.fact == ("written",)


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
    kind = non_square_kind(value, allows_pairs)
    assert words.fact_text((kind, repr(value), "choose")) == explanation
