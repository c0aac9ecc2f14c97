"""Real servers on loopback: two that share players, slow clients, stops, logs, faults."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from random import Random

import pytest

from tests.client import Connection, Player
from tests.serving import ROOT, Granian


@pytest.fixture(scope="module")
def server() -> Iterator[Granian]:
    with Granian() as server:
        yield server


def test_a_game_goes_on_across_two_servers_that_share_the_key() -> None:
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(Granian()) for _ in range(2)]
        connections = [stack.enter_context(Connection(server.port)) for server in servers]
        player = Player(connections[0], Random(1))
        for turn in range(60):
            cookie, player.connection = player.connection.cookie, connections[turn % 2]
            player.connection.cookie = cookie
            if player.over:
                assert player.new().status == 200
                continue
            before = list(player.board.values())
            assert player.move().status == 200
            after = list(player.board.values())
            assert all(now == then for now, then in zip(after, before, strict=True) if then != "-")
            assert after != before


def test_slow_clients_do_not_stop_others(server: Granian) -> None:
    form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60\r\n\r\nsqu"
    slow = [server.connect() for _ in range(40)]
    try:
        for number, client in enumerate(slow):
            if number % 2:
                client.sendall(b"GET / HTTP/1.1\r\nHost: loc")
            else:
                client.sendall(b"POST /move HTTP/1.1\r\nHost: x\r\n" + form)
        time.sleep(0.2)
        with Connection(server.port) as connection:
            player = Player(connection, Random(1))
            while not player.over:
                assert player.move().status == 200
        answered, _, _ = select.select(slow, [], [], 0)
        assert answered == [], "it waited until they were cut off"
    finally:
        for client in slow:
            client.close()


@pytest.mark.parametrize(
    "request_",
    [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000,
    ],
    ids=["HTTP/2", "100 KB of headers"],
)
def test_what_would_take_threads_or_memory_is_refused(server: Granian, request_: bytes) -> None:
    before = server.memory()
    for _ in range(10):
        with server.connect() as connection, contextlib.suppress(ConnectionError):
            connection.sendall(request_)
            assert connection.recv(12)[:10] in (b"", b"HTTP/1.1 4")
    with Connection(server.port) as connection:
        assert connection.get("/").status == 200
    assert server.memory() - before < 4, "MB more than before"


def test_a_connection_that_says_nothing_more_is_closed() -> None:
    with Granian("--http1-header-read-timeout", "500") as server:
        for sent in (b"", b"GET / HTTP/1.1\r\nHost: loc"):
            with server.connect() as connection:
                connection.sendall(sent)
                assert connection.recv(12) in (b"", b"HTTP/1.1 408")


def test_a_worker_that_is_killed_gets_replaced() -> None:
    with Granian() as server:
        (worker,) = server.workers()
        os.kill(worker, signal.SIGKILL)
        while worker in server.workers():
            time.sleep(0.01)
        server.wait_until_it_listens()
        with Connection(server.port) as connection:
            assert connection.get("/").status == 200


def test_a_server_told_to_stop_answers_what_it_has_begun_and_ends() -> None:
    with Granian() as server, Connection(server.port) as connection:
        connection.connect()
        begun = (
            b"POST /new HTTP/1.1\r\nHost: localhost\r\nHX-Request: true\r\nContent-Length: 6\r\n"
        )
        connection.sock.sendall(begun + b"Content-Type: application/x-www-form-urlencoded\r\n\r\nm")
        time.sleep(0.2)
        with Connection(server.port) as later:
            later.get("/healthz")  # so what came before has come, on a busy machine too
        os.kill(server.process.pid, signal.SIGTERM)
        time.sleep(0.2)
        connection.sock.sendall(b"ark=O")
        answer = HTTPResponse(connection.sock)
        answer.begin()
        assert answer.status == 200
        assert server.process.wait(timeout=10) == 0


def test_a_client_that_never_ends_its_request_does_not_keep_a_server_from_stopping() -> None:
    with Granian("--workers-kill-timeout", "1") as server, Connection(server.port) as connection:
        connection.connect()
        connection.sock.sendall(b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nm")
        time.sleep(0.2)
        os.kill(server.process.pid, signal.SIGTERM)
        server.process.wait(timeout=20)


def test_without_a_place_for_its_key_a_server_says_what_to_do() -> None:
    environment = {
        name: os.environ[name] for name in os.environ if not name.startswith(("FLASK", "COVERAGE"))
    }
    # No file may grow: the disk is full for this process.
    script = """if True:
        import resource, signal, sys, tempfile
        from pathlib import Path
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        folder = Path(tempfile.mkdtemp())
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        from web.site.session import kept_key
        kept_key(folder)
    """
    done = subprocess.run(
        [sys.executable, "-B", "-c", script],
        capture_output=True,
        cwd=ROOT,
        env=environment,
        text=True,
    )
    assert done.returncode == 1
    assert "set FLASK_SECRET_KEY, or let me write" in done.stderr.splitlines()[-1]


def test_many_processes_that_start_at_once_share_one_key(tmp_path: Path) -> None:
    script = (
        f"from web.site.session import kept_key, Path; print(kept_key(Path({str(tmp_path)!r})))"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    assert len({process.communicate()[0] for process in processes}) == 1
    assert len(list(tmp_path.iterdir())) == 1
