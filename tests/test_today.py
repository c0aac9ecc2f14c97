"""Today: the boards, the days, the answers to presses, and the streak."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import cache

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.position import Position
from teach.today import FIRST_DAY, DailyGame, board_of, daily_boards, game_after, luck
from tests import textbook
from tests.conftest import parse, text_of
from tests.html import Tag
from tests.pages import DAY, NOW
from tests.positions import sample
from tests.sentences import (
    assert_matches_snapshot,
    assert_sentences_match,
    board_text,
    page_text,
    part_text,
)
from web.today import words
from web.today.days import DayAttempt, Days

MAX_LENGTH = 60  # characters of a sentence

# The boards


@cache
def chance_of_luck(board: str, you: str) -> Fraction:
    """Return the chance that random presses keep the result to the end, against Perfect.

    The player wins if possible, otherwise blocks if there is a threat.
    """
    if textbook.is_over(board):
        return Fraction(1)
    child_boards = textbook.children(board)
    if textbook.turn(board) != you:
        return chance_of_luck(child_boards[min(textbook.best(board))], you)
    urgent_squares = textbook.winning_squares(board, you) or textbook.winning_squares(
        board, textbook.other(you)
    )
    likely_squares = urgent_squares or (*child_boards,)
    right_squares = [square for square in textbook.sound_moves(board) if square in likely_squares]
    chances = [chance_of_luck(child_boards[square], you) for square in right_squares]
    return sum(chances, Fraction(0)) / len(likely_squares)


def takes_thought(board: str) -> bool:
    """Return whether only one square is right, no threat gives it away, and luck finds it rarely.

    One empty square leaves no choice.
    """
    if textbook.is_over(board) or board.count("-") == 1:
        return False
    has_threats = textbook.winning_squares(board, "X") or textbook.winning_squares(board, "O")
    if has_threats or len(textbook.sound_moves(board)) != 1:
        return False
    return chance_of_luck(board, textbook.turn(board)) <= Fraction(1, 4)


def test_the_boards_of_the_day_are_those_with_one_right_square_that_takes_thought() -> None:
    boards = {board for board in textbook.all_boards() if takes_thought(board)}
    assert boards == {str(board) for board in daily_boards()}
    assert len(boards) == 148
    assert min(board.count("-") for board in boards) == 4


def test_there_are_21_boards_of_the_day_up_to_symmetry_and_6_are_drawn() -> None:
    boards = {min(textbook.symmetric_boards(str(board))) for board in daily_boards()}
    drawn_boards = [board for board in boards if not max(textbook.move_scores(board).values())]
    assert (len(boards), len(drawn_boards)) == (21, 6)
    assert {textbook.turn(board) for board in drawn_boards} == {"O"}


def test_the_luck_of_every_board_of_the_day_matches_the_textbook() -> None:
    for position in daily_boards():
        chance = chance_of_luck(str(position), position.turn)
        assert luck(position, position.turn) == chance


def test_no_board_repeats_within_148_days_and_none_of_its_images_within_21() -> None:
    boards = [str(board_of(FIRST_DAY + timedelta(days))) for days in range(2 * 148)]
    assert len({min(textbook.symmetric_boards(board)) for board in boards[:21]}) == 21
    assert len({*boards[:148]}) == 148
    assert boards[:148] == boards[148:]


# The game


def right_square(day: date, presses: str = "") -> str:
    """Return the first square that keeps the result, after some presses."""
    return str(textbook.sound_moves(str(game_after(board_of(day), presses).position))[0])


def wrong_square(day: date, presses: str = "") -> str:
    """Return the first square that gives the result away, after some presses."""
    board = str(game_after(board_of(day), presses).position)
    return str(min({*textbook.children(board)} - {*textbook.sound_moves(board)}))


def rest_of_solution(day: date, presses: str = "") -> str:
    """Return the presses that finish a day without another mistake, after some presses."""
    rest = ""
    while not game_after(board_of(day), presses + rest).is_over:
        rest += right_square(day, presses + rest)
    return rest


def solution(day: date) -> str:
    """Return presses that solve a day on the first try."""
    return rest_of_solution(day)


def late_solution(day: date) -> str:
    """Return presses that solve a day on the second try."""
    first_try = wrong_square(day)
    return first_try + rest_of_solution(day, first_try)


def states_of_a_day(
    board: str, game: DailyGame, presses: str = ""
) -> Iterator[tuple[str, DailyGame]]:
    """Yield the presses and the game of a day, through every right and after every wrong press.

    `board` is the current board of the game.
    """
    yield presses, game
    if game.is_over:
        return
    for square in textbook.children(board):
        next_game = game.after(str(square))
        if square in textbook.sound_moves(board):
            next_board = str(next_game.position)
            yield from states_of_a_day(next_board, next_game, f"{presses}{square}")
        else:
            yield f"{presses}{square}", next_game


def states_of_some_days() -> Iterator[tuple[Position, str, DailyGame]]:
    """Yield some boards of the day, or all in `make soak`, with the presses and their games."""
    for position in sample(7, daily_boards()):
        for presses, game in states_of_a_day(str(position), game_after(position, "")):
            yield position, presses, game


def best_result(board: str) -> int:
    """Return 1 if the side to move can win, 0 if it can draw, or -1."""
    return textbook.sign(max(textbook.move_scores(board).values()))


def test_presses_made_at_once_lead_to_the_same_game() -> None:
    for position, presses, game in states_of_some_days():
        assert game_after(position, presses) == game


def test_perfect_replies_with_the_first_of_its_best_moves() -> None:
    for _, _, game in states_of_some_days():
        if game.reply is not None:
            board = str(game.position)
            board_before = f"{board[: game.reply]}-{board[game.reply + 1 :]}"
            assert game.reply == min(textbook.best(board_before))


def test_every_daily_game_keeps_its_result_to_the_end() -> None:
    for position, _, game in states_of_some_days():
        board, human = str(game.position), position.turn
        result = best_result(str(position))
        if game.is_over:
            winner = textbook.winner(board)
            assert (winner == human) - (winner == textbook.other(human)) == result
            assert textbook.is_over(board) and game.is_flawless
        else:
            assert textbook.turn(board) == human
            assert best_result(board) == result


def test_right_and_wrong_squares_match_the_textbook() -> None:
    for _, presses, game in states_of_some_days():
        if not game.is_over:
            assert game.puzzle.right_squares == textbook.sound_moves(str(game.position))
            is_wrong = presses[-1:] not in ("", str(game.last_square))
            assert game.wrong_count == len(game.puzzle.wrong_squares) == is_wrong


def test_show_me_ends_the_game_with_a_right_square() -> None:
    for _, _, game in states_of_some_days():
        if not game.is_over:
            shown = game.after("s")
            assert shown.is_over and not shown.is_flawless
            assert shown.puzzle.found_square in textbook.sound_moves(str(game.position))
            assert shown.position == game.position


# Sentences


def every_attempt() -> Iterator[tuple[str, str, DayAttempt]]:
    """Yield each board of the day, some presses on it, and the attempt."""
    for day_number, position in enumerate(daily_boards()):
        for presses, _ in states_of_a_day(str(position), game_after(position, "")):
            day = FIRST_DAY + timedelta(day_number)
            yield str(position), presses, DayAttempt(day, presses)


def test_every_kind_of_sentence_matches_the_snapshot_and_is_short() -> None:
    """For each board: before a press, after each right one, and at the end."""
    sentences = list[tuple[str, str]]()
    for board, presses, attempt in every_attempt():
        game, place = attempt.game, f"{board} {presses}"
        if game.is_over:
            explanation = words.explanation(attempt, attempt.day)
            sentences.append((place, f"{words.verdict(attempt)} {explanation}"))
        elif not game.puzzle.wrong_squares:
            sentences.append((place, words.request(attempt, attempt.day)))
    assert_sentences_match("today-said", sentences)
    assert max(len(sentence) for _, sentence in sentences) <= MAX_LENGTH


def test_a_board_is_winnable_if_the_textbook_wins_it() -> None:
    for board, _, attempt in every_attempt():
        assert words.is_winnable(attempt) == (best_result(board) > 0)


def finished(attempt: DayAttempt) -> DayAttempt:
    """Return an attempt that is over: this one, or this one after Show me."""
    return attempt if attempt.game.is_over else attempt._replace(presses=f"{attempt.presses}s")


def test_an_earlier_board_does_not_mention_today_or_tomorrow() -> None:
    for _, presses, attempt in every_attempt():
        later_day = attempt.day + timedelta(3)
        request = words.request(attempt, later_day)
        explanation = words.explanation(finished(attempt), later_day)
        note = words.week_note(finished(attempt), later_day, "5 h")
        sentences = f"{request} {explanation} {note}"
        assert not re.search("today|tomorrow|next", sentences, re.IGNORECASE), sentences
        if not presses:
            assert re.match(rf"{attempt.day:%A}’s board: (beat|stop) me\.", request)


def test_on_the_day_a_player_who_was_shown_a_square_may_try_again_tomorrow() -> None:
    for _, _, attempt in every_attempt():
        end = finished(attempt)
        explanation = words.explanation(end, attempt.day)
        assert explanation.endswith(" Try again tomorrow.") == end.game.puzzle.is_shown


FIRST_RIGHT = right_square(DAY)
MISTAKE_ON_SECOND_BOARD = wrong_square(DAY, FIRST_RIGHT)


@pytest.mark.parametrize(
    ("presses", "streak_before", "text"),
    [
        (solution(DAY), 3, "I beat it.\n🟦🟦 First try, 4-day streak"),
        (solution(DAY), 0, "I beat it.\n🟦🟦 First try"),
        (late_solution(DAY), 3, "I beat it.\n🟧🟦🟦 Second try, 4-day streak"),
        (
            FIRST_RIGHT + MISTAKE_ON_SECOND_BOARD + solution(DAY)[1:],
            0,
            "I beat it.\n🟦🟧🟦 Second try",
        ),
        (wrong_square(DAY) + "s", 3, "it got me.\n🟧⬜ Can you find it?"),
        ("s", 3, "it got me.\n⬜ Can you find it?"),
    ],
)
def test_the_share_text_has_a_square_per_press_and_no_spoiler(
    presses: str, streak_before: int, text: str
) -> None:
    attempt = DayAttempt(DAY, presses)
    share_text = words.share_text(attempt, Days(attempt, streak_before))
    assert share_text == f"Tic-tac-toe, Nov 28: {text}"


def test_the_share_text_of_a_draw_says_that_it_was_stopped() -> None:
    days = (DAY + timedelta(number) for number in range(99))
    drawn_day = next(day for day in days if not words.is_winnable(DayAttempt(day)))
    attempt = DayAttempt(drawn_day, solution(drawn_day))
    _, _, text = words.share_text(attempt, Days(attempt)).partition(": ")
    assert text.startswith("I stopped it.\n🟦")


# The page


@pytest.fixture
def clock(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The current time, the only item of a list, for a test to change."""
    moment = [NOW]
    monkeypatch.setitem(app.config, "NOW", lambda: moment[0])
    return moment


