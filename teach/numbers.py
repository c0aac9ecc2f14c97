"""Trees of numbers: parsing what people write, and formatting an address.

A tree is nested tuples of whole numbers: `((3, 12, 8), (2, 4, 6), (14, 5, 2))`.
"""

from __future__ import annotations

from functools import lru_cache
from re import Match, findall, split, sub
from typing import NamedTuple
from unicodedata import category, decimal

from engine.notation import signed
from teach.trees import Node, Order, Path, in_order

Numbers = tuple["Numbers | int | None", ...]  # None if a number is missing

MAX_CHILDREN, MAX_LEVELS, MAX_LEAVES, MAX_NODES, MAX_VALUE = 5, 5, 40, 60, 99
MAX_CHARACTERS = 600  # 40 leaves of three characters, five levels deep, need fewer
TOO_FEW_NUMBERS = "A tree needs at least two numbers, such as 3 12 8 / 2 4 6."
ONE_TREE = "That is more than one tree. Put one pair of parentheses around it all."
EXAMPLE: Numbers = ((3, 12, 8), (2, 4, 6), (14, 5, 2))


class ParsedTree(NamedTuple):
    """As much of a tree as could be parsed."""

    values: Numbers | None
    fault: str  # the first thing wrong, or ""


def is_tree_text(text: str) -> bool:
    """Return whether a text from an address is a tree of numbers, well formed or not."""
    return not {"(", ")", ","}.isdisjoint(_plain(text))


def parse_tree(text: str) -> ParsedTree:
    """Parse a tree as people write it: with slashes, lines, semicolons, or brackets and commas.

    Each line is a branch; a blank line or `//` ends a branch one level higher.

    >>> parse_tree("3 12 8 / 2 4 6 / 14 5 2").values
    ((3, 12, 8), (2, 4, 6), (14, 5, 2))
    >>> parse_tree("[3, –5]\\n[2, 7]").values
    ((3, -5), (2, 7))
    >>> parse_tree("(3, 12,)")
    ParsedTree(values=(3, 12, None), fault='After 12, a number is missing.')
    """
    if len(text) > MAX_CHARACTERS:
        return ParsedTree(None, f"At most {MAX_CHARACTERS} characters; yours has {len(text)}.")
    text = _plain(text)
    is_slashed = "(" not in text and ")" not in text
    if "/" in text and not is_slashed:
        return ParsedTree(None, "Parentheses or slashes, not both.")
    text = _with_slashes(text) if is_slashed else _bracketed(text)
    tokens = findall(r"[-+]?[0-9.]*[0-9][0-9.]*|/+|[^\s]", text)
    if is_slashed:
        slashes = max((len(token) for token in tokens if token[0] == "/"), default=0)
        # 1 2 / 3 4 // 5 6 becomes (((1 2) (3 4)) ((5 6))). `unwrap` then replaces a group of one
        # by its only member.
        inner = [c for t in tokens for c in (")" * len(t) + "(" * len(t) if t[0] == "/" else [t])]
        tokens = ["("] * (slashes + 1) + inner + [")"] * (slashes + 1)
    values, fault = _parse_tokens(tokens, unwrap=is_slashed)
    size_fault = _size_fault(values) if values else ""
    return ParsedTree(None if size_fault else values, fault or size_fault)


FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # to ASCII
SYNONYMS = str.maketrans("[{]}、−", "(()),-")  # what people write, and what is parsed


def _plain(text: str) -> str:
    """Return a text with ASCII digits, signs and parentheses; any dash becomes a minus."""
    text = text.strip().removesuffix(".").translate(FULL_WIDTH).translate(SYNONYMS)
    characters = ("-" if category(c) == "Pd" else str(decimal(c, c)) for c in text)
    return sub(r"[^\S\n]*\n[^\S\n]*", "\n", "".join(characters))


