"""The far end of a Python program: load a file, say what is in the file, then call what is asked.

`judge` starts this as a process. Requests and replies are JSON, a line each; the first reply
tells what the file holds. Nothing here knows the rules of the game: the checker does.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import os
import random
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from ctypes import CDLL
from enum import Enum
from io import StringIO
from operator import index
from traceback import extract_tb
from types import ModuleType
from typing import Any, NoReturn, TextIO

LONGEST = 200  # characters told of an answer
AFRESH = 77  # the code with which a copy of this process ends where another is to follow
PR_SET_PDEATHSIG = 1
LIBC = CDLL(None) if sys.platform == "linux" else None
NAME = "judged program"  # no file can import the name
CORNERS = [(row, column) for row in range(3) for column in range(3)]
SCALARS = (str, int, float, type(None), Enum)
MARKS = {"X", "O", "x", "o"}
BEGINS = {"initial", "init", "create", "new", "make", "empty", "start", "starting", "fresh"}
BEGUN = {"board", "state", "grid"}
DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign,
           ast.Try)  # fmt: skip

Form = dict[str, Any]


def main(path: str, seed: int, requests: TextIO, replies: TextIO, how: str, *said: str) -> None:
    """Load a file, write its contents, then a reply to each request.

    `how` is "loads", "defines" for the definitions alone, or "plays", where the file is to go on
    after its first questions, which are answered by what is `said`.
    """
    told: dict[str, Any] = {}
    player = ModuleType("__main__" if how == "plays" else NAME)
    unsaid = [*said]
    playing: dict[str, Any] = {}

    def asked(*_: object) -> str:
        """Answer from where the file asks its user: whatever came before is defined."""
        lines = [at.lineno for at in inspect.stack(0) if at.filename == player.__file__]
        told["asks"] = lines[-1] if lines else 0
        if unsaid:
            return unsaid.pop(0)
        held = boards(player)
        if playing:
            played(held)
        told["boards"] = {name: [form_of(one), is_marked(one)] for name, one in held.items()}
        playing.update(serve(vars(player), path, told, requests, replies))
        unsaid[:] = playing["says"]
        if not unsaid:  # the program has moved first
            played(held)
        put(held, playing["name"], make(playing["board"], playing["form"]))
        playing["held"] = held[playing["name"]]
        return unsaid.pop(0)

    def played(held: dict[str, Any]) -> NoReturn:
        """Tell what has become of a board, and end: the next one begins with the first question."""
        board = held.get(playing["name"], playing.get("held"))
        came = {"state": "", "value": None, "shown": "", "made": None}
        came |= {"after": read(board, playing["form"]), "raised": told.get("stopped")}
        reply(replies, {"came": [came]})
        os._exit(AFRESH)

    random.seed(seed)
    time.sleep = lambda _: None  # a program that seems to think need not
    sys.path[0], sys.argv = os.path.dirname(os.path.abspath(path)), [path]
    sys.modules[player.__name__], player.__file__ = player, os.path.abspath(path)
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read(), path)
    except (OSError, SyntaxError, ValueError) as error:
        reply(replies, {"cannot": reason(error), "no_python": isinstance(error, SyntaxError)})
        return
    builtins.input, sys.stdin = asked, Asking(asked)
    if how != "defines":
        try:
            run(tree, player)
        except BaseException as error:  # a program may exit, too
            told["stopped"] = reason(error)
        if playing:
            played({})
    if how == "defines" or "stopped" in told:
        builtins.input = no_input
        for node in tree.body:
            if isinstance(node, DEFINES):
                with suppress(BaseException):
                    run(ast.Module([node], []), player)
    serve(vars(player), path, told, requests, replies)


def serve(
    names: dict[str, Any], path: str, told: dict[str, Any], requests: TextIO, replies: TextIO
) -> dict[str, Any]:
    """Tell what is loaded, and answer requests; return the one that is to be played.

    Copies of this process answer, one after the other, each beginning with the file as it is now.
    """
    reply(replies, told | shape(names, path))
    checked, here = (builtins.input, sys.stdin), os.getpid()
    while copy := os.fork():
        ended = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
        if ended != AFRESH:
            os.kill(here, max(0, -ended))  # by the signal that ended the copy; 0 sends none
            os._exit(ended)
    end_with(here)
    builtins.input, sys.stdin = no_input, StringIO()
    for line in requests:
        request = json.loads(line)
        if not request:
            reply(replies, {})
            os._exit(AFRESH)
        if "says" in request:
            builtins.input, sys.stdin = checked
            return dict(meant(request, names))
        reply(replies, answered(names, request))
    os._exit(0)  # whatever the file would do after its first question


def end_with(parent: int) -> None:
    """End this process as soon as its parent has ended, however that comes, where Linux runs."""
    if LIBC:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # which has ended meanwhile
            os._exit(1)


class Asking(StringIO):
    """Tell when a program reads from its user."""

    def __init__(self, asked: Callable[[], str]) -> None:
        super().__init__()
        self.read = self.readline = self.__next__ = lambda *_: f"{asked()}\n"  # type: ignore


def boards(player: ModuleType) -> dict[str, Any]:
    """Return the boards that a file holds where it asks, in a function or an object, by name."""
    found: dict[str, Any] = {}
    for at in inspect.stack(0):
        if at.filename == player.__file__:
            held = dict(at.frame.f_locals)
            for name, value in at.frame.f_locals.items():
                if type(value).__module__ == player.__name__ and hasattr(value, "__dict__"):
                    held |= {f"{name}.{part}": one for part, one in vars(value).items()}
            found = held | found
    return {
        name: value
        for name, value in found.items()
        if isinstance(value, (list, dict)) and form_of(value)
    }


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
    functions, classes, forms = {}, {}, {}
    constants: dict[str, Any] = {}
    for name, value in names.items():
        if name.startswith("_"):
            continue
        if isinstance(value, type):
            if own(value, here) and issubclass(value, Enum):
                constants |= {member.name: coded(member) for member in value}
            elif own(value, here):
                classes[name] = of_class(value, here)
        elif callable(value):
            if own(value, here) or name == "choose":
                functions[name] = parameters(value)
                said = {*words(name)}
                begins = said & BEGINS and said & BEGUN
                if begins and not any(must for _, must in functions[name]):
                    with suppress(BaseException):
                        forms[f"{name}()"] = form_of(value())
        elif isinstance(value, SCALARS):
            constants[name] = coded(value)
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
    made, held = parameters(kind), {**vars(kind)}
    if not any(must for _, must in made):
        with suppress(BaseException):
            held |= vars(kind())
    held = {name: value for name, value in held.items() if not name.startswith("__")}
    forms = {name: form_of(value) for name, value in held.items()}
    return {
        "made": made,
        "methods": methods,
        "constants": {n: coded(value) for n, value in held.items() if isinstance(value, SCALARS)},
        "forms": {name: form for name, form in forms.items() if form},
    }


def plain(name: str) -> str:
    """Return a name in small letters, without underscores."""
    return name.replace("_", "").lower()


def words(name: str) -> list[str]:
    """Return the words a name is made of.

    >>> words("getAIMove"), words("best_move")
    (['get', 'ai', 'move'], ['best', 'move'])
    """
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+", name)
    return [part.lower() for part in parts]


def coded(value: Any) -> Any:
    """Return a mark as JSON holds one: a member of an enumeration by name, such as `=Mark.X`."""
    return f"={type(value).__name__}.{value.name}" if isinstance(value, Enum) else value


def meant(coded: Any, names: dict[str, Any]) -> Any:
    """Return what was coded, in a list or a dict, too."""
    if isinstance(coded, list):
        return [meant(one, names) for one in coded]
    if isinstance(coded, dict):
        return {key: meant(one, names) for key, one in coded.items()}
    if isinstance(coded, str) and coded[:1] == "=" and "." in coded:
        kind, _, member = coded[1:].partition(".")
        return names[kind][member]
    return coded


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
    coded_keys, coded_empty = [[*map(coded, of)] for of in (keys, empty or ())]
    return {"kind": kind, "empty": coded_empty, "keys": coded_keys} if empty else None


def is_marked(board: Any) -> bool:
    """Say whether there is a mark on a board."""
    return any(mark in repr(board) for mark in map(repr, MARKS))


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
        request = meant(request, names)
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
    value, raised, kept, thing = None, None, {}, None
    try:
        owner, _, name = request["call"].rpartition(".")
        if where == "game":
            board = names[at[0]]()
            holder = vars(board)
        elif where == "global":
            holder = names
        made, given = (
            [board if one == {"is": "board"} else hashable(one) for one in values]
            for values in (request["made"], given)
        )
        if where in ("game", "global"):
            put(holder, at[-1], make(text, form))
        if owner:
            thing = names[owner](*made)
        if where == "attribute":
            holder = vars(thing)
            put(holder, at[-1], board)
        for place, variable, mark in request["turns"]:
            (names if place == "global" else holder)[variable] = mark
        kept = {**holder} if where in ("attribute", "game") else {}
        value = (getattr(thing, name) if owner else names[name])(*given)
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


def put(holder: dict[str, Any], name: str, board: Any) -> None:
    """Put a board where one was held: into the same list or dict, which may have more names."""
    held = holder.get(name)
    if isinstance(held, list) and isinstance(board, list):
        held[:] = board
    elif isinstance(held, dict):
        held.update(board)
    else:
        holder[name] = board


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
    held = vars(value) if hasattr(value, "__dict__") and not isinstance(value, type) else {}
    fields = [[name, one] for name, one in held.items() if isinstance(one, (*SCALARS, list, tuple))]
    return {"other": one_line(repr(value))[:LONGEST], "dict": simple(fields)}


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
    ours = (__file__, ast.__file__)
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename not in ours]
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
    main(sys.argv[1], int(sys.argv[2]), *pipes, *sys.argv[3:])
