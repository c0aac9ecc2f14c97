"""The source of a program: the functions it defines, and what they use. It is parsed, never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

# The functions of CS50's course on artificial intelligence, in the order of its file, and the
# number of their parameters.
COURSE_PARAMETER_COUNTS = {"player": 1, "actions": 1, "result": 2, "winner": 1, "terminal": 1,
                           "utility": 1, "minimax": 1}  # fmt: skip
COURSE = (*COURSE_PARAMETER_COUNTS,)
MIN_COURSE_FUNCTIONS = 5  # of these seven, in a file that is taken to be written for the course
# Words in the names of parameters, by what the parameter holds.
BOARD_WORDS = {"board", "grid", "state", "cells", "squares", "field", "game", "position", "b", "s",
               "brd", "bo", "arr", "matrix", "spaces"}  # fmt: skip
MARK_WORDS = {"player", "mark", "letter", "symbol", "turn", "me", "piece", "sign", "side", "token",
              "ai", "computer", "bot", "cpu", "mover", "current", "color", "p", "m", "sym", "char",
              "marker", "who", "mine"}  # fmt: skip


class Source:
    """The functions and classes of a file, and what can be read from its syntax tree.

    Raises SyntaxError or ValueError if it is not Python.
    """

    def __init__(self, content: bytes, path: str) -> None:
        self.tree = ast.parse(content, path)
        self.functions: dict[str, ast.FunctionDef] = {}  # by qualified name, such as "Game.move"
        self.classes: dict[str, ast.ClassDef] = {}
        self._add_definitions(self.tree.body, "")

    def _add_definitions(self, body: Sequence[ast.stmt], prefix: str) -> None:
        """Add the functions and classes in `body`; `prefix` is what their names begin with."""
        for node in body:
            if isinstance(node, ast.ClassDef):
                self.classes[prefix + node.name] = node
                self._add_definitions(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                self.functions[prefix + node.name] = node
                self._add_definitions(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, (ast.If, ast.Try)):
                self._add_definitions(node.body, prefix)

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

    @cached_property
    def imports(self) -> set[str]:
        """The top-level modules that the file imports; not its own package."""
        modules = set[str]()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module)
        return {module.partition(".")[0] for module in modules}

    @cached_property
    def indexes_twice(self) -> bool:
        """Whether the file indexes twice somewhere, as in `board[row][column]`."""
        return any(
            isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript)
            for node in ast.walk(self.tree)
        )

    @property
    def lack_of_code(self) -> str:
        """Why there is nothing to run: "empty" or "notebook"; "" if the file is a program."""
        values = [
            statement.value for statement in self.tree.body if isinstance(statement, ast.Expr)
        ]
        if any(isinstance(value, ast.Dict) for value in values):
            return "notebook"  # which is stored as JSON, and JSON objects look like dicts
        return "empty" if len(values) == len(self.tree.body) else ""

    # One function

    def nodes(self, function: str) -> list[ast.AST]:
        """Return all syntax nodes of a function; empty if the file does not define it."""
        return [*ast.walk(self.functions[function])] if function in self.functions else []

    def required_parameters(self, function: str) -> list[str]:
        """Return the names of the parameters without a default, except `self`."""
        definition = self.functions[function]
        parameters = (*definition.args.posonlyargs, *definition.args.args)
        required = parameters[: len(parameters) - len(definition.args.defaults)]
        names = [parameter.arg for parameter in required]
        is_method = function.rpartition(".")[0] in self.classes
        decorators = {getattr(decorator, "id", "") for decorator in definition.decorator_list}
        return names[1:] if is_method and "staticmethod" not in decorators else names

    def is_stub(self, function: str) -> bool:
        """Return whether a function consists only of a docstring, `pass` or NotImplementedError."""
        return all(map(_is_stub_statement, self.functions[function].body))

    def function_lines(self, functions: Iterable[str]) -> dict[str, int]:
        """Return the line where each of these functions begins, if it is in this file."""
        return {
            function: self.functions[function].lineno
            for function in functions
            if function in self.functions
        }

    # All functions

    @property
    def course_functions(self) -> list[str]:
        """The functions of the course that the file defines; none if it is another kind of file.

        A file is written for the course if it defines at least MIN_COURSE_FUNCTIONS of them, each
        with as many parameters as in the course.
        """
        defined = [name for name in COURSE if name in self.functions]
        have_right_parameters = all(
            len(self.required_parameters(name)) == COURSE_PARAMETER_COUNTS[name] for name in defined
        )
        is_of_course = len(defined) >= MIN_COURSE_FUNCTIONS and have_right_parameters
        return defined if is_of_course else []

    def signatures(self) -> list[str]:
        """Return each public function and method, with its required parameters.

        >>> Source(b"def f(a, b=1): pass", "f.py").signatures()
        ['f(a)']
        """
        return [
            f"{function}({', '.join(self.required_parameters(function))})"
            for function in self.functions
            if self._is_public(function)
        ]

    def _is_public(self, function: str) -> bool:
        """Return whether a function can be called from outside, and no name in its path is private.

        `__init__` is called by the name of its class, so it is not a function to call.
        """
        is_nested = function.rpartition(".")[0] not in ("", *self.classes)
        return not is_nested and not any(part.startswith("_") for part in function.split("."))

    # What functions use

    def used_names(self, function: str) -> set[str]:
        """Return the names used by a function and by all functions of the file that it calls."""
        return set[str]().union(*map(self._own_names, chain(*self._call_levels(function))))

    def _call_levels(self, function: str) -> Iterator[list[str]]:
        """Yield a function, then the functions it calls, and so on, each function once."""
        visited, level = set[str](), [function]
        while level:
            yield level
            visited |= {*level}
            called = set[str]().union(*map(self._own_names, level))
            level = [
                name for name in self.functions if call_name(name) in called and name not in visited
            ]

    def _own_names(self, function: str) -> set[str]:
        """Return the variables and attributes that a function itself uses."""
        names = set[str]()
        for node in self.nodes(function):
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.Attribute):
                owner = getattr(node.value, "id", "")
                if owner not in self.imports:  # a module's functions may have the same names
                    names.add(node.attr)
        return names

    def recursive_functions(self, names: set[str]) -> dict[str, int]:
        """Return the line of each function that calls itself, directly or through others.

        Considers only functions with these names and what they use, or all functions if `names`
        is empty.
        """
        used = names.union(
            *(self.used_names(name) for name in self.functions if call_name(name) in names)
        )
        considered = [name for name in self.functions if not names or call_name(name) in used]
        return self.function_lines(
            name for name in considered if call_name(name) in self.used_names(name)
        )


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
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+", name)
    return [word.lower() for word in words]


def _is_stub_statement(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise) and node.exc:
        names = {getattr(part, "id", "") for part in ast.walk(node.exc)}
        return "NotImplementedError" in names
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
