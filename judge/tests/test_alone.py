"""The packed judge: on its own, on poorer systems, and against hostile programs."""

from __future__ import annotations

import csv
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout, suppress
from functools import cache
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from judge import pack
from judge.pack import MAIN, pyz_bytes
from judge.tests.support import COURSE, PAUSE, PERFECT, PLAYERS, TESTS, player_path, run_judge
from tests.serving import wait_until

MANUAL = (TESTS.parent / "manual.md").read_text()
PYTHON = str(Path(sys.executable).resolve())  # outside of any virtual environment
FIRST_FREE = "def choose(board): return board.index('-')"
REMOVE_SYSTEM_FEATURES = """\
import os, select, signal, sys
for module, names in (
    (os, "waitid fork forkpty posix_spawn posix_spawnp killpg setsid O_NONBLOCK geteuid"),
    (select, "poll epoll"), (signal, "SIGHUP SIGQUIT pthread_kill"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
sys.modules["resource"] = None
select.select = None
import builtins, io
opened = io.open
def no_proc(path, *more, **others):
    if str(path).startswith("/proc"):
        raise FileNotFoundError(path)
    return opened(path, *more, **others)
builtins.open = io.open = no_proc
sys.argv = sys.argv[1:]
import runpy
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture
def judge_folder(tmp_path: Path) -> Path:
    """A folder with nothing but the judge."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "judge.pyz").write_bytes(pyz_bytes())
    return folder


def run(folder: Path, *arguments: str, prefix: Sequence[str] = ()) -> tuple[int, str]:
    """Run the judge; return its exit code and what it prints."""
    command = [*prefix, PYTHON, "judge.pyz", *arguments]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "home")}
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def test_the_packed_file_is_reproducible(judge_folder: Path) -> None:
    assert (judge_folder / "judge.pyz").read_bytes() == pyz_bytes()
    with redirect_stdout(TextIOWrapper(BytesIO())) as printed:
        runpy.run_path(pack.__file__, run_name="__main__")
        printed.seek(0)
        assert printed.buffer.read() == pyz_bytes()


def test_the_packed_file_runs_alone(judge_folder: Path) -> None:
    (judge_folder / "raises.py").write_text(player_path("raises").read_text())
    (judge_folder / "short.py").write_text(FIRST_FREE)
    code, table = run(judge_folder, "--as", "X", "--csv", "-", ".")
    assert code == 1 and [row[:4] for row in csv.reader(StringIO(table))][1:] == [
        ["raises.py", "fail", "0", "0"],
        ["short.py", "fail", "157", "58"],
    ]
    assert run(judge_folder, "--help")[1].startswith("usage: python judge.pyz [-h]")
    assert run(judge_folder, "--manual") == run_judge("--manual") == (0, MANUAL)


def test_an_older_python_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 2))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer; this is 3\.10\."):
        exec(MAIN, {})


def test_the_judge_runs_without_what_macos_and_windows_lack(judge_folder: Path) -> None:
    (judge_folder / "lacking.py").write_text(REMOVE_SYSTEM_FEATURES)
    (judge_folder / "class").mkdir()
    (judge_folder / "class/short.py").write_text(FIRST_FREE)
    (judge_folder / "class/waits.py").write_text(f"def choose(board): {PAUSE}")
    prefix = [PYTHON, "lacking.py"]
    command = [*prefix, "judge.pyz", "--as", "X", "--timeout", "0.5"]
    result = subprocess.run([*command, "class"], cwd=judge_folder, capture_output=True, text=True)
    assert re.search(r"short\.py +fail +157 +58 +0 +Loses 58 of 157 games", result.stdout)
    assert re.search(r"waits\.py +fail +0 +0 +1 +No legal move on 3 of 3 boards", result.stdout)
    player = shlex.join([PYTHON, str(PLAYERS / "prose.py")])
    options = ["--json", "--run", player]
    result = subprocess.run([*command, *options], cwd=judge_folder, capture_output=True, text=True)
    assert json.loads(result.stdout)["lacks"] == ["memory", "processes"]
    assert json.loads(result.stdout)["code"] == 0


