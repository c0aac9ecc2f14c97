"""How answers to clicks are drawn and timed, in Today, practice and Write."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from teach.today import board_of, game_after
from tests.browser.conftest import Visit, moving
from tests.browser.person import MARK_AS_SWAPPED, SMALL, answer, board, button, cell, places
from tests.pages import DAY
from tests.positions import sample

# For each animation: its element, its name, its delay and its duration in ms.
READ_ANIMATIONS = """() => document.getAnimations().map(({animationName, effect}) => {
    const {delay, duration} = effect.getTiming(), {target} = effect
    const element = target.closest(".cell, .run i, .face, .onward, .field, .verdict, .sentence")
    const classes = [...element.classList].filter(name => !/^(cell|may.*|[XO])$/.test(name))
    return [...classes, animationName, ...[delay, duration].map(Math.round)].join(" ")
}).sort()"""
# Make a page look as it does right after a click, and pause all animations.
PAUSE_AFTER_CLICK = (
    f"{MARK_AS_SWAPPED}; document.getAnimations().forEach(animation => animation.pause())"
)
FACE_ANIMATIONS = {"face stay 0 300", "face appear 300 1"}


def animations(page: Page) -> set[str]:
    """Return the animations of a page, such as `face stay 0 300`."""
    return {*page.evaluate(READ_ANIMATIONS)}


def right_then_wrong() -> tuple[str, str]:
    """Return a right and a wrong first square of the day."""
    right = game_after(board_of(DAY), "").puzzle.right_squares[0]
    wrong = next(square for square in board_of(DAY).legal_moves() if square != right)
    return str(right), str(wrong)


@pytest.mark.parametrize("has_javascript", sample(2, [False, True]))
def test_a_wrong_press_resets_the_board_of_the_day_which_can_be_finished(
    visit: Visit, has_javascript: bool
) -> None:
    page = visit("/today", screen=SMALL, java_script_enabled=has_javascript)
    before, (right, wrong) = board(page), right_then_wrong()
    place_before = places(page, "#board") if has_javascript else None
    cell(page, int(wrong)).click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Not there.")
    expect(cell(page, int(wrong))).to_contain_text("??")
    cell(page, int(right)).click()
    expect(page.locator("#status")).to_contain_text("Right.")
    assert board(page)[int(wrong)] == "-" and board(page).count("-") == before.count("-") - 2
    presses = right
    while not (day := game_after(board_of(DAY), presses)).is_over:
        cell(page, day.puzzle.right_squares[0]).click()
        presses += str(day.puzzle.right_squares[0])
    expect(page.locator("#status")).to_contain_text("You found it on the second try.")
    assert not has_javascript or places(page, "#board") == place_before
    expect(page.locator(".run .now")).to_have_class("later now")
    page.locator("#share").click()
    expect(page.get_by_label("To copy")).to_have_value(
        "Tic-tac-toe, Nov 28: I beat it.\n🟧🟦🟦 Second try\n" + page.url.partition("?")[0]
    )


def test_show_me_marks_the_right_square_in_pencil_and_ends_the_day(visit: Visit) -> None:
    page = visit("/today")
    button(page, "Show me").click()
    right, _ = right_then_wrong()
    expect(cell(page, int(right))).to_have_class("cell X pencil")
    expect(page.locator("button.cell")).to_have_count(0)
    expect(page.locator(".run .now")).to_have_class("shown now")


@moving
def test_the_punishment_of_a_wrong_press_comes_mark_by_mark(visit: Visit) -> None:
    page = visit("/practise/moves/X-O----X-?round=5&done=ff0&p=4")
    page.evaluate(PAUSE_AFTER_CLICK)
    pencil = [("next nth-0 pencil", 300), ("nth-1 pencil", 500), ("nth-2 pencil", 700)]
    found = animations(page)
    assert {animation for animation in found if "pencil" in animation} == {
        f"{mark} {name} {delay} 180" for mark, delay in pencil for name in ("tinted", "appear")
    }
    assert {animation for animation in found if "pencil" not in animation} == {
        "past recede 900 200", "past appear 900 200", "verdict lost lift 900 200",
        "sentence appear 1050 150", "face stay 0 900", "face appear 900 1",
    }  # fmt: skip


@moving
def test_a_right_press_in_practice_fills_a_square_of_the_row(visit: Visit) -> None:
    page = visit("/practise/moves/X-O----X-?round=5&done=ff0&p=8")
    page.evaluate(PAUSE_AFTER_CLICK)
    assert animations(page) == FACE_ANIMATIONS | {
        "last appear 150 150", "verdict won lift 300 200", "sentence appear 450 150",
        "new ink 450 300", "onward appear 600 150",
    }  # fmt: skip


@moving
def test_the_games_of_a_program_appear_from_the_top_before_the_words(visit: Visit) -> None:
    page = visit("/learn/write?run=on&l4=0")
    assert {"field down 0 700", "verdict won lift 930 200"} <= animations(page)


def test_with_reduced_motion_nothing_moves(visit: Visit) -> None:
    for path in ("/practise/moves/X-O----X-?p=4", "/learn/write?l4=1&run=on"):
        assert not animations(visit(path))


@moving
@pytest.mark.parametrize("square", sample(2, [1, 0]))
def test_a_reopened_day_does_not_move(visit: Visit, square: int) -> None:
    page = visit("/today")
    cell(page, int(right_then_wrong()[square])).click()
    page.wait_for_selector(".just")
    assert animations(page)
    assert page.url.endswith("/today")
    page.reload()
    assert not animations(page)
    page.goto("/today")
    assert not animations(page)


@moving
@pytest.mark.parametrize(
    ("path", "pressed"),
    sample(
        2,
        [
            ("/practise/moves/X-O----X-", "#cell-4"),
            ("/learn/2", "#cell-5"),
            ("/study/-X---XOOX?view=search&step=8", "#next"),
            ("/practise/cuts?tree=((3,5),(2,7))", "#stage .tree a"),
        ],
    ),
)
def test_a_press_animates_what_it_changed(visit: Visit, path: str, pressed: str) -> None:
    page = visit(path)
    page.evaluate("""() => {
        window.moved = []
        addEventListener("animationstart", ({animationName}) => moved.push(animationName))
    }""")
    page.locator(pressed).first.click()
    answer(page)
    page.wait_for_function("() => moved.length")
