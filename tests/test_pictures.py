"""The trees that books and pages draw, and what the first move costs."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from tests import textbook
from tests.conftest import parse
from tests.test_tree_page import board_in, nodes_on, text_of

# Nodes and leaves of the whole tree, and what is said of it.
PICTURES = {
    "O-X" "X--" "XOO": ("X to move: 10 nodes, 5 leaves", "moves worth −8, +9 and −8"),
    "XXO" "OO-" "XX-": ("O to move: 4 nodes, 2 leaves", "worth +9 and 0 to MAX"),
    "-X-" "--X" "OOX": ("O to move: 47 nodes, 21 leaves", "one move is worth −6, the others −8"),
    "O--" "X-X" "OOX": ("X to move: 8 nodes, 4 leaves", "MAX has +7, +9 and +9, but flat"),
    "XOO" "---" "XXO": ("X to move: 11 nodes, 5 leaves", "alpha-beta enters 8 of the 11 nodes"),
    "XOX" "OOX" "---": ("X to move: 11 nodes, 5 leaves", "11 of 11 nodes with the squares in order,"
                        " 7 with the best move first"),
    "---" "XOX" "XO-": ("O to move: 34 nodes, 17 leaves", "alpha-beta enters 15 of the 34 nodes"),
    "-X-" "O-O" "XOX": ("X to move: 14 nodes, 6 leaves", "merged, 8 nodes of 14 are left"),
    "--O" "XX-" "X-O": ("O to move: 24 nodes, 14 leaves", "24 nodes, but 21 different positions"),
}  # fmt: skip


def test_each_picture_is_a_link_away_with_its_numbers(client: FlaskClient) -> None:
    items = parse(client.get("/run/---------")).select(".pictures li")
    assert len(items) == len(PICTURES)
    for item, (board, (counts, point)) in zip(items, PICTURES.items(), strict=True):
        (link,) = item.select("a")
        assert text_of(link) == counts
        assert point in text_of(item.select_one("p"))
        assert board_in(str(item)) == board
        assert board in str(link["href"])
        page = client.get(str(link["href"]))
        assert page.status_code == 200
        nodes, leaves = map(int, re.findall(r"\d+", counts))
        drawn = nodes_on(client.get(f"/tree/{board}?view=all").text)
        assert len(drawn) == nodes
        assert sum(textbook.over(node.board) for node in drawn.values()) == leaves
    assert not parse(client.get("/run/X--------")).select(".pictures")


def test_merging_mirror_images_leaves_eight_nodes_of_fourteen(client: FlaskClient) -> None:
    assert len(nodes_on(client.get("/tree/-X-O-OXOX").text)) == 8


def test_the_first_move_is_priced_to_scale(client: FlaskClient) -> None:
    soup = parse(client.get("/run/---------"))
    rows = [[text_of(cell) for cell in row.select("td")] for row in soup.select(".prices tbody tr")]
    assert [nodes for nodes, _ in rows] == ["549,946", "20,866", "5,478", "765"]
    assert [seconds for _, seconds in rows] == ["155", "5.9", "1.5", "0.2"]
    sides = [float(str(rect["width"])) for rect in soup.select(".prices rect")]
    for (nodes, _), side in zip(rows, sides, strict=True):
        share = int(nodes.replace(",", "")) / 549_946
        assert (side / sides[0]) ** 2 == pytest.approx(share, rel=0.02)
