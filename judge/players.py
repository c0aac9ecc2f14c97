"""The programs that are tested: a Python file that is called, or a command that reads lines."""

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

from engine.position import IllegalMoveError, Mark, O, Position, X
from judge.lines import Fact
from judge.process import ANYTHING, GRACE, NUMBER, SQUARE, EndedError, Process, UntestableError
from judge.source import COURSE, Source
from judge.source_faults import search_faults, zero_marks

MAX_FILE_SIZE = 1 << 20  # bytes
MAX_TIMEOUTS = 3
LOAD_TIMEOUT = 20.0  # seconds for a Python file to load in
TRIAL_TIMEOUT = 10.0  # seconds for a call on all trial boards, each with four free squares or fewer
MAX_LATE_CALLS = 12  # trial calls that may be late, or end the process
SILENCE = 2.0  # seconds to wait for output before finding out why a command is silent
# A call is tried on these boards, where X and O are to move alternately. The first four are lost
# for the side to move, so that a score is negative there and cannot be taken for a square. No two
# free squares have consecutive numbers, so that an answer is illegal if squares count from 1.
TRIAL_BOARDS = (
    "OXO-OX-X- -OX-X-O-X XO-XO-O-X X-OX-X-O- X-XOOX-O- -XO-O-X-X "
    "-XO-XOO-X XO-X-X-O- -O-X-OXXO -X-O-O-XX OO-X-OXX- O-X-O-XX-"
).split()
# How the child process loads a file.
LOAD_ALL = "loads"  # runs the whole file
LOAD_DEFINITIONS = "defines"  # runs only imports, functions, classes and assignments
ROOT = str(Path(__file__).resolve().parent.parent)  # the repository, or the packed judge
CHILD_CODE = f"import sys; sys.path.append({ROOT!r}); from judge.child import run; run()"
# Like -I, except that PYTHONHASHSEED is not ignored, so that sets keep their order.
CHILD_COMMAND = [sys.executable, "-s", "-P", "-X", "utf8", "-c", CHILD_CODE]


class Response(NamedTuple):
    """A program's answer on a board, or what it did instead of answering."""

    kind: Literal["square", "illegal", "errors", "timeouts"]
    number: int  # a legal move if the kind is "square", any number if "illegal", -1 if none came
    problem: Fact  # why it is not a legal move; empty if it is
    seconds: float  # from the question to the answer
    changed_board: str = ""  # the board as the program left it; empty if it is unchanged
    is_random: bool | None = None  # whether a random number was drawn; None if unknown


class Settings(NamedTuple):
    """The options of the command line for testing a program."""

    timeout: float = 60.0  # seconds for a move
    limit: float = 1800.0  # seconds for all moves of a program together
    memory: float = 2.0  # GB for each process
    seed: int = 1  # of Python's random numbers
    call: str = ""  # the expression that returns a move; empty to find one
    marks: str = ""  # the values for X, O and empty, separated by commas; empty to find them
    restart: bool = False  # whether to restart a command for each board
    within: Sequence[str] = ()  # the command of a container that programs run in
    mark: Mark | None = None  # the only mark to test


class Player(ABC):
    """A program that is asked for moves, and closed at the end."""

    sides: tuple[Mark, ...] = (X, O)  # the marks that it plays
    call: Mapping[str, Any] = MappingProxyType({})  # how a file is called, a Call as a dictionary
    load_result: Mapping[str, Any] = MappingProxyType({})  # what kept a file from loading fully
    missing_limits: Sequence[str] = ()  # the limits that this system cannot set
    unwritten_functions: Sequence[str] = ()  # of the course: they are missing, or are stubs

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.sides = (settings.mark,) if settings.mark else (X, O)
        self._process: Process | None = None
        self._timeout_count, self._total_seconds = 0, 0.0
        self.stop_reason: Fact = ()  # why it is not asked any more; empty while it is asked
        self.restart_reason: Fact = ()  # why it is restarted for each board; empty if it is not
        self.has_extra_answers = False  # whether it ever printed more than one answer

    def ask(self, position: Position) -> Response:
        """Return the answer to a board that is not over.

        Raises UntestableError if the program cannot be tested.
        """
        response = self._ask(position)
        self._total_seconds += response.seconds
        if not self.stop_reason and self._total_seconds > self.settings.limit:
            self.stop_reason = "over limit", self.settings.limit
        return response

    @abstractmethod
    def _ask(self, position: Position) -> Response:
        """Return the answer to a board; `ask` adds up its time."""

    def function_lines(self, wrong_functions: Sequence[str]) -> dict[str, int]:
        """Return the line of each wrong function, or of the search; empty if there is no source."""
        return {}

    def raising_function(self, error_text: str) -> str:
        """Return the name of the function in which an exception was raised, or "the program"."""
        return "the program"

    def may_search(self) -> bool:
        """Return whether the program may have a search; True if there is no source to tell."""
        return True

    def source_faults(self) -> Iterator[Fact]:
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

    def _handle_timeout(self, printed: str, seconds: float) -> Response:
        """End the program, count the timeout, and return the response."""
        self.close(0)
        self._timeout_count += 1
        if self._timeout_count == MAX_TIMEOUTS:
            self.stop_reason = ("three timeouts",)
        problem = add_output(("late", self.settings.timeout), printed)
        return Response("timeouts", -1, problem, seconds)


