"""The lesson as a person takes it: on a phone, by keys, without script."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from teach.lesson.screens import LAST, SOLVED
from tests.browser.axe import violations, violations_in_both_themes
from tests.browser.conftest import Visit
from tests.browser.person import click, wait_for_answer

PHONE: ViewportSize = {"width": 390, "height": 664}
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


def test_the_browsers_back_takes_a_press_back(visit: Visit) -> None:
    page = visit("/learn/2", viewport=PHONE)
    click(page.locator("#cell-5"))
    expect(page.locator("#after")).to_contain_text("O wins: it was quicker.")
    assert urlsplit(page.url).query == "p=5"
    page.go_back()
    expect(page.locator("#cell-5")).to_be_visible()
    assert urlsplit(page.url).query == ""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_request_and_the_first_thing_to_press_are_in_sight(
    visit: Visit, width: int, height: int
) -> None:
    page = visit("/learn/1", viewport={"width": width, "height": height})
    for n in NUMBERS:
        page.goto(f"/learn/{n}")
        foot = page.locator("#foot").bounding_box()
        first = page.locator("#stage a").first.bounding_box()
        say = page.locator(".say").bounding_box()
        assert foot and first and say
        bottom = foot["y"] if width < 800 and height > 480 else height
        assert first["y"] + min(first["height"], 44) <= bottom, f"screen {n}"
        assert say["y"] + say["height"] <= height
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"screen {n}"


def test_on_a_phone_most_screens_are_one_look_and_none_is_three(visit: Visit) -> None:
    page = visit("/learn/1", viewport=PHONE)
    for n in NUMBERS:
        for query in ("", SOLVED[str(n)]):
            page.goto(f"/learn/{n}?{query}")
            high = page.evaluate("document.documentElement.scrollHeight")
            assert high <= (664 if not query and (n <= 9 or n == 12) else 1328), f"screen {n}"


def test_on_a_phone_a_rule_begins_in_sight_and_ends_before_the_way_on(visit: Visit) -> None:
    page = visit("/learn/1", viewport=PHONE)
    for n in (4, 5, 6, 8, 12):
        page.goto(f"/learn/{n}?{SOLVED[str(n)]}")
        rule, foot = page.locator("#after .card").last, page.locator("#foot")
        first = rule.locator("h2").bounding_box()
        assert first and first["y"] + first["height"] + 44 <= 664, f"screen {n}"
        foot.scroll_into_view_if_needed()
        last, way = rule.bounding_box(), foot.bounding_box()
        assert last and way and last["y"] + last["height"] <= way["y"], f"screen {n}"


def test_on_a_desktop_every_board_of_a_tree_is_56_px_wide(visit: Visit) -> None:
    page = visit("/learn/4", viewport={"width": 1280, "height": 800})
    for n in (4, 5, 6, 9, 12, 13):
        page.goto(f"/learn/{n}")
        widths = "all => all.filter(it => it.offsetParent).map(it => it.clientWidth)"
        assert min(page.locator("#stage .pic").evaluate_all(widths)) >= 56, f"screen {n}"


def test_what_is_pressed_is_large_enough_for_a_finger(visit: Visit) -> None:
    page = visit("/learn/1", viewport={"width": 320, "height": 568})
    for n in NUMBERS:
        page.goto(f"/learn/{n}")
        for link in page.locator("#stage a, #foot a, .back").all():
            box = link.bounding_box()
            assert box and (n == 10 or (box["width"] >= 44 and box["height"] >= 44)), f"screen {n}"


@pytest.mark.parametrize("n", NUMBERS)
def test_axe_finds_nothing_before_and_after(visit: Visit, n: int) -> None:
    page = visit(f"/learn/{n}", viewport=PHONE)
    page.emulate_media(reduced_motion="reduce")
    assert not violations(page)
    page.goto(f"/learn/{n}?{SOLVED[str(n)]}")
    assert not violations_in_both_themes(page)


def test_printed_a_screen_is_a_worksheet_without_answers(visit: Visit) -> None:
    page = visit("/learn/4?" + SOLVED["4"])
    page.emulate_media(media="print")
    for gone in ("#after", "#foot", ".edges.over", ".back"):
        expect(page.locator(gone).first).to_be_hidden()
    color = page.locator(".L1 > .chip").first.evaluate("it => getComputedStyle(it).color")
    assert color == "rgba(0, 0, 0, 0)"
