"""What axe finds wrong with a page for people who listen, or see little."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.serving import AXE


def violations_in_both_themes(page: Page) -> str:
    """Look for everything in one theme; in the other colours alone can differ."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    in_light = violations(page)
    page.emulate_media(color_scheme="dark")
    return in_light + violations(page, runOnly=["color-contrast"])


def violations(page: Page, **options: Any) -> str:
    """Let axe look at a page; return its report, empty where it finds nothing."""
    page.evaluate("path => import(path).then(() => {})", AXE)
    # Without what it did not find, which takes most of the time.
    results = Axe("null").run(page, options={"resultTypes": ["violations"], **options})
    return str(results.generate_report()) if results.violations_count else ""
