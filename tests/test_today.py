"""Today: the boards, the days, the answers to presses, and the streak."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import cache

import pytest
from flask import Flask
from flask.testing import FlaskClient

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


def test_a_board_of_the_day_has_one_right_square_that_takes_thought() -> None:
    boards = {
        board
        for board in textbook.all_boards()
        if board.count("-") > 1
        and not textbook.is_over(board)
        and len(textbook.sound_moves(board)) == 1
        and not textbook.winning_squares(board, "X")
        and not textbook.winning_squares(board, "O")
        and chance_of_luck(board, textbook.turn(board)) <= Fraction(1, 4)
    }
    canonical_boards = [board for board in boards if board == min(textbook.symmetric_boards(board))]
    best_scores = {board: max(textbook.move_scores(board).values()) for board in canonical_boards}
    drawn_boards = [board for board in canonical_boards if not best_scores[board]]
    assert boards == {str(board) for board in daily_boards()}
    assert (len(boards), len(canonical_boards), len(drawn_boards)) == (148, 21, 6)
    assert {textbook.turn(board) for board in drawn_boards} == {"O"}
    assert min(board.count("-") for board in boards) == 4
    for position in daily_boards():
        chance = chance_of_luck(str(position), position.turn)
        assert luck(position, position.turn) == chance


def test_no_board_repeats_within_148_days_and_none_of_its_images_within_21() -> None:
    days = [str(board_of(FIRST_DAY + timedelta(days=day))) for day in range(2 * 148)]
    assert len({min(textbook.symmetric_boards(board)) for board in days[:21]}) == 21
    assert len({*days[:148]}) == 148
    assert days[:148] == days[148:]


# The game


def right_square(day: date, presses: str = "") -> str:
    """Return the first square that keeps the result, after some presses."""
    return str(textbook.sound_moves(str(game_after(board_of(day), presses).position))[0])


def solution(day: date) -> str:
    """Return presses that solve a day on the first try."""
    presses = ""
    while not game_after(board_of(day), presses).is_over:
        presses += right_square(day, presses)
    return presses


def wrong_square(day: date, presses: str = "") -> str:
    """Return the first square that gives the result away, after some presses."""
    board = str(game_after(board_of(day), presses).position)
    return str(min({*textbook.children(board)} - {*textbook.sound_moves(board)}))


def states_of_a_day(
    board: str, day: DailyGame, presses: str = ""
) -> Iterator[tuple[str, DailyGame]]:
    """Yield the presses and the state of a day, through every right and after every wrong press."""
    yield presses, day
    if not day.is_over:
        for square in {*textbook.children(board)}:
            after = day.after(str(square))
            if square in textbook.sound_moves(board):
                yield from states_of_a_day(str(after.position), after, f"{presses}{square}")
            else:
                yield f"{presses}{square}", after


def test_every_daily_game_follows_the_textbook_to_the_end() -> None:
    for position in sample(7, daily_boards()):
        you = position.turn
        result = textbook.sign(max(textbook.move_scores(str(position)).values()))
        for presses, day in states_of_a_day(str(position), game_after(position, "")):
            assert game_after(position, presses) == day
            board = str(day.position)
            if day.reply is not None:
                before = board[: day.reply] + "-" + board[day.reply + 1 :]
                assert day.reply == min(textbook.best(before)), (
                    "of equal moves, it must be the first"
                )
            if day.is_over:
                won = textbook.winner(board)
                assert (won == you) - (won == textbook.other(you)) == result
                assert textbook.is_over(board) and day.is_flawless
            else:
                scores = textbook.move_scores(board)
                assert textbook.turn(board) == you
                assert textbook.sign(max(scores.values())) == result
                assert day.puzzle.right_squares == textbook.sound_moves(board)
                is_wrong = presses[-1:] not in ("", str(day.last_square))
                assert day.wrong_count == len(day.puzzle.wrong_squares) == is_wrong
                given_up = day.after("s")
                assert given_up.is_over and not given_up.is_flawless
                assert given_up.puzzle.found_square in textbook.sound_moves(board)
                assert given_up.position == day.position


def every_attempt() -> Iterator[tuple[str, str, DayAttempt]]:
    """Yield each daily board, some presses on it, and the attempt."""
    for n, position in enumerate(daily_boards()):
        for presses, _ in states_of_a_day(str(position), game_after(position, "")):
            yield str(position), presses, DayAttempt(FIRST_DAY + timedelta(n), presses)


def test_every_kind_of_sentence_matches_the_snapshot_and_is_short() -> None:
    """For each board: before a press, after each right one, and at the end."""
    sentences = list[tuple[str, str]]()
    for board, presses, attempt in every_attempt():
        day, where = attempt.game, f"{board} {presses}"
        wins = max(textbook.move_scores(board).values()) > 0
        assert words.is_winnable(attempt) == wins
        if day.is_over:
            explanation = words.explanation(attempt, attempt.day)
            sentences.append((where, f"{words.verdict(attempt)} {explanation}"))
        elif not day.puzzle.wrong_squares:
            sentences.append((where, words.request(attempt, attempt.day)))
    assert_sentences_match("today-said", sentences)
    assert max(len(text) for _, text in sentences) <= 60


def test_an_earlier_board_does_not_mention_today_or_tomorrow() -> None:
    for _, presses, attempt in every_attempt():
        finished = attempt if attempt.game.is_over else attempt._replace(presses=f"{presses}s")
        later = attempt.day + timedelta(3)
        sentences = [words.request(attempt, later), words.explanation(finished, later)]
        sentences.append(words.week_note(finished, later, "5 h"))
        assert not re.search("today|tomorrow|next", " ".join(sentences), re.I), sentences
        if not presses:
            assert re.match(f"{attempt.day:%A}’s board: (beat|stop) me\\.", sentences[0])
        on_the_day = words.explanation(finished, attempt.day)
        assert on_the_day.endswith(" Try again tomorrow.") == finished.game.puzzle.is_shown


def test_the_share_text_has_a_square_per_press_and_no_spoiler() -> None:
    first, second = right_square(DAY), wrong_square(DAY)
    for presses, streak_before, text in (
        (solution(DAY), 3, "I beat it.\n🟦🟦 First try, 4-day streak"),
        (solution(DAY), 0, "I beat it.\n🟦🟦 First try"),
        (second + solution(DAY), 3, "I beat it.\n🟧🟦🟦 Second try, 4-day streak"),
        (first + wrong_square(DAY, first) + solution(DAY)[1:], 0, "I beat it.\n🟦🟧🟦 Second try"),
        (second + "s", 3, "it got me.\n🟧⬜ Can you find it?"),
        ("s", 3, "it got me.\n⬜ Can you find it?"),
    ):
        attempt = DayAttempt(DAY, presses)
        assert (
            words.share_text(attempt, Days(attempt, streak_before))
            == f"Tic-tac-toe, Nov 28: {text}"
        )
    drawn_day = next(day for day in map(DAY.__add__, map(timedelta, range(99)))
                if not words.is_winnable(DayAttempt(day)))  # fmt: skip
    attempt = DayAttempt(drawn_day, solution(drawn_day))
    assert (
        words.share_text(attempt, Days(attempt)).partition(": ")[2].startswith("I stopped it.\n🟦")
    )


def test_the_board_of_the_day_moves_only_after_a_press(
    client: FlaskClient,
) -> None:
    """The address says whether it moves; after a press that changes nothing, it does not."""
    form = {"day": DAY.isoformat(), "square": wrong_square(DAY)}
    for square, is_moving in (
        (wrong_square(DAY), True),
        ("9", False),
        (right_square(DAY), True),
        ("s", True),
    ):
        response = client.post("/today", data={**form, "square": square})
        location = response.headers.get("Location", "/today")
        assert ("pressed" in location) == is_moving
        assert bool(parse(client.get(location)).select(".just")) == is_moving
        assert not parse(client.get("/today")).select(".just")
    assert parse(client.get("/today")).select_one(".nav [href='/today'][aria-current]")


# The page, and the streak


@pytest.fixture
def clock(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The current time, for a test to change."""
    moment = [NOW]
    monkeypatch.setitem(app.config, "NOW", lambda: moment[0])
    return moment


