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
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from io import StringIO
from operator import index
from traceback import extract_tb
from types import ModuleType
from typing import Any, NoReturn, TextIO

LONGEST = 200  # characters told of an answer
NAME = "judged program"  # no file can import the name
CORNERS = [(row, column) for row in range(3) for column in range(3)]
SCALARS = (str, int, float, type(None))
MARKS = {"X", "O", "x", "o"}
BEGINS = {"initialstate", "initialboard", "createboard", "newboard", "makeboard", "emptyboard",
          "initboard", "getemptyboard", "startboard", "createemptyboard"}  # fmt: skip
DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign,
           ast.Try)  # fmt: skip

Form = dict[str, Any]


def main(path: str, seed: int, requests: TextIO, replies: TextIO, only_definitions: bool) -> None:
    """Load a file, write its contents, then a reply to each request."""
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
        lines = [at.lineno for at in inspect.stack(0) if at.filename == player.__file__]
        told["asks"] = lines[-1] if lines else 0
        serve()

    random.seed(seed)
    time.sleep = lambda _: None  # a program that seems to think need not
    sys.path[0], sys.argv = os.path.dirname(os.path.abspath(path)), [path]
    sys.modules[NAME], player.__file__ = player, os.path.abspath(path)
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read(), path)
    except (OSError, SyntaxError, ValueError) as error:
        reply(replies, {"cannot": reason(error), "no_python": isinstance(error, SyntaxError)})
        return
    if not only_definitions:
        builtins.input, sys.stdin = asked, Asking(asked)
        try:
            run(tree, player)
        except BaseException as error:  # a program may exit, too
            told["stopped"] = reason(error)
    if only_definitions or "stopped" in told:
        builtins.input = no_input
        for node in tree.body:
            if isinstance(node, DEFINES):
                with suppress(BaseException):
                    run(ast.Module([node], []), player)
    serve()


class Asking(StringIO):
    """Tell when a program reads from its user."""

    def __init__(self, asked: Callable[[], NoReturn]) -> None:
        super().__init__()
        self.read = self.readline = self.readlines = self.__next__ = asked  # type: ignore


def run(tree: ast.Module, player: ModuleType) -> None:
    """Run a file, or a part, in a module."""
    code = compile(tree, str(player.__file__), "exec", dont_inherit=True)
    exec(code, player.__dict__)


def reply(replies: TextIO, told: dict[str, Any]) -> None:
    """Write a reply."""
    print(json.dumps(told), file=replies, flush=True)


def no_input(*_: object) -> NoReturn:
    """Raise EOFError, as `input` does where nothing is left to read."""
    raise EOFError("there is nobody to answer input()")


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
    """Return how to make an object of a class, all methods, and the boards in a fresh object."""
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
    """Return the sign of each empty square, None if the squares are no board."""
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
        return dict(zip(map(hashable, keys), squares, strict=True))
    return squares


def hashable(value: Any) -> Any:
    """Return a list as a tuple, as JSON has none."""
    return tuple(value) if isinstance(value, list) else value


def read(value: Any, form: Form) -> str | None:
    """Return the nine characters of an object of that form, None if it is none.

    >>> read(["X", *" " * 8], {"kind": "list", "empty": [" "] * 9, "marks": ["X", "O"]})
    'X--------'
    """
    try:
        if form["kind"] == "rows":
            squares = [cell for row in value for cell in row]
        elif form["kind"] == "dict":
            squares = [value[hashable(key)] for key in form["keys"]]
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
        if "own" in request:
            return {"values": own_values(names, request["form"], request["own"])}
        kept = {name: names[name] for name in request["right"]}
        for name, table in request["right"].items():
            names[name] = stand_in(names[name], table, request["form"])
        came = [ask(names, request, board, given) for board, *given in request["asked"]]
        names.update(kept)
        return {"came": came}
    except BaseException as error:
        return {"raised": reason(error)}


