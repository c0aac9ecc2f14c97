"""Whole games, as people play them: mouse, keyboard, touch, no JavaScript."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.position import Position
from tests.browser.conftest import Visit
from tests.browser.person import (
    DESK,
    FALLEN,
    NEARLY_WON,
    SMALL,
    STATES,
    best,
    board,
    button,
    cell,
    click,
    play,
    resize,
    status,
    use,
    verdict,
    wait_for_answer,
)
from tests.positions import one_in, soaked
from web.play.game import Game
from web.play.nine import BITS
from web.play.record import Record

PHONE_IN_HAND = {"has_touch": True, "is_mobile": True, "screen": SMALL}
WITHOUT_SCRIPT = {"java_script_enabled": False}


def counts(page: Page) -> list[str]:
    """Read the numbers on the two seats."""
    values: list[str] = page.locator("#you data, #opponent data").evaluate_all(
        "all => all.map(one => one.value)"
    )
    return values


def press(target: Locator) -> None:
    """Click, and wait for what follows: where scripts are off, a page."""
    if target.page.evaluate("() => !window.htmx"):
        with target.page.expect_navigation():
            target.click()
    else:
        click(target)


# By mouse whole games are watched on the page of the game, too.
@pytest.mark.parametrize("settings", [PHONE_IN_HAND, WITHOUT_SCRIPT, *soaked([{}])], ids=str)
def test_a_whole_game_is_played_by_mouse_by_tap_and_without_javascript(
    visit: Visit, settings: dict[str, Any]
) -> None:
    page = visit(**settings)
    while not (position := Position.parse(board(page))).outcome():
        square = cell(page, best(position))
        if settings == PHONE_IN_HAND:
            square.tap()
            wait_for_answer(page)
        else:
            press(square)
    expect(verdict(page)).to_have_text("You held me.")
    expect(page.locator("#you")).to_contain_text("held Perfect")
    assert counts(page) == ["1", "0"]
    press(button(page, "Play again"))
    assert (board(page), counts(page)) == ("---------", ["1", "0"])


def test_a_mouse_beats_random_for_the_first_time(visit: Visit) -> None:
    page = visit(game=NEARLY_WON)
    click(cell(page, 2))
    expect(verdict(page)).to_have_text("You beat Random.")
    expect(status(page)).to_contain_text("Your first win.")
    expect(page.locator("#board .wins")).to_have_count(3)
    assert counts(page) == ["1", "0"]


@pytest.mark.soak
def test_the_opponent_opens_for_a_person_who_plays_o(page: Page) -> None:
    use(page, "O")
    expect(page.locator("#you")).to_contain_text("Your move")
    assert sorted(board(page)) == sorted("X--------")
    play(page, best)
    expect(verdict(page)).to_have_text("You held me.")


def test_a_lost_game_is_told_and_counted_once_and_retried_from_where_it_fell(visit: Visit) -> None:
    page = visit(game=Game(FALLEN[:4]))
    click(cell(page, FALLEN[4]))
    expect(status(page)).to_contain_text("A draw until move 5, your third: ")
    before = board(page)
    assert counts(page) == ["0", "1"]
    for square in range(9):
        expect(cell(page, square)).to_have_attribute("aria-disabled", "true")
        cell(page, square).click(force=True)
    page.reload()
    assert (board(page), counts(page)) == (before, ["0", "1"])
    click(button(page, "Retry move 5"))
    expect(status(page)).to_contain_text("practice game: it does not count.")
    play(page, best)
    expect(verdict(page)).to_have_text("From move 5 on you held me.")
    assert counts(page) == ["0", "1"]


@pytest.mark.parametrize("settings", one_in(2, [WITHOUT_SCRIPT, {}]), ids=str)
def test_every_control_works_without_javascript_too(
    visit: Visit, settings: dict[str, bool]
) -> None:
    page = visit(**settings)
    press(page.locator("#difficulty-random"))
    expect(page.locator("#difficulty-random")).to_have_attribute("aria-pressed", "true")
    press(page.locator("#mark-O"))
    before = board(page)
    assert sorted(before) == sorted("X--------")
    expect(page.locator("#you")).to_contain_text("Your move")
    press(cell(page, before.index("-")))
    after = board(page)
    press(button(page, "Hint"))
    expect(status(page).locator(".says.you")).to_be_visible()
    press(button(page, "Show all results"))
    expect(page.locator("#board .chip")).to_have_count(after.count("-"))
    press(button(page, "Hint"))
    expect(page.locator("#board .chip")).to_have_count(0)
    page.locator("#opponent > summary").click()
    press(page.locator("#voice"))
    press(button(page, "New"))
    press(button(page, "Back to the game before"))
    assert board(page) == after
    expect(status(page)).to_contain_text("Back to the game before.")
    press(button(page, "Take back"))
    assert board(page) == before


def test_a_square_shows_a_pencilled_mark_before_it_is_pressed(page: Page) -> None:
    pencil = cell(page, 4).locator("svg")
    expect(pencil).to_have_css("opacity", "0")
    cell(page, 4).hover()
    expect(pencil).to_have_css("opacity", "0.4")


def test_what_a_finished_game_shares_is_copied_or_where_refused_shown_to_copy(
    visit: Visit,
) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    page = visit(game=STATES["lost"], new=True, permissions=allowed)
    share, field = page.locator("#share"), page.get_by_label("To copy")
    for screen in (DESK, SMALL):
        resize(page, screen)
        place = share.bounding_box()
        share.click()
        expect(share.get_by_text("Copied")).to_be_visible()
        assert share.bounding_box() == place
        expect(share).not_to_contain_text("Copied")  # for long
    copied = str(page.evaluate("() => navigator.clipboard.readText()"))
    assert copied == field.input_value()
    assert copied.startswith("Perfect beat me from here. Can you hold it?\n")
    expect(field).to_be_hidden()
    page.evaluate("() => { navigator.clipboard.writeText = async () => { throw Error() } }")
    share.click()
    expect(field).to_be_focused()
    assert field.evaluate("one => one.scrollHeight <= one.clientHeight")  # the link is seen whole
    button(page, "Copy").click()
    expect(button(page, "Copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == copied
    button(page, "Close").click()
    expect(field).to_be_hidden()
    expect(share).to_be_focused()


def test_without_javascript_what_is_shared_is_shown_to_copy(visit: Visit) -> None:
    page = visit(game=STATES["lost"], **WITHOUT_SCRIPT)
    page.locator("#share").click()
    expect(page.get_by_label("To copy")).to_be_visible()


def test_a_friend_who_opens_the_link_plays_on_from_the_board(visit: Visit) -> None:
    page = visit("/challenge/0?was=lost")
    expect(page.locator(".says")).to_contain_text("Somebody lost to me from here.")
    with page.expect_navigation():
        cell(page, 4).click()
    expect(page).to_have_url(re.compile(r"/$"))
    assert board(page).startswith("X") and board(page)[4] == "O"
    click(button(page, "Take back"))
    expect(status(page)).to_contain_text("One square holds the draw. Can you find it?")
    assert board(page) == "X--------"


def test_the_seat_opens_large_and_closes_for_the_next_press(visit: Visit) -> None:
    page = visit(game=Game((5, 4), record=Record(held=BITS["X", 0] | BITS["X", 4])))
    page.locator("#you").click()
    expect(page.locator("#nine")).to_contain_text("2 of 9")
    page.locator("#them").click()
    expect(page.locator("#nine")).to_be_hidden()
    expect(page.locator("#panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#them")).to_be_focused()
    page.locator("#you").click()
    click(button(page, "Begin bottom left"))
    expect(page.locator("#nine")).to_be_hidden()
    assert board(page)[6] == "X" and board(page).count("X") == 1
    click(button(page, "New"))
    click(button(page, "Back to the game before"))
    assert board(page)[6] == "X"


# Keyboard


def press_keys(page: Page, *keys: str) -> None:
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


def to_the_board(page: Page) -> None:
    while not page.locator("#board :focus").count():
        page.keyboard.press("Tab")


def only_tab_stop(page: Page) -> Locator:
    return page.locator(".cell[tabindex='0']")


def test_tab_stops_once_on_the_board(page: Page) -> None:
    stops = tab_stops(page)
    assert [stop for stop in stops if stop.startswith("cell-")] == ["cell-0"]
    assert stops[:5] == ["Skip to the board", "Tic-tac-toe", "Play", "Practise", "Learn"]
    assert stops[-4:] == ["difficulty-perfect", "difficulty-random", "mark-X", "mark-O"]


def test_arrows_and_digits_move_over_the_board_and_stay_on_it(page: Page) -> None:
    to_the_board(page)
    for key, square in (
        ("ArrowRight", 1),
        ("ArrowDown", 4),
        ("ArrowLeft", 3),
        ("ArrowLeft", 3),
        ("End", 5),
        ("ArrowRight", 5),
        ("ArrowDown", 8),
        ("ArrowDown", 8),
        ("Home", 6),
        ("ArrowUp", 3),
        ("9", 8),
        ("1", 0),
    ):
        page.keyboard.press(key)
        expect(cell(page, square)).to_be_focused()
        expect(only_tab_stop(page)).to_have_id(f"cell-{square}")


def test_a_keyboard_alone_plays_game_after_game(page: Page) -> None:
    to_the_board(page)
    while not (position := Position.parse(board(page))).outcome():
        square = best(position)
        press_keys(page, str(square + 1), "Enter" if position.ply % 4 else "Space")
        expect(cell(page, square)).to_be_focused()
        expect(only_tab_stop(page)).to_have_count(1)
    press_keys(page, "n")
    assert board(page) == "---------"
    expect(page.locator("#board :focus")).to_have_count(1)
    press_keys(page, "5", "Enter")
    assert board(page)[4] == "X"


def test_keys_press_squares_and_buttons_from_the_first_and_say_so(page: Page) -> None:
    expect(page.locator(".keys")).to_be_visible()
    press_keys(page, "1")
    before = board(page)
    assert before[0] == "X"
    press_keys(page, "1", "Enter", "Space")
    assert board(page) == before
    expect(cell(page, 0)).to_be_focused()
    expect(page.locator("#wrong")).to_have_text("That square is taken. Choose an empty one.")
    press_keys(page, "h")
    expect(button(page, "Hint")).to_have_attribute("aria-pressed", "true")
    press_keys(page, "u")
    assert board(page) == "---------"
    press_keys(page, "2")
    page.locator(".brand").focus()
    expect(page.locator(".keys")).to_be_visible()
    press_keys(page, "n")  # letters are the board's
    assert board(page)[1] == "X"


def test_a_control_keeps_the_focus_and_one_that_goes_gives_it_to_the_board(page: Page) -> None:
    for control, then in (
        ("hint", "hint"),
        ("undo", "cell-"),
        ("new", "cell-"),  # is gone after it, as settings stand in its place
    ):
        play(page, best, turns=board(page).count("X") == 0)
        page.locator(f"#{control}").focus()
        press_keys(page, "Enter")
        expect(page.locator(":focus")).to_have_id(re.compile(then))
