"""A short round in Firefox and WebKit; all other browser tests use Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from selenium.webdriver import Keys

from engine.position import Position
from tests import positions
from tests.browser.drivers import Firefox, WebKit, Window
from tests.browser.person import DRAWN_GAME, IS_WAITING, best
from tests.serving import Site
from web.play.game import Game

BROWSERS = [
    pytest.param(browser, marks=pytest.mark.needs(browser.__name__), id=browser.__name__)
    for browser in (Firefox, WebKit)
]


@pytest.fixture(scope="session", params=BROWSERS)
def window(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, only_site: Site
) -> Iterator[Window]:
    """A window of each browser on a page of the site; pytest groups the tests by it."""
    window: Window = request.param(tmp_path_factory.mktemp("browser"))
    window.open(only_site.url)
    yield window
    window.close()


def begin(window: Window, site: Site, game: Game) -> str:
    """Open a game as its player, and return its board."""
    window.set_session(site.cookie(game))
    window.open(site.url)
    start = board(window)
    assert start == str(Position().after(game.moves))
    return start


CELLS = "[...document.querySelectorAll('#board .cell')]"


def board(window: Window) -> str:
    """Return the board as nine of `X`, `O` and `-`."""
    return str(window.evaluate(f"{CELLS}.map(cell => cell.dataset.mark || '-').join('')"))


def text(window: Window, css: str) -> str:
    return str(window.evaluate(f"document.querySelector({css!r})?.innerText ?? ''")).strip()


def focus(window: Window) -> str:
    return str(window.evaluate("document.activeElement.id"))


def is_waiting(window: Window) -> bool:
    """Return whether the reply to a click is on its way, or still being drawn."""
    return bool(window.evaluate(IS_WAITING))


def await_board(window: Window, expected: str) -> None:
    window.wait_for(lambda: board(window) == expected and not is_waiting(window))


def await_reply(window: Window, before: str) -> None:
    window.wait_for(lambda: board(window) != before and not is_waiting(window))


def play(window: Window, turns: int = 9) -> None:
    """Play the best moves by mouse until the game is over, or for some turns."""
    for _ in range(turns):
        before = board(window)
        position = Position.parse(before)
        if position.outcome():
            break
        window.click(f"#cell-{best(position)}")
        await_reply(window, before)


def play_by_keys(window: Window, square: int) -> None:
    """Play a square by its digit and Enter; the focus stays on it."""
    before = board(window)
    window.press(str(square + 1))
    window.press("ENTER")
    await_reply(window, before)
    assert board(window)[square] == "X"
    window.wait_for(lambda: focus(window) == f"cell-{square}")


DRAW = (None, ())  # nobody has won


def test_a_game_is_unchanged_after_a_visit_to_study(window: Window, site: Site) -> None:
    """Play the whole game in `make soak`, otherwise its last three moves."""
    begin(window, site, Game() if positions.is_soak else Game(DRAWN_GAME[:6]))
    play(window)
    final_board = board(window)
    assert Position.parse(final_board).outcome() == DRAW
    assert text(window, ".verdict") == "You stopped me."
    window.open(f"{site.url}/why")
    window.wait_for(lambda: re.search("A draw|was safe", text(window, ".speech")) is not None)
    window.wait_for(lambda: window.evaluate("document.readyState == 'complete'"))
    window.back()
    await_board(window, final_board)
    assert text(window, ".verdict") == "You stopped me."
    window.click("#again")
    await_board(window, "---------")


def test_the_keyboard_finishes_a_game_and_starts_the_next(window: Window, site: Site) -> None:
    begin(window, site, Game(DRAWN_GAME[:8]))
    presses = 0
    while not focus(window).startswith("cell-"):
        window.press("TAB")
        presses += 1
        assert presses <= 8, "eight presses of Tab must reach the board"
    window.press("ARROW_RIGHT")
    window.press("ARROW_DOWN")
    window.wait_for(lambda: focus(window) == "cell-4")
    play_by_keys(window, DRAWN_GAME[8])
    assert Position.parse(board(window)).outcome() == DRAW
    window.press("n")
    await_board(window, "---------")
    play_by_keys(window, 4)


def test_a_double_click_plays_one_move(window: Window, site: Site) -> None:
    before = begin(window, site, Game())
    with site.holding_replies():
        window.double_click("#cell-4")
        window.wait_for(lambda: is_waiting(window))
    await_reply(window, before)
    assert sorted(board(window)) == sorted("XO-------")
    window.reload()
    assert sorted(board(window)) == sorted("XO-------")


@pytest.mark.soak
def test_a_game_survives_a_server_outage_and_a_reload(window: Window, site: Site) -> None:
    before = begin(window, site, Game(DRAWN_GAME[:6]))
    square = best(Position.parse(before))
    with site.offline():
        window.click(f"#cell-{square}")
        window.wait_for(lambda: "Not sent" in text(window, "#status"))
        assert board(window) == before
    play(window, turns=1)
    after = board(window)
    assert after[square] == "X"
    window.reload()
    assert board(window) == after
    play(window)
    assert Position.parse(board(window)).outcome() == DRAW


@pytest.mark.soak
def test_moves_can_be_taken_back_and_hints_have_two_stages(window: Window, site: Site) -> None:
    read_chips = f"{CELLS}.map(cell => cell.querySelector('.chip') ? '?' : '-').join('')"
    before = begin(window, site, Game(DRAWN_GAME[:4]))
    play(window, turns=1)
    assert text(window, "#status .speech").endswith("See why")
    window.click("#undo")
    await_board(window, before)
    window.click("#hint")
    window.wait_for(lambda: window.evaluate("!!document.querySelector('.pencil')"))
    window.wait_for(lambda: not is_waiting(window))
    window.click("#hint")
    window.wait_for(lambda: window.evaluate(read_chips) == "--??-???-" and not is_waiting(window))
    window.click("#hint")
    window.wait_for(lambda: window.evaluate(read_chips) == "---------")


# For each page, the steps: what is clicked, or the key that is pressed and where, and then texts
# that the address or the page has after it.
STEPS: dict[str, list[tuple[str, ...]]] = {
    "": [("u", "Your move")],
    "proof": [(".atlas a[href$='at=4'] > svg > .answer", "O center: you play")],
    "learn/2": [("#cell-5", "O was quicker."), ("Back", "learn/2No win yet")],
    "practise/moves/XX-OO----": [
        ("#cell-6", "O wins at middle right."),
        ("#cell-2", "That is the one."),
    ],
    "study/42170835?you=X&at=0": [
        ("ARROW_RIGHT", "at=1&", "Move 1, "),
        ("END", "at=8&", "Move 8, "),
        ("ARROW_LEFT", "at=7&", "Move 7, "),
        ("#point-4", "at=4&", "Move 4, "),
        ("#cell-6", "A line of your own"),
        ("Back", "at=4&", "Move 4, "),
    ],
    "study/O-XX--XOO?view=search&step=2": [("#next", "O replies in the center and wins")],
    "study/O-XX--XOO?view=search&algorithm=alpha-beta&step=15": [
        ("ENTER #next", "step=16"),
        ("ENTER", "step=17"),
        ("ARROW_LEFT", "step=16"),
    ],
    "study/O-XX--XOO?view=search&step=11": [("ENTER #n1", "step=9")],
    "study/-X---XOOX?view=search&step=last": [("ENTER main a[href*='path=']", "path=")],
}


@pytest.mark.soak
@pytest.mark.parametrize("path", STEPS)
def test_a_page_responds_in_place_to_mouse_and_keys(window: Window, site: Site, path: str) -> None:
    window.set_session(site.cookie(Game(DRAWN_GAME, help_used="hint")))
    window.open(f"{site.url}/{path}")
    window.evaluate("window.isSame = true")
    for action, *texts in STEPS[path]:
        assert not any(expected in url_and_text(window) for expected in texts)
        key, _, css = action.partition(" ")
        if action == "Back":
            window.back()
        elif hasattr(Keys, key) or len(key) == 1:
            window.press(key, css)
        else:
            window.click(action)
        for expected in texts:
            window.wait_for(lambda expected=expected: expected in url_and_text(window))  # type: ignore[misc]
        window.wait_for(lambda: not is_waiting(window))
        may_load = action == "Back" or path == "proof"  # the boards of this page are plain links
        assert may_load or window.evaluate("window.isSame"), (
            "the page must not be replaced by another"
        )


def url_and_text(window: Window) -> str:
    return window.url() + text(window, "main")
