"""A search watched as a person does: what is in view, what stays in its place, keys, no script."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from engine.position import Position
from teach.searches import ALGORITHMS, run
from teach.trees import tree
from tests import positions
from tests.browser.conftest import Visit
from tests.browser.person import (
    DESK,
    HEAR,
    HIGH,
    PHONE,
    SMALL,
    Screen,
    click,
    places,
    put,
    resize,
    wait_for_answer,
)

CLASSIC = "/study/O-XX--XOO?view=search"
LAST = len(run(tree(Position.parse("O-XX--XOO")), "minimax").steps)
PARTS = ["#told", "#map", ".codeline summary"]
CONTROLS = ["#back", "#play", "#skip", "#next", "#scrub"]
SIDES = "all => all.map(one => one.getBoundingClientRect().width)"
SIZE = "element => parseFloat(getComputedStyle(element).fontSize)"
ZOOMED, LOW = (1024, 640), (844, 390)

# The largest trees of each kind, and those that once were higher than a phone.
LARGEST = [
    "O-XX--XOO?",
    "--OXX-X-O?",
    "XO---X-XO?",
    "---------?",
    "X---O----?",
    "----X----?depth=1&mirrors=all&",
    "-X-XO---O?depth=5&",
    "XO---O--X?depth=5&",
    "((3,12,8),(2,4,6),(14,5,2))?form=two&",
    "((5,7),(((3,9),(8,6)),4),((6,2),(7,(1,2)),9),-3)?form=two&",
    "(((-1)),((-21),(1,1),-3),((74,53),53))?",
    "(((1,2,3),(4,5),(6,7,8)),((9,1,2),(3,4)),((5,6,7),(8,9,1)))?",
    "((-2,35,26,3),(50,-45,0,79,-52),(0,-16,-71,60),(30,-18,0,22,76),(0,-32,0,1))?predict=on&",
    *positions.soaked(["((3,12,8),(2,4,6),(14,5,2))?"]),
]


Places = dict[str, list[float]]


def walked(visit: Visit, where: str, screen: Screen, *names: str) -> Iterator[tuple[Page, Places]]:
    """Yield what stands where at each step of a search, in `make test` at some five."""
    url = f"/study/{where}view=search&step="
    page = visit(url + "0", screen=screen)
    last = int(page.title().partition(" of ")[2].partition(":")[0])
    for step in [*range(0, last, 1 if positions.all_images else max(7, last // 4)), last]:
        yield page, put(page, f"{url}{step}", ".foot", *names)


@pytest.mark.parametrize("screen", [PHONE, ZOOMED], ids=str)
@pytest.mark.parametrize("where", positions.one_in(7, LARGEST))
@pytest.mark.parametrize("algorithm", positions.one_in(2, ALGORITHMS))
def test_all_of_a_step_is_in_view_and_the_controls_stay_where_they_are(
    visit: Visit, where: str, screen: Screen, algorithm: str
) -> None:
    stood = set()
    where += f"algorithm={algorithm}&"
    for page, found in walked(visit, where, screen, *PARTS, ".col-r", *CONTROLS):
        assert found["all"][2:] <= [*screen], page.title()
        bottoms = [found[name][3] or 0 for name in (*PARTS, ".col-r")]
        assert max(bottoms) <= found[".foot"][1] + 0.5, page.title()
        if found["#play"][0]:
            stood.add(str([found[name] for name in CONTROLS]))
    assert len(stood) == 1


@pytest.mark.parametrize(
    "where", positions.one_in(2, ["((3,12,8),(2,4,6),(14,5,2))?", "OX--X-OOX?"])
)
def test_in_a_low_window_a_whole_tree_stands_beside_its_sentence(visit: Visit, where: str) -> None:
    for _, found in walked(visit, where + "algorithm=alpha-beta&", LOW, "#told", "#map"):
        told, tree, foot = (found[name] for name in ("#told", "#map", ".foot"))
        assert tree[2] <= told[0] and max(tree[3], told[3]) <= foot[1]
        assert found["all"][3] <= LOW[1]


def test_on_the_smallest_phone_sentence_board_and_controls_are_in_view(visit: Visit) -> None:
    where = "XO--OXX--?algorithm=alpha-beta&"
    for _, found in walked(visit, where, SMALL, "#told", "#curr .pic"):
        told, board, foot = (found[name] for name in ("#told", "#curr .pic", ".foot"))
        assert told[3] <= board[1] < board[3] <= foot[1] < foot[3] <= 568
        assert found["all"][2] <= 320


ON_A_DESKTOP = ["-X---XOOX?algorithm=alpha-beta&", "O-XX--XOO?", "XO---X-XO?"]


@pytest.mark.parametrize("where", positions.one_in(3, ON_A_DESKTOP))
def test_on_a_desktop_nothing_is_below_the_screen_and_boards_are_large(
    visit: Visit, where: str
) -> None:
    names = ("#told", "#wide", "#frames", ".col-r", ".lead")
    for page, found in walked(visit, where, DESK, *names):
        assert found["all"][3] <= 800
        assert max(found[it][3] for it in ("#told", "#wide", ".col-r")) <= found[".foot"][1] + 0.5
        assert min(page.locator("#wide .mini").evaluate_all(SIDES)) >= 56
        # The dotted line begins at the sentence.
        assert abs(found[".lead"][0] - found["#told"][2]) <= 2
        assert found["#told"][1] <= found[".lead"][3] <= found["#told"][3]


def test_steps_take_the_place_of_each_other_keep_the_focus_and_are_announced_once(
    visit: Visit,
) -> None:
    page = visit(CLASSIC, new=True)
    resize(page, SMALL)
    before = page.evaluate("history.length")
    page.evaluate("document.body.style.paddingBlockEnd = '400px'")  # there is room to scroll
    page.locator("#wide").evaluate("element => document.body.stayed = true")
    told = page.get_by_role("status")
    told.evaluate(HEAR)
    said = []
    for step in (1, 2, 3):
        page.locator("#next").click()
        expect(page).to_have_url(re.compile(f"step={step}$"))
        said.append(told.inner_text())
        assert page.evaluate("scrollY") == 0
    assert told.evaluate("element => element.heard") == said
    expect(page.locator("#next")).to_be_focused()
    expect(told).to_contain_text("O answers centre and wins, on turn 2")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=2$"))
    wait_for_answer(page)
    page.locator("#scrub").focus()
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(f"step={LAST}$"))
    expect(page.locator("#scrub")).to_be_focused()
    expect(page).to_have_title(re.compile(f"^Step {LAST} of {LAST}: minimax"))
    assert page.evaluate("history.length") == before
    assert page.evaluate("document.body.stayed")
    resize(page, DESK)
    page.get_by_role("link", name="The same by alpha-beta").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Watch alpha-beta")
    assert page.evaluate("history.length") == before + 1


def test_a_press_on_a_board_leads_to_its_step_and_the_focus_stays(
    visit: Visit,
) -> None:
    page = visit(CLASSIC + "&step=11", screen=PHONE)
    page.locator("#m1").click()
    expect(page).to_have_url(re.compile("step=9$"))
    expect(page.locator("#m1")).to_be_focused()
    page.locator("#m1").click()  # it has just come back: now to where it was entered
    expect(page).to_have_url(re.compile("step=2$"))
    expect(page.locator("#m1")).to_be_focused()


def test_play_runs_to_the_end_stops_for_a_press_and_waits_for_an_answer(visit: Visit) -> None:
    page = visit("/study/XXOOO-XX-?view=search&speed=fast&step=5", new=True)
    page.clock.install()
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    for step in range(6, 9):
        expect(page).to_have_url(re.compile(f"step={step}$"))
        page.clock.run_for(1000)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    faint = page.locator("#skip").evaluate("it => getComputedStyle(it).color")
    expect(page.locator("#back")).not_to_have_css("color", faint)
    expect(page.locator(".slide small")).not_to_have_css("color", faint)  # that is for reading
    page.locator("#play").click()
    expect(page).to_have_url(re.compile("speed=fast$"))
    page.locator("#back, #next").last.click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_without_javascript_all_of_it_is_links_and_a_form(visit: Visit) -> None:
    page = visit(CLASSIC + "&step=1", java_script_enabled=False, screen=PHONE)
    page.locator("#next").click()
    expect(page.get_by_text("2 of 20")).to_be_visible()
    expect(page.locator("#play")).to_be_hidden()
    page.locator("#scrub").press("End")
    page.get_by_role("button", name="Go").click()
    expect(page.locator("#told")).to_contain_text("X picks the highest: centre, +9")
    page.locator(".codeline summary").click()
    page.get_by_role("link", name="Predict", exact=True).click()
    expect(page).to_have_url(re.compile("predict=on"))
    page.goto(CLASSIC + "&predict=on&step=2")
    page.locator("#next").click()
    page.locator("#answer-9").click()
    expect(page.locator("#told")).to_contain_text("Not +9")
    page.locator("#answer--8").click()
    expect(page.locator("#told")).to_contain_text("Right.")


@pytest.mark.parametrize(
    ("screen", "panel"), positions.one_in(2, [(DESK, ".more"), (PHONE, ".codeline")]), ids=str
)
def test_the_settings_close_by_escape_and_their_summary_has_the_focus(
    visit: Visit, screen: Screen, panel: str
) -> None:
    page = visit(CLASSIC, screen=screen)
    summary = page.locator(f"{panel} > summary")
    summary.click()
    page.locator(f"{panel} .tabs a").nth(2).focus()
    page.keyboard.press("Escape")
    expect(page.locator(f"{panel} .tabs").first).to_be_hidden()
    expect(summary).to_be_focused()


# Of all that is read, in px of the screen: the smallest letters, and those of the code.
LETTERS = """() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
    const found = {all: [], code: []}
    while (walker.nextNode()) {
        const {data, parentElement} = walker.currentNode
        if (!data.trim() || parentElement.closest(".unseen") || !parentElement.checkVisibility())
            continue
        const scale = parentElement.ownerSVGElement ? parentElement.getScreenCTM().a : 1
        const size = parseFloat(getComputedStyle(parentElement).fontSize) * scale
        found[parentElement.closest(".code") ? "code" : "all"].push(size)
    }
    return [Math.min(...found.all), Math.min(...found.code)]
}"""
# Drawn whole: values, three empty squares, cut off after two turns; as a map all that has more.
ON_A_BEAMER = [
    "((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&",
    "(((((3,9),4),6),2),((7,(1,2)),9))?form=two&",
    "((-2,35,26,3),(50,-45,0,79,-52),(0,-16,-71,60),(30,-18,0,22,76),(0,-32,0,1))?predict=on&",
    "OX--X-OOX?algorithm=alpha-beta&predict=on&",
    "---------?algorithm=alpha-beta&",
    "XO--OXX--?algorithm=alpha-beta&",
    "XO---O--X?algorithm=alpha-beta&depth=5&",
]


@pytest.mark.parametrize("where", positions.one_in(4, ON_A_BEAMER))
def test_on_a_beamer_letters_are_large_at_every_step_and_nothing_scrolls(
    visit: Visit, where: str
) -> None:
    names = (".told", ".drawn", ".drawn > :last-child")
    for page, found in walked(visit, where + "big=on&", DESK, *names):
        smallest, of_code = page.evaluate(LETTERS)
        assert smallest >= 22 and of_code >= 18, page.title()
        told, drawn, foot = (found[name] for name in (".told", ".drawn", ".foot"))
        assert told[3] <= drawn[1] < drawn[3] <= foot[1] < foot[3] <= 800
        assert found["all"][2:] <= [*DESK], page.title()
        assert found[".drawn > :last-child"][3] <= foot[1]
        for screen in positions.one_in(3, [(1280, 720), (1920, 1080), LOW]):
            resize(page, screen)
            assert page.evaluate(HIGH) <= screen[1], (screen, page.title())
        resize(page, DESK)


def test_on_a_beamer_the_arrows_step_an_answer_is_judged_and_a_key_closes(visit: Visit) -> None:
    url = "/study/((3,12,8),(2,4,6),(14,5,2))?view=search&algorithm=alpha-beta&big=on&step=13"
    page = visit(url, screen=(1920, 1080))
    assert page.locator("#wide").bounding_box()["width"] >= 1000  # type: ignore[index]
    resize(page, DESK)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=14$"))
    page.keyboard.press("PageUp")
    expect(page).to_have_url(re.compile("step=13$"))
    page.goto(f"{url[:-2]}12&predict=on")
    click(page.locator("#answer-searched"))
    expect(page.locator("#told")).to_contain_text("A 3 already. Could 2 or less change that?")
    click(page.locator("#answer-cut"))
    expect(page.locator("#told")).to_contain_text("Right. A has 3 from B.")
    expect(page.locator("#told")).to_be_in_viewport(ratio=1)
    page.goto(url.replace("13", "last"))
    page.keyboard.press("b")
    expect(page.locator("#scrub")).to_be_visible()
    assert page.locator(".legend:visible").count() == 1


@pytest.mark.parametrize("form", positions.one_in(2, ["one", "two"]))
def test_the_code_is_read_beside_the_tree_and_fits_its_lines(visit: Visit, form: str) -> None:
    # Four levels: so many rows, and so many signs told below the code.
    tree = "((5,7),(((3,9),(8,6)),4),((6,2),(7,(1,2)),9),-3)"
    page = visit(f"/study/{tree}?view=search&algorithm=alpha-beta&step=13&form={form}")
    drawn = {DESK: 606, (1920, 1080): 703}
    for screen, least in positions.one_in(
        2, [(PHONE, 13), (ZOOMED, 13), (DESK, 13), ((1920, 1080), 15)]
    ):
        resize(page, screen)
        code = page.locator(".code:visible")
        if screen == PHONE:
            click(page.locator(".codeline summary"))
        assert code.locator("code").first.evaluate(SIZE) >= least
        assert code.evaluate("it => it.scrollWidth == it.clientWidth")
        left, _, right, _ = places(page, "#wide")["#wide"]
        assert screen not in drawn or abs(right - left - drawn[screen]) < 1
        assert screen != DESK or page.evaluate(HIGH) <= 800