def press(client: FlaskClient, presses: str, day: date = DAY) -> Tag:
    """Make some presses on the board of a day, and return the page after the last."""
    for square in presses:
        form = {"day": day.isoformat(), "square": square}
        response = client.post("/today", data=form, follow_redirects=True)
        assert response.status_code == 200
    return parse(response)


def solve(client: FlaskClient, day: date) -> Tag:
    """Solve a day on the first try, and return the page after the last press."""
    return press(client, solution(day), day)


def saved_day(client: FlaskClient) -> list[object]:
    with client.session_transaction() as session:
        return list(session["day"])


def streak(client: FlaskClient) -> int:
    """Return the streak that the cookie stores."""
    with client.session_transaction() as session:
        day, presses, streak_before, letters, hour, _ = session["day"]
    return Days(DayAttempt(date.fromisoformat(day), presses), streak_before, letters, hour).streak


def tiles(client: FlaskClient) -> str:
    """Return the looks of the seven days on today's page."""
    days = parse(client.get("/today")).select(".run i, .run a")
    return " ".join("-".join(day.classes) for day in days).replace("found-now", "found")


def test_opening_the_page_does_not_change_the_session(client: FlaskClient) -> None:
    response = client.get("/today")
    assert response.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in response.headers


def test_the_page_asks_for_one_of_the_empty_squares(client: FlaskClient) -> None:
    page = parse(client.get("/today"))
    assert text_of(page.select_one("#status")) == "Today you can beat me. Only one square works."
    squares = tuple(int(cell["value"]) for cell in page.select("button.cell"))
    assert squares == board_of(DAY).legal_moves()
    assert page.select_one(".nav [href='/today'][aria-current]")


