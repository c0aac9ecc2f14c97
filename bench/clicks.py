"""What a click costs, measured alternately with a click in another version of this project."""

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
HTTP_GAMES = range(60, 300)  # many, because the server's moves are random


class UnavailableError(Exception):
    """The reason that a revision cannot be installed."""


def measure_clicks(revision: str) -> Figures:
    """Compare the cost of a click here and at a revision, by default EARLIER_REVISION."""
    if effort.is_short:
        return compare(ROOT, ROOT)
    if revision:
        print(f"beside {revision} instead of {EARLIER_REVISION}")
    try:
        with checkout(revision or EARLIER_REVISION) as other_tree:
            return compare(ROOT, other_tree)
    except UnavailableError as reason:
        print(f"No earlier version to measure beside: {reason}")
        return {}


def compare(tree: Path, other_tree: Path) -> Figures:
    """Return the figures of a click in one checkout, and its times relative to another checkout."""
    return {
        **compare_in_process(tree, other_tree),
        "click.served": compare_over_http(tree, other_tree),
    }


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Yield a temporary checkout of a revision, with what its own Makefile installs.

    Raises UnavailableError if the revision is unknown to git or cannot be installed.
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


def compare_in_process(tree: Path, other_tree: Path) -> Figures:
    """Return the relative time of a click without a server, and its function calls and bytes.

    The checkouts take turns. Of each click, the fastest run counts.
    """
    runs, other_runs = [], []
    for _ in range(amount(ROUNDS)):
        runs.append(play_in(tree, "time").seconds)
        other_runs.append(play_in(other_tree, "time").seconds)
    cost, click_count = play_in(tree, "count"), len(runs[0])
    return {
        "click.beside": [sum_of_fastest(runs) / sum_of_fastest(other_runs)],
        "click.calls": [round(cost.call_count / click_count)],
        "click.bytes": [round(cost.byte_count / click_count)],
    }


def sum_of_fastest(runs: list[list[float]]) -> float:
    """Return the total time of all clicks, given their times in several runs."""
    fastest_times: list[float] = [min(times) for times in zip(*runs, strict=True)]
    return sum(fastest_times)


def play_in(tree: Path, mode: str) -> games.Cost:
    """Play the games in a new process of a checkout, and return their cost.

    The mode is "time", or "count" to count function calls, which distorts the times.
    """
    result = subprocess.run(
        [tree / ".venv/bin/python", "-P", games.__file__, mode],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        capture_output=True,
    )
    return games.Cost(*json.loads(result.stdout))


def compare_over_http(tree: Path, other_tree: Path) -> list[float]:
    """Return the relative time of a click on a server, once for each round."""
    return [seconds_per_click(tree) / seconds_per_click(other_tree) for _ in range(amount(ROUNDS))]


def seconds_per_click(tree: Path) -> float:
    """Start the server of a checkout, and return its processor seconds per click."""
    port = free_port()
    command = [str(tree / ".venv/bin/python"), "-m", "tools.serve", "--port", str(port)]
    connection = HTTPConnection("127.0.0.1", port)
    with Server(command, port, {}, tree) as server, closing(connection):
        send = games.make_sender(connection)
        games.play(send, games.WARM_UP_GAMES)
        seconds_before = cpu_seconds(server)
        click_count = games.play(send, HTTP_GAMES)
        return (cpu_seconds(server) - seconds_before) / click_count


def cpu_seconds(server: Server) -> float:
    """Return the processor seconds that all threads of a server have used."""
    folders = (Path(f"/proc/{pid}/task") for pid in server.kilobytes_by_pid())
    threads = (thread for folder in folders for thread in folder.iterdir())
    nanoseconds = sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)
    return nanoseconds / 1e9
