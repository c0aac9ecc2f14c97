"""A program run as a process: lines in, lines out, whatever else the process does.

It works on every system: threads read the output, and a process group, or on Windows a process
tree, is ended as a whole. Only Linux can limit the memory of another process.
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

from judge.lines import MAX_LENGTH, Fact, one_line
from judge.source import Source

with suppress(ImportError):  # Windows does not have it
    import resource

# Patterns of an answer: what a Python program's process replies, and what a command prints.
ANYTHING, NUMBER = re.compile(r".*"), re.compile(r"[+-]?[0-9]{1,9}")
SQUARE = re.compile(r"(?<![0-9])[0-8](?![0-9])")  # anywhere in a line
COMPLAINT = re.compile("error|exception|panic", re.IGNORECASE)  # in a line of an error message
MAX_UNFINISHED = 1 << 12  # bytes kept of an unfinished line that a command prints, or of an error
MAX_REPLY = 1 << 24  # bytes kept of an unfinished line of a Python program's process
MAX_ERROR_LINES = 30  # lines of errors kept
CHUNK_SIZE = 1 << 16  # bytes read at a time
MAX_CHUNKS = 16  # read ahead; a program that prints more has to wait
POLL = 0.5  # seconds that a wait may last, because on Windows Ctrl-C does not interrupt it
GRACE = 1.0  # seconds that a process has to end once its input or output is closed
LAST_ERRORS_TIME = 0.2  # seconds for the last errors of a process that has ended
MAX_PRINTED = 100  # MB that may be printed per answer
MB, GB = 1 << 20, 1 << 30
OUTPUT, ERRORS = 1, 2  # the pipes that are read, by file descriptor in the process

RUNNING: set[Popen[bytes]] = set()
STOPPED = Event()  # while it is set, no process starts


class StoppedError(Exception):
    """Raised if a process is started after `end_all`."""


class EndedError(Exception):
    """Raised if a process cannot answer; the arguments are the fact that says why."""

    @property
    def fact(self) -> Fact:
        """How the process ended, or what it did instead of answering."""
        return self.args


class UntestableError(EndedError):
    """Raised if a program cannot be tested at all."""

    source: Source | None = None  # if the file is valid Python
    load_result: Mapping[str, Any] = MappingProxyType({})  # what kept the file from loading fully


class Process:
    """A command in its own process group. Lines that match `pattern` are answers."""

    def __init__(
        self,
        command: Sequence[str],
        pattern: re.Pattern[str],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the command. Raises UntestableError if it fails, StoppedError after `end_all`."""
        try:
            self._popen = Popen(
                command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                start_new_session=True,  # ignored on Windows
                env=environment,
            )
        except OSError as error:
            raise UntestableError("no command", command[0], error.strerror) from error
        RUNNING.add(self._popen)
        self._pattern = pattern
        self._chunks: Queue[tuple[int, bytes]] = Queue(MAX_CHUNKS)
        for descriptor, pipe in ((OUTPUT, self._popen.stdout), (ERRORS, self._popen.stderr)):
            reader_args = descriptor, cast(BufferedReader, pipe), self._chunks
            Thread(target=forward, args=reader_args, daemon=True).start()
        self._unfinished = {OUTPUT: b"", ERRORS: b""}  # the unfinished line of each open pipe
        self._max_unfinished = {
            OUTPUT: MAX_UNFINISHED if pattern is NUMBER else MAX_REPLY,
            ERRORS: MAX_UNFINISHED,
        }
        self._lines = {OUTPUT: deque[str](), ERRORS: deque[str](maxlen=MAX_ERROR_LINES)}
        self._printed_size = 0  # bytes printed since a line was sent
        self.last_sent = ""  # the last line sent
        self.last_line = ""  # the last line printed since then, answer or not
        self.has_extra_answers = False  # whether there was ever more than one answer
        self.has_answered = False  # whether an answer was ever returned
        if STOPPED.is_set():
            self.close()
            raise StoppedError

    def limit(self, memory: float) -> list[str]:
        """Limit the memory of the process to `memory` GB; return the limits that are not set.

        Only Linux can do this from outside. The address space is not limited: some commands,
        such as node, reserve much more of it than they use.
        """
        try:
            byte_count = int(memory * GB)
            resource.prlimit(self._popen.pid, resource.RLIMIT_DATA, (byte_count, byte_count))
        except (NameError, AttributeError, OSError, ValueError):
            return ["memory", "processes"]
        return ["processes"]

    def send(self, line: str, is_last: bool = False) -> None:
        """Drop unread lines and send a line; close the input if it is the last."""
        for _ in range(self._chunks.qsize()):
            self._read(0)
        self.has_extra_answers |= any(map(self._pattern.fullmatch, self._lines[OUTPUT]))
        self._lines[OUTPUT].clear()
        self.last_line, self.last_sent, self._printed_size = "", line, 0
        assert self._popen.stdin
        with suppress(OSError):  # the process has ended
            self._popen.stdin.write(f"{line}\n".encode())
            self._popen.stdin.flush()
        if is_last:
            self.close_input()

    def close_input(self) -> None:
        """Close the input of the process."""
        assert self._popen.stdin
        with suppress(OSError):  # closing flushes, which fails if the process has ended
            self._popen.stdin.close()

    def answer(self, deadline: float) -> str | None:
        """Return the next answer, or None at the deadline. Raises EndedError if none can come."""
        lines = self._lines[OUTPUT]
        while True:
            while lines:
                self.last_line = lines.popleft()
                if self._pattern.fullmatch(self.last_line):
                    self.has_extra_answers |= any(map(self._pattern.fullmatch, lines))
                    self.has_answered = True
                    return self.last_line
            if OUTPUT not in self._unfinished:
                raise self._end_error()
            if monotonic() >= deadline:
                # A prompt after a line that may hold the answer must not hide that line.
                if not SQUARE.search(self.last_line):
                    self.last_line = self.unfinished()[:MAX_LENGTH] or self.last_line
                return None
            self._read(min(deadline - monotonic(), POLL))
            if self._printed_size > MAX_PRINTED * MB:
                raise EndedError("too much output", MAX_PRINTED)

    def unfinished(self) -> str:
        """Return the output after the last newline, as one line."""
        return one_line(self._unfinished.get(OUTPUT, b"").decode(errors="replace"))

    def _read(self, seconds: float) -> bool:
        """Process the next part of the output; return False if none comes within `seconds`."""
        try:
            pipe, data = self._chunks.get(timeout=max(0, seconds))
        except Empty:
            return False
        self._printed_size += len(data)
        # No data is the end of the pipe, which also ends its last line.
        *complete, rest = (self._unfinished.pop(pipe) + (data or b"\n")).split(b"\n")
        if data:
            self._unfinished[pipe] = rest[-self._max_unfinished[pipe] :]
        lines = [line.decode(errors="replace") for line in complete]
        if self._pattern is NUMBER or pipe == ERRORS:
            lines = [one_line(line) for line in lines]
        self._lines[pipe] += filter(None, lines)
        return True

    def _end_error(self) -> EndedError:
        """Return how the process ended, with its last error message."""
        try:
            code = self._popen.wait(GRACE)
        except TimeoutExpired:
            return EndedError("closed")
        while ERRORS in self._unfinished and self._read(LAST_ERRORS_TIME):
            pass
        lines = self._lines[ERRORS]
        complaints = [line for line in lines if COMPLAINT.search(line)] or list(lines)
        complaint = f": {complaints[-1][:MAX_LENGTH]}" if complaints else ""
        if code < 0:
            return EndedError("signal", -code, f"{signal.strsignal(-code)}".lower(), complaint)
        return EndedError("code", code, complaint)

    def close(self, grace: float = 0) -> None:
        """Close the input, wait up to `grace` seconds for the process, then end its group."""
        self.close_input()
        try:
            with suppress(TimeoutExpired):
                self._popen.wait(grace)
        finally:  # also on a signal
            end_group(self._popen)
        self._popen.wait()
        RUNNING.discard(self._popen)
        while self._read(0):  # so that the threads that read also end
            pass


def forward(descriptor: int, pipe: BufferedReader, chunks: Queue[tuple[int, bytes]]) -> None:
    """Put the output of a pipe into a queue, chunk by chunk, and empty bytes at its end."""
    with pipe:
        while data := pipe.read1(CHUNK_SIZE):
            chunks.put((descriptor, data))
    chunks.put((descriptor, b""))


def end_group(process: Popen[bytes]) -> None:
    """Kill the group of a process, or on Windows its tree."""
    with suppress(OSError):  # the group has ended, for which macOS has another error
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
            return
        with suppress(OSError):  # kill() alone would leave the processes it has started
            command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(command, capture_output=True, check=False)
        process.kill()


def end_all() -> None:
    """Kill all running processes, and let no other start."""
    STOPPED.set()
    for process in [*RUNNING]:
        end_group(process)
