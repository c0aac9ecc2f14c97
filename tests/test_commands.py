"""Every command in the documents runs. The tests find the commands, so they also try new ones."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from judge.pack import pyz_bytes
from tests.client import Connection
from tests.serving import ROOT, environment, free_port, wait_until

DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("judge/*.md"), *ROOT.glob("docs/*.md")]

# Inline code that starts with one of these programs, possibly after variables, is a command.
PROGRAMS = set(
    "apt apt-get bwrap cd curl docker flask for git granian journalctl make nft nginx node pip"
    " podman py pytest python python3 rm sh sudo systemctl systemd-analyze timeout".split()
)

# Why commands are not run.
NETWORK = "it uses the network"
SYSTEM = "it changes the machine or needs systemd"
RUN_BY_CI = ".ci/run runs it in full"
# The start of each command that is not run, with the reason.
EXCEPTIONS = {
    "make check": RUN_BY_CI,
    "make test": RUN_BY_CI,
    "make cover": RUN_BY_CI,
    "make soak": RUN_BY_CI,
    "make bench": "it installs engines; its parts are run in their short form",
    "make mutants": NETWORK,
    "make audit": NETWORK,
    "make sbom": NETWORK,
    "make lock": NETWORK,
    "podman pull": NETWORK,
    "apt install": NETWORK,
    "apt-get install": NETWORK,
    "cd /srv/tic-tac-toe": NETWORK,
    "for port in 8001 8002": SYSTEM,
    "systemctl": SYSTEM,
    "journalctl": SYSTEM,
    "nginx -t": SYSTEM,
}


def commands() -> dict[str, None]:
    """Return all commands in all documents, in order and without duplicates."""
    all_commands = dict[str, None]()
    for document in DOCUMENTS:
        text = document.read_text()
        blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        for language, block in blocks:
            if language in ("", "sh"):
                all_commands |= dict.fromkeys(commands_in_block(block))
        inline = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
        all_commands |= dict.fromkeys(code for code in inline if looks_like_a_command(code))
    return all_commands


def commands_in_block(block: str) -> list[str]:
    """Return the lines of a block without comments, or the whole block if it is one command."""
    is_one_command = re.search(r"^(cd|for|umask)\b|\\$", block, re.MULTILINE)
    lines = [block] if is_one_command else block.splitlines()
    return [re.sub(r"\s+# .*", "", line).strip() for line in lines]


def looks_like_a_command(code: str) -> bool:
    """Return whether inline code starts with a program of PROGRAMS, but is not an absolute path."""
    words = [word for word in code.split() if not re.match(r"[A-Z_]+=", word)]
    if not words or words[0].startswith("/"):
        return False
    return re.split(r"[/\\]", words[0])[-1] in PROGRAMS


def starts_with(command: str, words: str) -> bool:
    """Return whether a command starts with these words, the last of which is complete."""
    return bool(re.match(rf"{re.escape(words)}(?![\w-])", command))


def is_exception(command: str) -> bool:
    """Return whether a command is not to be run."""
    return any(starts_with(command, words) for words in EXCEPTIONS)


def test_every_exception_is_a_documented_command() -> None:
    for words in EXCEPTIONS:
        assert any(starts_with(command, words) for command in commands()), words


def test_ci_runs_the_commands_that_are_left_to_it() -> None:
    (goals,) = re.findall(r"^exec make (.*)", (ROOT / ".ci/run").read_text(), re.MULTILINE)
    left_to_ci = {command for command, reason in EXCEPTIONS.items() if reason == RUN_BY_CI}
    assert {f"make {goal}" for goal in goals.split()} == left_to_ci


# Parts of commands that depend on the reader's machine, and what stands for them here.
REPLACEMENTS = {
    "ADDRESS": ".",
    "/etc/tic-tac-toe.env": "tic-tac-toe.env",
    "\\Scripts\\": "/bin/",
    # This Python may be outside /usr.
    "--ro-bind $PWD $PWD": " ".join(
        f"--ro-bind {folder} {folder}" for folder in ("$PWD", sys.prefix, sys.base_prefix)
    ),
}
SERVER_COMMANDS = "make play", "make dev", "python -m tools.serve"
PYTHON_PLAYER = """def choose(board):
    return list(board).index("-")