class Command(Player):
    """A command that reads one board per line and prints one square per line."""

    def __init__(self, command: Sequence[str], settings: Settings) -> None:
        super().__init__(settings)
        self._command = command
        self._waits_for_boards = False  # whether it is known not to end before it gets a board
        self.restart_reason = ("as asked",) if settings.restart else ()
        # The first silence shows whether to restart the command, unless --restart has decided that.
        self._is_silence_explained = settings.restart

    def _ask(self, position: Position) -> Response:
        process = self._process = self._process or self._start()
        start_time = monotonic()  # starting the process is not part of the answer
        try:
            process.send(str(position), is_last=bool(self.restart_reason))
            line = self._read_answer(process, start_time)
        except EndedError as ended:
            self.close(0)
            if process.has_answered and not self.restart_reason:
                self.restart_reason = ended.fact
                return self._ask(position)
            self._require_waiting()
            problem = add_output(ended.fact, process.last_line)
            return Response("errors", -1, problem, monotonic() - start_time)
        seconds = monotonic() - start_time
        self.has_extra_answers |= process.has_extra_answers
        if line is None:
            return self._handle_timeout(process.last_line, seconds)
        self._waits_for_boards = self._is_silence_explained = True
        if self.restart_reason:
            self.close(0)
        return number_response(int(line), str(int(line)), position, seconds)

    def _read_answer(self, process: Process, start_time: float) -> str | None:
        """Return the answer, or None if it is late. At the first silence, find out the reason.

        A program that does not flush its output answers once its input is closed, but not while the
        input is open. It is restarted for each board from then on.
        """
        deadline = start_time + self.settings.timeout
        if self._is_silence_explained:
            return process.answer(deadline)
        if (line := process.answer(min(start_time + SILENCE, deadline))) is not None:
            return line
        self._is_silence_explained = True
        printed = process.last_line
        process.close_input()
        with suppress(EndedError):  # its input is closed, so it may end
            line = process.answer(deadline)
        process.last_line = printed or process.last_line
        self.close(0)
        self._process = self._start()
        if line is not None:
            self._process.send(process.last_sent)
            # A program that is only slow answers within twice the time that it took before.
            seconds = monotonic() - start_time
            second_answer = self._process.answer(monotonic() + 2 * seconds + SILENCE)
            self.restart_reason = ("unflushed",) if second_answer is None else ()
            self.close(0)
        return line

    def _start(self) -> Process:
        process = Process([*self.settings.within, *self._command], NUMBER)
        self.missing_limits = process.limit(self.settings.memory)
        return process

    def _require_waiting(self) -> None:
        """Raise UntestableError if the program ends before it gets a board; checked only once."""
        if not self._waits_for_boards:
            process = self._start()
            try:
                process.answer(monotonic() + SILENCE)
            except EndedError as ended:
                raise UntestableError("never reads", ended.fact) from ended
            finally:
                process.close()
            self._waits_for_boards = True


