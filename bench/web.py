"""How fast clicks are answered, beside the least that a Flask route with a session can do."""

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

from bench import kinds
from bench.effort import rounds
from bench.rows import NAMES, Figures
from tests.client import Connection, Player
from tests.pages import LARGEST, PAGES
from tests.serving import ROOT, Granian
from web.view.previews import shared_boards

ROUNDS = 5
PICTURE = "/picture/X---O----.png"
ASKED = (*PAGES.values(), *LARGEST.values(), PICTURE)  # beside all that these lead to


def measure() -> Figures:
    """Measure start, clicks and pages."""
    return {**start(), **speed(), **pages()}


def pages() -> Figures:
    """Return what pages cost to make, of the largest searches and of all that can be found."""
    found = costs(ROOT)
    named = {page.address: page for page in found}
    largest = [named[address] for address in LARGEST.values()]
    return {
        "web.largest": [max(page.milliseconds for page in largest)],
        "web.largest_bytes": [max(page.sent for page in largest)],
        "web.picture": [named[PICTURE].milliseconds],
        "web.dearest": [found[0].milliseconds],
        "web.dearest_address": f"`{found[0].address}`",
    }


def costs(tree: Path) -> Sequence[kinds.Page]:
    """Return what each page of a version of this project costs, the dearest first."""
    done = subprocess.run(
        [tree / ".venv/bin/python", "-P", kinds.__file__],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        input=json.dumps(ASKED).encode(),
        stdout=subprocess.PIPE,
    )
    return [kinds.Page(*page) for page in json.loads(done.stdout)]


def speed() -> Figures:
    """Return clicks a second over loopback, the server on one core, the client on another."""
    keep_to(1)
    rates: dict[str, list[float]] = {}
    for key, threads, connections in (("web.one", 1, 1), ("web.many", 64, 8)):
        options = ("--no-log", "--blocking-threads", str(threads))
        with (
            Granian(*options, app="bench.bare:create_app", cpu=0) as bare,
            Granian(*options, cpu=0) as ours,
        ):
            run(bare.port, connections, visits), run(ours.port, connections, clicks)  # to warm up
            for _ in range(rounds(ROUNDS)):
                least = run(bare.port, connections, visits)
                rate = run(ours.port, connections, clicks)
                rates.setdefault(key, []).append(rate)
                rates.setdefault(f"{key}.bare", []).append(rate / least)
    keep_to(None)
    workers = []
    for number in ("1", "2"):
        with Granian("--no-log", "--workers", number) as server:
            run(server.port, 8, clicks)
            workers.append(median(run(server.port, 8, clicks) for _ in range(rounds(ROUNDS))))
    return {
        "web.one": rates["web.one"],
        "web.many": rates["web.many"],
        "web.bare": rates["web.one.bare"],
        "web.workers": [workers[1] / workers[0]],
        "web.players": [10 * rate for rate in rates["web.many"]],
    }


def start() -> Figures:
    """Return how soon a server answers, and how much longer its first pages take than later."""
    found = [started() for _ in range(rounds(ROUNDS))]
    return {key: [one[key] for one in found] for key in found[0]}


def started() -> dict[str, float]:
    """Start a server, and return in milliseconds how long each thing took."""
    began = time.perf_counter()
    with Granian("--no-log", "--workers", "2") as server:
        get(server.port, "/healthz")
        up = (time.perf_counter() - began) * 1000
        first, eight = get(server.port, "/"), eight_at_once(server.port)
        later = median(get(server.port, "/") for _ in range(20))
        eight_later = median(eight_at_once(server.port) for _ in range(5))
        return {"web.start": up, "web.first": first - later, "web.eight": eight - eight_later}


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


def memory() -> Figures:
    """Return how much two workers and their server take, first and after all pages.

    All pages are asked for by as many names at once, with all pictures.
    """
    with Granian("--no-log", "--workers", "2") as server:
        get(server.port, "/")
        first, after = [share(server)], list[float]()
        for number in range(rounds(3)):
            asked = islice(parts(number), rounds(NAMES))
            with ThreadPoolExecutor(NAMES) as pool:
                list(pool.map(lambda part: everything(server.port, *part), asked))
            after.append(share(server))
    return {"memory.first": first, "memory.after": after[-1:]}


def share(server: Granian) -> float:
    """Return what a server and its workers take, in MB; what they share is counted once."""
    sizes = (Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in server.group())
    return sum(int(size.partition("\nPss:")[2].split()[0]) for size in sizes) / 1024


def parts(number: int) -> Iterator[tuple[int, list[str]]]:
    """Return for each connection a number of its own, and addresses to ask for."""
    pictures = [f"/picture/{board}.png" for board in sorted(map(str, shared_boards()))]
    pages = [*PAGES.values(), *LARGEST.values()] * 16
    asked = Random(number).sample([*pages, *pictures], len(pages) + len(pictures))
    return ((NAMES * number + part, asked[part::NAMES]) for part in range(NAMES))


def everything(port: int, number: int, addresses: list[str]) -> None:
    """Ask for pages by a name that nobody else has asked by."""
    with Connection(port) as connection:
        for address in addresses:
            connection.get(address, Host=f"n{number}.example")


def run(port: int, connections: int, work: Callable[[int, int, float], int]) -> float:
    """Let so many clients work at the same time, and return how much they did in a second."""
    seconds = rounds(15) / 10
    end = time.perf_counter() + seconds
    with ThreadPoolExecutor(connections) as pool:
        return sum(pool.map(lambda seed: work(port, seed, end), range(connections))) / seconds


def visits(port: int, _: int, end: float) -> int:
    """Visit the bare route over and over, with a form as large as a click's; return how often."""
    form, times = "position=---------&stamp=00000000&square=0", 0
    with Connection(port) as connection:
        while time.perf_counter() < end:
            assert connection.post("/", form).status == 200
            times += 1
    return times


def clicks(port: int, seed: int, end: float) -> int:
    """Play whole games, with new opponents and marks between them; return how many clicks."""
    times = 0
    with Connection(port) as connection:
        player = Player(connection, Random(seed))
        while time.perf_counter() < end:
            assert player.press().status == 200
            times += 1
    return times


def keep_to(cpu: int | None) -> None:
    """Keep this process to one core, or none in particular, where the system can do that."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(0, range(os.cpu_count() or 1) if cpu is None else {cpu})