def best_move(board, depth, is_max):
    return board.index("")
"""
JS_PLAYER = """require("readline").createInterface({ input: process.stdin })
  .on("line", board => console.log(board.indexOf("-")))
"""


@pytest.mark.soak
@pytest.mark.parametrize("command", [text for text in commands() if not is_exception(text)])
def test_every_documented_command_runs(command: str, folder: Path) -> None:
    """Each command runs in a copy of the checkout; a long one runs in a short form."""
    for program in ("node", "bwrap"):
        if re.search(rf"\b{program}\b", command) and not shutil.which(program):
            pytest.skip(f"no {program}")
    for text, replacement in REPLACEMENTS.items():
        command = command.replace(text, replacement)
    if command.startswith("py -m venv"):
        (folder / ".venv").unlink()
    if "git clone" in command:
        for arguments in ("init", "add --all", "-c user.name=x -c user.email=x commit -m x"):
            subprocess.run(["git", *arguments.split()], cwd=folder, check=True, capture_output=True)
    if any(server_command in command for server_command in SERVER_COMMANDS):
        serve_until_healthy(command, folder)
        return
    result = subprocess.run(
        ["sh", "-ec", short_form(command)],
        cwd=folder,
        env=shell_environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    # The judge exits with 1 if a program loses.
    valid_codes = (0, 1) if "judge" in command else (0,)
    assert result.returncode in valid_codes, result.stdout
    assert "Traceback" not in result.stdout, result.stdout


def short_form(command: str) -> str:
    """Return the command changed so that it takes little time and no network."""
    if command.startswith("make"):
        installed = " ".join(f"-o .venv/{name}" for name in ("play", "dev", "bench", "mutants"))
        return f"{command} {installed}"
    if command == "python -m judge":
        return f"{command} my_player.py"
    if command.startswith("python -m bench"):
        return f"{command} --short"
    if "--soak" in command:
        return f"{command} --collect-only --quiet"
    if "pip install" in command:
        return f"{command} --no-index --dry-run"
    return command


def serve_until_healthy(command: str, folder: Path) -> None:
    """Run a command that starts a server, and stop it once it answers a health check."""
    port = free_port()
    option = f"PORT={port}" if command.startswith("make") else f"--port {port}"
    command = f"exec {short_form(command)} {option}"
    with open(folder / "output", "w") as output:
        process = subprocess.Popen(
            ["sh", "-ec", command],
            cwd=folder,
            env=shell_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )

    def is_healthy() -> bool:
        assert process.poll() is None, (folder / "output").read_text()
        with suppress(OSError, HTTPException), Connection(port) as connection:
            return connection.get("/healthz").status == 200
        return False

    try:
        wait_until(is_healthy)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the checkout with the installed packages, and with programs for the judge."""
    copy = tmp_path / "tic-tac-toe"
    generated = shutil.ignore_patterns(".*", "__pycache__", "test-results", "screenshots")
    shutil.copytree(ROOT, copy, ignore=generated)
    (copy / ".venv").symlink_to(sys.prefix)
    (copy / "my_player.py").write_text(PYTHON_PLAYER)
    (copy / "my_player.js").write_text(JS_PLAYER)
    (copy / "judge.pyz").write_bytes(pyz_bytes())
    (copy / "players").mkdir()
    shutil.copy(copy / "my_player.py", copy / "players")
    # The Python launcher of Windows.
    (tmp_path / "py").write_text('#!/bin/sh\nexec python "$@"\n')
    (tmp_path / "py").chmod(0o755)
    return copy


def shell_environment(folder: Path) -> dict[str, str]:
    """Return an environment without the variables of pytest, in which `python` is this Python."""
    variables = {name: value for name, value in environment().items() if "PYTEST" not in name}
    return variables | {"PATH": f"{folder.parent}:{sys.prefix}/bin:{os.environ['PATH']}"}
