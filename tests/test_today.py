"""Today: which boards are played, on which days, what a press comes to, and the days running."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import cache

import pytest
from flask import Flask
from flask.testing import FlaskClient

from teach.today import FIRST, Day, board_of, day_after, in_order, luck
from tests import textbook
from tests.conftest import parse, text_of
from tests.html import Tag
from tests.pages import DAY
from tests.positions import one_in
from tests.sentences import (
    as_read,
    assert_as_last_read,
    assert_same,
    board_as_read,
    macros,
    page_as_read,
)
from web.today.routes import Tried

YESTERDAY, TOMORROW = DAY - timedelta(1), DAY + timedelta(1)


# The boards


@cache
def kept_by(board: str, you: str, looks_ahead: bool) -> Fraction:
    """Return how often blind presses keep the result to the end; Perfect's first best replies.

    Who looks ahead wins or else blocks where that can be done at once.
    """
    if textbook.over(board):
        return Fraction(1)
    below = textbook.children(board)
    if textbook.turn(board) != you:
        return kept_by(below[min(textbook.best(board))], you, looks_ahead)
    near = textbook.wins_at(board, you) or textbook.wins_at(board, textbook.other(you))
    pressed = near if near and looks_ahead else (*below,)
    kept = [square for square in textbook.holding(board) if square in pressed]
    chances = [kept_by(below[square], you, looks_ahead) for square in kept]
    return sum(chances, Fraction(0)) / len(pressed)


def test_a_board_of_the_day_has_one_right_square_no_line_near_and_takes_more_than_a_look() -> None:
    fitting = {
        board
        for board in textbook.every_board()
        if board.count("-") > 1
        and not textbook.over(board)
        and len(textbook.holding(board)) == 1
        and not textbook.wins_at(board, "X")
        and not textbook.wins_at(board, "O")
        and kept_by(board, textbook.turn(board), looks_ahead=True) <= Fraction(1, 4)
    }
    one_each = [board for board in fitting if board == min(textbook.images(board))]
    level = [board for board in one_each if not max(textbook.move_scores(board).values())]
    assert fitting == {str(board) for board in in_order()}
    assert (len(fitting), len(one_each), len(level)) == (148, 21, 6)
    assert {textbook.turn(board) for board in level} == {"O"}
    assert min(board.count("-") for board in fitting) == 4
    for position in in_order():
        by_luck = kept_by(str(position), position.turn, looks_ahead=False)
        assert luck(position, position.turn) == by_luck


def test_all_21_come_before_any_image_of_one_and_no_board_comes_again_for_148_days() -> None:
    days = [str(board_of(FIRST + timedelta(days=day))) for day in range(2 * 148)]
    assert len({min(textbook.images(board)) for board in days[:21]}) == 21
    assert len({*days[:148]}) == 148
    assert days[:148] == days[148:]


# The game


def right(day: date, presses: str = "") -> str:
    """Return the first square that keeps the result of a day, after some presses."""
    return str(textbook.holding(str(day_after(board_of(day), presses).position))[0])


def solved(day: date) -> str:
    """Return presses that play a day to its end at the first try."""
    presses = ""
    while not day_after(board_of(day), presses).is_over:
        presses += right(day, presses)
    return presses


def wrong(day: date, presses: str = "") -> str:
    """Return the first square that gives the result of a day away, after some presses."""
    board = str(day_after(board_of(day), presses).position)
    return str(min({*textbook.children(board)} - {*textbook.holding(board)}))


def every_day(board: str, day: Day, presses: str = "") -> Iterator[tuple[str, Day]]:
    """Yield the presses and the day, after no wrong press and after each, through the whole game.

    Two wrong presses on a board are one after the other.
    """
    yield presses, day
    if not day.is_over:
        for square in {*textbook.children(board)}:
            after = day.after(str(square))
            if square in textbook.holding(board):
                yield from every_day(str(after.position), after, f"{presses}{square}")
            else:
                yield f"{presses}{square}", after


def test_every_game_of_a_day_goes_by_the_textbook_to_the_end() -> None:
    for position in one_in(7, in_order()):
        you = position.turn
        aim = textbook.sign(max(textbook.move_scores(str(position)).values()))
        for presses, day in every_day(str(position), day_after(position, "")):
            assert day_after(position, presses) == day
            board = str(day.position)
            if day.reply is not None:
                before = board[: day.reply] + "-" + board[day.reply + 1 :]
                assert day.reply == min(textbook.best(before)), "of equals the first"
            if day.is_over:
                won = textbook.winner(board)
                assert (won == you) - (won == textbook.other(you)) == aim
                assert textbook.over(board) and day.is_first_try
            else:
                scores = textbook.move_scores(board)
                assert textbook.turn(board) == you
                assert textbook.sign(max(scores.values())) == aim
                assert day.at.kept == textbook.holding(board)
                assert day.wrong == len(day.at.wrong) == (presses[-1:] not in ("", str(day.last)))
                shown = day.after("s")
                assert shown.is_over and not shown.is_first_try
                assert shown.at.found in textbook.holding(board) and shown.position == day.position


def test_each_kind_of_sentence_of_a_day_is_as_last_read_and_short(app: Flask) -> None:
    """Of each board: before a press, after each right one, and at the end."""
    say, said = macros(app, "today/_words.html"), list[tuple[str, str]]()
    for position in in_order():
        board, chance = str(position), luck(position, position.turn)
        wins = max(textbook.move_scores(board).values()) > 0
        for presses, day in every_day(board, day_after(position, "")):
            if day.is_over:
                said.append(
                    (f"{board} {presses}", f"{say.verdict(day, wins)} {say.told(day, chance)}")
                )
            elif not day.at.wrong:
                said.append((f"{board} {presses}", str(say.asked(day, wins, False))))
    assert_as_last_read("today-said", said)
    assert max(len(text) for _, text in said) <= 60


# The page, and the days running


@pytest.fixture
def clock(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[date]:
    """Hold the day it is, for a test to change."""
    today = [DAY]
    monkeypatch.setitem(app.config, "TODAY", lambda: today[0])
    return today


def press(client: FlaskClient, squares: str, day: date = DAY) -> Tag:
    """Press some squares, and return the page after the last."""
    for square in squares:
        form = {"day": day.isoformat(), "square": square}
        response = client.post("/today", data=form, follow_redirects=True)
        assert response.status_code == 200
    return parse(response)


def kept(client: FlaskClient) -> object:
    with client.session_transaction() as session:
        return session.get("day")


def test_the_page_belongs_to_a_session_but_opening_it_keeps_nothing(client: FlaskClient) -> None:
    page = client.get("/today")
    assert page.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in page.headers
    soup = parse(page)
    assert text_of(soup.select_one("#status")) == "Today I can be beaten. One square does it."
    free = board_of(DAY).legal_moves()
    assert tuple(int(cell["value"]) for cell in soup.select("button.cell")) == free


# Which day it is, of which day the board is pressed, and what; 0 is 28 November.
PRESSES = [
    (0, 0, "solved"), (1, 1, "solved"),  # running
    (2, 2, "wrong"), (2, 2, "right"), (2, 2, "solved"),  # found at the second try
    (4, 4, "solved"), (5, 5, "right"), (6, 6, "solved"),  # left out, and left unfinished
    (7, 7, "right"), (7, 7, "s"), (9, 8, "solved"), (9, 9, "solved"),  # begun before midnight
    (9, 8, "s"), (9, -300, "right"), (9, 10, "right"),  # of no day that counts
]  # fmt: skip


def test_each_press_of_some_days_is_answered_as_last_read(
    client: FlaskClient, clock: list[date]
) -> None:
    found, pressed = "", dict[date, str]()
    for today, of, what in PRESSES:
        clock[0], day = DAY + timedelta(today), DAY + timedelta(of)
        before = pressed.get(day, "")
        ways = {"right": right, "wrong": wrong, "solved": going_on}
        presses = ways[what](day, before) if what in ways else what
        page = press(client, presses, day)
        if day <= clock[0] and today - of < 2:
            pressed[day] = before + presses
        door = as_read(parse(client.get("/")).select("[href='/today']")[0])
        found += f"{clock[0]}, {day}: {what} {presses} {kept(client)}\n"
        found += f"    {door}\n    {board_as_read(page)}\n{page_as_read(page)}"
    assert_same("today", found)


def going_on(day: date, presses: str) -> str:
    """Return presses that play a day to its end without another wrong one."""
    begun = presses
    while not day_after(board_of(day), presses).is_over:
        presses += right(day, presses)
    return presses.removeprefix(begun)


def test_the_days_running_count_days_played_to_the_end_at_the_first_try(
    client: FlaskClient, clock: list[date]
) -> None:
    def running() -> int:
        with client.application.test_request_context(), client.session_transaction() as session:
            at = Tried(*[date.fromisoformat(session["day"][0]), *session["day"][1:]])
        return at.running

    for day, presses, running_then in (
        (0, solved, 1), (1, solved, 2), (2, solved, 3),
        (3, right, 3),  # in the midst of a day those before still stand
        (4, solved, 1),  # as that day was not ended
        (5, wrong, 0), (6, solved, 1), (8, solved, 1),
    ):  # fmt: skip
        clock[0] = DAY + timedelta(day)
        press(client, presses(clock[0]), clock[0])
        assert running() == running_then, day


def test_a_streak_of_single_presses_goes_on_and_its_presses_are_not_read(
    client: FlaskClient, clock: list[date]
) -> None:
    """Kept before as the day, presses that no game has, and the count with that day."""
    for last, count, then in (
        (YESTERDAY, 7, 8),
        (DAY, 7, 7),  # found today already, and played once more
        (DAY, 0, 1),
        (YESTERDAY - timedelta(1), 7, 1),
        (TOMORROW, 7, 1),
    ):
        with client.session_transaction() as session:
            session.clear()
            session["today"] = [last.isoformat(), "88888", count]
        door_running = parse(client.get("/today")).select(".run .found")
        assert len(door_running) == min(6, max(then - 1, 0))
        press(client, solved(DAY))
        assert kept(client) == [DAY.isoformat(), solved(DAY), then - 1]
        with client.session_transaction() as session:
            assert "today" not in session


def test_a_wrong_square_pressed_again_is_told_again_and_counts_once(client: FlaskClient) -> None:
    first, second = sorted({*board_of(DAY).legal_moves()} - {int(right(DAY))})[:2]
    page = press(client, f"{first}{second}{first}")
    assert kept(client) == [DAY.isoformat(), f"{second}{first}", 0]
    assert board_as_read(page) == board_as_read(press(client, f"{first}"))
    assert day_after(board_of(DAY), f"{second}{first}{right(DAY)}").wrong == 2


def test_a_press_sent_again_or_one_no_page_offers_changes_nothing(client: FlaskClient) -> None:
    taken = str(board_of(DAY)).index("X")
    for before, again in (
        (solved(DAY), solved(DAY)[-1]),
        (solved(DAY), "s"),
        ("s", right(DAY)),
        (right(DAY), right(DAY)),
        (right(DAY), str(taken)),
    ):
        with client.session_transaction() as session:
            session["day"] = [DAY.isoformat(), before, 0]
        response = client.post("/today", data={"day": DAY.isoformat(), "square": again})
        assert "Set-Cookie" not in response.headers
        assert kept(client) == [DAY.isoformat(), before, 0]


@pytest.mark.parametrize(
    "values",
    [7, "2026-11-28", ["2026-11-28", "8"], ["yesterday", "8", 1], ["2026-11-28", "88", 1],
     ["2026-11-28", "", 1], ["2026-11-28", "8", "1"], ["2026-11-28", "8", -1],
     ["2026-12-28", "8", 1], [8, 8, 8]],
)  # fmt: skip
def test_a_cookie_that_no_press_has_written_is_as_none(client: FlaskClient, values: object) -> None:
    for name in ("day", "today"):
        with client.session_transaction() as session:
            session.clear()
            session[name] = values
        soup = parse(client.get("/today"))
        assert len(soup.select("button.cell")) == len(board_of(DAY).legal_moves())
        assert name == "today" or not soup.select(".run .found")


def test_a_board_begun_before_midnight_may_be_ended_after_and_no_older_one(
    client: FlaskClient, clock: list[date]
) -> None:
    press(client, solved(DAY)[0])
    for later, stands in ((1, DAY), (2, DAY + timedelta(2))):
        clock[0] = DAY + timedelta(later)
        soup = parse(client.get(f"/today?day={DAY.isoformat()}"))
        marks = "".join(cell["data-mark"] or "-" for cell in soup.select(".board .cell"))
        shown = day_after(board_of(stands), solved(DAY)[:1] if later == 1 else "").position
        assert marks == str(shown)
        said = text_of(soup.select_one("#status"))
        assert said.startswith("A new day, a new board." if later == 2 else "Right.")
        assert ("Yesterday" in text_of(soup.select_one(".run"))) == (later == 1)
    clock[0] = DAY + timedelta(1)
    ended = press(client, solved(DAY)[1:])
    assert text_of(ended.select_one(".onward .quiet, .onward a.prime")) == "Today’s board"
