"""Servers on loopback: the app in threads of this process, or any command as its own process."""

from __future__ import annotations

import ctypes
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Self
from unittest.mock import patch

from axe_playwright_python.base import AXE_SCRIPT
from flask import Response, request
from werkzeug.serving import make_server

from app import create_app
from tests.client import COOKIE, Connection
from tests.pages import NOW
from tools.serve import OPTIONS, WORKER
from web.play.cookie import from_dict, to_dict
from web.play.game import Game

ROOT = Path(__file__).parents[1]
KEY = "a key for tests" * 5  # shared by all servers, so that each accepts all cookies

# The address of axe, the accessibility checker. Pages fetch it, because a browser compiles a script
# that it fetches only once, but compiles one that a test injects every time.
AXE = "/axe.js"


def axe_response() -> Response:
    headers = {"Cache-Control": "max-age=86400"}
    return Response(AXE_SCRIPT, mimetype="text/javascript", headers=headers)


class Site:
    """The app in threads of this process; a test controls its random numbers and its replies."""

    def __init__(self) -> None:
        self.rng = Random()
        self._may_reply = Event()
        self._may_reply.set()
        self._latency_seconds = 0.0
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        app = create_app({"SECRET_KEY": KEY, "NOW": lambda: NOW}, self.rng)
        app.before_request(self._delay_clicks)
        app.add_url_rule(AXE, view_func=axe_response)
        self._app, self._port = app, free_port()
        self.url = f"http://127.0.0.1:{self._port}"

    def cookie(self, game: Game) -> str:
        """Return the session cookie of a browser in the middle of `game`."""
        assert from_dict(to_dict(game)) == game, "the app would refuse this game"
        client = self._app.test_client()
        with client.session_transaction() as session:
            session["game"] = to_dict(game)
        cookie = client.get_cookie(COOKIE)
        assert cookie
        return cookie.value

    def _delay_clicks(self) -> None:
        if request.method == "POST":
            self._may_reply.wait(timeout=30)
            time.sleep(self._latency_seconds)

    @contextmanager
    def holding_replies(self) -> Iterator[None]:
        """Hold back all replies to clicks until the end of the block."""
        self._may_reply.clear()
        try:
            yield
        finally:
            self._may_reply.set()

    def latency(self, seconds: float) -> AbstractContextManager[object]:
        """Delay each reply to a click by some seconds until the end of the block."""
        return patch.object(self, "_latency_seconds", seconds)

    @contextmanager
    def serving(self) -> Iterator[Site]:
        """Serve the app until the end of the block."""
        self._start()
        try:
            yield self
        finally:
            self._stop()

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Refuse every connection until the end of the block, as if the server were down."""
        self._stop()
        try:
            yield
        finally:
            self._start()

    def _start(self) -> None:
        self._server = make_server("127.0.0.1", self._port, self._app, threaded=True)
        self._thread = Thread(target=self._server.serve_forever)
        self._thread.start()

    def _stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Server:
    """A command that listens on a port, as a process that can be stopped and started again.

    `settings` are variables of its environment.
    """

    prefix = ""  # of the paths that it serves

    def __init__(
        self, command: list[str], port: int, settings: dict[str, str], folder: Path = ROOT
    ) -> None:
        self.command, self.port, self.folder = command, port, folder
        self.url = f"http://127.0.0.1:{port}"
        self.environment = environment(**settings)

    def start(self) -> None:
        """Start the command, and wait until it listens."""
        self.output = tempfile.NamedTemporaryFile()  # noqa: SIM115 - closed by kill
        self.process = subprocess.Popen(
            self.command,
            cwd=self.folder,
            env=self.environment,
            stdout=self.output,
            stderr=self.output,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        wait_until(self.is_listening)

    def is_listening(self) -> bool:
        """Return whether the server accepts connections. Fails with its output if it has ended."""
        assert self.process.poll() is None, self.printed_text()
        with suppress(OSError):
            self.connect().close()
            return True
        return False

    def printed_text(self) -> str:
        """Return what the server has printed since it started."""
        return Path(self.output.name).read_text()

    def kilobytes_by_pid(self) -> dict[int, int]:
        """Return the memory of the server and of each of its workers, by process id."""
        processes = subprocess.run(
            ["ps", "-A", "-o", "pgid=,pid=,rss="], capture_output=True, check=True, text=True
        )
        rows = (map(int, line.split()) for line in processes.stdout.splitlines())
        # A process that has ended, but has not been waited for, uses no memory.
        return {pid: size for group, pid, size in rows if group == self.process.pid and size}

    def megabytes(self) -> float:
        """Return the memory that the server and its workers use together."""
        return sum(self.kilobytes_by_pid().values()) / 1024

    def connect(self) -> socket.socket:
        """Return a bare connection, for requests that no client would send."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def worker_pids(self) -> list[int]:
        """Return the process ids of the server's workers."""
        return [pid for pid in self.kilobytes_by_pid() if pid != self.process.pid]

    def is_healthy(self, timeout: float = 30) -> bool:
        """Return whether a health check over a new connection succeeds within `timeout` seconds."""
        connection = Connection(self.port, timeout, self.prefix)
        with suppress(OSError, HTTPException), connection:
            return connection.get("/healthz").status == 200
        return False

    def kill(self) -> None:
        """Kill the server and its workers, which are a process group of their own."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.output.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


class Granian(Server):
    """The app served by Granian; `options` are added to those of the deployed server."""

    def __init__(self, *options: str, app: str = WORKER, cpu: int | None = None) -> None:
        port = free_port()
        module = ["tools.serve"] if app == WORKER else ["granian", *OPTIONS, app]
        command = [sys.executable, "-m", *module, "--port", str(port), *options]
        if cpu is not None and shutil.which("taskset"):
            command = ["taskset", "--cpu-list", str(cpu), *command]
        super().__init__(command, port, {"MALLOC_ARENA_MAX": "2"})


def free_port() -> int:
    """Return a port of loopback on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds. Raises TimeoutError after half a minute."""
    deadline = time.monotonic() + 30
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)


def environment(**settings: str) -> dict[str, str]:
    """Return the environment for a server: this one with a key and `settings`, without coverage."""
    variables = {name: os.environ[name] for name in os.environ if "COVERAGE" not in name}
    return {**variables, "FLASK_SECRET_KEY": KEY, **settings}


def end_with_parent() -> None:
    """Ask Linux to stop this process when its parent ends, even if the parent is killed.

    A server's process runs this before its command.
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
