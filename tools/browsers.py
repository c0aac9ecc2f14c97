"""Say which browsers and programs the tests need; run as a script, see to it that they are there.

`python tools/browsers.py` gets Chromium, and the others where they can be had;
`python tools/browsers.py Chromium` gets no other.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, sync_playwright

# Debian's packages; Chromium can be had in other ways, too. The tests take 30 % less of a processor
# with its headless shell, which Playwright downloads as well, than with the whole browser.
PACKAGES = {
    "Chromium": ["chromium-headless-shell"],
    "Firefox": ["firefox-esr"],
    "WebKit": ["webkit2gtk-driver", "xvfb"],
    "nginx": ["nginx"],
    "gcc": ["gcc", "libc6-dev"],
}
PROGRAMS = {
    "Firefox": ["firefox-esr"],
    "WebKit": ["WebKitWebDriver", "Xvfb"],
    "nginx": ["nginx"],
    "gcc": ["gcc"],
    "node": ["node"],
    "systemd-analyze": ["systemd-analyze"],
}
# Where nginx is, not installed: installed, it would run from then on.
UNPACKED = str(Path(".venv/programs").resolve())
CHROMIUMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
ADVICE = """
The browser tests need Chromium, and none could be had. Install Chromium or Google Chrome (on
Debian: apt-get install chromium-headless-shell), or set CHROMIUM to the path of one, and run this
again."""


def main() -> None:
    """Get the browsers asked for, and say which there are.

    Exit with advice where Chromium can't be had, or with CI=true any of them.
    """
    wanted = sys.argv[1:] or list(PACKAGES)
    lacking = absent(wanted)
    given = {"Chromium"} if "CHROMIUM" in os.environ else set()
    for get in (install, unpack, download):
        get([name for name in lacking if name not in given])
        lacking = absent(lacking)
    if "Chromium" in lacking:
        sys.exit(f"{launch_error()}\n{ADVICE}")
    if lacking:
        packages = " ".join(package for name in lacking for package in PACKAGES[name])
        print(f"Not here: {', '.join(lacking)}, of Debian's packages {packages}.", flush=True)
    if lacking and os.environ.get("CI") == "true":
        sys.exit("With CI=true the tests want all of them.")


def absent(names: Iterable[str]) -> list[str]:
    """Return which of those are not there; Chromium is if it starts."""
    return [
        name
        for name in names
        if (launch_error() if name == "Chromium" else not all(map(where, PROGRAMS[name])))
    ]


def where(program: str) -> str | None:
    """Return the path of a program, None where it is not there."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:{UNPACKED}/usr/sbin")


def launch_error() -> str | None:
    """Launch Chromium once and return what went wrong, or None."""
    with sync_playwright() as playwright:
        try:
            playwright.chromium.launch(**launch_options()).close()
        except Error as error:
            return error.message
    return None


def launch_options() -> dict[str, Any]:
    """Return what Playwright's launch takes.

    Its defaults already do without the sandbox, which root can't have, and background traffic.
    """
    return {"executable_path": find_chromium(), "args": ["--disable-quic"]}


def find_chromium() -> str | None:
    """Return the path of an installed Chromium (CHROMIUM, if set), or None for Playwright's own."""
    if "CHROMIUM" in os.environ:
        return os.environ["CHROMIUM"]
    return next(filter(runs, filter(None, map(shutil.which, CHROMIUMS))), None)


def runs(path: str) -> bool:
    """Tell a browser from Ubuntu's stub of the same name, which only asks for a snap."""
    return subprocess.run([path, "--version"], capture_output=True).returncode == 0


def install(names: list[str]) -> None:
    """Install Debian's packages, if this is Debian and we are root, but for those unpacked."""
    names = [name for name in names if name != "nginx"]
    if names and shutil.which("apt-get") and os.geteuid() == 0:
        packages = [package for name in names for package in PACKAGES[name]]
        print(f"Installing {' '.join(packages)}, 10 minutes at most ...", flush=True)
        run(["apt-get", "update"], seconds=120)
        run(["apt-get", "install", "-y", "--no-install-recommends", *packages], seconds=480)


def unpack(names: list[str]) -> None:
    """Unpack Debian's nginx, if this is Debian."""
    if "nginx" in names and shutil.which("dpkg"):
        print("Unpacking nginx ...", flush=True)
        get = "apt-get download nginx"
        get = f"cd $(mktemp -d) && ({get} || (apt-get update; {get})) && dpkg -x *.deb $0"
        run(["sh", "-c", get, UNPACKED], seconds=120)


def download(names: list[str]) -> None:
    """Download the Chromium that Playwright was made with."""
    if "Chromium" in names:
        print("Downloading Playwright's Chromium, 5 minutes at most ...", flush=True)
        command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
        run(command, seconds=300)


def run(command: list[str], seconds: int) -> None:
    """Run a command in silence, for so long at most; the next look tells whether it helped."""
    environment = {
        "DEBIAN_FRONTEND": "noninteractive",
        "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000",  # milliseconds, five times over
    }
    quiet = subprocess.DEVNULL
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            command,
            env=os.environ | environment,
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            timeout=seconds,
        )


if __name__ == "__main__":
    main()
