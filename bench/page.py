"""The size and speed of the first page, in Chromium with a slow line and a slow processor."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench.effort import amount
from bench.rows import Figures
from tests.serving import Granian
from tools.browsers import launch_options
from web.http.files import read_files

ROUNDS = 3
SLOW_LINE = {
    "offline": False,
    "latency": 150,  # milliseconds, round trip
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 1.6e6 / 8,
}
CPU_SLOWDOWN = 4

OBSERVE = """() => {
    window.seen = {lcp: 0, cls: 0, inp: 0}
    const observe = (type, take, more = {}) => new PerformanceObserver(list =>
        list.getEntries().forEach(take)).observe({type, buffered: true, ...more})
    observe("largest-contentful-paint", entry => seen.lcp = entry.startTime)
    observe("layout-shift", entry => { if (!entry.hadRecentInput) seen.cls += entry.value })
    observe("event", entry => {
        if (entry.interactionId) seen.inp = Math.max(seen.inp, entry.duration)
    }, {durationThreshold: 16})
}"""


SCRIPTS = "board.js", "study.js"  # ours; a page requests one of them


def page() -> Figures:
    """Measure bytes, requests, paint, clicks and layout shifts of the first page and a game."""
    with Granian("--no-log") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        visits = [measure(browser, server.url) for _ in range(amount(ROUNDS))]
        browser.close()
    files = read_files(Path("static"))
    scripts = sum(len(gzip.compress(files[name])) for name in SCRIPTS)
    visit_figures = {f"page.{name}": [figures[name] for figures in visits] for name in visits[0]}
    return {**visit_figures, "page.scripts": [scripts]}


def measure(browser: Browser, url: str) -> dict[str, float]:
    """Return the figures of a new visitor who opens the page and plays a game."""
    tab = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    devtools = tab.context.new_cdp_session(tab)
    body_sizes: dict[str, float] = {}
    devtools.on(
        "Network.loadingFinished", lambda event: save_size(body_sizes, event["requestId"], event)
    )
    head_sizes: dict[str, float] = {}
    devtools.on(
        "Network.responseReceived",
        lambda event: save_size(head_sizes, event["requestId"], event["response"]),
    )
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW_LINE)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    tab.add_init_script(f"({OBSERVE})()")
    tab.goto(url, wait_until="networkidle")
    load = {
        "kilobytes": sum(size - head_sizes.get(key, 0) for key, size in body_sizes.items()) / 1024,
        "requests": float(len(body_sizes)),
    }
    while tab.locator(".cell[name]").count():
        with tab.expect_response("**/move"):
            tab.locator(".cell[name]").first.click()
        tab.wait_for_timeout(700)  # for animations to end, and observers to be notified
    seen: dict[str, float] = tab.evaluate("() => seen")
    tab.context.close()
    return {**load, "paint": seen["lcp"], "click": seen["inp"], "shift": seen["cls"]}


def save_size(sizes: dict[str, float], request: str, event: dict[str, Any]) -> None:
    sizes[request] = event["encodedDataLength"]
