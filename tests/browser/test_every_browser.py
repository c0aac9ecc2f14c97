"""A short round of everything in Firefox and WebKit; all the other tests are of Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.position import Position
from tests.browser.drivers import Firefox, WebKit, Window
from tests.browser.person import LEVEL, WAITING, best
from tests.serving import Site
from web.play.game import Game

PLAY_AGAIN = "//*[@id='again']"
NOT_SENT = "Not sent"
BROWSERS = [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("Firefox", "WebKit")]


@pytest.fixture(scope="session", params=BROWSERS)
def only_window(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Window]:
    """Start each browser once; pytest groups the tests by it."""
    firefox = request.param == "Firefox"
    window = Firefox(tmp_path_factory.mktemp("firefox")) if firefox else WebKit()
    yield window
    window.close()


@pytest.fixture
def window(only_window: Window, site: Site) -> Iterator[Window]:
    """Open a new game as a new person, who has no cookie."""
    only_window.open(site.url)
    yield only_window
    only_window.forget()


CELLS = "[...document.querySelectorAll('#board .cell')]"


def cell(square: int) -> str:
    return f"//*[@id='cell-{square}']"


def board(window: Window) -> str:
    """Read the nine cells as nine of `X`, `O` and `-`."""
    return str(window.look(f"{CELLS}.map(cell => cell.dataset.mark || '-').join('')"))


def status(window: Window) -> str:
    return str(window.look("document.querySelector('#status').textContent"))


def drawn(window: Window) -> bool:
    """Say whether the game is over and nobody has won, as when both play best."""
    outcome = Position.parse(board(window)).outcome()
    return outcome is not None and outcome.winner is None


def waiting(window: Window) -> bool:
    """Say whether the answer to a press is on its way, or is still being drawn."""
    return bool(window.look(WAITING))


def await_reply(window: Window, before: str) -> None:
    window.until(lambda: board(window) != before and not waiting(window))


def follow(window: Window, link: str, path: str) -> None:
    """Click a link, and wait for the page it leads to."""
    window.click(link)
    window.until(lambda: path in window.url())
    window.until(lambda: bool(window.look("document.readyState == 'complete'")))


def play(window: Window, turns: int = 9) -> None:
    """Play the best moves by mouse until the game is over, or for that many turns."""
    for _ in range(turns):
        before = board(window)
        position = Position.parse(before)
        if position.outcome():
            break
        window.click(cell(best(position)))
        await_reply(window, before)


def begin(window: Window, site: Site, moves: int) -> str:
    """Show a game after so many moves of one that is a draw, and return its board."""
    window.remember(site.cookie(Game(LEVEL[:moves])))
    window.reload()
    shown = board(window)
    assert shown == str(Position().after(LEVEL[:moves]))
    return shown


def control(name: str) -> str:
    return f"//*[@id='{name}']"


def text(window: Window, css: str) -> str:
    return str(window.look(f"document.querySelector({css!r})?.innerText ?? ''")).strip()


def focus(window: Window) -> str:
    return str(window.look("document.activeElement.id"))


def tab_to_the_board(window: Window) -> None:
    for _ in range(8):
        window.press("Tab")
        if focus(window).startswith("cell-"):
            return
    raise AssertionError("eight presses of Tab do not reach the board")


# The game


def test_what_a_draw_fills_opens_the_panel_on_it(window: Window, site: Site) -> None:
    window.remember(site.cookie(Game(LEVEL, helped=True)))
    window.reload()
    window.click("//a[text()='the nine']")
    window.until(lambda: bool(window.look("document.querySelector('#mine').open")))
    window.until(lambda: "0 of 9" in text(window, "#nine"))


def test_a_game_by_mouse(window: Window) -> None:
    play(window)
    assert drawn(window)
    assert text(window, ".verdict") == "You held me."
    window.click(PLAY_AGAIN)
    window.until(lambda: board(window) == "---------")


def test_a_game_is_ended_and_the_next_begun_by_keyboard(window: Window, site: Site) -> None:
    begin(window, site, moves=8)
    tab_to_the_board(window)
    window.press("ArrowRight")
    window.press("ArrowDown")
    window.until(lambda: focus(window) == "cell-4")
    play_by_keys(window, LEVEL[8])
    assert drawn(window)
    window.press("n")
    window.until(lambda: board(window) == "---------" and not waiting(window))
    play_by_keys(window, 4)


def play_by_keys(window: Window, square: int) -> None:
    """Play a square by its digit and Enter; the focus stays on it."""
    before = board(window)
    window.press(str(square + 1))
    window.press("Enter")
    await_reply(window, before)
    assert board(window)[square] == "X"
    window.until(lambda: focus(window) == f"cell-{square}")


@pytest.mark.soak
def test_a_move_is_taken_back_and_a_hint_names_one_thing_and_then_all_results(
    window: Window, site: Site
) -> None:
    def chips() -> str:
        return str(window.look(f"{CELLS}.map(cell => +!!cell.querySelector('.chip')).join('')"))

    before = begin(window, site, moves=2)
    play(window, turns=1)
    assert text(window, "#status .says").endswith("Why?")
    window.click(control("undo"))
    window.until(lambda: board(window) == before and not waiting(window))
    empty = "".join(str(int(mark == "-")) for mark in before)
    window.click(control("hint"))
    window.until(lambda: "Show all results" in text(window, "#status .says.you"))
    window.until(lambda: not waiting(window))
    window.click(control("all-results"))
    window.until(lambda: chips() == empty and not waiting(window))
    window.click(control("hint"))
    window.until(lambda: chips() == "000000000")


def test_a_double_click_plays_once(window: Window, site: Site) -> None:
    with site.holding():
        window.double_click(cell(4))
        window.until(lambda: waiting(window))
    await_reply(window, "---------")
    assert sorted(board(window)) == sorted("XO-------")
    window.reload()
    assert sorted(board(window)) == sorted("XO-------")


def test_a_game_goes_on_after_the_server_was_away_and_after_a_reload(
    window: Window, site: Site
) -> None:
    before = begin(window, site, moves=6)
    square = best(Position.parse(before))
    with site.away():
        window.click(cell(square))
        window.until(lambda: NOT_SENT in status(window))
        assert board(window) == before

    window.click(cell(square))
    await_reply(window, before)
    after = board(window)
    assert after[square] == "X"
    window.reload()
    assert board(window) == after
    play(window)
    assert drawn(window)


# The pages beside it


def stay(window: Window) -> None:
    window.look("window.stayed = true")


def stayed(window: Window) -> bool:
    """Say whether the page that was told to stay is there yet, and no other in its place."""
    return bool(window.look("!!window.stayed"))


def test_back_from_the_study_of_a_game_is_the_game_as_it_was_left(
    window: Window, site: Site
) -> None:
    begin(window, site, moves=8)
    play(window)
    before = board(window)
    follow(window, control("why"), "/study/")
    assert text(window, "nav[aria-label=View] [aria-current]") == "Moves"
    window.back()
    window.until(lambda: board(window) == before)
    assert text(window, ".verdict") == "You held me."


@pytest.mark.soak
def test_a_game_is_studied_by_keys_and_played_on(window: Window, site: Site) -> None:
    window.open(f"{site.url}/study/42170835?you=X&at=0")
    stay(window)
    current = "document.querySelector('.points [aria-current]').id"
    for key, at in (("ArrowRight", 1), ("End", 8), ("ArrowLeft", 7)):
        window.press(key)
        window.until(lambda at=at: window.look(current) == f"point-{at}")  # type: ignore[misc]
        assert f"at={at}" in window.url()
        window.until(lambda: not waiting(window))
    window.click("//*[@class='points']/*[5]")
    window.until(lambda: "at=4" in window.url() and board(window) == "-XO-X--O-")
    window.click(control("cell-6"))
    window.until(lambda: board(window) == "-XO-X-XO-")
    assert stayed(window)
    window.back()
    window.until(lambda: board(window) == "-XO-X--O-")


@pytest.mark.soak
def test_a_search_is_watched_step_by_step_by_mouse_and_by_keys(window: Window, site: Site) -> None:
    window.open(f"{site.url}/study/O-XX--XOO?view=search&step=2")
    stay(window)
    window.click(control("next"))
    window.until(lambda: "O answers centre and wins" in text(window, "#told"))
    assert stayed(window)
    window.open(f"{site.url}/study/O-XX--XOO?view=search&algorithm=alpha-beta&step=15")
    stay(window)
    window.look("document.querySelector('#next').focus()")
    for key, step in (("Enter", 16), ("Enter", 17), ("ArrowLeft", 16)):
        before = text(window, "#told")
        window.press(key)
        window.until(lambda before=before: text(window, "#told") != before)  # type: ignore[misc]
        assert window.url().endswith(f"step={step}")
        window.until(lambda: not waiting(window) and focus(window) == "next")
    assert stayed(window)


@pytest.mark.soak
def test_a_screen_of_the_lesson_is_answered_where_it_stands(window: Window, site: Site) -> None:
    window.open(f"{site.url}/learn/2")
    stay(window)
    window.click(control("cell-5"))
    window.until(lambda: "O wins: it was quicker." in text(window, "#after"))
    assert window.url().endswith("/learn/2?p=5")
    assert stayed(window)
    window.back()
    window.until(lambda: "O wins: it was quicker." not in text(window, "#after"))


@pytest.mark.soak
def test_a_question_of_practice_is_answered_where_it_stands(window: Window, site: Site) -> None:
    window.open(f"{site.url}/practise/moves/XX-OO----")
    stay(window)
    for square, said in ((6, "Bottom left lets O win."), (2, "Top right it is.")):
        window.click(f"//*[@id='stage']/*[{square + 1}]")
        window.until(lambda said=said: said in text(window, "#after"))  # type: ignore[misc]
    assert stayed(window)


@pytest.mark.soak
def test_a_program_is_put_together(window: Window, site: Site) -> None:
    window.open(f"{site.url}/learn/write?level=3")
    stay(window)
    window.click("//label[input[@id='l3-0']]")
    window.until(lambda: "It loses 415 of " in text(window, ".verdict"))
    for gap in ("l8", "l7", "l4", "l5"):
        before = text(window, "#result")
        window.click(f"//label[input[@id='{gap}-0']]")
        window.until(lambda before=before: text(window, "#result") != before)  # type: ignore[misc]
    assert "Perfect." in text(window, ".verdict")
    assert stayed(window)


@pytest.mark.soak
def test_a_tree_is_walked_node_by_node(window: Window, site: Site) -> None:
    window.open(f"{site.url}/study/-X---XOOX?view=moves")
    follow(window, control("view-search"), "view=search")
    window.open(f"{site.url}/study/-X---XOOX?view=search&step=last")
    before = window.url()
    nodes = "[...document.querySelectorAll('main a[href*=\"path=\"]')]"
    window.look(f"{nodes}.find(node => node.checkVisibility()).focus()")
    window.press("Enter")
    window.until(lambda: window.url() != before and "path=" in window.url())


@pytest.mark.soak
def test_a_node_of_a_tree_leads_to_its_step(window: Window, site: Site) -> None:
    window.open(f"{site.url}/study/O-XX--XOO?view=search&step=11")
    seen = "[...document.querySelectorAll('#w1, #m1')].find(one => one.checkVisibility())"
    window.look(f"{seen}.focus()")
    window.press("Enter")
    window.until(lambda: window.url().endswith("step=9"))


@pytest.mark.soak
def test_a_link_within_the_proof_opens_the_fold_it_leads_into(window: Window, site: Site) -> None:
    window.open(f"{site.url}/proof")
    window.click("//nav//a[@href='#X-44']")
    window.until(lambda: bool(window.look("document.querySelector('#X-44').checkVisibility()")))
