"""Boards as programs represent them, and a watch on the marks that programs put on them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import index
from types import CodeType, FrameType
from typing import Any, NamedTuple

OTHER = {"X": "O", "O": "X"}
MAX_EVENTS = 4000  # profiler events watched during one answer
FIELD_LIMIT = 20  # an object with this many fields or more is not searched for boards
SQUARE_NUMBER_LIMIT = 1000  # a number this large, or larger, is not meant as a square


class Marks(NamedTuple):
    """The values that a program's boards hold for X, O and empty."""

    x: Any = "X"
    o: Any = "O"
    empty: Any = "-"
    are_likely: bool = True  # False if the file holds other values for X and O, but not these

    def value_of(self, character: str) -> Any:
        """Return the value that stands for `X`, `O` or `-` on the program's boards."""
        return {"X": self.x, "O": self.o}.get(character, self.empty)


def turn_of(text: str) -> str:
    """Return the side to move on a board of nine characters."""
    return "X" if text.count("X") == text.count("O") else "O"


def call_values(text: str, marks: Marks) -> dict[str, Any]:
    """Return the values that a call expression can use, for one board.

    >>> call_values("X---O----", Marks(1, -1, 0))["rows"]
    [[1, 0, 0], [0, -1, 0], [0, 0, 0]]
    """
    value_by_character = {"X": marks.x, "O": marks.o, "-": marks.empty}
    board = [value_by_character[character] for character in text]
    side = turn_of(text)
    return {
        "board": board,
        "rows": [board[start : start + 3] for start in (0, 3, 6)],
        "text": text,
        "mark": value_by_character[side],
        "other": value_by_character[OTHER[side]],
    }


def square_values(value: Any) -> list[Any] | None:
    """Return what the nine squares of a board hold, or None if the value is not a board.

    A board is a list, tuple, string or dictionary of nine, three rows of three, or a list of ten,
    whose first item is ignored.
    """
    with suppress(Exception):  # a program's own sequence type may raise
        if isinstance(value, dict) and len(value) == 9:
            return [*value.values()]
        if isinstance(value, list) and len(value) == 10:
            return value[1:]
        if isinstance(value, (list, tuple)) and len(value) == 3:
            is_board = all(isinstance(row, (list, tuple)) and len(row) == 3 for row in value)
            return [item for row in value for item in row] if is_board else None
        if isinstance(value, (list, tuple, str)) and len(value) == 9:
            return [*value]
    return None


def read_board(value: Any, marks: Marks) -> str | None:
    """Return the nine characters of a board, or None if it is not a board with these marks.

    >>> read_board(["X", *" " * 8], Marks(empty=" "))
    'X--------'
    """
    # Most squares hold the very object that is the mark, so no values need to be compared.
    character_by_id = {id(marks.empty): "-", id(marks.o): "O", id(marks.x): "X"}
    text = ""
    for item in square_values(value) or ():
        character = character_by_id.get(id(item)) or _equal_mark(item, marks)
        if not character:
            return None
        text += character
    return text or None


def _equal_mark(value: Any, marks: Marks) -> str | None:
    """Return the character of the mark that a value is equal to, or None if there is none."""
    characters = (("X", marks.x), ("O", marks.o), ("-", marks.empty))
    return next((character for character, mark in characters if is_same(value, mark)), None)


def is_same(value: Any, other: Any) -> bool:
    """Return whether two values are equal and of the same type: `True` is not the mark `1`."""
    if type(value) is type(other):
        with suppress(Exception):
            return bool(value == other)
    return False


def square_of(
    value: Any, text: str, marks: Marks, allows_pairs: bool, allows_numbers: bool = True
) -> int | None:
    """Return the square that an answer means, legal or not, or None if it does not mean one.

    An answer is a number or a (row, column), if these are allowed, or the board after the move.

    >>> square_of((1, 2), "---------", Marks(), True)
    5
    """
    if is_small_integer(value):
        return index(value) if allows_numbers else None
    if allows_pairs and is_pair(value):
        row, column = value
        return 3 * row + column if 0 <= row < 3 and 0 <= column < 3 else None
    board_after = read_board(value, marks) or text
    changed_squares = [n for n in range(9) if board_after[n] != text[n]]
    if len(changed_squares) != 1:
        return None
    [square] = changed_squares
    return square if text[square] == "-" and board_after[square] == turn_of(text) else None


