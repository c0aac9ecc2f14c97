"""Somebody who plays over HTTP, for what is measured and tried on a real server."""

from __future__ import annotations

import re
import zlib
from http.client import HTTPConnection
from itertools import cycle
from random import Random
from typing import NamedTuple, Self

COOKIE = "tic-tac-toe"  # of the session
CELL = re.compile(r'id="cell-(\d)" data-mark="([XO]?)" data-hx-swap-oob="true"( data-hx-post)?')
STAMP = re.compile(r'name="stamp" value="(\w+)"')


class Answer(NamedTuple):
    """Hold what a server sent: its status and, unpacked, its body."""

    status: int
    body: str


class Connection(HTTPConnection):
    """Keep one connection to a server here open, and the session cookie that came over it."""

    def __init__(self, port: int, timeout: float = 30) -> None:
        super().__init__("127.0.0.1", port, timeout)
        self.cookie = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def post(self, path: str, form: str) -> Answer:
        """Post a form as htmx does. Raises OSError or HTTPException where no answer comes."""
        headers = {
            "HX-Request": "true",
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self._ask("POST", path, form, headers)

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for a page. Raises OSError or HTTPException where no answer comes."""
        return self._ask("GET", path, None, headers)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        headers |= {"Cookie": self.cookie, "Accept-Encoding": "gzip"}
        self.request(method, path, body, headers)
        response = self.getresponse()
        received = response.read()
        if cookie := response.getheader("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        if response.getheader("Content-Encoding") == "gzip":
            received = zlib.decompress(received, wbits=31)
        return Answer(response.status, received.decode(errors="replace"))


def spelled(address: str, number: int) -> str:
    """Return an address that means the same, spelled in another way for each number.

    So nginx, which goes by the spelling, has kept none of them.

    >>> [spelled("/a/bc", number) for number in (0, 1, 6, 24)]
    ['/a/bc?', '/%61/bc?', '/a/%62%63?', '/a/bc?&&&']
    """
    letters = [at for at, letter in enumerate(address) if letter.isalpha()]
    coded = {at for bit, at in enumerate(letters) if number >> bit & 1}
    path = "".join(f"%{ord(c):02x}" if at in coded else c for at, c in enumerate(address))
    return path + ("" if "?" in address else "?") + "&" * (number >> len(letters))


class Player:
    """Play whole games at random over one connection, each click as the page would post it."""

    def __init__(self, connection: Connection, rng: Random) -> None:
        self.connection = connection
        self.rng = rng
        self.board = dict.fromkeys(range(9), "-")
        self.live = set(range(9))
        self.stamp = ""
        # Each changes what the one before it, or the page at first, has chosen.
        self.choices = cycle(("difficulty=random", "mark=O", "difficulty=perfect", "mark=X", ""))

    def move(self) -> Answer:
        """Click on one of the empty squares; there are some until `over`."""
        return self._post("/move", f"square={self.rng.choice(sorted(self.live))}")

    def press(self) -> Answer:
        """Click, and where the game is over begin a new one."""
        return self.new() if self.over else self.move()

    @property
    def over(self) -> bool:
        """Say whether the game is over: no square can be played."""
        return not self.live

    def new(self) -> Answer:
        """Begin a new game, four times in five with the other mark or opponent."""
        return self._post("/new", next(self.choices))

    def _post(self, path: str, what: str) -> Answer:
        form = f"position={''.join(self.board.values())}&stamp={self.stamp}&{what}"
        answer = self.connection.post(path, form)
        for square, mark, live in CELL.findall(answer.body):
            self.board[int(square)] = mark or "-"
            (self.live.add if live else self.live.discard)(int(square))
        if stamp := STAMP.search(answer.body):
            self.stamp = stamp[1]
        return answer


def play_sessions(port: int, sessions: int, seed: int) -> None:
    """Come as so many new visitors, one after the other, and play a game each."""
    rng = Random(seed)
    with Connection(port) as connection:
        for _ in range(sessions):
            connection.cookie = ""
            player = Player(connection, rng)
            while not player.over:
                assert player.move().status == 200
