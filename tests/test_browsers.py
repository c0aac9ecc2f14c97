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

# A fake apt-get. It logs its arguments and fails if "<arguments>:<number of its run>" matches the
# pattern `failing`; otherwise, it installs a fake Chromium.
APT_SCRIPT = """#!/bin/sh
echo "$@" >> {log}
case "$*:$(/bin/cat {log} | /usr/bin/wc -l)" in
    {failing}) echo "Reading lists ..."; echo "E: {error}"; exit 100;;
    *install*) printf '#!/bin/sh' > {folder}/chromium-headless-shell
               /bin/chmod +x {folder}/chromium-headless-shell;;
esac
"""
LOCK_ERROR = "Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH; the tests seem to run as root, without any browser."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(sys, "argv", ["tools/browsers.py", "Chromium"])
    monkeypatch.setattr(browsers, "APT_RETRY_SECONDS", 0)
    monkeypatch.setattr(browsers, "DOWNLOAD_CHROMIUM", ["/bin/sh", "-c", "echo no way; exit 1"])
    return tmp_path


def create_apt(folder: Path, failing: str = "none", error: str = "") -> Path:
    """Create the fake apt-get in a folder, and return the path of its log."""
    program, log = folder / "apt-get", folder / "log"
    program.write_text(APT_SCRIPT.format(log=log, folder=folder, failing=failing, error=error))
    program.chmod(0o755)
    return log


def test_it_waits_while_another_apt_has_the_lock(folder: Path) -> None:
    log = create_apt(folder, "*:[1-3]", LOCK_ERROR)
    browsers.main()
    assert browsers.missing_names(["Chromium"]) == []
    commands = log.read_text().splitlines()
    assert [command.split()[2] for command in commands] == ["update"] * 4 + ["install"]
    assert all("DPkg::Lock::Timeout=" in command for command in commands)


def test_it_announces_a_system_wide_install(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_apt(folder)
    browsers.main()
    assert capsys.readouterr().out == (
        "Running as root: installing system-wide with apt-get: chromium-headless-shell\n"
    )


def test_if_apt_fails_its_last_line_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_apt(folder, "*install*", "Unable to locate package chromium-headless-shell")
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
    result = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"CHROMIUM": "/nope"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    line = result.stdout.removeprefix("ERROR: ").strip()
    assert line == "CHROMIUM=/nope: that program does not exist."
    assert result.returncode != 0
