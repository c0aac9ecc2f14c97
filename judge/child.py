"""The process of a Python program: load the file, find its call, and reply to requests.

Requests and replies are JSON, one per line. Nothing here knows the rules of the game or imports the
engine: the correct results stay in the judge's process, out of the program's reach.
"""

from __future__ import annotations

import ast
import builtins
import json
import os
import random
import site
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from io import StringIO
from itertools import count
from queue import SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Any, NoReturn, TextIO

from judge.boards import Marks, call_values, is_same, read_board, square_of
from judge.calls import (
    Call,
    CallChoice,
    Names,
    RunTrial,
    candidate_calls,
    course_marks,
    evaluate,
    find_call,
    known_call,
)
from judge.lines import describe_error, one_line, short_repr, to_json_value, traceback_lines
from judge.source import Source

MODULE_NAME = "tested program"  # has a space, so no file can import it
# Statements that define what calls need. A try may choose between two imports.
DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign,
               ast.Try)  # fmt: skip
PYTHON_2_ERRORS = ("Missing parentheses in call to 'print'", "multiple exception types must be")
GB = 1 << 30
MAX_PROCESSES = 4096  # including all others of the user who runs the judge


class UncallableError(Exception):
    """Raised if a file cannot be called for moves; the arguments are the fact that says why."""


def serve(setup: Mapping[str, Any], requests: Iterator[str], replies: TextIO) -> None:
    """Load a file, reply with how to call it, then reply to each request.

    `setup` has the file's `content`, `path`, `seed`, `call` and `marks`; `how` to load it: "loads"
    runs all of it, "defines" only its definitions; the `boards` to try calls on; `late`, the
    numbers of trials to skip; and `found`, the CallChoice of an earlier process, if any.
    """
    try:
        source = parse(setup["content"].encode("latin-1"), setup["path"])
        program, folder = prepare_module(setup["path"], setup["seed"])
        write_reply(replies, load(source.tree, program, setup["how"]))
        names = vars(program)
        call, choice = choose_call(setup, names, source, folder, replies)
    except UncallableError as error:
        write_reply(replies, {"cannot": error.args})
        return
    write_reply(replies, {"call": call.to_dict(), "found": choice or ()})
    for line in requests:  # pragma: no branch - it ends with the process
        write_reply(replies, handle_request(call, names, setup["seed"], json.loads(line)))


def parse(content: bytes, path: str) -> Source:
    """Return the source of a file. Raises UncallableError if it is not Python 3."""
    try:
        return Source(content, path)
    except (SyntaxError, ValueError) as error:
        if any(text in str(error) for text in PYTHON_2_ERRORS):
            raise UncallableError("python 2", getattr(error, "lineno", 0)) from error
        raise UncallableError("unread", describe_error(error)) from error


def choose_call(
    setup: Mapping[str, Any], names: Names, source: Source, folder: str, replies: TextIO
) -> tuple[Call, CallChoice | None]:
    """Return the call of a loaded file, and the choice among the candidates if there were any.

    Raises UncallableError if it is unclear how to call the file.
    """
    known = known_call(source) if not setup["call"] else None
    if known:
        is_course = known.kind == "course"
        return known._replace(marks=course_marks(names)) if is_course else known, None
    try:
        candidates = [*candidate_calls(names, source, setup["call"], setup["marks"])]
    except Exception as error:
        raise UncallableError("no marks", setup["marks"], describe_error(error)) from error
    if setup["found"]:
        choice = CallChoice(*setup["found"])
    else:
        run_trial = trial_runner(setup["late"], replies)
        found = find_call(candidates, names, folder, setup["boards"], setup["call"], run_trial)
        if not isinstance(found, CallChoice):
            raise UncallableError(*found)
        choice = found
    return candidates[choice.candidate_index]._replace(sides=tuple(choice.sides)), choice


