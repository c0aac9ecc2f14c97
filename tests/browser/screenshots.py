"""Draw every page at six sizes in both themes into `screenshots/`, and the README's pictures.

Run from anywhere: `python tests/browser/screenshots.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import enter_game  # noqa: E402
from tests.browser.person import LONGEST, SCREENS, STATES, resize  # noqa: E402
from tests.pages import PAGES  # noqa: E402
from tests.serving import Site  # noqa: E402
from tools.browsers import launch_options  # noqa: E402
from web.play.game import Game  # noqa: E402

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")

# The name, the address and the game of each picture in the README.
README = (
    ("game", "/", LONGEST["stopped later"]),
    ("tree", "/study/-X---XOOX?view=search&step=41", None),
)


def main() -> None:
    with Site().serving() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for name, path, game in pictures():
            page = open_page(browser, site, path, game)
            for screen in SCREENS:
                resize(page, screen)
                for theme in THEMES:
                    page.emulate_media(color_scheme=theme)
                    file = f"{name}-{screen[0]}x{screen[1]}-{theme}.png".replace(" ", "-")
                    shoot(page, ROOT / "screenshots" / file, is_full_page=True)
            page.context.close()
        for name, path, game in README:
            page = open_page(browser, site, path, game)
            resize(page, (1280, 800))
            shoot(page, ROOT / "docs" / f"{name}.png")
        browser.close()


def pictures() -> list[tuple[str, str, Game | None]]:
    """Return the name, the address and the game of each picture."""
    games = [(f"game {name}", "/", game) for name, game in STATES.items()]
    return [*games, *((name, path, None) for name, path in PAGES.items())]


def open_page(browser: Browser, site: Site, path: str, game: Game | None) -> Page:
    """Open a page as a new person, or in the middle of `game`, with nothing in motion."""
    context = browser.new_context(base_url=site.url, color_scheme="light", reduced_motion="reduce")
    page = context.new_page()
    if game:
        enter_game(page, site, game)
    page.goto(path)
    return page


def shoot(page: Page, file: Path, is_full_page: bool = False) -> None:
    page.mouse.move(0, 0)
    # To hide the caret, Playwright would put style attributes on inputs, which htmx then copies
    # and our Content-Security-Policy reports.
    page.screenshot(path=file, full_page=is_full_page, caret="initial")


if __name__ == "__main__":
    main()
