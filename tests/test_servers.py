"""A real server on loopback: slow clients, floods, workers and servers killed, stops."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPException, HTTPResponse
from random import Random

import pytest

from tests.client import Connection, Player
from tests.serving import Granian

BEGUN = (
    b"POST /new HTTP/1.1\r\nHost: localhost\r\nHX-Request: true\r\nContent-Length: 6\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nm"
)


def test_slow_clients_do_not_stop_others(server: Granian) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(server.connect()) for _ in range(40)]
        for number, client in enumerate(slow):
            client.sendall(BEGUN if number % 2 else b"GET / HTTP/1.1\r\nHost: loc")
        with Connection(server.port) as connection:
            player = Player(connection, Random(1))
            while not player.over:
                assert player.move().status == 200
        answered, _, _ = select.select(slow, [], [], 0)
        assert answered == [], "the game waited until they were cut off"


@pytest.mark.parametrize(
    "request_",
    [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000,
    ],
    ids=["HTTP/2", "100 KB of headers"],
)
def test_what_would_take_threads_or_memory_is_refused(server: Granian, request_: bytes) -> None:
    get_page(server, times=20)  # until each worker has drawn it once
    before = server.memory()
    for _ in range(10):
        with server.connect() as connection, suppress(ConnectionError):
            connection.sendall(request_)
            assert connection.recv(12)[:10] in (b"", b"HTTP/1.1 4")
    get_page(server)
    assert server.memory() - before < 4, "MB more than before"


def test_a_connection_that_says_nothing_more_is_closed(server: Granian) -> None:
    with server.connect() as silent, server.connect() as begun:
        begun.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        for connection in (silent, begun):
            assert connection.recv(12) in (b"", b"HTTP/1.1 408")


def test_a_worker_that_is_killed_gets_replaced(server: Granian) -> None:
    before = server.workers()
    os.kill(before[0], signal.SIGKILL)
    within_ten_seconds(lambda: len({*server.workers()} - {*before}) == 1)
    assert healthy(server)


def test_a_server_told_to_stop_answers_what_it_has_begun_and_waits_for_nobody_else(
    server: Granian,
) -> None:
    with server.connect() as never_ends, server.connect() as begun:
        never_ends.sendall(BEGUN)
        begun.sendall(BEGUN)
        time.sleep(0.2)
        assert healthy(server)  # so both have come, on a busy machine too
        os.kill(server.process.pid, signal.SIGTERM)
        time.sleep(0.2)
        begun.sendall(b"ark=O")
        answer = HTTPResponse(begun)
        answer.begin()
        assert answer.status == 200
        assert server.process.wait(timeout=10) == 0


def test_when_a_server_is_killed_no_worker_of_it_shares_the_port_with_the_next(
    server: Granian,
) -> None:
    assert len(server.workers()) == 2
    with server.connect() as begun:  # a worker that waits for a client ends as well
        begun.sendall(BEGUN)
        assert healthy(server)
        os.kill(server.process.pid, signal.SIGKILL)
        within_ten_seconds(lambda: not healthy(server))
        assert begun.recv(12) == b""
    within_ten_seconds(lambda: not server.group())  # else somebody is left who has the old key


@pytest.fixture(scope="module")
def only_server() -> Iterator[Granian]:
    """Start two workers which wait for a second where the usual ones wait for 30 and 2."""
    options = ("--workers", "2", "--http1-header-read-timeout", "1000")
    with Granian(*options, "--workers-kill-timeout", "1") as server:
        yield server


@pytest.fixture
def server(only_server: Granian) -> Granian:
    """Return a server that runs, whatever the test before did to it."""
    if only_server.process.poll() is not None:
        only_server.kill()
        only_server.start()
    return only_server


def get_page(server: Granian, times: int = 1) -> None:
    """Get the game's page, over a new connection each time."""
    for _ in range(times):
        with Connection(server.port) as connection:
            assert connection.get("/").status == 200


def healthy(server: Granian) -> bool:
    """Ask the server, over a new connection, whether it is well."""
    with suppress(OSError, HTTPException), Connection(server.port) as connection:
        return connection.get("/healthz").status == 200
    return False


def within_ten_seconds(holds: Callable[[], bool]) -> None:
    """Return once it holds. Raises AssertionError where it still does not after ten seconds."""
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
