"""The lesson and its practice as a person goes through them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from teach.lesson import questions
from tests.browser.conftest import Tabs, Visit
from tests.browser.person import wait_for_answer
from tests.browser.test_access import THEMES, violations
from web.learn.routes import SECTIONS

SHOWN = "&".join(f"{name}=show" for name in questions())
WRONG = "&".join(
    f"{name}={answer}"
    for name, question in questions().items()
    for answer in (
        [next(option for option in question.options if option not in question.right)]
        if question.kind == "pick"
        else [""] * len(question.right if question.kind == "value" else "1")
    )
)
STATES = {
    "asked": "/learn",
    "wrong": f"/learn?{WRONG}",
    "shown": f"/learn?{SHOWN}",
    "practise": "/practise/X---O---X",
    "practise, wrong": "/practise/X---O---X?answer=2",
    "practise, right": "/practise/X---O---X?answer=1",
    "practised": "/practise?at=10&right=7",
}
SCREENS = [(320, 568), (390, 844), (844, 390), (1280, 800), (1920, 1080)]


def form(page: Page, name: str) -> Locator:
    return page.locator(f"#q-{name}")


def said(page: Page, name: str) -> Locator:
    return page.locator(f"#said-{name}")


def check(page: Page, name: str) -> None:
    form(page, name).get_by_role("button", name="Check").click()
    wait_for_answer(page)


def answer_all(page: Page) -> None:
    """Answer each question, and right, with what its form offers."""
    for name, question in questions().items():
        here = form(page, name)
        if question.kind == "value":
            for select, value in zip(here.locator("select").all(), question.right, strict=True):
                select.select_option(value)
        for option in question.right if question.kind != "value" else ():
            here.locator(f"input[value='{option}']:not([type=hidden])").check()
        check(page, name)
        expect(said(page, name)).to_contain_text("Right.")


# With htmx and without


def test_every_question_can_be_answered_and_ends_in_the_address(visit: Visit) -> None:
    page = visit("/learn")
    answer_all(page)
    expect(page.locator(".progress .done")).to_have_count(len(SECTIONS))
    before = page.locator(".lesson").inner_text()
    page.reload()
    assert page.locator(".lesson").inner_text() == before
    page.go_back()
    expect(said(page, list(questions())[-1])).to_be_empty()


def test_without_javascript_every_question_can_be_answered(visit: Visit) -> None:
    page = visit("/learn", java_script_enabled=False)
    answer_all(page)
    expect(page.locator(".progress .done")).to_have_count(len(SECTIONS))
    assert page.url.endswith(f"#q-{list(questions())[-1]}")


def test_an_answer_changes_its_question_and_no_other(visit: Visit) -> None:
    page = visit("/learn")
    page.evaluate("() => { for (const one of document.querySelectorAll('*')) one.old = true }")
    form(page, "fork").get_by_label("Top centre").check()
    select = form(page, "fill").locator("select").first
    select.select_option("9")
    check(page, "fork")
    expect(said(page, "fork")).to_contain_text("Try again.")
    new = page.evaluate("""() => [...document.querySelectorAll('.lesson *')]
        .filter(one => !one.old).map(one => (one.closest('form, nav') ?? one).id)""")
    kept = {f"q-{name}" for name in questions()}
    assert {"q-fork", "progress"} <= set(new) <= {"progress", *kept}
    inside = page.evaluate("""() => [...document.querySelectorAll('form:not(#q-fork) *')]
        .filter(one => !one.old && !one.closest('[id^=kept]')).length""")
    assert inside == 0
    expect(select).to_have_value("9")


def test_what_is_said_is_announced_once_and_focus_stays(visit: Visit) -> None:
    page = visit("/learn")
    said(page, "who").evaluate("""element => {
        window.heard = []
        new MutationObserver(() => heard.push(element.textContent.trim()))
            .observe(element, {childList: true, characterData: true, subtree: true})
    }""")
    for label, begins in (("+7", "X would like that."), ("−8", "Right.")):
        form(page, "who").get_by_label(label).check()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(said(page, "who")).to_contain_text(begins)
        wait_for_answer(page)
        expect(page.locator("#go-who")).to_be_focused()
    heard = page.evaluate("() => heard")
    assert len(heard) == 2


def test_a_board_is_left_out_by_a_press_on_it_or_on_space(visit: Visit) -> None:
    page = visit("/learn")
    box = form(page, "never").locator("input[type=checkbox]").first
    box.locator("xpath=ancestor::*[contains(@class, 'node')]").click()
    expect(box).to_be_checked()
    box.focus()
    page.keyboard.press("Space")
    expect(box).not_to_be_checked()


# How it looks


@pytest.fixture(scope="module", params=STATES)
def state(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def shown(state: str, tabs: Tabs, heard: list[str]) -> Iterator[Page]:
    """Open each state once for all that looks at it."""
    heard.clear()
    page = tabs.tab("shown")
    page.goto(STATES[state])
    yield page
    assert not heard


def test_axe_finds_nothing_in_any_state(shown: Page, state: str) -> None:
    """Look at each state wide and narrow, in a theme each; at the next the other way round."""
    themes = THEMES if list(STATES).index(state) % 2 else THEMES[::-1]
    for (width, height), theme in zip([(1280, 800), (390, 844)], themes, strict=True):
        shown.set_viewport_size({"width": width, "height": height})
        assert not violations(shown, theme)


def test_nothing_is_wider_than_the_window(shown: Page) -> None:
    for width, height in SCREENS:
        shown.set_viewport_size({"width": width, "height": height})
        assert shown.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("state", ["asked", "wrong", "shown"], indirect=True, scope="module")
def test_no_section_is_taller_than_the_screen(shown: Page) -> None:
    shown.set_viewport_size({"width": 1280, "height": 800})
    heights = shown.locator(".lesson > section").evaluate_all(
        "all => all.map(one => [one.id, one.getBoundingClientRect().height])"
    )
    assert [(section, height) for section, height in heights if height > 800] == []


def test_what_can_be_pressed_is_large_enough(shown: Page) -> None:
    for width, height in SCREENS:
        shown.set_viewport_size({"width": width, "height": height})
        sides = shown.locator("main :is(button, select, .action, .option)").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().height)"
        )
        assert min(sides, default=44) >= 44


# Practice


def test_a_run_of_ten_is_played_through(visit: Visit) -> None:
    page = visit("/practise")
    for number in range(1, 11):
        expect(page.get_by_text(re.compile(rf"\b{number} of 10"))).to_be_visible()
        page.get_by_role("link", name="Show me").click()
        page.locator(".answer .action").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("0 of 10 found at the first try")


def test_without_javascript_practice_works_and_answers_at_once(visit: Visit) -> None:
    page = visit("/practise/X---O---X", java_script_enabled=False)
    page.get_by_role("link", name="top right", exact=True).click()
    expect(page.locator("#said")).to_contain_text("gives the draw away")
    page.get_by_role("link", name="top centre", exact=True).click()
    expect(page.locator("#said")).to_contain_text("Right")
