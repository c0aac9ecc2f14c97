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
from statistics import median

from bench import games
from tests.serving import ROOT, Server, free_port

EARLIER = "b7b4fa4"  # of 22 November 2026: what a click may cost is measured by it
ROUNDS = 8
SERVED = range(60, 300)  # so many games, as a server's own moves are left to chance


class NotHereError(Exception):
    """Say why a revision cannot be had."""


def click(revision: str = EARLIER) -> None:
    """Print what a click costs here and at a revision, in a process and over HTTP."""
    print(f"\nA click: processor time here and at {revision}, by turns; at most 0.95 times\n")
    try:
        with checkout(revision) as other:
            trees = {"here": ROOT, revision: other}
            inside(trees)
            served(trees)
    except NotHereError as reason:
        print(f"{revision} cannot be had here: {reason}")


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Unpack a revision for a while, with what it runs on, which its own Makefile installs.

    Raises NotHereError where git does not know the revision, or nothing can be installed.
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


def inside(trees: dict[str, Path]) -> None:
    """Print what a click takes in a process, each at its quickest of many, calls and bytes."""
    rounds = [{name: played(tree, "time") for name, tree in trees.items()} for _ in range(ROUNDS)]
    costs = []
    for name, tree in trees.items():
        quickest = list(map(min, zip(*(one[name].seconds for one in rounds), strict=True)))
        costs.append(sum(quickest) / len(quickest))
        counted, clicks = played(tree, "count"), len(quickest)
        print(
            f"{name:10} in process {costs[-1] * 1000:.3f} ms, {counted.calls / clicks:,.0f} calls,"
            f" {counted.sent / clicks:,.0f} bytes sent, of {clicks} clicks"
        )
    print(f"{'':10} {costs[0] / costs[1]:.2f} times")


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


def served(trees: dict[str, Path]) -> None:
    """Print what a click takes of the server of each tree: in the best round, and by turns."""
    rounds = [{name: played_over_http(tree) for name, tree in trees.items()} for _ in range(ROUNDS)]
    for name in trees:
        best = min(one[name] for one in rounds)
        print(f"{name:10} over HTTP  {best * 1000:.3f} ms, the best of {ROUNDS} servers")
    ratios = sorted(ours / theirs for ours, theirs in (one.values() for one in rounds))
    print(f"{'':10} {median(ratios):.2f} times ({ratios[0]:.2f} to {ratios[-1]:.2f})")


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
