"""What a person meets who listens, or sees little, or wants less motion."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from engine.position import SQUARE_NAMES
from tests.browser.conftest import Visit, forgive
from tests.browser.person import (
    PAGES,
    STATES,
    board,
    button,
    cell,
    click,
    play_two_turns,
    status,
    win,
)

# Names and roles


def test_the_board_is_a_grid_of_named_squares(page: Page) -> None:
    expect(page.get_by_role("main")).to_match_aria_snapshot("""
        - status: Your turn. You are X.
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
        - button /Random/ [pressed=false]
        - button /Perfect/ [pressed=true]
    """)
    expect(page.get_by_role("group", name="You play")).to_match_aria_snapshot("""
        - button /X/ [pressed=true]
        - button /O/ [pressed=false]
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

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def violations(page: Page) -> str:
    """Let axe look at the page in both themes; return its report, empty if it finds nothing."""
    report = ""
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        # The rest of the report takes most of the time; another theme changes colours alone.
        rules = {} if theme == THEMES[0] else {"runOnly": ["color-contrast"]}
        results = Axe().run(page, options={"resultTypes": ["violations"], **rules})
        if results.violations_count:
            report += f"{theme}: {results.generate_report()}"
    return report


@pytest.mark.parametrize("mark", ["X", "O"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_in_either_theme(page: Page, state: str, mark: str) -> None:
    if mark == "O":
        click(button(page, "O"))
    STATES[state](page)
    assert not violations(page)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on_other_pages(visit: Visit, name: str, troubles: list[str]) -> None:
    page = visit(PAGES[name])
    if name == "error":
        forgive(troubles, "404")
    assert not violations(page)


def test_an_error_page_leads_back_to_the_game(visit: Visit, troubles: list[str]) -> None:
    page = visit(PAGES["error"])
    forgive(troubles, "404")
    page.get_by_role("link", name="Back to the game").click()
    expect(status(page)).to_have_text("Your turn. You are X.")


# Forced colours


def style(target: Locator, name: str, pseudo: str = "") -> str:
    return str(
        target.evaluate(
            "(element, [name, pseudo]) => getComputedStyle(element, pseudo)[name]", [name, pseudo]
        )
    )


def test_forced_colours_keep_marks_lines_focus_and_choice_visible(page: Page) -> None:
    page.emulate_media(forced_colors="active", color_scheme="dark")
    win(page)
    paper = style(page.locator("body"), "backgroundColor")
    for drawn in page.locator("#board [data-mark='X'] path, #board [data-mark='O'] path").all():
        assert style(drawn, "stroke") not in (paper, "none")
    assert style(page.locator("#strike path"), "stroke") not in (paper, "none")
    assert style(page.locator("#board"), "borderLeftColor", "::before") != paper
    assert style(button(page, "Random"), "backgroundColor") != paper
    assert style(button(page, "Perfect"), "backgroundColor") == paper
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    assert style(focused, "outlineStyle") == "solid"
    assert style(focused, "outlineColor") != paper


# Motion


def starts_and_ends(path: Locator) -> tuple[float, float]:
    """Return when a stroke starts and ends to draw itself, in milliseconds after the swap."""
    delay = float(style(path, "transitionDelay").removesuffix("s"))
    duration = float(style(path, "transitionDuration").removesuffix("s"))
    return round(delay * 1000), round((delay + duration) * 1000)


def test_marks_draw_themselves_one_after_the_other(page: Page) -> None:
    page.evaluate("""() => {
        window.drawn = []
        addEventListener("transitionrun", event => drawn.push(event.target.closest("[id]").id))
    }""")
    play_two_turns(page)
    page.wait_for_function("() => new Set(drawn).size == 4")
    win(page)
    page.wait_for_function("() => drawn.includes('strike')")
    for path in page.locator("#board [data-mark='X'] path").all():
        assert starts_and_ends(path)[1] <= 180
    reply = page.locator("#board [data-reply] path")
    assert starts_and_ends(reply.first)[0] == 300
    line = page.locator("#strike path")
    assert starts_and_ends(reply.last)[1] <= starts_and_ends(line)[0]
    assert starts_and_ends(line)[1] <= 900


def test_nothing_moves_for_a_person_who_asked_for_less_motion(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    win(page)
    moving = page.locator("#board path").evaluate_all("""paths => paths.filter(path =>
        getComputedStyle(path).transitionDuration != "0s"
        || getComputedStyle(path).animationName != "none")""")
    assert moving == []
    assert page.evaluate("() => document.getAnimations().length") == 0
