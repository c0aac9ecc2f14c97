"""docs/deploy.md and the Containerfile, tried with a real nginx."""

from __future__ import annotations

import json
import re
import select
import shutil
import socket
import ssl
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from threading import Barrier, Event, Thread
from urllib.parse import quote

import pytest
from werkzeug.serving import make_server

from app import create_app
from tests.client import COOKIE, Connection, Player, respell
from tests.deployed import (
    NGINX_CONFIG,
    SHELL_BLOCKS,
    UNIT,
    DeployedSite,
    HttpsConnection,
    localize,
    nginx_in_front_of,
    running_site,
    running_unit,
    unit_service,
    wrap_in_tls,
)
from tests.pages import PAGES
from tests.serving import KEY, ROOT, Server, free_port, wait_until

# One of each kind of page that costs the server some milliseconds.
EXPENSIVE = (
    "/study/-X---XOOX?view=search",
    "/practise/values?seed=7",
    "/learn/write",
    "/proof",
)
CONTAINER = (ROOT / "Containerfile").read_text()


def needs_nginx(test: Callable[[DeployedSite], None]) -> Callable[[DeployedSite], None]:
    return pytest.mark.soak(pytest.mark.needs("nginx")(test))


@needs_nginx
def test_behind_nginx_everything_is_https_and_a_click_works(site: DeployedSite) -> None:
    with closing(HTTPConnection("localhost", site.http_port, timeout=30)) as connection:
        connection.request("GET", "/study/04")
        moved = connection.getresponse()
    assert (moved.status, moved.headers["Location"]) == (301, "https://localhost/study/04")
    page = site.request("GET", "/")
    assert page.status == 200
    assert "Strict-Transport-Security" in page.headers
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    # Players find nginx on port 443, which no address names.
    for origin, status in (("https://localhost", 303), ("https://elsewhere.example", 403)):
        response = site.request("POST", "/new", "mark=O", Origin=origin, **form)
        assert response.status == status
        assert status == 403 or response.headers["Set-Cookie"].startswith(f"__Host-{COOKIE}=")
    response = site.request("POST", "/new", "x" * 5000)
    assert response.status == 413
    assert {answer.headers["Server"] for answer in (moved, page, response)} == {
        "nginx"
    }  # no version


@needs_nginx
def test_nginx_logs_each_request_as_json_without_personal_data(site: DeployedSite) -> None:
    path = '/"\\%0a{é}?<x>&"'.encode()
    with socket.create_connection(("127.0.0.1", site.http_port)) as client:
        client.sendall(b"GET %b HTTP/1.1\r\nHost: x\r\nUser-Agent: someone\r\n\r\n" % path)
        assert client.recv(12) == b"HTTP/1.1 301"
    wait_until(lambda: "<x>" in site.log_file.read_text())  # the log entry comes after the response
    (line,) = (line for line in site.log_file.read_text().splitlines() if "<x>" in line)
    entry = json.loads(line)
    assert entry.keys() == {"time", "method", "path", "status", "seconds"}
    assert (entry["method"], entry["path"], entry["status"]) == ("GET", path.decode(), "301")


@needs_nginx
def test_nginx_buffers_slow_clients_and_closes_silent_ones(site: DeployedSite) -> None:
    """There are more clients of each kind than threads of all workers."""
    with ExitStack() as stack:

        def client() -> socket.socket:
            address = ("127.0.0.1", site.https_port)
            return stack.enter_context(socket.create_connection(address, timeout=30))

        silent = [client() for _ in range(10)]
        slow = [stack.enter_context(wrap_in_tls(client())) for _ in range(10)]
        for half in slow:
            half.sendall(b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\nm")
        assert site.request("GET", "/").status == 200
        assert select.select([*silent, *slow], [], [], 0)[0] == [], (
            "it must not wait for slow clients"
        )
        for connection in (*silent, *slow):
            assert connection.recv(100)[:13] in (b"", b"HTTP/1.1 408 "), (
                "a slow client must be refused"
            )


@needs_nginx
def test_nginx_caches_public_pages_for_one_host_and_never_the_game(site: DeployedSite) -> None:
    assert {"no-store"} == {site.request("GET", "/").headers["Cache-Control"]}
    for path in ("/learn/words", "/study/04"):
        first = site.request("GET", path)
        assert first.headers["Cache-Control"] == "public, max-age=3600"
    cache = site.log_file.parent / "tic-tac-toe"
    kept = {path.name for path in cache.rglob("*") if path.is_file()}
    for path in ("/learn/words", "/study/04", "/", "/learn"):
        site.request("GET", path)
    assert {path.name for path in cache.rglob("*") if path.is_file()} == kept != set()
    with pytest.raises((ssl.SSLError, ConnectionError)):  # for that name there is no certificate
        site.request("GET", "/", host="127.0.0.1")
    for path in ("/", "/learn/words"):
        with pytest.raises(ConnectionError):  # no response, because one would be cached
            site.request("GET", path, Host="elsewhere.example")


@needs_nginx
def test_a_flood_of_expensive_requests_is_limited_but_never_a_player(
    site: DeployedSite,
) -> None:
    def ask(first: int) -> Counter[tuple[str, int]]:
        with HttpsConnection(site.https_port) as connection:
            pages = (
                (EXPENSIVE[number % len(EXPENSIVE)], number) for number in range(first, 1000, 4)
            )
            return Counter(
                (page, connection.get(respell(page, number)).status) for page, number in pages
            )

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(ask, first) for first in range(4)]
        played = play(site, 1, lambda: all(future.done() for future in futures))
        answered = sum((future.result() for future in futures), Counter[tuple[str, int]]())
    assert played == {200}
    assert {status for _, status in answered} <= {200, 429}
    assert all(answered[page, 200] and answered[page, 429] for page in EXPENSIVE)
    # A class of 40 opens five pages each.
    assert sum(times for (_, status), times in answered.items() if status != 429) >= 200
    # The error log must not record the addresses of limited clients.
    assert "client:" not in (site.log_file.parent / "error.log").read_text()


