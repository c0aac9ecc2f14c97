"""A real server: slow clients, oversized requests, killed workers, stops, a path prefix."""

from __future__ import annotations

import os
import re
import select
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPResponse
from random import Random
from urllib.parse import urlencode

import pytest

from tests.client import Connection, Player
from tests.pages import PAGES
from tests.serving import Granian, wait_until
from tools.serve import CLICKS

PREFIX = "/below"
HALF_SENT = (
    f"POST {PREFIX}/new HTTP/1.1\r\nHost: localhost\r\nHX-Request: true\r\nContent-Length: 6\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n\r\n"
).encode()
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


def begin(server: Granian) -> socket.socket:
    """Connect and send half a form, so that a worker waits for the rest."""
    client = server.connect()
    client.sendall(HALF_SENT)
    assert client.recv(len(CONTINUE)) == CONTINUE
    return client


def test_slow_clients_do_not_block_others(server: Granian) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(server.connect()) for _ in range(20)]
        for client in slow:
            client.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        slow += [stack.enter_context(begin(server)) for _ in range(20)]
        with Connection(server.port, prefix=PREFIX) as connection:
            player = Player(connection, Random(1))
            while not player.is_over:
                assert player.move().status == 200
        answered, _, _ = select.select(slow, [], [], 0)
        assert answered == [], "the game must not wait for slow clients"


def test_http_2_and_100_kb_of_headers_are_refused(
    server: Granian,
) -> None:
    for refused in (
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000,
    ):
        with server.connect() as connection, suppress(ConnectionError):
            connection.sendall(refused)
            assert connection.recv(12)[:10] in (b"", b"HTTP/1.1 4"), refused[:20]
        assert server.is_healthy()


@pytest.mark.soak
def test_an_idle_connection_is_closed(server: Granian) -> None:
    with server.connect() as silent, server.connect() as started:
        started.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        for connection in (silent, started):
            assert connection.recv(12) in (b"", b"HTTP/1.1 408")


def test_a_killed_worker_is_replaced(server: Granian) -> None:
    before = server.worker_pids()
    os.kill(before[0], signal.SIGKILL)
    wait_until(lambda: len({*server.worker_pids()} - {*before}) == 1)
    assert server.is_healthy()


def test_below_a_path_prefix_every_address_starts_with_it(server: Granian) -> None:
    responses = []
    with Connection(server.port, prefix=PREFIX) as connection:
        for page in PAGES.values():
            responses.append(connection.get(page))
            connection.close()  # the next request opens it again; the server closes idle ones
        for path, form in CLICKS.items():
            responses.append(connection.post(path, urlencode(form)))
            connection.close()
    assert {response.status for response in responses} <= {200, 302, 400, 404}
    addresses_by_page = (
        re.findall(r' (?:[a-z-]*href|src|action|hx-\w+)="(/[^"]*)"', response.body)
        for response in responses
    )
    addresses = {address for matches in addresses_by_page for address in matches}
    assert len(addresses) > 300
    assert {address for address in addresses if not address.startswith(f"{PREFIX}/")} == set()


def test_a_stopping_server_finishes_its_requests_and_accepts_no_others(
    server: Granian,
) -> None:
    with begin(server), begin(server) as started:  # one of them never finishes
        os.kill(server.process.pid, signal.SIGTERM)
        # About five times in six, a stopping worker refuses new connections at once; otherwise it
        # accepts them until it is killed.
        any(not server.is_healthy(timeout=1) for _ in range(50))
        started.sendall(b"mark=O")
        response = HTTPResponse(started)
        response.begin()
        assert response.status == 200
        assert server.process.wait(timeout=30) == 0
        assert not server.is_healthy()


def test_workers_of_a_killed_server_release_its_port(server: Granian) -> None:
    wait_until(lambda: len(server.worker_pids()) == 2)
    with begin(server) as started:  # a worker that waits for a client also ends
        os.kill(server.process.pid, signal.SIGKILL)
        wait_until(lambda: not server.is_healthy())
        assert started.recv(12) == b""
    # Otherwise, a worker could go on with an old secret key.
    wait_until(lambda: not server.kilobytes_by_pid())


@pytest.fixture(scope="module")
def only_server() -> Iterator[Granian]:
    """Start two workers that wait 4 seconds for a request, and 6 seconds when they stop.

    Usually these times are 30 and 2 seconds. All addresses are below PREFIX.
    """
    options = ("--workers", "2", "--http1-header-read-timeout", "4000", "--url-path-prefix", PREFIX)
    server = Granian(*options, "--workers-kill-timeout", "6")
    server.prefix = PREFIX
    with server:
        yield server


@pytest.fixture
def server(only_server: Granian) -> Granian:
    """Return a server that runs, whatever the test before did to it."""
    if only_server.process.poll() is not None:
        only_server.kill()
        only_server.start()
    return only_server
