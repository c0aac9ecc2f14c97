"""Study in a browser: on a phone and a desktop, by keyboard, offline, without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit, forgive
from tests.browser.person import (
    DESKTOP,
    PHONE,
    board,
    cell,
    click,
    places,
    recorded_requests,
    resize,
    set_media,
    wait_for_answer,
)
from tests.positions import only_in_soak, sample

pytestmark = pytest.mark.usefixtures("visitor_has_played")

LOST = "/study/42170835?you=X&difficulty=perfect"  # the turning point is move 5, X top left
STATES = {
    "moves": LOST,
    "moves, praised": "/study/421735806?you=X&difficulty=perfect",
    "moves, at random": "/study/42170835?you=O&difficulty=random&at=3",
    "moves, nine": "/study/421735860?you=X&at=7",
    "moves, force": "/study/01472?you=O&at=2",
    "moves, start": f"{LOST}&at=0",
    "moves, own line": "/study/4216?at=4&game=42170835&you=X",
    "moves, set up": "/study/X---O----?view=moves",
    "question": f"{LOST}&answer=",
    "question, wrong": "/study/01?you=O&answer=8",
    "question, right": "/study/01?you=O&answer=84",
    "squares": f"{LOST}&at=4&view=squares",
    "squares, seven rows": "/study/15?at=2&view=squares",
    "squares, a line": "/study/15?at=2&view=squares&line=6",
    "squares, empty": "/study",
    "squares, over": f"{LOST}&at=8&view=squares",
    "set up": "/study?set=XO-------",
    "set up, refused": "/study?set=O--------",
}


def test_arrow_keys_home_and_end_step_with_one_history_entry(visit: Visit) -> None:
    page = visit("/proof")
    page.goto(f"{LOST}&at=0")
    for key, move_number in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("End", 8),
        ("ArrowLeft", 7),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        wait_for_answer(page)
        expect(page.locator(".points [aria-current]")).to_have_id(f"point-{move_number}")
        assert f"at={move_number}" in page.url
    page.go_back()
    expect(page).to_have_url("/proof")


def test_next_and_back_stay_in_place(visit: Visit) -> None:
    page = visit(f"{LOST}&at=4", screen=DESKTOP)
    places_before = places(page, ".back", "#board", ".onward")
    click(page.locator("#view-squares"))
    assert places(page, ".back", "#board", ".onward") == places_before
    page.goto(f"{LOST}&at=7")
    resize(page, PHONE)
    top_before = places(page, ".prime")[".prime"][1]
    click(page.locator("#step-next"))
    assert places(page, ".prime")[".prime"][1] == top_before


def test_a_press_on_the_board_plays_on_and_back_returns_to_the_game(visit: Visit) -> None:
    page = visit(f"{LOST}&at=4")
    with recorded_requests(page, "/study/") as urls:
        click(cell(page, 6))
    assert len(urls) == 1
    assert board(page) == "-XO-X-XO-"
    expect(page.locator(".whose")).to_contain_text("A line of your own")
    # The square, which had the focus, is not a link anymore.
    assert page.evaluate("() => document.activeElement.id") == "told"
    click(page.get_by_role("link", name="Your game"))
    assert board(page) == "-XO-X--O-"
    for mark in ("X", ""):
        page.evaluate("history.back()")
        expect(cell(page, 6)).to_have_attribute("data-mark", mark)


def test_with_keys_the_focus_stays_or_moves_to_the_answer(visit: Visit) -> None:
    page = visit(LOST)
    for css in (
        "#step-back",
        "#view-squares",
        "#point-3",
        "#view-moves",
        ".fold summary",
        "#move-2",
    ):
        page.locator(css).press("Enter")
        wait_for_answer(page)
        expect(page.locator(css)).to_be_focused()
    page.locator("#step-first").press("Enter")
    expect(page.locator("#told")).to_be_focused()
    page.goto("/study/01?you=O")
    for css, sentence in (
        ("#better", ""),
        ("#cell-8", "Bottom right gives the draw away."),
        ("#cell-4", "The center keeps the draw."),
    ):
        page.locator(css).press("Enter")
        expect(page.locator("#told")).to_contain_text(sentence)
        expect(page.locator("#told")).to_be_focused()


@pytest.mark.parametrize("has_javascript", [False, *only_in_soak([True])])
def test_everything_works_without_javascript(visit: Visit, has_javascript: bool) -> None:
    page = visit(f"{LOST}&answer=", java_script_enabled=has_javascript)
    click(page.locator("#cell-8"))
    expect(page.locator("#told")).to_contain_text("Bottom right.")
    click(page.get_by_role("link", name="Back to move 5"))
    click(page.locator("#view-squares"))
    expect(page.locator("#row-3")).to_be_visible()
    click(page.locator("#step-back"))
    click(page.locator("#row-0"))
    expect(page.locator("#told h2")).to_have_text("Top left: O wins on move 8")
    click(page.locator("#step-next"))
    click(page.locator("#view-moves"))
    page.get_by_role("button", name="Keep playing from here").click()
    expect(page).to_have_url("/")


# A page, a control on it, and the sentence after the control is pressed.
PRESSES = [
    (LOST, "#step-next", "Move 6"),
    ("/study/O-XX--XOO?view=search", "#next", "X is to move and picks the highest"),
]


@pytest.mark.parametrize(("path", "control", "sentence"), sample(2, PRESSES))
def test_a_press_while_offline_says_so_until_the_connection_is_back(
    visit: Visit, browser_errors: list[str], path: str, control: str, sentence: str
) -> None:
    page = visit(path, new=True)  # another context may have the page in its cache
    page.context.set_offline(True)
    page.locator(control).click()
    expect(page.locator("#told")).to_have_text("Not sent. You seem to be offline. Try again.")
    forgive(browser_errors, "ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(False)
    page.locator(control).click()
    expect(page.locator("#told")).to_contain_text(sentence)


def test_a_press_on_the_map_zooms_in_and_prints_only_that_board(visit: Visit) -> None:
    page = visit("/proof")
    page.get_by_role("link", name="O center: X ").click()
    expect(page.locator(".col")).to_contain_text("O center: you play")
    set_media(page, media="print")
    expect(page.locator(".atlas")).to_be_visible()
    expect(page.locator("header, nav, .act, .skip").filter(visible=True)).to_have_count(0)
    page.set_viewport_size({"width": 700, "height": 1000})  # A4 less its margins
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 700
