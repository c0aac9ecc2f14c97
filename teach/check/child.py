"""The far end of a Python program: load a file, say what is in the file, then call what is asked.

`teach.check` starts this as a process. Requests and replies are JSON, a line each; the first reply
tells what the file holds. Nothing here knows the rules of the game: the checker does.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import StringIO
from operator import index
from traceback import extract_tb
from types import ModuleType
from typing import Any, NoReturn, TextIO

LONGEST = 200  # characters told of an answer
NAME = "judged program"  # which no file can import, as it could its own
CORNERS = [(row, column) for row in range(3) for column in range(3)]
SCALARS = (str, int, float, type(None))
MARKS = {"X", "O", "x", "o"}
BEGINS = {"initialstate", "initialboard", "createboard", "newboard", "makeboard", "emptyboard",
          "initboard", "getemptyboard", "startboard", "createemptyboard"}  # fmt: skip
DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign,
           ast.Try)  # fmt: skip

Form = dict[str, Any]


def main(path: str, seed: int, requests: TextIO, replies: TextIO, only_definitions: bool) -> None:
    """Load a file, write what it holds, then a reply to each request."""
    told: dict[str, Any] = {}
    player = ModuleType(NAME)

    def serve(*_: object) -> NoReturn:
        """Tell what is loaded, answer to the end of the requests, and leave for good."""
        builtins.input, sys.stdin = no_input, StringIO()
        reply(replies, told | shape(vars(player), path))
        for line in requests:
            reply(replies, answered(vars(player), json.loads(line)))
        replies.flush()
        os._exit(0)  # whatever the file would do after its first question

    def asked(*_: object) -> NoReturn:
        """Answer from where the file first asks its user: whatever came before is defined."""
        lines = [at.lineno for at in inspect_stack() if at.filename == player.__file__]
        told["asks"] = lines[-1] if lines else 0
        serve()

    random.seed(seed)
    time.sleep = lambda _: None  # a program that seems to think need not
    sys.path[0], sys.argv = os.path.dirname(os.path.abspath(path)), [path]
    sys.modules[NAME], player.__file__ = player, os.path.abspath(path)
    builtins.input, sys.stdin = asked, Asking(asked)
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read(), path)
        if only_definitions:
            told["left_out"] = define(tree, player)
        else:
            exec(compile(tree, player.__file__, "exec", dont_inherit=True), player.__dict__)
    except (OSError, SyntaxError, ValueError) as error:
        reply(replies, {"cannot": reason(error), "no_python": isinstance(error, SyntaxError)})
        return
    except BaseException as error:  # a program may exit, too
        told["stopped"] = reason(error)
        with suppress(BaseException):
            told["left_out"] = define(tree, player)
    serve()


class Asking(StringIO):
    """Tell that a program reads its input."""

    def __init__(self, asked: Callable[[], NoReturn]) -> None:
        super().__init__()
        self.read = self.readline = self.readlines = self.__next__ = asked  # type: ignore


def inspect_stack() -> Iterator[Any]:
    """Yield the frames that called, the innermost first."""
    frame = sys._getframe()
    while frame:
        yield inspect.getframeinfo(frame, context=0)
        frame = frame.f_back  # type: ignore[assignment]


def reply(replies: TextIO, told: dict[str, Any]) -> None:
    """Write a reply."""
    print(json.dumps(told), file=replies, flush=True)


def no_input(*_: object) -> NoReturn:
    """Raise EOFError, as `input` does where nothing is left to read."""
    raise EOFError("there is nobody to answer input()")


def define(tree: ast.Module, player: ModuleType) -> int | None:
    """Run each definition of a file that runs; return the first line left out, None if none is."""
    first = None
    for node in tree.body:
        asks = any(isinstance(at, ast.Name) and at.id == "input" for at in ast.walk(node))
        try:
            if not isinstance(node, DEFINES) or (isinstance(node, ast.Assign) and asks):
                raise ValueError  # a loop, or a call
            code = compile(ast.Module([node], []), str(player.__file__), "exec", dont_inherit=True)
            exec(code, player.__dict__)
        except BaseException:
            is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            first = first or (None if is_text else node.lineno)
    return first


# What a file holds


def shape(names: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the functions, classes, constants and boards of a file, as JSON."""
    here = os.path.dirname(os.path.abspath(path))
    functions, classes, constants, forms = {}, {}, {}, {}
    for name, value in names.items():
        if name.startswith("_"):
            continue
        if isinstance(value, type):
            if own(value, here):
                classes[name] = of_class(value, here)
        elif callable(value):
            if own(value, here) or name == "choose":
                functions[name] = parameters(value)
                if plain(name) in BEGINS and not any(must for _, must in functions[name]):
                    with suppress(BaseException):
                        forms[f"{name}()"] = form_of(value())
        elif isinstance(value, SCALARS):
            constants[name] = value
        else:
            forms[name] = form_of(value)
    return {
        "functions": functions,
        "classes": classes,
        "constants": constants,
        "forms": {name: form for name, form in forms.items() if form},
    }


