"""Every page in windows of every size: nothing overlaps, scrolls sideways or is out of sight.

Pages use the same font everywhere, so that all machines find the same faults.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Frame

from tests import positions
from tests.browser.conftest import Tabs, enter_game
from tests.browser.font import use_test_font
from tests.browser.layout import FIND_FAULTS, large_text, must_show_main_button
from tests.browser.person import (
    DESKTOP,
    LONGEST,
    PAGE_HEIGHT,
    PHONE,
    READ_PLACES,
    SCREENS,
    STATES,
    Screen,
)
from tests.browser.test_lesson import SOLVED_PATHS, UNSOLVED_PATHS
from tests.browser.test_puzzles import STATES as PRACTICE
from tests.browser.test_study import STATES as STUDY
from tests.browser.test_write import STATES as WRITTEN
from tests.pages import PAGES, SAME_TEMPLATE
from tests.positions import sample
from tests.serving import Site

GAMES = STATES | LONGEST
SECTIONS = {
    "game": dict.fromkeys(GAMES, "/"),
    "why": {name: "/why" for name, game in GAMES.items() if game.outcome},
    "study": STUDY,
    "practice": PRACTICE,
    "asked": UNSOLVED_PATHS,
    "answered": SOLVED_PATHS,
    "write": WRITTEN,
    "each kind": PAGES,
}

_random = Random(46)
# Windows of every width in steps of 20 px, each with some height of a plausible shape.
WINDOWS = [
    (width, _random.randint(max(320, width * 2 // 5), min(1600, width * 2)))
    for width in range(320, 2561, 20)
]
# Common phones, tablets and screens.
COMMON_WINDOWS = [
    *SCREENS,
    (360, 640),
    (386, 700),
    (375, 667),
    (768, 954),
    (800, 600),
    (2560, 1300),
]

WINDOWS_FOR_LARGE_TEXT = {PHONE, DESKTOP, *WINDOWS[::5]}

# Write the page of an address into a frame, because pages refuse to be framed; return its status.
LOAD_IN_FRAME = """async path => {
    const answer = await fetch(path)
    const text = await answer.text()
    const frame = document.createElement("iframe")
    frame.frameBorder = 0
    document.body.replaceChildren(frame)
    const loaded = new Promise(resolve => frame.onload = resolve)
    const framedDocument = frame.contentDocument
    framedDocument.open()
    framedDocument.write(text)
    framedDocument.close()
    await loaded
    return answer.status
}"""
# For each window: the faults, the height of the page, and the place of the board. The page resizes
# its own frame and is measured at once, as painting each window took most of the time.
READ_LAYOUTS = f"""screens => screens.map(([width, height, mustFit]) => {{
    Object.assign(frameElement, {{width, height}})
    if (innerWidth != width || innerHeight != height) throw Error("another window")
    return [({FIND_FAULTS})(mustFit), ({PAGE_HEIGHT})(), ({READ_PLACES})(["#board"])["#board"]]
}})"""


@pytest.mark.usefixtures("visitor_has_played")
@pytest.mark.parametrize("section", SECTIONS)
def test_nothing_overlaps_and_the_main_button_fits_in_every_window(
    section: str, tabs: Tabs, site: Site, browser_errors: list[str]
) -> None:
    """The board is in the same place in every game.

    Pages are also tried with text twice as large; then they may scroll.
    """
    page = tabs.tab("windows")
    page.goto("/")
    faults_by_size: dict[str, list[str]] = defaultdict(list)
    board_places: dict[Screen, set[tuple[int, ...]]] = defaultdict(set)
    for number, (name, path) in enumerate(pages_of(section)):
        page.context.clear_cookies()
        if section in ("game", "why"):
            enter_game(page, site, GAMES[name])
        assert (page.evaluate(LOAD_IN_FRAME, path) == 200) == (name not in ("refused", "error")), (
            name
        )
        (frame,) = page.main_frame.child_frames
        use_test_font(frame)
        screens = windows(number)
        for screen, (faults, page_height, board) in measure(frame, screens).items():
            faults_by_size[size_name(screen)] += [f"{name}: {fault}" for fault in faults]
            if section == "game":
                if must_show_main_button(screen) and page_height > screen[1]:
                    faults_by_size[size_name(screen)].append(f"{name}: it scrolls down")
                board_places[screen].add(tuple(map(round, board)))
        with large_text(page):
            large_screens = WINDOWS_FOR_LARGE_TEXT.intersection(screens)
            for screen, (faults, *_) in measure(frame, large_screens, is_large=True).items():
                faults_by_size[size_name(screen)] += [f"{name}, large: {fault}" for fault in faults]
    browser_errors.clear()  # errors of pages that are not found
    for screen, places in board_places.items():
        if must_show_main_button(screen) and len(places) > 1:
            faults_by_size[size_name(screen)].append(f"the board moves: {places}")
    if faults := [
        f"{screen} {fault}" for screen in faults_by_size for fault in faults_by_size[screen]
    ]:
        pytest.fail("\n".join(faults), pytrace=False)


def measure(frame: Frame, screens: Collection[Screen], is_large: bool = False) -> dict[Screen, Any]:
    """Return the layout in each window; with large text, the main button may be out of it."""
    args = [(*screen, None if is_large else must_show_main_button(screen)) for screen in screens]
    return dict(zip(screens, frame.evaluate(READ_LAYOUTS, args), strict=True))


def size_name(screen: Screen) -> str:
    return f"{screen[0]}x{screen[1]}"


def pages_of(section: str) -> Sequence[tuple[str, str]]:
    """Return the pages of a section that are tried; in `make soak` all of them."""
    pages = [*SECTIONS[section].items()]
    if section == "each kind" and not positions.is_soak:
        pages = [(name, path) for name, path in pages if name not in SAME_TEMPLATE]
    return sample(4 if section in ("game", "each kind") else 7, pages)


def windows(number: int) -> list[Screen]:
    """Return the windows to try for a page, by its number in its section; all in `make soak`."""
    if positions.is_soak:
        return [*COMMON_WINDOWS, *WINDOWS]
    return [*COMMON_WINDOWS[number % 4 :: 4], *WINDOWS[number * 7 % 16 :: 16]]
