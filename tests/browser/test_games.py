"""Whole games, as people play them: mouse, keyboard, touch, no JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.position import SQUARE_NAMES, Position
from tests.browser.conftest import Visit
from tests.browser.person import (
    best,
    board,
    button,
    cell,
    click,
    draw,
    lose,
    play,
    status,
    wait_for_answer,
    win,
)


def score(page: Page, opponent: str) -> str:
    """Read what stands after the opponent's name, such as `1 won 0 drawn 0 lost`."""
    row = page.get_by_role("listitem").filter(has_text=re.compile(rf"^\s*{opponent}\b"))
    return " ".join(row.inner_text().split()[1:])


def moves(page: Page) -> list[str]:
    """Read the list of the moves, such as `X centre`."""
    return page.locator("#moves li:not([hidden])").all_inner_texts()


def moves_seen_on(marks: str) -> list[str]:
    names = zip(marks, SQUARE_NAMES, strict=True)
    return sorted(f"{mark} {name}" for mark, name in names if mark != "-")


def test_a_mouse_beats_the_random_opponent(page: Page) -> None:
    win(page)
    expect(status(page)).to_have_text(re.compile(r"^You win: [a-z ]+\.$"))
    expect(page.locator("#board [data-wins]")).to_have_count(3)
    expect(page.locator("#strike path")).to_have_count(1)
    assert score(page, "Random") == "1 won 0 drawn 0 lost"
    assert score(page, "Perfect") == "0 won 0 drawn 0 lost"


def test_perfect_play_from_both_sides_is_a_draw(page: Page) -> None:
    draw(page)
    expect(status(page)).to_have_text("Draw: the best anyone can do against perfect play.")
    expect(page.locator("#board [data-wins]")).to_have_count(0)
    assert "-" not in board(page)
    assert score(page, "Perfect") == "0 won 1 drawn 0 lost"


def test_bad_play_loses_to_the_perfect_opponent(page: Page) -> None:
    lose(page)
    expect(status(page)).to_have_text(re.compile(r"^O wins: [a-z ]+\.$"))
    expect(page.locator("#board [data-wins][data-mark=O]")).to_have_count(3)
    assert score(page, "Perfect") == "0 won 0 drawn 1 lost"


def test_a_finished_game_is_counted_once_and_takes_no_more_clicks(page: Page) -> None:
    lose(page)
    before = board(page), score(page, "Perfect")
    for square in range(9):
        expect(cell(page, square)).to_have_attribute("aria-disabled", "true")
        cell(page, square).click(force=True)
    page.reload()
    assert (board(page), score(page, "Perfect")) == before
    click(button(page, "New game"))
    assert board(page) == "---------"
    assert score(page, "Perfect") == before[1]


def test_the_list_of_moves_names_the_marks_on_the_board_in_turn(page: Page) -> None:
    expect(page.get_by_text("None yet")).to_be_visible()
    draw(page)
    assert sorted(moves(page)) == moves_seen_on(board(page))
    assert [move[0] for move in moves(page)] == list("XOXOXOXOX")


def test_the_computer_opens_for_a_person_who_plays_o(page: Page) -> None:
    click(button(page, "O"))
    expect(status(page)).to_have_text(re.compile(r"^X: [a-z ]+\. Your turn\. You are O\.$"))
    assert sorted(board(page)) == sorted("X--------")
    play(page, best)
    assert score(page, "Perfect") == "0 won 1 drawn 0 lost"


def test_taking_back_shows_the_board_before_the_last_turn(page: Page) -> None:
    expect(button(page, "Take back")).to_have_attribute("aria-disabled", "true")
    play(page, best, turns=1)
    before = board(page)
    play(page, best, turns=1)
    click(button(page, "Take back"))
    assert board(page) == before
    expect(status(page)).to_have_text("Taken back. Your turn.")
    click(button(page, "Take back"))
    assert board(page) == "---------"
    expect(button(page, "Take back")).to_have_attribute("aria-disabled", "true")


def test_a_game_goes_on_after_a_reload(page: Page) -> None:
    play(page, best, turns=2)
    before = board(page)
    page.reload()
    assert board(page) == before
    play(page, best)
    assert Position.parse(board(page)).outcome()


# Keyboard


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
    wait_for_answer(page)


def tab_stops(page: Page) -> list[str]:
    """Press Tab from the top of the page to its end; name each stop by its id or its words."""
    stops: list[str] = []
    while len(stops) < 30:
        page.keyboard.press("Tab")
        stop = page.evaluate("() => document.activeElement.id || document.activeElement.innerText")
        if stop in stops or page.evaluate("() => document.activeElement == document.body"):
            break
        stops.append(stop)
    return stops


CONTROLS = ["difficulty-random", "difficulty-perfect", "mark-X", "mark-O", "new", "undo"]