def is_pair(value: Any) -> bool:
    """Return whether a value is a list or tuple of two integers."""
    has_two_items = isinstance(value, (list, tuple)) and len(value) == 2
    return has_two_items and all(map(is_small_integer, value))


def is_small_integer(value: Any) -> bool:
    """Return whether a value is an integer small enough to be meant as a square."""
    with suppress(Exception):
        is_number = hasattr(value, "__index__") and not isinstance(value, bool)
        return is_number and -SQUARE_NUMBER_LIMIT < index(value) < SQUARE_NUMBER_LIMIT
    return False


class Watch:
    """A watch on the marks that a program puts on its boards while it answers.

    It inspects the local variables of the program's own functions at each call and return: a
    search passes its boards to its functions, even if it copies them.
    """

    def __init__(
        self, folder: str, text: str, marks: Marks, namespaces: Sequence[Mapping[str, Any]]
    ) -> None:
        """Prepare to watch an answer about the board `text`.

        The watch inspects the functions whose files are in `folder`, and the values in
        `namespaces`: the file's global variables and the boards it is given.
        """
        self._folder, self._text, self._marks = folder, text, marks
        self._namespaces = namespaces
        self._is_own_code: dict[CodeType, bool] = {}  # a cache for `_is_own`
        self._event_count = 0
        self.first_mark: Any = None  # the first mark put on an empty square
        self.new_marks: list[Any] = []  # all marks put on empty squares, each once
        self.has_searched = False  # whether a board had two new marks at once, as in a search

    def __enter__(self) -> Watch:
        sys.setprofile(self._inspect)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _inspect(self, frame: FrameType, event: str, _: object) -> None:
        """Record the new marks at a profiler event, if it is a call or a return of own code."""
        self._event_count += 1
        if self._event_count > MAX_EVENTS or (self.has_searched and len(self.new_marks) > 1):
            sys.setprofile(None)  # both marks are known, or there were too many events
        if event not in ("call", "return") or not self._is_own(frame.f_code):
            return
        for namespace in (*self._namespaces, frame.f_locals):
            for board in _boards_among([*namespace.values()]):
                self._record(board)

    def _is_own(self, code: CodeType) -> bool:
        """Return whether code is the program's own, not of a library."""
        if code not in self._is_own_code:
            self._is_own_code[code] = os.path.abspath(code.co_filename).startswith(self._folder)
        return self._is_own_code[code]

    def _record(self, board: Sequence[Any]) -> None:
        """Record the marks that a board has in addition to those of the board asked about."""
        if board == [*self._text]:
            return  # the characters of the given text, whatever the marks are
        added = []
        for n, (value, character) in enumerate(zip(board, self._text, strict=True)):
            if character != "-":
                if not is_same(value, self._marks.value_of(character)):
                    return  # a mark is missing, so this is another board
            elif self._is_mark(n, value):
                added.append(value)
        if len(added) == 1 and not self.new_marks:
            self.first_mark = added[0]
        self.has_searched |= len(added) > 1
        self.new_marks += [
            mark for mark in added if not any(is_same(mark, known) for known in self.new_marks)
        ]

    def _is_mark(self, n: int, value: Any) -> bool:
        """Return whether a value on square n is a mark: neither empty nor the number of the square.

        The number may count from 0 or 1, and may be a string.
        """
        if any(is_same(value, mark) for mark in (self._marks.x, self._marks.o)):
            return True
        free_values = self._marks.empty, n, n + 1, f"{n}", f"{n + 1}"
        return not any(is_same(value, free_value) for free_value in free_values)


def _boards_among(values: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield the boards among values and among the fields of these values."""
    for value in values:
        fields = getattr(value, "__dict__", None)
        field_values: list[Any] = []
        if isinstance(fields, dict) and len(fields) < FIELD_LIMIT:
            field_values = [*fields.values()]
        yield from filter(None, map(square_values, (value, *field_values)))