def ask(
    names: dict[str, Any], request: dict[str, Any], text: str, given: list[Any]
) -> dict[str, Any]:
    """Call a function on a board; return the value, and the board afterwards."""
    form, (where, *at) = request["form"], request["into"]
    board: Any = make(text, form)
    holder: dict[str, Any] = {"": board}
    value, raised, kept = None, None, {}
    try:
        owner, _, name = request["call"].rpartition(".")
        thing = names[owner](*request["made"]) if owner else None
        call = getattr(thing, name) if owner else names[name]
        if where == "global":
            holder, board = names, put(names.get(at[0]), board)
        elif where == "game":
            thing = names[at[0]]()
        if where in ("attribute", "game"):
            holder = vars(thing)
        if at:
            holder[at[-1]] = board
        for place, variable, mark in request["turns"]:
            (names if place == "global" else holder)[variable] = mark
        board = thing if where == "game" else board
        kept = {**holder} if where in ("attribute", "game") else {}
        value = call(*(board if one == {"is": "board"} else hashable(one) for one in given))
    except BaseException as error:
        raised = reason(error)
    turns = {variable for _, variable, _ in request["turns"]}
    state = [
        f"{name} = {holder.get(name)!r}"
        for name, before in kept.items()
        if isinstance(before, (str, bool, type(None))) and name not in turns
        if holder.get(name) != before and isinstance(holder.get(name), (str, bool, type(None)))
    ]
    return {
        "state": "".join(state[:1]),
        "value": simple(value),
        "shown": one_line(repr(value))[:LONGEST],
        "made": read(value, form),
        "after": read(holder.get(at[-1] if at else ""), form),
        "raised": raised,
    }


def put(held: Any, board: Any) -> Any:
    """Return a board, put into the list or dict that held one: both may have more names."""
    if isinstance(held, list) and isinstance(board, list):
        held[:] = board
        return held
    if isinstance(held, dict):
        held.update(board)
        return held
    return board


def simple(value: Any) -> Any:
    """Return a value as JSON holds one; whatever JSON has no word for, as text."""
    if isinstance(value, dict):
        return {"dict": [[simple(key), simple(one)] for key, one in value.items()][:20]}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [simple(one) for one in value]
    if isinstance(value, (bool, float, str, type(None))):
        return value
    with suppress(TypeError):
        return index(value)
    return {"other": one_line(repr(value))[:LONGEST]}


def stand_in(call: Callable[..., Any], table: Mapping[str, Any], form: Form) -> Callable[..., Any]:
    """Return a function that answers by a table, and asks the file's where the table is silent."""
    marks = dict(zip("XO", form["marks"], strict=True))

    def right(board: Any, *more: Any) -> Any:
        text = read(board, form)
        if text is None or text not in table:
            return call(board, *more)
        answer = table[text]
        if isinstance(answer, list):
            return {CORNERS[square] for square in answer}
        if isinstance(answer, dict):
            made = answer.get(str(CORNERS.index(tuple(more[0]))))
            return make(made, form) if made else call(board, *more)
        return marks.get(answer, answer)

    return right


def own_values(
    names: dict[str, Any], form: Form, boards: list[str]
) -> list[dict[int, float] | None]:
    """Return what a right search over the file's own functions finds each move worth."""
    known: dict[str, float] = {}

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

    found: list[dict[int, float] | None] = []
    for board in boards:
        try:
            found.append({square: value(child) for square, child in below(board)})
        except Exception:
            found.append(None)
    return found


# Words


def reason(error: BaseException) -> str:
    """Return an exception and its place in a line."""
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename != __file__]
    where = [f"(line {frame.lineno} of {os.path.basename(frame.filename)})" for frame in frames]
    what = one_line(f"{type(error).__name__}: {error}")[:LONGEST]
    return " ".join([what, *where[-1:]])


def one_line(text: str) -> str:
    """Return a text in one line, without whatever else would move a terminal."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(mark if mark.isprintable() else "\ufffd" for mark in line)


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