CONTAINER: str = re.findall(r'--within "(bwrap .*?)"', MANUAL, re.DOTALL)[0].replace("\\\n", "")
OWN_PYTHON = f"--ro-bind {sys.base_prefix} {sys.base_prefix}"  # Python may be outside /usr


@cache
def has_containers() -> bool:
    """Return whether bubblewrap works on this machine."""
    trial = shlex.split(f"{CONTAINER} {OWN_PYTHON}".replace("$PWD", "/usr"))
    return subprocess.run([*trial, PYTHON, "-c", ""], capture_output=True).returncode == 0


@pytest.fixture
def container(judge_folder: Path) -> str:
    """The bubblewrap command of the manual, for the folder of the judge."""
    if not has_containers():
        pytest.skip("user namespaces")
    return f"{CONTAINER} {OWN_PYTHON}".replace("$PWD", shlex.quote(str(judge_folder)))


@pytest.mark.needs("bwrap")
def test_the_judge_runs_without_proc(judge_folder: Path, container: str) -> None:
    (judge_folder / "short.py").write_text(FIRST_FREE)
    prefix = [*shlex.split(container), "--chdir", str(judge_folder)]
    code, report = run(judge_folder, "--as", "X", "short.py", prefix=prefix)
    first_line = "Loses 58 of 157 games: it takes the first empty square."
    assert code == 1 and report.startswith(first_line)


# Programs that do whatever they like

