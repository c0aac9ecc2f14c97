"""How the page fits the screen, what it weighs, and that it holds still."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from app import create_app
from engine.position import OTHER, SQUARE_NAMES, O
from engine.reasons import threats, why
from engine.review import Reviewed
from engine.search import analyse, score
from engine.symmetry import reachable
from tests.browser.conftest import Visit, forgive
from tests.browser.person import (
    PAGES,
    SCREENS,
    best,
    button,
    click,
    draw,
    headline,
    lose,
    play,
    play_two_turns,
    show_results,
    status,
    use,
    win,
)
from tests.conftest import untraced
from tests.serving import ROOT
from web.play.parts import Status, Verdict
from web.play.parts import draw as drawn

by_screen = pytest.mark.parametrize("screen", SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")

# Sizes that others have, on which the same has to be in view.
OTHERS = [(360, 640), (412, 732), (820, 1180), (568, 320), (640, 360), (667, 375), (1024, 768)]

Box = dict[str, float]


def resize(page: Page, screen: tuple[int, int]) -> None:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})


def boxes(page: Page, selector: str) -> list[Box]:
    """Measure every visible element in CSS pixels."""
    visible: list[Box] = page.evaluate(
        """selector => [...document.querySelectorAll(selector)]
            .filter(one => one.checkVisibility({visibilityProperty: true}))
            .map(one => one.getBoundingClientRect().toJSON())
            .filter(box => box.width && box.height)""",
        selector,
    )
    assert visible, selector
    return visible


def smallest(page: Page, selector: str) -> float:
    """Return the shortest side of all that match."""
    return min(min(box["width"], box["height"]) for box in boxes(page, selector))


# What fits


def lose_as_o(page: Page) -> None:
    use(page, "O")
    lose(page)


MOMENTS: dict[str, Callable[[Page], None]] = {
    "mid-game": play_two_turns,
    "mid-game with results": show_results,
    "won": win,
    "lost": lose,
    "lost as O": lose_as_o,
    "drawn": draw,
}


def overlap(one: Box, other: Box) -> bool:
    return (
        min(one["right"], other["right"]) - max(one["left"], other["left"]) > 0.5
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 0.5
    )


@pytest.mark.parametrize("moment", MOMENTS)
def test_all_that_matters_is_in_view_without_scrolling(page: Page, moment: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    MOMENTS[moment](page)
    matters = ["h1", "nav", "#status", "#board", "#reason p", "#actions .action"]
    if "mid-game" not in moment:
        matters.append("#score")
    for screen in SCREENS + OTHERS:
        resize(page, screen)
        found = [box for selector in matters for box in boxes(page, selector)]
        for box in found:
            assert box["width"] > 0 and box["height"] > 0, screen
            assert box["left"] >= 0 and box["right"] <= screen[0], screen
            assert box["top"] >= 0 and box["bottom"] <= screen[1], screen
        assert not [pair for pair in combinations(found, 2) if overlap(*pair)], screen
        assert page.evaluate("() => scrollY") == 0


def test_the_board_takes_what_height_and_width_allow(page: Page) -> None:
    for width, height in SCREENS:
        resize(page, (width, height))
        [board] = boxes(page, "#board")
        assert board["width"] == pytest.approx(board["height"], abs=0.5)
        assert board["width"] >= (0.9 * min(width, height) if width > height else 0.82 * width)


def test_a_window_that_grows_never_shrinks_the_board(page: Page) -> None:
    for width, height in ((320, 500), (500, 500), (640, 390), (1000, 600)):
        sizes = []
        for more in (0, 50, 100, 200, 400):
            resize(page, (width + more, height + more))
            sizes.append(boxes(page, "#board")[0]["width"])
        assert sizes == sorted(sizes)


def test_the_verdict_is_the_largest_text_on_the_page(page: Page) -> None:
    lose(page)
    for screen in SCREENS:
        resize(page, screen)
        sizes = page.evaluate("""() => {
            const sizes = {}
            for (const one of document.querySelectorAll("body *"))
                if ([...one.childNodes].some(node => node.nodeType == 3 && node.data.trim())
                    && one.checkVisibility())
                    sizes[one.textContent] = parseFloat(getComputedStyle(one).fontSize)
            return sizes
        }""")
        verdict = sizes.pop(headline(page).inner_text())
        assert verdict >= max(sizes.values()) * 1.2
        assert min(sizes.values()) >= 14


def test_settings_opened_in_a_game_are_in_view_whole(page: Page) -> None:
    play(page, best, turns=1)
    page.locator("#settings").locator("summary").click()
    for screen in SCREENS:
        resize(page, screen)
        for it in page.locator("#settings").locator("summary, button, legend, p").all():
            expect(it).to_be_in_viewport(ratio=1)
        assert page.evaluate("() => scrollY") == 0


def on_top(target: Locator) -> bool:
    """Say whether a press on the middle of an element would reach it."""
    reached: bool = target.evaluate("""it => {
        const {x, y, width, height} = it.getBoundingClientRect()
        return it.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }""")
    return reached


def test_more_unfolded_in_a_game_is_seen_and_can_be_folded_again(page: Page) -> None:
    play(page, best, turns=1)
    more = page.locator("summary", has_text="More")
    more.click()
    for screen in SCREENS:
        resize(page, screen)
        for it in (more, page.locator("#more li").first):
            expect(it).to_be_in_viewport(ratio=1)
    play(page, best)
    resize(page, SCREENS[1])
    page.evaluate("() => document.activeElement.blur()")
    assert on_top(page.locator("#again"))
    more.click()
    expect(page.locator("#more")).to_be_hidden()


def test_open_settings_do_not_stand_over_what_is_reached_by_keyboard(page: Page) -> None:
    play(page, best, turns=1)
    resize(page, (390, 664))
    page.locator("#settings").locator("summary").click()
    page.keyboard.press("Shift+Tab")
    while not page.locator("#board :focus").count():
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("9")
    assert on_top(page.locator(":focus"))


def test_a_changed_setting_shows_the_game_it_began(page: Page) -> None:
    resize(page, (390, 500))
    button(page, "O").scroll_into_view_if_needed()
    assert page.evaluate("() => scrollY") > 0
    use(page, "O")
    for it in ("#status", "#board"):
        expect(page.locator(it)).to_be_in_viewport(ratio=1)
    expect(button(page, "O")).to_be_focused()


# What holds still


@pytest.fixture(scope="module")
def longest() -> dict[str, list[str]]:
    """Return the longest of all that can be said of a reply, of a turning point and of an end."""
    with untraced():
        return find_longest()


def find_longest() -> dict[str, list[str]]:
    app = create_app({"SECRET_KEY": "words" * 20})
    say: Any = app.jinja_env.get_template("play/_words.html").module
    reasons, turning_points, ends = set(), set(), set()
    for position in reachable():
        if outcome := position.outcome():
            for human in OTHER:
                won = outcome.winner == human
                verdict: Verdict = "won" if won else "lost" if outcome.winner else "held"
                ends.add(Status(None, human, (O, 7), True, True, verdict, outcome.lines, won))
        best_score = score(position)
        for square, after in analyse(position).items():
            for at_random in (True, False):
                reason = say.reason(why(position, square), at_random)
                reasons.add(f"{position.turn} {SQUARE_NAMES[square]}: {reason} Why?")
            if after < best_score:
                move = Reviewed(position, square, best_score, after, "lost the draw", True)
                opened = threats(position.play(square), OTHER[position.turn])
                turning_points.add(f"{say.turned((move, opened), position.turn, 0)} See it")
    with app.test_request_context():
        told = [part.partition(">")[2].rpartition("</p>")[0] for part in drawn(ends)]
    texts = {"reply": reasons, "turn": turning_points, "end": told}
    return {name: sorted(each, key=len)[-8:] for name, each in texts.items()}


SENTENCES = [
    "The game moved on in another tab. This is the current board.",
    "The game was not kept, so this is a new one. Playing on needs cookies.",
    "One moment: your last press is still on its way.",
]


@by_screen
def test_the_board_and_the_controls_keep_their_place_whatever_is_said(
    page: Page, screen: tuple[int, int], longest: dict[str, list[str]]
) -> None:
    resize(page, screen)
    play(page, best, turns=1)
    kept = "#board, #actions, #settings, #score"
    before = boxes(page, kept)
    say = "(element, text) => element.innerHTML = text"
    for sentence in [*longest["end"], *SENTENCES]:
        status(page).evaluate(say, sentence)
        assert boxes(page, kept) == before, sentence
    for kind in ("reply", "turn"):
        for sentence in longest[kind]:
            page.locator("#reason p").evaluate(say, sentence)
            assert boxes(page, kept) == before, sentence
        hide = page.locator(
            "#show-reasons"
        )  # is not there at the end, of which the others are said
        hide.evaluate_all("all => all.forEach(one => one.remove())")


@pytest.mark.parametrize("screen", [(320, 568), (844, 390), (1280, 800)])
def test_nothing_shifts_in_a_game(page: Page, screen: tuple[int, int]) -> None:
    resize(page, screen)
    page.wait_for_timeout(200)
    # Each count has its place in its line; what a press unfolds or folds stands below all else.
    page.evaluate("""() => {
        window.shifts = []
        const element = node => node?.closest ? node : node?.parentElement
        new PerformanceObserver(list => {
            for (const {sources} of list.getEntries())
                for (const {node} of sources)
                    if (!element(node)?.closest("#score, .folds"))
                        shifts.push(element(node)?.outerHTML)
        }).observe({type: "layout-shift"})
    }""")
    kept = "#board, #actions, #score, #status, #reason"
    before = boxes(page, kept)
    win(page)
    assert boxes(page, kept) == before
    click(button(page, "Play again"))
    play(page, best, turns=1)
    assert boxes(page, kept) == before
    page.wait_for_timeout(200)
    assert page.evaluate("() => shifts") == []


# Large text, spaced text, narrow screens

PHONE: dict[str, Any] = {
    "is_mobile": True,
    "has_touch": True,
    "viewport": {"width": 320, "height": 568},
}
SPACED = """*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}
    p{margin-bottom:2em!important}"""


def fits(page: Page) -> bool:
    """Say whether nothing scrolls sideways on any screen, with all unfolded."""
    page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    for screen in SCREENS:
        resize(page, screen)
        if page.evaluate("() => document.documentElement.scrollWidth") > screen[0]:
            return False
    return True


def test_nothing_scrolls_sideways(visit: Visit, troubles: list[str]) -> None:
    page = visit(**PHONE)
    for reach in (play_two_turns, win, lose):
        reach(page)
        assert fits(page)
    for path in PAGES.values():
        page.goto(path)
        assert fits(page)
    forgive(troubles, "404")


@pytest.mark.parametrize("moment", MOMENTS)
def test_large_or_spaced_text_at_320_pixels_loses_nothing(visit: Visit, moment: str) -> None:
    page = visit(viewport={"width": 320, "height": 568})
    page.emulate_media(reduced_motion="reduce")
    MOMENTS[moment](page)
    larger = "() => document.documentElement.style.fontSize = '200%'"
    spaced = """text => {
        document.documentElement.style.fontSize = ""
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(text)
        document.adoptedStyleSheets = [sheet]
    }"""
    for change, given in ((larger, None), (spaced, SPACED)):
        page.evaluate(change, given)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
        found = [box for it in ("#status", "#board", "#reason p") for box in boxes(page, it)]
        found += boxes(page, "#actions .action, summary")
        page.locator("#settings").evaluate("one => one.open = true")
        unfolded = boxes(page, "#settings :is(summary, legend, button, p)")
        for each in (found, unfolded):
            assert not [pair for pair in combinations(each, 2) if overlap(*pair)]
        cut = page.locator("main :is(p, strong, span, button, summary)").filter(visible=True)
        assert (
            cut.evaluate_all("""all => all.filter(one =>
            one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display != "inline"
        ).map(one => one.outerHTML)""")
            == []
        )
        page.locator("#settings").evaluate("one => one.open = false")


def test_everything_to_press_is_large_enough(visit: Visit, troubles: list[str]) -> None:
    page = visit(**PHONE)
    page.keyboard.press("Tab")  # shows the skip link
    for reach in (play_two_turns, lose):
        reach(page)
        for screen in SCREENS:
            resize(page, screen)
            assert smallest(page, "#board button") >= 80
            assert smallest(page, "button, summary, header a, .action") >= 44
    page.goto(PAGES["error"])
    forgive(troubles, "404")
    assert smallest(page, "main a") >= 44


@pytest.mark.parametrize("width", [640, 700, 768, 844])
@pytest.mark.parametrize("height", [390, 1024])
def test_all_is_aligned_to_one_edge(page: Page, width: int, height: int) -> None:
    resize(page, (width, height))
    play(page, best, turns=1)
    column = ["h1", "#score", "#status", "#reason", "#actions", ".folds"]
    if width < height:
        column.append("#board")
    assert len({round(boxes(page, one)[0]["left"]) for one in column}) == 1


def test_the_heading_is_as_high_on_every_page(page: Page) -> None:
    before = boxes(page, "header"), boxes(page, "nav a")[0]["height"]
    for path in ("/proof", "/why/04", "/position/X---O----"):
        page.goto(path)
        after = boxes(page, "header"), boxes(page, "nav a")[0]["height"]
        assert [box["height"] for box in after[0]] == [box["height"] for box in before[0]]
        assert after[1] == before[1]


# What it weighs


def test_the_first_load_is_at_most_five_requests_and_25_kilobytes(visit: Visit) -> None:
    page = visit("about:blank", new=True, extra_http_headers={"Accept-Encoding": "gzip"})
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert len(answers) <= 5
    assert sum(answer.request.sizes()["responseBodySize"] for answer in answers) <= 25_000


def test_the_script_of_our_own_is_at_most_1_2_kilobytes() -> None:
    assert (ROOT / "static" / "board.js").stat().st_size <= 1.2 * 1024
