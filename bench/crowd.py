"""How soon a visitor behind nginx is answered while others request the most expensive page."""

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
from bench.effort import rounds
from bench.kinds import another
from bench.rows import CLASS, CROWD, FEW, LINE, Figures, lines
from bench.web import costs
from tests.client import Player, spelled
from tests.deployed import OverHttps, behind_nginx
from tests.serving import ROOT
from tools.browsers import where

PRESSES, PAUSE, LONGEST = 100, 0.05, 30  # of a player: how many, seconds between, seconds in all


def crowd(revision: str) -> Figures:
    """Measure this version, after printing the same of a revision where one is given."""
    if not where("nginx"):
        print("nginx is not here")
        return {}
    if revision:
        with checkout(revision) as tree:
            print("\n".join((f"{revision}:", *lines(measured(tree)), "here:")), flush=True)
    return measured(ROOT)


def measured(tree: Path) -> Figures:
    """Return the figures of a version of this project."""
    dearest = costs(tree)[0].address
    with tempfile.TemporaryDirectory() as folder, behind_nginx(Path(folder), tree=tree) as site:
        port = site.https
        opened(port, 1, 8)  # to warm up
        one = [at(95, opened(port, 1, 40)) for _ in range(rounds(5))]
        many = [at(95, opened(port, CLASS, 1)) for _ in range(rounds(5))]
        alone = press(port)
        with asking(port, dearest, FEW, own_addresses=False):
            twenty = press(port)
        with asking(port, dearest, CROWD, own_addresses=False):
            beside = press(port)
        with asking(port, dearest, CROWD, own_addresses=True):
            everybody = press(port)
    times = [of_class / of_one for of_class, of_one in zip(many, one, strict=True)]
    usual = at(95, alone.took)
    return {
        "crowd.one": one,
        "crowd.class": many,
        "crowd.class_times": times,
        "crowd.alone": [usual],
        "crowd.twenty": [at(95, twenty.took) / usual],
        "crowd.crowd": [at(95, beside.took) / usual],
        "crowd.many": [at(95, everybody.took) / usual],
        "crowd.failed": [sum(it.failed for it in (alone, twenty, beside, everybody))],
    }


def at(percent: int, took: list[float]) -> float:
    """Return a percentile."""
    return sorted(took)[max(len(took) * percent // 100 - 1, 0)]


def opened(port: int, visitors: int, times: int) -> list[float]:
    """Let visitors open the game at once, several times; return how many ms each waited.

    Without a line, one takes 3 ms, and 40 at once mostly measure the two cores they share.
    """
    together = Barrier(visitors)

    def visit(_: int) -> list[float]:
        took = []
        for _ in range(times):
            together.wait()
            began = time.perf_counter()
            with OverHttps(port) as connection:
                time.sleep(2 * LINE / 1000)  # to open the connection, and TLS's
                connection.connect()
                time.sleep(LINE / 1000)
                assert connection.get("/").status == 200
            took.append((time.perf_counter() - began) * 1000)
        return took

    with ThreadPoolExecutor(visitors) as pool:
        return [one for found in pool.map(visit, range(visitors)) for one in found]


class Pressed(NamedTuple):
    """How many milliseconds each press of a player took, and how many failed."""

    took: list[float]
    failed: int


def press(port: int) -> Pressed:
    """Play, and return how the presses were answered."""
    took, failed, end = list[float](), 0, time.perf_counter() + LONGEST
    with OverHttps(port) as connection:
        player = Player(connection, Random(1))
        for number in range(rounds(PRESSES, 5)):
            time.sleep(PAUSE)
            began = time.perf_counter()
            if began > end:
                break
            try:
                answer = player.press() if number else player.new()
                failed += answer.status != 200
            except (OSError, HTTPException):
                failed += 1
                connection.close()
            took.append((time.perf_counter() - began) * 1000)
    return Pressed(took, failed)


@contextmanager
def asking(port: int, page: str, connections: int, own_addresses: bool) -> Iterator[None]:
    """Let others ask for a page all the while, each connection once a second."""
    given = (port, page, connections, own_addresses)
    process = get_context("spawn").Process(target=ask, args=given, daemon=True)
    process.start()
    time.sleep(rounds(10))  # until what the limit lets through at first is answered
    try:
        yield
    finally:
        process.terminate()
        process.join()


def ask(port: int, page: str, connections: int, own_addresses: bool) -> None:
    """Keep all connections asking until this process is ended."""
    numbers = count()

    def next_page() -> str:
        return spelled(another(page, number := next(numbers)), number)

    async def everybody() -> None:
        addresses = [f"127.1.0.{n + 1}" if own_addresses else "" for n in range(connections)]
        await asyncio.gather(*(visitor(port, next_page, address) for address in addresses))

    asyncio.run(everybody())


async def visitor(port: int, next_page: Callable[[], str], address: str) -> None:
    """Ask for one page after the other, none of which nginx has kept."""
    trusting = ssl._create_unverified_context()
    await asyncio.sleep(Random().random())
    while True:
        reading, writing = await asyncio.open_connection(
            "127.0.0.1",
            port,
            ssl=trusting,
            server_hostname="localhost",
            local_addr=(address, 0) if address else None,
        )
        try:
            while True:
                request = f"GET {next_page()} HTTP/1.1\r\nHost: localhost\r\n\r\n"
                writing.write(request.encode())
                head = await reading.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length: ")[2].split()[0]
                await reading.readexactly(int(length))
                await asyncio.sleep(1)
        except (OSError, EOFError):
            writing.close()  # nginx ends a connection after some requests
