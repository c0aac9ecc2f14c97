"""Trees of one's own values: as they are typed, spelt in an address, drawn by lot and set up."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from teach.numbers import names, number_tree, read_tree, typed, written
from teach.practice.lots import BRANCHES, LEVELS, by_lot, cut_in
from tests.conftest import parse, text_of
from tests.test_searches import NUMBERS, SECOND


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
def test_a_tree_is_read_as_it_may_be_typed(text: str) -> None:
    assert read_tree(text) == (SECOND, "")


def test_minus_signs_unequal_depths_and_levels_are_read() -> None:
    assert read_tree("−3 -4 / +5 6").values == ((-3, -4), (5, 6))
    assert read_tree("3 / 2 4").values == (3, (2, 4))
    assert read_tree("1 2 / 3 4 // 5 6 / 7 8").values == (((1, 2), (3, 4)), ((5, 6), (7, 8)))
    assert read_tree("((3),4)").values == ((3,), 4)


@pytest.mark.parametrize(
    ("text", "fault", "drawn"),
    [
        ("3 12, / 2 4 6", "After 12, a number is missing.", "((3,12,?),(2,4,6))"),
        ("(3,,12)", "After 3, a number is missing.", "(3,?,12)"),
        ("(,3)", "The first number is missing.", "(?,3)"),
        ("((),3)", "The first number is missing.", "((?),3)"),
        ("3 12 / / 4", "After 12, a number is missing.", "((3,12),?,4)"),
        ("3 x", "“x” is no number.", "(3,?)"),
        ("3 --4", "“-” is no number.", "(3,?,-4)"),
        ("3 ٣", "“٣” is no number.", "(3,?)"),
        ("3 100", "A number is from −99 to 99, and 100 is not.", "(3,?)"),
        ("3 12345678901234", "A number is from −99 to 99, and 123456789012 is not.", "(3,?)"),
        ("", "The first number is missing.", "?"),
        ("3", "A tree has a fork: give two numbers or more, as 3 12 8 / 2 4 6.", "?"),
        ("3) 4", "There is one “)” too many.", "?"),
        ("(3,4", "A “)” is missing at the end.", "?"),
        ("(3 4) / 5", "Parentheses or slashes, not both.", "?"),
        ("1 2 3 4 5 6", "At most 5 branches at a fork; these are 6.", "?"),
        ("(" * 500 + "1", "At most 5 levels of forks.", "?"),
        ("((((((1))))))", "At most 5 levels of forks; these are 6.", "?"),
        ("1 2 3 / " * 13 + "1 2", "At most 5 branches at a fork; these are 14.", "?"),
        (" // ".join(["1 2 3 / 1 2 3 / 1 2 3"] * 5), "At most 40 leaves; these are 45.", "?"),
        ("1 " * 301, "At most 600 characters; these are 602.", "?"),
    ],
)
def test_what_is_wrong_is_said_at_its_place_and_the_rest_drawn(
    text: str, fault: str, drawn: str
) -> None:
    assert read_tree(text).fault == fault
    assert written(read_tree(text).values) == drawn


def test_sixty_one_nodes_are_too_many() -> None:
    chain = "((((1),2),3),4,5)"
    assert read_tree(f"({chain},{chain},{chain},{chain},{chain})").fault == ""
    wide = "(((1),(2),(3)),((4),(5),(6)),((7),(8)))"
    assert read_tree(f"({wide},{wide},{wide})").fault == "At most 60 nodes; these are 61."


def test_every_tree_is_read_from_both_its_spellings() -> None:
    for values in NUMBERS[:500]:
        assert read_tree(written(values)) == (values, "")
        assert read_tree(typed(values)) == (values, "")


def test_a_tree_by_lot_is_the_same_for_a_seed_small_enough_and_has_a_cut() -> None:
    assert by_lot(2, 3, 4).values == ((5, 1, 7), (12, 16, 13), (0, 19, 7))
    for levels in LEVELS:
        for branches in BRANCHES:
            for is_max in (True, False):
                found = [by_lot(levels, branches, seed, is_max) for seed in range(20)]
                assert len({lot.values for lot in found}) == 20
                for lot in found:
                    assert read_tree(written(lot.values)).fault == ""
                    assert (lot.root.levels, len(lot.values)) == (levels, branches)
                    assert cut_in(lot.root) != "none"


def test_forks_are_named_level_by_level_and_leaves_by_their_values() -> None:
    called = names(number_tree((((1, 2), 3), (4, (5, -6)))))
    assert called == {
        (): "A", (0,): "B", (1,): "C", (0, 0): "D", (1, 1): "E",
        (0, 1): "3", (1, 0): "4", (0, 0, 0): "1", (0, 0, 1): "2", (1, 1, 0): "5", (1, 1, 1): "−6",
    }  # fmt: skip
    many = number_tree(tuple(tuple((n,) for n in range(5)) for _ in range(5)))
    assert {"Z", "AA", "AE"} <= {*names(many).values()}


# The page on which a tree is set up


def test_the_field_leads_to_a_tree_and_the_ways_on(client: FlaskClient) -> None:
    page = parse(client.get("/study/tree?values=3 12 8 / 2 4 6 / 14 5 2&top=min"))
    links = [a.get("href") for a in page.select(".ways-on a")]
    assert links == [
        "/study/((3,12,8),(2,4,6),(14,5,2))?top=min&view=search",
        "/practise/values?tree=((3,12,8),(2,4,6),(14,5,2))&top=min",
        "/practise/cuts?tree=((3,12,8),(2,4,6),(14,5,2))&top=min",
    ]
    assert all(client.get(str(link)).status_code == 200 for link in links)
    assert [text_of(a) for a in page.select("[aria-current=true]")] == ["MIN first", "2", "3"]
    assert page.select("#values")[0]["value"] == "3 12 8 / 2 4 6 / 14 5 2"
    shared = text_of(page.select_one(".share a"))
    assert shared == "http://localhost/study/((3,12,8),(2,4,6),(14,5,2))?top=min&view=search"
    assert len(page.select("#wide rect.n")) == 9


def test_a_wrong_tree_is_drawn_with_what_is_missing_and_leads_nowhere(client: FlaskClient) -> None:
    page = parse(client.get("/study/tree?values=3 12, / 2 4 6"))
    assert text_of(page.select_one("#told")) == "After 12, a number is missing."
    assert len(page.select("#wide .n.ask")) == 1
    assert [a.get("href") for a in page.select(".ways-on a")] == [None] * 3
    assert not parse(client.get("/study/tree?values=x")).select("#wide")


@pytest.mark.parametrize(
    "url", ["/study/%s?view=search&algorithm=alpha-beta", "/practise/cuts?tree=%s"]
)
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("((3,12,),(2,4))", "After 12, a number is missing."),
        ("((3,12),(2,1)", "A “)” is missing at the end."),
        ("3,12)", "There is one “)” too many."),
    ],
)
def test_a_wrong_address_is_mended_in_its_field(
    client: FlaskClient, url: str, text: str, fault: str
) -> None:
    refused = client.get(url % text)
    assert refused.status_code == 400
    page = parse(refused)
    assert page.select("#values")[0]["value"] == text
    assert text_of(page.select_one("#told")) == fault
    kept = {field["name"]: field["value"] for field in page.select(".typed [type=hidden]")}
    assert kept == ({"algorithm": "alpha-beta"} if "algorithm" in url else {})


def test_the_algorithm_watched_is_watched_again_after_a_change(client: FlaskClient) -> None:
    page = parse(client.get("/study/((3,12),(2,4))?view=search&algorithm=alpha-beta&step=5"))
    (change,) = {a["href"] for a in page.select(".bar a[href]") if "values=" in a["href"]}
    (watch,) = [a["href"] for a in parse(client.get(change)).select(".ways-on .prime")]
    assert watch == "/study/((3,12),(2,4))?view=search&algorithm=alpha-beta"


def test_another_one_at_random_is_the_next_by_its_number(client: FlaskClient) -> None:
    first = parse(client.get("/study/tree")).select("#another")[0]["href"]
    page = parse(client.get(first))
    assert text_of(page.select_one("#values")) == ""
    assert page.select("#values")[0]["value"] == typed(by_lot(2, 3, 1).values)
    deeper = next(a for a in page.select("nav[aria-label=Depth] a") if text_of(a) == "4")
    field = parse(client.get(deeper["href"])).select("#values")[0]
    assert field["value"] == typed(by_lot(4, 3, 1).values)
    last = parse(client.get("/study/tree?levels=2&branches=2&seed=999"))
    assert "seed=0" in last.select("#another")[0]["href"]


def test_other_spellings_lead_to_the_one_spelling(client: FlaskClient) -> None:
    found = client.get("/study/(3, 12)?view=search&order=best")
    assert found.status_code == 302
    assert found.headers["Location"] == "/study/(3,12)?view=search&order=best"
