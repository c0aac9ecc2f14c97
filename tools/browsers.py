"""Say which browsers and programs the tests need; run as a script, get those that are not there.

`python tools/browsers.py Chromium` gets no other. Debian's packages come first: its Firefox and
WebKit are those that the tests drive by Selenium. Elsewhere Playwright downloads its Chromium.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

# With the headless shell the tests take 30 % less of a processor than with all of Chromium.
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
# Debian's packages; nginx is unpacked here, as installed it would run from then on.
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
PAUSE = 2  # seconds before apt-get is tried again
DOWNLOAD = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
ADVICE = f"""
The browser tests need Chromium, and none could be had. Install one (on Debian: apt-get install
{SHELL}), or set CHROMIUM to the path of one, and run this again."""


def main() -> None:
    """Get what is asked for, else all, and say what is not to be had.

    Exit with advice where Chromium is not to be had, or with CI=true anything of Debian.
    """
    if why := no_chromium():
        sys.exit(why)
    wanted = sys.argv[1:] or ["Chromium", *PROGRAMS]
    packages = [package for name in absent(wanted) for package in PACKAGES.get(name, ())]
    if packages and shutil.which("apt-get") and os.geteuid() == 0:
        names = " ".join(packages)
        print(f"As you are root, installing for the whole system, by apt-get: {names}", flush=True)
        apt("update", seconds=300)
        apt("install", "-y", "--no-install-recommends", *packages, seconds=600)
    if "nginx" in absent(wanted) and shutil.which("dpkg"):
        print("Unpacking nginx, 2 minutes at most ...", flush=True)
        show(run("sh", "-c", UNPACK, seconds=120))
    lacking = absent(wanted)
    # Playwright's download ends at once where it was made before.
    if "Chromium" in lacking and (why := run(*DOWNLOAD, seconds=300)):
        show(why)
        sys.exit(ADVICE)
    if lacking := [name for name in lacking if name != "Chromium"]:
        print(f"Not here: {', '.join(lacking)}.", flush=True)
        if os.environ.get("CI") == "true" and {*lacking} & {*PACKAGES, "nginx"}:
            sys.exit("With CI=true the tests want what Debian has of them.")


def absent(names: Iterable[str]) -> list[str]:
    """Return the names of which a program is not there; CHROMIUM takes the place of Debian's."""
    programs = PROGRAMS | {"Chromium": [] if "CHROMIUM" in os.environ else [SHELL]}
    return [name for name in names if not all(map(where, programs[name]))]


def where(program: str) -> str | None:
    """Return the path of a program, None where it is not there."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:{UNPACKED}/usr/sbin")


def launch_options() -> dict[str, Any]:
    """Return what Playwright's launch takes: CHROMIUM, Debian's, or None for its own download.

    Its defaults already do without the sandbox, which root can't have, and background traffic.
    """
    path = os.environ.get("CHROMIUM") or where(SHELL)
    return {"executable_path": path, "args": ["--disable-quic"]}


def no_chromium() -> str:
    """Return one line about a CHROMIUM that names no program, "" where all is well."""
    path = os.environ.get("CHROMIUM")
    is_well = path is None or shutil.which(path)
    return "" if is_well else f"CHROMIUM={path}: there is no such program."


def apt(*words: str, seconds: int) -> None:
    """Run apt-get, once no other runs, and where it fails show its last line.

    A new machine updates itself in its first minutes. For dpkg apt-get waits by itself, for lists
    of packages it does not.
    """
    end = monotonic() + seconds
    command = ("apt-get", "-o", f"DPkg::Lock::Timeout={seconds}", *words)
    while "lock" in (why := run(*command, seconds=seconds)) and monotonic() < end:
        sleep(PAUSE)
    show(why)


def show(why: str) -> None:
    """Print the last line of what went wrong, where something did."""
    for line in why.splitlines()[-1:]:
        print(f"  {line}", flush=True)


def run(*command: str, seconds: int) -> str:
    """Run a command, for so long at most; return what it said where it went wrong, else ""."""
    asked_nothing = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(
            command,
            env=asked_nothing,
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
