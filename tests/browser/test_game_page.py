"""The game page: what is in view, what stays in place, what moves, what it weighs."""

from __future__ import annotations

import json
import re
from itertools import chain, combinations
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, Response, Route

from bench.rows import ROWS
from engine.position import Position
from tests.browser.conftest import Visit, moving
from tests.browser.person import (
    DESKTOP,
    DRAWN_GAME,
    LOST_GAME,
    PHONE,
    READ_MOMENTS,
    SCREENS,
    STATES,
    TWO_FRAMES,
    Choose,
    Screen,
    answer,
    best,
    board,
    click_at,
    middle_of,
    play,
    press,
    recorded_requests,
    resize,
    set_media,
    worst,
)
from tests.positions import sample
from tests.sentences import SNAPSHOTS
from tests.serving import Site
from web.play.game import Game
from web.play.record import Record
from web.play.squares import ALL_NINE

Box = dict[str, float]


# The boxes of all visible elements in CSS pixels; for text, the area of its lines.
READ_BOXES = """selector => [...document.querySelectorAll(selector)]
    .filter(element => element.checkVisibility({visibilityProperty: true}))
    .map(element => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return (element.matches("p, h2") ? range : element).getBoundingClientRect().toJSON()
    })
    .filter(box => box.width && box.height)"""
# What `view_faults` needs: the boxes for each selector, the size of the window, and how far the
# page is scrolled.
READ_VIEW = f"""selectors => ({{
    boxes: selectors.map({READ_BOXES}), window: [innerWidth, innerHeight], scrolled: scrollY,
}})"""


def boxes(page: Page, selector: str) -> list[Box]:
    visible_boxes: list[Box] = page.evaluate(READ_BOXES, selector)
    assert visible_boxes, selector
    return visible_boxes


def overlap(box: Box, other: Box) -> bool:
    return (
        min(box["right"], other["right"]) - max(box["left"], other["left"]) > 0.5
        and min(box["bottom"], other["bottom"]) - max(box["top"], other["top"]) > 0.5
    )


def view_faults(view: dict[str, Any], selectors: tuple[str, ...]) -> list[object]:
    """Return what is missing, cut off or overlapping, and whether the page is scrolled."""
    boxes_by_selector = dict(zip(selectors, view["boxes"], strict=True))
    missing = [selector for selector in selectors if not boxes_by_selector[selector]]
    boxes = [*chain.from_iterable(view["boxes"])]
    width, height = view["window"]
    cut_off = [
        box
        for box in boxes
        if min(box["left"], box["top"]) < 0 or box["right"] > width or box["bottom"] > height
    ]
    overlaps = [pair for pair in combinations(boxes, 2) if overlap(*pair)]
    scrolled = ["scrolled"] if view["scrolled"] else []
    return [*missing, *cut_off, *overlaps, *scrolled]


# What is in view

ALWAYS_IN_VIEW = (".brand", ".nav", "#board", "#face", "#onward .buttons > *")


def parts_in_view(game: Game) -> tuple[str, ...]:
    """Return the selectors of what must be in view on the page of a game."""
    by_state = (".verdict", ".sentence") if game.outcome else ("#status p", "#you")
    return (*ALWAYS_IN_VIEW, *by_state)


def test_a_larger_window_never_has_a_smaller_board(page: Page) -> None:
    def width(screen: Screen) -> float:
        resize(page, screen)
        return boxes(page, "#board")[0]["width"]

    for start_width, start_height in sample(2, ((320, 500), (500, 500), (1000, 600))):
        widths = [
            width((start_width + added, start_height + added)) for added in (0, 50, 100, 200, 400)
        ]
        assert widths == sorted(widths)


def test_the_week_keeps_its_height_in_the_lowest_window(visit: Visit) -> None:
    page = visit("/today", screen=(568, 320))
    box = page.locator(".run").bounding_box()
    assert box and box["height"] > 24


def styles(page: Page, selector: str, style_name: str, pseudo: str = "") -> list[str]:
    """Return a CSS property of each element that matches a selector, or of a pseudo-element."""
    values: list[str] = page.evaluate(
        """([selector, styleName, pseudo]) => [...document.querySelectorAll(selector)]
            .map(element => getComputedStyle(element, pseudo)[styleName])""",
        [selector, style_name, pseudo],
    )
    return values