def test_the_board_of_the_day_moves_only_after_a_press_that_changes_something(
    client: FlaskClient,
) -> None:
    """The address that a press redirects to says whether the board moves."""
    for square, is_moving in (
        (wrong_square(DAY), True),
        ("9", False),
        (right_square(DAY), True),
        ("s", True),
    ):
        response = client.post("/today", data={"day": DAY.isoformat(), "square": square})
        location = response.headers.get("Location", "/today")
        assert ("pressed" in location) == is_moving
        assert bool(parse(client.get(location)).select(".just")) == is_moving
        assert not parse(client.get("/today")).select(".just")


PRESSES_OF_KIND: dict[str, Callable[[date, str], str]] = {
    "right": right_square,
    "wrong": wrong_square,
    "solved": rest_of_solution,
    "s": lambda *_: "s",  # Show me
}
# The current day, the day of the board, and the kind of press; day 0 is November 28.
PRESSES = [
    (0, 0, "solved"), (1, 1, "solved"),  # a streak
    (2, 2, "wrong"), (2, 2, "right"), (2, 2, "solved"),  # solved on the second try
    (4, 4, "solved"), (5, 5, "right"), (6, 6, "solved"),  # one day skipped, one unfinished
    (7, 7, "right"), (7, 7, "s"),
    (9, 8, "right"), (9, 9, "solved"), (9, 8, "solved"), (9, 5, "wrong"), (9, 3, "s"),  # earlier
    (9, 7, "right"), (9, -300, "right"), (9, 10, "right"),  # shown, too early, in the future
]  # fmt: skip


