"""A client that costs little, so that what is measured is the server."""

from __future__ import annotations

import re
import socket
import zlib
from random import Random
from types import TracebackType
from typing import NamedTuple, Self

LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
COOKIE = re.compile(rb"\r\nset-cookie: (session=[^;]*)", re.IGNORECASE)
GZIP = re.compile(rb"\r\ncontent-encoding: gzip", re.IGNORECASE)
CELL = re.compile(rb'id="cell-(\d)" data-mark="([XO]?)" hx-swap-oob="true"( name)?')
STAMP = re.compile(rb'name="stamp" value="(\w+)"')


class Answer(NamedTuple):
    """Hold what a server sent: status, header lines and body."""

    status: int
    head: bytes
    body: bytes


class Connection:
    """Keep one HTTP/1.1 connection open, and the session cookie that came over it."""

    def __init__(self, port: int, timeout: float = 10) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.cookie = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.socket.close()

    def post(self, path: str, form: str) -> Answer:
        """Post a form as htmx does. Raises OSError where no answer comes."""
        self.socket.sendall(
            b"POST %b HTTP/1.1\r\nHost: localhost\r\nHX-Request: true\r\nCookie: %b\r\n"
            b"Sec-Fetch-Site: same-origin\r\nAccept-Encoding: gzip\r\nContent-Length: %d\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\n%b"
            % (path.encode(), self.cookie, len(form), form.encode())
        )
        return self.receive()

    def get(self, path: str) -> Answer:
        """Ask for a page. Raises OSError where no answer comes."""
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n"
        self.socket.sendall(head.encode() + b"Cookie: %b\r\n\r\n" % self.cookie)
        return self.receive()

    def receive(self) -> Answer:
        """Read one answer to its end. Raises OSError where it does not come."""
        got = b""
        while (end := got.find(b"\r\n\r\n")) < 0:
            got += self._more()
        head, body = got[:end], got[end + 4 :]
        length = LENGTH.search(head)
        while length and len(body) < int(length[1]):
            body += self._more()
        if cookie := COOKIE.search(head):
            self.cookie = cookie[1]
        if GZIP.search(head):
            body = zlib.decompress(body, 31)
        return Answer(int(head[9:12]), head, body)

    def _more(self) -> bytes:
        if more := self.socket.recv(65536):
            return more
        raise ConnectionError("the server hung up")


class Player:
    """Play whole games at random over one connection, each click as the page would post it."""

    def __init__(self, connection: Connection, rng: Random) -> None:
        self.connection = connection
        self.rng = rng
        self.board = dict.fromkeys(range(9), "-")
        self.live = set(range(9))
        self.stamp = ""

    def move(self) -> Answer:
        """Click on one of the empty squares; there are some until `over`."""
        return self._post("/move", f"square={self.rng.choice(sorted(self.live))}")

    @property
    def over(self) -> bool:
        """Say whether the game is over: no square can be played."""
        return not self.live

    def new(self) -> Answer:
        """Begin a new game, as either mark against either opponent."""
        mark, difficulty = self.rng.choice("XO"), self.rng.choice(("random", "perfect"))
        return self._post("/new", f"mark={mark}&difficulty={difficulty}")

    def _post(self, path: str, what: str) -> Answer:
        form = f"position={''.join(self.board.values())}&stamp={self.stamp}&{what}"
        answer = self.connection.post(path, form)
        for square, mark, live in CELL.findall(answer.body):
            self.board[int(square)] = mark.decode() or "-"
            (self.live.add if live else self.live.discard)(int(square))
        if stamp := STAMP.search(answer.body):
            self.stamp = stamp[1].decode()
        return answer


def play_sessions(port: int, sessions: int, seed: int) -> None:
    """Come as so many new visitors, one after the other, and play a game each."""
    rng = Random(seed)
    with Connection(port) as connection:
        for _ in range(sessions):
            connection.cookie = b""
            player = Player(connection, rng)
            while not player.over:
                assert player.move().status == 200
