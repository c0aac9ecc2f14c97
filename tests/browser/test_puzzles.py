"""Practice as people do it: ten questions, wrong answers, by keyboard, without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests import positions
from tests.browser.conftest import Visit
from tests.browser.person import (
    PAGE_HEIGHT,
    PHONE,
    SMALL,
    click,
    places,
    recorded_requests,
    wait_for_answer,
)

MOVE = "/practise/moves/XX-OO----?round=5&done=fff"
VALUE = "/practise/values/OX--X-OOX?round=5&done=f0ff"
CUT = "/practise/cuts?tree=((3,5),(2,7))&top=max&round=5&done=fff"
STATES = {
    "kinds": "/practise",
    "move asked": MOVE,
    "move refuted": f"{MOVE}&p=75",
    "move refuted by force": "/practise/moves/-------XO?p=1",
    "move shown": f"{MOVE}&p=s",
    "move found": f"{MOVE}&p=2",
    "fork found": "/practise/moves/X-OO--X--?round=5&done=ffffff&p=8",
    "value asked": VALUE,
    "value not below": f"{VALUE}&p=0x",
    "value not taken": f"{VALUE}&p=0o1d2x",
    "value too soon": f"{VALUE}&p=3",
    "values filled": f"{VALUE}&p=0o1d2o3d",
    "cut asked": f"{CUT}&p=uuu",
    "cut refused": "/practise/cuts?tree=((3,5),(4,1))&top=max&round=5&done=fff&p=uuuc",
    "cuts made": f"{CUT}&p=uuuc",
    "numbers asked": "/practise/values?round=5&done=ffffffff",
    "deep cut": "/practise/cuts?round=5&done=fffffffff&p=u",
    "round over": "/practise/moves?round=5&done=ff00f0ffff",
    "all found": "/practise/cuts?round=5&done=ffffffffff",
}


@pytest.mark.parametrize("kind", positions.sample(3, ["moves", "values", "cuts"]))
def test_a_round_can_be_played_through(visit: Visit, kind: str) -> None:
    """Play a round of each kind in `make soak`, otherwise the last question of moves.

    What is asked, and what answers it, is in view on the smallest phone.
    """
    first_number = 1 if positions.is_soak else 10
    page = visit(f"/practise/{kind}?round=1&done={'0' * (first_number - 1)}", screen=SMALL)
    main_button = page.locator(".prime")
    for number in range(first_number, 11):
        expect(page.get_by_role("img", name=f"Question {number} of 10, ")).to_be_visible()
        assert page.evaluate(PAGE_HEIGHT) <= SMALL[1], page.url
        while not main_button.count():
            show = page.get_by_role("link", name="Show me")
            numbers = page.locator("#stage .choices a")  # the choices to put under a deep cutoff
            if kind == "cuts" and numbers.count() and not show.count():
                click(numbers.first)
                click(numbers.last)
                click(page.get_by_role("link", name="Prune", exact=False))
            else:
                click(show if show.count() else page.locator("#stage a"))
        assert page.evaluate(PAGE_HEIGHT) <= SMALL[1], page.url
        main_button.click()
        page.wait_for_load_state()
    expect(page.get_by_role("heading", level=1)).to_have_text("0 of 10 on the first try · best 0")
    page.get_by_role("link", name="Again", exact=True).click(trial=True)  # nothing covers it
    for mark in page.locator(".again .pencil").all():
        expect(mark).to_have_css("stroke-width", "1.6px")  # thin, because this move was not played
    click(page.locator(".again a").first)
    expect(page).to_have_url(re.compile(rf"/practise/{kind}.*round=1&done=\d{{10}}"))


def test_a_wrong_press_is_answered_in_pencil_and_can_be_followed(visit: Visit) -> None:
    page = visit("/practise/moves/X-O----X-", screen=SMALL)
    with recorded_requests(page, "/static/") as urls:
        click(page.get_by_role("link", name="center, empty: play O here", exact=True))
        expect(page.locator("#told")).to_contain_text("X blocks, and then X can win in two places.")
        expect(page.locator("#told")).to_be_focused()
        place_before = places(page, "#board")
        page.keyboard.press("Shift+Tab")
        expect(page.get_by_role("link", name="bottom right, empty")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#told")).to_contain_text("That is the one.")
        wait_for_answer(page)
        assert places(page, "#board") == place_before
    assert not urls
    page.go_back()
    expect(page.locator("#told")).to_contain_text("Not there.")
    wait_for_answer(page)  # otherwise the next step may be lost
    page.go_forward()
    expect(page.locator("#told")).to_contain_text("That is the one.")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"/practise/moves\?round=\d+$"))


def test_on_a_phone_a_wrong_value_keeps_the_choices_in_place(visit: Visit) -> None:
    page = visit("/practise/values/XOXOO--X-", screen=PHONE)
    choices = page.locator("#told a.plain")
    box_before = choices.bounding_box()
    click(page.get_by_role("link", name="+1", exact=True))
    expect(page.locator("#told")).to_contain_text("would O pick +1?")
    assert choices.bounding_box() == box_before


def test_the_largest_tree_with_cutoffs_fits_on_a_phone(visit: Visit) -> None:
    page = visit("/practise/cuts?round=5&done=fffffff&p=uussmlcuuuc", screen=PHONE)
    assert page.evaluate(PAGE_HEIGHT) == PHONE[1]


def test_on_a_phone_a_press_on_a_tree_keeps_the_question_in_place(visit: Visit) -> None:
    page = visit("/practise/cuts?tree=((3,5),(2,7))", screen=PHONE)
    top_before = places(page, "#told")["#told"][1]
    click(page.locator("#stage .tree a"))
    assert places(page, "#told")["#told"][1] == top_before


def test_without_javascript_moves_can_be_found(visit: Visit) -> None:
    page = visit("/practise/moves/X---O---X", java_script_enabled=False)
    page.get_by_role("link", name="top right, empty").click()
    expect(page.locator("#told")).to_contain_text("X blocks, and then X can win in two places.")
    page.get_by_role("link", name="top center, empty").click()
    expect(page.locator("#told")).to_contain_text("That is the one.")


def test_without_javascript_values_can_be_filled_in(visit: Visit) -> None:
    page = visit("/practise/values/OX--X-OOX", java_script_enabled=False)
    page.get_by_role("link", name="+1", exact=True).click()
    expect(page.locator("#told")).to_contain_text("Only −1 and 0 are below.")


def test_without_javascript_branches_can_be_pruned(visit: Visit) -> None:
    page = visit("/practise/cuts?tree=((3,5),(2,7))&p=uuu", java_script_enabled=False)
    page.get_by_role("link", name="✂ Prune").click()
    expect(page.locator("#told")).to_contain_text("Pruned: C is 2 or less, and A already has 3.")
