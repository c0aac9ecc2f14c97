"""Trouble between a browser and the server: double clicks, two tabs, no connection, a crash."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from engine.position import Position
from tests.browser.conftest import Visit, forgive, moving
from tests.browser.person import (
    STATES,
    answer,
    best,
    board,
    cell,
    click_at,
    middle_of,
    play,
    press,
    status,
    text,
)
from tests.positions import only_in_soak, sample
from tests.serving import Granian, Site

OUT_OF_DATE = "That page was out of date. Here is the board now."
STILL_SENDING = "One moment: still sending your last move."
NOT_SENT = "Not sent. You seem to be offline. Try again"


def mark_count(page: Page) -> int:
    return 9 - board(page).count("-")


def preview_opacity(page: Page, square: int) -> str:
    """Return the opacity of the preview mark on an empty square."""
    get_opacity = "css => getComputedStyle(document.querySelector(css), '::before').opacity"
    return str(page.evaluate(get_opacity, f"#cell-{square}"))


# Fast clicks


@moving
def test_a_double_click_makes_one_move(page: Page, site: Site) -> None:
    with site.holding_replies():
        page.mouse.dblclick(*middle_of(page, 4))
        assert (preview_opacity(page, 4), preview_opacity(page, 0)) == ("1", "0")
        assert STILL_SENDING not in text(page, "#status")
    assert answer(page)[4] == "X"
    assert mark_count(page) == 2


@moving
def test_a_move_can_be_made_while_the_reply_is_still_being_drawn(page: Page) -> None:
    square = best(Position.parse(press(page, 4)))
    assert press(page, square)[square] == "X"
    assert mark_count(page) == 4


@pytest.mark.parametrize(("first", "second"), [("Hint", 5), (7, "Hint"), (7, "Enter")])
def test_a_press_during_a_request_does_nothing_but_is_explained(
    visit: Visit, site: Site, first: int | str, second: int | str
) -> None:
    page = visit(game=STATES["mid-game"])
    with site.holding_replies():
        click_at(page, first)
        assert STILL_SENDING not in text(page, "#status")
        if second == "Enter":
            cell(page, 5).press("Enter")
        else:
            click_at(page, second)
        assert STILL_SENDING in text(page, "#status")
    answer(page)
    assert STILL_SENDING not in text(page, "#status")
    assert mark_count(page) == (4 if first == "Hint" else 6)
    assert page.locator("#hint[aria-pressed=true]").count() == (first == "Hint")


def test_without_javascript_a_double_click_makes_one_move(visit: Visit, site: Site) -> None:
    page = visit(java_script_enabled=False)
    with site.holding_replies():
        page.mouse.dblclick(*middle_of(page, 4))
    expect(cell(page, 4)).to_have_attribute("data-mark", "X")
    page.reload()
    assert mark_count(page) == 2


# Two tabs of one person


def parts(page: Page) -> dict[str, str]:
    """Return the HTML of each part of the page by its id, without traces of scripts.

    The sentences are left out, and so are elements that only hold other parts.
    """
    html_by_id: dict[str, str] = page.evaluate("""() => Object.fromEntries([
        ...document.querySelectorAll(
            "main [id]:not(#game, #board, #mine, #opponent, #aside, #status, #status *)")
    ].map(element => {
            const copy = element.cloneNode(true)
            for (const inner of [copy, ...copy.querySelectorAll("*")])
                for (const trace of ["class", "tabindex", "data-hx-swap-oob"])
                    inner.removeAttribute(trace)
            return [element.id, copy.outerHTML]
        }))""")
    squares = {f"cell-{square}" for square in range(9)}
    assert squares | {"screen", "face", "you", "onward"} <= html_by_id.keys()
    return html_by_id


def play_an_empty_square(page: Page) -> str:
    """Play the first empty square, and return the sentence in the status."""
    press(page, board(page).index("-"))
    return text(page, "#status")


def all_show_the_session(*tabs: Page) -> bool:
    """Return whether all tabs show the game in the session, as a reload does."""
    parts_by_tab = [parts(tab) for tab in tabs]
    tabs[0].reload()
    return parts_by_tab == [parts(tabs[0])] * len(tabs)


def test_a_move_in_an_outdated_tab_shows_the_current_board(page: Page, visit: Visit) -> None:
    outdated_tab = visit(tab="other")
    press(page, 8)
    assert OUT_OF_DATE in play_an_empty_square(outdated_tab)
    assert all_show_the_session(outdated_tab, page)


@pytest.mark.parametrize("controls", sample(2, [["New", "#mark"], ["New"]]))
def test_an_outdated_tab_can_start_a_new_game(
    page: Page, visit: Visit, controls: list[str]
) -> None:
    press(page, 8)
    outdated_tab = visit(tab="other")
    play_an_empty_square(page)
    for control in controls:
        press(outdated_tab, control)
    play_an_empty_square(outdated_tab)
    assert OUT_OF_DATE in play_an_empty_square(page), "now this tab must be out of date"
    assert all_show_the_session(outdated_tab, page)


def test_two_tabs_that_move_at_once_agree_after_the_next_click(
    page: Page, visit: Visit, site: Site
) -> None:
    tabs = [page, visit(tab="other")]
    with site.holding_replies():
        for square, tab in enumerate(tabs):
            click_at(tab, square)
    for tab in tabs:
        answer(tab)
    for tab in tabs:
        play_an_empty_square(tab)
        assert all_show_the_session(tab)


# Without a connection or a server


def test_a_click_that_gets_an_error_says_so_and_keeps_the_board(
    visit: Visit, browser_errors: list[str]
) -> None:
    def fail(route: Route) -> None:
        route.fulfill(status=400, body="<h1>Out of service</h1>", content_type="text/html")

    page = visit(game=STATES["mid-game"])
    before = board(page)
    square = best(Position.parse(before))
    page.route("**/move", fail, times=1)
    assert press(page, square) == before
    assert "The server could not answer. Try again" in text(page, "#status")
    forgive(browser_errors, "400")


def test_a_click_while_offline_says_so_and_can_be_tried_again(
    visit: Visit, browser_errors: list[str]
) -> None:
    page = visit(game=STATES["mid-game"])
    before = board(page)
    square = best(Position.parse(before))
    page.context.set_offline(True)
    assert press(page, square) == before
    assert NOT_SENT in text(page, "#status")
    page.mouse.move(0, 0)
    assert preview_opacity(page, square) == "0"
    forgive(browser_errors, "ERR_INTERNET_DISCONNECTED")

    page.context.set_offline(False)
    assert press(page, "Try again")[square] == "X"
    play(page, best)
    assert Position.parse(board(page)).outcome()


@pytest.mark.parametrize(
    ("target", "empty_count"),
    [("square", 3), *only_in_soak([("Hint", 5), ("Undo", 7), ("New", 9)])],
)
def test_a_failed_press_is_retried_once_the_server_is_back(
    target: str, empty_count: int, visit: Visit, site: Site, browser_errors: list[str]
) -> None:
    page = visit(game=STATES["mid-game"])
    with site.offline(), page.expect_event("requestfailed"):
        click_at(page, best(Position.parse(board(page))) if target == "square" else target)
    if target == "Hint":
        expect(page.locator("#hint")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".cell[data-mark='']")).to_have_count(empty_count)
    assert "Not sent" not in text(page, "#status")
    forgive(browser_errors, "ERR_CONNECTION_")


# A status of nginx or an error of the connection, and how often in a row it happens.
FAILURES = [
    ("502", 1),
    ("connectionreset", 1),
    *only_in_soak([("connectionclosed", 3), ("503", 1), ("504", 3)]),
]


@pytest.mark.parametrize(("failure", "failure_count"), FAILURES)
def test_a_press_is_retried_after_a_closed_connection_or_an_nginx_error(
    failure: str, failure_count: int, visit: Visit, browser_errors: list[str]
) -> None:
    def fail(route: Route) -> None:
        if failure.isdecimal():
            route.fulfill(status=int(failure), body="<h1>Bad gateway</h1>")
        else:
            route.abort(failure)

    page = visit(game=STATES["mid-game"])
    square = best(Position.parse(board(page)))
    page.route("**/move", fail, times=failure_count)
    click_at(page, square)
    expect(cell(page, square)).to_have_attribute("data-mark", "X")
    assert mark_count(page) == 6
    forgive(browser_errors, failure if failure.isdecimal() else "ERR_CONNECTION_")


@pytest.mark.soak
def test_a_game_goes_on_after_the_server_is_killed_and_restarted(
    visit: Visit, browser_errors: list[str]
) -> None:
    with Granian() as granian:
        page = visit(granian.url)
        play(page, best, turns=2)
        before = board(page)
        square = best(Position.parse(before))
        granian.kill()
        press(page, square)
        expect(status(page)).to_contain_text(NOT_SENT)
        forgive(browser_errors, "ERR_CONNECTION_")

        granian.start()
        assert press(page, square)[square] == "X"
        page.reload()
        after = board(page)
        assert all(after[index] == mark for index, mark in enumerate(before) if mark != "-")
        play(page, best)
        assert Position.parse(board(page)).outcome()
