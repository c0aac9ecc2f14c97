"""Say which Chromium the browser tests launch; run as a script, see to it that there is one."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ADVICE = """
The browser tests need Chromium, and none could be had. Install Chromium or Google Chrome (on
Debian: apt-get install chromium), or set CHROMIUM to the path of one, and run this again."""


def main() -> None:
    """Make sure that a Chromium starts, getting one if none does; if it fails, exit with advice."""
    error = launch_error()
    for get in (download, install):
        if error and "CHROMIUM" not in os.environ:
            get()
            error = launch_error()
    if error:
        sys.exit(f"{error}\n{ADVICE}")


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
    return {"executable_path": find(), "args": ["--disable-quic"]}


def find() -> str | None:
    """Return the path of an installed Chromium (CHROMIUM, if set), or None for Playwright's own."""
    if "CHROMIUM" in os.environ:
        return os.environ["CHROMIUM"]
    return next(filter(runs, filter(None, map(shutil.which, NAMES))), None)


def runs(path: str) -> bool:
    """Tell a browser from Ubuntu's stub of the same name, which only asks for a snap."""
    return subprocess.run([path, "--version"], capture_output=True).returncode == 0


def download() -> None:
    """Download the browser Playwright was made with."""
    print("No Chromium found: trying Playwright's download, 5 minutes at most.", flush=True)
    run([sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"], seconds=300)


def install() -> None:
    """Install Debian's package, if this is Debian and we are root."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print("Playwright has none: installing Debian's chromium, 10 minutes at most.", flush=True)
        run(["apt-get", "update"], seconds=120)
        run(["apt-get", "install", "-y", "--no-install-recommends", "chromium"], seconds=480)


def run(command: list[str], seconds: int) -> None:
    """Run a command in silence, for so long at most; the next launch tells whether it helped."""
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
