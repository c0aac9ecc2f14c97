"""How tools/browsers.py installs what the tests need, and what it prints if it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.positions import only_in_soak
from tests.serving import ROOT
from tools import browsers

APT = """#!/bin/sh
echo "$@" >> {log}
case "$*:$(/bin/cat {log} | /usr/bin/wc -l)" in
    {refused}) echo "Reading lists ..."; echo "E: {error}"; exit 100;;
    *install*) printf '#!/bin/sh' > {folder}/chromium-headless-shell
               /bin/chmod +x {folder}/chromium-headless-shell;;
esac
"""
LOCKED = "Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH of a machine on which the tests run as root."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(sys, "argv", ["tools/browsers.py", "Chromium"])
    monkeypatch.setattr(browsers, "APT_RETRY_SECONDS", 0)
    monkeypatch.setattr(browsers, "DOWNLOAD_CHROMIUM", ["/bin/sh", "-c", "echo no way; exit 1"])
    return tmp_path


def apt_get(folder: Path, refused: str, error: str) -> Path:
    """Create a fake apt-get that fails on the `refused` commands; return its log file."""
    program, log = folder / "apt-get", folder / "log"
    program.write_text(APT.format(log=log, folder=folder, refused=refused, error=error))
    program.chmod(0o755)
    return log


def test_it_announces_system_wide_installs_and_waits_for_another_apt(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = apt_get(folder, "*:[1-3]", LOCKED)
    browsers.main()
    assert browsers.missing_programs(["Chromium"]) == []
    commands = log.read_text().splitlines()
    assert [command.split()[2] for command in commands] == ["update"] * 4 + ["install"]
    assert all("DPkg::Lock::Timeout=" in command for command in commands)
    assert capsys.readouterr().out == (
        "Running as root: installing system-wide with apt-get: chromium-headless-shell\n"
    )


def test_if_apt_fails_its_last_line_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    apt_get(folder, "*install*", "Unable to locate package chromium-headless-shell")
    with pytest.raises(SystemExit) as exit_info:
        browsers.main()
    assert exit_info.value.code == browsers.ADVICE
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  E: Unable to locate package chromium-headless-shell",
        "  no way",
    ]


@pytest.mark.parametrize(
    "command",
    [
        ["tools/browsers.py"],
        *only_in_soak([["-m", "pytest", "tests/browser"], ["-m", "pytest", "-n2", "tests"]]),
    ],
)
def test_a_missing_chromium_is_reported_in_one_line(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"CHROMIUM": "/nope"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    line = done.stdout.removeprefix("ERROR: ").strip()
    assert line == "CHROMIUM=/nope: that program does not exist."
    assert done.returncode != 0