# What keeps its place


def longest_sentences(snapshot: str) -> list[str]:
    """Return the three longest sentences in a snapshot."""
    sentences = re.findall(r"^(.+) \[", (SNAPSHOTS / f"{snapshot}.txt").read_text(), re.M)
    return sorted(sentences, key=len)[-3:]


# Replace the text of an element. Return the view of some selectors, and the boxes of another one,
# whose elements must keep their places.
READ_VIEW_WITH_TEXT = f"""([textSelector, text, fixedSelector, selectors]) => {{
    document.querySelector(textSelector).textContent = text
    return {{...({READ_VIEW})(selectors), fixed: ({READ_BOXES})(fixedSelector)}}
}}"""


@pytest.mark.parametrize(
    ("state", "text_selector", "snapshots"),
    [("hint", ".speech", ("voice", "hints")), ("lost", ".sentence", ("ends",))],
)
def test_every_message_is_in_view_and_moves_nothing(
    visit: Visit, state: str, text_selector: str, snapshots: tuple[str, ...]
) -> None:
    fixed_selector = "#board, #onward .buttons > *"
    page, parts = visit(game=STATES[state]), parts_in_view(STATES[state])

    def view_with(text: str) -> dict[str, Any]:
        view: dict[str, Any] = page.evaluate(
            READ_VIEW_WITH_TEXT, [text_selector, text, fixed_selector, parts]
        )
        return view

    for screen in SCREENS[1:]:
        resize(page, screen)
        fixed_boxes = view_with("So.")["fixed"]
        for sentence in chain.from_iterable(map(longest_sentences, snapshots)):
            # The page shows the verdict elsewhere.
            message = sentence.removeprefix("I win. ").removeprefix("I won? ")
            view = view_with(message)
            assert view["fixed"] == fixed_boxes, (screen, message)
            assert not view_faults(view, parts), (screen, message)


def test_changing_a_setting_keeps_the_focus_and_shows_the_new_game(visit: Visit) -> None:
    page = visit(screen=PHONE)
    assert press(page, "#mark") != "---------"
    assert page.evaluate("() => document.activeElement.id") == "mark"


# Where the eyes look: -1, 0 or 1 across, and the same down.
READ_GAZE = """() => getComputedStyle(document.querySelector("#face path")).translate
    .split(" ").map(parseFloat).concat(0).slice(0, 2).map(Math.sign)"""


