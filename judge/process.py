"""A program run as a process of its own: lines in, lines out, whatever else the process does.

Nothing here is of one system alone: threads read what comes, and a group of processes, or on
Windows a tree, is ended as a whole. Memory has a limit where the system knows how: on Linux.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import BufferedReader
from queue import Empty, Queue
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Event, Thread
from time import monotonic
from types import MappingProxyType
from typing import Any, cast

from judge.lines import LONGEST, Fact, one_line
from judge.source import Source

with suppress(ImportError):  # on Windows there is none
    import resource

ANYTHING, NUMBER = re.compile(r".*"), re.compile(r"[+-]?[0-9]{1,9}")
SQUARE = re.compile(r"(?<![0-9])[0-8](?![0-9])")
COMPLAINT = re.compile("error|exception|panic", re.IGNORECASE)
KEPT = 1 << 12  # bytes of a line without an end; a reply of a Python program may be longer
PART = 1 << 16  # bytes read at a time
PARTS = 16  # read before anybody asks: a program that prints more waits
LOOK = 0.5  # seconds that Ctrl-C may wait, as on Windows nothing ends a wait
GRACE = 1.0  # seconds to end in, for a process without input or output
REST = 0.2  # seconds for what a process that has ended said last
MOST = 1 << 24  # bytes of a reply
PRINTED = 100  # MB that may be printed for an answer
MB, GB = 1 << 20, 1 << 30
OUTPUT, ERRORS = 1, 2

RUNNING: set[Popen[bytes]] = set()
OVER = Event()  # while it is set nothing starts


class OverError(Exception):
    """Raised where a process is to start though all is over."""


class EndedError(Exception):
    """Raised where no answer can come from a process: the arguments are the fact that says why."""

    @property
    def fact(self) -> Fact:
        """Return how the process ended, or what it did in place of an answer."""
        return self.args


class NoStart(EndedError):  # noqa: N818 - the program's error, not the judge's
    """Raised if a program cannot be tested at all."""

    source: Source | None = None  # of a file that is Python
    loaded: Mapping[str, Any] = MappingProxyType({})  # where it was left while loading


class Process:
    """Run a command in a process group of its own. Lines are answers if `pattern` matches."""

    def __init__(
        self,
        command: Sequence[str],
        pattern: re.Pattern[str],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the command. Raises NoStart if the system cannot."""
        try:
            self._popen = Popen(
                command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                start_new_session=True,  # which Windows passes over
                env=environment,
            )
        except OSError as error:
            raise NoStart("no command", command[0], error.strerror) from error
        RUNNING.add(self._popen)
        self._pattern = pattern
        self._came: Queue[tuple[int, bytes]] = Queue(PARTS)
        for which, pipe in ((OUTPUT, self._popen.stdout), (ERRORS, self._popen.stderr)):
            read = which, cast(BufferedReader, pipe), self._came
            Thread(target=hand_on, args=read, daemon=True).start()
        self._unfinished = {OUTPUT: b"", ERRORS: b""}  # by the open pipes
        self._most = {OUTPUT: KEPT if pattern is NUMBER else MOST, ERRORS: KEPT}
        self._lines = {OUTPUT: deque[str](), ERRORS: deque[str](maxlen=30)}
        self._printed = 0  # bytes since a line was sent
        self.said = ""  # the last line, answer or not
        self.says_more = False  # whether an answer was ever left over
        self.answered = False  # whether an answer was ever taken
        if OVER.is_set():
            self.close()
            raise OverError

    def limit(self, memory: float) -> list[str]:
        """Bound the memory of a command by so many GB; return the limits that are not set.

        Only Linux can do so from outside. Of the address space a command may take all it likes:
        some, such as node, ask for much more of it than they use.
        """
        try:
            most = int(memory * GB)
            resource.prlimit(self._popen.pid, resource.RLIMIT_DATA, (most, most))
        except (NameError, AttributeError, OSError, ValueError):
            return ["memory", "processes"]
        return ["processes"]

    def send(self, line: str, last: bool = False) -> None:
        """Drop the lines left over from earlier and send a line; if the last, close the input."""
        for _ in range(self._came.qsize()):
            self._read(0)
        self.says_more |= any(map(self._pattern.fullmatch, self._lines[OUTPUT]))
        self._lines[OUTPUT].clear()
        self.said, self.sent, self._printed = "", line, 0
        assert self._popen.stdin
        with suppress(OSError):  # it has ended
            self._popen.stdin.write(f"{line}\n".encode())
            self._popen.stdin.flush()
        if last:
            self.close_input()

    def close_input(self) -> None:
        """Let the process find the end of its input."""
        assert self._popen.stdin
        with suppress(OSError):  # what was not taken is sent once more
            self._popen.stdin.close()

    def answer(self, deadline: float) -> str | None:
        """Return the next answer, None at the deadline. Raises EndedError if none can come."""
        lines = self._lines[OUTPUT]
        while True:
            while lines:
                self.said = lines.popleft()
                if self._pattern.fullmatch(self.said):
                    self.says_more |= any(map(self._pattern.fullmatch, lines))
                    self.answered = True
                    return self.said
            if OUTPUT not in self._unfinished:
                raise self._ended()
            if monotonic() >= deadline:
                if not SQUARE.search(self.said):  # else a prompt would hide it
                    self.said = self.unfinished()[:LONGEST] or self.said
                return None
            self._read(min(deadline - monotonic(), LOOK))
            if self._printed > PRINTED * MB:
                raise EndedError("printed", PRINTED)

    def unfinished(self) -> str:
        """Return what came after the last end of a line."""
        return one_line(self._unfinished.get(OUTPUT, b"").decode(errors="replace"))

    def _read(self, seconds: float) -> bool:
        """Take in the lines of what comes next; return False if for some seconds nothing does."""
        try:
            pipe, data = self._came.get(timeout=max(0, seconds))
        except Empty:
            return False
        self._printed += len(data)
        *ended, rest = (self._unfinished.pop(pipe) + (data or b"\n")).split(b"\n")
        if data:
            self._unfinished[pipe] = rest[-self._most[pipe] :]
        lines = [line.decode(errors="replace") for line in ended]
        if self._pattern is NUMBER or pipe == ERRORS:
            lines = [one_line(line) for line in lines]
        self._lines[pipe] += filter(None, lines)
        return True

    def _ended(self) -> EndedError:
        """Return how the process ended, with its last complaint."""
        try:
            code = self._popen.wait(GRACE)
        except TimeoutExpired:
            return EndedError("closed")
        while ERRORS in self._unfinished and self._read(REST):
            pass
        said = self._lines[ERRORS]
        complaints = [line for line in said if COMPLAINT.search(line)] or list(said)
        complaint = f": {complaints[-1][:LONGEST]}" if complaints else ""
        if code < 0:
            return EndedError("signal", -code, f"{signal.strsignal(-code)}".lower(), complaint)
        return EndedError("code", code, complaint)

    def close(self, grace: float = 0) -> None:
        """Close the input; once the process has ended or the seconds are over, end the group."""
        self.close_input()
        try:
            with suppress(TimeoutExpired):
                self._popen.wait(grace)
        finally:  # whatever signal comes meanwhile
            end_group(self._popen)
        self._popen.wait()
        RUNNING.discard(self._popen)
        while self._read(0):  # so that whoever hands on comes to the end, too
            pass


def hand_on(which: int, pipe: BufferedReader, came: Queue[tuple[int, bytes]]) -> None:
    """Hand on what comes through a pipe, part by part, and at its end nothing."""
    with pipe:
        while data := pipe.read1(PART):
            came.put((which, data))
    came.put((which, b""))


def end_group(process: Popen[bytes]) -> None:
    """End a process, and all that it has started."""
    with suppress(OSError):  # nothing is left of the group; macOS says so in another way
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
            return
        with suppress(OSError):  # Windows alone ends what it has started, too
            command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(command, capture_output=True, check=False)
        process.kill()


def end_all() -> None:
    """End whatever runs, and let nothing start."""
    OVER.set()
    for process in [*RUNNING]:
        end_group(process)