@pytest.mark.soak
@pytest.mark.needs("nginx")
def test_a_slow_page_does_not_delay_others(tmp_path: Path) -> None:
    """Each page is rendered only after all its visitors have come through nginx.

    With proxy_cache_lock, nginx would let one through and make the others wait.
    """
    visitors = 8
    barrier = Barrier(visitors)
    app = create_app({"SECRET_KEY": KEY})

    @app.before_request
    def wait_for_all() -> None:
        barrier.wait(30)

    server = make_server("127.0.0.1", 0, app, threaded=True)
    with ExitStack() as stack:
        stack.callback(server.shutdown)
        Thread(target=server.serve_forever).start()
        # A lock would be kept for longer than nginx waits for an answer.
        long_locks = "proxy_cache_lock_timeout 60s; proxy_cache_lock_age 60s;"
        site = stack.enter_context(nginx_in_front_of([server.port] * 2, tmp_path, long_locks))
        pool = stack.enter_context(ThreadPoolExecutor(visitors))
        for url in PAGES.values():
            path = quote(url, safe="/?&=(),;-")
            statuses = pool.map(
                lambda _, path=path: site.request("GET", path).status, range(visitors)
            )
            assert {*statuses} <= {200, 400, 404}, url


@pytest.mark.soak
@pytest.mark.needs("nginx")
def test_each_ipv6_network_has_one_rate_limit(site: DeployedSite, tmp_path: Path) -> None:
    """That includes networks with a zero byte or a newline byte, at which a pattern could stop."""
    real_ip = "set_real_ip_from 127.0.0.1; real_ip_header X-Visitor;"
    with (
        nginx_in_front_of([*site.instances], tmp_path, real_ip) as here,
        HttpsConnection(here.https_port) as visitor,
    ):

        def refused(addresses: Iterable[str]) -> bool:
            return 429 in {
                visitor.get("/proof", **{"X-Visitor": address}).status for address in addresses
            }

        for network in ("2001:db8:1:2", "2001:db8:0:0", "a0a:a0a:a0a:a0a", "fe80:1:a:d0a"):
            assert refused(f"{network}:{n:x}:a0a:{n * n % 7919:x}:a" for n in range(300)), network
        assert not refused(f"2001:db8:{n:x}:a::1" for n in range(3, 303))
        assert not refused(f"a0a:0:0:{n:x}:a:a:a:a" for n in range(300))
        assert not refused(f"10.10.{n % 10}.{n // 10}" for n in range(300))


def test_every_expensive_route_shares_a_rate_limit_and_the_game_has_none() -> None:
    (zone,) = re.findall(r"limit_req_zone \S+ zone=(\w+):", NGINX_CONFIG)
    (place,) = re.findall(r"location ~ (\S+) \{\s+limit_req zone=(\w+) ", NGINX_CONFIG)
    assert place[1] == zone
    assert all(re.match(place[0], page) for page in EXPENSIVE)
    for cheap in ("/", "/move", "/new", "/learn", "/learn/1", "/static/play.css", "/today"):
        assert not re.match(place[0], cheap)


def test_the_unit_and_the_container_limit_memory_arenas() -> None:
    """With one arena per thread, 64 threads would use twice the memory."""
    assert "MALLOC_ARENA_MAX=2" in unit_service()["Environment"].split()
    assert "ENV MALLOC_ARENA_MAX=2\n" in CONTAINER


