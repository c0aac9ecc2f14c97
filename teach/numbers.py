"""Trees of numbers: parsed from what people type or paste, formatted, and built with named nodes.

A tree is nested tuples of whole numbers: `((3, 12, 8), (2, 4, 6), (14, 5, 2))`.
"""

from __future__ import annotations

from functools import lru_cache
from re import Match, findall, split, sub
from string import ascii_uppercase
from typing import NamedTuple
from unicodedata import category, decimal

from engine.notation import signed
from teach.trees import Node, Order, Path, sort_children

Numbers = tuple["Subtree", ...]  # the children of an inner node
Subtree = Numbers | int | None  # an inner node, or the number of a leaf; None if it is missing

MAX_CHILDREN = 5
MAX_LEVELS = 5  # levels of branches
MAX_LEAVES, MAX_NODES = 40, 60
MAX_VALUE = 99  # the lowest value is -99
MAX_CHARACTERS = 600  # more than any tree within the limits above needs
TOO_FEW_NUMBERS = "A tree needs at least two numbers, such as 3 12 8 / 2 4 6."
ONE_TREE = "That is more than one tree. Put one pair of parentheses around it all."
EXAMPLE: Numbers = ((3, 12, 8), (2, 4, 6), (14, 5, 2))


class ParsedTree(NamedTuple):
    """As much of a tree as could be parsed."""

    values: Numbers | None  # None if the text is not a single tree of an allowed size
    fault: str  # the first thing wrong, or ""


def is_tree_text(text: str) -> bool:
    """Return whether a text from an address is meant to be a tree of numbers, not a board."""
    return not {"(", ")", ","}.isdisjoint(_normalize_characters(text))


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
    text = _normalize_characters(text)
    has_parentheses = "(" in text or ")" in text
    if has_parentheses and "/" in text:
        return ParsedTree(None, "Parentheses or slashes, not both.")
    if has_parentheses:
        tokens = _split_into_tokens(_add_missing_parentheses(text))
        values, fault = _parse_tokens(tokens)
    else:
        tokens = _slashes_to_parentheses(_split_into_tokens(_separate_by_slashes(text)))
        values, fault = _parse_tokens(tokens, unwraps_single_members=True)
    size_fault = _size_fault(values) if values else ""
    return ParsedTree(None if size_fault else values, fault or size_fault)


# Unicode has a full-width copy of each printable ASCII character, 0xFEE0 code points higher.
FULL_WIDTH_TO_ASCII = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
SYNONYMS = str.maketrans("[{]}、−", "(()),-")  # what people write, and what it stands for


def _normalize_characters(text: str) -> str:
    """Return a text with its digits, dashes and brackets replaced by ASCII ones.

    Spaces around line breaks are removed, and so is a period at the end.
    """
    text = text.strip().removesuffix(".").translate(FULL_WIDTH_TO_ASCII).translate(SYNONYMS)
    # "Pd" is the Unicode category of dashes.
    characters = ("-" if category(c) == "Pd" else str(decimal(c, c)) for c in text)
    return sub(r"[^\S\n]*\n[^\S\n]*", "\n", "".join(characters))


def _split_into_tokens(text: str) -> list[str]:
    """Return the numbers, the runs of slashes, and each other character that is not a space."""
    return findall(r"[-+]?[0-9.]*[0-9][0-9.]*|/+|[^\s]", text)


def _separate_by_slashes(text: str) -> str:
    """Replace the line breaks and semicolons of a text without parentheses.

    A semicolon between rows of numbers becomes a slash, one between single numbers a comma. Line
    breaks become longer runs of slashes than any in a line, because they split the tree higher up.

    >>> _separate_by_slashes("3;5\\n2;7"), _separate_by_slashes("3 5; 2 7")
    ('3,5 / 2,7', '3 5 / 2 7')
    >>> _separate_by_slashes("1 / 2\\n3 / 4")
    '1 / 2 // 3 / 4'
    """
    # Separators at the ends of lines add nothing, nor do line breaks beside a slash. But a single
    # line keeps its last comma, because a number may be missing after it.
    text = sub(r"[;,](?=\n)|;$|(?<=/)\n|\n(?=/)", "", text)
    if "\n" in text:
        text = text.removesuffix(",")
    text = text.replace(";", " /" if _has_rows(text) else ",")
    max_slash_count = max(map(len, findall("/+", text)), default=0)
    return sub(r"\n+", lambda breaks: f" {'/' * (max_slash_count + len(breaks[0]))} ", text)


