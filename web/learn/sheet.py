"""The worksheet to print: the trees that its address names, and what its page shows."""

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
from web.study.own import RandomTreeSpec, get_random_spec
from web.study.searchable import ROOT_SIDES

MAX_TREES = 30
KINDS: tuple[rounds.Kind, ...] = ("values", "cuts")
SHEET_ARGS = ("tree", "top", "seed", "count", "levels", "branches", "round", "kind", "key")
BOXES = Markup('[<i>α</i><i class="box"></i>, <i>β</i><i class="box"></i>]')  # an empty window


class Exercise(NamedTuple):
    """A tree of the worksheet."""

    number: int  # on the worksheet, from 1
    tree: DrawnTree
    names: dict[Path, str] | None  # of the nodes; None for a tree of boards
    solution: list[str]  # sentences; empty unless the page shows the key

    def window(self, frame: Frame) -> str:
        """Return the window of a node, or two boxes if it is to be filled in."""
        if frame is worksheets.EMPTY_WINDOW:
            return BOXES
        return format_window(frame, in_number_tree=self.names is not None)


class Page(NamedTuple):
    """A page of the worksheet."""

    exercises: list[Exercise]
    has_small_trees: bool  # whether six trees like them fit on a page


def parse_roots(args: MultiDict[str, str]) -> tuple[Node, ...]:
    """Parse the trees that an address names: typed, random, or those of a round of puzzles.

    The default is the usual textbook tree; `count` random trees have consecutive seeds. Refuses,
    with a 400 page, an address with more than one of the three.
    """
    top = get_choice(args, "top", ROOT_SIDES)
    is_max = top != "min"
    typed_trees, spec = args.getlist("tree"), get_random_spec(args)
    round_number = get_number(args, "round", rounds.ROUND_COUNT - 1)
    kind = get_choice(args, "kind", KINDS) or KINDS[0]
    count = get_number(args, "count", MAX_TREES)
    if count == 0 or len(typed_trees) > MAX_TREES:
        abort(400, f"A sheet has from 1 to {MAX_TREES} trees.")
    _refuse_several_sources(
        {"tree": bool(typed_trees), "seed": spec is not None, "round": round_number is not None}
    )
    if round_number is not None:
        return tuple(map(_question_root, rounds.round_questions(kind, round_number)))
    if spec:
        size = _given_size(args, spec) | ({"is_max": is_max} if top else {})
        seeds = range(spec.seed, spec.seed + (count or worksheets.SMALL_PER_PAGE))
        return tuple(_random_root(seed % random_trees.SEED_COUNT, size) for seed in seeds)
    if typed_trees:
        return tuple(_parse_root(text, is_max) for text in typed_trees)
    return (number_tree(EXAMPLE, is_max),)


def _refuse_several_sources(is_given: Mapping[str, bool]) -> None:
    """Refuse, with a 400 page, an address in which several sources of trees are given."""
    given_sources = [name for name, given in is_given.items() if given]
    if len(given_sources) > 1:
        several = "both" if len(given_sources) == 2 else "all of them"
        abort(400, f"A sheet has a {' or a '.join(given_sources)}, not {several}.")


def _given_size(args: MultiDict[str, str], spec: RandomTreeSpec) -> dict[str, int]:
    """Return the levels and branches that an address fixes for all its random trees.

    An address with levels but without branches fixes the branches too, at their default.
    """
    if "levels" in args:
        return {"levels": spec.levels, "branches": spec.branches}
    return {"branches": spec.branches} if "branches" in args else {}


def _random_root(seed: int, given_size: Mapping[str, Any]) -> Node:
    """Return the random tree of a seed; the seed also decides what the address leaves open."""
    size = worksheets.RANDOM_SIZES[seed % len(worksheets.RANDOM_SIZES)]._replace(**given_size)
    return random_trees.random_tree(size.levels, size.branches, seed, size.is_max).root


def sheet_name(args: MultiDict[str, str], tree_count: int) -> str:
    """Return the name that a sheet and its key share, or "" if their trees are typed."""
    if (round_number := args.get("round")) is not None:
        return words.round_name(int(round_number), args.get("kind") == "cuts")
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
    """Return the tree of a question of the puzzles."""
    if isinstance(question, PuzzleTree):
        return question.root
    return build_tree(question, fill_depth=2)


def _parse_root(text: str, is_max: bool) -> Node:
    """Parse a typed tree; refuse an invalid one with a 400 page that names the fault."""
    values, fault = parse_tree(text)
    if values is None or fault:
        abort(400, fault)
    return number_tree(values, is_max)


def lay_out(roots: tuple[Node, ...], shows_key: bool) -> list[Page]:
    """Return the pages of a worksheet, or of its key, with their exercises numbered."""
    number, pages = 0, []
    for page_roots in worksheets.pages(roots):
        exercises = []
        for root in page_roots:
            number += 1
            exercises.append(_exercise(number, root, shows_key))
        pages.append(Page(exercises, worksheets.fits_six_to_a_page(page_roots[0])))
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
        "instructions": words.worksheet_instructions(shows_key, has_numbers, has_boards),
        "other_url": url_for(".sheet_page", **args, key=None if shows_key else "on"),
    }
