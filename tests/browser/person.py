"""What a person at the page does: find a square, click, wait for the answer, play on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, Request

from engine.position import Position, Square
from engine.search import analyse, best_moves

Choose = Callable[[Position], Square]


def cell(page: Page, square: Square) -> Locator:
    return page.locator(f"#cell-{square}")


def button(page: Page, name: str) -> Locator:
    """Find a control by its whole name, such as `Take back`."""
    return page.get_by_role("button", name=name, exact=True)


def status(page: Page) -> Locator:
    return page.locator("#status")


def verdict(page: Page) -> Locator:
    return page.locator("#status .verdict")


SETTINGS = {"Perfect": "perfect", "Random": "random", "X": "X", "O": "O"}


def use(page: Page, name: str) -> None:
    """Choose an opponent or a mark, in the row below the board or from the opponent's seat."""
    choice = page.locator(f"#actions [id$='-{SETTINGS[name]}']")
    if not choice.count():
        page.locator("#opponent > summary").click()
        choice = page.locator(f"#panel-{SETTINGS[name]}")
    click(choice)


def board(page: Page) -> str:
    """Read the nine cells as nine of `X`, `O` and `-`."""
    marks = page.locator("#board button").evaluate_all("all => all.map(one => one.dataset.mark)")
    return "".join(mark or "-" for mark in marks)


def click(target: Locator) -> None:
    """Look at the page, click, and wait until the answer is on it."""
    target.page.bring_to_front()
    target.click()
    wait_for_answer(target.page)


def wait_for_answer(page: Page) -> None:
    page.wait_for_function("() => !document.querySelector('.htmx-request, #game.busy')")


@contextmanager
def fetches(page: Page, path: str) -> Iterator[list[str]]:
    """List the addresses below `path` that the page asks for."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if path in request.url:
            asked.append(request.url)

    page.on("request", note)
    yield asked
    page.remove_listener("request", note)


def best(position: Position) -> Square:
    return best_moves(position)[0]


def worst(position: Position) -> Square:
    scores = analyse(position)
    return min(scores, key=lambda square: scores[square])


def play(page: Page, choose: Choose, turns: int = 9) -> None:
    """Click the squares of `choose` until the game is over, or for that many turns."""
    for _ in range(turns):
        position = Position.parse(board(page))
        if position.outcome():
            break
        click(cell(page, choose(position)))


def play_until(page: Page, ending: str, choose: Choose) -> None:
    """Play whole games, twenty at most, until the verdict begins like that."""
    for _ in range(20):
        play(page, choose)
        if verdict(page).inner_text().startswith(ending):
            return
        click(button(page, "Play again"))
    raise AssertionError(f"no game ended with {ending!r}")


def win(page: Page) -> None:
    use(page, "Random")
    play_until(page, "You beat Random", best)


def lose(page: Page) -> None:
    use(page, "Perfect")
    play_until(page, "Perfect wins", worst)


def draw(page: Page) -> None:
    use(page, "Perfect")
    play_until(page, "You held it", best)


def play_two_turns(page: Page) -> None:
    play(page, best, turns=2)


def take_a_hint(page: Page) -> None:
    play(page, best, turns=1)
    click(button(page, "Hint"))


def show_results(page: Page) -> None:
    take_a_hint(page)
    click(button(page, "Show all results"))


def open_settings(page: Page) -> None:
    play(page, best, turns=1)
    page.locator("#opponent > summary").click()


# Phones, one of them on its side, a tablet, a laptop and a large screen.
SCREENS = [(320, 568), (390, 664), (844, 390), (768, 1024), (1280, 800), (1920, 1080)]

# How a new game gets to each state that looks different.
STATES: dict[str, Callable[[Page], None]] = {
    "empty": lambda page: None,
    "mid-game": play_two_turns,
    "hint": take_a_hint,
    "results": show_results,
    "settings": open_settings,
    "won": win,
    "lost": lose,
    "drawn": draw,
}