def _has_rows(text: str) -> bool:
    """Return whether semicolons separate rows of several numbers, not single numbers."""
    return any(len(findall(r"\d+", part)) > 1 for part in split(r"[;/\n]+", text))


def _slashes_to_parentheses(tokens: list[str]) -> list[str]:
    """Replace each run of slashes by as many closing and opening parentheses.

    `1 2 / 3 4 // 5 6` becomes `(((1 2) (3 4)) ((5 6)))`: all numbers are equally deep, so some
    groups may have only one member, which `_parse_tokens` unwraps.
    """
    max_slash_count = max((len(token) for token in tokens if token[0] == "/"), default=0)
    replaced = ["("] * (max_slash_count + 1)
    for token in tokens:
        if token[0] == "/":
            replaced += [")"] * len(token) + ["("] * len(token)
        else:
            replaced.append(token)
    return replaced + [")"] * (max_slash_count + 1)


def _add_missing_parentheses(text: str) -> str:
    """Put parentheses around rows between semicolons, and around lines that have none.

    >>> _add_missing_parentheses("(3 5; 2 7)"), _add_missing_parentheses("(3, 5),\\n2, 7")
    ('((3 5),(2 7))', '((3, 5) (2, 7))')
    """

    def add_around_rows(group: Match[str]) -> str:
        if not _has_rows(group[0]):
            return group[0]
        rows = group[0].removeprefix("(").removesuffix(")").split(";")
        return f"({','.join(f'({row.strip()})' for row in rows)})"

    text = sub(r"\([^()]*;[^()]*\)", add_around_rows, text).replace(";", ",")
    lines = _split_top_level_lines(text)
    if len(lines) == 1:
        return text
    rows = [line.strip(" ,") for line in lines]
    return f"({' '.join(row if row.startswith('(') else f'({row})' for row in rows if row)})"


def _split_top_level_lines(text: str) -> list[str]:
    """Return the lines of a text, without splitting at line breaks inside parentheses."""
    lines, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "\n" and depth == 0:
            lines.append("")
        else:
            lines[-1] += character
    return lines


def _parse_tokens(
    tokens: list[str], unwraps_single_members: bool = False
) -> tuple[Numbers | None, str]:
    """Return the tree, or None if the tokens don't form one, and the first fault.

    If `unwraps_single_members`, a group of one member is replaced by that member.
    """
    # The members so far of each open group. The first group is the whole text.
    open_groups: list[list[Subtree]] = [[]]
    fault, last_number, previous_token = "", "", "("
    for token in tokens:
        if token in (",", ")") and previous_token in ("(", ","):
            fault = fault or _missing_fault(last_number)
            open_groups[-1].append(None)
        previous_token = token
        if token == "(":
            open_groups.append([])
            level_count = len(open_groups) - 1
            if level_count > MAX_LEVELS + 1:  # a single level too many is left to `_size_fault`
                return None, f"At most {MAX_LEVELS} levels of branches."
        elif token == ")":
            group = open_groups.pop()
            if not open_groups:
                return None, "There is one “)” too many."
            is_unwrapped = unwraps_single_members and len(group) == 1
            open_groups[-1].append(group[0] if is_unwrapped else tuple(group))
        elif token != ",":
            number_fault = _number_fault(token)
            fault = fault or number_fault
            open_groups[-1].append(None if number_fault else int(token))
            last_number = token
    if unclosed_count := len(open_groups) - 1:
        subject = "A “)” is" if unclosed_count == 1 else f"{unclosed_count} “)” are"
        return None, f"{subject} missing at the end."
    root, *others = open_groups[0]
    if others:
        return None, fault or ONE_TREE
    if not isinstance(root, tuple):
        return None, fault or TOO_FEW_NUMBERS
    return root, fault


def _missing_fault(last_number: str) -> str:
    """Return the message for a missing number; `last_number` is the one before it, or ""."""
    if last_number:
        return f"After {last_number}, a number is missing."
    return "The first number is missing."


