"""How soon a player is answered while a crowd asks for what is dear, behind nginx as deployed."""

from __future__ import annotations

import asyncio
import ssl
import tempfile
import time
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median

from engine.position import Position
from tests.client import Player
from tests.deployed import OverHttps, behind_nginx
from tools.browsers import where

CONNECTIONS, PRESSES, PAUSE = 200, 100, 0.05  # the last in seconds between a player's presses


def presses() -> None:
    """Print how long a player's presses take alone, and beside the crowd."""
    print("\nA player behind nginx, alone and beside 200 connections that ask, from one address,")
    print("each once a second, for pictures, values and the map of perfect play\n")
    if not where("nginx"):
        print("nginx is not here")
        return
    with tempfile.TemporaryDirectory() as folder, behind_nginx(Path(folder)) as site:
        alone = press(site.https)
        print(f"alone {said(alone)}")
        ask = get_context("spawn").Process(target=crowd, args=[site.https], daemon=True)
        ask.start()
        time.sleep(10)  # until what the limit lets through at first is answered
        beside = press(site.https)
        ask.terminate()
    times = at(95, beside) / at(95, alone)
    print(f"beside them {said(beside)}: {times:.1f} times as long, at most 10")


def said(took: list[float]) -> str:
    return f"{median(took):.1f} ms, 95 of 100 in {at(95, took):.1f} ms, all in {max(took):.1f} ms"


def at(percent: int, took: list[float]) -> float:
    """Return milliseconds that this share of the presses did not take longer than."""
    return sorted(took)[len(took) * percent // 100 - 1]


def press(port: int) -> list[float]:
    """Play, and return how many milliseconds each press took."""
    took = []
    with OverHttps(port) as connection:
        player = Player(connection, Random(1))
        player.new()
        for _ in range(PRESSES):
            time.sleep(PAUSE)
            began = time.perf_counter()
            assert player.press().status == 200
            took.append((time.perf_counter() - began) * 1000)
    return took


def crowd(port: int) -> None:
    """Keep all connections asking until this process is ended."""
    asyncio.run(everybody(port))


async def everybody(port: int) -> None:
    numbers = count()
    await asyncio.gather(*(visitor(port, numbers) for _ in range(CONNECTIONS)))


async def visitor(port: int, numbers: count[int]) -> None:
    """Ask for one page after the other, none of which nginx has kept."""
    trusting = ssl._create_unverified_context()
    boards = [Position().play(square) for square in range(9)]
    await asyncio.sleep(Random().random())
    reading, writing = await asyncio.open_connection(
        "127.0.0.1", port, ssl=trusting, server_hostname="localhost"
    )
    while True:
        number = next(numbers)
        pages = (
            f"/picture/{boards[number % 9]}.png?v={number}",
            f"/practise/values?seed={number % 1000}&x={number}",
            f"/proof?x={number}",
        )
        request = f"GET {pages[number % 3]} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        writing.write(request.encode())
        head = await reading.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].split()[0]
        await reading.readexactly(int(length))
        await asyncio.sleep(1)
