"""A log of requests that no request can forge, and for which none ever waits."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from queue import Full, Queue
from threading import Thread, main_thread
from typing import TYPE_CHECKING, Any

from flask import Flask

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

WAITING = 1000  # lines, of some 100 bytes each, for a stdout that takes none just now
PATIENCE = 2  # seconds that a process which ends waits for stdout to take its lines


def log_requests(app: Flask) -> None:
    """Print a line of JSON for each answer of `app`: what was asked, never by whom.

    A line that stdout does not take is lost, its request is not: a thread of its own prints, so
    that neither a full disk nor a pipe that nobody reads can fail or stall an answer. That the
    server is well (`/healthz`) is worth no line.
    """
    lines: Queue[str] = Queue(WAITING)
    Thread(target=print_all, args=(lines,), daemon=True).start()
    Thread(target=outlast, args=(lines,)).start()
    wsgi_app = app.wsgi_app

    def logged(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()

        def log(status: str, headers: list[tuple[str, str]], error: Any = None) -> Any:
            if (environ["PATH_INFO"], status[:3]) != ("/healthz", "200"):
                with suppress(Full):
                    lines.put_nowait(line(environ, status, time.perf_counter() - began))
            return start_response(status, headers, error)

        return wsgi_app(environ, log)

    app.wsgi_app = logged  # type: ignore[method-assign]


def line(environ: WSGIEnvironment, status: str, seconds: float) -> str:
    """Return one request as JSON, which escapes whatever could end a line."""
    return json.dumps(
        {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "method": environ["REQUEST_METHOD"],
            # The bytes of the path come as Latin-1, whatever they are (PEP 3333).
            "path": environ["PATH_INFO"].encode("latin-1").decode(errors="replace"),
            "status": int(status[:3]),
            "ms": round(seconds * 1000, 2),
        }
    )


def print_all(lines: Queue[str]) -> None:
    """Print line after line, each in one piece, and lose those that cannot be."""
    while True:
        text = lines.get()
        # Where stdout was closed before the start, Python has none; where since, it has no number.
        with suppress(OSError, ValueError, AttributeError):
            os.write(sys.stdout.fileno(), f"{text}\n".encode())
        lines.task_done()


def outlast(lines: Queue[str]) -> None:
    """Keep a process that ends until it has printed its last lines, or nobody takes them."""
    main_thread().join()
    with lines.all_tasks_done:
        lines.all_tasks_done.wait_for(lambda: not lines.unfinished_tasks, PATIENCE)
