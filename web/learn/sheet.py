"""The printed worksheet: its trees as an address names them, and what the page shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import abort, request, url_for
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from engine.position import SQUARE_NAMES
from teach import worksheets
from teach.lesson.trees import build_tree
from teach.markings import DrawnTree
from teach.numbers import EXAMPLE, node_names, number_tree, parse_tree
from teach.puzzles import random_trees, rounds
from teach.puzzles.random_trees import PuzzleTree
from teach.searches import Frame
from teach.trees import Node, Path
from teach.windows import format_window
from web.http.forms import get_choice, get_number
from web.learn import words
from web.study.own import get_random_spec
from web.study.searchable import ROOT_SIDES

MAX_TREES = 30
KINDS: tuple[rounds.Kind, ...] = ("values", "cuts")
SHEET_ARGS = ("tree", "top", "seed", "count", "levels", "branches", "round", "kind", "key")
BOXES = Markup('[<i>α</i><i class="box"></i>, <i>β</i><i class="box"></i>]')  # an empty window


class Exercise(NamedTuple):
    """A tree of the worksheet."""

    number: int
    tree: DrawnTree
    names: dict[Path, str] | None  # of the nodes of a tree of numbers
    solution: list[str]  # sentences; empty without the key

    def window(self, frame: Frame) -> str:
        """Return the window of a node, or two boxes if it is to be filled in."""
        if frame is worksheets.EMPTY_WINDOW:
            return BOXES
        return format_window(frame, in_number_tree=self.names is not None)


class Page(NamedTuple):
    """A page of the worksheet."""

    exercises: list[Exercise]
    is_small: bool  # whether its trees are small


def parse_roots(args: MultiDict[str, str]) -> tuple[Node, ...]:
    """Parse the trees that an address names: typed, random, or those of a round of puzzles.

    The default is the usual textbook tree; `count` random trees have consecutive seeds.
    """
    top = get_choice(args, "top", ROOT_SIDES)
    is_max = top != "min"
    texts, spec = args.getlist("tree"), get_random_spec(args)
    number, kind = (
        get_number(args, "round", rounds.ROUND_COUNT - 1),
        get_choice(args, "kind", KINDS),
    )
    count = get_number(args, "count", MAX_TREES)
    if count == 0 or len(texts) > MAX_TREES:
        abort(400, f"A sheet has from 1 to {MAX_TREES} trees.")
    sources = {"tree": texts, "seed": spec, "round": number is not None}
    given_sources = [name for name, is_given in sources.items() if is_given]
    if len(given_sources) > 1:
        several = "both" if len(given_sources) == 2 else "all of them"
        abort(400, f"A sheet has a {' or a '.join(given_sources)}, not {several}.")
    if number is not None:
        return tuple(map(_question_root, rounds.round_questions(kind or KINDS[0], number)))
    if spec:
        seeds = range(spec.seed, spec.seed + (count or worksheets.SMALL_PER_PAGE))
        # Levels in the address fix the branches too, at their default.
        given_size = {
            **({"levels": spec.levels, "branches": spec.branches} if "levels" in args else {}),
            **({"branches": spec.branches} if "branches" in args else {}),
            **({"is_max": is_max} if top else {}),
        }
        return tuple(_random_root(seed % random_trees.SEED_COUNT, given_size) for seed in seeds)
    return tuple(_parse_root(text, is_max) for text in texts) or (number_tree(EXAMPLE, is_max),)


def _random_root(seed: int, given_size: Mapping[str, Any]) -> Node:
    """Return the random tree of a seed; whatever the address leaves open depends on the seed."""
    size = worksheets.RANDOM_SIZES[seed % len(worksheets.RANDOM_SIZES)]._replace(**given_size)
    return random_trees.random_tree(size.levels, size.branches, seed, size.is_max).root


def sheet_name(args: MultiDict[str, str], tree_count: int) -> str:
    """Return the name that a sheet and its key share, or "" if their trees are typed."""
    if (number := args.get("round")) is not None:
        return words.round_name(int(number), args.get("kind") == "cuts")
    if not (spec := get_random_spec(args)):
        return ""
    return words.seeds_name(
        spec.seed,
        (spec.seed + tree_count - 1) % random_trees.SEED_COUNT,
        levels=spec.levels if "levels" in args else None,
        branches=spec.branches if "branches" in args else None,
        top=args.get("top"),
    )


def _question_root(question: rounds.Question) -> Node:
    if isinstance(question, PuzzleTree):
        return question.root
    return build_tree(question, fill_depth=2)


def _parse_root(text: str, is_max: bool) -> Node:
    values, fault = parse_tree(text)
    if values is None or fault:
        abort(400, fault)
    return number_tree(values, is_max)


def lay_out(roots: tuple[Node, ...], shows_key: bool) -> list[Page]:
    """Return the pages of a worksheet, or of its key, with their exercises numbered."""
    number, pages = 0, []
    for page in worksheets.pages(roots):
        exercises = []
        for root in page:
            number += 1
            exercises.append(_exercise(number, root, shows_key))
        pages.append(Page(exercises, worksheets.is_small(page[0])))
    return pages


def _exercise(number: int, root: Node, shows_key: bool) -> Exercise:
    is_number_tree = not root.has_board
    names = node_names(root) if is_number_tree else None
    node_labels = names or {node.path: _moves_in_words(node) for node in root.walk()}
    return Exercise(
        number=number,
        tree=worksheets.key_tree(root) if shows_key else worksheets.blank_tree(root),
        names=names,
        solution=[*words.solution(root, node_labels, is_number_tree)] if shows_key else [],
    )


def _moves_in_words(node: Node) -> str:
    """Return the moves that lead to a board."""
    return " then ".join(SQUARE_NAMES[square] for square in node.path) or "the board"


def page_values() -> dict[str, Any]:
    """Return the values of the page for the address in the request."""
    shows_key = get_choice(request.args, "key", ("on",)) is not None
    args: dict[str, Any] = {
        name: request.args.getlist(name) for name in SHEET_ARGS if name != "key"
    }
    roots = parse_roots(request.args)
    has_numbers = any(not root.has_board for root in roots)
    has_boards = any(root.has_board for root in roots)
    return {
        "pages": lay_out(roots, shows_key),
        "shows_key": shows_key,
        "name": sheet_name(request.args, len(roots)),
        "instructions": words.instructions(shows_key, has_numbers, has_boards),
        "other_url": url_for(".sheet_page", **args, key=None if shows_key else "on"),
    }
