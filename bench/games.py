"""Games played by clicks as htmx sends them, in this process or against a server.

`bench/clicks.py` also runs this in other versions of the project, so it imports only what they all
have.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterable
from http.client import HTTPConnection
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode

import brotli
from werkzeug.test import create_environ, run_wsgi_app

from app import create_app
from engine.position import Position

WARM_UP, MEASURED = range(60), range(60, 100)  # the first 60 games fill the caches
HIDDEN_FIELDS = re.compile(r'name="(position|stamp)" value="([^"]*)"')
HEADERS = {
    "Accept": "*/*",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en-GB,en;q=0.9",
    "Content-Type": "application/x-www-form-urlencoded",
    "HX-Current-URL": "http://127.0.0.1/",
    "HX-Request": "true",
    "Origin": "http://127.0.0.1",
    "Referer": "http://127.0.0.1/",
    "Sec-Fetch-Dest": "empty",
    "Sec-Fetch-Mode": "cors",
    "Sec-Fetch-Site": "same-origin",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
}


class Response(NamedTuple):
    """A response: its body, its Content-Encoding, and the cookie it sets, if any."""

    body: bytes
    encoding: str | None
    cookie: str | None


Send = Callable[[str, str, dict[str, str]], Response]


class Browser:
    """A browser that clicks with the cookie, the board and the stamp of the previous response."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self.cookie = ""
        self.fields = {"position": "-" * 9}

    def press(self, path: str, **form: str) -> None:
        """Click, and read the response."""
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        response = self.send(path, urlencode(self.fields | form), HEADERS | cookie)
        body = brotli.decompress(response.body) if response.encoding == "br" else response.body
        self.fields.update(HIDDEN_FIELDS.findall(body.decode()))
        if response.cookie:
            self.cookie = response.cookie.partition(";")[0]


def play(send: Send, games: Iterable[int]) -> int:
    """Play games, each by a new visitor and seeded by its number; return the number of moves."""
    click_count = 0
    for game in games:
        browser, human = Browser(send), Random(game)
        opponent, mark = ("random", "perfect")[game % 2], "XO"[game // 2 % 2]
        browser.press("/new", difficulty=opponent, mark=mark)
        while legal_moves := Position.parse(browser.fields["position"]).legal_moves():
            browser.press("/move", square=str(human.choice(legal_moves)))
            click_count += 1
    return click_count


class Cost(NamedTuple):
    """The cost of the moves of several games."""

    seconds: list[float]  # of each move
    call_count: int  # function calls
    byte_count: int  # of the bodies


class InProcess:
    """An application in this process, which measures the cost of its responses to moves."""

    def __init__(self, counts_calls: bool) -> None:
        self.app = create_app({"SECRET_KEY": "games" * 20}, Random(1))
        # Counting makes everything take three times as long.
        self.profile = self.count_call if counts_calls else None
        self.cost = Cost([], 0, 0)
        self.call_count = 0

    def send(self, path: str, form: str, headers: dict[str, str]) -> Response:
        """Return the response to a click."""
        environ = create_environ(path, method="POST", data=form, headers=headers)
        self.call_count = 0
        sys.setprofile(self.profile)
        began = time.process_time()
        body, _, sent = run_wsgi_app(self.app, environ, buffered=True)
        seconds = time.process_time() - began
        sys.setprofile(None)
        response = Response(b"".join(body), sent.get("Content-Encoding"), sent.get("Set-Cookie"))
        if path == "/move":
            cost_before = self.cost
            self.cost = Cost(
                seconds=[*cost_before.seconds, seconds],
                call_count=cost_before.call_count + self.call_count,
                byte_count=cost_before.byte_count + len(response.body),
            )
        return response

    def count_call(self, _: Any, event: str, __: Any) -> None:
        """Count a function call."""
        self.call_count += event in ("call", "c_call")


def sender(connection: HTTPConnection) -> Send:
    """Return a function that sends clicks over a connection to a server."""

    def send(path: str, form: str, headers: dict[str, str]) -> Response:
        connection.request("POST", path, form, headers)
        response = connection.getresponse()
        return Response(
            response.read(),
            response.getheader("Content-Encoding"),
            response.getheader("Set-Cookie"),
        )

    return send


def main() -> None:
    """Print the cost of the games in this process; `count` adds calls, which distorts times."""
    app = InProcess(counts_calls="count" in sys.argv)
    play(app.send, WARM_UP)
    app.cost = Cost([], 0, 0)
    play(app.send, MEASURED)
    print(json.dumps(app.cost))


if __name__ == "__main__":
    main()
