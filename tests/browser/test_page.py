"""How the page fits the screen, what it weighs, and that it holds still."""

from __future__ import annotations

from playwright.sync_api import Page, Response

from tests.browser.conftest import Visit, forgive
from tests.browser.person import PAGES, lose, status, win
from tests.serving import ROOT

PHONE = {"is_mobile": True, "has_touch": True, "viewport": {"width": 320, "height": 568}}
SCREENS = [(320, 568), (390, 844), (1280, 800)]


def fits(page: Page) -> bool:
    """Say whether nothing scrolls sideways on any screen."""
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate("() => document.documentElement.scrollWidth") > width:
            return False
    return True


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    """Measure every visible element in CSS pixels."""
    visible = page.locator(selector).filter(visible=True)
    assert visible.count()
    read = "all => all.map(one => one.getBoundingClientRect().toJSON())"
    return list(visible.evaluate_all(read))


def smallest(page: Page, selector: str) -> float:
    """Return the shortest side of all that match."""
    return min(min(box["width"], box["height"]) for box in boxes(page, selector))


def test_nothing_scrolls_sideways(visit: Visit, troubles: list[str]) -> None:
    page = visit(**PHONE)
    for summary in page.locator("summary").all():
        summary.click()
    for play_to_the_end in (win, lose):
        play_to_the_end(page)
        assert fits(page)
    for path in PAGES.values():
        page.goto(path)
        assert fits(page)
    forgive(troubles, "404")


def test_the_board_is_on_the_first_screen(visit: Visit) -> None:
    page = visit(**PHONE)
    for width, height in [*SCREENS, (800, 480)]:
        page.set_viewport_size({"width": width, "height": height})
        [board] = boxes(page, "#board")
        assert 0 <= board["top"] <= board["bottom"] <= height
        assert 0 <= board["left"] <= board["right"] <= width


def test_everything_to_press_is_large_enough(visit: Visit, troubles: list[str]) -> None:
    page = visit(**PHONE)
    page.keyboard.press("Tab")  # shows the skip link
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert smallest(page, "#board button") >= 88
        assert smallest(page, "button, summary, a") >= 44
    page.goto(PAGES["error"])
    forgive(troubles, "404")
    assert smallest(page, "main a") >= 44


LONG_SENTENCES = [
    "The game moved on in another tab. This is the current board.",
    "You: middle left. O: bottom centre. Your turn.",
    "Draw: the best anyone can do against perfect play.",
]


def test_the_board_and_the_controls_keep_their_place_under_every_status(visit: Visit) -> None:
    page = visit(**PHONE)
    before = boxes(page, "#board, fieldset, button")
    for sentence in LONG_SENTENCES:
        status(page).evaluate("(element, text) => element.textContent = text", sentence)
        assert boxes(page, "#board, fieldset, button") == before


def test_the_board_and_the_controls_hold_still_during_a_game(page: Page) -> None:
    page.evaluate("""() => {
        window.shifted = []
        const still = "#status, #board, fieldset, button"
        const element = node => node?.closest ? node : node?.parentElement
        new PerformanceObserver(list => {
            for (const {sources} of list.getEntries())
                for (const {node} of sources)
                    if (element(node)?.closest(still)) shifted.push(element(node).outerHTML)
        }).observe({type: "layout-shift", buffered: true})
    }""")
    win(page)
    page.wait_for_timeout(200)
    assert page.evaluate("() => shifted") == []


def test_the_first_load_is_at_most_five_requests_and_25_kilobytes(visit: Visit) -> None:
    page = visit("about:blank", extra_http_headers={"Accept-Encoding": "gzip"})
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert len(answers) <= 5
    assert sum(answer.request.sizes()["responseBodySize"] for answer in answers) <= 25_000


def test_the_script_of_our_own_is_under_one_kilobyte() -> None:
    assert (ROOT / "static" / "board.js").stat().st_size < 1024
