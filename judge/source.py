"""The source of a program, which is parsed and never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from judge.lines import Fact

BOUNDS = ("alpha", "beta")
# The functions of CS50's course on artificial intelligence, in the order of its file.
COURSE = ("player", "actions", "result", "winner", "terminal", "utility", "minimax")
ARGUMENT_COUNTS = {"player": 1, "actions": 1, "result": 2, "winner": 1, "terminal": 1, "utility": 1,
             "minimax": 1}  # fmt: skip
MIN_COURSE_FUNCTIONS = 5  # a file with this many of the seven is of the course
BOARD_WORDS = {"board", "grid", "state", "cells", "squares", "field", "game", "position", "b", "s",
               "brd", "bo", "arr", "matrix", "spaces"}  # fmt: skip
MARK_WORDS = {"player", "mark", "letter", "symbol", "turn", "me", "piece", "sign", "side", "token",
              "ai", "computer", "bot", "cpu", "mover", "current", "color", "p", "m", "sym", "char",
              "marker", "who", "mine"}  # fmt: skip
NOT_PICKING_WORDS = {"human", "user", "random", "valid", "legal", "is", "print", "input", "undo",
                     "to"}  # fmt: skip
OTHER_WORDS = {"opponent", "human", "other", "user", "you", "enemy", "opp", "hu"}


class Source:
    """The syntax tree of a file, and what it shows about the functions.

    Raises SyntaxError or ValueError if it is not Python.
    """

    def __init__(self, content: bytes, path: str) -> None:
        self.tree = ast.parse(content, path)
        self.defs: dict[str, ast.FunctionDef] = {}  # by qualified name, such as "Game.move"
        self.classes: dict[str, ast.ClassDef] = {}
        self._find(self.tree.body, "")

    def _find(self, body: Sequence[ast.stmt], owner: str) -> None:
        for node in body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                if isinstance(node, ast.FunctionDef):
                    self.defs[owner + node.name] = node
                else:
                    self.classes[owner + node.name] = node
                self._find(node.body, f"{owner}{node.name}.")
            elif isinstance(node, (ast.If, ast.Try)):
                self._find(node.body, owner)

    @cached_property
    def constants(self) -> set[str]:
        """The repr of each constant of the file."""
        constants = set[str]()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant):
                constants.add(repr(node.value))
            elif isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
                constants.add(f"-{node.operand.value!r}")
        return constants

    def arguments(self, function: str) -> list[str]:
        """Return the required arguments of a function, without `self`."""
        signature = self.defs[function].args
        names = [argument.arg for argument in (*signature.posonlyargs, *signature.args)]
        names = names[: len(names) - len(signature.defaults)]
        is_method = function.rpartition(".")[0] in self.classes
        decorators = {
            getattr(decorator, "id", "") for decorator in self.defs[function].decorator_list
        }
        return names[1:] if is_method and "staticmethod" not in decorators else names

    @property
    def course(self) -> list[str]:
        """The functions of the course that the file defines; empty if it is not of the course.

        A file is of the course if it defines at least MIN_COURSE_FUNCTIONS of them, each with as
        many arguments as in the course.
        """
        defined = [name for name in COURSE if name in self.defs]
        fits = all(len(self.arguments(name)) == ARGUMENT_COUNTS[name] for name in defined)
        return defined if len(defined) >= MIN_COURSE_FUNCTIONS and fits else []

    def is_stub(self, function: str) -> bool:
        """Return whether a function consists only of a docstring, `pass` or NotImplementedError."""
        return all(map(_is_stub_statement, self.defs[function].body))

    def signatures(self) -> list[str]:
        """Return each public function and method, with its required arguments.

        >>> Source(b"def f(a, b=1): pass", "f.py").signatures()
        ['f(a)']
        """
        return [
            f"{function}({', '.join(self.arguments(function))})"
            for function in self.defs
            if not call_name(function).startswith("_")
            and function.rpartition(".")[0] in ("", *self.classes)
            if not any(part.startswith("_") for part in function.split("."))
        ]

    def likely_call(self) -> str:
        """Return the call that most likely picks a move, with `...` for unknown values, or ""."""
        best = max(self.signatures(), key=self._likelihood, default="")
        function = best.partition("(")[0]
        if not self._likelihood(best):
            return ""
        owner, _, name = function.rpartition(".")
        before = f"{owner}({self._values(self._init(owner))})." if owner else ""
        return f"{before}{name}({self._values(function)})"

    def _init(self, owner: str) -> str:
        """Return the name of the `__init__` of a class, which may be that of a base class."""
        bases = [getattr(base, "id", "") for base in self.classes[owner].bases]
        inits = [f"{class_name}.__init__" for class_name in (owner, *bases)]
        return next((init for init in inits if init in self.defs), inits[0])

    def _likelihood(self, signature: str) -> int:
        """Return how likely a function is to pick a move, by its name; 0 if it does not."""
        parts = {*split_words(signature.partition("(")[0])}
        if parts & NOT_PICKING_WORDS:
            return 0
        move_score = 4 * bool(
            parts & {"move", "choose", "turn", "spot", "choice", "pick", "decide"}
        )
        player_score = len(
            parts & {"best", "ai", "computer", "bot", "cpu", "comp", "find", "get", "smart"}
        )
        search_score = bool(parts & {"minimax", "negamax", "alphabeta", "search", "minmax"})
        return move_score + player_score + search_score if move_score or search_score else 0

    def _values(self, function: str) -> str:
        """Return the values to call a function with, guessed from the names of its arguments."""
        values: list[str] = []
        for name in self.arguments(function) if function in self.defs else ():
            parts = {*split_words(name)}
            if parts & BOARD_WORDS:
                values.append(
                    self._of_class(function, name) or ("rows" if self.indexes_twice else "board")
                )
            elif parts & OTHER_WORDS or (parts & MARK_WORDS and "mark" in values):
                values.append("other")
            else:
                is_mark = (parts & MARK_WORDS and "is" not in parts) or parts == {"to", "move"}
                values.append("mark" if is_mark else "...")
        return ", ".join(values)

    def _of_class(self, function: str, name: str) -> str:
        """Return `C(...)` for the class whose methods a function calls on an argument, or ""."""
        used = {
            node.attr
            for node in self._nodes(function)
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == name
        }
        owners = (
            method.rpartition(".")[0] for method in self.defs if method.rpartition(".")[2] in used
        )
        return next((f"{owner}(...)" for owner in owners if owner in self.classes), "")

    @cached_property
    def indexes_twice(self) -> bool:
        """Whether the file indexes twice, as in `board[row][column]`."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Subscript)]
        return any(isinstance(node.value, ast.Subscript) for node in nodes)

    @property
    def kind(self) -> str:
        """The kind of a file that has no program, "empty" or "notebook"; otherwise ""."""
        values = [
            statement.value for statement in self.tree.body if isinstance(statement, ast.Expr)
        ]
        if any(isinstance(value, ast.Dict) for value in values):
            return "notebook"
        return "empty" if len(values) == len(self.tree.body) else ""

    def used_names(self, function: str) -> set[str]:
        """Return the names used by a function and by all functions of the file that it calls."""
        return set[str]().union(*map(self._uses, chain(*self._levels(function))))

    def _levels(self, function: str) -> Iterator[list[str]]:
        """Yield a function, then the functions it calls, and so on, each once."""
        visited, level = set[str](), [function]
        while level:
            yield level
            visited |= {*level}
            called = set[str]().union(*map(self._uses, level))
            level = [
                name for name in self.defs if call_name(name) in called and name not in visited
            ]

    def _nodes(self, function: str) -> list[ast.AST]:
        return [*ast.walk(self.defs[function])] if function in self.defs else []

    def _uses(self, function: str) -> set[str]:
        nodes = self._nodes(function)
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        fields = (node for node in nodes if isinstance(node, ast.Attribute))
        # A function of another module may have the same name as one of this file.
        return names | {
            field.attr for field in fields if getattr(field.value, "id", "") not in self.imports
        }

    @cached_property
    def imports(self) -> set[str]:
        """The top-level modules that the file imports; not its own package."""
        nodes = [*ast.walk(self.tree)]
        modules = {
            alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
        }
        modules |= {
            node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module
        }
        return {name.partition(".")[0] for name in modules}

    def lines(self, functions: Iterable[str]) -> dict[str, int]:
        """Return the line where each of these functions begins, if it is in this file."""
        return {
            function: self.defs[function].lineno for function in functions if function in self.defs
        }

    def search_lines(self, names: set[str]) -> dict[str, int]:
        """Return the line of each function that calls itself, directly or indirectly.

        Considers only functions with these names and what they use, or all functions if `names`
        is empty.
        """
        used = names.union(
            *(self.used_names(name) for name in self.defs if call_name(name) in names)
        )
        considered = [name for name in self.defs if not names or call_name(name) in used]
        return self.lines(name for name in considered if call_name(name) in self.used_names(name))

    def faults(self, names: set[str]) -> Iterator[Fact]:
        """Yield what the source shows to be wrong in a search."""
        for search, line in self.search_lines(names).items():
            name = search.rpartition(".")[2]
            for copy, board in self._aliases(search):
                yield "no copy", name, line, copy, board
            for test, test_line in self._wrong_cutoffs(search):
                yield "wrong cutoff", name, line, test, test_line
            for mark in self._unchanged_marks(search):
                yield "mark kept", name, line, mark
        if shared := [*self._shared_bounds(names)]:
            yield "shared bounds", shared

    def zero_marks(self) -> Iterator[Fact]:
        """Yield the first line with the literal '0', if the file has 'X' but never 'O'."""
        if "'X'" in self.constants and "'O'" not in self.constants:
            nodes = (node for node in ast.walk(self.tree) if isinstance(node, ast.Constant))
            if lines := [node.lineno for node in nodes if node.value == "0"]:
                yield "zero", min(lines)

    def _aliases(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield each alias of a board, and its name, if one assignment alone goes through them."""
        nodes, stored = self._nodes(name), self._stores(name)
        parameters = {node.arg for node in nodes if isinstance(node, ast.arg)}
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
                names = {getattr(node.targets[0], "id", ""), node.value.id}
                marks = [base for base, _ in stored if base in names]
                if node.value.id in parameters and len(marks) == 1:
                    yield getattr(node.targets[0], "id", ""), node.value.id

    def _wrong_cutoffs(self, name: str) -> Iterator[tuple[str, int]]:
        """Yield each test that leaves a loop while alpha is below beta, and its line."""
        for node in self._nodes(name):
            if isinstance(node, ast.If) and isinstance(node.body[-1], (ast.Break, ast.Return)):
                test = ast.unparse(node.test)
                if test.replace("=", "") in ("beta > alpha", "alpha < beta"):
                    yield test, node.lineno

    def _stores(self, name: str) -> list[tuple[str, ast.expr]]:
        """Return the name of each list that a function stores into, and the value stored."""
        stores = []
        for node in self._nodes(name):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                base: ast.expr = node.targets[0]
                while isinstance(base, ast.Subscript):
                    base = base.value
                stores.append((getattr(base, "id", ""), node.value))
        return stores

    def _unchanged_marks(self, name: str) -> Iterator[str]:
        """Yield the mark that a search places and passes unchanged to every call of itself."""
        nodes, short = self._nodes(name), name.rpartition(".")[2]
        parameters = [
            node.arg for node in nodes if isinstance(node, ast.arg) and node.arg != "self"
        ]
        changed = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        placed = {value.id for _, value in self._stores(name) if isinstance(value, ast.Name)}
        calls = [
            node.args
            for loop in nodes
            # A call outside a loop only asks the user again, as in `insertLetter`.
            if isinstance(loop, ast.For)
            for node in ast.walk(loop)
            if isinstance(node, ast.Call)
            and short in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
        ]
        for mark in {*parameters} & placed - changed:
            index = parameters.index(mark)
            passed = [arguments[index] for arguments in calls if len(arguments) > index]
            is_kept = all(
                isinstance(argument, ast.Name) and argument.id == mark for argument in passed
            )
            if is_kept and placed == {mark} and 0 < len(passed) == len(calls):
                yield mark

    def _shared_bounds(self, names: set[str]) -> Iterator[Fact]:
        """Yield each bound that is global in a search."""
        for name, line in self.search_lines(names).items():
            shared = [node.names for node in self._nodes(name) if isinstance(node, ast.Global)]
            bounds = [bound for bound in chain(*shared) if bound.strip("_").lower() in BOUNDS]
            yield from (("global", bound, name, line) for bound in bounds)


def call_name(function: str) -> str:
    """Return the name by which a function is called; for `__init__`, that of the class.

    >>> call_name("Game.minimax"), call_name("Node.__init__")
    ('minimax', 'Node')
    """
    owner, _, name = function.rpartition(".")
    return owner if name == "__init__" else name


def split_words(name: str) -> list[str]:
    """Return the words of a name, in lower case.

    >>> split_words("getAIMove"), split_words("best_move")
    (['get', 'ai', 'move'], ['best', 'move'])
    """
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+", name)
    return [part.lower() for part in parts]


def _is_stub_statement(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise) and node.exc:
        names = {getattr(part, "id", "") for part in ast.walk(node.exc)}
        return "NotImplementedError" in names
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
