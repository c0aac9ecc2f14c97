"""Pages in the same font on every machine, so that their layout is the same."""

from __future__ import annotations

from base64 import b64encode
from functools import cache

from PIL import ImageFont
from playwright.sync_api import Frame, Page

# The font that comes with Pillow has only ASCII: any other letter becomes an n, in styles as well.
# Widths are precise, as rounded ones would differ between Chromium and its headless shell.
USE_TEST_FONT = """async bytes => {
    const ascii = text => text.replace(/[^ -~\\s]/gu, "n")
    const font = new FontFace("One", Uint8Array.from(atob(bytes), char => char.charCodeAt(0)))
    document.fonts.add(await font.load())
    const rewrite = rule => {
        if (rule.style?.content) rule.style.content = ascii(rule.style.content)
        for (const inner of rule.cssRules ?? []) rewrite(inner)
    }
    for (const sheet of document.styleSheets) rewrite(sheet)
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`*, ::before, ::after, ::placeholder {
        font-family: One !important; text-rendering: geometricPrecision !important
    }`)
    document.adoptedStyleSheets = [sheet]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) walker.currentNode.data = ascii(walker.currentNode.data)
    await document.fonts.ready
}"""


def use_test_font(page: Page | Frame) -> None:
    """Show a page in Pillow's font until it is left."""
    page.evaluate(USE_TEST_FONT, pillow_font())


@cache
def pillow_font() -> str:
    """Return Pillow's font in Base64."""
    font = ImageFont.load_default(16)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return b64encode(font.font_bytes).decode()
