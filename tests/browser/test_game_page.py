"""The game page: what is in view, what stays in place, what moves, what it weighs."""

from __future__ import annotations

import json
import re
from itertools import chain, combinations
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route

from bench.rows import ROWS
from engine.position import Position
from tests.browser.conftest import Visit, moving
from tests.browser.person import (
    DESKTOP,
    DRAWN_GAME,
    LOST_GAME,
    MOMENTS,
    PHONE,
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
    requests_below,
    resize,
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
BOXES = """selector => [...document.querySelectorAll(selector)]
    .filter(element => element.checkVisibility({visibilityProperty: true}))
    .map(element => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return (element.matches("p, h2") ? range : element).getBoundingClientRect().toJSON()
    })
    .filter(box => box.width && box.height)"""
VIEW = f"""selectors => ({{
    found: selectors.map({BOXES}), window: [innerWidth, innerHeight], scrolled: scrollY,
}})"""


def boxes(page: Page, selector: str) -> list[Box]:
    visible_boxes: list[Box] = page.evaluate(BOXES, selector)
    assert visible_boxes, selector
    return visible_boxes


def overlap(box: Box, other: Box) -> bool:
    return (
        min(box["right"], other["right"]) - max(box["left"], other["left"]) > 0.5
        and min(box["bottom"], other["bottom"]) - max(box["top"], other["top"]) > 0.5
    )


def unseen(view: dict[str, Any], *selectors: str) -> list[object]:
    """Return what is missing, cut off or overlapping, and whether the page scrolls."""
    missing = [name for name, some in zip(selectors, view["found"], strict=True) if not some]
    boxes = [box for some in view["found"] for box in some]
    width, height = view["window"]
    cut = [
        box
        for box in boxes
        if min(box["left"], box["top"]) < 0 or box["right"] > width or box["bottom"] > height
    ]
    overlaps = [pair for pair in combinations(boxes, 2) if overlap(*pair)]
    return [*missing, *cut, *overlaps, *["scrolled"][: view["scrolled"]]]


# What is in view

FRAME = (".brand", ".nav", "#board", "#face", "#onward .buttons > *")


def parts_of(game: Game) -> tuple[str, ...]:
    return (*FRAME, ".verdict", ".sentence") if game.outcome else (*FRAME, "#status p", "#you")


def test_a_larger_window_never_has_a_smaller_board(page: Page) -> None:
    def width(screen: Screen) -> float:
        resize(page, screen)
        return boxes(page, "#board")[0]["width"]

    for start_width, start_height in sample(2, ((320, 500), (500, 500), (1000, 600))):
        sizes = [
            width((start_width + more, start_height + more)) for more in (0, 50, 100, 200, 400)
        ]
        assert sizes == sorted(sizes)


def styles(page: Page, selector: str, name: str, pseudo: str = "") -> list[str]:
    """Return a CSS property of each element that matches a selector."""
    values: list[str] = page.evaluate(
        """([selector, name, pseudo]) => [...document.querySelectorAll(selector)]
            .map(element => getComputedStyle(element, pseudo)[name])""",
        [selector, name, pseudo],
    )
    return values


# What keeps its place


def longest(snapshot: str) -> list[str]:
    """Return the longest sentences in a snapshot."""
    sentences = re.findall(r"^(.+) \[", (SNAPSHOTS / f"{snapshot}.txt").read_text(), re.M)
    return sorted(sentences, key=len)[-3:]


SAY = f"""([where, text, kept, selectors]) => {{
    document.querySelector(where).textContent = text
    return {{...({VIEW})(selectors), kept: ({BOXES})(kept)}}
}}"""


def test_every_message_is_in_view_and_moves_nothing(visit: Visit) -> None:
    kept = "#board, #onward .buttons > *"
    for state, place, kinds in (
        ("hint", ".speech", ("voice", "hints")),
        ("lost", ".sentence", ("ends",)),
    ):
        page, parts = visit(game=STATES[state]), parts_of(STATES[state])
        for screen in SCREENS[1:]:
            resize(page, screen)
            before = page.evaluate(SAY, [place, "So.", kept, parts])["kept"]
            for sentence in chain.from_iterable(map(longest, kinds)):
                said = sentence.removeprefix("I win. ").removeprefix("I won? ")
                view = page.evaluate(SAY, [place, said, kept, parts])
                assert view["kept"] == before, (screen, said)
                assert not unseen(view, *parts), (screen, said)


def test_changing_a_setting_keeps_the_focus_and_shows_the_new_game(visit: Visit) -> None:
    page = visit(screen=PHONE)
    assert press(page, "#mark") != "---------"
    assert page.evaluate("() => document.activeElement.id") == "mark"


LOOKS = """() => getComputedStyle(document.querySelector("#face path")).translate
    .split(" ").map(parseFloat).concat(0).slice(0, 2).map(Math.sign)"""


def test_the_eyes_follow_the_pointer_and_look_up_when_thinking(visit: Visit, site: Site) -> None:
    page = visit()
    for square in range(9):
        page.mouse.move(*middle_of(page, square))
        assert page.evaluate(LOOKS) == [square % 3 - 1, square // 3 - 1]
    pencilled = styles(page, "#board .cell", "opacity", "::before")
    assert pencilled == ["0"] * 8 + ["0.4"]  # the preview of a click
    page.mouse.move(0, 0)
    page.evaluate("() => document.querySelector('.skip').focus()")
    for key, gaze in (("Enter", [-1, -1]), ("ArrowRight", [0, -1]), ("ArrowDown", [0, 0])):
        page.keyboard.press(key)
        assert page.evaluate(LOOKS) == gaze
    with site.holding_replies():
        click_at(page, 8)
        page.mouse.move(0, 0)
        assert page.evaluate(LOOKS) == [-1, -1]
        assert styles(page, "#cell-8", "opacity", "::before") == ["1"]  # the mark appears at once
    answer(page)


def test_the_preview_mark_is_where_the_mark_will_be(visit: Visit) -> None:
    """The preview of X is two bars, of O a ring, as large as the marks drawn after a click."""
    size = """([square, mark]) => {
        const style = getComputedStyle(document.querySelector(square), "::before")
        const box = document.querySelector(mark).getBoundingClientRect()
        return [parseFloat(style.width) / box.width, parseFloat(style.height) / box.width]
    }"""
    for human, drawn_shares in (("X", [23.2 / 24, 3.4 / 24]), ("O", [18.2 / 24, 18.2 / 24])):
        page = visit(game=STATES["mid-game" if human == "X" else "mid-game as O"], screen=DESKTOP)
        shares = page.evaluate(size, [f".may-{human}", f".cell.{human} > svg"])
        assert shares == pytest.approx(drawn_shares, abs=0.01)


def test_a_press_restyles_only_the_square_the_eyes_and_the_frame(page: Page, site: Site) -> None:
    """Restyling all elements on hover, focus and press would take 100 ms on a phone."""
    play(page, best, turns=1)  # this loads the style sheet of ends
    page.evaluate(TWO_FRAMES)
    browser = page.context.browser
    assert browser
    with site.holding_replies():
        browser.start_tracing(page=page, categories=["devtools.timeline"])
        click_at(page, best(Position.parse(board(page))))
        page.evaluate(TWO_FRAMES)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    answer(page)
    restyled = [e["args"].get("elementCount", 0) for e in events if e["name"] == "UpdateLayoutTree"]
    assert 5 < sum(restyled) <= 60


# Record in every frame after a click, until nothing moves: where controls are, whether the square
# shows its mark, and when the reply appears. Also record layout shifts.
FRAMES = """() => {
    const seen = "#board button, .brand, .nav a, #onward :is(button, a)"
    const marks = () => document.querySelectorAll("#board [data-mark=X], #board [data-mark=O]")
    let from, square, before
    const look = () => {
        const pressed = document.querySelector(square)
        frames.push([performance.now() - from, {
            controls: Object.fromEntries([...document.querySelectorAll(seen)]
                .filter(element => element.checkVisibility()).map(element => {
                    const {left, top, width, height} = element.getBoundingClientRect()
                    return [element.id || element.innerText, [left, top, width, height]]
                })),
            mark: !pressed || !!pressed.dataset.mark
                || getComputedStyle(pressed, "::before").opacity == 1,
            answered: marks().length > before,
        }])
        const busy = document.querySelector(".htmx-request, #game.busy")
        if (busy || document.getAnimations().length) requestAnimationFrame(look)
        else window.still = true
    }
    addEventListener("click", ({target}) => {
        Object.assign(window, {frames: [], still: false})
        from = performance.now()
        square = "#" + target.closest(".cell, button").id
        before = marks().length
        requestAnimationFrame(look)
    }, true)
    window.shifts = []
    const element = node => node?.closest ? node : node?.parentElement
    const note = entries => {
        for (const {sources, hadRecentInput} of entries)
            for (const {node} of sources)
                if (!hadRecentInput) shifts.push(element(node)?.outerHTML)
    }
    const observer = new PerformanceObserver(list => note(list.getEntries()))
    observer.observe({type: "layout-shift"})
    window.noteTheLast = () => note(observer.takeRecords())
}"""
SEEN = """async () => {
    while (!window.still && frames.length < 2000) await new Promise(requestAnimationFrame)
    noteTheLast()
    return [frames, shifts]
}"""


@moving
@pytest.mark.parametrize(
    ("screen", "latency"), sample(3, [(PHONE, 0), ((844, 390), 400), (DESKTOP, 0)])
)
def test_every_frame_of_a_game_has_a_control_and_no_layout_shift(
    visit: Visit, site: Site, screen: Screen, latency: int
) -> None:
    """A mark appears at once, its reply not too soon, and the board keeps its place and size."""
    page = visit(screen=screen)
    page.wait_for_function("() => document.fonts.status == 'loaded'")
    page.evaluate(FRAMES)
    places, reply_times, after = boxes(page, "#board"), [], board(page)
    with site.latency(latency / 1000):
        while not (position := Position.parse(after)).outcome():
            click_at(page, worst(position))
            frames, shifts = page.evaluate(SEEN)
            assert not shifts
            after = board(page)
            (_, first), (_, last) = frames[0], frames[-1]
            for now, frame in frames:
                expected = last if frame["answered"] else first
                assert frame["controls"] == expected["controls"], now
                assert frame["mark"]
            if not Position.parse(after).outcome():  # the animation of an end has its own pause
                reply_times.append(next(now for now, frame in frames if frame["answered"]))
    press(page, "Play again")
    assert boxes(page, "#board") == places
    assert min(reply_times) >= max(300, latency)


# What moves

# The design in milliseconds after the click: when each part starts, and for how long it moves.
ENDS: dict[str, tuple[Game, int, dict[str, tuple[float, float]]]] = {
    "lost": (
        Game(LOST_GAME[:4]),
        LOST_GAME[4],
        {
            "#cell-7 path": (300, 180),
            **{f"#cell-{cell}": (600 + 90 * n, 90) for n, cell in enumerate((1, 4, 7))},
            "#cell-0 > svg": (870, 260),
            "#face": (870, 260),
            "#face .then": (870, 1),
            ".verdict": (930, 200),
            ".sentence": (1130, 200),
            "#badge": (1130, 200),
            "#onward": (1280, 150),
        },
    ),
    "lost by a fork": (
        Game((4, 0, 1, 7, 2, 6)),
        5,
        {".pencil": (1130, 200), ".pencil i": (1130, 200)},
    ),
    "stopped": (
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
    "all nine": (
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
    "a line": (
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
    "a friend's": (
        Game(DRAWN_GAME[:8], link_length=2, friend_result="held", friend_bits=0b1_0001_0111),
        DRAWN_GAME[8],
        {".new": (1060, 320), ".sentence": (1380, 150), "#onward": (1530, 150)},
    ),
    "won": (
        Game((0, 2, 8, 6), "random"),
        4,
        {"#cell-0": (600, 90), "#face": (870, 260), ".verdict": (930, 200)},
    ),
}
TIMES = """css => document.querySelector(css).getAnimations()
    .map(({effect}) => [effect.getTiming().delay, effect.getTiming().duration])"""


def at_its_end(visit: Visit, kind: str) -> Page:
    game, square, _ = ENDS[kind]
    page = visit(game=game)
    click_at(page, square)
    page.wait_for_selector(".just .verdict")
    return page


@moving
@pytest.mark.parametrize("kind", ENDS)
def test_the_animation_of_an_end_has_the_timing_of_the_design(visit: Visit, kind: str) -> None:
    page = at_its_end(visit, kind)
    page.evaluate("() => document.getAnimations().forEach(animation => animation.pause())")
    for part, times in ENDS[kind][2].items():
        [found] = page.evaluate(TIMES, part)
        assert found == pytest.approx(times, abs=0.1), part
    page.mouse.click(2, 2)
    assert not page.evaluate("() => document.getAnimations().length"), (
        "a click must end all animations"
    )


@moving
@pytest.mark.parametrize("kind", sample(2, ["lost", "stopped", "won"]))
def test_no_mark_disappears_during_the_animation_of_an_end(visit: Visit, kind: str) -> None:
    page = at_its_end(visit, kind)
    for now in page.evaluate(MOMENTS, [[*range(0, 1700, 30)], []]):
        assert now["invisible"] in ([], ["cell-7"] if now["time"] < 450 else []), now


@pytest.mark.parametrize("choose", [best, worst])
def test_nothing_moves_with_reduced_motion(visit: Visit, choose: Choose) -> None:
    page = visit()
    page.evaluate("""() => {
        window.moved = []
        for (const began of ["animationstart", "transitionstart"])
            addEventListener(began, ({target}) => moved.push(target.outerHTML))
    }""")
    play(page, choose)
    press(page, "#again")
    play(page, worst, turns=1)
    assert page.evaluate("() => moved") == []


def test_a_reopened_end_is_shown_at_once(visit: Visit) -> None:
    page = visit(game=STATES["lost"])
    assert not page.evaluate("() => document.getAnimations().length")


# On paper and over the network


def test_print_has_the_board_and_the_words_but_no_controls(visit: Visit) -> None:
    page = visit(game=STATES["lost"])
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.evaluate(BOXES, ".brand, .nav, #onward")
    for kept in ("#board", ".verdict", ".sentence"):
        assert boxes(page, kept)
    assert "none" not in styles(page, ".wins", "boxShadow")


STYLED = """() => [...document.styleSheets].some(sheet => sheet.href.includes("end.css"))"""


def test_the_first_load_is_small_and_styles_of_the_end_come_later(
    visit: Visit,
) -> None:
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
    assert not page.evaluate(STYLED)
    with requests_below(page, "/static/end.css") as urls:
        play(page, worst, turns=1)
        page.wait_for_function(STYLED)
        play(page, worst)
        press(page, "#again")
        play(page, worst, turns=1)
    assert len(urls) == 1
    assert visit(game=STATES["lost"]).evaluate(STYLED)


def test_nothing_moves_when_the_styles_of_the_end_arrive(visit: Visit) -> None:
    page, requests = visit("about:blank", new=True), list[Route]()
    page.route("**/end.css*", lambda request: requests.append(request))
    page.goto("/")
    with page.expect_request("**/end.css*"):
        play(page, worst, turns=1)
    before = boxes(page, "#board, .buttons > *, small")
    requests[0].continue_()
    page.wait_for_function(STYLED)
    assert boxes(page, "#board, .buttons > *, small") == before


def test_the_week_keeps_its_height_in_the_lowest_window(visit: Visit) -> None:
    page = visit("/today", screen=(568, 320))
    box = page.locator(".run").bounding_box()
    assert box and box["height"] > 24
