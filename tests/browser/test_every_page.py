"""What every page must be on a screen: in its frame, whole, legible, pressed and reached by all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page

from tests import positions
from tests.browser.conftest import Tabs, sit_down
from tests.browser.person import (
    DESK,
    LONGEST,
    PHONE,
    SCREENS,
    SMALL,
    STATES,
    TABLET,
    TWO_FRAMES,
    Screen,
    resize,
)
from tests.browser.test_game_page import OTHERS, out_of_view
from tests.browser.test_lesson import ANSWERED, ASKED, FAINT, ill_asked
from tests.browser.test_practice import STATES as PRACTICE
from tests.browser.test_study import STATES as STUDY
from tests.browser.test_write import STATES as WRITTEN
from tests.pages import ALIKE, PAGES
from tests.serving import AXE, Site

GAMES = {f"game, {name}": game for name, game in (STATES | LONGEST).items()}
ROOMS = {
    "practice": PRACTICE,
    "study": STUDY,
    "asked": ASKED,
    "answered": ANSWERED,
    "write": WRITTEN,
}
ADDRESSES = PAGES | {
    f"{room}, {name}": address for room, states in ROOMS.items() for name, address in states.items()
}
LACKING = {"refused": "400", "error": "404"}  # what the console says of a page not found
FRAMELESS = {"study beamer"}  # a tree and its code, to be seen from the last row, and nothing else

# Of each template one, and of each room what must be in sight there; `make soak` looks at the rest.
STATE_OF_EACH_ROOM = {
    "game, lost twice",
    "game, lost by a fork",
    "game, hint",
    "practice, value not below",
    "study, moves",
    "asked, 4",
    "answered, 4",
}
LOOKED_AT = STATE_OF_EACH_ROOM | (PAGES.keys() - ALIKE)
# One of each room: the colours of both themes are held against each other in tests/test_files.py.
LOOKED_AT_IN_BOTH_THEMES = {
    "game, lost twice",
    "practice, value not below",
    "study, moves",
    "answered, 4",
    "write",
    "today",
}

Frames = dict[Screen, dict[str, Any]]


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize(
    "name",
    [
        name if name in LOOKED_AT else pytest.param(name, marks=pytest.mark.soak)
        for name in (*GAMES, *ADDRESSES)
    ],
)
def test_a_page_has_no_fault(
    name: str, tabs: Tabs, site: Site, frames: Frames, troubles: list[str]
) -> None:
    """Open each page once for all that is to hold at every size, and say all that does not."""
    page = tabs.tab("every page", DESK)
    page.context.clear_cookies()
    if name in GAMES:
        sit_down(page, site, GAMES[name])
    page.goto(ADDRESSES.get(name, "/"))
    assert page.evaluate(HEADINGS) == 1
    faults: dict[str, Any] = {"after a reload": positions.all_images and differs(page)}
    faults |= {f"axe, {theme}": found for theme, found in violations_by_theme(page, name)}
    faults["by Tab"] = missed_by_tab(page)
    page.emulate_media(color_scheme="light", forced_colors="none")
    for screen in screens(name):
        resize(page, screen)
        faults[f"out of sight on {screen}"] = out_of_sight(page, name, screen)
        look = page.evaluate(LOOK)
        here, frame = look.pop("frame"), frames[screen]
        if name in FRAMELESS:
            here = frame
        off = [name for name, place in here.items() if place != frame.get(name)]
        less = len(here) < len(frame) and "main" not in here  # as a screen of the lesson has
        faults |= {f"{how} on {screen}": fault for how, fault in look.items()}
        faults[f"frame on {screen}"] = off or less
    faults["spaced as in WCAG 1.4.12"] = page.evaluate(LOST_SPACED, SPACED)
    with large_text(page):
        faults["in letters twice as large"] = page.evaluate(LOST)
    assert not {how: fault for how, fault in faults.items() if fault}
    assert all(LACKING.get(name, "nothing") in trouble for trouble in troubles), troubles
    troubles.clear()


def screens(name: str) -> list[Screen]:
    """Return the sizes at which to look at a page, the smallest last."""
    others = OTHERS if name in GAMES else [TABLET]
    return [DESK, *{*SCREENS, *positions.soaked(others)} - {DESK, SMALL}, SMALL]


@pytest.fixture(scope="module")
def frames(tabs: Tabs) -> Frames:
    """Return by screen the frame of a game, in which every page stands."""
    page = tabs.tab("every page")
    page.goto("/")
    found = {}
    for screen in [*SCREENS, *positions.soaked(OTHERS)]:
        resize(page, screen)
        found[screen] = page.evaluate(FRAME)
    return found


# What of a room's page must be whole on a screen, and not covered, before anything is scrolled.
ANSWER = "main :is(h1, h2, p, .cell, .pic, .act, .bubble, .card, .cut3 > *)"
IN_SIGHT = {
    "game": dict.fromkeys(SCREENS, ".seat, #actions .row > *"),
    "practice": dict.fromkeys([PHONE, (844, 390), DESK], ANSWER),
    "study": {
        PHONE: "#board, .story, .steps, #told",
        DESK: "main > *, main .act, main .quiet, main a",
    },
    "asked": dict.fromkeys(SCREENS[:5], ".say"),
    "answered": {PHONE: "#next, #told p:last-child, #after .card p:last-of-type"},
}
OUT_OF_SIGHT = """names => [...document.querySelectorAll(names)].filter(one => {
    if (!one.checkVisibility() || one.matches(".unseen")) return false
    const {top} = one.getBoundingClientRect()
    const {left, right, bottom} = [...one.getClientRects()].at(-1) // the last line of a link
    const lowest = document.elementFromPoint((left + right) / 2, bottom - 4)
    const covered = !one.contains(lowest) && !lowest?.contains(one)
    return top < 0 || bottom > innerHeight || covered
}).map(one => one.outerHTML.slice(0, 90))"""


def out_of_sight(page: Page, name: str, screen: Screen) -> list[object]:
    room, _, state = name.partition(", ")
    wanted = IN_SIGHT.get(room, {}).get(screen)
    faults = page.evaluate(OUT_OF_SIGHT, wanted) if wanted else []
    if name in GAMES:
        faults += out_of_view(page, GAMES[name], screen)
    if room == "asked":
        faults += list(ill_asked(page, int(state), screen))
    if room == "answered":
        faults += page.evaluate(FAINT)
    return faults


def violations_by_theme(page: Page, name: str) -> Iterator[tuple[str, str]]:
    """Yield what axe finds in one theme, and in the other, where colours alone can differ."""
    in_both = positions.all_images or name in LOOKED_AT_IN_BOTH_THEMES
    if in_both or name in PAGES:
        yield "light", page.evaluate(VIOLATIONS, [AXE, {}])
    if in_both:
        page.emulate_media(color_scheme="dark")
        yield "dark", page.evaluate(VIOLATIONS, [AXE, {"runOnly": ["color-contrast"]}])


# What axe finds, and where: to bring along what it did not find would take half as long again.
VIOLATIONS = """async ([path, options]) => {
    await import(path)
    const {violations} = await axe.run({resultTypes: ["violations"], ...options})
    return violations.flatMap(({id, help, nodes}) =>
        nodes.map(({html, failureSummary}) => [id, help, html, failureSummary].join("\\n")))
}"""

# Each line of text that can be seen: where it is, and whether it leaves its box or the page. What a
# move of the list says ends before the edge, where the number of the next begins.
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
    const seen = {visibilityProperty: true, contentVisibilityAuto: true, opacityProperty: true}
    while (walker.nextNode()) {
        const node = walker.currentNode, parent = node.parentElement
        if (!node.data.trim() || parent.closest(unseen) || !parent.checkVisibility(seen)) continue
        const {over, scrolls, hidden} = within(parent)
        if (hidden) continue
        const box = parent.closest(boxes), block = box?.getBoundingClientRect()
        const beyond = box?.matches(".moves a") ? -2 : 2
        range.selectNodeContents(node)
        for (const {left, right, top, bottom, width} of range.getClientRects()) {
            if (width < 2) continue
            const inset = (bottom - top) * .1 // a line can be less high than its font
            found.push({
                text: node.data.trim(), left, right, top: top + inset, bottom: bottom - inset,
                over,
                out: !scrolls && (left < -1 || right > innerWidth + 1 || bottom + scrollY < 0
                    || !!block && (left < block.left - 2 || right > block.right + beyond)),
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

# Asked so, and not by locators, which bring a script of their own to each page.
HEADINGS = """() => [...document.querySelectorAll("h1, [role=heading][aria-level='1']")]
    .filter(one => one.checkVisibility({visibilityProperty: true})
        && !one.closest("[aria-hidden=true]")).length"""

# A link in a text or a table is nearly as high as its line; moves and lines of code stand one over
# the other; what is in a label is pressed with it. Of a tree of four levels a node keeps its shape,
# and the buttons below lead to it.
TOO_SMALL = f"""() => [...document.querySelectorAll("{CONTROLS}")].map(
    one => one.closest("label") ?? one
).filter(one => {{
    if (one.matches(".skip") || !one.checkVisibility({{visibilityProperty: true}})) return false
    let {{width, height}} = one.getBoundingClientRect()
    if (one.matches("a.glyph")) {{ // a badge has a target around it
        const around = getComputedStyle(one, "::after")
        height -= parseFloat(around.top) + parseFloat(around.bottom)
    }}
    const inText = one.closest("p, td, th, li, dd, dt") && !one.matches(".act, .chip")
    if (one.closest("svg")) return false
    const least = one.matches(".moves a") ? 40 : one.matches(".code a") ? 27
        : inText ? 24 : 44
    const room = one.closest(".lesson, .practise") && !one.matches(".n4 .pic") && least == 44
    return height < least - .01 || width < (inText ? 0 : room ? 44 : 24)
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
TO_THE_TOP = 'scrollTo({top: 0, behavior: "instant"})'
UNFOLD = """() => [...document.querySelectorAll("main details:not(.opponent, .more, .share)")]
    .slice(0, 3).filter(one => !one.open).map(one => { one.open = true; return one })"""
LOOK = f"""() => {{
    const unfolded = ({UNFOLD})()
    const found = {{lost: ({LOST})(), small: ({TOO_SMALL})().join(", "), frame: ({FRAME})()}}
    unfolded.forEach(one => one.open = false)
    {TO_THE_TOP}
    return found
}}"""


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
LOST_SPACED = f"""text => {{
    ({UNFOLD})()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
    const lost = ({LOST})()
    document.adoptedStyleSheets = []
    return lost
}}"""

# Note what gets the focus and whether that is shown, and return how many controls there are.
WALK = f"""() => {{
    window.stops = []
    addEventListener("focusin", ({{target}}) => {{
        const at = target.matches("input") ? target.closest("label") ?? target : target
        const {{outlineStyle, outlineWidth, outlineColor}} = getComputedStyle(at)
        const paper = getComputedStyle(document.body).backgroundColor
        const own = getComputedStyle(target).outlineStyle
        const shown = (outlineStyle != "none" && parseFloat(outlineWidth) >= 2
            && outlineColor != paper) || own != "none"
        stops.push([target, shown])
    }})
    window.tabbable = [...document.querySelectorAll("{CONTROLS}")].filter(one => one.tabIndex >= 0
        && !one.disabled && one.checkVisibility({{visibilityProperty: true}}))
    return tabbable.filter(one => one.closest("main")).length
}}"""
FOCUS = """() => {
    const reached = new Set(stops.map(([one]) => one)).size
    tabbable.forEach(one => one.focus({preventScroll: true}))
    return [reached, stops.filter(([, shown]) => !shown)
        .map(([one]) => one.outerHTML.slice(0, 120))]
}"""


def missed_by_tab(page: Page) -> list[str]:
    """Return what does not show the focus in forced colours, or that Tab goes nowhere.

    After a few presses scripts give the focus to one control after the other, as Tab would.
    """
    page.emulate_media(forced_colors="active", color_scheme="dark")
    within = page.evaluate(WALK)
    for _ in range(min(within, 12) + 6 if positions.all_images else 4):
        page.keyboard.press("Tab")
    reached, unseen = page.evaluate(FOCUS)
    return unseen if reached >= min(within, 3) else ["it walks nowhere"]


def differs(page: Page) -> list[str]:
    """Return what a page shows after a reload, or leaving and coming back, and not before."""
    before = shown(page)
    page.reload()
    reloaded = shown(page)
    page.goto("about:blank")
    page.go_back()
    return [text for text in (*reloaded, *shown(page)) if text not in before]


def shown(page: Page) -> list[str]:
    """Return a page's title, its address, and what can be read in its main part."""
    return [page.title(), page.url, page.locator("main").inner_text()]
