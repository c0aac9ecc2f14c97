"""Trees of numbers: typed, pasted, in an address, random and set up."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from teach.numbers import (
    format_tree,
    format_typed,
    is_tree_text,
    node_names,
    number_tree,
    parse_tree,
)
from teach.puzzles.random_trees import BRANCHES, LEVELS, hardest_cutoff, random_tree
from tests.conftest import parse, text_of
from tests.test_searches import NUMBER_TREES, TEXTBOOK_TREE


@pytest.mark.parametrize(
    "text",
    [
        "3 12 8 / 2 4 6 / 14 5 2",
        "3 12 8/2 4 6/14 5 2",
        " 3,12,8 /\n2 , 4 6 / 14\t5 2 ",
        "((3,12,8),(2,4,6),(14,5,2))",
        "( (3 12 8) (2 4 6) (14, 5, 2) )",
        "3 12 8 // 2 4 6 // 14 5 2",
    ],
)
def test_a_typed_tree_is_parsed(text: str) -> None:
    assert parse_tree(text) == (TEXTBOOK_TREE, "")


FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}
ARABIC_DIGITS = {48 + digit: 0x660 + digit for digit in range(10)}


@pytest.mark.parametrize(
    "text",
    [
        "[[3,5],[2,-7]]", "{{3,5},{2,-7}}", "[3,5],\n[2,-7]", "[3 5]\r\n[2 -7]", "3 5\n(2 -7)",
        "[[3, 5],\n [2, -7]]", "3 5\n2 -7", "3\t5\n2\t-7\n", "3,5,\n2,-7,", "3 5\n\n2 -7",
        "3;5\n2;-7", "3 5; 2 -7", "3 5;\n2 -7;", "[3 5; 2 -7]", "[3, 5; 2, -7]", "[[3;5];[2;-7]]",
        "3 5 /\n2 -7", "3 5 / 2 -7.", "3 5 / 2 –7", "3 5 / 2 —7", "3 5 / 2 \u20107",
        "3 5 / 2 \u20127", "3 5 / 2 −7", "3 5/2 -7".translate(FULL_WIDTH),
        "((3,5),(2,-7))".translate(FULL_WIDTH), "[[3,5],[2,-7]]".translate(FULL_WIDTH | {44: "、"}),
        "3 5 / 2 -7".translate(ARABIC_DIGITS),
    ],
)  # fmt: skip
def test_a_pasted_tree_is_parsed(client: FlaskClient, text: str) -> None:
    """It comes from Python, JSON, a spreadsheet, a matrix, a book or a phone."""
    assert parse_tree(text) == (((3, 5), (2, -7)), "")
    page = parse(client.get("/study/tree", query_string={"values": text}))
    assert [text_of(leaf) for leaf in page.select(".leaf")] == ["3", "5", "2", "−7"]
    assert "Separate leaves with spaces" in text_of(page.select_one("#told"))
    if is_tree_text(text) and "/" not in text:
        response = client.get(f"/study/{quote(text)}", follow_redirects=True)
        assert response.request.path == "/study/((3,5),(2,-7))"


def test_lines_split_above_slashes_and_blank_lines_above_lines() -> None:
    for text in ("1 2\n3 4\n\n5 6\n7 8", "1 2 / 3 4\n5 6 / 7 8", "1 2; 3 4\n5 6; 7 8"):
        assert parse_tree(text).values == (((1, 2), (3, 4)), ((5, 6), (7, 8)))


def test_minus_signs_and_unequal_depths_are_parsed() -> None:
    assert parse_tree("−3 -4 / +5 6").values == ((-3, -4), (5, 6))
    assert parse_tree("3 / 2 4").values == (3, (2, 4))
    assert parse_tree("1 2 / 3 4 // 5 6 / 7 8").values == (((1, 2), (3, 4)), ((5, 6), (7, 8)))
    assert parse_tree("((3),4)").values == ((3,), 4)


MORE_THAN_ONE_TREE = "That is more than one tree. Put one pair of parentheses around it all."


@pytest.mark.parametrize(
    ("text", "fault", "drawn"),
    [
        ("3 12, / 2 4 6", "After 12, a number is missing.", "((3,12,?),(2,4,6))"),
        ("(3,,12)", "After 3, a number is missing.", "(3,?,12)"),
        ("(,3)", "The first number is missing.", "(?,3)"),
        ("((),3)", "The first number is missing.", "((?),3)"),
        ("3 12 / / 4", "After 12, a number is missing.", "((3,12),?,4)"),
        ("3 x", "“x” isn’t a number. Write numbers and slashes: 3 12 8 / 2 4 6.", "(3,?)"),
        ("1.5 2 / 3 .4", "Whole numbers only: 1.5 isn’t one.", "((?,2),(3,?))"),
        ("3 . 4", "“.” isn’t a number. Write numbers and slashes: 3 12 8 / 2 4 6.", "(3,?,4)"),
        ("((1,2),(3,4)), ((5,6),(7,8))", MORE_THAN_ONE_TREE, "?"),
        ("(1,2) 3", MORE_THAN_ONE_TREE, "?"),
        ("3 --4", "“-” isn’t a number. Write numbers and slashes: 3 12 8 / 2 4 6.", "(3,?,-4)"),
        ("3 100", "Numbers go from −99 to 99; 100 is out of range.", "(3,?)"),
        ("3 12345678901234", "Numbers go from −99 to 99; 123456789012 is out of range.", "(3,?)"),
        ("", "The first number is missing.", "?"),
        *(
            (text, "A tree needs at least two numbers, such as 3 12 8 / 2 4 6.", "?")
            for text in ("3", "(3)", "((3))")
        ),
        ("3) 4", "There is one “)” too many.", "?"),
        ("(3,4", "A “)” is missing at the end.", "?"),
        ("((3,12),(2", "2 “)” are missing at the end.", "?"),
        ("(3 4) / 5", "Parentheses or slashes, not both.", "?"),
        ("1 2 3 4 5 6", "At most 5 branches at a node; yours has 6.", "?"),
        ("(" * 500 + "1", "At most 5 levels of branches.", "?"),
        ("((((((1))))))", "At most 5 levels of branches; yours has 6.", "?"),
        ("1 2 3 / " * 13 + "1 2", "At most 5 branches at a node; yours has 14.", "?"),
        (" // ".join(["1 2 3 / 1 2 3 / 1 2 3"] * 5), "At most 40 leaves; yours has 45.", "?"),
        ("1 " * 301, "At most 600 characters; yours has 602.", "?"),
    ],
)
def test_an_error_is_shown_at_its_place_and_the_rest_is_drawn(
    text: str, fault: str, drawn: str
) -> None:
    assert parse_tree(text).fault == fault
    assert format_tree(parse_tree(text).values) == drawn


def test_sixty_one_nodes_are_too_many() -> None:
    chain = "((((1),2),3),4,5)"
    assert parse_tree(f"({chain},{chain},{chain},{chain},{chain})").fault == ""
    subtree = "(((1),(2),(3)),((4),(5),(6)),((7),(8)))"
    assert parse_tree(f"({subtree},{subtree},{subtree})").fault == "At most 60 nodes; yours has 61."


def test_every_tree_is_parsed_from_both_its_spellings() -> None:
    for values in NUMBER_TREES[:500]:
        assert parse_tree(format_tree(values)) == (values, "")
        assert parse_tree(format_typed(values)) == (values, "")


def test_a_random_tree_is_reproducible_small_and_has_a_cutoff() -> None:
    assert random_tree(2, 3, 4).values == ((5, 1, 7), (12, 16, 13), (0, 19, 7))
    for levels in LEVELS:
        for branches in BRANCHES:
            for is_max in (True, False):
                trees = [random_tree(levels, branches, seed, is_max) for seed in range(20)]
                assert len({tree.values for tree in trees}) == 20
                for tree in trees:
                    assert parse_tree(format_tree(tree.values)).fault == ""
                    assert (tree.root.height, len(tree.values)) == (levels, branches)
                    assert hardest_cutoff(tree.root) != "none"


def test_nodes_are_named_by_level_and_leaves_by_value() -> None:
    names = node_names(number_tree((((1, 2), 3), (4, (5, -6)))))
    assert names == {
        (): "A", (0,): "B", (1,): "C", (0, 0): "D", (1, 1): "E",
        (0, 1): "3", (1, 0): "4", (0, 0, 0): "1", (0, 0, 1): "2", (1, 1, 0): "5", (1, 1, 1): "−6",
    }  # fmt: skip
    with_31_inner_nodes = number_tree(tuple(tuple((n,) for n in range(5)) for _ in range(5)))
    assert {"Z", "AA", "AE"} <= {*node_names(with_31_inner_nodes).values()}


# The page to set up a tree


# For each address, its status and the numbers of drawn nodes and missing values.
SET_UP = {
    "/study/tree": (200, 13, 0),
    "/study/tree?values=3+12+8+/+2+4+6+/+14+5+2&top=min": (200, 13, 0),
    "/study/tree?values=3+12,+/+2+4+6": (200, 9, 1),
    "/study/tree?values=x": (200, 0, 0),
    "/study/tree?values=3+12+/+2+4&algorithm=alpha-beta": (200, 7, 0),
    "/study/tree?levels=4&branches=3&seed=1": (200, 46, 0),
    "/study/tree?levels=2&branches=2&seed=999": (200, 7, 0),
    "/study/((3,12,),(2,4))?view=search&algorithm=alpha-beta": (400, 8, 1),
    "/study/3,x?view=search": (400, 3, 1),
    "/practise/cuts?tree=((3,12),(2,x))": (400, 7, 1),
}


def test_an_invalid_tree_is_drawn_as_far_as_it_is_valid(client: FlaskClient) -> None:
    for url, expected in SET_UP.items():
        response = client.get(url)
        page = parse(response)
        leaves = [text_of(leaf) for leaf in page.select(".leaf")]
        drawn = len(page.select(".node")), leaves.count("?")
        assert (response.status_code, *drawn) == expected, url


def test_other_spellings_redirect_to_the_canonical_one(client: FlaskClient) -> None:
    response = client.get("/study/(3, 12)?view=search&order=best")
    assert response.status_code == 302
    assert response.headers["Location"] == "/study/(3,12)?view=search&order=best"
