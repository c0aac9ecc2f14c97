"""How a page lies in its window: what lies on what, leaves its box, or is out of sight.

Asked without a name of a style: of what can be read and pressed, by where it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

from tests.browser.person import TWO_FRAMES, Screen

CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary"

UNREAD = "title, option, script, details:not([open]), .art *"  # an .art stands for a page to press

# Each visible line of text, control and picture, and its place. `over` is what opens or stays over
# a page, `box` the nearest around it with an edge or a ground.
THINGS = f"""boards => {{
    const clear = color => /, 0\\)$|^transparent$/.test(color)
    const known = new Map([[null, {{}}]])
    const within = one => {{
        if (!known.has(one)) {{
            const outer = within(one.parentElement), style = getComputedStyle(one)
            const root = one == document.documentElement || one == document.body
            const ground = !clear(style.backgroundColor)
            const framed = parseFloat(style.borderLeftWidth) > 0 && style.borderLeftStyle != "none"
                && !clear(style.borderLeftColor)
            known.set(one, {{
                over: outer.over || (["fixed", "sticky"].includes(style.position) ? "stays"
                    : style.position == "absolute" && ground ? "opens" : ""),
                scrolls: outer.scrolls || !root && /auto|scroll/.test(style.overflowX),
                hidden: outer.hidden || style.clipPath == "inset(50%)"
                    || !one.checkVisibility({{visibilityProperty: true, opacityProperty: true,
                        contentVisibilityAuto: true}}),
                box: !root && style.display != "inline" && !(one instanceof SVGElement)
                    && (ground || framed || style.overflowX != "visible") ? one : outer.box,
            }})
        }}
        return known.get(one)
    }}
    const found = []
    const note = (kind, one, name, rects) => {{
        const about = within(one)
        if (about.hidden || one.matches("{UNREAD}")) return
        const clip = getComputedStyle(about.box ?? one).overflowX != "visible"
            && about.box?.getBoundingClientRect()
        for (let {{left, right, top, bottom, width, height}} of rects) {{
            if (width < 2 || height < 2) continue
            if (clip && (left >= clip.right || right <= clip.left
                || top >= clip.bottom || bottom <= clip.top)) continue // a line not to be seen
            if (clip && about.scrolls) right = Math.min(right, clip.right) // the rest scrolls in
            const inset = kind == "text" ? height * .15 : 0 // a line is less high than its font
            found.push({{kind, one, name: name.trim().slice(0, 30), ...about,
                left, right, top: top + inset, bottom: bottom - inset}})
        }}
    }}
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {{
        const node = walker.currentNode
        if (!node.data.trim()) continue
        range.selectNodeContents(node)
        note("text", node.parentElement, node.data, range.getClientRects())
    }}
    for (const control of document.querySelectorAll("{CONTROLS}")) {{
        const one = control.closest("label") ?? control
        const name = one.id || one.innerText
        if (within(one).box == one) note("control", one, name, one.getClientRects())
    }}
    for (const one of document.querySelectorAll(`svg[role=img], [role=group], ${{boards}}`))
        note("picture", one, one.id || one.ariaLabel || "a picture", one.getClientRects())
    return found
}}"""

# All that is wrong with how they lie. `asked`: whether the window is one that must show the filled
# button, which leads on, and the board; null if the letters are not the page's own.
FAULTS = f"""asked => {{
    // Letters twice as large may touch a small board.
    const boards = asked == null ? ":not(*)" : "#canvas .mini"
    const things = ({THINGS})(boards).sort((one, other) => one.top - other.top)
    const faults = new Set(), [width, height] = [innerWidth, innerHeight]
    let smallest = 11.9, tiny = ""
    const wider = document.documentElement.scrollWidth - width
    if (wider > 0) faults.add(`scrolls sideways by ${{wider}}`)
    const share = (one, other) => Math.min(
        Math.min(one.right, other.right) - Math.max(one.left, other.left),
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top))
    things.forEach((thing, at) => {{
        const {{kind, one, name, box, over, scrolls, left, right, top, bottom}} = thing
        if (!scrolls && (left < -1 || right > width + 1)) faults.add(`out: ${{name}}`)
        if (kind == "text" && box) {{
            const around = box.getBoundingClientRect()
            if (!scrolls && (left < around.left - 2 || right > around.right + 2)
                || top < around.top - 2 || bottom > around.bottom + 2)
                faults.add(`leaves its box: ${{name}}`)
        }}
        if (kind == "text" && asked != null) {{
            const scale = one.closest("svg") ? one.getScreenCTM()?.a ?? 1 : 1
            const size = parseFloat(getComputedStyle(one).fontSize) * scale
            if (size < smallest) [smallest, tiny] = [size, `${{size.toFixed(1)}} px: ${{name}}`]
        }}
        for (let next = at + 1; next < things.length && things[next].top < bottom - 1; next++) {{
            const other = things[next]
            if (over != other.over || one.contains(other.one) || other.one.contains(one)) continue
            if (share(thing, other) > (kind == "text" && other.kind == "text" ? 1 : 2))
                faults.add(`${{name}} / ${{other.name}}`)
        }}
    }})
    if (asked) {{
        const ink = getComputedStyle(document.body).color
        const filled = ({{kind, one, top, bottom}}) => kind == "control" && bottom - top > 40
            && getComputedStyle(one).backgroundColor == ink
        for (const {{name, top, bottom}} of things.filter(it => it.one.id == "board" || filled(it)))
            if (top < -1 || bottom > height + 1) faults.add(
                `out of the window by ${{Math.round(Math.max(-top, bottom - height))}}: ${{name}}`)
    }}
    for (const tree of asked ? document.querySelectorAll(".tree:not(.art *)") : []) {{
        const pictures = [...tree.querySelectorAll(".node > .shape")]
        const boxes = pictures.map(one => one.getBoundingClientRect()).filter(box => box.width)
        if (boxes.length < 2) continue // a leaf in view, alone, is no larger than boards around it
        const read = pictures.filter(one => one.matches(":not(.sign > *, .triangle, .leaf)"))
        const least = Math.min(...read.map(one => one.offsetWidth).filter(Boolean))
        if (least < 40) faults.add(`a board of ${{least}} px`)
        const side = (name, pick) => pick(...boxes.map(box => box[name]))
        const [left, right] = [side("left", Math.min), side("right", Math.max)]
        const [top, bottom] = [side("top", Math.min), side("bottom", Math.max)]
        const room = tree.getBoundingClientRect()
        const below = things.filter(({{one, top, left, right}}) => !tree.contains(one)
            && top > bottom - 4 && left < room.right && right > room.left)
        // the room of a question is kept when nothing is asked, so that the tree does not grow
        const isAsked = below.some(({{one}}) => one.closest(".bubble-room"))
        const kept = [tree.closest(".tree-page"), tree.closest(".tree-page > .picture")].map(
            one => one && !isAsked && parseFloat(getComputedStyle(one, "::before").height) || 0)
        const end = Math.min(height - Math.max(...kept), ...below.map(({{top}}) => top))
        const fills = Math.max((right - left) / room.width, (bottom - top) / (end - room.top))
        if (fills < .8) faults.add(`a tree fills ${{Math.round(100 * fills)}} % of its room`)
    }}
    if (tiny) faults.add(tiny)
    return [...faults]
}}"""


def shows_the_way_on(screen: Screen) -> bool:
    """Return whether the way on must fit in a window: from 360 x 640 up, upright or on its side."""
    return min(screen) >= 360 and max(screen) >= 640


def faults(page: Page, screen: Screen | None = None) -> list[str]:
    """Return how things lie wrong; with a screen, also what is too small or has to be in it."""
    found: list[str] = page.evaluate(FAULTS, screen and shows_the_way_on(screen))
    return found


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
