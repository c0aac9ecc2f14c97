"""How a Python file can be asked for a move: guessed from its names, then tried."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from engine.position import OTHER, IllegalMoveError, Mark, O, Position, Square, X
from teach.check.child import Form, plain

Shape = Mapping[str, Any]

BOARD = {"is": "board"}  # where the far end puts the board
SEVEN = ("player", "actions", "result", "winner", "terminal", "utility", "minimax")
CONTRACT: Form = {"kind": "text", "empty": ["-"] * 9, "keys": []}
SURE = (
    "choose bestmove findbestmove getbestmove aimove getaimove computermove getcomputermove"
    " getmove choosemove compmove aiturn computerturn botmove cpumove"
).split()
DIRECT = ("minimax", "alphabeta", "negamax", "minmax", "max")
DECIDES = {"move", "turn", "play", "action", "choice", "square"}
BY_PROGRAM = {"ai", "bot", "computer", "comp", "cpu", "machine", "agent", "robot", "com", "pc"}
PICKS = BY_PROGRAM | {"best", "find", "get", "choose", "next", "optimal", "smart", "pick",
                      "select", "decide", "minimax", "make", "calculate"}  # fmt: skip
NOT = {"human", "player", "user", "valid", "available", "possible", "legal", "undo", "is", "print",
       "show", "draw", "random", "all", "free", "empty", "check", "opponent", "on", "last",
       "moves", "score", "value", "input", "switch"}  # fmt: skip
WEAK = {"random", "human", "easy", "dumb"}
HUMAN = {"human", "hu", "user", "person", "you", "opponent", "opp", "enemy", "foe", "other"}
BOARDS = {"board", "grid", "state", "cells", "squares", "field", "tiles", "brd", "bo", "matrix",
          "game", "b", "s", "position", "spaces", "tablero"}  # fmt: skip
SIDES = {"player", "mark", "letter", "symbol", "turn", "me", "piece", "sign", "current", "who",
         "side", "marker", "token", "mover", "char", "p", "maximizer", "choice"}  # fmt: skip
DEPTHS = {"depth", "level", "ply", "d", "n"}
TURNS = {"turn", "currentplayer", "current", "playerturn", "whoseturn", "currentturn",
         "nextplayer", "activeplayer", "tomove", "currentmark"}  # fmt: skip
KINDS = {
    "text": "nine characters",
    "list": "a list of nine",
    "tuple": "a tuple of nine",
    "rows": "three lists of three",
    "ten": "a list of ten, the first unused",
    "dict": "a dict of nine",
}
EMPTIES = [None, " ", "-", "_", ".", "", 0]
NUMBERS = [[*range(9)], [*range(1, 10)], [*"012345678"], [*"123456789"]]
MARKS = [("X", "O"), ("x", "o"), (1, -1), (1, 2)]
MARK_VALUES = {one for pair in MARKS for one in pair}
KEYS = {"move", "index", "position", "square", "pos", "bestmove", "best", "cell", "spot", "action"}


class Plan(NamedTuple):
    """Say how to ask: the function to call, the arguments, and how to read the answer.

    `marks` holds for each side the values of X and O; `sides` are the sides the file plays.
    """

    call: str
    form: Form
    marks: Mapping[Mark, tuple[Any, Any]]
    into: tuple[str, ...]
    made: tuple[str, ...]
    arguments: tuple[str, ...]
    turns: tuple[tuple[str, str], ...]
    sides: tuple[Mark, ...]
    reading: str = "square"
    from_1: bool = False
    parameters: tuple[str, ...] = ()

    def request(self, position: Position) -> dict[str, Any]:
        """Return what the far end is asked about a board."""
        turn = position.turn
        marks = self.marks[turn]
        mark = dict(zip((X, O), marks, strict=True))
        values: dict[str, Any] = {
            "board": BOARD,
            "game": BOARD,
            "side": mark[turn],
            "other": mark[OTHER[turn]],
            "letter": turn,
            "other letter": OTHER[turn],
            "true": True,
            "false": False,
            "x to move": turn == X,
            "0": 0,
            "9": 9,
            "empties": 9 - position.ply,
            "-inf": -inf,
            "inf": inf,
        }
        return {
            "call": self.call,
            "asked": [[str(position), *(values[spec] for spec in self.arguments)]],
            "form": self.form | {"marks": marks},
            "into": self.into,
            "made": [values[spec] for spec in self.made],
            "turns": [(where, name, mark[turn]) for where, name in self.turns],
            "right": {},
        }

    def square(self, reply: Mapping[str, Any], position: Position) -> Square | None:
        """Return the square of a reply, legal or not; None if none is meant."""
        if self.reading in ("made", "placed"):
            after = reply["made" if self.reading == "made" else "after"]
            put = [n for n in range(9) if after and after[n] != str(position)[n]]
            return put[0] if len(put) == 1 and after[put[0]] == position.turn else None
        if reply["raised"]:
            return None
        return self.number(picked(reply["value"], self.reading), self.reading)

    def number(self, value: Any, reading: str) -> Square | None:
        """Return the square of a value, read in one way; None if none is meant."""
        if isinstance(value, bool) or value is None:
            return None
        if isinstance(value, list):
            low = int(self.from_1)
            fits = len(value) == 2 and all(type(n) is int and low <= n < low + 3 for n in value)
            return 3 * (value[0] - low) + value[1] - low if fits else None
        if reading == "number":
            numbers = self.form["empty"]
            alike = [n for n in range(9) if str(numbers[n]) == str(value)]
            return alike[0] if alike else None
        if self.form["kind"] == "dict":
            return self.form["keys"].index(value) if value in self.form["keys"] else None
        if type(value) is not int or reading == "pair":
            return None
        return value - (self.from_1 or self.form["kind"] == "ten")

    def told(self) -> str:
        """Say what is assumed.

        >>> Plan("choose", CONTRACT, {}, ("argument",), (), ("board",), (), ()).told()
        "Called choose() with nine characters, '-' on empty squares."
        """
        empty = self.form["empty"]
        free = f"{empty[0]!r}" if empty.count(empty[0]) == 9 else "its number"
        kind = KINDS[self.form["kind"]]
        where = ""
        if self.into[0] in ("global", "attribute"):
            where = f" in {'self.' * (self.into[0] == 'attribute')}{self.into[1]}"
        given = ", ".join(self.parameters)
        sides = f" It plays {self.sides[0]} only." if len(self.sides) == 1 else ""
        sign = ""
        marks = next(iter(self.marks.values()), (X, O))
        if marks != (X, O):
            roles = len({*self.marks.values()}) > 1
            of = "its own marks and the other's" if roles else "X and O"
            sign = f", {marks[0]!r} and {marks[1]!r} for {of}"
        read = {"placed": " Its answer is the mark it places.", "made": " It returns a board."}
        more = read.get(self.reading, "")
        if self.from_1:
            more += " Squares are counted from 1."
        call = f"Called {self.call}({given}) with {kind}{where}, {free} on empty squares{sign}."
        return f"{call}{sides}{more}"


def picked(value: Any, reading: str) -> Any:
    """Return the part of an answer that says the square.

    >>> picked([10, [1, 2]], "second")
    [1, 2]
    """
    if reading in ("square", "number", "pair"):
        return value
    if isinstance(value, dict):
        found = {plain(str(key)): one for key, one in value.get("dict", [])}
        if {"row", "col"} <= {*found}:
            return [found["row"], found["col"]]
        return next((found[key] for key in found if key in KEYS), None)
    if not isinstance(value, list):
        return None
    parts = {
        "first": value[:1],
        "second": value[1:2] if len(value) == 2 else [],
        "first two": [value[:2]] if len(value) == 3 else [],
        "last two": [value[1:]] if len(value) == 3 else [],
    }.get(reading, [])
    return parts[0] if parts else None


READINGS = ("square", "number", "pair", "in dict", "second", "first", "first two", "last two",
            "made", "placed")  # fmt: skip


def words(name: str) -> list[str]:
    """Return the words a name is made of.

    >>> words("getAIMove"), words("best_move")
    (['get', 'ai', 'move'], ['best', 'move'])
    """
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+", name)
    return [part.lower() for part in parts]


# The source, which is read and never run


class Source:
    """Hold the text of a file, and tell of the functions in the text."""

    def __init__(self, path: str) -> None:
        self.tree = ast.parse(Path(path).read_bytes())
        self.defs: dict[str, ast.FunctionDef] = {}
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef):
                self.defs[node.name] = node
            elif isinstance(node, ast.ClassDef):
                for one in node.body:
                    if isinstance(one, ast.FunctionDef):
                        self.defs[f"{node.name}.{one.name}"] = one

    @cached_property
    def constants(self) -> set[str]:
        """Return all constants of the file, as text that shows their type."""
        return {repr(n.value) for n in ast.walk(self.tree) if isinstance(n, ast.Constant)}

    @cached_property
    def written(self) -> set[str]:
        """Return the constants that the file puts on squares, as text that shows their type."""
        values = [
            node.value
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
        ]
        return {repr(value.value) for value in values if isinstance(value, ast.Constant)}

    def has(self, empties: Sequence[Any]) -> bool:
        """Say whether what stands on empty squares is written in the file; numbers may not be."""
        return len({*empties}) > 1 or repr(empties[0]) in self.constants

    def asks(self, call: str) -> bool:
        """Say whether a function asks its user itself."""
        return "input" in self._uses(call)

    def names(self, call: str) -> set[str]:
        """Return the names that a function uses, with all functions called in the file."""
        found, met, left = set[str](), set[str](), [call]
        while left:
            met.add(left[-1])
            found |= self._uses(left.pop())
            called = [one for one in self.defs if one.rpartition(".")[2] in found]
            left += [one for one in called if one not in met and one not in left]
        return found

    def _uses(self, call: str) -> set[str]:
        inside = [*ast.walk(self.defs[call])] if call in self.defs else []
        names = {one.id for one in inside if isinstance(one, ast.Name)}
        return names | {one.attr for one in inside if isinstance(one, ast.Attribute)}

    def places(self, call: str, constants: Mapping[Any, Any]) -> set[Any]:
        """Return the constant marks that a function puts on squares, or else those it calls."""
        met, level = set[str](), [call]
        while level:
            found = set[Any]().union(*(self._placed(one, constants) for one in level))
            if found & MARK_VALUES:
                return found
            met |= {*level}
            used = set[str]().union(*map(self._uses, level))
            level = [one for one in self.defs if one.rpartition(".")[2] in used and one not in met]
        return set()

    def _placed(self, call: str, constants: Mapping[Any, Any]) -> set[Any]:
        """Return the constant marks that a function itself puts on squares."""
        inside = [*ast.walk(self.defs[call])] if call in self.defs else []
        own = {one.arg for one in inside if isinstance(one, ast.arg)}
        own |= {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        fixed = {name for name in constants if plain(name) not in TURNS} - own
        assigned, given = set[Any](), set[Any]()
        for one in inside:
            values: list[ast.expr] = []
            if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Subscript):
                values = [one.value]
            elif isinstance(one, ast.Call):
                values = one.args
            for value in values:
                found = assigned if isinstance(one, ast.Assign) else given
                if isinstance(value, ast.Constant):
                    found.add(value.value)
                name = getattr(value, "id", None) or getattr(value, "attr", None)
                if name in fixed:
                    found.add(constants[name])
        return assigned if assigned & MARK_VALUES else given

    def lines(self, calls: Iterable[str]) -> dict[str, int]:
        """Return the line where each of these functions begins, if in this file."""
        return {call: self.defs[call].lineno for call in calls if call in self.defs}

    def searches(self, call: str) -> dict[str, int]:
        """Return the line of each function, below a call, that comes to call itself."""
        used = self.names(call) | {call.rpartition(".")[2]}
        short = {one: one.rpartition(".")[2] for one in self.defs}
        return self.lines(o for o in short if short[o] in used and short[o] in self.names(o))


# The plans


def is_course(shape: Shape) -> bool:
    """Say whether a file has the seven functions of the course."""
    return {*SEVEN} <= {*shape["functions"]}


def candidates(shape: Shape, source: Source) -> list[str]:
    """Return the functions and methods that may pick a move, the likeliest first."""
    found: list[tuple[int, int, str]] = []
    owners: list[tuple[str, Shape]] = [("", shape["functions"])]
    owners += [(f"{kind}.", of["methods"]) for kind, of in shape["classes"].items()]
    for owner, functions in owners:
        for place, name in enumerate(functions):
            rank, weak = _rank(name), bool({*words(owner)} & WEAK)
            if rank < 9 and not source.asks(owner + name):
                found.append((rank + 4 * weak, place, owner + name))
    return [name for *_, name in sorted(found)]


def _rank(name: str) -> int:
    """Return how likely a function picks a move, 0 most; 9 if it does not."""
    said = {*words(name)}
    if plain(name) in SURE:
        return 0 if plain(name) == "choose" else 1
    if said & PICKS and said & DECIDES and not said & NOT:
        return 2
    if plain(name) in DIRECT:
        return 3
    return 4 if said & BY_PROGRAM and not said & NOT else 9


def roles(shape: Shape, used: set[str], owner: str) -> tuple[Any, Any] | None:
    """Return the marks that the constants give to the program and to the opponent, if any."""
    constants = {**shape["constants"]}
    if owner:
        constants |= shape["classes"][owner]["constants"]
    marks = {
        name: value
        for name, value in constants.items()
        if name in used and value in (*"XOxo", 1, -1, 2) and not isinstance(value, bool)
    }
    ours = [value for name, value in marks.items() if {*words(name)} & BY_PROGRAM]
    theirs = [value for name, value in marks.items() if {*words(name)} & HUMAN]
    own = [value for name, value in marks.items() if {*words(name)} & {"player"}]
    if ours:
        theirs = theirs or own
    elif theirs and own:
        ours = own
    other = {"X": "O", "O": "X", "x": "o", "o": "x"}
    ours = ours or [other[one] for one in theirs if one in other]
    theirs = theirs or [other[one] for one in ours if one in other]
    return (ours[0], theirs[0]) if ours and theirs and ours[0] != theirs[0] else None


def marks_of(shape: Shape, source: Source, owner: str) -> list[tuple[Any, Any]]:
    """Return what may stand for X and O, the likeliest first."""
    constants = {**shape["constants"]}
    if owner:
        constants |= shape["classes"][owner]["constants"]
    named = {plain(name): value for name, value in constants.items()}
    for x, o in (("x", "o"), ("playerx", "playero"), ("cross", "nought"), ("cross", "circle")):
        if x in named and o in named and named[x] != named[o]:
            return [(named[x], named[o])]
    texts = source.constants
    letters = [pair for pair in MARKS[:2] if {repr(one) for one in pair} & texts]
    return letters or MARKS


def forms_of(shape: Shape, source: Source, owner: str) -> list[Form]:
    """Return how boards may look, the likeliest first: like the boards of the file, if any."""
    known = {**shape["forms"]}
    if owner:
        known |= shape["classes"][owner]["forms"]
    for of in shape["classes"].values():
        known |= {name: form for name, form in of["forms"].items() if name not in known}
    boards = [form for name, form in known.items() if {*words(name)} & (BOARDS | {"initial"})]
    if boards:
        return [form for n, form in enumerate(boards) if form not in boards[:n]]
    empties = sorted(
        EMPTIES,
        key=lambda one: (repr(one) not in source.written, repr(one) not in source.constants),
    )
    squares = [[empty] * 9 for empty in empties] + NUMBERS
    nested = any(
        isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript)
        for node in ast.walk(source.tree)
    )
    kinds = ["rows", "list"] if nested else ["list", "text", "tuple", "rows"]
    forms: list[Form] = []
    for kind, empty in product(kinds, squares):
        if kind != "text" or all(isinstance(one, str) and len(one) == 1 for one in empty):
            forms.append({"kind": kind, "empty": empty, "keys": []})
    for empty in squares:
        forms.append({"kind": "ten", "empty": empty, "keys": [empty[0]]})
        forms.append({"kind": "dict", "empty": empty, "keys": [*range(1, 10)]})
    return forms


def bound(
    parameters: Sequence[tuple[str, bool]], has_game: bool, board_given: bool
) -> tuple[list[tuple[str, ...]], str]:
    """Return for each parameter the values to try, or the name of an unknown parameter."""
    said = [{*words(name)} for name, _ in parameters]
    of_program = any(one & BY_PROGRAM for one in said)
    has_board = any(one & (BOARDS - {"b", "s"}) for one in said)
    found: list[tuple[str, ...]] = []
    for place, ((name, must), one) in enumerate(zip(parameters, said, strict=True)):
        small = plain(name)
        values: tuple[str, ...] = ()
        if small == "game" and has_game:
            values = ("game",)
        elif small == "alpha" or (small == "a" and place):
            values = ("-inf",) if must else ()
        elif small == "beta" or (small == "b" and place and has_board):
            values = ("inf",) if must else ()
        elif one & BOARDS and "board" not in [spec[0] for spec in found]:
            values = ("board",)
        elif one & DEPTHS:
            values = ("0", "empties", "9") if must else ()
        elif (
            "maximizing" in small
            or "maximising" in small
            or small.startswith("ismax")
            or small in ("maximize", "maximizer", "maxplayer", "maxturn", "max", "maxi", "mx")
        ):
            values = ("true", "x to move", "side") if must else ()
        elif "is" in one and one & BY_PROGRAM:
            values = ("true",)
        elif "is" in one and one & HUMAN:
            values = ("false",)
        elif one & {"x", "xs"} and one & {"turn", "is", "to"}:
            values = ("x to move",)
        elif one & (HUMAN | {"h"}) or ("player" in one and of_program and not one & BY_PROGRAM):
            values = ("other", "other letter")
        elif one & (SIDES | BY_PROGRAM | {"c"}):
            values = ("side", "letter")
        elif not place and must and not board_given:
            values = ("board",)
        elif must:
            return [], name
        if not values:
            break  # the rest have defaults
        found.append(values)
    return found, ""


def plans(shape: Shape, source: Source, call: str, from_1: bool) -> Iterator[Plan]:
    """Yield the ways to call a function of a file, the likeliest first."""
    owner, _, name = call.rpartition(".")
    functions = shape["classes"][owner]["methods"] if owner else shape["functions"]
    parameters = functions[name]
    used = source.names(call)
    if call == "choose" and [must for _, must in parameters].count(True) == 1:
        both: Mapping[Mark, tuple[Any, Any]] = {X: (X, O), O: (X, O)}
        shown = tuple(one for one, must in parameters if must)
        yield Plan(
            call, CONTRACT, both, ("argument",), (), ("board",), (), (X, O), "square", from_1, shown
        )
    games = [
        (kind, attribute, form)
        for kind, of in shape["classes"].items()
        if not any(must for _, must in of["made"])
        for attribute, form in of["forms"].items()
    ]
    made_of = shape["classes"][owner]["made"] if owner else []
    made, unknown = bound(made_of, False, True)
    has_letter = any("side" in spec for spec in made)
    arguments, lacking = bound(parameters, bool(games), False)
    if unknown or lacking:
        return
    role = None if has_letter else roles(shape, used, owner)
    marks = marks_of(shape, source, owner)
    for form, (into, own_form) in product(
        forms_of(shape, source, owner), _ways_in(shape, owner, arguments, games, used)
    ):
        if own_form and own_form != form:
            continue
        for pair in marks:
            sides, of = _sides(shape, source, call, role, pair, made, arguments)
            if any(one in form["empty"] for marks_of_side in of.values() for one in marks_of_side):
                continue  # a mark that is the number of a square
            for values in product(*arguments):
                yield Plan(
                    call=call,
                    form=form,
                    marks=of,
                    into=into,
                    made=tuple(spec[0] for spec in made),
                    arguments=tuple(_fitting(value, of) for value in values),
                    turns=_turns(shape, owner, into),
                    sides=sides,
                    from_1=from_1,
                    parameters=tuple(one for one, _ in parameters[: len(values)]),
                )


def _fitting(value: str, marks: Mapping[Mark, tuple[Any, Any]]) -> str:
    """Return how a side is said: letters stand for themselves only where marks are no letters."""
    letters = all(isinstance(one, str) for pair in marks.values() for one in pair)
    return value.replace("letter", "side").replace("other side", "other") if letters else value


def _ways_in(
    shape: Shape,
    owner: str,
    arguments: Sequence[tuple[str, ...]],
    games: Sequence[tuple[str, str, Form]],
    used: set[str],
) -> Iterator[tuple[tuple[str, ...], Form | None]]:
    """Yield where a function takes a board from, and the form known for the place."""
    if any("game" in spec for spec in arguments):
        for kind, attribute, form in games:
            yield ("game", kind, attribute), form
    elif any("board" in spec for spec in arguments):
        yield ("argument",), None
        for kind, attribute, form in games:
            yield ("game", kind, attribute), form
    if owner:
        for attribute, form in shape["classes"][owner]["forms"].items():
            yield ("attribute", attribute), form
    for name, form in shape["forms"].items():
        if name in used:
            yield ("global", name), form


def _sides(
    shape: Shape,
    source: Source,
    call: str,
    role: tuple[Any, Any] | None,
    pair: tuple[Any, Any],
    made: Sequence[tuple[str, ...]],
    arguments: Sequence[tuple[str, ...]],
) -> tuple[tuple[Mark, ...], Mapping[Mark, tuple[Any, Any]]]:
    """Return the sides a function plays, and the values of X and O for each."""
    if role and {*role} <= {"X", "O", "x", "o"}:
        ours, theirs = role
        mark: Mark = X if ours.upper() == X else O
        return (mark,), {mark: (ours, theirs) if mark == X else (theirs, ours)}
    if role:
        return (X, O), {X: role, O: role[::-1]}
    if not any("side" in spec for spec in (*made, *arguments)):
        placed = source.places(call, shape["constants"]) & {*pair}
        if len(placed) == 1:
            mark = X if placed == {pair[0]} else O
            return (mark,), {mark: pair}
    return (X, O), {X: pair, O: pair}


def _turns(shape: Shape, owner: str, into: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the variables that hold the side to move."""
    found = [("global", name, value) for name, value in shape["constants"].items()]
    kind = into[1] if into[0] == "game" else owner if into[0] == "attribute" else ""
    if kind:
        held = shape["classes"][kind]["constants"].items()
        found += [("object", name, value) for name, value in held]
    return tuple(
        (where, name)
        for where, name, value in found
        if plain(name) in TURNS and value in ("X", "O", "x", "o", 1, -1, 2)
    )


def course_plan(shape: Shape) -> Plan:
    """Return how the seven functions of the course are asked."""
    x, o = (shape["constants"].get(name, name) for name in (X, O))
    empty = shape["constants"].get("EMPTY")
    rows = {"kind": "rows", "empty": [empty] * 9, "keys": []}
    form = shape["forms"].get("initial_state()", rows)
    marks: Mapping[Mark, tuple[Any, Any]] = {X: (x, o), O: (x, o)}
    return Plan(
        "minimax", form, marks, ("argument",), (), ("board",), (), (X, O), "pair", False, ("board",)
    )


def is_legal(square: Square | None, position: Position) -> bool:
    """Say whether an answer is a legal move."""
    try:
        return square is not None and bool(position.play(square))
    except IllegalMoveError:
        return False
