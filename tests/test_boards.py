"""How boards, edges, results and faces are drawn."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from engine.position import LINES, Position
from tests import textbook
from tests.html import Tag
from tests.sentences import load_macros

# The centers of the nine squares, as a path starts at them.
CENTERS = [f"{x} {y}" for y in (12, 36, 60) for x in (12, 36, 60)]


@pytest.fixture(scope="module")
def boards(app: Flask) -> Any:
    return load_macros(app, "view/_boards.html")


def svg(html: str) -> Tag:
    """Return the picture in the HTML that a macro draws."""
    picture = Tag.parse(html).select_one("svg")
    assert picture
    return picture


def squares_of(path: Tag | None) -> list[int]:
    """Return the squares on whose centers a path draws marks."""
    starts = str(path["d"]).split("M")[1:] if path else []
    return [CENTERS.index(start.partition("m")[0]) for start in starts]


def test_a_small_board_shows_each_mark_on_its_square(boards: Any) -> None:
    for board in textbook.one_image_of_each(textbook.all_boards()):
        picture = svg(boards.small_board(Position.parse(board)))
        for mark in "XO":
            squares = [square for square in range(9) if board[square] == mark]
            drawn_squares = squares_of(picture.select_one(f".mark.{mark}:not(.wins)"))
            if textbook.winner(board) == mark:  # its complete lines are drawn separately
                drawn_squares += squares_of(picture.select_one(".mark.wins"))
            assert sorted(drawn_squares) == squares, board


def test_winning_squares_are_filled_and_their_marks_cut_out(boards: Any) -> None:
    for line in LINES:
        position = Position(x=sum(1 << square for square in line))
        picture = svg(boards.small_board(position, new=line[0]))
        assert squares_of(picture.select_one(".mark.wins")) == list(line)
        assert len(picture.select(".tile.wins.X")) == len(picture.select(".tile")) == 3
        assert not picture.select(".mark.X:not(.wins)")


def test_newly_played_squares_are_tinted(boards: Any) -> None:
    picture = svg(boards.small_board("XO--X----", new=(1, 4)))
    assert [" ".join(tile.classes) for tile in picture.select(".tile")] == ["tile O", "tile X"]
    assert squares_of(picture.select_one(".mark.X:not(.wins)")) == [0, 4]


def test_values_on_squares_have_the_color_of_their_side(boards: Any) -> None:
    picture = svg(boards.small_board("X--------", values={1: ("−6", "O"), 2: ("0", "")}))
    six, zero = picture.select("text")
    assert (six.get_text(), six.classes, six["x"], six["y"]) == ("−6", ["O"], "36", "15.4")
    assert (zero.get_text(), zero.classes) == ("0", [])
    assert len(picture.select(".tile.O")) == 1


def test_a_board_without_a_name_is_hidden_from_screen_readers(boards: Any) -> None:
    assert svg(boards.small_board("---------"))["aria-hidden"] == "true"
    named = svg(boards.small_board("---------", label="empty board"))
    assert (named["role"], named["aria-label"]) == ("img", "empty board")


def test_an_edge_ends_above_the_middle_of_its_child(boards: Any) -> None:
    assert [boards.edge((2, 1, 1), index) for index in range(3)] == [
        "M25.00 10C25.00 5 50 5 50 0",
        "M62.50 10C62.50 5 50 5 50 0",
        "M87.50 10C87.50 5 50 5 50 0",
    ]


def test_a_result_has_the_color_of_the_winner(boards: Any) -> None:
    assert boards.chip("O wins", "O") == '<span class="chip O">O wins</span>'
    assert boards.chip("draw", None) == '<span class="chip D">draw</span>'


def test_a_face_has_a_disc_and_eyes_and_few_other_shapes(boards: Any) -> None:
    for mood in ("calm", "thinking", "glad", "oh", "random"):
        face = svg(boards.face(mood, "O"))
        assert face.select_one(".disc")
        assert face.select(".eye, .lid")
        assert len(face.select("*")) <= (5 if mood == "oh" else 4)
