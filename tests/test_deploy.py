"""docs/deploy.md, tried with a real nginx, and the Containerfile."""

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
from cProfile import Profile
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from random import Random
from threading import Barrier, Event, Thread
from typing import NamedTuple
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
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
EXPENSIVE_URLS = (
    "/study/-X---XOOX?view=search",
    "/practise/values?seed=7",
    "/learn/write",
    "/learn/sheet?seed=1",
    "/proof",
)
CONTAINERFILE = (ROOT / "Containerfile").read_text()
TestFunction = Callable[..., None]
FEW_THREADS = ("--blocking-threads", "2")  # so that few clients could block all of them


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeployedSite]:
    """The site as deployed, with few threads."""
    with running_site(tmp_path_factory.mktemp("site"), *FEW_THREADS) as site:
        yield site


def slow_nginx_test(test: TestFunction) -> TestFunction:
    """Mark a test that needs nginx and takes long."""
    marked_test: TestFunction = pytest.mark.soak(pytest.mark.needs("nginx")(test))
    return marked_test


def http_response(site: DeployedSite, path: str) -> HTTPResponse:
    """Return the response of nginx to a request over HTTP."""
    with closing(HTTPConnection("localhost", site.http_port, timeout=30)) as connection:
        connection.request("GET", path)
        return connection.getresponse()


@slow_nginx_test
def test_http_redirects_to_https(site: DeployedSite) -> None:
    response = http_response(site, "/study/04")
    assert response.status == 301
    assert response.headers["Location"] == "https://localhost/study/04"
    page = site.request("GET", "/")
    assert page.status == 200
    assert "Strict-Transport-Security" in page.headers


@slow_nginx_test
def test_a_click_works_from_the_site_itself_and_from_no_other(site: DeployedSite) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    # Browsers leave out the port of the origin, because they find nginx on port 443.
    response = site.request("POST", "/new", "mark=O", Origin="https://localhost", **form)
    assert response.status == 303
    assert response.headers["Set-Cookie"].startswith(f"__Host-{COOKIE}=")
    refused = site.request("POST", "/new", "mark=O", Origin="https://elsewhere.example", **form)
    assert refused.status == 403


@slow_nginx_test
def test_nginx_refuses_a_form_that_is_too_long(site: DeployedSite) -> None:
    assert site.request("POST", "/new", "x" * 5000).status == 413


@slow_nginx_test
def test_responses_name_nginx_without_its_version(site: DeployedSite) -> None:
    moved, page = http_response(site, "/study/04"), site.request("GET", "/")
    refused = site.request("POST", "/new", "x" * 5000)
    assert {response.headers["Server"] for response in (moved, page, refused)} == {"nginx"}


@slow_nginx_test
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


@slow_nginx_test
def test_nginx_buffers_slow_clients_and_closes_silent_ones(site: DeployedSite) -> None:
    """There are more clients of each kind than threads of all workers."""
    with ExitStack() as stack:

        def connect() -> socket.socket:
            address = ("127.0.0.1", site.https_port)
            return stack.enter_context(socket.create_connection(address, timeout=30))

        silent_clients = [connect() for _ in range(10)]
        slow_clients = [stack.enter_context(wrap_in_tls(connect())) for _ in range(10)]
        head = b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n"
        for slow_client in slow_clients:
            slow_client.sendall(head + b"m")  # one of six bytes
        assert site.request("GET", "/").status == 200
        with_response, _, _ = select.select([*silent_clients, *slow_clients], [], [], 0)
        assert with_response == [], "nginx must answer others before it gives up on slow clients"
        for client in [*silent_clients, *slow_clients]:
            start = client.recv(100)[:13]
            assert start in (b"", b"HTTP/1.1 408 "), "a slow client must be refused"


@slow_nginx_test
def test_nginx_caches_public_pages_and_never_the_game(site: DeployedSite) -> None:
    assert site.request("GET", "/").headers["Cache-Control"] == "no-store"
    for path in ("/learn/words", "/study/04"):
        response = site.request("GET", path)
        assert response.headers["Cache-Control"] == "public, max-age=3600"
    cached = cached_files(site)
    assert cached
    for path in ("/learn/words", "/study/04", "/", "/learn"):
        site.request("GET", path)
    assert cached_files(site) == cached


