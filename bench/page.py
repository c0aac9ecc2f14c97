"""The size and speed of the first page and a game, on a slow connection and a slow processor."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, sync_playwright

from bench.effort import amount
from bench.rows import Figures
from tests.serving import Granian
from tools.browsers import launch_options
from web.http.files import read_files

ROUNDS = 3
SLOW_CONNECTION = {
    "offline": False,
    "latency": 150,  # milliseconds, round trip
    "downloadThroughput": 1.6e6 / 8,  # bytes per second
    "uploadThroughput": 1.6e6 / 8,
}
CPU_SLOWDOWN = 4  # how many times slower than this machine

# Keeps the largest contentful paint (ms), the cumulative layout shift and the slowest interaction
# (ms) in `vitals`.
OBSERVE_VITALS = """() => {
    window.vitals = {lcp: 0, cls: 0, inp: 0}
    const observe = (type, handleEntry, options = {}) => new PerformanceObserver(list =>
        list.getEntries().forEach(handleEntry)).observe({type, buffered: true, ...options})
    observe("largest-contentful-paint", entry => vitals.lcp = entry.startTime)
    observe("layout-shift", entry => { if (!entry.hadRecentInput) vitals.cls += entry.value })
    observe("event", entry => {
        if (entry.interactionId) vitals.inp = Math.max(vitals.inp, entry.duration)
    }, {durationThreshold: 16})
}"""

SCRIPTS = "board.js", "study.js"  # ours; a page requests one of them


def measure_page() -> Figures:
    """Measure bytes, requests, paint, clicks and layout shifts of the first page and a game."""
    with Granian("--no-log") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        visits = [measure_visit(browser, server.url) for _ in range(amount(ROUNDS))]
        browser.close()
    files = read_files(Path("static"))
    script_bytes = sum(len(gzip.compress(files[name])) for name in SCRIPTS)
    visit_figures = {f"page.{name}": [visit[name] for visit in visits] for name in visits[0]}
    return {**visit_figures, "page.scripts": [script_bytes]}


def measure_visit(browser: Browser, url: str) -> dict[str, float]:
    """Return the figures of a new visitor who opens the page and plays a game."""
    tab = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    devtools = tab.context.new_cdp_session(tab)
    transfers = Transfers(devtools)
    devtools.send("Network.emulateNetworkConditions", SLOW_CONNECTION)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    tab.add_init_script(f"({OBSERVE_VITALS})()")
    tab.goto(url, wait_until="networkidle")
    load = {"kilobytes": transfers.kilobytes, "requests": float(transfers.request_count)}
    while tab.locator(".cell[name]").count():
        with tab.expect_response("**/move"):
            tab.locator(".cell[name]").first.click()
        tab.wait_for_timeout(700)  # for animations to end, and observers to be notified
    vitals: dict[str, float] = tab.evaluate("() => vitals")
    tab.context.close()
    return {**load, "paint": vitals["lcp"], "click": vitals["inp"], "shift": vitals["cls"]}


class Transfers:
    """The sizes of the responses that a tab receives, as its DevTools report them."""

    def __init__(self, devtools: CDPSession) -> None:
        self._head_bytes: dict[str, float] = {}  # by request
        self._total_bytes: dict[str, float] = {}  # of the head and the body
        devtools.on("Network.responseReceived", self._save_head_size)
        devtools.on("Network.loadingFinished", self._save_total_size)
        devtools.send("Network.enable")

    def _save_head_size(self, event: dict[str, Any]) -> None:
        self._head_bytes[event["requestId"]] = event["response"]["encodedDataLength"]

    def _save_total_size(self, event: dict[str, Any]) -> None:
        self._total_bytes[event["requestId"]] = event["encodedDataLength"]

    @property
    def kilobytes(self) -> float:
        """The size of all bodies, compressed."""
        body_bytes = (
            size - self._head_bytes.get(request, 0) for request, size in self._total_bytes.items()
        )
        return sum(body_bytes) / 1024

    @property
    def request_count(self) -> int:
        """The number of requests that have been answered in full."""
        return len(self._total_bytes)
