"""The Write page in a browser: by mouse, by keyboard and without JavaScript."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from teach.programs import GAPS
from tests.browser.conftest import Visit
from tests.browser.person import DESKTOP, PAGE_HEIGHT, PHONE, places, resize
from tests.positions import sample
from tests.test_write import query

# Programs that lose most, few or no games.
PROGRAM_CODES = ("12111", "01000", "10100", "12200", "10000")


def address(code: str, level: str = "3") -> str:
    return f"/learn/write?{urlencode(query(level, code))}"


STATES = {
    **{code: f"{address(code)}&run=loss" for code in PROGRAM_CODES},
    "no pieces": "/learn/write?level=3",
    "line to look at": f"{address('12111')}&run=loss&look=on",
    "games lost": f"{address('11100')}&run=on",
    "no games lost": f"{address('10000')}&run=on",
}


def gap(page: Page, line: int) -> Locator:
    return page.locator(f"#line-{line}")


def choose(page: Page, line: int, piece: int) -> None:
    """Choose a piece for the gap of a line, by its index in `GAPS`."""
    gap(page, line).locator(f"label:has(#l{line}-{piece})").click()


def run(page: Page) -> None:
    page.get_by_role("button", name="Run it").click()


def verdict(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def test_choosing_pieces_moves_no_line(visit: Visit) -> None:
    page = visit("/learn/write?level=3", screen=DESKTOP)
    lines = [f"#lines > :nth-child({number})" for number in range(1, 10)]
    places_before = places(page, *lines)
    for line in (8, 7, 4):
        choose(page, line, 0)
    run(page)  # does nothing yet
    choose(page, 5, 1)
    assert places(page, *lines) == places_before


@pytest.mark.parametrize("has_javascript", sample(2, [False, True]))
def test_a_program_runs_only_with_a_piece_in_every_gap(visit: Visit, has_javascript: bool) -> None:
    page = visit("/learn/write?level=3", screen=DESKTOP, java_script_enabled=has_javascript)
    opened_url = page.url
    for line in (8, 7, 4):
        choose(page, line, 0)
    run(page)
    assert page.url == opened_url, "with line 5 empty, it must not run"
    choose(page, 5, 1)
    run(page)
    expect(verdict(page)).to_have_text("It loses 115 games.")
    expect(page.locator(".field figcaption")).to_contain_text("115 lost")


@pytest.mark.parametrize("has_javascript", sample(2, [False, True]))
def test_a_loss_leads_to_the_line_to_change_and_then_to_a_program_that_never_loses(
    visit: Visit, has_javascript: bool
) -> None:
    page = visit(f"{address('10100')}&run=on", java_script_enabled=has_javascript, screen=DESKTOP)
    page.get_by_role("link", name="Show the loss").click()
    expect(page.get_by_text("Its shortest loss")).to_be_in_viewport()
    page.get_by_role("link", name="Show me the line").click()
    expect(gap(page, 5)).to_contain_text("look here")
    choose(page, 5, 0)
    run(page)
    expect(verdict(page)).to_have_text("It never loses.")
    page.get_by_role("link", name="Your nine lines").click()
    expect(page).to_have_url(f"{page.url.partition('/learn')[0]}{address('10000')}")


def test_the_opponent_plays_the_chosen_pieces(visit: Visit) -> None:
    page = visit(address("12111"))
    choose(page, 4, 0)
    page.get_by_role("button", name="Play against it").click()
    expect(page.get_by_text("You are X, your nine lines are O.")).to_be_visible()
    page.get_by_role("link", name="Your nine lines").click()
    expect(page).to_have_url(f"{page.url.partition('/learn')[0]}{address('10111')}")


def test_the_lines_switch_to_python_and_stay_in_python(visit: Visit) -> None:
    page = visit("/learn/write")
    words, python = page.get_by_text("the highest, O the lowest."), page.get_by_text(GAPS[4][0])
    choose(page, 4, 0)
    expect(python).to_be_hidden()
    page.get_by_label("In Python").check()
    expect(words).to_be_hidden()
    expect(python).to_be_visible()
    run(page)
    page.get_by_role("link", name="Your nine lines").click()
    expect(python).to_be_visible()
    expect(page.locator("#l4-0")).to_be_checked()


def test_with_keys_a_gap_is_one_tab_stop_and_arrows_choose_its_piece(visit: Visit) -> None:
    page = visit(address("12111"))
    expect(gap(page, 4)).to_have_role("group")
    expect(gap(page, 4)).to_have_accessible_name("Line 4: X picks")
    gap(page, 4).get_by_role("radio", checked=True).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#l4-1")).to_be_focused()
    expect(page.locator("#l4-1")).to_be_checked()
    for next_stop in ("#l5-1", "#l7-1", "#l8-1", "#turns"):
        page.keyboard.press("Tab")
        expect(page.locator(next_stop)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(re.escape(f"{address('11111')}&run=on") + "$"))


@pytest.mark.parametrize("name", sample(4, [*STATES]))
def test_the_main_button_stays_in_view_on_a_phone_and_everything_on_a_desktop(
    visit: Visit, name: str
) -> None:
    page = visit(STATES[name], screen=PHONE)
    # The verdict of a run is a page of its own, with another main button.
    main_button = page.get_by_role("button", name="Run it").or_(page.locator(".act.prime"))
    for scroll_position in ("0", "document.body.scrollHeight"):
        page.evaluate(f"scrollTo(0, {scroll_position})")
        expect(main_button).to_be_in_viewport(ratio=1)
    resize(page, DESKTOP)
    for part in (page.locator("h1"), page.locator("#lines, .field"), main_button):
        expect(part).to_be_in_viewport(ratio=1)
    assert page.evaluate(PAGE_HEIGHT) <= 800


def test_on_a_phone_the_line_to_look_at_shows_its_reason(visit: Visit) -> None:
    page = visit(STATES["line to look at"], screen=PHONE)
    gap(page, 8).scroll_into_view_if_needed()
    expect(gap(page, 8).get_by_text("keeps the last value instead")).to_be_in_viewport(ratio=1)
