"""How fast clicks are answered, beside the least that a Flask route with a session can do."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from statistics import median
from typing import NamedTuple

from app import create_app
from tests import textbook
from tests.client import Connection, Player, play_sessions
from tests.pages import LARGEST, PAGES
from tests.serving import Granian

SECONDS, ROUNDS = 1.5, 5


class Round(NamedTuple):
    """Hold what one round of clicks took: how many a second, and seconds each."""

    rate: float
    moves: list[float]

    def percentile(self, percent: int) -> float:
        """Return milliseconds that this share of the moves did not take longer than."""
        return sorted(self.moves)[len(self.moves) * percent // 100] * 1000


def kinds() -> None:
    """Print what a page of each kind costs to make: the median of processor time, and its size."""
    print(f"\nPages, made and compressed in this process {'ms':>5} {'bytes':>8} {'Brotli':>7}\n")
    client = create_app({"SECRET_KEY": "pages" * 20}).test_client()
    for name, path in {**PAGES, **LARGEST}.items():
        page = client.get(path).data  # the first time its templates are compiled
        sent = client.get(path, headers={"Accept-Encoding": "br"}).data
        times = []
        for _ in range(21):
            began = time.process_time()
            client.get(path, headers={"Accept-Encoding": "br"})
            times.append(time.process_time() - began)
        milliseconds = median(times) * 1000
        bound = ", at most 15 ms and 7,168 bytes" if name in LARGEST else ""
        print(f"{name:40} {milliseconds:>7.2f} {len(page):>8,} {len(sent):>7,}{bound}")


def speed() -> None:
    """Print moves a second and how long they took, and the same of the bare route."""
    print("\nWeb: clicks a second over loopback, the server on one core, the client on another")
    print("Whole games: every POST counts as a click, the times are of POST /move.\n")
    print(f"{'':26} {'bare /s':>8} {'clicks /s':>10} {'ratio':>22} {'p50 ms':>8} {'p99 ms':>14}")
    keep_to(1)
    for threads, connections in ((1, 1), (1, 8), (64, 8)):
        options = ("--no-log", "--blocking-threads", str(threads))
        with (
            Granian(*options, app="bench.bare:create_app", cpu=0) as bare,
            Granian(*options, cpu=0) as ours,
        ):
            rounds = [
                (run(bare.port, connections, visits), run(ours.port, connections, clicks))
                for _ in range(ROUNDS + 1)
            ][1:]  # the first is to warm up
        ratios = sorted(ours.rate / bare.rate for bare, ours in rounds)
        p99 = sorted(ours.percentile(99) for _, ours in rounds)
        print(
            f"{threads:>2} threads, {connections} connections"
            f" {median(bare.rate for bare, _ in rounds):>10.0f}"
            f" {median(ours.rate for _, ours in rounds):>10.0f}"
            f" {median(ratios):>8.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
            f" {median(ours.percentile(50) for _, ours in rounds):>8.2f}"
            f" {median(p99):>5.1f} ({p99[0]:.1f} to {p99[-1]:.1f})"
        )


def scaling() -> None:
    """Print what a second worker adds, server and client sharing the machine's cores."""
    print(f"\nWeb: workers, 8 connections, server and client share {os.cpu_count()} cores\n")
    keep_to(None)
    rates = {}
    for workers in (1, 2):
        with Granian("--no-log", "--workers", str(workers)) as server:
            rounds = [run(server.port, 8, clicks) for _ in range(ROUNDS + 1)][1:]
            rates[workers] = median(one.rate for one in rounds)
    print(f"1 worker {rates[1]:.0f}/s, 2 workers {rates[2]:.0f}/s: {rates[2] / rates[1]:.2f} times")


def start() -> None:
    """Print how soon a server answers, and how much longer its first pages take than later ones."""
    print("\nWeb: a server of two workers from its start\n")
    rounds = [started() for _ in range(ROUNDS)]
    bounds = {
        "answers": ", at most 1,500",
        "first page": ", at most 30 more than a later one",
        "later page": "",
        "first of eight at once": ", at most 30 more than later ones",
        "later eight at once": "",
    }
    for (name, bound), milliseconds in zip(bounds.items(), zip(*rounds, strict=True), strict=True):
        low, *_, high = sorted(milliseconds)
        print(f"{name:24} {median(milliseconds):>7.0f} ms ({low:.0f} to {high:.0f}){bound}")


