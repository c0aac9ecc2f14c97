"""The Makefile: `make play` from start to end, its help, setting up and cleaning."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.serving import ROOT, environment, free_port
from tools import play

# `make play` with the Python of the tests, which has its requirements; -o skips installing them.
MAKE_PLAY = ["make", f"PY={sys.executable}", "-o", ".venv/play", "play"]
IN_A_SHELL = ["sh", "-c", '"$@"; true', "sh", *MAKE_PLAY]  # `true` keeps sh from becoming make
ADVICE = "Try another: make play PORT=8001"


def test_ctrl_c_stops_the_server_despite_open_connections(port: int) -> None:
    with terminal(*MAKE_PLAY, f"PORT={port}") as (process, user_end), ExitStack() as stack:
        wait_for(user_end, f"Tic-tac-toe: http://127.0.0.1:{port} ")
        for request in (b"", b"GET / HTTP/1.1\r\nHost: loc", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(request)
        assert connection.recv(12) == b"HTTP/1.1 200"
        os.write(user_end, b"\x03")
        process.wait(timeout=20)  # sooner than the timeout of an idle connection
        socket.create_server(("127.0.0.1", port)).close()


@pytest.mark.parametrize("command", [pytest.param(MAKE_PLAY, marks=pytest.mark.soak), IN_A_SHELL])
def test_closing_the_terminal_stops_the_server(port: int, command: list[str]) -> None:
    """It does so whether a shell or the terminal itself runs the server."""
    with terminal(*command, f"PORT={port}") as (process, user_end):
        wait_for(user_end, f"http://127.0.0.1:{port} ")
        os.close(user_end)
        process.wait(timeout=20)


@pytest.mark.parametrize("port_text", ["80x", "65536", "0", "-1", ""])
def test_an_invalid_port_is_named(port_text: str) -> None:
    message = f"^PORT={port_text}: a port is a number from 1 to 65535. Try"
    with pytest.raises(SystemExit, match=message):
        play.listen(port_text)


@pytest.mark.parametrize("reuse_port", [0, 1])
def test_a_port_in_use_is_refused(port: int, reuse_port: int) -> None:
    """It is refused even if the other server would share it, as Granian does."""
    with socket.socket() as other_server:
        other_server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, reuse_port)
        other_server.bind(("127.0.0.1", port))
        other_server.listen()
        with pytest.raises(SystemExit, match=f"^PORT={port}: Address already in use. {ADVICE}$"):
            play.listen(str(port))


def test_an_invalid_setting_is_reported_once(port: int) -> None:
    result = subprocess.run(
        [*MAKE_PLAY, f"PORT={port}"],
        capture_output=True,
        cwd=ROOT,
        env=environment(FLASK_TRUSTED_PROXIES="x"),
        text=True,
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert [line for line in result.stderr.splitlines() if not line.startswith("make")] == [
        "The server cannot start: FLASK_TRUSTED_PROXIES has to be a number from 0 to 9."
    ]


def test_make_piped_into_head_prints_no_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    # As in a shell: Python ignores SIGPIPE, and its child processes would inherit that.
    restore_sigpipe = partial(signal.signal, signal.SIGPIPE, signal.SIG_DFL)
    result = subprocess.run(
        ["make"],
        cwd=ROOT,
        stdout=write_end,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=restore_sigpipe,
    )
    os.close(write_end)
    assert (result.returncode, result.stderr) == (0, "")


def test_make_lists_exactly_its_goals() -> None:
    help_text = subprocess.run(["make"], cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    goals = (ROOT / "Makefile").read_text().partition(".PHONY: help ")[2].splitlines()[0].split()
    assert sorted(line.split()[1] for line in help_text.splitlines()) == sorted(goals)


def test_no_script_has_the_name_of_a_library() -> None:
    """`python bench/games.py` searches bench/ for libraries first, and would import the script."""
    library_names = {*packages_distributions(), *sys.stdlib_module_names}
    for folder in ("bench", "tools"):
        assert not {path.stem for path in (ROOT / folder).glob("*.py")} & library_names


@pytest.fixture
def port() -> int:
    return free_port()


@contextmanager
def terminal(*command: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run a command in its own terminal; yield its process and the user's end of the terminal.

    Writing to that file descriptor is typing; reading from it returns what is on the screen.
    """
    user_end, program_end = os.openpty()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(),
        stdin=program_end,
        stdout=program_end,
        stderr=program_end,
        start_new_session=True,
        preexec_fn=take_the_terminal,
    )
    os.close(program_end)
    try:
        yield process, user_end
    finally:
        with suppress(OSError):
            os.close(user_end)
        process.terminate()
        process.wait()


def take_the_terminal() -> None:
    """Take stdin as the terminal, even if the parent process ignores Ctrl+C."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(user_end: int, text: str) -> None:
    """Return once `text` is on the screen. Raises OSError if the command ends before that."""
    screen = ""
    while text not in screen:
        screen += os.read(user_end, 1000).decode()


# Setting up and cleaning


@pytest.fixture
def bare_folder(tmp_path: Path) -> Path:
    """A folder with only the Makefile and the lock files."""
    for file in (ROOT / "Makefile", *ROOT.glob("requirements*.txt")):
        shutil.copy(file, tmp_path)
    return tmp_path


def test_a_python_without_venv_is_reported_every_time(bare_folder: Path) -> None:
    python = bare_folder / "python3"
    python.write_text(
        f"""#!/bin/sh
        case $2 in
            venv) mkdir -p .venv/bin && ln -s {sys.executable} .venv/bin/python
                  echo "Install the python3-venv package."; exit 1;;
            *) exec {sys.executable} "$@";;
        esac
        """
    )
    python.chmod(0o755)
    for _ in range(2):
        result = subprocess.run(
            ["make", "play", f"PYTHON={python}"], capture_output=True, cwd=bare_folder, text=True
        )
        assert result.stdout == "Install the python3-venv package.\n"
        assert result.returncode == 2
        assert not (bare_folder / ".venv").exists()


def test_clean_removes_generated_files_but_not_the_key(bare_folder: Path) -> None:
    original_names = {path.name for path in bare_folder.iterdir()}
    ignored_patterns = (ROOT / ".gitignore").read_text().split()
    for pattern in ignored_patterns:
        name = pattern.strip("/").replace("*", "x")
        (bare_folder / name / "inside").mkdir(parents=True)
    subprocess.run(["make", "clean"], check=True, cwd=bare_folder)
    # The key is in instance/.
    assert {path.name for path in bare_folder.iterdir()} == original_names | {"instance"}
