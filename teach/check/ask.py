"""A program run as a process of its own and asked for moves, whatever else the process does."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import closing, suppress
from select import select
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import Literal, NamedTuple

from engine.position import IllegalMoveError, Position
from teach.check import child

ANYTHING, NUMBER = re.compile(r".*"), re.compile(r"[+-]?[0-9]{1,9}")
SQUARE = re.compile(r"(?<![0-9])[0-8](?![0-9])")
MOST_TIMEOUTS = 3
PATIENCE = 1.0  # seconds of silence until a program is tried with its input closed, too
POLL = 0.02  # seconds between looks at two processes by turns
LOADING = 20.0  # seconds for a Python file to load in
IDLE = 2.0  # seconds for a command without its program to end
COMPLAINT = re.compile("error|exception|panic", re.IGNORECASE)
KEPT = 1 << 12  # bytes of a line without an end
GRACE = 1.0  # seconds to end in, for a process without input or output


class EndedError(Exception):
    """Tell how a process ended before an answer, and whether in order."""

    def __init__(self, how: str, in_order: bool = False) -> None:
        super().__init__(how)
        self.in_order = in_order


class NoStart(EndedError):  # noqa: N818 - the program's error, not the checker's
    """Say why a program cannot be started."""


class Process:
    """Run a command in a process group of its own. Lines are answers if `pattern` matches."""

    def __init__(self, command: Sequence[str], pattern: re.Pattern[str]) -> None:
        """Start the command. Raises NoStart where the system cannot."""
        try:
            self._popen = Popen(
                command, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
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

    def send(self, line: str, last: bool) -> None:
        """Drop the lines left over from earlier and send a line; if the last, close the input."""
        self._read(0)
        self.says_more |= any(map(self._pattern.fullmatch, self._lines[self._output]))
        self._lines[self._output].clear()
        self.said = ""
        with suppress(BrokenPipeError):
            self._input.write(f"{line}\n".encode())
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
                    self.said = self.unfinished()[: child.LONGEST] or self.said
                return None
            self._read(deadline - monotonic())

    def unfinished(self) -> str:
        """Return what came after the last end of a line."""
        return child.one_line(self._unfinished.get(self._output, b"").decode(errors="replace"))

    def _read(self, seconds: float) -> None:
        """Take in all lines, after waiting up to some seconds for the first byte."""
        for pipe in select(self._unfinished, (), (), max(0, seconds))[0]:
            data = os.read(pipe.fileno(), 1 << 16)
            *ended, rest = (self._unfinished.pop(pipe) + (data or b"\n")).split(b"\n")
            if data:
                self._unfinished[pipe] = rest[-KEPT:]
            lines = (child.one_line(line.decode(errors="replace")) for line in ended)
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
        return EndedError(": ".join([how, *complaints[-1:]])[: child.LONGEST], in_order=code == 0)

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


class Answer(NamedTuple):
    """Hold the answer of a program, and the seconds before.

    `number` is a legal move if the kind is "square", any number if "illegal", -1 if none came.
    `came` gives the answer, or the reason for none, in words.
    """

    kind: Literal["square", "illegal", "errors", "timeouts"]
    number: int
    came: str
    seconds: float


class Player:
    """Ask a program for moves, and in the end close all of it.

    `anew` says why the program is started for each board, if so; `given_up`, that it timed out
    three times and should not be asked again; `says_more`, that an answer was left over.
    """

    def __init__(self, program: str | Sequence[str], timeout: float) -> None:
        """Take a Python file or a command, and the seconds for a move."""
        self._loads = isinstance(program, str)
        in_child = [sys.executable, child.__file__, str(program)]
        self._command = in_child if self._loads else program
        self._timeout, self._timeouts, self.given_up = timeout, 0, False
        self._process: Process | None = None
        self._answers = self._loads  # once it has, or loads to do so
        self._waits = self._loads  # for a board, and does not end at once
        self.anew, self.says_more = "", False

    def close(self) -> None:
        """End the program."""
        self._stop(GRACE)

    def ask(self, position: Position) -> Answer:
        """Return the answer to a board not yet over. Raises NoStart if it cannot be started."""
        process = self._process = self._process or self._start()
        began = monotonic()  # to start is not to think
        try:
            line = self._line(process, str(position), began + self._timeout)
        except EndedError as ended:
            self._stop()
            self._check_that_it_waits()
            if (ended.in_order or process.answered) and not self.anew:
                self.anew = str(ended)
                return self.ask(position)
            return Answer("errors", -1, f"{ended}{but(process.said)}", monotonic() - began)
        seconds = monotonic() - began
        self.says_more |= process.says_more
        if line is None or self.anew:
            self._stop()
        if line is None:
            self._timeouts += 1
            self.given_up = self._timeouts == MOST_TIMEOUTS
            came = f"no answer in {self._timeout:g} s{but(process.said)}"
            return Answer("timeouts", -1, came, seconds)
        self._answers = self._waits = True
        return read(line, position, seconds)

    def _start(self) -> Process:
        """Start the program, up to where a Python file has been loaded."""
        process = Process(self._command, ANYTHING if self._loads else NUMBER)
        try:
            if self._loads:
                self._load(process)
        except BaseException:  # a signal, too, ends it
            process.close()
            raise
        return process

    def _load(self, process: Process) -> None:
        """Wait until a Python file has been loaded. Raises NoStart if it is not."""
        seconds = max(LOADING, self._timeout)
        try:
            said = process.answer(monotonic() + seconds)
        except EndedError as ended:
            said = str(ended)
        if said != "ready":
            raise NoStart(said or f"it does not load in {seconds:g} s")

    def _stop(self, grace: float = 0) -> None:
        if self._process:
            self._process.close(grace)
        self._process = None

    def _line(self, process: Process, board: str, deadline: float) -> str | None:
        """Return the line in answer to a board, None if none comes in time.

        Raises EndedError if none can come.
        """
        process.send(board, last=bool(self.anew))
        if self._answers or self.anew:
            return process.answer(deadline)
        patience, began = min(PATIENCE, self._timeout / 4), monotonic()
        line = process.answer(began + patience)
        if line:
            return line
        # It thinks, or keeps its lines: then a second, with the board and no more input, answers.
        kept = None
        with closing(self._start()) as second:
            second.send(board, last=True)
            while not line and not kept and monotonic() < deadline:
                line = process.answer(monotonic() + POLL)
                with suppress(EndedError):
                    kept = second.answer(monotonic() + POLL)
            # As long again, as it may only think longer than the second.
            line = line or process.answer(min(deadline, 2 * monotonic() - began))
        if kept and not line:
            self._waits = True
            if NUMBER.fullmatch(process.unfinished()):
                raise EndedError("it does not end the line of its answer", in_order=True)
            raise EndedError("it answers only once its input is closed", in_order=True)
        return line

    def _check_that_it_waits(self) -> None:
        """Raise NoStart if the program ends without a board; look once."""
        if not self._waits:
            with closing(self._start()) as process:
                try:
                    process.answer(monotonic() + min(self._timeout, IDLE))
                except EndedError as ended:
                    raise NoStart(str(ended)) from ended
            self._waits = True


def but(said: str) -> str:
    """Return what a program said that is no answer, ready to follow a reason, and how to mend it.

    >>> but("move: 0")
    ', only: move: 0 (print the number alone on its line)'
    """
    numbers = len(SQUARE.findall(said))
    alone = " (print the number alone on its line)" if numbers == 1 else ""
    return said and f", only: {said}{alone}"


def read(line: str, position: Position, seconds: float) -> Answer:
    """Return the answer in a line: a number, or a word and a reason from `teach.check.child`."""
    if not NUMBER.fullmatch(line):
        kind, _, came = line.partition(" ")
        return Answer("errors" if kind == "errors" else "illegal", -1, came or line, seconds)
    number = int(line)
    try:
        position.play(number)
    except IllegalMoveError as error:
        return Answer("illegal", number, f"{number}: {error}", seconds)
    return Answer("square", number, line, seconds)
