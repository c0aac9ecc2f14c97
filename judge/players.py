"""Programs asked for moves: a Python file, called in its own process, or a command, by lines."""

from __future__ import annotations

import ast
import json
import os
import re
import stat
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from engine.position import IllegalMoveError, Mark, O, Position, Square, X
from judge.lines import Fact
from judge.process import ANYTHING, GRACE, NUMBER, SQUARE, EndedError, Process, UntestableError
from judge.source import COURSE, Source
from judge.source_faults import search_faults, zero_marks

MAX_FILE_SIZE = 1 << 20  # bytes
MAX_TIMEOUTS = 3
LOAD_TIMEOUT = 20.0  # seconds for a Python file to load in
TRIAL_TIMEOUT = 10.0  # seconds for a call on all trial boards, each with four free squares or fewer
MAX_LATE_CALLS = 12  # trial calls that may fail to end in time
SILENCE = 2.0  # seconds without output until a command is examined
# Boards to try a call on, with X and O to move in turn. On the first four, X and O are lost twice
# each, where a score is negative. No free square follows another, so an answer counted from 1 is
# illegal.
TRIAL_BOARDS = (
    "OXO-OX-X- -OX-X-O-X XO-XO-O-X X-OX-X-O- X-XOOX-O- -XO-O-X-X "
    "-XO-XOO-X XO-X-X-O- -O-X-OXXO -X-O-O-XX OO-X-OXX- O-X-O-XX-"
).split()
LOADS, DEFINES = "loads", "defines"  # how the child process loads a file
ROOT = str(Path(__file__).resolve().parent.parent)  # a folder, or the packed judge
CHILD_CODE = f"import sys; sys.path.append({ROOT!r}); from judge.child import run; run()"
# Like -I, except that PYTHONHASHSEED is not ignored, so that sets keep their order.
CHILD_COMMAND = [sys.executable, "-s", "-P", "-X", "utf8", "-c", CHILD_CODE]


class Response(NamedTuple):
    """The answer of a program to a board."""

    kind: Literal["square", "illegal", "errors", "timeouts"]
    number: int  # a legal move if the kind is "square", any number if "illegal", -1 if none came
    problem: Fact  # why it is not a legal move; empty if it is
    seconds: float  # until it came
    changed_board: str = ""  # the board as the program left it, if changed
    is_random: bool | None = None  # whether a random number was drawn; None if unknown


class Settings(NamedTuple):
    """The options of the command line for testing a program."""

    timeout: float = 60.0  # seconds for a move
    limit: float = 1800.0  # seconds for all moves of a program
    memory: float = 2.0  # GB
    seed: int = 1
    call: str = ""
    marks: str = ""
    restart: bool = False  # whether to restart a command for each board
    within: Sequence[str] = ()  # the command of a container that programs run in
    mark: Mark | None = None  # the only mark to test


class Player(ABC):
    """A program that is asked for moves, and closed at the end."""

    sides: tuple[Mark, ...] = (X, O)  # the marks that it plays
    call: Mapping[str, Any] = MappingProxyType({})  # how a file is called
    loaded: Mapping[str, Any] = MappingProxyType({})  # how loading a file went
    lacks: Sequence[str] = ()  # the limits that this system cannot set
    unwritten: Sequence[str] = ()  # functions of the course that are missing, or are stubs

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.sides = (settings.mark,) if settings.mark else (X, O)
        self._process: Process | None = None
        self._timeouts, self._seconds = 0, 0.0
        self.stop_reason: Fact = ()  # why it is asked about no more boards; empty if it still is
        self.restart_reason: Fact = ()  # why it is restarted for each board; empty if it is not
        self.has_extra_answers = False  # whether it ever printed more than one answer

    def ask(self, position: Position) -> Response:
        """Return the answer to a board that is not over.

        Raises UntestableError if the program cannot be tested.
        """
        response = self._ask(position)
        self._seconds += response.seconds
        if not self.stop_reason and self._seconds > self.settings.limit:
            self.stop_reason = "over limit", self.settings.limit
        return response

    @abstractmethod
    def _ask(self, position: Position) -> Response: ...

    def lines(self, wrong: Sequence[str]) -> dict[str, int]:
        """Return the line of each wrong function, or of the search; empty if there is no source."""
        return {}

    def raising_function(self, raised: str) -> str:
        """Return the name of the function in which an exception was raised, or "the program"."""
        return "the program"

    def may_search(self) -> bool:
        """Return whether the program may have a search; True if there is no source to tell."""
        return True

    def notes(self) -> Iterator[Fact]:
        """Yield what the source shows to be wrong; nothing if there is no source."""
        yield from ()

    def restart(self) -> None:
        """Kill the program, so that the next board restarts it without any state."""
        self.close(0)

    def close(self, grace: float = GRACE) -> None:
        """End the program within `grace` seconds; the next board restarts it."""
        if self._process:
            self._process.close(grace)
        self._process = None

    def _timeout_response(self, printed: str, seconds: float) -> Response:
        self.close(0)
        self._timeouts += 1
        if self._timeouts == MAX_TIMEOUTS:
            self.stop_reason = ("three timeouts",)
        return Response(
            "timeouts", -1, with_output(("late", self.settings.timeout), printed), seconds
        )


