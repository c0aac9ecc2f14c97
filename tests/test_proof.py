"""The map of perfect play, read back from its pictures and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring

import pytest
from flask.testing import FlaskClient

from engine.position import OTHER, SQUARE_NAMES, Mark, Position
from engine.search import best_moves
from teach.proof import map_board, map_size
from tests import textbook

MARKS: tuple[Mark, ...] = ("X", "O")
CENTERS = [(12 + square % 3 * 24, 12 + square // 3 * 24) for square in range(9)]


class Picture(NamedTuple):
    """A board as drawn: its marks, the answer, and the boards in its squares."""

    board: str
    answer: int | None
    inside: dict[int, Picture]

    def walk(self) -> Iterator[Picture]:
        yield self
        for picture in self.inside.values():
            yield from picture.walk()


def read_picture(svg: Element, mark: Mark) -> Picture:
    """Return what an SVG shows; its winning marks are those of the side that the map is for."""
    marks, answer = ["-"] * 9, None
    for path in svg.findall("path"):
        *classes, name = path.attrib["class"].split()
        letter = (mark if name == "wins" else name) if "mark" in classes else None
        found = re.findall(r"M(\d+) (\d+)m", path.attrib["d"]) if letter else []
        squares = [CENTERS.index((int(x), int(y))) for x, y in found]
        for square in squares:
            assert letter and marks[square] == "-"
            marks[square] = letter
        if "answer" in classes:
            (answer,) = squares
    boxes = [*svg.findall("svg"), *svg.findall("a/svg"), *svg.findall("g/svg")]
    squares = [
        int(float(box.attrib["y"])) // 24 * 3 + int(float(box.attrib["x"])) // 24 for box in boxes
    ]
    inside = {at: read_picture(box, mark) for at, box in zip(squares, boxes, strict=True)}
    assert len(inside) == len(boxes)
    return Picture("".join(marks), answer, inside)


def draw_map(client: FlaskClient, mark: Mark, query: str = "") -> tuple[Picture, Element]:
    """Return the map on the page, as it is read and as SVG."""
    page = client.get(f"/proof?side={mark}{query}").text
    start = page.index('<svg class="mini atlas"')
    svg = fromstring(page[start : page.index("</svg></div>", start)] + "</svg>")
    return read_picture(svg, mark), svg


@pytest.mark.parametrize("mark", MARKS)
def test_the_map_has_a_best_move_for_every_reply_and_nothing_else(
    mark: Mark, client: FlaskClient
) -> None:
    whole_map, _ = draw_map(client, mark, "&whole=on")
    finished_boards = set()
    for picture in whole_map.walk():
        assert textbook.winner(picture.board) in (None, mark)
        if textbook.is_over(picture.board):
            finished_boards.add(min(textbook.symmetric_boards(picture.board)))
            assert not picture.inside
        else:
            assert_answer_is_a_best_move(picture, mark)
            assert_every_reply_is_answered(picture, mark)
    draw_count = sum(textbook.winner(board) is None for board in finished_boards)
    size = map_size(mark)
    assert (size.win_count, size.draw_count) == (len(finished_boards) - draw_count, draw_count)


def assert_answer_is_a_best_move(picture: Picture, mark: Mark) -> None:
    """Check the last move of the side that the map is for, if it has made one."""
    if picture.answer is not None:
        before = picture.board[: picture.answer] + "-" + picture.board[picture.answer + 1 :]
        assert picture.board[picture.answer] == mark
        assert picture.answer in best_moves(Position.parse(before))


def assert_every_reply_is_answered(picture: Picture, mark: Mark) -> None:
    """Check that each reply of the other side has a board inside, with at most one mark more."""
    assert textbook.turn(picture.board) != mark
    replies = textbook.children(picture.board)
    assert picture.inside.keys() == replies.keys()
    for square, inner in picture.inside.items():
        if inner.answer is not None:
            assert inner.board[inner.answer] != replies[square][inner.answer]
        assert textbook.is_over(replies[square]) == (inner.board == replies[square])
        assert added_mark_count(replies[square], inner.board) <= 1


def added_mark_count(before: str, after: str) -> int:
    """Return the number of marks added to a board on which no mark may have changed."""
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert all(old == "-" for old, _ in changed)
    return len(changed)


@pytest.mark.parametrize("mark", MARKS)
def test_rotated_boards_have_the_rotated_answer(mark: Mark) -> None:
    decided: dict[str, str] = {}
    for entry in map_board(mark, Position()).walk():
        if entry.answer is not None:
            before, after = (
                min(textbook.symmetric_boards(str(position)))
                for position in (entry.position, entry.position_after)
            )
            assert decided.setdefault(before, after) == after
    assert len(decided) == map_size(mark).decision_count


def cut_below(picture: Picture, level_count: int) -> Picture:
    """Return the picture with at most this many levels inside it."""
    inside = {}
    if level_count:
        for square, inner in picture.inside.items():
            inside[square] = cut_below(inner, level_count - 1)
    return picture._replace(inside=inside)


@pytest.mark.parametrize("mark", MARKS)
def test_two_levels_are_drawn_and_each_board_opens_its_own_two(
    mark: Mark, client: FlaskClient
) -> None:
    whole_map, _ = draw_map(client, mark, "&whole=on")
    to_open = [("", whole_map)]
    while to_open:
        moves, expected = to_open.pop()
        drawn, svg = draw_map(client, mark, f"&at={moves}")
        assert drawn == cut_below(expected, 2)
        labels = {link.attrib["href"]: link.attrib["aria-label"] for link in svg.findall("a")}
        unfinished = {reply: inner for reply, inner in expected.inside.items() if inner.inside}
        assert [*labels] == [f"/proof?side={mark}&at={moves}{reply}" for reply in unfinished]
        for (reply, inner), label in zip(unfinished.items(), labels.values(), strict=True):
            assert inner.answer is not None
            reply_name, answer_name = SQUARE_NAMES[reply], SQUARE_NAMES[inner.answer]
            assert label == f"{OTHER[mark]} {reply_name}: {mark} {answer_name}"
        to_open += [(f"{moves}{reply}", inner) for reply, inner in unfinished.items()]


def test_addresses_of_unknown_maps_are_refused(client: FlaskClient) -> None:
    for address, why in (
        ("side=x", "side must be one of: X, O."),
        ("at=a", "A move is a digit from 0 to 8."),
        ("at=0", "Top left is taken."),
        ("whole=1", "whole must be one of: on."),
    ):
        page = client.get(f"/proof?{address}")
        assert page.status_code == 400
        assert why in page.text


@pytest.mark.parametrize("mark", MARKS)
def test_the_poster_of_each_side_is_drawn_once(
    mark: Mark, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get(f"/proof?side={mark}&whole=on").text
    monkeypatch.setattr("web.study.routes.render_template", None)
    for spelling in (
        f"whole=on&side={mark}",
        f"side={mark}&whole=%6Fn&",
        f"at=&side={mark}&whole=on",
    ):
        assert client.get(f"/proof?{spelling}").text == first


def test_unknown_parameters_of_the_map_are_dropped(client: FlaskClient) -> None:
    for query, kept in (
        ("side=O&x=1&whole=on", "?side=O&whole=on"),
        ("fbclid=x", ""),
        ("at=4&utm_source=x&_external=1", "?at=4"),
    ):
        response = client.get(f"/proof?{query}")
        assert (response.status_code, response.location) == (302, f"/proof{kept}")
