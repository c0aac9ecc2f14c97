"""A program run as a process of its own: lines in, lines out, whatever else the process does.

A Python program is fenced in further where the system allows, by namespaces of Linux: it sees no
process but its own, holds no rights, and finds no file of the judge nor of the engine.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ctypes import CDLL, c_uint32
from pathlib import Path
from select import select
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from types import MappingProxyType
from typing import NoReturn

from judge.lines import LONGEST, Fact, one_line

ANYTHING, NUMBER = re.compile(r".*"), re.compile(r"[+-]?[0-9]{1,9}")
SQUARE = re.compile(r"(?<![0-9])[0-8](?![0-9])")
COMPLAINT = re.compile("error|exception|panic", re.IGNORECASE)
KEPT = 1 << 12  # bytes of a line without an end; a reply of a Python program may be longer
FULL = 1.0  # seconds that a pipe may be full
LOOK = 0.5  # seconds from look to look whether a silent process is stopped
GRACE = 1.0  # seconds to end in, for a process without input or output
GB = 1 << 30
MOST = 1 << 24  # bytes of a reply
PRINTED = 100  # MB that may be printed for an answer
MB = 1 << 20
STOP = int(signal.SIGSTOP)
AFRESH = 77  # the code with which a copy of a process ends where another is to follow
SHUT = 78  # the code with which a copy ends where the pipe for replies is closed
SIGNALLED = 128  # is added to a signal that has ended a process, where an exit code is handed on
LIBC = CDLL(None, use_errno=True) if sys.platform == "linux" else None
NEW_USER, NEW_PID, NEW_MOUNT = 0x10000000, 0x20000000, 0x00020000
PRIVATE = 0x44000  # mounts here are seen nowhere else, recursively
DIES_WITH_PARENT, DUMPABLE, CAPABILITY_DROP, NO_NEW_PRIVILEGES = 1, 4, 24, 38  # for prctl
CAPABILITIES, VERSION_3 = 64, 0x20080522
HIDDEN = ("engine", "judge", "teach", "tests", "tools", "web", ".git")


class EndedError(Exception):
    """Raised where no answer can come from a process: the arguments are the fact that says why."""

    @property
    def fact(self) -> Fact:
        """Return how the process ended, or what it did in place of an answer."""
        return self.args


class NoStart(EndedError):  # noqa: N818 - the program's error, not the judge's
    """Raised where a program cannot be asked at all."""


class Process:
    """Run a command in a process group of its own. Lines are answers if `pattern` matches."""

    def __init__(
        self,
        command: Sequence[str],
        pattern: re.Pattern[str],
        memory: float,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Start the command, with so many GB of memory. Raises NoStart where the system cannot."""
        self._checker, self._memory = os.getpid(), int(memory * GB)
        try:
            self._popen = Popen(
                command,
                bufsize=0,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                start_new_session=True,
                preexec_fn=self._limit,
                env=os.environ | dict(environment),
            )
        except OSError as error:
            raise NoStart("no command", command[0], error.strerror) from error
        self._pattern = pattern
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._input, self._output = self._popen.stdin, self._popen.stdout
        os.set_blocking(self._input.fileno(), False)  # a program may read nothing
        self._errors = self._popen.stderr
        self._unfinished = {self._output: b"", self._errors: b""}  # the open pipes
        self._most = {self._output: KEPT if pattern is NUMBER else MOST, self._errors: KEPT}
        self._lines = {self._output: deque[str](), self._errors: deque[str](maxlen=30)}
        self._printed = 0  # bytes since a line was sent
        self.said = ""  # the last line, answer or not
        self.says_more = False  # whether an answer was ever left over
        self.answered = False  # whether an answer was ever taken

    def _limit(self) -> None:
        """Bound the memory, and end with the checker, however the checker ends."""
        resource.setrlimit(resource.RLIMIT_DATA, (self._memory, self._memory))
        end_with(self._checker)

    def send(self, line: str, last: bool = False) -> None:
        """Drop the lines left over from earlier and send a line; if the last, close the input."""
        self._read(0)
        self.says_more |= any(map(self._pattern.fullmatch, self._lines[self._output]))
        self._lines[self._output].clear()
        self.said, self.sent, self._printed = "", line, 0
        unsent = f"{line}\n".encode()
        with suppress(BrokenPipeError):
            while unsent and select((), [self._input], (), FULL)[1]:
                unsent = unsent[self._input.write(unsent) or 0 :]
        if last:
            self.close_input()

    def close_input(self) -> None:
        """Let the process find the end of its input."""
        self._input.close()

    def answer(self, deadline: float) -> str | None:
        """Return the next answer, None at the deadline. Raises EndedError if none can come."""
        lines = self._lines[self._output]
        while True:
            while lines:
                self.said = lines.popleft()
                if self._pattern.fullmatch(self.said):
                    self.says_more |= any(map(self._pattern.fullmatch, lines))
                    self.answered = True
                    return self.said
            if self._output not in self._unfinished:
                raise self._ended()
            if monotonic() >= deadline:
                if not SQUARE.search(self.said):  # else a prompt would hide it
                    self.said = self.unfinished()[:LONGEST] or self.said
                return None
            self._read(min(deadline - monotonic(), LOOK))
            if self._printed > PRINTED * MB:
                raise EndedError("printed", PRINTED)
            if self._is_stopped():
                raise EndedError("stopped", STOP)

    def unfinished(self) -> str:
        """Return what came after the last end of a line."""
        return one_line(self._unfinished.get(self._output, b"").decode(errors="replace"))

    def _read(self, seconds: float) -> None:
        """Take in all lines, after waiting up to some seconds for the first byte."""
        for pipe in select(self._unfinished, (), (), max(0, seconds))[0]:
            data = os.read(pipe.fileno(), 1 << 16)
            self._printed += len(data)
            *ended, rest = (self._unfinished.pop(pipe) + (data or b"\n")).split(b"\n")
            if data:
                self._unfinished[pipe] = rest[-self._most[pipe] :]
            lines = [line.decode(errors="replace") for line in ended]
            if self._pattern is NUMBER or pipe is self._errors:
                lines = [one_line(line) for line in lines]
            self._lines[pipe] += filter(None, lines)

    def _ended(self) -> EndedError:
        """Return how the process ended, with its last complaint."""
        try:
            code = self._popen.wait(GRACE)
        except TimeoutExpired:
            return EndedError("stopped", STOP) if self._is_stopped() else EndedError("closed")
        self._read(0)
        said = self._lines[self._errors]
        complaints = [line for line in said if COMPLAINT.search(line)] or list(said)
        complaint = f": {complaints[-1][:LONGEST]}" if complaints else ""
        if code < 0:
            return EndedError("signal", -code, f"{signal.strsignal(-code)}".lower(), complaint)
        return EndedError("shut") if code == SHUT else EndedError("code", code, complaint)

    def close(self, grace: float = 0) -> None:
        """Close the input; once the process has ended or the seconds are over, end the group."""
        self._input.close()
        try:
            with suppress(TimeoutExpired):
                self._popen.wait(grace)
        finally:  # whatever signal comes meanwhile
            with suppress(ProcessLookupError):  # nothing is left of the group
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        for pipe in self._lines:
            pipe.close()

    def _is_stopped(self) -> bool:
        """Say whether the process has been stopped, as by SIGSTOP."""
        with suppress(ChildProcessError):  # it has ended
            return os.waitid(os.P_PID, self._popen.pid, os.WSTOPPED | os.WNOHANG) is not None
        return False

    def stop(self) -> None:
        """Ask the process to end, as by Ctrl-C; once it has, or after a second, end the group."""
        with suppress(ProcessLookupError):
            os.kill(self._popen.pid, signal.SIGTERM)
        self.close(GRACE)