def prepare_module(path: str, seed: int) -> tuple[ModuleType, str]:
    """Return the module to run a file in, and the root folder of its own code.

    Random numbers are seeded, and time.sleep does nothing. The file's folder and the root of its
    package are put on the path.
    """
    random.seed(seed)
    vars(random)["_urandom"] = random.randbytes  # the source of SystemRandom and secrets
    time.sleep = lambda _: None  # skips pauses that only look like thinking
    program = sys.modules[MODULE_NAME] = ModuleType(MODULE_NAME)
    program.__file__ = os.path.abspath(path)
    root = os.path.dirname(program.__file__)
    package: list[str] = []
    while os.path.isfile(os.path.join(root, "__init__.py")):
        root, name = os.path.split(root)
        package.insert(0, name)
    program.__package__ = ".".join(package)
    # The standard library comes first, so that no file in the folder shadows one of its modules.
    insert_at = next(
        (n for n, folder in enumerate(sys.path) if "-packages" in folder), len(sys.path)
    )
    sys.path[insert_at:insert_at] = dict.fromkeys([root, os.path.dirname(program.__file__)])
    sys.path += [site.getusersitepackages()]
    sys.argv = [path]
    return program, root


def load(tree: ast.Module, program: ModuleType, mode: str) -> dict[str, Any]:
    """Run a file until it asks for input or raises, then only the definitions that follow.

    If `mode` is "defines", run only its definitions. Return {"asks": the line that asks} or
    {"stopped": the exception}, the latter with a missing module as "lacks" or the line of a
    raw_input as "old"; {} if nothing stopped it.
    """
    builtins.input, sys.stdin = request_input, InputTrap()
    # The line where it stopped: 0 if that is before its first line, -1 if it ran to the end.
    last_line = -1 if mode == "loads" else 0
    loaded: dict[str, Any] = {}
    if mode == "loads":
        try:
            execute(tree, program)
        except BaseException as error:  # a program may also exit
            lines = [line for path, line in traceback_lines(error) if path == program.__file__]
            last_line = lines[0] if lines else 0
            if isinstance(error, InputRequest):
                loaded = {"asks": last_line}
            else:
                loaded = {"stopped": describe_error(error)}
            if isinstance(error, ModuleNotFoundError) and error.name:
                loaded["lacks"] = one_line(error.name)
            if isinstance(error, NameError) and error.name == "raw_input":
                loaded["old"] = last_line
    for node in tree.body if last_line >= 0 else ():
        if node.lineno > last_line and isinstance(node, DEFINITIONS):
            with suppress(BaseException):
                execute(ast.Module([node], []), program)
    builtins.input, sys.stdin = refuse_input, StringIO()
    return loaded


class InputRequest(BaseException):
    """Raised to stop a file that asks for input while it is loaded."""


def request_input(*_: object) -> NoReturn:
    """Raise InputRequest; replaces `input` while a file is loaded."""
    raise InputRequest


class InputTrap(StringIO):
    """The standard input while a file is loaded: reading from it raises InputRequest."""

    read = readline = __next__ = request_input


def execute(tree: ast.Module, program: ModuleType) -> None:
    """Run a file, or a part of it, in a module."""
    code = compile(tree, str(program.__file__), "exec", dont_inherit=True)
    exec(code, program.__dict__)


def refuse_input(*_: object) -> NoReturn:
    """Raise EOFError, as `input` does at the end of the input."""
    raise EOFError("there is nobody to answer input()")


def write_reply(replies: TextIO, content: Mapping[str, Any]) -> None:
    """Write a reply as a line of JSON."""
    print(json.dumps(content), file=replies, flush=True)


def trial_runner(late: Collection[int], replies: TextIO) -> RunTrial:
    """Return a function that announces a trial and runs it, or skips it if it is `late`."""
    numbers = count()

    def run_trial(work: Callable[[], Any]) -> Any:
        number = next(numbers)
        if number in late:
            return None
        write_reply(replies, {"tries": number})
        return work()

    return run_trial


def read_requests(pipe: TextIO) -> Iterator[str]:
    """Yield the requests; exit the process, even during a call, once the pipe is closed."""
    lines = SimpleQueue[str]()

    def read() -> None:
        for line in pipe:
            lines.put(line)
        os._exit(0)

    Thread(target=read, daemon=True).start()
    while True:
        yield lines.get()


# Requests


