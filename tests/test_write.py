"""The search put together on its page: what the page says of a program, and how it is seen."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.notation import signed
from engine.position import Mark, Position
from teach.programs import GAPS, Program, programs, read_program, report_on
from tests import textbook
from tests.conftest import parse, text_of
from tests.html import Tag
from tests.positions import UNFINISHED, whole
from tests.sentences import assert_same, page_as_read
from web.learn.write import LEVELS, Asked, played, seen, shown, strip


def visit(client: FlaskClient, code: str) -> Tag:
    """Open the page of a program, with all five gaps and the line to look at said."""
    query = Asked("3", read_program(code)).query | {"look": "on"}
    query = {name: value for name, value in query.items() if value is not None}
    return parse(client.get("/learn/write", query_string=query))


def test_the_page_of_each_kind_of_program_is_as_last_read(client: FlaskClient) -> None:
    """The first and the right program, of which turns count in one, and each mistake alone."""
    alone = [each.code for each in programs() if each.code[0] == "1" and len(each.mistakes()) == 2]
    pages = {code: visit(client, code) for code in ("12111", "00000", "10000", "01000", *alone)}
    assert_same("write", "".join(f"{code}\n{page_as_read(pages[code])}" for code in pages))
    assert all(len(gzip.compress(str(page).encode())) <= 10_000 for page in pages.values())


def test_a_gap_that_the_address_leaves_out_holds_what_it_opens_with(client: FlaskClient) -> None:
    for url, code in (
        ("level=3&look=on", "12111"), ("l5=2&l8=0&look=on", "12210"),
    ):  # fmt: skip
        page = parse(client.get(f"/learn/write?{url}"))
        assert page_as_read(page) == page_as_read(visit(client, code))


def test_the_right_piece_is_not_always_the_first(client: FlaskClient) -> None:
    gaps = visit(client, "00000").select(".gap")
    pieces_of = [GAPS[line] for line in LEVELS["3"]]
    labels = [[label.get_text().strip() for label in gap.select("label")] for gap in gaps]
    assert [sorted(pieces) for pieces in labels] == [sorted(gap) for gap in pieces_of]
    right = [pieces.index(gap[0]) for pieces, gap in zip(labels, pieces_of, strict=True)]
    assert right == [2, 1, 1, 0]


def for_x(board: str, turns: bool) -> dict[int, int]:
    """Return the textbook's value of each move, plus being good for X, turns counted or not."""
    side = 1 if textbook.turn(board) == "X" else -1
    scores = {square: side * score for square, score in textbook.move_scores(board).items()}
    return scores if turns else {square: textbook.sign(it) for square, it in scores.items()}


def test_each_program_is_seen_beside_the_true_values_and_plus_is_good_for_x() -> None:
    boards = set()
    for program in programs():
        if not (game := report_on(program).shortest):
            continue
        assert strip(game.moves) == [
            (square, Position().after(game.moves[:number]))
            for number, square in enumerate(game.moves, 1)
        ]
        board, view, turns = game.slip, seen(program, game.slip), program.pieces[0] == 0
        true = for_x(str(board), turns)
        assert view.square == program.choose(board)
        assert {s: text for s, (text, _) in view.own.items()} == {
            square: "∞" if value == inf else signed(value)
            for square, value in program.values(board).items()
        }
        assert {s: text for s, (text, _) in view.true.items()} == {
            square: signed(value) for square, value in true.items()
        }
        best = (max if board.turn == "X" else min)(true.values())
        assert [text for text, _ in view.scores] == [signed(best), signed(true[view.square])]
        boards.add(board.turn)
    assert boards == {"X", "O"}


def test_values_are_drawn_for_whom_they_are_good() -> None:
    assert [*shown({0: 1, 1: -6, 2: 0, 3: inf, 4: -inf}).values()] == [
        ("+1", "X"), ("−6", "O"), ("0", ""), ("∞", "X"), ("−∞", "O"),
    ]  # fmt: skip