def own(thing: Any, here: str) -> bool:
    """Say whether a function or class comes from the file's folder."""
    thing = inspect.unwrap(thing)
    if isinstance(thing, type):
        module = sys.modules.get(thing.__module__)
        file = getattr(module, "__file__", None)
    else:
        file = getattr(getattr(thing, "__code__", None), "co_filename", None)
    return bool(file) and os.path.dirname(os.path.abspath(str(file))) == here


def parameters(call: Callable[..., Any]) -> list[tuple[str, bool]]:
    """Return the name of each parameter and whether a value must be given."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    with suppress(ValueError, TypeError):
        given = inspect.signature(call).parameters.values()
        return [(p.name, p.default is p.empty) for p in given if p.kind not in kinds]
    return [("board", True)]  # a built-in method, such as `choose = table.get`


def of_class(kind: type, here: str) -> dict[str, Any]:
    """Return how to make an object of a class, its methods, and the boards in a fresh one."""
    methods = {}
    for name in dir(kind):
        method = inspect.getattr_static(kind, name, None)
        static = isinstance(method, (staticmethod, classmethod))
        method = getattr(kind, name)
        if not name.startswith("_") and callable(method) and own(method, here):
            methods[name] = parameters(method)[0 if static else 1 :]
    made = parameters(kind)
    forms, attributes = {}, {}
    if not any(must for _, must in made):
        with suppress(BaseException):
            for name, value in vars(kind()).items():
                forms[name] = form_of(value)
                if isinstance(value, SCALARS):
                    attributes[name] = value
    return {
        "made": made,
        "methods": methods,
        "constants": attributes,
        "forms": {name: form for name, form in forms.items() if form},
    }


def plain(name: str) -> str:
    """Return a name in small letters, without underscores."""
    return name.replace("_", "").lower()


# Boards


def form_of(value: Any) -> Form | None:
    """Return how a value holds a board: its kind and what stands on empty squares; None if none.

    >>> form_of([[None] * 3] * 3)["kind"]
    'rows'
    """
    kind = type(value).__name__.replace("str", "text")
    keys: list[Any] = []
    if kind == "dict" and len(value) == 9:
        keys, squares = list(value), list(value.values())
    elif kind in ("list", "tuple") and len(value) == 3:
        kind = "rows" if all(isinstance(row, list) and len(row) == 3 for row in value) else ""
        squares = [cell for row in value for cell in row] if kind else []
    elif kind in ("list", "tuple", "text") and len(value) == 9:
        squares = list(value)
    elif kind == "list" and len(value) == 10:
        kind, squares, keys = "ten", value[1:], value[:1]
    else:
        return None
    named = keys == CORNERS or all(isinstance(key, SCALARS) for key in keys)
    if not named or not all(isinstance(square, SCALARS) for square in squares):
        return None
    empty = _empties(squares)
    return {"kind": kind, "empty": empty, "keys": keys} if empty else None


def _empties(squares: list[Any]) -> list[Any] | None:
    """Return what stands on each square while it is empty, None if that is no board."""
    left = [square for square in squares if square not in MARKS]
    for numbers in ([*range(9)], [*range(1, 10)], [*"012345678"], [*"123456789"]):
        if len(left) > 1 and all(
            one in MARKS or one == number for one, number in zip(squares, numbers, strict=True)
        ):
            return numbers
    return [left[0]] * 9 if left and all(square == left[0] for square in left) else None


def make(board: str, form: Form) -> Any:
    """Return nine characters as an object of that form.

    >>> make("X--------", {"kind": "rows", "empty": [0] * 9, "keys": [], "marks": [1, -1]})
    [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    """
    mark = dict(zip("XO", form["marks"], strict=True))
    squares = [mark.get(one, empty) for one, empty in zip(board, form["empty"], strict=True)]
    kind, keys = form["kind"], form["keys"]
    if kind == "text":
        return "".join(squares)
    if kind == "tuple":
        return tuple(squares)
    if kind == "rows":
        return [squares[start : start + 3] for start in (0, 3, 6)]
    if kind == "ten":
        return [*keys, *squares]
    if kind == "dict":
        return dict(zip(map(_key, keys), squares, strict=True))
    return squares


def _key(key: Any) -> Any:
    return tuple(key) if isinstance(key, list) else key


def read(value: Any, form: Form) -> str | None:
    """Return the nine characters of an object of that form, None if it is none.

    >>> read(["X", *" " * 8], {"kind": "list", "empty": [" "] * 9, "marks": ["X", "O"]})
    'X--------'
    """
    try:
        if form["kind"] == "rows":
            squares = [cell for row in value for cell in row]
        elif form["kind"] == "dict":
            squares = [value[_key(key)] for key in form["keys"]]
        else:
            squares = list(value)[1 if form["kind"] == "ten" else 0 :]
        x, o = form["marks"]
        found = [
            "X" if one == x else "O" if one == o else "-" if one == empty else "?"
            for one, empty in zip(squares, form["empty"], strict=True)
        ]
    except Exception:
        return None
    return None if "?" in found else "".join(found)


# Requests


def answered(names: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to a request."""
    try:
        if "call" in request:
            return ask(names, request)
        if "run" in request:
            return {"results": run(names, request)}
        return {"values": [own_values(names, request["form"], board) for board in request["own"]]}
    except BaseException as error:
        return {"raised": reason(error)}


def ask(names: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Call a function on a board; return its value, and the board as it was left."""
    form, at = request["form"], request["into"]
    board = make(request["board"], form)
    owner, call, name = None, None, request["call"]
    if "." in name:
        kind, name = name.split(".")
        owner = names[kind](*request["made"])
        call = getattr(owner, name)
    else:
        call = names[name]
    given = board
    if at[0] == "global":
        names[at[1]] = put(names.get(at[1]), board)
        given = names[at[1]]
    elif at[0] == "attribute":
        setattr(owner, at[1], board)
    elif at[0] == "game":
        given = names[at[1]]()
        setattr(given, at[2], board)
    for where, variable, mark in request["turns"]:
        if where == "global":
            names[variable] = mark
        else:
            setattr(given if at[0] == "game" else owner, variable, mark)
    arguments = [given if value == {"is": "board"} else value for value in request["arguments"]]
    value, raised = None, None
    try:
        value = call(*arguments)
    except BaseException as error:
        raised = reason(error)
    if at[0] == "global":
        board = names[at[1]]
    elif at[0] != "argument":
        board = getattr(given if at[0] == "game" else owner, at[-1])
    return {
        "value": simple(value),
        "shown": one_line(repr(value))[:LONGEST],
        "made": read(value, form),
        "after": read(board, form),
        "raised": raised,
    }


def put(held: Any, board: Any) -> Any:
    """Return a board, in the object that held one where that can be changed: others may hold it."""
    if isinstance(held, list) and isinstance(board, list):
        held[:] = board
        return held
    if isinstance(held, dict):
        held.update(board)
        return held
    return board


def simple(value: Any) -> Any:
    """Return a value as JSON holds it; whatever JSON has no word for as its text."""
    if isinstance(value, dict):
        return {"dict": [[simple(key), simple(one)] for key, one in value.items()][:20]}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [simple(one) for one in value]
    if isinstance(value, (bool, float, str, type(None))):
        return value
    with suppress(TypeError):
        return index(value)
    return {"other": one_line(repr(value))[:LONGEST]}


def run(names: dict[str, Any], request: dict[str, Any]) -> list[dict[str, Any]]:
    """Call a function on many boards; return each value, and whether the board was changed."""
    form, name, results = request["form"], request["run"], []
    kept = {other: names[other] for other in request["right"]}
    for other, table in request["right"].items():
        names[other] = stand_in(names[other], table, form)
    for text, *more in request["boards"]:
        board = make(text, form)
        arguments = [
            CORNERS[one] if request["corners"] and type(one) is int else one for one in more
        ]
        if request["into"]:
            board = names[request["into"]] = put(names.get(request["into"]), board)
        else:
            arguments.insert(0, board)
        result: dict[str, Any] = {}
        try:
            value = names[name](*arguments)
            made = read(value, form) if request["makes"] else None
            result = {"value": simple(value) if made is None else made}
        except Exception as error:
            result = {"raised": reason(error)}
        after = read(board, form)
        results.append(result if after == text else result | {"after": after})
    names.update(kept)
    return results


def stand_in(call: Callable[..., Any], table: dict[str, Any], form: Form) -> Callable[..., Any]:
    """Return a function that answers by a table, and asks the file's where that has no answer."""
    marks = dict(zip("XO", form["marks"], strict=True))

    def right(board: Any, *more: Any) -> Any:
        answer = table["of"].get(read(board, form), "none")
        if table["kind"] == "board" and isinstance(answer, dict) and more:
            made = answer.get(str(CORNERS.index(tuple(more[0]))), "none")
            answer = "none" if made == "none" else make(made, form)
        elif table["kind"] == "squares" and answer != "none":
            answer = {CORNERS[square] for square in answer}
        elif table["kind"] == "mark" and answer != "none":
            answer = marks.get(answer)
        return call(board, *more) if isinstance(answer, str) and answer == "none" else answer

    return right


def own_values(names: dict[str, Any], form: Form, board: str) -> dict[int, float] | None:
    """Return what a right search over the file's own functions finds each move worth."""
    known: dict[str, float] = names.setdefault("__known_to_the_checker__", {})

    def below(text: str) -> Iterator[tuple[int, str]]:
        for action in names["actions"](make(text, form)):
            child = read(names["result"](make(text, form), tuple(action)), form)
            if child is None or child.count("-") >= text.count("-"):
                raise ValueError("no move is made")
            yield CORNERS.index(tuple(action)), child

    def value(text: str) -> float:
        if text not in known:
            if names["terminal"](make(text, form)):
                known[text] = names["utility"](make(text, form))
            else:
                pick = max if names["player"](make(text, form)) == form["marks"][0] else min
                known[text] = pick(value(child) for _, child in below(text))
        return known[text]

    try:
        return {square: value(child) for square, child in below(board)}
    except Exception:
        return None


# Words


def reason(error: BaseException) -> str:
    """Return an exception and its place in a line."""
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename != __file__]
    where = [f"(line {frame.lineno} of {os.path.basename(frame.filename)})" for frame in frames]
    what = one_line(f"{type(error).__name__}: {error}")[:LONGEST]
    return " ".join([what, *where[-1:]])


def one_line(text: str) -> str:
    """Return a text in one line, without whatever else would move a terminal."""
    shown = (mark if mark.isprintable() else "\ufffd" for mark in " ".join(text.split()))
    return "".join(shown)


if __name__ == "__main__":
    # A program may print and read, but no answer and no request. Both pipes therefore move to new
    # numbers; 0 becomes an empty input, and 1 the error output.
    pipes = (
        os.fdopen(os.dup(0)),
        os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace"),
    )
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    main(sys.argv[1], int(sys.argv[2]), *pipes, "definitions" in sys.argv[3:])