class Command(Player):
    """A command that reads one board per line and prints one square per line."""

    def __init__(self, command: Sequence[str], settings: Settings) -> None:
        super().__init__(settings)
        self._command = command
        self._has_waited = False  # whether it is known to wait for a board
        self.restart_reason = ("as asked",) if settings.restart else ()
        self._has_examined = settings.restart  # whether a first silence was examined

    def _ask(self, position: Position) -> Response:
        process = self._process = self._process or self._start()
        began = monotonic()  # the time to start does not count
        try:
            process.send(str(position), is_last=bool(self.restart_reason))
            line = self._read_answer(process, began)
        except EndedError as ended:
            self.close(0)
            if process.has_answered and not self.restart_reason:
                self.restart_reason = ended.fact
                return self._ask(position)
            self._check_that_it_waits()
            problem = with_output(ended.fact, process.last_line)
            return Response("errors", -1, problem, monotonic() - began)
        seconds = monotonic() - began
        self.has_extra_answers |= process.has_extra_answers
        if line is None:
            return self._timeout_response(process.last_line, seconds)
        self._has_waited = self._has_examined = True
        if self.restart_reason:
            self.close(0)
        return number_response(int(line), str(int(line)), position, seconds)

    def _read_answer(self, process: Process, began: float) -> str | None:
        """Return the answer, or None if it is late; examine the first silence.

        A program that does not flush its output answers once its input is closed, but not while the
        input is open. It is restarted for each board from then on.
        """
        deadline = began + self.settings.timeout
        if self._has_examined:
            return process.answer(deadline)
        if (line := process.answer(min(began + SILENCE, deadline))) is not None:
            return line
        self._has_examined = True
        printed = process.last_line
        process.close_input()
        with suppress(EndedError):  # its input is closed, so it may end
            line = process.answer(deadline)
        process.last_line = printed or process.last_line
        self.close(0)
        self._process = self._start()
        if line is not None:
            self._process.send(process.last_sent)
            seconds = monotonic() - began  # including the silence; the wait below is twice as long
            second_answer = self._process.answer(monotonic() + 2 * seconds + SILENCE)
            self.restart_reason = ("unflushed",) if second_answer is None else ()
            self.close(0)
        return line

    def _start(self) -> Process:
        process = Process([*self.settings.within, *self._command], NUMBER)
        self.lacks = process.limit(self.settings.memory)
        return process

    def _check_that_it_waits(self) -> None:
        """Raise UntestableError if the program ends before it gets a board; checked once."""
        if not self._has_waited:
            process = self._start()
            try:
                process.answer(monotonic() + SILENCE)
            except EndedError as ended:
                raise UntestableError("never reads", ended.fact) from ended
            finally:
                process.close()
            self._has_waited = True


def read_file(path: str) -> bytes:
    """Return the content of a file.

    Raises UntestableError if it is not a regular file, too large, or cannot be read.
    """
    try:
        # A plain open() of a named pipe would block forever.
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UntestableError("no file", path)
            content = file.read(MAX_FILE_SIZE + 1)
    except OSError as error:
        raise UntestableError("unread", error.strerror or "it cannot be read") from error
    if len(content) > MAX_FILE_SIZE:
        raise UntestableError("large", MAX_FILE_SIZE >> 20)
    return content


