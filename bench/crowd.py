"""How fast nginx answers a visitor while others request the most expensive page."""

from __future__ import annotations

import asyncio
import ssl
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from itertools import count
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
from bench.web import costs
from tests.client import Player, respell
from tests.deployed import HttpsConnection, behind_nginx
from tests.serving import ROOT
from tools.browsers import find_program

CLICKS = 100  # per player
PAUSE, MAX_SECONDS = 0.05, 30  # seconds between these clicks, and in total


def crowd(revision: str) -> Figures:
    """Measure this version, after printing the figures of a revision if one is given."""
    if not find_program("nginx"):
        print("nginx is not installed")
        return {}
    if revision:
        with checkout(revision) as tree:
            print("\n".join((f"{revision}:", *report_lines(measure(tree)), "here:")), flush=True)
    return measure(ROOT)


def measure(tree: Path) -> Figures:
    """Return the figures of a version of this project."""
    most_expensive = costs(tree)[0].address
    with tempfile.TemporaryDirectory() as folder, behind_nginx(Path(folder), tree=tree) as site:
        port = site.https
        opening_times(port, 1, 8)  # to warm up
        single_times = [percentile(95, opening_times(port, 1, 40)) for _ in range(amount(5))]
        class_times = [percentile(95, opening_times(port, CLASS_SIZE, 1)) for _ in range(amount(5))]
        unloaded = click_times(port)
        with requesting(port, most_expensive, FEW_CONNECTIONS, own_addresses=False):
            loaded_by_few = click_times(port)
        with requesting(port, most_expensive, MANY_CONNECTIONS, own_addresses=False):
            one_address = click_times(port)
        with requesting(port, most_expensive, MANY_CONNECTIONS, own_addresses=True):
            every_address = click_times(port)
    ratios = [many / one for many, one in zip(class_times, single_times, strict=True)]
    baseline = percentile(95, unloaded.milliseconds)
    return {
        "crowd.one": single_times,
        "crowd.class": class_times,
        "crowd.class_times": ratios,
        "crowd.alone": [baseline],
        "crowd.twenty": [percentile(95, loaded_by_few.milliseconds) / baseline],
        "crowd.crowd": [percentile(95, one_address.milliseconds) / baseline],
        "crowd.many": [percentile(95, every_address.milliseconds) / baseline],
        "crowd.failed": [
            sum(
                clicks.failure_count
                for clicks in (unloaded, loaded_by_few, one_address, every_address)
            )
        ],
    }


def percentile(percent: int, times: list[float]) -> float:
    """Return the value that `percent` % of the times do not exceed."""
    return sorted(times)[max(len(times) * percent // 100 - 1, 0)]


def opening_times(port: int, visitors: int, repeats: int) -> list[float]:
    """Let visitors open the game at once, `repeats` times; return the milliseconds each waited.

    A slow line is simulated. Without it, one visitor waits 3 ms, and 40 visitors mostly measure the
    cores that they share.
    """
    barrier = Barrier(visitors)

    def visit(_: int) -> list[float]:
        waits = []
        for _ in range(repeats):
            barrier.wait()
            start_time = time.perf_counter()
            with HttpsConnection(port) as connection:
                time.sleep(2 * LINE_DELAY / 1000)  # to open the connection and start TLS
                connection.connect()
                time.sleep(LINE_DELAY / 1000)
                assert connection.get("/").status == 200
            waits.append((time.perf_counter() - start_time) * 1000)
        return waits

    with ThreadPoolExecutor(visitors) as pool:
        return [
            milliseconds for waits in pool.map(visit, range(visitors)) for milliseconds in waits
        ]


class ClickTimes(NamedTuple):
    """The times of a player's clicks."""

    milliseconds: list[float]
    failure_count: int


def click_times(port: int) -> ClickTimes:
    """Play, and return how long each click took and how many failed."""
    milliseconds, failure_count, deadline = list[float](), 0, time.perf_counter() + MAX_SECONDS
    with HttpsConnection(port) as connection:
        player = Player(connection, Random(1))
        for number in range(amount(CLICKS, 5)):
            time.sleep(PAUSE)
            start_time = time.perf_counter()
            if start_time > deadline:
                break
            try:
                response = player.press() if number else player.new()
                failure_count += response.status != 200
            except (OSError, HTTPException):
                failure_count += 1
                connection.close()
            milliseconds.append((time.perf_counter() - start_time) * 1000)
    return ClickTimes(milliseconds, failure_count)


@contextmanager
def requesting(port: int, page: str, connections: int, own_addresses: bool) -> Iterator[None]:
    """Let other clients request a page within the block, over each connection once per second."""
    args = (port, page, connections, own_addresses)
    process = get_context("spawn").Process(target=request_forever, args=args, daemon=True)
    process.start()
    time.sleep(amount(10))  # until the burst that the rate limit allows has been answered
    try:
        yield
    finally:
        process.terminate()
        process.join()


def request_forever(port: int, page: str, connections: int, own_addresses: bool) -> None:
    """Request pages over all connections until this process is ended."""
    numbers = count()

    def next_page() -> str:
        return respell(vary_address(page, number := next(numbers)), number)

    async def every_address() -> None:
        addresses = [f"127.1.0.{n + 1}" if own_addresses else "" for n in range(connections)]
        await asyncio.gather(*(visit_forever(port, next_page, address) for address in addresses))

    asyncio.run(every_address())


async def visit_forever(port: int, next_page: Callable[[], str], address: str) -> None:
    """Request one page after another, none of which is in nginx's cache."""
    context = ssl._create_unverified_context()
    await asyncio.sleep(Random().random())
    while True:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1",
            port,
            ssl=context,
            server_hostname="localhost",
            local_addr=(address, 0) if address else None,
        )
        try:
            while True:
                request = f"GET {next_page()} HTTP/1.1\r\nHost: localhost\r\n\r\n"
                writer.write(request.encode())
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length: ")[2].split()[0]
                await reader.readexactly(int(length))
                await asyncio.sleep(1)
        except (OSError, EOFError):
            writer.close()  # nginx closes a connection after some number of requests
