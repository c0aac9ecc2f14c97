"""The log: a line for each request, which none can forge, and for which none waits or fails."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from threading import Thread
from types import SimpleNamespace
from typing import IO

import pytest
from flask import Flask, abort

from tests.client import Connection
from tests.serving import Granian
from web.log import PATIENCE, WAITING, log_requests, outlast, print_all

CHEAP = "/static/icon.svg"


@contextmanager
def pipe() -> Iterator[tuple[IO[str], IO[str]]]:
    reading, writing = os.pipe()
    with os.fdopen(reading) as reader, os.fdopen(writing, "w") as writer:
        yield reader, writer


def test_a_line_says_what_was_asked_and_what_came_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Flask(__name__, static_folder=None)
    well = True

    @app.route("/healthz")
    def healthz() -> str:
        return "ok" if well else abort(503)

    @app.route("/broken")
    def broken() -> str:
        raise ZeroDivisionError

    with pipe() as (reader, writer):
        monkeypatch.setattr("sys.stdout", writer)
        log_requests(app)
        client = app.test_client()
        client.get("/healthz")
        client.post('/%0d%0a{"path":"forged"}"?q=%0a')
        client.get("/why/\N{LINE SEPARATOR}")
        client.get("/why/%FF")
        client.get("/broken")
        well = False
        client.get("/healthz")
        lines = [json.loads(reader.readline()) for _ in range(5)]
    assert all(list(line) == ["time", "method", "path", "status", "ms"] for line in lines)
    assert [(line["method"], line["path"], line["status"]) for line in lines] == [
        ("POST", '/\r\n{"path":"forged"}"', 404),
        ("GET", "/why/\N{LINE SEPARATOR}", 404),
        ("GET", "/why/\N{REPLACEMENT CHARACTER}", 404),
        ("GET", "/broken", 500),
        ("GET", "/healthz", 503),
    ]


def test_a_line_says_how_many_milliseconds_the_answer_took(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Flask(__name__, static_folder=None)
    clock = iter([2.0, 5.0123456])
    with pipe() as (reader, writer):
        monkeypatch.setattr("sys.stdout", writer)
        monkeypatch.setattr("web.log.time", SimpleNamespace(perf_counter=clock.__next__))
        log_requests(app)
        app.test_client().get("/")
        assert json.loads(reader.readline())["ms"] == 3012.35


def test_every_request_has_its_line_before_the_server_ends() -> None:
    with Granian(FLASK_ACCESS_LOG="true") as server:
        with Connection(server.port) as connection:
            for path in ("/", "/%0d%0a%22", "/healthz", CHEAP, "/nowhere"):
                connection.get(path)
        os.kill(server.process.pid, signal.SIGTERM)
        server.process.wait(timeout=10)
        lines = [json.loads(line) for line in server.printed().splitlines()]
    assert [(line["path"], line["status"]) for line in lines] == [
        ("/", 200),
        ('/\r\n"', 404),
        (CHEAP, 200),
        ("/nowhere", 404),
    ]


def test_lines_that_nobody_reads_wait_and_more_than_can_wait_are_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Flask(__name__, static_folder=None)
    with pipe() as (reader, writer):
        monkeypatch.setattr("sys.stdout", writer)
        log_requests(app)
        client = app.test_client()
        for number in range(2000):
            client.get(f"/{number}")  # a pipe holds some 600 lines
        paths = [json.loads(reader.readline())["path"] for _ in range(WAITING)]
        assert paths == [f"/{number}" for number in range(WAITING)]
        client.get("/last")
        while paths[-1] != "/last":
            paths.append(json.loads(reader.readline())["path"])
    assert WAITING < len(paths) < 2000


def test_a_process_that_ends_prints_its_last_lines_first(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Thread()
    ended.start()
    monkeypatch.setattr("web.log.main_thread", lambda: ended)
    lines: Queue[str] = Queue()
    last = [str(number) for number in range(100)]
    for text in last:
        lines.put(text)
    with pipe() as (reader, writer):
        monkeypatch.setattr("sys.stdout", writer)
        Thread(target=print_all, args=(lines,), daemon=True).start()
        outlast(lines)
        writer.close()
        assert reader.read().split() == last


@pytest.mark.parametrize("closed", ["before the start", "since"])
def test_without_a_stdout_lines_are_lost_and_the_process_can_end(
    monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    with pipe() as (_, writer):
        pass
    monkeypatch.setattr("sys.stdout", writer if closed == "since" else None)
    ended = Thread()
    ended.start()
    monkeypatch.setattr("web.log.main_thread", lambda: ended)
    lines: Queue[str] = Queue()
    lines.put("lost")
    lines.put("lost, too")
    Thread(target=print_all, args=(lines,), daemon=True).start()
    outlast(lines)
    assert not lines.unfinished_tasks


def test_a_process_ends_though_nobody_takes_its_last_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = Thread()
    ended.start()
    monkeypatch.setattr("web.log.main_thread", lambda: ended)
    lines: Queue[str] = Queue()
    lines.put("waits")
    waiting = Thread(target=outlast, args=(lines,), daemon=True)
    began = time.monotonic()
    waiting.start()
    waiting.join(timeout=10)
    assert PATIENCE <= time.monotonic() - began < 10
    lines.task_done()
