"""Translated pages: every button works.

`test_every_page.py` checks that notation is marked as not to be translated.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.person import STATES, answer, best, board, play, press, status

# Wrap each text node in two elements, as browser translators do; also those added later.
TRANSLATE_TEXTS = """() => {
    const wrap = text => {
        if (!text.data.trim() || text.parentElement?.closest(
            "script, style, textarea, svg, [translate=no], font font")) return
        const [outer, inner] = [1, 2].map(() => document.createElement("font"))
        inner.textContent = `<${text.data}>`
        outer.append(inner)
        text.replaceWith(outer)
    }
    const wrapAll = root => {
        const texts = [], walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        while (walk.nextNode()) texts.push(walk.currentNode)
        texts.forEach(wrap)
    }
    wrapAll(document.body)
    new MutationObserver(changes => {
        for (const {addedNodes} of changes) for (const node of addedNodes)
            if (node.isConnected) node.nodeType == Node.TEXT_NODE ? wrap(node) : wrapAll(node)
    }).observe(document.body, {childList: true, subtree: true})
}"""


def test_copying_works_on_a_translated_page(visit: Visit) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    page = visit(game=STATES["stopped again"], new=True, permissions=allowed)
    page.clock.install()
    page.evaluate(TRANSLATE_TEXTS)
    share, copy = page.locator("#share"), page.locator("[name=copy]")
    text = page.locator("textarea").input_value()
    for _ in range(2):
        share.click()
        expect(share).to_contain_text("<Copied>")
        page.clock.run_for(3000)
        expect(share).to_have_text("<Share>")
    page.evaluate("() => { navigator.clipboard.writeText = async () => { throw Error() } }")
    share.click()
    for _ in range(2):
        copy.click()
        expect(copy).to_contain_text("<Copied>")
        page.clock.run_for(3000)
        expect(copy).to_have_text("<Copy>")
    assert page.evaluate("() => navigator.clipboard.readText()") == text
    assert "<" not in text


def test_a_game_can_be_played_on_a_translated_page(page: Page) -> None:
    page.evaluate(TRANSLATE_TEXTS)
    play(page, best, turns=1)
    expect(status(page)).to_contain_text("<")
    press(page, "#hint")
    press(page, "#hint")
    press(page, "#undo")
    assert board(page) == "---------"
    play(page, best)
    press(page, "#again")
    assert answer(page) == "---------"