@needs_nginx
def test_a_rolling_upgrade_loses_no_click(site: DeployedSite) -> None:
    done = Event()
    with ThreadPoolExecutor(4) as pool:
        games = [pool.submit(play, site, seed, done.is_set) for seed in range(4)]
        for port, instance in site.instances.items():
            instance.close()
            wait_until(instance.enter_context(running_unit(port, *FEW_THREADS)).is_healthy)
        done.set()
    assert all(game.result() == {200} for game in games)


@pytest.mark.needs("systemd-analyze")
def test_the_unit_is_valid_and_grants_only_what_the_server_needs(tmp_path: Path) -> None:
    if "--offline" not in output_of("systemd-analyze", "--help"):
        return  # too old to check a unit that is not installed
    unit = tmp_path / "tic-tac-toe.service"
    unit.write_text(UNIT.replace("/srv/tic-tac-toe/.venv/bin/python", sys.executable))
    assert unit.name not in output_of("systemd-analyze", "verify", str(unit))
    judged = output_of("systemd-analyze", "security", "--offline=true", "--no-pager", str(unit))
    exposed = re.search(r"Overall exposure level .*: ([0-9.]+)", judged)
    assert exposed
    assert float(exposed[1]) <= 1.5, judged


def test_a_system_call_that_the_unit_denies_is_an_error_not_a_crash() -> None:
    """Debian 13's Python calls setfsuid when it imports pdb, and was killed at every start."""
    service = unit_service()
    assert "SystemCallFilter" in service
    assert service["SystemCallErrorNumber"] == "EPERM"


def test_only_the_owner_can_read_the_new_key(tmp_path: Path) -> None:
    (make,) = (text for text in SHELL_BLOCKS if "secrets" in text)
    file = tmp_path / "env"
    subprocess.run(["sh", "-c", make.replace("/etc/tic-tac-toe.env", str(file))], check=True)
    assert re.fullmatch(r"FLASK_SECRET_KEY=[0-9a-f]{64}\n", file.read_text())
    assert file.stat().st_mode & 0o777 == 0o600


# Run inside the container's server: it records each file that the server opens.
RECORD_OPENED_FILES = """
import os, sys
notes = os.open({!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
def note(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        os.write(notes, (os.path.abspath(arguments[0]) + "\\n").encode())
sys.addaudithook(note)
"""


def test_the_container_has_what_the_server_needs_and_is_read_only(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    noting = tmp_path_factory.mktemp("noting")
    notes = noting / "opened"
    (noting / "sitecustomize.py").write_text(RECORD_OPENED_FILES.format(str(notes)))
    copied = re.findall(r"^COPY (.+) (\S+)$", CONTAINER, re.MULTILINE)
    for sources, target in copied:
        for source in (path for pattern in sources.split() for path in ROOT.glob(pattern)):
            if source.is_dir():
                shutil.copytree(source, tmp_path / target)
            else:
                (tmp_path / target).mkdir(exist_ok=True)
                shutil.copy(source, tmp_path / target)
    before = {*tmp_path.rglob("*")}
    port = free_port()
    command, check = (json.loads(words) for words in re.findall(r"CMD (\[.*\])", CONTAINER)[::-1])
    check[-1] = check[-1].replace("8000", str(port))
    writing = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(noting)}
    with Server(localize(command, port), port, writing, tmp_path):
        subprocess.run([sys.executable, *check[1:]], check=True)
        with Connection(port, 30) as connection:
            for path in ("/learn/check", "/learn/teach/guide"):  # they show judge/ and docs/
                assert connection.get(path).status == 200
    assert {*tmp_path.rglob("*")} == before
    opened = {Path(line) for line in notes.read_text().splitlines()}
    for path in (source for sources, _ in copied for source in sources.split()):
        opened_below = [file for file in opened if file.is_relative_to(tmp_path / path)]
        assert opened_below or "*" in path or path == "requirements.txt", (
            f"{path} is copied, so it must be read"
        )
    with pytest.raises(subprocess.CalledProcessError):  # because the server has ended
        subprocess.run([sys.executable, *check[1:]], check=True, stderr=subprocess.DEVNULL)


# Helpers

FEW_THREADS = ("--blocking-threads", "2")  # so that few clients could block all of them


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeployedSite]:
    with running_site(tmp_path_factory.mktemp("site"), *FEW_THREADS) as site:
        yield site


def output_of(*command: str) -> str:
    """Return what a command prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def play(site: DeployedSite, seed: int, is_over: Callable[[], bool]) -> set[int]:
    """Play over one connection to nginx until `is_over`; return the statuses of all responses."""
    with HttpsConnection(site.https_port) as connection:
        player, statuses = Player(connection, Random(seed)), set[int]()
        while not is_over():
            statuses.add(player.press().status)
        return statuses
