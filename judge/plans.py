"""A way to ask a Python file for a move: the call, the board, and what the answer means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from math import inf
from operator import index
from types import CodeType
from typing import Any, NamedTuple

from judge.boards import LABELS, Form, Marks, Watch, make, put, read, spelt

Names = dict[str, Any]
KEYS = {"move", "index", "position", "square", "pos", "bestmove", "best", "cell", "spot", "action"}
LARGEST = 1000  # what is no square, though a number that a program may mean
LEAVES = (EOFError, SystemExit)  # a program that asks once more, or ends, has decided
OTHER = {"X": "O", "O": "X"}
CONTRACT = Form()


def turn_of(text: str) -> str:
    """Return the side to move on nine characters."""
    return "X" if text.count("X") == text.count("O") else "O"


def for_both(x: Any, o: Any) -> dict[str, Marks]:
    """Return what stands for X and for O, whoever is to move."""
    return {"X": {"X": x, "O": o}, "O": {"X": x, "O": o}}


class Plan(NamedTuple):
    """Say how to ask: what to call, on which board, with which values, and how to read the answer.

    `marks` holds for each side to move what stands for X and O; `place` says where the board goes:
    nowhere but into the call, or into a variable, `("global", name)` or `("self", name)`; `turns`
    are such variables that hold the side to move; `code` is the call itself, where one was given.
    """

    call: str
    form: Form = CONTRACT
    marks: Mapping[str, Marks] = for_both("X", "O")
    place: tuple[str, ...] = ()
    values: tuple[str, ...] = ("board",)
    turns: tuple[tuple[str, ...], ...] = ()
    sides: tuple[str, ...] = ("X", "O")
    reading: str = "square"
    shown: str = "choose(board)"
    code: CodeType | None = None

    def facts(self) -> dict[str, Any]:
        """Return what a plan is known by outside of the program's process."""
        x, o = self.marks[self.sides[0]].values()
        is_course = self.call == "minimax" and self.form.kind == "rows" and self.reading == "pair"
        return {
            "call": self.call.partition("(")[0],
            "shown": self.shown,
            "kind": self.form.kind,
            "empty": "" if self.form.is_numbered else spelt(self.form.empty[0]),
            "marks": [] if (x, o) == ("X", "O") else [spelt(x), spelt(o)],
            "is_fixed": self.is_fixed,
            "place": self.place,
            "values": self.values,
            "sides": self.sides,
            "reading": self.reading,
            "counts_from_1": self.counts_from_1,
            "is_course": is_course,
        }

    @property
    def is_fixed(self) -> bool:
        """Say whether a mark stands for the same side, whoever is to move."""
        return self.marks["X"] == self.marks["O"]

    @property
    def counts_from_1(self) -> bool:
        """Say whether the answers count squares from 1, though nothing on the board does."""
        is_plain = self.form.kind != "ten" and self.form.empty not in map(tuple, LABELS)
        return self.reading.endswith("from 1") and is_plain


class Came(NamedTuple):
    """Hold what came of a call: the value or what was raised, and the board `after`.

    `first`, `found` and `deep` are what was watched: see Watch.
    """

    value: Any = None
    raised: BaseException | None = None
    after: Any = None
    first: Sequence[Any] = ()
    found: Sequence[Any] = ()
    deep: bool = False


def code_of(call: str) -> CodeType | None:
    """Return the code of a whole call, None of a name alone."""
    return compile(call.strip(), "<call>", "eval") if "(" in call else None


