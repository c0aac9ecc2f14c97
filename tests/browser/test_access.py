"""What a person meets who listens, or sees little, or wants less motion."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from engine.position import SQUARE_NAMES, Position
from tests.browser.conftest import Visit, forgive
from tests.browser.person import (
    PAGES,
    STATES,
    board,
    button,
    cell,
    click,
    lose,
    play_two_turns,
    status,
    use,
    win,
    worst,
)

# Names and roles


def test_the_board_is_a_grid_of_named_squares(page: Page) -> None:
    expect(page.get_by_role("main")).to_match_aria_snapshot("""
        - paragraph: Perfect never loses. Try, and see why.
        - status:
          - text: You are X.
          - strong: Your turn.
        - grid "Board":
          - row:
            - gridcell:
              - button "top left, empty"
            - gridcell:
              - button "top centre, empty"
            - gridcell:
              - button "top right, empty"
          - row:
            - gridcell:
              - button "middle left, empty"
            - gridcell:
              - button "centre, empty"
            - gridcell:
              - button "middle right, empty"
          - row:
            - gridcell:
              - button "bottom left, empty"
            - gridcell:
              - button "bottom centre, empty"
            - gridcell:
              - button "bottom right, empty"
    """)


def test_a_square_is_named_with_what_stands_on_it(page: Page) -> None:
    play_two_turns(page)
    for square, mark in enumerate(board(page)):
        content = "empty" if mark == "-" else mark
        expect(cell(page, square)).to_have_accessible_name(f"{SQUARE_NAMES[square]}, {content}")


def test_the_winning_line_is_part_of_the_names(page: Page) -> None:
    win(page)
    line = page.get_by_role("button", name=", X, winning line")
    expect(line).to_have_count(3)
    squares = [line.nth(i).get_attribute("id") for i in range(3)]
    for square, mark in enumerate(board(page)):
        content = "empty" if mark == "-" else mark
        ending = ", winning line" if f"cell-{square}" in squares else ""
        expect(cell(page, square)).to_have_accessible_name(
            f"{SQUARE_NAMES[square]}, {content}{ending}"
        )


def test_the_controls_say_what_they_do_and_which_is_chosen(page: Page) -> None:
    expect(page.get_by_role("group", name="Opponent")).to_match_aria_snapshot("""
        - button "Random, new game" [pressed=false]
        - button "Perfect" [pressed=true]
    """)
    expect(page.get_by_role("group", name="You play")).to_match_aria_snapshot("""
        - button "X" [pressed=true]
        - button "O, new game" [pressed=false]
    """)


# Announcements


def test_the_status_stays_the_same_element_and_speaks_once_a_click(page: Page) -> None:
    status(page).evaluate("""element => {
        element.heard = []
        new MutationObserver(() => element.heard.push(element.textContent))
            .observe(element, {childList: true, characterData: true, subtree: true})
    }""")
    said = []
    for target in [cell(page, 4), cell(page, board(page).index("-")), button(page, "Take back")]:
        click(target)
        page.wait_for_timeout(100)
        said.append(status(page).text_content())
        assert status(page).evaluate("element => element.heard") == said


# Automatic checks

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, Theme] = ("light", "dark")


def violations(page: Page, theme: Theme, **options: Any) -> str:
    """Let axe look at a page in a theme; return its report, empty if it finds nothing."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    axe = Axe("null") if page.evaluate("!!window.axe") else Axe()  # to send it takes 70 ms
    # Without what it did not find, which takes most of the time.
    results = axe.run(page, options={"resultTypes": ["violations"], **options})
    return f"{theme}: {results.generate_report()}" if results.violations_count else ""


def violations_in_both_themes(page: Page) -> str:
    """Let axe look at a page in both themes, of which the second changes colours alone."""
    return violations(page, "light") + violations(page, "dark", runOnly=["color-contrast"])


