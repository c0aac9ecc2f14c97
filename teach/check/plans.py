"""How a Python file can be asked for a move: guessed from its names, then tried."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from engine.position import OTHER, Mark, O, Position, Square, X
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
MAXIMIZING = {"maxplayer", "maxturn", "max", "maxi", "mx"}
DEPTHS = {"depth", "level", "ply", "d", "n"}
BOUNDS = {"alpha", "beta"}
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

    `marks` holds for each side the values of X and O; `sides` are the sides the file plays; `into`
    says where the board goes.
    """

    call: str
    form: Form
    marks: Mapping[Mark, tuple[Any, Any]]
    into: tuple[str, ...] = ("argument",)
    made: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ("board",)
    turns: tuple[tuple[str, str], ...] = ()
    sides: tuple[Mark, ...] = (X, O)
    reading: str = "square"
    from_1: bool = False
    parameters: tuple[str, ...] = ("board",)

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
            numbers = [*map(str, self.form["empty"])]
            return numbers.index(str(value)) if str(value) in numbers else None
        if self.form["kind"] == "dict":
            return self.form["keys"].index(value) if value in self.form["keys"] else None
        if type(value) is not int or reading == "pair":
            return None
        return value - (self.from_1 or self.form["kind"] == "ten")

    def told(self) -> str:
        """Say what is assumed.

        >>> Plan("choose", CONTRACT, {}).told()
        "Called choose(board) with nine characters, '-' on empty squares."
        """
        empty, kind = self.form["empty"], KINDS[self.form["kind"]]
        free = f"{empty[0]!r}" if empty.count(empty[0]) == 9 else "its number"
        where = {"global": " in {}", "attribute": " in self.{}"}.get(self.into[0], "")
        told = f"Called {self.call}({', '.join(self.parameters)}) with {kind}"
        told += f"{where.format(self.into[-1])}, {free} on empty squares"
        marks = next(iter(self.marks.values()), (X, O))
        if marks != (X, O):
            is_by_role = len({*self.marks.values()}) > 1
            of = "its own marks and the other's" if is_by_role else "X and O"
            told += f", {marks[0]!r} and {marks[1]!r} for {of}"
        only = [f" It plays {mark} only." for mark in self.sides if len(self.sides) == 1]
        read = {"placed": " Its answer is the mark it places.", "made": " It returns a board."}
        counts = " Squares are counted from 1." * self.from_1
        return f"{told}.{''.join(only)}{read.get(self.reading, '')}{counts}"


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
PAIRS = ("square", "pair", "made", "placed")  # of answers that are all (row, column)


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
            inside, owner = ([node], "")
            if isinstance(node, ast.ClassDef):
                inside, owner = node.body, f"{node.name}."
            for one in inside:
                if isinstance(one, ast.FunctionDef):
                    self.defs[owner + one.name] = one

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

    @cached_property
    def is_nested(self) -> bool:
        """Say whether the file takes a square of a row of a board."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Subscript)]
        return any(isinstance(node.value, ast.Subscript) for node in nodes)

    def has(self, empties: Sequence[Any]) -> bool:
        """Say whether what stands on empty squares is written in the file; numbers may not be."""
        return len({*empties}) > 1 or repr(empties[0]) in self.constants

    def asks(self, call: str) -> bool:
        """Say whether a function asks its user itself."""
        return "input" in self._uses(call)

    def names(self, call: str) -> set[str]:
        """Return the names that a function uses, with all functions called in the file."""
        return set[str]().union(*map(self._uses, chain(*self._levels(call))))

    def _levels(self, call: str) -> Iterator[list[str]]:
        """Yield a function, then the functions it calls, and so on, each once."""
        met, level = set[str](), [call]
        while level:
            yield level
            met |= {*level}
            called = set[str]().union(*map(self._uses, level))
            level = [o for o in self.defs if o.rpartition(".")[2] in called and o not in met]

    def _inside(self, call: str) -> list[ast.AST]:
        return [*ast.walk(self.defs[call])] if call in self.defs else []

    def _uses(self, call: str) -> set[str]:
        inside = self._inside(call)
        names = {one.id for one in inside if isinstance(one, ast.Name)}
        return names | {one.attr for one in inside if isinstance(one, ast.Attribute)}

    def places(self, call: str, constants: Mapping[Any, Any]) -> set[Any]:
        """Return the constant marks that a function puts on squares, or else those it calls."""
        for level in self._levels(call):
            found = set[Any]().union(*(self._placed(one, constants) for one in level))
            if found & MARK_VALUES:
                return found
        return set()

    def _placed(self, call: str, constants: Mapping[Any, Any]) -> set[Any]:
        """Return the constant marks that a function itself puts on squares."""
        inside = self._inside(call)
        own = {one.arg for one in inside if isinstance(one, ast.arg)}
        own |= {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        fixed = {name for name in constants if plain(name) not in TURNS} - own

        def marks(values: Iterable[ast.expr]) -> set[Any]:
            found = {value.value for value in values if isinstance(value, ast.Constant)}
            names = {getattr(one, "id", None) or getattr(one, "attr", None) for one in values}
            return found | {constants[name] for name in names & fixed}

        assigned = marks(
            [
                one.value
                for one in inside
                if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Subscript)
            ]
        )
        given = [value for one in inside if isinstance(one, ast.Call) for value in one.args]
        return assigned if assigned & MARK_VALUES else marks(given)

    def lines(self, calls: Iterable[str]) -> dict[str, int]:
        """Return the line where each of these functions begins, if in this file."""
        return {call: self.defs[call].lineno for call in calls if call in self.defs}

    def searches(self, call: str) -> dict[str, int]:
        """Return the line of each function, below a call, that comes to call itself."""
        used = self.names(call) | {call.rpartition(".")[2]}
        short = {one: one.rpartition(".")[2] for one in self.defs}
        return self.lines(o for o in short if short[o] in used and short[o] in self.names(o))

    def shares(self, call: str) -> Iterator[str]:
        """Tell of the bounds that every call of a search shares."""
        found = [
            f"{bound} is global in {name} (line {line})"
            for name, line in self.searches(call).items()
            for one in self._inside(name)
            if isinstance(one, ast.Global)
            for bound in one.names
            if plain(bound) in BOUNDS
        ]
        if found:
            yield (
                f"{' and '.join(found)}: a bound that one call finds holds for all others. Hand"
                " bounds down as arguments."
            )


# The plans


def is_course(shape: Shape) -> bool:
    """Say whether a file has the seven functions of the course."""
    return {*SEVEN} <= {*shape["functions"]}


def course_plan(shape: Shape) -> Plan:
    """Return how the seven functions of the course are asked."""
    x, o = (shape["constants"].get(name, name) for name in (X, O))
    rows = {"kind": "rows", "empty": [shape["constants"].get("EMPTY")] * 9, "keys": []}
    form = shape["forms"].get("initial_state()", rows)
    return Plan("minimax", form, {X: (x, o), O: (x, o)}, reading="pair")


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
        values: tuple[str, ...]
        is_searched = True  # a value that its search hands down: left out where there is a default
        if small == "game" and has_game:
            values, is_searched = ("game",), False
        elif small == "alpha" or (small == "a" and place):
            values = ("-inf",)
        elif small == "beta" or (small == "b" and place and has_board):
            values = ("inf",)
        elif one & BOARDS and ("board",) not in found:
            values, is_searched = ("board",), False
        elif one & DEPTHS:
            values = ("0", "empties", "9")
        elif small.startswith("ismax") or "maximi" in small or small in MAXIMIZING:
            values = ("true", "x to move", "side")
        else:
            is_searched = False
            if "is" in one and one & (BY_PROGRAM | HUMAN):
                values = ("true",) if one & BY_PROGRAM else ("false",)
            elif one & {"x", "xs"} and one & {"turn", "is", "to"}:
                values = ("x to move",)
            elif one & (HUMAN | {"h"}) or ("player" in one and of_program and not one & BY_PROGRAM):
                values = ("other", "other letter")
            elif one & (SIDES | BY_PROGRAM | {"c"}):
                values = ("side", "letter")
            elif not must:
                break
            elif place or board_given:
                return [], name
            else:
                values = ("board",)
        if is_searched and not must:
            break  # the rest have defaults
        found.append(values)
    return found, ""


class Guess:
    """Guess how a function of a file is called."""

    def __init__(self, shape: Shape, source: Source, call: str) -> None:
        self._shape, self._source, self._call = shape, source, call
        self._owner, _, name = call.rpartition(".")
        nothing = {"methods": shape["functions"], "made": [], "forms": {}, "constants": {}}
        of: Shape = shape["classes"][self._owner] if self._owner else nothing
        self._parameters, self._made_of = of["methods"][name], of["made"]
        self._own_forms, self._constants = of["forms"], shape["constants"] | of["constants"]
        self._used = source.names(call)
        self._placed = source.places(call, shape["constants"])
        self._games = [
            (kind, attribute, form)
            for kind, of in shape["classes"].items()
            if not any(must for _, must in of["made"])
            for attribute, form in of["forms"].items()
        ]

    def plans(self, from_1: bool) -> Iterator[Plan]:
        """Yield the ways to call the function, the likeliest first."""
        if self._call == "choose":
            wanted = tuple(one for one, must in self._parameters if must)
            if len(wanted) == 1:
                both = {X: (X, O), O: (X, O)}
                yield Plan("choose", CONTRACT, both, from_1=from_1, parameters=wanted)
        made, unknown = bound(self._made_of, False, True)
        arguments, lacking = bound(self._parameters, bool(self._games), False)
        if unknown or lacking:
            return
        role = None if any("side" in spec for spec in made) else self._roles()
        has_side = any("side" in spec for spec in (*made, *arguments))
        for form, (into, own_form), pair in product(
            self._forms(), [*self._places(arguments)], self._marks()
        ):
            sides, marks = self._sides(role, pair, has_side)
            if own_form not in (None, form) or {*form["empty"]} & {*chain(*marks.values())}:
                continue  # not the file's own board, or a mark that is the number of a square
            turns = tuple(self._turns(into, role is None and len(sides) > 1))
            for values in product(*arguments):
                yield Plan(
                    call=self._call,
                    form=form,
                    marks=marks,
                    into=into,
                    made=tuple(spec[0] for spec in made),
                    arguments=tuple(_fitting(value, marks) for value in values),
                    turns=turns,
                    sides=sides,
                    from_1=from_1,
                    parameters=tuple(one for one, _ in self._parameters[: len(values)]),
                )

    def _roles(self) -> tuple[Any, Any] | None:
        """Return the marks that the constants give to the program and to the opponent, if any."""

        def of(kind: set[str]) -> list[Any]:
            return [
                value
                for name, value in self._constants.items()
                if name in self._used and {*words(name)} & kind
                if value in MARK_VALUES and not isinstance(value, bool)
            ]

        ours, theirs, own = of(BY_PROGRAM), of(HUMAN), of({"player"})
        if ours:
            theirs = theirs or own
        elif theirs:
            ours = own
        other = {"X": "O", "O": "X", "x": "o", "o": "x"}
        ours = ours or [other[one] for one in theirs if one in other]
        theirs = theirs or [other[one] for one in ours if one in other]
        return (ours[0], theirs[0]) if ours and theirs and ours[0] != theirs[0] else None

    def _marks(self) -> list[tuple[Any, Any]]:
        """Return what may stand for X and O, the likeliest first."""
        named = {plain(name): value for name, value in self._constants.items()}
        for x, o in (("x", "o"), ("playerx", "playero"), ("cross", "nought"), ("cross", "circle")):
            if x in named and o in named and named[x] != named[o]:
                return [(named[x], named[o])]
        texts = self._source.constants
        return [pair for pair in MARKS[:2] if {*map(repr, pair)} & texts] or MARKS

    def _forms(self) -> list[Form]:
        """Return how boards may look, the likeliest first: like the boards of the file, if any."""
        known = self._shape["forms"] | self._own_forms
        for of in self._shape["classes"].values():
            known |= {name: form for name, form in of["forms"].items() if name not in known}
        boards = [form for name, form in known.items() if {*words(name)} & (BOARDS | {"initial"})]
        if boards:
            return [form for n, form in enumerate(boards) if form not in boards[:n]]
        source = self._source
        empties = sorted(
            EMPTIES,
            key=lambda one: (repr(one) not in source.written, repr(one) not in source.constants),
        )
        squares = [[empty] * 9 for empty in empties] + NUMBERS
        forms: list[Form] = []
        for kind in ["rows", "list"] if source.is_nested else ["list", "text", "tuple", "rows"]:
            for empty in squares:
                if kind != "text" or all(isinstance(one, str) and one for one in empty):
                    forms.append({"kind": kind, "empty": empty, "keys": []})
        for empty in squares:
            forms.append({"kind": "ten", "empty": empty, "keys": [empty[0]]})
            forms.append({"kind": "dict", "empty": empty, "keys": [*range(1, 10)]})
        return forms

    def _places(
        self, arguments: Sequence[tuple[str, ...]]
    ) -> Iterator[tuple[tuple[str, ...], Form | None]]:
        """Yield where the function takes a board from, and the form known for the place."""
        wanted = {*chain(*arguments)} & {"board", "game"}
        if wanted == {"board"}:
            yield ("argument",), None
        if wanted:
            for kind, attribute, form in self._games:
                yield ("game", kind, attribute), form
        for attribute, form in self._own_forms.items():
            yield ("attribute", attribute), form
        for name, form in self._shape["forms"].items():
            if name in self._used:
                yield ("global", name), form

    def _sides(
        self, role: tuple[Any, Any] | None, pair: tuple[Any, Any], has_side: bool
    ) -> tuple[tuple[Mark, ...], Mapping[Mark, tuple[Any, Any]]]:
        """Return the sides the function plays, and the values of X and O for each."""
        if role and {*role} <= {*"XOxo"}:
            is_x = role[0].upper() == X
            mark: Mark = X if is_x else O
            return (mark,), {mark: role if is_x else role[::-1]}
        if role:
            return (X, O), {X: role, O: role[::-1]}
        placed = self._placed & {*pair}
        if not has_side and len(placed) == 1:
            mark = X if placed == {pair[0]} else O
            return (mark,), {mark: pair}
        return (X, O), {X: pair, O: pair}

    def _turns(self, into: tuple[str, ...], plays_both: bool) -> Iterator[tuple[str, str]]:
        """Yield the variables that hold the side to move; `player`, if there is no other."""
        for name in self._shape["constants"]:
            if self._is_turn(name, self._shape["constants"][name], False):
                yield "global", name
        kind = {"game": into[1:2], "attribute": (self._owner,)}.get(into[0], ())
        for one in kind:
            for name, value in self._shape["classes"][one]["constants"].items():
                if self._is_turn(name, value, plays_both):
                    yield "object", name

    @staticmethod
    def _is_turn(name: str, value: Any, may_be_player: bool) -> bool:
        named = plain(name) in TURNS or (may_be_player and plain(name) == "player")
        return named and value in MARK_VALUES


def _fitting(value: str, marks: Mapping[Mark, tuple[Any, Any]]) -> str:
    """Return how a side is said: letters stand for themselves only where marks are no letters."""
    letters = all(isinstance(one, str) for one in chain(*marks.values()))
    return value.replace("letter", "side").replace("other side", "other") if letters else value


def is_legal(square: Square | None, position: Position) -> bool:
    """Say whether an answer is a legal move."""
    return square in position.legal_moves()
