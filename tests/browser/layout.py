"""Layout faults of a page: overlaps, overflow, and what is out of sight.

They are measured where text, controls and pictures are drawn; classes are used only for trees,
previews and what is around a tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

from tests.browser.person import TWO_FRAMES, Screen

CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary"

IGNORED = "title, option, script, details:not([open]), .art *"  # an .art is a preview of a page

# Each visible line of text, control and picture, and its place. `over` says whether it opens or
# stays on top of the page; `box` is the nearest element around it with a border or a background.
VISIBLE_PARTS = f"""boards => {{
    const isClear = color => /, 0\\)$|^transparent$/.test(color)
    const contexts = new Map([[null, {{}}]])
    const contextOf = element => {{
        if (!contexts.has(element)) {{
            const outer = contextOf(element.parentElement), style = getComputedStyle(element)
            const isRoot = element == document.documentElement || element == document.body
            const hasBackground = !isClear(style.backgroundColor)
            const hasBorder = parseFloat(style.borderLeftWidth) > 0
                && style.borderLeftStyle != "none" && !isClear(style.borderLeftColor)
            contexts.set(element, {{
                over: outer.over || (["fixed", "sticky"].includes(style.position) ? "stays"
                    : style.position == "absolute" && hasBackground ? "opens" : ""),
                scrolls: outer.scrolls || !isRoot && /auto|scroll/.test(style.overflowX),
                hidden: outer.hidden || style.clipPath == "inset(50%)"
                    || !element.checkVisibility({{visibilityProperty: true, opacityProperty: true,
                        contentVisibilityAuto: true}}),
                box: !isRoot && style.display != "inline" && !(element instanceof SVGElement)
                    && (hasBackground || hasBorder || style.overflowX != "visible")
                    ? element : outer.box,
            }})
        }}
        return contexts.get(element)
    }}
    const parts = []
    const addPart = (kind, element, name, rects) => {{
        const context = contextOf(element)
        if (context.hidden || element.matches("{IGNORED}")) return
        const clip = getComputedStyle(context.box ?? element).overflowX != "visible"
            && context.box?.getBoundingClientRect()
        for (let {{left, right, top, bottom, width, height}} of rects) {{
            if (width < 2 || height < 2) continue
            if (clip && (left >= clip.right || right <= clip.left
                || top >= clip.bottom || bottom <= clip.top)) continue // a line out of sight
            if (clip && context.scrolls) right = Math.min(right, clip.right) // the rest scrolls in
            const inset = kind == "text" ? height * .15 : 0 // glyphs are lower than their line
            parts.push({{kind, element, name: name.trim().slice(0, 30), ...context,
                left, right, top: top + inset, bottom: bottom - inset}})
        }}
    }}
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {{
        const node = walker.currentNode
        if (!node.data.trim()) continue
        range.selectNodeContents(node)
        addPart("text", node.parentElement, node.data, range.getClientRects())
    }}
    for (const control of document.querySelectorAll("{CONTROLS}")) {{
        const element = control.closest("label") ?? control
        const name = element.id || element.innerText
        if (contextOf(element).box != element) continue
        addPart("control", element, name, element.getClientRects())
    }}
    for (const element of document.querySelectorAll(`svg[role=img], [role=group], ${{boards}}`))
        addPart("picture", element, element.id || element.ariaLabel || "a picture",
            element.getClientRects())
    return parts
}}"""

# All layout faults. `mustFit`: whether the window must show the main button and the board; null if
# the font size is not the page's own.
FIND_FAULTS = f"""mustFit => {{
    // Text twice as large may touch a small board.
    const boards = mustFit == null ? ":not(*)" : "#canvas .mini"
    const parts = ({VISIBLE_PARTS})(boards).sort((part, other) => part.top - other.top)
    const faults = new Set(), [width, height] = [innerWidth, innerHeight]
    let smallest = 11.9, smallestText = ""
    const excessWidth = document.documentElement.scrollWidth - width
    if (excessWidth > 0) faults.add(`scrolls sideways by ${{excessWidth}}`)
    const overlap = (part, other) => Math.min(
        Math.min(part.right, other.right) - Math.max(part.left, other.left),
        Math.min(part.bottom, other.bottom) - Math.max(part.top, other.top))
    parts.forEach((part, index) => {{
        const {{kind, element, name, box, over, scrolls, left, right, top, bottom}} = part
        if (!scrolls && (left < -1 || right > width + 1)) faults.add(`out: ${{name}}`)
        if (kind == "text" && box) {{
            const around = box.getBoundingClientRect()
            if (!scrolls && (left < around.left - 2 || right > around.right + 2)
                || top < around.top - 2 || bottom > around.bottom + 2)
                faults.add(`leaves its box: ${{name}}`)
        }}
        if (kind == "text" && mustFit != null) {{
            const scale = element.closest("svg") ? element.getScreenCTM()?.a ?? 1 : 1
            const size = parseFloat(getComputedStyle(element).fontSize) * scale
            if (size < smallest)
                [smallest, smallestText] = [size, `${{size.toFixed(1)}} px: ${{name}}`]
        }}
        for (let next = index + 1; next < parts.length && parts[next].top < bottom - 1; next++) {{
            const other = parts[next]
            if (over != other.over) continue
            if (element.contains(other.element) || other.element.contains(element)) continue
            if (overlap(part, other) > (kind == "text" && other.kind == "text" ? 1 : 2))
                faults.add(`${{name}} / ${{other.name}}`)
        }}
    }})
    if (mustFit) {{
        const ink = getComputedStyle(document.body).color
        const isFilledButton = ({{kind, element, top, bottom}}) =>
            kind == "control" && bottom - top > 40
            && getComputedStyle(element).backgroundColor == ink
        const main = parts.filter(part => part.element.id == "board" || isFilledButton(part))
        for (const {{name, top, bottom}} of main)
            if (top < -1 || bottom > height + 1) faults.add(
                `out of the window by ${{Math.round(Math.max(-top, bottom - height))}}: ${{name}}`)
    }}
    for (const tree of mustFit ? document.querySelectorAll(".tree:not(.art *)") : []) {{
        const pictures = [...tree.querySelectorAll(".node > .shape")]
        const boxes = pictures.map(picture => picture.getBoundingClientRect())
            .filter(box => box.width)
        if (boxes.length < 2) continue // a single leaf is no larger than its boards
        const boardPictures = pictures.filter(
            picture => picture.matches(":not(.sign > *, .triangle, .leaf)"))
        const smallestBoard = Math.min(
            ...boardPictures.map(picture => picture.offsetWidth).filter(Boolean))
        if (smallestBoard < 40) faults.add(`a board of ${{smallestBoard}} px`)
        const side = (name, pick) => pick(...boxes.map(box => box[name]))
        const [left, right] = [side("left", Math.min), side("right", Math.max)]
        const [top, bottom] = [side("top", Math.min), side("bottom", Math.max)]
        const room = tree.getBoundingClientRect()
        const below = parts.filter(({{element, top, left, right}}) => !tree.contains(element)
            && top > bottom - 4 && left < room.right && right > room.left)
        // a question keeps its room when none is shown, so that the tree does not grow
        const isQuestionShown = below.some(({{element}}) => element.closest(".bubble-room"))
        const keptHeights = [tree.closest(".tree-page"), tree.closest(".tree-page > .picture")].map(
            element => element && !isQuestionShown
                && parseFloat(getComputedStyle(element, "::before").height) || 0)
        const end = Math.min(height - Math.max(...keptHeights), ...below.map(({{top}}) => top))
        const share = Math.max((right - left) / room.width, (bottom - top) / (end - room.top))
        if (share < .8) faults.add(`a tree fills ${{Math.round(100 * share)}}% of its room`)
    }}
    if (smallestText) faults.add(smallestText)
    return [...faults]
}}"""


def must_show_main_button(screen: Screen) -> bool:
    """Return whether the main button must fit: from 360 x 640 up, in either orientation."""
    return min(screen) >= 360 and max(screen) >= 640


def faults(page: Page, screen: Screen | None = None) -> list[str]:
    """Return the layout faults; with a screen, also what is too small or does not fit."""
    found: list[str] = page.evaluate(FIND_FAULTS, screen and must_show_main_button(screen))
    return found


@contextmanager
def large_text(page: Page) -> Iterator[None]:
    """Double the font size of the browser, which the page's rem and em follow."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    page.evaluate(TWO_FRAMES)  # media queries are measured in em, too
    try:
        yield
    finally:
        devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
        devtools.detach()
