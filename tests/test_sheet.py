"""Worksheets: what is left to fill in, and a key that matches the textbook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient

from teach.lesson.trees import build_tree
from teach.numbers import Numbers, number_tree
from teach.puzzles import random_trees, rounds
from teach.puzzles.random_trees import PuzzleTree
from teach.trees import Node
from tests import textbook
from tests.conftest import parse, text_of
from tests.html import Tag

TEXTBOOK = "3 12 8 / 2 4 6 / 14 5 2"
# Trees as typed into an address, and the numbers they stand for
TYPED: dict[str, Numbers] = {
    TEXTBOOK: ((3, 12, 8), (2, 4, 6), (14, 5, 2)),
    "1 2": (1, 2),
    "((3,4),(5,(6,7)),8)": ((3, 4), (5, (6, 7)), 8),
    "-9 9 / 9 -9": ((-9, 9), (9, -9)),
}


def open_sheet(client: FlaskClient, **args: object) -> Tag:
    response = client.get("/learn/sheet", query_string=args)
    assert response.status_code == 200, args
    return parse(response)


def as_tree(node: Node) -> textbook.Tree:
    """Return a node as a tree of the textbook."""
    if not node.below:
        return node.value
    return {child.path[-1]: as_tree(child) for child in node.below}


# The key


def value_text(value: float, in_number_tree: bool) -> str:
    """Return a value as a sheet writes it: in a tree of numbers without a plus, except +∞."""
    if value == 0:
        return "0"
    text = f"{value:+g}".replace("inf", "∞").replace("-", "−")
    return text.removeprefix("+") if in_number_tree and abs(value) < inf else text


BOUND_SIGNS = {"exact": "", "at most": "≤ ", "at least": "≥ "}


class Key(NamedTuple):
    """What a key shows in one tree, in node order."""

    values: list[str]
    windows: list[str]  # on entry
    pruned: list[str]  # the digits of the path of each node; sorted


def expected_key(root: Node) -> Key:
    """Return what the key should show."""
    tree, in_number_tree = as_tree(root), root.content is None
    book = textbook.Windows(tree, root.is_max)
    bounds = bounds_of_values(tree, root.is_max)
    values, windows = list[str](), list[str]()
    for node in root.walk():
        is_entered = node.path in book.on_entry
        if is_entered and node.below:
            value = value_text(book.returned[node.path], in_number_tree)
            values.append(BOUND_SIGNS[bounds[node.path]] + value)
            low, high = (value_text(end, in_number_tree) for end in book.on_entry[node.path])
            windows.append(f"[{low},{high}]")
        elif not node.below and not in_number_tree:
            values.append(value_text(node.value, in_number_tree))
    pruned_paths = [path for children in book.pruned_children.values() for path in children]
    return Key(values, windows, sorted("".join(map(str, path)) for path in pruned_paths))


def bounds_of_values(tree: textbook.Tree, is_max: bool) -> dict[textbook.Path, str]:
    """Return for each node with a returned value how the true value compares with it."""
    steps = textbook.Search(tree, pruning=True, is_max=is_max).steps
    bounds = {step.path: step.bound for step in steps if step.kind not in ("enter", "leaf", "cut")}
    return bounds | {(): "exact"}


def text_without_spaces(tag: Tag) -> str:
    """Return the text of an element without spaces, because its parts may be elements."""
    return "".join(text_of(tag).split())


def read_key(exercise: Tag) -> Key:
    """Return what the key of a page shows."""
    pruned = exercise.select(".node.cut > .shape")
    return Key(
        values=[text_of(chip) for chip in exercise.select(".worth > .chip")],
        windows=[text_without_spaces(tag) for tag in exercise.select(".window")],
        pruned=sorted(str(tag["id"]).partition("-")[2] for tag in pruned),
    )


def is_small(root: Node) -> bool:
    """Return whether the tree is small enough for six on a page."""
    return root.content is None and root.height < 3 and len(root.leaves) < 10


def round_roots(kind: rounds.Kind, number: int) -> Iterator[Node]:
    """Yield the tree of each question of a round."""
    for question in rounds.round_questions(kind, number):
        if isinstance(question, PuzzleTree):
            yield question.root
        else:
            yield build_tree(question, fill_depth=2)


def seed_roots(args: dict[str, Any]) -> Iterator[Node]:
    """Yield the random trees of a sheet, whose size and mover depend on the seed if not given."""
    for seed in range(args["seed"], args["seed"] + args["count"]):
        has_small_tree = seed % 6 in (1, 2, 3, 4)
        level_count, branch_count = (2, 3) if has_small_tree else (3, 2)
        if "levels" in args:
            level_count, branch_count = args["levels"], 3
        is_max = args["top"] == "max" if "top" in args else seed % 2 == 1
        yield random_trees.random_tree(level_count, branch_count, seed, is_max).root


def roots_of(args: dict[str, Any]) -> list[Node]:
    """Return the trees of a sheet, the small ones first."""
    if "round" in args:
        roots = [*round_roots(args["kind"], args["round"])]
    elif "seed" in args:
        roots = [*seed_roots(args)]
    else:
        texts = args["tree"] if isinstance(args["tree"], list) else [args["tree"]]
        roots = [number_tree(TYPED[text], args.get("top") != "min") for text in texts]
    return sorted(roots, key=lambda root: not is_small(root))


sheets = pytest.mark.parametrize(
    "args",
    [
        *({"seed": seed, "count": 3, "levels": 2 + seed % 3} for seed in range(10)),
        {"seed": 1, "count": 12},
        {"seed": 7, "count": 6, "top": "min"},
        {"tree": TEXTBOOK},
        {"tree": [*TYPED], "top": "min"},
        *({"round": number, "kind": kind} for number in (0, 999) for kind in ("values", "cuts")),
    ],
    ids=str,
)


@sheets
def test_the_key_matches_the_values_windows_and_cutoffs_of_the_textbook(
    client: FlaskClient, args: dict[str, Any]
) -> None:
    exercises = open_sheet(client, **args, key="on").select(".exercises > li")
    for exercise, root in zip(exercises, roots_of(args), strict=True):
        assert read_key(exercise) == expected_key(root)


@sheets
def test_the_solution_has_a_line_for_the_root_and_for_each_cutoff(
    client: FlaskClient, args: dict[str, Any]
) -> None:
    exercises = open_sheet(client, **args, key="on").select(".exercises > li")
    for exercise, root in zip(exercises, roots_of(args), strict=True):
        cutoffs = textbook.Windows(as_tree(root), root.is_max).pruned_children
        assert len(exercise.select(".solution > li")) == 1 + len(cutoffs)


def test_the_key_of_the_textbooks_tree_says_why_each_branch_is_pruned(client: FlaskClient) -> None:
    page = open_sheet(client, tree=TEXTBOOK, key="on")
    sentences = [text_of(tag) for tag in page.select(".solution > li")]
    assert sentences == [
        "A: 3, from B. 7 of 9 leaves searched.",
        "C: α = 3 ≥ β = 2, so 4 and 6 are pruned.",
        "D: α = 3 ≥ β = 2, but nothing is left to prune.",
    ]
    assert "are those on entry" in text_of(page.select_one("main"))


# The worksheet


@pytest.mark.parametrize("args", [{"tree": TEXTBOOK}, {"round": 3, "kind": "values"}], ids=str)
def test_a_worksheet_has_blanks_for_the_value_and_window_of_each_inner_node(
    client: FlaskClient, args: dict[str, Any]
) -> None:
    page = open_sheet(client, **args)
    for exercise in page.select(".exercises > li"):
        inner_nodes = [node for node in exercise.select(".node") if node.select("ol")]
        value_boxes, windows = exercise.select(".chip.box"), exercise.select(".window")
        assert len(value_boxes) == len(windows) == len(inner_nodes)
        assert {text_of(box) for box in value_boxes} == {""}
        assert {text_without_spaces(window) for window in windows} == {"[α,β]"}
        assert len(exercise.select(".window .box")) == 2 * len(inner_nodes)
    assert text_of(page.select_one(".signed")) == "Name"


@pytest.mark.parametrize("args", [{"tree": TEXTBOOK}, {"round": 3, "kind": "values"}], ids=str)
def test_a_worksheet_reveals_no_solution(client: FlaskClient, args: dict[str, Any]) -> None:
    assert not open_sheet(client, **args).select(".solution, .cut, .gone, .dimmed, .waits")


@pytest.mark.parametrize("args", [{"tree": TEXTBOOK}, {}], ids=str)
def test_a_worksheet_shows_the_leaves_of_the_tree_typed_or_of_the_example(
    client: FlaskClient, args: dict[str, Any]
) -> None:
    leaves = [text_of(tag) for tag in open_sheet(client, **args).select(".leaf")]
    assert leaves == TEXTBOOK.replace(" /", "").split()


# Each sheet with the number of trees on each of its pages
PAGE_SIZES: list[tuple[dict[str, Any], list[int]]] = [
    ({"seed": 1}, [4, 2]),
    ({"seed": 1, "count": 14}, [6, 4, 2, 2]),
    ({"seed": 1, "levels": 2}, [6]),
    ({"seed": 998, "count": 3, "levels": 3}, [2, 1]),
    ({"tree": [TEXTBOOK, "1 2 / 3 4 // 5 6 / 7 8", "1 2"]}, [2, 1]),
    ({"round": 1, "kind": "cuts"}, [6, 2, 2]),
]


@pytest.mark.parametrize(("args", "page_sizes"), PAGE_SIZES, ids=str)
def test_a_page_has_at_most_six_small_or_two_large_trees(
    client: FlaskClient, args: dict[str, Any], page_sizes: list[int]
) -> None:
    sections = open_sheet(client, **args).select("main section")
    assert [len(section.select(".exercises > li")) for section in sections] == page_sizes


@pytest.mark.parametrize(("args", "page_sizes"), PAGE_SIZES, ids=str)
def test_the_trees_of_a_sheet_are_numbered_and_share_no_id(
    client: FlaskClient, args: dict[str, Any], page_sizes: list[int]
) -> None:
    page = open_sheet(client, **args)
    numbers = [text_of(tag) for tag in page.select(".nth")]
    assert numbers == [str(number) for number in range(1, 1 + sum(page_sizes))]
    ids = [str(tag["id"]) for tag in page.select("main [id]")]
    assert len({*ids}) == len(ids)


def test_random_trees_ask_for_both_bounds(client: FlaskClient) -> None:
    """With two levels, β would always be +∞ under MAX, and α −∞ under MIN."""
    for seed in range(1, 60, 6):
        page = open_sheet(client, seed=seed, count=6, key="on")
        windows = [
            text_without_spaces(tag)[1:-1].split(",")
            for tag in page.select(".node .node > .window")
        ]
        assert {low for low, _ in windows} - {"−∞"}
        assert {high for _, high in windows} - {"+∞"}


@pytest.mark.parametrize("key", [{}, {"key": "on"}], ids=str)
@pytest.mark.parametrize(
    ("args", "name"),
    [
        ({"seed": 1, "count": 6}, "Seeds 1–6"),
        (
            {"seed": 999, "count": 2, "levels": 3, "top": "min"},
            "Seeds 999–0, 3 levels, MIN at the root",
        ),
        ({"seed": 7, "count": 1, "branches": 2}, "Seed 7, 2 branches"),
        ({"round": 4, "kind": "cuts"}, "Round 4, cutoffs"),
        ({"round": 4}, "Round 4, values"),
        ({"tree": TEXTBOOK}, ""),
    ],
    ids=str,
)
def test_each_page_of_a_sheet_and_of_its_key_has_the_name_of_the_sheet(
    client: FlaskClient, args: dict[str, Any], name: str, key: dict[str, str]
) -> None:
    page_tops = open_sheet(client, **args, **key).select("main section > .top")
    names = [" ".join(map(text_of, top.select("small"))) for top in page_tops]
    assert names == [name] * len(names)


def test_a_worksheet_explains_how_to_fill_it_in(client: FlaskClient) -> None:
    text = text_of(open_sheet(client, tree=TEXTBOOK).select_one("main"))
    phrases = ("left to right", "−∞ and +∞ included", "its bound (≤, ≥)", "As soon as α ≥ β, prune")
    for phrase in phrases:
        assert phrase in text


@pytest.mark.parametrize("kind", ["values", "cuts"])
def test_the_sheet_of_a_round_has_its_ten_trees(client: FlaskClient, kind: str) -> None:
    page = open_sheet(client, round=5, kind=kind)
    assert len(page.select(".exercises > li")) == rounds.QUESTION_COUNT == 10


@pytest.mark.parametrize("kind", ["values", "cuts"])
def test_the_sheet_of_a_round_and_its_key_link_to_each_other(
    client: FlaskClient, kind: str
) -> None:
    (key_link,) = open_sheet(client, round=5, kind=kind).select(".top .prime")
    key_address = str(key_link["href"])
    assert f"round=5&kind={kind}&key=on" in key_address
    (sheet_link,) = parse(client.get(key_address)).select(".top .prime")
    assert sheet_link["href"] == key_address.replace("&key=on", "")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("tree=3 x", "“x” isn’t a number"),
        ("tree=(3,,4)", "a number is missing"),
        ("tree=1 2&seed=1", "A sheet has a tree or a seed, not both"),
        ("seed=1&round=1", "A sheet has a seed or a round, not both"),
        ("tree=1 2&seed=1&round=1", "A sheet has a tree or a seed or a round, not all of them"),
        ("seed=1&count=0", "A sheet has from 1 to 30 trees"),
        ("seed=1&count=31", "count must be a number from 0 to 30"),
        ("round=1000", "round must be a number"),
        ("round=1&kind=moves", "kind must be one of: values, cuts"),
        ("&".join(["tree=1 2"] * 31), "A sheet has from 1 to 30 trees"),
        ("key=off", "key must be one of: on"),
    ],
)
def test_an_impossible_sheet_is_refused_with_the_reason(
    client: FlaskClient, query: str, reason: str
) -> None:
    response = client.get(f"/learn/sheet?{query}")
    assert response.status_code == 400
    assert reason in re.sub(r"\s+", " ", text_of(parse(response).select_one("main")))
