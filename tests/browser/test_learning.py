"""The learner's pages and what the game page shows of them, as a person uses them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.position import Position
from tests.browser.conftest import Tabs, Visit, forgive
from tests.browser.person import (
    best,
    board,
    button,
    cell,
    click,
    fetches,
    lose,
    play,
    status,
    wait_for_answer,
    worst,
)
from tests.browser.test_access import violations_in_both_themes
from tests.browser.test_page import fits

#    O |   | O         X, to move, blundered at middle left on move 5: only bottom
#    --+---+--         centre kept the draw. O won on move 6.
LOST = "/review/048137?you=X"
PAGES = {
    "why": "/why/04?you=X",
    "why, a blunder": "/why/04813?you=X",
    "review": LOST,
    "review, wrong": f"{LOST}&at=4&answer=2",
    "review, solved": f"{LOST}&at=4&answer=show",
    "position": "/position/X---O----",
    "position, over": "/position/XXXOO----",
    "tree": "/tree/X--------",
    "tree, lost": "/tree/-X---XOOX",
    "run": "/run/O-XX--XOO?algorithm=alpha-beta&step=17",
    "run, predicting": "/run/O-XX--XOO?algorithm=alpha-beta&step=16&predict=on&answer=searched",
    "run, through": "/run/-X---XOOX?step=94",
    "run, too large": "/run/---------",
    "proof": "/proof",
    "refused": "/position/XXXOOO---",
}


def link(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("link", name=name, exact=True)


def is_whole(page: Page) -> bool:
    """Say whether this is a page with its style and heading, not a part of one."""
    return (
        page.locator("header, h1, link[rel=stylesheet]").count() >= 3
        and page.evaluate("() => document.doctype.name") == "html"
    )


# Results on the squares


def test_squares_show_what_playing_there_leads_to_and_say_it_too(page: Page) -> None:
    toggle = button(page, "Show hints")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    click(toggle)
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(cell(page, 0)).to_have_text("Draw")
    expect(cell(page, 0)).to_have_accessible_name("top left, empty, Draw")
    page.reload()
    expect(cell(page, 4)).to_have_accessible_name("centre, empty, Draw")
    click(toggle)
    expect(cell(page, 4)).to_have_accessible_name("centre, empty")
    expect(cell(page, 4)).to_have_text("")


def test_after_a_move_only_squares_that_say_something_else_are_swapped(page: Page) -> None:
    def names() -> list[str | None]:
        return [cell(page, square).get_attribute("aria-label") for square in range(9)]

    click(button(page, "Show hints"))
    while not (position := Position.parse(board(page))).outcome():
        before = names()
        page.evaluate("() => document.querySelectorAll('.cell').forEach(one => one.old = true)")
        click(cell(page, worst(position)))
        old = page.locator(".cell").evaluate_all("all => all.map(one => !!one.old)")
        if not Position.parse(board(page)).outcome():
            assert old == [now == then for now, then in zip(names(), before, strict=True)]


# Why?


def test_each_reply_says_why_by_itself_and_leads_to_the_whole_story(page: Page) -> None:
    reason = page.locator("#reason")
    with fetches(page, "/why/") as asked:
        for _ in range(3):
            play(page, best, turns=1)
            expect(reason.locator("p")).to_have_text(re.compile(r"^O [a-z ]+: .+\. Why\?$"))
        assert asked == []
    there = str(reason.get_by_role("link").get_attribute("href"))
    moves = there.partition("/why/")[2].partition("?")[0]
    assert Position().after(map(int, moves)) == Position.parse(board(page))
    link(page, "Why?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"^Why O .+\?$"))


def test_reasons_are_hidden_by_one_press_that_lasts(page: Page) -> None:
    play(page, best, turns=1)
    click(page.get_by_role("button", name="Hide reasons"))
    expect(page.locator("#reason p")).to_have_count(0)
    page.reload()
    play(page, best)
    click(button(page, "Play again"))
    play(page, best, turns=1)
    expect(page.locator("#reason p")).to_have_count(0)
    click(button(page, "Show reasons"))
    expect(page.locator("#reason p")).to_be_visible()


def test_without_javascript_the_reason_is_there_too(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    cell(page, 0).click()
    expect(page.locator("#reason p")).to_have_text(
        "O centre: the only one of 8 moves that does not lose. Why?"
    )
    link(page, "Why?").click()
    expect(page.get_by_role("heading", name="Why O centre?")).to_be_visible()


# Review


def test_a_lost_game_leads_to_its_review(page: Page) -> None:
    lose(page)
    link(page, "Review").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Review of your game")
    expect(page.locator(".mistake").first).to_be_visible()
    expect(page.locator(".reason")).to_contain_text("O won")


def reach(page: Page, target: Locator, key: str = "Tab") -> None:
    """Press Tab until the target has the focus."""
    for _ in range(80):
        if target.evaluate("element => element == document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError("Tab does not lead there")


def press(page: Page, target: Locator) -> None:
    reach(page, target)
    page.keyboard.press("Enter")
    wait_for_answer(page)


def test_a_keyboard_alone_finds_the_better_move(visit: Visit) -> None:
    page = visit(LOST)
    task = page.locator("#try-4")
    says = task.locator("p").first
    press(page, task.locator("summary"))
    expect(says).to_have_text("Find a better move for X.")
    with fetches(page, "/review/") as asked:
        press(page, link(task, "top right"))
        expect(says).to_have_text("Top right is no better. Try another.")
        page.wait_for_function(
            "() => document.querySelector('#try-4').contains(document.activeElement)"
        )
        expect(task).not_to_contain_text("★")
        press(page, link(task, "bottom centre"))
        expect(says).to_have_text("Bottom centre is right. All best moves are marked.")
        page.wait_for_function(
            "() => document.querySelector('#try-4').contains(document.activeElement)"
        )
        assert len(asked) == 2
    expect(task.locator(".played")).to_have_text("bottom centre: ★ best")
    press(page, link(task, "Next move"))
    expect(page.locator("#move-6")).to_be_in_viewport()


def test_a_page_without_a_connection_says_so_until_it_is_back(
    visit: Visit, troubles: list[str]
) -> None:
    page = visit(LOST, new=True)  # which keeps no answer from before
    said = page.get_by_role("status")
    expect(said).to_have_text("")
    task = page.locator("details").first
    page.context.set_offline(True)
    task.locator("summary").click()
    click(link(task, "top right"))
    expect(said).to_have_text("Not sent: no connection. Try again.")
    expect(said).to_be_in_viewport()
    forgive(troubles, "ERR_INTERNET_DISCONNECTED")

    page.context.set_offline(False)
    click(link(task, "top right"))
    expect(task.locator("p").first).to_have_text("Top right is no better. Try another.")
    expect(said).to_have_text("")


def test_solution_and_skip_are_at_hand(visit: Visit) -> None:
    page = visit(LOST)
    task = page.locator("#try-4")
    task.locator("summary").click()
    expect(link(task, "Skip")).to_have_attribute("href", "#move-6")
    click(link(task, "Show the solution"))
    expect(task.locator("p").first).to_have_text("The best moves are marked.")
    expect(task.locator(".played")).to_have_text("bottom centre: ★ best")


def test_back_and_reload_always_give_a_whole_page(visit: Visit) -> None:
    page = visit(LOST)
    task = page.locator("#try-4")
    task.locator("summary").click()
    click(link(task, "top right"))
    link(page.locator("#move-5"), "Why?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Why X middle left?")
    for leave in (page.go_back, page.reload, page.go_forward, page.go_back):
        leave()
        assert is_whole(page)
    expect(page.locator(".reviewed > li")).to_have_count(6)


def test_without_javascript_the_better_move_is_found_by_links(visit: Visit) -> None:
    page = visit(LOST, java_script_enabled=False)
    task = page.locator("#try-4")
    task.locator("summary").click()
    link(task, "top right").click()
    expect(task).to_have_attribute("open", "")
    expect(task.locator("p").first).to_have_text("Top right is no better. Try another.")
    link(task, "Show the solution").click()
    expect(task.locator(".played")).to_have_text("bottom centre: ★ best")
    expect(page.locator(".reviewed > li")).to_have_count(6)


def test_playing_on_starts_a_game_from_there(visit: Visit) -> None:
    page = visit(LOST)
    page.locator("#move-4").get_by_role("button", name="Play on from here as X").click()
    expect(page).to_have_url(re.compile("/$"))
    assert board(page) == "XO--O---X"
    expect(status(page)).to_contain_text("Your turn.")
    play(page, best)
    expect(status(page)).to_contain_text("A draw.")


# Small boards


@pytest.mark.parametrize("name", ["why", "review", "position", "proof"])
def test_every_small_board_leads_to_its_position(visit: Visit, name: str) -> None:
    page = visit(PAGES[name])
    drawn = page.locator(".mini").evaluate_all("""all => all.map(mini => {
        const marks = Array(9).fill("-")
        for (const path of mini.querySelectorAll("path:is(.X, .O)"))
            for (const [, x, y] of path.getAttribute("d").matchAll(/M(\\d+) (\\d+)/g))
                marks[Math.floor(y / 24) * 3 + Math.floor(x / 24)] = path.getAttribute("class")
        return [new URL(mini.href).pathname, "/position/" + marks.join("")]
    })""")
    assert drawn
    assert [href for href, _ in drawn] == [address for _, address in drawn]
    first = page.locator(".mini").filter(visible=True).first
    first.click()
    expect(page).to_have_url(re.compile(re.escape(drawn[0][0])))
    expect(page.get_by_role("heading", level=1)).to_have_text("Results")


# The tree


def test_the_game_leads_to_the_tree_of_its_position(page: Page) -> None:
    play(page, best, turns=1)
    here = board(page)
    page.get_by_text("More", exact=True).click()
    link(page, "Game tree from here").click()
    expect(page).to_have_url(re.compile(f"/tree/{here}[?]game="))


# The proof


def test_a_reply_in_the_proof_leads_to_the_decision_that_answers_it(visit: Visit) -> None:
    page = visit(PAGES["proof"])
    link(page, "After X top left: 31 decisions").click()
    expect(page.locator("#O-1")).to_be_in_viewport()
    page.locator("#O-4").get_by_role("link", name="14", exact=True).click()
    expect(page.locator("#O-14")).to_be_in_viewport()
    page.locator("section#X").get_by_role("link", name="44", exact=True).click()
    expect(page.locator("#X-44")).to_be_in_viewport()
    missing = page.locator(".replies a").evaluate_all(
        "all => all.map(a => a.getAttribute('href')).filter(to => !document.querySelector(to))"
    )
    assert missing == []


def test_the_proof_prints_whole_and_without_what_is_for_the_screen(visit: Visit) -> None:
    page = visit(PAGES["proof"])
    shown = ".proof h2, .decisions li, .decisions svg, .replies li, .answer"
    assert page.locator(shown).filter(visible=True).count() < 50  # the rest is folded
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(shown).count() == page.locator(shown).filter(visible=True).count() > 500
    expect(page.locator("header, nav, .skip").filter(visible=True)).to_have_count(0)
    expect(page.locator("body")).to_have_css("background-color", "rgb(250, 249, 246)")
    page.set_viewport_size({"width": 700, "height": 1000})  # A4 less its margins
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 700


# All of them


@pytest.fixture(scope="module", params=PAGES)
def shown(request: pytest.FixtureRequest, tabs: Tabs, heard: list[str]) -> Iterator[Page]:
    """Open each page once for all its checks, with the first of what is folded unfolded."""
    heard.clear()
    only_page = tabs.tab("shown")
    only_page.set_viewport_size({"width": 1280, "height": 800})
    only_page.goto(PAGES[request.param])
    if request.param == "refused":
        forgive(heard, "400")
    folded = only_page.locator("main details")
    folded.evaluate_all("all => all.slice(0, 2).forEach(one => one.open = true)")
    only_page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    wait_for_answer(only_page)
    yield only_page
    assert not heard


def test_axe_finds_nothing(shown: Page) -> None:
    assert not violations_in_both_themes(shown)


def test_nothing_scrolls_sideways(shown: Page) -> None:
    assert fits(shown)


CONTROLS = "a[href], button, input:not([type=hidden]), summary"

# A link in a sentence is as high as its line; every other control stands alone.
TOO_SMALL = """all => all.filter(one => {
    const {width, height} = one.getBoundingClientRect()
    const inSentence = getComputedStyle(one).display.startsWith("inline") && /[a-z]/.test(
        [...one.parentNode.childNodes].filter(node => node.nodeName != "A")
            .map(node => node.textContent).join(""))
    return Math.min(width, height) < 24 || (!inSentence && height < 44)
}).map(one => one.outerHTML)"""


def test_every_control_is_large_enough(shown: Page) -> None:
    shown.set_viewport_size({"width": 320, "height": 568})
    assert shown.locator(CONTROLS).filter(visible=True).evaluate_all(TOO_SMALL) == []


def test_tab_reaches_every_control(shown: Page) -> None:
    count = min(shown.locator(CONTROLS).filter(visible=True).count(), 40)
    shown.evaluate("""() => {
        window.reached = new Set()
        addEventListener("focusin", event => reached.add(event.target))
    }""")
    for _ in range(count + 1):  # Tab leaves the page once, at its end
        shown.keyboard.press("Tab")
    assert shown.evaluate("() => reached.size") >= count