def test_the_eyes_follow_the_pointer(visit: Visit) -> None:
    page = visit()
    for square in range(9):
        page.mouse.move(*middle_of(page, square))
        assert page.evaluate(READ_GAZE) == [square % 3 - 1, square // 3 - 1]


def test_the_eyes_follow_the_focus(visit: Visit) -> None:
    page = visit()
    page.evaluate("() => document.querySelector('.skip').focus()")
    for key, gaze in (("Enter", [-1, -1]), ("ArrowRight", [0, -1]), ("ArrowDown", [0, 0])):
        page.keyboard.press(key)
        assert page.evaluate(READ_GAZE) == gaze


def test_during_a_request_the_eyes_look_up_and_the_mark_is_shown(visit: Visit, site: Site) -> None:
    page = visit()
    with site.holding_replies():
        click_at(page, 8)
        page.mouse.move(0, 0)
        assert page.evaluate(READ_GAZE) == [-1, -1]
        assert styles(page, "#cell-8", "opacity", "::before") == ["1"]
    answer(page)


def test_only_the_square_under_the_pointer_previews_a_mark(visit: Visit) -> None:
    page = visit()
    for square in range(9):
        page.mouse.move(*middle_of(page, square))
    assert styles(page, "#board .cell", "opacity", "::before") == ["0"] * 8 + ["0.4"]


def test_the_preview_of_a_mark_has_the_size_of_the_mark(visit: Visit) -> None:
    """The preview of X is two bars, of O a ring, as large as the marks drawn after a click."""
    get_relative_size = """([square, mark]) => {
        const style = getComputedStyle(document.querySelector(square), "::before")
        const box = document.querySelector(mark).getBoundingClientRect()
        return [parseFloat(style.width) / box.width, parseFloat(style.height) / box.width]
    }"""
    for human, state, size_of_mark in (
        ("X", "mid-game", [23.2 / 24, 3.4 / 24]),
        ("O", "mid-game as O", [18.2 / 24, 18.2 / 24]),
    ):
        page = visit(game=STATES[state], screen=DESKTOP)
        size = page.evaluate(get_relative_size, [f".may-{human}", f".cell.{human} > svg"])
        assert size == pytest.approx(size_of_mark, abs=0.01)


def test_a_press_restyles_only_the_square_the_eyes_and_the_frame(page: Page, site: Site) -> None:
    """Restyling all elements on hover, focus and press would take 100 ms on a phone."""
    play(page, best, turns=1)  # which loads the style sheet of ends
    page.evaluate(TWO_FRAMES)
    browser = page.context.browser
    assert browser
    with site.holding_replies():
        browser.start_tracing(page=page, categories=["devtools.timeline"])
        click_at(page, best(Position.parse(board(page))))
        page.evaluate(TWO_FRAMES)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    answer(page)
    restyled_counts = [
        event["args"].get("elementCount", 0)
        for event in events
        if event["name"] == "UpdateLayoutTree"
    ]
    assert 5 < sum(restyled_counts) <= 60


# Record in every frame after a click, until nothing moves: where controls are, whether the square
# shows its mark, and when the reply appears. Also record layout shifts.
RECORD_FRAMES = """() => {
    const controls = "#board button, .brand, .nav a, #onward :is(button, a)"
    const marks = () => document.querySelectorAll("#board [data-mark=X], #board [data-mark=O]")
    let start, pressedSelector, markCountBefore
    const recordFrame = () => {
        const pressed = document.querySelector(pressedSelector)
        frames.push([performance.now() - start, {
            controls: Object.fromEntries([...document.querySelectorAll(controls)]
                .filter(element => element.checkVisibility()).map(element => {
                    const {left, top, width, height} = element.getBoundingClientRect()
                    return [element.id || element.innerText, [left, top, width, height]]
                })),
            mark: !pressed || !!pressed.dataset.mark
                || getComputedStyle(pressed, "::before").opacity == 1,
            answered: marks().length > markCountBefore,
        }])
        const busy = document.querySelector(".htmx-request, #game.busy")
        if (busy || document.getAnimations().length)
            requestAnimationFrame(recordFrame)
        else window.isStill = true
    }
    addEventListener("click", ({target}) => {
        Object.assign(window, {frames: [], isStill: false})
        start = performance.now()
        pressedSelector = "#" + target.closest(".cell, button").id
        markCountBefore = marks().length
        requestAnimationFrame(recordFrame)
    }, true)
    window.shifts = []
    const elementOf = node => node?.closest ? node : node?.parentElement
    const recordShifts = entries => {
        for (const {sources, hadRecentInput} of entries)
            for (const {node} of sources)
                if (!hadRecentInput) shifts.push(elementOf(node)?.outerHTML)
    }
    const observer = new PerformanceObserver(list => recordShifts(list.getEntries()))
    observer.observe({type: "layout-shift"})
    window.recordLastShifts = () => recordShifts(observer.takeRecords())
}"""
RECORDED_FRAMES_AND_SHIFTS = """async () => {
    while (!window.isStill && frames.length < 2000) await new Promise(requestAnimationFrame)
    recordLastShifts()
    return [frames, shifts]
}"""


@moving
@pytest.mark.parametrize(
    ("screen", "latency"), sample(3, [(PHONE, 0), ((844, 390), 400), (DESKTOP, 0)])
)
def test_in_every_frame_of_a_game_the_controls_stay_in_place_and_the_mark_is_shown(
    visit: Visit, site: Site, screen: Screen, latency: int
) -> None:
    """The reply comes after 300 ms or more; the next game has its board in the same place."""
    page = visit(screen=screen)
    page.wait_for_function("() => document.fonts.status == 'loaded'")
    page.evaluate(RECORD_FRAMES)
    board_place, reply_times, after = boxes(page, "#board"), [], board(page)
    with site.latency(latency / 1000):
        while not (position := Position.parse(after)).outcome():
            click_at(page, worst(position))
            frames, shifts = page.evaluate(RECORDED_FRAMES_AND_SHIFTS)
            assert not shifts
            after = board(page)
            (_, first), (_, last) = frames[0], frames[-1]
            for time, frame in frames:
                expected = last if frame["answered"] else first
                assert frame["controls"] == expected["controls"], time
                assert frame["mark"]
            if not Position.parse(after).outcome():  # the animation of an end has its own pause
                reply_times.append(next(time for time, frame in frames if frame["answered"]))
    press(page, "Play again")
    assert boxes(page, "#board") == board_place
    assert min(reply_times) >= max(300, latency)


# What moves


class End(NamedTuple):
    """A game before its last click, and the animation that the click starts."""

    game: Game
    square: int  # the last click
    times: dict[str, tuple[float, float]]  # by selector: start after the click, duration; in ms


ENDS = {
    "lost": End(
        Game(LOST_GAME[:4]),
        LOST_GAME[4],
        {
            "#cell-7 path": (300, 180),
            **{f"#cell-{cell}": (600 + 90 * index, 90) for index, cell in enumerate((1, 4, 7))},
            "#cell-0 > svg": (870, 260),
            "#face": (870, 260),
            "#face .then": (870, 1),
            ".verdict": (930, 200),
            ".sentence": (1130, 200),
            "#badge": (1130, 200),
            "#onward": (1280, 150),
        },
    ),
    "lost by a fork": End(
        Game((4, 0, 1, 7, 2, 6)),
        5,
        {".pencil": (1130, 200), ".pencil i": (1130, 200)},
    ),
    "stopped": End(
        Game(DRAWN_GAME[:8]),
        DRAWN_GAME[8],
        {
            **{f"#cell-{cell}": (300 + 90 * (cell % 3 + cell // 3), 200) for cell in range(9)},
            "#face .then": (480, 1),
            "#face": (580, 260),
            ".verdict": (840, 260),
            ".new": (1060, 320),
            ".sentence": (1380, 150),
            "#onward": (1530, 150),
        },
    ),
    "all nine": End(
        Game(DRAWN_GAME[:8], record=Record(earned_bits=ALL_NINE & ~1)),
        DRAWN_GAME[8],
        {
            ".head": (0, 760),
            "#face .then": (1500, 1),
            ".verdict": (900, 260),
            **{f".nth-{n}": (1060 + 45 * n, 320) for n in range(1, 9)},
            ".hash": (1680, 120),
            ".sentence": (1680, 150),
            "#onward": (1830, 150),
        },
    ),
    "a line": End(
        Game(DRAWN_GAME[:8], record=Record(earned_bits=0b1_0001_0000)),
        DRAWN_GAME[8],
        {
            ".new": (1060, 320),
            ".neck": (1380, 120),
            ".strike": (1440, 240),
            ".sentence": (1560, 150),
            "#onward": (1710, 150),
        },
    ),
    "a friend's": End(
        Game(DRAWN_GAME[:8], link_length=2, friend_result="held", friend_bits=0b1_0001_0111),
        DRAWN_GAME[8],
        {".new": (1060, 320), ".sentence": (1380, 150), "#onward": (1530, 150)},
    ),
    "won": End(
        Game((0, 2, 8, 6), "random"),
        4,
        {"#cell-0": (600, 90), "#face": (870, 260), ".verdict": (930, 200)},
    ),
}
# The delay and the duration of each animation of an element, in ms.
ANIMATION_TIMES = """css => document.querySelector(css).getAnimations()
    .map(({effect}) => [effect.getTiming().delay, effect.getTiming().duration])"""


ANIMATION_COUNT = "() => document.getAnimations().length"


def play_last_move(visit: Visit, end: End) -> Page:
    page = visit(game=end.game)
    click_at(page, end.square)
    page.wait_for_selector(".just .verdict")
    return page


@moving
@pytest.mark.parametrize("name", sample(2, [*ENDS]))
def test_the_animation_of_an_end_has_the_timing_of_the_design(visit: Visit, name: str) -> None:
    page = play_last_move(visit, ENDS[name])
    page.evaluate("() => document.getAnimations().forEach(animation => animation.pause())")
    for part, times in ENDS[name].times.items():
        [found] = page.evaluate(ANIMATION_TIMES, part)
        assert found == pytest.approx(times, abs=0.1), part
    page.mouse.click(2, 2)
    assert not page.evaluate(ANIMATION_COUNT), "a click must end all animations"


@moving
@pytest.mark.parametrize("name", sample(3, ["lost", "stopped", "won"]))
def test_no_mark_disappears_during_the_animation_of_an_end(visit: Visit, name: str) -> None:
    page = play_last_move(visit, ENDS[name])
    for moment in page.evaluate(READ_MOMENTS, [[*range(0, 1700, 30)], []]):
        # The reply that wins, at bottom center, is still being drawn at first.
        assert moment["invisible"] in ([], ["cell-7"] if moment["time"] < 450 else []), moment


@pytest.mark.parametrize("choose", [best, worst])
def test_nothing_moves_with_reduced_motion(visit: Visit, choose: Choose) -> None:
    page = visit()
    page.evaluate("""() => {
        window.moved = []
        for (const event of ["animationstart", "transitionstart"])
            addEventListener(event, ({target}) => moved.push(target.outerHTML))
    }""")
    play(page, choose)
    press(page, "#again")
    play(page, worst, turns=1)
    assert page.evaluate("() => moved") == []


def test_a_reopened_end_is_shown_at_once(visit: Visit) -> None:
    page = visit(game=STATES["lost"])
    assert not page.evaluate(ANIMATION_COUNT)


# On paper and over the network


def test_print_has_the_board_and_the_words_but_no_controls(visit: Visit) -> None:
    page = visit(game=STATES["lost"])
    set_media(page, media="print", color_scheme="dark")
    assert not page.evaluate(READ_BOXES, ".brand, .nav, #onward")
    for printed in ("#board", ".verdict", ".sentence"):
        assert boxes(page, printed)
    assert "none" not in styles(page, ".wins", "boxShadow")


HAS_END_STYLES = """() => [...document.styleSheets].some(sheet => sheet.href.includes("end.css"))"""


def test_the_first_load_is_small(visit: Visit) -> None:
    """The responses are compressed by Brotli; their headers add some 3 KB."""
    limits = {name: ROWS[f"page.{name}"].limit or 0 for name in ("kilobytes", "requests")}
    page = visit("about:blank", new=True)
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert len(responses) <= limits["requests"]
    assert {response.header_value("Content-Encoding") for response in responses} == {"br"}
    sizes = [response.request.sizes() for response in responses]
    assert sum(size["responseBodySize"] for size in sizes) <= limits["kilobytes"] * 1024
    assert sum(size["responseHeadersSize"] for size in sizes) <= 4 * 1024


def test_the_styles_of_the_end_are_loaded_once_after_the_first_move(visit: Visit) -> None:
    page = visit(new=True)
    page.wait_for_load_state("networkidle")
    assert not page.evaluate(HAS_END_STYLES)
    with recorded_requests(page, "/static/end.css") as urls:
        play(page, worst, turns=1)
        page.wait_for_function(HAS_END_STYLES)
        play(page, worst)
        press(page, "#again")
        play(page, worst, turns=1)
    assert len(urls) == 1


def test_a_reopened_end_has_its_styles_at_once(visit: Visit) -> None:
    assert visit(game=STATES["lost"]).evaluate(HAS_END_STYLES)


def test_nothing_moves_when_the_styles_of_the_end_arrive(visit: Visit) -> None:
    page, requests = visit("about:blank", new=True), list[Route]()
    page.route("**/end.css*", lambda request: requests.append(request))
    page.goto("/")
    with page.expect_request("**/end.css*"):
        play(page, worst, turns=1)
    before = boxes(page, "#board, .buttons > *, small")
    requests[0].continue_()
    page.wait_for_function(HAS_END_STYLES)
    assert boxes(page, "#board, .buttons > *, small") == before
