"""What a person meets at the game who listens, or sees little."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from engine.position import SQUARE_NAMES
from tests.browser.conftest import Visit
from tests.browser.person import (
    HEAR,
    STATES,
    TWO_FRAMES,
    best,
    board,
    button,
    cell,
    click,
    play,
    status,
    take_a_hint,
    verdict,
)

# Names and roles


def test_a_new_game_says_who_plays_what_is_asked_and_what_can_be_chosen(page: Page) -> None:
    expect(page.get_by_role("main")).to_match_aria_snapshot("""
        - heading "Tic-tac-toe" [level=1]
        - group "Board":
          - button "top left, empty"
          - button "top centre, empty"
          - button "top right, empty"
          - button "middle left, empty"
          - button "centre, empty"
          - button "middle right, empty"
          - button "bottom left, empty"
          - button "bottom centre, empty"
          - button "bottom right, empty"
        - group: You Your move 0 draws
        - group: Perfect plays O 0 wins
        - status:
          - paragraph: I have never lost. Hold me to a draw, if you can.
        - list:
          - listitem:
            - link /Today/
          - listitem:
            - link /How can Perfect never lose/
        - group "Opponent":
          - button "Perfect" [pressed]
          - button "Random"
        - group "You play":
          - button "X, first" [pressed]
          - button "O, second"
    """)


# Announcements


def test_the_status_stays_the_same_element_and_speaks_once_a_click(page: Page) -> None:
    status(page).evaluate(HEAR)
    said = []
    for target in (
        cell(page, 4),
        button(page, "Hint"),
        button(page, "Show all results"),
        cell(page, 1),
        button(page, "Take back"),
    ):
        click(target)
        page.evaluate(TWO_FRAMES)
        said.append(status(page).inner_text())
        assert status(page).evaluate("element => element.heard") == said


def test_a_reply_is_said_with_its_square_and_the_end_with_what_it_came_to(page: Page) -> None:
    play(page, best, turns=1)
    reply = SQUARE_NAMES[board(page).index("O")]
    expect(status(page)).to_contain_text(f"O: {reply}. Your move.")
    play(page, best)
    expect(status(page).get_by_role("heading", name="You held me.")).to_be_visible()
    expect(page.locator("#story").get_by_role("img")).to_have_accessible_name(
        re.compile(r"A draw all the way\. Moves? \d.* had only one safe square\.")
    )


# Forced colours


def style(target: Locator, name: str) -> str:
    return str(target.evaluate("(element, name) => getComputedStyle(element)[name]", name))


def test_forced_colours_keep_board_marks_line_and_choice_visible(visit: Visit) -> None:
    page = visit()
    page.emulate_media(forced_colors="active", color_scheme="dark")
    paper = style(page.locator("body"), "backgroundColor")
    chosen, other = (page.locator(f"#difficulty-{name}") for name in ("perfect", "random"))
    assert style(chosen, "outlineStyle") == "solid" != style(other, "outlineStyle")
    assert style(page.locator("#board"), "backgroundColor") != paper  # lines between the squares
    for square in range(9):
        assert style(cell(page, square), "backgroundColor") == paper
    take_a_hint(page)
    click(button(page, "Show all results"))
    assert {style(one, "borderTopWidth") for one in page.locator("#board .chip").all()} == {"1px"}
    page = visit(game=STATES["lost"])
    page.emulate_media(forced_colors="active", color_scheme="dark")
    fills = {style(one, "backgroundColor") for one in page.locator("#board .wins").all()}
    assert len(fills) == 1
    assert paper not in fills
    for square, mark in enumerate(board(page)):
        if mark != "-":
            stroke = style(cell(page, square).locator("path").first, "stroke")
            assert stroke != style(cell(page, square), "backgroundColor")
    expect(verdict(page)).to_be_visible()
