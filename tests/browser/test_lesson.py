"""The lesson as people take it: on a phone, by keyboard, without JavaScript."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from teach.lesson.screen import State, next_states
from teach.lesson.screens import LAST_SCREEN, SOLVING_QUERIES, states
from tests.browser.conftest import Visit, moving
from tests.browser.person import (
    DESKTOP,
    MARK_AS_SWAPPED,
    MOMENTS,
    PAGE_HEIGHT,
    PHONE,
    PLACES,
    REPLACE_BODY,
    SMALL,
    Screen,
    click,
    places,
    press,
    press_without_script,
    replace_body,
    resize,
    text,
    wait_for_answer,
)
from tests.positions import only_in_soak, sample

NUMBERS = range(1, LAST_SCREEN + 1)
ASKED = {str(n): f"/learn/{n}" for n in NUMBERS}
ANSWERED = {str(n): f"/learn/{n}?{SOLVING_QUERIES[str(n)]}" for n in NUMBERS}
LOOK, PRUNE = ".bubble .act:first-of-type", "text=✂ Prune"
# For each screen, the clicks that solve it, in order.
SOLUTION_CLICKS = {
    1: ["#cell-4"],
    2: ["#cell-3", "#cell-2"],
    3: ["#cell-3", "#on", "#cell-5"],
    4: ["#n23", "#n35", "#n53", "#n3"],
    5: ["text=0", "text=−1", "text=0"],
    6: ["#n0"],
    7: ["#cell-2", "#cell-6", "#cell-0", "#back", "#cell-0"],
    8: ["#cell-5", "#on", "#cell-1", "#cell-5", "#on", "#on"],
    9: ["#n2", "#n3", "#n8", "#n8"],
    10: ["#line-4", "#line-7", "#line-3", "#line-8"],
    11: ["text=500,000"],
    12: [
        *("text=−5", "text=0", PRUNE, PRUNE, "#on"),
        *(PRUNE, "#on", PRUNE, LOOK, "#on"),
        *(LOOK, PRUNE),
    ],
    13: ["#n2", "#n3"],
    14: ["#cell-4", "#cell-1", "#cell-6", "#cell-5"],
}


@pytest.mark.parametrize("has_javascript", [True, *only_in_soak([False])])
def test_the_lesson_can_be_taken_from_the_first_press_to_a_game(
    visit: Visit, has_javascript: bool
) -> None:
    page = visit("/learn/1", screen=PHONE, java_script_enabled=has_javascript)
    press_one = press if has_javascript else press_without_script
    for n in NUMBERS:
        assert text(page, ".count") == f"{n} of {LAST_SCREEN}"
        for what in SOLUTION_CLICKS[n]:
            press_one(page, what)
        press_without_script(page, "#next")
    expect(page.locator("h1")).to_have_text("Now you know what I know.")
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(LAST_SCREEN)
    track, done = places(page, ".track", ".track rect").values()
    assert done == pytest.approx(track, abs=0.5)


def test_solving_a_screen_checks_it_off_at_once(
    visit: Visit,
) -> None:
    page = visit("/learn/1?p=4", screen=PHONE)
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(0)
    page.goto("/learn/1")
    with page.expect_response("**/learn/1/done"):
        press(page, "#cell-4")
    page.locator("#next").click()
    expect(page.locator(".count")).to_have_text(f"2 of {LAST_SCREEN}")
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(1)


def test_with_keys_only_the_focus_stays_or_moves_to_the_answer(visit: Visit) -> None:
    page = visit("/learn/4", screen=PHONE)
    page.locator("#n25").focus()
    page.keyboard.press("Enter")
    wait_for_answer(page)
    expect(page.locator("#n25")).to_be_focused()
    expect(page.locator("#told")).to_contain_text("A draw? O can do better: it wins here.")
    page.locator("#n23").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_be_focused()
    page.goto("/learn/1")
    stops = []
    for _ in range(8):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.id || document.activeElement.innerText"))
    assert stops[2:6] == ["cell-1", "cell-4", "cell-5", "Skip\N{NO-BREAK SPACE}›"]


@pytest.mark.parametrize("motion", sample(2, ["reduce", "no-preference"]))
def test_the_last_press_shows_the_rule_and_next(visit: Visit) -> None:
    page = visit("/learn/4?p=23&p=35&p=53", screen=PHONE)
    height = f"() => scrollY + ({PLACES})(['#n2'])['#n2'][1]"
    tree = page.evaluate(height)
    press(page, "#n3")
    assert page.evaluate(height) == pytest.approx(tree, abs=1)
    for shown in ("#next", "#after .card"):
        expect(page.locator(shown)).to_be_in_viewport(ratio=1)
    page.goto("/learn/12?p=1&p=-5")
    assert page.evaluate(PAGE_HEIGHT) == PHONE[1]
    page.goto("/learn/7?seen=2")
    press(page, "#cell-0")
    expect(page.locator("#next")).to_be_visible()
    assert page.evaluate(PAGE_HEIGHT) == PHONE[1]  # its answer and its title stay in view


ABOVE_THE_FOOT = """css => {
    const [said, foot] = [css, "#foot"].map(css => document.querySelector(css))
    return said?.getBoundingClientRect().bottom <= foot.getBoundingClientRect().top
}"""
# A screen, what is clicked, and the element with the answer.
ANSWERS = (
    ("4?p=23&p=35&p=53", "#n3", "#after .card"),
    ("5", ".choices > :first-child", ".bubble:has(.remark, .tick, span)"),
    ("5?p=3", ".choices > :nth-child(2)", ".bubble"),
    ("5?p=3&p=5", ".choices > :last-child", ".bubble"),
    ("6", "#n1", "#after .card"),
    ("6", "#n6", "#after .card"),
    ("7", "#cell-0", "#after .card"),
    ("9?seen=2&seen=3&seen=5&seen=6&at=6", "#n8", ".bubble .strip"),
    ("12", ".choices > :last-child", ".bubble:has(.on)"),
    ("12?p=-5", ".choices > :first-child", ".bubble:has(.act)"),
    ("12?at=numbers", ".bubble .act:first-of-type", ".bubble"),
    ("12?p=look&at=numbers", ".bubble .act", "#after .card"),
    ("12?at=other", ".bubble .act:first-of-type", ".bubble"),
    ("12?p=look&at=other", ".bubble .act", "#after .card"),
    ("12?p=cut&at=other", ".aside summary", ".aside p"),
    ("14", "#cell-2", "#after .card"),  # taller than the screen
    ("14?p=4", "#cell-2", "#after .card"),
)


@pytest.mark.parametrize("motion", sample(2, ["reduce", "no-preference"]))
@pytest.mark.parametrize("screen", sample(2, [SMALL, PHONE]), ids=str)
def test_on_a_phone_an_answer_scrolls_into_view_above_the_footer(
    visit: Visit, screen: Screen
) -> None:
    page = visit("/learn/5", screen=screen)
    for address, pressed, answer in sample(5, ANSWERS):
        page.goto(f"/learn/{address}")
        click(page.locator(f":is(#stage, #after) {pressed}"))
        page.wait_for_function(ABOVE_THE_FOOT, arg=answer)


# The question, what is clicked, the answer, and the next step.
KEY_PARTS = (".bubble", ".code a:last-child", "#after .card", ".ways .act", ".ways summary")
# Two screens end with another picture than they start with.
SAME_PICTURE = {
    "3": "/learn/3?p=3",
    "12": "/learn/12?p=0&p=-5&p=cut",
}


def below_the_foot(boxes: dict[str, list[float]]) -> list[str]:
    return [name for name in KEY_PARTS if (boxes[name][3] or 0) > boxes["#foot"][1]]


# Of each page: the class of its tree, if it has one; where the parts of its picture stand, in
# whatever order; and, by their words, where the title, the request and the choices stand.
STANDS = """async paths => {
    const pages = []
    for (const path of paths) {
        const answer = await fetch(path)
        document.body = new DOMParser().parseFromString(await answer.text(), "text/html").body
        const all = css => [...document.querySelectorAll(css)]
        const box = element => {
            const {left, top, right, bottom} = element.getBoundingClientRect()
            // code scrolls in its box
            const edge = element.parentElement.getBoundingClientRect().right
            const end = element.matches(".code *") ? edge : right
            return [left, top + scrollY, end, bottom + scrollY]
        }
        const parts = all("#stage :is(.cell, .shape, .areas, .code > *)").map(box)
        pages.push([
            all("#stage .tree").map(element => element.className).join(),
            parts.sort((part, other) => part[1] - other[1] || part[0] - other[0]),
            Object.fromEntries(all("h1, .say, .choices > *, #stage .act")
                .map(element => [
                    element.matches(".say") ? "say" : element.innerText, box(element)])),
        ])
    }
    return pages
}"""
# Screen 9 is first, because its tree moved most: sample(14, ...) takes only the first.
SCREEN_9_FIRST = [9, *(n for n in NUMBERS if n != 9)]


@pytest.mark.parametrize("screen", sample(3, [PHONE, SMALL, DESKTOP]), ids=str)
@pytest.mark.parametrize("n", sample(LAST_SCREEN, SCREEN_9_FIRST))
def test_no_press_moves_the_picture_or_the_next_control(
    visit: Visit, n: int, screen: Screen
) -> None:
    page = visit(f"/learn/{n}", screen=screen)
    # Results that were seen on a board are written on its squares: two of them are enough to test.
    tested = {
        state: lesson_screen
        for state, lesson_screen in states(str(n)).items()
        if lesson_screen.kind != "board" or len(state.seen_presses) < 3
    }
    measured = page.evaluate(STANDS, [f"/learn/{n}?{state.query}" for state in tested])
    stands: dict[State, Any] = dict(zip(tested, measured, strict=True))
    moved = []
    for state, lesson_screen in tested.items():
        picture, parts, pressed = stands[state]
        for after in stands.keys() & {*next_states(lesson_screen)}:
            other, others, next_pressed = stands[after]
            same = pressed.keys() & next_pressed.keys()
            pairs = [(pressed[name], next_pressed[name]) for name in same]
            pairs += zip(parts, others, strict=True) if picture == other else ()
            max_shift = max(abs(a - b) for pair in pairs for a, b in zip(*pair, strict=True))
            if max_shift > 1:
                moved.append(f"{state.query} -> {after.query}: {max_shift} px")
    assert not moved, "\n".join(moved)


@pytest.mark.parametrize("screen", sample(3, [PHONE, SMALL, DESKTOP]), ids=str)
def test_a_solved_screen_stays_in_place_and_next_is_not_where_skip_was(
    visit: Visit, screen: Screen
) -> None:
    """The middle of Next is left of Skip, on every screen."""
    page = visit("/learn/1", screen=screen)
    edges = set()
    for n in map(str, NUMBERS):
        unsolved = replace_body(page, ASKED[n], "#stage", "#foot > .past", "#foot", *KEY_PARTS)
        solved = replace_body(page, ANSWERED[n], "#stage", "#next", "#foot", *KEY_PARTS)
        left, top, right, bottom = unsolved["#foot > .past"]
        next_box = solved["#next"]
        assert (next_box[0] + next_box[2]) / 2 < left - 16, n
        assert right - left >= 44 and bottom - top >= 44
        edges.add(right)
        if screen == PHONE or (screen == SMALL and n in ("4", "5", "9", "10", "12")):
            assert not below_the_foot(unsolved), n
        if screen == PHONE:
            assert not below_the_foot(solved), n
        if screen != DESKTOP:
            assert top == pytest.approx(next_box[1], abs=0.5)
            if n in SAME_PICTURE:
                solved = replace_body(page, SAME_PICTURE[n], "#stage")
            assert solved["#stage"][1] == unsolved["#stage"][1], n
    assert len(edges) == 1


def test_on_a_phone_no_line_of_code_moves_before_the_last_press(
    visit: Visit,
) -> None:
    page = visit("/learn/10", screen=PHONE)
    lines = [f"#line-{n}" for n in range(1, 10)]
    before = places(page, *lines)
    for n in (1, 4, 5, 6, 7, 3):
        press(page, f"#line-{n}")
        expect(page.locator(f"#line-{n}")).to_have_attribute("aria-current", "true")
        assert places(page, *lines) == before, n
    press(page, "#line-8")
    expect(page.locator("#told")).to_be_in_viewport(ratio=1)


def moments(page: Page, path: str, look: str, args: list[Any]) -> Any:
    """Show a page and read its state at some moments, before any animation ends."""
    open_page = f"await ({REPLACE_BODY})([path, []]); {MARK_AS_SWAPPED}"
    at_once = f"async ([path, args]) => {{ {open_page}; return ({look})(args) }}"
    return page.evaluate(at_once, [path, args])


@moving
@pytest.mark.parametrize(("press", "line"), [(2, [0, 3, 6]), (3, [])])
def test_on_a_board_the_mark_comes_first_then_the_line_then_the_words(
    visit: Visit, press: int, line: list[int]
) -> None:
    page = visit("/learn/2", screen=PHONE)
    args = [[*range(0, 1200, 50)], ["#after .card"]]
    states_seen = moments(page, f"/learn/2?p={press}", MOMENTS, args)
    reply = page.locator(".cell.reply").get_attribute("id")
    words_at = 900 if line else 650
    for now in states_seen:
        time, fills = now["time"], {f"cell-{press}"}
        if time >= 350 and not line:
            fills.add(str(reply))
        fills |= {f"cell-{square}" for nth, square in enumerate(line) if time > 650 + 90 * nth}
        earliest, latest = ([reply] if time < limit else [] for limit in (350, 550))
        assert now["invisible"] in (earliest, latest), time
        assert {*now["filled"]} == fills, time
        assert now["faintest"] == 1 or time >= words_at, time
        assert now["opacities"]["#after .card"] == 0 or time >= words_at, time
    assert now["opacities"]["#after .card"] == 1


@moving
def test_the_boards_of_a_line_appear_one_after_the_other(visit: Visit) -> None:
    page = visit("/learn/9", screen=PHONE)
    boards = [f"#told .strip > :nth-child({n})" for n in (1, 2)]
    path = "/learn/9?seen=8&at=8"
    states_seen = moments(page, path, MOMENTS, [[*range(0, 1400, 50)], boards])
    shown = [[now["opacities"][board] > 0.5 for board in boards] for now in states_seen]
    assert shown[0] == [False, False] and shown[-1] == [True, True]
    assert shown.count([True, False]) == 350 // 50 and [False, True] not in shown
    last = page.locator(f"{boards[1]} .wins.last")
    assert last.evaluate("element => getComputedStyle(element).stroke") != "none", (
        "the new mark must be framed"
    )


LIT = """times => times.map(time => {
    for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = time
    }
    const lit = level => [...document.querySelectorAll(`.grown .level-${level}`)]
        .map(element => parseFloat(getComputedStyle(element).strokeDashoffset) < .5)
    const shown = css => getComputedStyle(document.querySelector(css)).opacity > .5
        && getComputedStyle(document.querySelector(css)).visibility == "visible"
    return [lit(3), lit(2), lit(1), shown(".graduation .face"), shown(".graduation .down")]
})"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_after_the_last_screen_the_tree_lights_up_from_leaves_to_root(
    visit: Visit, motion: str
) -> None:
    page = visit("/learn/end", screen=PHONE)
    states_seen = moments(page, "/learn/end", LIT, [*range(0, 1300, 50)])
    for lit in states_seen if motion == "reduce" else states_seen[-1:]:
        assert [len(level) for level in lit[:3]] == [8, 4, 2]
        assert all(all(level) for level in lit[:3]) and lit[3] and lit[4]
    if motion != "reduce":
        assert not any(any(level) for level in states_seen[0][:3]) and not states_seen[0][4]
        for below, above, root, face, said in states_seen:
            assert all(below) or not any(above), "a level must not be lit before all below it is"
            assert all(above) or not any(root)
            assert all(root) or not face
            assert face or not said


# The distance in pixels between an edge and the name of its move below.
ABOVE = """() => [...document.querySelectorAll(".tree .move")]
    .filter(element => element.checkVisibility())
    .flatMap(element => [...element.closest("ol").previousElementSibling.children].map(lines =>
        element.getBoundingClientRect().top - lines.getBoundingClientRect().bottom))"""


def test_no_edge_of_a_tree_touches_the_name_of_a_move(visit: Visit) -> None:
    for path in ("/learn/4?p=23&p=35", "/learn/9?seen=8&at=8"):
        page = visit(path)
        for screen in (SMALL, (390, 844), (844, 390), DESKTOP):
            resize(page, screen)
            gaps = page.evaluate(ABOVE)
            assert gaps and min(gaps) >= 3, (path, screen)
