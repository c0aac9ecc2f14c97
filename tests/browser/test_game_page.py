"""The game on its page: what is in view, what keeps its place, what moves, what it weighs."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from app import create_app
from engine.hints import hint
from engine.position import Position
from engine.reasons import why
from engine.review import story
from engine.search import best_moves
from tests.browser.conftest import Visit, moving
from tests.browser.person import (
    DESK,
    MOMENTS,
    NEARLY_WON,
    PHONE,
    SCREENS,
    STATES,
    TABLET,
    TWO_FRAMES,
    Choose,
    Screen,
    answer,
    best,
    board,
    fetches,
    hit,
    middle,
    play,
    press,
    resize,
    worst,
)
from tests.positions import UNFINISHED, one_in, whole
from tests.serving import Site
from web.play.game import Game

# Sizes that others have, on which the same has to be in view.
OTHERS = [(360, 640), (412, 732), TABLET, (640, 360), (667, 375), (1024, 768)]

# How wide the board is at least, in pixels.
BOARDS = dict(zip(SCREENS, (220, 280, 320, 560, 660, 830), strict=True))

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


def parts_of(game: Game) -> tuple[str, ...]:
    if game.outcome:
        return (
            *FRAME,
            ".spoken .face",
            ".verdict",
            ".spoken p:not(.way1)",
            ".share svg",
            "#story",
        )
    return (*FRAME, "#status .says, .greet p, .greet button")


# How large the verdict is, where it need not give way to long words, and each other text; which
# badges, each a pill, lie on the stroke of the mark in their square.
DETAILS = """() => {
    const sizes = {}
    for (const one of document.querySelectorAll("body *:not(svg *, .unseen)"))
        if ([...one.childNodes].some(node => node.nodeType == 3 && node.data.trim())
            && one.checkVisibility())
            sizes[one.textContent] = parseFloat(getComputedStyle(one).fontSize)
    const {[document.querySelector("#status .verdict")?.textContent]: verdict, ...others} = sizes
    const covers = badge => {
        const {left, right, top, bottom} = badge.getBoundingClientRect()
        const around = (bottom - top) / 2
        const [row, column] = [...badge.classList].slice(1).map(name => name[1] - 1)
        const path = document.querySelector(`#cell-${3 * row + column} path`)
        const matrix = path.getScreenCTM(), length = path.getTotalLength()
        const pen = parseFloat(getComputedStyle(path).strokeWidth) * matrix.a / 2
        return [...Array(201).keys()].some(step => {
            const {x, y} = path.getPointAtLength(length * step / 200).matrixTransform(matrix)
            const across = Math.max(left + around - x, 0, x - right + around)
            return Math.hypot(across, (top + bottom) / 2 - y) < around + pen - .5
        })
    }
    const badges = [...document.querySelectorAll("#badges a")]
    return {
        verdict: document.querySelector(".spoken.long") ? 99 : verdict,
        others: Object.values(others),
        badges: badges.length,
        covering: badges.filter(covers).length,
    }
}"""


def out_of_view(page: Page, game: Game, screen: Screen) -> list[object]:
    """Return what of a game is not in view, or too small, or over another."""
    parts = parts_of(game)
    view, details = page.evaluate(f"parts => [({VIEW})(parts), ({DETAILS})()]", parts)
    [board] = view["found"][parts.index("#board")]
    faults = unseen(view, *parts) + ["covered by a badge"] * details["covering"]
    if abs(board["width"] - board["height"]) > 0.5 or board["width"] < BOARDS.get(screen, 0):
        faults.append(board)
    if game.outcome:
        middle(page, "#share")  # can be pressed
        faults += [size for size in details["others"] if not 12 <= size < details["verdict"]]
    if game.outcome and game.opponent == "perfect" and game.counts and not details["badges"]:
        faults.append("no badge")
    return faults


def test_the_board_shrinks_in_no_window_that_grows(page: Page) -> None:
    def width(screen: Screen) -> float:
        resize(page, screen)
        return boxes(page, "#board")[0]["width"]

    for wide, high in one_in(2, ((320, 500), (500, 500), (1000, 600))):
        sizes = [width((wide + more, high + more)) for more in (0, 50, 100, 200, 400)]
        assert sizes == sorted(sizes)


def styles(page: Page, selector: str, name: str) -> list[str]:
    """Return that property of each element of the selector."""
    found: list[str] = page.evaluate(
        """([selector, name]) => [...document.querySelectorAll(selector)]
            .map(one => getComputedStyle(one)[name])""",
        [selector, name],
    )
    return found


def test_settings_open_over_what_is_below_the_seats_and_close_for_whatever_else_is_used(
    visit: Visit,
) -> None:
    page = visit(game=STATES["mid-game"])
    press(page, "#them")
    press(page, ".clear summary")
    for screen in SCREENS[1:]:
        resize(page, screen)
        assert_in_view(page, "#board", ".seat", ".panel")
        assert_in_view(page, ".opt", ".panel .tabs > *", ".panel .more > *")
        [panel] = boxes(page, ".panel")
        assert not page.evaluate(BOXES, "#status .says, #actions .row, .movelist")
    press(page, "#voice")
    assert page.evaluate(FOCUSED) == ["voice", "false", True]
    while page.evaluate("() => !!document.activeElement.closest('#opponent')"):
        page.keyboard.press("Tab")
    assert not page.evaluate(BOXES, "#panel")
    press(page, "#them")
    assert_in_view(page, "#panel")
    page.mouse.click(panel["left"] + 5, panel["top"] + 50)  # beside the controls
    assert_in_view(page, "#panel")
    page.evaluate("() => document.querySelector('#panel-random').focus()")
    page.keyboard.press("Escape")
    assert page.evaluate(FOCUSED) == ["them", None, False]
    page.keyboard.press("Enter")
    assert_in_view(page, "#panel")
    press(page, "#you")
    assert not page.evaluate(BOXES, "#panel")


# What has the focus, whether it is switched on, and whether the settings are open.
FOCUSED = """() => [document.activeElement.id, document.activeElement.ariaChecked,
    document.querySelector("#opponent").open]"""


def test_a_changed_setting_shows_the_game_it_began(visit: Visit) -> None:
    page = visit(screen=(390, 500))
    assert press(page, "#mark-O") != "---------"
    assert page.evaluate("() => scrollY") > 0
    assert page.evaluate(FOCUSED)[0] == "mark-O"
    expect(page.locator("#mark-O")).to_be_in_viewport(ratio=1)


# What keeps its place


NOTICES = [
    "The game moved on in another tab. This is the current board.",
    "The game was not kept, so this is a new one. Playing on needs cookies.",
    "One moment: your last press is still on its way.",
]


def longest_said() -> dict[str, list[str]]:
    """Return the longest of all that is said of a reply, of a hint, as a notice and at the end."""
    app = create_app({"SECRET_KEY": "words" * 20})
    said: Any = app.jinja_env.get_template("play/_words.html").module
    stories: Any = app.jinja_env.get_template("site/_story.html").module
    going_on = whole(UNFINISHED)
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


def test_whatever_is_said_is_in_view_and_moves_nothing(visit: Visit) -> None:
    said, kept = longest_said(), "#board, .seat, #actions .row > *"
    for state, place, kinds in (
        ("mid-game", "#status .says p", ("reply", "hint", "notice")),
        ("lost", ".spoken .top + p", ("end",)),
    ):
        page, parts = visit(game=STATES[state]), parts_of(STATES[state])
        first = page.locator(place).inner_html()
        for screen in one_in(2, SCREENS[1:]):
            resize(page, screen)
            before = page.evaluate(SAY, [place, first, kept, parts])["kept"]
            for sentence in [one for kind in kinds for one in said[kind]]:
                view = page.evaluate(SAY, [place, sentence, kept, parts])
                assert view["kept"] == before, (screen, sentence)
                assert not unseen(view, *parts), (screen, sentence)


LOOKS = """() => getComputedStyle(document.querySelector("#them .eyes")).translate
    .split(" ").map(parseFloat).concat(0).slice(0, 2).map(Math.sign)"""


def test_the_eyes_follow_the_square_pointed_at_look_up_in_thought_and_widen_at_a_fork(
    visit: Visit, site: Site
) -> None:
    page = visit()
    for square in range(9):
        page.mouse.move(*middle(page, square))
        assert page.evaluate(LOOKS) == [square % 3 - 1, square // 3 - 1]
    pencilled = styles(page, "#board .cell svg", "opacity")
    assert pencilled == ["0"] * 8 + ["0.4"]  # what a press on it would draw
    page.mouse.move(0, 0)
    page.evaluate("() => document.querySelector('.skip').focus()")
    for key, way in (("Enter", [-1, -1]), ("ArrowRight", [0, -1]), ("ArrowDown", [0, 0])):
        page.keyboard.press(key)
        assert page.evaluate(LOOKS) == way
    with site.holding():
        hit(page, 8)
        page.mouse.move(0, 0)
        assert page.evaluate(LOOKS) == [-1, -1]
    answer(page)
    for game, wide in ((STATES["mid-game"], False), (Game((0, 2, 6, 3, 8, 4), set_up=4), True)):
        page = visit(game=game)  # X threatens two squares at once
        eye = page.evaluate("() => document.querySelector('#them .eye').getAttribute('r')")
        assert (float(eye) > 3) == wide


def test_a_press_restyles_the_square_the_eyes_and_the_two_frames_alone(
    page: Page, site: Site
) -> None:
    """All 94 elements of the game, restyled by hover, focus and press, take a phone 100 ms."""
    play(page, best, turns=1)  # from then on the sheet of an end is there
    page.evaluate(TWO_FRAMES)
    browser = page.context.browser
    assert browser
    with site.holding():
        browser.start_tracing(page=page, categories=["devtools.timeline"])
        hit(page, best(Position.parse(board(page))))
        page.evaluate(TWO_FRAMES)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    answer(page)
    restyled = [e["args"].get("elementCount", 0) for e in events if e["name"] == "UpdateLayoutTree"]
    assert 9 < sum(restyled) <= 60


# Note in every frame from a press until all is still, where it is not as in the frame before: how
# much of a control is seen, and where; what the seats say; whether the pressed square shows its
# mark, and when the reply is there. Note what shifts and what is drawn besides.
FRAMES = """() => {
    const opaque = one => !one ? 1 : getComputedStyle(one).opacity * opaque(one.parentElement)
    const seen = "#board button, .seat, .brand, .nav a, #actions :is(button, a)"
    const marks = () => document.querySelectorAll("#board [data-mark=X], #board [data-mark=O]")
    let from, square, before
    const look = () => {
        const mark = document.querySelector(square + " svg")
        const frame = {
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
        }
        const now = performance.now() - from, last = frames.at(-1)?.[1]
        if (JSON.stringify(frame) != JSON.stringify(last)) frames.push([now, frame])
        looked++
        const busy = document.querySelector(".htmx-request, #game.busy")
        if (busy || document.getAnimations().length) requestAnimationFrame(look)
        else window.still = true
    }
    addEventListener("click", ({target}) => {
        Object.assign(window, {frames: [], drawn: [], looked: 0, still: false})
        from = performance.now()
        square = "#" + target.closest(".cell, button").id
        before = marks().length
        requestAnimationFrame(look)
    }, true)
    addEventListener("animationstart", ({animationName, target}) => {
        if (animationName == "draw") drawn.push(target.closest(".cell").id)
    })
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
    while (!window.still && looked < 2000) await new Promise(requestAnimationFrame)
    noteTheLast()
    return [frames, looked, drawn, shifts]
}"""


def frames_of(page: Page, called: int | str) -> tuple[list[Any], list[str]]:
    """Press, and return what was seen frame by frame until all is still, and what was drawn."""
    hit(page, called)
    frames, looked, drawn, shifts = page.evaluate(SEEN)
    assert not shifts and (looked > 5 or called == "Play again")
    page.mouse.move(0, 0)
    return frames, drawn


@moving
@pytest.mark.parametrize(
    ("screen", "latency"), one_in(3, [(PHONE, 0), ((844, 390), 400), (DESK, 0)])
)
def test_in_every_frame_a_control_is_there_it_is_said_whose_turn_it_is_and_nothing_shifts(
    visit: Visit, site: Site, screen: Screen, latency: int
) -> None:
    """Watch a game from the settings in the first frame to the three ways on in the last.

    A mark is there at once, its reply not too soon, and no mark is drawn twice.
    """
    page = visit(screen=screen)
    page.wait_for_function("() => document.fonts.status == 'loaded'")
    page.evaluate(FRAMES)
    kept = "#board, .seat, #actions .row"
    places, begins, after = boxes(page, kept), [], board(page)
    with site.latency(latency / 1000):
        while not (position := Position.parse(after)).outcome():
            frames, drawn = frames_of(page, worst(position))
            after = board(page)
            over = Position.parse(after).outcome()
            (_, first), (_, last) = frames[0], frames[-1]
            for now, frame in frames:
                answered = frame["answered"]
                assert frame["controls"] == (last if answered else first)["controls"], now
                assert {opacity for opacity, *_ in frame["controls"].values()} == {1}
                assert frame["mark"] or (answered and over)
                assert answered or "Your move" not in frame["says"]
                assert answered != ("is thinking" in frame["thinks"])
            assert over or "Your move" in last["says"]
            assert over or "plays O" in last["thinks"]
            assert drawn == [
                f"cell-{one}" for one in range(9) if after[one] == "O" != str(position)[one]
            ]
            begins.append(next(now for now, frame in frames if frame["answered"]))
    assert boxes(page, kept) == places
    frames_of(page, "Play again")
    assert boxes(page, kept) == places
    assert min(begins) >= max(300, latency)


# What moves


# Which squares hold a reply; when squares are filled, and for how long; the dash of a mark drawn.
DRAWS = """() => {
    const all = css => [...document.querySelectorAll("#board " + css)]
    const filled = all(":is(.wins, .settled)").map(getComputedStyle)
    return {
        reply: all(".cell.reply").map(one => one.id),
        fills: filled.map(one => parseFloat(one.animationDelay)),
        each: filled.map(one => one.animationDuration),
        dashes: all(".new path").map(one => getComputedStyle(one).strokeDasharray),
    }
}"""


@moving
@pytest.mark.parametrize("state", one_in(2, ["lost", "lost as O", "won", "held", "held again"]))
def test_an_end_is_told_after_it_is_seen_and_no_mark_goes_meanwhile(
    visit: Visit, state: str
) -> None:
    """A reply is drawn in 180 ms, a rest is 120, a line or the tints of a draw take 270."""
    page = visit(game=STATES[state])
    draws = page.evaluate(DRAWS)
    reply, seen_from = draws["reply"], 300 if draws["reply"] else 120
    told = seen_from + 270
    begins = {
        ".spoken > .face": told,
        ".verdict": told,
        ".share": told,
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
    # A line fills square by square, and a draw runs over the board.
    line = len(draws["fills"]) == 3
    after = [0.09 * at for at in range(3)] if line else [0.04 * at for at in range(9)]
    assert draws["fills"] == pytest.approx([seen_from / 1000 + one for one in after])
    assert not line or {*draws["each"]} == {"0.09s"}
    for dashes in draws["dashes"]:
        # A round cap would show wherever a dash begins, so none may begin on a path that waits.
        dash, gap = map(float, dashes.replace("px", "").split(", "))
        offset = 1.2
        assert dash - offset < 0 < 1 < dash + gap - offset


@pytest.mark.parametrize(("game", "choose"), one_in(2, [(NEARLY_WON, best), (Game(), worst)]))
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
    press(page, "Play again")
    play(page, worst, turns=1)
    assert page.evaluate("() => moved") == []


# On paper and on the line


def test_paper_gets_the_board_and_the_words_and_no_ways_to_press(visit: Visit) -> None:
    page = visit(game=STATES["lost"])
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.evaluate(BOXES, ".brand, .nav, #actions button, .share")
    for kept in ("#board", ".verdict", "#story"):
        assert boxes(page, kept)
    assert "none" not in styles(page, ".wins", "boxShadow")


STYLED = """() => [...document.styleSheets].some(one => one.href.includes("end.css"))"""


def test_the_first_load_is_at_most_28_kilobytes_and_brings_how_an_end_looks_later_and_once(
    visit: Visit,
) -> None:
    """As served: by Brotli, and with the headers, in at most six requests."""
    page = visit("about:blank", new=True)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert len(answers) <= 6
    assert {answer.header_value("Content-Encoding") for answer in answers} == {"br"}
    sizes = [answer.request.sizes() for answer in answers]
    assert sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes) <= 28 * 1024
    assert not page.evaluate(STYLED)
    with fetches(page, "/static/end.css") as asked:
        play(page, worst, turns=1)
        page.wait_for_function(STYLED)
        play(page, worst)
        press(page, "Play again")
        play(page, worst, turns=1)
    assert len(asked) == 1
    assert visit(game=STATES["lost"]).evaluate(STYLED)