def handle_request(
    call: Call, names: Names, seed: int, request: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the reply to a request: for a move, or for an expression on many boards."""
    try:
        if "ask" in request:
            # Asked again about a board, the program draws other random numbers.
            answer_seed = f"{seed} {request['ask']} {request['ask_count']}"
            return ask_for_move(call, names, request["ask"], answer_seed)
        results = [
            evaluate_on_board(call.marks, names, request["call"], *question)
            for question in request["questions"]
        ]
    except BaseException as error:
        return {"raised": describe_error(error)}
    return {"results": results}


def ask_for_move(call: Call, names: Names, text: str, seed: str) -> dict[str, Any]:
    """Return the program's move on a board, with what it raised and how it left the board."""
    random.seed(seed)
    state_before = random.getstate()
    board_values = call_values(text, call.marks)
    value, square, raised = None, None, ""
    try:
        value = evaluate(call.expression, names, board_values)
    except BaseException as error:
        raised = describe_error(error)
    if not raised:
        allows_numbers = call.kind != "course"  # whose actions are pairs
        square = square_of(value, text, call.marks, call.allows_pairs, allows_numbers)
    return {
        "square": square,
        "value": to_json_value(value),
        "shown": short_repr(value),
        "raised": raised,
        "after": board_after(call.expression, board_values, text, call.marks),
        "random": random.getstate() != state_before,
    }


def board_after(
    expression: str, board_values: Mapping[str, Any], text: str, marks: Marks
) -> str | None:
    """Return the given board as the program left it, or None if it is no longer a board."""
    used_names = (name for name in ("board", "rows") if name in expression)
    boards = (read_board(board_values[name], marks) for name in used_names)
    return next((board for board in boards if board != text), text)


def evaluate_on_board(
    marks: Marks, names: Names, expression: str, text: str, mark: str, action: Any
) -> dict[str, Any]:
    """Return the value of an expression on a board, in several forms.

    `mark` ("X" or "O") and `action` (row and column) are empty if the expression does not use them.
    """
    board_values = call_values(text, marks)
    if mark:
        board_values["mark"] = marks.value_of(mark)
    if action:
        board_values["action"] = tuple(action)
    value, raised = None, ""
    try:
        value = evaluate(expression, names, board_values)
    except BaseException as error:
        raised = describe_error(error)
    return {
        "value": to_json_value(value),
        "shown": short_repr(value) if action else "",
        "mark": next((side for side in "XO" if is_same(value, marks.value_of(side))), ""),
        "empty": is_same(value, marks.empty),
        "made": read_board(value, marks) if action else None,  # only an action makes a board
        "after": board_after(expression, board_values, text, marks),
        "raised": raised,
    }


def run() -> None:
    """Prepare this process, read the setup from the first line of the input and run `serve`.

    The program must not read requests or print replies, so both pipes move to new file descriptors:
    0 becomes an empty input, and 1 the error output.
    """
    request_pipe = os.fdopen(os.dup(0), encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for module in [name for name in sys.modules if name.partition(".")[0] == "judge"]:
        del sys.modules[module]  # the program may have modules with these names
    sys.path.pop()  # the folder of the judge
    requests = read_requests(request_pipe)
    setup = json.loads(next(requests))
    write_reply(replies, {"lacks": set_limits(int(setup["memory"] * GB))})
    serve(setup, requests, replies)


def set_limits(memory: int) -> list[str]:
    """Limit memory, in bytes, and the number of processes; return the limits that cannot be set."""
    missing = []
    try:
        import resource
    except ImportError:
        return ["memory", "processes"]
    for name, constant, wanted_limit in (
        ("memory", "RLIMIT_AS", memory), ("processes", "RLIMIT_NPROC", MAX_PROCESSES),
    ):  # fmt: skip
        try:
            resource_id = getattr(resource, constant)
            hard_limit = resource.getrlimit(resource_id)[1]
            is_unlimited = hard_limit == resource.RLIM_INFINITY
            limit = wanted_limit if is_unlimited else min(wanted_limit, hard_limit)
            resource.setrlimit(resource_id, (limit, limit))
        except (AttributeError, OSError, ValueError):
            missing.append(name)
    return missing
