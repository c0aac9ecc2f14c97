"""The Search view in a browser: what is in view, what stays in place, keys, no JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from engine.position import Position
from teach.searches import ALGORITHMS, run
from teach.trees import tree
from tests import positions
from tests.browser.conftest import Visit, moving
from tests.browser.layout import FIND_FAULTS, faults, must_show_main_button
from tests.browser.person import (
    DESKTOP,
    MARK_AS_SWAPPED,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    PHONE,
    READ_PLACES,
    RECORD_TEXTS,
    SMALL,
    Screen,
    places,
    replace_body,
    resize,
    wait_for_answer,
)

CLASSIC = "/study/O-XX--XOO?view=search"
LAST_STEP = len(run(tree(Position.parse("O-XX--XOO")), "minimax").steps)
FONT_SIZE = "element => parseFloat(getComputedStyle(element).fontSize)"
ZOOMED, LOW, TALL, VAST = (1024, 640), (844, 390), (820, 1180), (1920, 1080)
NARROW: Screen = (360, 640)  # the smallest window that need not scroll

# The largest trees of each kind, and trees of unusual shapes.
LARGEST = [
    "O-XX--XOO?",
    "--OXX-X-O?",
    "XO---X-XO?",
    "---------?",
    "X---O----?",
    "----X----?depth=1&mirrors=all&",
    "(((1,2,3),(4,5),(6,7,8)),((9,1,2),(3,4)),((5,6,7),(8,9,1)))?",
    "XO---O--X?depth=5&",
    "((5,7),(((3,9),(8,6)),4),((6,2),(7,(1,2)),9),-3)?",
    "(((-1)),((-21),(1,1),-3),((74,53),53))?",
    "-X-XO---O?depth=5&",
    "((-2,35,26,3),(50,-45,0,79,-52),(0,-16,-71,60),(30,-18,0,22,76),(0,-32,0,1))?",
    *positions.only_in_soak(["((3,12,8),(2,4,6),(14,5,2))?"]),
]
SCREENS = [NARROW, PHONE, TALL, LOW, ZOOMED, DESKTOP, VAST]

# The layout faults, the height of the page, and the places of some parts.
READ_LAYOUT = f"""([mustFit, selectors]) =>
    [({FIND_FAULTS})(mustFit), ({PAGE_HEIGHT})(), ({READ_PLACES})(selectors)]"""


def walk_steps(
    visit: Visit, search: str, screens: Sequence[Screen]
) -> Iterator[tuple[Page, Screen, int]]:
    """Yield a search at all its steps, or in `make test` at no more than four, on varying screens.

    A search is an address without the view and the step, as in `LARGEST`.
    """
    url = f"/study/{search}view=search&step="
    page = visit(url + "0", screen=DESKTOP)
    last = int(page.title().partition(" of ")[2].partition(":")[0])
    steps = [*range(0, last, 1 if positions.is_soak else max(7, -(-last // 3))), last]
    for index, step in enumerate(steps):
        replace_body(page, f"{url}{step}")
        for screen in screens[index % 3 :: 3] or screens:
            resize(page, screen)
            yield page, screen, step
        resize(page, DESKTOP)


@pytest.mark.parametrize("search", positions.sample(6, LARGEST))
@pytest.mark.parametrize("algorithm", positions.sample(2, ALGORITHMS))
def test_at_every_step_the_tree_fills_its_space_and_the_controls_stay_in_place(
    visit: Visit, search: str, algorithm: str
) -> None:
    selectors = [".told", "#canvas", ".tools", "#controls"]
    places_of_controls = dict[Screen, set[str]]()
    # Eight boards in a row have less space on the smallest phone.
    accepted_faults = {"a board of 38 px"} if "mirrors=all" in search else set()
    for page, screen, step in walk_steps(visit, f"{search}algorithm={algorithm}&", SCREENS):
        args = [must_show_main_button(screen), selectors]
        found_faults, page_height, boxes = page.evaluate(READ_LAYOUT, args)
        assert {*found_faults} <= accepted_faults, (screen, step)
        assert page_height <= screen[1], (screen, step)
        sentence, canvas, tools, controls = (boxes[selector] for selector in selectors)
        assert max(canvas[3], tools[3]) <= controls[3] and sentence[1] < controls[1], screen
        places_of_controls.setdefault(screen, set()).add(str(controls))
    assert all(len(boxes_seen) == 1 for boxes_seen in places_of_controls.values())


def test_next_stays_in_place_for_every_tree(visit: Visit) -> None:
    for screen in (PHONE, DESKTOP):
        page = visit(CLASSIC, screen=screen)
        next_places = [
            replace_body(page, f"/study/{search}view=search&step=1", "#next")["#next"]
            for search in positions.sample(4, LARGEST)
        ]
        assert len({str(place) for place in next_places}) == 1


def test_sentence_board_and_controls_fit_on_the_smallest_phone(visit: Visit) -> None:
    search = "XO--OXX--?algorithm=alpha-beta&"
    for page, _, _ in walk_steps(visit, search, [SMALL]):
        sentence, board, foot = places(page, "#told", ".family .shape", ".foot").values()
        assert sentence[3] <= board[1] < board[3] <= foot[1] < foot[3] <= SMALL[1]
        assert page.evaluate(PAGE_WIDTH) <= SMALL[0]


def press_next(page: Page, step: int) -> None:
    """Press Next, which leads to a step."""
    page.locator("#next").click()
    expect(page).to_have_url(re.compile(f"step={step}$"))


def test_each_step_is_announced_once_on_the_same_page_and_keeps_scroll_position_and_focus(
    visit: Visit,
) -> None:
    page = visit(CLASSIC, screen=SMALL)
    page.evaluate("document.body.style.paddingBlockEnd = '400px'")  # so that the page can scroll
    page.evaluate("document.body.isSame = true")
    sentence = page.get_by_role("status")
    sentence.evaluate(RECORD_TEXTS)
    sentences = []
    for step in (1, 2, 3):
        press_next(page, step)
        sentences.append(sentence.inner_text())
        assert page.evaluate("scrollY") == 0
    assert sentence.evaluate("element => element.heard") == sentences
    expect(sentence).to_contain_text("O replies in the center and wins, on turn 2")
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=2$"))
    assert page.evaluate("document.body.isSame")


def test_the_slider_keeps_the_focus_and_only_another_algorithm_adds_a_history_entry(
    visit: Visit,
) -> None:
    page = visit(CLASSIC, new=True)
    length_before = page.evaluate("history.length")
    for step in (1, 2, 3):
        press_next(page, step)
    wait_for_answer(page)
    resize(page, SMALL)
    page.locator("#scrub").focus()
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(f"step={LAST_STEP}$"))
    expect(page.locator("#scrub")).to_be_focused()
    expect(page).to_have_title(re.compile(f"^Step {LAST_STEP} of {LAST_STEP}: minimax"))
    assert page.evaluate("history.length") == length_before
    resize(page, DESKTOP)  # where no press on the settings comes before one on the algorithm
    page.get_by_role("link", name="Alpha-beta", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Watch alpha-beta")
    assert page.evaluate("history.length") == length_before + 1


def test_pressing_a_board_goes_to_its_step_and_keeps_the_focus(visit: Visit) -> None:
    page = visit(CLASSIC + "&step=11", screen=DESKTOP)
    page.locator("#n1").click()
    expect(page).to_have_url(re.compile("step=9$"))
    expect(page.locator("#n1")).to_be_focused()
    page.locator("#n1").click()  # its search has just ended: the click goes to where it was entered
    expect(page).to_have_url(re.compile("step=2$"))
    expect(page.locator("#n1")).to_be_focused()


def test_play_runs_to_the_end_and_a_press_stops_it(visit: Visit) -> None:
    page = visit("/study/XXOOO-XX-?view=search&step=5", new=True)
    page.clock.install()
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    for step in range(6, 9):
        expect(page).to_have_url(re.compile(f"step={step}$"))
        page.clock.run_for(2500)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.locator("#play").click()
    expect(page).to_have_url(re.compile("view=search$"))
    page.locator("#back, #next").last.click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_at_the_last_step_only_the_buttons_that_do_nothing_are_faint(visit: Visit) -> None:
    page = visit("/study/XXOOO-XX-?view=search&step=8")
    faint = page.locator("#skip").evaluate("element => getComputedStyle(element).color")
    expect(page.locator("#back")).not_to_have_css("color", faint)
    expect(page.locator(".slide small")).not_to_have_css("color", faint)  # it is text to read


def test_without_javascript_everything_is_links_and_a_form(visit: Visit) -> None:
    page = visit(CLASSIC + "&step=1", java_script_enabled=False, screen=PHONE)
    page.locator("#next").click()
    expect(page.get_by_text("2 of 20")).to_be_visible()
    expect(page.locator("#play")).to_be_hidden()
    page.locator("#scrub").press("End")
    page.get_by_role("button", name="Go").click()
    expect(page.locator("#told")).to_contain_text("X picks the highest: the center, +9")
    page.locator("#line").click()
    expect(page.locator("#code .on")).to_be_visible()
    page.get_by_role("link", name="Alpha-beta", exact=True).click()
    expect(page).to_have_url(re.compile("algorithm=alpha-beta"))
    expect(page.get_by_role("link", name="Alpha-beta", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("summary_selector", "content_selector"), [("#settings", "#panel .tabs"), ("#line", "#code")]
)
def test_escape_closes_a_disclosure_and_focuses_its_summary(
    visit: Visit, summary_selector: str, content_selector: str
) -> None:
    page = visit(CLASSIC, screen=PHONE)
    summary, content = page.locator(summary_selector), page.locator(content_selector).first
    summary.click()
    expect(content).to_be_visible()
    page.keyboard.press("Escape")
    expect(content).to_be_hidden()
    expect(summary).to_be_focused()


# The visible lines of code that something covers.
COVERED_LINES = """() => [...document.querySelectorAll("#code > code")]
    .filter(line => line.checkVisibility({visibilityProperty: true}))
    .filter(line => {
        line.scrollIntoView({block: "nearest", behavior: "instant"})
        const {left, top, width, height} = line.getClientRects()[0]
        return !line.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    }).map(line => line.innerText)"""


def test_the_algorithm_switch_and_settings_cover_nothing(visit: Visit) -> None:
    page = visit("/study/((3,12,8),(2,4,6),(14,5,2))?view=search&step=9", screen=PHONE)
    page.locator("#settings").click()
    for screen in (PHONE, DESKTOP, (1024, 600)):
        resize(page, screen)
        expect(page.locator(".settings")).to_have_attribute("open", "")
        page.evaluate("scrollTo(0, 0)")  # COVERED_LINES has scrolled in the window before
        page.locator("#by-alpha-beta").click(trial=True)  # nothing lies over it
        switch, canvas = places(page, "#by-alpha-beta", "#canvas").values()
        assert switch[3] <= canvas[1], screen
        assert not page.evaluate(COVERED_LINES), screen


# The smallest font sizes on the screen in px: of the code and the slider, and of all other text.
SMALLEST_FONTS = """() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
    const sizes = {tools: [], others: []}
    while (walker.nextNode()) {
        const {data, parentElement} = walker.currentNode
        if (!data.trim() || parentElement.closest(".unseen") || !parentElement.checkVisibility())
            continue
        const scale = parentElement.ownerSVGElement ? parentElement.getScreenCTM().a : 1
        const size = parseFloat(getComputedStyle(parentElement).fontSize) * scale
        sizes[parentElement.closest(".tools, .slide") ? "tools" : "others"].push(size)
    }
    return [Math.min(...sizes.tools), Math.min(...sizes.others)]
}"""
# Up to 14 leaves, as deep and as wide as allowed, and boards to a depth of two.
ON_A_PROJECTOR = [
    "((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&",
    "(((((3,9),4),6),2),((7,(1,2)),9))?",
    "((-2,35,-26,3),(50,-45,0,79,-52),(0,-16,-71,60,11))?algorithm=alpha-beta&",
    "OX--X-OOX?algorithm=alpha-beta&",
    "---------?algorithm=alpha-beta&",
    "XO-X-X-O-?algorithm=alpha-beta&",
    "(((((-11,-12,-13),-14),-15,-16),-17,-18),((-19,(-20,-21)),-22,-23),-24)?algorithm=alpha-beta&",
]


@pytest.mark.parametrize("search", positions.sample(4, ON_A_PROJECTOR))
def test_on_a_projector_text_is_large_and_nothing_scrolls(visit: Visit, search: str) -> None:
    for page, screen, step in walk_steps(visit, search + "big=on&", [(1280, 720), VAST]):
        smallest_of_tools, smallest_of_others = page.evaluate(SMALLEST_FONTS)
        assert smallest_of_tools >= 18 and smallest_of_others >= 22, (screen, step)
        assert page.locator("#told").evaluate(FONT_SIZE) >= 28
        assert not faults(page, screen), (screen, step)
        assert page.evaluate(PAGE_HEIGHT) <= screen[1], (screen, step)


# The widest trees that are legible from the back row without the code: 27 leaves.
WITHOUT_CODE = [
    "(((3,12,8),(2,14,6),(14,5,2)),((11,7,19),(4,16,10),(9,1,13)),((18,15,17),(20,6,12),(8,3,10)))?",
    "(((-13,-12,-18),(-20,14,-16),(-14,-15,12)),((-11,17,-19),(14,-16,-10),(19,11,-13)),"
    "((-18,-15,-17),(-20,-16,-12),(-18,-13,-10)))?",
    "random?levels=4&branches=3&seed=5&",
]
# The font sizes in px of the numbers in a tree.
NUMBER_SIZES = """() => [...document.querySelectorAll(":is(.leaf > b, .chip, .window)")]
    .filter(element => element.checkVisibility())
    .map(element => parseFloat(getComputedStyle(element).fontSize))"""

LEAF_SELECTORS = """() => [...document.querySelectorAll("#ntree .leaf")]
    .map(element => "#" + element.id)"""


@pytest.mark.parametrize("search", positions.sample(4, WITHOUT_CODE))
def test_without_the_code_27_leaves_are_legible_from_the_back_row(
    visit: Visit, search: str
) -> None:
    search += "algorithm=alpha-beta&big=tree&"
    for page, screen, step in walk_steps(visit, search, [(1280, 720), VAST]):
        assert min(page.evaluate(NUMBER_SIZES)) >= 22, (screen, step)
        assert not faults(page, screen), (screen, step)
        assert page.evaluate(PAGE_HEIGHT) <= screen[1], (screen, step)
        leaves = sorted(places(page, *page.evaluate(LEAF_SELECTORS)).values())
        for (_, top, right, _), (next_left, next_top, _, _) in pairwise(leaves):
            assert right <= next_left or top != next_top, "neighbors must not overlap"


def test_on_a_projector_arrows_and_a_clicker_step_and_a_key_closes(visit: Visit) -> None:
    url = "/study/((3,12,8),(2,4,6),(14,5,2))?view=search&algorithm=alpha-beta&big=on&step=13"
    page = visit(url, screen=VAST)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=14$"))
    page.keyboard.press("PageUp")
    expect(page).to_have_url(re.compile("step=13$"))
    page.goto(url.replace("13", "last"))
    page.keyboard.press("b")
    expect(page.locator(".head")).to_be_visible()


def test_the_code_fits_beside_the_tree(visit: Visit) -> None:
    tree = "((5,7),(((3,9),(8,6)),4),((6,2),(7,(1,2)),9),-3)"
    page = visit(f"/study/{tree}?view=search&algorithm=alpha-beta&step=13")
    for screen in (ZOOMED, DESKTOP, VAST, PHONE):
        resize(page, screen)
        if screen == PHONE:
            page.locator("#line").click()
        code = page.locator("#code")
        assert code.locator("code").first.evaluate(FONT_SIZE) >= 12
        assert code.evaluate("element => element.scrollWidth == element.clientWidth"), screen


# The delay and the duration of each animation of a step in ms, by its name.
ANIMATION_TIMES = f"""() => {MARK_AS_SWAPPED} ?? Object.fromEntries(
    document.getAnimations().map(animation => {{
        const {{delay, duration}} = animation.effect.getTiming()
        return [animation.animationName, [delay, duration]]
    }}))"""


@moving
def test_a_value_moves_up_then_its_chip_changes_then_the_ring_moves(visit: Visit) -> None:
    url = "/study/((3,12,8),(2,4,6),(14,5,2))?view=search&algorithm=alpha-beta&step="
    page = visit(url + "4", screen=DESKTOP)
    rise = {"rise": [0, 260], "grow": [260, 140], "stay": [0, 400], "wait": [0, 400]}
    assert page.evaluate(ANIMATION_TIMES) == rise
    page.goto(url + "6")  # 12 is no better, and moves up only halfway
    assert page.evaluate(ANIMATION_TIMES) == {"try": [0, 400], "stay": [0, 400], "wait": [0, 400]}
    page.goto(url + "13")
    assert page.evaluate(ANIMATION_TIMES) == {"across": [0, 300]}


# Make characters as wide as in the widest monospaced font, 0.62 of the font size, and return by how
# many pixels the code is then cut off.
OVERFLOW_IN_WIDEST_FONT = """() => {
    const code = document.querySelector("#code"), probe = document.createElement("b")
    code.append(probe)
    probe.textContent = "x".repeat(100)
    probe.style = "position: absolute; padding: 0; display: inline"
    const size = parseFloat(getComputedStyle(probe).fontSize)
    const missingWidth = .62 - probe.getBoundingClientRect().width / 100 / size
    probe.remove()
    code.style.letterSpacing = `${Math.max(0, missingWidth)}em`
    return code.scrollWidth - code.clientWidth
}"""


def test_no_line_of_code_is_cut_off_in_any_font(visit: Visit) -> None:
    for settings in positions.sample(2, ("&algorithm=alpha-beta", "", "&big=on")):
        page = visit(f"/study/-X---XOOX?view=search&step=41{settings}")
        for screen in (DESKTOP, (1024, 768), (1920, 1080)):
            resize(page, screen)
            assert page.evaluate(OVERFLOW_IN_WIDEST_FONT) == 0, (settings, screen)
