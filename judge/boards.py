"""Boards as programs hold them: recognised, made, read, and watched for the marks put on them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from types import CodeType, FrameType
from typing import Any, NamedTuple

SCALARS = (str, int, float, type(None), Enum)
LETTERS = {"X", "O", "x", "o"}
LABELS = [[*range(9)], [*range(1, 10)], [*"012345678"], [*"123456789"]]
KINDS = ("text", "list", "tuple", "rows", "ten", "dict")

ENOUGH = 4000  # calls watched

Marks = Mapping[str, Any]  # what stands for X and for O


class Form(NamedTuple):
    """Say how a board looks: its kind, what stands on each empty square, and the keys of a dict."""

    kind: str = "text"
    empty: tuple[Any, ...] = ("-",) * 9
    keys: tuple[Any, ...] = ()

    @property
    def is_numbered(self) -> bool:
        """Say whether each empty square holds a sign of its own."""
        return bool(self.empty[0] != self.empty[1])


def spelt(value: Any) -> str:
    """Return a mark as a file writes it.

    >>> spelt(" ")
    "' '"
    """
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)


def form_of(value: Any) -> Form | None:
    """Return the form of a board that may have marks on it, None if the value is no board.

    >>> form_of([[None] * 3] * 3).kind
    'rows'
    """
    for kind in KINDS:
        squares = squares_of(value, kind)
        are_plain = squares and all(isinstance(square, SCALARS) for square in squares)
        if are_plain and squares and (empty := _empties(squares)):
            keys = tuple(value) if kind == "dict" else tuple(value[:1]) if kind == "ten" else ()
            return Form(kind, tuple(empty), keys)
    return None


def squares_of(value: Any, kind: str) -> list[Any] | None:
    """Return what stands on the nine squares of a board of that kind, None if there are no nine."""
    named = type(value).__name__
    if kind == "rows" and isinstance(value, (list, tuple)) and len(value) == 3:
        is_square = all(isinstance(row, list) and len(row) == 3 for row in value)
        return [cell for row in value for cell in row] if is_square else None
    if kind == "dict" and isinstance(value, dict) and len(value) >= 9:
        return [*value.values()][:9] if len(value) == 9 else None
    if kind == "ten" and isinstance(value, list) and len(value) == 10:
        return value[1:]
    if named == kind.replace("text", "str") and kind in ("text", "list", "tuple"):
        return [*value] if len(value) == 9 else None
    return None


def _empties(squares: Sequence[Any]) -> Sequence[Any] | None:
    """Return the sign of each empty square, None if the squares are no board."""
    left = [square for square in squares if square not in LETTERS]
    for labels in LABELS:
        pairs = zip(squares, labels, strict=True)
        if len(left) > 1 and all(one in LETTERS or _same(one, label) for one, label in pairs):
            return labels
    return [left[0]] * 9 if left and all(_same(one, left[0]) for one in left) else None


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def make(text: str, form: Form, marks: Marks) -> Any:
    """Return nine characters as a board of that form.

    >>> make("X--------", Form("rows", (0,) * 9), {"X": 1, "O": -1})
    [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    """
    squares = [marks.get(one, empty) for one, empty in zip(text, form.empty, strict=True)]
    if form.kind == "text":
        return "".join(squares)
    if form.kind == "rows":
        return [squares[start : start + 3] for start in (0, 3, 6)]
    if form.kind == "dict":
        return dict(zip(form.keys, squares, strict=True))
    if form.kind == "tuple":
        return tuple(squares)
    return [*form.keys, *squares]


def read(value: Any, form: Form, marks: Marks) -> str | None:
    """Return the nine characters of a board of that form, None if the value is none.

    >>> read(["X", *" " * 8], Form("list", (" ",) * 9), {"X": "X", "O": "O"})
    'X--------'
    """
    squares = squares_of(value, form.kind)
    if squares is None:
        return None
    found = ""
    for square, empty in zip(squares, form.empty, strict=True):
        signs = (*marks.items(), ("-", empty))
        found += next((sign for sign, mark in signs if _equal(square, mark)), "?")
    return None if "?" in found else found


def _equal(one: Any, other: Any) -> bool:
    with suppress(Exception):
        return bool(one == other)
    return False


def put(holder: dict[str, Any], name: str, board: Any) -> None:
    """Put a board where a program holds one: into the same list or dict, as others may know it."""
    held = holder.get(name)
    if isinstance(held, list) and isinstance(board, list):
        held[:] = board
    elif isinstance(held, dict):
        held.update(board)
    else:
        holder[name] = board


class Watch:
    """Note the marks that a program puts on a board while it is asked.

    Looked at are the board itself and all that the program's functions are given and hold, as each
    begins and ends: a program hands its boards to its functions, whatever kind of copy they are.
    `first` is the first mark put on an empty square, `found` all of them; `deep` says that two were
    put at once, as by a search.
    """

    def __init__(self, folder: str, form: Form, board: Any, held: Callable[[], Any]) -> None:
        self._folder, self._form, self._held = folder, form, held
        self._squares = squares_of(board, form.kind) or []
        self._own: dict[CodeType, bool] = {}
        self._looks = 0
        self.first: list[Any] = []
        self.found: list[Any] = []
        self.deep = False

    def __enter__(self) -> Watch:
        sys.setprofile(self._look)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _look(self, frame: FrameType, event: str, _: object) -> None:
        self._looks += 1
        if self._looks > ENOUGH or (self.deep and len(self.found) > 1):
            sys.setprofile(None)  # both marks are known, or this is no search
        if event not in ("call", "return") or not self._is_own(frame.f_code):
            return
        for value in (self._held(), *frame.f_locals.values()):
            squares = squares_of(value, self._form.kind)
            if squares is not None:
                self._note(squares)

    def _is_own(self, code: CodeType) -> bool:
        if code not in self._own:
            self._own[code] = os.path.dirname(os.path.abspath(code.co_filename)) == self._folder
        return self._own[code]

    def _note(self, squares: Sequence[Any]) -> None:
        """Note the marks that these squares have beside those of the board asked about."""
        new = []
        for now, before, empty in zip(squares, self._squares, self._form.empty, strict=True):
            if not _equal(now, before):
                if not _equal(before, empty):
                    return  # a mark is gone: another board
                new.append(now)
        if len(new) == 1 and not self.first:
            self.first = new
        self.deep |= len(new) > 1
        self.found += [one for one in new if not any(_equal(one, known) for known in self.found)]