def test_tab_stops_once_on_the_board(page: Page) -> None:
    stops = tab_stops(page)
    assert stops[:8] == ["Skip to the board", "cell-0", *CONTROLS]
    assert stops[-1] == "Playing by keyboard"


def test_arrows_and_digits_move_over_the_board_and_stay_on_it(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 560})  # too low for all of the page
    press(page, "Tab", "Tab")
    page.evaluate("() => scrollTo(0, 20)")
    for square in range(9):
        row, column = divmod(square, 3)
        for key, there in {
            "ArrowUp": (max(row - 1, 0), column),
            "ArrowDown": (min(row + 1, 2), column),
            "ArrowLeft": (row, max(column - 1, 0)),
            "ArrowRight": (row, min(column + 1, 2)),
        }.items():
            page.keyboard.press(str(square + 1))
            expect(cell(page, square)).to_be_focused()
            page.keyboard.press(key)
            expect(cell(page, there[0] * 3 + there[1])).to_be_focused()
    page.wait_for_timeout(200)
    assert page.evaluate("() => scrollY") == 20, "an arrow key scrolled the page"


def only_tab_stop(page: Page) -> Locator:
    return page.locator("#board button[tabindex='0']")


def test_a_keyboard_alone_plays_a_whole_game(page: Page) -> None:
    press(page, "Tab", "Enter", "Tab")
    expect(cell(page, 0)).to_be_focused()
    for turn in range(5):
        position = Position.parse(board(page))
        square = best(position)
        press(page, str(square + 1), "Enter" if turn % 2 else "Space")
        expect(cell(page, square)).to_have_attribute("data-mark", "X")
        expect(cell(page, square)).to_be_focused()
        expect(only_tab_stop(page)).to_have_count(1)
        expect(only_tab_stop(page)).to_have_id(f"cell-{square}")
    expect(status(page)).to_have_text("Draw: the best anyone can do against perfect play.")
    press(page, *["Tab"] * 5)
    expect(button(page, "New game")).to_be_focused()
    press(page, "Enter")
    assert board(page) == "---------"
    expect(button(page, "New game")).to_be_focused()
    expect(only_tab_stop(page)).to_have_count(1)


def test_the_keyboard_changes_a_setting_and_keeps_its_place(page: Page) -> None:
    press(page, "Tab", "Tab", "Tab", "Enter")
    expect(button(page, "Random")).to_be_focused()
    expect(button(page, "Random")).to_have_attribute("aria-pressed", "true")
    expect(button(page, "Perfect")).to_have_attribute("aria-pressed", "false")


def test_enter_on_a_taken_square_does_nothing(page: Page) -> None:
    press(page, "Tab", "Tab", "Enter")
    before = board(page)
    press(page, "Enter", "Space")
    assert board(page) == before
    expect(cell(page, 0)).to_be_focused()


# Touch


def test_taps_play_a_whole_game_on_a_phone(visit: Visit) -> None:
    page = visit(has_touch=True, is_mobile=True, viewport={"width": 320, "height": 568})
    while not (position := Position.parse(board(page))).outcome():
        cell(page, best(position)).tap()
        wait_for_answer(page)
    expect(status(page)).to_have_text("Draw: the best anyone can do against perfect play.")


# Without JavaScript


@pytest.fixture
def plain_page(visit: Visit) -> Page:
    return visit(java_script_enabled=False)


def submit(target: Locator) -> None:
    """Click, and wait for the page that follows."""
    with target.page.expect_navigation():
        target.click()


def test_without_javascript_a_whole_game_is_played(plain_page: Page) -> None:
    page = plain_page
    while not (position := Position.parse(board(page))).outcome():
        submit(cell(page, best(position)))
    expect(status(page)).to_have_text("Draw: the best anyone can do against perfect play.")
    assert score(page, "Perfect") == "0 won 1 drawn 0 lost"
    submit(button(page, "New game"))
    assert board(page) == "---------"


def test_without_javascript_every_control_works(plain_page: Page) -> None:
    page = plain_page
    submit(button(page, "Random"))
    expect(button(page, "Random")).to_have_attribute("aria-pressed", "true")
    submit(button(page, "O"))
    expect(button(page, "O")).to_have_attribute("aria-pressed", "true")
    before = board(page)
    assert sorted(before) == sorted("X--------")
    submit(cell(page, before.index("-")))
    assert sorted(board(page)) == sorted("XXO------")
    submit(button(page, "Take back"))
    assert board(page) == before
    expect(status(page)).to_have_text("Taken back. Your turn.")


def test_without_javascript_every_square_is_a_tab_stop(plain_page: Page) -> None:
    squares = [f"cell-{square}" for square in range(9)]
    assert tab_stops(plain_page)[:16] == ["Skip to the board", *squares, *CONTROLS]
