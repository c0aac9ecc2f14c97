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
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from io import StringIO
from itertools import count
from queue import SimpleQueue
from threading import Thread
from traceback import extract_tb
from types import ModuleType
from typing import Any, NoReturn, TextIO

from judge.boards import Form, read
from judge.finding import FILL_IN, Cannot, InTime, find
from judge.lines import reason, shown, simple
from judge.plans import (
    OTHER,
    Names,
    Plan,
    asked,
    code_of,
    for_both,
    squares_read,
    turn_of,
)
from judge.shape import Shape
from judge.source import Source

NAME = "judged program"  # no file can import the name
DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign,
           ast.Try)  # fmt: skip


def main(
    path: str, seed: int, how: str, kept: str, requests: Iterator[str], replies: TextIO
) -> None:
    """Load a file, tell how it is asked, then reply to each request.

    `how` is "loads", or "defines" for the definitions alone. The first request holds the boards to
    try guesses on, the guesses that were late, and the call, if one was named; none comes where a
    plan was `kept`.
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
    names, plan = vars(player), restored(kept) if kept else None
    if plan is None:
        request = json.loads(next(requests))
        in_time = trying(request["late"], replies)
        plan, found = begun(names, source, path, request, in_time)
        reply(replies, found)
    if plan:
        for line in requests:  # pragma: no branch - it ends with the process
            reply(replies, answered(plan, names, seed, json.loads(line)))


def begun(
    names: Names, source: Source, path: str, request: dict[str, Any], in_time: InTime
) -> tuple[Plan | None, dict[str, Any]]:
    """Return how a file is asked, None if it cannot be, and the reply that says so."""
    plan = find(names, source, path, request["boards"], request["call"], in_time)
    if isinstance(plan, Cannot):
        return None, {"cannot": plan._asdict()}
    functions = Shape(names, os.path.dirname(os.path.abspath(path))).functions
    return plan, {"plan": plan.facts(), "functions": functions, "kept": kept(plan)}


def kept(plan: Plan) -> str:
    """Return a plan as text, for another process that has loaded the same file; "" for none."""
    with suppress(Exception):  # a mark may be made where no other process finds it
        parts = plan._replace(form=tuple(plan.form), code=None)  # type: ignore[arg-type]
        return b64encode(pickle.dumps(tuple(parts))).decode()
    return ""


def restored(kept: str) -> Plan:
    """Return the plan that was kept."""
    plan = Plan(*pickle.loads(b64decode(kept)))
    return plan._replace(form=Form(*plan.form), code=code_of(plan.call))


def prepared(path: str, seed: int) -> ModuleType:
    """Return the module in which a file is to run; what the file can ask of the system is bound."""
    random.seed(seed)
    vars(random)["_urandom"] = random.randbytes  # of which SystemRandom and secrets draw
    time.sleep = lambda _: None  # a program that seems to think need not
    sys.path[0], sys.argv = os.path.dirname(os.path.abspath(path)), [path]
    player = sys.modules[NAME] = ModuleType(NAME)
    player.__file__ = os.path.abspath(path)
    return player


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
    """Write a reply."""
    print(json.dumps(values), file=replies, flush=True)


def trying(late: Collection[int], replies: TextIO) -> InTime:
    """Return what tries a guess, after a reply that says which; those that were late bring None."""
    numbers = count()

    def in_time(work: Callable[[], Any]) -> Any:
        number = next(numbers)
        if number in late:
            return None
        reply(replies, {"tries": number})
        return work()

    return in_time


def heard(pipe: TextIO) -> Iterator[str]:
    """Yield the requests; end this process, whatever it does, once no more can come."""
    lines = SimpleQueue[str]()

    def hear() -> None:
        for line in pipe:
            lines.put(line)
        os._exit(0)

    Thread(target=hear, daemon=True).start()
    while True:
        yield lines.get()


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
    before = random.getstate()
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
    }


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


def begin() -> None:
    """Begin as this process's arguments say.

    A program may print and read, but no answer and no request. Both pipes therefore move to new
    numbers; 0 becomes an empty input, and 1 the error output.
    """
    pipes = (
        os.fdopen(os.dup(0)),
        os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace"),
    )
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for module in [name for name in sys.modules if name.partition(".")[0] == "judge"]:
        del sys.modules[module]  # a program may have modules of these names
    path, seed, how, kept = sys.argv[1:]
    main(path, int(seed), how, kept, heard(pipes[0]), pipes[1])
