"""How a Python file can be asked for a move: guessed from its names, then tried."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from engine.position import OTHER, Mark, O, Position, Square, X
from judge.child import Form, plain, words

Shape = Mapping[str, Any]

BOARD = {"is": "board"}  # where the far end puts the board
SEVEN = ("player", "actions", "result", "winner", "terminal", "utility", "minimax")
CONTRACT: Form = {"kind": "text", "empty": ["-"] * 9, "keys": []}
SURE = (
    "choose bestmove findbestmove getbestmove aimove getaimove computermove getcomputermove"
    " getmove choosemove compmove aiturn computerturn botmove cpumove"
).split()
SEARCHES = ("minimax", "alphabeta", "negamax", "minmax")
DECIDES = {"move", "turn", "play", "action", "choice", "square", "spot", "cell", "decision"}
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
         "side", "marker", "token", "mover", "char", "p", "maximizer", "choice", "color",
         "colour"}  # fmt: skip
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
EMPTY = {"empty", "none", "blank", "free", "e", "n"}
LEAVES = ("EOFError", "SystemExit")  # a program that asks once more, or ends, has decided
KEYS = {"move", "index", "position", "square", "pos", "bestmove", "best", "cell", "spot", "action"}


def _in_two(square: Square, first: int) -> list[str]:
    return [str(n + first) for n in divmod(square, 3)]


SAYS: dict[str, Callable[[Square], list[str]]] = {  # how a user tells a program a square
    "a square from 1 to 9": lambda n: [f"{n + 1}"],
    "a square from 0 to 8": lambda n: [f"{n}"],
    "row and column from 1 to 3": lambda n: _in_two(n, 1),
    "row and column from 0 to 2": lambda n: _in_two(n, 0),
    "row and column from 1 to 3, in a line": lambda n: [" ".join(_in_two(n, 1))],
    "row and column from 0 to 2, in a line": lambda n: [" ".join(_in_two(n, 0))],
    "row and column from 1 to 3, with a comma": lambda n: [",".join(_in_two(n, 1))],
    "row and column from 0 to 2, with a comma": lambda n: [",".join(_in_two(n, 0))],
}
KEY = "the name of a square"


class Plan(NamedTuple):
    """Say how to ask: the function to call, the arguments, and how to read the answer.

    `marks` holds for each side the values of X and O; `sides` are the sides the file plays; `into`
    says where the board goes; `shown`, the call in words; `says`, how a move of the other is told
    to a file that is played through its own questions.
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
    shown: str = "choose(board)"
    says: str = ""

    def request(self, position: Position) -> dict[str, Any]:
        """Return what the far end is asked about a board."""
        turn = position.turn
        marks = self.marks[turn]
        if self.says:
            return self._said(position)
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

    def _said(self, position: Position) -> dict[str, Any]:
        """Return what is put and said to come to a board: the other's last mark is a move."""
        board, form, says = str(position), self.form | {"marks": self.marks[position.turn]}, []
        if position.ply:
            last = board.index(OTHER[position.turn])
            board = f"{board[:last]}-{board[last + 1 :]}"
            says = SAYS[self.says](last) if self.says in SAYS else [str(self.form["keys"][last])]
        return {"says": says, "name": self.into[-1], "board": board, "form": form}

    def square(self, reply: Mapping[str, Any], position: Position) -> Square | None:
        """Return the square of a reply, legal or not; None if none is meant."""
        if reply["raised"] and not reply["raised"].startswith(LEAVES):
            return None
        if self.reading in ("made", "placed"):
            after = reply["made" if self.reading == "made" else "after"]
            put = [n for n in range(9) if after and after[n] != str(position)[n]]
            return put[0] if len(put) == 1 and after[put[0]] == position.turn else None
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
        free = spelt(empty[0]) if empty.count(empty[0]) == 9 else "its number"
        where = {
            "global": " in {1}",
            "asks": " in {1}",
            "attribute": " in self.{1}",
            "game": " in a {0}'s {1}",
        }
        told = f"Called {self.shown} with {kind}"
        if self.says:
            told = f"Played by its own questions: told {self.says}, it has {kind}"
        told += where.get(self.into[0], "").format(*self.into[-2:], "")
        told += f", {free} on empty squares"
        marks = next(iter(self.marks.values()), (X, O))
        if marks != (X, O):
            is_by_role = len({*self.marks.values()}) > 1
            of = "its own marks and the other's" if is_by_role else "X and O"
            told += f", {spelt(marks[0])} and {spelt(marks[1])} for {of}"
        only = [f" It plays {mark} only." for mark in self.sides if len(self.sides) == 1]
        read = {"placed": " Its answer is the mark it places.", "made": " It returns a board."}
        counts = " Squares are counted from 1." * self.from_1
        return f"{told}.{''.join(only)}{read.get(self.reading, '')}{counts}"


