"""The Search view of /study over HTTP: a page of each kind, and the size of a step."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.conftest import parse, text_of
from tests.pages import LARGEST
from tests.positions import sample

# Searches under way and at their end, with every kind of setting.
SEARCHES = """
O-XX--XOO O-XX--XOO?step=1 O-XX--XOO?step=2 O-XX--XOO?step=999
O-XX--XOO?step=last&path=54
O-XX--XOO?algorithm=alpha-beta
O-XX--XOO?algorithm=alpha-beta&step=17
O-XX--XOO?algorithm=alpha-beta&step=5&big=on O-XX--XOO?scoring=flat&step=last
-X---XOOX?step=50 -X---XOOX?step=last&path=2 -X---XOOX?algorithm=alpha-beta&step=23
-X---XOOX?depth=1&step=last -X-O-OXOX?mirrors=merged&step=last OX--X-OOX?scoring=flat&step=last
XXOOO-XX-?scoring=flat&step=last X---O----?step=last X---O----?big=on&step=5
012436587?at=6&step=3&algorithm=alpha-beta&order=worst
--------- ---------?algorithm=alpha-beta&step=20
((3,5),3)?step=last -X-OOX-X-?mirrors=merged&step=last
---------?algorithm=alpha-beta&step=20&big=on
((3,12,8),(2,4,6),(14,5,2)) ((3,12,8),(2,4,6),(14,5,2))?step=last&path=21&top=min
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&step=13
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&step=5&big=on
XO---O--X?depth=5&algorithm=alpha-beta&step=42&big=on
random?levels=3&branches=2&seed=17&top=min&algorithm=alpha-beta&step=last
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&step=last ---------?step=last
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&step=last&top=min
---------?algorithm=alpha-beta&step=last O-XX--XOO?algorithm=alpha-beta&step=last
OXO-X----?depth=4&algorithm=alpha-beta&step=39
""".split()


def test_every_setting_has_a_page_with_a_sentence_and_marked_lines(
    client: FlaskClient,
) -> None:
    for url in SEARCHES:
        where, _, query = url.partition("?")
        page = parse(client.get(f"/study/{where}?view=search&{query}"))
        assert text_of(page.select_one("#told")), url
        marked_lines = page.select("#code .on[aria-current]")
        assert len(marked_lines) == ("step" in query and "path" not in query), url


@pytest.mark.parametrize("name", LARGEST)
def test_a_step_of_the_largest_trees_takes_at_most_6000_bytes(
    client: FlaskClient, name: str
) -> None:
    url, _, _ = LARGEST[name].rpartition("=")
    last = int(parse(client.get(f"{url}=last")).select("#scrub")[0]["max"])
    for step in [*sample(24, range(last)), last]:
        response = client.get(f"{url}={step}", headers={"Accept-Encoding": "br"})
        assert len(response.data) <= 6000, step


FIVE, FOUR = "(1,2,3,4,5)", "(1,2,3,4)"  # nodes with five and four leaves


@pytest.mark.parametrize(
    ("where", "is_too_large", "is_too_large_without_code"),
    [
        (f"({FIVE},{FIVE},{FOUR})", False, False),
        (f"({FIVE},{FIVE},{FIVE})", True, False),
        (f"({FIVE},{FIVE},{FIVE},({FIVE}),({FIVE},1,2))", True, False),
        (f"({FIVE},{FIVE},{FIVE},({FIVE}),({FIVE},1,2,3))", True, True),
        ("XO-X-X-O-", False, False),
        ("XOOXX----", True, True),
    ],
)
def test_a_tree_too_large_for_the_projector_says_so(
    client: FlaskClient, where: str, is_too_large: bool, is_too_large_without_code: bool
) -> None:
    """So do the projector's page, in its first sentence, and the text beside the link to it."""
    url = f"/study/{where}?view=search"
    beside, tree_only = (
        text_of(parse(client.get(f"{url}&big={big}")).select_one("#told")) for big in ("on", "tree")
    )
    (by_the_link,) = parse(client.get(url)).select("#panel")
    assert ("Up to 14 leaves can be read from the back row" in beside) == is_too_large
    for text in (tree_only, text_of(by_the_link)):
        assert ("leaves can be read from the back row" in text) == is_too_large_without_code
    (link,) = by_the_link.select("[data-key=b]")
    assert ("big=tree" in str(link["href"])) == (is_too_large and "(" in where)


