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
    fetches,
    headline,
    lose,
    play,
    status,
    use,
    wait_for_answer,
    win,
)
from tests.browser.test_page import boxes


def score(page: Page) -> str:
    """Read the results against the opponent, such as `You (X) 1 draws 0 Random (O) 0`."""
    return " ".join(page.locator("#score").inner_text().split())


def moves(page: Page) -> list[str]:
    """Read the list of the moves, such as `X centre`."""
    return page.locator("#more li").all_inner_texts()


def moves_seen_on(marks: str) -> list[str]:
    names = zip(marks, SQUARE_NAMES, strict=True)
    return sorted(f"{mark} {name}" for mark, name in names if mark != "-")


HELD = "X: [a-z ]+. Nobody can do better. A draw: Perfect could not beat you."


def test_a_mouse_beats_the_random_opponent(page: Page) -> None:
    win(page)
    expect(headline(page)).to_have_text(re.compile(r"^You win: X took the [a-z ]+\.$"))
    expect(status(page)).to_contain_text("Your first win.")
    expect(page.locator("#board [data-wins]")).to_have_count(3)
    expect(page.locator("#strike path")).to_have_count(1)
    assert score(page) == "You (X) 1 draws 0 Random (O) 0"


def test_perfect_play_from_both_sides_is_a_draw(page: Page) -> None:
    draw(page)
    expect(status(page)).to_have_text(re.compile(HELD))
    expect(page.locator("#board [data-wins]")).to_have_count(0)
    assert "-" not in board(page)
    assert score(page) == "You (X) 0 draws 1 Perfect (O) 0"


def test_bad_play_loses_to_the_perfect_opponent(page: Page) -> None:
    lose(page)
    verdict = r"^O: [a-z ]+\. You lost: O took the [a-z ]+\.$"
    expect(status(page)).to_have_text(re.compile(verdict))
    expect(page.locator("#board [data-wins][data-mark=O]")).to_have_count(3)
    assert score(page) == "You (X) 0 draws 0 Perfect (O) 1"


def test_a_win_and_a_draw_with_perfect_look_like_the_successes_they_are(page: Page) -> None:
    def colour() -> str:
        return str(headline(page).evaluate("one => getComputedStyle(one).color"))

    mine = cell(page, 0).locator(".X").evaluate("one => getComputedStyle(one).color")
    for reach, success in ((win, True), (lose, False), (draw, True)):
        reach(page)
        assert (colour() == mine) == success
        expect(page.locator("#strike.X > *")).to_have_count(int(success))
        click(button(page, "Play again"))


def test_the_tab_tells_how_a_game_ended_and_forgets_it_with_the_next(page: Page) -> None:
    expect(page).to_have_title("Tic-tac-toe")
    for reach, title in ((lose, "You lost"), (draw, "Draw"), (win, "You win")):
        reach(page)
        expect(page).to_have_title(f"{title} · Tic-tac-toe")
        click(button(page, "Play again"))
        expect(page).to_have_title("Tic-tac-toe")


def test_a_finished_game_is_counted_once_and_takes_no_more_clicks(page: Page) -> None:
    lose(page)
    before = board(page), score(page)
    for square in range(9):
        expect(cell(page, square)).to_have_attribute("aria-disabled", "true")
        cell(page, square).click(force=True)
    page.reload()
    assert (board(page), score(page)) == before
    click(button(page, "Play again"))
    assert board(page) == "---------"
    assert score(page) == before[1]


def test_each_opponent_has_a_score_and_none_is_lost(page: Page) -> None:
    lose(page)
    use(page, "Random")
    assert score(page) == "Random picks any square. You can win."
    play(page, best, turns=1)
    assert score(page) == ""
    use(page, "Perfect")
    assert score(page) == "You (X) 0 draws 0 Perfect (O) 1"


def test_the_list_of_moves_names_the_marks_on_the_board_in_turn(page: Page) -> None:
    assert moves(page) == []
    draw(page)
    page.get_by_text("More", exact=True).click()
    assert sorted(moves(page)) == moves_seen_on(board(page))
    assert [move[0] for move in moves(page)] == list("XOXOXOXOX")


