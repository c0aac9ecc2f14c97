"""What the source of a program shows to be wrong. Each finding is a fact for words.py."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from judge.lines import Fact
from judge.source import Source

BOUNDS = ("alpha", "beta")


def search_faults(source: Source, names: set[str]) -> Iterator[Fact]:
    """Yield what is wrong in a search, which is a function that calls itself.

    Considers the functions with these names and what they use, or all if `names` is empty.
    """
    searches = source.recursive_functions(names)
    for search, line in searches.items():
        name = search.rpartition(".")[2]
        for alias, board in _board_aliases(source, search):
            yield "no copy", name, line, alias, board
        for test, test_line in _wrong_cutoffs(source, search):
            yield "wrong cutoff", name, line, test, test_line
        for mark in _unchanged_marks(source, search):
            yield "mark kept", name, line, mark
    shared_bounds = [
        ("global", bound, search, line)
        for search, line in searches.items()
        for bound in _global_bounds(source, search)
    ]
    if shared_bounds:
        yield "shared bounds", shared_bounds


def zero_marks(source: Source) -> Iterator[Fact]:
    """Yield a fact on the first line with the literal '0', if the file has 'X' but never 'O'."""
    if "'X'" not in source.constants or "'O'" in source.constants:
        return
    constants = [node for node in ast.walk(source.tree) if isinstance(node, ast.Constant)]
    if lines := [constant.lineno for constant in constants if constant.value == "0"]:
        yield "zero", min(lines)


def _board_aliases(source: Source, search: str) -> Iterator[tuple[str, str]]:
    """Yield each alias that is used as if it were a copy of a board, and the board's name.

    In `new = board; new[3] = "X"`, the board is marked as well. If a second assignment takes the
    move back, no copy is needed.
    """
    nodes = source.nodes(search)
    parameters = {node.arg for node in nodes if isinstance(node, ast.arg)}
    marked_boards = [board for board, _ in _item_assignments(source, search)]
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            alias, board = getattr(node.targets[0], "id", ""), node.value.id
            stores = [name for name in marked_boards if name in (alias, board)]
            if board in parameters and len(stores) == 1:
                yield alias, board


def _wrong_cutoffs(source: Source, search: str) -> Iterator[tuple[str, int]]:
    """Yield each test that breaks or returns while alpha is below beta, and its line."""
    for node in source.nodes(search):
        if isinstance(node, ast.If) and isinstance(node.body[-1], (ast.Break, ast.Return)):
            test = ast.unparse(node.test)
            if test.replace("=", "") in ("beta > alpha", "alpha < beta"):
                yield test, node.lineno


def _item_assignments(source: Source, search: str) -> list[tuple[str, ast.expr]]:
    """Return the name of each list that a function stores into, and the value stored."""
    stores = []
    for node in source.nodes(search):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            target: ast.expr = node.targets[0]
            while isinstance(target, ast.Subscript):
                target = target.value
            stores.append((getattr(target, "id", ""), node.value))
    return stores


def _unchanged_marks(source: Source, search: str) -> Iterator[str]:
    """Yield the parameter that a search places and passes unchanged to every call of itself.

    Such a search plays every move for the same side.
    """
    nodes = source.nodes(search)
    parameters = [node.arg for node in nodes if isinstance(node, ast.arg) and node.arg != "self"]
    placed = {
        value.id for _, value in _item_assignments(source, search) if isinstance(value, ast.Name)
    }
    assigned = {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    calls = [*_calls_in_loops(nodes, search.rpartition(".")[2])]
    for mark in {*parameters} & placed - assigned:
        index = parameters.index(mark)
        passed = [call.args[index] for call in calls if len(call.args) > index]
        is_unchanged = all(isinstance(value, ast.Name) and value.id == mark for value in passed)
        if is_unchanged and placed == {mark} and 0 < len(passed) == len(calls):
            yield mark


def _calls_in_loops(nodes: list[ast.AST], function: str) -> Iterator[ast.Call]:
    """Yield the calls of a function inside its `for` loops.

    A call elsewhere is not a search: in a widely copied program, `insertLetter` calls itself to ask
    for another square.
    """
    for loop in nodes:
        if isinstance(loop, ast.For):
            for node in ast.walk(loop):
                if isinstance(node, ast.Call):
                    called = getattr(node.func, "id", ""), getattr(node.func, "attr", "")
                    if function in called:
                        yield node


def _global_bounds(source: Source, search: str) -> Iterator[str]:
    """Yield each bound that a search declares global, so that all its calls share it."""
    for node in source.nodes(search):
        if isinstance(node, ast.Global):
            yield from (name for name in node.names if name.strip("_").lower() in BOUNDS)
