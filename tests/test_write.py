"""The search put together on its page: what the page says of a program, and how it is seen."""

from __future__ import annotations

import gzip
from math import inf
from typing import Any

from flask.testing import FlaskClient

from engine.notation import signed
from engine.position import Position
from teach.programs import GAPS, programs, read, run
from tests import textbook
from tests.conftest import parse
from tests.html import Tag
from tests.positions import UNFINISHED, whole
from tests.sentences import assert_same, page_as_read
from web.learn.write import query, seen, shown, strip


def visit(client: FlaskClient, code: str) -> Tag:
    return parse(client.get("/learn/write", query_string=query(read(code))))


def test_the_page_of_each_kind_of_program_is_as_last_read(client: FlaskClient) -> None:
    """The first and the right program, one of two mistakes, and one of each mistake alone."""
    alone = [each.code for each in programs() if len(each.mistakes()) == 1]
    pages = {code: visit(client, code) for code in ("22111", "00000", "11000", *alone)}
    assert_same("write", "".join(f"{code}\n{page_as_read(pages[code])}" for code in pages))
    assert all(len(gzip.compress(str(page).encode())) <= 10_000 for page in pages.values())


def test_a_gap_that_the_address_leaves_out_holds_what_it_opens_with(client: FlaskClient) -> None:
    for url, code in (("/learn/write", "22111"), ("/learn/write?l5=2&l8=0", "22210")):
        assert page_as_read(parse(client.get(url))) == page_as_read(visit(client, code))


def test_the_right_piece_is_not_always_the_first(client: FlaskClient) -> None:
    gaps = visit(client, "00000").select(".gap")
    labels = [[label.get_text().strip() for label in gap.select("label")] for gap in gaps]
    assert [sorted(pieces) for pieces in labels] == [sorted(gap) for gap in GAPS.values()]
    right = [pieces.index(gap[0]) for pieces, gap in zip(labels, GAPS.values(), strict=True)]
    assert right == [0, 2, 1, 1, 0]


def test_each_program_is_seen_beside_the_true_scores() -> None:
    for program in programs():
        report = run(program)
        if game := report.shortest:
            assert strip(game) == [
                (square, Position().after(game.moves[:number]))
                for number, square in enumerate(game.moves, 1)
            ]
        for board in filter(None, (game and game.slip, report.gives_up)):
            values, scores = program.values(board), textbook.move_scores(str(board))
            view = seen(program, board)
            assert view.square == program.choose(board)
            assert {s: text for s, (text, _) in view.own.items()} == {
                square: "∞" if value == inf else signed(value) for square, value in values.items()
            }
            assert {s: text for s, (text, _) in view.true.items()} == {
                square: signed(score) for square, score in scores.items()
            }
            top = (max(scores.values()), scores[view.square])
            assert [text for text, _ in view.scores] == [*map(signed, top)]


def test_values_are_drawn_for_whom_they_are_good(client: FlaskClient) -> None:
    own, true = visit(client, "00100").select(".pair svg")
    assert [(t.get_text(), *t.classes) for t in own.select("text")] == [("0",)] * 6
    assert [(t.get_text(), *t.classes) for t in true.select("text")] == [
        ("−6", "X"), ("0",), *[("−6", "X")] * 4,
    ]  # fmt: skip
    assert [*shown({0: 1, 1: -6, 2: 0, 3: inf, 4: -inf}, "O").values()] == [
        ("+1", "O"), ("−6", "X"), ("0", ""), ("∞", "O"), ("−∞", "X"),
    ]  # fmt: skip


def test_the_lines_it_goes_on_with_play_what_a_search_finds(client: FlaskClient) -> None:
    [lines] = visit(client, "00000").select(".card pre")
    names: dict[str, Any] = {"minimax": lambda board, me: textbook.minimax(board, me, 1)}
    exec(lines.get_text(), names)
    for board in map(str, whole(UNFINISHED)):
        scores = textbook.move_scores(board)
        assert scores[names["choose"](board)] == max(scores.values())
