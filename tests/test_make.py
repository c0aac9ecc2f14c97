"""The Makefile: `make play` from start to end, the set-up before it and the clearing up after."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

import pytest

from tests.serving import ROOT, environment
from tools import play

# The goal alone, with the Python that the tests run on: what it needs has been installed.
MAKE = ["make", f"PY={sys.executable}", "-o", ".venv/play", "play"]
ADVICE = "Try another: make play PORT=8001"


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def take_the_terminal() -> None:
    """Obey the terminal on stdin, also where whoever started the tests ignores its Ctrl+C."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """Run a command in a terminal of its own, which knows no other."""

    def __init__(self, *command: str) -> None:
        self.keyboard, screen = os.openpty()
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(),
            stdin=screen,
            stdout=screen,
            stderr=screen,
            start_new_session=True,
            preexec_fn=take_the_terminal,
        )
        os.close(screen)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self.process.terminate()
        self.process.wait()

    def close(self) -> None:
        with suppress(OSError):
            os.close(self.keyboard)

    def wait_for(self, text: str) -> None:
        """Return once `text` is on the screen. Raises OSError where the command ends without."""
        screen = ""
        while text not in screen:
            screen += os.read(self.keyboard, 1000).decode()


def ends_within_a_second(terminal: Terminal, port: int) -> bool:
    """Wait until a command has ended and its port is free, and say whether that took a second."""
    began = time.monotonic()
    terminal.process.wait(timeout=10)
    while time.monotonic() < began + 10:
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.01)
        else:
            return time.monotonic() < began + 1
    raise TimeoutError


def at_one_of_three_tries(holds: Callable[[], bool]) -> bool:
    """Try thrice what takes long on a busy machine; who waits for a browser is late each time."""
    return any(holds() for _ in range(3))


def said(*command: str, **settings: str) -> str:
    """Return what a command that fails has to say, without make's own line about that."""
    done = subprocess.run(
        command, capture_output=True, cwd=ROOT, env=environment(**settings), text=True, timeout=30
    )
    assert done.returncode != 0
    assert done.stdout == ""
    return "".join(line for line in done.stderr.splitlines(True) if not line.startswith("make"))


def test_ctrl_c_ends_it_within_a_second_whatever_browsers_keep_open(port: int) -> None:
    requests = (b"", b"GET / HTTP/1.1\r\nHost: loc", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")

    def ends() -> bool:
        with ExitStack() as stack:
            terminal = stack.enter_context(Terminal(*MAKE, f"PORT={port}"))
            terminal.wait_for(f"http://127.0.0.1:{port} ")
            for request in requests:
                connection = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                connection.sendall(request)
            assert connection.recv(12) == b"HTTP/1.1 200"  # at once: it was there before it said so
            os.write(terminal.keyboard, b"\x03")
            os.write(terminal.keyboard, b"\x03")
            return ends_within_a_second(terminal, port)

    assert at_one_of_three_tries(ends)


@pytest.mark.parametrize("command", [MAKE, ["sh", "-c", '"$@"; true', "sh", *MAKE]])
def test_closing_the_terminal_ends_it(port: int, command: list[str]) -> None:
    """Where a shell runs it, and where the terminal does."""

    def ends() -> bool:
        with Terminal(*command, f"PORT={port}") as terminal:
            terminal.wait_for(f"http://127.0.0.1:{port} ")
            terminal.close()
            return ends_within_a_second(terminal, port)

    assert at_one_of_three_tries(ends)


@pytest.mark.parametrize("text", ["80x", "99999", "0", "-1", ""])
def test_what_is_no_port_is_named(text: str) -> None:
    assert said(*MAKE, f"PORT={text}") == (
        f"PORT has to be a number from 1 to 65535, not {text or 'nothing'}. {ADVICE}\n"
    )


@pytest.mark.parametrize("shared", [0, 1])
def test_a_port_that_somebody_has_is_not_shared(port: int, shared: int) -> None:
    with socket.socket() as theirs:
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, shared)  # as Granian does
        theirs.bind(("127.0.0.1", port))
        theirs.listen()
        assert said(*MAKE, f"PORT={port}") == f"Port {port} is not free. {ADVICE}\n"


def test_of_two_that_start_at_once_one_has_the_port(port: int) -> None:
    with play.hold(port), pytest.raises(SystemExit, match=f"^Port {port} is not free"):
        play.hold(port)


def test_a_port_that_takes_rights_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Socket(socket.socket):
        def bind(self, address: object) -> None:
            raise PermissionError

    monkeypatch.setattr("socket.socket", Socket)
    with pytest.raises(SystemExit, match=r"^Port 80 needs an administrator's rights, "):
        play.hold(80)


def test_a_setting_that_makes_no_sense_is_said_once_in_a_sentence(port: int) -> None:
    assert said(*MAKE, f"PORT={port}", FLASK_TRUSTED_PROXIES="x") == (
        "The server cannot start: FLASK_TRUSTED_PROXIES has to be a number, 0 or more.\n"
    )


# Setting up and clearing up


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder that has the Makefile and the locks, and nothing else."""
    for file in (ROOT / "Makefile", *ROOT.glob("requirements*.txt")):
        shutil.copy(file, tmp_path)
    return tmp_path


def test_where_python_cannot_make_environments_each_try_says_so(copy: Path) -> None:
    python = copy / "python3"
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
        done = subprocess.run(
            ["make", "play", f"PYTHON={python}"], capture_output=True, cwd=copy, text=True
        )
        assert done.stdout == "Install the python3-venv package.\n"
        assert done.returncode == 2
        assert not (copy / ".venv").exists()


def test_clean_removes_what_is_made_here_but_no_game(copy: Path) -> None:
    made = [name.strip("/") for name in (ROOT / ".gitignore").read_text().split()]
    for name in made:
        (copy / name.replace("*", "x") / "inside").mkdir(parents=True)
    kept = {path.name for path in copy.iterdir() if path.is_file()} | {"instance"}
    subprocess.run(["make", "clean"], check=True, cwd=copy)
    assert {path.name for path in copy.iterdir()} == kept
