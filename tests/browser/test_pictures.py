"""Pictures of pages, compared with those in tests/pictures/.

`SNAPSHOT=new` before `pytest --soak` redraws those that differ; then look at them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageOps
from playwright.sync_api import Page

from tests.browser.conftest import Tabs, Visit
from tests.browser.font import use_test_font
from tests.browser.person import DESKTOP, PHONE, STATES, TABLET, Screen, set_media

PICTURES = Path(__file__).parents[1] / "pictures"
STRIPS = Path("test-results", "pictures")
REWRITES = os.environ.get("SNAPSHOT") == "new"
# At half size, the number of pixels that may differ by more than a number of shades of 255. Two
# releases of Chromium, full and headless, with three sets of fonts, differed in none.
MAX_PIXELS, MAX_SHADES = 10, 12

PROJECTOR, PAPER = (1920, 1080), (700, 1000)  # a lecture's projector; A4 less its margins
DARK = {"color_scheme": "dark"}
FORCED = {"forced_colors": "active"}
PRINTED = {"media": "print"}


class Look(NamedTuple):
    """An address, and how its page is viewed.

    The page at `/` shows a game of `STATES`, whose name is that of the look up to a comma.
    """

    screen: Screen
    path: str = "/"
    media: Mapping[str, str] = {}
    moment: int | None = None  # in ms after a click
    opened: str = ""  # the disclosure to open, by its summary


LOST = "/study/42170835?you=X&difficulty=perfect"
NUMBER_SEARCH = "/study/((3,12,8),(2,4,6),(14,5,2))?view=search&algorithm=alpha-beta"
BOARD_SEARCH = "/study/-X---XOOX?view=search"
LOOKS = {
    "first": Look(PHONE),
    "some earned": Look(PHONE, media=DARK),
    "hint": Look(DESKTOP),
    "lost": Look(DESKTOP),
    "lost by a fork, and why": Look(DESKTOP, "/why"),
    "lost by a fork, at 1000 ms": Look(PHONE, moment=1000),
    "lost as O, forced": Look(PHONE, media=FORCED),
    "won as O": Look(TABLET),
    "stopped": Look(PHONE),
    "stopped, at 550 ms": Look(PHONE, moment=550),
    "stopped again": Look(DESKTOP, media=DARK),
    "all nine": Look((844, 390)),
    "stopped again, sharing": Look(PHONE, media=DARK, opened="#share"),
    "challenge": Look(PHONE, "/challenge/14?was=held&nine=279", DARK),
    "today": Look(PHONE, "/today"),
    "study moves": Look(DESKTOP, LOST),
    "study question": Look(PHONE, "/study/01?you=O&answer=8"),
    "study squares": Look(PHONE, f"{LOST}&at=4&view=squares", DARK),
    "study set up": Look(PHONE, "/study?set=O-X------"),
    "search": Look(DESKTOP, f"{BOARD_SEARCH}&algorithm=alpha-beta&order=best&step=last"),
    "search, its code opened": Look(PHONE, f"{BOARD_SEARCH}&step=41", opened="#line"),
    "search, projected": Look(PROJECTOR, f"{NUMBER_SEARCH}&big=on&step=13"),
    "search, forced": Look(DESKTOP, f"{BOARD_SEARCH}&step=41", FORCED),
    "learn": Look(DESKTOP, "/learn"),
    "lesson tree": Look(PHONE, "/learn/4?p=23&p=35"),
    "lesson family": Look(DESKTOP, "/learn/9?seen=2&seen=8&at=8"),
    "lesson code": Look(DESKTOP, "/learn/10?p=4&p=7&p=3&p=8&at=python", DARK),
    "lesson bet": Look(PHONE, "/learn/11?p=50"),
    "lesson dial": Look(PHONE, "/learn/12?p=1&p=-5", DARK),
    "write": Look(DESKTOP, "/learn/write?l4=2&l5=1&l7=1&l8=1&run=loss&look=on"),
    "proof, printed": Look(PAPER, "/proof", PRINTED),
    "worksheet, printed": Look(PAPER, "/learn/sheet?seed=1&count=6", PRINTED),
    "worksheet key, printed": Look(PAPER, "/learn/sheet?round=1&kind=values&key=on", PRINTED),
    "practise moves": Look(PHONE, "/practise/moves/X---O---X?p=2"),
    "error": Look(PHONE, "/study/hello"),
}
# Looks like another one, whose template and styles are the same.
LEFT_TO_SOAK = {"some earned", "stopped, at 550 ms", "stopped again"}
EXPECTED_ERRORS = {"error": "400"}  # errors that the console may show for a page

# Set all animations to a moment after the click.
PAUSE_AT = """moment => {
    document.querySelector("#game").classList.add("just")
    for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = moment
    }
}"""

# Open a disclosure. The text to share has the address of the test server, whose port varies, so
# another text takes its place.
OPEN_DISCLOSURE = """css => {
    const details = document.querySelector(css).parentElement
    for (const field of details.querySelectorAll("textarea")) field.value = "What is sent."
    details.open = true
}"""

# A sample of what pages draw: text, rings, slanted and dashed lines, round corners, a shadow.
SAMPLE = """<body style="margin: 0; background: #F4EFE6"><div style="width: 150px; margin: 12px;
    border: 1px solid #8E8371; border-radius: 20px; box-shadow: 0 12px 32px -12px #5a4a3038">
    <b>Perfect</b> wins <svg viewBox="0 0 100 30" fill="none" stroke="#1B55B5" stroke-width="3">
    <circle cx="17.3" cy="15" r="11"/><path d="M40 4 57 27"/><path stroke="#B83A0A" opacity=".5"
    stroke-width="1.5" stroke-dasharray="2 4" d="M60 20Q80 0 99 25"/></svg></div>"""


@pytest.fixture(scope="module")
def _draws_alike(tabs: Tabs) -> None:
    """Skip the comparison if this Chromium draws a sample differently, even by one pixel."""
    page = tabs.tab("sample", (180, 100))
    page.set_content(SAMPLE)
    picture, file = draw(page), file_of("a sample")
    if REWRITES:
        picture.save(file, optimize=True)
    if ImageChops.difference(picture, Image.open(file).convert("RGB")).getbbox():
        fail_or_skip = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        fail_or_skip("a Chromium that draws as in tests/pictures")


@pytest.mark.usefixtures("_draws_alike", "visitor_has_played")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.soak) if name in LEFT_TO_SOAK else name
        for name in LOOKS
    ],
)
def test_a_page_matches_its_picture(name: str, visit: Visit, browser_errors: list[str]) -> None:
    screen, path, media, moment, opened = LOOKS[name]
    game = STATES.get(name.partition(",")[0])
    page = visit(path, game, "pictures", screen=screen)
    set_media(page, **media)
    if moment is not None:
        set_media(page, reduced_motion="no-preference")
        page.evaluate(PAUSE_AT, moment)
    if opened:
        page.evaluate(OPEN_DISCLOSURE, opened)
    assert_looks_the_same(name, draw(page).reduce(2))
    assert all(EXPECTED_ERRORS.get(name, "nothing") in error for error in browser_errors), (
        browser_errors
    )
    browser_errors.clear()


def test_every_picture_belongs_to_a_page() -> None:
    assert {*PICTURES.iterdir()} == {file_of(name) for name in ("a sample", *LOOKS)}


def file_of(name: str) -> Path:
    return PICTURES / f"{name.replace(',', '').replace(' ', '-')}.png"


def draw(page: Page) -> Image.Image:
    use_test_font(page)
    # To hide the caret, Playwright would set style attributes, as in tests/browser/screenshots.py.
    return Image.open(BytesIO(page.screenshot(caret="initial"))).convert("RGB")


def assert_looks_the_same(name: str, picture: Image.Image) -> None:
    """Compare a page with its stored picture; if they differ, save a strip of both.

    `SNAPSHOT=new` keeps the page instead, in 32 colors.
    """
    file = file_of(name)
    if REWRITES and not (file.exists() and not compare(picture, file)[0]):
        palette = picture.quantize(32, Image.Quantize.FASTOCTREE)
        picture.quantize(palette=palette, dither=Image.Dither.NONE).save(file, optimize=True)
    count, difference = compare(picture, file)
    if count > MAX_PIXELS:
        side_by_side = strip(Image.open(file), picture, difference)
        STRIPS.mkdir(parents=True, exist_ok=True)
        side_by_side.save(STRIPS / file.name)
        pytest.fail(
            f"{count} pixels differ: {STRIPS / file.name}: stored, drawn, difference", False
        )


def compare(picture: Image.Image, file: Path) -> tuple[int, Image.Image]:
    """Return how many pixels differ, in the colors of the stored picture, and the difference."""
    stored_picture = Image.open(file)
    assert picture.size == stored_picture.size, f"{file} must be of a window of this size"
    reduced = picture.quantize(palette=stored_picture, dither=Image.Dither.NONE).convert("RGB")
    difference = ImageChops.difference(reduced, stored_picture.convert("RGB"))
    red, green, blue = difference.split()
    largest_difference = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(largest_difference.histogram()[MAX_SHADES + 1 :]), difference


def strip(stored: Image.Image, picture: Image.Image, difference: Image.Image) -> Image.Image:
    """Return three pictures side by side; the third shows the difference, dark and enlarged."""
    marked = ImageOps.invert(difference.filter(ImageFilter.MaxFilter(5)))
    side_by_side = Image.new("RGB", (3 * picture.width, picture.height))
    for index, part in enumerate((stored, picture, marked)):
        side_by_side.paste(part.convert("RGB"), (index * picture.width, 0))
    return side_by_side