def cached_files(site: DeployedSite) -> set[str]:
    """Return the names of the files in the page cache of nginx."""
    folder = site.log_file.parent / "tic-tac-toe"
    return {path.name for path in folder.rglob("*") if path.is_file()}


@slow_nginx_test
def test_nginx_does_not_answer_requests_for_another_host(site: DeployedSite) -> None:
    with pytest.raises((ssl.SSLError, ConnectionError)):  # for that name there is no certificate
        site.request("GET", "/", host="127.0.0.1")
    for path in ("/", "/learn/words"):
        with pytest.raises(ConnectionError):  # no response, because one would be cached
            site.request("GET", path, Host="elsewhere.example")


@slow_nginx_test
def test_a_flood_of_expensive_requests_is_limited_but_never_a_player(
    site: DeployedSite,
) -> None:
    def request_every_fourth(first: int) -> Counter[tuple[str, int]]:
        """Count the responses to every fourth of 1,000 requests, by address and status."""
        responses = Counter[tuple[str, int]]()
        with HttpsConnection(site.https_port) as connection:
            for number in range(first, 1000, 4):
                url = EXPENSIVE_URLS[number % len(EXPENSIVE_URLS)]
                responses[url, connection.get(respell(url, number)).status] += 1
        return responses

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(request_every_fourth, first) for first in range(4)]
        player_statuses = play(site, 1, lambda: all(future.done() for future in futures))
        responses = sum((future.result() for future in futures), Counter[tuple[str, int]]())
    assert player_statuses == {200}
    assert {status for _, status in responses} <= {200, 429}
    assert all(responses[url, 200] and responses[url, 429] for url in EXPENSIVE_URLS)
    # A class of 40 students can open five pages each.
    assert sum(count for (_, status), count in responses.items() if status == 200) >= 200
    # The error log must not record the addresses of limited clients.
    assert "client:" not in (site.log_file.parent / "error.log").read_text()


@slow_nginx_test
def test_nginx_never_makes_a_visitor_wait_for_another(tmp_path: Path) -> None:
    """The server renders a page only after all visitors have requested it.

    With proxy_cache_lock, nginx would pass on one request and hold back the others.
    """
    visitor_count = 8
    barrier = Barrier(visitor_count)
    app = create_app({"SECRET_KEY": KEY})

    @app.before_request
    def wait_for_all() -> None:
        barrier.wait(30)

    server = make_server("127.0.0.1", 0, app, threaded=True)
    with ExitStack() as stack:
        stack.callback(server.shutdown)
        Thread(target=server.serve_forever).start()
        # If nginx had a lock, it would keep it for longer than the server waits for all visitors.
        long_locks = "proxy_cache_lock_timeout 60s; proxy_cache_lock_age 60s;"
        site = stack.enter_context(nginx_in_front_of([server.port] * 2, tmp_path, long_locks))
        pool = stack.enter_context(ThreadPoolExecutor(visitor_count))
        for url in PAGES.values():
            path = quote(url, safe="/?&=(),;-")
            visitors = [pool.submit(site.request, "GET", path) for _ in range(visitor_count)]
            statuses = {visitor.result().status for visitor in visitors}
            assert statuses <= {200, 400, 404}, url