# The fence


def end_with(parent: int) -> None:
    """End this process as soon as its parent has ended, however that comes, where Linux runs."""
    if LIBC:
        LIBC.prctl(DIES_WITH_PARENT, signal.SIGKILL)
        if os.getppid() not in (parent, 0):  # 0 is one outside; else it has ended meanwhile
            os._exit(1)


def keep_private() -> None:
    """Let no process of this user read the memory and the pipes of this one, where Linux runs."""
    if LIBC:
        LIBC.prctl(DUMPABLE, 0)


def alone(root: str, folder: str) -> bool:
    """Go on fenced in, in a copy of this process; return False where the system does not allow.

    The copy sees no process but its own and those it starts, all of which end with it; the folders
    of the checkout `root` that hold the answers are empty, but for one in which the program's own
    `folder` lies; it has no rights over either.
    """
    user, group, here = os.getuid(), os.getgid(), os.getpid()
    if LIBC is None or LIBC.unshare(NEW_USER | NEW_PID | NEW_MOUNT):
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"),
                       ("gid_map", f"{group} {group} 1")):  # fmt: skip
        with suppress(OSError):
            Path(f"/proc/self/{name}").write_text(text)
    if first := os.fork():
        hand_on(first)
    end_with(here)
    LIBC.mount(b"none", b"/", None, PRIVATE, None)
    if LIBC.mount(b"proc", b"/proc", b"proc", 0, None):
        LIBC.mount(b"none", b"/proc", b"tmpfs", 0, None)
    for hidden in (os.path.join(root, name) for name in HIDDEN):
        if os.path.isdir(hidden) and not f"{folder}/".startswith(f"{hidden}/"):
            LIBC.mount(b"none", hidden.encode(), b"tmpfs", 0, None)
    for capability in range(CAPABILITIES):
        LIBC.prctl(CAPABILITY_DROP, capability, 0, 0, 0)
    LIBC.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    LIBC.capset((c_uint32 * 2)(VERSION_3, 0), (c_uint32 * 6)())
    if second := os.fork():  # the first process of a namespace hears no signals: a program should
        hand_on(second)
    end_with(1)
    return True


def waited(child: int) -> tuple[int, int]:
    """Wait until a process, -1 for any, has ended or is stopped; return which, and as what.

    That is an exit code, or a signal below 0.
    """
    ended, status = os.waitpid(child, os.WUNTRACED)
    is_stopped = os.WIFSTOPPED(status)
    return ended, -os.WSTOPSIG(status) if is_stopped else os.waitstatus_to_exitcode(status)


def hand_on(child: int) -> NoReturn:
    """Wait for a process, and end, or stop, as it has."""
    for pipe in range(3):
        os.close(pipe)
    os.closerange(3, 64)
    while True:
        ended, code = waited(-1)
        if ended == child:
            number = -code if code < 0 else code - SIGNALLED
            if os.getpid() != 1 and number in signal.valid_signals():
                with suppress(OSError):  # which SIGKILL raises
                    signal.signal(number, signal.SIG_DFL)
                os.kill(os.getpid(), number)
            os._exit(code if code >= 0 else SIGNALLED - code)
