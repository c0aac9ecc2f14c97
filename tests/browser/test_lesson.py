"""The lesson as a person takes it: on a phone, by keys, without script."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from teach.lesson.screens import LAST, SOLVED
from tests.browser.conftest import Visit
from tests.browser.person import PLACES, click, places, resize, wait_for_answer

PHONE: ViewportSize = {"width": 390, "height": 664}
DESKTOP = (1280, 800)
SIZES = [(320, 568), (390, 664), (844, 390), (768, 1024), (1280, 800)]
NUMBERS = range(1, LAST + 1)
ASKING = {f"{n} asked": f"/learn/{n}" for n in NUMBERS}
ANSWERED = {f"{n} answered": f"/learn/{n}?{SOLVED[str(n)]}" for n in NUMBERS}
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
    9: ["#n2", "text=‹ All five", "#n8"],
    10: ["#line-3", "#line-4", "#line-7"],
    11: ["text=500,000"],
    12: ["text=−5", "text=0", "text=✂ Cut it", "text=✂ Cut it"],
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
    button = page.locator("#next")
    expect(button).to_be_visible()
    button.click()


def test_the_lesson_is_taken_from_the_first_press_to_a_game(visit: Visit) -> None:
    page = visit("/learn/1", viewport=PHONE)
    for n in NUMBERS:
        solve(page, n)
    expect(page.locator("h1")).to_have_text("Now you know what I know.")
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(LAST)


def test_a_press_that_solves_a_screen_ticks_it_at_once_but_no_page_opened_does(
    visit: Visit,
) -> None:
    page = visit("/learn/1?p=4", viewport=PHONE)
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(0)
    page.goto("/learn/1")
    with page.expect_response("**/learn/1/done"):
        press(page, "#cell-4")
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(1)


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
    assert stops[2:6] == ["cell-1", "cell-4", "cell-5", "Skip\N{NO-BREAK SPACE}›"]


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_last_press_brings_the_rule_and_next_in_sight(visit: Visit) -> None:
    page = visit("/learn/4?p=23&p=35&p=53", viewport=PHONE)
    height = f"() => scrollY + ({PLACES})(['#n2'])['#n2'][1]"
    tree = page.evaluate(height)
    press(page, "#n3")
    assert page.evaluate(height) == tree
    for shown in ("#next", "#after .card"):
        expect(page.locator(shown)).to_be_in_viewport(ratio=1)


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
    expect(page.locator("#told")).to_be_in_viewport(ratio=1)


def test_the_browsers_back_takes_a_press_back(visit: Visit) -> None:
    page = visit("/learn/2", viewport=PHONE)
    click(page.locator("#cell-5"))
    expect(page.locator("#after")).to_contain_text("O wins: it was quicker.")
    assert urlsplit(page.url).query == "p=5"
    page.go_back()
    expect(page.locator("#cell-5")).to_be_visible()
    assert urlsplit(page.url).query == ""


SEEN = """() => {
    const boards = [...document.querySelectorAll("#stage .pic")].filter(one => one.offsetParent)
    const pressed = [...document.querySelectorAll("#stage a, #foot a, .back")]
    return {
        high: document.documentElement.scrollHeight, wide: document.documentElement.scrollWidth,
        boards: boards.map(one => one.clientWidth),
        pressed: pressed.map(one => one.getBoundingClientRect()).map(at => [at.width, at.height]),
    }
}"""


@pytest.mark.parametrize("n", NUMBERS)
def test_a_request_and_what_to_press_are_in_sight(visit: Visit, n: int) -> None:
    """On a phone most screens are one look, and none is three."""
    page = visit(ASKING[f"{n} asked"])
    for width, height in SIZES:
        resize(page, (width, height))
        found = places(page, "#foot", "#stage a", ".say")
        (_, foot, _, _), (_, top, _, end), (_, _, _, said) = found.values()
        assert top + min(end - top, 44) <= (foot if width < 800 and height > 480 else height)
        assert said <= height
        seen = page.evaluate(SEEN)
        assert seen["wide"] <= width
        assert all(min(size) >= (1 if n == 10 else 44) for size in seen["pressed"]), seen
        if (width, height) == (390, 664):
            assert seen["high"] <= (664 if n <= 9 or n == 12 else 1328)
        if (width, height) == (1280, 800) and n in (4, 5, 6, 9, 12, 13):
            assert min(seen["boards"]) >= 56


# What a chip's colours lose by what it stands in being faint, which axe does not count.
FAINT = """() => [...document.querySelectorAll(".chip")].filter(chip => {
    for (let one = chip; one; one = one.parentElement)
        if (getComputedStyle(one).opacity < 1) return true
}).map(chip => chip.innerText)"""


@pytest.mark.parametrize("n", NUMBERS)
def test_an_answered_screen_has_its_rule_and_the_way_on_in_one_look_on_a_phone(
    visit: Visit, n: int
) -> None:
    page = visit(ANSWERED[f"{n} answered"], viewport=PHONE)
    assert not page.evaluate(FAINT)
    expect(page.locator("#next")).to_be_in_viewport(ratio=1)
    said = "#told p:last-child" if n == 10 else "#after .card p:last-of-type"
    (_, _, _, end), (_, foot, _, _) = places(page, said, "#foot").values()
    assert end <= foot


def test_printed_a_screen_is_a_worksheet_without_answers(visit: Visit) -> None:
    page = visit("/learn/4?" + SOLVED["4"])
    page.emulate_media(media="print")
    for gone in ("#after", "#foot", ".edges.over", ".back"):
        expect(page.locator(gone).first).to_be_hidden()
    color = page.locator(".L1 > .chip").first.evaluate("it => getComputedStyle(it).color")
    assert color == "rgba(0, 0, 0, 0)"
