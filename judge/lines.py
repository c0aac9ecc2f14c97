"""What a program raises and returns, each as a line, whatever it is."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from contextlib import suppress
from operator import index
from traceback import walk_tb
from typing import Any

Fact = tuple[Any, ...]  # a name that words.py has words for, and values
LONGEST = 200  # characters of a line
DEEPEST, MANY, LARGEST = 4, 40, 1 << 62  # of lists in lists, of things in a list, of numbers
HERE = os.path.dirname(os.path.abspath(__file__))


def one_line(text: str) -> str:
    """Return a text in one line, without whatever else would move a terminal.

    >>> one_line("a\\tb\\x1b[2J")
    'a b\ufffd[2J'
    """
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(mark if mark.isprintable() else "\ufffd" for mark in line)


def reason(error: BaseException) -> str:
    """Return an exception and its place in a line."""
    where = [
        f"(line {line} of {os.path.basename(path)})"
        for path, line in places(error)
        if os.path.dirname(path) != HERE and path != ast.__file__
    ]
    text = ""
    with suppress(BaseException):  # what an exception says of itself may fail, too
        text = str(error)
    return " ".join([one_line(f"{type(error).__name__}: {text}")[:LONGEST], *where[-1:]])


def places(error: BaseException) -> list[tuple[str, int]]:
    """Return the file and the line of each call that an exception came through.

    No file is read for that: by now it may be a pipe.
    """
    frames = walk_tb(error.__traceback__)
    return [(frame.f_code.co_filename, line) for frame, line in frames]


def shown(value: Any) -> str:
    """Return a value as it is written, in a line; of a value that cannot be written, the kind."""
    with suppress(BaseException):
        return one_line(repr(value)[: 2 * LONGEST])[:LONGEST]
    return f"a value of type {type(value).__name__} that cannot be written"


def simple(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON holds one, cut short; whatever JSON has no word for, as text."""
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, str):
        return value[:LONGEST]
    with suppress(Exception):
        number = index(value)
        return number if -LARGEST < number < LARGEST else {"other": shown(value)}
    if isinstance(value, (list, tuple, set, frozenset)) and depth < DEEPEST:
        return [simple(one, depth + 1) for one in _first(value)]
    return {"other": shown(value)}


def _first(values: Any) -> Iterator[Any]:
    return (one for _, one in zip(range(MANY), values, strict=False))