@slow_nginx_test
def test_each_ipv6_network_has_one_rate_limit(site: DeployedSite, tmp_path: Path) -> None:
    """Some networks have a zero byte or a newline byte, at which a pattern could stop."""
    # With this, nginx takes the address of the visitor from a header.
    real_ip_config = "set_real_ip_from 127.0.0.1; real_ip_header X-Visitor;"
    with (
        nginx_in_front_of([*site.instances], tmp_path, real_ip_config) as other_site,
        HttpsConnection(other_site.https_port) as connection,
    ):

        def is_limited(addresses: Iterable[str]) -> bool:
            """Request a page from each address, and return whether a request was refused."""
            headers = [{"X-Visitor": address} for address in addresses]
            return 429 in {connection.get("/proof", **header).status for header in headers}

        for network in ("2001:db8:1:2", "2001:db8:0:0", "a0a:a0a:a0a:a0a", "fe80:1:a:d0a"):
            hosts = (f"{network}:{n:x}:a0a:{n * n % 7919:x}:a" for n in range(300))
            assert is_limited(hosts), network
        # Visitors from different networks, or with IPv4, have a limit each.
        assert not is_limited(f"2001:db8:{n:x}:a::1" for n in range(3, 303))
        assert not is_limited(f"a0a:0:0:{n:x}:a:a:a:a" for n in range(300))
        assert not is_limited(f"10.10.{n % 10}.{n // 10}" for n in range(300))


def test_every_expensive_route_shares_a_rate_limit_and_the_game_has_none(
    client: FlaskClient,
) -> None:
    """A page is expensive if it takes 20,000 calls of functions, eight times as many as a click."""
    (zone,) = re.findall(r"limit_req_zone \S+ zone=(\w+):", NGINX_CONFIG)
    ((pattern, zone_of_pattern),) = re.findall(
        r"location ~ (\S+) \{\s+limit_req zone=(\w+) ", NGINX_CONFIG
    )
    assert zone_of_pattern == zone
    assert all(re.match(pattern, url) for url in EXPENSIVE_URLS)
    expensive_pages = [page for page in PAGES.values() if call_count(client, page) > 20_000]
    assert len(expensive_pages) > 5
    assert [page for page in expensive_pages if not re.match(pattern, page)] == []
    for cheap_url in ("/", "/move", "/new", "/learn", "/learn/1", "/static/play.css", "/today"):
        assert not re.match(pattern, cheap_url)


def call_count(client: FlaskClient, page: str) -> int:
    """Return how many calls of functions a page takes, once the caches are full."""
    client.get(page)
    profile = Profile()
    profile.runcall(client.get, page)
    return sum(entry.callcount for entry in profile.getstats())


def test_the_unit_and_the_container_limit_memory_arenas() -> None:
    """With one arena per thread, 64 threads would use twice the memory."""
    assert "MALLOC_ARENA_MAX=2" in unit_service()["Environment"].split()
    assert "ENV MALLOC_ARENA_MAX=2\n" in CONTAINERFILE


@slow_nginx_test
def test_a_rolling_upgrade_loses_no_click(site: DeployedSite) -> None:
    upgrade_done = Event()
    with ThreadPoolExecutor(4) as pool:
        players = [pool.submit(play, site, seed, upgrade_done.is_set) for seed in range(4)]
        for port, instance in site.instances.items():
            instance.close()
            wait_until(instance.enter_context(running_unit(port, *FEW_THREADS)).is_healthy)
        upgrade_done.set()
    assert all(player.result() == {200} for player in players)


@pytest.mark.needs("systemd-analyze")
def test_the_unit_is_valid_and_grants_only_what_the_server_needs(tmp_path: Path) -> None:
    if "--offline" not in output_of("systemd-analyze", "--help"):
        return  # too old to check a unit that is not installed
    unit = tmp_path / "tic-tac-toe.service"
    unit.write_text(UNIT.replace("/srv/tic-tac-toe/.venv/bin/python", sys.executable))
    assert unit.name not in output_of("systemd-analyze", "verify", str(unit))
    report = output_of("systemd-analyze", "security", "--offline=true", "--no-pager", str(unit))
    exposure = re.search(r"Overall exposure level .*: ([0-9.]+)", report)
    assert exposure
    assert float(exposure[1]) <= 1.5, report


def test_a_system_call_that_the_unit_denies_is_an_error_not_a_crash() -> None:
    """Python on Debian 13 calls setfsuid when it imports pdb: it was once killed at every start."""
    service = unit_service()
    assert "SystemCallFilter" in service
    assert service["SystemCallErrorNumber"] == "EPERM"