WRITE_TO_ALL = "for fd in range(3, 20):\n    try: os.write(fd, {!r})\n    except OSError: pass"
FOR_OTHER_FILES = "for name in os.listdir('.'):\n    if name.endswith('.py') and name != '{}.py':\n"
# By name: what a program does when it is asked for a move, and what its row says.
HOSTILE = {
    "replies": (WRITE_TO_ALL.format(b'{"forged": 1}\n'),
                "it wrote into the pipe that its replies go"),
    "brackets": (WRITE_TO_ALL.format(b"[" * 10**5 + b"\n"),
                 "it wrote into the pipe that its replies go"),
    "no_end": (WRITE_TO_ALL.format(b"x" * 10**6), "No legal move on"),
    "forks": ("if not os.fork():\n    os.setsid()\n    time.sleep(9)\n    os._exit(0)",
              "it takes the first empty square"),
    "children": ("pids = [os.fork() for _ in range(4)]\nif 0 in pids: os._exit(0)",
                 "it takes the first empty square"),
    "floods": ("while True: os.write(2, b'x' * 65536)",
               "it printed more than 100 MB for an answer|no answer in 1 s"),
    "prints": ("while True: print('x' * 65536)",
               "it printed more than 100 MB for an answer|no answer in 1 s"),
    "memory": ("x = bytearray(10 ** 9)",
               "MemoryError: (line 4 of memory.py): it may use at most 0.3 GB of memory"),
    "huge": ("return 10 ** 100000", "a value of type int that cannot be written"),
    "nested": ("x = []\nfor _ in range(10 ** 4): x = [x]\nreturn x",
               "a value of type list that cannot be written"),
    "exits": ("os._exit(3)", "it exited with code 3"),
    "leaves": ("raise SystemExit(0)", "SystemExit: 0"),
    "descriptors": ("os.closerange(0, 64)", "it exited with code"),
    "endless": ("while True: pass", "no answer in 1 s"),
    "group": ("os.killpg(0, 9)", "it was killed by signal 9 (killed)"),
    "stops": ("os.kill(os.getpid(), 19)", "no answer in 1 s"),
    "deaf": ("import signal\nfor n in range(1, 30):\n    try: signal.signal(n, signal.SIG_IGN)\n"
             "    except (OSError, ValueError): pass\nwhile True: pass", "no answer in 1 s"),
    "recursion": ("return choose(b)", "RecursionError"),
    "stack": ("import sys\nsys.setrecursionlimit(10 ** 9)\nreturn choose(b)", "No legal move on"),
    "threads": ("import threading\nfor _ in range(9):\n"
                "    threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
                "it takes the first empty square"),
    "json_gone": ("import json\njson.dumps = None", "No legal move on"),
    "index": ("return type('E', (), {'__index__': lambda s: 1 / 0})()", "is not a number from 0"),
    "repr": ("return type('E', (), {'__repr__': lambda s: 'x' * 10 ** 7})()", "is not a number"),
    "equal": ("class E(list):\n    def __eq__(self, other): os._exit(4)\n    __hash__ = None\n"
              "return E('XXXXXXXXX')", "No legal move on"),
    "modules": ("for name in ('csv', 'json', 'random', 'usercustomize', 'judge'):\n"
                "    try: open(f'{name}.py', 'w').write('1 / 0')\n    except OSError: pass",
                "it takes the first empty square"),
    "home": ("import site\ntry:\n    os.makedirs(site.getusersitepackages(), exist_ok=True)\n"
             "    open(site.getusersitepackages() + '/usercustomize.py', 'w').write('1 / 0')\n"
             "except OSError: pass", "it takes the first empty square"),
    "pipes": (FOR_OTHER_FILES.format("pipes") + "        try: os.remove(name), os.mkfifo(name)\n"
              "        except OSError: pass", "it takes the first empty square"),
}  # fmt: skip
# Programs that only a container stops, as the manual says, and what their rows say in one.
HARMFUL = {
    "kills": ("os.kill(os.getppid(), 9)", "it takes the first empty square|it was killed"),
    "forges": ("try: open(f'/proc/{os.getppid()}/fd/1', 'w').write('forged: 100 %\\n')\n"
               "except OSError: pass", "it takes the first empty square"),
    "reads": (f"open({str(Path(__file__))!r}).read()", "FileNotFoundError"),
    "network": ("import socket\nsocket.create_connection(('127.0.0.1', 9), 1)",
                "Error"),
}  # fmt: skip
# By name: the content of a file, and what its row says.
FILES = {
    "binary": (b"\0\1\2", "null bytes"),
    "brackets_deep": (b"x = " + b"(" * 5000, "SyntaxError: too many nested parentheses"),
    "minus": (b"x = " + b"-" * 100_000 + b"1", "Cannot be tested"),
    "large": (b"#" * (1 << 20) + b"\n", "the file is larger than 1 MB"),
    "latin": (b"x = '\xe9'", "SyntaxError"),
}


def write_class(folder: Path, programs: Mapping[str, tuple[str, str]]) -> None:
    """Write a class of hostile programs, with harmless ones before, between and after them."""
    for name, (body, _) in programs.items():
        source = f"import os, time\ndef choose(b):\n    os.chdir({str(folder)!r})\n"
        source += f"{indent(body, '    ')}\n    return b.index('-')"
        (folder / f"{name}.py").write_text(source)
    for name in ("aaa", "mmm", "zzz"):
        (folder / f"{name}.py").write_text(FIRST_FREE)


def assert_rows(report: str, expected: Mapping[str, tuple[Any, str]]) -> None:
    """Check that each program has the expected last cell, and that harmless ones lose 58 games."""
    rows = {Path(row[0]).stem: row for row in list(csv.reader(StringIO(report)))[1:]}
    assert {*expected, "aaa", "mmm", "zzz"} == {*rows}
    assert {rows[name][3] for name in ("aaa", "mmm", "zzz")} == {"58"}
    unexpected_lines = {}
    for name, (_, text) in expected.items():
        # Of the regex syntax, these texts use only |.
        pattern = text.replace("(", "[(]").replace(")", "[)]")
        if not re.search(pattern, rows[name][-1]):
            unexpected_lines[name] = rows[name][-1]
    assert unexpected_lines == {}


LIMITS = ("--timeout", "1", "--memory", "0.3", "--as", "X", "--jobs", "2")


