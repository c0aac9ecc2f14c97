"""Find the browsers and programs that the tests need; as a script, install the missing ones.

`python tools/browsers.py Chromium` installs only Chromium. As root on Debian, the script installs
Debian's packages, because Selenium drives Debian's Firefox and WebKit. As any user there, it also
unpacks nginx. If Chromium is still missing, it lets Playwright download one.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

# With the headless shell, the tests take 30% less processor time than with all of Chromium.
CHROMIUM_SHELL = "chromium-headless-shell"
# The programs that each name needs; those of Chromium depend on the environment.
PROGRAMS = {
    "Firefox": ["firefox-esr"],
    "WebKit": ["WebKitWebDriver", "Xvfb"],
    "nginx": ["nginx"],
    "gcc": ["gcc"],
    "node": ["node"],
    "systemd-analyze": ["systemd-analyze"],
    "bwrap": ["bwrap"],
}
# The packages that are installed on Debian. nginx is not one of them: it is only unpacked, because
# its package would start it as a service.
PACKAGES = {
    "Chromium": [CHROMIUM_SHELL],
    "Firefox": ["firefox-esr"],
    "WebKit": ["webkit2gtk-driver", "xvfb"],
    "bwrap": ["bubblewrap"],
    "gcc": ["gcc", "libc6-dev"],
}
UNPACK_FOLDER = str(Path(".venv/programs").resolve())
UNPACK_NGINX = (
    "cd $(mktemp -d) && (apt-get download nginx || (apt-get update; apt-get download nginx))"
    f" && dpkg -x *.deb {UNPACK_FOLDER}"
)
APT_RETRY_SECONDS = 2
DOWNLOAD_CHROMIUM = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
ADVICE = f"""
The browser tests need Chromium, which could not be installed. Install it (on Debian: apt-get
install {CHROMIUM_SHELL}), or set CHROMIUM to the path of one, and run this again."""


def main() -> None:
    """Install the named programs, by default all, and say which are still missing.

    Exits with a message if Chromium is missing or, with CI=true, another that can be installed.
    """
    if error := chromium_error():
        sys.exit(error)
    names = sys.argv[1:] or ["Chromium", *PROGRAMS]
    packages = [package for name in missing_names(names) for package in PACKAGES.get(name, ())]
    if packages and shutil.which("apt-get") and os.geteuid() == 0:
        package_names = " ".join(packages)
        print(f"Running as root: installing system-wide with apt-get: {package_names}", flush=True)
        run_apt("update", seconds=300)
        run_apt("install", "-y", "--no-install-recommends", *packages, seconds=600)
    if "nginx" in missing_names(names) and shutil.which("dpkg"):
        print("Unpacking nginx, 2 minutes at most ...", flush=True)
        print_reason(run("sh", "-c", UNPACK_NGINX, seconds=120))
    missing = missing_names(names)
    # If Playwright has downloaded a Chromium before, this ends at once.
    if "Chromium" in missing and (error := run(*DOWNLOAD_CHROMIUM, seconds=300)):
        print_reason(error)
        sys.exit(ADVICE)
    if missing := [name for name in missing if name != "Chromium"]:
        print(f"Not installed: {', '.join(missing)}.", flush=True)
        if os.environ.get("CI") == "true" and {*missing} & {*PACKAGES, "nginx"}:
            sys.exit("With CI=true, everything that Debian offers must be installed.")


def missing_names(names: Iterable[str]) -> list[str]:
    """Return the names whose programs are not all installed.

    Chromium is not missing if the environment variable CHROMIUM gives the path of one.
    """
    programs = PROGRAMS | {"Chromium": [] if "CHROMIUM" in os.environ else [CHROMIUM_SHELL]}
    return [name for name in names if not all(map(find_program, programs[name]))]


def find_program(program: str) -> str | None:
    """Return the path of a program, or None if it is missing."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:{UNPACK_FOLDER}/usr/sbin")


def launch_options() -> dict[str, Any]:
    """Return the options with which Playwright launches Chromium.

    The program is the one that CHROMIUM names, otherwise Debian's, otherwise Playwright's own (path
    None). Playwright itself turns off background traffic, and the sandbox, which root cannot use.
    """
    path = os.environ.get("CHROMIUM") or find_program(CHROMIUM_SHELL)
    return {"executable_path": path, "args": ["--disable-quic"]}


def chromium_error() -> str:
    """Return an error message if the program that CHROMIUM names does not exist, otherwise ""."""
    path = os.environ.get("CHROMIUM")
    if path is None or shutil.which(path):
        return ""
    return f"CHROMIUM={path}: that program does not exist."


def run_apt(*arguments: str, seconds: int) -> None:
    """Run apt-get as soon as no other apt-get is running; if it fails, print the reason.

    A new machine runs apt-get by itself in its first minutes. With the timeout, this apt-get waits
    while another one installs packages. While another one updates the package lists, it fails at
    once, so it is run again.
    """
    deadline = monotonic() + seconds
    command = ("apt-get", "-o", f"DPkg::Lock::Timeout={seconds}", *arguments)
    while "lock" in (output := run(*command, seconds=seconds)) and monotonic() < deadline:
        sleep(APT_RETRY_SECONDS)
    print_reason(output)


def print_reason(output: str) -> None:
    """Print the last line of a failed command's output; print nothing if the output is empty."""
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
