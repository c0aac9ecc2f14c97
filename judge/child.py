"""The far end of a Python program: load a file, find out how it is asked, and ask.

`judge` starts this as a process. Requests and replies are JSON, a line each. Nothing here knows the
rules of the game, nor imports the engine: what is right is known outside, where no program comes.
"""

from __future__ import annotations

import ast
import builtins
import json
import os
import pickle
import random
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import PathFinder
from io import StringIO
from select import select
from traceback import extract_tb
from types import ModuleType
from typing import Any, NoReturn, TextIO

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if __name__ == "__main__":
    sys.path[0] = ROOT

from judge.boards import read  # noqa: E402
from judge.fence import AFRESH, SHUT, alone, end_with, waited  # noqa: E402
from judge.finding import FILL_IN, Cannot, InCopy, find  # noqa: E402
from judge.lines import reason, shown, simple  # noqa: E402
from judge.plans import OTHER, Names, Plan, asked, for_both, squares_read, turn_of  # noqa: E402
from judge.shape import Shape  # noqa: E402
from judge.source import Source  # noqa: E402

NAME = "judged program"  # no file can import the name
TRIAL = 10.0  # seconds for a guess on all trial boards, each with four free squares or fewer
LOOK = 0.001  # seconds from look to look at a copy that is about to end
ENDED = os.WEXITED | os.WNOHANG | os.WNOWAIT
DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign,
           ast.Try)  # fmt: skip


def main(path: str, seed: int, how: str, requests: TextIO, replies: TextIO) -> None:
    """Load a file, tell how it is asked, then reply to each request.

    `how` is "loads", or "defines" for the definitions alone. The first request holds the boards to
    try guesses on, and the call, if one was named.
    """
    try:
        source = Source(path)
    except (OSError, SyntaxError, ValueError) as error:
        reply(replies, {"cannot": {"why": "unread", "came": reason(error)}})
        return
    player = prepared(path, seed)
    loaded = load(source.tree, player, how)
    if FILL_IN in loaded.get("stopped", ""):
        loaded = {"cannot": {"why": "fill in", "came": loaded["stopped"]}}
    reply(replies, loaded)
    request = json.loads(requests.readline() or "{}")
    names = vars(player)
    plan, found = begun(names, source, path, request, lambda work: in_copy(work, TRIAL))
    reply(replies, found)
    if plan:
        serve(plan, names, seed, requests, replies)


def begun(
    names: Names, source: Source, path: str, request: dict[str, Any], copied: InCopy
) -> tuple[Plan | None, dict[str, Any]]:
    """Return how a file is asked, None if it cannot be, and the reply that says so."""
    plan = find(names, source, path, request["boards"], request["call"], copied)
    if isinstance(plan, Cannot):
        return None, {"cannot": plan._asdict()}
    functions = Shape(names, os.path.dirname(os.path.abspath(path))).functions
    return plan, {"plan": plan.facts(), "functions": functions}


def prepared(path: str, seed: int) -> ModuleType:
    """Return the module in which a file is to run; what the file can ask of the system is bound."""
    random.seed(seed)
    vars(random)["_urandom"] = random.randbytes  # of which SystemRandom and secrets draw
    time.sleep = lambda _: None  # a program that seems to think need not
    sys.path[0], sys.argv = os.path.dirname(os.path.abspath(path)), [path]
    sys.meta_path.insert(0, Refused)
    player = sys.modules[NAME] = ModuleType(NAME)
    player.__file__ = os.path.abspath(path)
    return player


class Refused:
    """Refuse to import what is the judge's own: the engine would know the answers."""

    @staticmethod
    def find_spec(name: str, *where: Any) -> None:
        """Raise ImportError for a module of this project; leave others to whoever finds them."""
        spec = PathFinder.find_spec(name, *where) if name in ("engine", "judge", "teach") else None
        at = [spec.origin or "", *(spec.submodule_search_locations or ())] if spec else []
        if any(one.startswith(os.path.join(ROOT, name)) for one in at):
            raise ImportError(f"{name} is the judge's own, and not for programs to ask")


def load(tree: ast.Module, player: ModuleType, how: str) -> dict[str, Any]:
    """Run a file, up to where it asks its user; where it stops, run its definitions alone.

    Return the line in which it "asks", or why it "stopped".
    """
    builtins.input, sys.stdin = asks, Asking()
    last = -1 if how == "loads" else 0  # the line that ran last
    loaded: dict[str, Any] = {}
    if how == "loads":
        try:
            execute(tree, player)
        except BaseException as error:  # a program may exit, too
            at = [frame.lineno for frame in extract_tb(error.__traceback__)
                  if frame.filename == player.__file__]  # fmt: skip
            last = (at[0] or 0) if at else 0
            loaded = {"asks": last} if isinstance(error, Asked) else {"stopped": reason(error)}
    for node in tree.body if last >= 0 else ():
        if node.lineno > last and isinstance(node, DEFINES):
            with suppress(BaseException):
                execute(ast.Module([node], []), player)
    builtins.input, sys.stdin = no_input, StringIO()
    return loaded


class Asked(BaseException):
    """Leave a file where it asks its user."""


def asks(*_: object) -> NoReturn:
    """Stand in for `input` while a file is loaded. Raises Asked."""
    raise Asked