@pytest.mark.parametrize(
    "url",
    [
        "((3,12,8),(2,4,6),(14,5,2))?view=search&algorithm=alpha-beta&step=13",
        "((3,12),(2,4))?top=min&view=search&step=4&question=values",
        "random?levels=2&branches=3&seed=4&view=search&step=5",
        "-X---XOOX?view=search&algorithm=alpha-beta&step=17",
        "-X---XOOX?view=search&step=last&path=0",
        "42170835?you=X&at=5&view=search&step=3",
    ],
)
def test_a_shared_search_opens_at_the_same_step(client: FlaskClient, url: str) -> None:
    page = parse(client.get(f"/study/{url}"))
    shared = parse(client.get(page.select("[property='og:url']")[0]["content"]))
    for part in ("title", "#told"):
        assert text_of(shared.select_one(part)) == text_of(page.select_one(part)), part


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta"])
@pytest.mark.parametrize("big", ["", "&big=on"])
def test_a_depth_limited_search_says_that_it_estimates(
    client: FlaskClient, algorithm: str, big: str
) -> None:
    url = f"/study/X---O---X?view=search&algorithm={algorithm}&depth=3{big}"
    first, last = (parse(client.get(f"{url}&step={step}")) for step in ("0", "last"))
    assert "Depth limit 3" in text_of(first.select_one("#told"))
    assert "Depth limit 3: ~−3 is an estimate, not the result." in text_of(last.select_one("#told"))
    chips = [text_of(chip) for chip in last.select("#ntree .chip")]
    assert chips and all("~" in chip or "9" in chip for chip in chips), (
        "each value must be an estimate or a win, 100 − n"
    )
    assert not last.select("#ntree .chip:is(.X, .O, .D)"), "no estimate may look like a result"


def test_a_forced_win_within_the_depth_limit_counts_as_a_result(client: FlaskClient) -> None:
    page = parse(client.get("/study/XX--O---O?view=search&depth=1&step=last"))
    sentence = text_of(page.select_one("#told"))
    assert sentence.startswith("The search is over. X picks the highest: top right, +99.")
    assert "estimate" not in sentence


def test_a_deep_cutoff_explains_why_the_rest_cannot_matter(client: FlaskClient) -> None:
    """E is MIN, like C above it; D, the MAX between them, may still pick 3."""
    url = "/study/((8,9),((((-9,4),7),3),5))?view=search&algorithm=alpha-beta"
    sentences = set()
    for step in range(40):
        sentences.add(text_of(parse(client.get(f"{url}&step={step}")).select_one("#told")))
    (why,) = [text for text in sentences if "If that reached" in text]
    assert why == (
        "A has 8 from B. E is 4 or less. If that reached C, C would be 4 or less,"
        " and A would not pick C: 7 is pruned."
    )


@pytest.mark.parametrize("setting", ["", "&top=max", "&top=min", "&lesson=10?p=4", "&depth=2"])
def test_plus_is_good_for_x_on_every_board(client: FlaskClient, setting: str) -> None:
    """O is to move and wins at top right or at bottom left."""
    page = parse(client.get(f"/study/XX-OO-X--?view=search&step=last{setting}"))
    assert "X is MAX, O to move" in text_of(page.select_one(".whose"))
    (root,) = page.select("#ntree > ol > .node > .worth .chip")
    assert root.get_text().startswith("−") and "O" in root.classes
    assert text_of(page.select_one("#told")).startswith("The search is over. O picks the lowest: ")


def test_windows_are_shown_at_all_searched_nodes_and_stay_at_the_end(
    client: FlaskClient,
) -> None:
    """C and D are MIN and never beat 3; C is pruned, so its value is a bound."""
    url = "/study/((3,12,8),(2,4,6),(14,5,2))?view=search"
    page = parse(client.get(f"{url}&algorithm=alpha-beta&step=last"))
    windows = [text_of(window) for window in page.select("#ntree .window")]
    assert windows == ["[3, +∞]", "[−∞, 3]", "[3, 2]", "[3, 2]"]
    chips = [text_of(chip) for chip in page.select("#ntree .chip")]
    assert chips == ["3", "3", "≤ 2", "2"]
    assert not parse(client.get(f"{url}&step=last")).select(".window")


def test_switching_the_algorithm_at_the_end_stays_at_the_end(
    client: FlaskClient,
) -> None:
    for where in ("((3,12,8),(2,4,6),(14,5,2))?", "O-XX--XOO?", "---------?"):
        page = parse(client.get(f"/study/{where}view=search&step=last"))
        links = page.select(".watched > .counted .tabs a")
        assert [text_of(link) for link in links] == ["Minimax", "Alpha-beta"]
        assert links[0].get("aria-current") == "true"
        other = parse(client.get(str(links[1]["href"])))
        assert other.select("#by-alpha-beta[aria-current]")
        assert text_of(other.select_one("#next")) == "Start over"
    before_it_is_named = parse(client.get("/study/OX--X-OOX?view=search&lesson=10"))
    assert not before_it_is_named.select(".counted .tabs")