def read_file(path: str) -> bytes:
    """Return the content of a file.

    Raises UntestableError if it is not a regular file, is too large or cannot be read.
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
        self._load_mode = LOAD_ALL
        self._late_trials = list[int]()  # the numbers of trial calls that the child process skips
        self._call_choice: Any = ()  # as the child process sent it; empty until a call is found
        self._ask_counts = dict[Position, int]()
        try:
            while not self.call:
                self._start_and_load()
        except UntestableError as error:
            error.source = getattr(self, "source", None)  # missing if the file never loaded
            error.load_result = self.load_result
            raise
        if self.source.course_functions:
            self.unwritten_functions = [
                name
                for name in COURSE
                if name not in self.source.functions or self.source.is_stub(name)
            ]
        if not settings.mark:
            self.sides = tuple(self.call["sides"])

    def _ask(self, position: Position) -> Response:
        start_time = monotonic()
        self._ask_counts[position] = self._ask_counts.get(position, 0) + 1
        try:
            self._started_process()
            start_time = monotonic()  # starting the process is not part of the answer
            # The count makes a program that draws random numbers draw others each time.
            request = {"ask": str(position), "ask_count": self._ask_counts[position]}
            reply = self.request(request, self.settings.timeout)
        except EndedError as ended:
            self.close(0)
            if isinstance(ended, UntestableError) and self._ask_counts == {position: 1}:
                ended.source, ended.load_result = self.source, self.load_result
                raise  # the file loads only once
            return Response("errors", -1, ended.fact, monotonic() - start_time, is_random=False)
        seconds = monotonic() - start_time
        if reply is None:
            return self._handle_timeout("", seconds)
        return self._parse_reply(reply, position, seconds)

    @property
    def names_in_call(self) -> set[str]:
        """The names that the call of the file uses, those of attributes included."""
        nodes = [*ast.walk(ast.parse(self.call["expression"], mode="eval"))]
        return {node.id for node in nodes if isinstance(node, ast.Name)} | {
            node.attr for node in nodes if isinstance(node, ast.Attribute)}  # fmt: skip

    def function_lines(self, wrong_functions: Sequence[str]) -> dict[str, int]:
        """Return the line of each wrong function, or of the search if none is wrong."""
        if wrong_functions:
            return self.source.function_lines(wrong_functions)
        return self.source.recursive_functions(self.names_in_call)

    def raising_function(self, error_text: str) -> str:
        """Return the name of the function that raised an exception, or `called_name` by default."""
        line = int((re.findall(r"\(line (\d+) of", error_text) or ["0"])[-1])
        enclosing_functions = [
            name
            for name, definition in self.source.functions.items()
            if definition.lineno <= line <= (definition.end_lineno or 0)
        ]
        return enclosing_functions[-1] if enclosing_functions else self.called_name

    def may_search(self) -> bool:
        """Return whether a function calls itself, or may do so in an imported file."""
        return bool(self.source.imports - sys.stdlib_module_names or self.function_lines([]))

    def source_faults(self) -> Iterator[Fact]:
        """Yield what the source shows to be wrong: in the search, or a zero for the letter O."""
        yield from search_faults(self.source, self.names_in_call)
        if self.call["kind"] == "choose":
            yield from zero_marks(self.source)

    def request(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the reply, or None if it is late. Raises EndedError if there cannot be one."""
        process = self._started_process()
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
            raise EndedError("reply pipe")
        return reply

    def _parse_reply(self, reply: dict[str, Any], position: Position, seconds: float) -> Response:
        """Return the response that the child process's reply to a question stands for."""
        try:
            square, value, value_text = reply["square"], reply["value"], str(reply["shown"])
            board_after, error_text = reply["after"], str(reply["raised"])
            is_random = bool(reply["random"])
        except KeyError:
            self.close(0)
            return Response("errors", -1, ("reply pipe",), seconds, is_random=False)
        # The child process sends None if the program left something that is not a board.
        changed_board = "" if board_after in (None, str(position)) else str(board_after)
        if isinstance(square, int) and square in position.legal_moves():
            if board_after == str(position.play(square)):
                changed_board = ""  # a program may also make its move on the board
            return Response("square", square, (), seconds, changed_board, is_random)
        if error_text:
            problem: Fact = ("raised", error_text)
            if error_text.startswith("MemoryError"):
                problem = ("memory", error_text, self.settings.memory)
            return Response("errors", -1, problem, seconds, changed_board, is_random)
        if not isinstance(square, int):
            fact_name = non_square_fact_name(value, self.call["allows_pairs"])
            problem = (fact_name, value_text, self.called_name)
            return Response("illegal", -1, problem, seconds, changed_board, is_random)
        return number_response(square, value_text, position, seconds, changed_board, is_random)

    @property
    def called_name(self) -> str:
        """The part of the call before its parentheses, such as the name of a function."""
        return str(self.call["expression"]).partition("(")[0]

    def _started_process(self) -> Process:
        """Return the process, started if necessary.

        Raises UntestableError if the file cannot be tested.
        """
        while self._process is None:
            self._start_and_load()
        return self._process

    def _start_and_load(self) -> None:
        """Start the process, load the file and find its call.

        The process is closed again if it has run trials or if anything failed. Raises
        UntestableError if the file cannot be tested.
        """
        command = [*self.settings.within, *CHILD_COMMAND]
        self._process = Process(command, ANYTHING, environment(self.settings.seed))
        try:
            self._load(self._process)
        except BaseException:  # a signal also ends it
            self.close(0)
            raise

    def _load(self, process: Process) -> None:
        """Load the file in the process, and find its call.

        Raises UntestableError if either fails.
        """
        settings = self.settings
        setup = {
            "content": self._content, "path": self._path, "seed": settings.seed,
            "memory": settings.memory, "how": self._load_mode, "call": settings.call,
            "marks": settings.marks, "boards": TRIAL_BOARDS, "late": self._late_trials,
            "found": self._call_choice,
        }  # fmt: skip
        try:
            process.send(json.dumps(setup))
            limits_reply = self._reply(process, LOAD_TIMEOUT)
            load_reply = self._reply(process, LOAD_TIMEOUT)
        except EndedError as ended:
            raise UntestableError(*ended.fact) from ended
        if limits_reply is None or load_reply is None:
            if self._load_mode == LOAD_DEFINITIONS:
                raise UntestableError("never loads", LOAD_TIMEOUT)
            self._load_mode = LOAD_DEFINITIONS  # of the next process
        elif "cannot" in load_reply:
            raise UntestableError(*load_reply["cannot"])
        else:
            self.missing_limits = limits_reply.get("lacks", ())
            if not self.load_result:
                # The child process has parsed the file first: one that crashes the parser has
                # crashed only that process.
                self.source = Source(self._content.encode("latin-1"), self._path)
                self.load_result = load_reply | {"how": self._load_mode}
            self._find_call(process)

    def _find_call(self, process: Process) -> None:
        """Find the call, then close the process, so that moves come from one that ran no trials.

        If a trial call is late or ends the process, the next process skips it.
        """
        trial_number, reply = -1, None
        try:
            while (reply := self._reply(process, TRIAL_TIMEOUT)) and "tries" in reply:
                trial_number = reply["tries"]  # sent before each trial
        except EndedError:
            self.close(0)
            reply = None
        if reply is None and len(self._late_trials) < MAX_LATE_CALLS:
            self._late_trials.append(trial_number)
        elif reply is None:
            raise UntestableError("late call")
        elif "cannot" in reply:
            raise UntestableError(*reply["cannot"])
        elif not reply.get("call"):
            raise UntestableError("reply pipe")
        else:
            self.call = reply["call"]
            if reply["found"] and not self._call_choice:
                self._call_choice = reply["found"]
                self.close(0)


