"""Translated pages: every button works, and notation stays as it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.person import STATES, answer, best, board, play, press, status
from tests.pages import PAGES
from tests.positions import sample

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


@pytest.mark.usefixtures("visitor_has_played")
@pytest.mark.parametrize("name", sample(2, [*PAGES]))
def test_notation_and_code_are_marked_as_not_to_be_translated(
    visit: Visit, name: str, browser_errors: list[str]
) -> None:
    assert not visit(PAGES[name]).evaluate(FIND_UNMARKED)
    browser_errors.clear()  # the console shows an error for the pages "refused" and "error"
