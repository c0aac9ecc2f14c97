"""What a program raises and returns, as single lines of text."""

from __future__ import annotations

import ast
import os
from contextlib import suppress
from itertools import islice
from operator import index
from typing import Any

Fact = tuple[Any, ...]  # a name that words.py has a text for, and its values
MAX_LENGTH = 200  # characters of a line
MAX_DEPTH = 4  # of lists in lists
MAX_ITEMS = 40  # of a list
MAX_INTEGER = 1 << 62  # an integer this large is shown as text
JUDGE_FOLDER = os.path.dirname(os.path.abspath(__file__))


def one_line(text: str) -> str:
    """Return a text as one line; a character that cannot be printed becomes U+FFFD.

    >>> one_line("a\\tb\\x1b[2J")
    'a b\ufffd[2J'
    """
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else "\ufffd" for char in line)


def describe_error(error: BaseException) -> str:
    """Return an exception, and where the program raised it, as one line."""
    places = [
        f"(line {line} of {os.path.basename(path)})"
        for path, line in traceback_lines(error)
        if os.path.dirname(path) != JUDGE_FOLDER and path != ast.__file__  # which parses the file
    ]
    text = ""
    with suppress(BaseException):  # str() of a program's own exception may also fail
        text = str(error)
    description = one_line(f"{type(error).__name__}: {text}")[:MAX_LENGTH]
    return " ".join([description, *places[-1:]])


def traceback_lines(error: BaseException) -> list[tuple[str, int]]:
    """Return the file and the line of each call that an exception passed through.

    No file is opened, because the program may have replaced its own file with a pipe.
    """
    places = []
    entry = error.__traceback__
    while entry:  # as traceback.walk_tb does; importing that takes a child process 3 ms
        places.append((entry.tb_frame.f_code.co_filename, entry.tb_lineno))
        entry = entry.tb_next
    return places


def short_repr(value: Any) -> str:
    """Return the repr of a value as one line, cut short, or a text with its type if repr fails."""
    with suppress(BaseException):
        return one_line(repr(value)[: 2 * MAX_LENGTH])[:MAX_LENGTH]
    return f"a value of type {type(value).__name__} that cannot be written"


def to_json_value(value: Any, depth: int = 0) -> Any:
    """Return a value that JSON can hold, cut short; for any other value, {"other": text}."""
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, str):
        return value[:MAX_LENGTH]
    if isinstance(value, (list, tuple, set, frozenset)):
        if depth < MAX_DEPTH:
            return [to_json_value(item, depth + 1) for item in islice(value, MAX_ITEMS)]
        return {"other": short_repr(value)}
    with suppress(Exception):
        number = index(value)
        return number if -MAX_INTEGER < number < MAX_INTEGER else {"other": short_repr(value)}
    return {"other": short_repr(value)}