def test_answers_to_presses_match_the_snapshot(client: FlaskClient, clock: list[datetime]) -> None:
    snapshot, earlier_presses = "", dict[date, str]()
    for today, board_day, kind in PRESSES:
        clock[0], day = NOW + timedelta(today), DAY + timedelta(board_day)
        presses = PRESSES_OF_KIND[kind](day, earlier_presses.get(day, ""))
        page = press(client, presses, day)
        earlier_presses[day] = earlier_presses.get(day, "") + presses
        link_to_today = part_text(parse(client.get("/")).select("a.door")[0])
        snapshot += f"{clock[0].date()}, {day}: {kind} {presses} {saved_day(client)}\n"
        snapshot += f"    {link_to_today}\n    {board_text(page)}\n{page_text(page)}"
    assert_matches_snapshot("today", snapshot)


def test_the_page_says_how_long_until_the_next_board(
    client: FlaskClient, clock: list[datetime]
) -> None:
    solve(client, DAY)
    for hour, minute, time_left in (
        (0, 0, "24 h"),
        (18, 40, "5 h"),
        (23, 0, "1 h"),
        (23, 1, "59 min"),
    ):
        clock[0] = NOW.replace(hour=hour, minute=minute)
        assert f"Next board in {time_left}" in text_of(parse(client.get("/today")))


def test_a_wrong_square_pressed_again_is_answered_again_and_counts_once(
    client: FlaskClient,
) -> None:
    first, second = sorted({*board_of(DAY).legal_moves()} - {int(right_square(DAY))})[:2]
    page = press(client, f"{first}{second}{first}")
    assert saved_day(client)[:3] == [DAY.isoformat(), f"{second}{first}", 0]
    assert board_text(page) == board_text(press(client, f"{first}"))
    assert game_after(board_of(DAY), f"{second}{first}{right_square(DAY)}").wrong_count == 2


@pytest.mark.parametrize(
    ("earlier_presses", "last_press"),
    [
        (solution(DAY), solution(DAY)[-1]),
        (solution(DAY), "s"),
        ("s", right_square(DAY)),
        (right_square(DAY), right_square(DAY)),
        (right_square(DAY), str(str(board_of(DAY)).index("X"))),
    ],
)
def test_a_repeated_or_impossible_press_changes_nothing(
    client: FlaskClient, earlier_presses: str, last_press: str
) -> None:
    with client.session_transaction() as session:
        session["day"] = [DAY.isoformat(), earlier_presses, 0, "", 0, None]
    response = client.post("/today", data={"day": DAY.isoformat(), "square": last_press})
    assert "Set-Cookie" not in response.headers
    assert saved_day(client)[:3] == [DAY.isoformat(), earlier_presses, 0]


