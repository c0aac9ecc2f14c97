"""The browsers and programs that the tests need; run as a script, it installs missing ones.

`python tools/browsers.py Chromium` installs only Chromium. On Debian, all are Debian's packages, as
Selenium drives Debian's Firefox and WebKit. On other systems, Playwright downloads a Chromium.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

# With the headless shell the tests take 30% less processor time than with all of Chromium.
SHELL = "chromium-headless-shell"
PROGRAMS = {
    "Firefox": ["firefox-esr"],
    "WebKit": ["WebKitWebDriver", "Xvfb"],
    "nginx": ["nginx"],
    "gcc": ["gcc"],
    "node": ["node"],
    "systemd-analyze": ["systemd-analyze"],
    "bwrap": ["bwrap"],
}
# Debian's packages; nginx is unpacked instead, because the package would start it as a service.
PACKAGES = {
    "Chromium": [SHELL],
    "Firefox": ["firefox-esr"],
    "WebKit": ["webkit2gtk-driver", "xvfb"],
    "bwrap": ["bubblewrap"],
    "gcc": ["gcc", "libc6-dev"],
}
UNPACKED = str(Path(".venv/programs").resolve())
UNPACK = (
    "cd $(mktemp -d) && (apt-get download nginx || (apt-get update; apt-get download nginx))"
    f" && dpkg -x *.deb {UNPACKED}"
)
PAUSE = 2  # seconds before apt-get is run again
DOWNLOAD = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
ADVICE = f"""
The browser tests need Chromium, which could not be installed. Install it (on Debian: apt-get
install {SHELL}), or set CHROMIUM to the path of one, and run this again."""


def main() -> None:
    """Install the named programs, by default all, and say which are still missing.

    Exits with a message if Chromium is missing or, with CI=true, anything that Debian offers.
    """
    if error := chromium_error():
        sys.exit(error)
    names = sys.argv[1:] or ["Chromium", *PROGRAMS]
    packages = [package for name in missing_programs(names) for package in PACKAGES.get(name, ())]
    if packages and shutil.which("apt-get") and os.geteuid() == 0:
        package_names = " ".join(packages)
        print(f"Running as root: installing system-wide with apt-get: {package_names}", flush=True)
        run_apt("update", seconds=300)
        run_apt("install", "-y", "--no-install-recommends", *packages, seconds=600)
    if "nginx" in missing_programs(names) and shutil.which("dpkg"):
        print("Unpacking nginx, 2 minutes at most ...", flush=True)
        print_reason(run("sh", "-c", UNPACK, seconds=120))
    missing = missing_programs(names)
    # Playwright's download ends at once if Chromium is there already.
    if "Chromium" in missing and (error := run(*DOWNLOAD, seconds=300)):
        print_reason(error)
        sys.exit(ADVICE)
    if missing := [name for name in missing if name != "Chromium"]:
        print(f"Not installed: {', '.join(missing)}.", flush=True)
        if os.environ.get("CI") == "true" and {*missing} & {*PACKAGES, "nginx"}:
            sys.exit("With CI=true, everything that Debian offers must be installed.")


def missing_programs(names: Iterable[str]) -> list[str]:
    """Return the names whose programs are missing; CHROMIUM can name a Chromium."""
    programs = PROGRAMS | {"Chromium": [] if "CHROMIUM" in os.environ else [SHELL]}
    return [name for name in names if not all(map(find_program, programs[name]))]


def find_program(program: str) -> str | None:
    """Return the path of a program, or None if it is missing."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:{UNPACKED}/usr/sbin")


def launch_options() -> dict[str, Any]:
    """Return the options of Playwright's launch: CHROMIUM, Debian's, or None for its own.

    Playwright already turns off the sandbox, which root cannot use, and background traffic.
    """
    path = os.environ.get("CHROMIUM") or find_program(SHELL)
    return {"executable_path": path, "args": ["--disable-quic"]}


def chromium_error() -> str:
    """Return a line about a CHROMIUM that does not exist, or "" if all is well."""
    path = os.environ.get("CHROMIUM")
    exists = path is None or shutil.which(path)
    return "" if exists else f"CHROMIUM={path}: that program does not exist."


def run_apt(*arguments: str, seconds: int) -> None:
    """Run apt-get once no other is running; if it fails, print its last line.

    A new machine updates itself in its first minutes. apt-get waits for dpkg, but not for another
    apt-get that updates the lists of packages.
    """
    deadline = monotonic() + seconds
    command = ("apt-get", "-o", f"DPkg::Lock::Timeout={seconds}", *arguments)
    while "lock" in (output := run(*command, seconds=seconds)) and monotonic() < deadline:
        sleep(PAUSE)
    print_reason(output)


def print_reason(output: str) -> None:
    """Print the last line of a text, if it has one."""
    for line in output.splitlines()[-1:]:
        print(f"  {line}", flush=True)


def run(*command: str, seconds: int) -> str:
    """Run a command for at most `seconds`; return its output if it failed, otherwise ""."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.CalledProcessError as error:
        return error.stdout.strip() or f"{command[0]} failed"
    except subprocess.TimeoutExpired:
        return f"{command[0]} took more than {seconds} seconds"
    return ""


if __name__ == "__main__":
    main()
