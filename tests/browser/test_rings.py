"""Focus rings: each is whole, whatever is beside it."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Locator, Page

from tests.browser.conftest import Visit
from tests.browser.person import DESKTOP, PHONE, SMALL, STATES, Screen, cell
from tests.positions import only_in_soak, sample

# Of the squares, which are alike by symmetry, `make test` tries a corner, an edge and the center.
CELLS = only_in_soak([".cell"]) or ["#cell-0", "#cell-1", "#cell-4"]
CONTROLS = ", ".join(
    [*CELLS, "#board a", ".door", ".onward button", ".onward a", "#status a", "summary"]
)
# Paint the focus ring in a color that no page has, without transitions.
PAINT_RING = """() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(":focus-visible { outline-color: #f0f !important }"
        + "* { transition: none !important; animation: none !important }")
    document.adoptedStyleSheets.push(sheet)
}"""
# The area of a whole ring: its length along the middle of the stroke, times its width.
RING_AREA = """element => {
    element.scrollIntoView({block: "center", behavior: "instant"})
    const style = getComputedStyle(element), width = parseFloat(style.outlineWidth)
    if (style.outlineStyle == "none") return 0
    const distance = parseFloat(style.outlineOffset) + width / 2
    const corners = ["TopLeft", "TopRight", "BottomLeft", "BottomRight"]
    const {width: across, height: down} = element.getBoundingClientRect()
    const radii = corners.map(corner => parseFloat(style[`border${corner}Radius`]))
        .map(radius => Math.min(radius, across / 2, down / 2))
        .map(radius => radius ? Math.max(0, radius + distance) : 0)
    const savedByCorners = radii.reduce((sum, radius) => sum + (2 - Math.PI / 2) * radius, 0)
    return width * (2 * (across + down) + 8 * distance - savedByCorners)
}"""


def visible_share_of_ring(page: Page, control: Locator) -> float:
    """Return the visible share of a control's focus ring, from 0 to 1."""
    control.focus()
    page.keyboard.press("Shift")  # a key press, so that the ring is shown
    area = float(control.evaluate(RING_AREA))
    if not area:
        return 0
    screenshot = Image.open(BytesIO(page.screenshot())).convert("RGB")
    # Of red, green and blue, around the #f0f of PAINT_RING.
    ring_shades = (range(200, 256), range(90), range(200, 256))
    red, green, blue = (
        band.point([255 * (shade in shades) for shade in range(256)])
        for band, shades in zip(screenshot.split(), ring_shades, strict=True)
    )
    ring = ImageChops.darker(ImageChops.darker(red, green), blue)
    return ring.histogram()[255] / area


def clipped_rings(page: Page) -> Iterator[str]:
    """Yield each control whose focus ring is less than 90% visible."""
    page.evaluate(PAINT_RING)
    for control in page.locator(CONTROLS).all():
        if control.is_visible() and (share := visible_share_of_ring(page, control)) < 0.9:
            yield f"{share:.0%} of {control.evaluate('element => element.outerHTML')[:90]}"


@pytest.mark.parametrize(
    ("state", "screen"),
    [
        ("first", SMALL),
        ("unfinished", PHONE),
        *sample(
            7,
            [
                ("lost twice", PHONE),
                ("first", DESKTOP),
                ("lost", DESKTOP),
                ("stopped again", SMALL),
                ("first as O", (844, 390)),
                ("mid-game", SMALL),
                ("first", PHONE),
            ],
        ),
    ],
)
def test_every_control_of_the_game_has_a_whole_focus_ring(
    visit: Visit, state: str, screen: Screen
) -> None:
    assert not [*clipped_rings(visit(game=STATES[state], screen=screen))]


CORNERS = {0: "TopLeft", 2: "TopRight", 6: "BottomLeft", 8: "BottomRight"}
CORNER_RADIUS = "(element, corner) => getComputedStyle(element)[`border${corner}Radius`]"


def test_the_focus_ring_of_a_corner_square_follows_the_corner(visit: Visit) -> None:
    page = visit(screen=DESKTOP)
    for square, corner in CORNERS.items():
        page.keyboard.press("Tab")  # a key press, so that the ring is shown
        cell(page, square).focus()
        radii = {
            name: cell(page, square).evaluate(CORNER_RADIUS, name) for name in CORNERS.values()
        }
        assert {name for name, radius in radii.items() if radius != "0px"} == {corner}
        assert radii[corner] == page.locator("#board").evaluate(CORNER_RADIUS, corner)