class PythonFile(Player):
    """A Python file, loaded and called in its own process."""

    def __init__(self, path: str, settings: Settings, content: bytes | None = None) -> None:
        super().__init__(settings)
        content = read_file(path) if content is None else content
        self._path, self._content = path, content.decode("latin-1")
        self._mode, self._late_tries = LOADS, list[int]()
        self._call_choice: Any = ()
        self._ask_counts = dict[Position, int]()
        try:
            self._start()
        except UntestableError as why:
            why.source, why.loaded = getattr(self, "source", None), self.loaded
            raise
        if self.source.course_functions:
            self.unwritten = [name for name in COURSE if name not in self.source.functions
                              or self.source.is_stub(name)]  # fmt: skip
        if not settings.mark:
            self.sides = tuple(self.call["sides"])

    def _ask(self, position: Position) -> Response:
        began = monotonic()
        self._ask_counts[position] = self._ask_counts.get(position, 0) + 1
        try:
            self._start()
            began = monotonic()  # the time to start does not count
            request = {"ask": str(position), "ask_count": self._ask_counts[position]}
            reply = self.request(request, self.settings.timeout)
        except EndedError as ended:
            self.close(0)
            return Response("errors", -1, ended.fact, monotonic() - began, is_random=False)
        seconds = monotonic() - began
        if reply is None:
            return self._timeout_response("", seconds)
        return self._answer(reply, position, seconds)

    @property
    def names(self) -> set[str]:
        """The names that the call of the file uses."""
        nodes = [*ast.walk(ast.parse(self.call["expression"], mode="eval"))]
        return {node.id for node in nodes if isinstance(node, ast.Name)} | {
            node.attr for node in nodes if isinstance(node, ast.Attribute)}  # fmt: skip

    def lines(self, wrong: Sequence[str]) -> dict[str, int]:
        """Return the line of each wrong function, or of the search if none is wrong."""
        if wrong:
            return self.source.function_lines(wrong)
        return self.source.recursive_functions(self.names)

    def raising_function(self, raised: str) -> str:
        """Return the name of the function in which an exception was raised, or the one called."""
        line = int((re.findall(r"\(line (\d+) of", raised) or ["0"])[-1])
        inside = [
            name
            for name, definition in self.source.functions.items()
            if definition.lineno <= line <= (definition.end_lineno or 0)
        ]
        return inside[-1] if inside else self.called

    def may_search(self) -> bool:
        """Return whether a function calls itself, or may do so in another imported file."""
        return bool(self.source.imports - sys.stdlib_module_names or self.lines([]))

    def notes(self) -> Iterator[Fact]:
        """Yield what the source shows to be wrong: in the search, or a zero for the letter O."""
        yield from search_faults(self.source, self.names)
        if self.call["kind"] == "choose":
            yield from zero_marks(self.source)

    def request(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the reply, or None if it is late. Raises EndedError if there cannot be one."""
        process = self._start()
        process.send(json.dumps(request))
        return self._reply(process, seconds)

    def request_or_empty(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return the reply to a request, or an empty one if there is none in time."""
        try:
            return self.request(request, seconds) or {}
        except EndedError:
            self.close(0)
            return {}

    def _reply(self, process: Process, seconds: float) -> dict[str, Any] | None:
        """Return the next reply, or None if it is late. Raises EndedError if it cannot be read."""
        line = process.answer(monotonic() + seconds)
        if line is None:
            self.close(0)
            return None
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            self.close(0)
            raise EndedError("written")
        return reply

    def _answer(self, reply: dict[str, Any], position: Position, seconds: float) -> Response:
        try:
            square, after, raised = reply["square"], reply["after"], str(reply["raised"])
            shown, value = str(reply["shown"]), reply["value"]
            is_random = bool(reply["random"])
        except KeyError:
            self.close(0)
            return Response("errors", -1, ("written",), seconds, is_random=False)
        # None: it is no longer a board.
        changed_board = "" if after in (None, str(position)) else str(after)
        if isinstance(square, int) and square in position.legal_moves():
            has_moved = after == str(position.play(square))  # it also made its move on the board
            return Response(
                "square", square, (), seconds, "" if has_moved else changed_board, is_random
            )
        if raised:
            is_memory = raised.startswith("MemoryError")
            fact = ("memory", raised, self.settings.memory) if is_memory else ("raised", raised)
            return Response("errors", -1, fact, seconds, changed_board, is_random)
        if not isinstance(square, int):
            kind = non_square_kind(value, self.call["allows_pairs"])
            return Response(
                "illegal", -1, (kind, shown, self.called), seconds, changed_board, is_random
            )
        return number_response(square, shown, position, seconds, changed_board, is_random)

    @property
    def called(self) -> str:
        """The part of the call before its parentheses, such as the name of a function."""
        return str(self.call["expression"]).partition("(")[0]

    def _start(self) -> Process:
        """Return the process, started if necessary.

        Raises UntestableError if the file cannot be tested.
        """
        while self._process is None:
            command = [*self.settings.within, *CHILD_COMMAND]
            self._process = Process(command, ANYTHING, environment(self.settings.seed))
            try:
                self._load(self._process)
            except BaseException:  # a signal also ends it
                self.close(0)
                raise
        return self._process

    def _load(self, process: Process) -> None:
        """Load the file in the process, and find its call.

        Raises UntestableError if either fails.
        """
        settings = self.settings
        setup = {
            "content": self._content, "path": self._path, "seed": settings.seed,
            "memory": settings.memory, "how": self._mode, "call": settings.call,
            "marks": settings.marks, "boards": TRIAL_BOARDS, "late": self._late_tries,
            "found": self._call_choice,
        }  # fmt: skip
        try:
            process.send(json.dumps(setup))
            limits, loaded = self._reply(process, LOAD_TIMEOUT), self._reply(process, LOAD_TIMEOUT)
        except EndedError as ended:
            raise UntestableError(*ended.fact) from ended
        if limits is None or loaded is None:
            if self._mode == DEFINES:
                raise UntestableError("never loads", LOAD_TIMEOUT)
            self._mode = DEFINES  # next time, only its definitions
        elif "cannot" in loaded:
            raise UntestableError(*loaded["cannot"])
        else:
            self.lacks = limits.get("lacks", ())
            if not self.loaded:
                # Parsed here last: a file that crashes the parser has crashed the child process.
                self.source = Source(self._content.encode("latin-1"), self._path)
                self.loaded = loaded | {"how": self._mode}
            self._find(process)

    def _find(self, process: Process) -> None:
        """Find the call, then close the process, so that moves come from one that ran no trials.

        A call that is late, or that ends the process, is skipped by the next process.
        """
        late, tries, reply = self._late_tries, -1, None
        try:
            while (reply := self._reply(process, TRIAL_TIMEOUT)) and "tries" in reply:
                tries = reply["tries"]
        except EndedError:
            self.close(0)
            reply = None
        if reply is None and len(late) < MAX_LATE_CALLS:
            late.append(tries)
        elif reply is None:
            raise UntestableError("late call")
        elif "cannot" in reply:
            raise UntestableError(*reply["cannot"])
        elif "call" not in reply:
            raise UntestableError("written")
        else:
            self.call = reply["call"]
            if reply["found"] and not self._call_choice:
                self._call_choice = reply["found"]
                self.close(0)


def environment(seed: int) -> dict[str, str]:
    """Return the environment of a Python program; its only PYTHON variable is the hash seed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return kept | {"PYTHONHASHSEED": str(seed)}


def with_output(fact: Fact, printed: str) -> Fact:
    """Return a fact, with what the program printed instead of an answer, if anything."""
    name = "only number" if len(SQUARE.findall(printed)) == 1 else "only"
    return (name, fact, printed) if printed else fact


def number_response(
    number: Square, shown: str, position: Position, seconds: float, *more: Any
) -> Response:
    """Return the response for an answer that is a number, legal or not."""
    try:
        position.play(number)
    except IllegalMoveError as error:
        return Response("illegal", number, ("illegal", shown, str(error)), seconds, *more)
    return Response("square", number, (), seconds, *more)


def non_square_kind(value: Any, allows_pairs: bool) -> str:
    """Return the name of the fact that says why an answer is not a square."""
    if allows_pairs and isinstance(value, (int, float)):
        return "score" if value in (-1, 0, 1) and not isinstance(value, bool) else "pair"
    names = {type(None): "nothing", str: "text", float: "float", list: "list"}
    return names.get(type(value), "pair" if allows_pairs else "no number")
