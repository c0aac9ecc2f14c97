"""One server and one Chromium for all browser tests; a new person, with no cookie, for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

from tests.serving import Site
from tools.browsers import launch_options

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **launch_options()}


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
        if message.type in ("error", "warning"):
            heard.append(f"console: {message.text}")

    def see(request: Request) -> None:
        if urlsplit(request.url).hostname != "127.0.0.1":
            heard.append(f"another host: {request.url}")

    def miss(request: Request) -> None:
        # Aborted is what the browser itself gave up, because the page was left.
        if request.failure != "net::ERR_ABORTED":
            heard.append(f"network: {request.failure}")

    context.set_default_timeout(5000)
    context.on("console", hear)
    context.on("request", see)
    context.on("requestfailed", miss)
    context.on("weberror", lambda error: heard.append(f"script: {error.error}"))


@pytest.fixture(scope="session")
def only_context(browser: Browser, base_url: str, heard: list[str]) -> BrowserContext:
    """Open what most tests share, and a page that stays.

    A context or a window of its own for each would take Chromium twice the time.
    """
    context = browser.new_context(base_url=base_url)
    context.new_page().goto("/")
    listen(context, heard)
    return context


@pytest.fixture
def context(only_context: BrowserContext) -> Iterator[BrowserContext]:
    only_context.clear_cookies()
    yield only_context
    for page in only_context.pages[1:]:
        page.close()


@pytest.fixture
def visit(
    site: Site,
    context: BrowserContext,
    new_context: Callable[..., BrowserContext],
    troubles: list[str],
) -> Visit:
    """Open the game as a new person, whose browser can be given settings."""

    def visit(path: str = "/", **settings: Any) -> Page:
        own = context
        if settings:
            own = new_context(**settings)
            listen(own, troubles)
        page = own.new_page()
        page.goto(path)
        return page

    return visit


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit()