def environment(seed: int) -> dict[str, str]:
    """Return the environment of a Python program; its only PYTHON variable is the hash seed."""
    names = [name for name in os.environ if not name.startswith("PYTHON")]
    return {name: os.environ[name] for name in names} | {"PYTHONHASHSEED": str(seed)}


def add_output(fact: Fact, printed: str) -> Fact:
    """Return a fact, with what the program printed instead of an answer, if anything."""
    name = "only number" if len(SQUARE.findall(printed)) == 1 else "only"
    return (name, fact, printed) if printed else fact


def number_response(
    number: int,
    number_text: str,
    position: Position,
    seconds: float,
    changed_board: str = "",
    is_random: bool | None = None,
) -> Response:
    """Return the response for an answer that is a number, whether it is a legal move or not."""
    problem: Fact = ()
    try:
        position.play(number)
    except IllegalMoveError as error:
        problem = ("illegal", number_text, str(error))
    kind: Literal["square", "illegal"] = "illegal" if problem else "square"
    return Response(kind, number, problem, seconds, changed_board, is_random)


def non_square_fact_name(value: Any, allows_pairs: bool) -> str:
    """Return the name of the fact that says why an answer is not a square."""
    if allows_pairs and isinstance(value, (int, float)):
        return "score" if value in (-1, 0, 1) and not isinstance(value, bool) else "pair"
    names = {type(None): "nothing", str: "text", float: "float", list: "list"}
    return names.get(type(value), "pair" if allows_pairs else "no number")