def _with_slashes(text: str) -> str:
    """Turn line breaks into slashes, and semicolons into slashes between rows, otherwise commas.

    >>> _with_slashes("3;5\\n2;7"), _with_slashes("3 5; 2 7"), _with_slashes("1 / 2\\n3 / 4")
    ('3,5 / 2,7', '3 5 / 2 7', '1 / 2 // 3 / 4')
    """
    text = sub(r"[;,](?=\n)|;$|(?<=/)\n|\n(?=/)", "", text)
    text = text.removesuffix(",") if "\n" in text else text
    text = text.replace(";", " /" if _has_rows(text) else ",")
    max_slashes = max(map(len, findall("/+", text)), default=0)
    return sub(r"\n+", lambda ends: f" {'/' * (len(ends[0]) + max_slashes)} ", text)


def _has_rows(text: str) -> bool:
    """Return whether semicolons separate rows of several numbers, not single numbers."""
    return any(len(findall(r"\d+", part)) > 1 for part in split(r"[;/\n]+", text))


def _bracketed(text: str) -> str:
    """Put parentheses around lines that have none, and around rows between semicolons.

    >>> _bracketed("(3, 5),\\n(2, 7)"), _bracketed("(3 5; 2 7)")
    ('((3, 5) (2, 7))', '((3 5),(2 7))')
    """

    def rows_of(group: Match[str]) -> str:
        rows = [f"({row.strip()})" for row in group[0][1:-1].split(";")]
        return f"({','.join(rows)})" if _has_rows(group[0]) else group[0]

    text = sub(r"\([^()]*;[^()]*\)", rows_of, text).replace(";", ",")
    lines, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "\n" and depth == 0:
            lines.append("")
        else:
            lines[-1] += character
    rows = [line.strip(" ,") for line in lines]
    if len(rows) == 1:
        return text
    return f"({' '.join(row if row.startswith('(') else f'({row})' for row in rows if row)})"


def _parse_tokens(tokens: list[str], unwrap: bool) -> tuple[Numbers | None, str]:
    """Return the tree, or None if the tokens don't form one, and the first fault."""
    groups: list[list[Numbers | int | None]] = [[]]
    fault, last_number, follows_comma = "", "", False
    for token in tokens:
        if follows_comma and (token in ",)"):
            fault = fault or _missing_fault(last_number)
            groups[-1].append(None)
        follows_comma = token == ","
        if token == "(":
            groups.append([])
            if len(groups) > MAX_LEVELS + 2:
                return None, f"At most {MAX_LEVELS} levels of branches."
        elif token == ")":
            group = groups.pop()
            if not groups:
                return None, "There is one “)” too many."
            if not group:
                fault = fault or _missing_fault(last_number)
                group = [None]
            groups[-1].append(group[0] if unwrap and len(group) == 1 else tuple(group))
        elif token == ",":
            if not groups[-1]:
                fault = fault or _missing_fault(last_number)
                groups[-1].append(None)
        else:
            number = _parse_number(token)
            if not isinstance(number, int):
                fault = fault or number
            groups[-1].append(number if isinstance(number, int) else None)
            last_number = token
    if unclosed := len(groups) - 1:
        subject = "A “)” is" if unclosed == 1 else f"{unclosed} “)” are"
        return None, f"{subject} missing at the end."
    top = groups[0]
    if len(top) > 1:
        return None, fault or ONE_TREE
    if not isinstance(top[0], tuple):
        return None, fault or TOO_FEW_NUMBERS
    return top[0], fault


def _missing_fault(last_number: str) -> str:
    """Return the message for a missing number; `last_number` is the one before it, or ""."""
    return (
        f"After {last_number}, a number is missing."
        if last_number
        else "The first number is missing."
    )


