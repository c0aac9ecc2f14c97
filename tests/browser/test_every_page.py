"""What every page must be on a screen: in its frame, whole, legible, pressed and reached by all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.axe import violations_in_both_themes
from tests.browser.conftest import Tabs, sit_down
from tests.browser.person import SCREENS, STATES, TWO_FRAMES, resize, unfold
from tests.browser.test_lesson import ANSWERED, ASKING
from tests.browser.test_practice import STATES as PRACTICE
from tests.pages import PAGES
from tests.serving import Site

GAMES = {f"game, {name}": game for name, game in STATES.items()}
LACKING = {"refused": "400", "error": "404"}  # what the console says of a page not found

FRAMELESS = {"study beamer"}  # a tree and its code, to be seen from the last row, and nothing else

# Of each template one, and a game that is over; the rest of what there is to see soaks.
LOOKED_AT = ["game, lost", *PAGES]
ADDRESSES = {**PAGES, **ASKING, **ANSWERED, **PRACTICE}
SOAKED = [name for name in (*GAMES, *ADDRESSES) if name not in LOOKED_AT]
soaked = [pytest.param(name, marks=pytest.mark.soak) for name in SOAKED]


Frames = dict[tuple[int, int], dict[str, Any]]


@pytest.mark.parametrize("name", [*LOOKED_AT, *soaked])
def test_a_page_has_no_fault(
    name: str, tabs: Tabs, site: Site, frames: Frames, troubles: list[str]
) -> None:
    """Open each page once for all that is to hold at every size, and say all that does not."""
    page = tabs.tab("every page", {"width": 1280, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    page.context.clear_cookies()
    if name in GAMES:
        sit_down(page, site, GAMES[name])
    page.goto(ADDRESSES.get(name, "/"))
    before = shown(page)
    assert page.get_by_role("heading", level=1).count() == 1
    faults: dict[str, Any] = {
        "axe": violations_in_both_themes(page),
        "by Tab": missed_by_tab(page),
        "after a reload": differs(page, before),
    }
    page.emulate_media(color_scheme="light", forced_colors="none")
    unfold(page)
    for screen in SCREENS:
        resize(page, screen)
        look = page.evaluate(LOOK)
        here, frame = look.pop("frame"), frames[screen]
        if name in FRAMELESS:
            here = frame
        off = [name for name, place in here.items() if place != frame.get(name)]
        less = len(here) < len(frame) and "main" not in here  # as a screen of the lesson has
        faults |= {f"{how} on {screen}": fault for how, fault in look.items()}
        faults[f"frame on {screen}"] = off or less
    resize(page, SCREENS[0])
    with large_text(page):
        faults["in letters twice as large"] = page.evaluate(LOST)
    page.evaluate(STYLE, SPACED)
    faults["spaced as in WCAG 1.4.12"] = page.evaluate(LOST)
    assert not {how: fault for how, fault in faults.items() if fault}
    assert all(LACKING.get(name, "nothing") in trouble for trouble in troubles), troubles
    troubles.clear()


@pytest.fixture(scope="module")
def frames(tabs: Tabs) -> Frames:
    """Return by screen the frame of a game, in which every page stands."""
    page = tabs.tab("frame")
    page.goto("/")
    found = {}
    for screen in SCREENS:
        resize(page, screen)
        found[screen] = page.evaluate(FRAME)
    return found


# Each line of text that can be seen: where it is, and whether it leaves its box or the page.
TEXTS = """() => {
    const boxes = "button, summary, a, label, td, th, h1, h2, h3, p, .seat, .says, .card, .chip"
    const unseen = "title, option, script, .art"
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
                out: !scrolls && (left < -1 || right > innerWidth + 1 || bottom + scrollY < 0
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
# the other; what is in a label is pressed with it. A node of a tree that is drawn keeps its shape,
# and the buttons below lead to it.
TOO_SMALL = f"""() => [...document.querySelectorAll("{CONTROLS}")].map(
    one => one.closest("label") ?? one
).filter(one => {{
    if (one.matches(".skip") || !one.checkVisibility({{visibilityProperty: true}})) return false
    const {{width, height}} = one.getBoundingClientRect()
    const inText = one.closest("p, td, th, li, dd, dt") && !one.matches(".act, .chip")
    if (one.closest("svg")) return false
    const least = one.matches(".moves a") ? 40 : one.matches(".code a") ? 27
        : inText || one.matches("a.glyph") ? 24 : 44 // a badge has a target around it
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


LOST = f"""() => [({SIDEWAYS})(), ...({COLLIDE})()].filter(Boolean)"""
LOOK = f"""() => ({{
    lost: ({LOST})(), small: ({TOO_SMALL})().join(", "), frame: ({FRAME})(),
}})"""


@contextmanager
def large_text(page: Page) -> Iterator[None]:
    """Set the browser to letters twice as large, which the page's rem and em follow."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    page.evaluate(TWO_FRAMES)  # the windows that styles ask about are measured in letters, too
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


def missed_by_tab(page: Page) -> list[str]:
    """Return what Tab reaches and does not show in forced colours, or that it goes nowhere."""
    page.emulate_media(forced_colors="active", color_scheme="dark")
    page.evaluate(WALK)
    within = page.locator("main").locator(CONTROLS).filter(visible=True).count()
    for _ in range(min(within, 12) + 6):
        page.keyboard.press("Tab")
    stops = page.evaluate("() => stops")
    unseen = [html for html, seen in stops if not seen]
    return unseen if len({html for html, _ in stops}) >= min(within, 3) else ["it walks nowhere"]


def differs(page: Page, before: list[str]) -> list[str]:
    """Return what a page shows after a reload, and after leaving and coming back, if not that."""
    page.reload()
    reloaded = shown(page)
    page.goto("about:blank")
    page.go_back()
    return [text for text in (*reloaded, *shown(page)) if text not in before]


def shown(page: Page) -> list[str]:
    """Return a page's title, its address, and what can be read in its main part."""
    return [page.title(), page.url, page.locator("main").inner_text()]
