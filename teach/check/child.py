"""The far end of a Python program: load a file, then answer each board by `choose`.

`teach.check` starts this as a process. After a line `ready` each answer is a line: a number,
`illegal` and the value returned, or `errors` and the reason.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from operator import index
from traceback import extract_tb
from types import ModuleType
from typing import Any, TextIO

LONGEST = 200  # characters told of an answer
NAME = "judged program"  # which no file can import, as it could its own
NO_CHOOSE = "it has no function choose(board)"


def main(path: str, boards: TextIO, answers: TextIO) -> None:
    """Write `ready` or why not, then an answer to each line of `boards`."""
    try:
        choose = load(path)
        print("ready" if choose else NO_CHOOSE, file=answers, flush=True)
    except BaseException as error:  # a program may exit, too
        print(reason(error), file=answers, flush=True)
        return
    if choose:
        for board in boards:
            print(answer(choose, board.strip()), file=answers, flush=True)


def load(path: str) -> Callable[[str], Any] | None:
    """Return `choose` of a Python file, None if it has none. Raises whatever the file raises."""
    sys.path[0], sys.argv = os.path.dirname(os.path.abspath(path)), [path]
    player = sys.modules[NAME] = ModuleType(NAME)
    player.__file__ = os.path.abspath(path)
    with open(path, "rb") as file:
        exec(compile(file.read(), path, "exec", dont_inherit=True), player.__dict__)
    choose = getattr(player, "choose", None)
    return choose if callable(choose) else None


def answer(choose: Callable[[str], Any], board: str) -> str:
    """Return the line for the answer of `choose` to a board."""
    try:
        chosen = choose(board)
        is_number = hasattr(chosen, "__index__") and not isinstance(chosen, bool)
        return str(index(chosen)) if is_number else f"illegal {no_number(chosen)}"
    except BaseException as error:
        return f"errors {reason(error)}"


def no_number(chosen: Any) -> str:
    """Return what is wrong with an answer that is no number, in a line.

    >>> no_number((0, 2))
    '(0, 2): return one number, 3 × row + column'
    """
    shown = one_line(repr(chosen))[:LONGEST]
    if chosen is None:
        return "choose returned nothing (None): does no move beat the best it starts with?"
    if isinstance(chosen, str):
        return f"{shown} is text: return the number"
    if isinstance(chosen, float):
        return f"{shown} is a float: return int({shown})"
    if isinstance(chosen, (tuple, list)):
        return f"{shown}: return one number, 3 × row + column"
    return f"{shown} is no number from 0 to 8"


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
    # A program may print and read, but no answer and no board. Both pipes therefore move to new
    # numbers; 0 becomes an empty input, and 1 the error output.
    pipes = (
        os.fdopen(os.dup(0)),
        os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace"),
    )
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    main(sys.argv[1], *pipes)
