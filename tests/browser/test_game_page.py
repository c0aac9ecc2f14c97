"""The game on its page: what is in view, what keeps its place, what moves, what it weighs."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from app import create_app
from engine.hints import hint
from engine.position import Position
from engine.reasons import why
from engine.review import story
from engine.search import best_moves
from engine.symmetry import reachable
from tests.browser.conftest import Visit, moving
from tests.browser.person import (
    DESK,
    FALLEN,
    LEVEL,
    MOMENTS,
    NEARLY_WON,
    PHONE,
    SCREENS,
    STATES,
    TABLET,
    TWICE,
    TWO_FRAMES,
    Choose,
    Screen,
    best,
    board,
    button,
    cell,
    click,
    fetches,
    play,
    resize,
    verdict,
    wait_for_answer,
    worst,
)
from tests.positions import one_in
from tests.serving import Site
from web.play.game import Game
from web.play.nine import BITS
from web.play.record import Record, Tally

# Sizes that others have, on which the same has to be in view.
OTHERS = [(360, 640), (412, 732), TABLET, (640, 360), (667, 375), (1024, 768)]

# How wide the board is at least, in pixels.
BOARDS = dict(zip(SCREENS, (240, 358, 330, 640, 680, 832), strict=True))

Box = dict[str, float]


# Every visible element in CSS pixels, and of text what it fills.
BOXES = """selector => [...document.querySelectorAll(selector)]
    .filter(one => one.checkVisibility({visibilityProperty: true}))
    .map(one => {
        const range = document.createRange()
        range.selectNodeContents(one)
        return (one.matches("p, h2") ? range : one).getBoundingClientRect().toJSON()
    })
    .filter(box => box.width && box.height)"""
VIEW = f"""selectors => ({{
    found: selectors.map({BOXES}), window: [innerWidth, innerHeight], scrolled: scrollY,
}})"""


def boxes(page: Page, selector: str) -> list[Box]:
    found: list[Box] = page.evaluate(BOXES, selector)
    assert found, selector
    return found


def overlap(one: Box, other: Box) -> bool:
    return (
        min(one["right"], other["right"]) - max(one["left"], other["left"]) > 0.5
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 0.5
    )


def assert_in_view(page: Page, *selectors: str) -> None:
    """Assert that all of it is seen whole without scrolling, and that none lies on another."""
    assert not unseen(page.evaluate(VIEW, selectors), *selectors)


def unseen(view: dict[str, Any], *selectors: str) -> list[object]:
    """Return what is not there, what is cut off, what lies on another, and a page scrolled."""
    missing = [name for name, some in zip(selectors, view["found"], strict=True) if not some]
    found = [box for some in view["found"] for box in some]
    width, height = view["window"]
    cut = [
        box
        for box in found
        if min(box["left"], box["top"]) < 0 or box["right"] > width or box["bottom"] > height
    ]
    over = [pair for pair in combinations(found, 2) if overlap(*pair)]
    return [*missing, *cut, *over, *["scrolled"][: view["scrolled"]]]


# What is in view

FRAME = (".brand", ".nav", "#board", ".seat", "#actions .row > *")


def parts_of(state: str) -> tuple[str, ...]:
    if STATES[state].outcome:
        return (
            *FRAME,
            ".spoken .face",
            ".verdict",
            ".spoken p:not(.way1)",
            ".share svg",
            "#story",
        )
    return (*FRAME, "#status .says, .greet p, .greet button")


# How large each text is, and first the verdict.
TEXT_SIZES = """() => {
    const sizes = {}
    for (const one of document.querySelectorAll("body *:not(svg *, .unseen)"))
        if ([...one.childNodes].some(node => node.nodeType == 3 && node.data.trim())
            && one.checkVisibility())
            sizes[one.textContent] = parseFloat(getComputedStyle(one).fontSize)
    const {[document.querySelector("#status .verdict").textContent]: verdict, ...others} = sizes
    return [verdict, ...Object.values(others)]
}"""


def out_of_view(page: Page, state: str) -> list[object]:
    """Return what of a game is not in view, and texts as large as its verdict, or too small."""
    parts = parts_of(state)
    faults = unseen(page.evaluate(VIEW, parts), *parts)
    if STATES[state].outcome:
        largest, *others = page.evaluate(TEXT_SIZES)
        faults += [size for size in others if not 12 <= size < largest]
    return faults


def test_the_board_takes_what_a_window_allows_and_shrinks_in_none_that_grows(page: Page) -> None:
    def width(screen: Screen) -> float:
        resize(page, screen)
        [box] = boxes(page, "#board")
        assert box["width"] == pytest.approx(box["height"], abs=0.5)
        return box["width"]

    for screen, least in BOARDS.items():
        assert width(screen) >= least, screen
    for wide, high in ((320, 500), (500, 500), (1000, 600)):
        sizes = [width((wide + more, high + more)) for more in (0, 50, 100, 200, 400)]
        assert sizes == sorted(sizes)


# Of each button its words, and how far they keep from its left and right edge.
INSIDE = """selector => [...document.querySelectorAll(selector)].map(one => {
    const range = document.createRange()
    range.selectNodeContents(one)
    const words = range.getBoundingClientRect(), box = one.getBoundingClientRect()
    return [one.innerText, [words.left - box.left, box.right - words.right]]
})"""


def test_seats_and_letters_have_the_measures_asked_for(visit: Visit) -> None:
    page = visit(game=STATES["lost"])
    resize(page, PHONE)
    for seat in ("#you", "#them"):
        [box], [picture], [number] = (boxes(page, seat + part) for part in ("", " > svg", " data"))
        assert picture["left"] - box["left"] == pytest.approx(12, abs=0.5)
        assert box["right"] - number["right"] == pytest.approx(12, abs=0.5)
    for words, edges in page.evaluate(INSIDE, "#actions .act"):
        assert min(edges) >= 13, words
    resize(page, SCREENS[-1])
    assert boxes(page, "#you")[0]["height"] == 80
    for part, size in ((".verdict", 52), (".spoken p", 20), (".movekey", 15)):
        assert style(page.locator(part).first, "fontSize") == f"{size}px"


TWICE_LOST = {**TWICE, "perfect": Tally(0, 2, 4, -1)}
THREE_LINES = {  # whose last words are the longest
    "held": Game((1, 4, 0, 2, 6, 3, 5, 8, 7), set_up=1),
    "held with help": Game(LEVEL, helped=True),
    "lost by a fork": Game((6, 8, 0, 3, 7, 5, 2, 4), set_up=2),
    "a win given away": Game((3, 6, 1, 8, 2, 5, 7, 0, 4), "random", "O", set_up=3),
}


def test_at_every_end_share_is_there_to_press_and_the_longest_words_fit(visit: Visit) -> None:
    ends = {"lost twice": Game(FALLEN, record=Record(TWICE_LOST)), **THREE_LINES}
    for name, game in one_in(3, [*ends.items()]):
        page = visit(game=game)
        for screen in SCREENS:
            resize(page, screen)
            page.locator("#share").click(trial=True)
            parts = parts_of("lost")
            assert not unseen(page.evaluate(VIEW, parts), *parts), (name, screen)


# Which badges, each a pill, lie on the stroke of the mark in their square.
COVERING = """() => [...document.querySelectorAll("#badges a")].filter(badge => {
    const {left, right, top, bottom} = badge.getBoundingClientRect()
    const around = (bottom - top) / 2
    const [row, column] = [...badge.classList].slice(1).map(name => name[1] - 1)
    const path = document.querySelector(`#cell-${3 * row + column} path`)
    const matrix = path.getScreenCTM()
    const pen = parseFloat(getComputedStyle(path).strokeWidth) * matrix.a / 2
    return [...Array(201).keys()].some(step => {
        const length = path.getTotalLength() * step / 200
        const {x, y} = path.getPointAtLength(length).matrixTransform(matrix)
        const across = Math.max(left + around - x, 0, x - right + around)
        return Math.hypot(across, (top + bottom) / 2 - y) < around + pen - .5
    })
}).length"""


def test_a_badge_covers_no_arm_of_the_mark_that_it_judges(visit: Visit) -> None:
    for state in ("lost", "lost as O", "held"):
        page = visit(game=STATES[state])
        for screen in SCREENS:
            resize(page, screen)
            assert page.locator("#badges a").count() and not page.evaluate(COVERING), screen


def test_a_seat_with_the_nine_squares_says_which_mark_is_played(visit: Visit) -> None:
    page = visit(game=Game((5, 4), record=Record(TWICE, held=BITS["X", 1])))
    for screen in SCREENS:
        resize(page, screen)
        beside = page.locator("#you .own").is_visible()
        after = page.locator("#you b").evaluate("one => getComputedStyle(one, '::after').content")
        assert beside != (after == '"X"'), screen


def test_beside_the_board_the_words_are_as_tall_as_it(visit: Visit) -> None:
    page = visit(game=STATES["lost"])
    for screen in (DESK, (1920, 1080)):
        resize(page, screen)
        cell(page, 0).focus()
        [board], [seats], [keys] = (boxes(page, one) for one in ("#board", ".seats", ".keys"))
        assert seats["top"] == board["top"]
        assert keys["bottom"] == pytest.approx(board["bottom"], abs=1)
        assert_in_view(page, *parts_of("lost"), "#aside", ".keys")


def test_settings_open_over_what_is_below_the_seats_and_never_over_the_board(visit: Visit) -> None:
    page = visit(game=STATES["mid-game"])
    page.locator("#opponent > summary").click()
    page.get_by_text("Clear the tally").click()
    for screen in SCREENS:
        resize(page, screen)
        assert_in_view(page, "#board", ".seat", ".panel")
        expect(page.locator(".movelist")).to_be_hidden()  # nor cut by the panel's edge
        assert_in_view(
            page, ".opt", ".panel .tabs > *", ".panel small:not(.opt *)", ".panel .more > *"
        )
        [panel] = boxes(page, ".panel")
        covers = "#status .says, #actions .row" if screen[0] < 800 else "#status .says"
        for covered in boxes(page, covers):
            assert panel["left"] <= covered["left"] and panel["right"] >= covered["right"]
            assert panel["top"] <= covered["top"] and panel["bottom"] >= covered["bottom"] - 0.5


def test_settings_close_for_whatever_else_is_used(visit: Visit) -> None:
    page = visit(game=STATES["mid-game"])
    panel = page.locator("#panel")
    page.locator("#opponent > summary").click()
    click(page.locator("#voice"))
    expect(page.locator("#voice")).to_have_attribute("aria-checked", "false")
    expect(page.locator("#voice")).to_be_focused()
    while page.locator("#opponent :focus").count():
        page.keyboard.press("Tab")
    expect(panel).to_be_hidden()
    page.locator("#opponent > summary").click()
    expect(panel).to_be_visible()
    panel.click(position={"x": 5, "y": 50})  # beside the controls
    expect(panel).to_be_visible()
    page.locator("#panel-random").focus()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator("#opponent > summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel).to_be_visible()
    page.locator("#you").click()
    expect(panel).to_be_hidden()


def test_a_changed_setting_shows_the_game_it_began(page: Page) -> None:
    resize(page, (390, 500))
    choice = page.locator("#mark-O")
    choice.scroll_into_view_if_needed()
    assert page.evaluate("() => scrollY") > 0
    click(choice)
    assert board(page) != "---------"
    expect(choice).to_be_focused()
    expect(choice).to_be_in_viewport(ratio=1)


# What keeps its place


NOTICES = [
    "The game moved on in another tab. This is the current board.",
    "The game was not kept, so this is a new one. Playing on needs cookies.",
    "One moment: your last press is still on its way.",
]


@pytest.fixture(scope="module")
def longest() -> dict[str, list[str]]:
    """Return the longest of all that is said of a reply, of a hint and at the end."""
    return find_longest()


def find_longest() -> dict[str, list[str]]:
    app = create_app({"SECRET_KEY": "words" * 20})
    said: Any = app.jinja_env.get_template("play/_words.html").module
    stories: Any = app.jinja_env.get_template("site/_story.html").module
    going_on = [position for position in reachable() if not position.outcome()]
    reasons = {why(position, square) for position in going_on for square in best_moves(position)}
    games = [some_game(Random(seed)) for seed in range(300)]
    with app.app_context():
        texts: dict[str, set[str]] = {
            "reply": {str(said.reason(reason)) + " Why?" for reason in reasons},
            "hint": {str(said.watch(hint(one))) + " Show all results" for one in going_on},
            "end": {str(stories.sentence(story(game, "X"), "X")) for game in games},
        }
    longest = {kind: sorted(sentences, key=len)[-4:] for kind, sentences in texts.items()}
    return {**longest, "notice": NOTICES}


def some_game(rng: Random) -> tuple[int, ...]:
    moves: tuple[int, ...] = ()
    while not (position := Position().after(moves)).outcome():
        moves = (*moves, rng.choice(position.legal_moves()))
    return moves


SAY = f"""([where, html, kept, selectors]) => {{
    const [place, more] = document.querySelectorAll(where)
    if (more) throw Error(where)
    place.innerHTML = html
    return {{...({VIEW})(selectors), kept: ({BOXES})(kept)}}
}}"""


@pytest.mark.parametrize(
    ("state", "place", "kinds"),
    [
        ("mid-game", "#status .says p", ("reply", "hint", "notice")),
        ("lost", ".spoken .top + p", ("end",)),
    ],
)
def test_whatever_is_said_is_in_view_and_moves_nothing(
    visit: Visit, longest: dict[str, list[str]], state: str, place: str, kinds: tuple[str, ...]
) -> None:
    page = visit(game=STATES[state])
    parts, kept = parts_of(state), "#board, .seat, #actions .row > *"
    first = page.locator(place).inner_html()
    for screen in one_in(2, SCREENS):
        resize(page, screen)
        before = page.evaluate(SAY, [place, first, kept, parts])["kept"]
        for sentence in [one for kind in kinds for one in longest[kind]]:
            view = page.evaluate(SAY, [place, sentence, kept, parts])
            assert view["kept"] == before, (screen, sentence)
            assert not unseen(view, *parts), (screen, sentence)


STILL = """() => document.fonts.status == "loaded" && !document.getAnimations()
    .some(one => one.playState == "running")"""
SHIFTS = """() => {
    window.shifts = []
    const element = node => node?.closest ? node : node?.parentElement
    const note = entries => {
        for (const {sources, hadRecentInput} of entries)
            for (const {node} of sources)
                shifts.push([hadRecentInput, element(node)?.outerHTML])
    }
    const observer = new PerformanceObserver(list => note(list.getEntries()))
    observer.observe({type: "layout-shift"})
    window.noteTheLast = () => note(observer.takeRecords())
}"""


@moving
@pytest.mark.parametrize("screen", one_in(3, [PHONE, (844, 390), DESK]))
def test_nothing_shifts_in_a_game(page: Page, screen: Screen) -> None:
    """Play one to its end and the next: what a press leads to may stand higher or lower."""
    resize(page, screen)
    page.wait_for_function(STILL)
    page.evaluate(SHIFTS)
    kept = "#board, .seat, #actions .row"
    before = boxes(page, kept)
    play(page, worst)
    assert boxes(page, kept) == before
    click(button(page, "Play again"))
    assert boxes(page, kept) == before
    page.wait_for_function(STILL)
    page.evaluate("() => noteTheLast()")
    assert [html for recent, html in page.evaluate("() => shifts") if not recent] == []


LOOKS_TO = "one => getComputedStyle(one).translate.split(' ').map(parseFloat)"


def test_the_eyes_follow_the_square_looked_at_look_up_in_thought_and_widen_at_a_fork(
    visit: Visit, site: Site
) -> None:
    page = visit()
    eyes = page.locator("#them .eyes")

    def looks() -> list[int]:
        across, down = ([*eyes.evaluate(LOOKS_TO), 0])[:2]
        return [(way > 0) - (way < 0) for way in (across, down)]

    for square in range(9):
        cell(page, square).hover()
        assert looks() == [square % 3 - 1, square // 3 - 1]
    page.mouse.move(0, 0)
    for key, way in (("Tab", [-1, -1]), ("ArrowRight", [0, -1]), ("ArrowDown", [0, 0])):
        page.locator(".skip").focus() if key == "Tab" else None
        page.keyboard.press(key if key != "Tab" else "Enter")
        assert looks() == way
    with site.holding():
        cell(page, 8).click()
        page.mouse.move(0, 0)
        assert looks() == [-1, -1]
    wait_for_answer(page)
    for game, wide in ((STATES["mid-game"], False), (Game((0, 2, 6, 3, 8, 4), set_up=4), True)):
        page = visit(game=game)  # X threatens two squares at once
        assert (float(str(page.locator("#them .eye").first.get_attribute("r"))) > 3) == wide


def test_a_press_restyles_the_square_the_eyes_and_the_two_frames_alone(
    page: Page, site: Site
) -> None:
    """All 94 elements of the game, restyled by hover, focus and press, take a phone 100 ms."""
    play(page, best, turns=1)  # from then on the sheet of an end is there
    browser = page.context.browser
    assert browser
    with site.holding():
        browser.start_tracing(page=page, categories=["devtools.timeline"])
        cell(page, best(Position.parse(board(page)))).click()
        page.evaluate(TWO_FRAMES)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    wait_for_answer(page)
    restyled = [e["args"].get("elementCount", 0) for e in events if e["name"] == "UpdateLayoutTree"]
    assert 9 < sum(restyled) <= 60


# Note in every frame, from a press until all is still: how much of a control is seen, and where;
# what the seats say; whether the pressed square shows its mark, and when the reply is there.
FRAMES = """() => {
    const opaque = one => !one ? 1 : getComputedStyle(one).opacity * opaque(one.parentElement)
    const seen = "#board button, .seat, .brand, .nav a, #actions :is(button, a)"
    let from, square, before
    const marks = () => document.querySelectorAll("#board [data-mark=X], #board [data-mark=O]")
    const look = () => {
        const now = performance.now() - from
        const mark = document.querySelector(square).querySelector("svg")
        frames.push({
            now,
            controls: Object.fromEntries([...document.querySelectorAll(seen)]
                .filter(one => one.checkVisibility()).map(one => {
                    const {left, top, width, height} = one.getBoundingClientRect()
                    const name = one.id || one.closest("details")?.id || one.innerText
                    return [name, [opaque(one), left, top, width, height]]
                })),
            says: document.querySelector("#you").innerText,
            thinks: document.querySelector("#opponent > summary").innerText,
            mark: !!mark && opaque(mark) == 1,
            answered: marks().length > before,
        })
        const busy = document.querySelector(".htmx-request, #game.busy")
        if (busy || document.getAnimations().length) requestAnimationFrame(look)
        else window.still = true
    }
    addEventListener("click", ({target}) => {
        window.frames = []
        window.still = false
        from = performance.now()
        square = "#" + target.closest(".cell").id
        before = marks().length
        requestAnimationFrame(look)
    }, true)
}"""


def frames_of(page: Page, square: int) -> list[dict[str, Any]]:
    """Press a square, wait until all is still, and return what was seen frame by frame."""
    cell(page, square).click()
    page.wait_for_function("() => window.still")
    page.mouse.move(0, 0)
    frames: list[dict[str, Any]] = page.evaluate("() => frames")
    return frames


@moving
@pytest.mark.parametrize("latency", one_in(2, [0, 400]))
def test_in_every_frame_a_control_is_there_and_it_is_said_whose_turn_it_is(
    page: Page, site: Site, latency: int
) -> None:
    """Watch a game from the settings in the first frame to the three ways on in the last.

    A mark is there at once, its reply not too soon.
    """
    page.evaluate(FRAMES)
    begins = []
    with site.latency(latency / 1000):
        while not (position := Position.parse(board(page))).outcome():
            frames = frames_of(page, worst(position))
            first, last = frames[0]["controls"], frames[-1]["controls"]
            over = Position.parse(board(page)).outcome()
            assert len(frames) > 5
            for frame in frames:
                controls, answered = frame["controls"], frame["answered"]
                assert controls == (last if answered else first), frame["now"]
                assert {opacity for opacity, *_ in controls.values()} == {1}
                assert frame["mark"] or (answered and over)
                assert answered or "Your move" not in frame["says"]
                assert answered != ("is thinking" in frame["thinks"])
            assert over or "Your move" in frames[-1]["says"]
            assert over or "plays O" in frames[-1]["thinks"]
            begins.append(next(frame["now"] for frame in frames if frame["answered"]))
    assert min(begins) >= max(300, latency)


# What moves


def style(target: Locator, name: str) -> str:
    return str(target.evaluate("(one, name) => getComputedStyle(one)[name]", name))


@moving
@pytest.mark.parametrize("state", ["lost", "lost as O", "won", "held", "held again"])
def test_an_end_is_told_after_it_is_seen_and_no_mark_goes_meanwhile(
    visit: Visit, state: str
) -> None:
    """A reply is drawn in 180 ms, a rest is 120, a line or the tints of a draw take 270."""
    page = visit(game=STATES[state])
    reply = [one.get_attribute("id") for one in page.locator(".cell.reply").all()]
    told = (300 if reply else 120) + 270
    begins = {
        ".spoken > .face": told,
        ".verdict": told,
        ".share": told,
        ".moves .then": told,
        ".movekey .then": told,
        ".seat .then": told,
        ".seat data > .then": told + 200 * page.locator(".seat.won").count(),
        ".spoken p": told + 150,
        "a.glyph": told + 150,
        ".story": told + 300,
        ".story .at": told + 700,
    }
    for now in page.evaluate(MOMENTS, [[*range(0, 1600, 50)], [*begins]]):
        time, seen = now["time"], now["seen"]
        assert now["gone"] in ([], reply if time < 200 else []), time
        assert now["faintest"] == 1 or time >= told, time
        assert now["seats"] > 0.9, time
        assert not [part for part in seen if seen[part] and time < begins[part]], time
    assert [part for part in seen if seen[part] < 1] == [
        part for part in begins if not page.locator(part).count()
    ]


@moving
def test_a_line_fills_square_by_square_and_a_draw_runs_over_the_board(visit: Visit) -> None:
    page = visit(game=STATES["lost"])
    line = page.locator("#board .wins").all()
    assert [style(one, "animationDelay") for one in line] == ["0.3s", "0.39s", "0.48s"]
    assert {style(one, "animationDuration") for one in line} == {"0.09s"}
    page = visit(game=STATES["held"])
    squares = page.locator("#board .settled").all()
    delays = [float(style(one, "animationDelay").removesuffix("s")) for one in squares]
    assert delays == pytest.approx([0.12 + 0.04 * square for square in range(9)])


@moving
def test_a_press_draws_the_reply_and_no_mark_that_is_there(page: Page) -> None:
    page.evaluate("""() => {
        addEventListener("animationstart", ({animationName, target}) => {
            if (animationName == "draw") drawn.push(target.closest(".cell").id)
        })
    }""")
    while not (position := Position.parse(board(page))).outcome():
        page.evaluate("() => { window.drawn = [] }")
        click(cell(page, best(position)))
        after = board(page)
        replies = [
            f"cell-{square}" for square in range(9) if after[square] == "O" != str(position)[square]
        ]
        page.wait_for_function("count => drawn.length >= count", arg=len(replies))
        assert page.evaluate("() => drawn") == replies


@moving
def test_a_stroke_that_waits_shows_no_dot(visit: Visit) -> None:
    """A round cap would show wherever a dash begins, so no dash may begin on the path."""
    page = visit(game=STATES["mid-game"])
    dashes = style(page.locator("#board .new path"), "strokeDasharray")
    dash, gap = map(float, dashes.replace("px", "").split(", "))
    offset = 1.2
    assert dash - offset < 0 < dash + gap - offset
    assert dash + gap - offset > 1


@pytest.mark.parametrize(("game", "choose"), one_in(2, [(Game(), worst), (NEARLY_WON, best)]))
def test_nothing_moves_for_a_person_who_asked_for_less_motion(
    visit: Visit, game: Game, choose: Choose
) -> None:
    page = visit(game=game)
    page.evaluate("""() => {
        window.moved = []
        for (const began of ["animationstart", "transitionstart"])
            addEventListener(began, ({target}) => moved.push(target.outerHTML))
    }""")
    play(page, choose)
    click(button(page, "Play again"))
    play(page, worst, turns=1)
    assert page.evaluate("() => moved") == []


# On paper and on the line


def test_paper_gets_the_board_and_the_words_and_no_ways_to_press(visit: Visit) -> None:
    page = visit(game=STATES["lost"])
    page.emulate_media(media="print", color_scheme="dark")
    expect(
        page.locator(".brand, .nav, #actions button, .share").filter(visible=True)
    ).to_have_count(0)
    for kept in (page.locator("#board"), verdict(page), page.locator("#story")):
        expect(kept).to_be_visible()
    assert {style(one, "boxShadow") != "none" for one in page.locator(".wins").all()} == {True}


def test_the_first_load_is_at_most_six_requests_and_28_kilobytes(visit: Visit) -> None:
    """As served: by Brotli, and with the headers."""
    page = visit("about:blank", new=True)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert len(answers) <= 6
    assert {answer.header_value("Content-Encoding") for answer in answers} == {"br"}
    sizes = [answer.request.sizes() for answer in answers]
    assert sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes) <= 28 * 1024


STYLED = """() => [...document.styleSheets].some(one => one.href.includes("end.css"))"""


def test_how_an_end_looks_is_there_after_the_first_move_and_asked_for_once(visit: Visit) -> None:
    page = visit(new=True)
    with fetches(page, "/static/end.css") as asked:
        assert not page.evaluate(STYLED)
        for _ in range(2):
            play(page, worst, turns=1)
            page.wait_for_function(STYLED)
            play(page, worst)
            click(button(page, "Play again"))
        assert len(asked) == 1
    page = visit(game=STATES["lost"], new=True)
    assert page.evaluate(STYLED)
