"""What every page must be on a screen: in its frame, whole, legible, pressed and reached by all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.axe import violations_in_both_themes
from tests.browser.conftest import Tabs, sit_down
from tests.browser.person import SCREENS, STATES, resize
from tests.pages import PAGES
from tests.serving import Site

GAMES = {f"game, {name}": game for name, game in STATES.items()}
LACKING = {"refused": "400", "error": "404"}  # what the console says of a page not found


@pytest.fixture(scope="module", params=[*PAGES, *GAMES])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


Opened = tuple[Page, list[str]]


@pytest.fixture(scope="module")
def opened(name: str, tabs: Tabs, only_site: Site, heard: list[str]) -> Iterator[Opened]:
    """Open each page once for all that looks at it, and see that it asks our own host alone.

    Keep what it shows: what looks at it may open what is folded.
    """
    page = tabs.tab("every page")
    rest(page)
    page.context.clear_cookies()
    if name in GAMES:
        sit_down(page, only_site, GAMES[name])
    heard.clear()
    page.goto(PAGES.get(name, "/"))
    yield page, shown(page)
    assert all(LACKING.get(name, "nothing") in trouble for trouble in heard), heard


@pytest.fixture
def page(opened: Opened) -> Page:
    """Show the page on a laptop, at rest, whatever the test before did to it."""
    page, _ = opened
    rest(page)
    return page


def rest(page: Page, screen: tuple[int, int] = (1280, 800)) -> None:
    resize(page, screen)
    page.emulate_media(color_scheme="light", reduced_motion="reduce", forced_colors="none")


def test_axe_finds_nothing_in_either_theme(page: Page) -> None:
    assert not violations_in_both_themes(page)


# Each line of text that can be seen: where it is, and whether it leaves its box or the page.
TEXTS = """() => {
    const boxes = "button, summary, a, label, td, th, h1, h2, h3, p, .seat, .says, .card, .chip"
    const unseen = "title, option, script"
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange(), found = [], known = new Map([[null, {}]])
    const within = one => { // what it is in, itself or any around it
        if (!known.has(one)) {
            const {over, scrolls, hidden} = within(one.parentElement)
            const {position, clipPath, overflowX, width, backgroundColor} = getComputedStyle(one)
            known.set(one, {
                over: over || position == "fixed" || position == "sticky"
                    || position == "absolute" && !/, 0\\)$/.test(backgroundColor),
                scrolls: scrolls
                    || one != document.documentElement && /auto|scroll/.test(overflowX),
                hidden: hidden
                    || clipPath == "inset(50%)" || overflowX == "hidden" && width == "0px",
            })
        }
        return known.get(one)
    }
    const seen = {visibilityProperty: true, contentVisibilityAuto: true}
    while (walker.nextNode()) {
        const node = walker.currentNode, parent = node.parentElement
        if (!node.data.trim() || parent.closest(unseen) || !parent.checkVisibility(seen)) continue
        const {over, scrolls, hidden} = within(parent)
        if (hidden) continue
        const block = parent.closest(boxes)?.getBoundingClientRect()
        range.selectNodeContents(node)
        for (const {left, right, top, bottom, width} of range.getClientRects()) {
            if (width < 2) continue
            const inset = (bottom - top) * .1 // a line can be less high than its font
            found.push({
                text: node.data.trim(), left, right, top: top + inset, bottom: bottom - inset,
                over,
                out: !scrolls && (left < -1 || right > innerWidth + 1
                    || !!block && (left < block.left - 2 || right > block.right + 2)),
            })
        }
    }
    return found
}"""

COLLIDE = f"""() => {{
    const lines = ({TEXTS})().sort((one, other) => one.top - other.top)
    const wrong = lines.filter(line => line.out).map(line => `out: ${{line.text}}`)
    for (const act of document.querySelectorAll(".card .act"))
        if (act.getBoundingClientRect().right > act.closest(".card").getBoundingClientRect().right)
            wrong.push(`out of its card: ${{act.innerText}}`)
    lines.forEach((one, at) => {{
        for (const other of lines.slice(at + 1)) {{
            if (other.top >= one.bottom - 1) break
            if (one.over != other.over || one.text == other.text) continue
            if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1)
                wrong.push(`${{one.text}} / ${{other.text}}`)
        }}
    }})
    return wrong
}}"""


SIDEWAYS = "() => Math.max(0, document.documentElement.scrollWidth - innerWidth)"


CONTROLS = "a[href], button, input:not([type=hidden]), select, summary"

# A link in a text or a table is nearly as high as its line; moves and lines of code stand one over
# the other; what is in a label is pressed with it.
TOO_SMALL = f"""() => [...document.querySelectorAll("{CONTROLS}")].map(
    one => one.closest("label") ?? one
).filter(one => {{
    if (one.matches(".skip") || !one.checkVisibility({{visibilityProperty: true}})) return false
    const {{width, height}} = one.getBoundingClientRect()
    const inText = one.closest("p, td, th, li, dd, dt") && !one.matches(".act, .chip")
    const least = one.matches(".moves a") ? 40 : one.matches(".code a") ? 27 : inText ? 24 : 44
    return height < least - .01 || width < (inText ? 0 : 24)
}}).map(one => {{
    const {{width, height}} = one.getBoundingClientRect()
    return `${{width}} x ${{height}}: ${{one.outerHTML.slice(0, 150)}}`
}})"""


FRAME = """() => Object.fromEntries(
    [...document.querySelectorAll(".head, .brand, .nav a, main")].map(one => {
        const {left, right, height} = one.getBoundingClientRect()
        return one.matches("main, .head") ? [one.localName, [left, right]]
            : [one.innerText, [left, right, height]]
    }))"""


LOOK = f"""() => ({{
    sideways: ({SIDEWAYS})(), lost: ({COLLIDE})(), small: ({TOO_SMALL})(), frame: ({FRAME})(),
}})"""

Looks = dict[tuple[int, int], dict[str, Any]]


@pytest.fixture(scope="module")
def looks(opened: Opened) -> Looks:
    """Unfold the page and look at it, once for all that is to hold at every size."""
    page, _ = opened
    rest(page)
    unfold(page)
    return look_at(page)


def look_at(page: Page) -> Looks:
    """Return by screen how far a page scrolls sideways, text that leaves its box or the page or
    lies on other text, controls too small to press, and where its frame is."""
    found = {}
    for screen in SCREENS:
        resize(page, screen)
        found[screen] = page.evaluate(LOOK)
    return found


def unfold(page: Page) -> None:
    """Open what is folded, but what opens over other things."""
    page.locator("main details:not(.opponent, .more)").evaluate_all(
        "all => all.slice(0, 3).forEach(one => one.open = true)"
    )


def test_nothing_scrolls_sideways_and_no_text_lies_on_another(looks: Looks) -> None:
    for screen, look in looks.items():
        assert not look["sideways"], screen
        assert not look["lost"], screen


@pytest.fixture
def narrow(opened: Opened) -> Page:
    """Show the page unfolded and at rest where it is narrowest."""
    page, _ = opened
    rest(page, SCREENS[0])
    unfold(page)
    return page


def test_text_twice_as_large_loses_nothing_at_320_pixels(narrow: Page) -> None:
    with large_text(narrow):
        assert not narrow.evaluate(SIDEWAYS)
        assert not narrow.evaluate(COLLIDE)


@contextmanager
def large_text(page: Page) -> Iterator[None]:
    """Set the browser to letters twice as large, which the page's rem and em follow."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    try:
        yield
    finally:
        devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
        devtools.detach()


SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important } p { margin-bottom: 2em !important }"""
STYLE = """text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
}"""


def test_text_spaced_by_the_reader_loses_nothing_at_320_pixels(narrow: Page) -> None:
    """Space it as WCAG 1.4.12 does."""
    with spaced_text(narrow):
        assert not narrow.evaluate(SIDEWAYS)
        assert not narrow.evaluate(COLLIDE)


@contextmanager
def spaced_text(page: Page) -> Iterator[None]:
    page.evaluate(STYLE, SPACED)
    try:
        yield
    finally:
        page.evaluate(STYLE, "")


def test_every_control_is_large_enough_to_press(looks: Looks) -> None:
    for screen, look in looks.items():
        assert not look["small"], screen


@pytest.fixture(scope="module")
def game_looks(tabs: Tabs) -> Looks:
    """Look at a game, whose frame every page has to have."""
    page = tabs.tab("frame")
    page.goto("/")
    return look_at(page)


def test_header_and_edges_are_where_every_page_has_them(
    page: Page, looks: Looks, game_looks: Looks
) -> None:
    for screen, look in looks.items():
        here, frame = look["frame"], game_looks[screen]["frame"]
        assert here.items() <= frame.items(), screen
        assert len(here) == len(frame) or "main" in here  # a lesson's screen says where it is
    assert page.get_by_role("heading", level=1).count() == 1


WALK = """() => {
    window.stops = []
    addEventListener("focusin", ({target}) => {
        const at = target.matches("input") ? target.closest("label") ?? target : target
        const {outlineStyle, outlineWidth, outlineColor} = getComputedStyle(at)
        const paper = getComputedStyle(document.body).backgroundColor
        const own = getComputedStyle(target).outlineStyle
        const shown = (outlineStyle != "none" && parseFloat(outlineWidth) >= 2
            && outlineColor != paper) || own != "none"
        stops.push([target.outerHTML.slice(0, 120), shown])
    })
}"""


def test_tab_walks_the_page_and_is_seen_where_it_is_in_forced_colours(page: Page) -> None:
    page.emulate_media(forced_colors="active", color_scheme="dark")
    page.evaluate(WALK)
    within = page.locator("main").locator(CONTROLS).filter(visible=True).count()
    for _ in range(min(within, 12) + 6):
        page.keyboard.press("Tab")
    stops = page.evaluate("() => stops")
    assert len({html for html, _ in stops}) >= min(within, 3)
    assert [html for html, shown in stops if not shown] == []


def test_reload_and_back_show_the_page_as_it_was(page: Page, opened: Opened) -> None:
    _, before = opened
    page.reload()
    assert shown(page) == before
    page.goto("about:blank")
    page.go_back()
    assert shown(page) == before


def shown(page: Page) -> list[str]:
    """Return a page's title, its address, and what can be read in its main part."""
    return [page.title(), page.url, page.locator("main").inner_text()]
