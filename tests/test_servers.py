"""A real server on loopback: slow clients, floods, workers and servers killed, stops."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPResponse
from random import Random

import pytest

from tests.client import Connection, Player
from tests.serving import Granian, wait_until

BEGUN = (
    b"POST /new HTTP/1.1\r\nHost: localhost\r\nHX-Request: true\r\nContent-Length: 6\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n\r\n"
)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"  # a worker is at it, and waits for the form


def test_slow_clients_do_not_stop_others(server: Granian) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(server.connect()) for _ in range(40)]
        for client in slow[::2]:
            client.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        for client in slow[1::2]:
            client.sendall(BEGUN)
            assert client.recv(len(CONTINUE)) == CONTINUE
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
    with server.connect() as connection, suppress(ConnectionError):
        connection.sendall(request_)
        assert connection.recv(12)[:10] in (b"", b"HTTP/1.1 4")
    assert server.healthy()


def test_a_connection_that_says_nothing_more_is_closed(server: Granian) -> None:
    with server.connect() as silent, server.connect() as begun:
        begun.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        for connection in (silent, begun):
            assert connection.recv(12) in (b"", b"HTTP/1.1 408")


def test_a_worker_that_is_killed_gets_replaced(server: Granian) -> None:
    before = server.workers()
    os.kill(before[0], signal.SIGKILL)
    wait_until(lambda: len({*server.workers()} - {*before}) == 1)
    assert server.healthy()


def test_a_server_told_to_stop_answers_what_it_has_begun_and_nobody_else(server: Granian) -> None:
    with server.connect() as never_ends, server.connect() as begun:
        for client in (never_ends, begun):
            client.sendall(BEGUN)
            assert client.recv(len(CONTINUE)) == CONTINUE
        os.kill(server.process.pid, signal.SIGTERM)
        # Five in six take nobody new from then on; one goes on as before until it is killed.
        any(not server.healthy(seconds=1) for _ in range(50))
        begun.sendall(b"mark=O")
        answer = HTTPResponse(begun)
        answer.begin()
        assert answer.status == 200
        assert server.process.wait(timeout=30) == 0
        assert not server.healthy()


def test_no_worker_of_a_killed_server_shares_the_port_with_the_next(server: Granian) -> None:
    wait_until(lambda: len(server.workers()) == 2)
    with server.connect() as begun:  # a worker that waits for a client ends as well
        begun.sendall(BEGUN)
        assert begun.recv(len(CONTINUE)) == CONTINUE
        os.kill(server.process.pid, signal.SIGKILL)
        wait_until(lambda: not server.healthy())
        assert begun.recv(12) == b""
    wait_until(lambda: not server.group())  # else somebody is left who has the old key


@pytest.fixture(scope="module")
def only_server() -> Iterator[Granian]:
    """Start two workers which wait for 4 seconds for a request, for 6 on their way out.

    The usual ones wait for 30 and 2.
    """
    options = ("--workers", "2", "--http1-header-read-timeout", "4000")
    with Granian(*options, "--workers-kill-timeout", "6") as server:
        yield server


@pytest.fixture
def server(only_server: Granian) -> Granian:
    """Return a server that runs, whatever the test before did to it."""
    if only_server.process.poll() is not None:
        only_server.kill()
        only_server.start()
    return only_server
