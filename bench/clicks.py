"""What a click costs in processor time, by turns with another version of this project."""

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
from bench.effort import rounds
from bench.rows import EARLIER, Figures
from tests.serving import ROOT, Server, free_port

ROUNDS = 8
SERVED = range(60, 300)  # so many games, as a server's own moves are left to chance


class NotHereError(Exception):
    """Why a revision cannot be had."""


def click(revision: str) -> Figures:
    """Measure what a click costs here and at a revision, in a process and over HTTP."""
    if effort.is_short:
        return measured({"here": ROOT, "there": ROOT})
    if revision:
        print(f"beside {revision} in place of {EARLIER}")
    try:
        with checkout(revision or EARLIER) as other:
            return measured({"here": ROOT, "there": other})
    except NotHereError as reason:
        print(f"No earlier version to measure beside: {reason}")
        return {}


def measured(trees: dict[str, Path]) -> Figures:
    """Return the figures of a click in the first tree, beside the second."""
    return {**inside(trees), "click.served": served(trees)}


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Unpack a revision for a while, with what it runs on, which its own Makefile installs.

    Raises NotHereError if git does not know it or nothing can be installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        packed, tree = Path(folder, "revision.tar"), Path(folder, "tree")
        have("git", "-C", str(ROOT), "archive", "--output", str(packed), revision)
        shutil.unpack_archive(packed, tree, filter="data")
        have("make", "--silent", "-C", str(tree), ".venv/play")
        yield tree


def have(*command: str) -> None:
    """Run a command by which a revision is had. Raises NotHereError, with its last line."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        raise NotHereError(*error.stderr.splitlines()[-1:]) from None
    except OSError as error:
        raise NotHereError(f"{command[0]}: {error.strerror}") from None


def inside(trees: dict[str, Path]) -> Figures:
    """Return what a click takes in a process, each at its quickest of many; calls and bytes."""
    costs: dict[str, list[float]] = {name: [] for name in trees}
    for _ in range(rounds(ROUNDS)):
        for name, tree in trees.items():
            took = played(tree, "time").seconds
            costs[name] = [*map(min, zip(took, costs[name] or took, strict=True))]
    ours, theirs = map(sum, costs.values())
    counted, clicks = played(trees["here"], "count"), len(costs["here"])
    return {
        "click.beside": [ours / theirs],
        "click.calls": [round(counted.calls / clicks)],
        "click.bytes": [round(counted.sent / clicks)],
    }


def played(tree: Path, what: str) -> games.Cost:
    """Return what the games cost in a fresh process of a tree."""
    done = subprocess.run(
        [tree / ".venv/bin/python", "-P", games.__file__, what],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        capture_output=True,
    )
    return games.Cost(*json.loads(done.stdout))


def served(trees: dict[str, Path]) -> list[float]:
    """Return what a click takes of the server of the first tree beside the second, by turns."""
    turns = ([played_over_http(tree) for tree in trees.values()] for _ in range(rounds(ROUNDS)))
    return [ours / theirs for ours, theirs in turns]


def played_over_http(tree: Path) -> float:
    """Start the server of a tree, and return how many seconds it works for a click."""
    port = free_port()
    command = [str(tree / ".venv/bin/python"), "-m", "tools.serve", "--port", str(port)]
    connection = HTTPConnection("127.0.0.1", port)
    with Server(command, port, {}, tree) as server, closing(connection):
        games.play(games.over(connection), games.FIRST)
        before = worked(server)
        clicks = games.play(games.over(connection), SERVED)
        return (worked(server) - before) / clicks


def worked(server: Server) -> float:
    """Return the processor seconds of a server's threads, of which Linux keeps nanoseconds."""
    threads = (thread for pid in server.group() for thread in Path(f"/proc/{pid}/task").iterdir())
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