@pytest.mark.parametrize(
    "values",
    [7, "2026-11-28", ["2026-11-28", "8", 1, "", 0], ["yesterday", "8", 1, "", 0, None],
     ["2026-11-28", "88", 1, "", 0, None], ["2026-11-28", "", 1, "", 0, None],
     ["2026-11-28", "8", "1", "", 0, None], ["2026-11-28", "8", -1, "", 0, None],
     ["2026-11-28", "8", 1, "x", 0, None], ["2026-11-28", "8", 1, [], 0, None],
     ["2026-11-28", "8", 1, "fffffff", 0, None], ["2026-11-28", "8", 1, "", 0.5, None],
     ["2026-11-28", "8", 1, "", 0, ["2026-11-28", "8"]], ["2026-11-28", "8", 1, "", 0, ["x", "8"]],
     ["2026-11-28", "8", 1, "", 0, ["2026-11-27", ""]], ["2026-11-28", 8, 1, "", 0, None],
     ["2026-11-28", "8", 1, "", 0, ["2026-11-27"]], [8, 8, 8, 8, 8, 8]],
)  # fmt: skip
def test_an_impossible_cookie_is_ignored(client: FlaskClient, values: object) -> None:
    with client.session_transaction() as session:
        session["day"] = values
    page = parse(client.get("/today"))
    assert len(page.select("button.cell")) == len(board_of(DAY).legal_moves())
    assert not page.select(".run .found")


# The week


@pytest.mark.parametrize(
    ("days_later", "looks"),
    [
        (1, "shown open-now ahead ahead ahead ahead ahead"),
        (6, "shown open open open open open open-now"),
        (7, "open open open open open open open-now"),
    ],
)
def test_the_week_starts_with_the_first_day_played_or_six_days_ago(
    client: FlaskClient, clock: list[datetime], days_later: int, looks: str
) -> None:
    assert tiles(client) == "open-now" + " ahead" * 6
    press(client, "s")
    clock[0] = NOW + timedelta(days_later)
    assert tiles(client) == looks


@pytest.mark.parametrize("days_later", [1, 6, 7])
def test_every_link_of_the_week_opens_the_board_of_its_day(
    client: FlaskClient, clock: list[datetime], days_later: int
) -> None:
    press(client, "s")
    clock[0] = NOW + timedelta(days_later)
    for link in parse(client.get("/today")).select(".run a"):
        day = date.fromisoformat(link["href"].partition("day=")[2])
        page = parse(client.get(link["href"]))
        assert page.select("input[name=day]")[0]["value"] == day.isoformat()
        assert text_of(page.select_one("#status")).startswith(f"{day:%A}’s board: ")


def test_the_address_of_a_day_before_the_first_one_shows_the_board_of_today(
    client: FlaskClient, clock: list[datetime]
) -> None:
    press(client, "s")
    clock[0] = NOW + timedelta(7)
    page = parse(client.get(f"/today?day={DAY - timedelta(1)}"))
    assert page.select("input[name=day]")[0]["value"] == clock[0].date().isoformat()


# The streak


def test_a_streak_counts_days_solved_on_any_try(client: FlaskClient, clock: list[datetime]) -> None:
    for day_number, presses_for, expected_streak in (
        (0, solution, 1), (1, solution, 2), (2, solution, 3),
        (3, right_square, 3),  # during a day, the previous ones still count
        (4, solution, 1),  # as the day before was not finished
        (5, wrong_square, 1), (5, lambda day: rest_of_solution(day, wrong_square(day)), 2),
        (6, solution, 3),
        (7, wrong_square, 3), (7, lambda _: "s", 0), (8, solution, 1), (10, solution, 1),
    ):  # fmt: skip
        clock[0] = NOW + timedelta(day_number)
        today = clock[0].date()
        press(client, presses_for(today), today)
        assert streak(client) == expected_streak, day_number


MISSED_DAY = DAY + timedelta(1)


@pytest.fixture
def fourth_day(client: FlaskClient, clock: list[datetime]) -> None:
    """The fourth day, on which the first, third and fourth days are solved."""
    for day_number in (0, 2, 3):
        clock[0] = NOW + timedelta(day_number)
        solve(client, clock[0].date())
    assert (streak(client), tiles(client)) == (2, "found open found found ahead ahead ahead")


@pytest.mark.usefixtures("fourth_day")
def test_solving_an_earlier_day_fills_its_tile_but_not_the_streak(
    client: FlaskClient, clock: list[datetime]
) -> None:
    """The missed day is solved in two visits."""
    first_try = wrong_square(MISSED_DAY)
    for presses in (first_try, rest_of_solution(MISSED_DAY, first_try)):
        page = press(client, presses, MISSED_DAY)
        assert streak(client) == 2
        assert text_of(page.select_one(".run .now")) == f"{MISSED_DAY:%A}"[0]
        clock[0] += timedelta(hours=2)
    assert tiles(client) == "found later found found ahead ahead ahead"
    assert text_of(page.select_one(".onward")) == "Today’s board"