def test_turns_count_by_a_switch_that_keeps_the_pieces_and_line_3_reads_alike(
    client: FlaskClient,
) -> None:
    for code, other, text in (
        ("11000", "Count turns", "0: a draw; +1: X wins."),
        ("01000", "Count no turns", "on turn"),
    ):
        page = visit(client, code)
        (link,), (lines,) = page.select("#turns"), page.select("#lines")
        assert text_of(link) == other and "l4=1" in str(link["href"])
        assert ("turns=on" in str(link["href"])) == (code[0] == "1")
        assert "return node.value" in lines.get_text()
        assert text in page.get_text()


def test_the_lines_it_goes_on_with_play_what_a_search_finds(client: FlaskClient) -> None:
    [lines] = visit(client, "00000").select(".judge pre")
    names: dict[str, Any] = {"minimax": lambda board, me: textbook.minimax(board, me, 1)}
    exec(lines.get_text(), names)
    for board in map(str, whole(UNFINISHED)):
        scores = textbook.move_scores(board)
        assert scores[names["choose"](board)] == max(scores.values())


# Levels


def test_a_learner_begins_with_one_gap_then_two_then_all_four(client: FlaskClient) -> None:
    for level, code, lines in (
        ("1", "11000", [4]),
        ("2", "12100", [4, 5]),
        ("3", "12111", [4, 5, 7, 8]),
    ):
        page = parse(client.get(f"/learn/write?level={level}"))
        assert [gap["id"] for gap in page.select(".gap")] == [f"line-{line}" for line in lines]
        assert page.select("input[name=was]")[0]["value"] == code
        query = Asked(level, read_program("10000")).query
        right = parse(client.get("/learn/write", query_string=query))
        assert "No piece is wrong." in right.get_text()
        assert [link["href"] for link in right.select("#harder")] == [
            f"/learn/write?level={following}"
            for following in "23"
            if following == str(int(level) + 1)
        ]


def test_the_line_to_look_at_is_said_when_asked_or_where_nothing_was_mended(
    client: FlaskClient,
) -> None:
    for url, looks in (
        ("level=3", False),
        ("level=3&look=on", True),
        ("l7=0&was=12111", False),
        ("l4=1&was=12111", True),
        ("level=1&l4=0&was=11000", False),
        ("level=1&l4=0&look=on", False),
    ):
        page = client.get(f"/learn/write?{url}").text
        assert (">look here<" in page) == ("Line</b>" in page or 'id="look"' in page) == looks, url
        assert ("Show me the line" in page) == (not looks and "l4=0" not in url)


# A game against it


def ways(program: Program, you: Mark, mine: tuple[int, ...] = ()) -> Iterator[Position]:
    """Yield the end of every game that a human can play against a program."""
    end = Position().after(played(program, you, mine))
    if end.outcome():
        yield end
    for square in end.legal_moves():
        yield from ways(program, you, (*mine, square))


@pytest.mark.long
@pytest.mark.parametrize("code", ["00000", "01000"])
def test_a_program_answers_as_it_was_judged(code: str) -> None:
    program = read_program(code)
    ends = [(end, you) for you in ("X", "O") for end in ways(program, you)]
    lost = [end for end, you in ends if textbook.winner(str(end)) == you]
    assert (len(ends), len(lost)) == (report_on(program).games, report_on(program).lost)


def test_a_game_against_a_program_is_a_page_of_its_address(client: FlaskClient) -> None:
    program = "level=1&l4={}&you={}&moves={}"
    pages = {
        "begun": program.format(0, "X", ""),
        "answered": program.format(1, "X", "4"),
        "drawn": program.format(0, "X", "01658"),
        "lost": program.format(0, "O", "12"),
        "beaten": program.format(1, "X", "048"),
    }
    read_as = {
        name: page_as_read(parse(client.get(f"/learn/write/play?{url}")))
        for name, url in pages.items()
    }
    assert_same("write-play", "".join(f"{name}\n{page}" for name, page in read_as.items()))
