"""How fast the site answers behind nginx: a class at once, and a player beside costly requests."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from itertools import chain, count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from threading import Barrier
from typing import NamedTuple

from bench.clicks import checkout
from bench.effort import amount
from bench.page_costs import vary_address
from bench.rows import (
    CLASS_SIZE,
    FEW_CONNECTIONS,
    LINE_DELAY,
    MANY_CONNECTIONS,
    Figures,
    report_lines,
)
from bench.web import rank_pages
from tests.client import Player, respell
from tests.deployed import UNVERIFIED_TLS, HttpsConnection, running_site
from tests.serving import ROOT
from tools.browsers import find_program

CLICK_COUNT = 100
CLICK_PAUSE = 0.05  # seconds before each click
MAX_SECONDS = 30  # for all clicks; any clicks that are left are skipped


def measure_crowd(revision: str) -> Figures:
    """Return the figures of this version; if a revision is given, print its figures first."""
    if not find_program("nginx"):
        print("nginx is not installed")
        return {}
    if revision:
        with checkout(revision) as tree:
            print("\n".join((f"{revision}:", *report_lines(measure(tree)), "here:")), flush=True)
    return measure(ROOT)


def measure(tree: Path) -> Figures:
    """Return the figures of a checkout of this project."""
    page = rank_pages(tree)[0].address
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder), tree=tree) as site:
        port = site.https_port
        load_times(port, 1, 8)  # to warm up
        single_times = [percentile(95, load_times(port, 1, 40)) for _ in range(amount(5))]
        class_times = [percentile(95, load_times(port, CLASS_SIZE, 1)) for _ in range(amount(5))]
        clicks_alone = click_times(port)
        with background_requests(port, page, FEW_CONNECTIONS, has_own_addresses=False):
            clicks_beside_few = click_times(port)
        with background_requests(port, page, MANY_CONNECTIONS, has_own_addresses=False):
            clicks_beside_one_address = click_times(port)
        with background_requests(port, page, MANY_CONNECTIONS, has_own_addresses=True):
            clicks_beside_own_addresses = click_times(port)
    class_ratios = [
        class_time / single_time
        for class_time, single_time in zip(class_times, single_times, strict=True)
    ]
    baseline = percentile(95, clicks_alone.milliseconds)
    all_clicks = (
        clicks_alone,
        clicks_beside_few,
        clicks_beside_one_address,
        clicks_beside_own_addresses,
    )
    return {
        "crowd.one": single_times,
        "crowd.class": class_times,
        "crowd.class_ratio": class_ratios,
        "crowd.alone": [baseline],
        "crowd.few": [percentile(95, clicks_beside_few.milliseconds) / baseline],
        "crowd.one_address": [percentile(95, clicks_beside_one_address.milliseconds) / baseline],
        "crowd.own_addresses": [
            percentile(95, clicks_beside_own_addresses.milliseconds) / baseline
        ],
        "crowd.failed": [sum(clicks.failure_count for clicks in all_clicks)],
    }


def percentile(percent: int, times: list[float]) -> float:
    """Return the time that `percent` percent of the times do not exceed."""
    return sorted(times)[max(len(times) * percent // 100 - 1, 0)]


def load_times(port: int, visitor_count: int, repeat_count: int) -> list[float]:
    """Let visitors open the game at once, repeatedly; return the milliseconds of each wait.

    A slow line is simulated. Without it, one visitor would wait 3 ms, and the times of 40 visitors
    would depend mostly on the cores that they share.
    """
    barrier = Barrier(visitor_count)

    def visit(_: int) -> list[float]:
        milliseconds = []
        for _ in range(repeat_count):
            barrier.wait()
            start_time = time.perf_counter()
            with HttpsConnection(port) as connection:
                time.sleep(2 * LINE_DELAY / 1000)  # to open the connection and start TLS
                connection.connect()
                time.sleep(LINE_DELAY / 1000)
                assert connection.get("/").status == 200
            milliseconds.append((time.perf_counter() - start_time) * 1000)
        return milliseconds

    with ThreadPoolExecutor(visitor_count) as pool:
        return [*chain.from_iterable(pool.map(visit, range(visitor_count)))]


class ClickTimes(NamedTuple):
    """How long a player's clicks took, and how many of them failed."""

    milliseconds: list[float]  # of each click, failed or not
    failure_count: int


def click_times(port: int) -> ClickTimes:
    """Play as one visitor, and return how long each click took and how many failed."""
    milliseconds, failure_count, deadline = list[float](), 0, time.perf_counter() + MAX_SECONDS
    with HttpsConnection(port) as connection:
        player = Player(connection, Random(1))
        for number in range(amount(CLICK_COUNT, 5)):
            time.sleep(CLICK_PAUSE)
            start_time = time.perf_counter()
            if start_time > deadline:
                break
            try:
                # The first click starts a game, because the player has not seen a page yet.
                response = player.press() if number else player.start_game()
                failure_count += response.status != 200
            except (OSError, HTTPException):
                failure_count += 1
                connection.close()
            milliseconds.append((time.perf_counter() - start_time) * 1000)
    return ClickTimes(milliseconds, failure_count)


@contextmanager
def background_requests(
    port: int, page: str, connection_count: int, has_own_addresses: bool
) -> Iterator[None]:
    """Within the block, let other clients request a page, over each connection once per second.

    If `has_own_addresses`, each connection comes from its own IP address.
    """
    args = (port, page, connection_count, has_own_addresses)
    process = get_context("spawn").Process(target=request_forever, args=args, daemon=True)
    process.start()
    time.sleep(amount(10))  # until the burst that the rate limit allows has been answered
    try:
        yield
    finally:
        process.terminate()
        process.join()


def request_forever(port: int, page: str, connection_count: int, has_own_addresses: bool) -> None:
    """Request variations of a page over all connections until this process is ended."""
    # Each number gives another variation, and none of them is in nginx's cache.
    variations = (respell(vary_address(page, number), number) for number in count())
    ip_addresses = [f"127.1.0.{n + 1}" for n in range(connection_count)]

    async def use_all_connections() -> None:
        clients = (
            request_in_turn(port, variations, ip_address if has_own_addresses else None)
            for ip_address in ip_addresses
        )
        await asyncio.gather(*clients)

    asyncio.run(use_all_connections())


async def request_in_turn(port: int, variations: Iterator[str], ip_address: str | None) -> None:
    """Request the next variation once per second; without an IP address, from the usual one."""
    await asyncio.sleep(Random().random())  # so that the connections do not all send at once
    while True:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1",
            port,
            ssl=UNVERIFIED_TLS,
            server_hostname="localhost",
            local_addr=(ip_address, 0) if ip_address else None,
        )
        try:
            while True:
                request = f"GET {next(variations)} HTTP/1.1\r\nHost: localhost\r\n\r\n"
                writer.write(request.encode())
                response_head = await reader.readuntil(b"\r\n\r\n")
                length = response_head.lower().partition(b"content-length: ")[2].split()[0]
                await reader.readexactly(int(length))
                await asyncio.sleep(1)
        except (OSError, EOFError):
            writer.close()  # nginx closes each connection after a number of requests
