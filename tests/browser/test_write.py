"""The search put together as a person does it: by mouse, by keys, without script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from teach.programs import GAPS, read_program
from tests.browser.conftest import Visit, forgive
from tests.browser.person import DESK, HIGH, PHONE, click, places, resize, wait_for_answer
from tests.positions import one_in
from web.learn.write import Asked

KINDS = ("12111", "01000", "10100", "12200", "10000")  # of most, few and no games lost


def address(code: str) -> str:
    pieces = Asked("3", read_program(code)).query
    return "&".join(f"{name}={piece}" for name, piece in pieces.items() if piece is not None)


STATES = {code: f"/learn/write?{address(code)}" for code in KINDS}


def gap(page: Page, line: int) -> Locator:
    return page.locator(f"#line-{line}")


def mend(page: Page, line: int) -> None:
    click(gap(page, line).get_by_text(GAPS[line][0], exact=True))


def verdict(page: Page) -> Locator:
    return page.get_by_role("heading", level=2)


def test_each_press_on_a_piece_runs_it_and_moves_no_line_and_the_hints_lead_to_perfect(
    visit: Visit,
) -> None:
    page = visit("/learn/write?level=3", screen=DESK)
    expect(page.locator(".look")).to_have_count(0)
    click(gap(page, 5).get_by_text(GAPS[5][2], exact=True))  # which mends nothing
    expect(gap(page, 8)).to_contain_text("look here")
    click(gap(page, 5).get_by_text(GAPS[5][1], exact=True))
    lines = [f"#lines > :nth-child({n})" for n in range(1, 10)]
    stood = places(page, *lines)
    for line, lost in ((8, 417), (7, 361), (4, 115)):
        mend(page, line)
        expect(gap(page, line)).not_to_contain_text("look here")
        assert places(page, *lines) == stood
        expect(verdict(page)).to_contain_text(f"It loses {lost} of ")
        expect(page.locator("#said")).to_contain_text(f"It loses {lost} of ")
    before = page.url
    mend(page, 5)
    expect(verdict(page)).to_contain_text("It loses none")
    expect(page.locator("#loses")).to_have_text("Loses none ↓")
    page.reload()
    expect(verdict(page)).to_contain_text("It loses none")
    page.go_back()
    expect(page).to_have_url(before)
    expect(verdict(page)).to_contain_text("It loses 115 of 775 games.")


def test_with_keys_alone_a_gap_is_one_stop_and_arrows_run_its_pieces(visit: Visit) -> None:
    page = visit("/learn/write?level=3")
    expect(gap(page, 4)).to_have_role("group")
    expect(gap(page, 4)).to_have_accessible_name("Line 4, pick =")
    gap(page, 4).get_by_role("radio", checked=True).focus()
    page.keyboard.press("ArrowLeft")
    wait_for_answer(page)
    expect(page.locator("#l4-1")).to_be_focused()
    expect(page.locator("#l4-1")).to_be_checked()
    expect(page).to_have_url(f"/learn/write?{address('11111')}&was=12111")
    for stop in ("#l5-1", "#l7-1", "#l8-1"):
        page.keyboard.press("Tab")
        expect(page.locator(stop)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Run it")).to_be_focused()


def test_without_javascript_it_is_a_form(visit: Visit) -> None:
    page = visit("/learn/write?level=3", java_script_enabled=False)
    for line in (4, 7, 8):
        gap(page, line).get_by_text(GAPS[line][0], exact=True).click()
    expect(verdict(page)).to_have_text("It loses 320 of 1105 games.")
    page.get_by_role("button", name="Run it").click()
    expect(verdict(page)).to_have_text("It loses 115 of 775 games.")
    expect(page).to_have_url(f"/learn/write?{address('10100')}&was=12111#result")


def test_a_run_that_does_not_arrive_is_said_until_the_next(
    visit: Visit, troubles: list[str]
) -> None:
    page = visit("/learn/write?level=3")
    page.context.set_offline(True)
    mend(page, 7)  # which no other test does first, so that no answer is kept
    expect(page.locator("#told")).to_have_text("Not sent: no connection. Try again.")
    page.context.set_offline(False)
    forgive(troubles, "ERR_INTERNET_DISCONNECTED")
    page.get_by_role("button", name="Run it").focus()
    page.keyboard.press("Space")
    expect(page).to_have_url(f"/learn/write?{address('12101')}&was=12111")
    expect(page.locator("#told")).to_be_empty()


@pytest.mark.parametrize("code", one_in(5, KINDS))
def test_run_it_and_what_is_lost_are_in_view_wherever_a_phone_scrolls_and_all_on_a_desktop(
    visit: Visit, code: str
) -> None:
    page = visit(STATES[code], screen=PHONE)
    run = page.get_by_role("button", name="Run it")
    for end in ("0", "document.body.scrollHeight"):
        page.evaluate(f"scrollTo(0, {end})")
        for control in (run, page.locator("#loses")):
            expect(control).to_be_in_viewport(ratio=1)
    resize(page, DESK)
    for part in (page.locator("h1"), page.locator("#lines"), page.locator("#result"), run):
        expect(part).to_be_in_viewport(ratio=1)
    assert page.evaluate(HIGH) <= 800


@pytest.mark.parametrize("script", one_in(2, [False, True]))
def test_on_a_phone_run_it_shows_what_is_lost_and_the_line_to_look_at_says_why(
    visit: Visit, script: bool
) -> None:
    page = visit("/learn/write?l7=0&l8=0&look=on", screen=PHONE, java_script_enabled=script)
    expect(gap(page, 4).get_by_text("Line 4 has it the wrong way")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Run it").click()
    expect(verdict(page)).to_be_in_viewport(ratio=1)
    expect(page.locator(".strip")).to_be_in_viewport(ratio=1)
