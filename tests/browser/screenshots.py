"""Draw every page at six sizes in both themes into `screenshots/`, and the README's pictures.

Run from anywhere: `python tests/browser/screenshots.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from teach.lesson.screens import SOLVED  # noqa: E402
from tests.browser.person import PAGES, SCREENS, STATES  # noqa: E402
from tests.serving import Site  # noqa: E402
from tools.browsers import launch_options  # noqa: E402

Theme = Literal["light", "dark"]


def stay(page: Page) -> None:
    """Leave the page as it opens."""


# Each picture: its name, its address, and what to do once there.
PICTURES: list[tuple[str, str, Callable[[Page], None]]] = [
    *((f"game-{name}", "/", reach) for name, reach in STATES.items()),
    *((name, path, stay) for name, path in PAGES.items()),
    ("why", "/why/04?you=X", stay),
    ("review", "/review/048137?you=X&at=4&answer=2", stay),
    ("position", "/position/X---O----", stay),
    ("tree", "/tree/-X---XOOX", stay),
    ("tree-two-levels", "/tree/X---O---X", stay),
    ("run", "/run/O-XX--XOO?algorithm=alpha-beta&step=17", stay),
    ("run-predict", "/run/---XOXXO-?step=9&predict=on", stay),
    ("run-counts", "/run/---------", stay),
    ("proof", "/proof", stay),
    ("learn", "/learn", stay),
    *((f"learn-{n}", f"/learn/{n}", stay) for n in range(1, 15)),
    *((f"learn-{n}-solved", f"/learn/{n}?{query}", stay) for n, query in SOLVED.items()),
    ("practise", "/practise/moves/X---O---X", stay),
    ("practise-wrong", "/practise/moves/X---O---X?p=2", stay),
]
THEMES: tuple[Theme, ...] = ("light", "dark")


def main() -> None:
    with Site().serving() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for name, path, reach in PICTURES:
            page = opened(browser, site, path)
            reach(page)
            for width, height in SCREENS:
                page.set_viewport_size({"width": width, "height": height})
                for theme in THEMES:
                    page.emulate_media(color_scheme=theme)
                    file = f"{name}-{width}x{height}-{theme}.png"
                    shoot(page, ROOT / "screenshots" / file, whole=True)
            page.context.close()
        page = opened(browser, site, "/")
        STATES["lost"](page)
        page.set_viewport_size({"width": 960, "height": 640})
        shoot(page, ROOT / "docs" / "game.png")
        page = opened(browser, site, "/run/O-XX--XOO?algorithm=alpha-beta&step=17")
        page.set_viewport_size({"width": 1120, "height": 840})
        shoot(page, ROOT / "docs" / "tree.png")
        browser.close()


def opened(browser: Browser, site: Site, path: str) -> Page:
    """Open a page as a new person, with the same chances every time and nothing in motion."""
    site.rng.seed(1)
    context = browser.new_context(base_url=site.url, color_scheme="light", reduced_motion="reduce")
    page = context.new_page()
    page.goto(path)
    return page


def shoot(page: Page, file: Path, whole: bool = False) -> None:
    page.mouse.move(0, 0)
    # To hide the caret, Playwright would put style attributes on inputs, which htmx then copies
    # and our Content-Security-Policy reports.
    page.screenshot(path=file, full_page=whole, caret="initial")


if __name__ == "__main__":
    main()
