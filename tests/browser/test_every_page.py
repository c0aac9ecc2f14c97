"""What every page has to be on a screen: whole, legible and accessible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests import positions
from tests.browser.conftest import Tabs, enter_game
from tests.browser.layout import CONTROLS, faults
from tests.browser.person import DESKTOP, SMALL, resize, set_media
from tests.browser.test_windows import GAMES, SECTIONS
from tests.pages import PAGES, SAME_TEMPLATE
from tests.serving import AXE, Site

GAMES_BY_NAME = {f"game, {name}": game for name, game in GAMES.items()}
ADDRESSES = PAGES | {
    f"{section}, {name}": path
    for section, pages in SECTIONS.items()
    if section != "each kind"
    for name, path in pages.items()
}
# Pages reached only by a press on another page, so they may move when opened.
MOVING_WHEN_OPENED = {"learn end", *(name for name, path in ADDRESSES.items() if "run=on" in path)}
EXPECTED_ERRORS = {"refused": "400", "error": "404"}  # errors that the console may show for a page

# A third of the templates, and the fullest pages of the game and the lesson; `make soak` opens all.
FULLEST = {"game, lost twice", "game, lost by a fork", "game, hint", "answered, 4"}
CHECKED = FULLEST | {*positions.sample(3, [name for name in PAGES if name not in SAME_TEMPLATE])}
# One page of each section, because tests/test_files.py checks the contrast in both themes.
CHECKED_IN_BOTH_THEMES = {"game, lost twice", "answered, 4", "write", "today"}


@pytest.mark.usefixtures("visitor_has_played")
@pytest.mark.parametrize(
    "name",
    [name if name in CHECKED else pytest.param(name, marks=pytest.mark.soak) for name in ADDRESSES],
)
def test_a_page_has_no_fault(name: str, tabs: Tabs, site: Site, browser_errors: list[str]) -> None:
    """Open each page once, run all checks, and report all faults.

    `test_windows.py` checks windows of other sizes.
    """
    page = tabs.tab("every page", DESKTOP, motion="no-preference")
    page.context.clear_cookies()
    if name in GAMES_BY_NAME:
        enter_game(page, site, GAMES_BY_NAME[name])
    page.goto(ADDRESSES[name])
    faults_by_check: dict[str, Any] = {
        "moves": page.evaluate(FIND_MOVING) if name not in MOVING_WHEN_OPENED else []
    }
    set_media(page, reduced_motion="reduce")
    faults_by_check["would be translated"] = page.evaluate(FIND_UNMARKED)
    faults_by_check["after a reload"] = positions.is_soak and differences(page)
    faults_by_check |= {f"axe, {theme}": found for theme, found in violations_by_theme(page, name)}
    faults_by_check["by Tab"] = missed_by_tab(page)
    set_media(page, color_scheme="light", forced_colors="none")
    page.evaluate(OPEN_DETAILS)
    for screen in (DESKTOP, SMALL):
        resize(page, screen)
        faults_by_check[f"unfolded on {screen}"] = faults(page)
        faults_by_check[f"small on {screen}"] = page.evaluate(FIND_TOO_SMALL)
        faults_by_check[f"buttons on {screen}"] = page.evaluate(FIND_ODD_BUTTONS)
    page.evaluate(SPACE_OUT)
    faults_by_check["spaced as in WCAG 1.4.12"] = faults(page)
    assert not {check: found for check, found in faults_by_check.items() if found}
    assert all(EXPECTED_ERRORS.get(name, "nothing") in error for error in browser_errors), (
        browser_errors
    )
    browser_errors.clear()


def violations_by_theme(page: Page, name: str) -> Iterator[tuple[str, str]]:
    """Yield what axe finds in one theme, and in the other one, which differs only in colors."""
    in_both = positions.is_soak or name in CHECKED_IN_BOTH_THEMES
    if in_both or name in PAGES:
        yield "light", page.evaluate(FIND_VIOLATIONS, [AXE, {}])
    if in_both:
        set_media(page, color_scheme="dark")
        yield "dark", page.evaluate(FIND_VIOLATIONS, [AXE, {"runOnly": ["color-contrast"]}])


# The violations that axe finds, with their places. Listing passed checks would take 50% longer.
FIND_VIOLATIONS = """async ([path, options]) => {
    await import(path)
    const {violations} = await axe.run({resultTypes: ["violations"], ...options})
    return violations.flatMap(({id, help, nodes}) =>
        nodes.map(({html, failureSummary}) => [id, help, html, failureSummary].join("\\n")))
}"""

# The names of the animations that run.
FIND_MOVING = "() => document.getAnimations().map(({animationName}) => animationName)"

# Return what must not be translated but isn't marked so: code, marks, windows, the player to move
# and the names of nodes.
FIND_UNMARKED = """() => {
    const names = "code, pre, .code:not(.in-words, .gaps), .window, .who, b.X, b.O, .triangle text"
    const notation = new Set(document.querySelectorAll(`main :is(${names})`))
    const name = /^(MAX|MIN|[A-Z])$/
    for (const element of document.querySelectorAll("main :is(b, span, td):not(:has(*))"))
        if (name.test(element.textContent.trim())) notation.add(element)
    return [...notation].filter(element => element.textContent.trim() && element.checkVisibility()
        && !element.closest("[translate=no]")).map(element => element.outerHTML.slice(0, 120))
}"""

# Exempt are links within text or a table, stacked moves and lines of code, controls inside a label,
# and nodes of a tree with four levels, which the buttons below can reach.
FIND_TOO_SMALL = f"""() => [...document.querySelectorAll("{CONTROLS}")].map(
    element => element.closest("label") ?? element
).filter(element => {{
    if (element.matches(".skip")) return false
    if (!element.checkVisibility({{visibilityProperty: true}})) return false
    let {{width, height}} = element.getBoundingClientRect()
    if (element.matches("a.glyph, a.leaf, .link")) {{ // these have a target around them
        const around = getComputedStyle(element, "::after")
        height -= parseFloat(around.top) + parseFloat(around.bottom)
        width -= parseFloat(around.left) + parseFloat(around.right)
    }}
    const inText = element.closest("p, td, th, li, dd, dt") && !element.matches(".act, .chip")
    if (element.closest("svg")) return false
    const least = element.matches(".moves a") ? 40 : element.matches(".code a") ? 27
        : inText ? 24 : 44
    const room = element.closest(".lesson, .puzzle") && !element.matches(".levels-4 .shape")
        && least == 44
    return height < least - .01 || width < (inText ? 0 : room ? 44 : 24)
}}).map(element => {{
    const {{width, height}} = element.getBoundingClientRect()
    return `${{width}} x ${{height}}: ${{element.outerHTML.slice(0, 150)}}`
}})"""

# A button is 48 px high, or 44 in a second row, as in a tree or on an arrow; a page has one filled
# button, and one way back, above everything else. A projector shows everything larger.
FIND_ODD_BUTTONS = """() => {
    const buttons = [...document.querySelectorAll("main :is(.act, .tabs > *, .quiet), .back")]
        .filter(element => element.checkVisibility() && !element.closest(".big"))
    const height = element => Math.round(element.getBoundingClientRect().height)
    const describe = button => `${height(button)} px: ${button.outerHTML.slice(0, 120)}`
    const heights = button => button.matches(".act:not(.small, .round)") ? [48]
        : button.matches(".small, .round, .back") ? [44] : [44, 48]
    const ink = getComputedStyle(document.body).color
    const filled = buttons.filter(element => getComputedStyle(element).backgroundColor == ink)
    const back = buttons.filter(element => element.matches(".back"))
    const first = document.querySelector("header .back") ?? document.querySelector("main .back")
    return [
        ...buttons.filter(button => !heights(button).includes(height(button))).map(describe),
        ...filled.slice(1).map(button => "filled as well: " + describe(button)),
        ...back.filter(button => button != first)
            .map(button => "a way back as well: " + describe(button)),
    ]
}"""

OPEN_DETAILS = """() => [...document.querySelectorAll(
    "main details:not(.share, .tools > *)")]
    .slice(0, 3).forEach(element => { element.open = true })"""
SPACE_OUT = """() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important;
        word-spacing: .16em !important } p { margin-bottom: 2em !important }`)
    document.adoptedStyleSheets = [sheet]
}"""

# Record what gets the focus and whether that is visible; return the number of controls in main.
RECORD_FOCUS = f"""() => {{
    window.stops = []
    addEventListener("focusin", ({{target}}) => {{
        const outlined = target.matches("input") ? target.closest("label") ?? target : target
        const {{outlineStyle, outlineWidth, outlineColor}} = getComputedStyle(outlined)
        const paper = getComputedStyle(document.body).backgroundColor
        const ownStyle = getComputedStyle(target).outlineStyle
        const isVisible = (outlineStyle != "none" && parseFloat(outlineWidth) >= 2
            && outlineColor != paper) || ownStyle != "none"
        stops.push([target, isVisible])
    }})
    window.tabbable = [...document.querySelectorAll("{CONTROLS}")].filter(control =>
        control.tabIndex >= 0 && !control.disabled
        && control.checkVisibility({{visibilityProperty: true}}))
    return tabbable.filter(element => element.closest("main")).length
}}"""
# Return how many elements Tab reached. Then focus all controls by script, and return also the
# elements on which the focus was invisible.
REACHED_AND_INVISIBLE = """() => {
    const reached = new Set(stops.map(([element]) => element)).size
    tabbable.forEach(element => element.focus({preventScroll: true}))
    return [reached, stops.filter(([, isVisible]) => !isVisible)
        .map(([element]) => element.outerHTML.slice(0, 120))]
}"""


def missed_by_tab(page: Page) -> list[str]:
    """Return controls that hide the focus in forced colors, or cannot be reached by Tab.

    After Tab is pressed a few times, a script focuses one control after the other, as Tab would.
    """
    set_media(page, forced_colors="active", color_scheme="dark")
    control_count = page.evaluate(RECORD_FOCUS)
    for _ in range(min(control_count, 12) + 6 if positions.is_soak else 4):
        page.keyboard.press("Tab")
    reached_count, invisible = page.evaluate(REACHED_AND_INVISIBLE)
    return invisible if reached_count >= min(control_count, 3) else ["Tab reaches too little"]


def differences(page: Page) -> list[str]:
    """Return how a page differs after a reload, or after leaving and coming back."""
    before = texts(page)
    page.reload()
    reloaded = texts(page)
    page.goto("about:blank")
    page.go_back()
    return [text for text in (*reloaded, *texts(page)) if text not in before]


def texts(page: Page) -> list[str]:
    """Return the title, the address and the main text of a page."""
    return [page.title(), page.url, page.locator("main").inner_text()]
