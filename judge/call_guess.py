"""A guess at the call that picks a move, from the names in a file. It is only ever suggested."""

from __future__ import annotations

import ast

from judge.source import BOARD_WORDS, MARK_WORDS, Source, split_words

# Words in the names of functions. A function picks a move if its name has a word for a move or for
# a search; words for a program make it more likely.
MOVE_WORDS = {"move", "choose", "turn", "spot", "choice", "pick", "decide"}
SEARCH_WORDS = {"minimax", "negamax", "alphabeta", "search", "minmax"}
PROGRAM_WORDS = {"best", "ai", "computer", "bot", "cpu", "comp", "find", "get", "smart"}
# A function that asks a person, tests a move or takes one back does not pick one.
OTHER_PURPOSE_WORDS = {"human", "user", "random", "valid", "legal", "is", "print", "input", "undo",
                       "to"}  # fmt: skip
OPPONENT_WORDS = {"opponent", "human", "other", "user", "you", "enemy", "opp", "hu"}


def guess_call(source: Source) -> str:
    """Return the call that most likely picks a move, with `...` for unknown values, or "".

    >>> guess_call(Source(b"def best_move(grid, symbol): pass", "ai.py"))
    'best_move(board, mark)'
    """
    likeliest = max(source.signatures(), key=_likelihood, default="")
    if not _likelihood(likeliest):
        return ""
    function = likeliest.partition("(")[0]
    owner, _, name = function.rpartition(".")
    call = f"{name}({_guess_arguments(source, function)})"
    if not owner:
        return call
    return f"{owner}({_guess_arguments(source, _constructor(source, owner))}).{call}"


def _likelihood(signature: str) -> int:
    """Return how likely a function is to pick a move, by its name; 0 if it does not."""
    words = {*split_words(signature.partition("(")[0])}
    if words & OTHER_PURPOSE_WORDS:
        return 0
    # A word for a move weighs more than one for a search: best_move calls minimax.
    move_score = 4 if words & MOVE_WORDS else 0
    search_score = 1 if words & SEARCH_WORDS else 0
    if not move_score and not search_score:
        return 0
    return move_score + search_score + len(words & PROGRAM_WORDS)


def _constructor(source: Source, class_name: str) -> str:
    """Return the name of the `__init__` of a class, which may be that of a base class."""
    bases = [getattr(base, "id", "") for base in source.classes[class_name].bases]
    candidates = [f"{name}.__init__" for name in (class_name, *bases)]
    return next((name for name in candidates if name in source.functions), candidates[0])


def _guess_arguments(source: Source, function: str) -> str:
    """Return the arguments to call a function with, guessed from the names of its parameters."""
    if function not in source.functions:
        return ""
    arguments: list[str] = []
    for parameter in source.required_parameters(function):
        words = {*split_words(parameter)}
        if words & BOARD_WORDS:
            board = "rows" if source.indexes_twice else "board"
            arguments.append(_object_passed(source, function, parameter) or board)
        elif words & OPPONENT_WORDS or (words & MARK_WORDS and "mark" in arguments):
            arguments.append("other")
        elif words == {"to", "move"} or (words & MARK_WORDS and "is" not in words):
            arguments.append("mark")
        else:
            arguments.append("...")
    return ", ".join(arguments)


def _object_passed(source: Source, function: str, parameter: str) -> str:
    """Return `C(...)` for the class C whose methods a function calls on a parameter, or ""."""
    methods_called = {
        node.attr
        for node in source.nodes(function)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == parameter
    }
    for method in source.functions:
        class_name, _, name = method.rpartition(".")
        if name in methods_called and class_name in source.classes:
            return f"{class_name}(...)"
    return ""
