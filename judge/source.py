"""The source of a program: read, and never run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from itertools import chain
from typing import Any

from judge.lines import Fact

BOUNDS = ("alpha", "beta")
WINDOWS = ("tkinter", "turtle", "pygame", "PyQt5", "PyQt6", "PySide6", "kivy", "wx", "arcade")


class Source:
    """Hold the text of a file, and say what its functions do in the text.

    Raises OSError, SyntaxError or ValueError where the file cannot be read as Python.
    """

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:  # of which an error names no line of a library
            self.tree = ast.parse(file.read(), path)
        self.defs: dict[str, ast.FunctionDef] = {}
        self._find(self.tree.body, "")

    def _find(self, body: Sequence[ast.stmt], owner: str) -> None:
        """Note each function by its name, after that of the class or function around."""
        for node in body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                if isinstance(node, ast.FunctionDef):
                    self.defs[owner + node.name] = node
                self._find(node.body, f"{owner}{node.name}.")

    @cached_property
    def constants(self) -> set[str]:
        """Return all constants of the file, as text that shows their type."""
        return {*self._constants(ast.walk(self.tree))}

    @cached_property
    def written(self) -> set[str]:
        """Return the constants that the file puts on squares, as text that shows their type."""
        assigned = (node for node in ast.walk(self.tree) if isinstance(node, ast.Assign))
        return {
            *self._constants(n.value for n in assigned if isinstance(n.targets[0], ast.Subscript))
        }

    @staticmethod
    def _constants(nodes: Iterable[ast.AST]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.Constant):
                yield repr(node.value)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
                yield f"-{node.operand.value!r}"

    def has(self, value: Any) -> bool:
        """Say whether a mark is written in the file; a member of an enumeration is."""
        return isinstance(value, Enum) or repr(value) in self.constants

    def holds(self, text: str) -> bool:
        """Say whether a constant of the file holds a text."""
        return any(text in constant for constant in self.constants)

    def steps(self, call: str, name: str) -> str:
        """Return whether a function, or those it calls, count a parameter "up" or "down", or ""."""
        found = {
            type(one.op)
            for function in chain(*self._levels(call))
            for one in self._inside(function)
            if isinstance(one, ast.BinOp) and isinstance(one.left, ast.Name) and one.left.id == name
            if isinstance(one.right, ast.Constant) and one.right.value == 1
        }
        return "up" if found == {ast.Add} else "down" if found == {ast.Sub} else ""

    @property
    def takes_ninth(self) -> bool:
        """Say whether the file takes a thing with the number 9, as of a list of ten."""
        nodes = [node.slice for node in ast.walk(self.tree) if isinstance(node, ast.Subscript)]
        return any(isinstance(one, ast.Constant) and one.value == 9 for one in nodes)

    @property
    def nature(self) -> str:
        """Return what a file is that holds no program to ask: "empty", "notebook"; else ""."""
        said = [one.value for one in self.tree.body if isinstance(one, ast.Expr)]
        if any(isinstance(one, ast.Dict) for one in said):
            return "notebook"
        return "empty" if len(said) == len(self.tree.body) else ""

    @property
    def window(self) -> str:
        """Return the module with which a file opens a window, "" if it opens none."""
        return next((one for one in self.imports if one in WINDOWS), "")

    @cached_property
    def imports(self) -> list[str]:
        """Return the modules that a file imports, without what is inside."""
        nodes = [*ast.walk(self.tree)]
        found = [alias.name for one in nodes if isinstance(one, ast.Import) for alias in one.names]
        found += [one.module or "" for one in nodes if isinstance(one, ast.ImportFrom)]
        return [name.partition(".")[0] for name in found]

    @cached_property
    def is_nested(self) -> bool:
        """Say whether the file takes a square of a row of a board."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Subscript)]
        return any(isinstance(node.value, ast.Subscript) for node in nodes)

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
            level = [one for one in self.defs if short(one) in called and one not in met]

    def _inside(self, call: str) -> list[ast.AST]:
        return [*ast.walk(self.defs[call])] if call in self.defs else []

    def _uses(self, call: str) -> set[str]:
        inside = self._inside(call)
        names = {one.id for one in inside if isinstance(one, ast.Name)}
        return names | {one.attr for one in inside if isinstance(one, ast.Attribute)}

    def lines(self, calls: Iterable[str]) -> dict[str, int]:
        """Return the line where each of these functions begins, if in this file."""
        return {call: self.defs[call].lineno for call in calls if call in self.defs}

    def searches(self, call: str) -> dict[str, int]:
        """Return the line of each function, below a call, that comes to call itself."""
        used = self.names(call) | {call.rpartition(".")[2]}
        below = [one for one in self.defs if not call or short(one) in used]
        return self.lines(one for one in below if short(one) in self.names(one))

    def notes(self, call: str) -> Iterator[Fact]:
        """Yield what the source alone shows to be wrong in a search."""
        for search, line in self.searches(call).items():
            name = search.rpartition(".")[2]
            for copy, board in self._aliases(search):
                yield "no copy", name, line, copy, board
            for test, at in self._cuts(search):
                yield "cut", name, line, test, at
            for mark in self._kept(search):
                yield "mark kept", name, line, mark
        if shared := [*self._shared_bounds(call)]:
            yield "shared bounds", shared

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

    def _shared_bounds(self, call: str) -> Iterator[Fact]:
        """Yield each bound that every call of a search shares."""
        for name, line in self.searches(call).items():
            shared = [one.names for one in self._inside(name) if isinstance(one, ast.Global)]
            found = [bound for bound in chain(*shared) if bound.strip("_").lower() in BOUNDS]
            yield from (("global", bound, name, line) for bound in found)


def short(call: str) -> str:
    """Return the name by which a function is called: of a class, its own.

    >>> short("Game.minimax"), short("Node.__init__")
    ('minimax', 'Node')
    """
    owner, _, name = call.rpartition(".")
    return owner if name == "__init__" else name
