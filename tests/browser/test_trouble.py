"""What goes wrong between a person and a server: haste, two tabs, no connection, a crash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from engine.position import Position
from tests.browser.conftest import Visit, forgive, moving
from tests.browser.person import (
    STATES,
    best,
    board,
    button,
    cell,
    click,
    play,
    status,
    use,
    wait_for_answer,
)
from tests.serving import Granian, Site

MOVED_ON = "The game moved on in another tab. This is the current board."
NOT_SENT = "Not sent: no connection. Try again"


def marks(page: Page) -> int:
    return 9 - board(page).count("-")


# Haste


def drawing(target: Locator) -> Locator:
    return target.locator("svg").first


@moving
def test_a_double_click_makes_one_move_and_shows_its_mark_at_once(page: Page, site: Site) -> None:
    with site.holding():
        cell(page, 4).dblclick()
        expect(drawing(cell(page, 4))).to_have_css("opacity", "1")
        expect(drawing(cell(page, 0))).to_have_css("opacity", "0")
        expect(status(page)).not_to_contain_text(BUSY)
    wait_for_answer(page)
    expect(cell(page, 4)).to_have_attribute("data-mark", "X")
    expect(drawing(cell(page, 4))).to_have_css("opacity", "1")
    assert marks(page) == 2


BUSY = "One moment: your last press is still on its way."


def test_a_press_while_another_is_on_its_way_is_not_swallowed_in_silence(
    visit: Visit, site: Site
) -> None:
    page = visit(game=STATES["mid-game"])
    hint, empty = button(page, "Hint"), cell(page, 5)
    rounds: list[tuple[Locator, Callable[[], None]]] = [
        (hint, empty.click),
        (cell(page, 7), hint.click),
        (cell(page, 2), partial(empty.press, "Enter")),
    ]
    for number, (first, press_another) in enumerate(rounds):
        with site.holding():
            first.click()
            expect(status(page)).not_to_contain_text(BUSY)
            press_another()
            expect(status(page)).to_contain_text(BUSY)
        wait_for_answer(page)
        expect(status(page)).not_to_contain_text(BUSY)
        assert marks(page) == 4 + 2 * number
        expect(hint).to_have_attribute("aria-pressed", str(first is hint).lower())


@moving
def test_a_press_as_soon_as_the_reply_is_there_is_played(page: Page) -> None:
    """Press while the mark of the reply is still being drawn."""
    cell(page, 4).click()
    page.wait_for_function("() => document.querySelector('#board [data-mark=O]')")
    square = best(Position.parse(board(page)))
    cell(page, square).click()
    wait_for_answer(page)
    expect(cell(page, square)).to_have_attribute("data-mark", "X")
    assert marks(page) == 4


def test_without_javascript_a_double_click_makes_one_move(visit: Visit, site: Site) -> None:
    page = visit(java_script_enabled=False)
    box = cell(page, 4).bounding_box()
    assert box
    with site.holding():
        page.mouse.dblclick(box["x"] + 50, box["y"] + 50)
    expect(cell(page, 4)).to_have_attribute("data-mark", "X")
    page.reload()
    assert marks(page) == 2


# Two tabs of one person


def parts(page: Page) -> dict[str, str]:
    """Read every part of the page but what is said, without the traces that scripts leave.

    What only holds other parts is left out.
    """
    elements: dict[str, str] = page.evaluate("""() => Object.fromEntries([
        ...document.querySelectorAll(
            "main [id]:not(#game, #board, #mine, #opponent, #aside, #status, #status *)")
    ].map(element => {
            const copy = element.cloneNode(true)
            for (const inner of [copy, ...copy.querySelectorAll("*")])
                for (const trace of ["class", "tabindex", "data-hx-swap-oob"])
                    inner.removeAttribute(trace)
            return [element.id, copy.outerHTML]
        }))""")
    assert {f"cell-{square}" for square in range(9)} | {
        "screen",
        "you",
        "nine",
        "them",
        "panel",
        "story",
        "actions",
    } <= elements.keys()
    return elements


def play_an_empty_square(page: Page) -> None:
    click(cell(page, board(page).index("-")))


def show_the_session(*tabs: Page) -> bool:
    """Say whether the tabs show what the session holds, which is what a reload shows."""
    shown = [parts(tab) for tab in tabs]
    tabs[0].reload()
    return shown == [parts(tabs[0])] * len(tabs)


def test_a_tab_left_behind_shows_the_current_board(page: Page, visit: Visit) -> None:
    left_behind = visit(tab="other")
    for move in (True, False):
        click(page.locator(".cell[name]").last) if move else use(page, "O")
        play_an_empty_square(left_behind)
        expect(status(left_behind)).to_contain_text(MOVED_ON)
        assert show_the_session(left_behind, page)


def test_a_new_game_starts_from_a_tab_left_behind_too(page: Page, visit: Visit) -> None:
    play_an_empty_square(page)
    left_behind = visit(tab="other")
    for name in ("New", "O"):
        play_an_empty_square(page)
        click(button(left_behind, name)) if name == "New" else use(left_behind, name)
        play_an_empty_square(page)
        expect(status(page)).to_contain_text(MOVED_ON)
        assert show_the_session(left_behind, page)


def test_two_tabs_that_move_at_once_agree_after_their_next_click(
    page: Page, visit: Visit, site: Site
) -> None:
    tabs = [page, visit(tab="other")]
    with site.holding():
        for square, tab in enumerate(tabs):
            tab.bring_to_front()
            cell(tab, square).click()
    for tab in tabs:
        wait_for_answer(tab)
    for tab in tabs:
        play_an_empty_square(tab)
        assert show_the_session(tab)


# No connection, no server


def test_a_click_without_a_connection_says_so_and_the_game_goes_on(
    visit: Visit, troubles: list[str]
) -> None:
    page = visit()
    play(page, best, turns=1)
    before = board(page)
    square = before.index("-")
    page.context.set_offline(True)
    click(cell(page, square))
    expect(status(page)).to_contain_text(NOT_SENT)
    page.mouse.move(0, 0)
    expect(drawing(cell(page, square))).to_have_css("opacity", "0")
    assert board(page) == before
    forgive(troubles, "ERR_INTERNET_DISCONNECTED")

    page.context.set_offline(False)
    click(page.get_by_role("button", name="Try again"))
    expect(cell(page, square)).to_have_attribute("data-mark", "X")
    play(page, best)
    assert Position.parse(board(page)).outcome()


def test_an_answer_that_is_an_error_says_so_and_changes_nothing(
    page: Page, troubles: list[str]
) -> None:
    def fail(route: Route) -> None:
        route.fulfill(status=503, body="<h1>Out of service</h1>", content_type="text/html")

    page.route("**/move", fail, times=1)
    click(cell(page, 4))
    expect(status(page)).to_contain_text("The server could not answer. Try again")
    assert board(page) == "---------"
    forgive(troubles, "503")


@pytest.fixture
def granian() -> Iterator[Granian]:
    granian = Granian()
    granian.start()
    yield granian
    granian.kill()


@pytest.mark.soak
def test_a_game_goes_on_after_the_server_is_killed_and_started_again(
    granian: Granian, visit: Visit, troubles: list[str]
) -> None:
    page = visit(granian.url)
    play(page, best, turns=2)
    before = board(page)
    square = best(Position.parse(before))
    granian.kill()
    click(cell(page, square))
    expect(status(page)).to_contain_text(NOT_SENT)
    forgive(troubles, "ERR_CONNECTION_")

    granian.start()
    click(cell(page, square))
    expect(cell(page, square)).to_have_attribute("data-mark", "X")
    page.reload()
    assert all(now == then for now, then in zip(board(page), before, strict=True) if then != "-")
    play(page, best)
    assert Position.parse(board(page)).outcome()
