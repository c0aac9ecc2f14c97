"""Today's square: which boards are asked, on which days, and what a press comes to."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from teach.today import FIRST, board_of, in_order
from tests import textbook
from tests.conftest import parse, text_of
from tests.html import Tag
from tests.pages import DAY
from tests.positions import one_in
from tests.sentences import as_read, assert_same, board_as_read, page_as_read


def test_a_board_of_the_day_is_each_on_which_one_square_is_right_and_no_line_is_near() -> None:
    fitting = {
        board
        for board in textbook.every_board()
        if board.count("-") > 1
        and not textbook.over(board)
        and len(textbook.holding(board)) == 1
        and not textbook.wins_at(board, "X")
        and not textbook.wins_at(board, "O")
    }
    one_each = [board for board in fitting if board == min(textbook.images(board))]
    level = [board for board in one_each if not max(textbook.move_scores(board).values())]
    assert fitting == {str(board) for board in in_order()}
    assert (len(fitting), len(one_each), len(level)) == (176, 25, 6)
    assert {textbook.turn(board) for board in level} == {"O"}


def test_all_25_come_before_any_image_of_one_and_no_board_comes_again_for_176_days() -> None:
    days = [str(board_of(FIRST + timedelta(days=day))) for day in range(2 * 176)]
    assert len({min(textbook.images(board)) for board in days[:25]}) == 25
    assert len({*days[:176]}) == 176
    assert days[:176] == days[176:]


@pytest.fixture
def clock(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[date]:
    """Hold the day it is, for a test to change."""
    today = [DAY]
    monkeypatch.setitem(app.config, "TODAY", lambda: today[0])
    return today


def press(client: FlaskClient, square: object, day: date = DAY) -> Tag:
    form = {"day": day.isoformat(), "square": str(square)}
    response = client.post("/today", data=form, follow_redirects=True)
    assert response.status_code == 200
    return parse(response)


def kept(client: FlaskClient) -> object:
    with client.session_transaction() as session:
        return session.get("today")


def right(day: date) -> int:
    """Return the square that holds on a day's board."""
    (square,) = textbook.holding(str(board_of(day)))
    return square


def test_the_page_belongs_to_a_session_but_opening_it_keeps_nothing(client: FlaskClient) -> None:
    page = client.get("/today")
    assert page.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in page.headers
    soup = parse(page)
    assert text_of(soup.select_one("h1")) == "Today’s square 28 November"
    assert text_of(soup.select_one(".q")) == "O to move. One square holds the draw."
    assert [int(str(cell["value"])) for cell in soup.select("button.cell")] == [1, 3, 4, 5, 6, 8]


# Which day it is, of which day the board is pressed, and what; 0 is 28 November.
PRESSES = [
    (0, 0, "right"), (1, 1, "right"), (2, 2, "right"),  # running
    (4, 4, "right"),  # after a day left out
    (5, 5, "wrong"), (5, 5, "right"), (6, 6, "s"),  # missed, found at the second try, shown
    (8, 7, "right"), (8, 8, "right"), (8, 7, "wrong"),  # begun before midnight; gone
    (8, -300, "right"), (8, 6, "right"), (8, 9, "right"),  # of no day that counts
]  # fmt: skip


def test_each_press_of_some_days_is_answered_as_last_read(
    client: FlaskClient, clock: list[date]
) -> None:
    found = ""
    for today, of, what in PRESSES:
        clock[0], day = DAY + timedelta(today), DAY + timedelta(of)
        wrong = next(square for square in board_of(day).legal_moves() if square != right(day))
        before = as_read(parse(client.get("/")).select(".door")[0])
        page = press(client, {"right": right(day), "wrong": wrong}.get(what, what), day)
        after = as_read(parse(client.get("/")).select(".door")[0])
        found += f"{clock[0]}, {day}: {what} {kept(client)}\n"
        found += f"    {before}\n    {after}\n    {board_as_read(page)}\n{page_as_read(page)}"
    assert_same("today", found)


def test_what_is_shared_leads_to_the_square_of_its_day_until_the_next_is_over(
    client: FlaskClient, clock: list[date]
) -> None:
    shared = text_of(press(client, right(DAY)).select_one(".share textarea")).split()[-1]
    assert shared.endswith(f"/today?day={DAY.isoformat()}")
    for later, heading in enumerate(("Today’s square", "Yesterday’s square", "Today’s square")):
        clock[0] = DAY + timedelta(later)
        friend = parse(client.application.test_client().get(shared))
        assert text_of(friend.select_one("h1")).startswith(heading)
        assert text_of(friend.select_one("title")).startswith(heading)
        squares = [cell["data-mark"] for cell in friend.select(".board .cell")]
        at = DAY if later < 2 else clock[0]
        assert "".join(mark or "-" for mark in squares) == str(board_of(at))
        assert ("another day" in text_of(friend.select_one(".after"))) == (later == 2)
        new = friend.select(".after a[href='/today']")
        assert len(new) == (later == 1)


def test_a_press_sent_again_or_one_no_page_offers_changes_nothing(client: FlaskClient) -> None:
    for before, again in (("4", "4"), ("4", "0"), ("48", "4"), ("48", "8"), ("48", "s")):
        with client.session_transaction() as session:
            session["today"] = [DAY.isoformat(), before, 0]
        response = client.post("/today", data={"day": DAY.isoformat(), "square": again})
        assert "Set-Cookie" not in response.headers
        assert kept(client) == [DAY.isoformat(), before, 0]


@pytest.mark.parametrize(
    "today",
    [7, "2026-11-28", ["2026-11-28", "8"], ["yesterday", "8", 1], ["2026-11-28", "88", 1],
     ["2026-11-28", "", 1], ["2026-11-28", "8", "1"], ["2026-12-28", "8", 1], [8, 8, 8]],
)  # fmt: skip
def test_a_cookie_that_no_press_has_written_is_as_none(client: FlaskClient, today: object) -> None:
    with client.session_transaction() as session:
        session["today"] = today
    assert len(parse(client.get("/today")).select("button.cell")) == 6


def test_every_sentence_of_a_day_is_true_on_its_board(app: Flask, clock: list[date]) -> None:
    """Each of the 176 boards, before a press and after the right one."""
    for number, position in one_in(7, [*enumerate(in_order())]):
        board, clock[0] = str(position), FIRST + timedelta(number)
        you, other = textbook.turn(board), textbook.other(textbook.turn(board))
        scores = textbook.move_scores(board)
        wins = max(scores.values()) > 0
        asked = f"one square {'wins' if wins else 'holds the draw'}"
        visitor = app.test_client()
        door = text_of(parse(visitor.get("/")).select_one(".door"))
        assert door == ("Today I can be beaten ›" if wins else "Today: hold me ›")
        soup = parse(visitor.get("/today"))
        assert text_of(soup.select_one(".q")) == f"{you} to move. O{asked[1:]}."
        fear = text_of(soup.select_one(".after .muted")).partition(". One a day")[0]
        assert fear == (
            f"From that square {you} wins, whatever {other} answers"
            if wins
            else f"After any other move {other} wins, whatever you answer"
        )
        (card,) = press(visitor, right(clock[0]), clock[0]).select("#told")
        assert card.classes == ["card"], "right has a ✓ in ink and no side's colour"
        told = text_of(card.select_one("p"))
        others = {
            textbook.sign(score) for square, score in scores.items() if square != right(clock[0])
        }
        assert others <= ({0, -1} if wins else {-1})
        assert told == (
            "No other square wins." if wins else f"{other} would win after any other move."
        )
