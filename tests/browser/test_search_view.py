"""A search watched as a person does: what is in view, what stays in its place, keys, no script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.position import Position
from teach.searches import ALGORITHMS, run
from teach.trees import tree
from tests.browser.conftest import Visit
from tests.browser.person import HIGH, WIDE, click, put, wait_for_answer

CLASSIC = "/study/O-XX--XOO?view=search"
LAST = len(run(tree(Position.parse("O-XX--XOO")), "minimax").steps)
WELL_KNOWN = ["O-XX--XOO", "XXOOO-XX-", "-X---XOOX", "O--X-XOOX", "XOO---XXO", "---XOXXO-"]
OF_65_BOARDS = ["XO---X-XO", "XOX---OX-", "XO-O-X-X-"]
LESS_KNOWN = [*WELL_KNOWN[1:], *OF_65_BOARDS]
SIDES = "all => all.map(one => one.getBoundingClientRect().width)"
PARTS = ["#told", "#map", ".codeline summary"]
CONTROLS = ["#back", "#play", "#skip", "#next", "#scrub"]


def shapes(board: str, algorithm: Any) -> list[int]:
    """Return one step of each shape: how deep the board in view is, and its number of children."""
    search = run(tree(Position.parse(board)), algorithm)
    found: dict[tuple[str, int, int], int] = {}
    for number, step in enumerate(search.steps, 1):
        left = board.count("-") - len(step.path)
        found.setdefault((type(step).__name__, len(step.path), left), number)
    return [0, *found.values()]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(
    "board",
    [WELL_KNOWN[0], *(pytest.param(board, marks=pytest.mark.soak) for board in LESS_KNOWN)],
)
def test_on_a_phone_all_of_a_step_is_in_view_and_the_controls_stay_where_they_are(
    visit: Visit, board: str, algorithm: str
) -> None:
    page = visit(CLASSIC, viewport={"width": 390, "height": 664})
    stood = []
    for step in shapes(board, algorithm):
        path = f"/study/{board}?view=search&algorithm={algorithm}&step={step}"
        found = put(page, path, *PARTS, ".foot", *CONTROLS)
        top = found[".foot"][1]
        for name in PARTS:
            assert 0 <= found[name][1] < found[name][3] <= top + 0.5, (name, step)
        assert found[".foot"][3] <= 664
        assert found["all"][3] <= 664
        stood.append([found[name] for name in CONTROLS])
    assert all(there == stood[0] for there in stood)


def test_on_the_smallest_phone_sentence_board_and_controls_are_in_view(visit: Visit) -> None:
    page = visit(CLASSIC, viewport={"width": 320, "height": 568})
    for step in shapes("XO--OXX--", "alpha-beta"):
        path = f"/study/XO--OXX--?view=search&algorithm=alpha-beta&step={step}"
        found = put(page, path, "#told", "#curr .pic", ".foot")
        assert (
            found["#told"][3]
            <= found["#curr .pic"][1]
            < found["#curr .pic"][3]
            <= found[".foot"][1]
        )
        assert found[".foot"][3] <= 568
        assert found["all"][2] <= 320


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("board", ["O-XX--XOO", "-X---XOOX", "XO--OXX--"])
def test_on_a_desktop_nothing_is_below_the_screen_and_boards_are_large(
    visit: Visit, board: str, algorithm: str
) -> None:
    page = visit(CLASSIC, viewport={"width": 1280, "height": 800})
    for step in shapes(board, algorithm):
        path = f"/study/{board}?view=search&algorithm={algorithm}&step={step}"
        found = put(page, path, "#told", "#wide", "#frames", ".col-r", ".foot", ".lead")
        assert found["all"][3] <= 800
        assert (
            max(found[name][3] for name in ("#told", "#wide", ".col-r")) <= found[".foot"][1] + 0.5
        )
        sides = page.locator("#wide .mini").evaluate_all(SIDES)
        assert min(sides) >= 56
        # The dotted line begins at the sentence.
        assert abs(found[".lead"][0] - found["#told"][2]) <= 2
        assert found["#told"][1] <= found[".lead"][3] <= found["#told"][3]


def test_a_step_scrolls_nothing(visit: Visit) -> None:
    page = visit(CLASSIC, viewport={"width": 320, "height": 568})
    page.evaluate("document.body.style.paddingBlockEnd = '400px'")  # there is room to scroll
    for step in (1, 2, 3):
        click(page.locator("#next"))
        expect(page).to_have_url(re.compile(f"step={step}$"))
        assert page.evaluate("scrollY") == 0


def test_steps_take_the_place_of_each_other_and_keep_the_focus(visit: Visit) -> None:
    page = visit(CLASSIC, new=True)
    before = page.evaluate("history.length")
    page.locator("#wide").evaluate("element => document.body.stayed = true")
    for step in (1, 2, 3):
        page.locator("#next").click()
        expect(page).to_have_url(re.compile(f"step={step}$"))
    expect(page.locator("#next")).to_be_focused()
    expect(page.locator("#told")).to_contain_text("O answers centre and wins, on turn 2")
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
    page.get_by_role("link", name="The same by alpha-beta").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Watch alpha-beta")
    assert page.evaluate("history.length") == before + 1


def test_a_press_on_a_board_leads_to_its_step_and_the_focus_stays(
    visit: Visit,
) -> None:
    page = visit(CLASSIC + "&step=11", viewport={"width": 390, "height": 664})
    page.locator("#m1").click()
    expect(page).to_have_url(re.compile("step=9$"))
    expect(page.locator("#m1")).to_be_focused()
    page.locator("#m1").click()  # it has just come back: now to where it was entered
    expect(page).to_have_url(re.compile("step=2$"))
    expect(page.locator("#m1")).to_be_focused()


def test_a_step_is_announced_once(visit: Visit) -> None:
    page = visit(CLASSIC)
    told = page.get_by_role("status")
    told.evaluate("""element => {
        element.heard = []
        new MutationObserver(() => element.heard.push(element.innerText))
            .observe(element, {childList: true, characterData: true, subtree: true})
    }""")
    said = []
    for step in (1, 2, 3):
        page.locator("#next").click()
        expect(page).to_have_url(re.compile(f"step={step}$"))
        said.append(told.inner_text())
    assert told.evaluate("element => element.heard") == said


def test_play_runs_to_the_end_stops_for_a_press_and_waits_for_an_answer(visit: Visit) -> None:
    page = visit("/study/XXOOO-XX-?view=search&speed=fast", new=True)
    page.clock.install()
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    for step in range(1, 9):
        expect(page).to_have_url(re.compile(f"step={step}$"))
        page.clock.run_for(1000)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.locator("#play").click()
    expect(page).to_have_url(re.compile("speed=fast$"))
    page.locator("#back, #next").last.click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_without_javascript_all_of_it_is_links_and_a_form(visit: Visit) -> None:
    page = visit(CLASSIC, java_script_enabled=False, viewport={"width": 390, "height": 664})
    page.locator("#next").click()
    page.locator("#next").click()
    expect(page.get_by_text("2 of 20")).to_be_visible()
    expect(page.locator("#play")).to_be_hidden()
    page.locator("#scrub").press("End")
    page.get_by_role("button", name="Go").click()
    expect(page.locator("#told")).to_contain_text("X picks the highest: centre, +9")
    page.locator(".codeline summary").click()
    page.get_by_role("link", name="Predict", exact=True).click()
    page.locator("#scrub").press("Home")
    page.get_by_role("button", name="Go").click()
    page.locator("#next").click()
    page.locator("#next").click()
    page.locator("#next").click()
    page.locator("#answer-9").click()
    expect(page.locator("#told")).to_contain_text("Not +9")
    page.locator("#answer--8").click()
    expect(page.locator("#told")).to_contain_text("Right.")


LARGE_TREE = "/study/(((1,2,3),(4,5),(6,7,8)),((9,1,2),(3,4)),((5,6,7),(8,9,1)))?view=search"


@pytest.mark.parametrize(
    ("address", "steps"),
    [
        ("/study/--OXX-X-O?view=search&algorithm=alpha-beta", range(0, 60, 6)),
        ("/study/--OXX-X-O?view=search", (0, 33, 48, "last")),
        ("/study/OX--X-OOX?view=search&algorithm=alpha-beta", range(0, 30, 4)),
        ("/study/---------?view=search&algorithm=alpha-beta", (0, 3, 11, 20, 25)),
        ("/study/X---O----?view=search", (0, 3, 30)),
        ("/study/((3,12,8),(2,4,6),(14,5,2))?view=search&algorithm=alpha-beta", range(0, 24, 4)),
        (LARGE_TREE + "&algorithm=alpha-beta", range(0, 60, 9)),
        (LARGE_TREE + "&predict=on", (4, 9)),
    ],
)
def test_a_search_is_watched_without_scrolling(
    visit: Visit, address: str, steps: Sequence[object]
) -> None:
    page = visit(address, viewport={"width": 390, "height": 664})
    for step in steps:
        page.goto(f"{address}&step={step}")
        assert page.evaluate(HIGH) <= 664, step
        assert page.evaluate(WIDE) <= 390


def test_on_a_beamer_letters_are_large_and_the_arrows_step(visit: Visit) -> None:
    url = "/study/((3,12,8),(2,4,6),(14,5,2))?view=search&algorithm=alpha-beta&big=on&step=13"
    page = visit(url, viewport={"width": 1280, "height": 800})
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert page.locator("#told").evaluate(size) >= 22
    assert page.locator(".beside-tree code").first.evaluate(size) >= 18
    heights = "elements => elements.map(e => e.getBoundingClientRect().height)"
    assert min(page.locator("#wide text").evaluate_all(heights)) >= 20
    assert page.evaluate(HIGH) <= 800
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=14$"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=13$"))
    page.keyboard.press("b")
    expect(page.locator("#scrub")).to_be_visible()