class Asking(StringIO):
    """Stand in for the standard input while a file is loaded."""

    read = readline = __next__ = asks


def execute(tree: ast.Module, player: ModuleType) -> None:
    """Run a file, or a part, in a module."""
    code = compile(tree, str(player.__file__), "exec", dont_inherit=True)
    exec(code, player.__dict__)


def no_input(*_: object) -> NoReturn:
    """Raise EOFError, as `input` does where nothing is left to read."""
    raise EOFError("there is nobody to answer input()")


def reply(replies: TextIO, values: dict[str, Any]) -> None:
    """Write a reply; end this process if a program has closed the pipe."""
    try:
        print(json.dumps(values), file=replies, flush=True)
    except OSError:
        os._exit(SHUT)


def in_copy(work: Callable[[], Any], seconds: float) -> Any:
    """Return what work brings in a copy of this process; None if that is late, or ends first."""
    out, into = os.pipe()
    copy = os.fork()
    if not copy:
        with suppress(BaseException), os.fdopen(into, "wb") as file:
            file.write(pickle.dumps(work()))
        os._exit(0)
    os.close(into)
    end, data = time.monotonic() + seconds, b""
    while select([out], (), (), max(0, end - time.monotonic()))[0]:
        part = os.read(out, 1 << 16)
        data += part
        if not part:
            break
    os.close(out)
    while time.monotonic() < end and os.waitid(os.P_PID, copy, ENDED) is None:
        select((), (), (), LOOK)
    os.kill(copy, signal.SIGKILL)
    os.waitpid(copy, 0)
    with suppress(Exception):
        return pickle.loads(data)
    return None


def serve(plan: Plan, names: Names, seed: int, requests: TextIO, replies: TextIO) -> None:
    """Answer requests.

    Copies of this process answer, one after the other, each beginning with the file as it is now.
    """
    here = os.getpid()
    while copy := os.fork():
        _, ended = waited(copy)
        if ended != AFRESH:
            os.kill(here, max(0, -ended))  # by the signal that ended the copy; 0 sends none
            os._exit(ended)
    end_with(here)
    for line in requests:
        request = json.loads(line)
        if not request:
            reply(replies, {})
            os._exit(AFRESH)
        reply(replies, answered(plan, names, seed, request))
    os._exit(0)


# Requests


def answered(plan: Plan, names: Names, seed: int, request: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to a request: a board to answer, or functions to call."""
    try:
        if "ask" in request:
            return ask(plan, names, request["ask"], f"{seed} {request['ask']} {request['time']}")
        of = function_plan(plan, request["call"], request["is_given"])
        return {"came": [call(of, names, *one) for one in request["asked"]]}
    except BaseException as error:
        return {"raised": reason(error)}


def ask(plan: Plan, names: Names, text: str, seed: str) -> dict[str, Any]:
    """Ask for a move; return the square, and how the program and the board were left."""
    random.seed(seed)
    before, had_children = random.getstate(), has_children()
    came = asked(plan, names, text)
    is_random = random.getstate() != before
    squares = squares_read(plan, came, text)
    square = squares.get(plan.reading)
    marks = plan.marks[turn_of(text)]
    return {
        "square": square,
        "value": simple(came.value),
        "shown": shown(came.value),
        "raised": reason(came.raised) if came.raised and square is None else "",
        "after": read(came.after, plan.form, marks),
        "random": is_random,
        "leaves_running": has_children() and not had_children,
    }


def has_children() -> bool:
    """Say whether this process has started another that runs on."""
    with suppress(ChildProcessError):
        return os.waitid(os.P_ALL, 0, ENDED) is None
    return False


def function_plan(plan: Plan, name: str, is_given: bool) -> Plan:
    """Return how a function of the file is called: on the board given, or on the program's own."""
    return plan._replace(
        call=name,
        marks=for_both(*plan.marks[plan.sides[0]].values()),
        place=() if is_given else plan.place,
        values=("board",) * is_given,
        turns=(),
        code=None,
    )


def call(plan: Plan, names: Names, text: str, mark: str, action: Any) -> dict[str, Any]:
    """Call a function of the file on a board, with a mark or an action if one is given."""
    marks = plan.marks["X"]
    more = [marks[one] for one in mark] + [tuple(action)] * bool(action)
    came = asked(plan, names, text, more=more)
    value = came.value
    is_mark = [sign for sign in OTHER if type(value) is type(marks[sign]) and value == marks[sign]]
    return {
        "value": simple(value),
        "shown": shown(value),
        "mark": is_mark[0] if is_mark else "",
        "empty": any(type(value) is type(one) and value == one for one in plan.form.empty),
        "made": read(value, plan.form, marks),
        "after": read(came.after, plan.form, marks),
        "raised": reason(came.raised) if came.raised else "",
    }


if __name__ == "__main__":
    # A program may print and read, but no answer and no request. Both pipes therefore move to new
    # numbers; 0 becomes an empty input, and 1 the error output.
    pipes = (
        os.fdopen(os.dup(0)),
        os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace"),
    )
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    alone(ROOT, os.path.dirname(os.path.abspath(sys.argv[1])))
    for module in [name for name in sys.modules if name.partition(".")[0] == "judge"]:
        del sys.modules[module]  # a program may have modules of these names
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], *pipes)
