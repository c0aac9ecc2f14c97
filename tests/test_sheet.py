"""Worksheets: what is left to fill in, and a key that matches the textbook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf
from typing import Any

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
    return {child.path[-1]: as_tree(child) for child in node.below} if node.below else node.value


def questions(kind: rounds.Kind, number: int) -> Iterator[Node]:
    for question in rounds.round_questions(kind, number):
        if isinstance(question, PuzzleTree):
            yield question.root
        else:
            yield build_tree(question, fill_depth=2)


def value_text(value: float, is_own: bool) -> str:
    text = "0" if value == 0 else f"{value:+g}".replace("inf", "∞").replace("-", "−")
    return text.removeprefix("+") if is_own and abs(value) < inf else text


SIGN = {"exact": "", "at most": "≤ ", "at least": "≥ "}


def expected_key(root: Node) -> dict[str, list[str]]:
    """Return what the key should show, in node order: values, windows on entry, cutoffs."""
    tree, is_own = as_tree(root), root.content is None
    windows = textbook.Windows(tree, root.is_max)
    search = textbook.Search(tree, pruning=True, is_max=root.is_max)
    bounds = {step.path: step.bound for step in search.steps if step.kind not in ("enter", "leaf")}
    shown: dict[str, list[str]] = {"chips": [], "windows": [], "cut": []}
    for node in root.walk():
        is_met = node.path in windows.on_entry
        if is_met and node.below:
            value = value_text(windows.returned[node.path], is_own)
            shown["chips"].append(SIGN[bounds[node.path] if node.path else "exact"] + value)
            low, high = (value_text(bound, is_own) for bound in windows.on_entry[node.path])
            shown["windows"].append(f"[{low},{high}]")
        elif not node.below and not is_own:
            shown["chips"].append(value_text(node.value, is_own))
    shown["cut"] = [
        "".join(map(str, path)) for cut in windows.pruned_children.values() for path in cut
    ]
    return shown


def text_without_spaces(tag: Tag) -> str:
    """Return the text of an element without spaces, because its parts may be elements."""
    return "".join(text_of(tag).split())


def read_key(exercise: Tag) -> dict[str, list[str]]:
    return {
        "chips": [text_of(chip) for chip in exercise.select(".worth > .chip")],
        "windows": [text_without_spaces(tag) for tag in exercise.select(".window")],
        "cut": [str(tag["id"]).partition("-")[2] for tag in exercise.select(".node.cut > .shape")],
    }


@pytest.mark.parametrize(
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
def test_the_key_matches_the_values_windows_and_cutoffs_of_the_textbook(
    client: FlaskClient, args: dict[str, Any]
) -> None:
    page = open_sheet(client, **args, key="on")
    exercises = page.select(".exercises > li")
    roots = list(roots_of(args))
    assert len(exercises) == len(roots)
    small_first = sorted(roots, key=lambda root: not is_small(root))
    for exercise, root in zip(exercises, small_first, strict=True):
        wanted, printed = expected_key(root), read_key(exercise)
        assert sorted(printed.pop("cut")) == sorted(wanted.pop("cut"))
        assert printed == wanted
        assert len(exercise.select(".solution > li")) == 1 + len(
            textbook.Windows(as_tree(root), root.is_max).pruned_children
        )


def is_small(root: Node) -> bool:
    return root.content is None and root.height < 3 and len(root.leaves) < 10


def roots_of(args: dict[str, Any]) -> Iterator[Node]:
    """Return the trees of a sheet in the order of its address."""
    if "round" in args:
        yield from questions(args["kind"], args["round"])
    elif "seed" in args:
        for seed in range(args["seed"], args["seed"] + args["count"]):
            is_small = seed % 6 in (1, 2, 3, 4)
            size = (args["levels"], 3) if "levels" in args else (2, 3) if is_small else (3, 2)
            is_max = args["top"] == "max" if "top" in args else seed % 2 == 1
            yield random_trees.random_tree(*size, seed, is_max).root
    else:
        given = args["tree"] if isinstance(args["tree"], list) else [args["tree"]]
        yield from (number_tree(TYPED[text], args.get("top") != "min") for text in given)


def test_the_key_of_the_textbooks_tree_says_why_each_branch_is_pruned(client: FlaskClient) -> None:
    page = open_sheet(client, tree=TEXTBOOK, key="on")
    sentences = [text_of(tag) for tag in page.select(".solution > li")]
    assert sentences == [
        "A: 3, from B. 7 of 9 leaves searched.",
        "C: α = 3 ≥ β = 2, so 4 and 6 are pruned.",
        "D: α = 3 ≥ β = 2, but nothing is left to prune.",
    ]
    assert "are those on entry" in text_of(page.select_one("main"))


def test_a_worksheet_shows_the_leaves_and_leaves_the_rest_blank(client: FlaskClient) -> None:
    for args in ({"tree": TEXTBOOK}, {"round": 3, "kind": "values"}):
        page = open_sheet(client, **args)
        assert not page.select(".solution, .cut, .gone, .dimmed, .waits")
        for exercise in page.select(".exercises > li"):
            inner = [node for node in exercise.select(".node") if node.select("ol")]
            boxes = exercise.select(".chip.box")
            assert len(boxes) == len(inner) == len(exercise.select(".window"))
            assert [text_of(box) for box in boxes] == [""] * len(boxes)
            assert {text_without_spaces(tag) for tag in exercise.select(".window")} == {"[α,β]"}
            assert len(exercise.select(".window .box")) == 2 * len(inner)
        assert text_of(page.select_one(".signed")) == "Name"
    page = open_sheet(client, tree=TEXTBOOK)
    assert [text_of(tag) for tag in page.select(".leaf")] == [*TEXTBOOK.replace(" /", "").split()]


def test_a_page_has_six_small_or_two_large_numbered_trees(client: FlaskClient) -> None:
    for args, counts in (
        ({"seed": 1}, [4, 2]),
        ({"seed": 1, "count": 14}, [6, 4, 2, 2]),
        ({"seed": 1, "levels": 2}, [6]),
        ({"seed": 998, "count": 3, "levels": 3}, [2, 1]),
        ({"tree": [TEXTBOOK, "1 2 / 3 4 // 5 6 / 7 8", "1 2"]}, [2, 1]),
        ({"round": 1, "kind": "cuts"}, [6, 2, 2]),
    ):
        page = open_sheet(client, **args)
        sections = page.select("main section")
        assert [len(section.select(".exercises > li")) for section in sections] == counts
        numbered = [text_of(tag) for tag in page.select(".nth")]
        assert numbered == [str(n) for n in range(1, 1 + sum(counts))]
        assert len({str(tag["id"]) for tag in page.select("main [id]")}) == len(
            page.select("main [id]")
        )


def test_random_trees_ask_for_both_bounds(client: FlaskClient) -> None:
    """With two levels, β would always be +∞ under MAX, and α −∞ under MIN."""
    for seed in range(1, 60, 6):
        page = open_sheet(client, seed=seed, count=6, key="on")
        windows = [
            text_without_spaces(tag)[1:-1].split(",")
            for tag in page.select(".node .node > .window")
        ]
        assert {low for low, _ in windows} - {"−∞"} and {high for _, high in windows} - {"+∞"}


def test_a_sheet_and_its_key_have_the_same_name(client: FlaskClient) -> None:
    for args, name in (
        ({"seed": 1, "count": 6}, "Seeds 1–6"),
        (
            {"seed": 999, "count": 2, "levels": 3, "top": "min"},
            "Seeds 999–0, 3 levels, MIN at the root",
        ),
        ({"seed": 7, "count": 1, "branches": 2}, "Seed 7, 2 branches"),
        ({"round": 4, "kind": "cuts"}, "Round 4, cutoffs"),
        ({"round": 4}, "Round 4, values"),
        ({"tree": TEXTBOOK}, ""),
    ):
        for key in ({}, {"key": "on"}):
            tops = open_sheet(client, **args, **key).select("main section > .top")
            assert [" ".join(map(text_of, top.select("small"))) for top in tops] == [name] * len(
                tops
            )


def test_a_worksheet_explains_how_to_fill_it_in(client: FlaskClient) -> None:
    text = text_of(open_sheet(client, tree=TEXTBOOK).select_one("main"))
    phrases = ("left to right", "−∞ and +∞ included", "its bound (≤, ≥)", "As soon as α ≥ β, prune")
    for part in phrases:
        assert part in text


def test_a_round_prints_ten_trees_and_links_worksheet_and_key(client: FlaskClient) -> None:
    for kind in ("values", "cuts"):
        page = open_sheet(client, round=5, kind=kind)
        assert len(page.select(".exercises > li")) == rounds.QUESTION_COUNT
        (link,) = page.select(".top .prime")
        key = str(link["href"])
        assert f"round=5&kind={kind}&key=on" in key
        (back,) = parse(client.get(key)).select(".top .prime")
        assert back["href"] == key.replace("&key=on", "")


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
