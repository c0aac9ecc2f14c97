"""Connections and players over HTTP, for measurements and tests on a real server."""

from __future__ import annotations

import re
import zlib
from http.client import HTTPConnection
from itertools import cycle
from random import Random
from typing import NamedTuple, Self

COOKIE = "tic-tac-toe"  # the name of the session cookie
CELL_PATTERN = re.compile(
    r'id="cell-(\d)" data-mark="([XO]?)" data-hx-swap-oob="true"( data-hx-post)?'
)
STAMP_PATTERN = re.compile(r'name="stamp" value="(\w+)"')


class Response(NamedTuple):
    """A response: its status and its decompressed body."""

    status: int
    body: str


class Connection(HTTPConnection):
    """A connection to a local server that keeps the session cookie, as a browser does."""

    def __init__(self, port: int, timeout: float = 30, prefix: str = "") -> None:
        super().__init__("127.0.0.1", port, timeout)
        self.prefix = prefix  # put before each path
        self.cookie = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def post(self, path: str, form: str) -> Response:
        """Post a form as htmx does. Raises OSError or HTTPException if there is no response."""
        headers = {
            "HX-Request": "true",
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self._exchange("POST", path, form, headers)

    def get(self, path: str, **headers: str) -> Response:
        """Request a page. Raises OSError or HTTPException if there is no response."""
        return self._exchange("GET", path, None, headers)

    def _exchange(
        self, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> Response:
        """Send a request with the cookie and return the response, after saving its cookie."""
        headers |= {"Cookie": self.cookie, "Accept-Encoding": "gzip"}
        self.request(method, self.prefix + path, body, headers)
        response = self.getresponse()
        content = response.read()
        if cookie := response.getheader("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        if response.getheader("Content-Encoding") == "gzip":
            content = zlib.decompress(content, wbits=31)
        return Response(response.status, content.decode(errors="replace"))


def respell(address: str, number: int) -> str:
    """Return an equivalent address with a different spelling for each number.

    Nginx caches by spelling, so none of these is in its cache yet.

    >>> [respell("/a/bc", number) for number in (0, 1, 6, 24)]
    ['/a/bc?', '/%61/bc?', '/a/%62%63?', '/a/bc?&&&']
    """
    letters = [index for index, letter in enumerate(address) if letter.isalpha()]
    encoded = {index for bit, index in enumerate(letters) if number >> bit & 1}
    path = "".join(f"%{ord(c):02x}" if index in encoded else c for index, c in enumerate(address))
    return path + ("" if "?" in address else "?") + "&" * (number >> len(letters))


class Player:
    """A player of random games over one connection, who posts each click as the page would."""

    def __init__(self, connection: Connection, rng: Random) -> None:
        self.connection = connection
        self.rng = rng
        self.board = dict.fromkeys(range(9), "-")
        self.live_squares = set(range(9))
        self.stamp = ""
        # Each of the first four changes one setting of the previous game; the last changes none.
        self.settings = cycle(("difficulty=random", "mark=O", "difficulty=perfect", "mark=X", ""))

    def move(self) -> Response:
        """Click on a random empty square."""
        return self._post("/move", f"square={self.rng.choice(sorted(self.live_squares))}")

    def press(self) -> Response:
        """Click on a square, or start a new game if this one is over."""
        return self.start_game() if self.is_over else self.move()

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return not self.live_squares

    def start_game(self) -> Response:
        """Start a new game, four times in five with another mark or opponent."""
        return self._post("/new", next(self.settings))

    def _post(self, path: str, fields: str) -> Response:
        """Post fields with those that every form has, and read the board from the response."""
        form = f"position={''.join(self.board.values())}&stamp={self.stamp}&{fields}"
        response = self.connection.post(path, form)
        for digit, mark, can_be_played in CELL_PATTERN.findall(response.body):
            square = int(digit)
            self.board[square] = mark or "-"
            if can_be_played:
                self.live_squares.add(square)
            else:
                self.live_squares.discard(square)
        if stamp := STAMP_PATTERN.search(response.body):
            self.stamp = stamp[1]
        return response


def play_games(port: int, session_count: int, seed: int) -> None:
    """Play one game in each of several new sessions, one after the other."""
    rng = Random(seed)
    with Connection(port) as connection:
        for _ in range(session_count):
            connection.cookie = ""
            player = Player(connection, rng)
            while not player.is_over:
                assert player.move().status == 200