def asked(plan: Plan, names: Names, text: str, folder: str = "", more: Sequence[Any] = ()) -> Came:
    """Call what a plan says on nine characters, with more values, if any.

    What the file in a folder does is watched, if one is named.
    """
    side, marks = turn_of(text), plan.marks[turn_of(text)]
    board: Any = make(text, plan.form, marks)
    thing, holder, raised, value = None, {"": board}, None, None
    at = plan.place[-1] if plan.place else ""
    before = make(text, plan.form, marks) if folder else ()
    watch = Watch(folder, plan.form, before, lambda: holder.get(at))
    try:
        owner, _, name = ("", "", "") if plan.code else plan.call.rpartition(".")
        thing = names[owner]() if owner else None
        if plan.place:
            holder = names if plan.place[0] == "global" else vars(thing)
            put(holder, at, board)
        for where, variable in plan.turns:
            (names if where == "global" else vars(thing))[variable] = marks[side]
        given = {"board": board, "mark": marks[side], "other": marks[OTHER[side]]}
        if folder:
            watch.__enter__()
        if plan.code:
            value = eval(plan.code, names, given)
        else:
            function = getattr(thing, name) if owner else names[name]
            value = function(*(_value(one, text, given) for one in plan.values), *more)
    except BaseException as error:
        raised = error
    finally:
        watch.__exit__()
    return Came(value, raised, holder.get(at), watch.first, watch.found, watch.deep)


def _value(said: str, text: str, given: Mapping[str, Any]) -> Any:
    """Return a value to call with, for how it is said in a plan."""
    others = {
        "letter": turn_of(text),
        "other letter": OTHER[turn_of(text)],
        "true": True,
        "false": False,
        "x to move": turn_of(text) == "X",
        "0": 0,
        "9": 9,
        "empties": text.count("-"),
        "-inf": -inf,
        "inf": inf,
    }
    return given[said] if said in given else others[said]


# Reading an answer


