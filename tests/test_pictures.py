"""The trees that books and pages draw: what is said of each is so."""

from __future__ import annotations

from flask.testing import FlaskClient

from teach.pictures import PICTURES
from teach.trees import tree
from tests import textbook
from tests.conftest import parse, text_of

# Boards and ends of the whole tree, and what is said of it.
SAID = {
    "O-X" "X--" "XOO": ("X to move, 10 boards", 5, "moves worth −8, +9 and −8"),
    "XXO" "OO-" "XX-": ("O to move, 4 boards", 2, "two moves, worth +9 and 0"),
    "-X-" "--X" "OOX": ("O to move, 47 boards", 21, "one is −6, the others −8"),
    "O--" "X-X" "OOX": ("X to move, 8 boards", 4, "+7, +9 and +9, but +1, +1 and +1 where turns"),
    "XOO" "---" "XXO": ("X to move, 11 boards", 5, "Alpha-beta enters 8 of the 11 boards"),
    "XOX" "OOX" "---": ("X to move, 11 boards", 5, "11 boards in order, 7 best first"),
    "---" "XOX" "XO-": ("O to move, 34 boards", 17, "alpha-beta enters 15 of 34"),
    "-X-" "O-O" "XOX": ("X to move, 14 boards", 6, "once each, 8 boards of 14 are left"),
    "--O" "XX-" "X-O": ("O to move, 24 boards", 14, "24 boards, 21 of them different"),
}  # fmt: skip


def test_each_picture_is_a_link_away_with_its_numbers(client: FlaskClient) -> None:
    items = parse(client.get("/study?view=search&counts=on")).select(".ways a")
    assert [str(picture.position) for picture in PICTURES] == list(SAID)
    for item, picture, (board, (title, ends, point)) in zip(
        items, PICTURES, SAID.items(), strict=True
    ):
        assert text_of(item.select_one("b")) == title
        assert point in text_of(item.select_one("small"))
        assert f"/study/{board}?" in item["href"]
        whole = tree(picture.position, merged=False, scoring="depth")
        below = [below for _, below in textbook.nodes_of(textbook.tree_of(board))]
        assert len(whole.leaves) == ends == sum(isinstance(it, int) for it in below)
        assert parse(client.get(item["href"])).select("#wide")