def spelt(mark: Any) -> str:
    """Return a mark as the file writes it.

    >>> spelt(" "), spelt("=Mark.X")
    ("' '", 'Mark.X')
    """
    return mark[1:] if is_member(mark) else repr(mark)


def is_member(value: Any) -> bool:
    """Say whether a value is a member of an enumeration, coded."""
    return isinstance(value, str) and len(value) > 1 and value[0] == "="


def is_mark(value: Any) -> bool:
    """Say whether a constant may be a mark."""
    return (value in MARK_VALUES and not isinstance(value, bool)) or is_member(value)


def picked(value: Any, reading: str) -> Any:
    """Return the part of an answer that says the square.

    >>> picked([10, [1, 2]], "second")
    [1, 2]
    """
    if reading in ("square", "number", "pair"):
        return value
    if isinstance(value, dict):
        found = {plain(str(key)): one for key, one in value.get("dict", [])}
        for row, column in (("row", "col"), ("row", "column"), ("r", "c"), ("i", "j")):
            if {row, column} <= {*found}:
                return [found[row], found[column]]
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


# The source, which is read and never run


class Source:
    """Hold the text of a file, and tell of the functions in the text."""

    def __init__(self, path: str) -> None:
        self.tree = ast.parse(Path(path).read_bytes())
        names = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}
        self.has_input = "input" in names
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

    def statement_at(self, line: int) -> int:
        """Return the line where the statement of the file itself begins that holds a line."""
        return max([node.lineno for node in self.tree.body if node.lineno <= line], default=line)

    def has(self, empties: Sequence[Any]) -> bool:
        """Say whether what stands on empty squares is written in the file; numbers may not be."""
        first = empties[0]
        return len({*empties}) > 1 or is_member(first) or repr(first) in self.constants

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
            if any(map(is_mark, found)):
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
        return assigned if any(map(is_mark, assigned)) else marks(given)

    def lines(self, calls: Iterable[str]) -> dict[str, int]:
        """Return the line where each of these functions begins, if in this file."""
        return {call: self.defs[call].lineno for call in calls if call in self.defs}

    def searches(self, call: str) -> dict[str, int]:
        """Return the line of each function, below a call, that comes to call itself."""
        used = self.names(call) | {call.rpartition(".")[2]}
        short = {one: one.rpartition(".")[2] for one in self.defs}
        used |= {*short.values()} if not call else set()
        return self.lines(o for o in short if short[o] in used and short[o] in self.names(o))

    def notes(self, call: str) -> Iterator[str]:
        """Tell what the source alone shows to be wrong in a search."""
        for name, line in self.searches(call).items():
            where = f"{name.rpartition('.')[2]} (line {line})"
            for copy, board in self._aliases(name):
                yield (
                    f"In {where} {copy} = {board} makes no copy, so the marks that deeper calls set"
                    " stay on the board. Copy the list, or take each mark back."
                )
            for test, at in self._cuts(name):
                yield (
                    f"In {where} `if {test}` in line {at} ends the loop while alpha is below beta,"
                    " that is, nearly always: cut where alpha >= beta."
                )
            for mark in self._kept(name):
                yield (
                    f"{where} places {mark} and hands {mark} on as it came, so one side moves on"
                    " and on: hand on the other's mark."
                )
        yield from self._shared_bounds(call)

    def _aliases(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield each second name of a board given to a function that sets one mark, for good."""
        inside, stored = self._inside(name), self._stored(name)
        given = {one.arg for one in inside if isinstance(one, ast.arg)}
        for one in inside:
            if isinstance(one, ast.Assign) and isinstance(one.value, ast.Name):
                names = {getattr(one.targets[0], "id", ""), one.value.id}
                marks = [base for base, _ in stored if base in names]
                if one.value.id in given and len(marks) == 1:
                    yield getattr(one.targets[0], "id", ""), one.value.id

    def _cuts(self, name: str) -> Iterator[tuple[str, int]]:
        """Yield each test that ends a loop where alpha is below beta, and the line."""
        for one in self._inside(name):
            if isinstance(one, ast.If) and isinstance(one.body[-1], (ast.Break, ast.Return)):
                test = ast.unparse(one.test)
                if test.replace("=", "") in ("beta > alpha", "alpha < beta"):
                    yield test, one.lineno

    def _stored(self, name: str) -> list[tuple[str, ast.expr]]:
        """Return the name of each list that a function stores into, and what."""
        found = []
        for one in self._inside(name):
            if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Subscript):
                base: ast.expr = one.targets[0]
                while isinstance(base, ast.Subscript):
                    base = base.value
                found.append((getattr(base, "id", ""), one.value))
        return found

    def _kept(self, name: str) -> Iterator[str]:
        """Yield the mark that a search places, and hands on to every call of itself unchanged."""
        inside, short = self._inside(name), name.rpartition(".")[2]
        arguments = [one.arg for one in inside if isinstance(one, ast.arg)]
        changed = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        placed = {one.id for _, one in self._stored(name) if isinstance(one, ast.Name)}
        calls = [
            one.args
            for loop in inside
            if isinstance(loop, ast.For)  # not a question put again, in `insertLetter`
            for one in ast.walk(loop)
            if isinstance(one, ast.Call)
            and short in (getattr(one.func, "id", ""), getattr(one.func, "attr", ""))
        ]
        place = [one for one in arguments if one != "self"]
        for mark in {*place} & placed - changed:
            handed = [of[place.index(mark)] for of in calls if len(of) > place.index(mark)]
            is_kept = all(isinstance(one, ast.Name) and one.id == mark for one in handed)
            if is_kept and placed == {mark} and 0 < len(handed) == len(calls):
                yield mark

    def _shared_bounds(self, call: str) -> Iterator[str]:
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
    return Plan("minimax", form, {X: (x, o), O: (x, o)}, reading="pair", shown="minimax(board)")


def candidates(shape: Shape, source: Source) -> list[str]:
    """Return the functions and methods that may pick a move, the likeliest first."""
    found: list[tuple[int, int, str]] = []
    owners: list[tuple[str, Shape]] = [("", shape["functions"])]
    owners += [(f"{kind}.", of["methods"]) for kind, of in shape["classes"].items()]
    for owner, functions in owners:
        for place, name in enumerate(functions):
            rank, weak = _rank(name, owner), bool({*words(owner)} & WEAK)
            if rank < 9 and not source.asks(owner + name):
                found.append((rank + 4 * weak, place, owner + name))
    return [name for *_, name in sorted(found)]


def _rank(name: str, owner: str) -> int:
    """Return how likely a function picks a move, 0 most; 9 if it does not."""
    said = {*words(name)}
    if plain(name) in SURE:
        return 0 if plain(name) == "choose" else 1
    if said & PICKS and said & DECIDES and not said & NOT:
        return 2
    if is_search(name):
        return 3
    if said & NOT:
        return 9
    of_program = {*words(owner)} & BY_PROGRAM and said & (PICKS | DECIDES)
    return 4 if said & BY_PROGRAM or of_program or len(said & PICKS) > 1 else 9


def is_search(name: str) -> bool:
    """Say whether a name is that of a search, which may return a score."""
    return plain(name) == "max" or any(one in plain(name) for one in SEARCHES)


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
                yield Plan("choose", CONTRACT, both, from_1=from_1, shown=f"choose({wanted[0]})")
        made, unknown = bound(self._made_of, bool(self._games), True)
        arguments, lacking = bound(self._parameters, bool(self._games), False)
        if unknown or lacking:
            return
        role = None if any("side" in spec for spec in made) else self._roles()
        has_side = any("side" in spec for spec in (*made, *arguments))
        places = [*self._places({*chain(*made, *arguments)})]
        boards = (
            (form, place, pair)
            for form, place in product(self._forms(), places)
            for pair in ([role] if role else self._marks(form))
        )
        for form, (into, own_form), pair in boards:
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
                    shown=self._shown(made, len(values)),
                )

    def _shown(self, made: Sequence[tuple[str, ...]], given: int) -> str:
        """Return the call as it is told, with the names of the arguments given."""
        names = ", ".join(name for name, _ in self._parameters[:given])
        owner, dot, call = self._call.rpartition(".")
        if ("board",) in made or ("game",) in made:
            owner += f"({', '.join(name for name, _ in self._made_of[: len(made)])})"
        return f"{owner}{dot}{call}({names})"

    def _roles(self) -> tuple[Any, Any] | None:
        """Return the marks that the constants give to the program and to the opponent, if any."""

        def of(kind: set[str]) -> list[Any]:
            return [
                value
                for name, value in self._constants.items()
                if name in self._used and {*words(name)} & kind and is_mark(value)
            ]

        ours, theirs, own = of(BY_PROGRAM), of(HUMAN), of({"player"})
        if ours:
            theirs = theirs or own
        elif theirs:
            ours = own
        pairs = [*MARKS[:2], *self._members()]
        other = {one: pair[pair[0] == one] for pair in pairs for one in pair}
        ours = ours or [other[one] for one in theirs if one in other]
        theirs = theirs or [other[one] for one in ours if one in other]
        return (ours[0], theirs[0]) if ours and theirs and ours[0] != theirs[0] else None

    def _members(self) -> list[tuple[Any, Any]]:
        """Return the first two members of each enumeration, without that for an empty square."""
        kinds: dict[str, list[Any]] = {}
        for name, value in self._shape["constants"].items():
            if is_member(value) and plain(name) not in EMPTY:
                kinds.setdefault(value.partition(".")[0], []).append(value)
        return [(of[0], of[1]) for of in kinds.values() if len(of) > 1]

    def _marks(self, form: Form) -> list[tuple[Any, Any]]:
        """Return what may stand for X and O, the likeliest first."""
        named = {plain(name): value for name, value in self._constants.items()}
        for x, o in (("x", "o"), ("playerx", "playero"), ("cross", "nought"), ("cross", "circle")):
            if x in named and o in named and named[x] != named[o]:
                return [(named[x], named[o])]
        texts = self._source.constants
        written = [pair for pair in MARKS[:2] if {*map(repr, pair)} & texts]
        is_number = form["empty"][0] == 0
        by_kind = sorted(MARKS, key=lambda pair: isinstance(pair[0], str) == is_number)
        return self._members() + (written or by_kind)

    def _forms(self) -> list[Form]:
        """Return how boards may look, the likeliest first: like the boards of the file, if any."""
        known = self._shape["forms"] | self._own_forms
        for of in self._shape["classes"].values():
            known |= {name: form for name, form in of["forms"].items() if name not in known}
        boards = [form for name, form in known.items() if {*words(name)} & (BOARDS | {"initial"})]
        if boards:
            return [form for n, form in enumerate(boards) if form not in boards[:n]]
        source = self._source
        members = [value for value in self._constants.values() if is_member(value)]
        empties = sorted(
            [*(one for one in members if plain(one.partition(".")[2]) in EMPTY), *EMPTIES],
            key=lambda one: (
                not is_member(one),
                repr(one) not in source.written,
                repr(one) not in source.constants,
            ),
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

    def _places(self, given: set[str]) -> Iterator[tuple[tuple[str, ...], Form | None]]:
        """Yield where the function takes a board from, and the form known for the place."""
        wanted = given & {"board", "game"}
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
        letters = [str(one).rpartition(".")[2].upper() for one in role or ()]
        if role and {*letters} == {X, O}:
            is_x = letters[0] == X
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
        return named and is_mark(value)


def played(shape: Shape, source: Source) -> Iterator[Plan]:
    """Yield the ways to play through a file's own questions, on the boards held at the first."""
    pairs = [pair for pair in MARKS if {*map(repr, pair)} & source.constants]
    for name, (form, is_marked) in shape.get("boards", {}).items():
        ways = [*([KEY] if form["kind"] == "dict" else []), *SAYS]
        side: Mark = X if is_marked else O  # who has moved before the first question
        for pair, says in product([*pairs, *(pair[::-1] for pair in pairs)], ways):
            if not {*pair} & {*form["empty"]}:
                into, marks = ("asks", name), {side: pair}
                yield Plan("", form, marks, into, sides=(side,), reading="placed", says=says)


def _fitting(value: str, marks: Mapping[Mark, tuple[Any, Any]]) -> str:
    """Return how a side is said: letters stand for themselves only where marks are no letters."""
    letters = all(isinstance(one, str) for one in chain(*marks.values()))
    return value.replace("letter", "side").replace("other side", "other") if letters else value


def is_legal(square: Square | None, position: Position) -> bool:
    """Say whether an answer is a legal move."""
    return square in position.legal_moves()
