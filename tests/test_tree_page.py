"""The page of a tree: what is drawn of every node, and what stands beside it."""

from __future__ import annotations

import re
from math import isinf
from typing import NamedTuple

import pytest
from bs4 import Tag
from flask.testing import FlaskClient

from engine.position import Position
from engine.symmetry import canonical, reachable
from teach.searches import Path, run
from tests import textbook
from tests.conftest import parse

SMALL = [
    position
    for position in reachable()
    if position == canonical(position) and position.ply >= 5 and not position.outcome()
]
CLASSIC = "O-XX--XOO"
FATALIST = "-X---XOOX"


class Drawn(NamedTuple):
    """Hold what is drawn of a node."""

    board: str
    stage: str
    chosen: bool
    crossed: bool
    starred: bool
    worth: str
    about: str
    href: str | None


NODE = re.compile(
    r'class="node ([a-z-]+)( chosen)?" id="n(\d*)"(?: href="([^"]*)")?>(.*?)</(?:a|div)>', re.S
)
STROKES = re.compile(r'<path class="([XO])" d="([^"]+)"')


def nodes_on(page: str) -> dict[Path, Drawn]:
    """Read the tree of a page; a parser would take too long for all of them."""
    return {
        tuple(map(int, path)): Drawn(
            board=board_in(inside),
            stage=stage.replace("-", " "),
            chosen=bool(chosen),
            crossed="crossed" in inside,
            starred="★" in inside,
            worth=inner(inside, "worth").removeprefix("★ "),
            about=inner(inside, "about"),
            href=href.replace("&amp;", "&") or None,
        )
        for stage, chosen, path, href, inside in NODE.findall(page)
    }


