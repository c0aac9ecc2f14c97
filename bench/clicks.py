"""The processor time of a click, measured alternately with another version of this project."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

from bench import effort, games
from bench.effort import amount
from bench.rows import EARLIER_REVISION, Figures
from tests.serving import ROOT, Server, free_port

ROUNDS = 8
HTTP_GAMES = range(60, 300)  # many games, because a server's own moves are random


class UnavailableError(Exception):
    """The reason that a revision cannot be installed."""


def click(revision: str) -> Figures:
    """Measure the cost of a click here and at a revision, in a process and over HTTP."""
    if effort.is_short:
        return measure({"here": ROOT, "there": ROOT})
    if revision:
        print(f"beside {revision} instead of {EARLIER_REVISION}")
    try:
        with checkout(revision or EARLIER_REVISION) as other:
            return measure({"here": ROOT, "there": other})
    except UnavailableError as reason:
        print(f"No earlier version to measure beside: {reason}")
        return {}


def measure(trees: dict[str, Path]) -> Figures:
    """Return the figures of a click in the first tree, relative to the second."""
    return {**cost_in_process(trees), "click.served": cost_over_http(trees)}


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Yield a temporary checkout of a revision, with what its own Makefile installs.

    Raises UnavailableError if git does not know it or nothing can be installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        archive, tree = Path(folder, "revision.tar"), Path(folder, "tree")
        run_or_raise("git", "-C", str(ROOT), "archive", "--output", str(archive), revision)
        shutil.unpack_archive(archive, tree, filter="data")
        run_or_raise("make", "--silent", "-C", str(tree), ".venv/play")
        yield tree


def run_or_raise(*command: str) -> None:
    """Run a command. Raises UnavailableError with the last line of its errors if it fails."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        raise UnavailableError(*error.stderr.splitlines()[-1:]) from None
    except OSError as error:
        raise UnavailableError(f"{command[0]}: {error.strerror}") from None


def cost_in_process(trees: dict[str, Path]) -> Figures:
    """Return the figures of a click in a process: its time, its calls and its bytes.

    The time is the fastest of several runs.
    """
    costs: dict[str, list[float]] = {name: [] for name in trees}
    for _ in range(amount(ROUNDS)):
        for name, tree in trees.items():
            seconds = play_in(tree, "time").seconds
            costs[name] = [*map(min, zip(seconds, costs[name] or seconds, strict=True))]
    ours, theirs = map(sum, costs.values())
    cost, click_count = play_in(trees["here"], "count"), len(costs["here"])
    return {
        "click.beside": [ours / theirs],
        "click.calls": [round(cost.call_count / click_count)],
        "click.bytes": [round(cost.byte_count / click_count)],
    }


def play_in(tree: Path, mode: str) -> games.Cost:
    """Return the cost of the games in a new process of a tree; the mode is "time" or "count"."""
    result = subprocess.run(
        [tree / ".venv/bin/python", "-P", games.__file__, mode],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        capture_output=True,
    )
    return games.Cost(*json.loads(result.stdout))


def cost_over_http(trees: dict[str, Path]) -> list[float]:
    """Return the time of a click in the first tree's server, relative to the second's."""
    timings = ([seconds_per_click(tree) for tree in trees.values()] for _ in range(amount(ROUNDS)))
    return [ours / theirs for ours, theirs in timings]


def seconds_per_click(tree: Path) -> float:
    """Start the server of a tree, and return its processor seconds per click."""
    port = free_port()
    command = [str(tree / ".venv/bin/python"), "-m", "tools.serve", "--port", str(port)]
    connection = HTTPConnection("127.0.0.1", port)
    with Server(command, port, {}, tree) as server, closing(connection):
        games.play(games.sender(connection), games.WARM_UP)
        seconds_before = cpu_seconds(server)
        click_count = games.play(games.sender(connection), HTTP_GAMES)
        return (cpu_seconds(server) - seconds_before) / click_count


def cpu_seconds(server: Server) -> float:
    """Return the processor seconds of a server's threads, which Linux counts in nanoseconds."""
    threads = (thread for pid in server.group() for thread in Path(f"/proc/{pid}/task").iterdir())
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
