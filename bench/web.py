"""How fast the server answers, compared with the simplest Flask route that has a session."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from bench import page_costs
from bench.effort import amount
from bench.rows import HOST_COUNT, Figures
from tests.client import Connection, Player
from tests.pages import LARGEST, PAGES
from tests.serving import ROOT, Granian
from web.view.previews import shared_boards

ROUNDS = 5
PICTURE = "/picture/X---O----.png"
ADDRESSES = (*PAGES.values(), *LARGEST.values(), PICTURE)  # and all pages that these link to


def measure() -> Figures:
    """Measure startup, clicks and pages."""
    return {**start(), **speed(), **pages()}


def pages() -> Figures:
    """Return the cost of the largest searches, a picture and the most expensive page."""
    ranking = costs(ROOT)
    by_address = {page.address: page for page in ranking}
    largest = [by_address[address] for address in LARGEST.values()]
    return {
        "web.largest": [max(page.milliseconds for page in largest)],
        "web.largest_bytes": [max(page.byte_count for page in largest)],
        "web.picture": [by_address[PICTURE].milliseconds],
        "web.most_expensive": [ranking[0].milliseconds],
        "web.most_expensive_address": f"`{ranking[0].address}`",
    }


def costs(tree: Path) -> Sequence[page_costs.Page]:
    """Return what each page of a version of this project costs, the most expensive first."""
    process = subprocess.run(
        [tree / ".venv/bin/python", "-P", page_costs.__file__],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        input=json.dumps(ADDRESSES).encode(),
        stdout=subprocess.PIPE,
    )
    return [page_costs.Page(*page) for page in json.loads(process.stdout)]


def speed() -> Figures:
    """Return clicks per second over loopback, with server and client on separate cores."""
    pin_to_core(1)
    rates: dict[str, list[float]] = {}
    for key, threads, connections in (("web.one", 1, 1), ("web.many", 64, 8)):
        options = ("--no-log", "--blocking-threads", str(threads))
        with (
            Granian(*options, app="bench.bare:create_app", cpu=0) as bare,
            Granian(*options, cpu=0) as ours,
        ):
            rate(bare.port, connections, visit_bare_app)  # to warm up
            rate(ours.port, connections, play_clicks)
            for _ in range(amount(ROUNDS)):
                bare_rate = rate(bare.port, connections, visit_bare_app)
                our_rate = rate(ours.port, connections, play_clicks)
                rates.setdefault(key, []).append(our_rate)
                rates.setdefault(f"{key}.relative", []).append(our_rate / bare_rate)
    pin_to_core(None)
    workers = []
    for number in ("1", "2"):
        with Granian("--no-log", "--workers", number) as server:
            rate(server.port, 8, play_clicks)
            workers.append(median(rate(server.port, 8, play_clicks) for _ in range(amount(ROUNDS))))
    return {
        "web.one": rates["web.one"],
        "web.many": rates["web.many"],
        "web.bare": rates["web.one.relative"],
        "web.workers": [workers[1] / workers[0]],
        "web.players": [10 * rate for rate in rates["web.many"]],
    }


def start() -> Figures:
    """Return how soon a server answers, and how much longer first pages take than later ones."""
    startups = [startup_times() for _ in range(amount(ROUNDS))]
    return {key: [figures[key] for figures in startups] for key in startups[0]}


def startup_times() -> dict[str, float]:
    """Start a server, and return the milliseconds of its first answer and first pages."""
    start_time = time.perf_counter()
    with Granian("--no-log", "--workers", "2") as server:
        time_request(server.port, "/healthz")
        startup = (time.perf_counter() - start_time) * 1000
        first, eight = time_request(server.port, "/"), time_eight_requests(server.port)
        later = median(time_request(server.port, "/") for _ in range(20))
        eight_later = median(time_eight_requests(server.port) for _ in range(5))
        return {
            "web.start": startup,
            "web.first": first - later,
            "web.eight": eight - eight_later,
        }


def time_request(port: int, path: str) -> float:
    """Request a page over a new connection, and return the milliseconds that it took."""
    start_time = time.perf_counter()
    with Connection(port) as connection:
        assert connection.get(path).status == 200
    return (time.perf_counter() - start_time) * 1000


def time_eight_requests(port: int) -> float:
    """Request eight pages at once, and return the milliseconds that the last one took."""
    with ThreadPoolExecutor(8) as pool:
        return max(pool.map(lambda path: time_request(port, path), ["/learn/4"] * 8))


def memory() -> Figures:
    """Return the memory of a server with two workers, at first and after all pages.

    All pages and pictures are requested under different host names at once.
    """
    with Granian("--no-log", "--workers", "2") as server:
        time_request(server.port, "/")
        first, after = [memory_of(server)], list[float]()
        for number in range(amount(3)):
            requests = islice(shares(number), amount(HOST_COUNT))
            with ThreadPoolExecutor(HOST_COUNT) as pool:
                list(pool.map(lambda share: request_all(server.port, *share), requests))
            after.append(memory_of(server))
    return {"memory.first": first, "memory.after": after[-1:]}


def memory_of(server: Granian) -> float:
    """Return the memory of a server and its workers in MB, shared memory counted once."""
    sizes = (Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in server.group())
    return sum(int(size.partition("\nPss:")[2].split()[0]) for size in sizes) / 1024


def shares(round_number: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each connection, and the addresses that it requests."""
    pictures = [f"/picture/{board}.png" for board in sorted(map(str, shared_boards()))]
    pages = [*PAGES.values(), *LARGEST.values()] * 16
    shuffled = Random(round_number).sample([*pages, *pictures], len(pages) + len(pictures))
    first = HOST_COUNT * round_number
    return ((first + part, shuffled[part::HOST_COUNT]) for part in range(HOST_COUNT))


def request_all(port: int, number: int, addresses: list[str]) -> None:
    """Request pages under a host name that no other request has used."""
    with Connection(port) as connection:
        for address in addresses:
            connection.get(address, Host=f"n{number}.example")


def rate(port: int, connections: int, work: Callable[[int, int, float], int]) -> float:
    """Let several clients work at the same time, and return their requests per second."""
    seconds = amount(15) / 10
    deadline = time.perf_counter() + seconds
    with ThreadPoolExecutor(connections) as pool:
        return sum(pool.map(lambda seed: work(port, seed, deadline), range(connections))) / seconds


def visit_bare_app(port: int, _: int, deadline: float) -> int:
    """Post forms as large as a click's to the bare route until the deadline; return how many."""
    form, visit_count = "position=---------&stamp=00000000&square=0", 0
    with Connection(port) as connection:
        while time.perf_counter() < deadline:
            assert connection.post("/", form).status == 200
            visit_count += 1
    return visit_count


def play_clicks(port: int, seed: int, deadline: float) -> int:
    """Play games until the deadline, each with a new opponent and mark; return how many clicks."""
    click_count = 0
    with Connection(port) as connection:
        player = Player(connection, Random(seed))
        while time.perf_counter() < deadline:
            assert player.press().status == 200
            click_count += 1
    return click_count


def pin_to_core(cpu: int | None) -> None:
    """Restrict this process to one core, or lift the restriction, if the system can do that."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(0, range(os.cpu_count() or 1) if cpu is None else {cpu})