@pytest.mark.soak
def test_a_hostile_program_costs_only_its_own_row(judge_folder: Path) -> None:
    folder = judge_folder / "class"
    folder.mkdir()
    write_class(folder, HOSTILE)
    for name, (content, _) in FILES.items():
        (folder / f"{name}.py").write_bytes(content)
    os.mkfifo(folder / "fifo.py")
    (folder / "zero.py").symlink_to("/dev/zero")
    (folder / "gone.py").symlink_to("nowhere")
    code, _ = run(judge_folder, "class", "--csv", "class.csv", *LIMITS)
    special = {
        "fifo": ("", "not a plain file"),
        "zero": ("", "not a plain file"),
        "gone": ("", "No such file"),
    }
    assert code == 2
    assert_rows((judge_folder / "class.csv").read_text("utf-8-sig"), HOSTILE | FILES | special)


@pytest.mark.soak
@pytest.mark.needs("bwrap")
def test_in_a_container_any_program_costs_only_its_own_row(
    judge_folder: Path, container: str
) -> None:
    folder = judge_folder / "class"
    folder.mkdir()
    write_class(folder, HOSTILE | HARMFUL)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, report = run(judge_folder, "class", "--csv", "class.csv", *LIMITS, "--within", container)
    assert code == 1 and "forged" not in report
    assert_rows((judge_folder / "class.csv").read_text("utf-8-sig"), HOSTILE | HARMFUL)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert not (judge_folder / "home").exists()


@pytest.mark.needs("bwrap")
def test_a_container_ends_everything_that_a_program_started(
    judge_folder: Path, container: str
) -> None:
    tag = f"wait-{os.getpid()}"  # to recognize the command by
    source = (
        "import os, subprocess\n\n\ndef choose(b):\n    subprocess.Popen("
        f"['/usr/bin/env', '-i', 'sh', '-c', 'sleep 60; : {tag}'], start_new_session=True)\n"
        "    return b.index('-')"
    )
    (judge_folder / "starts.py").write_text(source)
    code, report = run(judge_folder, "--as", "X", "starts.py", "--within", container)
    assert code == 1 and report.startswith("Loses 58 of 157 games")
    # The system ends the processes of a container one after the other, after the container itself.
    wait_until(lambda: not has_command_with(tag))


def has_command_with(text: str) -> bool:
    """Return whether the command of a running process has a text in it."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # the process has ended since
            if text.encode() in path.read_bytes():
                return True
    return False


# Everyday use: Python, C and JavaScript programs, and a folder


def check_everyday_use(judge_folder: Path) -> None:
    """Test programs of every kind with the judge.pyz of a folder; also for tests/test_check.py."""
    for name, source in (("perfect", PERFECT), ("tictactoe", COURSE)):
        (judge_folder / f"{name}.py").write_text(source)
    assert run(judge_folder, "perfect.py")[1].startswith("Correct: loses none of 642 games.\n")
    assert run(judge_folder, "tictactoe.py")[1].startswith("Correct: loses none of ")
    correct = "Correct: loses none of 73 games.\n"
    if shutil.which("gcc"):
        command = ["gcc", "-O1", "-o", str(judge_folder / "perfect"), str(PLAYERS / "perfect.c")]
        subprocess.run(command, check=True)
        assert run(judge_folder, "--as", "X", "--run", "./perfect")[1].startswith(correct)
    if shutil.which("node"):
        script = f"node {shlex.quote(str(PLAYERS / 'perfect.js'))}"
        assert run(judge_folder, "--as", "X", "--run", script)[1].startswith(correct)
    (judge_folder / "class").mkdir()
    for name, source in (("a", PERFECT), ("b", FIRST_FREE)):
        (judge_folder / "class" / f"{name}.py").write_text(source)
    code, table = run(judge_folder, "class", "--csv", "class.csv")
    assert code == 1 and re.search(r"a\.py +pass +642 +0 +0 +Correct", table)
    assert (judge_folder / "class.csv").read_text("utf-8-sig").count("\n") == 3
