"""Every command in the documents runs; new ones are found and tried automatically."""

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

# The programs with which a command in inline code begins, after its variables.
PROGRAMS = set(
    "apt apt-get bwrap cd curl docker flask for git granian journalctl make nft nginx node pip"
    " podman py pytest python python3 rm sh sudo systemctl systemd-analyze timeout".split()
)

# Commands that are not run, and why.
NETWORK = "it uses the network"
SYSTEM = "it changes the machine or needs systemd"
RUN_BY_CI = ".ci/run runs it whole"
EXCEPTED = {
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
                is_one_command = re.search(r"^(cd|for|umask)\b|\\$", block, re.MULTILINE)
                lines = [block] if is_one_command else block.splitlines()
                all_commands |= dict.fromkeys(
                    re.sub(r"\s+# .*", "", line).strip() for line in lines
                )
        inline = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
        all_commands |= dict.fromkeys(code for code in inline if looks_like_a_command(code))
    return all_commands


def looks_like_a_command(code: str) -> bool:
    first, *_ = [word for word in code.split() if not re.match(r"[A-Z_]+=", word)] or [""]
    return re.split(r"[/\\]", first)[-1] in PROGRAMS and not re.fullmatch(r"/\S*", first)


def is_excepted(command: str) -> bool:
    """Return whether a command is one of the exceptions."""
    return any(re.match(rf"{re.escape(name)}(?![\w-])", command) for name in EXCEPTED)


def test_every_exception_is_a_documented_command_and_ci_runs_the_long_ones() -> None:
    for name in EXCEPTED:
        assert any(re.match(rf"{re.escape(name)}(?![\w-])", command) for command in commands()), (
            name
        )
    (goals,) = re.findall(r"^exec make (.*)", (ROOT / ".ci/run").read_text(), re.MULTILINE)
    assert {f"make {goal}" for goal in goals.split()} == {
        name for name, why in EXCEPTED.items() if why == RUN_BY_CI
    }


# Replacements for values that depend on the reader's machine.
REPLACEMENTS = {
    "ADDRESS": ".",
    "/etc/tic-tac-toe.env": "tic-tac-toe.env",
    "\\Scripts\\": "/bin/",
    # This Python may be outside /usr.
    "--ro-bind $PWD $PWD": " ".join(
        f"--ro-bind {folder} {folder}" for folder in ("$PWD", sys.prefix, sys.base_prefix)
    ),
}
SERVERS = "make play", "make dev", "python -m tools.serve"
PLAYER = """def choose(board):
    return list(board).index("-")


def best_move(board, depth, is_max):
    return board.index("")
"""
JS_PLAYER = """require("readline").createInterface({ input: process.stdin })
  .on("line", board => console.log(board.indexOf("-")))
"""


@pytest.mark.soak
@pytest.mark.parametrize("command", [command for command in commands() if not is_excepted(command)])
def test_every_documented_command_runs(command: str, folder: Path) -> None:
    """Each runs in a copy of the checkout, and a long command in a short form."""
    for word in ("node", "bwrap"):
        if re.search(rf"\b{word}\b", command) and not shutil.which(word):
            pytest.skip(f"no {word}")
    for written, known in REPLACEMENTS.items():
        command = command.replace(written, known)
    if command.startswith("py -m venv"):
        (folder / ".venv").unlink()
    if "git clone" in command:
        for words in ("init", "add --all", "-c user.name=x -c user.email=x commit -m x"):
            subprocess.run(["git", *words.split()], cwd=folder, check=True, capture_output=True)
    if any(server in command for server in SERVERS):
        serve(command, folder)
        return
    done = subprocess.run(
        ["sh", "-ec", shortened(command)],
        cwd=folder,
        env=shell_environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    is_judge = "judge" in command  # which exits with 1 if a program loses
    assert done.returncode in ((0, 1) if is_judge else (0,)), done.stdout
    assert "Traceback" not in done.stdout, done.stdout


def shortened(command: str) -> str:
    """Return the short form of a command, without the network."""
    if command.startswith("make"):
        assumed_made = " ".join(f"-o .venv/{name}" for name in ("play", "dev", "bench", "mutants"))
        return f"{command} {assumed_made}"
    if command == "python -m judge":
        return f"{command} my_player.py"
    if command.startswith("python -m bench"):
        return f"{command} --short"
    if "--soak" in command:
        return f"{command} --collect-only --quiet"
    if "pip install" in command:
        return f"{command} --no-index --dry-run"
    return command


def serve(command: str, folder: Path) -> None:
    """Run a server until it answers."""
    port = free_port()
    option = f"PORT={port}" if command.startswith("make") else f"--port {port}"
    command = f"exec {shortened(command)} {option}"
    with open(folder / "printed", "w") as printed:
        process = subprocess.Popen(
            ["sh", "-ec", command],
            cwd=folder,
            env=shell_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            start_new_session=True,
        )

    def answers() -> bool:
        assert process.poll() is None, (folder / "printed").read_text()
        with suppress(OSError, HTTPException), Connection(port) as connection:
            return connection.get("/healthz").status == 200
        return False

    try:
        wait_until(answers)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the checkout with the installed packages and programs for the judge."""
    copy = tmp_path / "tic-tac-toe"
    ours = shutil.ignore_patterns(".*", "__pycache__", "test-results", "screenshots")
    shutil.copytree(ROOT, copy, ignore=ours)
    (copy / ".venv").symlink_to(sys.prefix)
    (copy / "my_player.py").write_text(PLAYER)
    (copy / "my_player.js").write_text(JS_PLAYER)
    (copy / "judge.pyz").write_bytes(pyz_bytes())
    (copy / "players").mkdir()
    shutil.copy(copy / "my_player.py", copy / "players")
    (tmp_path / "py").write_text('#!/bin/sh\nexec python "$@"\n')
    (tmp_path / "py").chmod(0o755)
    return copy


def shell_environment(folder: Path) -> dict[str, str]:
    """Return an environment in which `python` is this Python, without the variables of pytest."""
    kept = {name: value for name, value in environment().items() if "PYTEST" not in name}
    return kept | {"PATH": f"{folder.parent}:{sys.prefix}/bin:{os.environ['PATH']}"}