def board_in(html: str) -> str:
    """Read the board that a picture draws."""
    marks = ["-"] * 9
    for mark, strokes in STROKES.findall(html):
        for x, y in re.findall(r"M(\d+) (\d+)", strokes):
            marks[int(y) // 24 * 3 + int(x) // 24] = mark
    return "".join(marks)


def inner(html: str, name: str) -> str:
    """Return the text of the first element with that class, or that id; empty if there is none."""
    found = re.search(rf'<(\w+) [^>]*(?:class|id)="{name}"[^>]*>(.*?)</\1>', html, re.S)
    return " ".join(re.sub("<[^>]*>", "", found[2]).split()) if found else ""


def text_of(tag: Tag | None) -> str:
    assert tag
    return " ".join(tag.get_text().split())


def signed(value: float) -> str:
    if isinf(value):
        return "+∞" if value > 0 else "−∞"
    return f"{value:+.0f}".replace("-", "−") if value else "0"


# The tree, drawn


@pytest.mark.parametrize("root", SMALL[::40], ids=str)
def test_every_node_of_a_whole_tree_is_drawn_with_its_value_and_leads_to_its_own_tree(
    client: FlaskClient, root: Position
) -> None:
    page = client.get(f"/tree/{root}?view=all&scoring=flat").text
    drawn = nodes_on(page)
    assert len(drawn) == page.count('class="node')
    assert len(drawn) == run(root, "minimax", "depth", "squares").counts.nodes
    for path, node in drawn.items():
        board = str(root.after(path))
        assert node.board == board
        assert node.worth == signed(textbook.worth(board, root.turn, len(path), flat=True))
        leads_on = path and not textbook.over(board)
        assert node.href == (f"/tree/{board}?view=all&scoring=flat" if leads_on else None)
        if textbook.over(board):
            winner = textbook.winner(board)
            assert node.about.startswith(f"{winner} wins" if winner else "draw")
        else:
            assert node.about.startswith("MIN" if len(path) % 2 else "MAX")


def test_the_tree_is_a_list_in_a_list(client: FlaskClient) -> None:
    soup = parse(client.get(f"/tree/{CLASSIC}"))
    for item in soup.select("#tree li:has(.node)"):
        node = item.find(class_="node", recursive=False)
        assert isinstance(node, Tag)
        path = str(node["id"])[1:]
        assert len(item.find_parents("li")) == len(path)
        if path:
            above = item.find_parents("li")[0].find(class_="node", recursive=False)
            assert isinstance(above, Tag)
            assert above["id"] == f"n{path[:-1]}"


def test_the_levels_say_for_whom_they_are_best_before_max_and_min(client: FlaskClient) -> None:
    def sides(board: str) -> list[str]:
        return [text_of(side) for side in parse(client.get(f"/tree/{board}")).select(".sides li")]

    assert sides(FATALIST) == ["best for O: MAX", "best for X: MIN", "MAX", "MIN"]
    assert sides(CLASSIC) == ["best for X: MAX", "best for O: MIN", "MAX"]
    assert sides("---------") == ["best for X: MAX", "best for O: MIN"]


def test_the_bold_line_is_best_play(client: FlaskClient) -> None:
    drawn = nodes_on(client.get(f"/tree/{FATALIST}").text)
    assert [path for path in drawn if drawn[path].chosen] == [
        (), (2,), (2, 4), (2, 4, 0), (2, 4, 0, 3),
    ]  # fmt: skip
    assert drawn[2,].about == "MIN, best"


def test_above_24_leaves_there_are_two_levels_with_mirror_images_merged(
    client: FlaskClient,
) -> None:
    soup = parse(client.get("/tree/---------"))
    first = soup.select(".across > li > .node")
    assert [text_of(node.select_one("span")) for node in first] == [
        "X top left ★ 0 ×4 MIN, best",
        "X top centre 0 ×4 MIN",
        "X centre 0 MIN",
    ]
    assert len(soup.select(".across .across")) == 0
    assert len(soup.select("a.node")) == 3 + 5 + 5 + 2
    assert len(nodes_on(client.get("/tree/---------?view=all").text)) == 1 + 9 + 72


def test_a_finished_game_has_no_tree(client: FlaskClient) -> None:
    text = text_of(parse(client.get("/tree/XXXOO----")).select_one("main"))
    assert "X won: top row." in text
    assert "MAX" not in text


def test_views_and_scorings_keep_each_other(client: FlaskClient) -> None:
    soup = parse(client.get(f"/tree/{FATALIST}?view=all&scoring=flat"))
    links = {text_of(a): str(a["href"]) for a in soup.select(".switches a")}
    assert links == {
        "Turned or mirrored merged": f"/tree/{FATALIST}?view=merged&scoring=flat",
        "All squares": f"/tree/{FATALIST}?view=all&scoring=flat",
        "Turns counted": f"/tree/{FATALIST}?view=all&scoring=depth",
        "Flat: +1, 0, −1": f"/tree/{FATALIST}?view=all&scoring=flat",
    }
    current = [text_of(a) for a in soup.select(".switches [aria-current]")]
    assert current == ["All squares", "Flat: +1, 0, −1"]


def test_the_four_rules_stand_beside_the_tree_they_choose_from(client: FlaskClient) -> None:
    rules = parse(client.get(f"/tree/{FATALIST}")).select(".rules > section")
    said = [[text_of(part) for part in rule.find_all(["h3", "p"])] for rule in rules]
    assert [name for name, _, _ in said] == [
        "Flat: +1, 0, −1",
        "Score − depth",
        "±10 with depth",
        "Turns, as here",
    ]
    assert said[0][1:] == [
        "MAX: top left −1, top right −1, middle left −1, centre −1.",
        "The fatalist. It sees only won, drawn and lost: 4 moves are all the same to it, so it"
        " plays top left: X wins in 2. X wins at top right, which it did not block.",
    ]
    assert said[1][1] == "MAX: top left −13, top right −13, middle left −13, centre −11."
    assert "it hurries to lose, and plays centre: X wins in 2." in said[1][2]
    assert "holds out, and plays top right: X wins in 4." in said[2][2]
    assert said[3][1] == "MAX: top left −8, top right −6, middle left −8, centre −8."
    assert said[3][2].startswith("The fighter.")
    assert said[3][2].endswith("it plays top right: X wins in 4.")
    assert not parse(client.get(f"/tree/{CLASSIC}")).select(".rules")


def test_flat_scores_dawdle_where_a_win_is_there(client: FlaskClient) -> None:
    flat, hurry, *_ = parse(client.get("/tree/O--X-XOOX")).select(".rules > section")
    assert "3 moves are all the same to it, so it plays top centre: X wins in 3." in text_of(flat)
    assert "would hurry to lose. It plays top right: X wins now." in text_of(hurry)


def test_the_tree_tells_what_each_search_cost(client: FlaskClient) -> None:
    def costs(url: str) -> list[str]:
        return [cell.get_text() for cell in parse(client.get(url)).select(".cost td")]

    flat = costs("/tree/---------?scoring=flat")
    assert [flat[n] for n in (0, 1, 3, 4)] == ["549,946", "18,297", "5,478", "765"]
    assert costs("/tree/---------")[1] == "20,866"
