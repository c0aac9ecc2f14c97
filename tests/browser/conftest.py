"""One server and one Chromium for all browser tests of a process; each test is a new visitor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from tests.browser.person import DESKTOP, Screen, resize, set_media
from tests.client import COOKIE
from tests.serving import Site
from tools.browsers import launch_options
from web.play.game import Game

Visit = Callable[..., Page]
# A long timeout costs nothing if all is well.
expect.set_options(timeout=30_000)

Motion = Literal["reduce", "no-preference"]
# Requests to other hosts fail, so that a page which makes one is noticed.
NO_OTHER_HOST = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    options = launch_options()
    return {**browser_type_launch_args, **options, "args": [*options["args"], NO_OTHER_HOST]}


@pytest.fixture(scope="session")
def only_site() -> Iterator[Site]:
    with Site().serving() as site:
        yield site


@pytest.fixture(scope="session")
def base_url(only_site: Site) -> str:
    return only_site.url


@pytest.fixture
def site(only_site: Site) -> Site:
    """The site, with the same random numbers for every test."""
    only_site.rng.seed(1)
    return only_site


@pytest.fixture(scope="session")
def error_log() -> list[str]:
    return []


@pytest.fixture
def browser_errors(error_log: list[str]) -> Iterator[list[str]]:
    """The errors of scripts, console and network; a test that provokes some must forgive them."""
    error_log.clear()
    yield error_log
    assert not error_log


def forgive(browser_errors: list[str], reason: str) -> None:
    """Clear the errors, which must all have this reason or be htmx messages about it."""
    assert any(reason in error for error in browser_errors), browser_errors
    assert all(reason in error or "htmx:" in error for error in browser_errors), browser_errors
    browser_errors.clear()


def record_errors(context: BrowserContext, error_log: list[str]) -> None:
    def record_message(message: ConsoleMessage) -> None:
        # A click that replaces another aborts it, which htmx reports as an error.
        is_replaced = message.text.startswith(("htmx:sendAbort", "htmx:afterRequest"))
        if message.type in ("error", "warning") and not is_replaced:
            error_log.append(f"console: {message.text}")

    def record_failure(request: Request) -> None:
        # The browser aborts requests of a page that is left.
        if request.failure != "net::ERR_ABORTED":
            error_log.append(f"network: {request.failure} of {request.url}")

    context.set_default_timeout(30_000)
    context.on("console", record_message)
    context.on("requestfailed", record_failure)
    context.on("weberror", lambda error: error_log.append(f"script: {error.error}"))


def enter_game(page: Page, site: Site, game: Game) -> None:
    """Put the visitor of a page into the middle of `game`."""
    cookie = site.cookie(game)
    page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": site.url}])


class Tabs:
    """Browser contexts and tabs to reuse, by settings; new ones take four times as long."""

    def __init__(self, browser: Browser, url: str, error_log: list[str]) -> None:
        self._browser, self._url, self._error_log = browser, url, error_log
        self._contexts: dict[str, BrowserContext] = {}
        self._tabs: dict[str, Page] = {}
        self._used: set[BrowserContext] = set()

    def context(self, **settings: Any) -> BrowserContext:
        """Return a new browser context, without a cache or cookies."""
        context = self._browser.new_context(base_url=self._url, **settings)
        record_errors(context, self._error_log)
        return context

    def tab(
        self,
        name: str = "",
        screen: Screen = DESKTOP,
        motion: Motion = "reduce",
        **settings: Any,
    ) -> Page:
        """Return the tab with a name in the context with these settings, reset."""
        context_key = repr(settings)
        if context_key not in self._contexts:
            self._contexts[context_key] = self.context(**settings)
        tab_key = name + context_key
        if tab_key not in self._tabs:
            self._tabs[tab_key] = self._contexts[context_key].new_page()
        tab = self._tabs[tab_key]
        self._used.add(tab.context)
        tab.mouse.move(0, 0)
        resize(tab, screen)
        set_media(
            tab, media="null", color_scheme="light", reduced_motion=motion, forced_colors="none"
        )
        return tab

    def forget(self) -> None:
        """Make the next visitor a new person who is online."""
        while self._used:
            context = self._used.pop()
            context.clear_cookies()
            context.set_offline(False)


@pytest.fixture(scope="session")
def tabs(browser: Browser, base_url: str, error_log: list[str]) -> Tabs:
    return Tabs(browser, base_url, error_log)


@pytest.fixture
def motion() -> Motion:
    """Reduced motion, so that replies appear at once, except in tests marked `moving`."""
    return "reduce"


moving = pytest.mark.parametrize("motion", ["no-preference"])


@pytest.fixture
def visit(site: Site, tabs: Tabs, browser_errors: list[str], motion: Motion) -> Iterator[Visit]:
    """A function that opens a page in a tab, as a new person or in the middle of `game`.

    It takes settings of the browser context; `new` opens a context of its own.
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
            enter_game(page, site, game)
        page.goto(path)
        return page

    yield visit
    for context in opened:
        context.close()


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit()
