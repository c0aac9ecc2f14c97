"""Trees of one's own values: read as they are typed, and written as an address has them.

A tree is nested tuples of whole numbers: `((3, 12, 8), (2, 4, 6), (14, 5, 2))`.
"""

from __future__ import annotations

from functools import lru_cache
from re import findall
from typing import NamedTuple

from engine.notation import signed
from teach.trees import Node, Order, Path, in_order

Numbers = tuple["Numbers | int | None", ...]  # None where a number is missing

MOST_CHILDREN, MOST_LEVELS, MOST_LEAVES, MOST_NODES, HIGHEST = 5, 5, 40, 60, 99
MOST_CHARACTERS = 600  # forty leaves, each three characters in five parentheses, need fewer
FORK = "A tree has a fork: give two numbers or more, as 3 12 8 / 2 4 6."
EXAMPLE: Numbers = ((3, 12, 8), (2, 4, 6), (14, 5, 2))


class Typed(NamedTuple):
    """Hold a tree as far as it can be read and drawn, and what is wrong first, "" for nothing."""

    values: Numbers | None
    fault: str


def read_tree(text: str) -> Typed:
    """Read a tree: `3 12 8 / 2 4 6`, `//` being one level up, or parentheses with commas.

    >>> read_tree("3 12 8 / 2 4 6 / 14 5 2").values
    ((3, 12, 8), (2, 4, 6), (14, 5, 2))
    >>> read_tree("(3, 12,)")
    Typed(values=(3, 12, None), fault='After 12, a number is missing.')
    """
    if len(text) > MOST_CHARACTERS:
        return Typed(None, f"At most {MOST_CHARACTERS} characters; these are {len(text)}.")
    tokens = findall(r"[-−+]?[0-9.]*[0-9][0-9.]*|/+|[^\s]", text)
    slashes = max((len(token) for token in tokens if token[0] == "/"), default=0)
    is_slashed = "(" not in tokens and ")" not in tokens
    if slashes and not is_slashed:
        return Typed(None, "Parentheses or slashes, not both.")
    if is_slashed:
        # 1 2 / 3 4 // 5 6 is (((1 2) (3 4)) ((5 6))), and a group of one is its only member.
        split = [c for t in tokens for c in (")" * len(t) + "(" * len(t) if t[0] == "/" else [t])]
        tokens = ["("] * (slashes + 1) + split + [")"] * (slashes + 1)
    values, fault = _nested(tokens, unwrap=is_slashed)
    limit = _limit(values) if values else ""
    return Typed(None if limit else values, fault or limit)


def _nested(tokens: list[str], unwrap: bool) -> tuple[Numbers | None, str]:
    """Return the tree that tokens spell, and the first fault; no tree where there is no telling."""
    groups: list[list[Numbers | int | None]] = [[]]
    fault, before, awaits = "", "", False
    for token in tokens:
        if awaits and (token in ",)"):
            fault = fault or missing(before)
            groups[-1].append(None)
        awaits = token == ","
        if token == "(":
            groups.append([])
            if len(groups) > MOST_LEVELS + 2:
                return None, f"At most {MOST_LEVELS} levels of forks."
        elif token == ")":
            group = groups.pop()
            if not groups:
                return None, "There is one “)” too many."
            if not group:
                fault = fault or missing(before)
                group = [None]
            groups[-1].append(group[0] if unwrap and len(group) == 1 else tuple(group))
        elif token == ",":
            if not groups[-1]:
                fault = fault or missing(before)
                groups[-1].append(None)
        else:
            number = _number(token)
            if not isinstance(number, int):
                fault = fault or number
            groups[-1].append(number if isinstance(number, int) else None)
            before = token
    if unclosed := len(groups) - 1:
        lacks = "A “)” is" if unclosed == 1 else f"{unclosed} “)” are"
        return None, f"{lacks} missing at the end."
    top = groups[0]
    if len(top) > 1:
        return None, fault or "These are two trees or more: one pair of parentheses around them."
    if not isinstance(top[0], tuple):
        return None, fault or FORK
    return top[0], fault