def test_the_computer_opens_for_a_person_who_plays_o(page: Page) -> None:
    use(page, "O")
    expect(status(page)).to_have_text(re.compile(r"^X: [a-z ]+\. You are O\. Your turn\.$"))
    assert sorted(board(page)) == sorted("X--------")
    play(page, best)
    assert score(page) == "You (O) 0 draws 1 Perfect (X) 0"


def test_taking_back_shows_the_board_before_the_last_turn(page: Page) -> None:
    expect(button(page, "Take back")).to_have_count(0)
    play(page, best, turns=1)
    before = board(page)
    play(page, best, turns=1)
    click(button(page, "Take back"))
    assert board(page) == before
    expect(status(page)).to_have_text("Taken back. Your turn.")
    click(button(page, "Take back"))
    assert board(page) == "---------"
    expect(button(page, "Take back")).to_have_count(0)


def test_a_square_shows_a_ghost_of_my_mark_before_it_is_pressed(page: Page) -> None:
    ghost = cell(page, 4).locator(".drawing")
    expect(ghost).to_have_css("opacity", "0")
    cell(page, 4).hover()
    expect(ghost).to_have_css("opacity", "0.25")
    page.mouse.move(0, 0)
    expect(ghost).to_have_css("opacity", "0")
    to_the_board(page)
    press(page, "5")
    expect(ghost).to_have_css("opacity", "0.25")


# Settings


def settings(page: Page) -> Locator:
    return page.locator("#settings")


def test_settings_rest_from_the_first_move_to_the_next_game(page: Page) -> None:
    expect(settings(page)).to_have_attribute("open", "")
    expect(page.get_by_text("X moves first.")).to_be_visible()
    play(page, best, turns=1)
    expect(settings(page)).not_to_have_attribute("open", "")
    [line] = [box["height"] for box in boxes(page, "#settings")]
    assert line == 44
    play(page, best)
    expect(settings(page)).not_to_have_attribute("open", "")
    click(button(page, "Play again"))
    expect(settings(page)).to_have_attribute("open", "")


def test_settings_unfolded_stay_so_from_move_to_move(page: Page) -> None:
    play(page, best, turns=1)
    settings(page).locator("summary").click()
    play(page, best, turns=1)
    expect(settings(page)).to_have_attribute("open", "")


@pytest.mark.parametrize("name", ["Perfect", "X"])
def test_pressing_what_is_chosen_does_nothing_at_all(page: Page, name: str) -> None:
    use(page, name)
    play(page, best, turns=2)
    before = board(page)
    with fetches(page, "/") as asked:
        use(page, name)
        page.wait_for_timeout(100)
    assert asked == []
    assert board(page) == before
    expect(button(page, name)).to_be_focused()


@pytest.mark.parametrize("name", ["New game", "Random", "O"])
def test_a_game_left_unfinished_is_one_press_away(page: Page, name: str) -> None:
    play(page, best, turns=2)
    before, chosen = board(page), settings(page).locator("summary").inner_text()
    use(page, name)
    assert board(page) != before
    click(button(page, "Back to the game before"))
    assert board(page) == before
    expect(settings(page).locator("summary")).to_have_text(chosen)
    expect(status(page)).to_have_text("Back to the game before. Your turn.")
    play(page, best)
    assert score(page) == "You (X) 0 draws 1 Perfect (O) 0"


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


CHOICES = ["difficulty-random", "difficulty-perfect", "mark-X", "mark-O"]
START = ["Skip to the board", "Play", "Learn"]
LESSON = "Learn how Perfect decides, ten minutes"
SETTINGS = ["show-results", LESSON, "Against Perfect, you are X", *CHOICES, "More"]


def test_tab_stops_once_on_the_board(page: Page) -> None:
    assert tab_stops(page) == [*START, "cell-0", *SETTINGS]


def test_arrows_and_digits_move_over_the_board_and_stay_on_it(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 568})  # too low for all of the page
    to_the_board(page)
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


def to_the_board(page: Page) -> None:
    press(page, "Tab", "Enter")  # by the link that skips what stands before it
    expect(cell(page, 0)).to_be_focused()