def started() -> list[float]:
    """Start a server, and return in milliseconds how long each thing took."""
    began = time.perf_counter()
    with Granian("--no-log", "--workers", "2") as server:
        get(server.port, "/healthz")
        up = (time.perf_counter() - began) * 1000
        first, eight = get(server.port, "/"), eight_at_once(server.port)
        later = median(get(server.port, "/") for _ in range(20))
        return [up, first, later, eight, median(eight_at_once(server.port) for _ in range(5))]


def get(port: int, path: str) -> float:
    """Get a page over a new connection, and return how many milliseconds that took."""
    began = time.perf_counter()
    with Connection(port) as connection:
        assert connection.get(path).status == 200
    return (time.perf_counter() - began) * 1000


def eight_at_once(port: int) -> float:
    """Get eight pages at once, and return how many milliseconds the last of them took."""
    with ThreadPoolExecutor(8) as pool:
        return max(pool.map(lambda path: get(port, path), ["/learn/4"] * 8))


def memory(sessions: int = 6_000) -> None:
    """Print how much a server grows while so many players come, play a game and go.

    Then all pages are asked for by 64 names at once, and the pictures of a third of all boards.
    """
    keep_to(None)
    with Granian("--no-log") as server:
        began = server.memory()
        play_sessions(server.port, 4_000, 0)
        before = server.memory()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda seed: play_sessions(server.port, sessions // 2, seed), (1, 2)))
        after = server.memory()
        rounds = []
        for number in range(3):
            with ThreadPoolExecutor(64) as pool:
                list(pool.map(lambda part: everything(server.port, *part), parts(number)))
            rounds.append(server.memory())
    print(f"\nMemory of a worker and its server: {began:.0f} MB at first, {before:.1f} after 4,000")
    print(f"sessions, {after:.1f} after {sessions:,} more; then three times, after all pages by 64")
    print(f"names and 1,800 pictures, {', '.join(f'{size:.0f}' for size in rounds)} MB")


def parts(number: int) -> list[tuple[int, list[str]]]:
    """Return for each of 64 connections a number of its own, and addresses to ask for."""
    pictures = [f"/picture/{board}.png" for board in sorted(textbook.every_board())]
    pages = [*PAGES.values(), *LARGEST.values()] * 16
    asked = Random(number).sample([*pages, *pictures[number::3]], len(pages) + 1_800)
    return [(64 * number + part, asked[part::64]) for part in range(64)]


def everything(port: int, number: int, addresses: list[str]) -> None:
    """Ask for pages by a name that nobody else has asked by."""
    with Connection(port) as connection:
        for address in addresses:
            connection.get(address, Host=f"n{number}.example")


def run(port: int, connections: int, work: Callable[[int, int, float], Round]) -> Round:
    """Let so many clients work at the same time, and add up what they did."""
    end = time.perf_counter() + SECONDS
    with ThreadPoolExecutor(connections) as pool:
        done = list(pool.map(lambda seed: work(port, seed, end), range(connections)))
    return Round(sum(one.rate for one in done), [move for one in done for move in one.moves])


def visits(port: int, _: int, end: float) -> Round:
    """Visit the bare route over and over, with a form as large as a click's."""
    times = []
    with Connection(port) as connection:
        while (began := time.perf_counter()) < end:
            assert connection.post("/", "position=---------&stamp=00000000&square=0").status == 200
            times.append(time.perf_counter() - began)
    return Round(len(times) / SECONDS, times)


def clicks(port: int, seed: int, end: float) -> Round:
    """Play whole games, with new opponents and marks between them."""
    times, new = [], 0
    with Connection(port) as connection:
        player = Player(connection, Random(seed))
        while (began := time.perf_counter()) < end:
            over = player.over
            assert player.press().status == 200
            if over:
                new += 1
            else:
                times.append(time.perf_counter() - began)
    return Round((len(times) + new) / SECONDS, times)


def keep_to(cpu: int | None) -> None:
    """Keep this process to one core, or none in particular, where the system can do that."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(0, range(os.cpu_count() or 1) if cpu is None else {cpu})
