"""A program run as a process of its own: lines in, lines out, whatever else the process does."""

from __future__ import annotations

import os
import re
import resource
import signal
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from select import select
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic

from judge.child import LONGEST, end_with, one_line

ANYTHING, NUMBER = re.compile(r".*"), re.compile(r"[+-]?[0-9]{1,9}")
SQUARE = re.compile(r"(?<![0-9])[0-8](?![0-9])")
COMPLAINT = re.compile("error|exception|panic", re.IGNORECASE)
KEPT = 1 << 12  # bytes of a line without an end; a reply of a Python program may be longer
FULL = 1.0  # seconds that a pipe may be full
GRACE = 1.0  # seconds to end in, for a process without input or output
GB = 1 << 30


class EndedError(Exception):
    """Tell how a process ended before an answer."""


class NoStart(EndedError):  # noqa: N818 - the program's error, not the checker's
    """Say why a program cannot be asked."""


class Process:
    """Run a command in a process group of its own. Lines are answers if `pattern` matches."""

    def __init__(self, command: Sequence[str], pattern: re.Pattern[str], memory: float) -> None:
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
            )
        except OSError as error:
            raise NoStart(f"{command[0]}: {error.strerror}") from error
        self._pattern = pattern
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._input, self._output = self._popen.stdin, self._popen.stdout
        os.set_blocking(self._input.fileno(), False)  # a program may read nothing
        self._errors = self._popen.stderr
        self._unfinished = {self._output: b"", self._errors: b""}  # the open pipes
        self._lines = {self._output: deque[str](), self._errors: deque[str](maxlen=30)}
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
        self.said = ""
        unsent = f"{line}\n".encode()
        with suppress(BrokenPipeError):
            while unsent and select((), [self._input], (), FULL)[1]:
                unsent = unsent[self._input.write(unsent) or 0 :]
        if last:
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
            self._read(deadline - monotonic())

    def unfinished(self) -> str:
        """Return what came after the last end of a line."""
        return one_line(self._unfinished.get(self._output, b"").decode(errors="replace"))

    def _read(self, seconds: float) -> None:
        """Take in all lines, after waiting up to some seconds for the first byte."""
        for pipe in select(self._unfinished, (), (), max(0, seconds))[0]:
            data = os.read(pipe.fileno(), 1 << 16)
            *ended, rest = (self._unfinished.pop(pipe) + (data or b"\n")).split(b"\n")
            if data:
                self._unfinished[pipe] = rest if self._pattern is ANYTHING else rest[-KEPT:]
            lines = [line.decode(errors="replace") for line in ended]
            if self._pattern is NUMBER or pipe is self._errors:
                lines = [one_line(line) for line in lines]
            self._lines[pipe] += filter(None, lines)

    def _ended(self) -> EndedError:
        """Return how the process ended, with its last complaint."""
        try:
            code = self._popen.wait(GRACE)
        except TimeoutExpired:
            return EndedError("it closed its output")
        self._read(0)
        said = self._lines[self._errors]
        complaints = [line for line in said if COMPLAINT.search(line)] or list(said)
        how = f"it ended with code {code}" if code >= 0 else f"it ended: {signal.strsignal(-code)}"
        return EndedError(": ".join([how, *complaints[-1:]])[:LONGEST])

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

    def stop(self) -> None:
        """Ask the process to end, as by Ctrl-C; once it has, or after a second, end the group."""
        with suppress(ProcessLookupError):
            os.kill(self._popen.pid, signal.SIGTERM)
        self.close(GRACE)