def play_by_keyboard(page: Page) -> None:
    while not (position := Position.parse(board(page))).outcome():
        square = best(position)
        press(page, str(square + 1), "Enter" if position.ply % 4 else "Space")
        expect(cell(page, square)).not_to_have_attribute("data-mark", "")
        expect(cell(page, square)).to_be_focused()
        expect(only_tab_stop(page)).to_have_count(1)
        expect(only_tab_stop(page)).to_have_id(f"cell-{square}")


@pytest.mark.parametrize("mark", ["X", "O"])
def test_a_keyboard_alone_plays_game_after_game(page: Page, mark: str) -> None:
    """From the last move of one to the first of the next it takes three presses."""
    use(page, mark)
    page.reload()
    to_the_board(page)
    for _ in range(2):
        play_by_keyboard(page)
        press(page, "Tab")
        expect(button(page, "Play again")).to_be_focused()
        press(page, "Enter")
        assert board(page).count("-") == (9 if mark == "X" else 8)
        focused = page.locator("#board :focus")
        expect(focused).to_have_count(1)
        expect(only_tab_stop(page)).to_have_count(1)
        press(page, "Enter")
        expect(focused).to_have_attribute("data-mark", mark)


def test_at_the_end_playing_again_is_the_one_filled_button(page: Page) -> None:
    def filled() -> list[str]:
        controls = page.locator("button, .action").filter(visible=True)
        names: list[str] = controls.evaluate_all("""all => {
            const ink = getComputedStyle(document.body).color
            return all.filter(one => getComputedStyle(one).backgroundColor == ink)
                .map(one => one.innerText)
        }""")
        return names

    assert filled() == []
    lose(page)
    page.mouse.move(0, 0)
    assert filled() == ["Play again"]


@pytest.mark.parametrize(
    ("control", "next_focus"),
    [
        ("difficulty-random", "difficulty-random"),
        ("mark-O", "mark-O"),
        ("show-results", "show-results"),
        ("show-reasons", "show-reasons"),
        ("undo", "cell-0"),  # there is nothing more to take back, so it is gone
    ],
)
def test_a_control_keeps_the_focus_and_one_that_goes_gives_it_to_the_board(
    page: Page, control: str, next_focus: str
) -> None:
    play(page, best, turns=1)
    settings(page).locator("summary").click()
    page.locator(f"#{control}").focus()
    press(page, "Enter")
    expect(page.locator(f"#{next_focus}")).to_be_focused()


def test_a_mouse_leaves_no_ring_where_the_focus_goes(page: Page) -> None:
    lose(page)
    click(button(page, "Play again"))
    expect(cell(page, 0)).to_be_focused()
    assert not cell(page, 0).evaluate("one => one.matches(':focus-visible')")


def test_enter_on_a_taken_square_does_nothing(page: Page) -> None:
    to_the_board(page)
    press(page, "Enter")
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
    expect(status(page)).to_have_text(re.compile(HELD))


def test_where_there_is_no_keyboard_nothing_is_said_of_it(visit: Visit) -> None:
    for settings, said in (({}, True), ({"has_touch": True, "is_mobile": True}, False)):
        page = visit(**settings)
        page.get_by_text("More", exact=True).click()
        expect(page.get_by_text("By keyboard")).to_be_visible(visible=said)


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
    expect(status(page)).to_have_text(re.compile(HELD))
    assert score(page) == "You (X) 0 draws 1 Perfect (O) 0"
    submit(button(page, "Play again"))
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
    after = board(page)
    assert sorted(after) == sorted("XXO------")
    submit(button(page, "Hide reasons"))
    submit(button(page, "Show hints"))
    expect(page.locator(".leads")).to_have_count(6)
    settings(page).locator("summary").click()
    button(page, "Random").click()  # which is chosen
    submit(button(page, "New game"))
    submit(button(page, "Back to the game before"))
    assert board(page) == after
    submit(button(page, "Take back"))
    assert board(page) == before
    expect(status(page)).to_have_text("Taken back. You are O. Your turn.")


def test_without_javascript_every_square_is_a_tab_stop(plain_page: Page) -> None:
    squares = [f"cell-{square}" for square in range(9)]
    assert tab_stops(plain_page) == [*START, *squares, *SETTINGS]
