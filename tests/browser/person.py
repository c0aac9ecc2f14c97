"""What a person does on a page: find a square, click, wait for the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Locator, Page, Request, ViewportSize

from engine.position import Position, Square
from engine.search import analyze, best_moves
from web.play.game import Game
from web.play.record import Record, Tally
from web.play.squares import ALL_NINE

Choose = Callable[[Position], Square]
Screen = tuple[int, int]  # width and height of the window in CSS pixels


def cell(page: Page, square: Square) -> Locator:
    return page.locator(f"#cell-{square}")


def button(page: Page, name: str) -> Locator:
    """Return a control by its full name, such as `Undo`."""
    return page.get_by_role("button", name=name, exact=True)


def status(page: Page) -> Locator:
    return page.locator("#status")


def resize(page: Page, screen: Screen) -> None:
    size: ViewportSize = {"width": screen[0], "height": screen[1]}
    if page.viewport_size != size:
        page.set_viewport_size(size)


MEDIA_BY_PAGE = WeakKeyDictionary[Page, dict[str, str]]()


def set_media(page: Page, **features: str) -> None:
    """Emulate media features, named as in Playwright, unless the page has them all already.

    Emulating the same again takes 4 to 15 ms of processor time, as the page is restyled.
    """
    known_features = MEDIA_BY_PAGE.setdefault(page, {})
    if not features.items() <= known_features.items():
        page.emulate_media(**features)  # type: ignore[arg-type]
        known_features |= features


# For each selector: left, top, right and bottom of the first visible element.
READ_PLACES = """selectors => Object.fromEntries(selectors.map(selector => {
    const elements = [...document.querySelectorAll(selector)]
    const box = elements.map(element => element.getBoundingClientRect())
        .find(box => box.width) ?? {}
    return [selector, [box.left, box.top, box.right, box.bottom]]
}))"""
# Wait two frames, after which the effect of a click or a setting is visible.
TWO_FRAMES = """() => new Promise(
    resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))"""
# Record each text that an element has from now on.
RECORD_TEXTS = """element => {
    element.heard = []
    new MutationObserver(() => element.heard.push(element.innerText))
        .observe(element, {childList: true, characterData: true, subtree: true})
}"""
PAGE_WIDTH = "() => document.documentElement.scrollWidth"
PAGE_HEIGHT = "() => document.documentElement.scrollHeight"


# At some moments after loading: which marks are invisible, by color, opacity or stroke; the lowest
# opacity of a mark; which squares are filled; the opacity of the given parts; and the lowest sum
# of the opacities of what a seat shows before and after a change.
READ_MOMENTS = """([times, parts]) => times.map(time => {
    for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = time
    }
    const style = element => getComputedStyle(element)
    const totalOpacity = element =>
        element ? style(element).opacity * totalOpacity(element.parentElement) : 1
    const opacity = element => style(element).visibility == "visible" ? totalOpacity(element) : 0
    const marks = [...document.querySelectorAll(".cell:is([data-mark=X], [data-mark=O])")]
    const path = element => style(element.querySelector("svg path"))
    const card = document.body.appendChild(document.createElement("i"))
    card.style.background = "var(--card)"
    const plain = style(card).backgroundColor
    card.remove()
    return {
        time,
        invisible: marks.filter(element => path(element).stroke == style(element).backgroundColor
            || opacity(element.querySelector("svg")) < .5
            || parseFloat(path(element).strokeDashoffset) > 1).map(element => element.id),
        faintest: Math.min(...marks.map(element => opacity(element.querySelector("svg")))),
        filled: marks.filter(element => style(element).backgroundColor != plain)
            .map(element => element.id),
        opacities: Object.fromEntries(parts.map(css => [
            css, Math.max(...[...document.querySelectorAll(css)].map(opacity), 0)])),
        seats: Math.min(...[...document.querySelectorAll(".seat .until")]
            .map(element => opacity(element) + opacity(element.nextElementSibling))),
    }
})"""


def places(page: Page, *selectors: str) -> dict[str, list[float]]:
    """Return left, top, right and bottom of the first visible element for each selector."""
    boxes: dict[str, list[float]] = page.evaluate(READ_PLACES, selectors)
    return boxes


REPLACE_BODY = f"""async ([path, selectors]) => {{
    const answer = await fetch(path)
    if (answer.status != 200) throw Error(answer.status)
    document.body = new DOMParser().parseFromString(await answer.text(), "text/html").body
    return {{...({READ_PLACES})(selectors), all: [0, 0, ({PAGE_WIDTH})(), ({PAGE_HEIGHT})()]}}
}}"""


def replace_body(page: Page, path: str, *selectors: str) -> dict[str, list[float]]:
    """Replace the body with that of another page, three times as fast as loading the page.

    Return the places of the selectors in the new body, and the size of the page as `all`.
    """
    boxes: dict[str, list[float]] = page.evaluate(REPLACE_BODY, [path, selectors])
    return boxes


READ_BOARD = """[...document.querySelectorAll("#board .cell")]
    .map(element => element.dataset.mark || "-").join("")"""


def board(page: Page) -> str:
    """Return the board as nine of `X`, `O` and `-`."""
    return str(page.evaluate(READ_BOARD))


# Mark the page as after a click that swapped content: new elements are animated from now on.
MARK_AS_SWAPPED = "document.documentElement.classList.add('swapped')"
# Whether a request is running, or the page does not react to clicks yet after its response.
IS_WAITING = "!!document.querySelector('.htmx-request, .htmx-settling, #game.busy')"
# The middle of a square, given by its number, or of a control, given by a selector or its text.
FIND_MIDDLE = """target => {
    const css = target.length == 1 ? `#cell-${target}` : target, name = css.replace("text=", "")
    const element = /^[#.]/.test(css) ? document.querySelector(css)
        : [...document.querySelectorAll("button, main a")].find(
            // A button may also say what a press costs.
            control => control.innerText.replace(/\\s+(no square|ends).*/, "") == name)
    element.scrollIntoView({block: "nearest", behavior: "instant"})
    const {left, top, width, height} = element.getBoundingClientRect()
    const middle = [left + width / 2, top + height / 2]
    const topmost = document.elementFromPoint(...middle)
    if (!element.contains(topmost)) throw Error(`${topmost?.outerHTML} covers ${target}`)
    return middle
}"""
TEXT_OF_ALL = (
    "css => [...document.querySelectorAll(css)].map(element => element.innerText).join(' ')"
)
WAIT_FOR_ANSWER = f"""async () => {{
    for (let waits = 0; {IS_WAITING}; waits++) {{
        if (waits > 6000) throw Error("no answer")
        await new Promise(resolve => setTimeout(resolve, 5))
    }}
    return {READ_BOARD}
}}"""


def middle_of(page: Page, target: int | str) -> tuple[float, float]:
    x, y = page.evaluate(FIND_MIDDLE, str(target))
    return x, y


def click_at(page: Page, target: int | str) -> None:
    """Click a square or a control; a locator, which injects a script, costs twice as much."""
    page.mouse.click(*middle_of(page, target))


def answer(page: Page) -> str:
    """Wait for the response to a click, and return the board."""
    return str(page.evaluate(WAIT_FOR_ANSWER))


def press(page: Page, target: int | str) -> str:
    """Click a square or a control, wait for the response, and return the board."""
    click_at(page, target)
    return answer(page)


def press_without_script(page: Page, target: int | str) -> str:
    """Press without JavaScript, wait for the next page, and return its board."""
    with page.expect_navigation():
        click_at(page, target)
    return board(page)


def text(page: Page, css: str) -> str:
    """Return the text of all elements that match a selector."""
    return str(page.evaluate(TEXT_OF_ALL, css))


def click(target: Locator) -> None:
    """Click, and wait for the response."""
    target.click()
    wait_for_answer(target.page)


def wait_for_answer(page: Page) -> None:
    page.wait_for_function(f"() => !{IS_WAITING}")


@contextmanager
def recorded_requests(page: Page, url_part: str) -> Iterator[list[str]]:
    """Yield a list of the addresses with `url_part` in them that the page requests in the block."""
    urls: list[str] = []

    def record_url(request: Request) -> None:
        if url_part in request.url:
            urls.append(request.url)

    page.on("request", record_url)
    yield urls
    page.remove_listener("request", record_url)


def best(position: Position) -> Square:
    """Return a move with the best result."""
    return best_moves(position)[0]


def worst(position: Position) -> Square:
    """Return a move with the worst result."""
    scores = analyze(position)
    return min(scores, key=lambda square: scores[square])


def play(page: Page, choose: Choose, turns: int = 9) -> None:
    """Play the moves of `choose` until the game is over, or for some turns."""
    position = Position.parse(board(page))
    for _ in range(turns):
        if position.outcome():
            break
        position = Position.parse(press(page, choose(position)))


SMALL, PHONE, TABLET, DESKTOP = (320, 568), (390, 664), (820, 1180), (1280, 800)
# Phones, one of them on its side, a tablet, a laptop and a large screen.
SCREENS = [SMALL, PHONE, (844, 390), (768, 1024), DESKTOP, (1920, 1080)]

#    X | O |        X lost by move 5, middle left: only bottom center kept the
#    --+---+--      draw. O won on move 6.
#    X | O |
#    --+---+--
#      | O | X
LOST_GAME = (0, 4, 8, 1, 3, 7)
FORK_GAME = (0, 2, 8, 6, 4)  # by X, who wins at center
DRAWN_GAME = (0, 4, 8, 1, 7, 6, 2, 5, 3)
# A bit for each square, the lowest for the first.
FOUR_EARNED, THREE_EARNED = 0b1_0001_0101, 0b1_0001_0100

# What a game has after a friend's link to it was opened.
FRIEND_FIELDS: dict[str, Any] = {
    "link_length": 2, "friend_result": "held", "friend_bits": 0b1_0001_0111,
}  # fmt: skip

# A game for each look of the page.
STATES = {
    "first": Game(),
    "some earned": Game(record=Record(earned_bits=FOUR_EARNED)),
    "first as O": Game((4,), human="O", record=Record(earned_bits=FOUR_EARNED)),
    "first against Random": Game(opponent_name="random", record=Record((Tally("random", 3, 1),))),
    "mid-game": Game((0, 4, 8, 1), record=Record(earned_bits=FOUR_EARNED)),
    "mid-game as O": Game((0, 4, 8), human="O", record=Record(earned_bits=FOUR_EARNED)),
    "set up": Game((0, 1, 4, 8), setup_length=2),
    "hint": Game((0, 4, 8, 1), hint="danger", help_used="hint"),
    "results": Game((4, 0), hint="results", help_used="hint"),
    "lost": Game(LOST_GAME),
    "lost by a fork": Game((4, 0, 1, 7, 2, 6, 5, 8)),
    "lost twice": Game(LOST_GAME, record=Record(losing_streak=1)),
    "lost as O": Game(FORK_GAME, human="O"),
    "stopped": Game(DRAWN_GAME),
    "stopped again": Game(DRAWN_GAME, record=Record(earned_bits=FOUR_EARNED)),
    "stopped as O": Game(DRAWN_GAME, human="O"),
    "stopped with help": Game(DRAWN_GAME, help_used="hint"),
    "all nine": Game(DRAWN_GAME, record=Record(earned_bits=ALL_NINE & ~1)),
    "won": Game(FORK_GAME, opponent_name="random"),
    "won as O": Game(LOST_GAME, opponent_name="random", human="O"),
    "drawn": Game(DRAWN_GAME, opponent_name="random"),
    "unfinished": Game(opponent_name="random", unfinished=Game((4, 0))),
    "eight earned": Game(record=Record(earned_bits=ALL_NINE & ~(1 << 7))),
    "first against Hasty": Game(opponent_name="hasty"),
    "eighth": Game(DRAWN_GAME, record=Record(earned_bits=ALL_NINE & ~0b1000_0001)),
    "a line": Game(DRAWN_GAME, record=Record(earned_bits=0b1_0001_0000)),
    "help paid": Game(
        (0, 4, 8, 1), hint="danger", help_used="hint", record=Record(earned_bits=THREE_EARNED)
    ),
    "friend": Game((0, 4, 8, 1), record=Record(earned_bits=THREE_EARNED), **FRIEND_FIELDS),
    "friend stopped": Game(DRAWN_GAME, record=Record(earned_bits=THREE_EARNED), **FRIEND_FIELDS),
    "friend lost": Game(LOST_GAME, record=Record(earned_bits=THREE_EARNED), **FRIEND_FIELDS),
    "won against Hasty": Game(FORK_GAME, opponent_name="hasty"),
    "practised": Game((0, 1, 4, 8, 6, 2, 3), setup_length=2),
}
# Finished games whose pages have the longest sentences.
LONGEST = {
    "lost three times": Game((4, 2, 1, 7, 0, 8, 3, 5), record=Record(losing_streak=2)),
    "stopped later": Game(
        (8, 4, 0, 1, 7, 6, 2, 5, 3), record=Record(earned_bits=FOUR_EARNED & ~(1 << 8))
    ),
    "stopped with a move taken back": Game(DRAWN_GAME, help_used="back"),
    "a win given away": Game((3, 6, 1, 8, 2, 5, 7, 0, 4), "random", "O", setup_length=3),
    "Random won": Game((4, 2, 1, 7, 0, 8, 3, 5), "random"),
}