def press(client: FlaskClient, squares: str, day: date = DAY) -> Tag:
    """Press some squares, and return the page after the last."""
    for square in squares:
        form = {"day": day.isoformat(), "square": square}
        response = client.post("/today", data=form, follow_redirects=True)
        assert response.status_code == 200
    return parse(response)


def saved_day(client: FlaskClient) -> list[object]:
    with client.session_transaction() as session:
        return list(session["day"])


def test_opening_the_page_does_not_change_the_session(client: FlaskClient) -> None:
    page = client.get("/today")
    assert page.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in page.headers
    soup = parse(page)
    assert text_of(soup.select_one("#status")) == "Today you can beat me. Only one square works."
    free = board_of(DAY).legal_moves()
    assert tuple(int(cell["value"]) for cell in soup.select("button.cell")) == free


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
    snapshot, pressed = "", dict[date, str]()
    for today, board_day, kind in PRESSES:
        clock[0], day = NOW + timedelta(today), DAY + timedelta(board_day)
        before = pressed.get(day, "")
        choose = {"right": right_square, "wrong": wrong_square, "solved": rest_of_solution}
        presses = choose[kind](day, before) if kind in choose else kind
        page = press(client, presses, day)
        pressed[day] = before + presses
        door = part_text(parse(client.get("/")).select("a.door")[0])
        snapshot += f"{clock[0].date()}, {day}: {kind} {presses} {saved_day(client)}\n"
        snapshot += f"    {door}\n    {board_text(page)}\n{page_text(page)}"
    assert_matches_snapshot("today", snapshot)


