"""One server and one Chromium for all browser tests; each test is a new visitor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from tests.browser.person import Screen, resize
from tests.client import COOKIE
from tests.serving import Site
from tools.browsers import launch_options
from web.play.game import Game

Visit = Callable[..., Page]
# Waits cost nothing while all is well.
expect.set_options(timeout=30_000)

Motion = Literal["reduce", "no-preference"]
# Any other host is nowhere, so that a page which asks for one is heard of.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    options = launch_options()
    return {**browser_type_launch_args, **options, "args": [*options["args"], ALONE]}


@pytest.fixture(scope="session")
def only_site() -> Iterator[Site]:
    with Site().serving() as site:
        yield site


@pytest.fixture(scope="session")
def base_url(only_site: Site) -> str:
    return only_site.url


@pytest.fixture
def site(only_site: Site) -> Site:
    """Give every test the same chances, whatever ran before."""
    only_site.rng.seed(1)
    return only_site


@pytest.fixture(scope="session")
def heard() -> list[str]:
    return []


@pytest.fixture
def troubles(heard: list[str]) -> Iterator[list[str]]:
    """Collect what console and network complain about; a test that provokes it forgives it."""
    heard.clear()
    yield heard
    assert not heard


def forgive(troubles: list[str], reason: str) -> None:
    """Accept the troubles so far, which are there, and all this one and what htmx says of it."""
    assert any(reason in trouble for trouble in troubles), troubles
    assert all(reason in trouble or "htmx:" in trouble for trouble in troubles), troubles
    troubles.clear()


def listen(context: BrowserContext, heard: list[str]) -> None:
    def hear(message: ConsoleMessage) -> None:
        # A press that takes the place of another ends it, which htmx calls an error.
        ended = message.text.startswith(("htmx:sendAbort", "htmx:afterRequest"))
        if message.type in ("error", "warning") and not ended:
            heard.append(f"console: {message.text}")

    def miss(request: Request) -> None:
        # Aborted is what the browser itself gave up, because the page was left.
        if request.failure != "net::ERR_ABORTED":
            heard.append(f"network: {request.failure} of {request.url}")

    context.set_default_timeout(30_000)
    context.on("console", hear)
    context.on("requestfailed", miss)
    context.on("weberror", lambda error: heard.append(f"script: {error.error}"))


def sit_down(page: Page, site: Site, game: Game) -> None:
    """Make the visitor of a page a player in the middle of `game`."""
    cookie = site.cookie(game)
    page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": site.url}])


class Tabs:
    """Keep a browser for each kind of settings, and its tabs: new ones take four times as long."""

    def __init__(self, browser: Browser, url: str, heard: list[str]) -> None:
        self._browser, self._url, self._heard = browser, url, heard
        self._contexts: dict[str, BrowserContext] = {}
        self._tabs: dict[str, Page] = {}
        self._used: set[BrowserContext] = set()

    def context(self, **settings: Any) -> BrowserContext:
        """Open a browser of its own, which knows no page and no person yet."""
        context = self._browser.new_context(base_url=self._url, **settings)
        listen(context, self._heard)
        return context

    def tab(
        self,
        name: str = "",
        screen: Screen = (1280, 720),
        motion: Motion = "reduce",
        **settings: Any,
    ) -> Page:
        """Return the tab of that name in the browser with those settings, at rest."""
        kind = repr(settings)
        if kind not in self._contexts:
            self._contexts[kind] = self.context(**settings)
        if name + kind not in self._tabs:
            self._tabs[name + kind] = self._contexts[kind].new_page()
        tab = self._tabs[name + kind]
        self._used.add(tab.context)
        tab.mouse.move(0, 0)
        resize(tab, screen)
        tab.emulate_media(
            media="null", color_scheme="light", reduced_motion=motion, forced_colors="none"
        )
        return tab

    def forget(self) -> None:
        """Make the next visitor a new person, online."""
        while self._used:
            context = self._used.pop()
            context.clear_cookies()
            context.set_offline(False)


@pytest.fixture(scope="session")
def tabs(browser: Browser, base_url: str, heard: list[str]) -> Tabs:
    return Tabs(browser, base_url, heard)


@pytest.fixture
def motion() -> Motion:
    """Ask for less motion, and each turn is there at once; a test that is `moving` does not."""
    return "reduce"


moving = pytest.mark.parametrize("motion", ["no-preference"])


@pytest.fixture
def visit(site: Site, tabs: Tabs, troubles: list[str], motion: Motion) -> Iterator[Visit]:
    """Open a page as a new person, or in the middle of `game`, in a tab.

    The tab's browser can be given settings; if it is to be `new`, it is one of its own.
    """
    tabs.forget()
    opened: list[BrowserContext] = []

    def visit(
        path: str = "/",
        game: Game | None = None,
        tab: str = "",
        new: bool = False,
        **settings: Any,
    ) -> Page:
        if new:
            opened.append(tabs.context(reduced_motion=motion, **settings))
        page = opened[-1].new_page() if new else tabs.tab(tab, motion=motion, **settings)
        if game:
            sit_down(page, site, game)
        page.goto(path)
        return page

    yield visit
    for context in opened:
        context.close()


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit()
