"""Say which browsers and programs the tests need; run as a script, get those that are not there.

`python tools/browsers.py Chromium` gets no other. Debian's packages come first: its Firefox and
WebKit are those that the tests drive by Selenium. Elsewhere Playwright downloads its Chromium.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
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
}
# Debian's packages; nginx is unpacked here, as installed it would run from then on.
PACKAGES = {
    "Chromium": [SHELL],
    "Firefox": ["firefox-esr"],
    "WebKit": ["webkit2gtk-driver", "xvfb"],
    "gcc": ["gcc", "libc6-dev"],
}
UNPACKED = str(Path(".venv/programs").resolve())
UNPACK = (
    "cd $(mktemp -d) && (apt-get download nginx || (apt-get update; apt-get download nginx))"
    f" && dpkg -x *.deb {UNPACKED}"
)
DOWNLOAD = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
ADVICE = f"""
The browser tests need Chromium, and none could be had. Install one (on Debian: apt-get install
{SHELL}), or set CHROMIUM to the path of one, and run this again."""


def main() -> None:
    """Get what is asked for, else all, and say what is not to be had.

    Exit with advice where Chromium is not to be had, or with CI=true anything of Debian.
    """
    wanted = sys.argv[1:] or ["Chromium", *PROGRAMS]
    packages = [package for name in absent(wanted) for package in PACKAGES.get(name, ())]
    if packages and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"Installing {' '.join(packages)}, 10 minutes at most ...", flush=True)
        run("apt-get", "update", seconds=120)
        run("apt-get", "install", "-y", "--no-install-recommends", *packages, seconds=480)
    if "nginx" in absent(wanted) and shutil.which("dpkg"):
        print("Unpacking nginx, 2 minutes at most ...", flush=True)
        run("sh", "-c", UNPACK, seconds=120)
    lacking = absent(wanted)
    # Playwright's download ends at once where it was made before.
    if "Chromium" in lacking and not run(*DOWNLOAD, seconds=300):
        sys.exit(ADVICE)
    if lacking := [name for name in lacking if name != "Chromium"]:
        print(f"Not here: {', '.join(lacking)}.", flush=True)
        if os.environ.get("CI") == "true" and {*lacking} & {*PACKAGES, "nginx"}:
            sys.exit("With CI=true the tests want what Debian has of them.")


def absent(names: Iterable[str]) -> list[str]:
    """Return the names of which a program is not there; the Chromium of CHROMIUM is taken as is."""
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


def run(*command: str, seconds: int) -> bool:
    """Run a command in silence, for so long at most, and say whether it went well."""
    quiet, asked_nothing = subprocess.DEVNULL, os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    with suppress(subprocess.TimeoutExpired):
        done = subprocess.run(
            command, env=asked_nothing, stdin=quiet, stdout=quiet, stderr=quiet, timeout=seconds
        )
        return done.returncode == 0
    return False


if __name__ == "__main__":
    main()