def rest_of_solution(day: date, presses: str) -> str:
    """Return presses that finish a day without another mistake."""
    start = presses
    while not game_after(board_of(day), presses).is_over:
        presses += right_square(day, presses)
    return presses.removeprefix(start)


def test_a_streak_counts_days_solved_on_any_try(client: FlaskClient, clock: list[datetime]) -> None:
    for day, presses, streak_then in (
        (0, solution, 1), (1, solution, 2), (2, solution, 3),
        (3, right_square, 3),  # during a day, the previous ones still count
        (4, solution, 1),  # as the day before was not finished
        (5, wrong_square, 1), (5, lambda day: rest_of_solution(day, wrong_square(day)), 2),
        (6, solution, 3),
        (7, wrong_square, 3), (7, lambda day: "s", 0), (8, solution, 1), (10, solution, 1),
    ):  # fmt: skip
        clock[0] = NOW + timedelta(day)
        press(client, presses(clock[0].date()), clock[0].date())
        assert streak(client) == streak_then, day


def test_solving_an_earlier_day_fills_its_tile_but_not_the_streak(
    client: FlaskClient, clock: list[datetime]
) -> None:
    """Solved on the first, third and fourth day, then the second one in two visits."""
    missed = DAY + timedelta(1)
    for day in (0, 2, 3):
        clock[0] = NOW + timedelta(day)
        press(client, solution(clock[0].date()), clock[0].date())
    assert (streak(client), tiles(client)) == (2, "found open found found ahead ahead ahead")
    for presses in (wrong_square(missed), rest_of_solution(missed, wrong_square(missed))):
        page = press(client, presses, missed)
        assert streak(client) == 2
        assert text_of(page.select_one(".run .now")) == f"{missed:%A}"[0]
        clock[0] += timedelta(hours=2)
    assert tiles(client) == "found later found found ahead ahead ahead"
    assert text_of(page.select_one(".onward")) == "Today’s board"
    clock[0] = NOW + timedelta(4)
    press(client, solution(DAY + timedelta(4)), DAY + timedelta(4))
    assert streak(client) == 3


def test_the_week_starts_with_the_first_day_played_or_six_days_ago(
    client: FlaskClient, clock: list[datetime]
) -> None:
    assert tiles(client) == "open-now" + " ahead" * 6
    press(client, "s")
    for days, looks in (
        (1, "shown open-now ahead ahead ahead ahead ahead"),
        (6, "shown open open open open open open-now"),
        (7, "open open open open open open open-now"),
    ):
        clock[0] = NOW + timedelta(days)
        assert tiles(client) == looks
        for link in parse(client.get("/today")).select(".run a"):
            day = date.fromisoformat(link["href"].partition("day=")[2])
            shown = parse(client.get(link["href"]))
            assert shown.select("input[name=day]")[0]["value"] == day.isoformat()
            assert text_of(shown.select_one("#status")).startswith(f"{day:%A}’s board: ")
    before = parse(client.get(f"/today?day={DAY - timedelta(1)}"))
    assert before.select("input[name=day]")[0]["value"] == clock[0].date().isoformat()


def tiles(client: FlaskClient) -> str:
    """Return the looks of the seven days on today's page."""
    days = parse(client.get("/today")).select(".run i, .run a")
    return " ".join("-".join(day["class"].split()) for day in days).replace("found-now", "found")


def streak_after(client: FlaskClient, clock: list[datetime], *moments: datetime) -> int:
    """Solve the board at each moment, and return the streak in the cookie."""
    for moment in moments:
        clock[0] = moment
        press(client, solution(moment.date()), moment.date())
    return streak(client)


def streak(client: FlaskClient) -> int:
    with client.session_transaction() as session:
        day, presses, streak_before, earlier, hour, _ = session["day"]
    return Days(DayAttempt(date.fromisoformat(day), presses), streak_before, earlier, hour).streak


