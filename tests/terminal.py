"""A terminal to start commands in, to press keys of, and to close."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import termios
from contextlib import suppress
from typing import Self

from tests.serving import ROOT, environment


class Terminal:
    """Run a command in a terminal of its own, which knows no other."""

    def __init__(self, *command: str) -> None:
        self.keyboard, screen = os.openpty()
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(),
            stdin=screen,
            stdout=screen,
            stderr=screen,
            start_new_session=True,
            preexec_fn=take_the_terminal,
        )
        os.close(screen)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self.process.terminate()
        self.process.wait()

    def close(self) -> None:
        with suppress(OSError):
            os.close(self.keyboard)

    def wait_for(self, text: str) -> None:
        """Return once `text` is on the screen. Raises OSError where the command ends without."""
        screen = ""
        while text not in screen:
            screen += os.read(self.keyboard, 1000).decode()

    def ends(self) -> bool:
        """Say whether the command ends, before a server would give up a silent browser."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=20)
        return self.process.poll() is not None


def take_the_terminal() -> None:
    """Obey the terminal on stdin, also where whoever started the tests ignores its Ctrl+C."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