def test_only_the_owner_can_read_the_new_key(tmp_path: Path) -> None:
    (commands,) = (block for block in SHELL_BLOCKS if "secrets" in block)
    file = tmp_path / "env"
    subprocess.run(["sh", "-c", commands.replace("/etc/tic-tac-toe.env", str(file))], check=True)
    assert re.fullmatch(r"FLASK_SECRET_KEY=[0-9a-f]{64}\n", file.read_text())
    assert file.stat().st_mode & 0o777 == 0o600


# The container

# Python runs this as `sitecustomize` when the server starts; it records each file that it opens.
RECORD_OPENED_FILES = """
import os, sys
record = os.open({!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        os.write(record, (os.path.abspath(arguments[0]) + "\\n").encode())
sys.addaudithook(hook)
"""
# The sources, which may be patterns, and the target folder of each COPY instruction.
COPIES = [
    (sources.split(), target)
    for sources, target in re.findall(r"^COPY (.+) (\S+)$", CONTAINERFILE, re.MULTILINE)
]
HEALTH_CHECK, SERVER_COMMAND = map(json.loads, re.findall(r"CMD (\[.*\])", CONTAINERFILE))


def copy_into_container(folder: Path) -> None:
    """Copy into a folder what the Containerfile copies into the container."""
    for patterns, target in COPIES:
        for source in (path for pattern in patterns for path in ROOT.glob(pattern)):
            if source.is_dir():
                shutil.copytree(source, folder / target)
            else:
                (folder / target).mkdir(exist_ok=True)
                shutil.copy(source, folder / target)


class ContainerRun(NamedTuple):
    """What one run of the container's server did in its folder, and the results of its check."""

    folder: Path
    files_before: set[Path]
    opened_files: list[Path]
    health_codes: list[int]  # of the health check: while the server runs, and once it has ended


@pytest.fixture(scope="module")
def container_run(tmp_path_factory: pytest.TempPathFactory) -> ContainerRun:
    """The container's server, started and ended; it writes no bytecode, so starting takes long."""
    folder, recording_folder = (tmp_path_factory.mktemp(name) for name in ("container", "record"))
    copy_into_container(folder)
    files_before = {*folder.rglob("*")}
    record = recording_folder / "opened"
    code = RECORD_OPENED_FILES.format(str(record))
    (recording_folder / "sitecustomize.py").write_text(code)
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(recording_folder)}
    port = free_port()
    with Server(localize(SERVER_COMMAND, port), port, settings, folder) as server:
        request_pages(server)
        health_codes = [health_code(server)]
    health_codes.append(health_code(server))
    opened_files = [Path(line) for line in record.read_text().splitlines()]
    return ContainerRun(folder, files_before, opened_files, health_codes)


def health_code(server: Server) -> int:
    """Run the health check of the container, and return its exit code."""
    options, code = HEALTH_CHECK[1:-1], HEALTH_CHECK[-1].replace("8000", str(server.port))
    return subprocess.run([sys.executable, *options, code]).returncode


def request_pages(server: Server) -> None:
    """Request pages that show files of judge/ and docs/."""
    with Connection(server.port) as connection:
        for path in ("/learn/check", "/learn/teach/guide"):
            assert connection.get(path).status == 200


def test_the_health_check_of_the_container_fails_once_its_server_has_ended(
    container_run: ContainerRun,
) -> None:
    assert container_run.health_codes == [0, 1]


def test_the_server_runs_with_the_files_of_the_container_and_writes_none(
    container_run: ContainerRun,
) -> None:
    assert {*container_run.folder.rglob("*")} == container_run.files_before


def test_the_server_reads_everything_that_the_container_has(container_run: ContainerRun) -> None:
    """Patterns are exempt, and requirements.txt, which is only for the installation."""
    for source in (source for sources, _ in COPIES for source in sources):
        if "*" not in source and source != "requirements.txt":
            path = container_run.folder / source
            assert any(file.is_relative_to(path) for file in container_run.opened_files), source


# Helpers


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
