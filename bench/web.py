"""How fast the server starts, answers clicks and makes pages, and how much memory it takes."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from bench import page_costs
from bench.effort import amount
from bench.page_costs import PageCost
from bench.rows import HOST_COUNT, Figures
from tests.client import Connection, Player
from tests.pages import LARGEST, PAGES
from tests.serving import ROOT, Granian
from web.view.previews import shared_boards

ROUNDS = 5
PICTURE = "/picture/X---O----.png"
# The cost of these pages is measured, and that of all pages that they link to.
ADDRESSES = (*PAGES.values(), *LARGEST.values(), PICTURE)

# Given a port, a seed and a deadline, sends requests until then and returns how many.
Client = Callable[[int, int, float], int]


def measure_web() -> Figures:
    """Measure startup, clicks and pages."""
    return {**measure_startup(), **measure_click_rates(), **measure_pages()}


def measure_pages() -> Figures:
    """Return the cost of the largest searches, a picture and the most expensive page."""
    ranking = rank_pages(ROOT)
    by_address = {page.address: page for page in ranking}
    largest = [by_address[address] for address in LARGEST.values()]
    return {
        "web.largest": [max(page.milliseconds for page in largest)],
        "web.largest_bytes": [max(page.byte_count for page in largest)],
        "web.picture": [by_address[PICTURE].milliseconds],
        "web.most_expensive": [ranking[0].milliseconds],
        "web.most_expensive_address": f"`{ranking[0].address}`",
    }


def rank_pages(tree: Path) -> list[PageCost]:
    """Return what each page of a checkout of this project costs, the most expensive first."""
    process = subprocess.run(
        [tree / ".venv/bin/python", "-P", page_costs.__file__],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        input=json.dumps(ADDRESSES).encode(),
        stdout=subprocess.PIPE,
    )
    return [PageCost(*fields) for fields in json.loads(process.stdout)]


def measure_click_rates() -> Figures:
    """Return clicks per second over loopback, of one client and of several."""
    pin_to_core(1)  # the servers run on core 0
    one_client, one_bare_client = compare_with_bare_app(thread_count=1, client_count=1)
    many_clients, _ = compare_with_bare_app(thread_count=64, client_count=8)
    pin_to_core(None)
    one_worker, two_workers = (median_rate(worker_count) for worker_count in (1, 2))
    return {
        "web.one": one_client,
        "web.many": many_clients,
        "web.bare": [ours / bare for ours, bare in zip(one_client, one_bare_client, strict=True)],
        "web.workers": [two_workers / one_worker],
        "web.players": [10 * rate for rate in many_clients],  # each clicks every ten seconds
    }


def compare_with_bare_app(thread_count: int, client_count: int) -> tuple[list[float], list[float]]:
    """Return, for each round, our clicks per second and the bare route's requests per second.

    Both servers run on the same core and take turns.
    """
    options = ("--no-log", "--blocking-threads", str(thread_count))
    with (
        Granian(*options, app="bench.bare:create_app", cpu=0) as bare,
        Granian(*options, cpu=0) as ours,
    ):
        measure_rate(bare.port, client_count, visit_bare_app)  # to warm up
        measure_rate(ours.port, client_count, play_clicks)
        our_rates, bare_rates = [], []
        for _ in range(amount(ROUNDS)):
            bare_rates.append(measure_rate(bare.port, client_count, visit_bare_app))
            our_rates.append(measure_rate(ours.port, client_count, play_clicks))
    return our_rates, bare_rates


def median_rate(worker_count: int) -> float:
    """Return the clicks per second of eight clients, whose server has this many workers."""
    with Granian("--no-log", "--workers", str(worker_count)) as server:
        measure_rate(server.port, 8, play_clicks)  # to warm up
        return median(measure_rate(server.port, 8, play_clicks) for _ in range(amount(ROUNDS)))


def measure_startup() -> Figures:
    """Return how soon a server answers, and how much longer first pages take than later ones."""
    startups = [startup_times() for _ in range(amount(ROUNDS))]
    return {key: [times[key] for times in startups] for key in startups[0]}


def startup_times() -> dict[str, float]:
    """Start a server, and return the figures of its first answer and first pages, in milliseconds.

    Those of the pages are how much longer they took than later ones.
    """
    start_time = time.perf_counter()
    with Granian("--no-log", "--workers", "2") as server:
        time_request(server.port, "/healthz")
        startup = (time.perf_counter() - start_time) * 1000
        first_page = time_request(server.port, "/")
        first_eight = time_eight_requests(server.port)
        later_page = median(time_request(server.port, "/") for _ in range(20))
        later_eight = median(time_eight_requests(server.port) for _ in range(5))
        return {
            "web.start": startup,
            "web.first": first_page - later_page,
            "web.eight": first_eight - later_eight,
        }


def time_request(port: int, path: str) -> float:
    """Request a page over a new connection, and return the milliseconds that it took."""
    start_time = time.perf_counter()
    with Connection(port) as connection:
        assert connection.get(path).status == 200
    return (time.perf_counter() - start_time) * 1000


def time_eight_requests(port: int) -> float:
    """Request a page eight times at once, and return the milliseconds of the slowest request."""
    with ThreadPoolExecutor(8) as pool:
        return max(pool.map(lambda path: time_request(port, path), ["/learn/4"] * 8))


def measure_memory() -> Figures:
    """Return the memory of a server with two workers, at first and after all pages.

    All pages and pictures are requested under many host names at once, in several rounds.
    """
    with Granian("--no-log", "--workers", "2") as server:
        time_request(server.port, "/")
        first_megabytes = memory_megabytes(server)
        for round_number in range(amount(3)):
            shares = islice(divide_requests(round_number), amount(HOST_COUNT))
            with ThreadPoolExecutor(HOST_COUNT) as pool:
                list(pool.map(lambda share: request_all(server.port, *share), shares))
        return {"memory.first": [first_megabytes], "memory.after": [memory_megabytes(server)]}


def memory_megabytes(server: Granian) -> float:
    """Return the memory of a server and its workers in MB, shared memory counted once."""
    # Pss divides each page of memory by the number of processes that share it.
    sizes = (Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in server.kilobytes_by_pid())
    return sum(int(size.partition("\nPss:")[2].split()[0]) for size in sizes) / 1024


def divide_requests(round_number: int) -> Iterator[tuple[int, list[str]]]:
    """Divide the pages and pictures of a round among connections.

    Yield the number of each connection, which no other round uses, and its addresses.
    """
    pictures = [f"/picture/{board}.png" for board in sorted(map(str, shared_boards()))]
    pages = [*PAGES.values(), *LARGEST.values()] * 16
    shuffled = Random(round_number).sample([*pages, *pictures], len(pages) + len(pictures))
    for index in range(HOST_COUNT):
        yield HOST_COUNT * round_number + index, shuffled[index::HOST_COUNT]


def request_all(port: int, connection_number: int, addresses: list[str]) -> None:
    """Request pages over one connection, under a host name of its own."""
    with Connection(port) as connection:
        for address in addresses:
            connection.get(address, Host=f"n{connection_number}.example")


def measure_rate(port: int, client_count: int, client: Client) -> float:
    """Let several clients send requests at the same time; return their requests per second."""
    seconds = amount(15) / 10
    deadline = time.perf_counter() + seconds
    with ThreadPoolExecutor(client_count) as pool:
        counts = pool.map(lambda seed: client(port, seed, deadline), range(client_count))
        return sum(counts) / seconds


def visit_bare_app(port: int, _seed: int, deadline: float) -> int:
    """Post forms as large as a click's to the bare route until the deadline; return how many."""
    form, visit_count = "position=---------&stamp=00000000&square=0", 0
    with Connection(port) as connection:
        while time.perf_counter() < deadline:
            assert connection.post("/", form).status == 200
            visit_count += 1
    return visit_count


def play_clicks(port: int, seed: int, deadline: float) -> int:
    """Play games until the deadline, and return the number of clicks."""
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