def _parse_number(token: str) -> int | str:
    """Return a whole number, or why `token` isn't one."""
    if "." in token.strip("."):
        return f"Whole numbers only: {token} isn’t one."
    if not (token.isascii() and token.lstrip("-+").isdigit()):
        return f"“{token}” isn’t a number. Write numbers and slashes: 3 12 8 / 2 4 6."
    if len(token) > 4 or abs(int(token)) > MAX_VALUE:
        return f"Numbers go from −{MAX_VALUE} to {MAX_VALUE}; {token[:12]} is out of range."
    return int(token)


def _size_fault(values: Numbers) -> str:
    """Return why a tree is too large or too small, or "" if it is neither."""
    leaf_count = node_count = max_branches = level_count = 0
    level: list[Numbers | int | None] = [values]
    while level:
        groups = [group for group in level if isinstance(group, tuple)]
        node_count += len(level)
        leaf_count += len(level) - len(groups)
        level_count += bool(groups)
        max_branches = max([max_branches, *map(len, groups)])
        level = [child for group in groups for child in group]
    for limit, count, noun in (
        (MAX_LEVELS, level_count, "levels of branches"),
        (MAX_CHILDREN, max_branches, "branches at a node"),
        (MAX_LEAVES, leaf_count, "leaves"),
        (MAX_NODES, node_count, "nodes"),
    ):
        if count > limit:
            return f"At most {limit} {noun}; yours has {count}."
    return TOO_FEW_NUMBERS if leaf_count == 1 else ""


def format_tree(values: Numbers | int | None) -> str:
    """Format a tree for an address; a missing number is a question mark.

    >>> format_tree(((3, -12), 5))
    '((3,-12),5)'
    """
    if isinstance(values, tuple):
        return f"({','.join(map(format_tree, values))})"
    return "?" if values is None else str(values)


def format_typed(values: Numbers) -> str:
    """Format a tree the way people type it: with slashes if all leaves are equally deep.

    >>> format_typed(((3, 12), (2, 4)))
    '3 12 / 2 4'
    """
    levels, level = [], list[Numbers | int | None]([values])
    while groups := [group for group in level if isinstance(group, tuple)]:
        levels.append([len(group) for group in groups])
        if len(groups) < len(level) or any(len(group) < 2 for group in groups):
            return format_tree(values).replace(",", ", ")
        level = [child for group in groups for child in group]

    def text(group: Numbers | int | None, slashes: int) -> str:
        parts = [text(child, slashes - 1) for child in group] if isinstance(group, tuple) else []
        return (f" {'/' * slashes} " if slashes else " ").join(parts) or str(group)

    return text(values, len(levels) - 1)


@lru_cache(maxsize=256)
def number_tree(values: Numbers, is_max: bool = True, order: Order = "squares") -> Node:
    """Return the root of a tree of numbers; `is_max` says whether it is MAX."""

    def node(values: Numbers | int | None, path: Path, is_max: bool) -> Node:
        if not isinstance(values, tuple):
            return Node(path, values, values or 0, is_max)
        below = tuple(node(v, (*path, n), not is_max) for n, v in enumerate(values))
        best = (max if is_max else min)(child.value for child in below)
        return Node(path, None, best, is_max, below)

    return in_order(node(values, (), is_max), order)


@lru_cache(maxsize=256)
def node_names(root: Node, first: str = "A") -> dict[Path, str]:
    """Name each node: inner nodes A, B, C … level by level, left to right; leaves by their values.

    `first` is the letter of the root, later than A if another tree uses the letters before it.

    >>> node_names(number_tree(((3, 12), -4)))[0,]
    'B'
    """
    inner_nodes = sorted((len(node.path), node.path) for node in root.walk() if node.below)
    numbers = range(ord(first), ord(first) + len(inner_nodes))
    letters = [chr(n) if n < 91 else "A" + chr(n - 26) for n in numbers]
    inner_names = {path: letter for (_, path), letter in zip(inner_nodes, letters, strict=True)}
    leaf_names = {leaf.path: signed(leaf.value).removeprefix("+") for leaf in root.leaves}
    return inner_names | leaf_names
