"""Today's square: which boards are asked, on which days, and what a press comes to."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from teach.today import FIRST, board_of, in_order
from tests import textbook
from tests.conftest import DAY, parse, text_of
from tests.html import Tag
from tests.positions import one_in


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
    assert text_of(soup.select_one(".q")) == "O to move. One square holds."
    assert [int(str(cell["value"])) for cell in soup.select("button.cell")] == [1, 3, 4, 5, 6, 8]


def test_the_first_press_counts_as_do_days_running(client: FlaskClient, clock: list[date]) -> None:
    """X | · | O
    · | · | ·
    · | X | ·   bottom right alone holds."""
    assert text_of(press(client, 8).select_one("h2")) == "Found at the first try."
    for days in (2, 3):
        clock[0] += timedelta(1)
        soup = press(client, right(clock[0]), clock[0])
        assert text_of(soup.select_one("h2")) == f"Found at the first try. {days} days running."
    assert "found at the first try. 3 days running. http" in text_of(
        soup.select_one(".share textarea")
    )
    clock[0] += timedelta(2)  # a day left out
    assert (
        text_of(press(client, right(clock[0]), clock[0]).select_one("h2"))
        == "Found at the first try."
    )


def test_a_miss_is_played_out_and_ends_the_run_though_the_right_square_is_found_then(
    client: FlaskClient, clock: list[date]
) -> None:
    press(client, 8)
    clock[0] += timedelta(1)
    wrong = next(s for s in board_of(clock[0]).legal_moves() if s != right(clock[0]))
    soup = press(client, wrong, clock[0])
    assert "Press another." in text_of(soup.select_one("#told"))
    assert len(soup.select(".cell.new")) > 1
    soup = press(client, right(clock[0]), clock[0])
    assert text_of(soup.select_one("h2")) == "Found at the second try."
    assert kept(client) == [clock[0].isoformat(), f"{wrong}{right(clock[0])}", 0]


def test_show_me_ends_the_run_and_what_is_shared_gives_nothing_away(client: FlaskClient) -> None:
    soup = press(client, "s")
    assert text_of(soup.select_one("h2")) == "Bottom right, shown."
    assert kept(client) == [DAY.isoformat(), "s", 0]
    shared = text_of(soup.select_one(".share textarea"))
    assert shared == "Today’s square, 28 November: can you find it? http://localhost/today"


def test_a_press_sent_again_or_one_no_page_offers_changes_nothing(client: FlaskClient) -> None:
    for before, again in (("4", "4"), ("4", "0"), ("48", "4"), ("48", "8"), ("48", "s")):
        with client.session_transaction() as session:
            session["today"] = [DAY.isoformat(), before, 0]
        response = client.post("/today", data={"day": DAY.isoformat(), "square": again})
        assert "Set-Cookie" not in response.headers
        assert kept(client) == [DAY.isoformat(), before, 0]


def test_a_board_of_yesterday_may_be_pressed_today(client: FlaskClient, clock: list[date]) -> None:
    clock[0] += timedelta(1)
    soup = press(client, 8)
    assert text_of(soup.select_one("h1")) == "Today’s square 28 November"
    assert "A new day has begun" in text_of(soup.select_one(".after"))
    soup = press(client, right(clock[0]), clock[0])
    assert "2 days running" in text_of(soup.select_one("h2"))
    soup = press(client, 4)  # yesterday's again: gone, as today's was tried
    assert "That board was of another day." in text_of(soup.select_one(".after"))
    assert kept(client) == [clock[0].isoformat(), str(right(clock[0])), 2]


@pytest.mark.parametrize("days", [-300, -2, 1])
def test_any_other_day_gets_a_notice_and_todays_board(client: FlaskClient, days: int) -> None:
    soup = press(client, 8, DAY + timedelta(days))
    assert "That board was of another day. This is today’s." in text_of(soup.select_one(".after"))
    (day,) = soup.select("input[name=day]")
    assert day["value"] == DAY.isoformat()
    assert kept(client) is None


@pytest.mark.parametrize(
    "today",
    [7, "2026-11-28", ["2026-11-28", "8"], ["yesterday", "8", 1], ["2026-11-28", "88", 1],
     ["2026-11-28", "", 1], ["2026-11-28", "8", "1"], ["2026-12-28", "8", 1], [8, 8, 8]],
)  # fmt: skip
def test_a_cookie_that_no_press_has_written_is_as_none(client: FlaskClient, today: object) -> None:
    with client.session_transaction() as session:
        session["today"] = today
    assert len(parse(client.get("/today")).select("button.cell")) == 6


def test_every_sentence_of_a_day_is_true_on_its_board(
    client: FlaskClient, clock: list[date]
) -> None:
    """Each of the 176 boards, before a press and after the right one."""
    for number, position in one_in(7, [*enumerate(in_order())]):
        board, clock[0] = str(position), FIRST + timedelta(number)
        you, other = textbook.turn(board), textbook.other(textbook.turn(board))
        scores = textbook.move_scores(board)
        wins = max(scores.values()) > 0
        soup = parse(client.get("/today"))
        assert text_of(soup.select_one(".q")) == (
            f"{you} to move. One square {'wins' if wins else 'holds'}."
        )
        fear = text_of(soup.select_one(".after .muted")).partition(". One a day")[0]
        assert fear == (
            f"By force: whatever {other} answers"
            if wins
            else f"After any other move, {other} wins by force: whatever you answer"
        )
        told = text_of(press(client, right(clock[0]), clock[0]).select_one("#told p"))
        others = {
            textbook.sign(score) for square, score in scores.items() if square != right(clock[0])
        }
        assert others <= ({0, -1} if wins else {-1})
        assert told == (
            "No other square wins by force." if wins else f"{other} would win after any other move."
        )


def test_the_first_screen_leads_there_and_says_how_it_went(
    client: FlaskClient, clock: list[date]
) -> None:
    """Every day of the 176, whose square wins or holds; and today's, found or not."""
    for number, position in one_in(11, [*enumerate(in_order())]):
        clock[0] = FIRST + timedelta(number)
        wins = max(textbook.move_scores(str(position)).values()) > 0
        assert text_of(parse(client.get("/")).select_one(".doors a")) == (
            f"Today: one square {'wins' if wins else 'holds the draw'} ›"
        )
    clock[0] = DAY
    press(client, 4)
    (door, _) = parse(client.get("/")).select(".doors a")
    assert (text_of(door), door["href"]) == ("Today: one square holds the draw ›", "/today")
    press(client, 8)
    for found in (" at the second try", " at the first try", ", 2 days running"):
        assert text_of(parse(client.get("/")).select_one(".doors a")) == (
            f"✓ Today’s square: found{found} ›"
        )
        if not found.startswith(","):
            clock[0] += timedelta(1)
            press(client, right(clock[0]), clock[0])
    clock[0] += timedelta(1)
    assert text_of(parse(client.get("/")).select_one(".doors a")) == (
        "Today’s square is new. 2 days running ›"
    )
    press(client, "s", clock[0])
    assert text_of(parse(client.get("/")).select_one(".doors a")) == "Today’s square: shown ›"