def _number_fault(token: str) -> str:
    """Return why `token` is not a number that a tree can have, or "" if it is."""
    if "." in token.strip("."):
        return f"Whole numbers only: {token} isn’t one."
    if not (token.isascii() and token.lstrip("-+").isdigit()):
        return f"“{token}” isn’t a number. Write numbers and slashes: 3 12 8 / 2 4 6."
    if len(token) > 4 or abs(int(token)) > MAX_VALUE:
        return f"Numbers go from −{MAX_VALUE} to {MAX_VALUE}; {token[:12]} is out of range."
    return ""


def _levels(values: Numbers) -> list[list[Subtree]]:
    """Return the nodes of each level, from the root down."""
    levels: list[list[Subtree]] = [[values]]
    while children := [c for node in levels[-1] if isinstance(node, tuple) for c in node]:
        levels.append(children)
    return levels


def _size_fault(values: Numbers) -> str:
    """Return why a tree is too large or too small, or "" if it is neither."""
    levels = _levels(values)
    nodes = [node for level in levels for node in level]
    inner_nodes = [node for node in nodes if isinstance(node, tuple)]
    leaf_count = len(nodes) - len(inner_nodes)
    for limit, count, noun in (
        (MAX_LEVELS, len(levels) - 1, "levels of branches"),
        (MAX_CHILDREN, max(map(len, inner_nodes)), "branches at a node"),
        (MAX_LEAVES, leaf_count, "leaves"),
        (MAX_NODES, len(nodes), "nodes"),
    ):
        if count > limit:
            return f"At most {limit} {noun}; yours has {count}."
    return TOO_FEW_NUMBERS if leaf_count == 1 else ""


def format_tree(values: Subtree) -> str:
    """Format a tree for an address; a missing number is a question mark.

    >>> format_tree(((3, -12), 5))
    '((3,-12),5)'
    """
    if isinstance(values, tuple):
        return f"({','.join(map(format_tree, values))})"
    return "?" if values is None else str(values)


def format_typed(values: Numbers) -> str:
    """Format a tree the way people type it: with slashes if that is possible.

    It is possible if all leaves are equally deep and no inner node has a single child.

    >>> format_typed(((3, 12), (2, 4)))
    '3 12 / 2 4'
    """
    *inner_levels, _ = _levels(values)
    for level in inner_levels:
        if any(not isinstance(node, tuple) or len(node) == 1 for node in level):
            return format_tree(values).replace(",", ", ")
    return _join_with_slashes(values, len(inner_levels) - 1)


def _join_with_slashes(subtree: Subtree, slash_count: int) -> str:
    """Join the children of a subtree with `slash_count` slashes, and theirs with one fewer."""
    if not isinstance(subtree, tuple):
        return str(subtree)
    separator = f" {'/' * slash_count} " if slash_count else " "
    return separator.join(_join_with_slashes(child, slash_count - 1) for child in subtree)


@lru_cache(maxsize=256)
def number_tree(values: Numbers, is_max: bool = True, order: Order = "squares") -> Node:
    """Return the root of a tree of numbers; `is_max` says whether it is MAX.

    A missing number counts as 0.
    """

    def node_at(path: Path, subtree: Subtree, is_max: bool) -> Node:
        if not isinstance(subtree, tuple):
            return Node(path, content=subtree, value=subtree or 0, is_max=is_max)
        children = tuple(
            node_at((*path, index), child, not is_max) for index, child in enumerate(subtree)
        )
        pick = max if is_max else min
        value = pick(child.value for child in children)
        return Node(path, content=None, value=value, is_max=is_max, below=children)

    return sort_children(node_at((), values, is_max), order)


@lru_cache(maxsize=256)
def node_names(root: Node) -> dict[Path, str]:
    """Name each node: inner nodes A, B, C … level by level, left to right; leaves by their values.

    >>> node_names(number_tree(((3, 12), -4)))[0,]
    'B'
    """
    inner_paths = [node.path for node in root.walk() if node.below]
    inner_paths.sort(key=lambda path: (len(path), path))
    # After Z come AA, AB, AC …
    letters = [*ascii_uppercase, *(f"A{letter}" for letter in ascii_uppercase)]
    inner_names = dict(zip(inner_paths, letters, strict=False))
    leaf_names = {leaf.path: signed(leaf.value).removeprefix("+") for leaf in root.leaves}
    return inner_names | leaf_names
