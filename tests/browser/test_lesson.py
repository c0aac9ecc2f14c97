"""The lesson as people take it: on a phone, by keyboard, without JavaScript."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from teach.lesson.screen import State, next_states
from teach.lesson.screens import LAST_SCREEN, SOLVING_QUERIES, states
from tests.browser.conftest import Visit, moving
from tests.browser.person import (
    DESKTOP,
    MARK_AS_SWAPPED,
    PAGE_HEIGHT,
    PHONE,
    READ_MOMENTS,
    READ_PLACES,
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
UNSOLVED_PATHS = {str(number): f"/learn/{number}" for number in NUMBERS}
SOLVED_PATHS = {
    str(number): f"/learn/{number}?{SOLVING_QUERIES[str(number)]}" for number in NUMBERS
}
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


# `make soak` takes all screens, otherwise the first, the last and one between, because
# tests/test_lesson.py solves all of them without a browser.
TAKEN = only_in_soak(NUMBERS) or (1, 5, LAST_SCREEN)


@pytest.mark.parametrize("has_javascript", [True, *only_in_soak([False])])
def test_the_lesson_can_be_taken_from_the_first_press_to_a_game(
    visit: Visit, has_javascript: bool
) -> None:
    page = visit("/learn/1", screen=PHONE, java_script_enabled=has_javascript)
    press_target = press if has_javascript else press_without_script
    for number in TAKEN:
        if number - 1 not in TAKEN:  # otherwise Next has led here
            page.goto(f"/learn/{number}")
        for target in SOLUTION_CLICKS[number]:
            press_target(page, target)
        press_without_script(page, "#next")
        if number < LAST_SCREEN:
            assert text(page, ".count") == f"{number + 1} of {LAST_SCREEN}"
    expect(page.locator("h1")).to_have_text("Now you know what I know.")
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(len(TAKEN))
    track, done_part = places(page, ".track", ".track rect").values()
    left, top, right, bottom = track
    done_right = left + len(TAKEN) / LAST_SCREEN * (right - left)
    assert done_part == pytest.approx([left, top, done_right, bottom], abs=0.5)


def test_the_address_of_a_solved_screen_checks_nothing_off(visit: Visit) -> None:
    page = visit("/learn/1?p=4", screen=PHONE)
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(0)


def test_solving_a_screen_checks_it_off_at_once(visit: Visit) -> None:
    page = visit("/learn/1", screen=PHONE)
    with page.expect_response("**/learn/1/done"):
        press(page, "#cell-4")
    page.locator("#next").click()
    expect(page.locator(".count")).to_have_text(f"2 of {LAST_SCREEN}")
    page.goto("/learn")
    expect(page.locator("li.done")).to_have_count(1)


def test_after_a_key_the_focus_stays_or_moves_to_the_answer(visit: Visit) -> None:
    page = visit("/learn/4", screen=PHONE)
    page.locator("#n25").focus()
    page.keyboard.press("Enter")
    wait_for_answer(page)
    expect(page.locator("#n25")).to_be_focused()
    expect(page.locator("#told")).to_contain_text("A draw? O can do better: it wins here.")
    page.locator("#n23").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_be_focused()


def test_tab_goes_over_the_empty_squares_to_skip(visit: Visit) -> None:
    page = visit("/learn/1", screen=PHONE)
    get_name = "document.activeElement.id || document.activeElement.innerText"
    tab_stops = []
    for _ in range(8):
        page.keyboard.press("Tab")
        tab_stops.append(page.evaluate(get_name))
    assert tab_stops[2:6] == ["cell-1", "cell-4", "cell-5", "Skip\N{NO-BREAK SPACE}›"]


@pytest.mark.parametrize("motion", sample(2, ["reduce", "no-preference"]))
def test_the_last_press_shows_the_rule_and_next_and_moves_no_tree(visit: Visit) -> None:
    page = visit("/learn/4?p=23&p=35&p=53", screen=PHONE)
    top_of_tree = f"() => scrollY + ({READ_PLACES})(['#n2'])['#n2'][1]"
    top_before = page.evaluate(top_of_tree)
    press(page, "#n3")
    assert page.evaluate(top_of_tree) == pytest.approx(top_before, abs=1)
    for css in ("#next", "#after .card"):
        expect(page.locator(css)).to_be_in_viewport(ratio=1)


def test_screen_12_after_two_presses_fits_on_a_phone(visit: Visit) -> None:
    page = visit("/learn/12?p=1&p=-5", screen=PHONE)
    assert page.evaluate(PAGE_HEIGHT) == PHONE[1]


@pytest.mark.parametrize("motion", sample(2, ["reduce", "no-preference"]))
def test_the_answer_on_a_board_fits_on_a_phone_together_with_its_title(visit: Visit) -> None:
    page = visit("/learn/7?seen=2", screen=PHONE)
    press(page, "#cell-0")
    expect(page.locator("#next")).to_be_visible()
    assert page.evaluate(PAGE_HEIGHT) == PHONE[1]


IS_ABOVE_THE_FOOT = """css => {
    const [answer, foot] = [css, "#foot"].map(css => document.querySelector(css))
    return answer?.getBoundingClientRect().bottom <= foot.getBoundingClientRect().top
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
        page.wait_for_function(IS_ABOVE_THE_FOOT, arg=answer)


# The question, what is clicked, the answer, and the next step.
KEY_PARTS = (".bubble", ".code a:last-child", "#after .card", ".ways .act", ".ways summary")
# Two screens end with another picture than they start with. These states still have the first one.
FIRST_PICTURE_PATHS = {
    "3": "/learn/3?p=3",
    "12": "/learn/12?p=0&p=-5&p=cut",
}


BOXES_BY_SCREEN: dict[Screen, dict[str, dict[str, list[float]]]] = {}


def read_boxes(visit: Visit, screen: Screen) -> dict[str, dict[str, list[float]]]:
    """Return the places of the parts of each page, by its path, read once for three tests."""
    if screen not in BOXES_BY_SCREEN:
        page = visit("/learn/1", screen=screen)
        paths = (UNSOLVED_PATHS, SOLVED_PATHS, FIRST_PICTURE_PATHS)
        selectors = ("#foot", "#foot > .past", "#next", "#stage", *KEY_PARTS)
        BOXES_BY_SCREEN[screen] = {
            path: replace_body(page, path, *selectors)
            for path in chain.from_iterable(group.values() for group in paths)
        }
    return BOXES_BY_SCREEN[screen]


def key_parts_below_the_foot(boxes: dict[str, list[float]]) -> list[str]:
    return [css for css in KEY_PARTS if (boxes[css][3] or 0) > boxes["#foot"][1]]


class Layout(NamedTuple):
    """What a page of the lesson shows, and where."""

    tree_class: str  # "" on a page without a tree
    picture_boxes: list[list[float]]  # of the parts of the picture, from the top to the bottom
    control_boxes: dict[str, list[float]]  # of the title, the request and the choices, by text


# The fields of the `Layout` of each page.
READ_LAYOUTS = """async paths => {
    const pages = []
    for (const path of paths) {
        const answer = await fetch(path)
        document.body = new DOMParser().parseFromString(await answer.text(), "text/html").body
        const all = css => [...document.querySelectorAll(css)]
        const box = element => {
            const {left, top, right, bottom} = element.getBoundingClientRect()
            // code scrolls in its box
            const edge = element.parentElement.getBoundingClientRect().right
            const visibleRight = element.matches(".code *") ? edge : right
            return [left, top + scrollY, visibleRight, bottom + scrollY]
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
SCREEN_9_FIRST = [9, *(number for number in NUMBERS if number != 9)]


def largest_shift(layout: Layout, next_layout: Layout) -> float:
    """Return by how many pixels something moves that is on both pages."""
    controls = layout.control_boxes.keys() & next_layout.control_boxes.keys()
    pairs = [(layout.control_boxes[text], next_layout.control_boxes[text]) for text in controls]
    if layout.tree_class == next_layout.tree_class:
        pairs += zip(layout.picture_boxes, next_layout.picture_boxes, strict=True)
    return max(
        abs(edge - next_edge)
        for box, next_box in pairs
        for edge, next_edge in zip(box, next_box, strict=True)
    )


@pytest.mark.parametrize("screen", sample(3, [PHONE, SMALL, DESKTOP]), ids=str)
@pytest.mark.parametrize("number", sample(LAST_SCREEN, SCREEN_9_FIRST))
def test_no_press_moves_the_picture_or_a_control(visit: Visit, number: int, screen: Screen) -> None:
    page = visit(f"/learn/{number}", screen=screen)
    # Results that were seen on a board are written on its squares: two of them are enough to test.
    tested = {
        state: lesson_screen
        for state, lesson_screen in states(str(number)).items()
        if lesson_screen.kind != "board" or len(state.seen_presses) < 3
    }
    paths = [f"/learn/{number}?{state.query}" for state in tested]
    measured = [Layout(*fields) for fields in page.evaluate(READ_LAYOUTS, paths)]
    layouts: dict[State, Layout] = dict(zip(tested, measured, strict=True))
    shifts = []
    for state, lesson_screen in tested.items():
        for next_state in layouts.keys() & {*next_states(lesson_screen)}:
            shift = largest_shift(layouts[state], layouts[next_state])
            if shift > 1:
                shifts.append(f"{state.query} -> {next_state.query}: {shift} px")
    assert not shifts, "\n".join(shifts)


@pytest.mark.parametrize("screen", sample(3, [PHONE, SMALL, DESKTOP]), ids=str)
def test_next_is_left_of_skip_which_is_in_the_same_place_on_every_screen(
    visit: Visit, screen: Screen
) -> None:
    boxes = read_boxes(visit, screen)
    right_edges = set()
    for number in map(str, NUMBERS):
        left, top, right, bottom = boxes[UNSOLVED_PATHS[number]]["#foot > .past"]
        assert right - left >= 44 and bottom - top >= 44
        right_edges.add(right)
        next_box = boxes[SOLVED_PATHS[number]]["#next"]
        assert (next_box[0] + next_box[2]) / 2 < left - 16, number
        if screen != DESKTOP:
            assert top == pytest.approx(next_box[1], abs=0.5)
    assert len(right_edges) == 1


@pytest.mark.parametrize("screen", [PHONE, *only_in_soak([SMALL])], ids=str)
def test_on_a_phone_the_key_parts_of_a_screen_are_above_its_foot(
    visit: Visit, screen: Screen
) -> None:
    boxes = read_boxes(visit, screen)
    for number in map(str, NUMBERS):
        if screen == PHONE or number in ("4", "5", "9", "10", "12"):
            assert not key_parts_below_the_foot(boxes[UNSOLVED_PATHS[number]]), number
        if screen == PHONE:
            assert not key_parts_below_the_foot(boxes[SOLVED_PATHS[number]]), number


@pytest.mark.parametrize("screen", [PHONE, *only_in_soak([SMALL])], ids=str)
def test_on_a_phone_the_picture_of_a_solved_screen_is_where_it_was(
    visit: Visit, screen: Screen
) -> None:
    boxes = read_boxes(visit, screen)
    for number in map(str, NUMBERS):
        unsolved = boxes[UNSOLVED_PATHS[number]]
        solved = boxes[FIRST_PICTURE_PATHS.get(number, SOLVED_PATHS[number])]
        assert solved["#stage"][1] == unsolved["#stage"][1], number


def test_on_a_phone_no_line_of_code_moves_before_the_last_press(visit: Visit) -> None:
    page = visit("/learn/10", screen=PHONE)
    lines = [f"#line-{number}" for number in range(1, 10)]
    places_before = places(page, *lines)
    for line in (f"#line-{number}" for number in (1, 4, 5, 6, 7, 3)):
        press(page, line)
        expect(page.locator(line)).to_have_attribute("aria-current", "true")
        assert places(page, *lines) == places_before, line
    press(page, "#line-8")
    expect(page.locator("#told")).to_be_in_viewport(ratio=1)


def read_moments(page: Page, path: str, script: str, args: list[Any]) -> Any:
    """Show a page and return what a script reads at some moments, before any animation ends."""
    open_page = f"await ({REPLACE_BODY})([path, []]); {MARK_AS_SWAPPED}"
    open_and_read = f"async ([path, args]) => {{ {open_page}; return ({script})(args) }}"
    return page.evaluate(open_and_read, [path, args])


@moving
@pytest.mark.parametrize(("square", "line"), [(2, [0, 3, 6]), (3, [])])
def test_on_a_board_the_mark_comes_first_then_the_line_then_the_words(
    visit: Visit, square: int, line: list[int]
) -> None:
    page = visit("/learn/2", screen=PHONE)
    args = [[*range(0, 1200, 50)], ["#after .card"]]
    moments = read_moments(page, f"/learn/2?p={square}", READ_MOMENTS, args)
    reply = page.locator(".cell.reply").get_attribute("id")
    words_start_ms = 900 if line else 650
    for moment in moments:
        time, filled_cells = moment["time"], {f"cell-{square}"}
        if time >= 350 and not line:
            filled_cells.add(str(reply))
        for index, square_of_line in enumerate(line):
            if time > 650 + 90 * index:
                filled_cells.add(f"cell-{square_of_line}")
        # The reply is drawn from 350 to 550 ms, and becomes visible at some time between.
        earliest, latest = ([reply] if time < limit else [] for limit in (350, 550))
        assert moment["invisible"] in (earliest, latest), time
        assert {*moment["filled"]} == filled_cells, time
        assert moment["faintest"] == 1 or time >= words_start_ms, time
        assert moment["opacities"]["#after .card"] == 0 or time >= words_start_ms, time
    assert moments[-1]["opacities"]["#after .card"] == 1


@moving
def test_the_boards_of_a_line_appear_one_after_the_other(visit: Visit) -> None:
    page = visit("/learn/9", screen=PHONE)
    boards = [f"#told .strip > :nth-child({number})" for number in (1, 2)]
    path = "/learn/9?seen=8&at=8"
    moments = read_moments(page, path, READ_MOMENTS, [[*range(0, 1400, 50)], boards])
    are_visible = [[moment["opacities"][board] > 0.5 for board in boards] for moment in moments]
    assert are_visible[0] == [False, False] and are_visible[-1] == [True, True]
    # The second board appears 350 ms after the first, and a moment is read every 50 ms.
    assert are_visible.count([True, False]) == 350 // 50 and [False, True] not in are_visible
    last = page.locator(f"{boards[1]} .wins.last")
    assert last.evaluate("element => getComputedStyle(element).stroke") != "none", (
        "the new mark must be framed"
    )


# At some moments: for levels 3, 2 and 1 of the tree, from leaves to root, whether each line is lit;
# and whether the face and what is below it are visible.
LIT_PARTS = """times => times.map(time => {
    for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = time
    }
    const areLit = level => [...document.querySelectorAll(`.grown .level-${level}`)]
        .map(element => parseFloat(getComputedStyle(element).strokeDashoffset) < .5)
    const isVisible = css => getComputedStyle(document.querySelector(css)).opacity > .5
        && getComputedStyle(document.querySelector(css)).visibility == "visible"
    const others = [".graduation .face", ".graduation .down"]
    return [areLit(3), areLit(2), areLit(1), ...others.map(isVisible)]
})"""


ALL_LIT = [[True] * 8, [True] * 4, [True] * 2, True, True]


@moving
def test_after_the_last_screen_the_tree_lights_up_from_leaves_to_root(visit: Visit) -> None:
    page = visit("/learn/end", screen=PHONE)
    moments = read_moments(page, "/learn/end", LIT_PARTS, [*range(0, 1300, 50)])
    *first_levels, _, first_words = moments[0]
    assert not any(any(level) for level in first_levels) and not first_words
    for leaves, middle, root, face, words in moments:
        assert all(leaves) or not any(middle), "a level must not be lit before all below it is"
        assert all(middle) or not any(root)
        assert all(root) or not face
        assert face or not words
    assert moments[-1] == ALL_LIT


def test_with_reduced_motion_the_tree_after_the_last_screen_is_lit_at_once(visit: Visit) -> None:
    page = visit("/learn/end", screen=PHONE)
    for lit_parts in read_moments(page, "/learn/end", LIT_PARTS, [*range(0, 1300, 50)]):
        assert lit_parts == ALL_LIT


# The distance in pixels from each edge down to the name of its move.
EDGE_TO_NAME_GAPS = """() => [...document.querySelectorAll(".tree .move")]
    .filter(element => element.checkVisibility())
    .flatMap(element => [...element.closest("ol").previousElementSibling.children].map(lines =>
        element.getBoundingClientRect().top - lines.getBoundingClientRect().bottom))"""


def test_no_edge_of_a_tree_touches_the_name_of_a_move(visit: Visit) -> None:
    for path in ("/learn/4?p=23&p=35", "/learn/9?seen=8&at=8"):
        page = visit(path)
        for screen in (SMALL, (390, 844), (844, 390), DESKTOP):
            resize(page, screen)
            gaps = page.evaluate(EDGE_TO_NAME_GAPS)
            assert gaps and min(gaps) >= 3, (path, screen)