@pytest.mark.parametrize("mark", ["X", "O"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_in_either_theme(page: Page, state: str, mark: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    if mark == "O":
        use(page, "O")
    STATES[state](page)
    assert not violations_in_both_themes(page)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on_other_pages(visit: Visit, name: str, troubles: list[str]) -> None:
    page = visit(PAGES[name])
    if name == "error":
        forgive(troubles, "404")
    assert not violations_in_both_themes(page)


def test_an_error_page_leads_back_to_the_game(visit: Visit, troubles: list[str]) -> None:
    page = visit(PAGES["error"])
    forgive(troubles, "404")
    page.get_by_role("link", name="Back to the game").click()
    expect(status(page)).to_have_text("You are X. Your turn.")


# Forced colours


def style(target: Locator, name: str, pseudo: str = "") -> str:
    return str(
        target.evaluate(
            "(element, [name, pseudo]) => getComputedStyle(element, pseudo)[name]", [name, pseudo]
        )
    )


def test_forced_colours_keep_marks_lines_focus_and_choice_visible(page: Page) -> None:
    page.emulate_media(forced_colors="active", color_scheme="dark")
    paper = style(page.locator("body"), "backgroundColor")
    for square in range(9):  # a grid, not nine boxes
        assert style(cell(page, square), "borderTopWidth") == "0px"
        assert style(cell(page, square), "backgroundColor") in (paper, "rgba(0, 0, 0, 0)")
    assert style(page.locator("#board"), "borderLeftColor", "::before") != paper
    win(page)
    strike = style(page.locator("#strike path"), "stroke")
    assert strike not in (paper, "none")
    for square, mark in enumerate(board(page)):
        if mark != "-":
            wins = cell(page, square).get_attribute("data-wins") is not None
            stroke = style(cell(page, square).locator("path").first, "stroke")
            assert stroke not in (strike if wins else paper, "none")
    page.locator("#settings summary").click()
    chosen = style(button(page, "Random"), "backgroundColor")
    assert chosen not in (paper, style(button(page, "Perfect"), "backgroundColor"))
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    assert style(focused, "outlineStyle") == "solid"
    assert style(focused, "outlineColor") != paper


# Motion

# Note when each element begins and ends to move, in milliseconds after the press; how often a
# mark's strokes run; and what the page shows halfway, frame by frame.
WATCH = """() => {
    window.moved = []
    let pressed = 0
    addEventListener("click", () => { pressed = performance.now(); moved.length = 0 }, true)
    for (const phase of ["transitionrun", "transitionstart", "transitionend"])
        addEventListener(phase, ({target, propertyName}) => moved.push({
            phase: phase.slice(10),
            what: target.closest("[id]").id,
            name: propertyName,
            at: Math.round(performance.now() - pressed),
        }))
}"""


def wait_until_still(page: Page) -> None:
    page.wait_for_function("""() => !document.querySelector(".htmx-added, .htmx-settling")
        && !document.getAnimations().length""")


def moved(page: Page) -> list[dict[str, Any]]:
    """Wait until all is still, and return what began and ended to move."""
    wait_until_still(page)
    found: list[dict[str, Any]] = page.evaluate("() => moved")
    return found


def drawn(page: Page) -> list[str]:
    """Return which squares drew a mark since the last press."""
    return sorted(
        {
            one["what"]
            for one in moved(page)
            if one["name"] == "stroke-dashoffset" and one["what"] != "strike"
        }
    )


def times(page: Page, what: str, name: str) -> tuple[int, int]:
    """Return when something began to change after the last press, and when it was done."""
    found = [one for one in moved(page) if (one["what"], one["name"]) == (what, name)]
    start = min(one["at"] for one in found if one["phase"] == "start")
    return start, max(one["at"] for one in found if one["phase"] == "end")


def test_a_press_draws_the_reply_and_no_mark_that_is_there(page: Page) -> None:
    page.evaluate(WATCH)
    while not (position := Position.parse(board(page))).outcome():
        click(cell(page, worst(position)))
        after = board(page)
        replies = [
            f"cell-{square}"
            for square in range(9)
            if after[square] != str(position)[square] and after[square] == "O"
        ]
        assert drawn(page) == replies
        for reply in replies:
            assert times(page, reply, "stroke-dashoffset")[0] >= 300
    assert position.ply > 4


def test_what_is_said_and_marked_at_the_end_waits_for_the_reply(page: Page) -> None:
    page.evaluate(WATCH)
    while not (position := Position.parse(board(page))).outcome():
        wait_until_still(page)  # else the reply before may still wait to be drawn
        mine = f"cell-{worst(position)}"
        click(page.locator(f"#{mine}"))
    [reply] = drawn(page)
    drawn_by = times(page, reply, "stroke-dashoffset")[1]
    early = {
        one["what"]
        for one in moved(page)
        if one["phase"] == "start" and one["at"] < drawn_by - 50  # some frames, on a busy machine
    }
    assert early == {reply, mine}
    assert {"status", "strike", "reason"} <= {one["what"] for one in moved(page)}
    assert max(one["at"] for one in moved(page)) - times(page, reply, "stroke-dashoffset")[0] < 600


def test_my_mark_is_whole_from_the_press_on(page: Page) -> None:
    """Look at every frame from the press until all is still."""
    page.evaluate("""() => {
        window.frames = []
        const look = () => {
            const one = document.querySelector("#cell-4 .drawing")
            const path = one.querySelector("path")
            frames.push([+getComputedStyle(one).opacity, getComputedStyle(path).strokeDashoffset])
            if (frames.length < 60) requestAnimationFrame(look)
        }
        addEventListener("click", () => requestAnimationFrame(look), true)
    }""")
    click(cell(page, 4))
    page.wait_for_function("() => frames.length == 60")
    frames = page.evaluate("() => frames")
    shown = [opacity for opacity, _ in frames]
    assert shown == sorted(shown), "it fades in, and never back"
    assert shown[8] == 1, "whole within an eighth of a second"
    assert {offset for _, offset in frames} == {"0px"}


def test_a_stroke_that_waits_shows_no_dot(page: Page) -> None:
    """A round cap would show wherever a dash begins, so no dash may begin on the path."""
    page.emulate_media(reduced_motion="no-preference")
    click(cell(page, 4))
    path = page.locator("#board [data-mark=O] path").first
    dash, gap = map(float, style(path, "strokeDasharray").replace("px", "").split(", "))
    offset = 1.2
    assert dash - offset < 0 < dash + gap - offset
    assert dash + gap - offset > 1


def test_nothing_moves_for_a_person_who_asked_for_less_motion(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(WATCH)
    for reach in (win, lose):
        reach(page)
        assert page.evaluate("() => moved") == []
        assert page.evaluate("() => document.getAnimations().length") == 0
        click(button(page, "Play again"))