def missing(before: str) -> str:
    """Say where a number is missing: after the one before, if any."""
    return f"After {before}, a number is missing." if before else "The first number is missing."


def _number(token: str) -> int | str:
    """Return a whole number, or why `token` is none."""
    if "." in token.strip("."):
        return f"Whole numbers only: {token} is none."
    digits = token.replace("−", "-")
    if not (digits.isascii() and digits.lstrip("-+").isdigit()):
        return f"“{token}” is no number."
    if len(digits) > 4 or abs(int(digits)) > HIGHEST:
        return f"A number is from −{HIGHEST} to {HIGHEST}, and {token[:12]} is not."
    return int(digits)


def _limit(values: Numbers) -> str:
    """Say which limit a tree passes, "" if none."""
    leaves = nodes = wide = deep = 0
    level: list[Numbers | int | None] = [values]
    while level:
        forks = [fork for fork in level if isinstance(fork, tuple)]
        nodes, leaves = nodes + len(level), leaves + len(level) - len(forks)
        deep, wide = deep + bool(forks), max([wide, *map(len, forks)])
        level = [child for fork in forks for child in fork]
    for most, found, what in (
        (MOST_LEVELS, deep, "levels of forks"),
        (MOST_CHILDREN, wide, "branches at a fork"),
        (MOST_LEAVES, leaves, "leaves"),
        (MOST_NODES, nodes, "nodes"),
    ):
        if found > most:
            return f"At most {most} {what}; these are {found}."
    return FORK if leaves == 1 else ""


def written(values: Numbers | int | None) -> str:
    """Write a tree as an address has it; a missing number is a question mark.

    >>> written(((3, -12), 5))
    '((3,-12),5)'
    """
    if isinstance(values, tuple):
        return f"({','.join(map(written, values))})"
    return "?" if values is None else str(values)


def typed(values: Numbers) -> str:
    """Write a tree as it may be typed: with slashes where all branches are of equal depth.

    >>> typed(((3, 12), (2, 4)))
    '3 12 / 2 4'
    """
    levels, level = [], list[Numbers | int | None]([values])
    while forks := [fork for fork in level if isinstance(fork, tuple)]:
        levels.append([len(fork) for fork in forks])
        if len(forks) < len(level) or any(len(fork) < 2 for fork in forks):
            return written(values).replace(",", ", ")
        level = [child for fork in forks for child in fork]

    def text(fork: Numbers | int | None, slashes: int) -> str:
        parts = [text(child, slashes - 1) for child in fork] if isinstance(fork, tuple) else []
        return (f" {'/' * slashes} " if slashes else " ").join(parts) or str(fork)

    return text(values, len(levels) - 1)


@lru_cache(maxsize=256)
def number_tree(values: Numbers, is_max: bool = True, order: Order = "squares") -> Node:
    """Return the tree of one's own values, with MAX or MIN first, in the order of a search."""

    def node(values: Numbers | int | None, path: Path, is_max: bool) -> Node:
        if not isinstance(values, tuple):
            return Node(path, values, values or 0, is_max)
        below = tuple(node(v, (*path, n), not is_max) for n, v in enumerate(values))
        best = (max if is_max else min)(child.value for child in below)
        return Node(path, None, best, is_max, below)

    return in_order(node(values, (), is_max), order)


@lru_cache(maxsize=256)
def names(root: Node, first: str = "A") -> dict[Path, str]:
    """Name each node: forks A, B, C … level by level, from left to right, leaves by their values.

    The `first` fork may have a later letter, where another tree has those before.

    >>> names(number_tree(((3, 12), -4)))[0,]
    'B'
    """
    forks = sorted((len(node.path), node.path) for node in root.walk() if node.below)
    numbers = range(ord(first), ord(first) + len(forks))
    letters = [chr(n) if n < 91 else "A" + chr(n - 26) for n in numbers]
    called = {path: letter for (_, path), letter in zip(forks, letters, strict=True)}
    leaves = {leaf.path: signed(leaf.value).removeprefix("+") for leaf in root.leaves}
    return called | leaves
