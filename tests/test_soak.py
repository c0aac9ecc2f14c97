"""A real server under malformed requests, many players and a crowd, in `make soak`."""

from __future__ import annotations

import select
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random

import pytest

from tests.client import Connection, Player, play_games
from tests.serving import Granian

pytestmark = pytest.mark.soak


def test_no_malformed_request_breaks_anything(server: Granian) -> None:
    """The server gets 24,000 malformed requests, over every route."""
    with ThreadPoolExecutor(4) as pool:

        def flood(request_count: int, seed: int) -> Counter[str]:
            futures = [
                pool.submit(send_malformed, server.port, request_count, seed + n) for n in range(4)
            ]
            return sum((future.result() for future in futures), Counter())

        flood(4_000, seed=0)  # fills the caches
        before = server.megabytes()
        status_counts = flood(2_000, seed=4)
    assert status_counts["5"] == 0, status_counts
    assert status_counts["2"] and status_counts["3"] and status_counts["4"], status_counts
    assert "Traceback" not in server.printed_text()
    assert server.megabytes() - before < 16, "memory must not grow by more MB"
    with Connection(server.port) as connection:
        assert connection.get("/healthz").body == "ok\n"


def test_many_players_leak_no_memory(server: Granian) -> None:
    """There are 10,000 players, each with a game."""
    play_games(server.port, 5_000, seed=0)
    before = server.megabytes()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda n: play_games(server.port, 2_500, n), range(1, 3)))
    assert server.megabytes() - before < 6, "memory must not grow by more MB"


def test_a_crowd_is_served_without_errors(server: Granian) -> None:
    """There are 256 connections, each with a few games."""

    def play(seed: int) -> None:
        with Connection(server.port, timeout=60) as connection:
            player = Player(connection, Random(seed))
            for _ in range(40):
                assert player.press().status == 200

    with ThreadPoolExecutor(256) as pool:
        list(pool.map(play, range(256)))


@pytest.fixture(scope="module")
def server() -> Iterator[Granian]:
    with Granian() as server:
        yield server


METHODS = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "G\xcbT"]
ROUTES = [
    "/", "/move", "/new", "/undo", "/hint", "/why", "/healthz", "/proof", "/learn",
    "/practise", "/study", "/static/htmx.js", "/static/../app.py", "/static/%2e%2e/app.py",
    "/static/", "/nowhere", "//", "*", "", "/study/{}", "/learn/{}", "/practise/{}", "/{}",
]  # fmt: skip
FIELDS = [
    "square", "position", "stamp", "difficulty", "mark", "moves", "hint", "set", "you",
    "at", "game", "answer", "view", "scoring", "algorithm", "order", "step", "predict", "notice",
    "board", "__proto__", "",
]  # fmt: skip
VALUES = [
    "", "0", "8", "9", "-1", "04", "048", "031425", "012345678", "0123456780", "X", "O", "XO",
    "---------", "X---O----", "XXXOOO---", "XXXXXXXXX", "perfect", "random", "yes", "no", "flat",
    "alpha-beta", "merged", "best", "on", "-X---XOOX", "None", "null", "1e9", "0x1", "٣", "é\0",
    "\r\nSet-Cookie: a=b", "../",
    "{{7*7}}", "<script>", "' or 1=1", "%", "%zz", "%00", "%0d%0aX: y", "&" * 50, "=", "9" * 500,
    "A" * 5000,
]  # fmt: skip
HEADERS = [
    "HX-Request: true", "HX-Request: ", "Origin: null", "Origin: https://elsewhere.example",
    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-origin", "Accept-Encoding: gzip, br;q=x",
    "Content-Type: application/json", "Content-Type: multipart/form-data; boundary=x",
    "Content-Type: application/x-www-form-urlencoded; charset=\xff", "If-None-Match: *",
    "If-None-Match: W/\"x", "If-Modified-Since: yesterday", "Range: bytes=5-2", "Cookie: session",
    "Cookie: tic-tac-toe=e30.AAAA.AAAA; tic-tac-toe=.eJw", "Cookie: " + "a=b; " * 500,
    "Cookie: \xff=\xfe",
    "X-Forwarded-Proto: https", "X-Forwarded-Host: elsewhere.example", "Expect: 100-continue",
    "Transfer-Encoding: chunked", "Content-Length: 5", "Content-Length: -1", "Connection: close",
    "Host: elsewhere.example", "Host: a b", "Host: .localhost", "Host: " + "x" * 64,
    "No colon", ": no name", "Upgrade: websocket",
]  # fmt: skip


def malformed_request(rng: Random) -> bytes:
    """Return a random request that hardly anybody would send."""
    pairs = zip(rng.choices(FIELDS, k=4), rng.choices(VALUES, k=4), strict=True)
    fields = "&".join(f"{name}={value}" for name, value in list(pairs)[: rng.randrange(5)])
    route = rng.choice(ROUTES).format(rng.choice(VALUES))
    body = fields if rng.random() < 0.6 else ""
    query = "" if body else f"?{fields}"
    lines = [f"{rng.choice(METHODS)} {route}{query} HTTP/1.{rng.choice('0111')}"]
    lines += rng.sample(HEADERS, rng.randrange(4))
    if rng.random() < 0.9:
        lines.append(f"Content-Length: {len(body.encode())}")
    if not any(line.startswith("Host") for line in lines):
        lines.append("Host: localhost")
    if rng.random() < 0.5:
        lines.append("Content-Type: application/x-www-form-urlencoded")
    request = bytearray("\r\n".join([*lines, "", body]).encode("utf-8", "replace"))
    if rng.random() < 0.2:  # with a flipped byte
        request[rng.randrange(len(request))] = rng.randrange(256)
    return bytes(request)


def send_malformed(port: int, request_count: int, seed: int) -> Counter[str]:
    """Send requests and count the responses by first digit. Raises TimeoutError if all hang."""
    rng, status_counts = Random(seed), Counter[str]()
    for _ in range(request_count):
        address = ("127.0.0.1", port)
        with socket.create_connection(address, timeout=10) as client, suppress(ConnectionError):
            client.sendall(malformed_request(rng))
            if not select.select([client], [], [], 0.1)[0]:
                # The server waits for the promised content, which will not come.
                client.shutdown(socket.SHUT_WR)
            status_counts[client.recv(12)[9:10].decode()] += 1
    return status_counts
