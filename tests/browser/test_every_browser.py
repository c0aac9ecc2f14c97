"""A short round of everything, the same in Chromium, Firefox and WebKit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.position import Position
from tests.browser.drivers import Chromium, Firefox, WebKit, Window
from tests.browser.person import best
from tests.serving import Granian, Site
from tools.browsers import found

# The words and addresses by which the pages are known here; everything else goes by the ids.
PLAY_AGAIN = "//button[normalize-space()='Play again']"
MORE = "//summary[normalize-space()='More']"
TAKE_BACK = "//button[normalize-space()='Take back']"
SHOW_RESULTS = "//button[normalize-space()='Show hints']"
REVIEW = "//a[starts-with(@href, '/review/')]"
WHY = "//li//a[starts-with(@href, '/why/')]"
TREE = "//a[starts-with(@href, '/tree/')]"
NODE = "//a[starts-with(@class, 'node')]"
NOT_SENT = "Not sent"


@pytest.fixture(scope="session", params=found())
def only_window(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Window]:
    """Start each browser once; pytest groups the tests by it."""
    window: Window
    if request.param == "Chromium":
        window = Chromium(request.getfixturevalue("browser"))
    elif request.param == "Firefox":
        window = Firefox(tmp_path_factory.mktemp("firefox"))
    else:
        window = WebKit()
    yield window
    window.close()


@pytest.fixture
def window(only_window: Window, site: Site) -> Iterator[Window]:
    """Open a new game as a new person, who has no cookie."""
    only_window.open(site.url)
    yield only_window
    only_window.forget()


@pytest.fixture(scope="session")
def granian() -> Iterator[Granian]:
    with Granian() as server:
        yield server


CELLS = "[...Array(9).keys()].map(square => document.querySelector(`#cell-${square}`))"


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
    """Say whether a click is on its way."""
    return bool(window.look("!!document.querySelector('.htmx-request')"))


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


def heading(window: Window) -> str:
    return str(window.look("document.querySelector('h1').innerText"))


def focus(window: Window) -> str:
    return str(window.look("document.activeElement.id"))


def tab_to_the_board(window: Window) -> None:
    for _ in range(5):
        window.press("Tab")
        if focus(window).startswith("cell-"):
            return
    raise AssertionError("five presses of Tab do not reach the board")


def test_a_game_by_mouse(window: Window) -> None:
    play(window)
    assert drawn(window)
    window.click(PLAY_AGAIN)
    window.until(lambda: board(window) == "---------")


def test_a_game_by_keyboard(window: Window) -> None:
    tab_to_the_board(window)
    window.press("ArrowRight")
    window.press("ArrowDown")
    window.until(lambda: focus(window) == "cell-4")
    while not (position := Position.parse(board(window))).outcome():
        square = best(position)
        window.press(str(square + 1))
        window.press("Enter")
        await_reply(window, str(position))
        assert board(window)[square] == "X"
        window.until(lambda square=square: focus(window) == f"cell-{square}")  # type: ignore[misc]
    assert drawn(window)


def test_the_next_game_is_three_presses_away(window: Window) -> None:
    tab_to_the_board(window)
    while not (position := Position.parse(board(window))).outcome():
        window.press(str(best(position) + 1))
        window.press("Enter")
        await_reply(window, str(position))
    before = board(window)
    window.press("Tab")
    window.press("Enter")
    await_reply(window, before)
    window.until(lambda: focus(window) == "cell-0")
    window.press("Enter")
    await_reply(window, "---------")
    assert board(window)[0] == "X"


def test_each_reply_comes_with_its_reason(window: Window) -> None:
    play(window, turns=1)
    reason = str(window.look("document.querySelector('#reason p').innerText"))
    assert reason.startswith("O ") and reason.endswith("Why?")
    play(window)
    assert "No turning point" in window.look("document.querySelector('#reason').innerText")


def test_results_stand_on_every_empty_square_until_hidden(window: Window) -> None:
    def said() -> str:
        words = window.look(f"{CELLS}.map(cell => cell.innerText.trim())")
        return "".join("?" if word else "-" for word in words)

    play(window, turns=1)
    assert said() == "---------"
    empty = "".join("?" if mark == "-" else "-" for mark in board(window))
    window.click(SHOW_RESULTS)
    window.until(lambda: said() == empty)
    window.click(SHOW_RESULTS)
    window.until(lambda: said() == "---------")


def test_a_turn_is_taken_back(window: Window) -> None:
    play(window, turns=1)
    before = board(window)
    play(window, turns=1)
    window.click(TAKE_BACK)
    window.until(lambda: board(window) == before)


def test_a_double_click_plays_once(window: Window, site: Site) -> None:
    with site.holding():
        window.double_click(cell(4))
        window.until(lambda: waiting(window))
    await_reply(window, "---------")
    assert sorted(board(window)) == sorted("XO-------")
    window.reload()
    assert sorted(board(window)) == sorted("XO-------")


def test_a_game_goes_on_after_a_reload(window: Window) -> None:
    play(window, turns=2)
    before = board(window)
    window.reload()
    assert board(window) == before
    play(window)
    assert drawn(window)


def test_back_from_another_page_is_the_game_as_it_was_left(window: Window) -> None:
    play(window, turns=1)
    before = board(window)
    window.click(MORE)
    follow(window, TREE, "/tree/")
    window.back()
    assert board(window) == before
    play(window)
    assert drawn(window)


def test_a_game_is_reviewed_and_a_move_explained(window: Window) -> None:
    play(window)
    follow(window, REVIEW, "/review/")
    reviewed = window.url()
    follow(window, WHY, "/why/")
    assert "Why X" in heading(window)
    window.back()
    assert window.url() == reviewed


def test_the_tree_below_the_game_is_walked_node_by_node(window: Window) -> None:
    play(window, turns=1)
    window.click(MORE)
    follow(window, TREE, f"/tree/{board(window)}")
    here = window.url()
    window.click(NODE)
    window.until(lambda: "/tree/" in window.url() and window.url() != here)
    window.until(lambda: bool(window.look("document.querySelectorAll('.node').length > 9")))


def test_a_search_is_watched_step_by_step(window: Window, site: Site) -> None:
    window.open(f"{site.url}/run/O-XX--XOO?algorithm=alpha-beta&step=15")
    window.look("window.stayed = true")
    window.look("document.querySelector('#next').focus()")
    for step, said in [(16, "Back to O (MIN)"), (17, "so O centre needs no search")]:
        window.press("Enter")
        window.until(lambda said=said: said in status(window))  # type: ignore[misc]
        assert window.url().endswith(f"step={step}")
        window.until(lambda: focus(window) == "next")
    window.until(lambda: window.look("document.querySelector('.node.cut')?.id") == "n54")
    assert window.look("document.querySelector('[aria-current=step]').innerText.trim()") == "break"
    assert window.look("!!window.stayed")
    window.back()
    window.until(lambda: "Back to O (MIN)" in status(window))
    assert window.look("document.querySelectorAll('.node.cut').length") == 0


def test_a_square_of_the_lesson_is_answered_where_it_stands(window: Window, site: Site) -> None:
    window.open(f"{site.url}/learn/1")
    window.look("window.stayed = true")
    said = "document.querySelector('#after').innerText"
    for square, answer in [("cell-1", "O wins."), ("cell-4", "X wins.")]:
        window.click(f"//*[@id='{square}']")
        window.until(lambda answer=answer: answer in window.look(said))  # type: ignore[misc]
        window.until(lambda: focus(window) == "told")
        window.click("//*[@id='back']")
        window.until(lambda: window.look(said) == "")
    assert window.url() == f"{site.url}/learn/1?seen=1&seen=4"
    assert window.look("!!window.stayed")


def test_a_game_is_walked_through_from_page_to_page(window: Window, site: Site) -> None:
    window.open(f"{site.url}/why/0481?game=048137&you=X")
    follow(window, "//a[normalize-space()='Results']", "/position/X---O---X")
    follow(window, "//a[@aria-label='The next move']", "/position/XO--O---X")
    assert window.look("document.querySelector('.stepper span').innerText") == "Move 5 of 6"
    window.click("//button[contains(., 'Play from here')]")
    window.until(lambda: window.url() == f"{site.url}/")
    assert board(window) == "XO--O---X"


def test_a_link_within_the_proof_opens_the_fold_it_leads_into(window: Window, site: Site) -> None:
    window.open(f"{site.url}/proof")
    window.click("//nav//a[@href='#X-44']")
    window.until(lambda: bool(window.look("document.querySelector('#X-44').checkVisibility()")))


def test_a_game_goes_on_after_the_server_was_away(window: Window, granian: Granian) -> None:
    window.open(granian.url)
    play(window, turns=1)
    before = board(window)
    square = best(Position.parse(before))
    granian.kill()
    window.click(cell(square))
    window.until(lambda: status(window).startswith(NOT_SENT))
    assert board(window) == before

    granian.start()
    window.click(cell(square))
    await_reply(window, before)
    assert board(window)[square] == "X"
    play(window)
    assert drawn(window)