def squares_read(plan: Plan, came: Came, text: str) -> dict[str, int]:
    """Return the square that an answer means in each reading in which it means one."""
    if came.raised and not isinstance(came.raised, LEAVES):
        return {}
    found: dict[str, int] = {}
    for part, value in _parts(came.value):
        for how, square in _squares(value, plan.form):
            found[f"{part} {how}".strip()] = square
    marks = plan.marks[turn_of(text)]
    for how, board in (("made", came.value), ("placed", came.after)):
        after = read(board, plan.form, marks)
        put_on = [n for n in range(9) if after and after[n] != text[n]]
        if after and len(put_on) == 1 and after[put_on[0]] == turn_of(text):
            found[how] = put_on[0]
    return found


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of an answer that may say the square, each with a name for the part."""
    yield "", value
    held = value if isinstance(value, dict) else getattr(value, "__dict__", {})
    held = {} if isinstance(value, (type, Enum)) else held
    fields = {str(name).replace("_", "").lower(): one for name, one in held.items()}
    for row, column in (("row", "col"), ("row", "column"), ("r", "c"), ("i", "j")):
        if {row, column} <= {*fields}:
            yield "in fields", (fields[row], fields[column])
    yield from (("in fields", fields[name]) for name in fields if name in KEYS)
    if isinstance(value, (list, tuple)) and len(value) in (2, 3):
        yield "first", value[0]
        if len(value) == 2:
            yield "second", value[1]
        else:
            yield "first two", value[:2]
            yield "last two", value[1:]


def _squares(value: Any, form: Form) -> Iterator[tuple[str, int]]:
    """Yield the square of a value in each way to read it, legal or not."""
    if form.kind == "dict":
        with suppress(TypeError, ValueError):
            yield "key", form.keys.index(value)
    elif isinstance(value, (list, tuple)) and len(value) == 2:
        if all(_is_whole(n) for n in value):
            row, column = value
            for how, first in (("pair", 0), ("pair from 1", 1)):
                if 0 <= row - first < 3 and 0 <= column - first < 3:
                    yield how, 3 * (row - first) + column - first
    elif _is_whole(value):
        yield "square", int(value)
        yield "square from 1", int(value) - 1
    elif isinstance(value, str) and value in map(str, form.empty) and form.is_numbered:
        yield "label", [*map(str, form.empty)].index(value)


def _is_whole(value: Any) -> bool:
    """Say whether a value is a number that may be a square, or nearly so."""
    is_number = hasattr(value, "__index__") and not isinstance(value, bool)
    return is_number and -LARGEST < index(value) < LARGEST


# Trying a plan


class Trial(NamedTuple):
    """Hold what came of a plan on one board: see Came; `squares` by reading, `raised` in words."""

    text: str
    squares: Mapping[str, int]
    shown: str
    raised: str
    first: Sequence[Any]
    found: Sequence[Any]
    deep: bool
    is_none: bool


Trials = Sequence[Trial]


def legal_readings(trials: Trials, sides: Sequence[str], least: float) -> list[str]:
    """Return the readings in which each answer of these sides is legal, or `least` of them.

    Below 1, an answer may be missing, though never be illegal.
    """
    of = [one for one in trials if turn_of(one.text) in sides]
    said = [one for one in of if not (one.is_none and least < 1)]
    readings = dict.fromkeys(reading for one in said for reading in one.squares)
    return [
        reading
        for reading in readings
        if len(said) >= max(1, least * len(of))
        and all(one.text[n] == "-" for one in said if (n := _square(one, reading)) is not None)
        and all(_square(one, reading) is not None for one in said)
    ]


def _square(trial: Trial, reading: str) -> int | None:
    square = trial.squares.get(reading)
    return square if square is not None and 0 <= square < 9 else None


def distinct(values: Sequence[Any]) -> list[Any]:
    """Return each of these values once: they may be of any kind."""
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def is_letter(mark: Any) -> bool:
    """Say whether a mark is an X or an O, so that the side is known."""
    return letter_of(mark) in OTHER


def letter_of(mark: Any) -> str:
    """Return the letter of a mark: of a member of an enumeration, that of its name."""
    return mark.name.upper() if isinstance(mark, Enum) else str(mark).upper()


def settled(plan: Plan, trials: Trials) -> Plan | None:
    """Return a plan with the marks and sides that were seen; None if they contradict the plan.

    A search first tries a mark of the side that it plays for. Where the first mark is the same
    whoever is to move, the program plays that mark only, or, where marks are no letters, is handed
    boards on which its own mark is that of the side to move.
    """
    firsts = {
        side: distinct([one.first[0] for one in trials if one.first and turn_of(one.text) == side])
        for side in OTHER
    }
    found = distinct([mark for one in trials for mark in one.found])
    pair = plan.marks["X"]
    if any(mark not in [*pair.values()] for mark in found):
        if len(found) != 2 or any(mark in plan.form.empty for mark in found):
            return None
        by_side = [firsts[side][0] if len(firsts[side]) == 1 else None for side in "XO"]
        x, o = by_side if None not in by_side and by_side[0] != by_side[1] else found
        x, o = (o, x) if letter_of(x) == "O" or letter_of(o) == "X" else (x, o)
        return plan._replace(marks=for_both(x, o))
    if any(len(of) > 1 for of in firsts.values()):
        return None if any(one.deep for one in trials) else plan
    own = {side: of[0] for side, of in firsts.items() if of}
    if own.get("X") == own.get("O") and own:
        return _of_one_mark(plan, own["X"])
    is_right = all(plan.marks[side][side] == mark for side, mark in own.items())
    if is_right or not any(one.deep for one in trials):
        return plan
    if len(own) < 2 or is_letter(own["X"]) or not plan.is_fixed:
        return None
    return plan._replace(marks=for_both(own["X"], own["O"]))


def _of_one_mark(plan: Plan, mark: Any) -> Plan | None:
    """Return a plan for a program that plays one mark, whoever is to move."""
    if not plan.is_fixed:
        return plan if mark == plan.marks["X"]["X"] else None
    pair = [*plan.marks["X"].values()]
    [other] = [one for one in pair if one != mark][:1] or [mark]
    if is_letter(mark) and is_letter(other):
        side = letter_of(mark)
        return plan._replace(sides=(side,)) if plan.marks[side][side] == mark else None
    by_role = {"X": {"X": mark, "O": other}, "O": {"X": other, "O": mark}}
    return plan._replace(marks=by_role)
