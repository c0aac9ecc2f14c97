"""What a person meets at the game who listens, or sees little."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from engine.position import SQUARE_NAMES
from tests.browser.conftest import Visit
from tests.browser.person import FALLEN, HEAR, STATES, TWO_FRAMES, best, board, play, press, status

# Names and roles


def test_a_new_game_says_who_plays_what_is_asked_and_what_can_be_chosen(page: Page) -> None:
    expect(page.get_by_role("main")).to_match_aria_snapshot("""
        - heading "Tic-tac-toe" [level=1]
        - group "Board":
          - button "top left, empty"
          - button "centre, empty"
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
    for target in (4, "Hint", "Show all results", 1, "Take back"):
        press(page, target)
        page.evaluate(TWO_FRAMES)
        now, heard = status(page).evaluate("element => [element.innerText, element.heard]")
        said.append(now)
        assert heard == said


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

# The colours of the paper, the board, its squares, their marks and those of a line; what surrounds
# the choices that are made and not; how wide the rims of results are.
COLOURS = """() => {
    const of = (css, name, within=document) => [...within.querySelectorAll(css)]
        .map(one => getComputedStyle(one)[name])
    return {
        paper: of("body", "backgroundColor"),
        board: of("#board", "backgroundColor"),
        squares: of("#board .cell", "backgroundColor"),
        marks: [...document.querySelectorAll("#board .cell:is([data-mark=X], [data-mark=O])")]
            .map(one => [of("path", "stroke", one)[0], getComputedStyle(one).backgroundColor]),
        line: of("#board .wins", "backgroundColor"),
        chosen: of("#difficulty-perfect", "outlineStyle"),
        other: of("#difficulty-random", "outlineStyle"),
        rims: of("#board .chip", "borderTopWidth"),
        verdict: of("#status .verdict", "visibility"),
    }
}"""


def test_forced_colours_keep_board_marks_line_and_choice_visible(visit: Visit) -> None:
    def colours(state: str) -> dict[str, list[Any]]:
        page = visit(game=STATES[state])
        page.emulate_media(forced_colors="active", color_scheme="dark")
        found: dict[str, list[Any]] = page.evaluate(COLOURS)
        return found

    new, results, lost = map(colours, ("first", "results", "lost"))
    assert new["chosen"] == ["solid"] != new["other"]
    assert new["board"] != new["paper"]  # lines between the squares
    assert new["squares"] == new["paper"] * 9
    assert {*results["rims"]} == {"1px"}
    assert {*lost["line"]} != {*lost["paper"]} and len({*lost["line"]}) == 1
    assert len(lost["marks"]) == len(FALLEN)
    assert all(stroke != square for stroke, square in lost["marks"])
    assert lost["verdict"] == ["visible"]