@pytest.mark.usefixtures("fourth_day")
def test_a_streak_goes_on_after_an_earlier_day_was_solved(
    client: FlaskClient, clock: list[datetime]
) -> None:
    press(client, late_solution(MISSED_DAY), MISSED_DAY)
    clock[0] = NOW + timedelta(4)
    solve(client, clock[0].date())
    assert streak(client) == 3


def streak_after(client: FlaskClient, clock: list[datetime], *moments: datetime) -> int:
    """Solve the board at each moment, and return the streak in the cookie."""
    for moment in moments:
        clock[0] = moment
        solve(client, moment.date())
    return streak(client)


def test_a_streak_follows_the_local_days_of_the_player(
    client: FlaskClient, clock: list[datetime]
) -> None:
    """In Los Angeles, Monday morning and Tuesday evening are Monday and Wednesday in UTC."""
    monday = datetime(2026, 11, 30, 16, tzinfo=UTC)
    tuesday_evening = datetime(2026, 12, 2, 3, tzinfo=UTC)
    assert streak_after(client, clock, monday, tuesday_evening) == 2
    assert tiles(client) == "found open found ahead ahead ahead ahead"
    assert streak_after(client, clock, monday + timedelta(9), monday + timedelta(11, hours=1)) == 1


@pytest.fixture
def fifth_day(client: FlaskClient, clock: list[datetime]) -> datetime:
    """The fifth of five days solved one after the other."""
    moments = [NOW + timedelta(day_number) for day_number in range(5)]
    assert streak_after(client, clock, *moments) == 5
    return moments[-1]


def test_a_clock_set_back_keeps_the_boards_of_the_last_two_days(
    client: FlaskClient, clock: list[datetime], fifth_day: datetime
) -> None:
    """Boards of other days are asked again, which does not change the streak."""
    for days_back in (1, 2, 30):
        clock[0] = fifth_day - timedelta(days_back)
        is_asked_again = bool(parse(client.get("/today")).select("button.cell"))
        assert is_asked_again == (days_back > 1)
        clock[0] = fifth_day
        assert streak(client) == 5


def test_a_clock_set_back_keeps_the_streak_and_forgery_cannot_extend_it(
    client: FlaskClient, clock: list[datetime], fifth_day: datetime
) -> None:
    one_day_back = fifth_day - timedelta(1)
    clock[0] = one_day_back
    solve(client, one_day_back.date())
    assert streak(client) == 5
    two_days_back = fifth_day - timedelta(2)
    assert streak_after(client, clock, two_days_back) == 6  # the latest day was two days ahead
    clock[0] = fifth_day - timedelta(hours=1)
    solve(client, one_day_back.date())  # the missed day
    assert streak(client) == 6


# A board that was started on an earlier day


@pytest.fixture
def next_day(client: FlaskClient, clock: list[datetime]) -> date:
    """The day after `DAY`, whose board was started but not finished."""
    press(client, solution(DAY)[0])
    clock[0] = NOW + timedelta(1)
    return clock[0].date()


@pytest.mark.usefixtures("next_day")
def test_a_board_started_before_midnight_stays_as_it_was(client: FlaskClient) -> None:
    page = parse(client.get(f"/today?day={DAY.isoformat()}"))
    marks = "".join(cell["data-mark"] or "-" for cell in page.select(".board .cell"))
    assert marks == str(game_after(board_of(DAY), solution(DAY)[:1]).position)
    assert text_of(page.select_one("#status")).startswith("Right.")


def test_a_board_started_before_midnight_still_counts_for_the_streak(
    client: FlaskClient, next_day: date
) -> None:
    page = press(client, solution(DAY)[1:])
    assert text_of(page.select_one(".onward a.prime")) == "Today’s board"
    assert streak(client) == 1
    solve(client, next_day)
    assert streak(client) == 2


def test_a_board_left_unfinished_can_be_finished_after_that_of_the_next_day(
    client: FlaskClient, next_day: date
) -> None:
    solve(client, next_day)
    page = press(client, solution(DAY)[1:])
    assert text_of(page.select_one(".verdict")) == "You beat me."
    assert (streak(client), tiles(client)) == (1, "found found" + " ahead" * 5)
