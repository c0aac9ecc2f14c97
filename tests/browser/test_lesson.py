"""The lesson as a person takes it: on a phone, by keys, without script."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from teach.lesson.screens import LAST, SOLVED
from tests.browser.axe import violations, violations_in_both_themes
from tests.browser.conftest import Tabs, Visit
from tests.browser.person import HIGH, PLACES, WIDE, click, places, resize, wait_for_answer

PHONE: ViewportSize = {"width": 390, "height": 664}
DESKTOP = (1280, 800)
SIZES = [(320, 568), (390, 664), (844, 390), (768, 1024), (1280, 800)]
NUMBERS = range(1, LAST + 1)
# From each screen to the end of it: what is pressed, one after the other.
WAY = {
    1: ["#cell-4"],
    2: ["#cell-3", "#cell-2"],
    3: ["#cell-3", "#on", "#cell-5"],
    4: ["#n23", "#n35", "#n53", "#n3"],
    5: ["text=0", "text=−1", "text=0"],
    6: ["#n0"],
    7: ["#cell-1"],
    8: ["#cell-5", "#on", "#cell-1", "#cell-5", "#on", "#on"],
    9: ["#kid-0", "#up", "#kid-2"],
    10: ["#line-3", "#line-4", "#line-7"],
    11: ["text=500 thousand"],
    12: ["text=−5", "text=0", "text=✂ Cut it"],
    13: ["#n2", "#n3"],
    14: ["#cell-4", "#cell-1", "#cell-6", "#cell-5"],
}


def press(page: Page, what: str) -> None:
    """Press what is named: a part by its id, or a link by its text."""
    name = what.removeprefix("text=")
    link = page.locator("#stage, #foot, #after").get_by_role("link", name=name, exact=True)
    click(link if name != what else page.locator(what))


def solve(page: Page, n: int) -> None:
    """Press what the screen asks for, and then Next."""
    expect(page.locator(".count")).to_have_text(f"{n} of {LAST}")
    for what in WAY[n]:
        press(page, what)
    button = page.locator("#foot button").first
    expect(button).to_be_visible()
    button.click()


def test_the_lesson_is_taken_from_the_first_press_to_a_game(visit: Visit) -> None:
    page = visit("/learn/1", viewport=PHONE)
    for n in NUMBERS:
        solve(page, n)
    expect(page.locator("#board")).to_be_visible()
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(LAST)


def test_without_javascript_the_lesson_is_the_same(visit: Visit) -> None:
    """Solve a screen of each kind: a board, a strip, a tree, a map, code, a bet."""
    page = visit("/learn/1", viewport=PHONE, java_script_enabled=False)
    for n in (1, 7, 4, 9, 10, 11):
        page.goto(f"/learn/{n}")
        solve(page, n)
        expect(page.locator(".count")).to_have_text(f"{n + 1} of {LAST}")


def test_by_keys_alone_a_press_keeps_the_focus_or_hands_it_to_the_answer(visit: Visit) -> None:
    page = visit("/learn/4", viewport=PHONE)
    page.locator("#n25").focus()
    page.keyboard.press("Enter")
    wait_for_answer(page)
    expect(page.locator("#n25")).to_be_focused()
    expect(page.locator("#told")).to_contain_text("A draw? O can win here.")
    page.locator("#n23").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_be_focused()
    page.goto("/learn/1")
    stops = []
    for _ in range(8):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.id || document.activeElement.innerText"))
    assert stops[2:6] == ["cell-1", "cell-4", "cell-5", "Skip ›"]


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_last_press_brings_the_rule_and_next_in_sight(visit: Visit) -> None:
    page = visit("/learn/4?p=23&p=35&p=53", viewport=PHONE)
    height = f"() => scrollY + ({PLACES})(['#n2'])['#n2'][1]"
    tree = page.evaluate(height)
    press(page, "#n3")
    assert page.evaluate(height) == tree
    rule, button = page.locator("#after .card h2"), page.locator("#next")
    expect(button).to_be_in_viewport(ratio=1)
    expect(rule).to_be_in_viewport(ratio=1)


def test_on_a_phone_no_line_of_code_moves_until_the_last_press_which_keeps_what_is_said_in_sight(
    visit: Visit,
) -> None:
    page = visit("/learn/10", viewport=PHONE)
    lines = [f"#line-{n}" for n in range(1, 10)]
    before = places(page, *lines)
    for n in (1, 3, 4, 6):
        press(page, f"#line-{n}")
        expect(page.locator("#told")).to_contain_text(f"Line {n}.")
        assert places(page, *lines) == before, n
    press(page, "#line-7")
    expect(page.locator("#told p")).to_be_in_viewport(ratio=1)


def test_the_browsers_back_takes_a_press_back(visit: Visit) -> None:
    page = visit("/learn/2", viewport=PHONE)
    click(page.locator("#cell-5"))
    expect(page.locator("#after")).to_contain_text("O wins: it was quicker.")
    assert urlsplit(page.url).query == "p=5"
    page.go_back()
    expect(page.locator("#cell-5")).to_be_visible()
    assert urlsplit(page.url).query == ""


Shown = tuple[int, Page]


@pytest.fixture(scope="module", params=NUMBERS)
def asking(request: pytest.FixtureRequest, tabs: Tabs, heard: list[str]) -> Iterator[Shown]:
    """Open each screen once for all that is to hold before an answer."""
    yield from opened(request.param, "", tabs, heard)


@pytest.fixture(scope="module", params=NUMBERS)
def answered(request: pytest.FixtureRequest, tabs: Tabs, heard: list[str]) -> Iterator[Shown]:
    """Open each screen once for all that is to hold at its end."""
    yield from opened(request.param, SOLVED[str(request.param)], tabs, heard)


def opened(n: int, query: str, tabs: Tabs, heard: list[str]) -> Iterator[Shown]:
    tabs.forget()
    heard.clear()
    page = tabs.tab("answered" if query else "asking", viewport=PHONE)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/learn/{n}?{query}")
    yield n, page
    assert not heard


def test_the_request_and_the_first_thing_to_press_are_in_sight(asking: Shown) -> None:
    _, page = asking
    for width, height in SIZES:
        resize(page, (width, height))
        found = places(page, "#foot", "#stage a", ".say")
        (_, foot, _, _), (_, top, _, end), (_, _, _, said) = found.values()
        assert top + min(end - top, 44) <= (foot if width < 800 and height > 480 else height)
        assert said <= height
        assert page.evaluate(WIDE) <= width


def test_on_a_phone_most_screens_are_one_look_and_none_is_three(asking: Shown) -> None:
    n, page = asking
    page.set_viewport_size(PHONE)
    assert page.evaluate(HIGH) <= (664 if n <= 9 or n == 12 else 1328)


def test_on_a_phone_no_answered_screen_is_three_looks(answered: Shown) -> None:
    _, page = answered
    page.set_viewport_size(PHONE)
    assert page.evaluate(HIGH) <= 1328


@pytest.mark.parametrize("answered", [4, 5, 6, 8, 12], indirect=True)
def test_on_a_phone_a_rule_begins_in_sight_and_ends_before_the_way_on(answered: Shown) -> None:
    _, page = answered
    page.set_viewport_size(PHONE)
    page.evaluate("scrollTo(0, 0)")
    rule, foot = page.locator("#after .card").last, page.locator("#foot")
    first = rule.locator("h2").bounding_box()
    assert first and first["y"] + first["height"] + 44 <= 664
    foot.scroll_into_view_if_needed()
    seen = places(page, "#after .card:last-of-type", "#foot")
    (_, _, _, end), (_, way, _, _) = seen.values()
    assert 0 < end <= way


@pytest.mark.parametrize("asking", [4, 5, 6, 9, 12, 13], indirect=True)
def test_on_a_desktop_every_board_of_a_tree_is_56_px_wide(asking: Shown) -> None:
    _, page = asking
    resize(page, DESKTOP)
    widths = "all => all.filter(it => it.offsetParent).map(it => it.clientWidth)"
    assert min(page.locator("#stage .pic").evaluate_all(widths)) >= 56


def test_what_is_pressed_is_large_enough_for_a_finger(asking: Shown) -> None:
    n, page = asking
    resize(page, (320, 568))
    boxes = page.locator("#stage a, #foot a, .back").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect())"
    )
    assert all(box["width"] and box["height"] for box in boxes)
    assert n == 10 or all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)


def test_axe_finds_nothing_before(asking: Shown) -> None:
    _, page = asking
    page.set_viewport_size(PHONE)
    assert not violations(page)


# What a chip's colours lose by what it stands in being faint, which axe does not count.
FAINT = """() => [...document.querySelectorAll(".chip")].filter(chip => {
    for (let one = chip; one; one = one.parentElement)
        if (getComputedStyle(one).opacity < 1) return true
}).map(chip => chip.innerText)"""


def test_axe_finds_nothing_after(answered: Shown) -> None:
    _, page = answered
    page.set_viewport_size(PHONE)
    assert not violations_in_both_themes(page)
    assert not page.evaluate(FAINT)


def test_printed_a_screen_is_a_worksheet_without_answers(visit: Visit) -> None:
    page = visit("/learn/4?" + SOLVED["4"])
    page.emulate_media(media="print")
    for gone in ("#after", "#foot", ".edges.over", ".back"):
        expect(page.locator(gone).first).to_be_hidden()
    color = page.locator(".L1 > .chip").first.evaluate("it => getComputedStyle(it).color")
    assert color == "rgba(0, 0, 0, 0)"