def test_a_streak_follows_the_local_days_of_the_player(
    client: FlaskClient, clock: list[datetime]
) -> None:
    """In Los Angeles, Monday morning and Tuesday evening are Monday and Wednesday in UTC."""
    monday = datetime(2026, 11, 30, 16, tzinfo=UTC)
    tuesday_evening = datetime(2026, 12, 2, 3, tzinfo=UTC)
    assert streak_after(client, clock, monday, tuesday_evening) == 2
    assert tiles(client) == "found open found ahead ahead ahead ahead"
    assert streak_after(client, clock, monday + timedelta(9), monday + timedelta(11, hours=1)) == 1


def test_a_clock_set_back_keeps_the_streak_and_forgery_cannot_extend_it(
    client: FlaskClient, clock: list[datetime]
) -> None:
    assert streak_after(client, clock, *(NOW + timedelta(n) for n in range(5))) == 5
    for slow in (1, 2, 30):
        clock[0] = NOW + timedelta(4 - slow)
        board = parse(client.get("/today"))
        assert bool(board.select("button.cell")) == (slow > 1), (
            "the boards of only the last two days must be kept"
        )
        clock[0] = NOW + timedelta(4)
        assert streak(client) == 5
    clock[0] = NOW + timedelta(3)
    press(client, solution(DAY + timedelta(3)), DAY + timedelta(3))
    assert streak(client) == 5
    clock[0] = NOW + timedelta(2)
    assert streak_after(client, clock, clock[0]) == 6  # a day that was two days ahead
    clock[0] += timedelta(days=2, hours=-1)
    press(client, solution(DAY + timedelta(3)), DAY + timedelta(3))  # the missed day
    assert streak(client) == 6


def test_the_page_says_how_long_until_the_next_board(
    client: FlaskClient, clock: list[datetime]
) -> None:
    press(client, solution(DAY))
    for time, left in (((0, 0), "24 h"), ((18, 40), "5 h"), ((23, 0), "1 h"), ((23, 1), "59 min")):
        clock[0] = NOW.replace(hour=time[0], minute=time[1])
        assert f"Next board in {left}" in text_of(parse(client.get("/today")))


def test_a_wrong_square_pressed_again_is_answered_again_and_counts_once(
    client: FlaskClient,
) -> None:
    first, second = sorted({*board_of(DAY).legal_moves()} - {int(right_square(DAY))})[:2]
    page = press(client, f"{first}{second}{first}")
    assert saved_day(client)[:3] == [DAY.isoformat(), f"{second}{first}", 0]
    assert board_text(page) == board_text(press(client, f"{first}"))
    assert game_after(board_of(DAY), f"{second}{first}{right_square(DAY)}").wrong_count == 2


def test_a_repeated_or_impossible_press_changes_nothing(client: FlaskClient) -> None:
    taken = str(board_of(DAY)).index("X")
    for before, again in (
        (solution(DAY), solution(DAY)[-1]),
        (solution(DAY), "s"),
        ("s", right_square(DAY)),
        (right_square(DAY), right_square(DAY)),
        (right_square(DAY), str(taken)),
    ):
        with client.session_transaction() as session:
            session["day"] = [DAY.isoformat(), before, 0, "", 0, None]
        response = client.post("/today", data={"day": DAY.isoformat(), "square": again})
        assert "Set-Cookie" not in response.headers
        assert saved_day(client)[:3] == [DAY.isoformat(), before, 0]


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
    soup = parse(client.get("/today"))
    assert len(soup.select("button.cell")) == len(board_of(DAY).legal_moves())
    assert not soup.select(".run .found")


def test_a_board_started_before_midnight_still_counts_for_the_streak(
    client: FlaskClient, clock: list[datetime]
) -> None:
    press(client, solution(DAY)[0])
    clock[0] = NOW + timedelta(1)
    soup = parse(client.get(f"/today?day={DAY.isoformat()}"))
    marks = "".join(cell["data-mark"] or "-" for cell in soup.select(".board .cell"))
    assert marks == str(game_after(board_of(DAY), solution(DAY)[:1]).position)
    assert text_of(soup.select_one("#status")).startswith("Right.")
    ended = press(client, solution(DAY)[1:])
    assert text_of(ended.select_one(".onward a.prime")) == "Today’s board"
    assert streak(client) == 1
    press(client, solution(DAY + timedelta(1)), DAY + timedelta(1))
    assert streak(client) == 2


def test_an_unfinished_board_can_be_continued_on_a_later_day(
    client: FlaskClient, clock: list[datetime]
) -> None:
    press(client, solution(DAY)[0])
    clock[0] = NOW + timedelta(1)
    press(client, solution(DAY + timedelta(1)), DAY + timedelta(1))
    ended = press(client, solution(DAY)[1:])
    assert text_of(ended.select_one(".verdict")) == "You beat me."
    assert (streak(client), tiles(client)) == (1, "found found" + " ahead" * 5)
