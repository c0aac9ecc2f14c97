"""Games played by clicks as htmx sends them, in this process or against a server.

`bench/clicks.py` also runs this file in other versions of the project, so it imports only modules
that they all have.
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

WARM_UP_GAMES = range(60)  # these fill the caches
MEASURED_GAMES = range(60, 100)
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
    """A response to a click."""

    body: bytes
    encoding: str | None  # the header Content-Encoding
    cookie: str | None  # the header Set-Cookie


# Posts a form, given its path, its encoded fields and the headers of the request.
Sender = Callable[[str, str, dict[str, str]], Response]


class Browser:
    """A browser that clicks with the cookie, the board and the stamp of the previous response."""

    def __init__(self, send: Sender) -> None:
        self.send = send
        self.cookie = ""
        self.fields = {"position": "-" * 9}

    def press(self, path: str, **form: str) -> None:
        """Click on the button that posts this form, and read the response."""
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        response = self.send(path, urlencode(self.fields | form), HEADERS | cookie)
        body = brotli.decompress(response.body) if response.encoding == "br" else response.body
        self.fields.update(HIDDEN_FIELDS.findall(body.decode()))
        if response.cookie:
            self.cookie = response.cookie.partition(";")[0]


def play(send: Sender, game_numbers: Iterable[int]) -> int:
    """Play games, each as a new visitor, and return the number of clicks on squares.

    The number of a game is the seed of the visitor's moves; it also decides the opponent and the
    mark, so that any four games in a row have all combinations.
    """
    click_count = 0
    for number in game_numbers:
        browser, rng = Browser(send), Random(number)
        opponent, mark = ("random", "perfect")[number % 2], "XO"[number // 2 % 2]
        browser.press("/new", difficulty=opponent, mark=mark)
        while legal_moves := Position.parse(browser.fields["position"]).legal_moves():
            browser.press("/move", square=str(rng.choice(legal_moves)))
            click_count += 1
    return click_count


class Cost(NamedTuple):
    """The cost of all clicks on squares in several games."""

    seconds: list[float]  # processor time of each click
    call_count: int  # function calls
    byte_count: int  # of the compressed response bodies


class MeasuredApp:
    """An application in this process, with the cost of its responses to clicks on squares."""

    def __init__(self, counts_calls: bool) -> None:
        self.app = create_app({"SECRET_KEY": "games" * 20}, Random(1))
        # Counting calls is optional, because it makes everything take three times as long.
        self.profiler = self.count_call if counts_calls else None
        self.cost = Cost([], 0, 0)
        self.call_count = 0

    def send(self, path: str, form: str, headers: dict[str, str]) -> Response:
        """Return the response to a click."""
        environ = create_environ(path, method="POST", data=form, headers=headers)
        self.call_count = 0
        sys.setprofile(self.profiler)
        start_time = time.process_time()
        chunks, _, response_headers = run_wsgi_app(self.app, environ, buffered=True)
        seconds = time.process_time() - start_time
        sys.setprofile(None)
        response = Response(
            b"".join(chunks),
            response_headers.get("Content-Encoding"),
            response_headers.get("Set-Cookie"),
        )
        if path == "/move":
            cost_before = self.cost
            self.cost = Cost(
                seconds=[*cost_before.seconds, seconds],
                call_count=cost_before.call_count + self.call_count,
                byte_count=cost_before.byte_count + len(response.body),
            )
        return response

    def count_call(self, _: Any, event: str, __: Any) -> None:
        """Count a function call; Python passes each event of the profiler to this."""
        self.call_count += event in ("call", "c_call")


def make_sender(connection: HTTPConnection) -> Sender:
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
    """Play the games in this process, and print their cost as JSON.

    The argument "count" also counts function calls, which distorts the times.
    """
    app = MeasuredApp(counts_calls="count" in sys.argv)
    play(app.send, WARM_UP_GAMES)
    app.cost = Cost([], 0, 0)
    play(app.send, MEASURED_GAMES)
    print(json.dumps(app.cost))


if __name__ == "__main__":
    main()
