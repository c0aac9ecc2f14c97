"""A search to watch, step by step, as a person uses it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.position import Position
from teach.searches import run
from tests.browser.conftest import Visit, forgive
from tests.browser.person import click, status, wait_for_answer

CLASSIC = "/run/O-XX--XOO"
LAST = len(run(Position.parse("O-XX--XOO"), "minimax", "depth", "squares").steps)
FATALIST = "/tree/-X---XOOX"
SCREENS = [(320, 568), (390, 844), (844, 390), (1280, 800)]


def at_step(page: Page, step: int) -> None:
    """Wait until the page has come to a step, and see that its address says so."""
    expect(page.get_by_text(re.compile(rf"^step {step} of "))).to_be_visible()
    expect(page).to_have_url(re.compile(rf"step={step}\b" if step else r"^(?!.*step=[1-9])"))
    wait_for_answer(page)


def press(page: Page, name: str) -> None:
    click(page.locator(f"#{name}"))


def scrubber(page: Page) -> Locator:
    return page.get_by_role("slider", name=re.compile("^step "))


# From step to step


def test_each_step_changes_the_page_and_its_address_and_keeps_the_focus(visit: Visit) -> None:
    page = visit(CLASSIC)
    page.locator("#run").evaluate("element => element.stayed = true")
    for step in (1, 2, 3):
        press(page, "next")
        at_step(page, step)
    expect(page.locator("#next")).to_be_focused()
    expect(status(page)).to_contain_text("O answers centre. The game is over: O wins on turn 2")
    expect(page.locator(".node.current")).to_have_id("n14")
    expect(page.locator("code[aria-current=step]")).to_contain_text("return node.value")
    press(page, "back")
    at_step(page, 2)
    press(page, "last")
    at_step(page, LAST)
    expect(page).to_have_title(re.compile(f"^Step {LAST} of {LAST}: minimax on O-XX--XOO"))
    page.locator("#next").press("Enter")  # there is none
    wait_for_answer(page)
    at_step(page, LAST)
    press(page, "first")
    at_step(page, 0)
    assert page.locator("#run").evaluate("element => element.stayed")


def test_back_and_reload_show_the_step_of_the_address(visit: Visit) -> None:
    page = visit(CLASSIC)
    for step in (1, 2):
        press(page, "next")
        at_step(page, step)
    page.reload()
    at_step(page, 2)
    for step in (1, 0):
        page.go_back()
        at_step(page, step)
    page.go_forward()
    at_step(page, 1)
    press(page, "next")
    at_step(page, 2)
    page.get_by_role("link", name="Tree", exact=True).click()
    page.go_back()
    at_step(page, 2)
    assert page.locator("header, h1, link[rel=stylesheet]").count() >= 3


def test_the_scrubber_goes_by_keyboard_alone(visit: Visit) -> None:
    page = visit(CLASSIC + "?algorithm=alpha-beta&order=best")
    scrubber(page).focus()
    last = int(scrubber(page).get_attribute("max") or 0)
    for key, step in [("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1)]:
        page.keyboard.press(key)
        at_step(page, step)
        expect(scrubber(page)).to_be_focused()
    expect(page).to_have_url(re.compile("algorithm=alpha-beta&order=best&step=1$"))


def test_a_step_is_announced_once(visit: Visit) -> None:
    page = visit(CLASSIC + "?algorithm=alpha-beta&predict=on")
    status(page).evaluate("""element => {
        element.heard = []
        new MutationObserver(() => element.heard.push(element.innerText))
            .observe(element, {childList: true, characterData: true, subtree: true})
    }""")
    said = []
    for name in ("next", "next", "next", "answer-7", "answer--8", "last"):
        press(page, name)
        page.wait_for_timeout(100)
        said.append(status(page).inner_text())
        assert status(page).evaluate("element => element.heard") == said


SHIFTS = """() => {
    window.shifts = []
    new PerformanceObserver(list => {
        for (const {value, sources} of list.getEntries())
            shifts.push([value, ...sources.map(({node}) => node?.id || node?.nodeName)])
    }).observe({type: "layout-shift"})
}"""


# Press Next to the end, one frame for each step, and return where everything stands after each.
WALK = """async ([last, still]) => {
    const here = step => !document.querySelector(".htmx-request")
        && document.querySelector("#run").innerText.includes(`step ${step} of `)
    const walk = []
    for (let step = 0; step <= last; step++) {
        if (step) document.querySelector("#next").click()
        const limit = performance.now() + 5000
        do await new Promise(requestAnimationFrame)
        while (!here(step) && performance.now() < limit)
        walk.push([...document.querySelectorAll(still)].map(one => {
            const {left, top, width} = one.getBoundingClientRect()
            return [width && left, width && top]
        }))
    }
    return walk
}"""


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize("query", ["algorithm=alpha-beta", "predict=on"])
def test_nothing_moves_from_step_to_step(visit: Visit, query: str, width: int, height: int) -> None:
    page = visit(f"/run/XOO---XXO?{query}", viewport={"width": width, "height": height})
    still = "#steps a, #scrub, #play, .node, .code code, .stack, #counts"
    page.evaluate(SHIFTS)
    last = int(scrubber(page).get_attribute("max") or 0)
    first, *walk = page.evaluate(WALK, [last, still])
    assert first
    assert walk == [first] * last
    at_step(page, last)
    page.wait_for_timeout(100)
    assert page.evaluate("() => shifts") == []


LONGEST = "/run/XO--OXX--?algorithm=alpha-beta&step=59"


@pytest.mark.parametrize("query", ["", "&predict=on"])
def test_there_is_room_for_the_longest_sentence(visit: Visit, query: str) -> None:
    page = visit(LONGEST + query)
    said = status(page).inner_html()
    room = "(element, html) => { element.innerHTML = html; return element.offsetHeight }"
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        longest, short = (status(page).evaluate(room, html) for html in (said, "A short one."))
        assert short == longest


def test_without_a_connection_the_page_says_so_until_it_is_back(
    visit: Visit, troubles: list[str]
) -> None:
    page = visit(CLASSIC, new=True)  # which keeps no answer from before
    page.context.set_offline(True)
    press(page, "next")
    expect(status(page)).to_have_text("Not sent: no connection. Try again.")
    forgive(troubles, "ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(False)
    press(page, "next")
    at_step(page, 1)
    expect(status(page)).to_contain_text("X (MAX) is to move")


# Play


def test_play_runs_to_the_end_and_stops(visit: Visit) -> None:
    page = visit("/run/XXOOO-XX-", new=True)
    page.clock.install()
    play = page.get_by_role("button", name="Play", exact=True)
    click(play)
    expect(play).to_have_attribute("aria-pressed", "true")
    last = int(scrubber(page).get_attribute("max") or 0)
    for step in range(1, last + 1):
        at_step(page, step)
        page.clock.run_for(2500)
    expect(play).to_have_attribute("aria-pressed", "false")
    at_step(page, last)
    page.go_back()  # what has played is one leaf of the history
    expect(page).to_have_url("about:blank")


def test_play_stops_for_a_press_and_begins_again_at_the_end(visit: Visit) -> None:
    page = visit("/run/XXOOO-XX-?step=7", new=True)
    page.clock.install()
    play = page.get_by_role("button", name="Play", exact=True)
    click(play)
    at_step(page, 8)
    click(play)
    expect(play).to_have_attribute("aria-pressed", "false")
    click(play)
    at_step(page, 0)
    press(page, "last")
    expect(play).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(10_000)
    at_step(page, 8)


def test_play_waits_for_an_answer(visit: Visit) -> None:
    page = visit("/run/XXOOO-XX-?predict=on", new=True)
    page.clock.install()
    play = page.get_by_role("button", name="Play", exact=True)
    click(play)
    for step in (1, 2):
        at_step(page, step)
        page.clock.run_for(2500)
    expect(play).to_have_attribute("aria-pressed", "false")
    at_step(page, 2)


def test_nothing_plays_by_itself(visit: Visit) -> None:
    page = visit(CLASSIC, new=True)
    page.clock.install()
    page.clock.run_for(60_000)
    at_step(page, 0)


# Predict


def test_predicting_by_keyboard_goes_on_with_the_right_answer_alone(visit: Visit) -> None:
    page = visit(CLASSIC + "?step=7")
    page.get_by_role("link", name="Predict").press("Enter")
    expect(page.get_by_role("link", name="Predict")).to_have_attribute("aria-current", "true")
    answers = page.get_by_role("group", name="Your answer")
    expect(answers.get_by_role("link")).to_have_text(["−8", "+7", "+9"])
    answers.get_by_role("link", name="+7").press("Enter")
    expect(status(page)).to_contain_text("Not +7: O (MIN) takes the lowest")
    expect(page.locator("#answer-7")).to_be_focused()
    at_step(page, 7)
    answers.get_by_role("link", name="−8").press("Enter")
    expect(status(page)).to_contain_text("Right. Back to O (MIN)")
    expect(page.get_by_text("step 8 of 20")).to_be_visible()
    page.get_by_role("link", name="Show me").press("Enter")
    at_step(page, 9)
    expect(page.locator("#next")).to_be_focused()


# Without JavaScript


def test_without_javascript_all_of_it_is_links_and_forms(visit: Visit) -> None:
    page = visit(CLASSIC, java_script_enabled=False)
    for step in (1, 2, 3):
        page.locator("#next").click()
        at_step_in_text(page, step)
    page.get_by_role("link", name="Predict").click()
    page.locator("#answer-9").click()
    expect(status(page)).to_contain_text("Not +9")
    page.locator("#answer--8").click()
    expect(status(page)).to_contain_text("Right.")
    page.get_by_role("link", name="Alpha-beta").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Watch alpha-beta")
    scrubber(page).press("End")
    page.get_by_role("button", name="Go").click()
    expect(page.locator(".node.cut")).to_have_id("n54")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_hidden()


def at_step_in_text(page: Page, step: int) -> None:
    expect(page.get_by_text(re.compile(rf"^step {step} of "))).to_be_visible()
