"""Games as people play them: by mouse, keyboard, touch, or without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.position import Position
from tests import positions
from tests.browser.conftest import Visit, enter_game
from tests.browser.person import (
    DESKTOP,
    DRAWN_GAME,
    LONGEST,
    LOST_GAME,
    SMALL,
    STATES,
    answer,
    best,
    board,
    button,
    cell,
    click_at,
    middle_of,
    places,
    play,
    press,
    press_without_script,
    replace_body,
    resize,
    text,
)
from tests.positions import only_in_soak, sample
from tests.serving import Site
from web.play.game import Game
from web.play.record import Record

Press = Callable[[Page, int | str], str]
PHONE_IN_HAND = {"has_touch": True, "is_mobile": True, "screen": SMALL}
WITHOUT_SCRIPT = {"java_script_enabled": False}


def tap(page: Page, target: int | str) -> str:
    page.touchscreen.tap(*middle_of(page, target))
    return answer(page)


# test_game_page.py also watches whole games by mouse.
@pytest.mark.parametrize(
    ("press_target", "settings"),
    [(tap, PHONE_IN_HAND), (press_without_script, WITHOUT_SCRIPT), *only_in_soak([(press, {})])],
)
def test_a_game_can_be_played_by_mouse_by_touch_and_without_javascript(
    visit: Visit, press_target: Press, settings: dict[str, Any]
) -> None:
    """Play the whole game in `make soak`, otherwise from the fifth move."""
    page = visit(game=Game() if positions.is_soak else Game(DRAWN_GAME[:4]), **settings)
    while not (position := Position.parse(board(page))).outcome():
        press_target(page, best(position))
    assert text(page, ".verdict").split() == ["You", "stopped", "me."]
    assert text(page, ".sentence").endswith("Eight to go.")
    assert press_target(page, "Next square") == "---------"
    assert text(page, "#you > span b") == "1 of 9"
    assert page.locator(".cell.earned").count() == 1


def test_a_press_on_the_board_changes_nothing_once_the_game_is_over(visit: Visit) -> None:
    page = visit(game=Game(LOST_GAME[:4], record=Record(losing_streak=1)))
    final_board = press(page, LOST_GAME[4])
    assert text(page, ".verdict") == "I win again."
    assert page.locator(".cell[aria-disabled=true]").count() == 9
    cells = places(page, *(f"#cell-{square}" for square in range(9)))
    for left, top, right, bottom in cells.values():
        page.mouse.click((left + right) / 2, (top + bottom) / 2)
    page.reload()
    assert (board(page), text(page, ".verdict")) == (final_board, "I win again.")


def test_a_loss_can_be_explained_and_replayed_from_the_mistake(visit: Visit) -> None:
    page = visit(game=Game(LOST_GAME[:4], record=Record(losing_streak=1)))
    press(page, LOST_GAME[4])
    page.click("#why")
    page.wait_for_url("**/why")
    assert " ".join(text(page, ".speech").split()) == ("I had two in a column. You did not block.")
    assert board(page) == "XO-XO---X"
    assert page.locator("#cell-7.pencil").inner_text() == "wins here"
    assert page.get_by_role("link", name="Review the game").get_attribute("href")
    press_without_script(page, "Try a different move")
    assert board(page) == "XO--O---X"
    play(page, best)
    assert text(page, ".sentence") == "Not from an empty board, so no square."


def test_no_label_wraps_at_the_end_of_a_game(visit: Visit, site: Site) -> None:
    count_lines = """() => [...document.querySelectorAll("#onward .act")]
        .filter(element => element.checkVisibility())
        .map(element => {
            const range = document.createRange()
            range.selectNode(element.firstChild)
            return new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size
        })"""
    longest = LONGEST["lost three times"]
    page = visit(game=longest, screen=SMALL)
    ends = [(name, game) for name, game in (STATES | LONGEST).items() if game.outcome]
    for name, game in sample(3, ends):
        enter_game(page, site, game)
        replace_body(page, "/")
        assert {*page.evaluate(count_lines)} == {1}, name
    enter_game(page, site, longest)
    again, why, _ = replace_body(page, "/", "#again", "#why").values()
    assert again[1] == why[1], "both buttons must be in one row"


@pytest.mark.parametrize(
    ("press_target", "settings"), sample(2, [(press_without_script, WITHOUT_SCRIPT), (press, {})])
)
def test_every_control_works_with_and_without_javascript(
    visit: Visit, press_target: Press, settings: dict[str, bool]
) -> None:
    page = visit(**settings)
    press_target(page, "#difficulty-random")
    assert page.locator("#difficulty-random[aria-pressed=true]").count()
    before = press_target(page, "#mark")
    assert sorted(before) == sorted("X--------")
    assert "You are O" in text(page, "#you")
    after = press_target(page, before.index("-"))
    press_target(page, "Hint")
    assert text(page, ".speech")
    press_target(page, "Hint")
    assert page.locator("#board .chip").count() in (0, after.count("-"))
    press_target(page, "Hint")
    assert not page.locator("#board .chip").count()
    press_target(page, "New")
    assert press_target(page, "#undo") == after
    assert "Back to your earlier game." in text(page, "#status")
    assert press_target(page, "Undo") == before


# The font of an element, without its color.
READ_FONT = """element => ["fontFamily", "fontSize", "fontWeight", "fontStyle", "letterSpacing"]
    .map(name => getComputedStyle(element)[name])"""


CLIPBOARD = ["clipboard-read", "clipboard-write"]  # permissions
CLIPBOARD_TEXT = "() => navigator.clipboard.readText()"
# Make the next attempts of the page to copy fail, as without a permission.
REFUSE_TO_COPY = "() => { navigator.clipboard.writeText = async () => { throw Error() } }"
SHARE_TEXT = "🟦⬜🟦 Tic-tac-toe: 4 of 9.\n⬜🟦⬜ I stopped it here.\n⬜⬜🟦 Can you?\nhttp://"


def test_sharing_copies_the_text_and_says_so_in_place(visit: Visit) -> None:
    page = visit(game=STATES["stopped again"], new=True, permissions=CLIPBOARD)
    page.clock.install()
    share, field = page.locator("#share"), page.get_by_label("To copy")
    for screen in (DESKTOP, SMALL):
        resize(page, screen)
        place = share.bounding_box()
        share.click()
        copied_note = share.get_by_text("Copied")
        expect(copied_note).to_be_visible()
        assert share.bounding_box() == place == copied_note.bounding_box()
        assert copied_note.evaluate(READ_FONT) == share.evaluate(READ_FONT)
        page.clock.run_for(3000)
        expect(share).not_to_contain_text("Copied")
    copied_text = str(page.evaluate(CLIPBOARD_TEXT))
    assert copied_text == field.input_value()
    assert copied_text.startswith(SHARE_TEXT)
    assert copied_text.endswith("/challenge/04?was=held&nine=277")
    expect(field).to_be_hidden()


def test_if_sharing_cannot_copy_it_shows_the_text_with_buttons(visit: Visit) -> None:
    page = visit(game=STATES["stopped again"], new=True, permissions=CLIPBOARD)
    page.clock.install()
    share, field = page.locator("#share"), page.get_by_label("To copy")
    page.evaluate(REFUSE_TO_COPY)
    share.click()
    expect(field).to_be_focused()
    is_all_in_view = "element => element.scrollHeight <= element.clientHeight"
    assert field.evaluate(is_all_in_view)  # with the whole link
    copy = page.locator("[name=copy]")
    place = copy.bounding_box()
    copy.click()
    copied_note = copy.get_by_text("Copied")
    expect(copied_note).to_be_visible()
    assert copy.bounding_box() == place
    assert copied_note.evaluate(READ_FONT) == copy.evaluate(READ_FONT)
    assert page.evaluate(CLIPBOARD_TEXT) == field.input_value()
    page.clock.run_for(3000)
    expect(copy).to_have_text("Copy")
    button(page, "Close").click()
    expect(field).to_be_hidden()
    expect(share).to_be_focused()


def test_without_javascript_sharing_shows_the_text(visit: Visit) -> None:
    page = visit(game=STATES["stopped again"], **WITHOUT_SCRIPT)
    click_at(page, "#share")
    expect(page.get_by_label("To copy")).to_be_visible()


@pytest.mark.parametrize("has_javascript", sample(2, [True, False]))
def test_a_friend_who_opens_the_link_can_play_from_there(
    visit: Visit, has_javascript: bool
) -> None:
    page = visit("/challenge/04?was=lost", java_script_enabled=has_javascript)
    assert text(page, "#status") == "Your friend lost from here. Can you stop me?"
    cell(page, 8).click()
    page.wait_for_url("**/")
    after = board(page)
    assert after[0] + after[4] + after[8] == "XOX" and after.count("O") == 2
    page.click("#undo")
    expect(cell(page, 8)).to_have_attribute("data-mark", "")
    assert board(page) == "X---O----"


def focused(page: Page) -> str:
    """Return the id of the element with the focus, or its text if it has no id."""
    return str(page.evaluate("() => document.activeElement.id || document.activeElement.innerText"))


# Keyboard


def press_keys(page: Page, *keys: str) -> str:
    for key in keys:
        page.keyboard.press(key)
    return answer(page)


def tab_stops(page: Page) -> list[str]:
    """Return the squares that Tab reaches."""
    stops = page.locator(".cell[tabindex='0']")
    ids: list[str] = stops.evaluate_all("all => all.map(element => element.id)")
    return ids


def test_the_board_is_one_tab_stop(page: Page) -> None:
    stops: list[str] = []
    page.keyboard.press("Tab")
    while focused(page) not in stops:
        stops.append(focused(page))
        page.keyboard.press("Tab")
    assert [stop for stop in stops if stop.startswith("cell-")] == ["cell-0"]
    assert stops[2:6] == ["difficulty-perfect", "difficulty-hasty", "difficulty-random", "mark"]
    assert stops[-5:] == ["Skip to the board", "Tic-tac-toe", "Play", "Today", "Learn"]


def test_arrows_and_digits_move_the_focus_and_the_tab_stop_over_the_board(page: Page) -> None:
    page.locator(".skip").press("Enter")
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
        assert [focused(page)] == tab_stops(page) == [f"cell-{square}"]


def test_the_keyboard_plays_a_game_and_starts_the_next(visit: Visit) -> None:
    page = visit()
    after = board(page)
    while not (position := Position.parse(after)).outcome():
        square = best(position)
        after = press_keys(page, str(square + 1), "Enter" if position.ply % 4 else "Space")
        assert [focused(page)] == tab_stops(page) == [f"cell-{square}"]
    assert press_keys(page, "n") == "---------"
    assert focused(page).startswith("cell-")


def test_keys_on_a_taken_square_are_explained_and_others_still_work(page: Page) -> None:
    before = press_keys(page, "1")
    assert before[0] == "X"
    assert press_keys(page, "1", "Enter", "Space") == before
    assert focused(page) == "cell-0"
    assert text(page, "#wrong") == "That square is taken. Choose an empty one."
    press_keys(page, "h")
    assert page.locator("#hint[aria-pressed=true]").count()
    assert press_keys(page, "u") == "---------"
    assert press_keys(page, "2")[1] == "X"


def test_a_control_keeps_the_focus_or_passes_it_to_the_board(visit: Visit) -> None:
    page = visit(game=STATES["mid-game"])
    for control, focused_after in (
        ("hint", "hint"),
        ("undo", "undo"),
        ("new", "cell-"),  # it disappears, because the settings take its place
    ):
        page.evaluate("id => document.getElementById(id).focus()", control)
        press_keys(page, "Enter")
        assert focused(page).startswith(focused_after)
